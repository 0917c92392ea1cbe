"""Explanations in plain words; every clause states a computed fact."""

from __future__ import annotations

from salet.coach.advice import Suggestion, Trap
from salet.coach.verdicts import percent
from salet.game.game import Game

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(count: int) -> str:
    """A small number in words."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def why(suggestion: Suggestion, remaining: int, weighted: bool = False) -> str:
    """What a guess does: how it splits, whether it can win now, and its worst case."""
    if remaining == 1 and suggestion.candidate:
        return "it is the only word left"
    clauses = [_split(suggestion, remaining)]
    if not suggestion.candidate:
        now = "cannot win now"
    elif weighted:
        now = f"wins now with a chance of {percent(suggestion.win)}"
    else:
        now = f"wins now in 1 of {remaining} cases"
    clauses.append(now + _end(suggestion, remaining, weighted))
    return "; ".join(clauses)


def _split(suggestion: Suggestion, remaining: int) -> str:
    words = f"{remaining} word{'s' if remaining > 1 else ''}"
    if suggestion.groups == 1:
        return f"does not split the {words}"
    if suggestion.groups == remaining:
        return f"tells all {words} apart"
    return f"splits {words} into {suggestion.groups} groups, largest {suggestion.largest}"


def _end(suggestion: Suggestion, remaining: int, weighted: bool) -> str:
    if suggestion.losses > 0:
        most = "" if suggestion.proven else "at most "
        return f"; loses {most}{_lost(suggestion, remaining, weighted)}"
    if suggestion.worst is None:
        return ""
    more = suggestion.worst - 1
    if more == 0:
        return ""
    if suggestion.candidate:
        return f", otherwise always in {number(more)} more at the latest"
    return f", but always wins in {number(more)} more"


def _lost(suggestion: Suggestion, remaining: int, weighted: bool) -> str:
    """`1 of 6`; `1.5 % of games` where some words are likelier than others."""
    if weighted:
        return f"{percent(suggestion.losses)} of games"
    return f"{suggestion.losses * remaining:.4g} of {remaining}"


def value(suggestion: Suggestion, lower: float, best: bool) -> str:
    """The mean guesses to come after a guess, or bounds on it."""
    if suggestion.proven:
        known = f"{suggestion.expected:.4g} guesses in the mean"
        if best:
            return f"{known}, proven best"
        return f"{known}; no guess can take fewer than {lower:.4g}"
    return f"at most {suggestion.upper:.4g} guesses in the mean, at least {suggestion.lower:.4g}"


def trap_line(trap: Trap) -> str:
    """`_ATCH: 7 words, 2 guesses: blimp splits them into 6 groups`."""
    left = "no cap" if trap.guesses_left is None else _count(trap.guesses_left, "guess", "guesses")
    start = f"trap {trap.shape}: {_count(len(trap.words), 'word', 'words')}, {left}"
    if trap.groups <= 2:
        return f"{start}: no legal guess splits them into more than {trap.groups} groups"
    some = " or ".join(word.upper() for word in trap.splitters)
    verb = "splits" if len(trap.splitters) == 1 else "split"
    return f"{start}: {some} {verb} them into {trap.groups} groups"


def _count(amount: int, one: str, many: str) -> str:
    return f"{amount} {one if amount == 1 else many}"


def notes(outside: bool, game: Game, best: Suggestion, proven: bool, remaining: int) -> list[str]:
    """Notes on a position: no listed answer fits, the cap cannot be guaranteed."""
    lines = []
    if outside:
        lines.append(f"no listed answer fits; these are all guesses that do: {remaining}")
    if best.losses > 0:
        some = _lost(best, remaining, game.weights is not None)
        lines.append(
            f"{game.cap} guesses are not enough for every word any more; "
            f"this guess loses the fewest: {some}"
            if proven
            else f"no plan found so far finds every word in {game.cap} guesses: at most {some} lost"
        )
    lines.append(assumption(game))
    return lines


def assumption(game: Game) -> str:
    """The assumption behind all values."""
    if game.weights is None:
        return "values assume that all remaining answers are equally likely"
    return "values weigh the answers by how likely they are"
