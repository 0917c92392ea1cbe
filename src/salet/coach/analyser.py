"""Compute what each guess of a game cost, with bounds that become tighter (see `analysis.py`).

All turns are bounded first. They are then valued exactly from the last to the first, because late
states are quick and the first takes longest. Perfect play of the same answer comes last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from salet.array_types import Indices
from salet.coach import explain
from salet.coach.analysis import (
    BEST_SCORE,
    LOST_GAME,
    NOTHING,
    ONE_GUESS,
    Alternative,
    Amount,
    AnalysedTurn,
    Analysis,
)
from salet.coach.appraisal import Appraisal, Appraiser, appraise
from salet.coach.game_record import ADDED, GameRecord, carry_over_openers
from salet.coach.likelihood import likely_first
from salet.coach.perfect_play import PlayedTurn, perfect_game
from salet.coach.position import Position
from salet.coach.verdicts import UNCAPPED, percent
from salet.errors import InputError, suggested
from salet.game.lexicon import key
from salet.game.state import State
from salet.search.budget import Clock
from salet.search.value import Cost


def analyses(
    record: GameRecord, clock: Clock, progress: Callable[[int, int], None] | None = None
) -> Iterator[Analysis]:
    """Yield analyses of a game, ever tighter.

    `progress` is called with (turns done, number of turns).
    """
    carry_over_openers(record, clock)
    analyser = _Analyser(record, clock)
    yield analyser.analysis()
    count = len(analyser.turns)
    for done, appraiser in enumerate(analyser.last_to_first(), 1):
        for _ in appraiser.tighten():
            yield analyser.analysis()
        if progress is not None:
            progress(min(done, count), count)
    yield analyser.analysis(perfect_game(record.coach, record.answer, clock))


class _Analyser:
    """The turns of a game with the bounds found so far."""

    def __init__(self, record: GameRecord, clock: Clock) -> None:
        self.record = record
        self.turns = [
            Appraiser(Position(record.coach, state), guess, clock)
            for state, guess in zip(record.states, record.guesses, strict=False)
        ]
        last = record.states[-1]
        is_over = last.won or last.guesses_left == 0
        self.rest = None if is_over else Appraiser(Position(record.coach, last), None, clock)
        """values the last state if the game is not over"""

    def last_to_first(self) -> list[Appraiser]:
        """The appraisers of all turns, the last turn first."""
        rest = [] if self.rest is None else [self.rest]
        return [*rest, *reversed(self.turns)]

    def analysis(self, perfect: list[PlayedTurn] | None = None) -> Analysis:
        """The analysis with the bounds found so far."""
        after = self._end()
        turns: list[AnalysedTurn] = []
        for number in range(len(self.turns) - 1, -1, -1):
            turns.insert(0, self._turn(number, after))
            after = (turns[0].expected_before, turns[0].proven)
        return _analysis(self.record, turns, perfect or [])

    def _end(self) -> tuple[Amount, bool]:
        """The expectation after the last turn: nothing, a lost game, or guesses to come."""
        if self.rest is None:
            return NOTHING if self.record.states[-1].won else LOST_GAME, True
        found = self.rest.appraisal()
        return _mean(found.cost, self.rest.state), found.proven

    def _turn(self, number: int, after: tuple[Amount, bool]) -> AnalysedTurn:
        appraiser, below = self.turns[number], self.record.states[number + 1]
        state, found = appraiser.state, appraiser.appraisal()
        before, of_guess = _mean(found.cost, state), _mean(found.guess_cost, state)
        rest, known = after
        left = below.candidates[:0] if below.won else below.candidates
        return AnalysedTurn(
            guess=found.guess_row.guess,
            feedback=below.turns[-1][1],
            best=state.game.guesses[found.best],
            expected_before=before,
            expected_after=rest,
            lost=of_guess - before,
            luck=of_guess - ONE_GUESS - rest,
            remaining_before=len(state.candidates),
            remaining_after=len(left),
            behind=found.behind,
            fortune=appraiser.luck(int(state.game.table[appraiser.guess, self.record.answer])),
            words=_words(state, left, self.record),
            proven=found.proven and known,
            explanation=_explain(found, of_guess - before, state),
        )


def alternative(record: GameRecord, turn: int, guess: str, clock: Clock) -> Alternative:
    """The cost and outcome of another guess in turn `turn` (from 1) of a game."""
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
    return Alternative(
        turn=turn,
        guess=state.game.guesses[index],
        feedback=below.turns[-1][1],
        expected_before=before,
        expected_after=rest,
        lost=of_guess - before,
        luck=of_guess - ONE_GUESS - rest,
        remaining_after=len(below.candidates),
        words=_words(state, below.candidates, record),
        next=best,
        behind=found.behind,
        proven=found.proven and known,
        explanation=_explain(found, of_guess - before, state),
    )


def _words(state: State, indices: Indices, record: GameRecord) -> list[str]:
    return [state.game.guesses[word] for word in likely_first(indices, record.coach.likelihood)]


def _mean(cost: Cost, state: State) -> Amount:
    return Amount(Fraction(cost.losses, state.weight), Fraction(cost.guesses, state.weight))


def _explain(found: Appraisal, lost: Amount, state: State) -> str:
    """What the guess did, and what would have been better."""
    remaining, weighted = len(state.candidates), state.game.weights is not None
    mine = f"{found.guess_row.guess.upper()} {explain.why(found.guess_row, remaining, weighted)}"
    if lost == NOTHING:
        return f"{mine}; {'no guess is better' if found.proven else 'none better was found'}"
    parts = []
    if lost.games > 0:
        parts.append(f"{percent(float(lost.games))} fewer games lost")
    if lost.guesses > 0:
        parts.append(f"{float(lost.guesses):.3f} guesses fewer in the mean")
    better = f"{found.best_row.guess.upper()} {explain.why(found.best_row, remaining, weighted)}"
    return f"{mine}; {better}: {' and '.join(parts)}"


def _analysis(record: GameRecord, turns: list[AnalysedTurn], perfect: list[PlayedTurn]) -> Analysis:
    last = record.states[-1]
    game = last.game
    lost = luck = NOTHING
    for turn in turns:
        lost, luck = lost + turn.lost, luck + turn.luck
    price = game.cap or UNCAPPED
    # losing a game early saves guesses, which must not count as a gain
    given = float(
        sum(max(Fraction(0), turn.lost.guesses) + price * turn.lost.games for turn in turns)
    )
    proven = all(turn.proven for turn in turns)
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
        perfect=perfect,
        weights=record.coach.weighting,
        proven=proven,
        notes=_notes(record, proven),
    )


def _notes(record: GameRecord, proven: bool) -> list[str]:
    notes = []
    game = record.coach.game
    if record.added:
        notes.append(_added_note(record))
    if not proven:
        notes.append("not all values are proven: what is expected is at most so much")
    notes.append(explain.assumption(game))
    return notes


def _added_note(record: GameRecord) -> str:
    """The note that the answer is not listed, with similar words if it is not a guess either."""
    answer, base = record.coach.game.guesses[record.answer], record.base.game
    note = f"{answer!r} is not one of the answers of {base.name}; it was added for this analysis"
    near: list[str] = []
    if key(answer) not in base.lexicon.indices:
        near = base.lexicon.nearest(answer, base.frequencies, base.answer_count)
    return f"{note} (did you mean {suggested(near)}?)" if near else note
