"""Random small games that aim at what breaks solvers, the same for a number on every machine.

Few patterns, families of words that differ in one letter, tight caps, weights, lost answers and
wasted guesses, together. Only `state_of` knows salet.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import naive

if TYPE_CHECKING:
    from salet.game.state import State

SEED = 20261
LETTERS = "abcdefghijklmnopqrstuvwxyz"
RULE_AND_MODE = [
    *(("standard", mode) for mode in ("normal", "hard", "strict")),
    *(("present", mode) for mode in ("normal", "hard", "strict")),
    *(("pegs", mode) for mode in ("normal", "strict")),
]
OBJECTIVES = ("mean", "worst", "mean-then-worst", "win-then-mean", "win-then-mean")


@dataclass(frozen=True)
class Case:
    """A position of a small game, and what is asked of it."""

    number: int
    kind: str
    """which generator drew the words"""
    game: naive.Tiny
    history: tuple[tuple[int, int], ...]
    """guesses made so far, and the answer that coloured each"""
    objective: str
    opener: int | None = None
    """the next guess, where it is fixed"""

    @property
    def turns(self) -> naive.History:
        """The history as words and patterns."""
        words, colour = self.game.guesses, naive.RULES[self.game.rule]
        return [(words[g], colour(words[g], words[secret])) for g, secret in self.history]


def _random_words(rng: random.Random) -> tuple[list[str], int]:
    length, alphabet = rng.randint(2, 4), rng.randint(2, 5)
    count = min(rng.randint(1, 14), alphabet**length)
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(rng.choices(LETTERS[:alphabet], k=length))] = None
    return list(words), rng.randint(1, count)


def _few_patterns(rng: random.Random) -> tuple[list[str], int]:
    """Two letters: the first tells words apart, the second makes two to four patterns."""
    answers = rng.randint(3, 12)
    lasts = rng.sample("wxyz", rng.randint(1, 3))
    words = {first + rng.choice(lasts): None for first in rng.sample(LETTERS[:16], answers)}
    for _ in range(rng.randint(0, 4)):
        words["".join(rng.choices(LETTERS[:12] + "wxyz", k=2))] = None
    return list(words), answers


def _family(rng: random.Random) -> tuple[list[str], int]:
    """Words that differ in one place, and some that test their letters."""
    answers = rng.randint(3, 9)
    place, stem = rng.randrange(3), rng.choices("xyz", k=2)

    def member(letter: str) -> str:
        return "".join([*stem[:place], letter, *stem[place:]])

    letters = rng.sample(LETTERS[:14], answers)
    words = {member(letter): None for letter in letters}
    for _ in range(rng.randint(0, 2)):  # a second family, or a stray
        words["".join(rng.choices("xyzab", k=3))] = None
    count = rng.randint(answers, len(words))
    for _ in range(rng.randint(0, 4)):
        words["".join(rng.choices(LETTERS[:14], k=3))] = None
    return list(words), count


def _many_words(rng: random.Random) -> tuple[list[str], int]:
    """More words, long enough for groups so small that brute force stays feasible."""
    count, length, alphabet = rng.randint(13, 60), rng.randint(5, 7), rng.randint(8, 14)
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(rng.choices(LETTERS[:alphabet], k=length))] = None
    return list(words), rng.randint(count // 4, min(count, 20))


KINDS = {
    "random": (_random_words, 30),
    "few patterns": (_few_patterns, 30),
    "family": (_family, 30),
    "many words": (_many_words, 10),
}
"""name -> generator, and how often it is used"""


def case(number: int) -> Case:
    """The case of this number."""
    rng = random.Random(f"{SEED}/{number}")
    (kind,) = rng.choices(list(KINDS), [often for _, often in KINDS.values()])
    words, answers = KINDS[kind][0](rng)
    rule, mode = rng.choice(RULE_AND_MODE)
    cap = rng.choice([None, None, 1, 2, 3, 3, 4, 4, 5])
    heaviest = rng.choice([None, 3, 3, 9, 1000])
    weights = None if heaviest is None else tuple(rng.randint(1, heaviest) for _ in range(answers))
    game = naive.Tiny(tuple(words[:answers]), tuple(words), rule, mode, cap, weights)
    history: list[tuple[int, int]] = []
    secret = rng.randrange(answers)
    wasted = rng.choice([0, 0, 0, 1, 2, 4])
    for _ in range(wasted):
        if cap is not None and len(history) + 1 >= cap:
            break
        guess = rng.choice(_legal(game, history))
        if guess != secret:
            history.append((guess, secret))
    opener = rng.choice(_legal(game, history)) if rng.random() < 0.3 else None
    return Case(number, kind, game, tuple(history), rng.choice(OBJECTIVES), opener)


def _legal(game: naive.Tiny, history: list[tuple[int, int]]) -> list[int]:
    turns = Case(0, "", game, tuple(history), "").turns
    words = enumerate(game.guesses)
    return [place for place, word in words if naive.legal(game.rule, game.mode, turns, word)]


def state_of(case: Case) -> State:
    """The case as salet sees it."""
    from salet.game.game import Game

    tiny = case.game
    game = Game(
        tiny.answers,
        tiny.guesses,
        rule=tiny.rule,
        mode=tiny.mode,
        cap=tiny.cap,
        weights=tiny.weights,
    )
    state = game.start()
    for guess, secret in case.history:
        state = state.after(guess, int(game.table[guess, secret]))
    return state
