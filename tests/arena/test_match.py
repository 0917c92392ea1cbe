"""Players that follow the rules, and players that break every one of them."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from programs import WORDS, read_pids
from salet import Game
from salet.arena import match
from salet.arena.match import Limits
from salet.arena.outcomes import FaultReason
from salet.arena.run import run_arena
from salet.arena.umpire import Contest, make_contest

Program = Callable[[str], str]
QUICK = Limits(guess=0.4, game=30)


def test_a_player_that_follows_the_rules(small, listed: str) -> None:
    arena = run_arena(small, [listed], jobs=3)
    (player,) = arena.result.players
    # answer k is found with guess k + 1; with a cap of 6 the last two are lost
    assert player.histogram == {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}
    assert (player.games, player.losses, player.worst) == (8, 2, 6)
    assert player.total == 21 + 2 * 7
    assert player.mean == pytest.approx(35 / 8)
    assert player.failures == {}
    assert [outcome.secret for outcome in arena.outcomes[0]] == WORDS
    assert arena.outcomes[0][2].guesses == WORDS[:3]
    assert arena.outcomes[0][7].guesses == WORDS[:6]


def test_without_a_cap_a_repeated_guess_is_a_loss(program: Program) -> None:
    player = program("while listen() != 'Stop':\n  say('ankle\\n')\n  while set(listen()) != "
                     "{'G'}:\n    say('ankle\\n')\n")  # fmt: skip
    contest = make_contest(Game(WORDS, name="small"))
    (player,) = run_arena(contest, [player]).result.players
    assert (player.games, player.losses, player.total) == (8, 7, 1 + 7 * 2)


FAULTY = {
    "unknown word": "listen(); say('zzzzz\\n'); forever()",
    "unknown word, other length": "listen(); say('apples\\n'); forever()",
    "garbage": "listen(); say(b'\\xff\\xfe\\xfd\\n'); forever()",
    "no newline": "listen(); say('apple'); forever()",
    "no newline, then exit": "listen(); say('apple')",
    "too much output": "listen(); say('apple\\n' * 1000); forever()",
    "too much output, one line": "listen(); say('a' * 60000)\nwhile True: say('a' * 60000)",
    "crash": "listen(); sys.exit(3)",
    "crash, by signal": "listen(); os.kill(os.getpid(), 11)",
    "crash, killed": "listen(); os.kill(os.getpid(), 9)",
    "crash, before the first guess": "raise SystemExit('no words')",
    "timeout": "forever()",
    "timeout, stdin closed": "os.close(0); forever()",
    "timeout, busy": "while True: pass",
    "timeout, only blanks": "while listen() != 'Stop': say('\\n \\n')",
    "early close": "listen()",
    "early close, still running": "listen(); os.close(1); forever()",
    "early close, in the middle": "listen(); say('ankle\\n'); listen()",
}


@pytest.mark.parametrize("fault", FAULTY)
def test_every_fault_is_counted_and_the_player_restarted(
    small, program: Program, fault: str
) -> None:
    reason = fault.partition(",")[0]
    limits = {"timeout": QUICK, "no newline": Limits(2, 600)}.get(reason, Limits(600, 600))
    (player,) = run_arena(small, [program(FAULTY[fault])], jobs=4, limits=limits).result.players
    if fault == "early close, in the middle":  # the player finds ankle, then exits
        assert player.failures == {reason: 7}
        assert player.histogram == {1: 1}
        return
    assert player.failures == {reason: 8}
    assert reason in get_args(FaultReason)
    assert (player.games, player.losses, player.histogram) == (0, 0, {})
    assert (player.total, player.mean, player.worst) == (None, None, None)


def test_illegal_guesses_in_hard_mode(program: Program) -> None:
    contest = make_contest(Game(WORDS, name="small", mode="hard", cap=6))
    body = "while listen() != 'Stop':\n  say('label\\n')\n  while set(listen()) != {'G'}:\n"
    body += "    say('ankle\\n')\n"
    arena = run_arena(contest, [program(body)])
    (player,) = arena.result.players
    # ankle ignores the B or the second L of most; it is legal only where label has no B
    assert player.games + sum(player.failures.values()) == len(WORDS)
    assert set(player.failures) == {"illegal guess"}
    failed = [outcome for outcome in arena.outcomes[0] if outcome.fault is not None]
    assert "bleak" in [outcome.secret for outcome in failed]
    assert "hard mode" in failed[0].fault.detail


def test_games_without_a_cap_end_after_a_thousand_guesses(program: Program) -> None:
    words = [f"{n:04d}" for n in range(3000)]
    contest = make_contest(Game(words, name="numbers"), sample=3)
    body = "listen()\nfor n in range(3000):\n  say(f'{n:04d}\\n')\n  listen()\n"
    arena = run_arena(contest, [program(body)])
    (player,) = arena.result.players
    unfinished = [outcome.secret for outcome in arena.outcomes[0] if outcome.fault is not None]
    assert unfinished == [word for word in contest.words if int(word) >= match.MAX_GUESSES]
    assert set(player.failures) <= {"too many guesses", "early close"}
    assert player.games + sum(player.failures.values()) == 3


def test_a_game_that_takes_too_long(small, program: Program) -> None:
    limits = Limits(guess=600, game=0.3)
    (silent,) = run_arena(small, [program("forever()")], jobs=8, limits=limits).result.players
    assert silent.failures == {"game timeout": 8}
    chatty = "listen()\nwhile True: say('apple\\n'); listen()\n"
    endless = Contest(small.game.replace(cap=10**9), (7,))
    (player,) = run_arena(endless, [program(chatty)], limits=limits).result.players
    assert player.failures == {"game timeout": 1}


def test_a_player_that_never_reads(small, program: Program, monkeypatch) -> None:
    """What it does not read is buffered up to a limit; then it is at fault."""
    monkeypatch.setattr(match, "_MAX_UNREAD_BYTES", 1000)
    body = "while True:\n  say('apple\\n')\n  time.sleep(0)"
    long = make_contest(small.game.replace(cap=10**6), sample=1)
    (player,) = run_arena(long, [program(body)]).result.players
    assert player.games == 1 or set(player.failures) <= {"not reading", "too much output"}
    assert player.games + sum(player.failures.values()) == 1


def test_faults_hold_the_last_lines_of_stderr(small, program: Program) -> None:
    body = "for n in range(50): print('line', n, file=sys.stderr)\nsys.exit(4)"
    arena = run_arena(small, [program(body)])
    secret, fault = arena.faults(0)["crash"]
    assert (secret, fault.detail) == ("apple", "exit code 4")
    assert fault.stderr == [f"line {n}" for n in range(30, 50)]


def test_a_flood_on_stderr_does_not_block(small, program: Program, listed: str) -> None:
    body = "os.write(2, b'x' * 1_000_000)\n" + Path(listed.split()[-1]).read_text()
    (player,) = run_arena(small, [program(body)], jobs=2).result.players
    assert player.games == 8


def test_children_of_a_player_are_killed_with_it(small, program: Program, tmp_path: Path) -> None:
    """A grandchild that holds the pipes open is in the player's process group."""
    pids = tmp_path / "pids"
    body = "if os.fork() == 0:\n"
    body += f"  os.write(os.open({str(pids)!r}, os.O_CREAT | os.O_APPEND | os.O_WRONLY), "
    body += "b'%d\\n' % os.getpid())\n  say('zzzzz\\n')\n  forever()\nforever()\n"
    arena = run_arena(small, [program(body)], limits=Limits(guess=60))
    assert arena.result.players[0].failures == {"unknown word": 8}
    started = [int(line) for line in pids.read_text().split()]
    assert len(started) == 8
    assert all(ends(pid) for pid in started)


