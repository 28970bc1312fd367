#!/bin/bash
# SPDX-License-Identifier: MIT
# dlsym means what it meant: for RTLD_NEXT and RTLD_DEFAULT, for its errors, and for OpenCL's
# names in objects that are no OpenCL library.
. "$(dirname "$0")/common.sh"

driver=$tests/libfake_opencl.so
under ocl-icd native "$tests/host_dlsym_semantics" "$driver" >"$work/native" 2>&1
under ocl-icd preload "$tests/host_dlsym_semantics" "$driver" >"$work/dl" 2>&1
grep -q '^chain 221$' "$work/native" || fail "no chain: $(head -n 1 "$work/native")"
grep -q '^next printf: lib' "$work/native" || fail "native: $(grep next "$work/native")"
diff "$work/native" "$work/dl" || fail "dlsym differs"
finish
