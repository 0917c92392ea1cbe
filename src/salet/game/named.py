"""Games by name: `original`, `mastermind:4x6`, `nerdle:8`, `original:first=200,boards=4` …"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from salet.errors import InputError, UnknownNameError
from salet.game.game import MAX_BOARDS, MIN_BOARDS, Game
from salet.game.generated import EXAMPLES, GENERATORS, WordLists
from salet.game.lexicon import key
from salet.game.packs import store
from salet.game.packs.files import read_word_file

ALIASES: Mapping[str, str] = MappingProxyType({"nyt": "nyt-2023-07"})
_OPTIONS = ("first", "sample", "seed", "guesses", "answers", "boards", "commuted")


def game_names() -> list[str]:
    """Every name that `--game` accepts; generated games by examples."""
    packs = [*store.shipped_names(), *store.own_names()]
    return [*packs, *ALIASES, *EXAMPLES]


def named_game(
    name: str,
    *,
    answers: Path | None = None,
    guesses: Path | None = None,
    rule: str | None = None,
    mode: str = "normal",
    cap: int | str | None = "default",
    weights: Sequence[int] | None = None,
    host: str = "secret",
) -> Game:
    """The game of that name, with its lists replaced by those of files where given.

    `cap` is a number, None (no cap) or "default": the named game's own, and none for files.
    """
    base = words_named(name)
    if answers is not None or guesses is not None:
        base = _with_files(base, answers, guesses)
    return Game(
        base.answers,
        base.guesses,
        rule=rule or base.rule,
        mode=mode,
        cap=base.cap if cap == "default" else _cap(cap),
        weights=weights,
        name=base.name,
        boards=base.boards,
        host=host,
        commuted=base.commuted,
    )


def _cap(cap: int | str | None) -> int | None:
    if cap is None or str(cap).lower() == "none":
        return None
    if not re.fullmatch(r"-?\d+", str(cap)):
        raise InputError(f"cap {cap!r}: give a whole number of at least 1, or 'none'")
    return int(cap)


def _with_files(base: WordLists, answers: Path | None, guesses: Path | None) -> WordLists:
    files = [str(path) for path in (answers, guesses) if path is not None]
    new_answers = base.answers if answers is None else read_word_file(answers)
    if guesses is not None:
        new_guesses: Sequence[str] = read_word_file(guesses)
    else:
        new_guesses = base.guesses
        legal = {key(word) for word in new_guesses}
        for word in new_answers:
            if key(word) not in legal:
                raise InputError(
                    f"answer {word!r} of {str(answers)!r} is not a guess of {base.name!r}; "
                    "add --guesses FILE (it may be the same file)"
                )
    name = "+".join(files) + (f":boards={base.boards}" if base.boards > 1 else "")
    return WordLists(name, new_answers, new_guesses, base.rule, None, base.boards)


def words_named(name: str) -> WordLists:
    """The word lists of a name with its options, such as `original:first=200`."""
    head, _, rest = name.strip().partition(":")
    head = head.lower()
    if head in GENERATORS:
        size, rest = _size_and_options(rest)
        base = GENERATORS[head](size, name)
    else:
        head = ALIASES.get(head, head)
        if head not in store.shipped_names() and head not in store.own_names():
            raise UnknownNameError("game", name, game_names(), "see `salet games`")
        pack = store.load(head)
        base = WordLists(head, pack.answers, pack.guesses, pack.rule, pack.cap)
    return _with_options(base, rest, name) if rest else base


def _size_and_options(text: str) -> tuple[str, str]:
    """Split what follows a generated game's name: `4x6,first=9`, `first=9`, `4x6` or nothing."""
    size, _, rest = text.partition(",")
    return ("", text) if "=" in size else (size, rest)


