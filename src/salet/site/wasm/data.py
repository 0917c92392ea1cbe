"""What a page loads besides code: games with their words, openers, replies and plans, as files.

A page on a slow line waits for words and their frequencies, so both come without repetition:

    guesses   each word as the number of characters that it shares with the one before (in base 36)
              and the rest of it, one to a line
    answers   a digit for each guess, 1 for an answer, where the answers come in the order of the
              guesses; otherwise their indices, separated by blanks
    counts    how often each guess occurs in running text, separated by blanks; 0 is left out

All of it is read by static/engine/catalogue.js.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from salet.game.lexicon import key
from salet.game.named import ALIASES, named_game
from salet.game.packs import store
from salet.game.packs.store import Pack
from salet.search import opener_table, reply_book, shipped
from salet.search.fact_file import identity
from salet.version import version

_FACTS = ("game", "mode", "rule", "cap", "words", "lower")
OPENERS = 40
"""openers of a game in the file that comes first; all others are in one of their own"""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def data_files() -> dict[str, bytes]:
    """The files below data/, by their path. Packs of the user's own are among them."""
    names = [*store.shipped_names(), *store.own_names()]
    plans = {path.stem: path.read_text("utf-8") for path in sorted(shipped.FOLDER.glob("*.json"))}
    tables = {path.stem: _openers(path.stem) for path in sorted(opener_table.FOLDER.iterdir())}
    first = [{**table, "openers": table["openers"][:OPENERS]} for table in tables.values()]
    books = {path.stem: _replies(path.stem) for path in sorted(reply_book.FOLDER.iterdir())}
    catalogue = _catalogue(names, plans)
    for book in books.values():
        catalogue["replies"].append({**book, "replies": None})
    files = {"data/games.json": _json(catalogue), "data/openers.json": _json(first)}
    files |= {f"data/replies/{name}.json": _json(book) for name, book in books.items()}
    files |= {f"data/openers/{name}.json": _json(table) for name, table in tables.items()}
    files |= {f"data/games/{name}.json": _json(_words(store.load(name))) for name in names}
    return files | {f"data/plans/{name}.json": text.encode() for name, text in plans.items()}


def _openers(name: str) -> dict[str, Any]:
    """The openers of a table whose cost is known, best first, each as guess, losses, guesses,
    worst, groups and largest."""
    game, _, mode = name.rpartition("-")
    table = opener_table.shipped_openers(named_game(game, mode=mode))
    assert table is not None
    return {
        **{fact: getattr(table, fact) for fact in _FACTS},
        "openers": [
            [one.guess, cost.losses, cost.guesses, one.worst, one.groups, one.largest]
            for one, cost in table.valued
        ],
    }


def _replies(name: str) -> dict[str, Any]:
    """A book of replies: for each opener feedback, guess, losses, guesses and worst."""
    name, _, mode = name.rpartition("-")
    game = named_game(name, mode=mode)
    book = reply_book.shipped_replies(game)
    assert book is not None
    rows: dict[str, list[Any]] = {opener: [] for opener in book.openers}
    for (opener, code), (guess, cost, worst) in book.replies.items():
        feedback = game.rule.notation.format(code, game.length)
        row = [feedback, game.guesses[guess], cost.losses, cost.guesses, worst]
        rows[game.guesses[opener]].append(row)
    return {**identity(game), "openers": book.openers, "replies": rows}


def _json(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _catalogue(names: Sequence[str], plans: Mapping[str, str]) -> dict[str, Any]:
    """The facts about games that a page needs before their words are loaded."""
    packs = [store.load(name) for name in names]
    return {
        "version": version(),
        "aliases": dict(ALIASES),
        "games": [
            {
                "name": pack.name,
                "summary": pack.summary,
                "answers": len(pack.answers),
                "guesses": len(pack.guesses),
                "rule": pack.rule,
                "cap": pack.cap,
                "words": store.lists_digest(pack.answers, pack.guesses),
                "frequencies": _has_frequencies(pack),
                "own": pack.name not in store.shipped_names(),
            }
            for pack in packs
        ],
        "plans": [_plan_facts(text) for text in plans.values()],
        "replies": [],
    }


def _plan_facts(text: str) -> dict[str, Any]:
    """The header of a plan and its first guess: enough to open with it."""
    document = json.loads(text)
    tree = document.pop("tree")
    return {**document, "opener": tree if isinstance(tree, str) else tree[0]}


def _words(pack: Pack) -> dict[str, Any]:
    """A pack's lists as the module's docstring says."""
    index = {key(word): at for at, word in enumerate(pack.guesses)}
    answers = [index[key(word)] for word in pack.answers]
    if answers == sorted(answers):
        chosen = set(answers)
        listed = "".join("1" if at in chosen else "0" for at in range(len(pack.guesses)))
    else:
        listed = " ".join(map(str, answers))
    frequencies = store.frequencies(pack.name) if _has_frequencies(pack) else {}
    counts = [frequencies.get(key(word), 0) for word in pack.guesses]
    return {
        "guesses": _front_coded(pack.guesses),
        "answers": listed,
        "counts": " ".join(str(count or "") for count in counts) if frequencies else None,
    }


def _has_frequencies(pack: Pack) -> bool:
    return "frequency" in pack.sources and pack.name in store.shipped_names()


def _front_coded(words: Sequence[str]) -> str:
    lines = []
    before = ""
    for word in words:
        shared = 0
        while shared < min(len(word), len(before), 35) and word[shared] == before[shared]:
            shared += 1
        lines.append(_DIGITS[shared] + word[shared:])
        before = word
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the files below a folder."""
    parser = argparse.ArgumentParser(prog="python -m salet.site.wasm.data", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder in which data/ is written")
    folder: Path = parser.parse_args(arguments).folder
    for path, content in data_files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


if __name__ == "__main__":
    main()
