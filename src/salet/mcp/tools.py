"""The implementation of the tools. Every result is plain data; every error is one line."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from secrets import token_hex
from types import MappingProxyType
from typing import Any

from salet.coach.coach import AdviceOptions, Coach
from salet.coach.joint_adviser import JointAdvice
from salet.env.text.dialogue import Dialogue, ReplyStatus
from salet.errors import InputError, UnknownNameError
from salet.game.feedback import score
from salet.game.game import Game
from salet.game.named import describe_games, named_game, words_named
from salet.game.round import draw_secrets
from salet.mcp import requests
from salet.search.solve import solve

MAX_PAIRS = 200_000_000
"""Largest game: pairs of guess and answer."""
MAX_OPEN = 4
"""Maximum number of games whose tables are cached."""
MAX_SESSIONS = 64
"""Maximum number of games in progress; the oldest is dropped when another one starts."""
MAX_WORDS = 100
"""Maximum number of remaining answers that are listed by name."""
_WORDING = (("`salet games`", "the tool list_games"), ("--answer ", "argument answer: "))
"""What messages say on the command line, and what they say to callers of tools."""

Cancel = Callable[[], bool]
Result = dict[str, Any]


class Tools:
    """The state behind the tools: cached coaches, and games in progress."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._joint_lock = threading.Lock()
        """held while several boards are searched: one joint search serves all calls"""
        self._coaches: OrderedDict[tuple[str, str, int | None], Coach] = OrderedDict()
        self._sessions: OrderedDict[str, Dialogue] = OrderedDict()

    # ---- games

    def list_games(self, _: requests.ListGames, __: Cancel) -> Result:
        """Name, sizes and summary of every game."""
        keys = ("name", "answers", "guesses", "cap", "summary")
        rows = [{key: row[key] for key in keys} for row in describe_games()]
        codes = "mastermind:4x6, bulls-and-cows:4x10 and other sizes"
        return {"games": rows, "codes": codes, "modes": ["normal", "hard", "strict"]}

    def start_game(self, asked: requests.StartGame, _: Cancel) -> Result:
        """A new game: its id and rules."""
        game = self._game(asked.game, asked.mode, asked.cap)
        if asked.seed is not None and asked.seed < 0:
            raise InputError(f"start_game: seed {asked.seed} is negative; give 0 or more")
        secrets = draw_secrets(game, asked.seed)
        dialogue = Dialogue(game, secrets, illegal="retry", max_illegal=10**6)
        name = token_hex(4)
        with self._lock:
            while len(self._sessions) >= MAX_SESSIONS:
                self._sessions.popitem(last=False)
            self._sessions[name] = dialogue
        return {"id": name, "rules": dialogue.rules(), "guesses_left": dialogue.guesses_left}

    def guess(self, asked: requests.Guess, _: Cancel) -> Result:
        """The feedback to a guess; the answer once the game is over."""
        dialogue = self._session(asked.id)
        message = dialogue.guess(asked.word)
        if dialogue.status is not ReplyStatus.PLAYED:
            raise InputError(" ".join(message.split()))
        turns = dialogue.state.turns
        result: Result = {
            "feedback": turns[-1][1],
            "message": message,
            "rows": " ".join(f"{word}:{pattern}" for word, pattern in turns),
            "guesses_left": dialogue.guesses_left,
            "won": dialogue.won,
            "over": dialogue.over,
        }
        if dialogue.over:
            result["answer"] = dialogue.answer
        return result

    def score(self, asked: requests.Score, _: Cancel) -> Result:
        """The feedback to a guess, given the answer."""
        return {"feedback": score(asked.guess, asked.answer, asked.rule)}

    def _session(self, name: str) -> Dialogue:
        with self._lock:
            found = self._sessions.get(name)
        if found is None:
            raise InputError(f"there is no game {name!r}; start one with start_game")
        return found

    # ---- the coach

    def suggest(self, asked: requests.Suggest, cancel: Cancel) -> Result:
        """The best next guesses."""
        options = AdviceOptions(objective=asked.objective, seconds=asked.seconds, count=asked.count)
        coach = self._coach(asked)
        if coach.game.boards > 1:
            fields = self._advise_joint(coach, asked.rows, options, cancel).to_dict()
            fields["words"] = [words[:MAX_WORDS] for words in fields["words"]]
        else:
            *_, advice = coach.suggest(asked.rows, options, cancel=cancel)
            fields = advice.to_dict()
            fields["words"] = fields["words"][:MAX_WORDS]
        fields["suggestions"] = fields["suggestions"][: asked.count]
        return fields

    def rate_guess(self, asked: requests.RateGuess, cancel: Cancel) -> Result:
        """What a guess loses against the best one."""
        options = AdviceOptions(seconds=asked.seconds, consider=(asked.guess,))
        coach = self._coach(asked)
        game = coach.game
        word = game.guesses[game.index(asked.guess)]
        if game.boards > 1:
            return _joint_rating(self._advise_joint(coach, asked.rows, options, cancel), word)
        *_, advice = coach.suggest(asked.rows, options, cancel=cancel)
        rated = next(row for row in advice.suggestions if row.guess == word)
        best = advice.suggestions[0]
        return {
            "guess": word,
            "expected": rated.expected,
            "best": best.guess,
            "best_expected": best.expected,
            "lost": max(0.0, rated.expected - best.expected),
            "lost_games": max(0.0, rated.losses - best.losses),
            "proven": advice.proven and rated.proven,
            "remaining": advice.remaining,
            "groups": rated.groups,
            "largest": rated.largest,
            "can_be_the_answer": rated.candidate,
            "explanation": advice.explanation,
        }

    def analyse_game(self, asked: requests.AnalyseGame, cancel: Cancel) -> Result:
        """Skill and luck of a game."""
        words, answer = asked.words, asked.answer
        coach = None
        if asked.id is not None:
            dialogue = self._session(asked.id)
            if not dialogue.over:
                raise InputError(f"game {asked.id!r} is not over; finish it first")
            words = [word for word, _ in dialogue.state.turns]
            answer = dialogue.answer
            coach = Coach(dialogue.game)
        if not words:
            raise InputError("analyse_game: give the id of a game, or its words")
        coach = coach or self._coach_of(asked.game, asked.mode, asked.cap)
        if coach.game.boards > 1:
            with self._joint_lock:
                joint = coach.analyse_joint(words, answer, seconds=asked.seconds, cancel=cancel)
            return joint.to_dict()
        found = coach.analyse(words, answer=answer, seconds=asked.seconds, cancel=cancel)
        return found.to_dict()

    def solve(self, asked: requests.Solve, cancel: Cancel) -> Result:
        """The best guess, proven, or the bounds known in time."""
        state = self._game(asked.game, asked.mode, asked.cap).state(asked.rows)
        if state.won:
            raise InputError(f"{asked.rows!r} has found the answer; there is nothing left to solve")
        found = solve(
            state, objective=asked.objective, seconds=asked.seconds, threads=1, cancel=cancel
        )
        fields = found.to_dict()
        fields["ties"] = fields["ties"][:MAX_WORDS]
        return fields

    def _advise_joint(
        self, coach: Coach, rows: str, options: AdviceOptions, cancel: Cancel
    ) -> JointAdvice:
        with self._joint_lock:
            *_, advice = coach.suggest_joint(rows, options, cancel=cancel)
        return advice

    # ---- games that are open

    def _coach(self, asked: requests.PositionRequest) -> Coach:
        return self._coach_of(asked.game, asked.mode, asked.cap)

    def _game(self, name: str, mode: str, cap: int | None) -> Game:
        return self._coach_of(name, mode, cap).game

    def _coach_of(self, name: str, mode: str, cap: int | None) -> Coach:
        key = (name.strip().lower(), mode, cap)
        with self._lock:
            if key in self._coaches:
                self._coaches.move_to_end(key)
                return self._coaches[key]
            words = words_named(name)
            pairs = len(words.answers) * len(words.guesses)
            if pairs > MAX_PAIRS:
                raise InputError(
                    f"game {name!r} has {pairs:,} pairs of guess and answer; games of up to "
                    f"{MAX_PAIRS:,} are taken"
                )
            coach = Coach(named_game(name, mode=mode, cap="default" if cap is None else cap))
            self._coaches[key] = coach
            while len(self._coaches) > MAX_OPEN:
                self._coaches.popitem(last=False)
            return coach


