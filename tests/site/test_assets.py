"""The files of the page: ours, or vendored with source, licence and checksum."""

from __future__ import annotations

import hashlib
import json
import re
import runpy
import tomllib
from pathlib import Path

from salet.site.files import ABOUT, STATIC

SOURCES = tomllib.loads((STATIC / "SOURCES.toml").read_text())


def test_vendored_files_are_what_their_source_says(top: Path) -> None:
    listed = {source["file"] for source in SOURCES.values()}
    foreign = [*STATIC.glob("vendor/*"), *STATIC.glob("fonts/*")]
    assert listed == {path.relative_to(STATIC).as_posix() for path in foreign}
    for source in SOURCES.values():
        content = (STATIC / source["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == source["sha256"], source["file"]
        assert (top / "licenses" / source["licence_file"]).is_file()


def test_nothing_names_another_origin(files) -> None:
    for path in ("index.html", "app.js", "engine.js", "boot.js", "style.css", "sw.js"):
        text = files[path].decode().replace("http://www.w3.org/", "")  # names of XML
        assert not re.search(r"""https?://[a-z0-9]|["'(]//[a-z]""", text), path


def test_stored_results_are_those_of_the_benchmarks(top: Path) -> None:
    publish = runpy.run_path(str(top / "benchmarks" / "publish.py"), run_name="publish")
    fields = json.loads(publish["STORED"].read_text())
    watched = json.loads(publish["CONVERGENCE"].read_text())
    assert ABOUT.read_text() == publish["about"](fields, watched)
    for curve in json.loads(ABOUT.read_text())["convergence"]["curves"]:
        lowers = [point[1] for point in curve["points"]]
        uppers = [point[2] for point in curve["points"]]
        assert lowers == sorted(lowers)
        assert uppers == sorted(uppers, reverse=True)
        assert lowers[-1] == uppers[-1] == curve["total"]
