"""The arena: programs in any language play over pipes, and are timed, judged and counted.

How games flow, and which module owns what:

    Contest (game, secrets)               umpire.py           what is played
       │ one secret at a time
    Match ── ChildProcess × jobs          match.py            one player, an event loop
       │ bytes, as the Protocol says      protocols.py        go-stop, jsonl
    Umpire                                umpire.py           judges every guess
       │
    GameOutcome (guesses, or a fault)     outcomes.py         exactly one for each secret
       │ appended as each game ends
    Journal ──▶ transcript                journal.py          survives a kill
       │ summarised
    Standing                              outcomes.py         the figures of one player

A match is one loop in one thread. It owns the processes, their buffers and their deadlines, never
blocks on a pipe, and hands every finished game to its caller. A player's fault is a result, not an
exception: every start of a process uses up at least one secret, so a match always ends, and games
and failures add up to the number of secrets whatever the player does.

`run.py` runs several players on the same secrets; `serve.py` is the other end of the pipes (a
strategy as a player, salet as the game); `connector.py` joins a game and a player that are both
foreign programs; `regret.py` prices decisions by exact search; `statistics.py` compares two
players. `chat_match.py` and `chat_client.py` let chat models play over HTTP, in threads.
`child_process.py`, `reaper.py` and `signals.py` start programs and make sure that they end. Nothing
here prints.
"""
