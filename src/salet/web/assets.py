"""The files of the page, read once: a request names a key of a dict, never a file."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

FOLDER = Path(__file__).parent / "static"

TYPES: Mapping[str, str] = MappingProxyType(
    {
        ".html": "text/html; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
        ".woff2": "font/woff2",
        ".webmanifest": "application/manifest+json",
    }
)
"""what is served, by suffix; nothing else of the folder is"""


@dataclass(frozen=True)
class Asset:
    """One file as it is sent."""

    content: bytes
    type: str
    tag: str
    """changes with the content: a browser that has this version need not load it again"""


@functools.cache
def assets() -> Mapping[str, Asset]:
    """Every file of the page by its path below /."""
    found = {
        path.relative_to(FOLDER).as_posix(): _asset(path)
        for path in sorted(FOLDER.rglob("*"))
        if path.suffix in TYPES
    }
    found[""] = found["index.html"]
    return MappingProxyType(found)


def _asset(path: Path) -> Asset:
    content = path.read_bytes()
    tag = hashlib.blake2b(content, digest_size=12).hexdigest()
    return Asset(content, TYPES[path.suffix], f'"{tag}"')
