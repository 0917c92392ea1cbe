"""Read and write decision trees as text: salet's own format and those that people publish.

A tree is plain data here; nothing in this module knows the rules of any game. The formats are

- salet's JSON: a header and a tree, `["salet", {"BBBBB": ["courd", {…}], "GGGGB": "sales"}]`, in
  which a bare word is a guess without branches;
- indented trees, in which each line leaves out what it shares with the line above:
      salet BBBBB1 courd BBBBB2 nymph BBBBY3 whiff GGGGG4
                                      BGYYB3 pygmy GGGGG4
- `word pattern word pattern …` lines, each a complete path;
- games, one per line, with words separated by spaces or commas; the last word is the answer;
- arena transcripts: `SECRET, GUESS GUESS … ` lines and a final count of guesses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from salet.errors import DataError, InputError

FORMAT = "salet plan 1"
_FEEDBACK = re.compile(
    r"(?P<tiles>[BYGWX.\-_⬛⬜🟨🟩]{2,16})\d{0,3}"  # the number of the guess may follow
    r"|(?P<digits>[012]{2,16})|(?P<pegs>\d{1,2},\d{1,2})",
    re.IGNORECASE,
)
_MAX_DEPTH = 200
"""Deepest JSON tree that is read, in guesses and patterns."""


@dataclass
class PlanNode:
    """A guess, and the node to continue with after each feedback that is not a win."""

    guess: str
    branches: dict[str, PlanNode] = field(default_factory=dict)
    """child nodes by feedback as text"""
    line: int | None = None
    """number of its line in a text file; None for JSON and for trees made in memory"""


@dataclass
class Line:
    """One published game."""

    number: int
    """number of its line in the file"""
    guesses: list[str]
    secret: str
    """the answer: stated in a transcript, otherwise the last guess"""


@dataclass
class Document:
    """The content of a plan file: a tree, or the games that a tree can be built from."""

    header: dict[str, Any]
    root: PlanNode | None
    games: list[Line]


def read_plan(path: str | Path) -> Document:
    """Read a plan file in any of the formats."""
    name = str(path)
    try:
        return parse_plan(Path(path).read_text("utf-8"), name)
    except UnicodeDecodeError:
        raise DataError(f"{name!r} is not UTF-8 text; a plan is a text file") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot read {name!r}: {reason}") from None


def parse_plan(text: str, name: str) -> Document:
    """Recognise the format of a plan and parse it; `name` stands for it in error messages."""
    if not text.strip():
        raise DataError(f"{name!r} is empty; a plan is a decision tree or a list of games")
    if "\0" in text:
        raise DataError(f"{name!r} is a binary file; a plan is a text file")
    if text.lstrip().startswith("{"):
        return _parse_json(text, name)
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if _looks_like_paths(lines):
        return Document({}, _parse_paths(lines, name), [])
    return Document({}, None, _parse_games(lines, name))


# ---- salet's own JSON


def _parse_json(text: str, name: str) -> Document:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{name!r} is damaged: {error}") from None
    if not isinstance(fields, dict) or fields.get("format") != FORMAT or "tree" not in fields:
        raise DataError(f"{name!r} is not a plan: its 'format' is not {FORMAT!r}")
    tree = fields.pop("tree")
    return Document(fields, _node(tree, name, ()), [])


def _node(tree: Any, name: str, path: tuple[str, ...]) -> PlanNode:
    if isinstance(tree, str):
        return PlanNode(tree)
    is_pair = isinstance(tree, list) and len(tree) == 2 and isinstance(tree[0], str)
    if not is_pair or not isinstance(tree[1], dict) or len(path) > _MAX_DEPTH:
        raise DataError(f"{name!r} is damaged after {' '.join(path) or 'the start'}")
    branches = {
        pattern: _node(below, name, (*path, tree[0], pattern)) for pattern, below in tree[1].items()
    }
    return PlanNode(tree[0], branches)


def _nested(node: PlanNode) -> Any:
    if not node.branches:
        return node.guess
    return [node.guess, {pattern: _nested(below) for pattern, below in node.branches.items()}]


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_json(root: PlanNode, header: dict[str, Any]) -> str:
    """Compact JSON: one line for each header field and for each feedback to the first guess."""
    lines = [
        f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=False)}"
        for key, value in {"format": FORMAT, **header}.items()
    ]
    branches = ",\n".join(
        f"{json.dumps(pattern)}:{_compact(_nested(below))}"
        for pattern, below in root.branches.items()
    )
    first = json.dumps(root.guess, ensure_ascii=False)
    lines.append(f'"tree":[{first},{{\n{branches}\n}}]')
    return "{" + ",\n".join(lines) + "}\n"


# ---- indented trees and complete paths


def _looks_like_paths(lines: list[tuple[int, str]]) -> bool:
    """Whether most words at the positions of feedback (every second one) are feedback."""
    patterns, words = 0, 0
    for _, line in lines[:50]:
        parts = line.split()
        is_continued = line[0].isspace() and _FEEDBACK.fullmatch(parts[0]) is not None
        seconds = parts[0 if is_continued else 1 :: 2]
        words += len(seconds)
        patterns += sum(_FEEDBACK.fullmatch(word) is not None for word in seconds)
    return 2 * patterns > words


def _parse_paths(lines: list[tuple[int, str]], name: str) -> PlanNode:
    """The tree of lines, each of which shares with the line above what is left of its indent."""
    root: PlanNode | None = None
    above: list[tuple[int, str]] = []
    for number, line in lines:
        words = [(found.start(), found[0]) for found in re.finditer(r"\S+", line)]
        indent = words[0][0]
        above = [(column, word) for column, word in above if column < indent] + words
        path = [word for _, word in above]
        if root is None:
            root = PlanNode(path[0], line=number)
        _insert(root, path, number, name)
    assert root is not None
    return root


def _insert(root: PlanNode, path: list[str], number: int, name: str) -> None:
    """Add a path of words and patterns to the tree."""
    if path[0].lower() != root.guess.lower():
        raise DataError(
            f"{name} line {number} begins with {path[0]!r}, but the plan begins with {root.guess!r}"
        )
    node = root
    for index in range(1, len(path), 2):
        found = _FEEDBACK.fullmatch(path[index])
        if not found:
            raise DataError(f"{name} line {number}: {path[index]!r} should be feedback like BYBBG")
        pattern = found[found.lastgroup or 0].upper()
        if index + 1 == len(path):
            continue  # a path ends with the feedback to its last guess
        guess = path[index + 1]
        child = node.branches.setdefault(pattern, PlanNode(guess, line=number))
        if child.guess.lower() != guess.lower():
            raise DataError(
                f"{name} line {number}: {guess!r} after {' '.join(path[: index + 1])}, "
                f"but line {child.line} has {child.guess!r} there"
            )
        node = child


def paths(root: PlanNode, winning: str, answers: Container[str]) -> Iterator[list[str]]:
    """Yield every path to the end of a game, as words and patterns in turn.

    `winning` is the pattern of a win; only guesses that are answers can get it.
    """
    stack: list[tuple[PlanNode | None, list[str]]] = [(root, [])]
    while stack:
        node, before = stack.pop()
        if node is None:
            yield before
            continue
        followed: list[tuple[str, PlanNode | None]] = list(node.branches.items())
        if node.guess in answers:
            followed.append((winning, None))
        for pattern, below in sorted(followed, key=lambda item: item[0], reverse=True):
            stack.append((below, [*before, node.guess, pattern]))


def write_paths(root: PlanNode, winning: str, answers: Container[str]) -> str:
    """`word pattern word pattern …` lines, one for each way in which a game can end."""
    return "".join(" ".join(path) + "\n" for path in paths(root, winning, answers))


def write_indented(root: PlanNode, winning: str, answers: Container[str]) -> str:
    """The indented text that people publish: each line leaves out what it shares with the last."""
    lines: list[str] = []
    above: list[str] = []
    for path in paths(root, winning, answers):
        shared = 0
        while shared < min(len(above), len(path)) and above[shared] == path[shared]:
            shared += 1
        words = [_numbered(word, index) for index, word in enumerate(path)]
        indent = sum(len(word) + 1 for word in words[:shared])
        lines.append(" " * indent + " ".join(words[shared:]))
        above = path
    return "\n".join(lines) + "\n"


def _numbered(word: str, index: int) -> str:
    """Append the number of the guess to tiles, as people publish them.

    Peg counts stay bare, since digits would run together.
    """
    return f"{word}{index // 2 + 1}" if index % 2 and "," not in word else word


# ---- games


def _parse_games(lines: list[tuple[int, str]], name: str) -> list[Line]:
    transcripts = _are_transcripts([line for _, line in lines])
    games = []
    for number, line in lines:
        if transcripts:
            if line.strip().isdigit():
                continue  # the number of guesses
            secret, _, rest = line.partition(",")
            guesses, secret = rest.split(), secret.strip()
        else:
            guesses = line.replace(",", " ").split()
            secret = guesses[-1] if guesses else ""
        if not guesses or not secret:
            raise DataError(f"{name} line {number} {line!r} contains no guess")
        games.append(Line(number, guesses, secret))
    if not games:
        raise DataError(f"{name!r} contains no game")
    return games


def _are_transcripts(lines: list[str]) -> bool:
    """Whether the lines read `SECRET, GUESS … SECRET`, with one comma each.

    Most of the games must be won: only that distinguishes them from games whose guesses are
    separated by commas.
    """
    rows = [line.partition(",") for line in lines if not line.strip().isdigit()]
    if not rows or any(not mark or "," in rest for _, mark, rest in rows):
        return False
    return 2 * sum(rest.split()[-1:] == [secret.strip()] for secret, _, rest in rows) > len(rows)
