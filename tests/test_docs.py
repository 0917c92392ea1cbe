"""Every example in README, docs and docstrings is run: an example that lies fails here.

- ```python blocks run top to bottom in one namespace per page; `>>>` lines are doctests
- ```console blocks: lines after `$ ` are run by bash; the output shown must be the output, where
  a line `…` stands for any lines and `…` in a line for any text. Text after `  # ` is a comment.
"""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import salet

TOP = Path(__file__).resolve().parents[1]
PAGES = sorted([*TOP.glob("*.md"), *(TOP / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(page.read_text()) if kind == language]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(TOP).as_posix())
def test_python_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    parser = doctest.DocTestParser()
    for number, block in enumerate(blocks(page, "python")):
        if ">>>" in block:
            test = parser.get_doctest(block, names, f"{page.name}[{number}]", str(page), 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            runner.run(test, clear_globs=False)
            names.update(test.globs)
            assert runner.failures == 0, f"{page.name}: example {number} prints something else"
        else:
            exec(compile(block, f"{page.name}[{number}]", "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(TOP).as_posix())
def test_console_examples(page: Path, tmp_path: Path) -> None:
    for name, body in re.findall(
        r"^`(\S+)`:\n\n```\w+\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE
    ):
        (tmp_path / name).write_text(body)  # a file that the page shows, used by its commands
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {"PATH": path, "SALET_DATA_DIR": str(tmp_path / "data"), "COLUMNS": "80"}
    for block in blocks(page, "console"):
        for line, shown in _commands(block):
            done = subprocess.run(
                ["bash", "-c", line],
                cwd=tmp_path,
                env={**os.environ, **own},
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            printed = done.stdout + done.stderr
            assert done.returncode == 0 or "salet: " in shown, f"{line}\n{printed}"
            if shown:
                assert re.fullmatch(_pattern(shown), printed.rstrip()), f"{line}\n{printed}"


def _commands(block: str) -> list[tuple[str, str]]:
    found = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        found.append((re.sub(r"\s{2,}# .*", "", line), shown.rstrip()))
    return found


def _pattern(shown: str) -> str:
    lines = [r"(?:.*\n)*?" if line == "…" else re.escape(line) + "\n" for line in shown.split("\n")]
    return "".join(lines).replace("…", ".*").removesuffix("\n").removesuffix("(?:.*\n)*?") + (
        r"(?:.*\n?)*" if shown.endswith("…") else ""
    )


def _modules() -> list[str]:
    found = pkgutil.walk_packages(salet.__path__, "salet.")
    names = (module.name for module in found if not module.name.endswith("__main__"))
    return sorted(name for name in names if not name.startswith("salet.env.adapters."))


# Adapters need packages that only `make adapters` installs; they are tested there.


@pytest.mark.parametrize("name", ["salet", *_modules()])
def test_docstring_examples(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__, f"{name} does not say what it is for"
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(TOP).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
