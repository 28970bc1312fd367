#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: dl-bench coalesced has a line for each size, operation and way that is asked for, with the
# results right; a wrong one is said and is an error.
set -u
. "$DL_SOURCE/tests/samples/common.sh"
bench=$DL_BUILD/bin/dl-bench

# Each is a kernel to be compiled: all operations on one size, one of them on a second.
run "$bench" coalesced --bytes 64K --words 16 --reps 1 --csv "$work/c.csv"
[ $code -eq 0 ] || fail "exit code $code: $err"
got=$(grep -v '^#' "$work/c.csv" | cut -d, -f1-3,6,7 | tr '\n' ' ')
want="op,words,way,status,errors"
for op in copy store assign update gather scatter sum members lookup; do
    for way in plain vector header coalesced asta; do
        case $way:$op in vector:update | vector:sum | vector:members | vector:lookup | header:update | header:sum | header:members | header:lookup) continue ;; esac
        want+=" $op,16,$way,ok,0"
    done
done
[ "$got" = "$want " ] || fail "lines: $got"
head -2 "$work/c.csv" | tr '\n' ' ' | grep -Eq '^# .+, driver .+, copy [0-9.]+ GB/s.* # 20[0-9-]+, dl-bench coalesced --bytes 64K' ||
    fail "head: $(head -2 "$work/c.csv")"
# From 16 words on.
run "$bench" coalesced --bytes 64K --words 5,24 --ops members --reps 1 --csv "$work/d.csv"
[ $code -eq 0 ] || fail "exit code $code: $err"
got=$(grep -v '^#' "$work/d.csv" | cut -d, -f1-3,6,7 | tr '\n' ' ')
want="op,words,way,status,errors"
for words in 5 24; do
    for way in plain coalesced asta; do
        status=ok
        [ $way$words != coalesced5 ] || status=as_written
        want+=" members,$words,$way,$status,0"
    done
done
[ "$got" = "$want " ] || fail "lines of two sizes: $got"
# Built for groups of another size: half of the structs are left out.
for op in copy update scatter; do
    run "$bench" coalesced --bytes 64K --words 16 --ops $op --ways coalesced --reps 1 \
        --defines -DDL_GROUP_ITEMS=64
    [ $code -eq 1 ] && grep -q "^$op .* WRONG" "$work/out" || fail "exit code $code of a wrong $op: $out"
done
# In teams, as on NVIDIA's devices, by shuffles and by local memory; in turns where there is little of that.
for way in "20,40 " "48 -DDL_GROUP_WORDS=2048"; do
    run "$bench" coalesced --bytes 64K --words "${way% *}" --ops copy,gather,scatter --ways coalesced --reps 1 \
        --defines "-DDL_GROUP_TEAM=32 ${way#* }"
    [ $code -eq 0 ] && ! grep -q 'WRONG\|FAILED' "$work/out" && grep -q '^scatter.* ok$' "$work/out" ||
        fail "teams, '$way': $out"
done
# By sub-groups, where a driver has them in OpenCL C 3.0 (Intel's), the last of a group not whole.
run "$bench" coalesced --bytes 64K --words 5 --ops copy,gather,scatter --ways header --group 100 --reps 1 --defines -cl-std=CL3.0
[ $code -eq 0 ] && ! grep -q 'WRONG\|FAILED' "$work/out" && grep -q '^scatter.*header.* ok$' "$work/out" || fail "the header, groups of 100: $out $err"
finish
