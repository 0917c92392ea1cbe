"""Progress of searches and proofs on one line, and a search that ended before it knew a guess."""

from __future__ import annotations

import msgspec

from salet import Game, SearchConfig, anytime_search
from salet.cli.render.search import picker_table, proof_progress, search_progress, search_result
from salet.search.anytime_run import CurvePoint, SearchProgress
from salet.search.prove import ProofProgress


def test_a_search_under_way() -> None:
    begun = SearchProgress(0, 0.0, None, lower=5, upper=None, megabytes=10.4)
    assert search_progress(begun).startswith(
        "best … · lower 5 · upper no plan yet · 0 iterations, 0.0/s · 10 MB"
    )
    later = SearchProgress(30, 10.0, "salet", lower=5, upper=9, megabytes=10)
    assert "best salet · lower 5 · upper 9 · 30 iterations, 3.0/s" in search_progress(later)


def test_a_proof_under_way() -> None:
    begun = ProofProgress(None, lower=5, upper=None, left=9, openers=9, nodes=0, seconds=0.0)
    assert "no incumbent yet" in proof_progress(begun) and proof_progress(begun).endswith("…")
    later = ProofProgress("salet", lower=5, upper=7, left=3, openers=9, nodes=5000, seconds=2.0)
    assert proof_progress(later) == (
        "best salet 7 · lower bound 5 · 3 of 9 openers left · 2,500 nodes/s · 1.0 s left"
    )


def test_a_search_too_short_for_a_guess_says_what_is_known() -> None:
    found = anytime_search(Game.named("mastermind:2x3"), SearchConfig(iterations=1))
    short = msgspec.structs.replace(
        found, guess=None, upper=None, total=None, proven=False, policy=[], stopped="seconds"
    )
    lines = [str(shown) for shown in search_result(short)]
    assert lines[1] == f"no plan is known yet; any needs {short.lower} guesses or more"
    capped = msgspec.structs.replace(short, cap=6, curve=[CurvePoint(0, 0.1, 2.0, None)])
    assert "no plan within the cap of 6 is known yet" in str(search_result(capped)[1])
    cells = [next(iter(column.cells)) for column in picker_table([capped])[1].columns]
    assert cells[2:5] == ["–", str(short.lower), "–"]
