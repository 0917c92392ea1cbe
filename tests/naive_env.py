"""The obvious observations and rewards, with which the tests compare the environment.

Nothing here is imported from salet. A history is a list of (word, colours), words as tuples of
letter numbers, colours 0 grey, 1 yellow, 2 green.
"""

from __future__ import annotations

from collections.abc import Sequence

History = Sequence[tuple[Sequence[int], Sequence[int]]]


def classic(history: History, size: int, length: int, cap: int) -> list[float]:
    """The features of the original DQN, as its specification defines them."""
    tried, inside = [0] * size, [0] * size
    no = [[0] * length for _ in range(size)]
    yes = [[0] * length for _ in range(size)]
    for word, colours in history:
        for letter in word:
            tried[letter] = 1
        for place in range(length):
            if colours[place] == 2:
                inside[word[place]] = 1
                for letter in range(size):
                    no[letter][place], yes[letter][place] = 1, 0
                no[word[place]][place], yes[word[place]][place] = 0, 1
        yellow_before: set[int] = set()
        greens = {word[place] for place in range(length) if colours[place] == 2}
        for place in range(length):
            letter = word[place]
            if colours[place] == 1:
                inside[letter] = 1
                no[letter][place], yes[letter][place] = 1, 0
                yellow_before.add(letter)
            elif colours[place] == 0:
                if letter in yellow_before:
                    no[letter][place], yes[letter][place] = 1, 0
                elif letter in greens:
                    no[letter] = [int(n != y) for n, y in zip(no[letter], yes[letter], strict=True)]
                else:
                    no[letter], yes[letter] = [1] * length, [0] * length
    flat = [
        bit for letter in range(size) for pair in zip(no[letter], yes[letter], strict=True)
        for bit in pair
    ]  # fmt: skip
    return [*tried, *inside, *flat, cap - len(history)]


def least_and_most(history: History, letter: int, length: int, counted: bool) -> tuple[int, int]:
    """How often the letter occurs in the answer, as far as the hints tell."""
    least, most = 0, length
    for word, colours in history:
        hits = sum(w == letter and c > 0 for w, c in zip(word, colours, strict=True))
        misses = sum(w == letter and c == 0 for w, c in zip(word, colours, strict=True))
        hits = hits if counted else min(hits, 1)
        least = max(least, hits)
        if misses:
            most = min(most, hits)
    return least, most


def counts(history: History, size: int, length: int, cap: int, counted: bool) -> list[float]:
    """The corrected features, each from its own definition."""
    bounds = [least_and_most(history, letter, length, counted) for letter in range(size)]
    yes = [
        [any(w[p] == letter and c[p] == 2 for w, c in history) for p in range(length)]
        for letter in range(size)
    ]
    flat: list[float] = []
    for letter in range(size):
        all_placed = sum(yes[letter]) == bounds[letter][1] and any(
            letter in word for word, _ in history
        )
        for p in range(length):
            missed_here = any(w[p] == letter and c[p] != 2 for w, c in history)
            other_here = any(yes[other][p] for other in range(size) if other != letter)
            no = missed_here or other_here or (all_placed and not yes[letter][p])
            flat += [float(no and not yes[letter][p]), float(yes[letter][p])]
    ruled_out = [(length - most) / length for _, most in bounds]
    return [*ruled_out, *(float(least) for least, _ in bounds), *flat, float(cap - len(history))]


def statistics(answers: Sequence[Sequence[int]], size: int, length: int) -> list[float]:
    """Shares of the answers with a letter at a place, and anywhere."""
    n = max(len(answers), 1)
    here = [
        sum(word[p] == letter for word in answers) / n
        for letter in range(size)
        for p in range(length)
    ]
    return [*here, *(sum(letter in word for word in answers) / n for letter in range(size))]


def reward(
    history: History, won: bool, lost: bool, step: float, yellow: float, green: float,
    repeat: float, win: float, loss: float, only_end: bool,
) -> float:  # fmt: skip
    """What the last guess of the history earned."""
    total = win if won else loss if lost else 0.0
    if only_end and (won or lost):
        return total
    total += step
    seen = {(w, c) for word, colours in history[:-1] for w, c in zip(word, colours, strict=True)}
    for letter, colour in zip(*history[-1], strict=True):
        if colour and (letter, colour) not in seen:
            total += green if colour == 2 else yellow
        elif colour == 2:
            total += repeat
        seen.add((letter, colour))
    return total
