"""The coach: what to guess next and why, and what a game's guesses were worth.

What flows, and who owns it:

    Coach (game, likelihood, plan, solvers)       coach.py      one for each game and mode; keeps
       │ rows as typed: [("crane", "bybbg"), …]                 what is dear to make
    Position (state, and how it was read)         position.py   an answer outside the list is no
       │                                                        dead end; a mistyped row is named
    suggest ──▶ Advice, Advice, … ever tighter    suggest.py    stops when proven, out of time or
       │        └─ Suggestion, Trap               question.py   told to; the facts are plain structs
    explanation                                   explain.py    every clause is a computed fact

    Grid ◀── parse / format                       grids.py      share grids in every palette
       │ (colours without words)
    behind(coach, grid) ──▶ Reading               behind.py     the likeliest guesses and answers
       │ words, or words and a grid
    Played ── analyse ──▶ Analysis                analyse.py    what was lost, what was luck
              what_if ──▶ Alternative             played.py     "what if I had played X"

`worth.py` stands below all of these: the worth of a state is the pair (answers lost, guesses),
least lost first, exact or between bounds; `Worths` finds it with a searching thread of its own, a
clock and a way to be stopped. `outlook.py` bounds every guess before any search, `worst_case.py`
asks for the worst case first, `traps.py` finds traps, `advice.py` holds the facts that are handed
out, `likely.py` orders words by how likely they are, and `openers.py` knows first guesses whose
worth has been found before.

A Coach may be asked from several threads: what it owns is made once, behind a lock, and every
`suggest` and `analyse` searches with memory of its own. Nothing here prints.
"""
