"""Plans: decision trees as values that can be saved, loaded, played and verified.

A plan has one guess for every feedback that play by it can meet. A search finds it, or it is grown
from any player; `salet.verification.plans` checks it with code of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from salet.errors import DataError, InputError
from salet.game.game import Game
from salet.game.packs.store import lists_digest
from salet.game.state import State
from salet.plan_formats import (
    Document,
    PlanNode,
    read_plan,
    write_indented,
    write_json,
    write_paths,
)
from salet.storage import output


@dataclass(frozen=True, eq=False)
class Plan:
    """A decision tree for a game."""

    game: Game
    root: PlanNode
    facts: dict[str, Any] = field(default_factory=dict)
    """what is known about it: total, worst, proven, objective, command, version …"""
    histogram: dict[int, int] = field(default_factory=dict)
    """number of answers by the guesses they take from the root; only grown plans have it"""

    def __repr__(self) -> str:
        facts = "".join(f", {name} {fact}" for name, fact in self.facts.items())
        return f"Plan({self.game.name}, {self.game.mode}, opener {self.root.guess}{facts})"

    @staticmethod
    def grow(
        game: Game,
        choose: Callable[[State], str | int],
        start: State | None = None,
        *,
        sure: bool = False,
        **facts: Any,
    ) -> Plan:
        """Build the tree of a player's guesses in every state that its play can reach.

        If the player is `sure` to guess an answer that is the only one left, it is not asked there.
        """
        first = game.start() if start is None else start
        turns: Counter[int] = Counter()
        root = _grow(first, choose, sure, turns)
        counts = {turn - first.turn: turns[turn] for turn in sorted(turns)}
        return Plan(game, root, facts, counts)

    @staticmethod
    def load(path: str | Path, game: Game) -> Plan:
        """Load a plan in any format that `salet verify` reads."""
        document = read_plan(Path(path))
        header = dict(document.header)
        header.pop("format", None)
        if header.get("words") not in (None, lists_digest(game.answers, game.guesses)):
            raise DataError(f"{str(path)!r} is a plan for word lists other than {game.name!r}")
        root = document.root if document.root is not None else _from_games(document, game)
        return Plan(game, root, header)

    def save(self, path: str | Path, style: str | None = None) -> None:
        """Write the plan in a style: `json`, `tree` (indented), `paths` or `games`.

        Without one the file's suffix decides: .json is `json`, .txt `games`, any other `tree`.
        """
        target = Path(path)
        chosen = style or {".json": "json", ".txt": "games"}.get(target.suffix, "tree")
        with output(target) as file:
            file.write(self.text(chosen).encode())

    @property
    def header(self) -> dict[str, Any]:
        """The game that the plan is for, and its facts: what precedes the tree in a file."""
        game = self.game
        settings = {"game": game.name, "rule": game.rule.name, "mode": game.mode, "cap": game.cap}
        return {**settings, "words": lists_digest(game.answers, game.guesses), **self.facts}

    def text(self, style: str = "tree") -> str:
        """The plan as text in one of the styles of `save`."""
        game = self.game
        if style == "json":
            return write_json(self.root, self.header)
        if style == "games":
            return "".join(" ".join(line) + "\n" for line in self.games())
        winning = game.show(game.win)
        writers = {"tree": write_indented, "paths": write_paths}
        if style not in writers:
            raise InputError(f"unknown plan style {style!r}; use json, tree, paths or games")
        return writers[style](self.root, winning, set(game.answers))

    def games(self) -> Iterator[list[str]]:
        """Yield the guesses of every answer's game, in the order of the answers."""
        game = self.game
        for answer in range(game.answer_count):
            node: PlanNode | None = self.root
            line: list[str] = []
            while node is not None:
                line.append(node.guess)
                pattern = int(game.table[game.index(node.guess), answer])
                node = None if pattern == game.win else node.branches.get(game.show(pattern))
            yield line

    def choose(self, state: State) -> str:
        """The plan's guess in a state that play by the plan reaches."""
        node = self.root
        for guess, feedback in state.turns:
            child = node.branches.get(feedback)
            if guess != node.guess or child is None:
                rows = " ".join(f"{guess}:{feedback}" for guess, feedback in state.turns)
                raise InputError(f"the plan has no guess after {rows}")
            node = child
        return node.guess


def _from_games(document: Document, game: Game) -> PlanNode:
    """Build the tree from games that were published one per line."""
    root: PlanNode | None = None
    for line in document.games:
        secret = game.answer_index(line.secret)
        node: PlanNode | None = None
        feedback = ""
        for word in line.guesses:
            guess = game.index(word)
            spelled = game.guesses[guess]
            if node is None:
                root = root or PlanNode(spelled, line=line.number)
                child = root
            else:
                child = node.branches.setdefault(feedback, PlanNode(spelled, line=line.number))
            if child.guess != spelled:
                raise DataError(
                    f"line {line.number} guesses {word!r} where line {child.line} guesses "
                    f"{child.guess!r} after the same feedback; "
                    "a plan makes one guess after each feedback"
                )
            node = child
            feedback = game.show(int(game.table[guess, secret]))
    assert root is not None  # a document without a tree has at least one game
    return root


def _grow(
    state: State, choose: Callable[[State], str | int], sure: bool, turns: Counter[int]
) -> PlanNode:
    """Build the tree below a state; `turns` counts the answers by the turn that finds them.

    This is not a closure of `grow`, because a recursive closure would keep the player and all its
    memory alive until the garbage collector runs.
    """
    guess = state.check(choose(state))
    game = state.game
    node = PlanNode(game.guesses[guess])
    left = state.guesses_left
    for pattern, child in state.groups(guess).items():
        if pattern == game.win:
            turns[child.turn] += 1
        elif left is None or left > 1:
            if sure and len(child.candidates) == 1:
                turns[child.turn + 1] += 1
                branch = PlanNode(game.guesses[child.candidates[0]])
            else:
                branch = _grow(child, choose, sure, turns)
            node.branches[game.show(pattern)] = branch
    return node
