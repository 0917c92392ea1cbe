"""The shortest forced win against the adversary, by iterative deepening.

The adversary is deterministic: a state and a guess determine the next state, and the game ends when
the only remaining answer is guessed. So the value of a state is the length of a shortest path.
These facts make it quick to find:

[last two]  Two or more answers can be forced in two guesses if and only if some guess separates all
            of them: each answer is then in a group of its own. (The adversary answers a correct
            guess with another group while there is one, since the winning pattern has most greens.)
[width]     Let P be the maximum number of groups that a legal guess makes of some answers. It makes
            no more groups of a subset, and the largest group has at least n / P of n answers. So
            d guesses force at most P**(d - 1) answers.
[apart]     A guess that separates n answers makes at least n groups of any superset.

Equivalent guesses (salet.game.symmetry) are tried only once where feedback has no positions (pegs).
With tiles the adversary's last tie rule, the lower pattern, depends on positions, so equivalent
guesses may have different values.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from salet.array_types import Indices, Patterns
from salet.errors import InputError
from salet.game.game import Game
from salet.game.hosts import adversary_pattern
from salet.game.notation import TILES
from salet.game.state import State
from salet.numeric.jit import kernel
from salet.process_memory import peak_memory_mb
from salet.search.budget import Budget, Clock
from salet.search.process import DecisionProcess, Outcome, ValueBounds
from salet.search.search_state import SearchState
from salet.search.splits import splits
from salet.search.value import SearchInterruptedError
from salet.version import commit, version

_MAX_MEMO = 1 << 20
"""Maximum number of states in the memo."""


class AdversaryProcess(DecisionProcess[SearchState, int]):
    """A game against the adversary as a decision process: every action has one outcome.

    >>> from salet.search.dynamic_programming import value_of
    >>> process = AdversaryProcess(Game(["aa", "ab", "ba", "cc"], host="adversary"))
    >>> value_of(process, process.start())
    -2.0
    """

    def __init__(self, game: Game, start: State | None = None) -> None:
        check_adversary(game)
        self.game = game
        self._start = SearchState(game.start() if start is None else start)

    def start(self) -> SearchState:
        return self._start

    def is_terminal(self, state: SearchState) -> bool:
        return state.state.won or state.state.guesses_left == 0

    def actions(self, state: SearchState) -> Sequence[int]:
        """The guesses that split the state, or its only answer; others would change nothing."""
        inner = state.state
        if len(inner.candidates) == 1:
            return [int(inner.candidates[0])]
        found = splits(inner)
        useful: list[int] = found.guesses[found.parts > 1].tolist()
        return useful

    def predict(self, state: SearchState, action: int) -> float:
        """Assume that every later guess leaves the same fraction of the answers."""
        inner = state.state
        count = len(inner.candidates)
        if count == 1:
            return -1.0
        left = len(_after_reply(inner, action).candidates)
        return -2.0 - float(np.log(left) / np.log(count / left)) if left > 1 else -2.0

    def outcomes(self, state: SearchState, action: int) -> list[Outcome[SearchState]]:
        return [Outcome(1.0, -1.0, SearchState(_after_reply(state.state, action)))]

    def bounds(self, state: SearchState) -> ValueBounds:
        return ValueBounds(high=-float(min_guesses(state.state)))

    def resolution(self, state: SearchState) -> float:  # noqa: ARG002
        return 1.0


class ForcedWin(msgspec.Struct, frozen=True, kw_only=True):
    """The shortest known forced win. The fields are those of `salet solve --json`."""

    game: str
    mode: str
    cap: int | None
    host: str
    answers: int
    """number of possible answers"""
    guess: str
    """the next guess"""
    line: list[tuple[str, str]]
    """every guess to come, with the host's feedback"""
    lower: int
    """no forced win is shorter"""
    upper: int
    """length of `line`"""
    proven: bool
    nodes: int
    """states expanded"""
    seconds: float
    peak_mb: float
    version: str
    commit: str | None

    def to_dict(self) -> dict[str, Any]:
        """The fields as `--json` prints them."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields


class ForcingSearch:
    """Finds the smallest number of guesses that forces a win, with a memo of states."""

    def __init__(self, game: Game, clock: Clock | None = None) -> None:
        """The host is treated as the adversary, whichever host the game has."""
        self.game, self.clock = game, clock
        self.nodes = 0
        self._guess: dict[Any, tuple[int, int]] = {}  # smallest known depth, and its guess
        self._failed: dict[Any, int] = {}  # largest depth known to be too small

    def greedy_line(self, state: State) -> list[int]:
        """The line of guesses that each minimise the largest group: an upper bound."""
        line: list[int] = []
        while not state.won:
            guess = int(state.candidates[0])
            if len(state.candidates) > 1:
                found = splits(state)
                guess = int(found.guesses[np.lexsort((~found.is_candidate, found.largest))[0]])
            line.append(guess)
            state = _after_reply(state, guess)
        return line

    def line(self, state: State, depth: int) -> list[int] | None:
        """A line of at most `depth` guesses that forces a win; None if there is none.

        Raises SearchInterruptedError when the clock expires.
        """
        if not self.can_force(state, depth):
            return None
        line: list[int] = []
        while not state.won:
            guess = self._choice(state, depth - len(line))
            line.append(guess)
            state = _after_reply(state, guess)
        return line

    def can_force(self, state: State, depth: int, guess: int | None = None) -> bool:
        """Whether a win can be forced within `depth` guesses (the first of which is `guess`)."""
        if guess is not None:
            after = _after_reply(state, guess)
            if after.won:
                return depth >= 1
            return depth >= 2 and self.can_force(after, depth - 1)
        count = len(state.candidates)
        if count == 1:
            return depth >= 1
        if depth < 2 or count > self.game.compiled.patterns ** (depth - 1):  # [width]
            return False
        if depth == 2:
            return self._can_separate(state, state.legal)
        return self._decide(state, depth, functools.partial(self._forcing_guess, state, depth))

    def _can_separate(self, state: State, guesses: Indices) -> bool:
        """Whether one of these guesses separates the two or more answers [last two]."""
        return self._decide(state, 2, functools.partial(self._separating_guess, state, guesses))

    def _decide(self, state: State, depth: int, search: Callable[[], int | None]) -> bool:
        """Whether `search` finds a guess that forces a win within `depth`; uses the memo."""
        key = _key(state)
        if self._guess.get(key, (depth + 1, 0))[0] <= depth:
            return True
        if self._failed.get(key, 0) >= depth:
            return False
        self._spend()
        found = search()
        if len(self._guess) + len(self._failed) < _MAX_MEMO or found is not None:
            if found is None:
                self._failed[key] = depth
            else:
                self._guess[key] = depth, found
        return found is not None

    def _choice(self, state: State, depth: int) -> int:
        """The guess with which `can_force` found a forced win."""
        if len(state.candidates) == 1:
            return int(state.candidates[0])
        key = _key(state)
        if self._guess.get(key, (depth + 1, 0))[0] > depth:
            self.can_force(state, depth)
        return self._guess[key][1]

    def _separating_guess(self, state: State, guesses: Indices) -> int | None:
        """The first of these guesses that separates all answers, a possible answer if any does."""
        table = self.game.compiled
        ids = table.laid_out_for(len(state.candidates))
        own = state.candidates[np.isin(state.candidates, guesses)]
        for listed in (own, guesses):
            found = int(_first_separating(ids, table.patterns, state.candidates, listed))
            if found >= 0:
                return found
        return None

    def _forcing_guess(self, state: State, depth: int) -> int | None:
        """A guess after which `depth - 1` guesses suffice; None if there is none.

        Guesses with small groups are tried first.
        """
        found = splits(state)
        usable = found.parts > 1
        usable &= found.largest <= float(found.parts.max()) ** (depth - 2)  # [width]
        game = state.game
        if game.rule.notation is not TILES and not game.symmetry.is_trivial:
            usable &= game.symmetry.representatives(state.guesses)[found.guesses]
        parts = np.zeros(len(game.lexicon), np.int64)
        parts[found.guesses] = found.parts
        order = np.lexsort((~found.is_candidate, found.largest))
        for index in order[usable[order]]:
            guess = int(found.guesses[index])
            after = _after_reply(state, guess)
            count = len(after.candidates)
            if depth > 3 or count == 1:
                is_forced = self.can_force(after, depth - 1)
            else:  # [apart]
                is_forced = self._can_separate(after, after.legal[parts[after.legal] >= count])
            if is_forced:
                return guess
        return None

    def _spend(self) -> None:
        self.nodes += 1
        if self.clock is not None and self.clock.spend(1):
            raise SearchInterruptedError


def force(state: State, *, opener: str | None = None, seconds: float | None = None) -> ForcedWin:
    """The shortest forced win from a state, proven unless the time runs out.

    >>> force(Game(["aa", "ab", "ba", "cc"], host="adversary").start()).line
    [('aa', 'BB'), ('cc', 'GG')]
    """
    if seconds is not None and not seconds > 0:
        raise InputError(f"a budget of {seconds:g} seconds: give more than 0")
    game = state.game
    check_adversary(game)
    first = None if opener is None else state.check(opener)
    clock = Budget(np.inf if seconds is None else seconds).start()
    search = ForcingSearch(game, clock)
    start, before = state, [] if first is None else [first]
    if first is not None:
        start = _after_reply(state, first)
    best = [] if start.won else search.greedy_line(start)
    lower = min_guesses(start)
    try:
        while lower < len(best):
            found = search.line(start, lower)
            if found is not None:
                best = found
                break
            lower += 1
    except SearchInterruptedError:
        pass
    return _forced_win(state, [*before, *best], lower + len(before), search, clock)


def _forced_win(
    state: State, guesses: list[int], lower: int, search: ForcingSearch, clock: Clock
) -> ForcedWin:
    game, line, at = state.game, [], state
    for guess in guesses:
        at = _after_reply(at, guess)
        line.append(at.turns[-1])
    return ForcedWin(
        game=game.name,
        mode=game.mode,
        cap=game.cap,
        host=game.host,
        answers=len(state.candidates),
        guess=line[0][0],
        line=line,
        lower=lower,
        upper=len(line),
        proven=lower == len(line),
        nodes=search.nodes,
        seconds=round(clock.seconds, 3),
        peak_mb=round(peak_memory_mb(), 1),
        version=version(),
        commit=commit(),
    )


def check_adversary(game: Game) -> None:
    """Raise an error for a game with another host."""
    if game.host != "adversary":
        raise InputError(f"host {game.host!r} of {game.name} cannot be forced; use 'adversary'")


def _after_reply(state: State, guess: int) -> State:
    """The state after a guess and the adversary's reply."""
    return state.after(guess, adversary_pattern(state, guess))


def min_guesses(state: State) -> int:
    """A lower bound on the length of a forced win [last two, width]."""
    if state.won:
        return 0
    count, guesses, reach = len(state.candidates), 1, 1
    while reach < count:
        guesses, reach = guesses + 1, reach * state.game.compiled.patterns
    return guesses


def _key(state: State) -> Any:
    """What the value of a state depends on."""
    if state.game.mode == "normal":
        return state.candidates.tobytes()
    return state.candidates.tobytes(), state.legal.tobytes()


@kernel
def _first_separating(table: Patterns, patterns: int, candidates: Indices, guesses: Indices) -> int:
    """The first guess with a different pattern for every candidate; -1 if there is none."""
    seen = np.full(patterns, -1, np.int64)
    for k in range(guesses.shape[0]):
        row = table[guesses[k]]
        is_apart = True
        for a in candidates:
            if seen[row[a]] == k:
                is_apart = False
                break
            seen[row[a]] = k
        if is_apart:
            return int(guesses[k])
    return -1
