"""Training runs as lines of text."""

from __future__ import annotations

from types import SimpleNamespace

from salet.cli.render.training import dqn_progress, dqn_result, rounds_progress, rounds_result


def test_a_value_network_in_training() -> None:
    row = SimpleNamespace(seconds=60.0, wins=7, answers=8, mean=4.125, loss=0.5, epsilon=0.1)
    assert dqn_progress(row, 1000, 3000) == (
        "1,000 of 3,000 games, won 7 of 8, mean 4.1250, loss 0.5000, epsilon 0.100, 2 min 0 s left"
    )
    assert dqn_progress(row, 3000, 3000).endswith(", done")


def test_a_policy_network_in_training() -> None:
    row = SimpleNamespace(
        seconds=6.0, round=2, examples=1200, loss=0.5, hindsight=None, mean=None, lost=None
    )
    assert rounds_progress(row, 5) == "round 2 of 5, 1,200 examples, loss 0.5000, 9.0 s left"
    judged = SimpleNamespace(
        seconds=6.0, round=5, examples=1200, loss=0.5, hindsight=3.5, mean=3.6, lost=1
    )
    assert rounds_progress(judged, 5) == (
        "round 5 of 5, 1,200 examples, loss 0.5000, hindsight 3.5000, "
        "network alone 3.6000, lost 1, done"
    )


def test_results_come_from_the_fields_of_json() -> None:
    trained = {"games": 24, "seconds": 0, "mean": 3.5, "lost": 2, "rounds": 7}
    test = {"wins": 7, "answers": 8, "mean": 4.125}
    fields = {"head": "letters", "game": "tiny", "test": test, "trained": trained}
    assert dqn_result(fields).plain == (
        "letters on tiny: won 7 of 8, mean 4.1250 after 24 games, less than a second"
    )
    assert rounds_result(
        {"game": "tiny", "kind": "policy", "trained": {**trained, "seconds": 90}}
    ).plain == ("network alone on tiny: mean 3.5000, lost 2, after 7 rounds, 1 min 30 s")
