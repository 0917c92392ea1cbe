"""Certificates: what is proven can be checked, and what is false is rejected."""

from __future__ import annotations

import io
import json
import random
import zlib
from pathlib import Path

import pytest

import naive
import random_games
from plain_checker import PlainChecker, Rejected
from salet import Game
from salet.errors import DataError, InputError, SaletError
from salet.search.certify import certify
from salet.search.prove import prove
from salet.search.solve import solve
from salet.verification import certificate_format
from salet.verification.certificate_check import check_certificate
from salet.verification.certificate_format import Fact, read_facts, read_header, write_certificate

GAMES, CHUNKS = 1000, 4
MUTANTS = 1000


def certified(case: random_games.Case, path: Path) -> Game:
    """Solve a case and save its certificate."""
    state = random_games.state_of(case)
    objective = "win-then-mean" if case.objective == "win-then-mean" else "mean"
    found = solve(state, objective=objective, opener=case.opener, threads=1, certificate=True)
    assert found.certificate is not None, case
    found.certificate.save(path)
    return state.game


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_proven_total_is_certified(chunk, tmp_path) -> None:
    path = tmp_path / "game.cert"
    for number in range(chunk, GAMES, CHUNKS):
        case = random_games.case(number)
        game = certified(case, path)
        verdict = check_certificate(path, game)
        assert verdict.facts == read_header(path)["facts"]
        if number % 5 == 0:
            PlainChecker(case.game, path.read_bytes()).run()


@pytest.mark.parametrize("number", range(60))
def test_one_more_is_never_accepted(number, tmp_path) -> None:
    """The claim raised by one is false, so nothing may follow from the facts."""
    case = random_games.case(number)
    path = tmp_path / "game.cert"
    game = certified(case, path)
    header, facts = read_header(path), list(read_facts(path))
    header["lower"] = [[guess, lower + 1] for guess, lower in header["lower"]]
    if header["lower"][0][1] > 1 << 59:
        return  # no plan exists: any bound is true
    save(path, header, facts)
    with pytest.raises(DataError, match="does not follow"):
        check_certificate(path, game)
    with pytest.raises(Rejected):
        PlainChecker(case.game, path.read_bytes()).run()


def save(path: Path, header: dict, facts: list[Fact]) -> None:
    with path.open("wb") as file:
        write_certificate(file, header, facts)


# ---- damaged certificates


class Truth:
    """Brute force: what a fact really is."""

    def __init__(self, case: random_games.Case, header: dict) -> None:
        self.tiny, self.loss = case.game, header["loss"]

    def value(self, history) -> int | None:
        """V(history); None if there is no such state, or no plan."""
        words = self.tiny.guesses
        turns = []
        for guess, number in history:
            colours = [
                naive.RULES[self.tiny.rule](words[guess], answer) for answer in self.tiny.answers
            ]
            match = [c for c in colours if _numbered(self.tiny, c) == number]
            if not match:
                return None
            turns.append((words[guess], match[0]))
        objective = "mean" if self.loss is None else "win-then-mean"
        best = naive.solve(self.tiny, objective, turns)
        if best is None:
            return None
        return best.total - best.losses + best.losses * (self.loss or 0)


def _numbered(tiny: naive.Tiny, colours) -> int:
    if tiny.rule == "pegs":
        return colours[0] * (len(tiny.guesses[0]) + 1) + colours[1]
    return sum(colour * 3**place for place, colour in enumerate(colours))


def mutants(rng: random.Random, data: bytes, header: dict, facts: list[Fact]):
    """One damaged certificate, and its facts if it still has some."""
    kind = rng.choice(["raise", "raise", "drop", "move", "give", "header", "truncate", "flip"])
    changed = list(facts)
    at = rng.randrange(len(facts)) if facts else 0
    if kind == "raise" and facts:
        changed[at] = Fact(facts[at].history, facts[at].lower + 1)
    elif kind == "drop" and facts:
        del changed[at]
    elif kind == "move" and facts:
        changed.insert(rng.randrange(len(facts)), changed.pop(at))
    elif kind == "give" and facts:
        changed[at] = Fact(facts[rng.randrange(len(facts))].history, facts[at].lower)
    elif kind == "header":
        return data.replace(b'"digest": "', b'"digest": "0', 1), None
    elif kind == "truncate":
        return data[: rng.randrange(len(data))], None
    else:
        damaged = bytearray(data)
        damaged[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return bytes(damaged), None
    file = io.BytesIO()
    write_certificate(file, header, changed)
    return file.getvalue(), changed


def test_damaged_certificates(tmp_path) -> None:
    """No false statement passes, nothing crashes, and both checkers agree."""
    rng = random.Random(7)
    good, bad = tmp_path / "good.cert", tmp_path / "bad.cert"
    accepted = rejected = 0
    number = 0
    while accepted + rejected < MUTANTS:
        number += 1
        case = random_games.case(number)
        game = certified(case, good)
        data, header, facts = good.read_bytes(), read_header(good), list(read_facts(good))
        if not facts:
            continue
        for _ in range(8):
            damaged, changed = mutants(rng, data, header, facts)
            bad.write_bytes(damaged)
            try:
                check_certificate(bad, game)
                accepted += 1
            except SaletError as error:
                rejected += 1
                assert "\n" not in str(error)
                continue
            if changed is None:
                continue
            PlainChecker(case.game, damaged).run()
            truth = Truth(case, header)
            for fact in changed:
                value = truth.value(fact.history)
                assert value is None or fact.lower <= value, (case, fact)
    assert rejected > MUTANTS // 2
    assert accepted > 10  # a harmless change may pass


def test_that_an_opener_cannot_keep_the_cap(tmp_path) -> None:
    """What is asked for a little at a time never reaches infinity."""
    game = Game.named("original:first=300,guesses=answers", cap=4)
    found = solve(game, opener="buggy", certificate=True)
    assert found.proven and found.total is None
    found.certificate.save(tmp_path / "buggy.cert")
    assert check_certificate(tmp_path / "buggy.cert", game).lower == 1 << 60


def test_the_first_bad_fact_is_named(tmp_path) -> None:
    game = Game.named("mastermind:3x4")
    path = tmp_path / "m.cert"
    certificate = solve(game, certificate=True).certificate
    facts = list(certificate.facts)
    facts[100] = Fact(facts[100].history, facts[100].lower + 5)
    save(path, certificate.header, facts)
    for threads in (1, 2):
        with pytest.raises(DataError, match=r"fact 100 of .* does not hold: guess \d+ costs"):
            check_certificate(path, game, threads=threads)


def test_with_a_plan_a_total_is_optimal(tmp_path) -> None:
    game = Game.named("mastermind:3x4")
    found = solve(game, certificate=True)
    path = tmp_path / "m.cert"
    found.certificate.save(path)
    verdict = check_certificate(path, game, plan=found.plan)
    assert (verdict.lower, verdict.upper, verdict.optimal) == (206, 206, True)
    assert verdict.claim == "no plan costs less than 206"
    worse = solve(game, opener="111").plan
    verdict = check_certificate(path, game, plan=worse)
    assert not verdict.optimal and verdict.upper > 206
    with pytest.raises(DataError, match="for another game"):
        check_certificate(path, game.replace(cap=4))


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "total"), [("normal", 7920), ("hard", 8122)])
def test_salet_in_the_original_game(mode, total, tmp_path) -> None:
    game = Game.named("original", mode=mode)
    found = solve(game, opener="salet", certificate=True)
    path = tmp_path / "salet.cert"
    found.certificate.save(path)
    verdict = check_certificate(path, game, plan=found.plan)
    assert (verdict.lower, verdict.upper, verdict.optimal) == (total, total, True)
    assert verdict.claim == f"'salet' costs at least {total}"


