"""The coach: what to guess next and why, and what the guesses of a game were worth.

    Coach (game, likelihood, plan, evaluator)     coach.py      one for each game and mode
       │ rows as typed: "crane:bybbg …"
    Position (state, and how it was read)         position.py   an answer outside the list is no
       │                                                        dead end; a mistyped row is named
    Adviser ──▶ Advice, Advice, … ever tighter    adviser.py    ends when proven, out of time or
       │        └─ Suggestion, Trap               advice.py     cancelled
    explanation                                   explain.py    every clause is a computed fact

    Appraiser (a position and one guess in it)    appraisal.py  the adviser, asked about a guess
       ├─▶ Rating, Rating, …                      rating.py     is my idea any good?
       └─▶ Analysis, Analysis, …                  pricing.py    a game, turn by turn: skill and luck
               └─ PlayedTurn                      perfect_play.py   how perfect play would have gone
    Hint                                          hints.py      help in four steps
    verdicts in plain words                       verdicts.py   best, fine, costly; how lucky

    Grid ◀── parse / format                       grids.py      share grids in every palette
       │ colours without words
    infer_words ──▶ GridReading                   grid_inference.py   the likeliest words
       │ words, or words and a grid
    GameRecord                                    game_record.py      a game, state by state

    KeptGame ◀── share texts                      share_texts.py      old results in bulk
       │                                          game_history.py     one file of JSON lines
    HistorySummary                                history_summary.py  streaks, trends, openers

`valuation.py` stands below: costs of states and guesses, exact or between bounds, within a clock.
`guess_bounds.py` bounds every guess before any search, `traps.py` finds traps, `likelihood.py`
orders words and `likelihood_change.py` says what weighing them changes; first guesses come from
the table in `search/opener_table.py`.

A Coach may be asked from several threads. Nothing here prints.
"""
