"""The files of the page: ours, or vendored with source, licence and checksum."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path

from salet.web.assets import FOLDER, assets

SOURCES = tomllib.loads((FOLDER / "SOURCES.toml").read_text())


def test_vendored_files_are_what_their_source_says(top: Path) -> None:
    listed = {source["file"] for source in SOURCES.values()}
    foreign = [*FOLDER.glob("vendor/*"), *FOLDER.glob("fonts/*")]
    assert listed == {path.relative_to(FOLDER).as_posix() for path in foreign}
    for source in SOURCES.values():
        content = (FOLDER / source["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == source["sha256"], source["file"]
        assert (top / "licenses" / source["licence_file"]).is_file()


def test_nothing_names_another_origin() -> None:
    for path, asset in assets().items():
        if asset.type.startswith(("text/", "application/")):
            text = asset.content.decode().replace("http://www.w3.org/", "")  # names of XML
            assert not re.search(r"""https?://|["'(]//[a-z]""", text), path


def test_every_import_leads_to_a_file() -> None:
    for path, asset in assets().items():
        if not path.endswith(".js"):
            continue
        for target in re.findall(r"""(?:from|import)\s*["']([^"']+)["']""", asset.content.decode()):
            assert target.startswith("."), f"{path} imports {target}"
            found = (FOLDER / path).parent.joinpath(target).resolve()
            assert found.relative_to(FOLDER).as_posix() in assets(), f"{path} imports {target}"


def test_every_file_that_the_page_names_is_there() -> None:
    html = assets()[""].content.decode()
    for target in re.findall(r'(?:href|src)="/([^"]+)"', html):
        assert target in assets()
    styles = "".join(a.content.decode() for path, a in assets().items() if path.endswith(".css"))
    for target in re.findall(r'url\("/([^"]+)"\)', styles):
        assert target in assets()
