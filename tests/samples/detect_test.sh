# SPDX-License-Identifier: MIT
# Under dl-run the samples without their annotations give the same bytes on every layout, in tiles from
# the first launch on; a rewritten kernel that gives others, or that can't be compared with its own text,
# runs as written, of which a line tells where a layout is asked for.
. "$DL_SOURCE/tests/samples/common.sh"
cd "$work" || exit 1
for sample in lbm black_scholes spmv; do
    sed '/^\/\/DL:/d' "$DL_SOURCE/samples/$sample/$sample.cl" >"$sample.cl"
done

# says_alone PATTERN: one warning, of this; empty: nothing is said.
warns=
says_alone() {
    [ "$(said | grep -c .)" = "${1:+1}" ] || [ -z "$1$(said)" ] || fail "not one line: $err"
    [ -z "$1" ] || said | grep -q "^dl: warning: kernel .* runs as written: .*$1" || fail "not said: $1: $err"
}

# detected WANT KERNEL LAUNCHES NATIVE OPTIONS PROGRAM ARGUMENT...: nothing is said but $warns, and so many launches
# are in tiles.
detected() {
    local want=$1 kernel=$2 launches=$3 native=$4 options=$5
    shift 5
    # shellcheck disable=SC2086 # several words
    expect_checksum "$want" "$dl_run" $options --stats=stats.json -- "$@"
    says_alone "$warns"
    expect_stats stats.json kernel="$kernel" launches="$launches" native="$native"
}
# said: what the last run says; compilers count their own warnings.
said() {
    grep -v "warning.* generated" "$work/err"
}
# remarked PATTERN: the same run with remarks has one line like that.
remarked() {
    local pattern=$1
    shift
    run "$dl_run" --detect on --log remark "$@"
    [ "$(grep -c "runs as written: $pattern" "$work/err")" -eq 1 ] ||
        fail "want one line like '$pattern': $err"
    grep -q "follows the annotation" "$work/err" && fail "nobody has annotated it: $err"
}

small_lbm=("$lbm" --size 15x9x7 --steps 4 --check --kernel lbm.cl)
few_options=("$black_scholes" --options 1003 --steps 4 --check --kernel black_scholes.cl)
checksum_of "${small_lbm[@]}"
lbm_sum=$sum
checksum_of "${few_options[@]}"
options_sum=$sum
few_rows=("$spmv" --rows 1000 --steps 4 --check --kernel spmv.cl)
checksum_of "${few_rows[@]}"
rows_sum=$sum
for options in "--layout asta" "--layout da"; do
    detected "$lbm_sum" lbm_step 5 0 "$options" "${small_lbm[@]}"
    detected "$options_sum" black_scholes 5 0 "$options" "${few_options[@]}"
    detected "$rows_sum" spmv 5 0 "$options" "${few_rows[@]}"
done
detected "$lbm_sum" lbm_step 5 0 "--layout asta" "${small_lbm[@]}" --variant flat
# By chance, at moments that the seed gives.
checksum_of "$lbm" --size 15x9x7 --steps 40 --kernel lbm.cl
expect_checksum "$sum" "$dl_run" --policy-test 7 --log debug -- \
    "$lbm" --size 15x9x7 --steps 40 --kernel lbm.cl
grep -q "'lbm_step': its first rewritten launch gives the same bytes" err || fail "not tried: $err"
expect_checksum "$options_sum" "$dl_run" -- "${few_options[@]}"

# Off, which is the default without dl-run, nothing is found.
expect_checksum "$lbm_sum" "$dl_run" --detect off --layout asta --stats=stats.json -- "${small_lbm[@]}"
expect_stats stats.json marshals=0 back_at_most=0
expect_checksum "$lbm_sum" env DL_DETECT=off "$dl_run" --layout asta --stats=stats.json -- "${small_lbm[@]}"
expect_stats stats.json marshals=0 back_at_most=0
runtime=$(ldd "$library" | awk '/lib(asan|tsan)\.so/ { print $3; exit }')
expect_checksum "$lbm_sum" env LD_PRELOAD="${runtime:+$runtime:}$library" DL_LAYOUT=asta DL_STATS=stats.json \
    "${small_lbm[@]}"
expect_stats stats.json marshals=0 back_at_most=0

# Less than a tile.
checksum_of "$lbm" --size 5x3x2 --steps 3
detected "$sum" lbm_step 0 4 "--layout asta" "$lbm" --size 5x3x2 --steps 3 --kernel lbm.cl
detected "$sum" lbm_step 0 4 "--layout da" "$lbm" --size 5x3x2 --steps 3 --kernel lbm.cl

# No room for copies.
detected "$lbm_sum" lbm_step 0 5 "--layout asta --memory-cap 100k" "${small_lbm[@]}"
remarked ".*--memory-cap" --layout asta --memory-cap 100k -- "${small_lbm[@]}"

# A remark on a buffer names it, and is the same with statistics.
for stats in "" --stats=stats.json; do
    # shellcheck disable=SC2086 # none is an option
    run "$dl_run" --layout asta --staging 0 --log remark $stats -- "$DL_BUILD/bin/dl-patterns" --pattern probe --steps 3 --shrink 64
    grep "brought back" <<<"$err" >"brought$stats"
done
grep -qE "^dl: remark: buffer [0-9]+ 'items' is brought back to AoS for clEnqueueReadBuffer$" brought || fail "no name: $(cat brought)"
cmp -s brought brought--stats=stats.json || fail "other remarks with statistics: $(cat brought*)"

