# make corpus: the sample crawl to two corpora, with tables and reports.  make test: the tests.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SAMPLE := config/sample/crawl
SOURCES := pyproject.toml CMakeLists.txt $(shell find corpusprep native workflow/snakemake_logger_plugin_corpusprep config/languages -type f \
	-not -name '*.pyc' 2>/dev/null)

.PHONY: corpus sample test test-all lint bench clean
.DELETE_ON_ERROR:

corpus: $(VENV)/.installed sample
	$(BIN)/snakemake --cores all
	@$(BIN)/corpusprep show results/sample-english results/sample-czech

sample: $(VENV)/.installed
	@$(BIN)/python config/sample/pack.py --output $(SAMPLE)

test: $(VENV)/.installed-test
	$(BIN)/pytest -n auto -m "not slow"

test-all: $(VENV)/.installed-test
	$(BIN)/pytest -n auto

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.installed-bench
	$(BIN)/python tests/benchmarks

clean:
	rm -rf $(VENV) build $(SAMPLE)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "corpusprep needs Python 3.11 or later; name one: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { echo "no venv module: on Debian, apt-get install python3-venv python3-dev" >&2; exit 1; }

$(VENV)/.installed: $(VENV)/bin/python $(SOURCES)
	$(BIN)/pip install --quiet --disable-pip-version-check .
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check '.[test]'
	@touch $@

$(VENV)/.installed-bench: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check '.[bench]'
	@touch $@
