#!/bin/bash
# SPDX-License-Identifier: MIT
# What has to hold before a version is tagged, each part with a log in build/release/: all parts, or those named.
#
#   versions   every file names the version of include/dl_version.h
#   documents  pages, links, commands and manual pages
#   dist       the archive of what is committed builds and passes `make test` by itself
#   wheel      it is made, and works in bare roots (as root; scripts/bare-roots.sh)
#   packages   they are made, lintian has nothing to say, and they leave bare roots as they were (as root)
#   nightly    `make nightly`: every shape of the tests, mutants, random programs, the other drivers: hours
#
# usage: scripts/release-check.sh [PART]...
set -u
cd "$(dirname "$0")/.."
[ $# -ne 0 ] || set -- versions documents dist wheel packages nightly
logs=$PWD/build/release
mkdir -p "$logs"

versions() {
    python3 tests/house/versions.py . || return
    git diff --quiet HEAD || { echo 'not all is committed'; return 1; }
    ! grep -n '(unreleased)' CHANGELOG.md || echo 'note: the date in place of that'
}
documents() {
    make with-tests &&
        scripts/with-opencl.sh build ctest --test-dir build --output-on-failure -R '^(docs_|tools_manual)'
}
dist() {
    local archive
    make dist && archive=$(ls dist/dl-*.tar.gz) && rm -rf "$logs/source" && mkdir "$logs/source" &&
        tar -xzf "$archive" -C "$logs/source" --strip-components=1 && env -u MAKEFLAGS make -C "$logs/source" test
}
wheel() { make wheel && scripts/bare-roots.sh dist/*.whl; }
packages() {
    make deb && lintian --allow-root --fail-on error,warning build/deb/*.deb && scripts/bare-roots.sh build/deb
}
nightly() { make nightly; }

status=0
for part; do
    case $part in
    versions | documents | dist | wheel | packages | nightly) ;;
    *)
        sed -n 's/^# usage: /usage: /p' "$0" >&2
        exit 2
        ;;
    esac
    start=$SECONDS
    if "$part" >"$logs/$part.log" 2>&1 </dev/null; then
        echo "release-check: $part: passed in $((SECONDS - start)) s"
    else
        echo "release-check: $part: FAILED after $((SECONDS - start)) s ($logs/$part.log)"
        tail -n 20 "$logs/$part.log"
        status=1
    fi
done
exit $status
