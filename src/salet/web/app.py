"""The application: the page's files, and the API under /api."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.requests import ClientDisconnect

from salet.errors import SaletError
from salet.version import version
from salet.web.api import problem, router
from salet.web.assets import assets
from salet.web.catalogue import NoSuchGameError
from salet.web.guard import Guard
from salet.web.pool import BusyError
from salet.web.services import Services
from salet.web.settings import Settings

ABOUT = """Perfect play for games of guess and feedback. Every request says the whole state; the
server keeps nothing but caches. Where something is wrong, `detail` is one sentence that says what
would be right."""


def create_app(settings: Settings | None = None) -> FastAPI:
    """The page and its API, with these limits."""
    chosen = settings or Settings()
    services = Services(chosen)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        threading.Thread(target=services.prepare, name="prepare", daemon=True).start()
        yield
        services.pool.close()

    app = FastAPI(
        title="salet",
        version=version(),
        description=ABOUT,
        openapi_url="/api/openapi.json",
        docs_url=None,  # both pages load their scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.services = services
    app.add_middleware(Guard, settings=chosen)
    app.include_router(router, prefix="/api")
    app.add_api_route("/{path:path}", _file, methods=["GET", "HEAD"], include_in_schema=False)
    handlers: dict[Any, Any] = {
        SaletError: _wrong_input,
        RequestValidationError: _wrong_shape,
        BusyError: _busy,
        ClientDisconnect: _left,
    }
    for error, handler in handlers.items():
        app.add_exception_handler(error, handler)
    return app


async def _file(path: str, request: Request) -> Response:
    asset = assets().get(path)
    if asset is None:
        return _problem(404, f"there is no page {path[:80]!r}")
    headers = {"etag": asset.tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == asset.tag:
        return Response(status_code=304, headers=headers)
    return Response(asset.content, media_type=asset.type, headers=headers)


def _problem(status: int, detail: str, **headers: str) -> JSONResponse:
    return JSONResponse({"detail": detail, "row": None}, status, headers)


async def _wrong_input(_: Request, error: SaletError) -> JSONResponse:
    status = 404 if isinstance(error, NoSuchGameError) else 422
    return JSONResponse(problem(error), status)


async def _wrong_shape(_: Request, error: RequestValidationError) -> JSONResponse:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part != "body")
    return _problem(422, f"{place or 'the request'}: {first['msg'][:200]}")


async def _left(_: Request, __: ClientDisconnect) -> Response:
    return Response(status_code=499)  # nobody reads it


async def _busy(_: Request, error: BusyError) -> JSONResponse:
    return _problem(error.status, error.detail, **{"retry-after": "2"})
