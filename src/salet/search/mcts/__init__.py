"""Tree search by a tower of predictors.

- `predictors`: how estimates change from visit to visit, and the bias that follows from it
- `pickers`: which action is tried next
- `tree`: what is known of a state and its actions
- `faithful`: the published search as it was
- `search`: the search of `salet search`, which ends with a proof
- `game`: both on games of guess and feedback
"""
