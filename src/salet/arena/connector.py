"""The piped connector of 2022: joins a game and a player that are both foreign programs.

The secrets are split into chunks of equal size, the last one taking the remainder. For each chunk
`GAME lo hi id` and the player are started, and each one's output is passed to the other. The game
writes `desfasurare<id>.txt`; when all chunks are done the parts are concatenated in order.

Data passes through this process, instead of a pipe between the two programs: that is the only way
to know which of them is silent.
"""

from __future__ import annotations

import selectors
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from salet.arena.child_process import ChildProcess
from salet.arena.match import STOP_GRACE, Limits
from salet.arena.reaper import Reaper, require_process_groups
from salet.arena.signals import StopRequest, deferred_signals
from salet.errors import InputError
from salet.storage import output

TRANSCRIPT = "desfasurareFin.txt"
_MAX_UNREAD_BYTES = 1 << 16


class ConnectorResult(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of `salet connect --json`."""

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
        """Name of the transcript that the game writes."""
        return f"desfasurare{self.id}.txt"

    def __str__(self) -> str:
        return f"chunk {self.id} (secrets {self.lo} to {self.hi - 1})"


def split_into_chunks(count: int, jobs: int) -> list[Chunk]:
    """Split `count` secrets into at most `jobs` equal chunks; the last takes the remainder.

    >>> [(chunk.lo, chunk.hi) for chunk in split_into_chunks(11, 4)]
    [(0, 2), (2, 4), (4, 6), (6, 11)]
    """
    jobs = min(jobs, count)
    size = count // jobs
    ends = [*(size * (number + 1) for number in range(jobs - 1)), count]
    return [Chunk(size * number, hi, number) for number, hi in enumerate(ends)]


class _Pair:
    """The game and the player of one chunk."""

    def __init__(self, chunk: Chunk, game: ChildProcess, player: ChildProcess, now: float) -> None:
        self.chunk = chunk
        self.children = {"game": game, "player": player}
        self.is_open = {"game": True, "player": True}
        """Whether its output is still open."""
        self.expected_speaker = "game"
        """The program that was sent data last."""
        self.last_output = now
        self.game_start = now
        self.is_live = True

    @staticmethod
    def other(name: str) -> str:
        return "player" if name == "game" else "game"


class Connector:
    """Runs all chunks at once in one event loop."""

    def __init__(
        self,
        game: Sequence[str],
        player: Sequence[str],
        chunks: Sequence[Chunk],
        limits: Limits,
        on_game: Callable[[], None],
        reaper: Reaper,
    ) -> None:
        self._commands = {"game": list(game), "player": list(player)}
        self._chunks = chunks
        self._limits = limits
        self._on_game = on_game
        self._reaper = reaper
        self._live: set[_Pair] = set()
        self._selector = selectors.DefaultSelector()
        self._now = 0.0
        self.faults: dict[Chunk, str] = {}
        self.exit_reasons: dict[Chunk, str] = {}
        """Programs that ended with an error, which may explain an incomplete transcript."""

    def run(self, stop: StopRequest) -> None:
        """Run until every chunk is done or failed; all programs are killed before this returns."""
        self._now = time.monotonic()
        self._selector.register(stop.descriptor, selectors.EVENT_READ, stop.raise_if_set)
        try:
            for chunk in self._chunks:
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
                self._kill(pair)
            self._selector.close()

    def _start(self, chunk: Chunk) -> None:
        numbers = [str(chunk.lo), str(chunk.hi), str(chunk.id)]
        game = ChildProcess([*self._commands["game"], *numbers], self._reaper)
        try:
            player = ChildProcess(self._commands["player"], self._reaper)
        except OSError:
            game.kill()
            raise
        pair = _Pair(chunk, game, player, self._now)
        self._live.add(pair)
        for name, child in pair.children.items():
            for descriptor, callback in (
                (child.stdout, self._on_stdout),
                (child.stderr, self._on_stderr),
            ):
                self._selector.register(
                    descriptor, selectors.EVENT_READ, partial(callback, pair, name)
                )

    # ---- passing data on

    def _on_stdout(self, pair: _Pair, name: str) -> None:
        if not pair.is_live:
            return
        speaker, listener = pair.children[name], pair.children[pair.other(name)]
        data = speaker.read_stdout()
        if data is None:
            return
        pair.last_output = self._now
        if not data:
            self._on_stdout_closed(pair, name)
            return
        pair.expected_speaker = pair.other(name)
        if name == "game" and b"Go" in data:
            pair.game_start = self._now
            for _ in range(data.count(b"Go")):
                self._on_game()
        had_unsent = bool(listener.unsent)
        if listener.send(data) and not had_unsent:
            flush = partial(self._on_writable, pair, name)
            self._selector.register(listener.stdin, selectors.EVENT_WRITE, flush)
        if len(listener.unsent) > _MAX_UNREAD_BYTES:  # read on when this has been sent
            self._selector.unregister(speaker.stdout)

    def _on_writable(self, pair: _Pair, name: str) -> None:
        """Send the rest of the output of `name`, then read its output again."""
        if not pair.is_live:
            return
        speaker, listener = pair.children[name], pair.children[pair.other(name)]
        if listener.send(b""):
            return
        self._selector.unregister(listener.stdin)
        if not pair.is_open[name]:
            listener.close_stdin()
        elif speaker.stdout not in self._selector.get_map():
            callback = partial(self._on_stdout, pair, name)
            self._selector.register(speaker.stdout, selectors.EVENT_READ, callback)

    def _on_stderr(self, pair: _Pair, name: str) -> None:
        child = pair.children[name]
        if pair.is_live and child.read_stderr() == b"":
            self._selector.unregister(child.stderr)

    def _on_stdout_closed(self, pair: _Pair, name: str) -> None:
        """Close the other side's input; with both outputs closed the chunk is over."""
        pair.is_open[name] = False
        self._selector.unregister(pair.children[name].stdout)
        listener = pair.children[pair.other(name)]
        if not listener.unsent:
            listener.close_stdin()
        if not any(pair.is_open.values()):
            self._kill(pair)

    # ---- deadlines

    def _deadline(self, pair: _Pair) -> float:
        if not pair.is_open["game"]:
            return pair.last_output + STOP_GRACE  # the player's input is closed: it should exit
        if not pair.is_open["player"]:
            return pair.last_output + self._limits.guess
        return min(pair.last_output + self._limits.guess, pair.game_start + self._limits.game)

    def _expire(self, pair: _Pair) -> None:
        if all(pair.is_open.values()):
            if self._now >= pair.game_start + self._limits.game:
                fault = f"a game was not over after {self._limits.game:g} s"
            else:
                fault = f"the {pair.expected_speaker} was silent for {self._limits.guess:g} s"
            self.faults[pair.chunk] = fault
        elif pair.is_open["game"]:
            self.faults[pair.chunk] = "the player is gone but the game is still running"
        self._kill(pair)

    def _kill(self, pair: _Pair) -> None:
        pair.is_live = False
        self._live.discard(pair)
        registered = self._selector.get_map()
        for child in pair.children.values():
            for descriptor in (child.stdout, child.stderr):
                if descriptor in registered:
                    self._selector.unregister(descriptor)
            if child.can_write and child.stdin in registered:
                self._selector.unregister(child.stdin)
        for name, child in pair.children.items():
            reason = child.kill()
            if reason is not None:
                last_line = child.last_stderr_lines[-1:]
                shown = f": {last_line[0]!r}" if last_line else ""
                self.exit_reasons.setdefault(pair.chunk, f"the {name} ended with {reason}{shown}")


def connect(
    game: Sequence[str],
    player: Sequence[str],
    count: int,
    *,
    jobs: int = 1,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    directory: Path = Path(),
    progress: Callable[[int, int], None] | None = None,
) -> ConnectorResult:
    """Let the programs play `count` secrets and write their games to `desfasurareFin.txt`.

    The error for a failed chunk says why; the transcripts of the chunks that were played remain.
    """
    require_process_groups("the connector")
    if count < 1 or jobs < 1:
        raise InputError(f"{count} secrets and {jobs} jobs: give at least 1 of each")
    chunks = split_into_chunks(count, jobs)
    for chunk in chunks:  # a part of an earlier run must not be taken for one of this run
        (directory / chunk.part).unlink(missing_ok=True)
    start = time.monotonic()
    connector = _run_connector(game, player, chunks, limits, progress)
    games, total = _collect(connector, chunks, directory)
    with output(directory / TRANSCRIPT) as file:
        file.writelines(f"{line}\n".encode() for line in games)
    for chunk in chunks:
        (directory / chunk.part).unlink()
    return ConnectorResult(
        game=" ".join(game),
        player=" ".join(player),
        answers=count,
        total=total,
        mean=total / count,
        jobs=len(chunks),
        seconds=round(time.monotonic() - start, 3),
    )


def _run_connector(
    game: Sequence[str],
    player: Sequence[str],
    chunks: Sequence[Chunk],
    limits: Limits,
    progress: Callable[[int, int], None] | None,
) -> Connector:
    """Run all chunks; `progress` is called with (games begun, games of all chunks)."""
    begun = 0

    def on_game() -> None:
        nonlocal begun
        begun += 1
        if progress is not None:
            progress(begun, chunks[-1].hi)

    with Reaper() as reaper, deferred_signals() as stop:
        connector = Connector(game, player, chunks, limits, on_game, reaper)
        try:
            connector.run(stop)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot start {len(chunks)} pairs of programs: {reason}") from None
    return connector


def _collect(
    connector: Connector, chunks: Sequence[Chunk], directory: Path
) -> tuple[list[str], int]:
    """The games of all chunks and their number of guesses; raises an error if one chunk failed."""
    faults = dict(connector.faults)
    games: list[str] = []
    total = 0
    for chunk in chunks:
        if chunk not in faults:
            try:
                part, guesses = read_part(directory / chunk.part, chunk)
            except InputError as error:
                faults[chunk] = connector.exit_reasons.get(chunk, str(error))
                continue
            games += part
            total += guesses
    if faults:
        first, reason = next(iter(faults.items()))
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        kept = [chunk.part for chunk in chunks if (directory / chunk.part).exists()]
        shown = f"; kept: {', '.join(kept)}" if kept else ""
        raise InputError(f"{first}: {reason}{more}{shown}")
    return games, total


def read_part(path: Path, chunk: Chunk) -> tuple[list[str], int]:
    """The games of a chunk and their number of guesses, which is on the last line."""
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
            "its last line must be the number of guesses"
        )
    return games, sum(numbers)
