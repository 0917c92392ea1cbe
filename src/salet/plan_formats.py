"""Decision trees as text: what salet saves, and what people publish.

A tree is plain data here; nobody in this module knows a rule of any game. Read are

- salet's JSON: a header and a tree, `["salet", {"BBBBB": ["courd", {…}], "GGGGB": "sales"}]`, in
  which a bare word is a guess with nothing to follow;
- indented trees, in which a line begins below the column where it departs from the one above:
      salet BBBBB1 courd BBBBB2 nymph BBBBY3 whiff GGGGG4
                                      BGYYB3 pygmy GGGGG4
- `word pattern word pattern …` lines, each a whole path;
- games, one a line, words separated by spaces or commas, the last word being the answer;
- arena transcripts: `SECRET, GUESS GUESS … ` lines and a final count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import Any

from salet.errors import DataError

KIND = "salet plan 1"
_FEEDBACK = re.compile(
    r"(?P<tiles>[BYGWX.\-_⬛⬜🟨🟩]{2,16})\d{0,3}"  # with the number of the guess behind it
    r"|(?P<digits>[012]{2,16})|(?P<pegs>\d{1,2},\d{1,2})",
    re.IGNORECASE,
)
_DEEPEST = 200


@dataclass
class Node:
    """A guess, and what to do after each feedback (as text) that is not a win."""

    guess: str
    branches: dict[str, Node] = field(default_factory=dict)
    line: int = 1
    """where it stands in its file"""


@dataclass
class Line:
    """One game as published: its guesses, and the secret where that is given."""

    number: int
    guesses: list[str]
    secret: str


@dataclass
class Document:
    """A file as it reads: a tree, or games from which one can be made."""

    header: dict[str, Any]
    root: Node | None
    games: list[Line]


def read(text: str, name: str) -> Document:
    """Recognise the format and parse it; `name` is for error messages."""
    if not text.strip():
        raise DataError(f"{name!r} is empty; a plan is a decision tree or a list of games")
    if "\0" in text:
        raise DataError(f"{name!r} is a binary file; a plan is text")
    if text.lstrip().startswith("{"):
        return _read_json(text, name)
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if _looks_like_paths(lines):
        return Document({}, _read_paths(lines, name), [])
    return Document({}, None, _read_games(lines, name))


# ---- salet's own JSON


def _read_json(text: str, name: str) -> Document:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{name!r} is damaged: {error}") from None
    if not isinstance(fields, dict) or fields.get("format") != KIND or "tree" not in fields:
        raise DataError(f"{name!r} is no plan: its 'format' is not {KIND!r}")
    tree = fields.pop("tree")
    return Document(fields, _node(tree, name, ()), [])


def _node(tree: Any, name: str, path: tuple[str, ...]) -> Node:
    if isinstance(tree, str):
        return Node(tree)
    shaped = isinstance(tree, list) and len(tree) == 2 and isinstance(tree[0], str)
    if not shaped or not isinstance(tree[1], dict) or len(path) > _DEEPEST:
        raise DataError(f"{name!r} is damaged after {' '.join(path) or 'the start'}")
    branches = {
        pattern: _node(below, name, (*path, tree[0], pattern)) for pattern, below in tree[1].items()
    }
    return Node(tree[0], branches)


def _nested(node: Node) -> Any:
    if not node.branches:
        return node.guess
    return [node.guess, {pattern: _nested(below) for pattern, below in node.branches.items()}]


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_json(root: Node, header: dict[str, Any]) -> str:
    """Compact, one line for each header field and each answer to the first guess."""
    lines = [
        f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=False)}"
        for key, value in {"format": KIND, **header}.items()
    ]
    branches = ",\n".join(
        f"{json.dumps(pattern)}:{_compact(_nested(below))}"
        for pattern, below in root.branches.items()
    )
    first = json.dumps(root.guess, ensure_ascii=False)
    lines.append(f'"tree":[{first},{{\n{branches}\n}}]')
    return "{" + ",\n".join(lines) + "}\n"


# ---- indented trees and whole paths


def _looks_like_paths(lines: list[tuple[int, str]]) -> bool:
    """Is most of every second word of the first lines feedback?"""
    patterns, words = 0, 0
    for _, line in lines[:50]:
        parts = line.split()
        is_continued = line[0].isspace() and _FEEDBACK.fullmatch(parts[0]) is not None
        seconds = parts[0 if is_continued else 1 :: 2]
        words += len(seconds)
        patterns += sum(_FEEDBACK.fullmatch(word) is not None for word in seconds)
    return 2 * patterns > words


def _read_paths(lines: list[tuple[int, str]], name: str) -> Node:
    """A line's words from column c on continue the line above, cut off at column c."""
    root: Node | None = None
    above: list[tuple[int, str]] = []
    for number, line in lines:
        words = [(found.start(), found[0]) for found in re.finditer(r"\S+", line)]
        kept = [word for word in above if word[0] < words[0][0]]
        above = kept + words
        path = [word for _, word in above]
        if root is None:
            root = Node(path[0], line=number)
        _insert(root, path, number, name)
    assert root is not None
    return root


