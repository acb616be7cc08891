# HEM Workbench: `make run` and `make test` install what is missing.

.DEFAULT_GOAL := help
MAKEFLAGS += --jobs=2
.PHONY: help run test test-all test-most test-jobs test-apart test-newest test-cluster journeys hostile check check-types check-core bench docs sample-data sample-data-quick sample-answers clean

# If set, every start of the app, and of the hundreds of test processes, would compile everything it imports.
unexport PYTHONDONTWRITEBYTECODE

PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin
APP_READY := $(VENV)/.app-ready
DEV_READY := $(VENV)/.dev-ready
COMPILED := $(VENV)/.compiled
REWRITTEN := $(VENV)/.rewritten
# In their own process: they register analyses invented for tests, some of which end the process that runs them.
JOBS := tests/core/jobs
# Asks for workers at a SLURM that it starts.
CLUSTER := tests/cluster
# These mostly wait for programs that they start.
APART := tests/core/test_packaging.py tests/core/report tests/hostile tests/app/test_snippets.py
# A file's tests stay in one process (tests/conftest.py), which then has the samples' results cached; `make test-all` adds the long ones.
SPREAD := -n auto --dist loadscope
SHORT := not browser and not long
# One process per core: threads inside them would only wait for each other.
ALONE := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
# What all pages share: baseline and link. All of tests/browser takes 15 minutes.
FIRST := tests/browser/test_frame_journey.py -k baseline

help:
	@echo "make run                start the app on its bundled sample data (PORT=8501)"
	@echo "make test               style, types, all tests except the longest"
	@echo "make test-all           the same with the longest"
	@echo "make test-newest        fast tests with the newest versions that pyproject.toml allows (PYTHON=python3.13)"
	@echo "make test-cluster       workers from a SLURM of its own, on Debian: submit, kill, scancel, full, drained (five minutes)"
	@echo "make journeys           every browser test (15 minutes); make test runs one"
	@echo "make hostile            10,000 damaged uploads, killed writers and flipped bits (15 minutes; SEED=1)"
	@echo "make check              style, types, fast tests of the library without jobs, pictures and pages (a minute)"
	@echo "make docs               the API reference, into docs/api"
	@echo "make bench              benchmarks against other tools"
	@echo "make sample-data        measure sample_data/ again on this machine (about an hour; resumes)"
	@echo "make sample-answers     compute anew what the pages take long to answer about the samples (10 minutes)"
	@echo "make sample-data-quick  a small sample of each kind, in a separate folder (a minute)"

$(APP_READY): requirements.txt scripts/set-up
	@scripts/set-up $(VENV) requirements.txt
	@touch $@

$(DEV_READY): requirements.txt requirements-dev.txt scripts/set-up
	@scripts/set-up $(VENV) requirements-dev.txt
	@touch $(APP_READY) $@

# Once, instead of in each of the processes that tests start.
$(COMPILED): $(DEV_READY) $(shell find hemcore -name '*.py')
	@$(BIN)/python -m hemcore.command.cli warm
	@touch $@

# pytest rewrites the assertions of each file and keeps them: once, while the other core compiles, instead of in each process.
$(REWRITTEN): $(DEV_READY) $(shell find tests -name '*.py')
	@$(ALONE) $(BIN)/python -m pytest -qq --collect-only tests > $@.log 2>&1 || { cat $@.log; exit 1; }
	@touch $@

run: $(APP_READY)
	$(BIN)/streamlit run deploy/serve.py --server.port $(PORT)  # app.py with security headers

check: $(DEV_READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@$(MAKE) --no-print-directory -j 2 --output-sync=target check-types check-core

check-types:
	$(BIN)/mypy

check-core:  # of jobs, pictures, reports and pages nothing: `make test` has them
	$(ALONE) $(BIN)/python -m pytest -q $(SPREAD) -m "not slow and not sweep and $(SHORT)" tests/core $(addprefix --ignore=,$(JOBS) $(APART))

test: $(COMPILED) $(REWRITTEN)
	@scripts/need-tools gcc valgrind chromium pg_ctlcluster mariadbd my_print_defaults
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@$(MAKE) --no-print-directory -j 3 --output-sync=line test-most test-jobs test-apart  # in parallel: two of them mostly wait

test-all:  # and Hypothesis looks for new examples
	@HYPOTHESIS_PROFILE=new $(MAKE) --no-print-directory test SHORT="not browser"

test-most:
	$(ALONE) $(BIN)/python -m pytest $(SPREAD) -m "$(SHORT)" $(addprefix --ignore=,$(JOBS) $(APART) $(CLUSTER) tests/browser)

test-jobs:
	$(BIN)/python -m pytest -m "$(SHORT)" $(JOBS)
	$(BIN)/mypy

test-apart:
	$(ALONE) $(BIN)/python -m pytest -m "$(SHORT)" $(APART)
	$(BIN)/python -m pytest -m browser --reruns 1 $(FIRST)

PYTHON ?= python3
NEWEST := .venv-newest
test-newest:  # what pip installs today; the pins have their own tests
	$(PYTHON) -m venv --clear $(NEWEST)
	$(NEWEST)/bin/pip install --quiet --upgrade pip
	$(NEWEST)/bin/pip install --quiet --upgrade --upgrade-strategy eager ".[app,database,team,train]" --group dev
	$(ALONE) $(NEWEST)/bin/python -m pytest -q -m "not slow and not browser" --ignore=$(JOBS) --ignore=$(CLUSTER) --ignore=tests/core/test_packaging.py

test-cluster: $(DEV_READY)
	@scripts/need-tools sbatch munge
	$(ALONE) $(BIN)/python -m pytest $(CLUSTER)

journeys: $(DEV_READY)  # two at a time: browsers are slow on a busy machine
	@scripts/need-tools chromium
	$(BIN)/python -m pytest -m browser --reruns 1 tests/core/report
	$(BIN)/python -m pytest -m browser --reruns 1 -n 2 --dist loadfile tests/browser

SEED ?= 1
hostile: $(DEV_READY)
	$(BIN)/python -m tests.hostile --inputs 10000 --seed $(SEED)
	$(BIN)/python -m tests.hostile.store --kills 200 --flips 1600 --seed $(SEED)

bench: $(DEV_READY)
	@for script in benchmarks/bench_*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

API := front.questions front.read_files front.answer planning merge mpx segmentation prediction signatures datasets analysis registry params headline errors
docs: $(DEV_READY)
	$(BIN)/pdoc $(addprefix hemcore.,$(API)) -o docs/api

sample-data: $(APP_READY)
	@scripts/need-tools --must gcc valgrind taskset
	$(BIN)/python -m sample_data.collect

sample-answers: $(DEV_READY)  # what the pages take long to answer about the samples; ten minutes
	$(BIN)/python scripts/bundle-answers

sample-data-quick: $(APP_READY)
	@scripts/need-tools --must gcc valgrind taskset
	$(BIN)/python -m sample_data.collect --quick

clean:
	rm -rf $(VENV) $(NEWEST) sample_data/collect/build .pytest_cache .ruff_cache .mypy_cache .hypothesis
