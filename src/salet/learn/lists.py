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


def lists_of(config: DqnConfig) -> Lists:
    """The games of a configuration (of one stage); without a holdout they have the same words."""
    game = Game.named(config.game, mode=config.mode, cap=config.cap)
    generator = np.random.default_rng([config.seed, 7])
    if config.words:
        game = _sample(game, config.words, np.random.default_rng(0))
    test = game
    pool = list(game.answers)
    if config.source == "others":
        pool = list(game.guesses[game.answer_count :])
    if config.holdout:
        _enough(config.holdout, len(pool), "holdout")
        drawn = generator.permutation(len(pool))
        kept_back = {pool[place] for place in drawn[: config.holdout]}
        test = _with_answers(game, [word for word in pool if word in kept_back], game.guesses)
        pool = [word for word in pool if word not in kept_back]
    known: Sequence[str] = game.guesses
    if config.hidden:
        unknown = set(test.answers)
        known = [word for word in known if word not in unknown]
        pool = [word for word in pool if word not in unknown]
    judges = pool
    if config.validation:
        _enough(config.validation, len(pool), "validation")
        drawn = generator.permutation(len(pool))
        judging = {pool[place] for place in drawn[: config.validation]}
        judges = [word for word in pool if word in judging]
        pool = [word for word in pool if word not in judging]
    if not pool:
        raise InputError(f"no word of {config.game} is left to train on")
    validate = _with_answers(game, judges, known)
    if config.augment != "none":
        taken = {*game.guesses}
        made_up = _made_up(pool, config.augment, config.augmented, taken, generator)
        pool, known = [*pool, *made_up], [*known, *made_up]
    return Lists(_with_answers(game, pool, known), validate, test)


def _enough(asked: int, there: int, name: str) -> None:
    if asked >= there:
        raise InputError(f"{name} = {asked}: there are {there} words, and some must be trained on")


def _with_answers(game: Game, answers: Sequence[str], guesses: Sequence[str]) -> Game:
    if tuple(answers) == game.answers and tuple(guesses) == game.guesses:
        return game
    return Game(answers, guesses, rule=game.rule.name, mode=game.mode, cap=game.cap, name=game.name)


def _sample(game: Game, words: int, generator: np.random.Generator) -> Game:
    """A smaller game: so many of the guesses, with those of the answers that are among them."""
    if words > len(game.guesses):
        raise InputError(f"words = {words}: {game.name} has {len(game.guesses)}")
    drawn = np.sort(generator.permutation(len(game.guesses))[:words])
    guesses = [game.guesses[place] for place in drawn]
    answers = guesses[: int(np.searchsorted(drawn, game.answer_count))]
    if not answers:
        raise InputError(f"words = {words}: no answer of {game.name} is among them; take more")
    return _with_answers(game, answers, guesses)


def _made_up(
    words: Sequence[str], how: str, count: int, taken: set[str], generator: np.random.Generator
) -> list[str]:
    """New words of the same look: none of them is listed, none comes twice."""
    letters = sorted({letter for word in words for letter in word})
    found: dict[str, None] = {}
    for _ in range(100 * count):
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
    return list(found)
