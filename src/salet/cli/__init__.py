"""The command line. `main` turns every error into one line on stderr and an exit code.

0 success · 2 wrong input, or what was asked for does not exist · 130 Ctrl-C · 141 closed pipe
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
from collections.abc import Iterator, Sequence
from typing import NoReturn, TextIO


def run() -> NoReturn:
    """Run the program `salet` and exit.

    The process ends without the interpreter's clean-up: nothing depends on it, and tearing down the
    compiler takes a tenth of a second.
    """
    # Imports create some hundred thousand long-lived objects; scanning them for garbage repeatedly
    # would cost a tenth of a second.
    gc.set_threshold(100_000)
    if isinstance(sys.stdout, io.TextIOWrapper):  # a pipe on Windows cannot encode every bar
        sys.stdout.reconfigure(errors="replace")
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        print("\nsalet: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader closed the pipe: nobody reads a message
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _run(arguments: Sequence[str] | None) -> int:
    import click

    from salet.cli.app import app
    from salet.errors import SaletError

    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["help"]:
        given = [*given[1:], "--help"]
    try:
        with _warnings_on_one_line():
            result = app.main(given, "salet", standalone_mode=False)
        sys.stdout.flush()
    except click.Abort:
        raise KeyboardInterrupt from None
    except SystemExit:  # how click and rich react to a closed pipe
        raise BrokenPipeError from None
    except click.UsageError as error:
        used = f"salet {given[0]}" if given and not given[0].startswith("-") else "salet"
        command = used if error.ctx is None else error.ctx.command_path
        return _fail(f"{error.format_message().rstrip('.')}; see `{command} --help`")
    except click.ClickException as error:
        return _fail(error.format_message())
    except SaletError as error:
        return _fail(str(error))
    except MemoryError as error:
        return _fail(f"not enough memory ({error}); choose smaller sizes")
    return result if isinstance(result, int) else 0


@contextlib.contextmanager
def _warnings_on_one_line() -> Iterator[None]:
    """Let salet's own warnings look like its errors; others stay as they are."""
    import warnings

    from salet.errors import OffListWarning

    before = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, OffListWarning):
            print(f"salet: {message}", file=sys.stderr)
        else:
            before(message, category, filename, lineno, file, line)

    warnings.showwarning = show
    try:
        yield
    finally:
        warnings.showwarning = before


def _fail(message: str) -> int:
    """Print a message on one line of stderr; returns the exit code of wrong input."""
    line = " ".join(message.split())
    print(f"salet: {line}", file=sys.stderr)
    return 2
