"""Replay a plan against the rules, with code that shares nothing with the search.

This module colours, splits letters and checks modes by itself; it knows games only as lists of
words. What it accepts is a plan: it plays every answer, each guess is a word of the list and legal
in its mode, and what is guessed depends on nothing but the feedback so far.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from salet.errors import DataError, InputError
from salet.plan_formats import Document, Node, read
from salet.version import commit, version


class GameWords(Protocol):
    """What verification asks of a game (a `salet.Game` will do)."""

    @property
    def answers(self) -> tuple[str, ...]: ...
    @property
    def guesses(self) -> tuple[str, ...]: ...

    name: str
    mode: str
    cap: int | None
    rule: Any


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What a plan does, counted by playing it. The fields are those of `salet verify --json`."""

    plan: str
    game: str
    mode: str
    cap: int | None
    opener: str
    answers: int
    total: int
    """guesses over all answers; a loss counts cap + 1"""
    mean: float
    worst: int
    losses: int
    histogram: dict[int, int]
    legal: bool
    """is every guess allowed in the mode? (a plan with an illegal one is refused, so: True)"""
    version: str
    commit: str | None

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        fields: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return fields


def read_plan(path: Path) -> Document:
    """The plan in a file, in any of the formats."""
    try:
        return read(path.read_text("utf-8"), str(path))
    except UnicodeDecodeError:
        raise DataError(f"{str(path)!r} is not UTF-8 text; a plan is text") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot read {str(path)!r}: {reason}") from None


def verify(path: str | Path, game: GameWords) -> Verdict:
    """Play the plan in a file against every answer of the game; raises if it is wrong."""
    document = read_plan(Path(path))
    _refuse_other_game(document, game, str(path))
    check = _Check(game, str(path))
    games = check.replay(document.root) if document.root else check.relive(document)
    counts = Counter(len(guesses) for guesses, won in games.values() if won)
    losses = sum(not won for _, won in games.values())
    charge = (game.cap or max(len(guesses) for guesses, _ in games.values())) + 1
    total = sum(size * count for size, count in counts.items()) + losses * charge
    return Verdict(
        plan=str(path),
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        opener=next(iter(games.values()))[0][0],
        answers=len(games),
        total=total,
        mean=total / len(games),
        worst=max(counts, default=0),
        losses=losses,
        histogram=dict(sorted(counts.items())),
        legal=True,
        version=version(),
        commit=commit(),
    )


def _refuse_other_game(document: Document, game: GameWords, name: str) -> None:
    header = document.header
    for field, actual in (("game", game.name), ("rule", game.rule.name)):
        if field in header and header[field] != actual:
            raise DataError(f"{name!r} is a plan for {field} {header[field]!r}, not {actual!r}")


