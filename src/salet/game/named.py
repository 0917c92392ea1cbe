"""Games by name: `original`, `nyt-2023-07`, `mastermind:4x6`, `original:first=200` …"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from salet.errors import InputError, UnknownNameError
from salet.game.game import Game
from salet.game.lexicon import MAX_LENGTH, MIN_LENGTH, key
from salet.game.packs import store
from salet.game.packs.files import read_word_file

ALIASES: Mapping[str, str] = MappingProxyType({"nyt": "nyt-2023-07"})
DEFAULT = "original"
_MAX_CODES = 90_000
_SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class WordLists:
    """The word lists behind a name, with the rule and cap that go with them."""

    name: str
    answers: Sequence[str]
    guesses: Sequence[str]
    rule: str
    cap: int | None


def game_names() -> list[str]:
    """Every name that `--game` accepts; code games by an example each."""
    packs = [*store.shipped_names(), *store.own_names()]
    return [*packs, *ALIASES, "mastermind:4x6", "bulls-and-cows:4x10"]


def named_game(
    name: str = DEFAULT,
    *,
    answers: Path | None = None,
    guesses: Path | None = None,
    rule: str | None = None,
    mode: str = "normal",
    cap: int | str | None = "default",
    weights: Sequence[int] | None = None,
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
    return WordLists("+".join(files), new_answers, new_guesses, base.rule, None)


def words_named(name: str) -> WordLists:
    """The word lists of a name with its options, such as `original:first=200`."""
    head, _, rest = name.strip().partition(":")
    head = head.lower()
    if head in CODE_GAMES:
        size, _, rest = rest.partition(",")
        base = _code_game(head, size, name)
    else:
        head = ALIASES.get(head, head)
        if head not in store.shipped_names() and head not in store.own_names():
            raise UnknownNameError("game", name, game_names(), "see `salet games`")
        pack = store.load(head)
        base = WordLists(head, pack.answers, pack.guesses, pack.rule, pack.cap)
    return _with_options(base, rest, name) if rest else base


def _with_options(base: WordLists, text: str, name: str) -> WordLists:
    options: dict[str, str] = {}
    for item in text.split(","):
        option, mark, value = item.partition("=")
        if option not in ("first", "sample", "seed", "guesses") or not mark:
            raise InputError(
                f"game {name!r}: unknown option {item!r}; "
                "there are first=N, sample=N, seed=S and guesses=answers"
            )
        options[option] = value
    answers = list(base.answers)
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
    guesses = answers if "guesses" in options else base.guesses
    return WordLists(
        f"{base.name}:{text}" if ":" not in base.name else f"{base.name},{text}",
        answers,
        guesses,
        base.rule,
        base.cap,
    )


def _number(name: str, option: str, text: str, maximum: int, minimum: int = 1) -> int:
    if not text.isascii() or not text.isdigit() or not minimum <= int(text) <= maximum:
        raise InputError(
            f"game {name!r}: {option}={text} is not a number from {minimum} to {maximum}"
        )
    return int(text)


CODE_GAMES: Mapping[str, str] = MappingProxyType(
    {"mastermind": "symbols may repeat", "bulls-and-cows": "no symbol repeats"}
)


def _code_game(kind: str, size: str, name: str) -> WordLists:
    found = re.fullmatch(r"(\d{1,2})x(\d{1,2})", size)
    if not found:
        raise InputError(f"game {name!r}: give positions x symbols, as in '{kind}:4x6'")
    positions, symbols = int(found[1]), int(found[2])
    unique = kind == "bulls-and-cows"
    if not MIN_LENGTH <= positions <= MAX_LENGTH or not 1 <= symbols <= len(_SYMBOLS):
        raise InputError(
            f"game {name!r}: give {MIN_LENGTH} to {MAX_LENGTH} positions "
            f"and 1 to {len(_SYMBOLS)} symbols"
        )
    if unique and positions > symbols:
        raise InputError(f"game {name!r}: {positions} positions need {positions} different symbols")
    # Up to nine symbols are 1 to 9, as on the boards; with more, 0 comes first.
    signs = _SYMBOLS[1 : symbols + 1] if symbols <= 9 else _SYMBOLS[:symbols]
    count = math.perm(symbols, positions) if unique else symbols**positions
    if count > _MAX_CODES:
        raise InputError(f"game {name!r} has {count:,} codes; the maximum is {_MAX_CODES:,}")
    codes = (
        itertools.permutations(signs, positions)
        if unique
        else itertools.product(signs, repeat=positions)
    )
    words = ["".join(code) for code in codes]
    return WordLists(f"{kind}:{positions}x{symbols}", words, words, "pegs", None)


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
    return rows
