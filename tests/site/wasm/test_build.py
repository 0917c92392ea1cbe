"""The shipped kernels are what the sources give."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from needs import needs
from salet.site.wasm.build import ENGINE, build, toolchain
from salet.site.wasm.data import data_files

GOLDEN = Path(__file__).parents[2] / "golden" / "site.jsonl.gz"
REPLAY = Path(__file__).parents[1] / "replay.mjs"
NODE = Path("/usr/bin/node")


def replay(site: Path, *span: str) -> dict[str, object]:
    """Ask the engine in a folder what Python was asked."""
    needs(NODE.exists(), "node")
    command = [str(NODE), str(REPLAY), str(GOLDEN), str(site), *span]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    summary: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return summary


@pytest.fixture
def site(tmp_path):
    """A folder with the data of the site."""
    for path, content in data_files().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    return tmp_path


@pytest.mark.slow
def test_the_shipped_files_are_what_the_sources_give(site) -> None:
    built = build()
    assert built["definitions.js"] == (ENGINE / "definitions.js").read_bytes()
    if json.loads((ENGINE / "toolchain.json").read_text("utf-8")) == toolchain():
        assert built["kernels.wasm"] == (ENGINE / "kernels.wasm").read_bytes()
        return
    # other compilers give other bytes: then the module made here must give the same answers
    (site / "engine").mkdir()
    for path in ENGINE.glob("*.js"):
        (site / "engine" / path.name).write_bytes(path.read_bytes())
    (site / "engine" / "kernels.wasm").write_bytes(built["kernels.wasm"])
    assert replay(site)["differing"] == 0


def test_the_engine_answers_as_python_does(site) -> None:
    (site / "engine").symlink_to(ENGINE)
    summary = replay(site)
    assert summary["differing"] == 0
    assert summary["cases"] > 2000


MEMORY = """
const [site] = process.argv.slice(1);
const fs = require("node:fs");
const load = async (file) => fs.readFileSync(`${site}/${file}`);
(async () => {
  const { Engine } = await import(`file://${site}/engine/engine.js`);
  const { Service } = await import(`file://${site}/engine/service.js`);
  const most = 18 * 2 ** 20; // room for one or two of these positions
  const answers = [];
  for (const engine of [new Engine(most), new Engine(2 ** 31)]) {
    const service = Object.assign(new Service(load), { engine });
    let largest = 0;
    const found = [];
    for (const mode of ["normal", "hard", "normal"]) {
      for (const feedback of ["BBGGB", "YBYBB", "BGBYB"]) {
        const rows = [{ guess: "crane", feedback }];
        const options = { rows, seconds: 1e6, count: 1 };
        const search = service.suggest({ game: "original", mode }, options);
        for (;;) {
          const { done, value } = await search.next();
          largest = Math.max(largest, engine.bytes);
          if (!done) continue;
          found.push([value.guess, value.expected, value.proven]);
          break;
        }
      }
    }
    answers.push({ found, largest, scopes: engine.scopes.length });
  }
  console.log(JSON.stringify({ most, answers }));
})();
"""


def test_memory_that_is_used_again_changes_no_answer(site) -> None:
    needs(NODE.exists(), "node")
    (site / "engine").mkdir()
    for path in ENGINE.glob("*.*"):
        (site / "engine" / path.name).write_bytes(path.read_bytes())
    (site / "engine" / "package.json").write_text('{"type": "module"}')
    command = [str(NODE), "-e", MEMORY, str(site)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    small, roomy = told["answers"]
    assert small["found"] == roomy["found"]
    assert all(proven for _, _, proven in small["found"])
    assert small["largest"] <= told["most"] < roomy["largest"]
