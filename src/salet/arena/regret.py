"""The exact regret of a player's decisions, and the player's mean with luck removed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from salet.arena.outcomes import GameOutcome
from salet.arena.statistics import student_quantile
from salet.arena.umpire import Umpire
from salet.game.game import Game
from salet.game.state import State
from salet.search.regret import GuessRegret, ValueFunction, regret_of, regret_of_forfeit

_History = tuple[tuple[int, int], ...]
_Decision = tuple[_History, int]
_GIVEN_UP = -1
"""The guess of a decision to break the rules until the game was lost."""

MAX_WORST = 10
"""Number of decisions that `Regret.worst` lists."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """One decision of a player and its regret."""

    history: str
    """As `crane:bybbg …`; empty at the start."""
    guess: str
    loss: float
    """Mean number of guesses lost, over the answers still possible."""
    answers: int
    games: int
    """Number of games in which it was made."""


class Interval(msgspec.Struct, frozen=True):
    """A mean and its 95 % confidence interval, with games as the units that are drawn."""

    mean: float
    low: float
    high: float


class Regret(msgspec.Struct, frozen=True, kw_only=True):
    """A player's regret over some games."""

    guesses: int
    """Number of guesses that were priced."""
    unpriced: int
    """Number of guesses in states whose value is not proven."""
    per_guess: float | None
    """Mean loss of a priced guess."""
    per_guess_interval: Interval | None
    """The same with its confidence interval; None for fewer than two games."""
    per_game: Interval | None
    """Loss of a game."""
    mean_without_luck: Interval | None
    """What perfect play takes plus the loss of a game: the player's mean, luck removed."""
    worst: list[Decision]
    """The decisions that cost most."""

    def to_dict(self) -> dict[str, Any]:
        """The fields as `--json` prints them."""
        fields: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return fields


