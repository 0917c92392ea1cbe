"""MCDP: Monte-Carlo search that turns into dynamic programming as states shrink.

config    what can be switched, and why one would
problem   what the search asks of a problem
guessing  guess games as such problems, on the compiled kernels; totals are whole numbers
splitting guesses that split answers alike, and what groups cost at least
process   any decision process that ends and can be enumerated
dp        dynamic programming in plain Python, for any problem
nodes     states, their bounds, the tables all threads share, and what may be forgotten
search    episodes: choose, draw, evaluate, back up
game      the method `mcdp` of `salet search`
"""
