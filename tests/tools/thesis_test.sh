#!/bin/bash
# SPDX-License-Identifier: MIT
# Figures 5.2 to 5.7 of the thesis come from one command, as tables and drawings; Table 5.1's matrices that are made
# up are called so. In miniature on the device at hand, of the least steps that have a steady state, and one application.
set -u
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0
fail() {
    printf 'FAIL: %s\n' "$*"
    failed=1
}
row=spmv_bcsstk18_generated
figures() {
    timeout 500 "$DL_BUILD/bin/dl-bench" figure 003:5.2,003:5.4,003:5.7 --small --out "$out" >"$out/log" 2>&1
}
figures || fail "$(cat "$out/log" "$out"/*.log)"
for layout in native asta; do
    grep -q "^$row,thesis,$layout,[a-z]*,ok," "$out/summary.csv" || fail "no $layout: $(cat "$out/summary.csv")"
    [ "$(grep -c "^$row,thesis,$layout,warm,ok,1,[123]," "$out/apps.csv")" = 3 ] ||
        fail "$layout: not three lengths: $(grep "^$row,thesis,$layout" "$out/apps.csv")"
done
! grep -q '^spmv_bcsstk18,' "$out/summary.csv" || fail "a generated matrix has the name of the real one"
grep -q ',ok,' "$out/marshal-matrices.csv" || fail "figure 5.7: $(cat "$out/marshal-matrices.csv" "$out/log")"
if python3 -c 'import matplotlib' 2>/dev/null; then
    for figure in thesis-5.2 thesis-5.6 marshal-matrices; do
        [ -s "$out/$figure.svg" ] || fail "no $figure.svg: $(cat "$out/log")"
    done
fi
# Run again it has nothing to do.
figures || fail "again: $(cat "$out/log")"
grep -q '^0 rows run now, [1-9]' "$out/apps.log" || fail "rows were run again: $(cat "$out/apps.log")"
exit $failed
