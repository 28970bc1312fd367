#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: dl-bench grids has a line for each sample, size and layout, natively first, in the layout that it says; what is
# derived is what DL derives, so that a kernel whose own order that is runs as written; other
# bytes than natively are an error.
set -u
. "$DL_SOURCE/tests/samples/common.sh"
bench=$DL_BUILD/bin/dl-bench

run "$bench" grids --samples lbm,cfd --vary y --sizes 9 --size 40x5x7 --steps 1 --reps 1 --layouts native,da,tesla \
    --csv "$work/g.csv"
[ $code -eq 0 ] || fail "exit code $code: $err"
got=$(grep -v '^#' "$work/g.csv" | cut -d, -f1-9 | tr '\n' ';')
# lbm: 32 groups of 64, one along x: six bits of x; nine along y: three bits; three of them along z: one bit.
want="sample,vary,cells,x,y,z,layout,strips,status;lbm,y,9,40,9,7,native,,ok;lbm,y,9,40,9,7,da,,ok"
want+=";lbm,y,9,40,9,7,tesla,z[*] y[*] k z[0:0] y[2:0] x,ok"
[[ $got = "$want"* ]] || fail "lines: $got"
[[ $got = *";cfd,y,9,40,9,7,native,,ok;cfd,y,9,40,9,7,tesla,z[*] y[*] z[1:0] y[1:0] x,ok;" ]] || fail "lines: $got"
# What DL derives for heat is heat's own order: its kernel runs as written, not through accessors.
run "$bench" grids --samples heat --vary y --sizes 9 --size 40x5x7 --steps 1 --reps 1 --layouts derived --csv "$work/d.csv"
[ $code -eq 0 ] && grep -q '^heat,y,9,40,9,7,derived,z y x,as_written' "$work/d.csv" ||
    fail "derived: exit code $code: $err $(cat "$work/d.csv")"
# A table that is gone on with: what it has is not run again, what it lacks comes behind it.
sed -i 's/^\(cfd,.*,native,,ok,\).*/\1KEPT/' "$work/g.csv"
run "$bench" grids --samples cfd --vary y --sizes 9,10 --size 40x5x7 --steps 1 --reps 1 --layouts tesla --resume --csv "$work/g.csv"
[ $code -eq 0 ] || fail "exit code $code: $err"
got=$(grep -v '^#' "$work/g.csv" | cut -d, -f1-3,7,10 | grep '^cfd' | sed 's/,[0-9.]*$//' | tr '\n' ';')
[ "$got" = "cfd,y,9,native,KEPT;cfd,y,9,tesla;cfd,y,10,native;cfd,y,10,tesla;" ] || fail "gone on with: $got"
# Each of the two runs has its day and its command in the table.
[ "$(grep -c '^# 20..-..-.., dl-bench grids --samples' "$work/g.csv")" = 2 ] || fail "dates: $(grep '^#' "$work/g.csv")"

# A dl-run and a sample that lie.
mkdir -p "$work/bin" "$work/samples"
cp "$bench" "$work/bin/"
printf '#!/bin/sh\nwhile [ "$1" != -- ]; do [ "$1" != --annotations ] || cp "$2" %s; shift; done\nshift\nexec "$@" --lie\n' "$work/side" \
    >"$work/bin/dl-run"
printf '#!/bin/sh\ncase "$*" in *--lie*) echo checksum: 2 ;; *) echo checksum: 1 ;; esac\necho time_s: 4\n' >"$work/samples/heat"
chmod +x "$work/bin/dl-run" "$work/samples/heat"
run "$work/bin/dl-bench" grids --samples heat --vary x --sizes 9 --layouts tesla --reps 1
[ $code -eq 1 ] && grep -q WRONG "$work/err" || fail "exit code $code, '$err' where checksums differ"
grep -q ' as ' "$work/side" || fail "a layout by hand is not given: $(cat "$work/side")"
run "$work/bin/dl-bench" grids --samples heat --vary x --sizes 9 --layouts derived --reps 1
! grep ' as ' "$work/side" || fail "what is to be derived is given by hand"
finish
