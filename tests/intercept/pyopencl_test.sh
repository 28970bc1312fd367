#!/bin/bash
# SPDX-License-Identifier: MIT
# pyopencl keeps the binaries of its programs, as it does unless told otherwise: under DL its kernels are
# transformed and right in its first run and in the next, kernels on structs and kernels on arrays of
# fields; natively it then runs as without DL; and where its cache was filled without DL, or DL's is
# gone, one warning names the kernels and the cure, and nothing is called transformed.
kept=$DL_CACHE # common.sh turns it off
. "$(dirname "$0")/common.sh"
python=/usr/bin/python3
$python -c 'import pyopencl, numpy' 2>/dev/null || {
    echo "no pyopencl (Debian: python3-pyopencl)"
    exit 77
}
export DL_LAYOUT=asta DL_TILE=8 XDG_CACHE_HOME=$work/xdg PYTHONWARNINGS=ignore
unset PYOPENCL_NO_CACHE
[ -z "$runtime" ] || exit 77 # Python would want the sanitizer

cat >"$work/program.py" <<'END'
# Prints what a kernel on structs and one on arrays of fields give: "right", or "structs" where the
# latter took the structs for arrays.
import numpy, pyopencl, pyopencl.array
n = 1003
context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
program = pyopencl.Program(context, """
#include "five.h"
//DL: AoS: f[n]
__kernel void advance(__global five *f, int n)
{ int i = get_global_id(0); if (i < n) { f[i].a += f[i].b * STEP; f[i].e ^= f[i].c + f[i].d; } }
//DL: SoA: f[n][5]
__kernel void arrays(__global int *f, int n)
{ int i = get_global_id(0); if (i < n) for (int j = 0; j < 5; j++) f[j * n + i] = f[j * n + i] * 5 + j; }
""").build(["-DSTEP=3", "-I" + __file__.rsplit("/", 1)[0]])
host = numpy.arange(5 * n, dtype=numpy.int32).reshape(n, 5) * 7
want = host.copy()
flags = pyopencl.mem_flags
device = pyopencl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=host)
seen = numpy.empty_like(host)
for _ in range(3):
    program.advance(queue, (n,), None, device, numpy.int32(n))
    want[:, 0] += want[:, 1] * 3
    want[:, 4] ^= want[:, 2] + want[:, 3]
pyopencl.enqueue_copy(queue, seen, device)
print("advance", "right" if (seen == want).all() else "wrong")
try:
    program.arrays(queue, (n,), None, device, numpy.int32(n))
    pyopencl.enqueue_copy(queue, seen, device)
    fields = want * 5 + numpy.arange(5, dtype=numpy.int32)
    flat = want.reshape(5, n) * 5 + numpy.arange(5, dtype=numpy.int32)[:, None]
    print("arrays", "right" if (seen == fields).all() else
          "structs" if (seen == flat.reshape(n, 5)).all() else "wrong")
except pyopencl.Error:
    print("arrays refused")
# One of pyopencl's own kernels, which it keeps likewise.
print("sum", pyopencl.array.sum(pyopencl.array.arange(queue, 100, dtype=numpy.int32)).get())
END
echo 'typedef struct { int a, b, c, d, e; } five;' >"$work/five.h"

# pyopencl's own kernels call functions that the tree would not name (drivers/small_pocl.py): today atan2(), cos(),
# cosh(), exp(), fabs(), fma(), hypot(), log(), sin(), sincos(), sinh() and sqrt(). If more, PoCL as it is runs them.
under device native PYOPENCL_NO_CACHE=1 $python "$work/program.py" 2>&1 | grep -q '^sum 4950$' || machine_vendors=

