"""The coach: what to guess next and why, and what the guesses of a game were worth.

    Coach (game, likelihood, plan, evaluator)     coach.py      one for each game and mode
       │ rows as typed: "crane:bybbg …"
    Position (state, and how it was read)         position.py   an answer outside the list is no
       │                                                        dead end; a mistyped row is named
    Adviser ──▶ Advice, Advice, … ever tighter    adviser.py    ends when proven, out of time or
       │        └─ Suggestion, Trap               advice.py     cancelled
    explanation                                   explain.py    every clause is a computed fact

    Grid ◀── parse / format                       grids.py      share grids in every palette
       │ colours without words
    infer_words ──▶ GridReading                   grid_inference.py   the likeliest words
       │ words, or words and a grid
    GameRecord ──▶ Analysis, Alternative          game_record.py, analysis.py   what was lost, what
                                                                                was luck

`valuation.py` stands below: costs of states and guesses, exact or between bounds, within a clock.
`guess_bounds.py` bounds every guess before any search, `traps.py` finds traps, `likelihood.py`
orders words, and `opening_book.py` has first guesses whose cost is stored.

A Coach may be asked from several threads. Nothing here prints.
"""
