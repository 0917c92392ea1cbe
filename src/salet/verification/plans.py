"""Replay a plan against the rules, with code that shares nothing with the search.

This module scores guesses, splits letters and checks modes by itself; a game is nothing but lists
of words to it. A plan that it accepts plays every answer, each guess is a word of the list and
legal in its mode, and every guess depends on nothing but the feedback so far.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec

from salet.errors import DataError, InputError
from salet.plan_formats import Document, PlanNode, read_plan
from salet.verification.stored_certificates import StoredCertificate, stored_certificate
from salet.version import commit, version


class PlanTree(Protocol):
    """A plan in memory, such as a `salet.Plan`."""

    @property
    def root(self) -> PlanNode: ...
    @property
    def header(self) -> Mapping[str, Any]: ...
    @property
    def game(self) -> GameWords: ...


class GameWords(Protocol):
    """What verification needs to know of a game; a `salet.Game` has it."""

    @property
    def answers(self) -> tuple[str, ...]: ...
    @property
    def guesses(self) -> tuple[str, ...]: ...

    name: str
    mode: str
    cap: int | None
    rule: Any


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What playing a plan gave. The fields are those of `salet verify --json`."""

    plan: str | None
    """its file; None for a plan in memory"""
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
    """whether the mode allows every guess: always True, since other plans are refused"""
    certificate: StoredCertificate | None
    """the one that proves that no plan has a lower total, if there is one"""
    version: str
    commit: str | None

    def to_dict(self) -> dict[str, Any]:
        """The fields as `--json` prints them."""
        fields: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return fields


def verify(plan: PlanTree | str | Path, game: GameWords | None = None) -> Verdict:
    """Play a plan, in memory or in a file, against every answer of the game; raise if it is wrong.

    A plan in memory is verified for its own game unless another is given.

    >>> import salet
    >>> game = salet.Game.named("mastermind:2x3")
    >>> verify(salet.Plan.grow(game, salet.strategy_named("entropy").choose)).total
    21
    """
    if game is None:
        if isinstance(plan, str | Path):
            raise InputError(f"give the game of the plan in {str(plan)!r} as well")
        game = plan.game
    games = play_plan(plan, game)
    counts = Counter(len(guesses) for guesses, won in games.values() if won)
    losses = sum(not won for _, won in games.values())
    charge = (game.cap or max(len(guesses) for guesses, _ in games.values())) + 1
    total = sum(size * count for size, count in counts.items()) + losses * charge
    return Verdict(
        plan=str(plan) if isinstance(plan, str | Path) else None,
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
        certificate=None if losses else stored_certificate(game, total),
        version=version(),
        commit=commit(),
    )


def play_plan(plan: PlanTree | str | Path, game: GameWords) -> dict[str, tuple[list[str], bool]]:
    """The guesses that a plan makes for every answer, and whether they find it; raise if the plan
    breaks a rule."""
    if isinstance(plan, str | Path):
        name, document = str(plan), read_plan(plan)
    else:
        name, document = "the plan", Document(dict(plan.header), plan.root, [])
    _refuse_other_game(document, game, name)
    check = _Check(game, name)
    return check.replay_tree(document.root) if document.root else check.replay_games(document)


def _refuse_other_game(document: Document, game: GameWords, name: str) -> None:
    header = document.header
    for field, actual in (("game", game.name), ("rule", game.rule.name)):
        if field in header and header[field] != actual:
            raise DataError(f"{name} is for {field} {header[field]!r}, not {actual!r}")


