"""Exact play: the least total of a state, proved.

model          what kernels see of a game, and the memory of one searching thread
build          from tables to that
legality       which guesses stay legal after a hint
bounds         every bound the search relies on, with its proof
scan           how many parts each of all guesses makes of a set of answers
transpositions the table of proven bounds, shared by threads
engine         the search itself, on an explicit stack
solver         states in, facts out
neighbours     bounds learnt from similar sets
level_two      a quick lower bound of an opener
prover         the best opener over all guesses
"""
