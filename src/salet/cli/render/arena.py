"""Results of the arena: players compared, and their failures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from salet.cli.render.console import format_seconds, line
from salet.cli.render.games import rules
from salet.cli.render.simulation import histogram

if TYPE_CHECKING:
    from rich.console import RenderableType

    from salet.arena.outcomes import ChatLog, Standing
    from salet.arena.regret import Regret
    from salet.arena.run import Arena, ArenaProgress, ArenaResult


def arena_view(
    arena: Arena, regrets: Sequence[Regret] = (), losses: Sequence[dict[str, float]] = ()
) -> list[RenderableType]:
    """Every player's figures, and how the others compare with the first."""
    shown: list[RenderableType] = []
    for number, player in enumerate(arena.result.players):
        shown += _standing(player, arena.result)
        if number < len(regrets):
            shown += _regret(regrets[number])
    return [*shown, *_comparisons(arena, losses)]


def _standing(player: Standing, result: ArenaResult) -> Iterator[RenderableType]:
    spoken = result.protocol if player.chat is None else "chat"
    yield line((player.command, "bold"), f" on {rules(result)}, {spoken}")
    if player.histogram or player.losses:
        yield histogram(player.histogram, player.losses)
    rate = result.answers / player.seconds if player.seconds else 0.0
    end = (
        f"failed {sum(player.failures.values())}, "
        f"{format_seconds(player.seconds)} ({rate:.0f} games/s)"
    )
    if player.mean is None:
        yield line(("no game was finished", "bold"), f", {end}")
    else:
        yield line("mean ", (f"{player.mean:.4f}", "bold"), f" = {player.total} / {player.games}, "
                   f"worst {player.worst or 'none'}, lost {player.losses}, {end}")  # fmt: skip
    for reason, count in player.failures.items():
        yield line(f"  {reason}: {count}")
    if player.chat is not None:
        yield from _chat(player.chat, sum(player.histogram.values()), result.answers)


def _chat(chat: ChatLog, wins: int, answers: int) -> Iterator[RenderableType]:
    yield line(f"won {wins} of {answers}, {chat.illegal} illegal guesses")
    each = chat.seconds / chat.requests if chat.requests else 0.0
    yield line(
        f"{chat.requests} requests of {format_seconds(each)}, {chat.retries} repeated, "
        f"{chat.prompt_tokens} tokens read and {chat.completion_tokens} written"
    )


def _regret(regret: Regret) -> Iterator[RenderableType]:
    if regret.per_guess is None:
        yield line(f"regret unknown: no guess was priced, {regret.unpriced} too large to price")
        return
    interval = regret.per_guess_interval
    sure = "" if interval is None else f", 95 % between {interval.low:.4f} and {interval.high:.4f}"
    yield line("regret ", (f"{regret.per_guess:.4f}", "bold"), f" per guess{sure}, "
               f"{regret.guesses} priced, {regret.unpriced} too large to price")  # fmt: skip
    if (luckless := regret.mean_without_luck) is not None:
        yield line("mean ", (f"{luckless.mean:.4f}", "bold"), " with luck removed, "
                   f"95 % between {luckless.low:.4f} and {luckless.high:.4f}")  # fmt: skip
    for decision in regret.worst:
        left = "1 answer" if decision.answers == 1 else f"{decision.answers} answers"
        yield line(f"  {decision.loss:.4f}  {decision.guess} after "
                   f"{decision.history or 'nothing'}, {left} left")  # fmt: skip


def _comparisons(arena: Arena, losses: Sequence[dict[str, float]]) -> Iterator[RenderableType]:
    from salet.arena.outcomes import charge
    from salet.arena.statistics import compare

    charges = [
        {o.secret: charge(o, arena.result.cap) for o in outcomes if o.fault is None}
        for outcomes in arena.outcomes
    ]
    for number, other in enumerate(charges[1:], 2):
        found = compare(charges[0], other)
        if found is not None:
            yield line(f"player {number} against player 1: {found.sentence()}")
        if losses and (luckless := compare(losses[0], losses[number - 1])) is not None:
            yield line(f"  with luck removed: {luckless.sentence()}")


def faults_view(arena: Arena) -> Iterator[RenderableType]:
    """The first failure of each kind, with the last lines of the player's stderr."""
    for number, player in enumerate(arena.result.players):
        for reason, (secret, fault) in arena.faults(number).items():
            yield line(f"{player.command}: {reason} on {secret}: {fault.detail}")
            yield from (line(f"  | {text}") for text in fault.stderr)


def arena_progress(now: ArenaProgress) -> str:
    """Mean, failures and speed of a player so far."""
    mean = "–" if now.mean is None else f"{now.mean:.4f}"
    rate = (now.games + now.failures) / now.seconds if now.seconds else 0.0
    return f"player {now.player + 1}: mean {mean}, {now.failures} failed, {rate:.0f} games/s"