class _Check:
    """One verification: the words, the rules, and the plan's name for messages."""

    def __init__(self, game: GameWords, name: str) -> None:
        self.name = name
        self.mode = game.mode
        self.cap = game.cap
        self.rule = str(game.rule.name)
        self.answers = {normalised(word): word for word in game.answers}
        self.guesses = {normalised(word): word for word in game.guesses}

    def replay_tree(self, root: PlanNode) -> dict[str, tuple[list[str], bool]]:
        """Play every answer down the tree: {answer: (guesses, won)}."""
        games: dict[str, tuple[list[str], bool]] = {}
        for answer in self.answers:
            node: PlanNode | None = root
            history: list[tuple[str, str]] = []
            won = False
            while node is not None and not won and self.has_guess_left(history):
                where = self.where(node)
                guess = self.listed_word(node.guess, where)
                self.refuse_illegal(guess, history, where)
                feedback = colour(guess, answer, self.rule)
                won = guess == answer
                history.append((guess, feedback))
                children = {_canonical(key): child for key, child in node.branches.items()}
                node = children.get(_canonical(feedback))
            # A plan may give up where the cap is reached, and nowhere else.
            if not won and self.has_guess_left(history):
                shown = " ".join(f"{guess} {pattern}" for guess, pattern in history)
                raise DataError(
                    f"{where}: no guess follows {shown}, "
                    f"the feedback if the answer is {self.answers[answer]!r}"
                )
            games[answer] = [guess for guess, _ in history], won
        return games

    def replay_games(self, document: Document) -> dict[str, tuple[list[str], bool]]:
        """Check games that were published one per line: {answer: (guesses, won)}."""
        games: dict[str, tuple[list[str], bool]] = {}
        chosen: dict[tuple[tuple[str, str], ...], tuple[str, int]] = {}
        for line in document.games:
            where = f"{self.name} line {line.number}"
            secret = normalised(line.secret)
            if secret not in self.answers:
                raise DataError(f"{where}: {line.secret!r} is not one of the answers")
            if secret in games:
                raise DataError(f"{where}: {line.secret!r} was played before")
            history: list[tuple[str, str]] = []
            for word in line.guesses:
                guess = self.listed_word(word, where)
                self.refuse_illegal(guess, history, where)
                earlier, number = chosen.setdefault(tuple(history), (guess, line.number))
                if earlier != guess:
                    raise DataError(
                        f"{where} guesses {word!r} where line {number} guesses {earlier!r} after "
                        "the same feedback; a plan makes one guess after each feedback"
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

    def where(self, node: PlanNode) -> str:
        return self.name if node.line is None else f"{self.name} line {node.line}"

    def has_guess_left(self, history: Sequence[tuple[str, str]]) -> bool:
        return self.cap is None or len(history) < self.cap

    def listed_word(self, word: str, where: str) -> str:
        spelled = normalised(word)
        if spelled not in self.guesses:
            raise DataError(f"{where}: {word!r} is not one of the {len(self.guesses)} guesses")
        return spelled

    def refuse_illegal(self, guess: str, history: Sequence[tuple[str, str]], where: str) -> None:
        for earlier, feedback in history:
            if self.mode == "strict" and colour(earlier, guess, self.rule) != feedback:
                raise DataError(f"{where}: {guess!r} does not fit {earlier} {feedback} (strict)")
            if self.mode == "hard" and not keeps_hints(guess, earlier, feedback, self.rule):
                raise DataError(f"{where}: {guess!r} ignores a hint of {earlier} {feedback} (hard)")


def colour(guess: str, answer: str, rule: str) -> str:
    """The feedback to a guess as text, computed letter by letter."""
    guessed, hidden = letters_of(guess), letters_of(answer)
    if rule == "pegs":
        black = sum(a == b for a, b in zip(guessed, hidden, strict=True))
        both = sum((Counter(guessed) & Counter(hidden)).values())
        return f"{black},{both - black}"
    marks = ["G" if a == b else "B" for a, b in zip(guessed, hidden, strict=True)]
    if rule == "present":
        return "".join(
            "Y" if m == "B" and a in hidden else m for m, a in zip(marks, guessed, strict=True)
        )
    unmatched = Counter(b for b, mark in zip(hidden, marks, strict=True) if mark != "G")
    for index, letter in enumerate(guessed):
        if marks[index] != "G" and unmatched[letter] > 0:
            unmatched[letter] -= 1
            marks[index] = "Y"
    return "".join(marks)


def keeps_hints(guess: str, earlier: str, feedback: str, rule: str) -> bool:
    """Whether hard mode allows a guess: greens stay, revealed letters are used as often."""
    new, old = letters_of(guess), letters_of(earlier)
    if any(mark == "G" and a != b for a, b, mark in zip(new, old, feedback, strict=True)):
        return False
    revealed = Counter(letter for letter, mark in zip(old, feedback, strict=True) if mark != "B")
    used = Counter(new)
    return all(used[letter] >= (n if rule == "standard" else 1) for letter, n in revealed.items())


def normalised(word: str) -> str:
    """The form in which words are compared."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", word.strip()).lower())


def letters_of(word: str) -> list[str]:
    """The letters of a word: its graphemes."""
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


def _canonical(pattern: str) -> str:
    """Feedback in the letters B, Y and G, however it was written; peg counts without spaces."""
    marks = dict(zip("WX-_.0⬛⬜", "B" * 8, strict=True)) | {
        "1": "Y",
        "🟨": "Y",
        "2": "G",
        "🟩": "G",
    }
    if "," in pattern:
        return pattern.replace(" ", "")
    return "".join(marks.get(char, char) for char in pattern.upper())
