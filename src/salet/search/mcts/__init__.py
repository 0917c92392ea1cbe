"""Monte-Carlo tree search with debiased estimates, which ends with a proof.

- `predictors`: estimates, how they change from visit to visit, and the bias that this reveals
- `pickers`: rules that select the next action
- `tree`: the nodes
- `faithful`: the search as it was published
- `search`: the search of `salet search`
- `game`: both on games of guess and feedback
"""
