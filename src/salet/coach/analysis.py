"""What a game's guesses were worth: skill and luck, turn by turn.

Let V be the expected number of guesses still to come under best play, and Q that of a guess before
its feedback is known. A turn *loses* Q - V (nothing if the guess is as good as any), and has the
*luck* Q - 1 - V', where V' is what is expected after its feedback. Summed over a game,

    guesses used = V at the start + lost - luck

exactly, whatever V is. Where answers can be lost both sides are pairs (games, guesses) and the
equation holds in each. All amounts are fractions; only `to_dict` rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from salet.coach import explain
from salet.coach.adviser import Appraisal, appraise
from salet.coach.game_record import ADDED, GameRecord, carry_over_openers
from salet.coach.grids import Grid, format_grid
from salet.coach.likelihood import likely_first
from salet.coach.position import Position
from salet.errors import InputError
from salet.game.state import State
from salet.search.value import Clock, Cost

UNCAPPED = 6
"""guesses that a lost game counts in the score"""
BEST_SCORE = 99


@dataclass(frozen=True)
class Amount:
    """Games and guesses; differences are taken in each."""

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
class PricedTurn:
    """One guess, priced. Expected numbers are of guesses still to come."""

    guess: str
    feedback: str
    best: str
    """the guess itself where it is as good as any"""
    expected_before: Amount
    expected_after: Amount
    lost: Amount
    """what the guess cost against the best: never negative, games before guesses"""
    luck: Amount
    """what the feedback brought: expected minus obtained"""
    remaining_before: int
    remaining_after: int
    proven: bool
    """are these exact? Otherwise what is expected is at most so much"""
    explanation: str

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
            **_parted(self.lost, self.luck),
            "remaining_before": self.remaining_before,
            "remaining_after": self.remaining_after,
            "proven": self.proven,
            "explanation": self.explanation,
        }


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """A game, priced."""

    game: str
    mode: str
    cap: int | None
    answer: str
    won: bool
    over: bool
    """was the answer found, or were all guesses used?"""
    turns: list[PricedTurn]
    lost: Amount
    luck: Amount
    score: int
    formula: str
    """how the score comes about"""
    proven: bool
    """is every turn exact?"""
    notes: list[str]

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
            **_parted(self.lost, self.luck),
            "score": self.score,
            "formula": self.formula,
            "proven": self.proven,
            "notes": self.notes,
            "summary": self.summary(),
        }

    def summary(self, palette: str = "dark") -> str:
        """Count, score, luck and grid, without a word of the game."""
        used = str(len(self.turns)) if self.won else "X" if self.over else f"{len(self.turns)}…"
        limit = "" if self.cap is None else f"/{self.cap}"
        lines = [
            f"salet {self.game} {used}{limit}{'*' if self.mode == 'hard' else ''}",
            f"skill {self.score}/{BEST_SCORE}, luck {float(self.luck.guesses):+.2f} guesses",
            "",
        ]
        feedback = [turn.feedback for turn in self.turns]
        if "," in feedback[0]:
            return "\n".join([*lines, *feedback])
        rows = tuple(tuple("BYG".index(tile) for tile in row) for row in feedback)
        return "\n".join(lines) + "\n" + format_grid(Grid(rows), palette)


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """Another guess in a turn of a game."""

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
    """the answers that would have remained, likely ones first"""
    next: str | None
    """the best guess after it; None if it wins"""
    proven: bool
    explanation: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "turn": self.turn,
            "guess": self.guess,
            "feedback": self.feedback,
            "expected_before": float(self.expected_before.guesses),
            "expected_after": float(self.expected_after.guesses),
            **_parted(self.lost, self.luck),
            "remaining_after": self.remaining_after,
            "words": self.words,
            "next": self.next,
            "proven": self.proven,
            "explanation": self.explanation,
        }


def _parted(lost: Amount, luck: Amount) -> dict[str, float]:
    return {
        "lost": float(lost.guesses),
        "luck": float(luck.guesses),
        "lost_games": float(lost.games),
        "luck_games": float(luck.games),
    }


def analyse_game(
    record: GameRecord, clock: Clock, progress: Callable[[int, int], None] | None = None
) -> Analysis:
    """What each guess of a game cost, and what was luck; `progress` is told the turns done and the
    turns in all."""
    carry_over_openers(record, clock)
    turns: list[PricedTurn] = []
    count = len(record.guesses)
    after = _end(record, clock)
    # From the last turn to the first: late states are known quickly, the first takes longest.
    for number in range(count - 1, -1, -1):
        turn = _turn(record, number, after, clock)
        turns.insert(0, turn)
        after = (turn.expected_before, turn.proven)
        if progress is not None:
            progress(len(turns), count)
    return _analysis(record, turns)


def alternative(record: GameRecord, turn: int, guess: str, clock: Clock) -> Alternative:
    """What another guess in turn `turn` (from 1) of a game would have cost and left."""
    count = len(record.guesses)
    if not 1 <= turn <= count:
        raise InputError(f"turn {turn}: the game has turns 1 to {count}")
    carry_over_openers(record, clock)
    state = record.states[turn - 1]
    index = state.check(guess)
    below = state.after(index, int(state.game.table[index, record.answer]))
    rest, known, best = NOTHING, True, None
    if below.guesses_left == 0 and not below.won:
        rest = LOST_GAME
    elif not below.won:
        found = appraise(Position(record.coach, below), None, clock)
        rest, known = _mean(found.cost, below), found.proven
        best = state.game.guesses[found.best]
    found = appraise(Position(record.coach, state), index, clock)
    before, of_guess = _mean(found.cost, state), _mean(found.guess_cost, state)
    words = likely_first(below.candidates, record.coach.likelihood)
    return Alternative(
        turn=turn,
        guess=state.game.guesses[index],
        feedback=below.turns[-1][1],
        expected_before=before,
        expected_after=rest,
        lost=of_guess - before,
        luck=of_guess - ONE_GUESS - rest,
        remaining_after=len(below.candidates),
        words=[state.game.guesses[word] for word in words],
        next=best,
        proven=found.proven and known,
        explanation=_explain(found, of_guess - before, state),
    )


def _turn(record: GameRecord, number: int, after: tuple[Amount, bool], clock: Clock) -> PricedTurn:
    state, below = record.states[number], record.states[number + 1]
    guess, _ = below.history[-1]
    found = appraise(Position(record.coach, state), guess, clock)
    before, of_guess = _mean(found.cost, state), _mean(found.guess_cost, state)
    rest, known = after
    return PricedTurn(
        guess=state.game.guesses[guess],
        feedback=below.turns[-1][1],
        best=state.game.guesses[found.best],
        expected_before=before,
        expected_after=rest,
        lost=of_guess - before,
        luck=of_guess - ONE_GUESS - rest,
        remaining_before=len(state.candidates),
        remaining_after=0 if below.won else len(below.candidates),
        proven=found.proven and known,
        explanation=_explain(found, of_guess - before, state),
    )


def _end(record: GameRecord, clock: Clock) -> tuple[Amount, bool]:
    """What is still expected after the last turn: nothing, a lost game, or the rest of it."""
    state = record.states[-1]
    if state.won:
        return NOTHING, True
    if state.guesses_left == 0:
        return LOST_GAME, True
    found = appraise(Position(record.coach, state), None, clock)
    return _mean(found.cost, state), found.proven


def _mean(cost: Cost, state: State) -> Amount:
    return Amount(Fraction(cost.losses, state.weight), Fraction(cost.guesses, state.weight))


def _explain(found: Appraisal, lost: Amount, state: State) -> str:
    """What the guess did, and what would have been better."""
    remaining = len(state.candidates)
    mine = f"{found.guess_row.guess.upper()} {explain.why(found.guess_row, remaining)}"
    if lost == NOTHING:
        return f"{mine}; {'no guess is better' if found.proven else 'none better was found'}"
    parts = []
    if lost.games > 0:
        parts.append(f"{float(lost.games):.2%} fewer games lost")
    if lost.guesses:
        parts.append(f"{abs(float(lost.guesses)):.3f} guesses {_fewer(lost.guesses)} in the mean")
    better = f"{found.best_row.guess.upper()} {explain.why(found.best_row, remaining)}"
    return f"{mine}; {better}: {' and '.join(parts)}"


def _fewer(lost: Fraction) -> str:
    return "fewer" if lost > 0 else "more"


def _analysis(record: GameRecord, turns: list[PricedTurn]) -> Analysis:
    last = record.states[-1]
    game = last.game
    lost = luck = NOTHING
    for turn in turns:
        lost, luck = lost + turn.lost, luck + turn.luck
    price = game.cap or UNCAPPED
    given = max(0.0, float(lost.guesses + price * lost.games))
    notes = []
    if record.added:
        notes.append(
            f"{game.guesses[record.answer]!r} is not one of the answers of "
            f"{record.base.game.name}; it was added for this analysis"
        )
    if not all(turn.proven for turn in turns):
        notes.append("not all values are proven: what is expected is at most so much")
    notes.append("values assume that all remaining answers are equally likely")
    return Analysis(
        game=game.name.removesuffix(ADDED),
        mode=game.mode,
        cap=game.cap,
        answer=game.guesses[record.answer],
        won=last.won,
        over=last.won or last.guesses_left == 0,
        turns=turns,
        lost=lost,
        luck=luck,
        score=round(BEST_SCORE * 2.0**-given),
        formula=f"score = {BEST_SCORE} / 2^(lost + {price} x lost games), rounded",
        proven=all(turn.proven for turn in turns),
        notes=notes,
    )
