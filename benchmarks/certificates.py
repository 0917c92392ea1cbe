"""Certify, check and store the optimum of a game: `python benchmarks/certificates.py [NAME …]`.

Without a name, all of GAMES: about half an hour on two idle cores. Each game is proven over all
openers with a certificate, the certificate is checked together with a plan that reaches the same
total, and both are measured. Writes certificates/NAME.cert, its figures in
benchmarks/results/certificate-NAME.json, and the index of certificates that `salet verify` reads.

With --check, the stored certificates are checked again (after a change of the checker), and only
the figures of the check change.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from record import RESULTS, commit, store

from salet import Game, prove, solve
from salet.search.prove import Proof, ProofProgress
from salet.verification.certificate_check import check_certificate
from salet.verification.certificate_format import read_header
from salet.verification.stored_certificates import INDEX

FOLDER = Path(__file__).resolve().parents[1] / "certificates"
GAMES: dict[str, dict[str, Any]] = {
    "original-normal": {"name": "original"},
    "original-hard": {"name": "original", "mode": "hard"},
    "original-hard-7": {"name": "original", "mode": "hard", "cap": 7},
    "nyt-2023-07-normal": {"name": "nyt-2023-07"},
    "mastermind-4x6": {"name": "mastermind:4x6"},
}


class Stopwatch:
    """CPU seconds of this process and its children, and wall seconds, since the start."""

    def __init__(self) -> None:
        self.cpu, self.wall = _cpu(), time.perf_counter()

    def read(self) -> dict[str, float]:
        cpu, wall = _cpu() - self.cpu, time.perf_counter() - self.wall
        return {"cpu_seconds": round(cpu, 1), "seconds": round(wall, 1)}


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def certified_proof(game: Game) -> tuple[Proof, dict[str, float], dict[str, float]]:
    """The proof with its certificate, and what each of them took (without compiling)."""
    small = Game(game.answers[:100], rule=game.rule.name, mode=game.mode, cap=game.cap)
    prove(small, certificate=True)
    watch = Stopwatch()
    proving: dict[str, float] = {}

    def progress(now: ProofProgress) -> None:
        if now.certified is not None and not proving:
            proving.update(watch.read())

    proof = prove(game, certificate=True, progress=progress)
    both = watch.read()
    return proof, proving, {kind: round(both[kind] - proving[kind], 1) for kind in both}


def checked(path: Path, game: Game, opener: str, threads: int) -> dict[str, Any]:
    """Check a certificate together with a plan that begins with the opener."""
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder) / "plan.json"
        found = solve(game, opener=opener).plan
        assert found is not None
        found.save(plan)
        watch = Stopwatch()
        verdict = check_certificate(path, game, plan=plan, threads=threads)
        took = watch.read()
    assert verdict.optimal, f"{path.name}: the plan takes {verdict.upper}, not {verdict.lower}"
    return {
        "total": verdict.upper,
        "optimal": verdict.optimal,
        "threads": threads,
        **took,
        "commit": commit(),
        "load": [round(load, 1) for load in os.getloadavg()],
    }


def check_again(name: str) -> None:
    """Check a stored certificate, and store what that took."""
    path = RESULTS / f"certificate-{name}.json"
    record = json.loads(path.read_text("utf-8"))
    figures = record["figures"]
    game, threads = Game.named(**GAMES[name]), os.cpu_count() or 1
    figures["check"] = checked(FOLDER / f"{name}.cert", game, figures["best"], threads)
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    path.write_text(text, "utf-8")
    print(text)


def measure(name: str) -> None:
    """Certify one game, check the certificate, and store both with their figures."""
    game = Game.named(**GAMES[name])
    path = FOLDER / f"{name}.cert"
    proof, proving, certifying = certified_proof(game)
    assert proof.best is not None and proof.certificate is not None
    FOLDER.mkdir(exist_ok=True)
    proof.certificate.save(path)
    check = checked(path, game, proof.best, threads=os.cpu_count() or 1)
    figures = {
        "game": game.name,
        "mode": game.mode,
        "cap": game.cap,
        "answers": len(game.answers),
        "best": proof.best,
        "total": proof.total,
        "facts": read_header(path)["facts"],
        "file_bytes": path.stat().st_size,
        "proof": proving,
        "certificate": certifying,
        "check": check,
        "load": [round(load, 1) for load in os.getloadavg()],
    }
    store(f"certificate-{name}", f"python benchmarks/certificates.py {name}", figures)


def write_index() -> None:
    """List the stored certificates where `salet verify` finds them."""
    rows = ["# Made by benchmarks/certificates.py: certificates that were checked with a plan.\n"]
    for path in sorted(FOLDER.glob("*.cert")):
        header = read_header(path)
        ((_, lower),) = header["lower"]
        fields: dict[str, Any] = {
            "file": path.name,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            **{name: header[name] for name in ("game", "mode", "cap", "digest")},
            "lower": lower,
        }
        lines = [f"{name} = {json.dumps(value)}" for name, value in fields.items() if value]
        rows.append("\n".join(["", "[[certificate]]", *lines, ""]))
    INDEX.write_text("".join(rows), "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(GAMES))
    parser.add_argument("--check", action="store_true", help="check stored certificates again")
    options = parser.parse_args()
    for name in options.names or GAMES:
        if options.check:
            check_again(name)
        else:
            measure(name)
            write_index()
