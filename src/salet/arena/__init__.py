"""The arena: players and games as separate programs that talk over pipes, and one benchmark.

What flows, and who owns it:

    Contest (game, secrets)                       contest.py    what is to be played; judges guesses
       │ a secret at a time
    Match ── Instance ── Child (pipes, group)     match.py, child.py    one player, N processes
       │ bytes in and out, as a Protocol says     protocols.py
    Outcome (guesses, or a fault)                 records.py    one for each secret, always
       │ appended as it comes
    Journal ──▶ transcript                        records.py    what survives a kill
       │ counted
    Standing                                      records.py    the figures of one player

A match is one loop in one thread: it owns the processes, their buffers and their deadlines, never
blocks on a pipe, and hands every finished game to its caller. A fault of a player is a result, not
an exception: each start of a process uses up at least one secret, so a match ends, and games and
failures add up to the secrets whatever the player does.

`run.py` runs several players and gathers the figures; `serving.py` is the other end of the pipes
(our strategies as a player, our referee as a game); `connector.py` joins two foreign programs;
`regret.py` prices decisions by exact search; `bench/` ranks everything. Nothing here prints.
"""
