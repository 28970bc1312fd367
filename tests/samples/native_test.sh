# SPDX-License-Identifier: MIT
# The samples without DL: right at odd sizes, stable, and able to notice a wrong kernel.
. "$DL_SOURCE/tests/samples/common.sh"

# Sizes by turns (tests/common/turn.h), all with DL_TEST_FULL.
sizes="31x29x13 1x1x1 128x5x4" counts="1 127 1009"
[ "${DL_TURN:-0}" = 0 ] || sizes="1x7x2 33x2x5 3x3x3" counts="31 100003"
[ -z "${DL_TEST_FULL:-}" ] || sizes="31x29x13 1x1x1 1x7x2 33x2x5 3x3x3 128x5x4" counts="1 31 127 1009 100003"
for size in $sizes; do
    checksum_of "$lbm" --size $size --steps 7 --check
    first=$sum
    expect_checksum "$first" "$lbm" --size=$size --steps=7 --variant flat --check
    expect_checksum "$first" "$lbm" --size=$size --steps=7 --variant soa
    expect_checksum "$first" "$lbm" --size $size --steps 7
done
checksum_of "$lbm" --size 32x32x32 --steps 20 --check
[ "$(tail -n 3 "$work/out" | cut -d: -f1 | xargs)" = "checksum time_s mlups" ] ||
    fail "lbm must end with checksum, time_s and mlups"

# The launch that warms up is not a step: n steps differ from n + 1 and from n - 1.
checksum_of "$lbm" --size 8x8x8 --steps 2
two=$sum
for steps in 1 3; do
    checksum_of "$lbm" --size 8x8x8 --steps $steps
    [ "$sum" != "$two" ] || fail "$steps steps give the same result as 2"
done

for count in $counts; do
    checksum_of "$black_scholes" --options $count --steps 2 --check
    expect_checksum "$sum" "$black_scholes" --options $count --steps 5
done
[ "$(tail -n 3 "$work/out" | cut -d: -f1 | xargs)" = "checksum time_s options_per_s" ] ||
    fail "black_scholes must end with checksum, time_s and options_per_s"
run "$black_scholes" --options 100 --steps 2 --profile
[ -n "$(value device_s)" ] || fail "--profile must print device_s"

for count in 1 31 1009; do
    checksum_of "$agents" --agents $count --steps 8 --check
    first=$sum
    checksum_of "$agents" --agents $count --steps 9 --check
    [ "$sum" != "$first" ] || fail "agents: 9 seasons give the same result as 8"
done

# --check notices one wrong neighbour in a kernel, and one wrong digit.
# notices SAMPLE SED_EXPRESSION ARGUMENT...
notices() {
    local name=$1 expression=$2
    shift 2
    sed "$expression" "$DL_SOURCE/samples/$name/$name.cl" >"$work/wrong.cl"
    cmp -s "$work/wrong.cl" "$DL_SOURCE/samples/$name/$name.cl" && fail "$expression changes nothing"
    run "$DL_BUILD/samples/$name" "$@" --check --kernel "$work/wrong.cl"
    [ $code -eq 1 ] || fail "a wrong kernel passes --check (exit code $code): $expression"
}
notices lbm 's/\[west + south + plane\].ne/[west + north + plane].ne/' --size 9x8x7 --steps 3
notices lbm 's/CELL_LID 2/CELL_LID 3/' --size 9x8x7 --steps 3
notices lbm 's/ f->sb = in.nt/ f->sb = in.nb/' --size 9x8x7 --steps 3
notices black_scholes 's/1\.781477937/1.781577937/' --options 99 --steps 1
notices agents 's/energy >> 5/energy >> 6/' --agents 99 --steps 3

# Bad input: one line and exit code 2, or 1 once OpenCL is at work.
bad() {
    local want=$1
    shift
    run "$@"
    [ $code -eq $want ] || fail "exit code $code, want $want: $*"
    [ -n "$err" ] || fail "no message: $*"
}
bad 2 "$lbm" --size 32x32
bad 2 "$lbm" --size 32x32x0
bad 2 "$lbm" --size 32x-1x32
bad 2 "$lbm" --size 32x32x32x32
bad 2 "$lbm" --size 4096x4096x4096
bad 2 "$lbm" --steps 0
bad 2 "$lbm" --steps 1e3
bad 2 "$lbm" --steps
bad 2 "$lbm" --steps 99999999999999999999
bad 2 "$lbm" --variant cubic
bad 2 "$lbm" --check=yes
bad 2 "$lbm" surplus
bad 1 "$lbm" --device 'no such device'
bad 1 "$lbm" --size 4x4x4 --kernel "$work/missing.cl"
bad 2 "$black_scholes" --options -5
bad 2 "$black_scholes" --options 1073741825
bad 2 "$black_scholes" --size 4x4x4
bad 2 "$agents" --agents 0
finish
