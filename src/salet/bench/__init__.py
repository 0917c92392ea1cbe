"""The benchmark of players: one list, one cap, every figure stored with its commit and machine.

suites.py     what is measured: entries, each a strategy, a plan or a program behind pipes
worker.py     measures one entry in a process of its own
program.py    runs a program to its end within a time limit
peers.py      solvers by others, timed against ours in alternation
machine.py    describes the machine
history.py    stores every run in one SQLite file, from which an interrupted run is resumed
run.py        runs a whole benchmark
report.py     renders the result as Markdown and SVG
"""
