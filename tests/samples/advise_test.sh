# SPDX-License-Identifier: MIT
# --advise runs the samples without their annotations as written, and finds every annotation that they
# carry: the file that it writes is taken by --annotations as it is, and tiles all launches.
. "$DL_SOURCE/tests/samples/common.sh"
cd "$work" || exit 1

# advised SAMPLE KERNEL WANTED PROGRAM ARGUMENT...: the line that is wanted, and what it brings.
advised() {
    local sample=$1 kernel=$2 wanted=$3
    shift 3
    sed '/^\/\/DL:/d' "$DL_SOURCE/samples/$sample/$sample.cl" >"$sample.cl"
    checksum_of "$@" --kernel "$sample.cl"
    local native=$sum
    rm -f advice
    expect_checksum "$native" "$dl_run" --advise=advice --stats=stats.json -- "$@" --kernel "$sample.cl"
    expect_stats stats.json kernel="$kernel" launches=0 native=5 marshals=0 back_at_most=0
    [ "$(grep -v '^#' advice)" = "$wanted" ] || fail "want '$wanted': $(cat advice)"
    grep -q "^# $kernel: 5 launches; " advice || fail "no count: $(cat advice)"
    grep -Eq '^# .* used of .* fetched(, if the loop in line [0-9]+ has 16 rounds)?$' advice || fail "no bytes: $(cat advice)"
    expect_checksum "$native" "$dl_run" --annotations advice --layout asta --stats=stats.json -- \
        "$@" --kernel "$sample.cl"
    expect_stats stats.json kernel="$kernel" launches=5 native=0
}
# carried FILE ...: the annotations in a sample, of as many structs as fit.
carried() {
    grep -h '^//DL: AoS: ' "$@" | sed -E 's/^\/\/DL: AoS: //; s/([a-z_]+)\[[^]]*\]/\1[]/g; s/CELL_FLOATS/20/g'
}

lbm_text=$DL_SOURCE/samples/lbm/lbm.cl
advised lbm lbm_step "lbm_step: AoS: $(carried "$lbm_text" | head -1)" \
    "$lbm" --size 15x9x7 --steps 4 --check
advised lbm lbm_step "lbm_step: AoS: $(carried "$lbm_text" | tail -1)" \
    "$lbm" --size 15x9x7 --steps 4 --variant flat --check
advised black_scholes black_scholes \
    "black_scholes: AoS: $(carried "$DL_SOURCE/samples/black_scholes/black_scholes.cl")" \
    "$black_scholes" --options 1003 --steps 4 --check
advised agents season "season: AoS: $(carried "$DL_SOURCE/samples/agents/agents.cl")" \
    "$agents" --agents 1003 --steps 4 --check
advised spmv spmv "spmv: AoS: $(carried "$DL_SOURCE/samples/spmv/spmv.cl")" \
    "$spmv" --rows 1000 --steps 4 --check

# What takes from the gain is said beside it: small buffers, and commands of the host between launches.
cat >few.cl <<'EOF'
typedef struct { float f[20]; } cell;
__kernel void lbm_step(__global const cell *src, __global cell *dst, int nx, int ny, int nz,
                       float omega, float lid)
{
    size_t i = get_global_id(0);
    if (i < (size_t)nx)
        dst[i].f[0] = src[i].f[1];
}
EOF
run "$dl_run" --advise -- "$lbm" --size 33x1x1 --steps 12 --kernel few.cl
grep -q '^# lbm_step: 13 launches; expect up to ' err || fail "no gain: $err"
grep -q '^# where the text .* A CPU gains less than bytes fall, since$' err || fail "bytes and speed: $err"
grep -q '^#   less: its buffers have only 5.3 KB, which fit a cache$' err || fail "small buffers: $err"
grep -q 'between launches' err && fail "commands that there are not: $err"
run "$dl_run" --advise -- "$lbm" --size 33x1x1 --steps 12 --kernel few.cl --probe 100 --probe-by read
for buffer in src dst; do
    grep -q "^#   less: between launches [67] commands read or wrote $buffer\[\], " err || fail "commands of $buffer: $err"
done
# dl-patterns, without the annotations in its texts
sed 's,//DL: ,//no: ,' "$DL_BUILD/bin/dl-patterns" >patterns
chmod +x patterns
run "$dl_run" --advise -- ./patterns --pattern rewritten_one --steps 12 --shrink 256
grep -q '^#   less: between launches 1[0-9] commands read or wrote [a-z]*\[\], ' err || fail "a buffer that the host overwrites: $err"

# What is left comes with its place, the reason and a way out.
cat >stored.cl <<'EOF'
typedef struct { float f[20]; } cell;
__kernel void lbm_step(__global const cell *src, __global cell *dst, int nx, int ny, int nz,
                       float omega, float lid)
{
    __global cell *both[2] = {dst, dst};
    size_t i = get_global_id(0);
    if (i < (size_t)nx)
        both[i & 1][i].f[0] = src[i].f[1];
}
EOF
run "$dl_run" --advise -- "$lbm" --size 33x1x1 --steps 4 --kernel stored.cl
grep -q "^lbm_step: AoS: src\[\]$" err || fail "src is not found: $err"
grep -q "^#   .*:5:31: kernel 'lbm_step', buffer 'dst' .*; to change: " err || fail "no way out: $err"
grep -q '^# Passed over or left as they are; a buffer that' err || fail "passed over: $err"
grep -q '^# these, so that nothing may be gained before they are changed:$' err || fail "what that costs others: $err"

