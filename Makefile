# Thin front of CMake: `make demo` and `make test` do everything on a bare Debian 12.
BUILD ?= build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_FLAGS ?=

PREFIX ?= /usr/local

.PHONY: all demo test test-full fuzz install deps-build deps-test clean
.NOTPARALLEL: # what is missing is installed before it is used

all: deps-build
	cmake -S . -B $(BUILD) $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j$(JOBS)

demo: all
	scripts/with-opencl.sh $(BUILD) scripts/demo.sh $(BUILD)

test: deps-test all
	scripts/with-opencl.sh $(BUILD) ctest --test-dir $(BUILD) --output-on-failure -j2

# Every shape of the tests that otherwise take a sample: some hours, mostly the compiler's.
test-full: deps-test all
	DL_TEST_FULL=1 scripts/with-opencl.sh $(BUILD) ctest --test-dir $(BUILD) --output-on-failure -j2

# Random programs, and arbitrary text where clang has libFuzzer, for so many seconds each.
SECONDS ?= 60
fuzz: all
	scripts/with-opencl.sh $(BUILD) scripts/fuzz.sh $(BUILD) $(SECONDS)

install: all
	cmake --install $(BUILD) --prefix $(PREFIX)

deps-build:
	scripts/install-deps.sh build

deps-test:
	scripts/install-deps.sh test

clean:
	rm -rf $(BUILD)
