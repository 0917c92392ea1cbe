"""The shortest way to force an adversary: iterative deepening over the sets it keeps.

Against the adversary nothing is left to chance: a state and a guess determine the next state, and
the game ends when a single answer is left and guessed. So the value of a state is the length of a
shortest path. Two facts make it quick to find:

[last two]  Two or more answers are forced in two guesses exactly if some guess tells all of them
            apart: whichever the host keeps, it is known. (A guess that is right is answered with
            another group as long as there is one: the winning pattern has the most greens.)
[width]     Let P be the most groups that any legal guess makes of some answers. It makes no more of
            fewer answers, and the largest group keeps at least n / P of n of them; so d guesses
            force at most P**(d - 1) answers.
[apart]     A guess that tells n answers apart makes at least n groups of any superset.

Equivalent guesses (salet.game.symmetry) are tried once only where feedback has no positions (pegs):
with tiles the host's last tie rule, the lower pattern, is not the same for equivalent guesses.
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
"""States remembered; beyond this no more are."""


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
        """Guesses that split the state, or its only answer: others change nothing."""
        inner = state.state
        if len(inner.candidates) == 1:
            return [int(inner.candidates[0])]
        found = splits(inner)
        useful: list[int] = found.guesses[found.parts > 1].tolist()
        return useful

    def predict(self, state: SearchState, action: int) -> float:
        """As if every later guess kept as large a share of the answers."""
        inner = state.state
        count = len(inner.candidates)
        if count == 1:
            return -1.0
        kept = len(_kept(inner, action).candidates)
        return -2.0 - float(np.log(kept) / np.log(count / kept)) if kept > 1 else -2.0

    def outcomes(self, state: SearchState, action: int) -> list[Outcome[SearchState]]:
        return [Outcome(1.0, -1.0, SearchState(_kept(state.state, action)))]

    def bounds(self, state: SearchState) -> ValueBounds:
        return ValueBounds(high=-float(fewest_guesses(state.state)))

    def resolution(self, state: SearchState) -> float:  # noqa: ARG002
        return 1.0


class Forcing(msgspec.Struct, frozen=True, kw_only=True):
    """The shortest way to force the adversary. The fields are those of `salet solve --json`."""

    game: str
    mode: str
    cap: int | None
    host: str
    answers: int
    """answers that are possible"""
    guess: str
    """the next guess"""
    line: list[tuple[str, str]]
    """every guess to come, with the feedback of the host"""
    lower: int
    """no way is shorter"""
    upper: int
    """guesses of the line"""
    proven: bool
    nodes: int
    """states whose guesses were looked at"""
    seconds: float
    peak_mb: float
    version: str
    commit: str | None

    def to_dict(self) -> dict[str, Any]:
        """The fields as `--json` prints them."""
        fields: dict[str, Any] = msgspec.to_builtins(self)
        return fields


class ForcingSearch:
    """Finds how few guesses force the adversary; remembers the states it has met."""

    def __init__(self, game: Game, clock: Clock | None = None) -> None:
        """The host is taken for the adversary, whatever it is."""
        self.game, self.clock = game, clock
        self.nodes = 0
        self._guess: dict[Any, tuple[int, int]] = {}  # least depth known, and its guess
        self._failed: dict[Any, int] = {}  # greatest depth that is too little

    def greedy_line(self, state: State) -> list[int]:
        """The guesses that always keep the host's group smallest: an upper bound."""
        line: list[int] = []
        while not state.won:
            guess = int(state.candidates[0])
            if len(state.candidates) > 1:
                found = splits(state)
                guess = int(found.guesses[np.lexsort((~found.is_candidate, found.largest))[0]])
            line.append(guess)
            state = _kept(state, guess)
        return line

    def line(self, state: State, depth: int) -> list[int] | None:
        """Guesses that force the host within `depth`; None if there are none.

        Raises SearchInterruptedError when the clock expires.
        """
        if not self.can_force(state, depth):
            return None
        line: list[int] = []
        while not state.won:
            guess = self._choice(state, depth - len(line))
            line.append(guess)
            state = _kept(state, guess)
        return line

    def can_force(self, state: State, depth: int, guess: int | None = None) -> bool:
        """Can the host be forced within `depth` guesses (of which `guess` is the first)?"""
        if guess is not None:
            after = _kept(state, guess)
            if after.won:
                return depth >= 1
            return depth >= 2 and self.can_force(after, depth - 1)
        count = len(state.candidates)
        if count == 1:
            return depth >= 1
        if depth < 2 or count > self.game.compiled.patterns ** (depth - 1):  # [width]
            return False
        if depth == 2:
            return self._can_tell_apart(state, state.legal)
        return self._decide(state, depth, functools.partial(self._first_of_many, state, depth))

    def _can_tell_apart(self, state: State, guesses: Indices) -> bool:
        """Can one of these guesses tell the two or more answers apart [last two]?"""
        return self._decide(state, 2, functools.partial(self._telling_apart, state, guesses))

    def _decide(self, state: State, depth: int, search: Callable[[], int | None]) -> bool:
        """Does the search find a guess by which `depth` guesses suffice? Remembers the answer."""
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
        """The guess by which `can_force` has found a way."""
        if len(state.candidates) == 1:
            return int(state.candidates[0])
        key = _key(state)
        if self._guess.get(key, (depth + 1, 0))[0] > depth:
            self.can_force(state, depth)
        return self._guess[key][1]

    def _telling_apart(self, state: State, guesses: Indices) -> int | None:
        """The first of these guesses that tells all answers apart, a possible answer if any."""
        table = self.game.compiled
        ids = table.laid_out_for(len(state.candidates))
        own = state.candidates[np.isin(state.candidates, guesses)]
        for listed in (own, guesses):
            found = int(_first_telling_apart(ids, table.patterns, state.candidates, listed))
            if found >= 0:
                return found
        return None

    def _first_of_many(self, state: State, depth: int) -> int | None:
        """A guess after which `depth - 1` guesses suffice, the smallest groups first."""
        found = splits(state)
        usable = found.parts > 1
        usable &= found.largest <= float(found.parts.max()) ** (depth - 2)  # [width]
        game = state.game
        if game.rule.notation is not TILES and not game.symmetry.is_none:
            usable &= game.symmetry.representatives(state.guesses)[found.guesses]
        parts = np.zeros(len(game.lexicon), np.int64)
        parts[found.guesses] = found.parts
        order = np.lexsort((~found.is_candidate, found.largest))
        for index in order[usable[order]]:
            guess = int(found.guesses[index])
            kept = _kept(state, guess)
            count = len(kept.candidates)
            if depth > 3 or count == 1:
                can = self.can_force(kept, depth - 1)
            else:  # [apart]
                can = self._can_tell_apart(kept, kept.legal[parts[kept.legal] >= count])
            if can:
                return guess
        return None

    def _spend(self) -> None:
        self.nodes += 1
        if self.clock is not None and self.clock.spend(1):
            raise SearchInterruptedError


