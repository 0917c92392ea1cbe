"""Skill and luck of a game, turn by turn.

Let V be the expected number of guesses to come under best play, and Q that of a guess before its
feedback is known. A turn *loses* Q - V (nothing if no guess is better) and has the *luck*
Q - 1 - V', where V' is the expectation after its feedback. Summed over a game,

    guesses used = V at the start + lost - luck

exactly, whatever V is. If answers can be lost, both sides are pairs (games, guesses) and the
equation holds in each component: the expectation of lost games is the chance of losing, and a lost
game ends with 1. All amounts are fractions; only `to_dict` rounds. `analyser.py` computes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import msgspec

from salet.coach.grids import Grid, format_grid
from salet.coach.perfect_play import PlayedTurn
from salet.coach.verdicts import Balance, Deficit, Luck, luck_text, percent, result_text
from salet.coach.verdicts import verdict as verdict_of
from salet.coach.verdicts import verdict_text as text_of_verdict

BEST_SCORE = 99


@dataclass(frozen=True)
class Amount:
    """A pair (lost games, guesses), added and subtracted by component."""

    games: Fraction
    guesses: Fraction

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.games + other.games, self.guesses + other.guesses)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(self.games - other.games, self.guesses - other.guesses)


NOTHING = Amount(Fraction(0), Fraction(0))
ONE_GUESS = Amount(Fraction(0), Fraction(1))
LOST_GAME = Amount(Fraction(1), Fraction(0))


@dataclass(frozen=True, kw_only=True)
class AnalysedTurn:
    """One guess and what it cost. Expectations are of guesses to come."""

    guess: str
    feedback: str
    best: str
    """best guess; the guess itself if no other is better"""
    expected_before: Amount
    expected_after: Amount
    lost: Amount
    """cost of the guess minus cost of the best; never negative, games before guesses"""
    luck: Amount
    """gain by the feedback: expected minus obtained"""
    remaining_before: int
    remaining_after: int
    behind: Deficit
    """bounds on `lost`, equal if proven"""
    fortune: Luck
    """how the feedback compares with that of the other answers"""
    words: list[str]
    """the answers left after the feedback, likeliest first; empty once the answer is found"""
    proven: bool
    """whether the values are exact; otherwise expectations are upper bounds"""
    explanation: str

    @property
    def verdict(self) -> str:
        """`best`, `fine`, `costly`, or `undecided`."""
        return verdict_of(self.behind)

    @property
    def verdict_text(self) -> str:
        """The verdict and its reason, in plain words."""
        return text_of_verdict(self.behind)

    @property
    def luck_text(self) -> str:
        """How lucky the feedback was, in plain words."""
        return luck_text(self.fortune)

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        return {
            "guess": self.guess,
            "feedback": self.feedback,
            "best": self.best,
            "expected_before": float(self.expected_before.guesses),
            "expected_after": float(self.expected_after.guesses),
            "losses_before": float(self.expected_before.games),
            "losses_after": float(self.expected_after.games),
            **_to_fields(self.lost, self.luck),
            "verdict": self.verdict,
            "verdict_text": self.verdict_text,
            "behind": msgspec.to_builtins(self.behind),
            "luck_text": self.luck_text,
            "luckier": self.fortune.luckier,
            "unluckier": self.fortune.unluckier,
            "remaining_before": self.remaining_before,
            "remaining_after": self.remaining_after,
            "words": self.words,
            "proven": self.proven,
            "explanation": self.explanation,
        }


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """A game, analysed."""

    game: str
    mode: str
    cap: int | None
    answer: str
    won: bool
    over: bool
    """whether the answer was found or all guesses were used"""
    turns: list[AnalysedTurn]
    lost: Amount
    luck: Amount
    score: int
    """skill from 0 to 99: rates the choices alone, not luck and so not the result"""
    formula: str
    """formula of the score, as text"""
    perfect: list[PlayedTurn]
    """perfect play against the same answer; empty until it is known"""
    weights: str
    """`equal`, or how the answers are weighted"""
    proven: bool
    """whether every turn is exact"""
    notes: list[str]

    @property
    def balance(self) -> Balance:
        """Expectation, losses and luck of the whole game."""
        start, end = self.turns[0].expected_before, self.turns[-1].expected_after
        return Balance(
            used=len(self.turns),
            cap=self.cap,
            won=self.won,
            over=self.over,
            expected=float(start.guesses),
            lost=float(self.lost.guesses),
            luck=float(self.luck.guesses),
            to_come=float(end.guesses),
            risk_start=float(start.games),
            risk_end=float(end.games),
            lost_games=float(self.lost.games),
            luck_games=float(self.luck.games),
        )

    def to_dict(self) -> dict[str, Any]:
        """As `salet analyse --json` prints it."""
        return {
            "game": self.game,
            "mode": self.mode,
            "cap": self.cap,
            "answer": self.answer,
            "won": self.won,
            "over": self.over,
            "turns": [turn.to_dict() for turn in self.turns],
            **_to_fields(self.lost, self.luck),
            "result": result_text(self.balance),
            "score": self.score,
            "formula": self.formula,
            "perfect": msgspec.to_builtins(self.perfect),
            "weights": self.weights,
            "proven": self.proven,
            "notes": self.notes,
            "summary": self.summary(),
        }

    def summary(self, palette: str = "dark") -> str:
        """A text to share: count, score, luck and grid, without any word."""
        used = str(len(self.turns)) if self.won else "X" if self.over else f"{len(self.turns)}…"
        limit = "" if self.cap is None else f"/{self.cap}"
        lines = [
            f"salet {self.game} {used}{limit}{'*' if self.mode == 'hard' else ''}",
            f"skill {self.score}/{BEST_SCORE}, {self._shared_luck()}",
            "",
        ]
        feedback = [turn.feedback for turn in self.turns]
        if "," in feedback[0]:
            return "\n".join([*lines, *feedback])
        rows = tuple(tuple("BYG".index(tile) for tile in row) for row in feedback)
        return "\n".join(lines) + "\n" + format_grid(Grid(rows), palette)

    def _shared_luck(self) -> str:
        """Luck in guesses; for a lost game, what it was lost by."""
        if self.won or not self.over:
            return f"luck {float(self.luck.guesses):+.2f} guesses"
        choices = float(self.lost.games)
        return f"lost {percent(choices)} by choices, {percent(1 - choices)} by luck"


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """Another guess that could have been made in a turn of a game."""

    turn: int
    """counted from 1"""
    guess: str
    feedback: str
    expected_before: Amount
    expected_after: Amount
    lost: Amount
    luck: Amount
    remaining_after: int
    words: list[str]
    """the answers that would have remained, likeliest first"""
    next: str | None
    """the best guess after it; None if it wins"""
    behind: Deficit
    proven: bool
    explanation: str

    @property
    def lost_game(self) -> bool:
        """Whether this guess would have ended in a lost game."""
        return self.expected_after.games == 1

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "turn": self.turn,
            "guess": self.guess,
            "feedback": self.feedback,
            "expected_before": float(self.expected_before.guesses),
            "expected_after": float(self.expected_after.guesses),
            "losses_before": float(self.expected_before.games),
            "losses_after": float(self.expected_after.games),
            **_to_fields(self.lost, self.luck),
            "verdict": verdict_of(self.behind),
            "verdict_text": text_of_verdict(self.behind),
            "remaining_after": self.remaining_after,
            "words": self.words,
            "next": self.next,
            "proven": self.proven,
            "explanation": self.explanation,
        }


def _to_fields(lost: Amount, luck: Amount) -> dict[str, float]:
    return {
        "lost": float(lost.guesses),
        "luck": float(luck.guesses),
        "lost_games": float(lost.games),
        "luck_games": float(luck.games),
    }
