"""The protocol: tools over standard input and output."""

from __future__ import annotations

import json
import threading
from functools import partial
from typing import Any

from salet.errors import MissingExtraError, SaletError
from salet.mcp.requests import schema_of
from salet.mcp.tools import TOOLS, Tools, call_tool
from salet.version import version

try:
    import anyio
    import anyio.to_thread
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server
    from mcp.types import (
        CallToolRequestParams,
        CallToolResult,
        ListToolsResult,
        TextContent,
        Tool,
        ToolAnnotations,
    )
except ModuleNotFoundError:
    raise MissingExtraError("the tool server", "mcp") from None

INSTRUCTIONS = (
    "Word games of guess and feedback (Wordle and its like), with exact play. To play: start_game, "
    "then guess until it is over. To help with a game: suggest, rate_guess or solve with the rows "
    "so far. Afterwards: analyse_game."
)
MAX_CALLS = 2
"""Maximum number of concurrent calls; others wait."""


def make_server(tools: Tools | None = None) -> Server[Any]:
    """A server that offers the tools."""
    offered = Tools() if tools is None else tools
    limiter = anyio.CapacityLimiter(MAX_CALLS)

    async def list_tools(*_: Any) -> ListToolsResult:
        return ListToolsResult(tools=described_tools())

    async def call(_: Any, params: CallToolRequestParams) -> CallToolResult:
        stop = threading.Event()
        work = partial(call_tool, offered, params.name, params.arguments, stop.is_set)
        try:
            result = await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=limiter)
        except SaletError as error:
            return _text(" ".join(str(error).split()), is_error=True)
        finally:
            stop.set()  # a call that was cancelled: its search ends by itself
        return _text(json.dumps(result, ensure_ascii=False), structured=result)

    return Server(
        "salet",
        version=version(),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call,
    )


def described_tools() -> list[Tool]:
    """Every tool with its description and schema."""
    return [
        Tool(
            name=name,
            description=entry.request.__doc__,
            input_schema=schema_of(entry.request),
            annotations=ToolAnnotations(
                read_only_hint=entry.is_read_only, destructive_hint=False, open_world_hint=False
            ),
        )
        for name, entry in TOOLS.items()
    ]


def _text(text: str, *, structured: Any = None, is_error: bool = False) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=structured,
        is_error=is_error,
    )


async def _serve() -> None:
    server = make_server()
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


def serve() -> None:
    """Serve standard input and output until the client goes away."""
    anyio.run(_serve)