def force(state: State, *, opener: str | None = None, seconds: float | None = None) -> Forcing:
    """The shortest way to force the adversary from a state, proven unless the time runs out.

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
        start = _kept(state, first)
    best = [] if start.won else search.greedy_line(start)
    lower = fewest_guesses(start)
    try:
        while lower < len(best):
            found = search.line(start, lower)
            if found is not None:
                best = found
                break
            lower += 1
    except SearchInterruptedError:
        pass
    return _forcing(state, [*before, *best], lower + len(before), search, clock)


def _forcing(
    state: State, guesses: list[int], lower: int, search: ForcingSearch, clock: Clock
) -> Forcing:
    game, line, at = state.game, [], state
    for guess in guesses:
        at = _kept(at, guess)
        line.append(at.turns[-1])
    return Forcing(
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
    """Refuse games with another host."""
    if game.host != "adversary":
        raise InputError(f"host {game.host!r} of {game.name} cannot be forced; use 'adversary'")


def _kept(state: State, guess: int) -> State:
    """The state that the host leaves after a guess."""
    return state.after(guess, adversary_pattern(state, guess))


def fewest_guesses(state: State) -> int:
    """A number of guesses below which the host cannot be forced [last two, width]."""
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
def _first_telling_apart(
    table: Patterns, patterns: int, candidates: Indices, guesses: Indices
) -> int:
    """The first guess that gives every candidate another pattern; -1 if there is none."""
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