def ends(pid: int) -> bool:
    """Wait until the process has ended; return whether it has."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    poll = select.poll()
    poll.register(watched, select.POLLIN)
    gone = bool(poll.poll(60_000))
    os.close(watched)
    return gone


def test_a_player_that_ignores_stop_is_killed(small, program: Program, monkeypatch) -> None:
    monkeypatch.setattr(match, "STOP_GRACE", 0.01)
    body = "signal = __import__('signal'); signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    body += "while True:\n  if listen() == 'Stop': forever()\n  say('apple\\n')\n"
    contest = make_contest(Game(WORDS[:1], name="one"))
    (player,) = run_arena(contest, [program(body)]).result.players
    assert (player.games, player.failures) == (1, {})


def test_a_program_that_cannot_be_started(small, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x7fELF not really")
    broken.chmod(0o755)
    (player,) = run_arena(small, [str(broken)]).result.players
    assert player.failures == {"cannot start": 8}


def test_a_player_that_fails_now_and_then(small, program: Program, tmp_path: Path) -> None:
    """Games and failures add up however the faults fall."""
    mark = tmp_path / "mark"
    body = f"mark = {str(mark)!r}\nfirst = not os.path.exists(mark)\nopen(mark, 'w').close()\n"
    body += "if not first: os.remove(mark)\n"
    body += "while listen() != 'Stop':\n  for word in WORDS:\n"
    body += "    if word == 'maple' and first: sys.exit(1)\n"
    body += "    say(word + '\\n')\n    if set(listen()) == {'G'}: break\n"
    (player,) = run_arena(small, [program(body)], jobs=1).result.players
    assert player.games + sum(player.failures.values()) == 8
    assert player.games > 0 and player.failures["crash"] > 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signals_end_everything(program: Program, tmp_path: Path, number: int) -> None:
    """Exit code 130 and one line; no process is left, not even after kill -9."""
    words = tmp_path / "words.txt"
    words.write_text("\n".join(WORDS) + "\n")
    fifo = tmp_path / "ready"
    os.mkfifo(fifo)
    body = "listen()\nif os.fork() == 0: forever()\n"  # it never notices that its input is closed
    body += f"ready = os.open({str(fifo)!r}, os.O_WRONLY)\n"
    body += "os.write(ready, b'%d\\n' % os.getpid())\nos.close(ready)\nforever()\n"
    arguments = ["arena", "--player", program(body), "--jobs", "2", "--timeout", "600"]
    arguments += ["--game-timeout", "600", "--answers", str(words), "--guesses", str(words)]
    with subprocess.Popen(
        [sys.executable, "-m", "salet", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        groups = [pid for leader in read_pids(fifo, 2) for pid in members(leader)]
        assert len(groups) == 4
        process.send_signal(number)
        out, err = process.communicate(timeout=120)
    if number == signal.SIGKILL:
        assert (process.returncode, out, err) == (-number, "", "")
    else:
        assert (process.returncode, out, err.strip()) == (130, "", "salet: stopped")
    assert all(ends(pid) for pid in groups)


def members(group: int) -> list[int]:
    """Return the processes of a group."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(path.read_text().rpartition(")")[2].split()[2]) == group:
                found.append(int(path.parent.name))
    return found


