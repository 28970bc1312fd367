#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: --verify finds a transformed launch that gives other bytes than the program's own, says
# where, and the program goes on with the native result; a right one passes unremarked, and a
# kernel that never gives the same bytes twice is told apart.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
sample="$DL_BUILD/samples/black_scholes --options 1003 --steps 4"
native=$($sample | grep checksum:)

# The receipt alone is what DL says; drivers may say more.
receipt() { # WHAT RECEIPT, a pattern
    [ "$(grep -c '^dl: ' "$work/err")" = 1 ] && grep -qE "^dl: verify: $2\$" "$work/err" ||
        fail "$1: $(cat "$work/err")"
}

# A right kernel: it is equal, the bytes are the same.
$DL_BUILD/bin/dl-run --layout asta --verify -- $sample >"$work/out" 2>"$work/err" || fail "right: exit"
grep -q "^$native$" "$work/out" || fail "right: $(cat "$work/out")"
receipt right "5 launches compared: 5 equal"
# Where looking at tiles brings them back, they are tiles again before the launch.
$DL_BUILD/bin/dl-run --layout asta --staging 0 --verify -- $sample >"$work/out" 2>"$work/err" || fail "no staging: exit"
grep -q "^$native$" "$work/out" || fail "no staging: $(cat "$work/out")"
receipt "no staging" "5 launches compared: 5 equal"
$DL_BUILD/bin/dl-run --layout da --log debug --verify=2 -- $sample >"$work/out" 2>"$work/err"
[ "$(grep -c 'same bytes' "$work/err")" -eq 3 ] || fail "every second of five: $(cat "$work/err")"

# A wrong one: the shipped text with its tiles one struct off, which the program's own layout
# does not see.
"$DL_BUILD/bin/dl-annotate" "$DL_SOURCE/samples/black_scholes/black_scholes.cl" -o "$work/right.cl" ||
    fail "dl-annotate"
sed 's/+ (dl_row) \* (dl_width))/+ ((dl_row) ^ ((dl_offset) == 16 \&\& (dl_i) == 777)) * (dl_width))/' \
    "$work/right.cl" >"$work/wrong.cl"
cmp -s "$work/right.cl" "$work/wrong.cl" && fail "the text has changed: nothing was broken"
"$DL_BUILD/bin/dl-run" --layout asta --libclang none -- $sample --kernel "$work/wrong.cl" >"$work/out"
grep -q "^$native$" "$work/out" && fail "the broken text gives the right bytes"
"$DL_BUILD/bin/dl-run" --layout asta --libclang none --verify --stats="$work/stats.json" -- \
    $sample --kernel "$work/wrong.cl" >"$work/out" 2>"$work/err" || fail "wrong: exit"
grep -q "^$native$" "$work/out" || fail "wrong: the program did not go on with the native result"
grep -q "verify: kernel black_scholes, launch 1, argument 0 options, struct 77[67], member at byte 16" \
    "$work/err" || fail "wrong: $(cat "$work/err")"
sed -i '/^dl: warning: verify: kernel black_scholes, launch 1,/d' "$work/err"
receipt wrong "1 launch compared: 0 equal, 1 different"
grep -q '"launches":1,"native_launches":4.*gave other results' "$work/stats.json" || fail "wrong: $(cat "$work/stats.json")"

# The same wrong text of a kernel that draws a slot by an atomic: which one it draws may be why it differs.
sed '/^__kernel/,/^{$/s/^{$/{ __local int next; int slot = atomic_inc(\&next); if (slot == -7) return;/' \
    "$DL_SOURCE/samples/black_scholes/black_scholes.cl" >"$work/draws.cl"
"$DL_BUILD/bin/dl-annotate" "$work/draws.cl" -o "$work/right.cl" || fail "draws: dl-annotate"
sed 's/+ (dl_row) \* (dl_width))/+ ((dl_row) ^ ((dl_offset) == 16 \&\& (dl_i) == 777)) * (dl_width))/' "$work/right.cl" >"$work/wrong.cl"
"$DL_BUILD/bin/dl-run" --layout asta --libclang none --verify -- $sample --kernel "$work/wrong.cl" >"$work/out" 2>"$work/err" ||
    fail "draws: exit"
