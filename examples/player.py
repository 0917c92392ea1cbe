"""A player for `salet arena`, protocol go-stop: guesses the first word that fits all feedback.

salet arena --player "python3 player.py words.txt" --answers words.txt --guesses words.txt
"""

import sys


def feedback(guess: str, answer: str) -> str:
    """Return Wordle's feedback: G for the right place, Y for another place, W for neither."""
    left = [b for a, b in zip(guess, answer, strict=True) if a != b]
    marks = ""
    for a, b in zip(guess, answer, strict=True):
        if a != b and a in left:
            left.remove(a)
        elif a != b:
            marks += "W"
            continue
        marks += "G" if a == b else "Y"
    return marks


with open(sys.argv[1], encoding="utf-8") as file:
    words = file.read().split()
messages = (token for line in sys.stdin for token in line.split())
for token in messages:
    if token == "Stop":
        break
    fitting = {}  # the token was Go: a new game; the words that fit, by board
    guess = words[0]
    while True:
        print(guess, flush=True)
        fields = next(messages, "Stop").split("/")  # several boards: WGYWW/-/GGGGG
        if fields == ["Stop"] or all(set(marks) == {"G"} for marks in fields):
            break
        for board, marks in enumerate(fields):
            before = [] if set(marks) <= set("G-") else fitting.get(board, words)
            fitting[board] = [word for word in before if feedback(guess, word) == marks]
        guess = next(possible[0] for possible in fitting.values() if possible)
