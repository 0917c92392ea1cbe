"""The coach of one game. What is expensive to build is built once and shared by all questions."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from salet.array_types import Ints
from salet.errors import InputError
from salet.game.game import Game
from salet.game.state import State
from salet.game.weights import prior_weights, read_weights
from salet.numeric.jit import code_digest
from salet.plan_formats import PlanNode
from salet.search.budget import Budget
from salet.search.objectives import check_objective
from salet.search.opener_table import OpenerTable, shipped_openers
from salet.search.plan import Plan
from salet.search.reply_book import Reply, ReplyBook, shipped_replies
from salet.search.shipped import shipped_plan
from salet.search.value import Evaluator
from salet.storage import cache_root

if TYPE_CHECKING:
    from salet.coach.advice import Advice
    from salet.coach.analysis import Alternative, Analysis
    from salet.coach.grids import Grid
    from salet.coach.hints import Hint
    from salet.coach.joint_adviser import JointAdvice, JointAdviser
    from salet.coach.joint_analysis import JointAnalysis
    from salet.coach.joint_hints import JointHint, JointRating
    from salet.coach.likelihood_change import LikelihoodChange
    from salet.coach.position import Position
    from salet.coach.rating import Rating
    from salet.game.joint_state import JointState
    from salet.game.rows import Rows


@dataclass(frozen=True)
class AdviceOptions:
    """Options of a question."""

    objective: str = "mean"
    """one of salet.search.objectives.OBJECTIVES"""
    seconds: float = 5.0
    """time limit"""
    count: int = 11
    """guesses to list"""
    consider: tuple[str, ...] = ()
    """guesses to list even if they are not among the best"""


class Coach:
    """Gives advice on one game from its plan, its table of openers, its book of replies and exact
    search.

    It is thread-safe.

    >>> coach = Coach(Game(["apple", "angle", "ankle"]))
    >>> *_, advice = coach.suggest()
    >>> advice.guess, advice.proven
    ('angle', True)
    """

    def __init__(
        self, game: Game, *, past: Collection[str] = (), weights: str | Path | None = None
    ) -> None:
        """`past` are answers used before, which are less likely. `weights` is `prior` or a file of
        `word weight` lines; without it all answers are equally likely."""
        self.past = frozenset(past)
        self.weighting = "equal" if weights is None else str(weights)
        self.likelihood: Ints = prior_weights(game, past)
        """a weight for every guess, by which words are ordered"""
        self.unweighted = game
        """the game with all answers equally likely"""
        if weights is not None:
            own = (
                self.likelihood[: game.answer_count].tolist()
                if weights == "prior"
                else read_weights(Path(weights), game)
            )
            game = game.replace(weights=own)
        self.game = game

    def __repr__(self) -> str:
        return f"Coach({self.game!r}, weights {self.weighting})"

    # ---- questions

    def position(self, rows: Rows = "") -> Position:
        """The position after rows such as `crane:bybbg slate:bbgby`."""
        from salet.coach.position import read_position
        from salet.game.rows import parse_rows

        return read_position(self, parse_rows(rows))

    def suggest(
        self,
        position: Position | State | Rows = "",
        options: AdviceOptions | None = None,
        *,
        cancel: Callable[[], bool] | None = None,
    ) -> Iterator[Advice]:
        """Yield what to guess next: advice at once, then ever tighter. The last one is the best.

        `cancel` is polled every few milliseconds; closing the generator ends the search as well.
        """
        position = self._open_position(position)
        options = options or AdviceOptions()
        check_objective(options.objective)
        for word in options.consider:
            position.state.check(word)
        clock = Budget(options.seconds, cancel=cancel).start()
        if self.game.host == "adversary":
            from salet.coach.adversary_adviser import AdversaryAdviser

            yield from AdversaryAdviser(position, options, clock).advise()
        else:
            from salet.coach.adviser import Adviser

            yield from Adviser(position, options, clock).advise()

    def suggest_joint(
        self,
        state: JointState | str = "",
        options: AdviceOptions | None = None,
        *,
        cancel: Callable[[], bool] | None = None,
    ) -> Iterator[JointAdvice]:
        """Yield what to guess next on several boards: advice at once, then better."""
        options = options or AdviceOptions()
        if options.objective != "mean":
            raise InputError(f"objective {options.objective!r} is for one board; use 'mean'")
        joint = self.game.joint_state(state) if isinstance(state, str) else state
        yield from self.joint_adviser.advise(
            joint,
            seconds=options.seconds,
            count=options.count,
            consider=options.consider,
            cancel=cancel,
        )

    def hint_joint(
        self,
        state: JointState | str = "",
        step: int = 1,
        options: AdviceOptions | None = None,
        *,
        cancel: Callable[[], bool] | None = None,
    ) -> JointHint:
        """The steps of `hint` on several boards.

        >>> Coach(Game(["apple", "angle", "ankle"], cap=6, boards=2)).hint_joint("", 1).text
        'words that fit, board by board: 3, 3; 6 guesses are left'
        """
        from salet.coach.hints import LETTERS, STEPS
        from salet.coach.joint_adviser import check_open
        from salet.coach.joint_hints import joint_hint

        if step not in STEPS:
            raise InputError(f"hint {step}: there are steps {STEPS[0]} to {STEPS[-1]}")
        joint = self.game.joint_state(state) if isinstance(state, str) else state
        check_open(joint)
        if step in (STEPS[0], LETTERS):
            return joint_hint(step, joint)
        *_, advice = self.suggest_joint(joint, options, cancel=cancel)
        return joint_hint(step, joint, advice)

    def rate_joint(
        self,
        state: JointState | str,
        guess: str,
        options: AdviceOptions | None = None,
        *,
        cancel: Callable[[], bool] | None = None,
    ) -> Iterator[JointRating]:
        """Yield ratings of a guess on several boards, ever better, without naming a better one."""
        from salet.coach.joint_hints import joint_rating

        word = self.game.guesses[self.game.index(guess)]
        asked = replace(options or AdviceOptions(), consider=(word,))
        for advice in self.suggest_joint(state, asked, cancel=cancel):
            yield joint_rating(word, advice)

    def rate(
        self,
        position: Position | State | Rows,
        guess: str,
        options: AdviceOptions | None = None,
        *,
        cancel: Callable[[], bool] | None = None,
    ) -> Iterator[Rating]:
        """Yield ratings of a guess, ever tighter, without naming a better one.

        >>> *_, rating = Coach(Game(["apple", "angle", "ankle"], cap=6)).rate("", "apple")
        >>> rating.verdict, rating.behind.guesses_upper
        ('costly', 0.3333333333333333)
        """
        from salet.coach.rating import ratings

        position = self._open_position(position)
        options = options or AdviceOptions()
        check_objective(options.objective)
        index = position.state.check(guess)
        clock = Budget(options.seconds, cancel=cancel).start()
        yield from ratings(position, index, options, clock)

    def hint(
        self,
        position: Position | State | Rows = "",
        step: int = 1,
        options: AdviceOptions | None = None,
        *,
        cancel: Callable[[], bool] | None = None,
    ) -> Hint:
        """One of four steps of help, of which only the last names a word: how many words fit, what
        the best guess achieves, which letters are worth testing, the best guess.

        >>> Coach(Game(["apple", "angle", "ankle"], cap=6)).hint("", 1).text
        '3 words fit; 6 guesses are left'
        """
        from salet.coach.hints import LETTERS, STEPS, hint

        if step not in STEPS:
            raise InputError(f"hint {step}: there are steps {STEPS[0]} to {STEPS[-1]}")
        position = self._open_position(position)
        if step in (STEPS[0], LETTERS):
            return hint(step, position.state)
        *_, advice = self.suggest(position, options, cancel=cancel)
        return hint(step, position.state, advice)

    def _open_position(self, position: Position | State | Rows) -> Position:
        """The position in question; raises an error if the game is over."""
        from salet.coach.position import Position

        if isinstance(position, State):
            position = Position(self, position)
        elif not isinstance(position, Position):
            position = self.position(position)
        state = position.state
        if state.won:
            raise InputError(
                f"{state.turns[-1][0]!r} has found the answer; nothing is left to guess"
            )
        if state.guesses_left == 0:
            raise InputError(f"all {state.game.cap} guesses are used; nothing is left to guess")
        return position

    def analyse(
        self,
        words: str | Sequence[str],
        *,
        answer: str | None = None,
        grid: Grid | None = None,
        seconds: float = 20.0,
        progress: Callable[[int, int], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Analysis:
        """What each guess of a game cost, and what was luck.

        The last word is the answer unless `answer` is given; a grid is checked against the words.
        `progress` is called with (turns done, number of turns).

        >>> found = Coach(Game(["apple", "angle", "ankle"], cap=6)).analyse(["apple", "angle"])
        >>> found.lost.guesses, found.luck.guesses
        (Fraction(1, 3), Fraction(0, 1))
        """
        *_, last = self.analyses(
            words, answer=answer, grid=grid, seconds=seconds, progress=progress, cancel=cancel
        )
        return last

    def analyses(
        self,
        words: str | Sequence[str],
        *,
        answer: str | None = None,
        grid: Grid | None = None,
        seconds: float = 20.0,
        progress: Callable[[int, int], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Iterator[Analysis]:
        """Yield analyses, ever tighter. The last is that of `analyse`; only it has `perfect`."""
        from salet.coach.analyser import analyses
        from salet.coach.game_record import read_game

        record = read_game(self, words, answer, grid)
        yield from analyses(record, Budget(seconds, cancel=cancel).start(), progress)

    def what_if(
        self,
        words: str | Sequence[str],
        turn: int,
        guess: str,
        *,
        answer: str | None = None,
        seconds: float = 10.0,
        cancel: Callable[[], bool] | None = None,
    ) -> Alternative:
        """The cost and outcome of another guess in turn `turn` (from 1) of a game."""
        from salet.coach.analyser import alternative
        from salet.coach.game_record import read_game

        record = read_game(self, words, answer)
        return alternative(record, turn, guess, Budget(seconds, cancel=cancel).start())

    def likelihood_change(
        self,
        position: Position,
        found: Advice | Hint,
        options: AdviceOptions | None = None,
        *,
        cancel: Callable[[], bool] | None = None,
    ) -> LikelihoodChange:
        """What the weights of the answers change in advice, or in a hint of step 2 or later."""
        from salet.coach.likelihood_change import advice_change

        state, plain = position.state, self.equal_position(position)
        *_, other = plain.coach.suggest(plain, options, cancel=cancel)
        likeliest = state.game.guesses[state.heaviest]
        return advice_change(found, other, likeliest, state.max_weight / state.weight)

    def equal_position(self, position: Position) -> Position:
        """The same position with all answers equally likely."""
        from salet.coach.position import read_position

        return read_position(self.equal, position.state.turns)

    # ---- the game's data

    @functools.cached_property
    def equal(self) -> Coach:
        """The coach of the same game with all answers equally likely."""
        return self if self.game.weights is None else Coach(self.unweighted, past=self.past)

    @functools.cached_property
    def evaluator(self) -> Evaluator:
        """Values states of the game."""
        return Evaluator(self.game)

    @functools.cached_property
    def joint_adviser(self) -> JointAdviser:
        """Advises on several boards."""
        from salet.coach.joint_adviser import JointAdviser
        from salet.search.joint_estimate import JointEstimate
        from salet.search.joint_exact import JointSearch

        board = self.game.one_board
        return JointAdviser(JointEstimate(board, self.game.boards), JointSearch(board))

    def analyse_joint(
        self,
        words: str | Sequence[str],
        answers: str | None = None,
        *,
        seconds: float = math.inf,
        cancel: Callable[[], bool] | None = None,
    ) -> JointAnalysis:
        """What the guesses of a game on several boards were worth.

        `words` are rows with the feedback of all boards, or guesses with `answers`, a word for
        each board: `crane/slate`. Turns that there is no time for are estimated.
        """
        from salet.coach.joint_analysis import analyse_joint, read_joint_game

        listed = words.split() if isinstance(words, str) else words
        last = read_joint_game(self.game, listed, answers)
        clock = Budget(seconds, cancel=cancel).start()
        return analyse_joint(self.joint_adviser.estimate, self.joint_adviser.search, last, clock)

    @functools.cached_property
    def plan(self) -> Plan | None:
        """The shipped plan of the game; None if there is none."""
        return shipped_plan(self.game)

    @functools.cached_property
    def openers(self) -> OpenerTable | None:
        """The shipped table of openers; None if there is none."""
        return shipped_openers(self.game)

    @functools.cached_property
    def replies(self) -> ReplyBook | None:
        """The shipped book of replies; None if there is none."""
        return shipped_replies(self.game)

    def warm_up(self) -> None:
        """Load or compile what a search needs, so that the first question is fast."""
        from salet.search.splits import splits

        start = self.game.start()
        if self.game.weights is None and self.game.answer_count > 1:
            for state in (start, State(self.game, start.candidates[:2])):  # both memory orders
                splits(state, start.legal[:1])
        if self.game.host == "secret":
            self.plan  # noqa: B018 -- read before the first question
            self.evaluator.warm_up()

    def planned(self, state: State) -> PlanNode | None:
        """The node of the shipped plan for a state; None if play has left the plan."""
        if self.plan is None or state.game is not self.game:
            return None
        node = self.plan.root
        for guess, feedback in state.turns:
            below = node.branches.get(feedback)
            if guess != node.guess or below is None:
                return None
            node = below
        return node

    def reply(self, state: State) -> Reply | None:
        """The shipped reply in a state after one guess; None if there is none."""
        if state.turn != 1 or state.game is not self.game or self.replies is None:
            return None
        return self.replies.find(state)

    def coach_of(self, game: Game) -> Coach:
        """A coach of a variant of the game, with the same weights and past answers."""
        if self.game.weights is not None and self.weighting != "prior":
            raise InputError(
                f"an answer outside the list has no weight in {self.weighting!r}; add a line for it"
            )
        return Coach(game, past=self.past, weights=None if self.game.weights is None else "prior")


def is_compiled() -> bool:
    """Whether the search is compiled on this machine; if not, the first takes half a minute."""
    folder = cache_root() / "kernels" / code_digest()
    return next(folder.glob("**/engine.search-*.nbi"), None) is not None
