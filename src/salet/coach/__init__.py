"""The coach: what to guess next and why, and what each guess of a game cost.

    Coach (game, likelihood, plan, evaluator)     coach.py      one for each game and mode
       │ rows as typed: "crane:bybbg …"
    Position (a state and how it was read)        position.py   accepts answers outside the list,
       │                                                        names a mistyped row
    Adviser ──▶ Advice, Advice, … ever tighter    adviser.py    until proven, out of time or
       │        └─ Suggestion, Trap               advice.py     cancelled
    explanation                                   explain.py    every clause is a computed fact

    Appraiser (a position and one guess in it)    appraisal.py  the adviser, asked about one guess
       ├─▶ Rating, Rating, …                      rating.py     how good is my guess?
       └─▶ Analysis, Analysis, …                  analyser.py   a game, turn by turn: skill and luck
               └─ PlayedTurn                      perfect_play.py   perfect play of the same answer
    Hint                                          hints.py      help in four steps
    verdicts in plain words                       verdicts.py   best, fine, costly; how lucky

    Grid ◀── parse / format                       grids.py      share grids in every palette
       │ colours without words
    infer_words ──▶ GridReading                   grid_inference.py   the likeliest words
       │ words, or words and a grid
    GameRecord                                    game_record.py      a game, state by state

    SavedGame ◀── share texts                      share_texts.py      old results in bulk
       │                                          game_history.py     one file of JSON lines
    HistorySummary                                history_summary.py  streaks, trends, openers

All of them use `valuation.py`: costs of states and guesses, exact or between bounds, within a time
limit. `guess_bounds.py` bounds every guess before any search, `traps.py` finds traps,
`likelihood.py` orders words and `likelihood_change.py` says what weighting them changes; openers
come from the table in `search/opener_table.py`, second guesses from `search/reply_book.py`.

A Coach is thread-safe. Nothing here prints.
"""
