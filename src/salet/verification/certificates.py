"""Check a certificate: facts about lower bounds, each of which follows from those before it.

This module imports nothing of the search or of the game. It scores guesses, decides legality and
splits answers by itself, from nothing but word lists. docs/certificates.md explains the rule that
it applies, and why it is sound.

Notation: V(h) is the minimum cost of the state after a history h of guesses and patterns, with
answers S of weight W and D guesses left. An answer never found costs `loss` times its weight.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from salet.errors import DataError
from salet.numeric.jit import kernel
from salet.verification.certificate_format import Fact, GameRules, Step
from salet.verification.plans import letters_of, normalised

INF = 1 << 60
"""The cost of what cannot be done. Sums are clamped to it."""
RULES = ("standard", "present", "pegs")

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _State:
    answers: Ints
    """by weight, descending"""
    depth: int
    """guesses left, as far as they are of use"""
    history: tuple[Step, ...]

    @property
    def key(self) -> bytes:
        return self.answers.astype(np.uint32).tobytes()


class Checker:
    """The rules of one game, and the facts that were accepted so far."""

    def __init__(self, game: GameRules, loss: int | None) -> None:
        spelled = [letters_of(normalised(word)) for word in game.guesses]
        alphabet = {letter: at for at, letter in enumerate(sorted({x for w in spelled for x in w}))}
        self.letters = np.array([[alphabet[letter] for letter in word] for word in spelled])
        self.count, self.length = self.letters.shape
        self.rule, self.mode, self.cap = game.rule.name, game.mode, game.cap
        self.loss = INF if loss is None else loss
        weights = [1] * len(game.answers) if game.weights is None else game.weights
        self.weights: Ints = np.array(weights, np.int64)
        is_pegs = self.rule == "pegs"
        self.win = self.length * (self.length + 1) if is_pegs else 3**self.length - 1
        self.table = self.score(np.arange(self.count), np.arange(len(weights)))
        """[answer, guess] -> pattern"""
        self.accepted: list[tuple[_State, int]] = []
        self.facts: dict[bytes, list[tuple[int, _State, int]]] = {}
        self.known_demands: dict[Any, frozenset[tuple[str, int, int]]] = {(): frozenset()}
        self.candidate_bounds: dict[tuple[bytes, int], int] = {}
        self.all_heads, self.all_won = self.split(self.state(()), np.arange(self.count))

    def score(self, guesses: Ints, answers: Ints) -> NDArray[Any]:
        """[answer, guess]: the patterns of guesses if these words were the answers."""
        kind = np.uint8 if self.win < 256 else np.int32
        out = np.empty((len(answers), len(guesses)), kind)
        _score(self.letters[guesses], self.letters[answers], RULES.index(self.rule), out)
        return out

    # ---- states

    def state(self, history: Sequence[Step]) -> _State:
        """The state after a history; raises a DataError if there is no such state."""
        kept = np.ones(len(self.weights), bool)
        for number, (guess, pattern) in enumerate(history):
            if guess >= self.count:
                raise DataError(f"there is no guess {guess}, only {self.count}")
            if guess not in self.legal(history[:number], np.array([guess])):
                raise DataError(f"guess {guess} is illegal in {self.mode} mode")
            if pattern == self.win:
                raise DataError("the game is over after a winning pattern")
            kept &= self.table[:, guess] == pattern
        answers = np.flatnonzero(kept)
        if not len(answers):
            raise DataError("no answer fits the history")
        by_weight = answers[np.argsort(-self.weights[answers], kind="stable")]
        return _State(by_weight, self.useful_depth(len(answers), len(history)), tuple(history))

    def useful_depth(self, answers: int, turn: int) -> int:
        """Without idle guesses each guess makes a state smaller: more than `answers` are of no
        use."""
        return answers if self.cap is None else min(answers, self.cap - turn)

    def legal(self, history: Sequence[Step], guesses: Ints | None = None) -> Ints:
        """The guesses (all of them, or of those given) that are legal after a history."""
        guesses = np.arange(self.count) if guesses is None else guesses
        if self.mode == "strict":
            for guess, pattern in history:
                guesses = guesses[self.score(np.array([guess]), guesses)[:, 0] == pattern]
        elif self.mode == "hard":
            for kind, letter, number in self.demands(tuple(history)):
                words = self.letters[guesses]
                if kind == "green":
                    guesses = guesses[words[:, number] == letter]
                else:
                    guesses = guesses[(words == letter).sum(axis=1) >= number]
        return guesses

    def demands(self, history: tuple[Step, ...]) -> frozenset[tuple[str, int, int]]:
        """Hard mode: letters that must stay in place, and how often letters must be used."""
        if history in self.known_demands:
            return self.known_demands[history]
        found = set(self.demands(history[:-1]))
        guess, pattern = history[-1]
        times: dict[int, int] = {}
        for position in range(self.length):
            letter, colour = int(self.letters[guess, position]), pattern // 3**position % 3
            if colour == 2:
                found.add(("green", letter, position))
            if colour:
                times[letter] = times.get(letter, 0) + 1 if self.rule == "standard" else 1
                found.add(("need", letter, times[letter]))
        self.known_demands[history] = frozenset(found)
        return self.known_demands[history]

    def is_narrower(self, state: _State, other: _State) -> bool:
        """Whether every guess that is legal in `state` is legal in `other`, too."""
        if self.mode == "normal":
            return True
        if self.mode == "hard":
            return self.demands(other.history) <= self.demands(state.history)
        return bool(np.isin(self.legal(state.history), self.legal(other.history)).all())

    # ---- the rule

    def check(self, fact: Fact, index: int) -> None:
        """Raise a DataError unless a fact follows from those before `index`."""
        legal = self.legal(fact.history)
        self.check_guesses(fact.history, legal, np.full(len(legal), fact.lower), index)

    def check_guesses(
        self,
        history: Sequence[Step],
        guesses: Ints,
        lowers: Ints,
        index: int,
        named: Collection[int] = (),
    ) -> None:
        """Raise a DataError unless each guess, in the state after a history, costs at least its
        lower bound, as far as follows from the facts before `index`.

        Idle guesses, which neither split the answers nor can win, are in no best plan and need no
        bound, unless they are named.
        """
        state = self.state(history)
        limits = None
        for guess, lower in self.doubtful(state, guesses, lowers, named):
            if limits is None:
                limits = _limits(self.table, self.legal(history), state.answers, self.win)
            bound = self.guess_bound(state, guess, index, lower, *limits)
            if bound < lower:
                raise DataError(
                    f"guess {guess} costs at least {bound} as far as can be shown, but {lower} is "
                    "claimed"
                )

    def doubtful(
        self, state: _State, guesses: Ints, lowers: Ints, named: Collection[int]
    ) -> Iterator[tuple[int, int]]:
        """The guesses, with their bounds, for which the sizes of their parts are not enough."""
        # A guess has no more heads among some answers than among all: most need no closer look.
        open_ = self.bounds(state, self.all_heads[guesses], self.all_won[guesses]) < lowers
        open_ |= np.isin(guesses, list(named))
        guesses, lowers = guesses[open_], lowers[open_]
        heads, won = self.split(state, guesses)
        is_idle = (heads == self.weights[state.answers[0]]) & (won == 0)  # all in one part
        for at in np.flatnonzero((self.bounds(state, heads, won) < lowers) | is_idle):
            if not is_idle[at] or guesses[at] in named:
                yield int(guesses[at]), int(lowers[at])

    def accept(self, fact: Fact, index: int) -> None:
        """Make a fact available to those after it."""
        state = self.state(fact.history)
        self.accepted.append((state, fact.lower))
        self.facts.setdefault(state.key, []).append((index, state, fact.lower))

    def split(self, state: _State, guesses: Ints) -> tuple[Ints, Ints]:
        """How guesses split the answers: the sum over the parts of each of the greatest weight
        (its *heads*), and the weight of the guess itself if it can win."""
        heads, won = np.empty((2, len(guesses)), np.int64)
        _split(self.table, guesses, state.answers, self.weights, self.win, heads, won)
        return heads, won

    def bounds(self, state: _State, heads: Ints, won: Ints) -> Ints:
        """Lower bounds of guesses that are not idle, from the sizes of their parts.

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

    def price(self, lost: Any) -> Any:
        """The price of never finding answers of these weights."""
        return np.where(lost == 0, 0, INF) if self.loss >= INF else self.loss * lost

    def guess_bound(
        self, state: _State, guess: int, index: int, enough: int, max_parts: int, max_peel: int
    ) -> int:
        """W + the sum over losing parts of the best bound known of each."""
        total = int(self.weights[state.answers].sum())
        parts = []
        for part in self.parts(state, guess):
            bound = self.capacity_bound(part, max_parts, max_peel)
            for number, known, lower in self.facts.get(part.key, ()):
                if lower > bound and number < index and known.depth >= part.depth:
                    bound = lower if self.is_narrower(part, known) else bound
            parts.append((bound, part))
            total += bound
        for bound, part in parts:
            if total >= enough:
                break
            total += max(0, self.candidate_bound(part) - bound)
        return min(total, INF)

    def parts(self, state: _State, guess: int) -> Iterator[_State]:
        """The states after a guess that does not win."""
        row = self.table[state.answers, guess]
        order = np.argsort(row, kind="stable")
        ends = np.flatnonzero(np.diff(row[order])) + 1
        for part in np.split(state.answers[order], ends):
            pattern = int(self.table[part[0], guess])
            if pattern != self.win:
                depth = self.useful_depth(len(part), len(state.history) + 1)
                yield _State(part, depth, (*state.history, (guess, pattern)))

    def capacity_bound(self, state: _State, max_parts: int, max_peel: int) -> int:
        """Within j guesses at most C(j) answers are found: C(0) = 0, C(1) = 1, and C(j) is at most
        max_parts ** (j - 1) and at most 1 + (j - 1) * max_peel."""
        weights = self.weights[state.answers]
        total, found = 0, 0
        for j in range(state.depth):
            total += int(weights[found:].sum())
            found = min(max_parts**j, 1 + j * max_peel)
            if found >= len(weights):
                return total
        return min(total + int(self.price(weights[found:].sum())), INF)

    def candidate_bound(self, state: _State) -> int:
        """min(2W, the minimum bound of a candidate as the next guess): a guess that is not a
        candidate costs at least W + the sum over its parts of 2 W(c) - max(c) >= 2W."""
        if state.depth < 2:
            return 0
        key = (state.key, state.depth)
        if key not in self.candidate_bounds:
            bounds = self.bounds(state, *self.split(state, state.answers))
            weight = int(self.weights[state.answers].sum())
            self.candidate_bounds[key] = min(2 * weight, int(bounds.min()))
        return self.candidate_bounds[key]


