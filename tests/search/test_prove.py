"""Proofs over all openers: right, resumable, and never confused by foreign checkpoints."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from drawn import spelled, split_lists
from salet import Game
from salet.errors import DataError, InputError
from salet.search.checkpoint import read_checkpoint, write_checkpoint
from salet.search.prove import prove
from salet.search.solve import solve


@pytest.mark.tiny
@settings(max_examples=60)
@given(
    split_lists(least=2, most=11, lengths=(2, 4), letters=5),
    st.sampled_from(["normal", "hard"]),
    st.sampled_from([None, 3, 5]),
    st.integers(1, 5),
)
def test_the_ranking_is_brute_force(lists, mode: str, cap: int | None, count: int) -> None:
    words, answers = lists
    game = Game(spelled(words[:answers]), spelled(words), mode=mode, cap=cap)
    oracle = naive.solve(naive.Tiny(tuple(words[:answers]), tuple(words), "standard", mode, cap))
    count = min(count, len(words))
    proof = prove(game, ranking=count, threads=1, memory=0.01)
    assert proof.proven
    if oracle is None:
        assert (proof.best, proof.total, proof.upper) == (None, None, None)
        return
    best = min(oracle.guesses, key=lambda guess: (guess >= answers, guess))
    assert (proof.best, proof.total) == (game.guesses[best], oracle.total)
    assert proof.lower == proof.upper == oracle.total
    expected = [row for row in solve(game, top=count + 1).top or [] if row][: len(proof.ranking)]
    assert [(row.guess, row.total) for row in proof.ranking] == [
        (row.guess, row.total) for row in expected
    ]


def test_bounds_are_facts_at_every_moment() -> None:
    game = Game.named("original:first=150")
    seen = []
    proof = prove(game, progress=seen.append, threads=1)
    assert proof.proven
    for moment in seen:
        assert moment.lower <= proof.total
        assert moment.upper is None or moment.upper >= proof.total


def test_threads_do_not_change_the_result() -> None:
    game = Game.named("original:first=150")
    one, two = (prove(game, ranking=5, threads=n) for n in (1, 2))
    assert one.ranking == two.ranking


def test_weights_and_given_openers(tiny_game) -> None:
    game = tiny_game(weights=[1 + place % 7 for place in range(20)])
    assert prove(game).total == solve(game).total
    few = prove(game, openers=["crane", "eight"], ranking="all")
    assert sorted(row.guess for row in few.ranking) == ["crane", "eight"]
    with pytest.raises(InputError, match="ranking 9: there are 2 openers"):
        prove(game, openers=["crane", "eight"], ranking=9)
    with pytest.raises(InputError, match="'zzzzz'"):
        prove(game, openers=["zzzzz"])


def test_an_interrupted_proof_is_resumed(tmp_path: Path) -> None:
    game = Game.named("original:first=100")
    whole = prove(game, ranking=3, checkpoint=tmp_path)
    path = tmp_path / "proof.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + len(game.guesses)
    path.write_text("".join(lines[:4000]) + lines[4000][:5])  # killed in the middle of a line
    again = prove(game, ranking=3, checkpoint=tmp_path)
    assert (again.ranking, again.total) == (whole.ranking, whole.total)
    assert len(path.read_text().splitlines()) == 1 + len(game.guesses)


def test_a_ranking_of_all_openers_runs_in_stretches(tmp_path: Path) -> None:
    game = Game.named("original:first=40,guesses=answers")
    whole = prove(game, ranking="all", threads=1)
    assert len(whole.ranking) == 40
    stretches = 0
    proof = prove(game, ranking="all", threads=1, seconds=1e-9, checkpoint=tmp_path)
    assert not proof.proven
    while not proof.proven:
        stretches += 1
        proof = prove(game, ranking="all", threads=1, seconds=10, checkpoint=tmp_path)
    assert proof.ranking == whole.ranking
    with pytest.raises(InputError, match="seconds 0"):
        prove(game, seconds=0)


def test_a_cancelled_proof_has_true_bounds() -> None:
    game = Game.named("original:first=60,guesses=answers")
    proof = prove(game, threads=1, cancel=lambda: True)
    assert not proof.proven
    total = prove(game, threads=1).total
    assert total is not None and proof.lower <= total <= (proof.upper or total)


@pytest.mark.parametrize("name", ["original:first=40,guesses=answers", "mastermind:2x3"])
def test_a_ranking_begins_with_what_is_known(tmp_path: Path, name: str) -> None:
    game = Game.named(name)
    whole = prove(game, ranking="all", threads=1)
    known = [(game.index(row.guess), "exact", row.total) for row in whole.ranking[::2]]
    write_checkpoint(tmp_path, game, known)
    begun = read_checkpoint(tmp_path, game)
    assert begun
    assert set(begun) <= set(known)
    proof = prove(game, ranking="all", threads=1, checkpoint=tmp_path)
    assert proof.ranking == whole.ranking
    assert read_checkpoint(tmp_path, game)[: len(begun)] == begun
    with pytest.raises(InputError, match="exists; give an empty directory"):
        write_checkpoint(tmp_path, game, known)


def test_a_proof_with_symmetry_is_resumed_within_an_opener(tmp_path: Path) -> None:
    game = Game.named("mastermind:3x6")
    whole = prove(game, checkpoint=tmp_path, threads=1)
    openers, states = tmp_path / "proof.jsonl", tmp_path / "proof-states.jsonl"
    header, *rows = states.read_text().splitlines(keepends=True)
    assert len(rows) > 3
    openers.write_text(header)  # killed before the first opener was decided
    again = prove(game, checkpoint=tmp_path, threads=1)
    assert (again.ranking, again.lower) == (whole.ranking, whole.lower)
    assert again.nodes < whole.nodes
    openers.write_text(header)
    states.write_text(header + "".join(rows[:3]) + rows[3][:5])
    again = prove(game, checkpoint=tmp_path, threads=2)
    assert (again.ranking, again.lower) == (whole.ranking, whole.lower)
    for bad in ("", "{}\n", header + "[[1, 2], 5, 4]\n", header + '[[1, "a"], 4, 5]\n[[1]]\n'):
        states.write_text(bad)
        with pytest.raises(DataError, match=r"another search|is damaged"):
            prove(game, checkpoint=tmp_path)


def test_a_checkpoint_knows_the_rule(tmp_path: Path) -> None:
    """Two rules may show the same feedback everywhere and yet allow other guesses in hard mode."""
    answers = ["aab", "xaa"]
    counted, present = (
        Game(answers, [*answers, "ban"], rule=rule, mode="hard", name="two")
        for rule in ("standard", "present")
    )
    assert (counted.table == present.table).all()
    assert len(counted.state("aab:ygb").legal) < len(present.state("aab:ygb").legal)
    prove(counted, checkpoint=tmp_path)
    with pytest.raises(DataError, match="belongs to another search"):
        prove(present, checkpoint=tmp_path)


def test_foreign_and_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    game = Game.named("original:first=40")
    prove(game, checkpoint=tmp_path)
    path = tmp_path / "proof.jsonl"
    with pytest.raises(DataError, match="belongs to another search"):
        prove(game.replace(mode="hard"), checkpoint=tmp_path)
    with pytest.raises(DataError, match="belongs to another search"):
        prove(game, ranking=2, checkpoint=tmp_path)
    good = path.read_text()
    for bad in ("", "{}\n", "garbage\n", good + '[1, "magic", 2]\n', good + "[1]\n", "\0" * 99):
        path.write_text(bad)
        with pytest.raises(DataError, match=r"another search|is damaged"):
            prove(game, checkpoint=tmp_path)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(InputError, match="is a file; give a directory"):
        prove(game, checkpoint=blocked)


def test_kill_and_ctrl_c_lose_nothing_decided(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from salet import Game\n"
        "from salet.search.prove import prove\n"
        "told = []\n"
        "def progress(p):\n"
        "    if p.openers - p.left > 200 and not told:\n"
        "        told.append(1); print('far enough', flush=True); sys.stdin.readline()\n"
        f"prove(Game.named('original:first=250'), checkpoint={str(tmp_path)!r}, threads=1, "
        "progress=progress)\n"
    )
    for number in (signal.SIGKILL, signal.SIGINT):
        with subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ,
            text=True,
        ) as process:
            assert process.stdout is not None
            if process.stdout.readline():  # nothing: it was done before we could stop it
                process.send_signal(number)
            process.communicate(timeout=120)
    game = Game.named("original:first=250")
    lines = (tmp_path / "proof.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["game"] == game.name
    assert len(lines) > 200
    assert prove(game, checkpoint=tmp_path).total == prove(game).total