[ "$(grep -c "launch [1-5]: it gave other bytes, and uses what atomic functions return" "$work/err")" = 5 ] ||
    fail "draws: $(cat "$work/err")"
sed -i '/^dl: warning: verify: kernel black_scholes, launch /d' "$work/err"
receipt draws "5 launches compared: 0 equal, 5 of kernels that do not repeat themselves"

# What prints does so once a launch, and is not compared.
sed 's/^{$/{ if (get_global_id(0) == 0) printf("seen\\n");/' "$DL_SOURCE/samples/black_scholes/black_scholes.cl" >"$work/prints.cl"
$sample --kernel "$work/prints.cl" >"$work/native"
"$DL_BUILD/bin/dl-run" --layout asta --verify -- $sample --kernel "$work/prints.cl" >"$work/out" 2>"$work/err" || fail "prints: exit"
[ "$(grep -c seen "$work/native")" -gt 0 ] && [ "$(grep -c seen "$work/out")" = "$(grep -c seen "$work/native")" ] ||
    fail "prints: $(grep -c seen "$work/out") times, natively $(grep -c seen "$work/native")"
[ "$(grep -c "kernel 'black_scholes', launch 1, is not verified: run once more, it would print" "$work/err")" = 1 ] ||
    fail "prints: $(cat "$work/err")"

# verified KERNEL ITEMS LAUNCHES RECEIPT: of a kernel of verified.c.
verified() {
    local plain
    plain=$("$DL_BUILD/tests/verified" "$1" "$2" "$3")
    "$DL_BUILD/bin/dl-run" --layout asta --verify -- "$DL_BUILD/tests/verified" "$1" "$2" "$3" >"$work/out" 2>"$work/err" ||
        fail "$1: exit"
    # Padding that the kernel does not set is another each time, natively too.
    [ "$(cat "$work/out")" = "$plain" ] || [ "$1" = made_here ] || [ "$1" = stored ] || fail "$1: $(cat "$work/out"), natively $plain"
    grep -qE "^dl: verify: $4\$" "$work/err" && ! grep -q ' different$\|not verified' "$work/err" ||
        fail "$1: $(cat "$work/err")"
}
# The first tiled launch of a kernel without annotation is compared anyway, and counts.
DL_DETECT=on verified found 1000 1 "1 launch compared: 1 equal"
# What of a struct that is stored whole nothing has set does not count (unset.h).
DL_DETECT=on verified stored 1000 2 "2 launches compared: 2 equal"
# Padding of a struct that is made in the kernel, the fourth lanes of vectors of three, and which slot an atomic draws (another
# each time, unless the driver has one thread).
rest="2 launches compared: (2 equal|1 equal, 1 of kernels.*|0 equal, 2 of kernels that do not repeat themselves)"
verified made_here 1000 2 "$rest"
verified lane 1000 2 "2 launches compared: 2 equal"
verified drawn 300000 2 "$rest"

# Every command on a buffer, its launches verified; some a turn (common/turn.h), all with DL_TEST_FULL.
# Kernels without an annotation run as written there.
export DL_DETECT=off
claims="transfers views"
[ "${DL_TURN:-0}" = 0 ] || claims="maps launches"
[ -z "${DL_TEST_FULL:-}" ] || claims="transfers maps views launches"
for claim in $claims; do
    "$DL_BUILD/tests/watched" -c 600 "$DL_BUILD/bin/dl-run" --layout asta --tile 8 --verify -- \
        "$DL_BUILD/tests/test_memory_$claim" >"$work/out" 2>"$work/err" ||
        fail "$(cat "$work/out" "$work/err")"
    grep "verif" "$work/err" | grep -vE '^dl: verify: ([0-9]+) launch(es)? compared: \1 equal$' &&
        fail "a launch differs"
    grep -qE '^dl: verify: [1-9]' "$work/err" || fail "$claim: no launch is compared"
done
exit $failed
