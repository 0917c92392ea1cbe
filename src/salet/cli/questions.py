"""Questions to the coach about a position: a step of help, or the rating of a guess."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Group

    from salet.coach.advice import Advice
    from salet.coach.coach import AdviceOptions, Coach
    from salet.coach.hints import Hint
    from salet.coach.joint_adviser import JointAdvice
    from salet.coach.joint_hints import JointHint, JointRating
    from salet.coach.position import Position
    from salet.coach.rating import Rating
    from salet.game.joint_state import JointState

    Answer = Advice | Hint | Rating
    JointAnswer = JointAdvice | JointHint | JointRating

COUNT, LETTERS, REVEAL = 1, 3, 4
"""Steps of help (see `salet.coach.hints`): how many words fit, letters to test, the best guess."""


@dataclass(frozen=True)
class Question:
    """A step of help, or the rating of a guess."""

    step: int = REVEAL
    idea: str | None = None

    def answers(
        self,
        position: Position,
        options: AdviceOptions,
        cancel: Callable[[], bool] | None = None,
    ) -> Iterator[Answer]:
        """Yield the coach's answers, ever tighter."""
        coach = position.coach
        if self.idea is not None:
            yield from coach.rate(position, self.idea, options, cancel=cancel)
        elif self.step == REVEAL:
            yield from coach.suggest(position, options, cancel=cancel)
        else:
            yield coach.hint(position, self.step, options, cancel=cancel)

    def joint_answers(
        self,
        coach: Coach,
        state: JointState,
        options: AdviceOptions,
        cancel: Callable[[], bool] | None = None,
    ) -> Iterator[JointAnswer]:
        """Yield the coach's answers on several boards, ever better."""
        if self.idea is not None:
            yield from coach.rate_joint(state, self.idea, options, cancel=cancel)
        elif self.step == REVEAL:
            yield from coach.suggest_joint(state, options, cancel=cancel)
        else:
            yield coach.hint_joint(state, self.step, options, cancel=cancel)

    def likelihood_change(
        self, position: Position, options: AdviceOptions, answer: Answer
    ) -> str | None:
        """What the weights of the answers changed, revealing no more than the answer does; None
        without weights, and for hints without values."""
        coach = position.coach
        if coach.equal is coach:
            return None
        from salet.coach.likelihood_change import rating_change
        from salet.coach.rating import Rating

        if isinstance(answer, Rating):
            equal = coach.equal_position(position)
            *_, other = equal.coach.rate(equal, answer.guess, options)
            return rating_change(answer, other)
        if self.step in (COUNT, LETTERS):
            return None
        found = coach.likelihood_change(position, answer, options)
        return found.spoiler if self.step == REVEAL else found.text


def view(answer: Answer | JointAnswer) -> Group:
    """An answer for the terminal."""
    from salet.cli.render.advice import advice_view, hint_view, joint_advice_view, rating_view
    from salet.coach.advice import Advice

    if isinstance(answer, Advice):
        return advice_view(answer)
    from salet.coach.joint_adviser import JointAdvice
    from salet.coach.joint_hints import JointRating
    from salet.coach.rating import Rating

    if isinstance(answer, JointAdvice):
        return joint_advice_view(answer)
    return rating_view(answer) if isinstance(answer, Rating | JointRating) else hint_view(answer)


def to_fields(answer: Answer | JointAnswer) -> dict[str, Any]:
    """An answer as `--json` prints it."""
    import msgspec

    fields: dict[str, Any] = msgspec.to_builtins(answer)
    return fields
