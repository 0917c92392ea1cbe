"""Old results in bulk: what is read, what is ignored, and what is rejected and why."""

from __future__ import annotations

import datetime

import pytest

from salet.coach.game_history import format_line
from salet.coach.share_texts import number_in, read_shares

TODAY = datetime.date(2024, 6, 1)
ROWS = "⬛🟨⬛⬛⬛\n🟨⬛⬛🟨🟨\n🟩🟩🟩🟩🟩\n"


def one(text: str, **options):
    found = read_shares(text, TODAY, **options)
    assert not found.refused, found.refused
    (game,) = found.games
    return game


@pytest.mark.parametrize(
    "title",
    ["Wordle 990 3/6", "Wordle 990 3/6*", "Wordle #990 3/6", "wordle 990 3/6",
     "[05/03/2024, 08:12] Ann: Wordle 990 3/6", "5/03/24, 8:12 am - Bob: Wordle 990 3/6",
     "2024-03-05 Ann: Wordle 990 3/6", "\u200e[05.03.24, 08:12:01] Ann: \u200eWordle 990 3/6",
     "Wordle 990 🎉 3/6"],
)  # fmt: skip
@pytest.mark.parametrize("gap", ["\n", "\n\n", " "])
def test_titles_as_people_copy_them(title: str, gap: str) -> None:
    game = one(f"good morning\n{title}{gap}{ROWS}\nso easy")
    assert (game.id, game.number, game.date) == ("wordle-990", 990, "2024-03-05")
    assert (game.won, game.used, game.cap) == (True, 3, 6)
    assert game.rows == ["BYBBB", "YBBYY", "GGGGG"]
    assert game.mode == ("hard" if "*" in title else "normal")


@pytest.mark.parametrize("number", ["1,000", "1.000", "1 000", "1\u202f000", "1'000", "1000"])
def test_numbers_of_every_country(number: str) -> None:
    assert one(f"Wordle {number} 3/6\n{ROWS}").number == 1000
    assert number_in(f"Wordle {number}") == 1000 and number_in("Worlde 7") is None


def test_squares_of_every_palette() -> None:
    slack = ":black_large_square::large_yellow_square::white_large_square:" * 2
    rows = f"⬛️🟦⬜️⬛️⬛️\n{slack.removesuffix(':white_large_square:')}\n🟧🟧🟧🟧🟧"
    assert one(f"Wordle 990 3/6\n{rows}").rows == ["BYBBB", "BYBBY", "GGGGG"]


def test_many_at_once() -> None:
    lost = "⬜🟨⬜⬜⬜\n" * 6
    text = f"Wordle 5 3/6\n\n{ROWS}\nWordle 6 X/6*\n\n{lost}\nWordle 7 4/6\nWordle 8 3/6\n{ROWS}"
    games = read_shares(text, TODAY).games
    assert [(game.number, game.won, game.used, len(game.rows)) for game in games] == [
        (5, True, 3, 3), (6, False, 6, 6), (7, True, 4, 0), (8, True, 3, 3),
    ]  # fmt: skip


def test_own_texts_bring_skill_and_luck() -> None:
    text = f"2024-05-01\nsalet original 3/6\nskill 95/99, luck +0.48 guesses\n\n{ROWS}"
    game = one(text)
    assert (game.game, game.date, game.score, game.luck) == ("original", "2024-05-01", 95, 0.48)
    lost = text.replace("3/6", "X/3").replace(
        "luck +0.48 guesses", "lost 33.3 % by choices, 66.7 % by luck"
    )
    lost = lost.replace("🟩🟩🟩🟩🟩", "🟩🟩🟩🟩⬛")
    game = one(lost)
    assert (game.won, game.score, game.luck) == (False, 95, None)


def test_other_games_by_name() -> None:
    text = "2024-05-01\nNerdle 7 2/6\n⬛🟩🟨⬛⬛⬛⬛⬛\n🟩🟩🟩🟩🟩🟩🟩🟩\n"
    game = one(text, game="nerdle", length=8)
    assert (game.game, game.number, game.rows[1]) == ("nerdle", None, "GGGGGGGG")


def test_an_exported_history_is_read_too() -> None:
    game = one(f"Wordle 5 3/6\n{ROWS}")
    again = read_shares(format_line(game).decode() + '{"bad"\n', TODAY)
    assert again.games == [game]
    assert [str(refused) for refused in again.refused] == ["line 2 '{\"bad\"': it is not JSON"]


def test_lines_of_a_chat_are_passed_over() -> None:
    found = read_shares("open 24/7\nsee you on 3/4\n1/2 cup of milk, 5/6\nhello", TODAY)
    assert found.games == found.refused == []


REFUSED = {
    "another game": (f"Absurdle 3/6\n{ROWS}", 1, "this is another game than Wordle"),
    "squares alone": (f"Daily Quordle 5\n{ROWS}", 2, "squares without a line such as 'Wordle"),
    "to come": (f"Wordle 5,000 3/6\n{ROWS}", 1, "there is no Wordle 5000 yet"),
    "no date": (f"salet original 3/6\n{ROWS}", 1, "no number and no date"),
    "no such date": (f"2023-02-29\nsalet nyt 3/6\n{ROWS}", 2, "'2023-02-29' does not exist"),
    "tomorrow's": (f"2024-07-01\nsalet nyt 3/6\n{ROWS}", 2, "'2024-07-01' is in the future"),
    "cut off": (f"Wordle 5 4/6\n{ROWS}", 1, "says 4/6 but has 3 rows"),
    "won and lost": (f"Wordle 5 X/3\n{ROWS}", 1, "says X/3 but has 3 rows, the last all green"),
    "too many": ("Wordle 5 7/6", 1, "7 guesses are more than 6"),
    "wide": ("Wordle 5 1/6\n🟩🟩🟩🟩🟩🟩", 1, "has 6 squares; words have 5"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_cannot_be_read_is_refused_with_its_line(fault: str) -> None:
    text, line, said = REFUSED[fault]
    found = read_shares(text + f"\nWordle 9 3/6\n{ROWS}", TODAY)
    assert [game.number for game in found.games] == [9]
    (refused,) = found.refused
    assert refused.line == line and said in refused.reason
    assert str(refused).startswith(f"line {line} ")