def _insert(root: Node, path: list[str], number: int, name: str) -> None:
    if path[0].lower() != root.guess.lower():
        raise DataError(
            f"{name} line {number} begins with {path[0]!r}, the plan with {root.guess!r}"
        )
    node = root
    for place in range(1, len(path), 2):
        found = _FEEDBACK.fullmatch(path[place])
        if not found:
            raise DataError(f"{name} line {number}: {path[place]!r} should be feedback like BYBBG")
        pattern = found[found.lastgroup or 0].upper()
        if place + 1 == len(path):
            continue  # a path ends with the feedback of its last guess
        guess = path[place + 1]
        below = node.branches.setdefault(pattern, Node(guess, line=number))
        if below.guess.lower() != guess.lower():
            raise DataError(
                f"{name} line {number}: {guess!r} after {' '.join(path[: place + 1])}, "
                f"but line {below.line} has {below.guess!r} there"
            )
        node = below


def paths(root: Node, winning: str, answers: Container[str]) -> Iterator[list[str]]:
    """Every path as words and patterns in turn, down to the end of each game.

    A guess that is one of the answers can win: `winning` is then one of its patterns.
    """
    stack: list[tuple[Node | None, list[str]]] = [(root, [])]
    while stack:
        node, before = stack.pop()
        if node is None:
            yield before
            continue
        followed: list[tuple[str, Node | None]] = list(node.branches.items())
        if node.guess in answers:
            followed.append((winning, None))
        for pattern, below in sorted(followed, key=lambda item: item[0], reverse=True):
            stack.append((below, [*before, node.guess, pattern]))


def write_paths(root: Node, winning: str, answers: Container[str]) -> str:
    """`word pattern word pattern …`, one line for each way a game can end."""
    return "".join(" ".join(path) + "\n" for path in paths(root, winning, answers))


def write_indented(root: Node, winning: str, answers: Container[str]) -> str:
    """The indented text that people publish: each line shows what differs from the one above."""
    lines: list[str] = []
    above: list[str] = []
    for path in paths(root, winning, answers):
        shared = 0
        while shared < min(len(above), len(path)) and above[shared] == path[shared]:
            shared += 1
        words = [_numbered(word, place) for place, word in enumerate(path)]
        indent = sum(len(word) + 1 for word in words[:shared])
        lines.append(" " * indent + " ".join(words[shared:]))
        above = path
    return "\n".join(lines) + "\n"


def _numbered(word: str, place: int) -> str:
    """Tiles carry the number of their guess, as people publish them; counts would run together."""
    return f"{word}{place // 2 + 1}" if place % 2 and "," not in word else word


# ---- games


def _read_games(lines: list[tuple[int, str]], name: str) -> list[Line]:
    transcripts = _are_transcripts([line for _, line in lines])
    games = []
    for number, line in lines:
        if transcripts:
            if line.strip().isdigit():
                continue  # the count of guesses
            secret, _, rest = line.partition(",")
            guesses, secret = rest.split(), secret.strip()
        else:
            guesses = line.replace(",", " ").split()
            secret = guesses[-1] if guesses else ""
        if not guesses or not secret:
            raise DataError(f"{name} line {number} {line!r} holds no guess")
        games.append(Line(number, guesses, secret))
    if not games:
        raise DataError(f"{name!r} holds no game")
    return games


def _are_transcripts(lines: list[str]) -> bool:
    """`SECRET, GUESS … SECRET` with one comma each; most games must be won to be told apart from
    games whose guesses are separated by commas."""
    rows = [line.partition(",") for line in lines if not line.strip().isdigit()]
    if not rows or any(not mark or "," in rest for _, mark, rest in rows):
        return False
    return 2 * sum(rest.split()[-1:] == [secret.strip()] for secret, _, rest in rows) > len(rows)
