"""Prove a game's best opener and store it: `python benchmarks/proof.py NAME [prove options …]`.

NAME is the name of the result, as in

    python benchmarks/proof.py original-normal --game original
    python benchmarks/proof.py original-hard --game original --hard --ranking 4
    python benchmarks/proof.py original-hard-7 --game original --hard --cap 7

Minutes to tens of minutes each. With `--checkpoint DIR` a run that was stopped goes on. With
`--objective`, `salet solve` decides the openers:

    python benchmarks/proof.py original-worst --game original --objective worst
    python benchmarks/proof.py original-4 --game original --cap 4 --objective win-then-mean
"""

from __future__ import annotations

import json
import resource
import shlex
import sys

from record import run_python, store

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    name, *options = sys.argv[1:]
    verb = "solve" if "--objective" in options else "prove"
    figures = json.loads(run_python("-m", "salet", verb, "--json", *options))
    del figures["commit"]  # stands beside it
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures["cpu_seconds"] = round(used.ru_utime + used.ru_stime, 1)  # start and table included
    if "--checkpoint" in options:  # whose place is this machine's own affair
        options[options.index("--checkpoint") + 1] = "DIR"
    command = shlex.join(["salet", verb, *options])
    store(f"proof-{name}", command, figures)
