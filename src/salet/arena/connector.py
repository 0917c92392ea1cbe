"""The founding connector: a game and a player, both foreign programs, joined by their pipes.

The secrets are split into chunks of equal size, the last one taking the rest. For each chunk
`GAME lo hi id` and the player are started, and what one says is handed to the other. The game
writes `desfasurare<id>.txt`; when all chunks are done the parts are joined in order.

We stand in the middle instead of crossing the pipes for good, because only so can somebody say who
of the two is silent.
"""

from __future__ import annotations

import selectors
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from salet.arena.child_process import Child
from salet.arena.match import GRACE, Limits
from salet.arena.reaper import Guard
from salet.arena.signals import Wakeup, stoppable
from salet.errors import InputError
from salet.storage import output

FINAL = "desfasurareFin.txt"
_MOST_UNREAD = 1 << 16


class Connected(msgspec.Struct, frozen=True, kw_only=True):
    """What the connector counted. The fields are those of `salet connect --json`."""

    game: str
    player: str
    answers: int
    total: int
    mean: float
    jobs: int
    seconds: float


@dataclass(frozen=True)
class Chunk:
    """Secrets lo to hi - 1 of the game's own list."""

    lo: int
    hi: int
    id: int

    @property
    def part(self) -> str:
        return f"desfasurare{self.id}.txt"

    def __str__(self) -> str:
        return f"chunk {self.id} (secrets {self.lo} to {self.hi - 1})"


def chunks(count: int, jobs: int) -> list[Chunk]:
    """Equal chunks; the last one takes the rest.

    >>> [(chunk.lo, chunk.hi) for chunk in chunks(11, 4)]
    [(0, 2), (2, 4), (4, 6), (6, 11)]
    """
    jobs = min(jobs, count)
    size = count // jobs
    ends = [*(size * (number + 1) for number in range(jobs - 1)), count]
    return [Chunk(size * number, hi, number) for number, hi in enumerate(ends)]


class _Pair:
    """The two programs of a chunk: what each says goes to the other."""

    def __init__(self, chunk: Chunk, game: Child, player: Child, now: float) -> None:
        self.chunk = chunk
        self.ends = {"game": game, "player": player}
        self.is_open = {"game": True, "player": True}
        """may it still say something?"""
        self.to_speak = "game"
        """who was the last to be told something"""
        self.heard = now
        self.game_began = now
        self.is_live = True

    @staticmethod
    def other(name: str) -> str:
        return "player" if name == "game" else "game"


class Connector:
    """Runs all chunks at once, in one loop."""

    def __init__(
        self,
        game: Sequence[str],
        player: Sequence[str],
        parts: Sequence[Chunk],
        limits: Limits,
        on_game: Callable[[], None],
        guard: Guard,
    ) -> None:
        self._commands = {"game": list(game), "player": list(player)}
        self._parts = parts
        self._limits = limits
        self._on_game = on_game
        self._guard = guard
        self._live: set[_Pair] = set()
        self._selector = selectors.DefaultSelector()
        self._now = 0.0
        self.faults: dict[Chunk, str] = {}
        self.exits: dict[Chunk, str] = {}
        """programs that ended with an error, which may explain an incomplete transcript"""

    def run(self, wakeup: Wakeup) -> None:
        """Until all chunks are done or at fault; every program is ended then."""
        self._now = time.monotonic()
        self._selector.register(wakeup.descriptor, selectors.EVENT_READ, wakeup.raise_if_asked)
        try:
            for chunk in self._parts:
                self._start(chunk)
            while self._live:
                wait = min(self._deadline(pair) for pair in self._live) - self._now
                for event, _ in self._selector.select(max(0.0, wait)):
                    event.data()
                self._now = time.monotonic()
                for pair in list(self._live):
                    if self._now >= self._deadline(pair):
                        self._expire(pair)
        finally:
            for pair in list(self._live):
                self._end(pair)
            self._selector.close()

    def _start(self, chunk: Chunk) -> None:
        numbers = [str(chunk.lo), str(chunk.hi), str(chunk.id)]
        game = Child([*self._commands["game"], *numbers], self._guard)
        try:
            player = Child(self._commands["player"], self._guard)
        except OSError:
            game.end()
            raise
        pair = _Pair(chunk, game, player, self._now)
        self._live.add(pair)
        for name, child in pair.ends.items():
            for descriptor, hear in (
                (child.stdout, partial(self._hear, pair, name)),
                (child.stderr, partial(self._hear_errors, pair, name)),
            ):
                self._selector.register(descriptor, selectors.EVENT_READ, hear)

    # ---- passing on

    def _hear(self, pair: _Pair, name: str) -> None:
        if not pair.is_live:
            return
        speaker, listener = pair.ends[name], pair.ends[pair.other(name)]
        data = speaker.receive()
        if data is None:
            return
        pair.heard = self._now
        if not data:
            self._closed(pair, name)
            return
        pair.to_speak = pair.other(name)
        if name == "game" and b"Go" in data:
            pair.game_began = self._now
            for _ in range(data.count(b"Go")):
                self._on_game()
        had_more = bool(listener.unsent)
        if listener.send(data) and not had_more:
            told = partial(self._pass_on, pair, name)
            self._selector.register(listener.stdin, selectors.EVENT_WRITE, told)
        if len(listener.unsent) > _MOST_UNREAD:  # listen again when this has been read
            self._selector.unregister(speaker.stdout)

    def _pass_on(self, pair: _Pair, name: str) -> None:
        """The other side reads again: tell it the rest, and listen to this one again."""
        if not pair.is_live:
            return
        speaker, listener = pair.ends[name], pair.ends[pair.other(name)]
        if listener.send(b""):
            return
        self._selector.unregister(listener.stdin)
        if not pair.is_open[name]:
            listener.close_input()
        elif speaker.stdout not in self._selector.get_map():
            hear = partial(self._hear, pair, name)
            self._selector.register(speaker.stdout, selectors.EVENT_READ, hear)

    def _hear_errors(self, pair: _Pair, name: str) -> None:
        child = pair.ends[name]
        if pair.is_live and child.receive_errors() == b"":
            self._selector.unregister(child.stderr)

    def _closed(self, pair: _Pair, name: str) -> None:
        """One side will say no more: the other is told so; with both closed the chunk is over."""
        pair.is_open[name] = False
        self._selector.unregister(pair.ends[name].stdout)
        listener = pair.ends[pair.other(name)]
        if not listener.unsent:
            listener.close_input()
        if not any(pair.is_open.values()):
            self._end(pair)

    # ---- deadlines

    def _deadline(self, pair: _Pair) -> float:
        if not pair.is_open["game"]:
            return pair.heard + GRACE  # the player has been told; it may go now
        if not pair.is_open["player"]:
            return pair.heard + self._limits.guess
        return min(pair.heard + self._limits.guess, pair.game_began + self._limits.game)

    def _expire(self, pair: _Pair) -> None:
        if all(pair.is_open.values()):
            if self._now >= pair.game_began + self._limits.game:
                fault = f"a game was not over after {self._limits.game:g} s"
            else:
                fault = f"the {pair.to_speak} was silent for {self._limits.guess:g} s"
            self.faults[pair.chunk] = fault
        elif pair.is_open["game"]:
            self.faults[pair.chunk] = "the player has gone and the game goes on"
        self._end(pair)

    def _end(self, pair: _Pair) -> None:
        pair.is_live = False
        self._live.discard(pair)
        watched = self._selector.get_map()
        for child in pair.ends.values():
            stdin = child.process.stdin
            for descriptor in (child.stdout, child.stderr):
                if descriptor in watched:
                    self._selector.unregister(descriptor)
            if stdin is not None and not stdin.closed and child.stdin in watched:
                self._selector.unregister(child.stdin)
        for name, child in pair.ends.items():
            how = child.end()
            if how is not None:
                last = child.last_errors[-1:]
                said = f": {last[0]!r}" if last else ""
                self.exits.setdefault(pair.chunk, f"the {name} ended with {how}{said}")


