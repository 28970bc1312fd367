#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: the site builds without a warning, with no link that leads nowhere in it, and needs nothing
# from other machines.
set -u
for tool in mkdocs mandoc; do
    command -v $tool >/dev/null || {
        echo "$tool is not installed"
        exit 77
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}
cd "$DL_SOURCE" || exit 1
PYTHONDONTWRITEBYTECODE=1 mkdocs build --strict --site-dir "$work/site" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
python3 tests/docs/site_links.py "$work/site" || fail "links"
for page in index annotating options man/dl-annotations.5; do
    [ -s "$work/site/$page.html" ] || fail "there is no $page.html"
done
grep -q 'price, strike' "$work/site/index.html" || fail "the first page is not the README"
echo "$failures failures"
[ $failures -eq 0 ]
