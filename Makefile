# Two commands do all the set-up on a fresh Debian machine with Python 3.11:
#   make demo    set up, then run the main job
#   make test    set up, then lint, types, import contract and the whole test suite
# Also: make native (build the native core again, only what has changed), make sanitize (the suite on a core that checks
# its addresses and overflows), make attack (an hour), make bench, make setup, make format, make clean.
#
# PYTHON=...   the interpreter to build .venv with (default: python3.11, else python3)
# JOBS=...     test workers (default: one per core)
# CI=1         set by continuous integration: never ask for a password

ifeq ($(origin PYTHON),undefined)
PYTHON := $(shell python3.11 -c '' 2>/dev/null && echo python3.11 || echo python3)
endif
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CC := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
CXX := $(if $(filter default undefined,$(origin CXX)),g++,$(CXX))
APT_GET ?= apt-get
SUDO ?= sudo$(if $(CI), -n)

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
STAMP := $(VENV)/.built
NATIVE := exactgeo/native
NATIVE_SOURCES := $(NATIVE)/CMakeLists.txt $(NATIVE)/src $(wildcard $(NATIVE)/src/*)
PIP := $(BIN)/python -m pip --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help attack demo quick test bench setup system native sanitize format clean
.DELETE_ON_ERROR:

help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

demo: $(STAMP)
	@echo
	@echo "Theorem V.7 of arXiv 2604.14727: transformers with many linear regions, built, counted, proved and checked."
	@$(BIN)/exactgeo theorem V.7 --table --d 2 --max-cells 100
	@echo
	@echo "The transformer in the picture of README.md, two blocks with hard attention on [-2,2]^2:"
	@$(BIN)/exactgeo count tests/known/workloads/t_d2_H4_N16_ff16_L2.json
	@echo
	@echo "Next: write a network file as in README.md, then $(BIN)/exactgeo count FILE"

test: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run -Werror $(CXX_FILES)
	$(BIN)/pytest -n $(JOBS)

quick: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -q -n $(JOBS) tests/network tests/rational tests/partition tests/regions tests/toy tests/readme

# Some twenty minutes: exactgeo beside every other tool that is installed; writes benchmarks/RESULTS.md.
bench: $(STAMP)
	$(BIN)/python -m benchmarks.run

# A million mutants and a million forgeries against proofs_check, and every sabotaged copy of it; tens of minutes.
attack: $(STAMP)
	$(BIN)/python -m benchmarks.attack $(ATTACK)

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CXX_FILES)

setup: $(STAMP)

# The native core in place, beside its sources: what has changed since the last time. Its stub is written anew.
BUILD_CORE = CXX=$(CXX) $(BIN)/cmake -S $(NATIVE) -G Ninja -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python \
  -B $(1) $(2) >/dev/null && $(BIN)/cmake --build $(1)
CXX_FILES = $(filter %.hpp %.cpp,$(wildcard $(NATIVE)/src/*))

native: $(INSTALLED)
	@$(call BUILD_CORE,build/native,-DEXACTGEO_INPLACE=ON)
	@$(BIN)/python -m nanobind.stubgen --quiet --exclude-values -m exactgeo.native._core -o $(NATIVE)/_core.pyi
	@touch $(STAMP)

# The suite on a core that checks every address and every operation; it stops at the first fault. SANITIZE=... names
# tests, or options of pytest. The runtime has to be there before Python is, and Python leaks on purpose.
SANITIZE ?= tests
RUNTIME = $$($(CXX) -print-file-name=$(1).so)
sanitize: $(STAMP)
	@echo "building the native core with sanitizers"
	@$(call BUILD_CORE,build/sanitize,-DEXACTGEO_SANITIZE=ON)
	EXACTGEO_NATIVE=$(CURDIR)/build/sanitize ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	  LD_PRELOAD="$(call RUNTIME,libasan) $(call RUNTIME,libstdc++)" $(BIN)/pytest -n $(JOBS) $(SANITIZE)

# Python files are used where they are: a change of pyproject.toml calls for installing again, a change of the native
# sources for building them again. CMake is left out of the first, as pip would build in a folder of its own every time.
$(STAMP): $(INSTALLED) $(NATIVE_SOURCES)
	@echo "building the native core"
	@$(MAKE) --no-print-directory native

$(INSTALLED): pyproject.toml
	@$(MAKE) --no-print-directory system
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@echo "installing Python packages into $(VENV); pycddlib is compiled: half a minute or so"
	@SKBUILD_WHEEL_CMAKE=false $(PIP) install --quiet --editable '.[dev]'
	@echo "compiling the kernels, once: two minutes or so"
	@$(BIN)/python -m exactgeo.cells.compiled
	@touch $@

# What building pycddlib and the native core needs is found by trying it, not by package names: a header that the compiler
# finds is there, whoever installed it. Package names matter only for what is missing.
HEADER = printf '\#include <stdio.h>\n\#include <$(1)>\n' | $(CC) $(CPPFLAGS) -E -x c - >/dev/null 2>&1
CXX_HEADER = printf '\#include <$(1)>\n' | $(CXX) $(CPPFLAGS) -E -x c++ - >/dev/null 2>&1
ASK = $(PYTHON) -c "import os, sys, sysconfig; $(1)"

system:
	@$(call ASK,) 2>/dev/null || { echo "make: $(PYTHON) does not run; exactgeo needs Python 3.11 or newer" >&2; exit 1; }
	@$(call ASK,sys.exit(sys.version_info < (3$(comma) 11))) \
	  || { echo "make: $$($(PYTHON) -V) is too old; exactgeo needs 3.11 or newer: make PYTHON=..." >&2; exit 1; }
	@own=$$($(call ASK,print(('python%d.%d' % sys.version_info[:2]) if sys.base_prefix == '/usr' else 'python3'))); \
	missing=; \
	$(call HEADER,stdlib.h) || missing="$$missing gcc libc6-dev"; \
	$(call CXX_HEADER,vector) || missing="$$missing g++"; \
	$(call HEADER,gmp.h) || missing="$$missing libgmp-dev"; \
	$(call HEADER,cddlib/cdd.h) || missing="$$missing libcdd-dev"; \
	$(call ASK,sys.exit(not os.path.exists(sysconfig.get_path('include') + '/Python.h'))) \
	  || missing="$$missing $$own-dev"; \
	$(call ASK,import ensurepip$(comma) venv) 2>/dev/null || missing="$$missing $$own-venv"; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	echo "make: installing the missing system packages:$$missing"; \
	if [ "$$(id -u)" = 0 ]; then sudo=; else sudo="$(SUDO)"; fi; \
	export DEBIAN_FRONTEND=noninteractive; \
	{ command -v $(APT_GET) && { [ -z "$$sudo" ] || command -v $${sudo%% *}; }; } >/dev/null 2>&1 \
	  && $$sudo $(APT_GET) -q update && $$sudo $(APT_GET) -q install -y --no-install-recommends $$missing \
	  || { echo "make: please install these packages as root, then try again:$$missing" >&2; exit 1; }

clean:
	rm -rf $(VENV) build dist *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	rm -rf $(addprefix $(NATIVE)/,*.so *.a .cmake .ninja_* .skbuild-info.json CMakeCache.txt CMakeFiles CMakeInit.txt \
	  build.ninja cmake_install.cmake)
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

comma := ,
