"""`salet mcp`: tools for chat clients."""

from __future__ import annotations

import click

from salet.cli.options import examples


@click.command(epilog=examples("salet mcp", "npx @modelcontextprotocol/inspector salet mcp"))
def command() -> None:
    """Serve games and the coach as tools, over standard input and output.

    A Model Context Protocol server: a chat client starts this command by itself. docs/mcp.md shows
    the few lines that register it. Needs the extra `mcp`.
    """
    from salet.mcp.server import serve

    serve()
