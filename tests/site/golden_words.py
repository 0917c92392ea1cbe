"""Golden cases of words, rows, grids and play (make_golden.py)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from salet.coach.coach import Coach
from salet.coach.grid_inference import infer_words
from salet.coach.grids import PALETTES, Grid, format_grid, parse
from salet.coach.likelihood import likely_first
from salet.coach.position import read_position
from salet.errors import InputError, RowError
from salet.game.feedback import RULES, score
from salet.game.game import Game
from salet.game.named import named_game
from salet.game.round import Round, draw_secret
from salet.game.rows import parse_rows

Case = tuple[str, list[Any], Callable[[], Any]]
"""a question, its arguments, and how Python answers it"""
Rows = list[tuple[str, str]]

REFUSED: tuple[dict[str, Any], ...] = (
    {"game": "nyt", "mode": "hart"},
    {"game": "orignal"},
    {"game": "nyt", "rule": "peg"},
    {"game": "mastermind:4x6", "mode": "hard"},
    {"game": "mastermind:9"},
    {"game": "mastermind:1x2"},
    {"game": "bulls-and-cows:5x4"},
    {"game": "mastermind:9x9"},
    {"game": "original:first=0"},
    {"game": "original", "cap": 0},
)
"""games that do not exist"""


def words_and_scores(rng: random.Random) -> Iterator[Case]:
    words = Game.named("nyt").guesses
    for rule in RULES:
        for _ in range(120):
            pair = rng.sample(words, 2)
            yield "score", [*pair, rule], lambda pair=pair, rule=rule: score(*pair, rule)
    for pair in (
        ("straße", "STRASSE"),
        ("äöü", "äöx"),
        ("a", "bcd"),
        ("été", "tée"),
        ("👍🏽b", "b👍🏽"),
    ):
        yield "score", [*pair, "standard"], lambda pair=pair: score(*pair)
    yield "score", ["abc", "abc", "standart"], lambda: score("abc", "abc", "standart")
    for name in ("nyt", "original", "romanian"):
        game = named_game(name)
        for _ in range(60):
            typed = _mistyped_word(rng, rng.choice(game.guesses))
            yield "checkWord", [{"game": name}, typed, []], _checked(game, typed, [])


def _mistyped_word(rng: random.Random, word: str) -> str:
    at = rng.randrange(len(word))
    letter = rng.choice("abcdefghijklmnopqrstuvwxyzß'é ")
    return rng.choice(
        [
            word,
            word.upper(),
            f" {word} ",
            word[:at] + letter + word[at + 1 :],
            word[:at] + word[at + 1 :],
            word[:at] + letter + word[at:],
            word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
            "".join(rng.choices("qxzjvk", k=len(word))),
        ]
    )


def _checked(game: Game, word: str, rows: Rows) -> Callable[[], Any]:
    def answer() -> Any:
        state = read_position(Coach(game), rows).state
        index = state.check(word)
        return {
            "word": state.game.guesses[index],
            "answer": index < state.game.answer_count,
            "fits": index in state.candidates,
        }

    return answer


def row_refusals(rng: random.Random) -> Iterator[Case]:
    for text in (
        "crane:bybbg slate bbgby",
        "crane",
        ":bbbbb",
        "crane: bbbbb",
        "a b c",
        "",
        " x:y\tz w ",
    ):
        yield "parseRows", [text], lambda text=text: rows_json(parse_rows(text))
    for name, mode in (
        ("nyt", "normal"),
        ("original", "hard"),
        ("original", "strict"),
        ("mastermind:4x6", "normal"),
    ):
        coach = Coach(named_game(name, mode=mode))
        spec = {"game": name, "mode": mode}
        for _ in range(70):
            rows = _damaged(rng, coach.game, some_rows(rng, coach.game, rng.randint(1, 4)))
            yield "readRows", [spec, rows_json(rows), {"limit": 40}], _read(coach, rows, 40)
            word = rng.choice(coach.game.guesses)
            yield "checkWord", [spec, word, rows_json(rows)], _checked(coach.game, word, rows)
    for spec in REFUSED:
        yield "readRows", [spec, [], {}], lambda spec=spec: _opened(spec)


def _opened(spec: dict[str, Any]) -> Any:
    named_game(
        spec["game"],
        mode=spec.get("mode", "normal"),
        rule=spec.get("rule"),
        cap=spec.get("cap", "default"),
    )
    raise AssertionError("this is refused")


def some_rows(rng: random.Random, game: Game, count: int) -> Rows:
    """Rows of a game that may have been played."""
    secret = rng.randrange(game.answer_count)
    state = game.start()
    while state.turn < count and not state.won:
        legal = state.legal if rng.random() < 0.3 or not state.turn else state.candidates
        guess = int(rng.choice(legal.tolist()))
        state = state.after(guess, int(game.table[guess, secret]))
    return list(state.turns)


def _damaged(rng: random.Random, game: Game, rows: Rows) -> Rows:
    """Rows as people mistype them: other colours, other words, too many of them."""
    at = rng.randrange(len(rows))
    guess, feedback = rows[at]
    rows = list(rows)
    kind = rng.randrange(8)
    if kind == 0:
        rows[at] = (_mistyped_word(rng, guess), feedback)
    elif kind <= 3:
        signs = "BYG" if game.rule.notation.name == "tiles" else "0123"
        chars = [
            rng.choice(signs) if char != "," and rng.random() < 0.4 else char for char in feedback
        ]
        rows[at] = (guess, "".join(chars))
    elif kind == 4:
        rows[at] = (
            guess,
            feedback.lower().replace("b", "⬛").replace("y", "🟨")
            + rng.choice(["", "q", " ", "g"]),
        )
    elif kind == 5:
        rows += [rows[at]] * 6
    elif kind == 6:
        rows[at] = (rng.choice(game.guesses), feedback)
    return rows


def _read(coach: Coach, rows: Rows, limit: int) -> Callable[[], Any]:
    def answer() -> Any:
        position = read_position(coach, rows)
        state = position.state
        places = likely_first(state.candidates, position.coach.likelihood)
        return {
            "rows": rows_json(state.turns),
            "turn": state.turn,
            "won": state.won,
            "over": state.won or state.guesses_left == 0,
            "remaining": len(places),
            "words": [state.game.guesses[place] for place in places[:limit]],
            "outside": position.outside,
        }

    return answer


def rows_json(rows: Any) -> list[dict[str, str]]:
    return [{"guess": guess, "feedback": feedback} for guess, feedback in rows]


# ---- grids, play


def grids(rng: random.Random) -> Iterator[Case]:
    names = list(PALETTES)
    for _ in range(150):
        length, count = rng.choice([5, 5, 5, 4, 7]), rng.randint(1, 6)
        rows = [tuple(rng.choices((0, 1, 2), (5, 3, 2), k=length)) for _ in range(count)]
        if rng.random() < 0.6:
            rows[-1] = (2,) * length
        grid = Grid(
            tuple(rows),
            rng.random() < 0.3,
            rng.choice(["Wordle 1,234", "", "x 2/y"]),
            rng.choice([6, count, None]),
        )
        palette = rng.choice([*names, "purple"])
        fields = {
            "rows": rows,
            "hard": grid.hard,
            "title": grid.title,
            "cap": grid.cap,
            "won": grid.won,
        }
        yield (
            "formatGrid",
            [fields, palette],
            lambda grid=grid, palette=palette: format_grid(grid, palette),
        )
        text = format_grid(grid, rng.choice(names))
        if rng.random() < 0.4:
            text = _damaged_text(rng, text)
        yield (
            "parseGrid",
            [text, length],
            lambda text=text, length=length: _grid(parse(text, length)),
        )
    coach = Coach(named_game("original"))
    for number in range(8):
        played = Round(coach.game, draw_secret(coach.game, number))
        for guess in rng.sample(coach.game.answers, 3):
            played.guess(guess)
        secret = coach.game.guesses[played.secret]
        grid = parse(played.share().replace("X/6", ""), 5)
        known = secret if number % 2 else None
        fields = {"rows": grid.rows, "hard": False, "title": "", "cap": None, "won": False}
        yield (
            "inferWords",
            [{"game": "original"}, {"grid": fields, "answer": known, "count": 5}],
            lambda grid=grid, known=known: msgspec.to_builtins(infer_words(coach, grid, known, 5)),
        )


def _damaged_text(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text))
    return rng.choice(
        [
            text[:at] + text[at + 1 :],
            text[:at] + rng.choice("⬜🟧b \n1/*") + text[at:],
            text.replace("\n", " "),
            text * 2,
        ]
    )


def _grid(grid: Grid) -> dict[str, Any]:
    return {
        "rows": grid.rows,
        "hard": grid.hard,
        "title": grid.title,
        "cap": grid.cap,
        "won": grid.won,
    }


def games_played(rng: random.Random) -> Iterator[Case]:
    for name, mode in (("nyt", "normal"), ("original", "hard"), ("mastermind:4x6", "normal")):
        game = named_game(name, mode=mode)
        for _ in range(30):
            number = rng.choice([rng.randrange(1000), rng.randrange(2**53)])
            guesses = [rng.choice(game.guesses) for _ in range(rng.randint(0, 4))]
            if rng.random() < 0.4:
                guesses.append(game.guesses[draw_secret(game, number)])
            give_up = rng.random() < 0.5
            asked = {"number": number, "guesses": guesses, "giveUp": give_up}
            yield (
                "play",
                [{"game": name, "mode": mode}, asked],
                _played(game, number, guesses, give_up),
            )


def _played(game: Game, number: int, guesses: list[str], give_up: bool) -> Callable[[], Any]:
    def answer() -> Any:
        current = Round(game, draw_secret(game, number))
        for at, guess in enumerate(guesses, 1):
            try:
                if any(game.index(guess) == earlier for earlier, _ in current.state.history):
                    raise InputError(f"you have tried {guess!r} already")
                current.guess(guess)
            except InputError as error:
                raise RowError(at, str(error)) from None
        over = current.over or give_up
        return {
            "game": game.name,
            "mode": game.mode,
            "cap": game.cap,
            "number": number,
            "rows": rows_json(current.state.turns),
            "won": current.won,
            "over": over,
            "answer": game.guesses[current.secret] if over else None,
            "remaining": len(current.state.candidates),
            "share": current.share() if over else None,
        }

    return answer
