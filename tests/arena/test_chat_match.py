"""Chat models in the arena: games, faults, resuming, and no message reveals the secret."""

from __future__ import annotations

import json
import re
import threading
from functools import partial

import pytest

from chat_server import send, serving
from programs import WORDS
from salet import Game
from salet.arena import chat_client
from salet.arena.chat_client import ChatModel
from salet.arena.regret import measure_regret
from salet.arena.run import run_arena
from salet.arena.umpire import make_contest
from salet.errors import InputError
from salet.search.regret import RegretEvaluator
from salet.strategies.simulate import simulate

GAME = Game(WORDS, name="small", cap=6)
CONTEST = make_contest(GAME)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_client, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(chat_client, "MAX_PAUSE", 0.002)


def listed(_, messages, __) -> str:
    """Guess the words in order."""
    made = sum(message["role"] == "assistant" for message in messages)
    return f"<think>[maple]?</think> I guess [{WORDS[made].upper()}]"


def model(url: str, **options) -> ChatModel:
    return ChatModel(url, "small", **options)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_model_plays_every_answer(jobs: int, tmp_path) -> None:
    seen = []
    with serving(listed) as server:
        arena = run_arena(
            CONTEST,
            models=[model(server.url)],
            jobs=jobs,
            transcripts=tmp_path / "games.txt",
            progress=lambda now: seen.append(now.games),
        )
    (player,) = arena.result.players
    assert (player.games, player.total, player.losses, player.failures) == (8, 35, 2, {})
    assert player.chat is not None
    assert (player.chat.requests, player.chat.illegal, player.chat.retries) == (33, 0, 0)
    assert (player.chat.prompt_tokens, player.chat.completion_tokens) == (330, 99)
    assert arena.result.protocol == "chat"
    assert seen == list(range(1, 9))
    assert (tmp_path / "games.txt").read_text().startswith("apple, apple \nangle, apple angle \n")
    logs = [json.loads(row) for row in (tmp_path / "games.txt.chat.jsonl").read_text().splitlines()]
    assert [log["secret"] for log in logs] == WORDS
    assert logs[1]["chat"]["messages"][1]["content"] == "I guess [APPLE]"
    regret = measure_regret(GAME, arena.outcomes[0], RegretEvaluator(GAME).value)
    assert regret.mean_without_luck is not None
    assert regret.mean_without_luck.mean == pytest.approx(35 / 8)


def test_no_message_tells_the_secret() -> None:
    """Every request of every game, whatever the model writes: lost, illegal and silly games too."""
    game = Game.named("original:first=120", mode="hard")
    contest = make_contest(game, sample=30, seed=1)
    silly = ["[nonsense]", "no idea", "", "[salet]", "[crane]", "[humid]", "I know it: <guess>"]

    def script(number, messages, _):
        return silly[(number + len(messages)) % len(silly)]

    with serving(script) as server:
        run_arena(contest, models=[model(server.url, max_illegal=9)])
        requests = server.requests
    rules = requests[0]["messages"][0]["content"]
    fixed = set(re.findall(r"\w+", rules.lower()))
    secrets = set(contest.words) - fixed - {"salet", "crane", "humid"}
    assert len(requests) > 100 and len(secrets) > 20
    for request in requests:
        words = set(re.findall(r"\w+", json.dumps(request).lower()))
        assert not words & secrets
        assert request["messages"][0]["content"] == rules


def test_illegal_guesses_are_answered_counted_and_lose_at_last() -> None:
    def script(_, messages, __):
        said = [m["content"] for m in messages if m["role"] == "assistant"]
        return "[label]" if len(said) == 2 else "[xyzzy]" if len(said) == 1 else "no idea"

    with serving(script) as server:
        arena = run_arena(CONTEST, models=[model(server.url)])
        told = server.requests[-1]["messages"]
    (player,) = arena.result.players
    assert player.chat is not None
    assert player.histogram == {1: 1} and player.losses == 7 and player.failures == {}
    assert player.chat.illegal == 2 + 7 * 3
    assert player.total == 1 + 7 * 7
    assert told[2]["content"].startswith("'no idea' has no guess in it; end your reply with")
    assert (
        told[4]["content"]
        == "'xyzzy' is not in the list; give a common one with 5 letters.\n6 guesses left."
    )
    regret = measure_regret(GAME, arena.outcomes[0], RegretEvaluator(GAME).value)
    assert regret.mean_without_luck is not None
    assert regret.mean_without_luck.mean == pytest.approx(50 / 8, abs=0.3)
    assert regret.worst[0].guess == "(gave up)"


def test_without_a_cap_breaking_the_rules_is_a_fault() -> None:
    contest = make_contest(Game(WORDS, name="small"))
    with serving(lambda *_: "what?") as server:
        arena = run_arena(contest, models=[model(server.url)])
    assert arena.result.players[0].failures == {"illegal guess": 8}


def test_a_hanging_reply_fails_its_game_and_the_others_go_on() -> None:
    def script(number, messages, handler):
        if number in (0, 1):  # the first game: once and once again
            server.release.wait()
            return None
        return listed(number, messages, handler)

    with serving(script) as server:
        arena = run_arena(CONTEST, models=[model(server.url, timeout=0.2, retries=1)])
    (player,) = arena.result.players
    assert player.failures == {"timeout": 1} and player.games == 7
    assert arena.outcomes[0][0].fault is not None
    assert arena.outcomes[0][0].fault.detail == "no reply within 0.2 s"
    assert arena.outcomes[0][0].chat is not None
    assert (arena.outcomes[0][0].chat.requests, arena.outcomes[0][0].chat.retries) == (1, 1)


