"""A plan as a tree to walk: counts and a histogram at every node, children asked for one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from salet.array_types import Indices
from salet.errors import UnknownNameError
from salet.game.game import Game
from salet.plan_formats import PlanNode as Node
from salet.search.plan import Plan
from salet.search.splits import splits
from salet.web.shapes import Row, Shape

MOST_WORDS = 400
"""answers that a node lists by name"""


class PlanFacts(Shape):
    """A shipped plan in one line."""

    game: str
    mode: str
    cap: int | None
    opener: str
    answers: int
    total: int
    worst: int
    proven: bool


class Branch(Shape):
    """What follows one feedback."""

    feedback: str
    answers: int
    guess: str | None = Field(description="The next guess; none where the game is won.")
    total: int = Field(description="Guesses still to come, over all answers of the branch.")
    worst: int
    word: str | None = Field(description="The answer, where only one is left.")


class PlanNode(Shape):
    """One node of a plan."""

    game: str
    mode: str
    path: list[Row]
    guess: str
    is_answer: bool = Field(description="Can this guess win?")
    answers: int
    words: list[str] = Field(description=f"The answers, {MOST_WORDS} of them at most.")
    total: int = Field(description="Guesses from here, this one included, over all answers.")
    mean: float
    worst: int
    histogram: dict[int, int] = Field(description="Answers by the guesses they take from here.")
    branches: list[Branch] = Field(description="Largest first.")


class WordPath(Shape):
    """How a plan finds one answer."""

    word: str
    rows: list[Row]


class OpenerSplit(Shape):
    """How a first guess splits the answers."""

    guess: str
    is_answer: bool
    answers: int
    groups: int
    largest: int
    expected: float = Field(description="Mean size of the group that the answer is in.")
    bits: float
    sizes: list[int] = Field(description="Sizes of all groups, largest first.")


@dataclass(frozen=True)
class Step:
    """A node of the plan with all that is asked of it."""

    guess: str
    answers: Indices
    histogram: dict[int, int]
    below: dict[str, Step]

    @property
    def total(self) -> int:
        return sum(size * count for size, count in self.histogram.items())

    @property
    def worst(self) -> int:
        return max(self.histogram, default=0)


class Walk:
    """A plan, grown once into steps."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.game: Game = plan.game
        self.winning = self.game.show(self.game.win)
        self.root = self._grow(plan.root, self.game.start().candidates)

    def _grow(self, node: Node, answers: Indices) -> Step:
        game = self.game
        row = game.table[game.index(node.guess), answers]
        counts: Counter[int] = Counter()
        below: dict[str, Step] = {}
        for pattern in sorted(set(row.tolist())):
            if pattern == game.win:
                counts[1] += 1
                continue
            feedback = game.show(pattern)
            if feedback not in node.branches:
                continue  # the cap is reached: these answers are lost
            step = self._grow(node.branches[feedback], answers[row == pattern])
            below[feedback] = step
            counts.update({size + 1: count for size, count in step.histogram.items()})
        return Step(node.guess, answers, dict(sorted(counts.items())), below)

    def facts(self) -> PlanFacts:
        """What the list of plans says of it."""
        return PlanFacts(
            game=self.game.name,
            mode=self.game.mode,
            cap=self.game.cap,
            opener=self.root.guess,
            answers=len(self.root.answers),
            total=self.root.total,
            worst=self.root.worst,
            proven=bool(self.plan.facts.get("proven", False)),
        )

    def node(self, feedbacks: Sequence[str]) -> PlanNode:
        """The node after this feedback to each of the plan's guesses."""
        step = self.root
        path: list[Row] = []
        for given in feedbacks:
            feedback = self._spelled(given)
            if feedback not in step.below:
                raise UnknownNameError(
                    f"feedback to {step.guess!r}:", given, step.below, "no answer gives it"
                )
            path.append(Row(guess=step.guess, feedback=feedback))
            step = step.below[feedback]
        return self._shown(step, path)

    def _spelled(self, feedback: str) -> str:
        """Feedback in any notation, as the plan writes it."""
        game = self.game
        return game.rule.notation.format(game.code(feedback), game.length)

    def _shown(self, step: Step, path: list[Row]) -> PlanNode:
        words = self.game.guesses
        branches = [
            Branch(
                feedback=feedback,
                answers=len(below.answers),
                guess=below.guess,
                total=below.total,
                worst=below.worst,
                word=words[below.answers[0]] if len(below.answers) == 1 else None,
            )
            for feedback, below in step.below.items()
        ]
        if 1 in step.histogram:
            won = Branch(
                feedback=self.winning, answers=1, guess=None, total=0, worst=0, word=step.guess
            )
            branches.append(won)
        branches.sort(key=lambda branch: (-branch.answers, branch.feedback))
        return PlanNode(
            game=self.game.name,
            mode=self.game.mode,
            path=path,
            guess=step.guess,
            is_answer=1 in step.histogram,
            answers=len(step.answers),
            words=[words[place] for place in step.answers[:MOST_WORDS]],
            total=step.total,
            mean=step.total / len(step.answers),
            worst=step.worst,
            histogram=step.histogram,
            branches=branches,
        )

    def path(self, word: str) -> WordPath:
        """The plan's game against one answer."""
        answer = self.game.answer_index(word)
        rows: list[Row] = []
        step: Step | None = self.root
        while step is not None:
            feedback = self.game.show(int(self.game.table[self.game.index(step.guess), answer]))
            rows.append(Row(guess=step.guess, feedback=feedback))
            step = step.below.get(feedback)
        return WordPath(word=self.game.guesses[answer], rows=rows)


def opener_split(game: Game, word: str) -> OpenerSplit:
    """What one first guess does to all answers."""
    state = game.start()
    place = game.index(word)
    found = splits(state, state.legal[place : place + 1])
    groups = state.groups(place)
    return OpenerSplit(
        guess=game.guesses[place],
        is_answer=bool(found.is_candidate[0]),
        answers=found.answers,
        groups=int(found.parts[0]),
        largest=int(found.largest[0]),
        expected=float(found.squares[0]) / found.answers,
        bits=float(found.entropy[0]),
        sizes=sorted((len(below.candidates) for below in groups.values()), reverse=True),
    )
