"""States in the form that the exact search takes."""

from __future__ import annotations

from salet.game.modes import demands
from salet.game.state import State
from salet.search.exact.solver import Root


def root_of(state: State, depth: int | None = None) -> Root:
    """A state in the form that solvers take, with at most `depth` guesses left."""
    game, depth = state.game, useful_depth(state, depth)
    if game.mode == "normal":
        return Root(state.candidates, depth)
    if game.mode == "strict":
        return Root(state.candidates, depth, state.legal)
    greens: dict[int, int] = {}
    needs: dict[int, int] = {}
    for guess, code in state.history:
        letters = [int(letter) for letter in game.lexicon.codes[guess]]
        fixed, counts = demands(letters, code, game.rule.counts_letters)
        greens |= fixed
        for letter, count in counts.items():
            needs[letter] = max(count, needs.get(letter, 0))
    return Root(state.candidates, depth, state.legal, greens, needs)


def useful_depth(state: State, depth: int | None = None) -> int:
    """The number of guesses left in a state, at most `depth`, without those that are of no use.

    An optimal plan needs at most one guess for each answer, and the next guess may be given.
    """
    limits = (len(state.candidates) + 1, state.guesses_left, depth)
    return min(limit for limit in limits if limit is not None)
