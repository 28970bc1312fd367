#!/bin/bash
# SPDX-License-Identifier: MIT
# Claims: a libclang that crashes does so in the builder, and the kernels run as written; a build with a callback,
# which may make kernels before the build returns, is rewritten all the same, and has the builder ask the device; of
# several kernels, the one whose rewritten text the driver does not take runs as written, is named,
# and the others run in tiles; of a text with many kernels only those that are launched are built.
. "$(dirname "$0")/common.sh"
export DL_LAYOUT=asta DL_TILE=8
unset DL_LIBCLANG

cat >"$work/a.cl" <<'END'
typedef struct { float x, y; int n; } particle;
//DL: AoS: p[n]
__kernel void fake_step(__global particle *p, int n)
{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }
//DL: AoS: p[n]
__kernel void other(__global particle *p, int n)
{ int i = get_global_id(0); if (i < n) p[i].y = 0; }
//DL: AoS: p[n]
__kernel void third(__global particle *p, int n)
{ int i = get_global_id(0); if (i < n) p[i].n = 3; }
//DL: AoS: p[n]
__kernel void fourth(__global particle *p, int n) { p[0].x = n; }
END

# go STATUS [SETTING...]: runs the program under DL; $seen is what it and DL print.
go() {
    local status=$1 got
    shift
    rm -f "$work/log" "$work/stats"
    FAKE_LOG=$work/log DL_STATS=$work/stats guard=$watched under ocl-icd preload "$@" \
        "$tests/host_cache" "$work/a.cl" "" >"$work/out" 2>&1
    got=$?
    [ $got = "$status" ] || fail "status $got, not $status: $* $(tail -n 1 "$work/out")"
    seen=$(cat "$work/out")
}
# in_tiles KERNEL...: those launched transformed, and no others.
in_tiles() {
    local are want
    are=$(sed -n 's/^{"kernel":"\([a-z_]*\)","launches":[1-9].*"native_launches":0,.*"ASTA".*/\1/p' \
        "$work/stats" | sort | xargs)
    want=$(printf '%s\n' "$@" | sort | xargs)
    [ "$are" = "$want" ] || fail "in tiles: $are, not $want"
}

go 0
in_tiles fake_step other third fourth

# ---- a libclang that crashes -----------------------------------------------------------------
real=$(ldconfig -p | awk '/libclang-[0-9]+\.so/ { print $NF; exit }')
# A libclang that crashes on kernels, whatever they are.
cat >"$work/crash.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
struct file { const char *name, *text; unsigned long bytes; };
int clang_parseTranslationUnit2(void *index, const char *name, const char *const *arguments, int count,
                                struct file *files, unsigned file_count, unsigned options, void **unit)
{
    int (*next)(void *, const char *, const char *const *, int, struct file *, unsigned, unsigned,
                void **) = dlsym(RTLD_NEXT, "clang_parseTranslationUnit2");

    if (strstr(files->text, "__kernel"))
        *(volatile int *)0 = 0;
    return next(index, name, arguments, count, files, file_count, options, unit);
}
END
if [ -n "$real" ] && ${CC:-cc} -shared -fPIC -o "$work/crash.so" "$work/crash.c" \
    -Wl,--no-as-needed "$real" 2>/dev/null; then
    go 0 DL_LIBCLANG="$work/crash.so"
    in_tiles
    [ "$(grep -c 'run as written: dl-builder, .* it crashes' <<<"$seen")" = 1 ] || fail "a crash is not said: $seen"
    go 1 DL_LIBCLANG="$work/crash.so" FAKE_BUILD_FAIL_ON=particle
    grep -q 'line [0-9]*: -11' <<<"$seen" || fail "another error: $seen"
    go 1 DL_LIBCLANG="$work/crash.so" FAKE_BUILD_FAIL_ON=particle HOST_CALLBACK=1
    grep -q 'line [0-9]*: -11' <<<"$seen" || fail "another error: $seen"
fi

# ---- with a callback -------------------------------------------------------------------------
go 0 HOST_CALLBACK=1
in_tiles fake_step other third fourth
{ printf '#if __FAKE_VERSION__ > 1\n#define STEP 1\n#else\n#define STEP 2\n#endif\n'; cat "$work/a.cl"; } \
    >"$work/b.cl"
mv "$work/b.cl" "$work/a.cl"
go 0 HOST_CALLBACK=1
in_tiles fake_step other third fourth
# The program's own build, then the rewritten program: the builder asks the question, and nothing more is asked for
# the proof, which shows all kernels, so that nothing is built to try them by.
order=$(grep ^clBuildProgram "$work/log" | sed 's/^[^,]*,[^,]*,[^,]*, "\([^"]*\)", \([a-zA-Z]*\).*/\1:\2/;s/ *-w//;s/ *-DDL_TILING=dl_tiles -DDL_TILE=8 -DDL_ONLY=1 -DDL_WITH_fake_step/tiles/;s/ *-w//' |
    head -n 4 | xargs)
