# make corpus: the sample crawl to two corpora, with tables and reports.  make test: the tests.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SAMPLE := config/sample/crawl
SOURCES := pyproject.toml CMakeLists.txt $(shell find corpusprep native workflow/snakemake_logger_plugin_corpusprep config/languages -type f \
	-not -name '*.pyc' 2>/dev/null)

.PHONY: corpus sample test test-all lint bench scale table-3-2 sanitize fuzz clean
.DELETE_ON_ERROR:

SANITIZED_TESTS := $(wildcard tests/native/test_*.py) tests/test_segmentation.py
PRELOADED = $(foreach library,asan ubsan stdc++,$(shell $(CXX) -print-file-name=lib$(library).so))
KERNELS := $(filter-out %_tables.hpp,$(wildcard native/*/*.hpp native/*/*.cpp))
CMAKE = $(BIN)/cmake -S . -G Ninja -D CMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -D Python_EXECUTABLE=$(CURDIR)/$(BIN)/python
TIDY_JOBS := 2
FUZZ_TARGETS := $(notdir $(basename $(wildcard tests/fuzz/*.cpp)))
SECONDS := 60
LARGEST := 100
FUZZ_JOBS := 2

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
	@$(BIN)/clang-format --dry-run --Werror $(KERNELS) $(wildcard tests/fuzz/*)
	@mkdir -p build
	@$(CMAKE) -B build/tidy -D CMAKE_EXPORT_COMPILE_COMMANDS=ON >build/tidy.log || { cat build/tidy.log; exit 1; }
	@printf '%s\n' $(filter %.cpp,$(KERNELS)) | xargs -P $(TIDY_JOBS) -n 1 $(BIN)/clang-tidy -p build/tidy --quiet

# The tests of the kernels with AddressSanitizer and UBSan, in a separate build beside the installed one.
sanitize: $(VENV)/.installed-test
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --upgrade --target build/sanitize/site \
		-C build-dir=build/sanitize/cmake -C cmake.define.CORPUSPREP_SANITIZE=ON .
	PYTHONPATH=build/sanitize/site LD_PRELOAD="$(PRELOADED)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
		$(BIN)/pytest -p no:cacheprovider -m "not slow" $(SANITIZED_TESTS)

# Runs each fuzz target for SECONDS seconds, FUZZ_JOBS at a time. A finding stays in build/fuzz as crash-….
fuzz: $(VENV)/.installed-test
	@mkdir -p build
	CXX=clang++ $(CMAKE) -B build/fuzz -D CORPUSPREP_FUZZ=ON >build/fuzz.log || { cat build/fuzz.log; exit 1; }
	$(BIN)/cmake --build build/fuzz
	@cd build/fuzz && printf '%s\n' $(FUZZ_TARGETS) | xargs -P $(FUZZ_JOBS) -I @ bash -c 'mkdir -p corpus/@ \
		&& ./@ -max_total_time=$(SECONDS) -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 corpus/@ >@.log 2>&1 \
		&& echo "@: no finding in $(SECONDS) s, $$(sed -n "s/.*executed_units: *//p" @.log) inputs" || { cat @.log; exit 1; }'

bench: $(VENV)/.installed-bench
	$(BIN)/python tests/benchmarks

# What every step costs on corpora of four sizes: docs/scale.md and corpusprep/costs.tsv. Half an hour.
scale: $(VENV)/.installed-test
	$(BIN)/python tests/benchmarks/scale.py

# Table 3.2 of the thesis, of corpora of 1, 10 and 100 million tokens made from a crawl; LARGEST=1000 for the last row.
table-3-2: $(VENV)/.installed-test
	$(BIN)/python tests/scale/table_3_2.py --largest $(LARGEST)

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
