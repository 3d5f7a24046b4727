# make corpus: the sample crawl to two corpora, with tables and reports.  make studies: published tables, measured again.
# make test: the tests.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SAMPLE := config/sample/crawl
# What the installation is made from. Python files are used in place (CORPUSPREP_LINKED in CMakeLists.txt).
SOURCES := pyproject.toml CMakeLists.txt $(shell find native -type f)
PIP := $(BIN)/pip --quiet --disable-pip-version-check
ifeq ($(wildcard $(VENV)/.developed),)
INSTALL := CORPUSPREP_LINKED=ON $(PIP) install
else # make develop was here
INSTALL := $(PIP) install --no-build-isolation -C editable.rebuild=true -C editable.verbose=false -e
endif

.PHONY: corpus sample studies test test-all develop lint bench peers peer-of-node peer-of-python scale table-3-2 docs sanitize plain wheel sdist lock fuzz clean
.DELETE_ON_ERROR:

SANITIZED_TESTS := $(wildcard tests/native/test_*.py) tests/pages/test_segmentation.py tests/cleaners/test_block_models.py
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

sample: $(VENV)/.installed
	@$(BIN)/python config/sample/pack.py --output $(SAMPLE)

# Every published table and figure, ours beside the published: results/studies/index.html. Half an hour where all the
# data is. A job that fails stops no other; the page then names what is missing.
studies: $(VENV)/.installed-studies sample
	@$(BIN)/snakemake --cores all --keep-going studies || { mkdir -p results/studies; \
		$(BIN)/corpusprep studies page --results results --output results/studies/index.html; exit 1; }

test: $(VENV)/.installed-test
	$(BIN)/pytest -n auto -m "not slow"

test-all: $(VENV)/.installed-test
	$(BIN)/pytest -n auto

# An editable installation for work on the kernels: importing one rebuilds what has changed in native/.
develop: $(VENV)/bin/python
	$(PIP) install cmake cython ninja setuptools wheel 'lxml>=5.2' 'scikit-build-core>=0.10'
	$(PIP) install --no-build-isolation -C editable.rebuild=true -C editable.verbose=false -e '.[workflow,report,test,lint]'
	@touch $(VENV)/.developed $(VENV)/.installed $(VENV)/.installed-test

# Checkers that do not depend on each other run at the same time; make -k shows the findings of all.
LINTERS := ruff-check ruff-format mypy imports clang-format

lint: $(VENV)/.installed-test
	@$(MAKE) --no-print-directory -k -j --output-sync=target $(addprefix lint-,$(LINTERS))
	@$(MAKE) --no-print-directory lint-clang-tidy

lint-ruff-check:
	$(BIN)/ruff check --quiet .

lint-ruff-format:
	$(BIN)/ruff format --quiet --check .

lint-mypy:
	$(BIN)/mypy --no-error-summary

lint-imports:
	$(BIN)/lint-imports --no-logo

