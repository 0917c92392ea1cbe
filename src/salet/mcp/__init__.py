"""A Model Context Protocol server: games and the coach as tools for chat clients.

`requests` says what each tool takes, `tools` does it, `server` speaks the protocol.
"""