class _Check:
    """One verification: the words, the rules, and where to say what is wrong."""

    def __init__(self, game: GameWords, name: str) -> None:
        self.name = name
        self.mode = game.mode
        self.cap = game.cap
        self.rule = str(game.rule.name)
        self.answers = {_spelled(word): word for word in game.answers}
        self.listed = {_spelled(word): word for word in game.guesses}

    def replay(self, root: Node) -> dict[str, tuple[list[str], bool]]:
        """Every answer played down the tree: {answer: (guesses, won)}."""
        games: dict[str, tuple[list[str], bool]] = {}
        for answer in self.answers:
            node: Node | None = root
            history: list[tuple[str, str]] = []
            won = False
            while node is not None and not won and self.has_guess_left(history):
                guess = self.listed_word(node.guess, f"{self.name} line {node.line}")
                self.refuse_illegal(guess, history, f"{self.name} line {node.line}")
                feedback = colour(guess, answer, self.rule)
                won = guess == answer
                history.append((guess, feedback))
                below = {_bare(key): child for key, child in node.branches.items()}
                here = node
                node = below.get(_bare(feedback))
            if not won and self.has_guess_left(history):
                shown = " ".join(f"{guess} {pattern}" for guess, pattern in history)
                # a plan may give up where the cap has come, and nowhere else
                raise DataError(
                    f"{self.name} line {here.line}: nothing follows {shown}, "
                    f"which {self.answers[answer]!r} leads to"
                )
            games[answer] = [guess for guess, _ in history], won
        return games

    def relive(self, document: Document) -> dict[str, tuple[list[str], bool]]:
        """Check games that were published one a line: {answer: (guesses, won)}."""
        games: dict[str, tuple[list[str], bool]] = {}
        chosen: dict[tuple[tuple[str, str], ...], tuple[str, int]] = {}
        for line in document.games:
            where = f"{self.name} line {line.number}"
            secret = _spelled(line.secret)
            if secret not in self.answers:
                raise DataError(f"{where}: {line.secret!r} is not one of the answers")
            if secret in games:
                raise DataError(f"{where}: {line.secret!r} was played before")
            history: list[tuple[str, str]] = []
            for word in line.guesses:
                guess = self.listed_word(word, where)
                self.refuse_illegal(guess, history, where)
                before = chosen.setdefault(tuple(history), (guess, line.number))
                if before[0] != guess:
                    raise DataError(
                        f"{where} guesses {word!r} where line {before[1]} guesses {before[0]!r} "
                        "after the same feedback; a plan always guesses the same"
                    )
                history.append((guess, colour(guess, secret, self.rule)))
            won = history[-1][0] == secret
            if len(history) > (self.cap or len(history)):
                raise DataError(f"{where} takes {len(history)} guesses; the cap is {self.cap}")
            games[secret] = [guess for guess, _ in history], won
        for answer, word in self.answers.items():
            if answer not in games:
                raise DataError(f"{self.name}: no line plays the answer {word!r}")
        return games

    def has_guess_left(self, history: Sequence[tuple[str, str]]) -> bool:
        return self.cap is None or len(history) < self.cap

    def listed_word(self, word: str, where: str) -> str:
        spelled = _spelled(word)
        if spelled not in self.listed:
            raise DataError(f"{where}: {word!r} is not one of the {len(self.listed)} guesses")
        return spelled

    def refuse_illegal(self, guess: str, history: Sequence[tuple[str, str]], where: str) -> None:
        for earlier, feedback in history:
            if self.mode == "strict" and colour(earlier, guess, self.rule) != feedback:
                raise DataError(f"{where}: {guess!r} does not fit {earlier} {feedback} (strict)")
            if self.mode == "hard" and not keeps_hints(guess, earlier, feedback, self.rule):
                raise DataError(f"{where}: {guess!r} ignores a hint of {earlier} {feedback} (hard)")


def colour(guess: str, answer: str, rule: str) -> str:
    """The feedback as text, worked out letter by letter."""
    said, hidden = _letters(guess), _letters(answer)
    if rule == "pegs":
        black = sum(a == b for a, b in zip(said, hidden, strict=True))
        both = sum((Counter(said) & Counter(hidden)).values())
        return f"{black},{both - black}"
    marks = ["G" if a == b else "B" for a, b in zip(said, hidden, strict=True)]
    if rule == "present":
        return "".join(
            "Y" if m == "B" and a in hidden else m for m, a in zip(marks, said, strict=True)
        )
    spare = Counter(b for b, mark in zip(hidden, marks, strict=True) if mark != "G")
    for place, letter in enumerate(said):
        if marks[place] != "G" and spare[letter] > 0:
            spare[letter] -= 1
            marks[place] = "Y"
    return "".join(marks)


def keeps_hints(guess: str, earlier: str, feedback: str, rule: str) -> bool:
    """The real game's hard mode: greens stay, revealed letters are used as often as revealed."""
    new, old = _letters(guess), _letters(earlier)
    if any(mark == "G" and a != b for a, b, mark in zip(new, old, feedback, strict=True)):
        return False
    revealed = Counter(letter for letter, mark in zip(old, feedback, strict=True) if mark != "B")
    used = Counter(new)
    return all(used[letter] >= (n if rule == "standard" else 1) for letter, n in revealed.items())


def _spelled(word: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", word.strip()).lower())


def _letters(word: str) -> list[str]:
    if word.isascii():
        return list(word)
    found: list[str] = []
    for char in word:
        marks = unicodedata.category(char).startswith("M") or "\U0001f3fb" <= char <= "\U0001f3ff"
        pair = found and len(found[-1]) == 1 and _is_flag(found[-1]) and _is_flag(char)
        if found and (marks or char == "\u200d" or found[-1].endswith("\u200d") or pair):
            found[-1] += char
        else:
            found.append(char)
    return found


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _bare(pattern: str) -> str:
    """Feedback in the letters B, Y and G whatever it was written in; counts as they are."""
    marks = dict(zip("WX-_.0⬛⬜", "B" * 8, strict=True)) | {
        "1": "Y",
        "🟨": "Y",
        "2": "G",
        "🟩": "G",
    }
    if "," in pattern:
        return pattern.replace(" ", "")
    return "".join(marks.get(char, char) for char in pattern.upper())
