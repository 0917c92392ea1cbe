"""The picture in README: `python benchmarks/picture.py` runs the demo and draws its last screen."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

from salet.cli.commands import demo
from salet.cli.render import console

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "images" / "demo.svg"

if __name__ == "__main__":
    screen = Console(
        record=True, width=84, file=io.StringIO(), force_terminal=True, highlight=False
    )
    console.console = lambda *_: screen
    demo._program_name = lambda: "salet"
    demo.command.main([], standalone_mode=False)
    drawing = screen.export_svg(title="salet demo")
    PICTURE.write_text(re.sub(r"@font-face \{.*?\}", "", drawing, flags=re.DOTALL))  # no downloads