def test_a_ranking_proven_in_two_runs_on_two_threads(tmp_path) -> None:
    """What was decided in an earlier run is certified, too."""
    game = Game.named("original:first=40,guesses=answers", mode="hard")
    options = {"ranking": 3, "threads": 2, "checkpoint": tmp_path / "run"}
    assert prove(game, **options).proven
    proof = prove(game, **options, certificate=True)
    path = tmp_path / "ranking.cert"
    proof.certificate.save(path)
    verdict = check_certificate(path, game, plan=solve(game).plan, threads=2)
    assert verdict.lower == proof.total and verdict.optimal
    assert verdict.claim == (
        "3 guesses cost at least what is claimed of each, and all others at least "
        f"{proof.ranking[-1].total}"
    )


def test_a_false_bound_cannot_be_certified() -> None:
    game = Game.named("mastermind:2x3")
    with pytest.raises(InputError, match="21 can be reached"):
        certify(game.start(), {None: 22})


# ---- hostile files


def hostile(header: dict, body: bytes) -> bytes:
    return json.dumps(header).encode() + b"\n" + body


BASE = {"format": "salet certificate 1", "facts": 1, "bytes": 10, "sha256": "", "loss": None}
HOSTILE = {
    "empty": (b"", "is not a certificate"),
    "binary": (bytes(range(256)), "is not a certificate"),
    "no newline": (b"{" * 100_000, "is not a certificate"),
    "deep": (b"[" * 100_000 + b"\n", "is not a certificate"),
    "other format": (b'{"format": "other"}\n', "is not a certificate"),
    "huge count": (hostile({**BASE, "facts": 10**12}, b""), "'facts' is 1000000000000"),
    "huge size": (hostile({**BASE, "bytes": 10**12}, b""), "'bytes' is 1000000000000"),
    "negative": (hostile({**BASE, "facts": -1}, b""), "'facts' is -1"),
    "not zlib": (hostile(BASE, b"garbage"), "cannot be decompressed"),
    "bomb": (hostile(BASE, zlib.compress(bytes(10**8))), "holds more than the 10 bytes"),
    "endless number": (
        hostile({**BASE, "bytes": 1000}, zlib.compress(b"\xff" * 1000)),
        "too many digits",
    ),
    "deep history": (
        hostile({**BASE, "bytes": 3}, zlib.compress(b"\x00\xff\x7f")),
        "impossible history",
    ),
    "too short": (hostile({**BASE, "bytes": 0}, zlib.compress(b"")), "ends before fact 0|checksum"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_end_in_one_line(kind, tmp_path) -> None:
    data, said = HOSTILE[kind]
    path = tmp_path / "hostile.cert"
    path.write_bytes(data)
    with pytest.raises(SaletError, match=said) as error:
        list(certificate_format.read_facts(path))
    assert "\n" not in str(error.value)


def test_headers_that_claim_nothing(tmp_path) -> None:
    game = Game.named("mastermind:2x3")
    path = tmp_path / "m.cert"
    good = solve(game, certificate=True).certificate
    for change in (
        {"lower": []},
        {"lower": [[None, 21], [None, 20]]},
        {"lower": [[99, 21]]},
        {"lower": "x"},
        {"history": [[1]]},
        {"symmetries": [[[0, 1, 2], [1, 1]]]},
        {"symmetries": [[[0, 0, 1], [0, 1]]]},
        {"symmetries": "x"},
        {"loss": -1},
        {"digest": "0"},
    ):
        save(path, {**good.header, **change}, good.facts)
        with pytest.raises(SaletError):
            check_certificate(path, game)
    with pytest.raises(InputError, match="cannot read"):
        check_certificate(tmp_path / "none.cert", game)
