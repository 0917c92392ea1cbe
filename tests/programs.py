"""Source of small programs that play in the arena."""

from __future__ import annotations

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