def test_garbage_in_every_game_ends_the_run() -> None:
    def script(_, __, handler):
        send(handler, 200, b"data: x\n\n")

    with serving(script) as server, pytest.raises(InputError) as caught:
        run_arena(CONTEST, models=[model(server.url, retries=0)])
    said = str(caught.value)
    assert "failed in 5 games in a row: the reply 'data: x' is not a chat completion" in said
    assert "give --transcripts FILE" in said


@pytest.mark.parametrize("status", [401, 429])
def test_a_run_that_was_refused_is_resumed_with_nothing_lost(status: int, tmp_path) -> None:
    path = tmp_path / "games.txt"
    good = threading.Event()

    def script(number, messages, handler):
        if number >= 12 and not good.is_set():
            send(handler, status, b'{"error": {"message": "no credit"}}')
            return None
        return listed(number, messages, handler)

    with serving(script) as server:
        chosen = model(server.url, retries=1)
        with pytest.raises(InputError) as caught:
            run_arena(CONTEST, models=[chosen], transcripts=path)
        said = str(caught.value)
        assert f"{server.url}: {status}" in said and "'no credit'" in said
        assert "4 games are saved in" in said and "run the same command to resume" in said
        before = len(server.requests)
        good.set()
        arena = run_arena(CONTEST, models=[chosen], transcripts=path)
        assert len(server.requests) - before == 33 - 10  # games that ended are not played again
    assert arena.result.players[0].total == 35
    assert not path.with_name("games.txt.part").exists()
    assert len(path.read_text().splitlines()) == 9


def test_another_model_does_not_resume_it(tmp_path) -> None:
    path = tmp_path / "games.txt"

    def refuse(_, __, handler):
        send(handler, 403, b"no")

    with serving(refuse) as server:
        for name, said in (("a", "403"), ("b", "holds the games of another run")):
            with pytest.raises(InputError, match=said):
                run_arena(CONTEST, models=[ChatModel(server.url, name)], transcripts=path)


def test_an_interrupt_stops_requests_that_wait(tmp_path, monkeypatch) -> None:
    from salet.arena.signals import StopRequest

    stops = []
    monkeypatch.setattr(StopRequest, "__init__", _remember(StopRequest.__init__, stops))

    def script(number, messages, handler):
        if number < 3:
            return listed(number, messages, handler)
        stops[0].set()
        server.release.wait()
        return None

    with serving(script) as server, pytest.raises(KeyboardInterrupt):
        run_arena(CONTEST, models=[model(server.url)], transcripts=tmp_path / "g.txt")
    kept = (tmp_path / "g.txt.part").read_text().splitlines()
    assert len(kept) == 3  # the header, apple and angle


def _remember(init, stops):
    def wrapped(self):
        init(self)
        stops.append(self)

    return wrapped


def test_a_model_that_plays_perfectly_has_no_regret() -> None:
    plan = simulate(GAME, "exact")
    lines = {tuple(line): WORDS[answer] for answer, line in enumerate(plan.games)}

    def script(_, messages, __):
        turns = []
        for message in messages[2::2]:
            letters, marks = message["content"].splitlines()[:2]
            turns.append((letters.replace(" ", ""), marks.replace(" ", "")))
        for line in lines:
            words = [WORDS[guess] for guess in line]
            if words[: len(turns)] == [word for word, _ in turns] and all(
                GAME.feedback(word, lines[line]) == marks for word, marks in turns
            ):
                return f"[{words[len(turns)]}]"
        return "?"

    with serving(script) as server:
        arena = run_arena(CONTEST, models=[model(server.url)])
    found = measure_regret(GAME, arena.outcomes[0], RegretEvaluator(GAME).value)
    assert found.per_guess == 0 and found.per_guess_interval is not None
    assert arena.result.players[0].total == plan.total


def test_a_model_plays_several_boards_and_a_run_is_resumed(tmp_path) -> None:
    """The words in order, first until the endpoint refuses."""
    game = Game(WORDS, name="pairs", cap=7, boards=2)
    contest = make_contest(game, sample=12, seed=2)
    good = threading.Event()

    def script(number, messages, handler):
        if number >= 20 and not good.is_set():
            send(handler, 401, b"no")
            return None
        return listed(number, messages, handler)

    with serving(script) as server:
        play = partial(
            run_arena, contest, models=[model(server.url)], transcripts=tmp_path / "games.txt"
        )
        with pytest.raises(InputError, match="games are saved in"):
            play()
        before = len(server.requests)
        good.set()
        arena = play()
        requests = server.requests
    lengths = [max(WORDS.index(word) for word in text.split("/")) + 1 for text in contest.words]
    found = [len(outcome.guesses) for outcome in arena.outcomes[0]]
    assert found == [min(length, 7) for length in lengths]
    assert [outcome.won for outcome in arena.outcomes[0]] == [length <= 7 for length in lengths]
    played = {text: min(length, 7) for text, length in zip(contest.words, lengths, strict=True)}
    assert len(requests) - before < sum(played.values())
    assert "Find the 2 secret words" in requests[0]["messages"][0]["content"]
    told = [r["messages"][2]["content"] for r in requests if len(r["messages"]) == 3]
    assert told and all(text.startswith("a p p l e\nboard 1: ") for text in told)