def _with_options(base: WordLists, text: str, name: str) -> WordLists:
    options: dict[str, str] = {}
    for item in text.split(","):
        option, mark, value = item.partition("=")
        if option not in _OPTIONS or not mark:
            raise InputError(
                f"game {name!r}: unknown option {item!r}; there are first=N, sample=N, seed=S, "
                "guesses=answers, answers=guesses, boards=B and, for equations, commuted=win"
            )
        if option in options:
            raise InputError(f"game {name!r}: {option}=… is given twice")
        options[option] = value
    answers = list(base.answers)
    if options.get("answers", "guesses") != "guesses":
        raise InputError(f"game {name!r}: only answers=guesses is known")
    if "answers" in options and "guesses" in options:
        raise InputError(
            f"game {name!r}: guesses=answers and answers=guesses; give only one of the two"
        )
    if "answers" in options:
        answers = list(dict.fromkeys([*answers, *base.guesses]))
    if "first" in options:
        answers = answers[: _number(name, "first", options["first"], len(answers))]
    if "sample" in options:
        count = _number(name, "sample", options["sample"], len(answers))
        seed = _number(name, "seed", options.get("seed", "0"), 2**63, minimum=0)
        drawn = np.random.default_rng(seed).choice(len(answers), count, replace=False)
        answers = [answers[index] for index in sorted(drawn)]
    elif "seed" in options:
        raise InputError(f"game {name!r}: seed=… needs sample=…")
    if options.get("guesses", "answers") != "answers":
        raise InputError(f"game {name!r}: only guesses=answers is known")
    if "commuted" in options and not base.commutes:
        raise InputError(f"game {name!r}: commuted=win is an option of equations alone: nerdle:8")
    if options.get("commuted", "win") != "win":
        raise InputError(f"game {name!r}: only commuted=win is known")
    boards = 1
    if "boards" in options:
        boards = _number(name, "boards", options["boards"], MAX_BOARDS, MIN_BOARDS)
    return replace(
        base,
        name=f"{base.name}:{text}" if ":" not in base.name else f"{base.name},{text}",
        answers=answers,
        guesses=answers if "guesses" in options else base.guesses,
        # With answers=guesses there is no cap: for most openers, proving that a cap suffices is as
        # hard as finding the exact value.
        cap=None if base.cap is None or "answers" in options else base.cap + boards - 1,
        boards=boards,
        commuted="commuted" in options,
    )


def _number(name: str, option: str, text: str, maximum: int, minimum: int = 1) -> int:
    if not text.isascii() or not text.isdigit() or not minimum <= int(text) <= maximum:
        raise InputError(
            f"game {name!r}: {option}={text} is not a number from {minimum} to {maximum}"
        )
    return int(text)


def describe_games() -> list[dict[str, Any]]:
    """The rows of `salet games`: name, sizes, rule, cap, source and checksums."""
    rows: list[dict[str, Any]] = []
    for name in [*store.shipped_names(), *store.own_names()]:
        pack = store.load(name)
        parts = {part: pack.sources.get(part, {}) for part in ("answers", "guesses")}
        source = [f"{p['package']} {p['version']}" for p in parts.values() if "package" in p]
        rows.append(
            {
                "name": name,
                "answers": len(pack.answers),
                "guesses": len(pack.guesses),
                "rule": pack.rule,
                "cap": pack.cap,
                "source": ", ".join(dict.fromkeys(source)) or "your own",
                "answers_sha256": store.checksum(pack.answers),
                "guesses_sha256": store.checksum(pack.guesses),
                "summary": pack.summary,
            }
        )
    return [*rows, *(_describe_generated(name) for name in EXAMPLES)]


def _describe_generated(name: str) -> dict[str, Any]:
    lists = words_named(name)
    checksum = store.checksum(lists.answers)
    return {
        "name": name,
        "answers": len(lists.answers),
        "guesses": len(lists.guesses),
        "rule": lists.rule,
        "cap": lists.cap,
        "source": "generated",
        "answers_sha256": checksum,
        "guesses_sha256": checksum,
        "summary": lists.summary,
    }
