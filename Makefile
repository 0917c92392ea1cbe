# Every target does its own set-up in .venv; a fresh machine needs Python 3.11+, pip and make.
PYTHON ?= python3
BIN := .venv/bin
QUIET := --disable-pip-version-check --quiet
PIP := $(BIN)/python -m pip $(QUIET)
# A worker that dies ends the run: to go on without it can wait for ever.
PARALLEL := -n 2 --dist loadfile --no-loadscope-reorder --max-worker-restart 0

.PHONY: demo web site wasm test quick adapters bench wheel clean

demo: .venv/core
	@$(BIN)/salet demo

web: .venv/core
	@$(BIN)/salet web

site: .venv/core
	@$(BIN)/salet web --export site

# The kernels for browsers, from their sources; node tests/site/replay.mjs checks what they answer.
wasm: .venv/dev
	$(BIN)/python -m salet.site.wasm.build

test: .venv/dev
	tools/system-packages
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest $(PARALLEL)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest $(PARALLEL) -m tiny

quick: .venv/dev
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest $(PARALLEL) -m "not slow"

# Each package plays through its own loop, in an environment of its own: two of them cannot be installed
# together. All four take 3.5 GB and some minutes; `make adapter-openenv` runs one.
ADAPTERS := openenv textarena trl verifiers
adapters: $(ADAPTERS:%=adapter-%)

adapter-%: .venv-adapters/%/ready
	.venv-adapters/$*/bin/pytest tests/adapters/test_$*.py

bench: .venv/dev
	$(BIN)/python benchmarks/core.py
	$(BIN)/python benchmarks/arena.py
	$(BIN)/python benchmarks/random_games.py
	$(BIN)/python benchmarks/certificates.py
	$(BIN)/python benchmarks/coach.py
	$(BIN)/python benchmarks/exact.py $(if $(PEER),--peer $(word 2,$(subst =, ,$(PEER))))
	$(BIN)/salet bench --suite full --game original --out benchmarks/results/bench $(if $(PEER),--peer $(PEER))
	$(BIN)/python benchmarks/publish.py

wheel: .venv/core
	$(PIP) wheel --no-deps --wheel-dir dist .

clean:
	rm -rf .venv .venv-adapters dist build site .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

.venv/core: pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) install --editable .
	@touch $@

.venv/dev: .venv/core
	$(PIP) install --editable '.[dev]'
	@touch $@

# kept, although only a pattern asks for it: otherwise make deletes it, and installs everything again
.PRECIOUS: .venv-adapters/%/ready
# torch comes before trl, which would bring one for graphics cards
.venv-adapters/%/ready: pyproject.toml
	$(PYTHON) -m venv .venv-adapters/$*
	$(if $(filter trl,$*),.venv-adapters/$*/bin/python -m pip $(QUIET) install 'torch==2.13.0')
	.venv-adapters/$*/bin/python -m pip $(QUIET) install pytest pytest-xdist hypothesis --editable '.[$*]'
	@touch $@
