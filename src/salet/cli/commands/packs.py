"""`salet packs`: your own word lists."""

from __future__ import annotations

from pathlib import Path

import click

from salet.cli.options import examples, json_option
from salet.cli.render.console import emit
from salet.cli.render.progress import live_progress

cap_option = click.option("--cap", type=click.IntRange(1), metavar="N", show_default="none",
                          help="Maximum number of guesses in a game.")  # fmt: skip


@click.group(name="packs", invoke_without_command=True, epilog=examples(
    "salet packs add today --answers answers.txt --guesses guesses.txt",
    "salet packs build --language de --length 6",
    "salet packs list",
))  # fmt: skip
@click.pass_context
def command(ctx: click.Context) -> None:
    """Store your own word lists for use as --game NAME, or build them from a dictionary."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command("list", epilog=examples("salet packs list", "salet packs list --json"))
@json_option
def list_(as_json: bool) -> None:
    """List the packs that you added."""
    from salet.game.packs import store

    packs = [store.load(name) for name in store.own_names()]
    if as_json:
        rows = [
            {"name": p.name, "answers": len(p.answers), "guesses": len(p.guesses), "rule": p.rule,
             "cap": p.cap, "summary": p.summary}
            for p in packs
        ]  # fmt: skip
        emit({"packs": rows})
        return
    for pack in packs:
        click.echo(f"{pack.name}: {len(pack.answers)} answers, {len(pack.guesses)} guesses, "
                   f"{pack.rule} ({pack.summary})")  # fmt: skip
    if not packs:
        click.echo("There are none yet. `salet packs add --help` shows how to add one.")


@command.command(epilog=examples(
    "salet packs add today --answers answers.txt --guesses guesses.txt --cap 6",
    "salet simulate --game today --strategy entropy",
))  # fmt: skip
@click.argument("name")
@click.option("--answers", type=click.Path(path_type=Path), required=True, metavar="FILE",
              help="Possible answers, one word per line.")  # fmt: skip
@click.option("--guesses", type=click.Path(path_type=Path), metavar="FILE",
              show_default="the answers",
              help="Legal guesses, one word per line, answers included.")  # fmt: skip
@click.option("--rule", default="standard", show_default=True, metavar="RULE",
              help="Feedback rule: standard, present or pegs.")  # fmt: skip
@cap_option
@click.option("--replace", is_flag=True, help="Overwrite the pack of that name.")
def add(
    name: str, answers: Path, guesses: Path | None, rule: str, cap: int | None, replace: bool
) -> None:
    """Store word lists under NAME, for --game NAME."""
    from salet.game.game import Game
    from salet.game.packs import store
    from salet.game.packs.files import read_word_file

    words = tuple(read_word_file(answers))
    legal = words if guesses is None else tuple(read_word_file(guesses))
    Game(words, legal, rule=rule, cap=cap)  # refuses what would not make a game
    summary = f"added from {answers.name}" + ("" if guesses is None else f" and {guesses.name}")
    folder = store.add(store.Pack(name, words, legal, rule, cap, summary), replace=replace)
    click.echo(f"{name}: {len(words)} answers, {len(legal)} guesses, stored in {folder}")


@command.command(epilog=examples("salet packs remove today"))
@click.argument("name")
def remove(name: str) -> None:
    """Delete a pack that you added."""
    from salet.game.packs import store

    store.remove(name)
    click.echo(f"{name} is gone.")


@command.command(epilog=examples(
    "salet packs build --language de --length 6",
    "salet packs build --language fr --length 5 --fold-accents --name french",
    "salet packs build --source words.txt --length 7 --no-ranking --name mine",
))  # fmt: skip
@click.option(
    "--language", metavar="CODE", help="A language with a hunspell dictionary, such as de."
)
@click.option("--length", type=click.IntRange(2, 16), required=True, metavar="N",
              help="Number of letters in a word.")  # fmt: skip
@click.option("--fold-accents", is_flag=True, help="Write é as e, ß as ss and so on.")
@click.option("--source", type=click.Path(path_type=Path), metavar="FILE",
              show_default="Debian's dictionary",
              help="A .dic file (its .aff beside it) or a plain word list.")  # fmt: skip
@click.option("--answers", default=2315, show_default=True, type=click.IntRange(1), metavar="N",
              help="Number of words, the most frequent ones, that can be the answer.")  # fmt: skip
@click.option("--no-ranking", is_flag=True, help="Every word can be the answer.")
@click.option("--name", metavar="NAME", show_default="CODE-LENGTH", help="Name of the pack.")
@cap_option
@click.option("--replace", is_flag=True, help="Overwrite the pack of that name.")
def build(
    language: str | None,
    length: int,
    fold_accents: bool,
    source: Path | None,
    answers: int,
    no_ranking: bool,
    name: str | None,
    cap: int | None,
    replace: bool,
) -> None:
    """Build a pack from a hunspell dictionary or a word list.

    The dictionary says which words are valid, wordfreq (extra `languages`) which are common enough
    to be answers.
    """
    from salet.game.packs import store
    from salet.game.packs.build import build_pack

    where = language or (source.stem if source is not None else "words")
    chosen = name or f"{where.lower()}-{length}"
    with live_progress(f"building {chosen}"):
        built = build_pack(
            length,
            language=language,
            source=source,
            fold_accents=fold_accents,
            answers=answers,
            rank=not no_ranking,
        )
    sources = {"source": built.source, "transformation": built.transformation}
    pack = store.Pack(
        chosen,
        built.answers,
        built.guesses,
        cap=cap,
        summary=f"built from {language or where}, {length} letters",
        sources={**sources, "ranking": built.ranking},
    )
    folder = store.add(pack, replace=replace)
    click.echo(f"{chosen}: {len(pack.answers)} answers ({built.ranking}), "
               f"{len(pack.guesses)} guesses, stored in {folder}")  # fmt: skip
