#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: each page of the site fits a screen of 1280 pixels and a telephone of 390, shows its pictures, and
# no bar of a table is left escaped. A page that does not is found.
set -u
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
for tool in mkdocs mandoc; do
    [ -n "$browser" ] && command -v $tool >/dev/null || {
        echo "mkdocs, mandoc or chromium is not installed: scripts/install-deps.sh ci"
        exit 77
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$DL_SOURCE" || exit 1
PYTHONDONTWRITEBYTECODE=1 mkdocs build --strict --site-dir "$work/site" >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
python3 tests/docs/browser.py "$browser" "$work/site" || exit 1

mkdir "$work/planted"
echo '<img src="none.png"><table><tr><td>a\|b</td></tr></table><div style="width: 500px">wide</div>' >"$work/planted/page.html"
python3 tests/docs/browser.py "$browser" "$work/planted" >"$work/found" && { echo 'a wrong page passes'; exit 1; }
for what in 'none.png does not load' 'an escaped bar' 'in a window of 390'; do
    grep -q "$what" "$work/found" || { echo "not found: $what"; cat "$work/found"; exit 1; }
done
