"""A policy network that plays a game: it chooses guesses and predicts how many are to come."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from salet.array_types import Bools, Codes, Floats, Indices, Ints
from salet.errors import InputError
from salet.game.game import Game
from salet.learn.common.ragged import AnswerSets
from salet.learn.policy.network import PolicyNetwork, network_inputs, word_features

CHUNK = 512
"""sets evaluated together: larger chunks take more memory and no less time"""


class PolicyPlayer:
    """A network together with the encoded words of a game."""

    def __init__(self, network: PolicyNetwork, codes: Codes) -> None:
        """`codes[word, position]`: the words, as letters of the network's alphabet."""
        self.network = network
        self.codes = codes
        marks = word_features(codes, network.shape.alphabet)
        network.eval()
        with torch.no_grad():
            self._words = network.encode_words(torch.from_numpy(marks))

    def best(
        self,
        sets: AnswerSets,
        legal: list[Bools] | None = None,
        left: Ints | None = None,  # noqa: ARG002  (of the interface of players)
    ) -> Indices:
        """The guess of highest score in each set, among all guesses or the legal ones.

        The network knows the turn, and makes no use of the number of guesses left.
        """
        best = [scores.argmax(1) for scores in self._scores(sets, legal)]
        return np.concatenate(best).astype(np.int32)

    def top(self, sets: AnswerSets, count: int, legal: list[Bools] | None = None) -> Indices:
        """The `count` guesses of highest score in each set, best first."""
        count = min(count, len(self.codes))
        found = []
        for scores in self._scores(sets, legal):
            part = np.argpartition(-scores, count - 1, axis=1)[:, :count]
            order = np.argsort(-np.take_along_axis(scores, part, 1), axis=1, kind="stable")
            found.append(np.take_along_axis(part, order, 1))
        return np.concatenate(found).astype(np.int32)

    def totals(
        self,
        sets: AnswerSets,
        left: int | None = None,  # noqa: ARG002
        outside: Indices | None = None,  # noqa: ARG002
    ) -> Floats:
        """The predicted guesses to come, summed over the answers of each set; this network knows
        the turn, and imagines no losses.

        One answer takes 1 and two take 3, which needs no network.
        """
        sizes = sets.sizes
        totals: Floats = np.asarray(2 * sizes - 1, np.float64)
        large = np.flatnonzero(sizes > 2)
        if len(large):
            with torch.no_grad():
                encodings = self._encode(sets.take(large))
                excess = [self.network.excess(encoded) for _, encoded, _, _ in encodings]
            totals[large] += torch.cat(excess).double().numpy() * sizes[large]
        return totals

    def _scores(self, sets: AnswerSets, legal: list[Bools] | None) -> Iterator[NDArray[np.float32]]:
        """scores[set, guess] in chunks, -inf for illegal guesses."""
        done = 0
        with torch.no_grad():
            for chunk, encoded, members, owners in self._encode(sets):
                tensor = self.network.scores(encoded, self._words.guesses, members, owners)
                scores: NDArray[np.float32] = tensor.numpy()
                if legal is not None:
                    allowed = np.stack(legal[done : done + len(chunk)])
                    scores = np.where(allowed, scores, np.float32(-np.inf))
                done += len(chunk)
                yield scores

    def _encode(
        self, sets: AnswerSets
    ) -> Iterator[tuple[AnswerSets, torch.Tensor, torch.Tensor, torch.Tensor]]:
        """Chunks of sets, with their encodings, members and owners."""
        for chunk in sets.chunks(CHUNK):
            inputs = network_inputs(self.codes, self.network.shape.alphabet, chunk)
            features, members, owners = inputs
            encoded = self.network.encode_sets(self._words.pooled, features, members, owners)
            yield chunk, encoded, members, owners


def encode_letters(game: Game, alphabet: tuple[str, ...]) -> Codes:
    """The words of a game as indices into an alphabet that may have more letters than its own."""
    index = {letter: code for code, letter in enumerate(alphabet)}
    unknown = [letter for letter in game.lexicon.alphabet if letter not in index]
    if unknown:
        raise InputError(
            f"{game.name} has the letter {unknown[0]!r}, which these weights have never seen"
        )
    dtype = np.uint8 if len(alphabet) < 256 else np.uint16
    codes: Codes = np.array([index[letter] for letter in game.lexicon.alphabet]).astype(dtype)
    return codes[game.lexicon.codes]
