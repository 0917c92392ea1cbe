"""Small programs that play in the arena, and what they write to a FIFO."""

from __future__ import annotations

from pathlib import Path

WORDS = ["apple", "angle", "ankle", "maple", "ample", "label", "bleak", "panel"]

HELPERS = """
import os, sys, time
WORDS = %r
def say(text):
    os.write(1, text if isinstance(text, bytes) else text.encode())
def tokens():
    rest = b""
    while data := os.read(0, 65536):
        rest += data
        *whole, rest = rest.split(b"\\n")
        yield from (line.decode().strip() for line in whole)
messages = tokens()
def listen():
    return next(messages, "Stop")
def forever():
    while True:
        time.sleep(3600)
"""

LISTED = """
while listen() != "Stop":
    for word in WORDS:
        say(word + "\\n")
        if set(listen()) == {"G"}:
            break
"""
"""A player that guesses the words in order."""


def read_pids(fifo: Path, count: int) -> list[int]:
    """Read the ids that processes write to a FIFO, one a line.

    It is open for writing too: what one process writes while the reader closes at the end of
    another would be lost.
    """
    with fifo.open("r+b", buffering=0) as file:
        return [int(file.readline()) for _ in range(count)]
