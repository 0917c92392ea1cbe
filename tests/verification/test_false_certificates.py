"""Certificates made to deceive: what they claim is false, or makes no sense, and is rejected."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

import naive
from plain_checker import PlainChecker, Rejected
from salet import Game
from salet.errors import DataError, SaletError
from salet.search.prove import prove
from salet.search.solve import solve
from salet.verification import certificate_format, certificates
from salet.verification.certificate_check import check_certificate
from salet.verification.certificate_format import Fact, game_digest, write_certificate


def saved(folder: Path, game: Game, facts: list[Fact] | None = None, **changes: object) -> Path:
    """A certificate of the game with some other facts and fields of its header."""
    header = {
        "loss": None,
        "history": [],
        "digest": digest(game, changes.get("loss")),
        "lower": [[None, 1]],
        **changes,
    }
    path = folder / "false.cert"
    with path.open("wb") as file:
        write_certificate(file, header, facts or [])
    return path


def digest(game: Game, loss: object) -> str:
    rules = (game.rule.name, game.mode, game.cap)
    return game_digest(game.answers, game.guesses, *rules, None, loss)


FAMILY = ["aat", "bat", "cat", "dat"]
CODES = tuple(a + b for a in "123" for b in "123")
PEGS = naive.Tiny(CODES, CODES, rule="pegs")
"""mastermind:2x3"""


@pytest.mark.parametrize("loss", [0, -1, 1, 7, 1 << 60, 10.5, True, "9"])
def test_a_price_must_outweigh_all_guesses(loss, tmp_path) -> None:
    """With a low price more guesses may cost more, and the rule does not hold."""
    game = Game(FAMILY, cap=2)
    path = saved(tmp_path, game, loss=loss)
    with pytest.raises(DataError, match="prices a lost answer at"):
        check_certificate(path, game)
    if type(loss) is int and 0 < loss < 8:
        tiny = naive.Tiny(tuple(FAMILY), tuple(FAMILY), cap=2)
        with pytest.raises(Rejected, match="price"):
            PlainChecker(tiny, path.read_bytes()).run()
    check_certificate(saved(tmp_path, game, loss=8), game)


def test_no_fact_is_about_a_state_without_guesses(tmp_path) -> None:
    """Its value is the price of what is lost, whatever a guess would cost."""
    game = Game(FAMILY, cap=2)
    history = ((0, 24), (1, 24))  # green: a and t
    path = saved(tmp_path, game, [Fact(history, 1)], loss=8)
    for threads in (1, 2):
        with pytest.raises(DataError, match=r"fact 0 of .* no guess is left"):
            check_certificate(path, game, threads=threads)
    tiny = naive.Tiny(tuple(FAMILY), tuple(FAMILY), cap=2)
    with pytest.raises(Rejected, match="fact 0"):
        PlainChecker(tiny, path.read_bytes()).run()


def test_a_low_bound_of_one_guess_covers_no_guess_like_it(tmp_path) -> None:
    """Symmetric openers share the greatest bound that is claimed of any of them."""
    game = Game.named("mastermind:2x3")
    found = solve(game, certificate=True).certificate
    symmetries = found.header["symmetries"]
    low = [[guess, 0] for guess in range(9)]
    for count in range(9):
        path = saved(
            tmp_path, game, found.facts, lower=[*low[:count], [None, 99]], symmetries=symmetries
        )
        with pytest.raises(DataError, match=r"the claim of .* does not follow"):
            check_certificate(path, game)
        with pytest.raises(Rejected, match="claim"):
            PlainChecker(PEGS, path.read_bytes()).run()
    for lower in ([[0, 0], [4, 99]], [[8, 99]]):
        path = saved(tmp_path, game, found.facts, lower=lower, symmetries=symmetries)
        with pytest.raises(DataError, match=r"the claim of .* does not follow"):
            check_certificate(path, game)


def test_an_idle_guess_is_not_worse_than_all_others(tmp_path) -> None:
    """It is never best, but here it is all that `others` means."""
    game = Game(["ab", "cd"], ["ab", "cd", "xy"])
    for bound, is_true in ((5, True), (6, False)):
        path = saved(tmp_path, game, lower=[[0, 3], [1, 3], [None, bound]])
        tiny = naive.Tiny(game.answers, game.guesses, cap=game.cap)
        if is_true:
            check_certificate(path, game)
            PlainChecker(tiny, path.read_bytes()).run()
            continue
        with pytest.raises(DataError, match="guess 2 costs at least 5 as far as can be shown"):
            check_certificate(path, game)
        with pytest.raises(Rejected, match="claim"):
            PlainChecker(tiny, path.read_bytes()).run()


@pytest.mark.parametrize("ranking", [1, 2, 4, 9])
def test_rankings_of_a_symmetric_game(ranking, tmp_path) -> None:
    game = Game.named("mastermind:2x3")
    path = tmp_path / "ranking.cert"
    proof = prove(game, ranking=ranking, certificate=True)
    proof.certificate.save(path)
    assert check_certificate(path, game).lower == proof.total
    PlainChecker(PEGS, path.read_bytes()).run()


SYMMETRIES = {
    "not a list": "x",
    "a number": [1],
    "no pair": [[[0, 1, 2]]],
    "three": [[[0, 1, 2], [0, 1], [0]]],
    "a letter twice": [[[0, 0, 1], [0, 1]]],
    "too few letters": [[[1, 0], [0, 1]]],
    "too many letters": [[[0, 1, 2, 3], [0, 1]]],
    "fractions": [[[0.0, 1.0, 2.0], [0.0, 1.0]]],
    "truths": [[[False, True, 2], [False, True]]],
    "texts": [[["0", "1", "2"], [0, 1]]],
    "nested": [[[[0], [1], [2]], [0, 1]]],
    "none": [[None, None]],
    "a great many": [[[0, 1, 2], [0, 1]]] * 1001,
}


@pytest.mark.parametrize("kind", SYMMETRIES)
def test_symmetries_that_make_no_sense(kind, tmp_path) -> None:
    game = Game.named("mastermind:2x3")
    path = saved(tmp_path, game, symmetries=SYMMETRIES[kind])
    with pytest.raises(DataError, match="symmetr"):
        check_certificate(path, game)


def test_a_symmetry_must_map_the_game_to_itself(tmp_path) -> None:
    game = Game(["ab", "ba", "bb"])
    tiny = naive.Tiny(game.answers, game.guesses, cap=game.cap)
    for symmetry in ([[1, 0], [0, 1]], [[1, 0], [1, 0]]):
        path = saved(tmp_path, game, symmetries=[symmetry])
        with pytest.raises(DataError, match="does not map the game to itself"):
            check_certificate(path, game)
        with pytest.raises(Rejected, match="leads to another word"):
            PlainChecker(tiny, path.read_bytes()).run()
    path = saved(tmp_path, game, symmetries=[[[0, 1], [1, 0]]])
    check_certificate(path, game)
    PlainChecker(tiny, path.read_bytes()).run()
    weighted = game.replace(weights=[1, 2, 1])
    path = saved(
        tmp_path, weighted, symmetries=[[[0, 1], [1, 0]]],
        digest=game_digest(
            game.answers, game.guesses, "standard", "normal", game.cap, [1, 2, 1], None
        ),
    )  # fmt: skip
    with pytest.raises(DataError, match="does not map the game to itself"):
        check_certificate(path, weighted)


CLAIMS = {
    "infinite": {"lower": [[None, float("inf")]]},
    "not a number": {"lower": [[None, float("nan")]]},
    "a fraction": {"lower": [[None, 1.5]]},
    "huge": {"lower": [[None, 10**30]]},
    "negative": {"lower": [[None, -1]]},
    "text": {"lower": [[None, "1"]]},
    "truth": {"lower": [[True, 1]]},
    "guess twice": {"lower": [[0, 1], [0, 2]]},
    "negative guess": {"lower": [[-1, 1]]},
    "three": {"lower": [[0, 1, 2]]},
    "object": {"lower": {"0": 1}},
    "null": {"lower": None},
    "negative step": {"history": [[-1, 0]]},
    "huge step": {"history": [[10**30, 0]]},
    "list step": {"history": [[[0], 0]]},
}


@pytest.mark.parametrize("kind", CLAIMS)
def test_claims_that_make_no_sense(kind, tmp_path) -> None:
    game = Game.named("mastermind:2x3")
    path = saved(tmp_path, game, **CLAIMS[kind])
    with pytest.raises(DataError, match="claims nothing that can be checked"):
        check_certificate(path, game)


HISTORIES = {
    "no such guess": (((9, 0),), "no guess 9"),
    "huge guess": (((1 << 62, 0),), "no guess"),
    "no such pattern": (((0, 200),), "no answer fits"),
    "huge pattern": (((0, 1 << 62),), "no answer fits"),
    "won": (((0, 6),), "over after a winning pattern"),
    "circle": (((0, 0), (0, 6)), "over after a winning pattern"),
}


def test_a_header_without_a_price_has_none(tmp_path) -> None:
    game = Game.named("mastermind:2x3")
    path = saved(tmp_path, game)
    path.write_bytes(path.read_bytes().replace(b'"loss"', b'"lost"'))
    assert check_certificate(path, game).lower == 1


@pytest.mark.parametrize(("kind", "threads"), [*((kind, 1) for kind in HISTORIES), ("won", 2)])
def test_facts_about_no_state(kind, threads, tmp_path) -> None:
    game = Game.named("mastermind:2x3")
    history, said = HISTORIES[kind]
    path = saved(tmp_path, game, [Fact((), 1), Fact(history, 0)])
    with pytest.raises(DataError, match=f"fact 1 of .* does not hold: .*{said}"):
        check_certificate(path, game, threads=threads)


def test_huge_bounds_do_not_overflow(tmp_path) -> None:
    game = Game.named("mastermind:2x3")
    for exponent in (31, 32, 59, 60, 61, 62, 63, 64, 69):
        path = saved(tmp_path, game, [Fact((), 1 << exponent)])
        with pytest.raises(SaletError) as error:
            check_certificate(path, game)
        assert "\n" not in str(error.value)


def test_the_first_of_several_bad_facts_is_named(tmp_path) -> None:
    game = Game.named("mastermind:3x4")
    certificate = solve(game, certificate=True).certificate
    facts = list(certificate.facts)
    for index in (40, 41, 90):
        facts[index] = Fact(facts[index].history, facts[index].lower + 5)
    path = tmp_path / "m.cert"
    with path.open("wb") as file:
        write_certificate(file, certificate.header, facts)
    for threads in (1, 2, 3):
        with pytest.raises(DataError, match=r"fact 40 of .* does not hold: guess \d+ costs"):
            check_certificate(path, game, threads=threads)


def test_no_fact_rests_on_itself_or_a_later_one(tmp_path) -> None:
    """Two facts that would prove each other, in a circle, prove nothing."""
    game = Game.named("mastermind:3x4")
    certificate = solve(game, certificate=True).certificate
    raised = [Fact(history, lower + 1) for history, lower in certificate.facts]
    path = tmp_path / "m.cert"
    for facts in (raised, raised * 2, [*reversed(certificate.facts)]):
        with path.open("wb") as file:
            write_certificate(file, {**certificate.header, "lower": [[None, 207]]}, facts)
        with pytest.raises(DataError):
            check_certificate(path, game)


def test_memory_is_bounded(tmp_path, monkeypatch) -> None:
    """A million facts about large sets fit into a small file, but not into memory."""
    game = Game(["".join(word) for word in itertools.product("abcd", repeat=4)])
    monkeypatch.setattr(certificates, "MAX_ANSWERS", 1000)
    path = saved(tmp_path, game, [Fact((), 1)] * 2000)
    assert path.stat().st_size < 1000
    with pytest.raises(DataError, match=r"fact 3 of .* about more than 1000 answers"):
        check_certificate(path, game)


def test_long_histories(tmp_path) -> None:
    """Wasted guesses are legal, but nobody wastes more than a thousand."""
    game = Game.named("mastermind:2x3").replace(cap=None)
    wasted = (8, 0)  # no answer is left out by the second
    path = saved(tmp_path, game, [Fact((wasted,) * 1000, 4), Fact((wasted,), 4)])
    assert check_certificate(path, game).facts == 2
    path = saved(tmp_path, game, [Fact((wasted,) * 1001, 4)])
    with pytest.raises(DataError, match=r"fact 0 of .* has an impossible history"):
        check_certificate(path, game)


def test_all_histories_together_are_limited(tmp_path, monkeypatch) -> None:
    """A fact of a few bytes may continue the long history of the one before."""
    game = Game.named("mastermind:2x3").replace(cap=None)
    monkeypatch.setattr(certificate_format, "MAX_ALL_STEPS", 100)
    wasted = [((8, 0),) * length for length in (30, 31, 32)]
    path = saved(tmp_path, game, [Fact(history, 4) for history in wasted])
    assert check_certificate(path, game).facts == 3
    path = saved(tmp_path, game, [Fact(history, 4) for history in (*wasted, wasted[0])])
    with pytest.raises(DataError, match=r"histories of .* have over 100 guesses"):
        check_certificate(path, game)
