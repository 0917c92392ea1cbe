"""Exact search: the minimum total of a state, proven.

Read in this order:

layout               a game as the kernels see it
stack                the memory of one searching thread
bounds               every bound the search relies on, with its proof
scan                 the number of parts into which every guess splits a set of answers
legality             which guesses stay legal after a hint
transposition_table  proven bounds of states, shared by threads
split                a state split by a guess
expand               the guesses of a state, in the order to try them
similar_sets         lower bounds from similar sets that were scanned before
opener_bound         a quick lower bound on a guess, from scans of its parts
loss_cores           small sets that bound the number of answers that an opener loses
engine               the search loop
ties                 all guesses that are equally good
solver               the search of one thread, as a Python object
"""
