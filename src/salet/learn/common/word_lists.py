"""Split words for training, validation and test, so that no test word is trained on."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from salet.array_types import Codes, Indices
from salet.errors import InputError
from salet.game.game import Game


@dataclass(frozen=True)
class SplitWords:
    """Three games with the same rules, by the use of their answers."""

    train: Game
    """answers to learn from"""
    validation: Game
    """answers that choose the checkpoint"""
    test: Game
    """answers that are played once training is over"""

    def digest(self) -> str:
        """A digest of all words and their order."""
        return words_digest(self.train, self.validation, self.test)


def split_words(
    game: Game,
    *,
    source: str = "answers",
    holdout: int = 0,
    hidden: bool = False,
    validation: int = 0,
    words: int = 0,
    augment: str = "none",
    augmented: int = 0,
    seed: int = 0,
) -> SplitWords:
    """Split the words of a game; without any option all three lists are its answers.

    The parameters are those of `DqnConfig`. Test and validation words are drawn from the whole game
    before `words` of it are selected, so that no stage of a curriculum trains on what another one
    tests.
    """
    generator = np.random.default_rng([seed, 7])
    test, train = list(game.answers), list(game.answers)
    if source == "others":
        train = list(game.guesses[game.answer_count :])
    if holdout:
        test, train = _split(train, holdout, "holdout", generator)
    judges = train
    if validation:
        judges, train = _split(train, validation, "validation", generator)
    guesses = game.guesses
    if words:
        guesses = _sample(game.guesses, words)
        selected = set(guesses)
        test, train, judges = (
            [word for word in part if word in selected] for part in (test, train, judges)
        )
    if not (test and train and judges):
        raise InputError(f"no word of {game.name} is left to train or test on; use more words")
    unknown = set(test) if hidden else set()
    known = tuple(word for word in guesses if word not in unknown)
    validation_game = _with_words(game, judges, known)
    if augment != "none":
        made_up = _made_up(train, augment, augmented, {*game.guesses}, generator)
        train, known = [*train, *made_up], (*known, *made_up)
    same = train == judges and known == validation_game.guesses
    train_game = validation_game if same else _with_words(game, train, known)
    return SplitWords(train_game, validation_game, _with_words(game, test, guesses))


def union_game(lists: Sequence[SplitWords]) -> Game:
    """A game with the words of all lists, which decide a network's letters and vocabulary."""
    games = [game for each in lists for game in (each.train, each.test)]
    words = list(dict.fromkeys(word for game in games for word in game.guesses))
    return _with_words(games[0], words[:1], words)


def draw_other_answers(game: Game, count: int, generator: np.random.Generator) -> Indices:
    """Random answers from the game's words, ascending; never exactly the answers of the game."""
    while True:
        drawn = draw_answer_list(game.lexicon.codes, count, generator)
        if not np.array_equal(drawn, np.arange(game.answer_count)):
            return drawn


def draw_answer_list(codes: Codes, count: int, generator: np.random.Generator) -> Indices:
    """Random words, ascending.

    Half of the lists resemble those that people make: they contain few words with the most common
    last letter, which in English are plurals.
    """
    last = codes[:, -1]
    weights = np.ones(len(codes))
    if generator.random() < 0.5:
        weights[last == np.bincount(last).argmax()] = generator.uniform(0.02, 0.3)
    drawn = generator.choice(len(codes), count, replace=False, p=weights / weights.sum())
    return np.sort(drawn).astype(np.int32)


def words_digest(*games: Game) -> str:
    """A digest of the words of some games and their order."""
    words = (("answers", *game.answers, "guesses", *game.guesses) for game in games)
    return hashlib.sha256("\n".join(itertools.chain(*words)).encode()).hexdigest()


def _split(
    words: list[str], count: int, name: str, generator: np.random.Generator
) -> tuple[list[str], list[str]]:
    """`count` random words, and the others; both in their order."""
    if count >= len(words):
        raise InputError(
            f"{name} = {count}: there are {len(words)} words, and some are needed for training"
        )
    drawn = {words[index] for index in generator.permutation(len(words))[:count]}
    return [word for word in words if word in drawn], [word for word in words if word not in drawn]


def _sample(words: tuple[str, ...], count: int) -> tuple[str, ...]:
    """`count` of the words, always the same ones, in their order."""
    if count > len(words):
        raise InputError(f"words = {count}: the game has {len(words)}")
    drawn = np.sort(np.random.default_rng(0).permutation(len(words))[:count])
    return tuple(words[index] for index in drawn)


def _with_words(game: Game, answers: Sequence[str], guesses: Sequence[str]) -> Game:
    """A game with the same rules and other words; the game itself if they are its own."""
    if tuple(answers) == game.answers and tuple(guesses) == game.guesses:
        return game
    return Game(answers, guesses, rule=game.rule.name, mode=game.mode, cap=game.cap, name=game.name)


def _made_up(
    words: Sequence[str], method: str, count: int, listed: set[str], generator: np.random.Generator
) -> list[str]:
    """Distinct new words that resemble `words` and are not `listed`."""
    letters = sorted({letter for word in words for letter in word})
    found: dict[str, None] = {}
    for _ in range(20 * count):
        if len(found) == count:
            break
        word, other = (words[index] for index in generator.integers(len(words), size=2))
        cut = int(generator.integers(1, len(word)))
        if method == "permute":
            new = "".join(word[k] for k in generator.permutation(len(word)))
        elif method == "replace":
            letter = letters[generator.integers(len(letters))]
            new = word[: cut - 1] + letter + word[cut:]
        else:
            new = word[:cut] + other[cut:]
        if new not in listed and new not in found:
            found[new] = None
    if len(found) < count:
        raise InputError(
            f"augmented = {count}: {len(words)} words gave only {len(found)} new ones; give fewer"
        )
    return list(found)
