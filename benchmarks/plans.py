"""Make the shipped plans and rankings: `python benchmarks/plans.py`, seconds for each.

A plan is made for every stored proof (benchmarks/results/proof-*.json, from `salet prove --json`);
the proof says which opener is best and that nothing beats its total, `solve` gives the tree.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from record import RESULTS

from salet import Game, solve, verify
from salet.search.shipped import FOLDER

NAMED = ("original", "nyt-2023-07")


def proofs() -> dict[tuple[str, str], list[Path]]:
    """The stored proofs that plans ship for, by game and mode, the one that ranks most last."""
    found: dict[tuple[str, str], list[Path]] = {}
    for path in RESULTS.glob("proof-*.json"):
        proof = figures(path)
        if proof["game"] in NAMED and proof["cap"] == 6:
            found.setdefault((proof["game"], proof["mode"]), []).append(path)
    for paths in found.values():
        paths.sort(key=lambda path: (len(figures(path)["ranking"]), path.name))
    return found


def figures(path: Path) -> dict[str, Any]:
    """What a stored result says."""
    read: dict[str, Any] = json.loads(path.read_text("utf-8"))["figures"]
    return read


def make_plan(game: Game, path: Path) -> None:
    """The plan of a proof, checked by code that shares nothing with the search."""
    proof = figures(path)
    solution = solve(game, opener=proof["best"])
    assert solution.plan is not None and solution.total == proof["total"]
    solution.plan.facts.update(
        objective="mean",
        total=solution.total,
        worst=solution.worst,
        proven=True,
        proof=path.name,
        command="python benchmarks/plans.py",
        version=solution.version,
    )
    target = FOLDER / f"{game.name}-{game.mode}.json"
    solution.plan.save(target)
    assert verify(target, game).total == proof["total"]
    print(target.name, solution.total, f"{target.stat().st_size} bytes")


def make_ranking(game: Game, path: Path) -> None:
    """The best openers of a proof."""
    proof, command = figures(path), json.loads(path.read_text("utf-8"))["command"]
    target = FOLDER / f"{game.name}-{game.mode}-ranking.csv"
    made = f"# {path.name}: {command}, salet {proof['version']}\n"
    rows = [f"{row['guess']},{row['total']}\n" for row in proof["ranking"]]
    target.write_text(made + "guess,total\n" + "".join(rows), "utf-8")
    print(target.name, len(rows), "openers")


if __name__ == "__main__":
    for (name, mode), paths in sorted(proofs().items()):
        game = Game.named(name, mode=mode)
        make_plan(game, paths[0])
        if len(figures(paths[-1])["ranking"]) > 1:
            make_ranking(game, paths[-1])
    sums = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted([*FOLDER.glob("*.json"), *FOLDER.glob("*.csv")])
    ]
    (FOLDER / "SHA256SUMS").write_text("".join(sums))