where=set # XDG_CACHE_HOME is, or not
# go HOW [SETTING...]: natively, by preload, or by dl-run. $moved: launches of `advance`, transformed and as written.
go() {
    local how=$1 by=$1 starter=
    shift
    [ "$how" != dl-run ] || by=native starter="$DL_BUILD/bin/dl-run --"
    [ "$where" = set ] || starter="env -u XDG_CACHE_HOME $starter"
    rm -f "$work/stats"
    # shellcheck disable=SC2086 # a command and its options
    under device "$by" DL_CACHE="$cache" DL_STATS="$work/stats" "$@" $starter $python "$work/program.py" \
        >"$work/out" 2>"$work/err" || fail "the program fails: $(tail -n 3 "$work/err")"
    seen=$(tr '\n' ' ' <"$work/out")
    said=$(grep ^dl: "$work/err")
    moved=
    [ "$how" = native ] || moved=$(sed -n \
        's/.*"kernel":"advance","launches":\([0-9]*\),"native_launches":\([0-9]*\),.*/\1 \2/p' "$work/stats")
}
is() { # WHAT MOVED
    [ "$moved" = "$2" ] || fail "$1: launches $moved, not $2: $said"
    [ "$seen" = "advance right arrays ${3:-right} sum 4950 " ] || fail "$1: $seen"
}
quiet() { # WHAT
    [ -z "$said" ] || fail "$1: says $said"
}
warns() { # WHAT
    local warning='^dl: warning: kernels came from binaries .*: advance, arrays.*empty the program.s cache once, or turn it off .of pyopencl: PYOPENCL_NO_CACHE=1.$'
    [ "$(grep -cE "$warning" <<<"$said")" = 1 ] && [ "$(wc -l <<<"$said")" = 1 ] || fail "$1: says $said"
}

cache=$kept
go native
is "natively" "" structs
[ -n "$(find "$XDG_CACHE_HOME" -name binary)" ] || {
    echo "this pyopencl keeps no binaries of this driver's"
    exit 77
}
go native
is "natively, again" "" structs

# Its cache was filled before DL came.
cache=$work/empty
go preload DL_ADVISE="$work/advice"
is "a cache from before DL" "0 3" structs
warns "a cache from before DL"

grep -q "^# All kernels came from binaries" "$work/advice" || fail "--advise: $(cat "$work/advice")"

# By dl-run, wherever the cache is: at the first run, and without a trace in it.
contents() { find "$XDG_CACHE_HOME" "$work/home" -type f -exec md5sum {} + | sort; }
export HOME=$work/home
mkdir "$HOME"
where=unset
go native
contents >"$work/before"
[ "$(grep -c /binary "$work/before")" -ge 4 ] || fail "two caches: $(cat "$work/before")"
for where in set unset; do
    cache=$work/first
    rm -rf "$cache"
    for run in first second; do
        go dl-run
        is "dl-run, XDG_CACHE_HOME $where, $run" "3 0"
        quiet "dl-run, XDG_CACHE_HOME $where, $run"
    done
    contents | diff "$work/before" - || fail "dl-run, XDG_CACHE_HOME $where: pyopencl's cache has changed"
    go native
    is "natively, XDG_CACHE_HOME $where, after dl-run" "" structs
done
where=set

# Emptied once, as it is told.
rm -rf "$XDG_CACHE_HOME"
cache=$kept
for run in first second; do
    go preload
    is "$run run" "3 0"
    quiet "$run run"
done
go preload DL_LAYOUT=da
is "another layout" "3 0"
go native
is "natively, after DL" "" structs

# DL's cache is deleted, or off.
cache=$work/empty
rm -rf "$cache"
go preload
is "DL's cache is deleted" "0 3" structs
warns "DL's cache is deleted"
cache=off
go preload
is "DL's cache is off" "0 3" structs
grep -q 'kernels came from binaries.*advance, arrays.*PYOPENCL_NO_CACHE=1.*leave DL.s on' <<<"$said" ||
    fail "DL's cache is off: says $said"
cache=$kept
go preload
is "DL's cache again" "3 0"
quiet "DL's cache again"

# A header that the binary was built from has changed: pyopencl sees it, too, and builds anew.
echo 'typedef struct { int a, b, c, d, e; } five; /* the same */' >"$work/five.h"
for run in 1 2; do
    go preload
    is "a changed header, run $run" "3 0"
    quiet "a changed header, run $run"
done
finish