def _joint_rating(advice: JointAdvice, word: str) -> Result:
    """What a guess loses on several boards, by the advice that considered it."""
    rated = next(row for row in advice.suggestions if row.guess == word)
    return {
        "guess": word,
        "expected": rated.expected,
        "best": advice.guess,
        "best_expected": advice.expected,
        "lost": max(0.0, rated.expected - advice.expected),
        "lost_games": max(0.0, (rated.losses or 0.0) - (advice.losses or 0.0)),
        "proven": advice.proven and rated.proven,
        "remaining": advice.remaining,
        "solves": rated.solves,
        "boards_it_can_solve": rated.boards,
        "explanation": advice.explanation,
    }


@dataclass(frozen=True)
class ToolEntry:
    """A tool: its arguments (whose docstring describes it) and what it does."""

    request: type[requests.Request]
    method: str
    """name of the method of `Tools`"""
    is_read_only: bool = True


TOOLS: Mapping[str, ToolEntry] = MappingProxyType(
    {
        "list_games": ToolEntry(requests.ListGames, "list_games"),
        "start_game": ToolEntry(requests.StartGame, "start_game", is_read_only=False),
        "guess": ToolEntry(requests.Guess, "guess", is_read_only=False),
        "score": ToolEntry(requests.Score, "score"),
        "suggest": ToolEntry(requests.Suggest, "suggest"),
        "rate_guess": ToolEntry(requests.RateGuess, "rate_guess"),
        "analyse_game": ToolEntry(requests.AnalyseGame, "analyse_game"),
        "solve": ToolEntry(requests.Solve, "solve"),
    }
)


def call_tool(tools: Tools, name: str, arguments: Any, cancel: Cancel) -> Result:
    """Call a tool by name; raises a SaletError with one line for whatever is wrong."""
    if name not in TOOLS:
        raise UnknownNameError("tool", name, TOOLS)
    entry = TOOLS[name]
    asked = requests.read_request(entry.request, name, arguments)
    try:
        result: Result = getattr(tools, entry.method)(asked, cancel)
    except InputError as error:
        message = str(error)
        for command_line, tool in _WORDING:
            message = message.replace(command_line, tool)
        raise error if message == str(error) else InputError(message) from None
    return result
