"""Exact search: the least total of a state, proven.

Read in this order:

layout               a game as the kernels see it
stack                the memory of one searching thread
bounds               every bound the search relies on, with its proof
scan                 the number of parts that each of all guesses makes of a set of answers
legality             which guesses stay legal after a hint
transposition_table  proven bounds of states, shared by threads
split                a state split by a guess
expand               the guesses of a state, in the order to try them
similar_sets         lower bounds from sets scanned before
opener_bound         a quick lower bound of a guess from scans of its parts
loss_cores           small sets that show how many answers an opener loses
engine               the search itself
ties                 all guesses that are equally good
solver               one searching thread, as a Python object
"""
