"""One benchmark that ranks everything: one list, one cap, every figure with commit and machine.

suites.py     what is measured: entries, each a strategy, a plan or a program behind pipes
apart.py      runs a program to its end, within a time
worker.py     measures one entry in a process of its own
machine.py    where it was measured
history.py    every run in one SQLite file; an unfinished one is gone on with
peers.py      other people's solvers, timed against ours in turns
run.py        puts it together
report.py     the result as Markdown, SVG and the pages of the docs
"""
