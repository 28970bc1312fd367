# Thin front of CMake: `make demo` and `make test` do everything on a bare Debian 12.
BUILD ?= build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_FLAGS ?=

.PHONY: all demo test deps-build deps-test clean
.NOTPARALLEL: # what is missing is installed before it is used

all: deps-build
	cmake -S . -B $(BUILD) $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j$(JOBS)

demo: all
	scripts/with-opencl.sh $(BUILD) scripts/demo.sh $(BUILD)

test: deps-test all
	scripts/with-opencl.sh $(BUILD) ctest --test-dir $(BUILD) --output-on-failure -j2

deps-build:
	scripts/install-deps.sh build

deps-test:
	scripts/install-deps.sh test

clean:
	rm -rf $(BUILD)
