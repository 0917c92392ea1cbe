"""Golden cases of the coach: advice to its end, hints, ratings, analyses (make_golden.py)."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from golden_words import Case, Rows, rows_json, some_rows

import random_games
from salet.coach.coach import AdviceOptions, Coach
from salet.coach.hints import STEPS
from salet.coach.likelihood_change import analysis_change
from salet.coach.position import read_position
from salet.game.game import Game
from salet.game.named import named_game
from salet.search.objectives import OBJECTIVES
from salet.search.reply_book import OPENERS, positions

FOREVER = 1e6
"""seconds: questions are answered to their end"""


def small_games(count: int = 320) -> Iterator[Case]:
    """Adversarial small games: advice to its end, analyses, weights, caps, losses."""
    for number in range(count):
        case = random_games.case(number)
        state = random_games.state_of(case)
        if state.won or state.guesses_left == 0 or not len(state.candidates):
            continue
        tiny, game = case.game, state.game
        name = f"case {number}"
        game.name = name
        texts = {"answers": "\n".join(tiny.answers), "guesses": "\n".join(tiny.guesses)}
        yield "addGame", [{"name": name, **texts, "rule": tiny.rule, "cap": tiny.cap}], lambda: None
        spec: dict[str, Any] = {"game": f"own:{name}", "mode": tiny.mode}
        weights = None
        if tiny.weights is not None:
            lines = [
                f"{word} {weight}" for word, weight in zip(tiny.answers, tiny.weights, strict=True)
            ]
            Path("weights").write_text("\n".join(lines), "utf-8")
            spec["weights"] = {"name": "weights", "text": "\n".join(lines)}
            weights = Path("weights")
        coach = Coach(game.replace(weights=None), weights=weights)
        rows = list(state.turns)
        consider = () if case.opener is None else (game.guesses[case.opener],)
        options = AdviceOptions(case.objective, FOREVER, 3 + number % 9, consider)
        yield "suggest", [spec, _asked(rows, options)], _advised(coach, rows, options)
        if number % 4 == 2:
            yield from _hints(coach, spec, rows)
        if number % 5 == 1:
            guess = game.guesses[int(state.legal[number % len(state.legal)])]
            yield (
                "rate",
                [spec, _rated(rows, guess, case.objective)],
                _rating(coach, rows, guess, case.objective),
            )
        if number % 3 == 0:
            secret = int(state.candidates[number % len(state.candidates)])
            yield from _analysed(coach, spec, rows, secret)


def likelihoods(rng: random.Random) -> Iterator[Case]:
    """How likely words are to be answers, with and without past ones; what that changes."""
    for name in ("nyt", "original", "romanian", "mastermind:3x4"):
        game = named_game(name)
        past = rng.sample(game.guesses, 12)
        for known in ([], past):
            words = [*rng.sample(game.guesses, 40), *past]
            weights = Coach(game, past=known).likelihood
            found = [int(weights[game.index(word)]) for word in words]
            spec = {"game": name, "past": known}
            yield "likelihood", [spec, words], lambda found=found: found
    answers = rng.sample(named_game("original").answers, 14)
    text = "\n".join(answers)
    listed = {"name": "few", "answers": text, "guesses": text, "rule": "standard", "cap": 6}
    yield "addGame", [listed], lambda: None
    game = Game(answers, cap=6, name="few")
    for _ in range(12):
        secret = rng.choice(answers)
        words = [*rng.sample([word for word in answers if word != secret], 3), secret]
        lines = [f"{word} {rng.randint(1, 99)}" for word in answers]
        Path("lines").write_text("\n".join(lines), "utf-8")
        found, plain = (
            Coach(game, weights=weights).analyse(words, seconds=FOREVER)
            for weights in (Path("lines"), None)
        )
        yield (
            "analysisChange",
            [found.to_dict(), plain.to_dict()],
            lambda found=found, plain=plain: analysis_change(found, plain),
        )


def _hints(coach: Coach, spec: dict[str, Any], rows: Rows) -> Iterator[Case]:
    options = AdviceOptions(seconds=FOREVER, count=11)
    for step in (*STEPS, 5):
        asked = {"rows": rows_json(rows), "step": step, "seconds": FOREVER}

        def answer(step: int = step) -> Any:
            return msgspec.to_builtins(coach.hint(read_position(coach, rows), step, options))

        yield "hint", [spec, asked], answer


def _rated(rows: Rows, guess: str, objective: str) -> dict[str, Any]:
    return {"rows": rows_json(rows), "guess": guess, "objective": objective, "seconds": FOREVER}


def _rating(coach: Coach, rows: Rows, guess: str, objective: str) -> Callable[[], Any]:
    def answer() -> Any:
        options = AdviceOptions(objective, FOREVER)
        *_, rating = coach.rate(read_position(coach, rows), guess, options)
        fields: dict[str, Any] = msgspec.to_builtins(rating)
        del fields["seconds"]
        return fields

    return answer


def _asked(rows: Rows, options: AdviceOptions) -> dict[str, Any]:
    asked = {
        "rows": rows_json(rows),
        "objective": options.objective,
        "consider": list(options.consider),
    }
    return {**asked, "count": options.count, "seconds": FOREVER, "limit": 30}


def _advised(coach: Coach, rows: Rows, options: AdviceOptions) -> Callable[[], Any]:
    def answer() -> Any:
        position = read_position(coach, rows)
        *_, advice = coach.suggest(position, options)
        fields = advice.to_dict()
        del fields["seconds"]
        return {**fields, "words": fields["words"][:30]}

    return answer


def _analysed(
    coach: Coach, spec: dict[str, Any], rows: Rows, secret: int, turn: int = 1
) -> Iterator[Case]:
    game = coach.game
    answer = game.guesses[secret]
    words = [guess for guess, _ in rows] or [game.guesses[-1]]
    if game.cap is None or len(words) < game.cap:
        words = [*words, answer] if words[-1] != answer else words
    asked = {"words": words, "answer": answer, "seconds": FOREVER}

    def analysis() -> Any:
        found = coach.analyse(words, answer=answer, seconds=FOREVER)
        shown = [turn.guess for turn in found.turns]
        count = len(shown)
        return {
            "words": shown,
            "mode": game.mode,
            "analysis": found.to_dict(),
            "behind": None,
            "done": count,
            "turns": count,
        }

    yield "analyse", [spec, asked], analysis
    other = {**asked, "turn": turn, "guess": game.guesses[0]}
    del other["seconds"]
    yield (
        "whatIf",
        [spec, {**other, "seconds": FOREVER}],
        lambda: coach.what_if(
            words, turn, game.guesses[0], answer=answer, seconds=FOREVER
        ).to_dict(),
    )


def code_games(rng: random.Random) -> Iterator[Case]:
    for name, mode, count, largest in (
        ("mastermind:4x6", "normal", 10, 60),
        ("mastermind:4x6", "strict", 6, 40),
        ("mastermind:3x5", "strict", 6, 130),
        ("bulls-and-cows:4x10", "normal", 4, 40),
        ("bulls-and-cows:3x6", "normal", 6, 130),
        ("mastermind:11x2", "normal", 4, 60),
    ):
        coach = Coach(named_game(name, mode=mode))
        yield from _positions(rng, coach, {"game": name, "mode": mode}, count, largest)


def word_games(rng: random.Random) -> Iterator[Case]:
    """Late positions of whole games, with all lists in turn."""
    for name, mode, count, largest, more in (
        ("original", "normal", 8, 30, {}),
        ("original", "hard", 8, 30, {}),
        ("original", "strict", 3, 20, {}),
        ("original", "normal", 4, 12, {"cap": "none"}),
        ("original", "hard", 6, 30, {"rule": "present"}),
        ("original", "normal", 6, 30, {"weights": "prior", "past": ["crane", "slate", "grand"]}),
        ("nyt", "normal", 5, 30, {}),
        ("nyt", "hard", 5, 20, {"weights": "prior"}),
        ("romanian", "normal", 4, 30, {}),
    ):
        rule, cap = more.get("rule"), more.get("cap", "default")
        game = named_game(name, mode=mode, rule=rule, cap=cap)
        coach = Coach(game, past=more.get("past", ()), weights=more.get("weights"))
        spec = {"game": name, "mode": mode, **more}
        yield from _positions(rng, coach, spec, count, largest)
        if "weights" not in more:
            yield from _analysed(
                coach, spec, some_rows(rng, game, 3), rng.randrange(game.answer_count)
            )
    for mode in ("normal", "hard"):
        coach = Coach(named_game("original", mode=mode))
        yield from _analysed(coach, {"game": "original", "mode": mode}, _planned_rows(coach), 77, 2)
        options = AdviceOptions(seconds=FOREVER)
        spec = {"game": "original", "mode": mode}
        yield "suggest", [spec, _asked([], options)], _advised(coach, [], options)


def openers_played(rng: random.Random) -> Iterator[Case]:
    """Whole games that begin with a stored opener, one with an answer that the list lacks."""
    for name in ("original", "nyt"):
        coach = Coach(named_game(name))
        for opener in ("salet", "crane"):
            secret = rng.randrange(coach.game.answer_count)
            state = coach.game.start()
            for guess in [coach.game.index(opener), *rng.sample(range(coach.game.answer_count), 2)]:
                state = state.after(guess, int(coach.game.table[guess, secret]))
            yield from _analysed(coach, {"game": name}, list(state.turns), secret, 3)
        asked = {"words": ["salet", "crony", "zorro"], "seconds": FOREVER}
        yield "analyse", [{"game": name}, asked], _refused(coach, asked["words"])


def replies(rng: random.Random) -> Iterator[Case]:
    """Second guesses after openers of the books: advice, and games of which only that is known."""
    for name, mode in itertools.product(("original", "nyt"), ("normal", "hard")):
        coach, spec = Coach(named_game(name, mode=mode)), {"game": name, "mode": mode}
        openers = [
            opener
            for opener in OPENERS
            if all(coach.reply(state) is not None for state in positions(coach.game, opener))
        ]
        for opener in rng.sample(openers, 6):
            states = [one for one in positions(coach.game, opener) if len(one.candidates) <= 25]
            rows = list(rng.choice(states).turns)
            objective = rng.choice(list(OBJECTIVES))
            options = AdviceOptions(objective, FOREVER, rng.choice([1, 3]))
            yield "suggest", [spec, _asked(rows, options)], _advised(coach, rows, options)
        for opener in ("crane", *rng.sample(openers, 3)):
            largest = max(positions(coach.game, opener), key=lambda one: len(one.candidates))
            answer = coach.game.guesses[int(rng.choice(largest.candidates.tolist()))]
            asked = {"words": [opener], "answer": answer, "seconds": FOREVER}
            yield "analyse", [spec, asked], _unfinished(coach, opener, answer)
            other = {**asked, "turn": 1, "guess": rng.choice(openers)}
            yield "whatIf", [spec, other], _other_opener(coach, other)


def _unfinished(coach: Coach, opener: str, answer: str) -> Callable[[], Any]:
    def analysis() -> Any:
        found = coach.analyse([opener], answer=answer, seconds=FOREVER).to_dict()
        fields = {"words": [opener], "mode": coach.game.mode, "analysis": found, "behind": None}
        return {**fields, "done": 1, "turns": 1}

    return analysis


def _other_opener(coach: Coach, asked: dict[str, Any]) -> Callable[[], Any]:
    def answer() -> Any:
        words, turn, guess = asked["words"], asked["turn"], asked["guess"]
        found = coach.what_if(words, turn, guess, answer=asked["answer"], seconds=FOREVER).to_dict()
        return {**found, "words": found["words"][:500]}  # a page gets so many

    return answer


def _refused(coach: Coach, words: list[str]) -> Callable[[], Any]:
    def answer() -> Any:
        found = coach.analyse(words, seconds=FOREVER)
        count = len(found.turns)
        fields = {"words": words, "mode": coach.game.mode, "analysis": found.to_dict()}
        return {**fields, "behind": None, "done": count, "turns": count}

    return answer


def _planned_rows(coach: Coach) -> Rows:
    state, node = coach.game.start(), coach.plan.root if coach.plan else None
    while node is not None and not state.won:
        state = state.after(node.guess, int(coach.game.table[coach.game.index(node.guess), 77]))
        node = node.branches.get(state.turns[-1][1])
    return list(state.turns)[:-1]


def _positions(
    rng: random.Random, coach: Coach, spec: dict[str, Any], count: int, largest: int
) -> Iterator[Case]:
    found = 0
    while found < count:
        rows = some_rows(rng, coach.game, rng.randint(1, 3))
        position = read_position(coach, rows)
        if position.state.won or not 3 <= len(position.state.candidates) <= largest:
            continue
        found += 1
        objective = rng.choice(random_games.OBJECTIVES)
        options = AdviceOptions(objective, FOREVER, rng.choice([1, 3, 11]))
        yield "suggest", [spec, _asked(rows, options)], _advised(coach, rows, options)
