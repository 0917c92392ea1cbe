"""Lets `python -m salet` run the command `salet`."""

from salet.cli import run

run()
