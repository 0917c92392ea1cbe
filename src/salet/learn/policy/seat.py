"""A network at a game: it names guesses and tells how many more are to come."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

from salet.array_types import Bools, Codes, Floats, Indices, Ints
from salet.errors import InputError
from salet.game.game import Game
from salet.learn.policy.network import Network, set_features, word_features
from salet.learn.policy.sets import Sets

AT_ONCE = 512
"""sets read together: more take more memory and no less time"""


class Seat:
    """Where a network sits down to play: the words of a game as it sees them."""

    def __init__(self, network: Network, codes: Codes) -> None:
        """`codes[word, position]`: the words, by letters of the network's alphabet."""
        self.network = network
        self.codes = codes
        marks = word_features(codes, network.shape.alphabet)
        network.eval()
        with torch.no_grad():
            self._words = network.words(torch.from_numpy(marks))

    def _read(self, sets: Sets) -> Iterator[tuple[Sets, torch.Tensor, torch.Tensor, torch.Tensor]]:
        for chunk in sets.chunks(AT_ONCE):
            features, members, owners = tensors(self.codes, self.network.shape.alphabet, chunk)
            seen = self.network.read(self._words.pooled, features, members, owners)
            yield chunk, seen, members, owners

    def _scores(self, sets: Sets) -> Iterator[NDArray[np.float32]]:
        with torch.no_grad():
            for _, seen, members, owners in self._read(sets):
                yield self.network.scores(seen, self._words.guesses, members, owners).numpy()

    def best(self, sets: Sets, legal: list[Bools] | None = None) -> Indices:
        """The network's choice in each set, of all guesses or of those that are legal."""
        found, done = [], 0
        for scores in self._scores(sets):
            if legal is not None:
                allowed = np.stack(legal[done : done + len(scores)])
                scores = np.where(allowed, scores, -np.inf)
            found.append(scores.argmax(1))
            done += len(scores)
        return np.concatenate(found).astype(np.int32)

    def top(self, sets: Sets, count: int, legal: list[Bools] | None = None) -> Indices:
        """The best `count` guesses in each set, best first."""
        count = min(count, len(self.codes))
        found, done = [], 0
        for scores in self._scores(sets):
            if legal is not None:
                allowed = np.stack(legal[done : done + len(scores)])
                scores = np.where(allowed, scores, -np.inf)
            done += len(scores)
            part = np.argpartition(-scores, count - 1, axis=1)[:, :count]
            order = np.argsort(-np.take_along_axis(scores, part, 1), axis=1, kind="stable")
            found.append(np.take_along_axis(part, order, 1))
        return np.concatenate(found).astype(np.int32)

    def totals(self, sets: Sets) -> Floats:
        """Guesses to come, over all answers of each set, as the network expects them. A sole
        answer takes one and two take three, which needs no network."""
        sizes = sets.sizes
        totals: Floats = np.asarray(2 * sizes - 1, np.float64)
        large = np.flatnonzero(sizes > 2)
        if len(large):
            with torch.no_grad():
                excess = [
                    self.network.excess(seen) for _, seen, _, _ in self._read(sets.take(large))
                ]
            totals[large] += torch.cat(excess).double().numpy() * sizes[large]
        return totals


def tensors(
    codes: Codes, alphabet: int, sets: Sets, place: Ints | None = None
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """What a network reads of sets: features, members (by their `place`, where given) and whose
    they are."""
    features = torch.from_numpy(set_features(codes, alphabet, sets))
    members = sets.words.astype(np.int64) if place is None else place[sets.words]
    owners = np.repeat(np.arange(len(sets)), sets.sizes)
    return features, torch.from_numpy(members), torch.from_numpy(owners)


def codes_in(game: Game, alphabet: tuple[str, ...]) -> Codes:
    """The letters of a game's words in an alphabet that may have more letters."""
    number = {letter: code for code, letter in enumerate(alphabet)}
    strange = [letter for letter in game.lexicon.alphabet if letter not in number]
    if strange:
        raise InputError(
            f"{game.name} has the letter {strange[0]!r}, which these weights have never met"
        )
    kind = np.uint8 if len(alphabet) < 256 else np.uint16
    codes: Codes = np.array([number[letter] for letter in game.lexicon.alphabet]).astype(kind)
    return codes[game.lexicon.codes]
