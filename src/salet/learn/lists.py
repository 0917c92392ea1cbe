"""Which words are trained on, which choose the checkpoint, and which test: never the same leak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from salet.errors import InputError
from salet.game.game import Game
from salet.learn.config import DqnConfig


@dataclass(frozen=True)
class Lists:
    """Three games over the same language."""

    train: Game
    """its answers are played to learn from"""
    validate: Game
    """its answers choose the checkpoint"""
    test: Game
    """its answers are played once training is over"""


def language_of(stages: Sequence[Lists]) -> Game:
    """A game with the words of all lists: its letters and words are what a network is made for."""
    games = [game for lists in stages for game in (lists.train, lists.test)]
    words = list(dict.fromkeys(word for game in games for word in game.guesses))
    return _with_answers(games[0], words[:1], words)


def lists_of(config: DqnConfig) -> Lists:
    """The games of a configuration (of one stage); without a holdout they have the same words.

    Test and validation words are drawn from the whole game first: what one stage tests on, no
    other stage trains on.
    """
    game = Game.named(config.game, mode=config.mode, cap=config.cap)
    generator = np.random.default_rng([config.seed, 7])
    test, pool = list(game.answers), list(game.answers)
    if config.source == "others":
        pool = list(game.guesses[game.answer_count :])
    if config.holdout:
        test, pool = _split(pool, config.holdout, "holdout", generator)
    judges = pool
    if config.validation:
        judges, pool = _split(pool, config.validation, "validation", generator)
    words = game.guesses
    if config.words:
        words = _sample(game.guesses, config.words)
        test, pool, judges = (_only(words, listed) for listed in (test, pool, judges))
    if not (test and pool and judges):
        raise InputError(f"no word of {config.game} is left to train or test on; take more words")
    unknown = set(test) if config.hidden else set()
    known = tuple(word for word in words if word not in unknown)
    validate = _with_answers(game, judges, known)
    if config.augment != "none":
        made_up = _made_up(pool, config.augment, config.augmented, {*game.guesses}, generator)
        pool, known = [*pool, *made_up], (*known, *made_up)
    same = pool == judges and known == validate.guesses
    train = validate if same else _with_answers(game, pool, known)
    return Lists(train, validate, _with_answers(game, test, words))


def _split(
    words: list[str], count: int, name: str, generator: np.random.Generator
) -> tuple[list[str], list[str]]:
    """So many words at random, and the others; both in their order."""
    if count >= len(words):
        raise InputError(
            f"{name} = {count}: there are {len(words)} words, and some must be trained on"
        )
    drawn = {words[place] for place in generator.permutation(len(words))[:count]}
    return [word for word in words if word in drawn], [word for word in words if word not in drawn]


def _sample(words: tuple[str, ...], count: int) -> tuple[str, ...]:
    """So many of the words, always the same ones, in their order."""
    if count > len(words):
        raise InputError(f"words = {count}: the game has {len(words)}")
    drawn = np.sort(np.random.default_rng(0).permutation(len(words))[:count])
    return tuple(words[place] for place in drawn)


def _only(words: tuple[str, ...], listed: list[str]) -> list[str]:
    kept = set(words)
    return [word for word in listed if word in kept]


def _with_answers(game: Game, answers: Sequence[str], guesses: Sequence[str]) -> Game:
    """The same rules with other words; the game itself where they are its own."""
    if tuple(answers) == game.answers and tuple(guesses) == game.guesses:
        return game
    return Game(answers, guesses, rule=game.rule.name, mode=game.mode, cap=game.cap, name=game.name)


def _made_up(
    words: Sequence[str], how: str, count: int, taken: set[str], generator: np.random.Generator
) -> list[str]:
    """New words of the same look: none of them is listed, none comes twice."""
    letters = sorted({letter for word in words for letter in word})
    found: dict[str, None] = {}
    for _ in range(20 * count):
        if len(found) == count:
            break
        word, other = (words[place] for place in generator.integers(len(words), size=2))
        place = int(generator.integers(1, len(word)))
        if how == "permute":
            made = "".join(word[k] for k in generator.permutation(len(word)))
        elif how == "replace":
            letter = letters[generator.integers(len(letters))]
            made = word[: place - 1] + letter + word[place:]
        else:
            made = word[:place] + other[place:]
        if made not in taken and made not in found:
            found[made] = None
    if len(found) < count:
        raise InputError(
            f"augmented = {count}: {len(words)} words gave only {len(found)} new ones; give fewer"
        )
    return list(found)
