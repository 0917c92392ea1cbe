"""Every file of the built site, made in memory from the modules, the engine and the word lists."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from salet.errors import InputError
from salet.site.bundle import bundle
from salet.site.wasm.data import data_files
from salet.version import version

STATIC = Path(__file__).parent / "static"
ABOUT = Path(__file__).parent / "about.json"
"""stored results that the page shows; `benchmarks/publish.py` writes it"""

STYLES = ("css/base.css", "css/parts.css", "css/tabs.css", "css/boards.css")
KERNELS = "engine/kernels.wasm"
COPIED = ("fonts/*.woff2", "icons/*", KERNELS)
"""files that go into the site as they are"""

MARK = ".salet-site"
"""lies in an exported folder and lists its files, so that the next export replaces only those"""


def site_files(*, inline: bool = False, address: str | None = None) -> dict[str, bytes]:
    """The files of the site by path; index.html refers to all others by relative paths.

    With `inline` every data file is there a second time as a script, because a page that was opened
    from a folder may load scripts only. `address` is where others find the site: invitations name
    it instead of the place that the page was opened from.
    """
    files = {
        path.relative_to(STATIC).as_posix(): path.read_bytes()
        for pattern in COPIED
        for path in sorted(STATIC.glob(pattern))
    }
    files |= data_files()
    lazy = [path for path in files if path.startswith("data/") or path == KERNELS]
    if inline:
        files |= {f"inline/{path}.js": _inlined(path, files[path]) for path in lazy}
    files["app.js"] = bundle("main.js", _read_module).encode()
    files["engine.js"] = _engine_script().encode()
    files["boot.js"] = (STATIC / "boot.js").read_bytes()
    files["style.css"] = _style().encode()
    files["app.webmanifest"] = (STATIC / "app.webmanifest").read_bytes()
    files["index.html"] = _page(files, address).encode()
    files["sw.js"] = _service_worker(files).encode()
    return files


def _read_module(path: str) -> str:
    """The text of a module; `about_data.js` is made here."""
    if path == "about_data.js":
        stored = json.dumps(json.loads(ABOUT.read_text("utf-8")), separators=(",", ":"))
        return f"export const ABOUT = {stored};\nexport const VERSION = {json.dumps(version())};\n"
    return (STATIC / path).read_text("utf-8")


def _engine_script() -> str:
    """The script that gives api.js its worker, as text: a folder's page cannot start one from a
    file. Data is fetched, or comes as scripts where there is nothing to fetch from."""
    worker = json.dumps(bundle("engine/worker.js", _read_module)).replace("</", "<\\/")
    return (
        f"globalThis.saletSite = {{ worker: {worker} }};\n"
        'if (location.protocol === "file:") {\n'
        "  saletSite.files = {};\n"
        "  saletSite.script = (path) => `inline/${path}.js`;\n"
        "}\n"
    )


def _inlined(path: str, content: bytes) -> bytes:
    packed = base64.b64encode(gzip.compress(content, mtime=0)).decode()
    return f'saletSite.files[{json.dumps(path + ".gz")}] = "{packed}";\n'.encode()


def _style() -> str:
    """All style sheets in one, with paths as seen from the top, without comments."""
    text = "\n".join((STATIC / path).read_text("utf-8") for path in STYLES)
    return re.sub(r"/\*.*?\*/\s*", "", text, flags=re.DOTALL).replace("../fonts/", "fonts/")


def _page(files: Mapping[str, bytes], address: str | None) -> str:
    """index.html; scripts and styles are named with a digest, so that no cache mixes versions."""

    def stamped(found: re.Match[str]) -> str:
        return f'{found[1]}="{found[2]}?{digest(files[found[2]])}"'

    text = (STATIC / "index.html").read_text("utf-8")
    if address is not None:
        named = f'<meta name="salet-address" content="{html.escape(_checked(address))}">'
        text = text.replace("<title>", f"{named}\n    <title>", 1)
    return re.sub(r'(src|href)="((?:app|engine|boot)\.js|style\.css)"', stamped, text)


def _checked(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"address {address!r}: give one as in 'https://example.org/salet/'")
    return address


def _service_worker(files: Mapping[str, bytes]) -> str:
    """sw.js with the list of what it keeps; any change of a file gives it another version."""
    kept = sorted(path for path in files if not path.startswith("inline/"))
    stamped = re.findall(
        r'"((?:app|engine|boot)\.js\?\w+|style\.css\?\w+)"', files["index.html"].decode()
    )
    names = {path.partition("?")[0]: path for path in stamped}
    urls = ["./", *(names.get(path, path) for path in kept if path != "index.html")]
    whole = digest(*(path.encode() + files[path] for path in kept))
    text = (STATIC / "sw.js").read_text("utf-8")
    return text.replace('"VERSION"', json.dumps(whole)).replace('["FILES"]', json.dumps(urls))


def digest(*contents: bytes) -> str:
    """A short digest that changes with the contents."""
    found = hashlib.blake2b(digest_size=6)
    for content in contents:
        found.update(content)
    return found.hexdigest()


def export(folder: Path, address: str | None = None) -> list[str]:
    """Write the site to a folder for any web host, or to be opened from it; returns the paths.

    A folder with other content is refused; an earlier export is replaced.
    """
    files = site_files(inline=True, address=address)
    mark = folder / MARK
    try:
        if folder.exists() and not mark.exists() and any(folder.iterdir()):
            raise InputError(
                f"{str(folder)!r} is not empty and holds no earlier export; give a new folder"
            )
        old = mark.read_text("utf-8").splitlines() if mark.exists() else []
        for path in files:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
        mark.write_text("\n".join([*dict.fromkeys([*old, *files])]) + "\n", "utf-8")
        # the page itself last: until then a visitor gets the old one, whole
        for path in sorted(files, key=lambda path: path in ("index.html", "sw.js")):
            _replace(folder / path, files[path])
        for path in set(old) - set(files):
            if (folder / path).resolve().is_relative_to(folder.resolve()):
                (folder / path).unlink(missing_ok=True)
        mark.write_text("\n".join(files) + "\n", "utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot write the site to {str(folder)!r}: {reason}") from None
    return list(files)


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as new:
        new.write(content)
    written = Path(new.name)
    written.chmod(0o644)
    written.replace(path)
