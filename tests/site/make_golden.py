"""What the browser's engine must answer, as Python answers it: `python tests/site/make_golden.py`.
With `--whole` it also asks about late positions of whole games, which takes minutes.

Every line of tests/golden/site.jsonl.gz is a question of static/engine/service.js with Python's
answer or refusal. tests/site/replay.mjs asks them again.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import random_games
from salet.coach.coach import AdviceOptions, Coach
from salet.coach.grid_inference import infer_words
from salet.coach.grids import PALETTES, Grid, format_grid, parse
from salet.coach.likelihood import likely_first
from salet.coach.position import read_position
from salet.errors import InputError
from salet.game.feedback import RULES, score
from salet.game.game import Game
from salet.game.named import named_game
from salet.game.round import Round, draw_secret
from salet.game.rows import parse_rows
from salet.search.exact.layout import HARD, NORMAL, STRICT, layout_of
from salet.search.exact.stack import build_stack
from search.exact import test_signature

GOLDEN = Path(__file__).parents[1] / "golden" / "site.jsonl.gz"
FOREVER = 1e6
"""seconds: questions are answered to their end"""
Case = tuple[str, list[Any], Callable[[], Any]]
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
    {"game": "original:last=3"},
    {"game": "original", "cap": 0},
)
"""games that do not exist"""


def cases(whole: bool = False) -> Iterator[Case]:
    """Every question, in the order in which it is asked; late positions of whole games, which take
    minutes, only where `whole`."""
    rng = random.Random(14)
    yield from words_and_scores(rng)
    yield from row_refusals(rng)
    yield from grids(rng)
    yield from games_played(rng)
    yield from small_games()
    yield from node_counts()
    yield from stack_shapes()
    if whole:
        yield from code_games(rng)
        yield from word_games(rng)
        yield from openers_played(rng)


# ---- words, scores, rows


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
        yield "parseRows", [text], lambda text=text: _rows_json(parse_rows(text))
    for name, mode in (
        ("nyt", "normal"),
        ("original", "hard"),
        ("original", "strict"),
        ("mastermind:4x6", "normal"),
    ):
        coach = Coach(named_game(name, mode=mode))
        spec = {"game": name, "mode": mode}
        for _ in range(70):
            rows = _damaged(rng, coach.game, _some_rows(rng, coach.game, rng.randint(1, 4)))
            yield "readRows", [spec, _rows_json(rows), {"limit": 40}], _read(coach, rows, 40)
            word = rng.choice(coach.game.guesses)
            yield "checkWord", [spec, word, _rows_json(rows)], _checked(coach.game, word, rows)
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


def _some_rows(rng: random.Random, game: Game, count: int) -> Rows:
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
            "rows": _rows_json(state.turns),
            "turn": state.turn,
            "won": state.won,
            "over": state.won or state.guesses_left == 0,
            "remaining": len(places),
            "words": [state.game.guesses[place] for place in places[:limit]],
            "outside": position.outside,
        }

    return answer


def _rows_json(rows: Any) -> list[dict[str, str]]:
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
                raise msgspec_row(at, error) from None
        over = current.over or give_up
        return {
            "game": game.name,
            "mode": game.mode,
            "cap": game.cap,
            "number": number,
            "rows": _rows_json(current.state.turns),
            "won": current.won,
            "over": over,
            "answer": game.guesses[current.secret] if over else None,
            "remaining": len(current.state.candidates),
            "share": current.share() if over else None,
        }

    return answer


def msgspec_row(at: int, error: InputError) -> InputError:
    from salet.errors import RowError

    return RowError(at, str(error))


# ---- the coach


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
        coach = Coach(game.with_(weights=None), weights=weights)
        rows = list(state.turns)
        consider = () if case.opener is None else (game.guesses[case.opener],)
        options = AdviceOptions(case.objective, FOREVER, 3 + number % 9, consider)
        yield "suggest", [spec, _asked(rows, options)], _advised(coach, rows, options)
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


def _rated(rows: Rows, guess: str, objective: str) -> dict[str, Any]:
    return {"rows": _rows_json(rows), "guess": guess, "objective": objective, "seconds": FOREVER}


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
        "rows": _rows_json(rows),
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
                coach, spec, _some_rows(rng, game, 3), rng.randrange(game.answer_count)
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
        rows = _some_rows(rng, coach.game, rng.randint(1, 3))
        position = read_position(coach, rows)
        if position.state.won or not 3 <= len(position.state.candidates) <= largest:
            continue
        found += 1
        objective = rng.choice(random_games.OBJECTIVES)
        options = AdviceOptions(objective, FOREVER, rng.choice([1, 3, 11]))
        yield "suggest", [spec, _asked(rows, options)], _advised(coach, rows, options)


# ---- the kernels


def node_counts() -> Iterator[Case]:
    """The suite of tests/search/exact/test_signature.py."""
    found: dict[str, Any] = {}

    def counted(name: str) -> Any:
        if not found:
            found.update(test_signature.signature())
        return found[name]

    for name, suite in test_signature.SUITE.items():
        yield "nodes", [name, *suite], lambda name=name: counted(name)


def stack_shapes() -> Iterator[Case]:
    """The arrays of a search, in every mode and both widths of patterns."""
    for name in (
        "original:first=70",
        "mastermind:3x4",
        "original:first=300,guesses=answers",
        "romanian:first=50",
    ):
        for mode, code in (("normal", NORMAL), ("hard", HARD), ("strict", STRICT)):
            if mode == "hard" and name.startswith("mastermind"):
                continue

            def shapes(name: str = name, mode: str = mode, code: int = code) -> Any:
                layout = layout_of(named_game(f"{name}", mode=mode))
                assert layout.mode == code
                stack = build_stack(layout, 6)
                flat = stack._asdict()
                similar = flat.pop("similar")._asdict()
                flat |= {f"similar.{field}": array for field, array in similar.items()}
                return {field: list(array.shape) for field, array in flat.items()}

            yield "shapes", [{"game": name, "mode": mode}, 6], shapes


def answered(case: Case) -> dict[str, Any]:
    """A line of the file."""
    call, args, answer = case
    line: dict[str, Any] = {"call": call, "args": args}
    try:
        return {**line, "result": answer()}
    except InputError as error:
        row = getattr(error, "row", None)
        return {
            **line,
            "problem": {"message": str(error), "row": row, "kind": type(error).__name__},
        }


def main() -> None:
    """Write the file; what it holds depends on the code alone."""
    home = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        lines = []
        for number, case in enumerate(cases("--whole" in sys.argv), 1):
            lines.append(json.dumps(answered(case), ensure_ascii=False, separators=(",", ":")))
            if number % 50 == 0:
                print(f"\r{number} cases", end="", flush=True)
        os.chdir(home)
    text = "\n".join(lines) + "\n"
    GOLDEN.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"\r{len(lines)} cases, {len(text):,} characters, {GOLDEN.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
