"""Rows on coloured tiles: boards, the alphabet, games side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from salet.game.game import Game
    from salet.game.joint_state import JointState
    from salet.game.round import Round
    from salet.game.rows import Row

_STYLES = {"G": "bold white on green", "Y": "bold black on yellow", "B": "white on grey30"}
_MARKS = {"G": "[{}]", "Y": "({})", "B": " {} "}


def tiles(word: str, feedback: str) -> Text:
    """A word on its coloured tiles; without colour, [X] is green, (X) yellow and X grey."""
    from salet.game.lexicon import graphemes

    text = Text()
    for letter, colour in zip(graphemes(word), feedback, strict=True):
        text.append(_MARKS[colour].format(letter.upper()), _STYLES[colour])
    return text


def row(game: Game, guess: str, feedback: str) -> Text:
    """A guess and its feedback: tiles, or words in games of pegs."""
    from salet.game.notation import TILES

    if game.rule.notation is TILES:
        return tiles(guess, feedback)
    black, white = feedback.split(",")
    return Text(f"{guess}  {black} right, {white} in the wrong place")


def board(game: Game, rows: Sequence[Row]) -> Text:
    """The rows so far, numbered."""
    lines = [
        Text.assemble((f"{number}  ", "dim"), row(game, guess, feedback))
        for number, (guess, feedback) in enumerate(rows, 1)
    ]
    return Text("\n").join(lines)


_BOARDS_IN_A_LINE = 4


def joint_row(game: Game, guess: str, feedback: str) -> Text:
    """A guess on every board, four boards per line; a solved board stays empty."""
    fields = feedback.split("/")
    empty = Text(" " * (3 * game.length))
    shown = [empty if field == "-" else row(game, guess, field) for field in fields]
    lines = [
        Text("  ").join([Text(" "), *shown[start : start + _BOARDS_IN_A_LINE]])
        for start in range(0, len(shown), _BOARDS_IN_A_LINE)
    ]
    return Text("\n").join(lines)


def joint_board(state: JointState) -> Text:
    """The rows so far on every board, four boards beside each other."""
    game = state.game
    blocks = []
    for start in range(0, game.boards, _BOARDS_IN_A_LINE):
        names = [
            f"{f'board {number + 1}':<{3 * game.length}}"
            for number in range(start, min(start + _BOARDS_IN_A_LINE, game.boards))
        ]
        lines = [Text("  ".join(["   ", *names]), "dim")]
        for turn, (guess, feedback) in enumerate(state.turns, 1):
            fields = "/".join(feedback.split("/")[start : start + _BOARDS_IN_A_LINE])
            if set(fields) - {"/", "-"}:
                number = Text(f"{turn:>2}", "dim")
                lines.append(number.append_text(joint_row(game, guess, fields)))
        blocks.append(Text("\n").join(lines))
    return Text("\n").join(blocks)


def alphabet(current: Round) -> Text:
    """All letters of a game, each on the best tile it has had so far."""
    letters = current.game.lexicon.alphabet
    best = _best_tiles(current)
    shown = [
        tiles(letter, "BYG"[best[code]]) if code in best else Text(letter)
        for code, letter in enumerate(letters)
    ]
    return Text(" ").join(shown)


def _best_tiles(current: Round) -> Mapping[int, int]:
    """{letter code: best colour so far}; empty in games without tiles."""
    from salet.game.notation import TILES
    from salet.game.notation import tiles as colours

    game = current.game
    best: dict[int, int] = {}
    if game.rule.notation is TILES:
        for guess, code in current.state.history:
            coloured = zip(game.lexicon.codes[guess], colours(code, game.length), strict=True)
            for letter, colour in coloured:
                best[int(letter)] = max(best.get(int(letter), 0), colour)
    return best


def side_by_side(names: Sequence[str], rounds: Sequence[Round]) -> Table:
    """The games of several players against one secret."""
    game = rounds[0].game
    title = Text.assemble("the answer is ", (rounds[0].answer, "bold"))
    table = Table(box=None, pad_edge=False, header_style="bold", title=title, title_justify="left")
    for name, current in zip(names, rounds, strict=True):
        result = f"in {current.state.turn}" if current.won else "lost"
        table.add_column(Text(f"{name}, {result}"), min_width=3 * game.length)
    turns = [current.state.turns for current in rounds]
    for number in range(max(map(len, turns))):
        table.add_row(*(row(game, *made[number]) if number < len(made) else "" for made in turns))
    return table