lint-clang-format:
	$(BIN)/clang-format --dry-run --Werror $(KERNELS) $(wildcard tests/fuzz/*)

# Takes some minutes, on TIDY_JOBS cores.
lint-clang-tidy: $(VENV)/.installed-test
	@mkdir -p build
	@$(CMAKE) -B build/tidy -D CMAKE_EXPORT_COMPILE_COMMANDS=ON >build/tidy.log || { cat build/tidy.log; exit 1; }
	@printf '%s\n' $(filter %.cpp,$(KERNELS)) | xargs -P $(TIDY_JOBS) -n 1 $(BIN)/clang-tidy -p build/tidy --quiet

# The kernels' tests, with kernels that AddressSanitizer and UBSan watch: a second build beside the installed one.
sanitize: $(VENV)/.installed-test
	$(PIP) install --no-deps --upgrade --target build/sanitize/site \
		-C build-dir=build/sanitize/cmake -C cmake.define.CORPUSPREP_SANITIZE=ON .
	PYTHONSAFEPATH=1 PYTHONPATH=build/sanitize/site LD_PRELOAD="$(PRELOADED)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
		$(BIN)/pytest -n auto -p no:cacheprovider -m "not slow" $(SANITIZED_TESTS)

# The kernels' tests, with kernels that find no feature of the processor, as on one without AVX2.
plain: $(VENV)/.installed-test
	CXXFLAGS="-include $(CURDIR)/tests/native/plain_processor.hpp" $(PIP) install --no-deps --upgrade \
		--target build/plain/site -C build-dir=build/plain/cmake .
	PYTHONSAFEPATH=1 PYTHONPATH=build/plain/site $(BIN)/pytest -n auto -p no:cacheprovider -m "not slow" $(SANITIZED_TESTS)

# A wheel for this machine, in dist; and the source distribution.
wheel: $(VENV)/bin/python
	$(PIP) wheel --no-deps --wheel-dir dist .

sdist: $(VENV)/bin/python
	$(PIP) install build
	$(BIN)/python -m build --sdist --outdir dist

# The newest versions that pyproject.toml allows, for all systems and versions of Python, with the hashes of their files.
LOCKING = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --upgrade \
	--custom-compile-command "make lock"

lock: $(VENV)/bin/python
	$(PIP) install uv
	$(LOCKING) envs/build.in --output-file envs/build.lock.txt
	$(LOCKING) pyproject.toml --extra workflow --extra report --output-file envs/corpusprep.lock.txt
	$(LOCKING) pyproject.toml --extra workflow --extra report --extra test --extra lint --output-file envs/test.lock.txt

# Runs each fuzz target for SECONDS, FUZZ_JOBS at a time. An input that crashes one stays in build/fuzz as crash-….
fuzz: $(VENV)/.installed-test
	@mkdir -p build
	CXX=clang++ $(CMAKE) -B build/fuzz -D CORPUSPREP_FUZZ=ON >build/fuzz.log || { cat build/fuzz.log; exit 1; }
	$(BIN)/cmake --build build/fuzz
	@cd build/fuzz && printf '%s\n' $(FUZZ_TARGETS) | xargs -P $(FUZZ_JOBS) -I @ bash -c 'mkdir -p corpus/@ \
		&& ./@ -max_total_time=$(SECONDS) -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 -verbosity=0 corpus/@ >@.log 2>&1 \
		&& echo "@: no finding in $(SECONDS) s, $$(sed -n "s/.*executed_units: *//p" @.log) inputs" || { cat @.log; exit 1; }'

# Extractors that are programs of their own are measured where they can be installed.
bench: $(VENV)/.installed-bench
	-@$(MAKE) --no-print-directory -k peers
	$(BIN)/python bench speed
	$(BIN)/python bench inspection
	$(BIN)/python bench peers

# Extractors that need Node.js or another version of Python. Where they are, `make studies` measures them, too.
PEER_PYTHON := python3.12
peers: peer-of-node peer-of-python

peer-of-node:
	npm install --silent --no-fund --no-audit --prefix build/peers @mozilla/readability jsdom

peer-of-python:
	$(PEER_PYTHON) -m venv build/peers/venv
	build/peers/venv/bin/pip install --quiet --disable-pip-version-check rs-trafilatura

# Measures every step on corpora of four sizes, for the table of costs that `corpusprep plan` uses. Half an hour.
scale: $(VENV)/.installed-test
	$(BIN)/python bench scale

# Makes table 3.2 of the thesis with both methods, on corpora of 1, 10 and 100 million tokens. LARGEST=1000 adds a row;
# the rows that are left are estimated.
table-3-2: $(VENV)/.installed-test
	$(BIN)/python bench table-3-2 --largest $(LARGEST)

# The documentation as a site, in build/site. A broken link, or a table without description, is an error. Nothing is
# compiled where corpusprep and mkdocs-material are installed: make docs MKDOCS=mkdocs
MKDOCS := $(BIN)/mkdocs
docs: $(if $(filter $(BIN)/%,$(MKDOCS)),$(VENV)/.installed-docs)
	NO_MKDOCS_2_WARNING=1 $(MKDOCS) build --quiet --strict
	@! grep -rlE 'href="[^":]*\.md[#"]' build/site --include='*.html' # links out of docs/ that mkdocs lets pass

clean:
	rm -rf $(VENV) build $(SAMPLE)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "corpusprep needs Python 3.11 or later; name one: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { echo "no venv module: on Debian, apt-get install python3-venv python3-dev" >&2; exit 1; }
	@printf '#include <Python.h>\n#include <span>\nint main() {}\n' \
		| $(CXX) -std=c++20 -fsyntax-only $$($(PYTHON) -c 'import sysconfig; print("-I" + sysconfig.get_path("include"))') \
		-x c++ - 2>/dev/null || { rm -rf $(VENV); \
		echo "no C++20 compiler, or no headers of Python: on Debian, apt-get install g++ python3-dev" >&2; exit 1; }
	@$(PIP) install --upgrade pip # pip 23, which Python 3.11 brings, fails on the extra [bench]

# Each set of extras has a file that says when it was installed; every set includes the first.
$(VENV)/.installed: EXTRAS := workflow,report
$(VENV)/.installed-test: EXTRAS := workflow,report,test,lint
$(VENV)/.installed-studies: EXTRAS := studies
$(VENV)/.installed-bench: EXTRAS := workflow,report,bench
$(VENV)/.installed-docs: EXTRAS := workflow,report,docs

# With LOCKED=1, `make corpus` and `make test` install exactly the files that envs/*.lock.txt name, by their hashes.
$(VENV)/.installed: LOCK := envs/corpusprep.lock.txt
$(VENV)/.installed-test: LOCK := envs/test.lock.txt

$(VENV)/.installed $(VENV)/.installed-test $(VENV)/.installed-studies $(VENV)/.installed-bench $(VENV)/.installed-docs: $(VENV)/bin/python $(SOURCES)
ifdef LOCKED
	$(PIP) install --require-hashes --requirement envs/build.lock.txt
	$(PIP) install --require-hashes --requirement $(or $(LOCK),$(error there is a lock file for corpus and test only))
	$(INSTALL) --no-deps --no-build-isolation .
else
	$(INSTALL) '.[$(EXTRAS)]'
endif
	@touch $@ $(VENV)/.installed
