"""Plans: decision trees as values, to save, load, play and hand around.

A plan answers every feedback of every game with one guess. It is found by a search, or grown from
any player; `salet.verification.plans` checks it with code of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from salet.errors import DataError, InputError
from salet.game.game import Game
from salet.game.packs.store import checksum
from salet.game.state import State
from salet.plan_formats import Document, Node, write_indented, write_json, write_paths
from salet.storage import output
from salet.verification.plans import read_plan


@dataclass(frozen=True, eq=False)
class Plan:
    """A decision tree for a game."""

    game: Game
    root: Node
    facts: dict[str, Any] = field(default_factory=dict)
    """what is known of it: total, worst, proven, objective, command, version …"""
    histogram: dict[int, int] = field(default_factory=dict)
    """of a grown plan: answers by the guesses they take from its root"""

    @staticmethod
    def grow(
        game: Game,
        choose: Callable[[State], str | int],
        start: State | None = None,
        *,
        sure: bool = False,
        **facts: Any,
    ) -> Plan:
        """The tree of all answers to a player's guesses.

        A player that is `sure` guesses the only answer that is left, and is not asked.
        """
        first = game.start() if start is None else start
        turns: Counter[int] = Counter()
        root = _grow(first, choose, sure, turns)
        counts = {turn - first.turn: turns[turn] for turn in sorted(turns)}
        return Plan(game, root, facts, counts)

    @staticmethod
    def load(path: str | Path, game: Game) -> Plan:
        """A plan in any format that `salet verify` reads."""
        document = read_plan(Path(path))
        header = dict(document.header)
        header.pop("format", None)
        if header.get("words") not in (None, _words(game)):
            raise DataError(f"{str(path)!r} is a plan for other word lists than {game.name!r}")
        root = document.root if document.root is not None else _from_games(document, game)
        return Plan(game, root, header)

    def save(self, path: str | Path, style: str | None = None) -> None:
        """Write it: style `json`, `tree` (indented), `paths` or `games`; by the name if not given
        (.json, .tree, .txt)."""
        target = Path(path)
        chosen = style or {".json": "json", ".txt": "games"}.get(target.suffix, "tree")
        with output(target) as file:
            file.write(self.text(chosen).encode())

    def text(self, style: str = "tree") -> str:
        """The plan in one of the published styles."""
        game = self.game
        if style == "json":
            about = {"game": game.name, "rule": game.rule.name, "mode": game.mode, "cap": game.cap}
            return write_json(self.root, {**about, "words": _words(game), **self.facts})
        if style == "games":
            return "".join(" ".join(line) + "\n" for line in self.games())
        winning = game.show(game.win)
        writers = {"tree": write_indented, "paths": write_paths}
        if style not in writers:
            raise InputError(f"plan style {style!r}: there are json, tree, paths and games")
        return writers[style](self.root, winning, set(game.answers))

    def games(self) -> Iterator[list[str]]:
        """The guesses of every answer's game, in the order of answers."""
        game = self.game
        for answer in range(game.answer_count):
            node: Node | None = self.root
            line: list[str] = []
            while node is not None:
                line.append(node.guess)
                pattern = int(game.table[game.index(node.guess), answer])
                node = None if pattern == game.win else node.branches.get(game.show(pattern))
            yield line

    def choose(self, state: State) -> str:
        """The plan's guess in a state that play by the plan leads to."""
        node = self.root
        for guess, feedback in state.turns:
            below = node.branches.get(feedback)
            if guess != node.guess or below is None:
                raise InputError(f"the plan has no answer to {_shown(state)}")
            node = below
        return node.guess


def _shown(state: State) -> str:
    return " ".join(f"{guess}:{feedback}" for guess, feedback in state.turns)


def _words(game: Game) -> str:
    """A short digest of the lists that a plan is for."""
    return f"{checksum(game.answers)[:12]}/{checksum(game.guesses)[:12]}"


def _from_games(document: Document, game: Game) -> Node:
    """The tree that games published one a line come from."""
    root: Node | None = None
    for line in document.games:
        secret = game.answer_index(line.secret)
        node: Node | None = None
        feedback = ""
        for word in line.guesses:
            guess = game.index(word)
            spelled = game.guesses[guess]
            if node is None:
                root = root or Node(spelled, line=line.number)
                below = root
            else:
                below = node.branches.setdefault(feedback, Node(spelled, line=line.number))
            if below.guess != spelled:
                raise DataError(
                    f"line {line.number} guesses {word!r} where line {below.line} guesses "
                    f"{below.guess!r} after the same feedback; a plan always guesses the same"
                )
            node = below
            feedback = game.show(int(game.table[guess, secret]))
    assert root is not None  # a document without a tree has at least one game
    return root


def _grow(
    state: State, choose: Callable[[State], str | int], sure: bool, turns: Counter[int]
) -> Node:
    """The tree below a state; `turns` counts the answers by the turn that finds them.

    Not a function inside `grow`: one that calls itself would keep the player and all it has
    allocated until the garbage collector comes.
    """
    guess = state.check(choose(state))
    game = state.game
    here = Node(game.guesses[guess])
    left = state.guesses_left
    for pattern, below in state.groups(guess).items():
        if pattern == game.win:
            turns[below.turn] += 1
        elif left is None or left > 1:
            if sure and len(below.candidates) == 1:
                turns[below.turn + 1] += 1
                branch = Node(game.guesses[below.candidates[0]])
            else:
                branch = _grow(below, choose, sure, turns)
            here.branches[game.show(pattern)] = branch
    return here