[[ "$order" =~ ^:ptr\ tiles:NULL ]] || fail "builds in the order: $order"

# ---- a device that the builder does not have -------------------------------------------------
# It reads the text all the same; the program asks its device, before its own build where that has a callback,
# and builds what was rewritten.
for callback in '' HOST_CALLBACK=1; do
    go 0 FAKE_BUILDER_LACKS_DEVICE=1 $callback
    in_tiles fake_step other third fourth
    order=$(grep ^clBuildProgram "$work/log" | sed 's/^[^,]*,[^,]*,[^,]*, "\([^"]*\)", \([a-zA-Z]*\).*/\1:\2/;s/ *-w//;s/ *-DDL_TILING=dl_tiles -DDL_TILE=8 -DDL_ONLY=1 -DDL_WITH_fake_step/tiles/;s/ *-w//' |
        head -n 3 | xargs)
    own=:NULL
    [ -z "$callback" ] || own=:ptr
    [ "$order" = ":NULL $own tiles:NULL" ] ||
        fail "builds without the builder's device, $callback: $order"
done
# With a limited address space it builds nothing itself: a compiler may end the process that has too little.
if [ -z "$runtime" ]; then # a sanitizer's takes terabytes
    ulimit -Sv 64000000
    go 0 FAKE_BUILDER_LACKS_DEVICE=1
    ulimit -Sv unlimited
    in_tiles
    grep -q DL_TILING "$work/log" && fail "builds in a limited address space: $(grep DL_TILING "$work/log" | head -n 1)"
fi

# ---- a kernel that the driver does not take --------------------------------------------------
for bad in other third fourth fake_step; do
    go 0 FAKE_BUILD_FAIL_ON="$bad(__global particle *p, int n DL_PARAMS"
    in_tiles $(printf '%s\n' fake_step other third fourth | grep -vx "$bad")
    [ "$(grep -c "<program source>:[0-9]*:12: .*kernel '$bad', buffer 'p': its rewritten text does not build" <<<"$seen")" = 1 ] ||
        fail "$bad is not named once: $seen"
done
# Two of them; all of them.
go 0 FAKE_BUILD_FAIL_ON="dl_particle_n(p, i"
in_tiles other fourth
# What was left out is not kept: another driver may take it, and this one again not.
export DL_CACHE=$work/cache
bad="other(__global particle *p, int n DL_PARAMS"
go 0 FAKE_BUILD_FAIL_ON="$bad"
in_tiles fake_step third fourth
go 0
in_tiles fake_step other third fourth
go 0 FAKE_BUILD_FAIL_ON="$bad"
in_tiles fake_step third fourth
export DL_CACHE=off
go 0 FAKE_BUILD_FAIL_ON="DL_PARAMS(p)"
in_tiles
grep -q "warning: kernel 'third', .* does not build" <<<"$seen" || fail "not said: $seen"

# ---- kernels that are not launched -----------------------------------------------------------
# Those that are launched are built, one at a time, and no others.
rm -f "$work/log.builder"
go 0 HOST_LAUNCHED=2
in_tiles fake_step other
# By dl-builder, and from its binaries.
only=$(grep -h '^clBuildProgram(.*DL_TILE' "$work/log" "$work/log.builder" | grep -o 'DL_WITH_[a-z0-9_]*' | sort | uniq -c | xargs)
[ "$only" = "2 DL_WITH_fake_step 2 DL_WITH_other" ] || fail "of many kernels are built: $only"
! grep -h '^clBuildProgram(.*DL_TILE' "$work/log" "$work/log.builder" | grep -qv DL_ONLY=1 || fail "all were built together"

# ---- discrete arrays -------------------------------------------------------------------------
# Their conversions are the builder's under any layout: the program compiles its own text, and no other.
cat >"$work/a.cl" <<'END'
//DL: SoA: p[n][3]
__kernel void fake_step(__global float *p, int n) { p[get_global_id(0)] += p[n]; }
END
for layout in auto aos asta; do
    rm -f "$work/log.builder"
    go 0 DL_LAYOUT=$layout
    [ "$(grep -c '^clCreateProgramWithSource' "$work/log")" = 1 ] ||
        fail "$layout: the program compiles $(grep -c '^clCreateProgramWithSource' "$work/log") texts"
    grep -q '^clCreateProgramWithSource' "$work/log.builder" || fail "$layout: the builder compiles none"
done
finish
