# SPDX-License-Identifier: MIT
# The front door. Every target calls CMake or a script in tools/; `make help` lists them.
BUILD        ?= build
PREFIX       ?= /usr/local
FUZZ_SECONDS ?= 600
JOBS         ?= $(shell nproc 2>/dev/null || echo 2)
CONFIGURE     = tools/configure

.PHONY: all run test python wheel check bench sanitize fuzz install clean format help

all: ## build the program and both libraries in build/ (the default)
	@tools/packages --only-check build
	@$(CONFIGURE) $(BUILD) -DCMAKE_BUILD_TYPE=Release
	@cmake --build $(BUILD) -j $(JOBS) --target product

run: ## show the main job: fit with steps, cross-validate, write cairn-report.html
	@tools/packages build
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) tools/demo

test: ## build and run all tests
	@tools/packages build test
	@$(CONFIGURE) $(BUILD) -DCMAKE_BUILD_TYPE=Release -DCAIRN_TESTS=ON
	@cmake --build $(BUILD) -j $(JOBS)
	@cd $(BUILD) && ctest -j $(JOBS) --output-on-failure $(CTEST_ARGS)

python: ## build the library and test the Python package against it
	@tools/packages build python
	@$(MAKE) --no-print-directory all
	@tools/test-python $(BUILD)

wheel: ## a wheel of the Python package with the library inside, in build/wheel
	@$(MAKE) --no-print-directory all
	@python3 python/build_wheel.py $(BUILD) $(BUILD)/wheel

check: ## format, layers, symbols, banned calls, documentation, registry, clang-tidy
	@tools/packages build check
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) tools/check

bench: ## compare with other tools on this machine; writes bench/RESULTS.md
	@tools/packages build bench
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) bench/run $(TASKS)

sanitize: ## all tests under the address, undefined-behaviour and thread sanitizers
	@tools/packages build test check
	@JOBS=$(JOBS) tools/sanitize address,undefined
	@JOBS=$(JOBS) tools/sanitize thread

fuzz: ## every fuzzer for FUZZ_SECONDS (default 600)
	@tools/packages build test check
	@JOBS=$(JOBS) FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz

install: ## install under PREFIX (default /usr/local); DESTDIR is obeyed
	@$(MAKE) --no-print-directory all
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean: ## remove everything that was built
	rm -rf $(BUILD) build-sanitize build-thread build-fuzz cairn-report.html

format: ## put all C sources into the house format
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
