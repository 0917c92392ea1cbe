"""Check facts: lower bounds, each of which follows from those before it.

This module imports nothing of the search or of the game. It scores guesses, decides legality and
splits answers by itself, from nothing but word lists. docs/certificates.md explains the rule that
it applies, and why it is sound.

Notation: V(h) is the minimum cost of the state after a history h of guesses and patterns, with
answers S of weight W and D guesses left. An answer never found costs `loss` times its weight.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from salet.errors import DataError
from salet.numeric.jit import kernel
from salet.verification.certificate_format import GameRules, Step
from salet.verification.plans import letters_of, normalised

INF = 1 << 60
"""The cost of what cannot be done. Sums are clamped to it."""

MAX_ANSWERS = 1 << 28
"""Maximum number of answers in the sets that facts are about, all together: they are kept."""

Ints = NDArray[np.int64]
Hint = tuple[str, int, int]
Hints = frozenset[Hint]


class CheckedState(NamedTuple):
    """What a history leaves open."""

    answers: Ints
    """by weight, descending"""
    left: int
    """guesses left"""
    hints: Hints
    """what the mode demands of legal guesses"""

    @property
    def depth(self) -> int:
        """Guesses that are of use: each makes a state smaller, but for idle ones."""
        return min(self.left, len(self.answers))


class Checker:
    """The rules of one game, and the facts that were accepted so far."""

    def __init__(self, game: GameRules, loss: int | None) -> None:
        words = [letters_of(normalised(word)) for word in game.guesses]
        rank = {letter: at for at, letter in enumerate(sorted({x for word in words for x in word}))}
        self.letters = np.array([[rank[letter] for letter in word] for word in words], np.int16)
        self.letters = np.ascontiguousarray(self.letters.T)
        """[position, guess]"""
        self.counts = np.array([(self.letters == at).sum(axis=0) for at in range(len(rank))])
        """[letter, guess] -> how often the guess has the letter"""
        self.length, self.count = self.letters.shape
        self.rule, self.mode, self.cap = game.rule.name, game.mode, game.cap
        self.win = self.length * (self.length + 1) if self.rule == "pegs" else 3**self.length - 1
        weights = [1] * len(game.answers) if game.weights is None else game.weights
        self.weight_of = [int(weight) for weight in weights]
        self.weights: Ints = np.array(self.weight_of)
        self.order = np.argsort(-self.weights, kind="stable")
        self.loss = INF if loss is None else loss
        answers = range(len(weights))
        self.table = np.array([self.score(self.letters, self.letters[:, [a]]) for a in answers])
        """[answer, guess] -> pattern"""
        self.facts: dict[bytes, list[tuple[int, tuple[Hint, ...], int]]] = {}
        """a set of answers -> depth, hints and lower bound of each fact about it"""
        self.room = MAX_ANSWERS
        self.all_hints: dict[Hint, Hint] = {}
        self.all_heads, self.all_won = self.split(self.state(()), np.arange(self.count))

    # ---- the game

    def score(self, guess: Any, answer: Any) -> NDArray[Any]:
        """The patterns of words as guesses if others are the answers; both are [position, word].

        Tiles: the sum of colour * 3**position (0 grey, 1 yellow, 2 green). Pegs: black * (length +
        1) + white.
        """
        green = guess == answer
        yellow, free = np.zeros_like(green), ~green | (self.rule == "present")
        for i in range(self.length):
            for j in range(self.length):
                found = (guess[i] == answer[j]) & free[j] & ~green[i] & ~yellow[i]
                yellow[i] |= found
                if self.rule != "present":  # there, letters are not used up
                    free[j] ^= found
        patterns: NDArray[Any]
        if self.rule == "pegs":
            patterns = green.sum(axis=0) * (self.length + 1) + yellow.sum(axis=0)
        else:
            patterns = 3 ** np.arange(self.length) @ (2 * green + yellow)
        return patterns.astype(np.uint8 if self.win < 256 else np.int32)

    def state(self, history: Sequence[Step]) -> CheckedState:
        """The state after a history; raises a DataError if there is no such state."""
        answers, hints = self.order, Hints()
        for guess, pattern in history:
            if not 0 <= guess < self.count:
                raise DataError(f"there is no guess {guess}, only {self.count}")
            if not self.legal(hints, [guess]).all():
                raise DataError(f"guess {guess} is illegal in {self.mode} mode")
            if pattern == self.win:
                raise DataError("the game is over after a winning pattern")
            answers = answers[self.table[answers, guess] == pattern]
            hints |= self.hints(guess, pattern)
        if not len(answers):
            raise DataError("no answer fits the history")
        left = INF if self.cap is None else self.cap - len(history)
        if left < 1:
            raise DataError("no guess is left after the history")
        return CheckedState(answers, left, hints)

    def hints(self, guess: int, pattern: int) -> Hints:
        """What a guess and its pattern demand of the next guesses."""
        if self.mode == "normal":
            return Hints()
        if self.mode == "strict":
            return Hints({("would show", guess, pattern)})
        word, found = self.letters[:, guess].tolist(), []
        times = dict.fromkeys(word, 0)
        for position, letter in enumerate(word):
            colour = pattern // 3**position % 3
            if colour == 2:
                found.append(("has here", letter, position))
            if colour:
                times[letter] = times[letter] + 1 if self.rule == "standard" else 1
                found.append(("has times", letter, times[letter]))
        return Hints(found)

    def legal(self, hints: Iterable[Hint], guesses: Any = slice(None)) -> NDArray[np.bool_]:
        """Whether guesses (all, or these) meet the demands."""
        legal: NDArray[np.bool_] = np.ones(self.count, bool)[guesses]
        for kind, what, number in hints:
            if kind == "has here":
                legal &= self.letters[number, guesses] == what
            elif kind == "has times":
                legal &= self.counts[what, guesses] >= number
            else:
                legal &= self.score(self.letters[:, [what]], self.letters[:, guesses]) == number
        return legal

    def split(self, state: CheckedState, guesses: Ints) -> tuple[Ints, Ints]:
        """How guesses split the answers: the sum over the parts of each of the greatest weight
        (its *heads*), and the weight of the guess itself if it can win."""
        heads, won = np.empty((2, len(guesses)), np.int64)
        _split(self.table, guesses, state.answers, self.weights, self.win, heads, won)
        return heads, won

    def is_idle(self, state: CheckedState, heads: Ints, won: Ints) -> NDArray[np.bool_]:
        """Whether guesses with such a split have all answers in one part that loses."""
        idle: NDArray[np.bool_] = (heads == self.weights[state.answers[0]]) & (won == 0)
        return idle

    # ---- the rule

    def accept(self, state: CheckedState, lower: int) -> None:
        """Make a fact, V(state) >= lower, available to those after it."""
        self.room -= len(state.answers)
        if self.room < 0:
            raise DataError(f"the facts so far are about more than {MAX_ANSWERS} answers")
        hints = tuple(self.all_hints.setdefault(hint, hint) for hint in state.hints)
        self.facts.setdefault(_key(state.answers.tolist()), []).append((state.depth, hints, lower))

    def check(self, state: CheckedState, guesses: Ints, lower: int) -> None:
        """Raise a DataError unless each of these guesses costs at least `lower`, as far as follows
        from the facts that were accepted.

        Idle guesses, which neither split the answers nor can win, are in no best plan and need no
        bound.
        """
        # A guess has no more heads among some answers than among all: most need no closer look.
        bounds = self.size_bounds(state, self.all_heads[guesses], self.all_won[guesses])
        guesses = guesses[bounds < lower]
        heads, won = self.split(state, guesses)
        is_open = (self.size_bounds(state, heads, won) < lower) & ~self.is_idle(state, heads, won)
        self.check_each(state, dict.fromkeys(guesses[is_open].tolist(), lower))

    def check_each(self, state: CheckedState, lowers: dict[int, int]) -> None:
        """Raise a DataError unless these guesses, idle or not, cost at least so much."""
        if lowers:
            legal = np.flatnonzero(self.legal(state.hints))
            limits = _limits(self.table, legal, state.answers, self.win)
        for guess, lower in lowers.items():
            bound = self.guess_bound(state, guess, lower, *limits)
            if bound < lower:
                raise DataError(
                    f"guess {guess} costs at least {bound} as far as can be shown, but {lower} is "
                    "claimed"
                )

    def guess_bound(
        self, state: CheckedState, guess: int, enough: int, max_parts: int, max_peel: int
    ) -> int:
        """W + the sum over losing parts of the best bound known of each."""
        parts: dict[int, list[int]] = {}
        answers = state.answers.tolist()
        for answer, pattern in zip(answers, self.table[answers, guess].tolist(), strict=True):
            parts.setdefault(pattern, []).append(answer)
        parts.pop(self.win, None)
        total, bounds = int(self.weights[answers].sum()), []
        for pattern, part in parts.items():
            depth = min(len(part), state.left - 1)
            bound = self.capacity_bound(part, depth, max_parts, max_peel)
            for known_depth, hints, lower in self.facts.get(_key(part), ()):
                if lower > bound and known_depth >= depth:
                    own = state.hints | self.hints(guess, pattern)
                    bound = lower if self.is_narrower(own, hints) else bound
            bounds.append((bound, part))
            total += bound
        for bound, part in bounds:
            if total < enough and len(part) > 2:  # the others' bounds are exact
                total += max(0, self.candidate_bound(part, state.left - 1) - bound)
        return min(total, INF)

    def is_narrower(self, hints: Hints, others: tuple[Hint, ...]) -> bool:
        """Whether every guess that meets the first demands meets the others, too."""
        if hints.issuperset(others) or self.mode == "hard":
            return hints.issuperset(others)
        return bool((self.legal(hints) <= self.legal(others)).all())

    def size_bounds(self, state: CheckedState, heads: Ints, won: Ints) -> Ints:
        """Lower bounds of guesses that are not idle, from how they split the answers.

        Every losing part c costs at least 2 W(c) - max(c); with one guess left after this one,
        W(c) + loss * (W(c) - max(c)); with none, loss * W(c).
        """
        weight = int(self.weights[state.answers].sum())
        heads = np.minimum(heads, weight)
        if state.depth >= 3:
            bounds = 3 * weight - won - heads
        elif state.depth == 2:
            bounds = 2 * weight - won + self.price(weight - heads)
        else:
            bounds = weight + self.price(np.maximum(weight - won, 0))
        clamped: Ints = np.minimum(bounds, INF)
        return clamped

    def capacity_bound(self, answers: list[int], depth: int, max_parts: int, max_peel: int) -> int:
        """Within j guesses at most C(j) answers are found: C(0) = 0, C(1) = 1, and C(j) is at most
        max_parts ** (j - 1) and at most 1 + (j - 1) * max_peel."""
        weights = [self.weight_of[answer] for answer in answers]
        total = found = 0
        for j in range(depth):
            total += sum(weights[found:])
            found = min(max_parts**j, 1 + j * max_peel)
            if found >= len(weights):
                return total
        return min(total + int(self.price(sum(weights[found:]))), INF)

    def candidate_bound(self, answers: list[int], left: int) -> int:
        """min(2W, the minimum bound of a candidate as the next guess): a guess that is not a
        candidate costs at least W + the sum over its parts of 2 W(c) - max(c) >= 2W."""
        if left < 2:
            return 0
        state = CheckedState(np.array(answers), left, Hints())
        bounds = self.size_bounds(state, *self.split(state, state.answers))
        return min(2 * int(self.weights[answers].sum()), int(bounds.min()))

    def price(self, lost: Any) -> Any:
        """The price of never finding answers of these weights."""
        return np.where(lost == 0, 0, INF) if self.loss >= INF else self.loss * lost


def _key(answers: Sequence[int]) -> bytes:
    return array("I", answers).tobytes()


# ---- compiled loops


@kernel
def _split(
    table: Any, guesses: Any, answers: Any, weights: Any, win: int, heads: Any, won: Any
) -> None:
    """heads[x] = the sum over the parts of guess x of the greatest weight in each, won[x] = the
    weight of the guess itself if it can win."""
    last = np.full(win + 1, -1)  # the guess that showed a pattern last
    for x in range(len(guesses)):
        guess, total, own = guesses[x], 0, 0
        for a in answers:  # by weight, descending: the first of a part is its heaviest
            pattern = table[a, guess]
            if last[pattern] != x:
                last[pattern] = x
                total += weights[a]
                if pattern == win:
                    own = weights[a]
        heads[x], won[x] = total, own


@kernel
def _limits(table: Any, guesses: Any, answers: Any, win: int) -> tuple[int, int]:
    """The most parts that any of the guesses makes of the answers, and the most answers that any
    has outside its largest part."""
    sizes = np.zeros(win + 1, np.int64)
    max_parts, smallest = 1, len(answers)
    for guess in guesses:
        parts = largest = 0
        sizes[:] = 0
        for a in answers:
            pattern = table[a, guess]
            sizes[pattern] += 1
            parts += sizes[pattern] == 1
            largest = max(largest, sizes[pattern])
        max_parts, smallest = max(max_parts, parts), min(smallest, largest)
    return max_parts, len(answers) - smallest
