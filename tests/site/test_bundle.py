"""Modules as one classic script: what node makes of it is what the modules say."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from needs import needs
from salet.errors import DataError
from salet.site.bundle import bundle

MODULES = {
    "main.js": """
import { twice, NAME as name } from "./deep/tools.js";
import * as tools from "./deep/tools.js";
import whole from "./vendor.js";
import { passed } from "./on.js";
// export const hidden = 1;
const times = 3
  * 2;
console.log([twice(4), name, tools.NAME, whole(1), passed, times].join(" "));
""",
    "deep/tools.js": """
import { base } from "../base.js";
/** A comment: import("x").
 * export { nothing };
 */
export function twice(value) { return 2 * value + base; }
export const NAME = "tools";
""",
    "base.js": "export const [no, two] = [0, 2];\nconst one = two / 2;\nexport { one as base };\n",
    "on.js": 'export { base as passed } from "./base.js";\n',
    "vendor.js": "var n=function(t){return t+10};export default function(s){return n(s)}",
}


def test_a_bundle_does_what_its_modules_do(tmp_path: Path) -> None:
    needs(shutil.which("node") is not None, "node")
    script = tmp_path / "bundle.js"
    script.write_text(bundle("main.js", MODULES.__getitem__), "utf-8")
    ran = subprocess.run(["node", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "9 tools tools 11 1 6\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('const x = import("./x.js");', "not bundled"),
        ("export default 5;", "not bundled"),
        ("console.log(import.meta.url);", "not bundled"),
        ('import "./side-effect.js";', "not bundled"),
        ('import { a } from "./main.js";', "a circle of imports"),
    ],
)
def test_other_forms_are_refused(text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        bundle("main.js", lambda _: text)
