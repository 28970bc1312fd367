#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: dl-bench figure measures what a figure of a paper shows and draws it, measures no table twice, begins nothing beyond
# its limit, leaves no process running beyond it, and refuses what it does not know; every picture that its list promises is one of bench/figures.py.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
bench=$DL_BUILD/bin/dl-bench
figure() { timeout 300 "$bench" figure "$@" --out "$dir/out" >"$dir/log" 2>&1; }

figure no-such && fail "a figure that there is not"
grep -q "no figure is called no-such; --list prints their names" "$dir/log" || fail "its message: $(cat "$dir/log")"
figure 003:4.1 && fail "a part of a figure's name"
"$bench" figure --list >"$dir/list" || fail "--list"
for id in 003:4.1{1,3,6,7,8,9} 003:4.2{0,1,2} 003:6.{6,7,8,9,10,11,12,13,14} 003:T4.2 003:T5.3; do
    grep -q "^$id " "$dir/list" || fail "--list lacks $id"
done
figure 003:4.18 --small --limit 0
[ $? = 3 ] || fail "a limit that has passed: $(cat "$dir/log")"
figure 003:4.18 --small || fail "003:4.18: $(cat "$dir/log" "$dir"/out/*.log)"
table=$dir/out/marshal-pipt.csv
[ "$(grep -c ',ok,' "$table")" = 6 ] || fail "its table: $(cat "$table")"
sed -n 2p "$table" | grep -q '^# 20..-..-.., dl-bench tune --cases asta' || fail "its second line: $(sed -n 2p "$table")"
if python3 -c 'import matplotlib' 2>/dev/null; then
    grep -q 'the paper: optimized over original' "$dir/out/marshal-pipt.svg" || fail "its picture: $(cat "$dir/log")"
    sed -nE 's/^ +picture: (.*)/\1/p' "$dir/list" | tr ' ' '\n' | grep -v '^apps$' | sort -u >"$dir/drawn"
    COLUMNS=9999 python3 "$DL_SOURCE/bench/figures.py" --help | tr -cs 'a-z0-9-' '\n' | sort -u | comm -23 "$dir/drawn" - >"$dir/unknown"
    [ ! -s "$dir/unknown" ] || fail "bench/figures.py does not draw $(cat "$dir/unknown")"
fi
stamp=$(stat -c %y "$table")
figure 003:4.18 --small || fail "once more: $(cat "$dir/log")"
[ "$(stat -c %y "$table")" = "$stamp" ] || fail "a table was measured twice"
# A table of which nothing was measured is not kept.
figure 001:9 --small --device no-such-device && fail "a device that there is not"
[ ! -e "$dir/out/gauss.csv" ] || fail "a table without rows is kept: $(cat "$dir/out/gauss.csv")"
figure 001:9,001:10,003:6.12 --small || fail "the Gaussian and cfd: $(cat "$dir/log" "$dir"/out/*.log)"
[ "$(grep -c ',ok,' "$dir/out/gauss.csv")" = 6 ] || fail "the Gaussian: $(cat "$dir/out/gauss.csv")"
grep -q '^cfd,x,12,.*,derived,' "$dir/out/grids-cfd.csv" || fail "cfd: $(cat "$dir/out/grids-cfd.csv")"
# A measurement that starts a program of its own is ended together with it.
mkdir -p "$dir/slow/bin" "$dir/slow/bench"
cp "$bench" "$dir/slow/bin/"
printf 'sleep 287 &\necho $! >%s/pid\nwait\n' "$dir" >"$dir/slow/bench/gauss.sh"
timeout 60 "$dir/slow/bin/dl-bench" figure 001:9 --limit 2 --out "$dir/late" >"$dir/log" 2>&1
code=$?
[ $code = 3 ] || fail "a limit that passes: exit code $code: $(cat "$dir/log")"
if kill "$(cat "$dir/pid")" 2>/dev/null; then fail "a process is left running"; fi
exit $failed
