#!/bin/bash
# SPDX-License-Identifier: MIT
# Real programs on PoCL are caught and print what they print without DL: clinfo (linked), clpeak
# (linked, C++), pyopencl (a plug-in of Python's, RTLD_LOCAL). PoCL's linker is a child process
# that inherits the preload. What a stranger's program says on standard error is not compared, nor are
# its numbers, unless they are part of a name or a version: memory, clocks and times differ between
# any two runs.
. "$(dirname "$0")/common.sh"
export POCL_CACHE_DIR=$work/pocl
type clinfo clpeak >/dev/null 2>&1 || exit 77
clinfo -l 2>/dev/null | grep -q 'Portable Computing' || exit 77

cat >"$work/program.py" <<'END'
import numpy, pyopencl
context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
program = pyopencl.Program(context, """
__kernel void twice(__global float *a) { a[get_global_id(0)] *= 2; }
""").build()
host = numpy.arange(7, dtype=numpy.float32)
flags = pyopencl.mem_flags
device = pyopencl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=host)
program.twice(queue, host.shape, None, device)
pyopencl.enqueue_copy(queue, host, device)
print(host.tolist(), program.kernel_names)
END

# Which properties there are and in what order, and the values that are words.
steady() {
    sed -E '/(Name|Version|Vendor|Extensions|features|Profile|Platform|Device|Driver)/!s/[0-9]+(\.[0-9]+)?/N/g'
}

compare() { # NAME COMMAND...
    local name=$1 how
    shift
    under none native "$@" 2>"$work/err" | steady >"$work/native"
    [ -s "$work/native" ] || fail "$name does not run: $(tail -n 1 "$work/err")"
    for how in preload layer; do
        DL_LOG=debug under none $how "$@" >"$work/out" 2>"$work/err" ||
            fail "$name $how: $(tail -n 1 "$work/err")"
        steady <"$work/out" | diff "$work/native" - || fail "$name $how: output differs"
        [ "$(grep -c 'caught as layer' "$work/err")" = 1 ] || fail "$name $how: not caught once"
    done
}

compare clinfo clinfo
compare clpeak clpeak --kernel-latency
if /usr/bin/python3 -c 'import pyopencl' 2>/dev/null; then
    compare pyopencl /usr/bin/python3 "$work/program.py"
fi
finish
