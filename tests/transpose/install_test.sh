# SPDX-License-Identifier: MIT
# docs/transpose.md's example builds against an installed library and works: by pkg-config, shared and
# static, and by CMake's package. What is exported is what the header declares.
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
export PKG_CONFIG_PATH=$lib/pkgconfig
cp "$DL_SOURCE/tests/transpose/outside.c" "$work/"
awk '/^```$/ { code = 0 } code; /^```c$/ { code = 1 }' "$DL_SOURCE/docs/transpose.md" >"$work/example.inc"
[ -s "$work/example.inc" ] || fail "docs/transpose.md has no example"

# shellcheck disable=SC2046
cc -Wno-deprecated-declarations -o "$work/shared" "$work/outside.c" \
    $(pkg-config --cflags --libs dl_transpose) || fail "shared"
LD_LIBRARY_PATH=$lib "$work/shared" | grep -q transposed || fail "shared does not work"
readelf -d "$work/shared" | grep -q 'libdl_transpose.so.0.1\]' || fail "not linked to the library"
# shellcheck disable=SC2046
cc -Wno-deprecated-declarations -o "$work/static" "$work/outside.c" \
    $(pkg-config --cflags dl_transpose) "$lib/libdl_transpose.a" -lOpenCL -lpthread || fail "static"
"$work/static" | grep -q transposed || fail "static does not work"

# What else a static program needs, and which version it is.
case " $(pkg-config --static --libs dl_transpose) " in
    *" -lpthread "*) ;;
    *) fail "pkg-config --static does not say -lpthread" ;;
esac
version=$(sed -n 's/^#define DL_VERSION_[MP][AI][A-Z]* \([0-9]*\)$/\1/p' "$DL_SOURCE/include/dl_version.h" |
    paste -sd.)
[ -n "$version" ] && [ "$(pkg-config --modversion dl_transpose)" = "$version" ] ||
    fail "pkg-config says version $(pkg-config --modversion dl_transpose), not $version"

cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(outside C)
find_package(dl_transpose 0.0 QUIET)
if(dl_transpose_FOUND)
    message(FATAL_ERROR "0.1 is taken for a 0.0")
endif()
find_package(dl_transpose 0.1 REQUIRED)
foreach(kind dl_transpose static)
    add_executable(by_cmake_${kind} outside.c)
    target_link_libraries(by_cmake_${kind} dl_transpose::${kind})
endforeach()
END
if cmake -S "$work" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/usr" >"$work/log" 2>&1 &&
        cmake --build "$work/build" >"$work/log" 2>&1; then
    for kind in dl_transpose static; do
        "$work/build/by_cmake_$kind" | grep -q transposed || fail "by_cmake_$kind does not work"
    done
else
    cat "$work/log"
    fail "CMake's package"
fi

nm -D --defined-only "$lib/libdl_transpose.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/exported"
printf '#include <%s>\n' dl_transpose.h dl_matcopy.h |
    gcc -DCL_TARGET_OPENCL_VERSION=300 -I"$DL_SOURCE/include" -E -P - | grep -oE '\bdl_[a-z_]+ *\(' |
    tr -d ' (' | sort -u >"$work/declared"
diff "$work/declared" "$work/exported" || fail "exported is not declared, or the reverse"
man -l "$work/usr/share/man/man3/dl_transpose.3" >/dev/null 2>&1 ||
    [ -s "$work/usr/share/man/man3/dl_transpose.3" ] || fail "no man page"
echo "$failures failures"
[ $failures -eq 0 ]
