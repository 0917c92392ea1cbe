"""Tree search by a tower of predictors.

- `predictors`: how estimates change from visit to visit, and what follows for their bias
- `pickers`: which action is tried next
- `tree`: what is known of a state and its actions
- `faithful`: the published search as it was
- `search`: ours, which ends with a proof
- `game`: both on games of guess and feedback
"""
