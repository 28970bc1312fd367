#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: the installed headers and libraries are for every program: C99, C++11 and C++17, shared and
# static, without a warning, whatever names the program gives to its own variables and functions; and
# they bring no names beside DL's.
set -u
if grep -q "^DL_SANITIZE:STRING=." "$DL_BUILD/CMakeCache.txt"; then
    echo "a sanitized library wants a sanitized program: skipped"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$DL_BUILD/pocl-cache}
mkdir -p "$POCL_CACHE_DIR"
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

cmake --install "$DL_BUILD" --prefix "$work/usr" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
lib=$(dirname "$(find "$work/usr" -name libdl_transpose.so)")
include=$work/usr/include
headers=$(cd "$include" && ls -- *.h) # dl_coalesced.clh is for kernels
strict="-DCL_TARGET_OPENCL_VERSION=300 -Wall -Wextra -Wshadow -Wpedantic -Wconversion -Werror"
case $headers in
*option*) fail "the options are not for programs: $headers" ;;
esac

# The compilers that are here, with how each takes a language.
type g++ >/dev/null 2>&1 || fail "g++ is missing: scripts/install-deps.sh build installs it"
languages=("gcc -std=c99" "gcc -std=c11" "g++ -xc++ -std=c++11" "g++ -xc++ -std=c++17")
if type clang >/dev/null 2>&1; then
    languages+=("clang -std=c99" "clang -xc++ -std=c++11" "clang -xc++ -std=c++17")
fi

# Each header alone, and again after all of them.
for language in "${languages[@]}"; do
    for header in $headers; do
        printf '#include <%s>\n' "$header" $headers "$header" >"$work/alone.c"
        # shellcheck disable=SC2086 # a command and its options
        $language $strict -I"$include" -fsyntax-only "$work/alone.c" || fail "$language: $header"
    done
done

# A program's variables have any names, those of parameters, fields and variables in DL's headers
# among them, and are declared before DL is.
for header in $headers; do
    gcc -fpreprocessed -dD -E -P "$include/$header" 2>/dev/null
done | grep -v '^#' | sed 's/"[^"]*"//g' | grep -oE '[A-Za-z_][A-Za-z_0-9]*' | sort -u |
    grep -vE '^(dl_.*|DL_.*|cl_.*|cl[A-Z].*|CL_.*|_.*|[a-z]+[0-9]*_t|mem(cpy|set)|NULL|C)$' |
    grep -vxE 'char|const|do|double|else|enum|extern|for|if|inline|int|return|sizeof|static|struct|typedef|unsigned|void|while' \
        >"$work/names"
printf '%s\n' cl out plan mem x i err X name status device context >>"$work/names"
[ "$(wc -l <"$work/names")" -ge 60 ] || fail "few names: $(tr '\n' ' ' <"$work/names")"
{
    sort -u "$work/names" | sed 's/.*/extern int &;/'
    printf '#include <%s>\n' $headers
} >"$work/names.c"
for language in "${languages[@]}"; do
    # shellcheck disable=SC2086
    $language $strict -I"$include" -fsyntax-only "$work/names.c" || fail "$language: a program's variables"
done

# Macros of DL's begin with DL_ (or are OpenCL's CL_..._DL).
macros_of() { # HEADER...
    printf '#include <%s>\n' "$@" | gcc -DCL_TARGET_OPENCL_VERSION=300 -I"$include" -dM -E - |
        awk '{ sub(/\(.*/, "", $2); print $2 }' | sort -u
}
macros_of string.h stddef.h stdint.h CL/cl.h CL/cl_icd.h >"$work/macros.before"
# shellcheck disable=SC2086
macros_of $headers >"$work/macros"
comm -13 "$work/macros.before" "$work/macros" | grep -vE '^(DL_[A-Z0-9_]+|CL_LAYOUT_[A-Z]+_DL)$' &&
    fail "macros that are not DL's by name"
# Nor do a program's own macros, with names that DL's lists have, get into them or end with them.
{
    printf '#define %s 1 +\n' X OK AUTO NONE EINVAL SQUARE
    # shellcheck disable=SC2086
    printf '#include <%s>\n' $headers
    echo 'int sum = X OK AUTO NONE EINVAL SQUARE 0;'
} >"$work/macros.c"
gcc $strict -I"$include" -fsyntax-only "$work/macros.c" || fail "a program's macros"

# Nothing leads a reader to a file that is not installed.
grep -noE '[a-z_]+/[a-z_]+\.(c|h|cl|def)' -r "$include" | grep -v '^[^:]*:[0-9]*:CL/' &&
    fail "a header points to a private file"

# A program with names of DL's inside builds, links and runs.
for language in "${languages[@]}"; do
    for kind in shared static; do
        how="-ldl_transpose"
        [ $kind = shared ] || how="-l:libdl_transpose.a"
        # shellcheck disable=SC2086
        if $language $strict -I"$include" -o "$work/user" "$DL_SOURCE/tests/headers/user.c" \
            -xnone -L"$lib" $how -lOpenCL -lpthread 2>"$work/log"; then
            LD_LIBRARY_PATH=$lib "$work/user" >"$work/out" 2>&1 || fail "$language, $kind: $(cat "$work/out")"
            grep -q '^transposed by [0-9.]*$' "$work/out" || fail "$language, $kind: $(cat "$work/out")"
        else
            fail "$language, $kind: $(head -n 5 "$work/log")"
        fi
    done
done

# Both libraries have the names that the headers declare; the shared ones with a version.
printf '#include <%s>\n' dl_transpose.h dl_matcopy.h |
    gcc -DCL_TARGET_OPENCL_VERSION=300 -I"$include" -E -P - | grep -oE '\bdl_[a-z_]+ *\(' |
    tr -d ' (' | sort -u >"$work/declared"
nm -g --defined-only "$lib/libdl_transpose.a" | awk 'NF == 3 { print $3 }' | sort >"$work/static"
diff "$work/declared" "$work/static" || fail "the static library's names"
nm -D --defined-only "$lib/libdl_transpose.so" | awk '$2 == "T" { print $3 }' | sort >"$work/shared"
sed 's/$/@@DL_TRANSPOSE_0.1/' "$work/declared" | diff - "$work/shared" || fail "the shared library's names"
for library in "$lib"/lib*.so; do
    soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
    [ -n "$soname" ] && [ -e "$lib/$soname" ] || fail "$library: soname '$soname'"
done
echo "$failures failures"
[ $failures -eq 0 ]
