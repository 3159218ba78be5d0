# The front door. Every target sets up what it needs; `make` alone lists them.
#
#   PYTHON=python3.11        the interpreter of a new environment (3.10 to 3.12)
#   VENV=.venv               the environment; an existing one is used as it is
#   TORCH_VERSION=2.12.1     another PyTorch than requirements.txt pins
#   TORCH_INDEX=<url>        where to look for PyTorch besides PyPI, for example
#                            https://download.pytorch.org/whl/cpu (2 GB less)
#   MAX_JOBS=4               parallel compilations and tests
#   PYTHONS="a b c"          interpreters of `make matrix`
#   FUZZ_SECONDS=60          time of each target of `make fuzz`
#   RESUME=1                 `make test-operators` goes on with an interrupted run
PYTHON ?= python3
VENV ?= .venv
TORCH_VERSION ?=
TORCH_INDEX ?=
PYTHONS ?=
TIDY_MINUTES ?= 6
FUZZ_SECONDS ?= 1800
RESUME ?=

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PY := $(VENV)/bin/python
BIN := $(VENV)/bin
# Stamps live in the environment, so that they vanish with it.
STAMPS := $(VENV)/.infini
export PATH := $(abspath $(BIN)):$(PATH)
PIP := $(PY) -m pip --disable-pip-version-check install --quiet
TORCH_FLAG := $(if $(TORCH_VERSION),$(TORCH_VERSION),pinned)

# What the extension is built from; a change of any of these rebuilds it.
SOURCES := $(shell find csrc embedded opgen cmake python -type f \
    \( -name '*.h' -o -name '*.cpp' -o -name '*.in' -o -name '*.yaml' -o -name '*.cmake' \
       -o -name '*.map' -o -name CMakeLists.txt \) 2>/dev/null)
BUILD_FILES := CMakeLists.txt setup.py tools/build_settings.py
CPP = $$(git ls-files --cached --others --exclude-standard '*.h' '*.cpp')
CMAKE = $$(git ls-files --cached --others --exclude-standard '*CMakeLists.txt' '*.cmake')

.PHONY: help setup setup-dev build demo test test-all test-operators bench models opgen fuzz lint format ci matrix clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | \
	    awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

# The environment. Python's version is checked before anything is created.
$(STAMPS)/python:
	@command -v $(PYTHON) >/dev/null || { echo "error: $(PYTHON) is not found;" \
	    "name a Python 3.10, 3.11 or 3.12: make PYTHON=python3.11 ..." >&2; exit 1; }
	@test -x $(PY) || $(PYTHON) tools/check_python.py
	@test -x $(PY) || $(PYTHON) -m venv $(VENV) || { echo "error: cannot create" \
	    "$(VENV). Install: sudo apt-get install python3-venv" >&2; exit 1; }
	@$(PY) tools/check_python.py
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/packages-$(TORCH_FLAG): requirements.txt $(STAMPS)/python
	@$(PY) tools/system_packages.py build
	@echo "installing requirements.txt (torch: $(TORCH_FLAG))"
	@$(if $(TORCH_VERSION),sed 's/^torch==.*/torch==$(TORCH_VERSION)/',cat) \
	    requirements.txt > $(STAMPS)/requirements.txt
	@$(PIP) $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) \
	    -r $(STAMPS)/requirements.txt
	@rm -f $(STAMPS)/packages-* && touch $@

$(STAMPS)/dev: requirements-dev.txt $(STAMPS)/packages-$(TORCH_FLAG)
	@$(PY) tools/system_packages.py test
	@echo "installing requirements-dev.txt"
	@$(PIP) -r requirements-dev.txt
	@touch $@

# pip registers the package once; later changes only need the extension.
$(STAMPS)/editable: $(STAMPS)/packages-$(TORCH_FLAG) $(STAMPS)/built pyproject.toml
	@$(PIP) --no-build-isolation --no-deps --editable .
	@touch $@

$(STAMPS)/built: $(STAMPS)/packages-$(TORCH_FLAG) $(BUILD_FILES) $(SOURCES)
	@echo "building the extension"
	@$(PY) setup.py -q build_ext --inplace
	@touch $@

setup: $(STAMPS)/packages-$(TORCH_FLAG) ## create the environment with what a build needs

setup-dev: $(STAMPS)/dev ## also what the tests and checks need

build: $(STAMPS)/editable ## build the extension into python/ (editable)

demo: build ## train a small network on the device and compare with the CPU
	$(PY) examples/demo.py

test: setup-dev build ## the whole product once: 25 minutes on 2 cores, an hour at first
	$(PY) tools/run_tests.py

test-all: setup-dev build ## every configuration
	$(PY) tools/run_tests.py --all

test-operators: setup-dev build ## infini against the CPU, every operator, dtype and mode
	$(PY) -m tests.operators $(if $(RESUME),--resume)

bench: setup-dev build ## time against plain PyTorch and torchgen, into bench/results/
	$(PY) bench/run.py
	$(PY) bench/opgen/run.py

models: setup-dev build ## train transformers and others on infini and the CPU, compare
	$(PY) bench/models.py

opgen: setup-dev ## build the operator code generator, build/opgen/opgen/opgen
	cmake --preset opgen
	cmake --build --preset opgen

fuzz: setup-dev ## run the fuzz targets of opgen, half an hour each
	cmake --preset fuzz
	cmake --build --preset fuzz --target opgen_fuzzers
	$(PY) tools/run_fuzz.py --seconds $(FUZZ_SECONDS)

lint: setup-dev build ## format, style, spelling, sizes, clang-tidy
	clang-format --dry-run -Werror $(CPP)
	ruff format --check .
	ruff check .
	gersemi --check $(CMAKE)
	codespell
	$(PY) tools/check_sizes.py
	cmake --preset dev >build/configure-dev.log || { cat build/configure-dev.log; exit 1; }
	$(PY) tools/run_clang_tidy.py --minutes $(TIDY_MINUTES)

format: setup-dev ## rewrite the files as `make lint` wants them
	clang-format -i $(CPP)
	ruff format .
	ruff check --fix .
	gersemi -i $(CMAKE)

ci: ## what a change must pass: lint and test
	$(MAKE) lint
	$(MAKE) test

matrix: setup-dev ## Python 3.10-3.12 x PyTorch 2.12, 2.13 (large downloads)
	$(PY) tools/run_matrix.py --pythons "$(PYTHONS)"

clean: ## remove what was built; the environment stays
	rm -rf build dist python/torch_infini.egg-info
	rm -rf python/torch_infini/lib python/torch_infini/_build_info.json
	rm -f python/torch_infini/_C*.so $(STAMPS)/built $(STAMPS)/editable
