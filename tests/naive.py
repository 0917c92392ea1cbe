"""The obvious rules and a tiny brute-force solver, with which the tests compare salet.

Nothing here is fast and nothing is imported from salet. A word is any sequence of letters, where
a letter is anything that can be compared (a character, a grapheme, a number).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

GREY, YELLOW, GREEN = 0, 1, 2

Word = Sequence[Hashable]
Pattern = tuple[int, ...]
History = Sequence[tuple[Word, Pattern]]

# ---------------------------------------------------------------------------- feedback


def standard(guess: Word, answer: Word) -> Pattern:
    """Wordle: greens first; then from the left, yellow while an unmatched equal letter is left."""
    colours = [GREY] * len(guess)
    unmatched = []
    for place, letter in enumerate(answer):
        if guess[place] == letter:
            colours[place] = GREEN
        else:
            unmatched.append(letter)
    for place, letter in enumerate(guess):
        if colours[place] != GREEN and letter in unmatched:
            colours[place] = YELLOW
            unmatched.remove(letter)
    return tuple(colours)


def present(guess: Word, answer: Word) -> Pattern:
    """The buggy colouring: yellow wherever the letter occurs anywhere, counted or not."""
    return tuple(
        GREEN if letter == answer[place] else YELLOW if letter in answer else GREY
        for place, letter in enumerate(guess)
    )


def pegs(guess: Word, answer: Word) -> Pattern:
    """Mastermind: (black, white)."""
    black = sum(mine == theirs for mine, theirs in zip(guess, answer, strict=True))
    theirs_left = list(answer)
    both = 0
    for letter in guess:
        if letter in theirs_left:
            theirs_left.remove(letter)
            both += 1
    return black, both - black


RULES: dict[str, Callable[[Word, Word], Pattern]] = {
    "standard": standard,
    "present": present,
    "pegs": pegs,
}


def shown(rule: str, pattern: Pattern) -> str:
    """The pattern as plain text: letters for tiles, two counts for pegs."""
    if rule == "pegs":
        return "{},{}".format(*pattern)
    return "".join("BYG"[colour] for colour in pattern)


# ---------------------------------------------------------------------------- legality


def allowed_after(rule: str, guess: Word, colours: Pattern, word: Word) -> bool:
    """Hard mode (rule A): may `word` follow a guess that was coloured so?

    Greens stay. A letter that was green or yellow k times stands in the word at least k times;
    under `present`, whose yellows do not count, at least once.
    """
    revealed: dict[Hashable, int] = {}
    for place, colour in enumerate(colours):
        if colour == GREEN and word[place] != guess[place]:
            return False
        if colour != GREY:
            revealed[guess[place]] = revealed.get(guess[place], 0) + 1
    needed = (1 if rule == "present" else count for count in revealed.values())
    return all(
        list(word).count(letter) >= count for letter, count in zip(revealed, needed, strict=True)
    )


def consistent(rule: str, history: History, word: Word) -> bool:
    """Would every guess so far have been coloured so, were this word the answer?"""
    return all(RULES[rule](guess, word) == pattern for guess, pattern in history)


def legal(rule: str, mode: str, history: History, word: Word) -> bool:
    """May the word be guessed now? Hard mode looks at every row, not only at the last."""
    if mode == "hard":
        return all(allowed_after(rule, guess, pattern, word) for guess, pattern in history)
    if mode == "strict":
        return consistent(rule, history, word)
    return mode == "normal"


# ---------------------------------------------------------------------------- how guesses split


def groups(rule: str, guess: Word, answers: Iterable[Word]) -> dict[Pattern, list[Word]]:
    """The answers by the pattern that the guess would get from each."""
    found: dict[Pattern, list[Word]] = {}
    for answer in answers:
        found.setdefault(RULES[rule](guess, answer), []).append(answer)
    return found


def entropy(sizes: Sequence[int]) -> float:
    """Bits of information in a split into groups of these sizes."""
    n = sum(sizes)
    return math.fsum(size / n * math.log2(n / size) for size in sizes)


def power_product(sizes: Iterable[int]) -> int:
    """prod n**n, exactly. Of two splits of one set, that with the smaller product tells more, and
    they tell equally much just when the products are equal."""
    return math.prod(size**size for size in sizes)


# ---------------------------------------------------------------------------- perfect play


@dataclass(frozen=True)
class Tiny:
    """A small game. The guesses begin with the answers, in the same order."""

    answers: tuple[Word, ...]
    guesses: tuple[Word, ...]
    rule: str = "standard"
    mode: str = "normal"
    cap: int | None = None
    weights: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Optimum:
    """What perfect play achieves over the answers still possible, counted from the state asked
    about. A number that the objective leaves open is None."""

    losses: int
    """weight of the answers that are not found within the cap"""
    total: int
    """sum of weight * guesses; a lost answer counts one guess more than the cap has left"""
    worst: int | None
    """most guesses over all answers"""
    guesses: tuple[int, ...]
    """every equally good next guess, in guess order"""

    def best(self, candidates: Iterable[int]) -> int:
        """The one to play: a candidate first, then guess order."""
        possible = set(candidates)
        return min(self.guesses, key=lambda guess: (guess not in possible, guess))


OBJECTIVES = ("mean", "worst", "mean-then-worst", "win-then-mean")


def solve(
    game: Tiny, objective: str = "mean", history: History = (), opener: int | None = None
) -> Optimum | None:
    """Perfect play by trying everything; None where a constraint cannot be met. `opener` fixes the
    next guess.

    mean             least total of the plans that find every answer within the cap
    worst            least worst case of those plans, then least total
    mean-then-worst  least total, then least worst case, of those plans
    win-then-mean    least weight lost, then least total, of all plans

    A guess that leaves all answers in one group (and is none of them) is never tried: the rest
    of the plan would do better at once, since legality only ever shrinks.
    """
    solver = _solver(game, objective)
    candidates = sum(
        1 << place
        for place, answer in enumerate(game.answers)
        if consistent(game.rule, history, answer)
    )
    allowed = tuple(
        place
        for place, word in enumerate(game.guesses)
        if legal(game.rule, game.mode, history, word)
    )
    left = None if game.cap is None else game.cap - len(history)
    if opener is None:
        value, best = solver.search(left, candidates, allowed)
    else:
        value, best = solver.value(left, candidates, allowed, opener), (opener,)
    if value is None:
        return None
    losses, total, worst = value
    if objective == "worst":  # the best total of a plan is not that of its best parts: ask again
        capped = replace(game, cap=len(history) + worst)
        return replace(solve(capped, "mean", history, opener), worst=worst)
    return Optimum(losses, total, worst if objective == "mean-then-worst" else None, best)


Value = tuple[int, int, int] | None
"""(losses, total, worst), or None where the constraint cannot be met"""


@functools.lru_cache(maxsize=1)
def _solver(game: Tiny, objective: str) -> _Solver:
    """The solver of the last game, which knows what it was asked before."""
    return _Solver(game, objective)


class _Solver:
    def __init__(self, game: Tiny, objective: str) -> None:
        if objective not in OBJECTIVES:
            raise ValueError(objective)
        self.game = game
        self.objective = objective
        self.weights = game.weights or (1,) * len(game.answers)
        self.masks: list[dict[Pattern, int]] = []
        for guess in game.guesses:
            masks: dict[Pattern, int] = {}
            for place, answer in enumerate(game.answers):
                pattern = RULES[game.rule](guess, answer)
                masks[pattern] = masks.get(pattern, 0) | 1 << place
            self.masks.append(masks)
        self.search = functools.cache(self._search)
        self.narrowed = functools.cache(self._narrowed)

    def key(self, value: Value) -> tuple[float, ...]:
        """What the objective compares."""
        if value is None:
            return (math.inf,)
        losses, total, worst = value
        return {
            "mean": (total,),
            "worst": (worst,),
            "mean-then-worst": (total, worst),
            "win-then-mean": (losses, total),
        }[self.objective]

    def weight(self, candidates: int) -> int:
        return sum(w for place, w in enumerate(self.weights) if candidates >> place & 1)

    def _narrowed(self, allowed: tuple[int, ...], guess: int, pattern: Pattern) -> tuple[int, ...]:
        game = self.game
        if game.mode == "normal":
            return allowed
        hint = [(game.guesses[guess], pattern)]
        return tuple(g for g in allowed if legal(game.rule, game.mode, hint, game.guesses[g]))

    def _search(
        self, left: int | None, candidates: int, allowed: tuple[int, ...]
    ) -> tuple[Value, tuple[int, ...]]:
        """The best value over all plans from here, and the guesses that begin such a plan."""
        if not candidates:
            return (0, 0, 0), ()
        if left == 0:
            if self.objective != "win-then-mean":
                return None, ()
            return (self.weight(candidates), self.weight(candidates), 0), ()
        best: Value = None
        equal: list[int] = []
        for guess in allowed:
            if self.is_idle(candidates, guess):
                continue
            value = self.value(left, candidates, allowed, guess)
            if value is None or self.key(value) > self.key(best):
                continue
            if self.key(value) < self.key(best):
                equal = []
            best = value
            equal.append(guess)
        return best, tuple(equal)

    def is_candidate(self, candidates: int, guess: int) -> bool:
        return guess < len(self.game.answers) and bool(candidates >> guess & 1)

    def is_idle(self, candidates: int, guess: int) -> bool:
        return not self.is_candidate(candidates, guess) and any(
            candidates & mask == candidates for mask in self.masks[guess].values()
        )

    def value(
        self, left: int | None, candidates: int, allowed: tuple[int, ...], guess: int
    ) -> Value:
        is_candidate = self.is_candidate(candidates, guess)
        losses, total, worst = 0, self.weight(candidates), 1
        for pattern, mask in self.masks[guess].items():
            group = candidates & mask
            if is_candidate and group >> guess & 1:  # nothing else shares the winning pattern
                continue
            if not group:
                continue
            below, _ = self.search(
                None if left is None else left - 1, group, self.narrowed(allowed, guess, pattern)
            )
            if below is None:
                return None
            losses += below[0]
            total += below[1]
            worst = max(worst, 1 + below[2])
        return losses, total, worst