def test_without_a_descriptor_left(small, program: Program, monkeypatch) -> None:
    """How a program ended is then known only if it has ended before."""

    def none_left(pid: int) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(os, "pidfd_open", none_left, raising=False)
    (player,) = run_arena(small, [program(FAULTY["crash"])], jobs=4).result.players
    assert sum(player.failures.values()) == 8
    assert set(player.failures) <= {"crash", "early close"}


def test_secrets_need_not_be_answers(program: Program, tmp_path: Path) -> None:
    game = Game(WORDS[:4], WORDS, name="small", cap=6)
    path = tmp_path / "secrets.txt"
    path.write_text("panel\nAPPLE\n")
    contest = make_contest(game, path)
    body = "while listen() != 'Stop':\n  for word in ('maple', 'panel', 'apple'):\n"
    body += "    say(word + '\\n')\n    marks = listen()\n    print(word, marks, file=sys.stderr)\n"
    body += "    if set(marks) == {'G'}: break\n"
    arena = run_arena(contest, [program(body)])
    assert [outcome.guesses for outcome in arena.outcomes[0]] == [
        ["maple", "panel"],
        ["maple", "panel", "apple"],
    ]


def test_docs_explain_every_fault(top: Path) -> None:
    page = (top / "docs" / "arena.md").read_text()
    rows = page.partition("| reason | what happened |")[2].partition("\n\n")[0].splitlines()[2:]
    assert tuple(row.split(" | ")[0].removeprefix("| ") for row in rows) == get_args(FaultReason)
