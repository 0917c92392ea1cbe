"""Messages over the pipes, byte by byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from programs import WORDS
from salet import Game, SaletError
from salet.arena.protocols import PROTOCOLS, MalformedMessageError, protocol_named, word_list_files
from salet.arena.run import run_arena
from salet.arena.umpire import make_contest

GO_STOP, JSONL = PROTOCOLS["go-stop"], PROTOCOLS["jsonl"]


def test_unknown_protocols_suggest_a_known_one() -> None:
    with pytest.raises(SaletError, match="did you mean 'go-stop'"):
        protocol_named("gostop")


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=lambda p: p.name)
def test_both_sides_understand_each_other(protocol) -> None:
    game = Game(["Straße", "Größen"], name="german", mode="hard", cap=7)
    received = []
    with word_list_files(game, protocol) as lists:
        assert {path.name for path in lists.iterdir()} in (set(), {"answers.txt", "guesses.txt"})
        sent = protocol.greeting(game, lists) + protocol.start()
    sent += protocol.feedback("BYGBB", "GGGGG", False, False) + protocol.stop()
    rest, guessing = sent, False
    while True:
        item, rest = protocol.split(rest)
        if item is None:
            break
        received.append(protocol.parse_message(item, guessing))
        guessing = received[-1].kind == "start"
    assert rest == b""
    kinds = [message.kind for message in received if message.kind != "game"]
    assert kinds == ["start", "feedback", "stop"]
    assert received[-2].fields["pattern"] in ("BYGBB", "WYGWW")
    item, rest = protocol.split(protocol.guess("straße"))
    assert (protocol.parse_guess(item), rest) == ("straße", b"")


def test_go_stop_is_separated_by_any_white_space() -> None:
    assert GO_STOP.split(b"") == (None, b"")
    assert GO_STOP.split(b" \n") == (None, b"")
    assert GO_STOP.split(b"cran") == (None, b"cran")
    assert GO_STOP.split(b"\n crane\r\n") == (b"crane", b"")
    assert GO_STOP.split(b"crane slate\n") == (b"crane", b"slate\n")


def test_go_stop_messages() -> None:
    assert GO_STOP.start() == b"Go\n"
    assert GO_STOP.stop() == b"Stop\n"
    assert GO_STOP.feedback("BYGBG", "GGGGG", False, False) == b"WYGWG\n"
    assert GO_STOP.feedback("GGGGG", "GGGGG", True, True) == b"GGGGG\n"
    assert GO_STOP.feedback("BYGBG", "GGGGG", False, True) == b"GGGGG\n"  # lost at the cap
    assert GO_STOP.feedback("1,2", "4,0", False, False) == b"1,2\n"
    with pytest.raises(MalformedMessageError):
        GO_STOP.parse_guess(b"\xff\xff")


def test_jsonl_says_everything(tmp_path: Path) -> None:
    game = Game(WORDS, name="small", mode="hard", cap=6)
    game_message = json.loads(JSONL.greeting(game, tmp_path))
    assert game_message == {
        "type": "game",
        "name": "small",
        "length": 5,
        "rule": "standard",
        "mode": "hard",
        "legal": "revealed hints must be used, as in the real game",
        "cap": 6,
        "boards": 1,
        "answers": str(tmp_path / "answers.txt"),
        "guesses": str(tmp_path / "guesses.txt"),
    }
    lost = json.loads(JSONL.feedback("BYGBG", "GGGGG", False, True))
    assert lost == {"type": "feedback", "pattern": "BYGBG", "won": False, "over": True}


@pytest.mark.parametrize(
    "line", [b"crane", b"[]", b"{}", b'{"guess": 3}', b'{"guess": "cr', b"\xff", b"[" * 5000]
)
def test_jsonl_malformed_guesses(line: bytes) -> None:
    with pytest.raises(MalformedMessageError, match='"guess": "crane"'):
        JSONL.parse_guess(line)


@pytest.mark.parametrize("line", [b"Go", b"{}", b'{"type": "feedback"}', b'{"type": 3}'])
def test_jsonl_malformed_messages_of_the_game(line: bytes) -> None:
    with pytest.raises(MalformedMessageError, match="message"):
        JSONL.parse_message(line, False)


def test_the_whole_conversation(program, tmp_path: Path) -> None:
    """What a player reads, byte by byte."""
    log = tmp_path / "log"
    body = f"log = open({str(log)!r}, 'ab', 0)\n"
    body += "for line in sys.stdin.buffer:\n  log.write(line)\n"
    body += "  if line in (b'Go\\n', b'YGWWW\\n'): say('angle\\n')\n  elif line != b'Stop\\n' and "
    body += "line != b'GGGGG\\n': say('ankle\\n')\n"
    contest = make_contest(Game(WORDS[:3], name="small", cap=2))
    (player,) = run_arena(contest, [program(body)]).result.players
    # apple is lost at the cap, which go-stop can only express with the winning pattern
    assert log.read_bytes() == b"Go\nGWWGG\nGGGGG\nGo\nGGGGG\nGo\nGGWGG\nGGGGG\nStop\n"
    assert (player.losses, player.histogram) == (1, {1: 1, 2: 1})


@pytest.mark.parametrize("bad", ['"guess"', "{}", "[1]", "crane"])
def test_malformed_json_is_a_fault(small, program, bad: str) -> None:
    body = f"listen(); listen(); say({bad!r} + '\\n'); forever()"
    (player,) = run_arena(small, [program(body)], protocol="jsonl").result.players
    assert player.failures == {"garbage": 8}


def test_words_are_compared_without_case_and_in_any_form(program) -> None:
    """NFC and lower case, over pipes too; the transcript keeps the spelling of the list."""
    contest = make_contest(Game(["Äpfel", "König"], name="german"))
    body = "while listen() != 'Stop':\n  say('KO\\u0308NIG\\n')\n"
    body += "  if set(listen()) != {'G'}: say('äpfel\\n'); listen()\n"
    arena = run_arena(contest, [program(body)])
    assert arena.outcomes[0][0].guesses == ["König", "Äpfel"]
    assert arena.outcomes[0][1].guesses == ["König"]


def test_pegs_over_go_stop(program) -> None:
    contest = make_contest(Game(["1122", "1212", "2211"], name="pegs", rule="pegs"))
    body = "while listen() != 'Stop':\n  for code in ('1122', '1212', '2211'):\n"
    body += "    say(code + '\\n')\n    if listen() == '4,0': break\n"
    (player,) = run_arena(contest, [program(body)]).result.players
    assert player.histogram == {1: 1, 2: 1, 3: 1}