# ---- compiled loops


@kernel
def _score(guesses: Any, answers: Any, rule: int, out: Any) -> None:
    """out[a, g] = the pattern of guess g if a is the answer. Tiles: the sum of colour * 3**position
    (0 grey, 1 yellow, 2 green); pegs: black * (length + 1) + white."""
    length = guesses.shape[1]
    colours, used = np.zeros(length, np.int64), np.zeros(length, np.bool_)
    for a in range(answers.shape[0]):
        for g in range(guesses.shape[0]):
            for i in range(length):
                used[i] = guesses[g, i] == answers[a, i]
                colours[i] = 2 if used[i] else 0
            for i in range(length):
                for j in range(length):
                    is_free = rule == 1 or not used[j]
                    if colours[i] == 0 and is_free and guesses[g, i] == answers[a, j]:
                        used[j] = True
                        colours[i] = 1
            pattern, black, white = 0, 0, 0
            for i in range(length):
                pattern += colours[i] * 3**i
                black += colours[i] == 2
                white += colours[i] == 1
            out[a, g] = black * (length + 1) + white if rule == 2 else pattern


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
        for a in answers:
            pattern = table[a, guess]
            parts += sizes[pattern] == 0
            sizes[pattern] += 1
            largest = max(largest, sizes[pattern])
        for a in answers:
            sizes[table[a, guess]] = 0
        max_parts, smallest = max(max_parts, parts), min(smallest, largest)
    return max_parts, len(answers) - smallest
