"""The page as static files: play, live help, analysis and plans in any browser, engine included.

`files` builds the whole site in memory; `salet web` serves it, `salet web --export` writes it. The
built page has classic scripts and relative paths only, so it works from any host and from a folder.
"""
