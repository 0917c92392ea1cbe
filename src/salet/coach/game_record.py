"""A finished game, state by state; its words are checked against the colours that were shared.

An answer that the list lacks is added to the game: all values are then exact for that longer list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from salet.coach.coach import Coach
from salet.coach.grids import Grid
from salet.coach.valuation import Valuation
from salet.errors import InputError, RowError
from salet.game.game import Game
from salet.game.lexicon import graphemes, key
from salet.game.notation import TILES, tile_code
from salet.game.state import State
from salet.game.table import build_table
from salet.search.budget import Clock
from salet.search.fact_file import words_digest
from salet.search.opener_table import Opener, OpenerTable
from salet.search.value import Cost

ADDED = "+1"
"""Appended to the name of a game with an added answer."""


@dataclass(frozen=True, eq=False)
class GameRecord:
    """A game, state by state."""

    coach: Coach
    """coach of the game that contains the answer"""
    answer: int
    """its index"""
    states: tuple[State, ...]
    """before each guess, and after the last one"""
    base: Coach
    """coach of the original game; the same unless the answer was added"""

    @property
    def guesses(self) -> list[int]:
        """The guesses, by index."""
        return [guess for guess, _ in self.states[-1].history]

    @property
    def added(self) -> bool:
        """Whether the answer was added to the list."""
        return self.base is not self.coach


def read_game(
    coach: Coach, words: str | Sequence[str], answer: str | None = None, grid: Grid | None = None
) -> GameRecord:
    """Build the record of a game; the last word is the answer unless one is given.

    Errors name the row that is wrong and say what it should be.
    """
    words = words.split() if isinstance(words, str) else words
    if not words:
        raise InputError("no word is given; write the guesses of a game, as 'salet acorn grand'")
    coach.game.check_one_board()
    if grid is not None and len(grid.rows) != len(words):
        raise InputError(
            f"the grid has {len(grid.rows)} rows, but there are {len(words)} words; give one "
            "word for each row"
        )
    if answer is None:
        if grid is not None and not grid.won:
            raise InputError("the grid shows a lost game; say what the answer was (--answer WORD)")
        answer = words[-1]
        _check_last(coach.game, len(words), answer)
    base = coach
    index = base.game.lexicon.indices.get(key(answer))
    if index is None or index >= base.game.answer_count:
        coach = _with_answer(base, answer, words)
    game = coach.game
    secret = game.answer_index(answer)
    states = [game.start()]
    for number, word in enumerate(words, 1):
        states.append(_next(states[-1], number, word, secret, grid))
    return GameRecord(coach, secret, tuple(states), base)


def _check_last(game: Game, number: int, word: str) -> None:
    """Raise an error for an unknown last word: it is more likely mistyped than the answer."""
    try:
        game.index(word)
    except InputError as error:
        raise RowError(
            number, f"row {number}: {error} (if it is the answer all the same: --answer {word})"
        ) from None


def _next(state: State, number: int, word: str, secret: int, grid: Grid | None) -> State:
    game = state.game
    if state.won:
        raise RowError(number, f"row {number} {word!r}: row {number - 1} found the answer")
    if state.guesses_left == 0:
        raise RowError(
            number, f"row {number} {word!r} is one guess more than the cap of {game.cap}"
        )
    try:
        guess = state.check(word)
    except InputError as error:
        raise RowError(number, f"row {number}: {error}") from None
    pattern = int(game.table[guess, secret])
    if grid is not None:
        _compare(game, number, guess, secret, pattern, grid)
    return state.after(guess, pattern)


def _compare(game: Game, number: int, guess: int, secret: int, pattern: int, grid: Grid) -> None:
    if game.rule.notation is not TILES:
        raise InputError(f"{game.name} has no squares to compare; leave the grid out")
    row = grid.rows[number - 1]
    if len(row) != game.length:
        raise RowError(
            number,
            f"row {number} of the grid has {len(row)} squares; words have {game.length} letters",
        )
    if tile_code(row) != game.compiled.code(pattern):
        shown = game.rule.notation.format(tile_code(row), game.length)
        raise RowError(
            number,
            f"row {number}: {game.guesses[guess]!r} does not fit its colours: with the answer "
            f"{game.guesses[secret]!r} it shows {game.show(pattern)}, but the grid has {shown}",
        )


def _with_answer(base: Coach, answer: str, words: Sequence[str]) -> Coach:
    """A coach of the same game with one more answer."""
    game = base.game
    count = len(graphemes(key(answer)))
    if count != game.length:
        raise InputError(f"{answer!r} has {count} letters; words of {game.name} have {game.length}")
    if not all(letter.isalnum() for letter in answer):
        raise InputError(f"{answer!r} is no word; give the answer in letters")
    for number, word in enumerate(words, 1):
        if key(word) != key(answer):
            try:
                game.index(word)
            except InputError as error:
                raise RowError(number, f"row {number}: {error}") from None
    known = key(answer) in game.lexicon.indices
    wider = Game(
        [*game.answers, answer],
        game.guesses if known else [*game.guesses, answer],
        rule=game.rule.name,
        mode=game.mode,
        cap=game.cap,
        name=game.name + ADDED,
    )
    # a table for a single game is not worth caching on disk
    wider.compiled = build_table(wider.lexicon, wider.answer_count, wider.rule)
    return base.coach_of(wider)


def carry_over_openers(record: GameRecord, clock: Clock) -> None:
    """Derive the costs of the best opener and of the one played for the game with the added answer.

    Only the group that the answer joins changes.
    """
    table = record.base.openers
    if not record.added or table is None or not table.exact:
        return
    game = record.coach.game
    best = table.exact[0].guess
    wanted = {best, game.guesses[record.guesses[0]]}
    openers = [
        moved
        for opener in table.openers
        if opener.guess in wanted and (moved := _carried_over(opener, record, clock)) is not None
    ]
    if not any(opener.guess == best for opener in openers):
        return
    record.coach.openers = OpenerTable(
        game=game.name,
        mode=game.mode,
        rule=game.rule.name,
        cap=game.cap,
        words=words_digest(game),
        lower=2 * game.answer_count - 1,
        openers=sorted(openers, key=lambda opener: (opener.losses, opener.lower)),
    )


def _carried_over(opener: Opener, record: GameRecord, clock: Clock) -> Opener | None:
    game = record.coach.game
    guess = game.index(opener.guess)
    pattern = int(game.table[guess, record.answer])
    if opener.cost is None:
        return None
    cost = opener.cost + Cost(0, 1)
    part = game.start().groups(guess)[pattern]
    size = len(part.candidates)
    if pattern != game.win:
        after = Valuation(record.coach.evaluator, clock, replies=record.coach.reply).exact(part)
        if after is None:
            return None
        cost += after
        if size > 1:
            smaller = record.base.game.start().after(opener.guess, pattern)
            before = Valuation(record.base.evaluator, clock, replies=record.base.reply).exact(
                smaller
            )
            if before is None:
                return None
            cost -= before
    return Opener(
        guess=opener.guess,
        is_answer=opener.is_answer,
        lower=cost.guesses,
        upper=None if cost.losses else cost.guesses,
        keeps_cap=not cost.losses,
        losses=cost.losses,
        worst=None,
        groups=opener.groups + (size == 1),
        largest=max(opener.largest, size),
    )
