"""`python -m salet` is the command `salet`."""

from salet.cli import run

run()