# A buffer that is passed over beside others keeps nothing from gaining.
cat >beside.cl <<'EOF'
typedef struct { float f[20]; } cell;
__kernel void lbm_step(__global const cell *src, __global float *dst, int nx, int ny, int nz,
                       float omega, float lid)
{
    size_t i = get_global_id(0);
    if (i < (size_t)nx)
        dst[i] = src[i].f[1];
}
EOF
run "$dl_run" --advise -- "$lbm" --size 33x1x1 --steps 4 --kernel beside.cl
grep -A1 '^# Buffers of these kernels that DL passed over, which change nothing for the others:$' err |
    grep -q "buffer 'dst' is passed over" || fail "a buffer beside: $err"
grep -q 'eft as they are' err && fail "a buffer beside is said to cost something: $err"

# What lies in constant memory and is the same for all work-items costs nothing: it is counted.
cat >constants.cl <<'EOF'
typedef struct { float f[20]; } cell;
typedef struct { float a, b; } setting;
__kernel void lbm_step(__global const cell *src, __global cell *dst, int nx, int ny, int nz,
                       float omega, float lid)
{
    size_t i = get_global_id(0);
    if (i < (size_t)nx)
        dst[i].f[0] = src[i].f[1];
}
__kernel void other(__global cell *p, __constant setting *s, __constant setting *t)
{
    p[get_global_id(0)].f[2] = s->a + s->b + t->a + t->b;
}
EOF
run "$dl_run" --advise -- "$lbm" --size 33x1x1 --steps 4 --kernel constants.cl
grep -q '^# 2 arguments in constant memory, of which neighbouring work-items use the same$' err || fail "constants: $err"
grep -q "eft as they are\|buffer 's'" err && fail "constants are said to cost something: $err"
run "$dl_run" --doctor -- "$lbm" --size 33x1x1 --steps 4 --kernel constants.cl
grep -q "buffer 's'" out && fail "constants, the doctor: $(cat out)"

# A loop whose rounds the text has counts as many times, and another as 16: of 33 work-items, in 5 launches.
for rounds in 3 nx; do
    cat >rounds.cl <<EOF
typedef struct { float f[20]; } cell;
__kernel void lbm_step(__global const cell *src, __global cell *dst, int nx, int ny, int nz,
                       float omega, float lid)
{
    size_t i = get_global_id(0);
    if (i < (size_t)nx)
        for (int k = 0; k < $rounds; k++)
            dst[i].f[0] += src[i + k].f[4];
}
EOF
    run "$dl_run" --advise -- "$lbm" --size 33x1x1 --steps 4 --kernel rounds.cl
    grep -q "^#     f\[4\], bytes 16 to 19: $([ $rounds = 3 ] && echo 2.0 || echo 11) KB used of " err || fail "$rounds rounds: $err"
    [ $rounds = 3 ] || grep -q '^#     f\[4\], bytes 16 to 19: .* fetched, if the loop in line 7 has 16 rounds$' err || fail "no line: $err"
done

# An address that does not change in a loop is fetched once, whatever the loop's rounds: of 33 work-items, in 5 launches.
for rounds in 1 8 nx; do
    sed -i "s/for (int k = 0; .*/for (int k = 0; k < $rounds; k++)/; s/src\[i + k\]/src[i]/" rounds.cl
    run "$dl_run" --advise -- "$lbm" --size 33x1x1 --steps 4 --kernel rounds.cl
    grep '^#     bytes' err >"members.$rounds"
    cmp members.1 "members.$rounds" || fail "$rounds rounds of one address: $err"
done

# Where nothing is found, the file says so, and --annotations takes it all the same.
cat >plain.cl <<'EOF'
__kernel void lbm_step(__global const float *src, __global float *dst, int nx, int ny, int nz,
                       float omega, float lid)
{
    dst[get_global_id(0)] = src[get_global_id(0)];
}
EOF
rm -f advice
run "$dl_run" --advise=advice -- "$lbm" --size 33x1x1 --steps 4 --kernel plain.cl
grep -q "^# No kernel that was launched has a buffer" advice || fail "nothing is said: $err"
run "$dl_run" --annotations advice -- "$lbm" --size 33x1x1 --steps 4 --kernel plain.cl
[ "$code" = 0 ] || fail "the file is not taken: $err"

# A kernel that carries its annotation is not said to have no structs.
rm -f advice
run "$dl_run" --advise=advice -- "$agents" --agents 1003 --steps 4
grep -qx '# season: annotated already' advice || fail "not said to be annotated: $(cat advice)"
! grep -q 'No kernel that was launched' advice || fail "no structs, it says: $(cat advice)"

# The builder outlives its program: the file stays as the program has left it.
builders() {
    grep -lsz "^DL_CACHE=$work/advised$" /proc/[0-9]*/environ | sed 's/environ$/comm/' |
        xargs -r grep -ls '^dl-builder$'
}
mkdir -m 700 advised
sed '/^\/\/DL:/d' "$DL_SOURCE/samples/agents/agents.cl" >agents.cl
rm -f advice
run env DL_CACHE="$work/advised" "$dl_run" --advise=advice -- "$agents" --agents 1003 --steps 4 --kernel agents.cl
cp advice advice_at_first
for try in $(seq 600); do
    [ -n "$(builders)" ] || break
    sleep 0.1
done
[ -z "$(builders)" ] || fail "the builder does not end"
cmp advice_at_first advice || fail "the advice is not the program's any more"
finish
