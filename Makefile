# Every target does its own set-up in .venv; a fresh machine needs Python 3.11+, pip and make.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# A worker that dies ends the run: to go on without it can wait for ever.
PARALLEL := -n 2 --dist loadgroup --max-worker-restart 0

.PHONY: demo web test quick bench wheel clean

demo: .venv/core
	@$(BIN)/salet demo

web: .venv/web
	@$(BIN)/salet web

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

bench: .venv/dev
	$(BIN)/python benchmarks/core.py
	$(BIN)/python benchmarks/arena.py
	$(BIN)/python benchmarks/random_games.py
	$(BIN)/python benchmarks/coach.py
	$(BIN)/python benchmarks/exact.py $(if $(PEER),--peer $(word 2,$(subst =, ,$(PEER))))
	$(BIN)/salet bench --suite full --game original --out benchmarks/results/bench $(if $(PEER),--peer $(PEER))
	$(BIN)/python benchmarks/publish.py

wheel: .venv/core
	$(PIP) wheel --no-deps --wheel-dir dist .

clean:
	rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

.venv/core: pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) install --editable .
	@touch $@

.venv/web: .venv/core
	$(PIP) install --editable '.[web]'
	@touch $@

.venv/dev: .venv/core
	$(PIP) install --editable '.[dev]'
	@touch $@
