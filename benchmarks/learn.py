"""Every published figure of the DQN. Takes hours; an interrupted part is resumed.

    python benchmarks/learn.py agent            three seeds of the shipped configuration
    python benchmarks/learn.py ship             the best of them becomes the shipped weights
    python benchmarks/learn.py measure          the three players of the shipped weights, timed
    python benchmarks/learn.py heads            letters against pairs
    python benchmarks/learn.py architectures    other heads and encoders, one run each
    python benchmarks/learn.py ablations        without priorities, without double Q, 3-step returns
    python benchmarks/learn.py ablations-long   the same with all games of the shipped configuration
    python benchmarks/learn.py lengths          5 to 8 letters, about 13,000 words
    python benchmarks/learn.py long             9 and 10 letters
    python benchmarks/learn.py more             twice as many words
    python benchmarks/learn.py disjoint         trained on words that are never answers in the test
    python benchmarks/learn.py unseen           test words that are not even guesses in training
    python benchmarks/learn.py tune             the search over settings

Runs are kept in benchmarks/runs, figures in benchmarks/results/learn-NAME.json. Lists of other
lengths are built from an installed dictionary. Parts can run in parallel, except that `heads` uses
the letters run of `lengths`. `python benchmarks/learn_tables.py` makes the tables and plots of
docs/learning.md from the stored figures. `architectures`, `ablations`, `ablations-long` and `long`
store figures after every run, and take names of single runs:
`python benchmarks/learn.py ablations:double`.
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from record import RESULTS, store

from salet.cli.render.plots import plot_training
from salet.game.game import Game
from salet.game.packs import store as packs
from salet.game.packs.build import build_pack
from salet.learn.common.metrics import read_metrics
from salet.learn.common.run_directory import CHECKPOINT_FILE, METRICS_FILE
from salet.learn.config_file import read_dqn_config
from salet.learn.dqn.config import DqnConfig
from salet.learn.dqn.learner import words_of
from salet.learn.dqn.metrics import DqnMetrics
from salet.learn.dqn.train import train
from salet.learn.dqn.tune import SMALL, effects, tune
from salet.strategies.simulate import simulate

RUNS = Path(__file__).parent / "runs"
WEIGHTS = Path(__file__).parents[1] / "src" / "salet" / "learn" / "weights"
AGENT = read_dqn_config(WEIGHTS / "dqn.toml")
SHORT = dataclasses.replace(AGENT.stage_configs[0], rounds=4_000)
"""an experiment: five to ten minutes on one core, first stage only"""
PLAYERS = ("dqn", "dqn-finish", "dqn-ply")


def run(name: str, config: DqnConfig) -> dict[str, Any]:
    """Train or resume a run; returns the result of its best weights on the test words."""
    directory = RUNS / name
    print(f"{name}: {config.head} on {config.game}", file=sys.stderr)

    def report(row: DqnMetrics, done: int, games: int) -> None:
        print(f"  {done:,}/{games:,} won {row.wins}/{row.answers} mean {row.mean:.4f} "
              f"{row.seconds:.0f} s", file=sys.stderr)  # fmt: skip

    resume = (directory / CHECKPOINT_FILE).exists()
    weights, score = train(config, directory, resume=resume, progress=report)
    return {
        "game": config.game,
        "head": config.head,
        "observation": config.observation,
        "seed": config.seed,
        "outputs": weights.network.shape.outputs,
        "games": weights.trained["games"],
        "seconds": read_metrics(DqnMetrics, directory / METRICS_FILE)[-1].seconds,
        "test_answers": score.answers,
        "wins": score.wins,
        "win_percent": round(100 * score.wins / score.answers, 2),
        "mean": round(score.mean, 4),
    }


def agent() -> dict[str, Any]:
    """Three seeds, each with its three players."""
    found = {}
    for seed in range(3):
        config = dataclasses.replace(AGENT, seed=seed)
        found[f"seed {seed}"] = {
            **run(f"agent-{seed}", config),
            **rows(str(RUNS / f"agent-{seed}" / "weights.safetensors")),
        }
    return found


def rows(weights: str = "") -> dict[str, Any]:
    """The network alone, with the endgame rule, and one ply ahead."""
    game = Game.named("original")
    found: dict[str, Any] = {}
    for name in PLAYERS:
        player = f"{name}:weights={weights}" if weights else name
        simulate(
            Game.named("original:first=5"), player
        )  # loads the weights and compiles the kernels
        result = simulate(game, player)
        found[name] = {
            "opener": result.opener,
            "total": result.total,
            "mean": round(result.mean, 4),
            "losses": result.losses,
            "histogram": result.histogram,
            "seconds": result.seconds,
        }
    return found


def ship() -> dict[str, Any]:
    """Ship the best seed of the network alone, by losses, then mean, with its metrics and plot."""
    results = agent()
    best = min(results, key=lambda name: (results[name]["dqn"]["losses"],
                                          results[name]["dqn"]["total"]))  # fmt: skip
    directory = RUNS / best.replace("seed ", "agent-")
    shutil.copy(directory / "weights.safetensors", WEIGHTS / "dqn.safetensors")
    shutil.copy(directory / METRICS_FILE, WEIGHTS / "dqn.csv")
    plot_training(directory / METRICS_FILE, WEIGHTS.parents[3] / "docs" / "images" / "dqn.svg")
    return {"shipped": best, **results}


def heads() -> dict[str, Any]:
    """The same run with different heads."""
    found = {}
    for head in ("letters", "pairs"):
        found[head] = with_curve(f"length-5-{head}", dataclasses.replace(SHORT, head=head))
    return found


ARCHITECTURES: dict[str, dict[str, Any]] = {
    "embedding": {"head": "embedding"},
    "convex": {"head": "convex"},
    "sequence": {"encoder": "sequence", "observation": "history"},
    "words": {"head": "words"},
}
"""what each differs in from the letters run of `heads`"""

ABLATIONS: dict[str, dict[str, Any]] = {
    "double": {"double": False},
    "priorities": {"alpha": 0.0},
    "steps": {"steps": 3},
}
"""one setting changed: no double Q-learning, no priorities, 3-step instead of 1-step returns"""


def architectures(name: str) -> dict[str, Any]:
    """The run of `heads` with another head or encoder."""
    return with_curve(f"length-5-{name}", dataclasses.replace(SHORT, **ARCHITECTURES[name]))


def ablations(name: str) -> dict[str, Any]:
    """The letters run of `heads` with one setting changed."""
    return with_curve(f"length-5-without-{name}", dataclasses.replace(SHORT, **ABLATIONS[name]))


def ablations_long(name: str) -> dict[str, Any]:
    """The shipped configuration with one setting changed."""
    return with_curve(f"agent-without-{name}", dataclasses.replace(AGENT, **ABLATIONS[name]))


def with_curve(name: str, config: DqnConfig) -> dict[str, Any]:
    """A run, with games, wins and mean at each of its evaluations."""
    figures = run(name, config)
    rows = read_metrics(DqnMetrics, RUNS / name / METRICS_FILE)
    return {**figures, "curve": [[row.games, row.wins, round(row.mean, 4)] for row in rows]}


def built(length: int, words: int, answers: int, language: str = "en") -> str:
    """The name of a pack built from an installed dictionary, with the most common answers."""
    name = f"{language}-{length}-{words}"
    if name not in packs.own_names():
        pack = build_pack(length, language=language, answers=answers, fold_accents=True)
        chosen = set(pack.answers)
        others = [word for word in pack.guesses if word not in chosen]
        kept = np.random.default_rng(0).permutation(len(others))[: words - len(pack.answers)]
        guesses = sorted([*pack.answers, *(others[index] for index in kept)])
        packs.add(packs.Pack(name, pack.answers, tuple(guesses), cap=6, summary=pack.ranking))
    return name


def beside_entropy(name: str, config: DqnConfig) -> dict[str, Any]:
    """A run, and greedy entropy on the same test words."""
    test = words_of(config).test
    clock = time.perf_counter()
    entropy = simulate(test, "entropy")
    return {
        **run(name, config),
        "words": len(test.guesses),
        "entropy_mean": round(entropy.mean, 4),
        "entropy_losses": entropy.losses,
        "entropy_seconds": round(time.perf_counter() - clock, 1),
    }


def lengths() -> dict[str, Any]:
    """About 13,000 words and 2,300 answers of five to eight letters.

    Five letters are the original list, because the English dictionary has only 6,561 such words;
    of six letters it has 10,883.
    """
    games = {n: built(n, 13_000, 2_300) for n in (6, 7, 8)}
    return {
        str(n): beside_entropy(f"length-{n}-letters", dataclasses.replace(SHORT, game=game))
        for n, game in {5: "original", **games}.items()
    }


def long(letters: str) -> dict[str, Any]:
    """About 13,000 words and 2,300 answers of nine or ten letters."""
    game = built(int(letters), 13_000, 2_300)
    return beside_entropy(f"length-{letters}-letters", dataclasses.replace(SHORT, game=game))


def more() -> dict[str, Any]:
    """Twice as many: 26,000 words and 4,600 answers.

    No English dictionary has that many, so the words are Spanish (21,378 of six letters).
    """
    game = built(6, 26_000, 4_600, "es")
    return {"6": beside_entropy("more-6", dataclasses.replace(SHORT, game=game))}


HINTS, ANSWERS = "counts-313", "counts-313+candidates"


def _apart(kind: str, game: str, seen: str, **changes: Any) -> dict[str, Any]:
    """Train on words that are never answers, with hints only or also candidate statistics."""
    config = dataclasses.replace(
        SHORT, game=game, source="others", validation=500, observation=seen, **changes
    )
    return beside_entropy(f"{kind}-{seen}", config)


def disjoint() -> dict[str, Any]:
    """Test answers are legal guesses in training, but never secrets."""
    games = {"5": "original", "6": built(6, 13_000, 2_300)}
    return {
        f"{letters}, {seen}": _apart(f"disjoint-{letters}", game, seen)
        for letters, game in games.items()
        for seen in (HINTS, ANSWERS)
    }


def unseen() -> dict[str, Any]:
    """Test answers are unknown in training; once with made-up words in addition."""
    made_up = {"augment": "splice", "augmented": 5_000}
    return {
        f"5, {HINTS}": _apart("unseen-5", "original", HINTS, hidden=True),
        f"5, {ANSWERS}": _apart("unseen-5", "original", ANSWERS, hidden=True),
        f"5, {HINTS}, splice": _apart("unseen-splice-5", "original", HINTS, hidden=True, **made_up),
    }


def search() -> dict[str, Any]:
    """`salet tune` with its default space and game."""
    trials = tune(SMALL, RUNS / "tune", trials=24)
    best = [{"mean": t.mean, "wins": t.wins, **t.settings} for t in trials[:5]]
    return {"game": SMALL.game, "trials": len(trials), "best": best, "effects": effects(trials)}


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "agent": agent,
    "ship": ship,
    "measure": rows,
    "heads": heads,
    "lengths": lengths,
    "more": more,
    "disjoint": disjoint,
    "unseen": unseen,
    "tune": search,
}


SINGLE_RUNS: dict[str, tuple[Callable[[str], dict[str, Any]], tuple[str, ...]]] = {
    "architectures": (architectures, tuple(ARCHITECTURES)),
    "ablations": (ablations, tuple(ABLATIONS)),
    "ablations-long": (ablations_long, tuple(ABLATIONS)),
    "long": (long, ("9", "10")),
}
"""parts whose figures are stored run by run"""


def store_runs(part: str, chosen: str) -> None:
    """Do the runs of a part, or one of them, and store each beside those stored before."""
    make, known = SINGLE_RUNS[part]
    path = RESULTS / f"learn-{part}.json"
    for name in known if not chosen else (chosen,):
        row = make(name)
        figures = json.loads(path.read_text("utf-8"))["figures"] if path.exists() else {}
        figures[name] = row
        ordered = {each: figures[each] for each in known if each in figures}
        store(f"learn-{part}", f"python benchmarks/learn.py {part}", ordered)


def main() -> None:
    jobs = [argument.partition(":")[::2] for argument in sys.argv[1:]]
    for part, chosen in jobs:
        is_known = part in PARTS if not chosen else chosen in SINGLE_RUNS.get(part, ((), ()))[1]
        if not (is_known or (part in SINGLE_RUNS and not chosen)):
            raise SystemExit(f"{__doc__}\nparts: {', '.join([*PARTS, *SINGLE_RUNS])}")
    if not jobs:
        raise SystemExit(__doc__)
    os.environ["SALET_DATA_DIR"] = str(RUNS / "data")  # for the packs built here
    for part, chosen in jobs:
        if part in SINGLE_RUNS:
            store_runs(part, chosen)
        else:
            store(f"learn-{part}", f"python benchmarks/learn.py {part}", PARTS[part]())


if __name__ == "__main__":
    main()
