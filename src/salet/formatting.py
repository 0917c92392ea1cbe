"""Numbers as people read them. Nothing here knows about games."""

from __future__ import annotations


def format_seconds(seconds: float) -> str:
    """A duration with a unit that suits its size.

    >>> [format_seconds(s) for s in (0.0004, 0.0123, 1.24, 185.2, 7500)]
    ['<1 ms', '12 ms', '1.2 s', '3 min 5 s', '2 h 5 min']
    """
    milliseconds = round(1000 * seconds)
    if milliseconds < 1:
        return "<1 ms"
    if milliseconds < 1000:
        return f"{milliseconds} ms"
    if round(seconds, 1) < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