def measure_regret(
    game: Game,
    outcomes: Iterable[GameOutcome],
    value: ValueFunction,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Regret:
    """Price every guess of the games; a decision made in many games is priced once.

    `progress` is called with the number of decisions priced so far and the number of all.
    """
    played = list(outcomes)
    states, lines, unpriced = _decisions(game, played)
    counts: dict[_Decision, int] = {}
    for line in lines:
        for decision in line:
            counts[decision] = counts.get(decision, 0) + 1
    cached_value = _cached(value)
    prices: dict[_Decision, GuessRegret | None] = {}
    for number, (history, guess) in enumerate(counts, 1):
        progress(number, len(counts))
        prices[history, guess] = _price(states[history], guess, cached_value)
    unpriced += sum(counts[d] for d, price in prices.items() if price is None or not price.exact)
    losses = {d: price.loss for d, price in prices.items() if price is not None and price.exact}
    games = [[losses[d] for d in line if d in losses] for line in lines]
    priced = sum(map(len, games))
    per_game = _per_game(played, lines, prices)
    start = value(game.start()) if per_game is not None else None
    return Regret(
        guesses=priced,
        unpriced=unpriced,
        per_guess=sum(map(sum, games)) / priced if priced else None,
        per_guess_interval=ratio_interval([(sum(game), len(game)) for game in games]),
        per_game=per_game,
        mean_without_luck=None
        if per_game is None or start is None
        else _shifted(per_game, (start.cost.guesses + start.cost.losses) / game.answer_count),
        worst=_worst(game, states, losses, counts),
    )


def losses_by_secret(
    game: Game, outcomes: Iterable[GameOutcome], value: ValueFunction
) -> dict[str, float]:
    """The regret of each finished game, for comparing two players; games with an unknown value are
    left out."""
    played = [outcome for outcome in outcomes if outcome.fault is None]
    states, lines, _ = _decisions(game, played)
    cached_value = _cached(value)
    found: dict[str, float] = {}
    for outcome, line in zip(played, lines, strict=True):
        prices = [_price(states[history], guess, cached_value) for history, guess in line]
        known = [price.loss for price in prices if price is not None]
        if len(known) == len(prices):
            found[outcome.secret] = math.fsum(known)
    return found


def _cached(value: ValueFunction) -> ValueFunction:
    values: dict[_History, Any] = {}

    def cached_value(state: State) -> Any:
        if state.history not in values:
            values[state.history] = value(state)
        return values[state.history]

    return cached_value


def _decisions(
    game: Game, outcomes: Iterable[GameOutcome]
) -> tuple[dict[_History, State], list[list[_Decision]], int]:
    """The states that were met by history, the decisions (history, guess) of each game, and
    the number of guesses made when no answer was left."""
    states: dict[_History, State] = {(): game.start()}
    lines: list[list[_Decision]] = []
    impossible = 0
    umpire = Umpire(game)
    for outcome in outcomes:
        column = umpire.column(game.index(outcome.secret))
        state, line = states[()], []
        for word in outcome.guesses:
            guess = game.index(word)
            if not len(state.candidates):  # the secret is not one of the answers
                impossible += 1
                continue
            line.append((state.history, guess))
            after = state.after(guess, umpire.format(int(column[guess])))
            state = states.setdefault(after.history, after)
        if _is_forfeit(outcome, game) and len(state.candidates):
            line.append((state.history, _GIVEN_UP))
        lines.append(line)
    return states, lines, impossible


def _is_forfeit(outcome: GameOutcome, game: Game) -> bool:
    """Whether the game was lost by breaking the rules, with guesses left."""
    cap = game.cap
    return (
        outcome.fault is None and not outcome.won and cap is not None and len(outcome.guesses) < cap
    )


def _price(state: State, guess: int, value: ValueFunction) -> GuessRegret | None:
    if guess != _GIVEN_UP:
        return regret_of(state, guess, value)
    assert state.guesses_left is not None
    return regret_of_forfeit(state, state.guesses_left, value)


def _per_game(
    outcomes: Sequence[GameOutcome],
    lines: Sequence[Sequence[_Decision]],
    prices: dict[_Decision, GuessRegret | None],
) -> Interval | None:
    """The loss of a game; None if a game cannot be priced, or for fewer than two games.

    Values that are not proven may be used here: luck is defined by them, and its mean is 0 whatever
    they are.
    """
    sums: list[tuple[float, int]] = []
    for outcome, line in zip(outcomes, lines, strict=True):
        if outcome.fault is not None:
            continue
        known = [price.loss for d in line if (price := prices[d]) is not None]
        if len(known) < max(len(line), len(outcome.guesses)):
            return None
        sums.append((math.fsum(known), 1))
    return ratio_interval(sums)


def ratio_interval(pairs: Sequence[tuple[float, int]]) -> Interval | None:
    """Return sum(x) / sum(n) over pairs (x, n), with its 95 % confidence interval.

    None for fewer than two pairs, or if nothing was counted.

    >>> ratio_interval([(1.0, 1), (2.0, 1), (3.0, 1)]).mean
    2.0
    """
    size, total = len(pairs), sum(n for _, n in pairs)
    if size < 2 or not total:
        return None
    ratio = math.fsum(x for x, _ in pairs) / total
    spread = math.fsum((x - ratio * n) ** 2 for x, n in pairs)
    error = math.sqrt(spread / (size - 1) / size) / (total / size)
    margin = student_quantile(0.05, size - 1) * error if error else 0.0
    return Interval(ratio, ratio - margin, ratio + margin)


def _shifted(interval: Interval, by: float) -> Interval:
    return Interval(interval.mean + by, interval.low + by, interval.high + by)


def _worst(
    game: Game,
    states: dict[_History, State],
    losses: dict[_Decision, float],
    counts: dict[_Decision, int],
) -> list[Decision]:
    costly = [
        Decision(
            history=" ".join(f"{word}:{pattern}" for word, pattern in states[history].turns),
            guess="(gave up)" if guess == _GIVEN_UP else game.guesses[guess],
            loss=loss,
            answers=len(states[history].candidates),
            games=counts[history, guess],
        )
        for (history, guess), loss in losses.items()
        if loss > 0
    ]
    costly.sort(key=lambda decision: (-decision.loss, decision.history, decision.guess))
    return costly[:MAX_WORST]
