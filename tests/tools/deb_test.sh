#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: cpack's Debian packages hold between them all that is installed, each file once, in the places
# of the machine's architecture, and what is in them works: dl-run finds its library, every program has
# its manual page, the pkg-config files lead to the headers. scripts/release-check.sh asks lintian, of packages for /usr.
set -u
for tool in cpack dpkg-deb dpkg-shlibdeps file gzip pkg-config; do
    command -v $tool >/dev/null || {
        echo "$tool is not installed"
        exit 77
    }
done
if grep -q "^DL_SANITIZE:STRING=." "$DL_BUILD/CMakeCache.txt"; then
    echo "nobody packages a sanitizer: skipped"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LD_PRELOAD OPENCL_LAYERS DL_LAYOUT
failures=0
fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

(cd "$work" && cpack -G DEB --config "$DL_BUILD/CPackConfig.cmake" -B "$work/out" \
    -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip) >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
mkdir "$work/root" "$work/control"
: >"$work/packed"
packages='dl-run dl-bench dl-dev libdl-transpose[0-9.]* libdl-transpose-dev python3-dl-transpose'
for package in $packages; do
    deb=$(find "$work/out" -maxdepth 1 -regex ".*/$package"'_[^/]*\.deb')
    [ "$(wc -w <<<"$deb")" = 1 ] || {
        fail "not one package $package: $deb"
        continue
    }
    dpkg-deb -x "$deb" "$work/root"
    name=$(dpkg-deb -f "$deb" Package)
    [ -s "$work/root/usr/share/doc/$name/copyright" ] || fail "$name has no copyright file"
    dpkg-deb -f "$deb" >"$work/control/${deb##*/}"
    [ -s "$work/root/usr/share/doc/$name/changelog.gz" ] || fail "$name has no changelog"
    [ "$(dpkg-deb -f "$deb" Description | wc -l)" -gt 2 ] || fail "$name is not described"
    dpkg-deb --fsys-tarfile "$deb" | tar -t | grep -v '/$' >>"$work/packed"
done
depends() { # PACKAGE PATTERN
    grep -hE '^Depends:' "$work/control/$1"_* | grep -qE "$2" || fail "$1 does not depend on $2: $(cat "$work/control/$1"_*)"
}
depends dl-run 'libclang1-14 [|] libclang1-19'
depends dl-run 'libc6'
depends dl-bench 'libopencl|ocl-icd'
depends libdl-transpose-dev 'dl-dev \(= '
depends libdl-transpose-dev 'libdl-transpose[0-9.]+ \(= '
depends python3-dl-transpose 'python3, libdl-transpose[0-9.]+ \(>= '

DESTDIR=$work/whole cmake --install "$DL_BUILD" --prefix /usr >/dev/null || fail "cmake --install"
(cd "$work/whole" && find . ! -type d) | sort >"$work/installed"
grep -vE '/changelog.gz$|/lintian/overrides/' "$work/packed" | sed '/\/man\//s/\.gz$//' | sort | diff "$work/installed" - >"$work/diff" || fail "installed, and packed: $(cat "$work/diff")"

usr=$work/root/usr
library=$("$usr/bin/dl-run" --layer -- printenv OPENCL_LAYERS)
case $library in
"$usr"/lib*/dl/libdl_intercept.so) ;;
*) fail "dl-run finds '$library'" ;;
esac
"$usr/bin/dl-annotate" "$DL_SOURCE/samples/lbm/lbm.cl" -o "$work/lbm.cl" || fail "dl-annotate"
for program in "$usr"/bin/*; do
    [ -s "$usr/share/man/man1/${program##*/}.1.gz" ] || fail "${program##*/} has no manual page"
done
PKG_CONFIG_PATH=$(find "$usr" -name pkgconfig)
export PKG_CONFIG_PATH
for name in dl dl_transpose; do
    echo "#include <$name.h>" | ${CC:-cc} $(pkg-config --define-prefix --cflags $name) -fsyntax-only -xc - 2>"$work/err" ||
        fail "$name.pc does not lead to $name.h: $(cat "$work/err")"
done

# For /usr, libraries and what leads to them go into the folder of the architecture, where there is one.
arch=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null)
if [ -n "$arch" ] && [ -f /etc/debian_version ]; then
    cmake -S "$DL_SOURCE" -B "$work/for-usr" -DDL_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr >"$work/log" 2>&1 || fail "$(cat "$work/log")"
    grep -rhoE 'INSTALL DESTINATION "[^"]*PREFIX\}/lib[^"]*"' "$work/for-usr" --include=cmake_install.cmake |
        sort -u >"$work/places"
    [ "$(wc -l <"$work/places")" -ge 5 ] || fail "few places: $(cat "$work/places")"
    grep -q 'PREFIX}/lib/python3/dist-packages/dl_transpose"' "$work/places" || fail "Python: $(cat "$work/places")"
    grep -vE "PREFIX\}/lib/($arch[/\"]|python3/)" "$work/places" && fail "not in /usr/lib/$arch"
    for pc in dl dl_transpose; do
        grep -q '^prefix=${pcfiledir}/../../..$' "$work/for-usr"/*/"$pc.pc" "$work/for-usr"/*/*/"$pc.pc" 2>/dev/null ||
            fail "$pc.pc does not lead three folders up"
    done
fi
echo "$failures failures"
[ $failures -eq 0 ]
