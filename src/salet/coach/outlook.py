"""How every legal guess of a state looks before any search: groups, bounds, and an order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from salet.array_types import Indices, Ints
from salet.coach.worth import Worth, weight_of
from salet.game.state import State
from salet.search.splits import Splits, splits


@dataclass(frozen=True, eq=False)
class Outlook:
    """Arrays over the legal guesses, best looking first."""

    guesses: Indices
    groups: Ints
    largest: Ints
    chance: Ints
    """weight of the guess itself, if it can be the answer"""
    losses: Ints
    bound: Ints
    """(losses, bound) is at most the worth of the guess"""
    exact: bool
    """is it just the worth? So it is with two guesses left or fewer"""
    place: dict[int, int]
    """where a guess stands in these arrays"""

    def lower(self, guess: int) -> Worth:
        """No plan that begins with this guess is better."""
        at = self.place[guess]
        return Worth(int(self.losses[at]), int(self.bound[at]))

    def below(self, worth: Worth | None) -> list[int]:
        """The guesses that may be better than this; all, if there is nothing to compare with."""
        if worth is None:
            return [int(guess) for guess in self.guesses]
        fewer = (self.losses == worth.losses) & (self.bound < worth.guesses)
        return [int(guess) for guess in self.guesses[fewer | (self.losses < worth.losses)]]

    @property
    def least(self) -> Worth:
        """No plan is better."""
        best = np.lexsort((self.bound, self.losses))[0]
        return Worth(int(self.losses[best]), int(self.bound[best]))


def outlook(state: State, likely: Ints) -> Outlook:
    """Look at every legal guess of a state.

    With W the weight of the answers, w that of the guess (0 if it cannot be the answer) and m the
    sum over its groups of the greatest weight in each: three guesses or more are left, the guess
    costs 3W - w - m at least; two: it takes 2W - w guesses and loses W - m; one: it takes W and
    loses W - w (see `salet.search.exact.bounds`).
    """
    found = splits(state)
    weight = weight_of(state)
    own, heads = _weighed(state, found)
    left = state.guesses_left
    none = np.zeros(len(own), np.int64)
    if left is None or left > 2:
        losses, bound = none, 3 * weight - own - heads
    elif left == 2:
        losses, bound = weight - heads, 2 * weight - own
    else:
        losses, bound = weight - own, none + weight
    # groups of even size leave less to do: the sum of squares tells them apart
    looks = bound * found.answers + 2 * found.squares * weight // found.answers
    order = np.lexsort((found.guesses, -likely[found.guesses], ~found.is_candidate, looks, losses))
    guesses = found.guesses[order]
    return Outlook(
        guesses,
        found.parts[order],
        found.largest[order],
        own[order],
        losses[order],
        bound[order],
        left is not None and left <= 2,
        {int(guess): at for at, guess in enumerate(guesses)},
    )


def _weighed(state: State, found: Splits) -> tuple[Ints, Ints]:
    """(w, m) of every guess."""
    weights = state.game.weights
    if weights is None:
        return found.is_candidate.astype(np.int64), found.parts
    own = np.zeros(len(state.game.lexicon), np.int64)
    own[state.candidates] = weights[state.candidates]
    rows = np.arange(len(found.guesses))
    seen = np.zeros((len(rows), state.game.compiled.patterns), bool)
    heads = np.zeros(len(rows), np.int64)
    for answer in state.candidates[np.argsort(-weights[state.candidates], kind="stable")]:
        pattern = state.game.table[found.guesses, answer]
        heads += weights[answer] * ~seen[rows, pattern]  # the first of a group is its heaviest
        seen[rows, pattern] = True
    return own[found.guesses], heads
