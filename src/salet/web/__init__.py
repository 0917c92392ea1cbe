"""The web page: play, live help, analysis, plans and results in the browser (extra `web`).

The page is static files; everything it knows it asks the API under /api for. The server keeps
nothing about anybody: a request says the whole state, and what is kept are caches.
"""
