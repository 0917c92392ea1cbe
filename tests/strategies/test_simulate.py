"""Simulation agrees with playing the answers one by one."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import drawn
import naive
from players import SURE
from salet import Game, Simulation, Strategy, simulate, strategy_named
from salet.errors import IllegalGuessError, InputError, UnknownNameError
from salet.strategies.simulate import transcript
from states import PAIRS

pytestmark = pytest.mark.usefixtures("own_cache")

FIELDS = {
    *("game", "mode", "cap", "strategy", "ties", "opener", "answers", "total", "mean", "worst"),
    *("losses", "histogram", "seconds", "version", "commit"),
}


def game_by_game(game: Game, player: Strategy, opener: str | None = None):
    """Each answer played by itself: the guesses, and whether the last one was correct."""
    for answer in game.answers:
        state, line = game.start(), []
        while True:
            choice = player.choose(state) if line or opener is None else opener
            guess = game.guesses[game.index(choice)]
            repeated = guess in line
            line.append(guess)
            if guess == answer:
                yield line, True
                break
            if len(line) == game.cap or (game.cap is None and repeated):
                yield line, False
                break
            pattern = naive.RULES[game.rule.name](tuple(guess), tuple(answer))
            state = state.after(guess, naive.shown(game.rule.name, pattern))


def accounts(game: Game, played) -> dict:
    """The expected result, computed from the games."""
    wins = [len(line) for line, won in played if won]
    losses = [len(line) if game.cap is None else game.cap + 1 for line, won in played if not won]
    total = sum(wins) + sum(losses)
    return {
        "answers": len(played),
        "total": total,
        "mean": total / len(played),
        "worst": max(wins, default=0),
        "losses": len(losses),
        "histogram": {size: wins.count(size) for size in sorted(set(wins))},
        "opener": played[0][0][0],
    }


@pytest.mark.tiny
@pytest.mark.parametrize("name", SURE)
@settings(max_examples=15)
@given(data=st.data())
def test_the_tree_contains_the_game_of_every_answer(name, data):
    rule, mode = data.draw(st.sampled_from(PAIRS))
    cap = data.draw(st.sampled_from([None, 1, 2, 3, 6]))
    ties = data.draw(st.sampled_from(["candidate", "first"]))
    ascii_words = st.text("abcd", min_size=3, max_size=3)
    words = data.draw(st.lists(ascii_words, min_size=2, max_size=14, unique=True))
    answers = words[: data.draw(st.integers(1, len(words)))]
    opener = data.draw(st.none() | st.sampled_from(words))
    game = Game(answers, words, rule=rule, mode=mode, cap=cap)
    played = simulate(game, name, opener=opener, ties=ties, seed=3)
    alone = list(game_by_game(game, strategy_named(name, ties=ties, seed=3), opener))
    assert [[game.guesses[g] for g in line] for line in played.games] == [line for line, _ in alone]
    for field, value in accounts(game, alone).items():
        assert getattr(played, field) == value, field
    assert sum(played.charges) == played.total


class Repeats(Strategy):
    """Makes the same guess again and again after the first."""

    def choose(self, state):
        return 0


class Asked(Strategy):
    """Remembers which states it was asked about."""

    def __init__(self):
        self.states = []

    def choose(self, state):
        self.states.append(state.history)
        return state.words[0]


@pytest.mark.tiny
def test_the_player_is_asked_once_for_each_state(tiny_game):
    player = Asked()
    result = simulate(tiny_game(), player)
    assert len(player.states) == len(set(player.states))
    assert len(player.states) < result.total
    assert () in player.states
    fixed = Asked()
    simulate(tiny_game(), fixed, opener="crane")
    assert () not in fixed.states  # a fixed opener is not asked for


@pytest.mark.tiny
def test_uncapped_play_ends_as_a_loss_when_a_guess_repeats():
    game = Game(["ab", "cd", "ef"])
    played = simulate(game, Repeats())
    assert played.games == [(0,), (0, 0), (0, 0)]
    assert played.losses == 2
    assert played.histogram == {1: 1}
    assert (played.total, played.worst) == (5, 1)


@pytest.mark.tiny
@pytest.mark.parametrize("cap", [1, 2, 5])
def test_a_loss_counts_one_more_than_the_cap(cap):
    game = Game(["ab", "cd", "ef"], cap=cap)
    played = simulate(game, Repeats())
    assert played.losses == 2
    assert played.histogram == {1: 1}
    assert played.total == 1 + 2 * (cap + 1)
    assert played.mean == played.total / 3
    assert played.games[1] == (0,) * cap
    assert played.charges == [1, cap + 1, cap + 1]


class Wrong(Strategy):
    def choose(self, state):
        return "cd"


@pytest.mark.tiny
def test_nobody_wins():
    result = simulate(Game(["ab"], ["ab", "cd"], cap=2), Wrong())
    assert (result.losses, result.total, result.worst, result.histogram) == (1, 3, 0, {})


@pytest.mark.tiny
def test_an_illegal_guess_is_refused():
    game = Game(["abc", "abd"], ["abc", "abd", "xyz"], mode="hard")

    class Cheats(Strategy):
        def choose(self, state):
            return "xyz" if state.turn else "abc"

    with pytest.raises(IllegalGuessError, match="'xyz' is not allowed"):
        simulate(game, Cheats())


@pytest.mark.parametrize("choice", [None, "qqq", 99, -1, "x"])
def test_choices_that_are_not_guesses_are_refused(choice):
    class Odd(Strategy):
        def choose(self, state):
            return choice

    with pytest.raises(InputError):
        simulate(Game(["abc", "abd"]), Odd())


@pytest.mark.parametrize("name", SURE)
def test_jobs_change_nothing(tiny_game, name):
    game = tiny_game(cap=3, mode="hard")
    one, two = (simulate(game, name, jobs=jobs, seed=2) for jobs in (1, 2))
    assert one.games == two.games
    ignored = {"seconds": 0}
    assert one.to_dict() | ignored == two.to_dict() | ignored


def test_refusals(tiny_game):
    with pytest.raises(InputError, match="0 jobs: give at least 1"):
        simulate(tiny_game(), "entropy", jobs=0)
    with pytest.raises(UnknownNameError, match=r"'crame'; did you mean .*'crane'"):
        simulate(tiny_game(), "entropy", opener="crame")
    with pytest.raises(UnknownNameError, match="unknown strategy"):
        simulate(tiny_game(), "entropie")


def test_progress_ends_with_everything_decided(tiny_game):
    seen = []
    simulate(tiny_game(cap=3), "entropy", progress=lambda done, whole: seen.append((done, whole)))
    assert seen[-1] == (20, 20)
    assert seen == sorted(seen)
    assert {whole for _, whole in seen} == {20}


def test_an_interrupted_simulation_stops(tiny_game):
    def interrupt(done, whole):
        raise KeyboardInterrupt

    for jobs in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            simulate(tiny_game(), "entropy", jobs=jobs, progress=interrupt)


# ---------------------------------------------------------------------------- the result


def test_the_keys_of_the_result(tiny_game):
    result = simulate(tiny_game(cap=6, mode="hard"), "entropy", ties="first", opener="Crane")
    assert isinstance(result, Simulation)
    fields = json.loads(json.dumps(result.to_dict()))
    assert set(fields) == FIELDS
    assert (fields["game"], fields["mode"], fields["cap"]) == ("tiny", "hard", 6)
    assert (fields["strategy"], fields["ties"], fields["opener"]) == ("entropy", "first", "crane")
    assert fields["histogram"] == {str(k): v for k, v in result.histogram.items()}
    assert fields["seconds"] >= 0
    assert simulate(tiny_game(), "random").ties is None


def test_the_result_renders_in_notebooks():
    class Text(HTMLParser):
        found = ""

        def handle_data(self, data):
            self.found += data + " "

    game = Game(["ab", "cd", "ef"], cap=1, name="<b>&")
    html = simulate(game, Repeats())._repr_html_()
    parser = Text()
    parser.feed(html)
    assert "<b>&" in parser.found  # escaped
    assert "2 lost" in parser.found
    assert "mean 1.6667" in parser.found


def test_transcripts():
    game = Game(["AB", "CD", "EF"])
    played = simulate(game, "entropy")
    lines = list(transcript(game, played))
    assert lines[0] == "AB, AB "
    assert lines[-1] == str(sum(map(len, played.games))) == str(played.total)
    assert len(lines) == 4
    for answer, line in zip(game.answers, lines[:-1], strict=True):
        secret, guesses = line.split(", ")
        assert secret == answer
        assert guesses.endswith(f"{answer} ")
        assert guesses.split(" ")[-1] == ""


def test_small_words_of_other_scripts():
    words = ["".join(letters) for letters in (drawn.FLAGS[:3], drawn.FLAGS[1:4], drawn.FLAGS[3:])]
    result = simulate(Game(words), "entropy")
    assert (result.answers, result.losses) == (3, 0)


# ---------------------------------------------------------------------------- published figures


@pytest.fixture(scope="module")
def original():
    return Game.named("original")


@pytest.mark.slow
def test_original_entropy(original):
    result = simulate(original, "entropy", opener="soare")
    assert result.total == 8018
    assert result.histogram == {2: 44, 3: 1219, 4: 988, 5: 63, 6: 1}
    assert (result.losses, result.worst, result.answers) == (0, 6, 2315)


@pytest.mark.slow
def test_original_entropy_first_and_the_accounting_of_the_paper(original):
    """MaxEntropy stops when one candidate is left or six guesses are made, and charges one more."""
    played = simulate(original, "entropy", opener="soare", ties="first")
    assert played.total == 8414
    assert round(played.mean, 4) == 3.6346
    charged: dict[int, int] = {}
    for answer, line in enumerate(played.games):
        state, made = original.start(), 0
        while made == 0 or (len(state.candidates) > 1 and made < 6):
            state = state.after(line[made], int(original.table[line[made], answer]))
            made += 1
        charged[made + 1] = charged.get(made + 1, 0) + 1
    assert dict(sorted(charged.items())) == {2: 22, 3: 900, 4: 1292, 5: 99, 6: 2}
    assert sum(size * count for size, count in charged.items()) == 8419
    assert round(8419 / 2315, 4) == 3.6367


@pytest.fixture(scope="module")
def newest():
    return Game.named("nyt-2023-07")


@pytest.mark.slow
def test_nyt_entropic(newest):
    result = simulate(newest, "entropic")
    assert (result.opener, result.total) == ("tarse", 11270)
    assert result.histogram == {2: 85, 3: 1442, 4: 1392, 5: 228, 6: 11}


@pytest.mark.slow
def test_nyt_statistical(newest):
    result = simulate(newest, "statistical")
    assert (result.opener, result.total) == ("roate", 11511)
    assert result.histogram == {2: 64, 3: 1215, 4: 1665, 5: 206, 6: 8}


@pytest.fixture(scope="module")
def romanian(shared):
    words = (shared / "data/romanian-11454.txt").read_text("ascii").split()
    assert len(words) == 11454
    return Game(words, rule="present", name="romanian-11454")


@pytest.mark.slow
def test_romanian_as_published(romanian):
    played = simulate(romanian, "entropy", ties="first-candidate")
    result = played
    assert (result.opener, result.total, result.cap) == ("TAREI", 45906, None)
    assert result.histogram == {1: 1, 2: 40, 3: 2379, 4: 6655, 5: 2207, 6: 171, 7: 1}
    lines = list(transcript(romanian, played))
    assert lines[-1] == "45906"
    assert "NUNII, TAREI SOCUL UGNIM ABJUR AFIPT HUNII NUNII " in lines
    assert [line for line in lines if line.count(" ") == 8] == [lines[romanian.index("NUNII")]]
    assert [line.split(",")[0] for line in lines[:-1]] == list(romanian.answers)


@pytest.mark.slow
def test_romanian_with_ties_to_candidates(romanian):
    result = simulate(romanian, "entropy")
    assert (result.opener, result.total, result.losses) == ("TAREI", 45694, 0)
