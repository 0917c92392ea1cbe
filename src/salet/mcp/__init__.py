"""A Model Context Protocol server: games and the coach as tools for chat clients.

`requests` defines the arguments of each tool, `tools` implements them, `server` is the protocol.
"""