def connect(
    game: Sequence[str],
    player: Sequence[str],
    count: int,
    *,
    jobs: int = 1,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    directory: Path = Path(),
    progress: Callable[[int, int], None] | None = None,
) -> Connected:
    """Join the two programs for `count` secrets and their transcripts into `desfasurareFin.txt`.

    A chunk that fails is named with the reason, and the parts are kept.
    """
    if count < 1 or jobs < 1:
        raise InputError(f"{count} secrets and {jobs} jobs: give at least 1 of each")
    parts = chunks(count, jobs)
    for chunk in parts:  # what an earlier run left must not pass for this one's
        (directory / chunk.part).unlink(missing_ok=True)
    begun = 0

    def on_game() -> None:
        nonlocal begun
        begun += 1
        if progress is not None:
            progress(begun, count)

    start = time.monotonic()
    with Guard() as guard, stoppable() as wakeup:
        connector = Connector(game, player, parts, limits, on_game, guard)
        try:
            connector.run(wakeup)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot start {len(parts)} pairs of programs: {reason}") from None
    faults = dict(connector.faults)
    lines: list[str] = []
    total = 0
    for chunk in parts:
        if chunk not in faults:
            try:
                games, guesses = read_part(directory / chunk.part, chunk)
            except InputError as error:
                faults[chunk] = connector.exits.get(chunk, str(error))
                continue
            lines += games
            total += guesses
    if faults:
        first, why = next(iter(faults.items()))
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        kept = [chunk.part for chunk in parts if (directory / chunk.part).exists()]
        shown = f"; kept: {', '.join(kept)}" if kept else ""
        raise InputError(f"{first}: {why}{more}{shown}")
    with output(directory / FINAL) as file:
        file.writelines(f"{line}\n".encode() for line in lines)
    for chunk in parts:
        (directory / chunk.part).unlink()
    return Connected(
        game=" ".join(game),
        player=" ".join(player),
        answers=count,
        total=total,
        mean=total / count,
        jobs=len(parts),
        seconds=round(time.monotonic() - start, 3),
    )


def read_part(path: Path, chunk: Chunk) -> tuple[list[str], int]:
    """The games of a chunk, and their number of guesses from the last line."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise InputError(f"the game wrote no {path.name}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name} cannot be read: {error}") from None
    lines = [line for line in text.split("\n") if line.strip()]
    games = [line for line in lines if not line.strip().isdigit()]
    numbers = [int(line) for line in lines if line.strip().isdigit()]
    if len(games) != chunk.hi - chunk.lo or not numbers:
        raise InputError(
            f"{path.name} has {len(games)} games of {chunk.hi - chunk.lo}; "
            "the game ends it with the number of guesses"
        )
    return games, sum(numbers)
