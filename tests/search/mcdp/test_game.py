"""MCDP on games: against brute force, with various settings, and within limits."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from drawn import spelled, split_lists
from salet import Game, simulate, solve
from salet.errors import InputError
from salet.search.anytime import SearchConfig, anytime_search
from salet.search.anytime_run import Recorder
from salet.search.mcdp.config import McdpConfig
from salet.search.mcdp.game import GameSearch
from salet.strategies.planned import Planned
from salet.verification.plans import verify

RULES = [
    *(("standard", mode) for mode in ("normal", "hard", "strict")),
    *(("present", mode) for mode in ("normal", "hard", "strict")),
    *(("pegs", mode) for mode in ("normal", "strict")),
]
CONFIGS = {
    "default": McdpConfig(),
    "no dp": McdpConfig(dp_threshold=0),
    "dp of three": McdpConfig(dp_threshold=3),
    "greedy": McdpConfig(dp_threshold=0, temperature=0),
    "hot": McdpConfig(dp_threshold=0, temperature=1.0),
    "two threads": McdpConfig(dp_threshold=3, threads=2),
}


def searched(game: Game, config: McdpConfig, episodes: int | None = None):
    recorder = Recorder(game.start().weight)
    found = GameSearch(game.start(), config)
    found.run(recorder, episodes)
    return found, recorder


@st.composite
def games(draw: st.DrawFn):
    words, answers = draw(split_lists(least=2, most=12, lengths=(2, 4), letters=5))
    rule, mode = draw(st.sampled_from(RULES))
    cap = draw(st.sampled_from([None, 1, 2, 3, 4, 5]))
    weights = draw(
        st.none() | st.lists(st.integers(1, 9), min_size=answers, max_size=answers).map(tuple)
    )
    tiny = naive.Tiny(tuple(words[:answers]), tuple(words), rule, mode, cap, weights)
    texts = spelled(words)
    game = Game(texts[:answers], texts, rule=rule, mode=mode, cap=cap, weights=weights)
    return tiny, game


@pytest.mark.tiny
@settings(max_examples=120)
@given(games(), st.sampled_from(sorted(CONFIGS)), st.integers(0, 99))
def test_it_ends_with_what_brute_force_finds(pair, name, seed) -> None:
    tiny, game = pair
    optimum = naive.solve(tiny)
    config = replace(CONFIGS[name], seed=seed)
    search, recorder = searched(game, config)
    assert recorder.stopped == "proven"
    found = search.findings(recorder)
    if optimum is None:
        assert (found.guess, found.upper, found.plan) == (None, None, None)
        assert search.search.root.high == -math.inf
        assert found.lower == game.start().size_bound
        return
    assert (found.lower, found.upper) == (optimum.total, optimum.total)
    assert game.guesses.index(found.guess) in optimum.guesses
    assert found.plan is not None
    played = simulate(game, Planned(found.plan))
    assert played.losses == 0
    if game.weights is None:
        assert played.total == optimum.total


@pytest.mark.tiny
@settings(max_examples=60)
@given(games(), st.sampled_from(sorted(CONFIGS)), st.integers(1, 40))
def test_bounds_hold_and_only_improve(pair, name, episodes) -> None:
    tiny, game = pair
    optimum = naive.solve(tiny)
    value = -math.inf if optimum is None else -optimum.total / game.start().weight
    search = GameSearch(game.start(), CONFIGS[name])
    before = (-math.inf, math.inf)
    for _ in range(episodes):
        search.run(Recorder(1), 1)
        root = search.search.root
        assert before[0] <= root.low <= value + 1e-9
        assert value - 1e-9 <= root.high <= before[1]
        before = (root.low, root.high)
    found = search.findings(Recorder(1))
    if found.plan is not None and game.weights is None:
        assert simulate(game, Planned(found.plan)).total == found.upper


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_seed_gives_the_same_result(threads: int) -> None:
    game = Game.named("original:first=80")
    runs = [
        searched(game, McdpConfig(dp_threshold=4, threads=threads, seed=7), 60) for _ in range(2)
    ]
    curves = [[(p.iteration, p.lower, p.upper) for p in recorder.curve] for _, recorder in runs]
    assert curves[0] == curves[1]
    found = [search.findings(recorder) for search, recorder in runs]
    assert found[0].policy == found[1].policy
    assert found[0].plan is not None and found[1].plan is not None
    assert found[0].plan.text() == found[1].plan.text()


KNOWN = [
    ("mastermind:2x6", 132),
    ("mastermind:3x4", 206),
    ("mastermind:4x3", 246),
    ("bulls-and-cows:3x6", 436),
]


@pytest.mark.parametrize(("name", "total"), KNOWN)
@pytest.mark.parametrize("threshold", [8, 40])
def test_known_totals(name: str, total: int, threshold: int) -> None:
    search, recorder = searched(Game.named(name), McdpConfig(dp_threshold=threshold))
    found = search.findings(recorder)
    assert (found.lower, found.upper, recorder.stopped) == (total, total, "proven")


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["normal", "hard", "strict"])
def test_words_end_with_the_optimum(mode: str) -> None:
    game = Game.named("original:first=200", mode=mode)
    result = anytime_search(game, SearchConfig(method="mcdp", threads=1))
    assert (result.total, result.proven, result.stopped) == (solve(game).total, True, "proven")


@pytest.mark.slow
def test_a_plan_passes_verification(tmp_path) -> None:
    game = Game.named("original:first=150")
    result = anytime_search(game, SearchConfig(method="mcdp", iterations=30, threads=1))
    assert result.plan is not None
    file = tmp_path / "plan.json"
    result.plan.save(file)
    verdict = verify(file, game)
    assert verdict.total == result.total


def test_a_memory_limit_is_respected() -> None:
    """Little room costs time, not truth: with a third of the memory the bounds still hold."""
    game = Game.named("mastermind:4x5")
    config = McdpConfig(dp_threshold=6, temperature=0.5)
    roomy, _ = searched(game, config, 100)
    room = roomy.search.tree.max_used // 3
    memory = (roomy.process.nbytes + room) / 2**30
    tight, recorder = searched(game, replace(config, memory=memory), 100)
    tree = tight.search.tree
    assert recorder.stopped == "exhausted"  # episodes, not memory
    assert room / 2 < tree.used <= room
    assert tree.max_used < room + 60_000  # what one episode adds before memory is checked
    assert tree.root.low <= roomy.search.root.high
    found = tight.findings(recorder)
    assert found.plan is not None
    assert simulate(game, Planned(found.plan)).total == found.upper


def test_forgetting_ends_with_the_optimum() -> None:
    game = Game.named("mastermind:4x5")
    roomy, _ = searched(game, McdpConfig(dp_threshold=8))
    room = roomy.search.tree.max_used * 2 // 3
    memory = (roomy.process.nbytes + room) / 2**30
    tight, recorder = searched(game, McdpConfig(dp_threshold=8, memory=memory))
    assert recorder.stopped == "proven"
    assert tight.bounds == roomy.bounds


def test_what_is_solved_is_freed() -> None:
    game = Game.named("mastermind:3x3")
    search, _ = searched(game, McdpConfig(dp_threshold=0))
    tree = search.search.tree
    root = tree.root
    assert (root.state, root.actions, root.edges, root.best) == (None, None, {}, None)
    kept = [node for node in tree.table.values() if node.actions is not None or node.edges]
    assert kept == []


def test_every_parent_of_a_state_is_updated() -> None:
    game = Game.named("mastermind:4x5")
    search, _ = searched(game, McdpConfig(dp_threshold=0, temperature=0.5), 400)
    tree = search.search.tree
    shared = 0
    for node in tree.table.values():
        shared += len(node.parents) > 1
        for edge in node.edges.values():
            low = edge.settled + sum(p * child.low for p, child in edge.open)
            high = edge.settled + sum(p * child.high for p, child in edge.open)
            assert edge.low == pytest.approx(low)
            assert edge.high <= high + 1e-9
            assert node.low >= edge.low - node.tolerance
            assert all(edge in child.parents for _, child in edge.open)
    assert shared > 0


def test_too_little_memory_is_refused() -> None:
    game = Game.named("original:first=100")
    with pytest.raises(InputError, match=r"tables of original:first=100 .* give at"):
        GameSearch(game.start(), McdpConfig(memory=1e-6))
    room = GameSearch(game.start(), McdpConfig()).process.nbytes / 2**30 + 5e-6
    full, recorder = searched(game, McdpConfig(dp_threshold=0, memory=room))
    assert recorder.stopped == "memory"
    assert full.findings(recorder).plan is not None  # that of the first look


def test_strict_mode_counts_its_tables() -> None:
    """Which guesses are legal takes more room than all else."""
    game = Game.named("original:first=30", mode="strict", cap=None)
    strict, normal = (
        GameSearch(each.start(), McdpConfig()).process.nbytes
        for each in (game, game.replace(mode="normal"))
    )
    assert strict > normal + 12972 * 12972
    with pytest.raises(InputError, match="too small for the tables"):
        anytime_search(game, SearchConfig(method="mcdp", memory=0.15))


def test_seconds_end_dynamic_programming_too() -> None:
    """One state that takes far longer than the budget is left as it is."""
    config = SearchConfig(method="mcdp", dp_threshold=10**6, seconds=0.05, threads=1)
    found = anytime_search(Game.named("original:first=1000"), config)
    assert found.stopped == "seconds"
    assert found.lower < 3122 and not found.proven


def test_a_cap_that_nothing_keeps() -> None:
    found = anytime_search(Game.named("mastermind:2x3", cap=1), SearchConfig(method="mcdp"))
    assert (found.guess, found.lower, found.upper, found.stopped) == (None, 17, None, "proven")
    assert found.curve[-1].lower == 17 / 9


def test_a_cold_softmax_is_greedy() -> None:
    game = Game.named("original:first=60")
    cold, greedy = (
        searched(game, McdpConfig(dp_threshold=5, temperature=temperature), 20)[0]
        for temperature in (1e-18, 0)
    )
    assert cold.search.visits == greedy.search.visits


def test_ctrl_c_keeps_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    record = Recorder.record

    def interrupting(self, *known) -> bool:
        calls.append(known)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return record(self, *known)

    monkeypatch.setattr(Recorder, "record", interrupting)
    game = Game.named("original:first=100")
    result = anytime_search(game, SearchConfig(method="mcdp", threads=1, dp_threshold=3))
    assert result.stopped == "interrupted"
    assert result.plan is not None
    assert simulate(game, Planned(result.plan)).total == result.total


def test_policy_shares() -> None:
    search, recorder = searched(Game.named("original:first=60"), McdpConfig(dp_threshold=3), 200)
    policy = search.findings(recorder).policy
    assert sum(row.share for row in policy) == pytest.approx(1)
    assert sum(row.optimal for row in policy) == pytest.approx(1)
    assert sum(row.visits for row in policy) == search.search.visits.total()


@pytest.mark.parametrize("wrong", [
    {"temperature": -0.1}, {"temperature": math.inf}, {"dp_threshold": -1}, {"threads": 0},
    {"batch": 0}, {"memory": 0.0},
])  # fmt: skip
def test_config_refuses_nonsense(wrong) -> None:
    with pytest.raises(InputError):
        McdpConfig(**wrong)


def test_options_of_the_command() -> None:
    game = Game.named("mastermind:2x3")
    for config in (
        SearchConfig(method="mcdp", temperature=0),
        SearchConfig(method="mcdp", dp_threshold=9),
        SearchConfig(method="mcdp", dp_threshold=0, temperature=0.5, threads=2),
    ):
        result = anytime_search(game, config)
        assert (result.total, result.proven, result.stopped) == (21, True, "proven")
    with pytest.raises(InputError, match="temperature 0"):
        SearchConfig(method="mcts", temperature=0)
