"""Make the shipped plans and rankings: `python benchmarks/plans.py`, seconds for each.

A plan is made for every stored proof (benchmarks/results/proof-*.json, from `salet prove --json`);
the proof says which opener is best and that nothing beats its total, `solve` gives the tree.
"""

from __future__ import annotations

import hashlib
import json

from record import RESULTS

from salet import Game, solve, verify
from salet.search.shipped import FOLDER

NAMED = ("original", "nyt-2023-07")

if __name__ == "__main__":
    for path in sorted(RESULTS.glob("proof-*.json")):
        record = json.loads(path.read_text())
        proof = record["figures"]
        if proof["game"] not in NAMED or proof["cap"] != 6 or proof["mode"] == "strict":
            continue
        game = Game.named(proof["game"], mode=proof["mode"])
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
        if len(proof["ranking"]) > 1:
            rows = [f"{row['guess']},{row['total']}\n" for row in proof["ranking"]]
            ranking = FOLDER / f"{game.name}-{game.mode}-ranking.csv"
            made = f"# {path.name}: {record['command']}, salet {proof['version']}\n"
            ranking.write_text(made + "guess,total\n" + "".join(rows), "utf-8")
    sums = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted([*FOLDER.glob("*.json"), *FOLDER.glob("*.csv")])
    ]
    (FOLDER / "SHA256SUMS").write_text("".join(sums))
