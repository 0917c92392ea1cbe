"""Proofs and solutions on several machines: a dask cluster searches (extra `cluster`).

Workers get small tasks, each for one thread:

* *decide* some guesses of a state: value each exactly, or show that it is no better than a target;
* *value* a state (a part of an opener) with a limit: exactly below it, otherwise by a lower bound.

The client holds the tree of open work (`decide_job.py`). At first that is the list of openers, in
batches. When a worker is idle, the task that has run longest is stopped and split: a guess into its
parts, a part into its guesses, and so on, so that a game with one opener keeps as many workers busy
as one with thousands. Bounds of parts that serve to refute an opener are raised a little at a time,
as in the deep search of a single machine. Results raise the bound of their opener; one that reaches
the target is dropped with all tasks below it. A better opener lowers the target of all others and
the limits of their parts.

The client also decides which worker gets which task (`dispatch.py`): a part returns to the worker
that has searched it before, and the tasks of a lost worker go to others. Workers keep their
transposition table for as long as the game is the same (`worker.py`).

Read `worker`, `jobs`, `decide_job`, `dispatch`, `connection` in that order.
"""

from salet.cluster.connection import CONNECT_TIMEOUT, Cluster, connected

__all__ = ["CONNECT_TIMEOUT", "Cluster", "connected"]
