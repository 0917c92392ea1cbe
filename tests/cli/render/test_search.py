"""Progress of searches and proofs, on one line."""

from __future__ import annotations

from salet.cli.render.search import proof_progress, search_progress
from salet.search.anytime_run import SearchProgress
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
