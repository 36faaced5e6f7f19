# make demo: build covey into .venv and show it. make test: the same plus every test, on WORKERS processes.
PYTHON ?= python3
WORKERS ?= 3
VENV := .venv
BIN := $(VENV)/bin
CPP := $(shell find src/covey/_kernels -name '*.?pp')
SOURCES := $(shell find src CMakeLists.txt pyproject.toml README.md LICENSE -type f -not -name '*.pyc')

.PHONY: demo test dist fuzz contract exhaustive mutants bench programs screenshots format clean

demo: $(VENV)/installed
	@$(BIN)/covey demo --folder build/demo --force

test: demo $(VENV)/tools programs
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	@$(MAKE) --no-print-directory -j 2 types pytest

# Side by side: mypy has one process, and the tests wait for others now and then.
.PHONY: types pytest
types:
	$(BIN)/mypy src tests benchmarks
pytest:
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

# The site, into build/docs; examples and pictures are run, a warning is an error, and nothing is fetched.
.PHONY: docs
docs: $(VENV)/installed $(VENV)/tools
	$(BIN)/sphinx-build -W --keep-going -q -j $(WORKERS) docs build/docs
	@echo "the site: build/docs/index.html"

# Random tables, roles and recipes through the whole path: no release below k, no row lost, no traceback.
N ?= 10000
fuzz: $(VENV)/installed $(VENV)/tools
	$(BIN)/python -m tests.fuzz.run $(N)

# 77 recipes through memory, file and Spark, as recorded in tests/contract/recorded. RECORD=1: recorded anew, and what changed.
contract: $(VENV)/installed $(VENV)/tools programs
	PATH="$(CURDIR)/$(BIN):$$PATH" $(if $(RECORD),$(BIN)/python -m tests.contract.record,COVEY_CONTRACT=all $(BIN)/python -m pytest -q tests/contract tests/spark/test_contract.py)

# Every connected graph of 6 and 7 vertices, every question, every exact method; bounds that take minutes. Hours.
exhaustive: $(VENV)/installed $(VENV)/tools
	COVEY_EXHAUSTIVE=1 $(BIN)/python -m pytest -q -n $(WORKERS) tests/network tests/space -k "test_every_small_graph or tables_of_the_literature"

# What the tests need beyond PyPI; only root can install it, others see the tests skip.
programs:
	@if [ "$$(id -u)" = 0 ] && [ -z "$$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null)" ] && ! command -v initdb >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y postgresql >/dev/null; fi
	@if [ "$$(id -u)" = 0 ] && ! command -v java >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y default-jre-headless >/dev/null; fi
	@if [ "$$(id -u)" = 0 ] && ! command -v chromium >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium >/dev/null; fi

# What would be published: the sdist, the wheel built from it, both looked into, the wheel used in a fresh environment.
dist: $(VENV)/tools
	rm -rf dist && $(BIN)/python -m build --outdir dist .
	$(BIN)/twine check --strict dist/*
	$(BIN)/python tests/dist.py dist

# Small wrong changes of the sources; each must turn a test red. SINCE=revision: only those of files changed since. A run goes on where
# the log of the one before it ends.
mutants: $(VENV)/installed $(VENV)/tools
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.mutants.run --since "$(SINCE)" --workers $(WORKERS) --log build/mutants.log

# Speed, memory and loss against the peers, in one run; renders benchmarks/RESULTS.md. BEFORE: the Python of an environment with another commit
# of Covey, for large tables.
bench: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --group bench
	test -d .venv-peers || $(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet microagg1d kmeans1d
	$(BIN)/python -m benchmarks.line.run --peer .venv-peers/bin/python
	$(BIN)/python -m benchmarks.stream.run
	$(BIN)/python -m benchmarks.diversity.run
	$(BIN)/python -m benchmarks.space.run
	$(BIN)/python -m benchmarks.bounds.run
	$(BIN)/python -m benchmarks.duplicates.run
	$(BIN)/python -m benchmarks.leave_out.run
	$(BIN)/python -m benchmarks.large.run $(if $(BEFORE),--peer $(BEFORE))
	test -d .venv-pycanon || $(PYTHON) -m venv .venv-pycanon
	.venv-pycanon/bin/python -m pip install --quiet pycanon
	$(BIN)/python -m benchmarks.release.run --peer .venv-pycanon/bin/python
	test -d .venv-clusters || $(PYTHON) -m venv .venv-clusters
	.venv-clusters/bin/python -m pip install --quiet anonypyx k-means-constrained scikit-learn
	$(BIN)/python -m benchmarks.peers.run
	$(BIN)/python -m benchmarks.report.run
	$(BIN)/python -m benchmarks.scale.run
	$(BIN)/python -m benchmarks.requirements.run
	$(BIN)/python -m benchmarks.units.run
	$(BIN)/python -m benchmarks.hierarchies.run
	$(BIN)/python -m pip install --quiet ".[network]"
	$(BIN)/python -m benchmarks.network.run
	$(BIN)/python -m benchmarks.network_large.run
	$(BIN)/python -m benchmarks.network_reach.run
	$(BIN)/python -m pip install --quiet ".[spark]" && $(BIN)/python -m benchmarks.spark.run && $(BIN)/python -m benchmarks.spark.run --work
	$(BIN)/python -m pip install --quiet ".[web]" playwright
	$(BIN)/python -m benchmarks.web.run
	$(BIN)/python -m benchmarks.web.run --million
	$(BIN)/python -m benchmarks.render

# The screenshots of docs/web.md, and the picture of the README.
screenshots: $(VENV)/installed $(VENV)/tools programs
	$(BIN)/python -m tests.web.screenshots
	cd docs/pictures && MPLBACKEND=Agg $(CURDIR)/$(BIN)/python -c "import front; front.groups(); front.plt.savefig('../images/groups.png', dpi=110)"

format: $(VENV)/tools
	$(BIN)/ruff check --fix . && $(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

$(VENV)/installed: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet ".[pandas,report]"
	@touch $@

$(VENV)/tools: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

clean:
	rm -rf $(VENV) .venv-peers .venv-pycanon .venv-clusters build dist
