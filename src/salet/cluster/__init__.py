"""Proofs and solutions on several machines: a dask cluster searches (extra `cluster`).

What is handed out are small tasks, each for one thread of a worker:

* *decide* some guesses of a state: each is valued exactly, or shown to be no better than a target;
* *value* a state (a part that an opener makes) with a limit: exactly below it, else a lower bound.

The client holds the tree of what is under way (`jobs.py`). At first that is the list of openers, in
batches. When a worker has nothing to do, the task that has run longest is stopped and broken up:
a guess into its parts, a part into its guesses, and so on down, so that a game with one opener
keeps as many workers busy as one with thousands. Parts of an opener that has to be refuted are
asked for a little more at a time, as the deep search of one machine does. What comes back raises
the sum of its opener, and an opener whose sum reaches the target is dropped with all tasks below
it; a better opener lowers the target of all others and the limits of their parts.

The client also decides which worker gets what (`dispatch.py`), so that a part returns to the worker
that knows it, and gives the tasks of a worker that has gone to others. Workers keep their
transposition table for as long as the game is the same (`worker.py`).

Read `worker`, `jobs`, `dispatch`, `connection` in that order.
"""

from salet.cluster.connection import CONNECT_TIMEOUT, Cluster, connected

__all__ = ["CONNECT_TIMEOUT", "Cluster", "connected"]
