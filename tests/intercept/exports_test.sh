#!/bin/bash
# SPDX-License-Identifier: MIT
# libdl_intercept.so shows the wrapped entry points, clGetPlatformIDs, the layer's entry points,
# the functions of include/dl.h, dlsym, what dl-builder calls and what AddressSanitizer asks for its defaults, nothing else; it needs no OpenCL library and has a soname.
. "$(dirname "$0")/common.sh"

{
    echo clGetPlatformIDs clGetLayerInfo clInitLayer clInitLayerWithProperties clDeinitLayer \
        clServeBuildsDL __asan_default_options |
        tr ' ' '\n'
    grep -oE 'cl[A-Za-z]+DL_fn' "$DL_SOURCE/include/dl.h" | sed 's/_fn//' | sort -u
    [ "$(uname -m)" = x86_64 ] && echo dlsym
    printf '#include "libdl_intercept/hooks/hook_list.h"\n%s\nDL_HOOK_MAP(X)\n' \
        '#define X(result, name, parameters, arguments) @name@' |
        ${CC:-cc} -I"$DL_SOURCE" -E -P - | grep -oE '@ ?cl[A-Za-z0-9]+ ?@' | tr -d '@ '
} | sort >"$work/want"
nm -D --defined-only "$dl" | awk '{ print $3 }' | grep -vE '^(__(asan_[^d]|ubsan|odr_asan)|_end$)' |
    sort >"$work/got"
[ "$(wc -l <"$work/want")" -gt 50 ] || fail "the list was not read"
diff "$work/want" "$work/got" || fail "exported symbols differ (<: wanted, >: there)"
readelf -d "$dl" | grep -q 'soname: \[libdl_intercept.so\]' || fail "no soname"
readelf -d "$dl" | grep -q 'NEEDED.*libOpenCL' && fail "links an OpenCL library"
readelf -d "$dl" | grep -q NODELETE || fail "can be unloaded"
finish