# The statistics have the log's reason.
same_reason() {
    local pattern=$1 reason
    shift
    run "$dl_run" --layout asta --log remark --stats "$@"
    reason=$(sed -n "s/^dl: remark: kernel 'lbm_step' runs as written: //p" "$work/err")
    [[ $reason == $pattern ]] || fail "not said: $pattern: $err"
    grep -qxF "      why: $reason" "$work/err" || fail "another reason than '$reason': $err"
    grep -qF "ran as written: $reason" "$work/err" || fail "in short, not '$reason': $err"
}
cannot="its first rewritten launch can't be compared with its own text"
same_reason "$cannot: copies of its buffers would exceed --memory-cap" --memory-cap 100k -- "${small_lbm[@]}"
cat >talking.cl <<'EOF'
typedef struct { float f[20]; } cell;
__kernel void lbm_step(__global const cell *src, __global cell *dst, int nx, int ny, int nz,
                       float omega, float lid)
{
    size_t i = get_global_id(0);
    if (i < (size_t)nx)
        dst[i].f[3] = src[i].f[1];
    if (i == 0)
        printf("%d\n", nx);
}
EOF
same_reason "$cannot: it prints, *" -- "$lbm" --size 33x1x1 --steps 4 --kernel talking.cl

# A kernel whose result hangs on where its buffers lie does not repeat itself.
cat >moody.cl <<'EOF'
typedef struct { float f[20]; } cell;
__kernel void lbm_step(__global const cell *src, __global cell *dst, int nx, int ny, int nz,
                       float omega, float lid)
{
    size_t i = get_global_id(0);
    if (i < (size_t)nx)
        dst[i].f[i % 3] = src[i].f[1] + (float)((ulong)src >> 4 & 0xfffff);
}
EOF
moody=("$lbm" --size 33x1x1 --steps 4 --kernel moody.cl)
run "$dl_run" --detect on --layout asta --stats=stats.json -- "${moody[@]}"
says_alone "it gives a different result each time"
expect_stats stats.json kernel=lbm_step launches=1 native=4
grep -q '"it gives a different result each time"' stats.json || fail "why: $(cat stats.json)"
remarked "it gives a different result each time" --layout asta -- "${moody[@]}"

# A wrong rewrite, as a shipped text: the first launch is made good, the others run as written.
"$DL_BUILD/bin/dl-annotate" --detect black_scholes.cl -o right.cl || fail "dl-annotate"
sed 's/+ (dl_row) \* (dl_width))/+ ((dl_row) ^ ((dl_offset) == 16 \&\& (dl_i) == 777)) * (dl_width))/' \
    right.cl >wrong.cl
cmp -s right.cl wrong.cl && fail "the text has changed: nothing was broken"
wrong=("$black_scholes" --options 1003 --steps 4 --kernel wrong.cl)
warns="gives other bytes in argument 0 than its own text"
detected "$options_sum" black_scholes 1 4 "--layout asta --libclang none" "${wrong[@]}"
remarked "its first rewritten launch gives other bytes in argument 0 than its own text; byte [0-9][0-9]* is the first: the compiler rounds it differently, it has a race, or DL has rewritten it wrongly" --layout asta --libclang none \
    -- "${wrong[@]}"
# What `auto` finds on copies is said in the run that finds it, and in each later one from what is kept. The copies may
# lie in the same place twice, so that the text repeats itself, or not.
cat >all.cl <<'EOF'
typedef struct { float f[20]; } cell;
__kernel void lbm_step(__global const cell *src, __global cell *dst, int nx, int ny, int nz,
                       float omega, float lid)
{
    size_t i = get_global_id(0) + nx * (get_global_id(1) + ny * get_global_id(2));
    if (get_global_id(0) < (size_t)nx)
        dst[i].f[3] = src[i].f[1] + (float)((ulong)src >> 4 & 0xfffff);
}
EOF
all=(-- "$lbm" --size 64x64x16 --steps 1500 --kernel all.cl)
export DL_CACHE=$work/kept
run "$dl_run" --layout da "${all[@]}"
for _ in 1 2 3 4; do
    run "$dl_run" --log remark --stats --explain-policy "${all[@]}"
    ! grep -q "other layouts give other results or are not possible" "$work/err" || break
done
grep -qE "kernel 'lbm_step'(, argument 1: on copies in DA it gives other bytes than|: .* that it can't be compared in DA).*: it runs as written there" "$work/err" ||
    fail "not said when found: $err"
grep -qE "^dl: policy: group .*\(lbm_step\): as written after [0-9]+ launches; other layouts give other results" "$work/err" ||
    fail "another reason of its group: $err"
run "$dl_run" --log remark "${all[@]}"
[ "$(grep -cE "kernel 'lbm_step'(, argument 1: in DA it gives other bytes than its own text, as an earlier run has found: it runs as written there| runs as written in DA, as an earlier run has found: it gives a different result each time); annotate it if any of these results will do" "$work/err")" = 1 ] ||
    fail "not said again: $err"
# So is what can't be compared for another reason.
sed 's/ + (float).*/;/' all.cl >capped.cl
capped=(--memory-cap 100k -- "$lbm" --size 64x64x16 --steps 1500 --kernel capped.cl)
run "$dl_run" --layout da -- "$lbm" --size 64x64x16 --steps 3 --kernel capped.cl
for _ in 1 2 3 4; do
    run "$dl_run" --log remark --explain-policy "${capped[@]}"
    ! grep -q "after [0-9]* launches; other layouts give other results or are not possible" "$work/err" || break
done
cause="copies of its buffers would exceed --memory-cap; remove that cause and what --cache keeps, or annotate it"
grep -qF "kernel 'lbm_step' runs as written in DA: $cause" "$work/err" || fail "not said when found: $err"
run "$dl_run" --log remark "${capped[@]}"
[ "$(grep -cF "kernel 'lbm_step' runs as written in DA, as an earlier run has found: $cause" "$work/err")" = 1 ] ||
    fail "another reason: $err"
finish
