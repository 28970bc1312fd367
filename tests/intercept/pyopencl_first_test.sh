#!/bin/bash
# SPDX-License-Identifier: MIT
# A pyopencl program whose kernels were built and kept without DL, by pyopencl and by the driver: by default its first run
# under `dl-run` goes to a layout that gains, gives the same bytes, and leaves what was kept as it is, whether
# XDG_CACHE_HOME is set or not. pyopencl adds a line to the text that it keeps, so the driver has to compile the program's
# text again: the first launches take longer than all others.
. "$(dirname "$0")/common.sh"
python=/usr/bin/python3
$python -c 'import pyopencl, numpy' 2>/dev/null || {
    echo "no pyopencl (Debian: python3-pyopencl)"
    exit 77
}
[ -z "$runtime" ] || exit 77 # Python would want the sanitizer
# Kernels are built as for users, and kept where the driver and DL keep them without being told.
unset PYOPENCL_NO_CACHE POCL_CACHE_DIR POCL_EXTRA_BUILD_FLAGS POCL_WORK_GROUP_METHOD DL_CACHE
export PYTHONWARNINGS=ignore

cat >"$work/program.py" <<'END'
# program.py STEPS [FILE]: at most this number of steps; fewer once FILE has the policy's decision.
import sys, numpy, pyopencl
n, most = 400000, int(sys.argv[1])
context = pyopencl.Context(pyopencl.get_platforms()[0].get_devices()[:1])
queue = pyopencl.CommandQueue(context)
program = pyopencl.Program(context, """
typedef struct { uint x, v, w, rest[13]; } body;
__kernel void kick(__global body *b) { int i = get_global_id(0); b[i].v += b[i].x; }
__kernel void drift(__global body *b) { int i = get_global_id(0); b[i].x += b[i].w; }
""").build()
kick, drift = program.kick, program.drift
host = numpy.arange(16 * n, dtype=numpy.uint32).reshape(n, 16) * numpy.uint32(2654435761)
want = host.copy()
flags = pyopencl.mem_flags
device = pyopencl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=host)
steps = 0
while steps < most:
    kick(queue, (n,), None, device)
    drift(queue, (n,), None, device)
    steps += 1
    if steps % 100 == 0 and len(sys.argv) > 2 and "policy: group" in open(sys.argv[2]).read():
        most = min(most, steps + 100)
pyopencl.enqueue_copy(queue, host, device)
x, v, w = want[:, 0].copy(), want[:, 1], want[:, 2]
want[:, 1] = v + numpy.uint32(steps) * x + numpy.uint32(steps * (steps - 1) // 2) * w
want[:, 0] = x + numpy.uint32(steps) * w
print("right" if (host == want).all() else "wrong", "after", steps)
END

# The builder goes on after the program, in folders that are to be removed.
end_builder() {
    local process
    for process in $(grep -ls '^dl-builder$' /proc/[0-9]*/comm); do
        process=${process%/comm}
        ! grep -qsz "^HOME=$HOME\$" "$process/environ" || kill -KILL "${process#/proc/}"
    done 2>/dev/null
}
for where in set unset; do
    export HOME=$work/$where
    mkdir "$HOME"
    kept=$HOME/.cache
    unset XDG_CACHE_HOME
    [ $where = unset ] || export XDG_CACHE_HOME=$HOME/xdg kept=$HOME/xdg
    under device native $python "$work/program.py" 2 >"$work/out" 2>&1 || fail "without DL: $(tail -n 3 "$work/out")"
    [ "$(cat "$work/out")" = "right after 2" ] || fail "without DL: $(cat "$work/out")"
    find "$kept" -type f -exec md5sum {} + >"$work/before"
    grep -q "$kept/pyopencl/.*/binary" "$work/before" || {
        echo "this pyopencl keeps no binaries of this driver's"
        exit 77
    }
    under device native DL_LOG=debug "$DL_BUILD/bin/dl-run" --stats="$work/stats" -- \
        $python "$work/program.py" 4000 "$work/err" >"$work/out" 2>"$work/err" || fail "under DL: $(tail -n 3 "$work/err")"
    end_builder
    grep -q '^right after' "$work/out" || fail "XDG_CACHE_HOME $where: $(cat "$work/out")"
    md5sum --quiet -c "$work/before" || fail "XDG_CACHE_HOME $where: what was kept has changed"
    # On a busy machine the other may not have been explored yet.
    grep -q '"kernel":"[a-z]*","launches":[1-9]' "$work/stats" ||
        fail "XDG_CACHE_HOME $where: both kernels ran as written: $(cat "$work/out" "$work/stats")"
    echo "XDG_CACHE_HOME $where: $(cat "$work/out")"
done
finish
