"""The built site: whole, relative, the same again, and written to a folder safely."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path

import pytest

from salet.cli import main
from salet.errors import InputError
from salet.site import files as site
from salet.site.files import MARK, export, site_files


def test_everything_that_is_named_is_there(files) -> None:
    page = files["index.html"].decode()
    named = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(named) >= 6
    for path in named:
        assert not re.match(r"/|\w+:", path), f"{path} is not relative"
        assert path.partition("?")[0] in files
    manifest = json.loads(files["app.webmanifest"])
    for icon in manifest["icons"]:
        assert icon["src"] in files
    assert (manifest["start_url"], manifest["scope"]) == ("./", "./")
    for path in re.findall(r'url\("?([^")]+)', files["style.css"].decode()):
        assert path in files
    assert "Content-Security-Policy" in page
    assert "unsafe-inline" not in page and "'unsafe-eval'" not in page


def test_pictures_have_the_sizes_that_are_told(files) -> None:
    for path, size in [
        ("icons/icon-192.png", 192),
        ("icons/icon-512.png", 512),
        ("icons/maskable-512.png", 512),
        ("icons/apple-touch-icon.png", 180),
    ]:
        head = files[path][:24]
        assert head[:8] == b"\x89PNG\r\n\x1a\n"
        assert [int.from_bytes(head[at : at + 4], "big") for at in (16, 20)] == [size, size]


def test_scripts_are_classic(files) -> None:
    for path in ("app.js", "engine.js", "boot.js", "sw.js"):
        assert not re.search(r"^(?:import|export)\b", files[path].decode(), re.MULTILINE), path


def test_what_is_inlined_is_what_would_be_fetched(files) -> None:
    inlined = [path for path in files if path.startswith("inline/")]
    assert {path.removeprefix("inline/").removesuffix(".js") for path in inlined} == {
        path for path in files if path.startswith("data/") or path == "engine/kernels.wasm"
    }
    for path in inlined:
        found = re.fullmatch(r'saletSite\.files\["(.+)\.gz"\] = "(.+)";\n', files[path].decode())
        assert found
        assert gzip.decompress(base64.b64decode(found[2])) == files[found[1]]


def test_the_service_worker_keeps_every_file_once(files) -> None:
    text = files["sw.js"].decode()
    found = re.search(r"const FILES = (\[.*\]);", text)
    assert found
    kept = [path.partition("?")[0] for path in json.loads(found[1])]
    assert len(kept) == len(set(kept))
    wanted = {path for path in files if not path.startswith("inline/")} - {"index.html", "sw.js"}
    assert set(kept) == wanted | {"./"}


def test_two_builds_are_equal_and_any_change_makes_another_version(files, monkeypatch) -> None:
    assert site_files(inline=True) == files
    style = site._style
    monkeypatch.setattr(site, "_style", lambda: style() + "\n")
    changed = site_files()
    assert changed["sw.js"] != files["sw.js"]
    assert changed["index.html"] != files["index.html"]  # it names another style sheet
    assert changed["app.js"] == files["app.js"]


def test_an_export_is_replaced_and_nothing_else_is(tmp_path: Path, files) -> None:
    folder = tmp_path / "public"
    assert set(export(folder)) == set(files)
    for path, content in files.items():
        assert (folder / path).read_bytes() == content
    (folder / "CNAME").write_text("example.org\n")
    stale = folder / "data/old.json"
    stale.write_text("{}")
    mark = folder / MARK
    mark.write_text(mark.read_text() + "data/old.json\n../outside.txt\n")
    outside = tmp_path / "outside.txt"
    outside.write_text("not ours")
    export(folder)
    assert not stale.exists()
    assert outside.read_text() == "not ours"
    assert (folder / "CNAME").read_text() == "example.org\n"


def test_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear …")
    with pytest.raises(InputError, match="is not empty and holds no earlier export"):
        export(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_the_command_exports_and_refuses(tmp_path: Path, capsys) -> None:
    folder = tmp_path / "public"
    address = "https://example.org/salet/"
    assert main(["web", "--export", str(folder), "--address", address, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert Path(told["page"]).is_file()
    assert f'<meta name="salet-address" content="{address}">' in Path(told["page"]).read_text()
    file = tmp_path / "file"
    file.write_text("")
    assert main(["web", "--export", str(file / "below")]) == 2
    assert "cannot write the site" in capsys.readouterr().err
    assert main(["web", "--export", str(tmp_path / "other"), "--address", "example.org"]) == 2
    assert "give one as in 'https://example.org/salet/'" in capsys.readouterr().err
