"""A second checker of certificates, in plain Python, written from docs/certificates.md alone.

It imports nothing from salet, is as direct as possible, and is meant for tiny games.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass

import naive

INF = 1 << 60


class Rejected(Exception):  # noqa: N818
    """The certificate does not prove what it claims."""


@dataclass(frozen=True)
class State:
    answers: frozenset[int]
    left: int
    """guesses left, cut off at the number of answers"""
    legal: frozenset[int]


class PlainChecker:
    """Accepts or rejects one certificate of a small game."""

    def __init__(self, game: naive.Tiny, data: bytes) -> None:
        line, _, body = data.partition(b"\n")
        self.header = json.loads(line)
        self.game = game
        self.weights = game.weights or (1,) * len(game.answers)
        self.loss = INF if self.header["loss"] is None else self.header["loss"]
        if self.header["digest"] != self.digest():
            raise Rejected("another game")
        if self.loss < sum(self.weights) * min(game.cap or INF, len(game.answers) + 1):
            raise Rejected("price")
        raw = zlib.decompress(body)
        if hashlib.sha256(raw).hexdigest() != self.header["sha256"]:
            raise Rejected("checksum")
        self.numbers = self.parse(raw)

    def digest(self) -> str:
        game = self.game
        fields = {
            "answers": ["".join(word) for word in game.answers],
            "cap": game.cap,
            "guesses": ["".join(word) for word in game.guesses],
            "loss": self.header["loss"],
            "mode": game.mode,
            "rule": game.rule,
            "weights": None if game.weights is None else list(game.weights),
        }
        text = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @staticmethod
    def parse(raw: bytes) -> list[int]:
        numbers, value, shift = [], 0, 0
        for byte in raw:
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                numbers.append(value)
                value = shift = 0
        return numbers

    # ---- the game

    def pattern(self, guess: int, answer: int) -> int:
        words = self.game.guesses
        return self.numbered(naive.RULES[self.game.rule](words[guess], words[answer]))

    def numbered(self, colours: tuple[int, ...]) -> int:
        if self.game.rule == "pegs":
            return colours[0] * (len(self.game.guesses[0]) + 1) + colours[1]
        return sum(colour * 3**place for place, colour in enumerate(colours))

    def state(self, history: tuple[tuple[int, int], ...]) -> State:
        words, game = self.game.guesses, self.game
        answers = {
            a for a in range(len(game.answers)) if all(self.pattern(g, a) == p for g, p in history)
        }
        legal = set(range(len(words)))
        for guess, number in history:
            length = len(words[0])
            if game.mode == "strict":
                legal = {g for g in legal if self.pattern(guess, g) == number}
            elif game.mode == "hard":
                colours = tuple(number // 3**place % 3 for place in range(length))
                legal = {
                    g for g in legal
                    if naive.allowed_after(game.rule, words[guess], colours, words[g])
                }  # fmt: skip
        left = len(answers) if game.cap is None else min(len(answers), game.cap - len(history))
        return State(frozenset(answers), left, frozenset(legal))

    def parts(self, answers: frozenset[int], guess: int) -> dict[int, frozenset[int]]:
        found: dict[int, set[int]] = {}
        for answer in answers:
            found.setdefault(self.pattern(guess, answer), set()).add(answer)
        return {pattern: frozenset(part) for pattern, part in found.items()}

    def losing(self, answers: frozenset[int], guess: int) -> dict[int, frozenset[int]]:
        return {p: part for p, part in self.parts(answers, guess).items() if guess not in part}

    # ---- bounds

    def sorted_weights(self, answers: frozenset[int]) -> list[int]:
        return sorted((self.weights[a] for a in answers), reverse=True)

    def capacity(self, answers: frozenset[int], left: int, most_parts: int, most_cut: int) -> int:
        weights, total = self.sorted_weights(answers), 0

        def found(j: int) -> int:
            return 0 if j == 0 else min(most_parts ** (j - 1), 1 + (j - 1) * most_cut)

        for j in range(left):
            total += sum(weights[found(j) :])
        return total + self.price(sum(weights[found(left) :]))

    def price(self, weight: int) -> int:
        return 0 if weight == 0 else min(INF, self.loss * weight)

    def candidates(self, answers: frozenset[int], left: int) -> int:
        weight = sum(self.weights[a] for a in answers)
        if left < 2:
            return 0
        best = 2 * weight
        for a in answers:
            cost = weight
            for part in self.losing(answers, a).values():
                own = self.sorted_weights(part)
                rest = sum(own) - own[0]
                cost += sum(own) + (rest if left - 1 >= 2 else self.price(rest))
            best = min(best, cost)
        return best

    # ---- the certificate

    def bound(self, history, state: State, guess: int, facts, most_parts, most_cut) -> int:
        total = sum(self.weights[a] for a in state.answers)
        for pattern, part in self.losing(state.answers, guess).items():
            after = self.state((*history, (guess, pattern)))
            left, legal = after.left, after.legal
            total += max(
                self.capacity(part, left, most_parts, most_cut),
                self.candidates(part, left),
                *(
                    lower
                    for known, lower in facts
                    if known.answers == part and known.left >= left and known.legal >= legal
                ),
            )
        return min(total, INF)

    def check(self, history, lowers: dict[int, int], facts, what: str, named=()) -> None:
        """Do all guesses cost what is claimed? Idle ones matter only if any is named."""
        state = self.state(history)
        if not state.answers:
            raise Rejected(f"{what}: no answer")
        splits = [self.parts(state.answers, g) for g in state.legal]
        most_parts = max(map(len, splits))
        most_cut = max(len(state.answers) - max(map(len, s.values())) for s in splits)
        for guess, lower in lowers.items():
            is_idle = guess not in state.answers and len(self.parts(state.answers, guess)) == 1
            if is_idle and guess not in named:
                continue
            if self.bound(history, state, guess, facts, most_parts, most_cut) < lower:
                raise Rejected(what)

    def run(self) -> None:
        """Raise Rejected unless every fact and the claim follow."""
        numbers = iter(self.numbers)
        facts: list[tuple[State, int]] = []
        before: tuple[tuple[int, int], ...] = ()
        for index in range(self.header["facts"]):
            try:
                shared, new = next(numbers), next(numbers)
                steps = tuple((next(numbers), next(numbers)) for _ in range(new))
                history, lower = (*before[:shared], *steps), next(numbers)
            except (StopIteration, RuntimeError):
                raise Rejected(f"fact {index}: the file ends") from None
            self.check_history(history, shared, before, index)
            legal = self.state(history).legal
            self.check(history, dict.fromkeys(legal, lower), facts, f"fact {index}")
            facts.append((self.state(history), lower))
            before = history
        if next(numbers, None) is not None:
            raise Rejected("the file goes on")
        history = tuple((g, p) for g, p in self.header["history"])
        named = {g: lower for g, lower in self.header["lower"] if g is not None}
        others = [lower for g, lower in self.header["lower"] if g is None]
        claimed = dict(named)
        for guess in self.state(history).legal if others else ():
            claimed.setdefault(guess, others[0])
        if not history:
            claimed = self.one_of_each_orbit(claimed)
        self.check(history, claimed, facts, "claim", claimed if named else ())

    def one_of_each_orbit(self, claimed: dict[int, int]) -> dict[int, int]:
        """Of guesses that symmetries map to each other the first, with the greatest bound."""
        words, answers = [tuple(word) for word in self.game.guesses], len(self.game.answers)
        alphabet = sorted({letter for word in words for letter in word})
        first = list(range(len(words)))
        for letters, places in self.header.get("symmetries", []):
            for size, numbers in ((len(alphabet), letters), (len(words[0]), places)):
                if sorted(numbers) != list(range(size)):
                    raise Rejected("claim: no permutation")
            moved = [
                tuple(alphabet[letters[alphabet.index(word[place])]] for place in places)
                for word in words
            ]
            for guess, word in enumerate(moved):
                if word not in words:
                    raise Rejected("claim: a symmetry leads to another word")
                image = words.index(word)
                if guess < answers and (
                    image >= answers or self.weights[guess] != self.weights[image]
                ):
                    raise Rejected("claim: a symmetry changes the answers")
                same = {first[guess], first[image]}
                first = [min(same) if orbit in same else orbit for orbit in first]
        chosen: dict[int, int] = {}
        greatest: dict[int, int] = {}
        for guess in sorted(claimed):
            chosen.setdefault(first[guess], guess)
            greatest[first[guess]] = max(greatest.get(first[guess], 0), claimed[guess])
        return {guess: greatest[orbit] for orbit, guess in chosen.items()}

    def check_history(self, history, shared: int, before, index: int) -> None:
        if shared > len(before):
            raise Rejected(f"fact {index}: history")
        win = self.pattern(0, 0)
        if self.state(history).left < 1:
            raise Rejected(f"fact {index}: no guess is left")
        for turn, (guess, pattern) in enumerate(history):
            if guess >= len(self.game.guesses) or pattern == win:
                raise Rejected(f"fact {index}: step")
            if guess not in self.state(history[:turn]).legal:
                raise Rejected(f"fact {index}: illegal")
