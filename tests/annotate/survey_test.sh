#!/bin/bash
# SPDX-License-Identifier: MIT
# Claims: dl-annotate --survey reads every text with kernels below a folder, with includes and macros that it guesses, each
# in a child of its own, and its table and its CSV say of each buffer that may lie in another way what becomes of it.
tool=$DL_BUILD/bin/dl-annotate
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
# csv TEXT KERNEL BUFFER PATTERN: the line of that buffer matches.
csv() {
    grep -E "^\"[^\"]*$1\",\"$2\",\"$3\"," "$work/csv" | grep -qE "$4" || fail "$1 $2 $3: $(grep "$1" "$work/csv")"
}
mkdir -p "$work/p/kernels/sub" "$work/p/inc" "$work/p/.git"
cat >"$work/p/inc/types.h" <<'EOF'
typedef struct { float x, y, z, w; } point;
EOF
cat >"$work/p/kernels/found.cl" <<'EOF'
#include "types.h"
__kernel void move(__global point *p, __global const int *order, float dt)
{
    p[get_global_id(0)].x += dt * WEIGHT;
    p[order[get_global_id(0) * 3 + 1]].y = 0;
}
__kernel void part(__global point *p, __global point *q, __global point *still)
{
    __global point *two[2] = {q, q};
    p[get_global_id(0)].x = two[1][0].y + still->x;
}
EOF
cat >"$work/p/kernels/sub/draws.ocl" <<'EOF'
typedef struct { float x, y; } pair;
float drawn_elsewhere(float x);
kernel void draw(global pair *p) { p[get_global_id(0)].x = drawn_elsewhere(1); }
EOF
mkdir "$work/told"
cat >"$work/told/annotated.cl" <<'EOF'
typedef struct { float x, y; } one;
//DL: AoS: p[]
kernel void told(global one *p) { p[get_global_id(0)].x = 1; }
kernel void found(global one *p) { p[get_global_id(0)].x = 1; }
EOF
echo 'kernel void go(global int *p) { p[0] = 1 +; }' >"$work/p/kernels/wrong.cl"
echo 'float half_of(float x) { return x / 2; } // no kernel' >"$work/p/kernels/helper.cl"
cp "$work/p/kernels/wrong.cl" "$work/p/.git/hidden.cl"

# A program makes its text of several files: what one lacks, another defines. One that does harm is taken back.
echo 'typedef struct { float a, b; } two; float twice(float x) { return 2 * x; }' >"$work/p/inc/two.clh"
echo 'typedef struct { float a, b; } two; +' >"$work/p/inc/a_wrong.clh"
echo 'void kernel made(global two *t) { t[get_global_id(0)].a = twice(1); }' >"$work/p/kernels/made.cl"

"$tool" --survey "$work/told" --csv "$work/csv" >"$work/out" || fail "status $?"
grep -q '^annotated kernels, not in the table: 1$' "$work/out" || fail "annotated: $(cat "$work/out")"
grep -qE "^structs +1 +1 +0 +0 +0$" "$work/out" || fail "beside an annotated kernel: $(cat "$work/out")"
csv annotated.cl told '' '"annotated"'

# Of a text that is given up as a whole, the reason.
mkdir "$work/given_up"
printf '#ifndef CHOSEN\n#error choose\n#endif\nkernel void go(global int *p) { p[0] = 1; }\n' >"$work/given_up/up.cl"
"$tool" --survey "$work/given_up" >"$work/out" || fail "status $?"
grep -q 'texts with kernels: 1, not read: 1$' "$work/out" && grep -q '#error is reached' "$work/out" &&
    grep -q 'up.cl:2:2$' "$work/out" && grep -q '^the program puts before it: dl-run --advise reads' "$work/out" ||
    fail "given up: $(cat "$work/out")"

# A text that lacks something is read as a part of the files that include it; of none that can't be read themselves.
mkdir -p "$work/joined/sub"
echo 'kernel void go(global one *p) { p[get_global_id(0)].x = 1; }' >"$work/joined/sub/part.cl"
echo 'typedef struct { float x, y; } one;' >"$work/joined/a_definer.cl"
printf 'typedef struct { float x, y; } one;\n#include "sub/part.cl"\n' >"$work/joined/whole.cl"
"$tool" --survey "$work/joined" --csv "$work/csv" >"$work/out" || fail "status $?"
grep -q 'texts with kernels: 1, not read: 0$' "$work/out" || fail "a part: $(cat "$work/out")"
csv whole.cl go p '"structs","found"'
printf '#error no\n#include "sub/part.cl"\n' >"$work/joined/whole.cl"
"$tool" --survey "$work/joined" --csv "$work/csv" >"$work/out" || fail "status $?"
csv sub/part.cl go p '"structs","found"'

# A text has kernels when it has some once it is preprocessed; what can only be included is not a text by itself.
mkdir "$work/hidden"
echo '#define KERNEL_FQ __kernel' >"$work/hidden/inc.h"
echo 'typedef struct { float x, y; } one; // kernel' >"$work/hidden/one.clh"
printf '#include "one.clh"\nkernel void go(global one *p) { p[get_global_id(0)].x = 1; }\n' >"$work/hidden/body.clh"
echo '#include "body.clh"' >"$work/hidden/included.cl"
printf '#include "inc.h"\n#include "one.clh"\nKERNEL_FQ void go(global one *p) { p[get_global_id(0)].x = 1; }\n' \
    >"$work/hidden/macro.cl"
printf '#include "one.clh"\n#if 0\n#include "body.clh"\n#endif\nfloat half_of(one o) { return o.x / 2; }\n' \
    >"$work/hidden/helper.cl"
printf '#include "one.clh"\nfloat lacks(another o) { return o.x; }\n' >"$work/hidden/lacks.cl"
printf '#include "gone.h"\n' >"$work/hidden/gone.cl"
"$tool" --survey "$work/hidden" --csv "$work/csv" >"$work/out" || fail "status $?"
grep -q 'texts with kernels: 2, not read: 0$' "$work/out" || fail "hidden kernels: $(cat "$work/out")"
grep -qE "^structs +2 +2 +0 +0 +0$" "$work/out" || fail "hidden kernels: $(cat "$work/out")"
csv included.cl go p '"structs","found"'
csv macro.cl go p '"structs","found"'
# One that is given up has those that stand in what it includes, or in what it is expanded to.
printf '#error choose\n#include "body.clh"\n' >"$work/hidden/gone.cl"
printf '#include "inc.h"\nKERNEL_FQ void go(global int *p) { p[0] = 1;\n' >"$work/hidden/macro.cl"
"$tool" --survey "$work/hidden" --csv "$work/csv" >"$work/out" || fail "status $?"
grep -q 'texts with kernels: 3, not read: 2$' "$work/out" || fail "hidden kernels, not read: $(cat "$work/out")"
csv gone.cl '' '' '"not read","",".*gone.cl:1:2"'

# What libclang says is printed whole, semicolons and all.
mkdir "$work/semicolon"
echo 'kernel void go(global int *p) { int i = get_global_id(0) p[i] = 1; }' >"$work/semicolon/semicolon.cl"
"$tool" --survey "$work/semicolon" --csv "$work/csv" >"$work/out" || fail "status $?"
grep -qE "^ +1 \(0\) libclang can't read it: expected ';' at end of declaration$" "$work/out" ||
    fail "a semicolon: $(cat "$work/out")"
csv semicolon.cl go '' ": expected ';' at end of declaration\"$"

mkdir "$work/kept"
echo 'typedef struct { float x, y; } one; kernel void dl_rest(global one *p) { p[get_global_id(0)].x = 1; }
kernel void unread(global one *p) { p[0].x = 1 +; }' >"$work/kept/kept.cl"
"$tool" --survey "$work/kept" --csv "$work/csv" >"$work/out" || fail "status $?"
csv kept.cl dl_rest p '"left","no",".*kept.cl:1:49",".dl_rest. is a name of generated code'

# What can't gain is left for that, whatever else is not understood of it; not where a pointer moves.
mkdir "$work/single"
cat >"$work/single/single.cl" <<'EOF'
typedef struct { float x, y; } one;
typedef struct { volatile int n; int more; } counter;
typedef struct { int n, m; } queues;
#define KERNEL kernel
KERNEL void count(global one *p, global counter *c, global queues *q, global counter *many)
{
    int i = get_global_id(0);
    p[i].x = atomic_inc(&c->n);
    atomic_inc(p[i].y > 0 ? &q->n : &q->m);
    many += i;
    many->n = 1;
}
EOF
"$tool" --survey "$work/single" --csv "$work/csv" >"$work/out" || fail "status $?"
csv single.cl count p '"structs","found"'
csv single.cl count c '"structs","no gain"'
csv single.cl count q '"structs","no gain"'
csv single.cl count many '"left","no",".*","the struct has a volatile member'

mkdir "$work/mistaken"
sed '/^\/\/DL:/s/p\[\]/q[]/' "$work/told/annotated.cl" >"$work/mistaken/annotated.cl"
"$tool" --survey "$work/mistaken" --csv "$work/csv" >"$work/out" || fail "status $?"
grep -q '^wrong annotations, whose kernels run as written: 1$' "$work/out" || fail "a wrong one: $(cat "$work/out")"
grep -qE "^ +1 \(0\) the annotation is wrong: there is no argument '...'$" "$work/out" || fail "what is wrong: $(cat "$work/out")"
grep -qE "^structs +1 +1 +0 +0 +0$" "$work/out" || fail "beside a wrong annotation: $(cat "$work/out")"
csv annotated.cl told '' '"wrong annotation","",".*annotated.cl:2:12","the annotation is wrong'

"$tool" --survey "$work/p" --csv "$work/csv" >"$work/out" 2>"$work/err" || fail "status $?"
[ ! -s "$work/err" ] || fail "unexpected words: $(cat "$work/err")"
grep -q "texts with kernels: 4, not read: 0$" "$work/out" || fail "texts: $(cat "$work/out")"
grep -qE "^structs +4 +2 +1 +0 +1$" "$work/out" || fail "structs: $(cat "$work/out")"
grep -qE "^rows or arrays +1 +1 +0 +0 +0$" "$work/out" || fail "rows: $(cat "$work/out")"
grep -qE "^ +1 \(1\) it starts other kernels" "$work/out" || fail "what another text has is annotatable: $(cat "$work/out")"
grep -qE "^ +1 \(0\) a pointer into '...' is stored" "$work/out" || fail "the reason has a name: $(cat "$work/out")"
csv found.cl move p '"structs","found"'
csv found.cl move order '"rows","found"'
csv found.cl part p '"found"'
csv found.cl part q '"left","no",".*found.cl:9:31"'
csv found.cl part still '"no gain"'
csv made.cl made t '"structs","found"'
csv draws.ocl draw p '"left","yes"'
csv wrong.cl go "" '"left","",".*can.t read it: expected expression'
grep -qE "^what can.t be read +1 +0 +0 +0 +1$" "$work/out" || fail "unread: $(cat "$work/out")"
[ "$(wc -l <"$work/csv")" = 9 ] || fail "lines: $(cat "$work/csv")"

# A child that dies costs its text alone, and what is wrong with the command is said.
real=$(find /usr/lib* -name 'libclang-1[4-9].so.1' 2>/dev/null | head -n 1)
echo 'void clang_parseTranslationUnit2(void) { *(volatile int *)0 = 0; }' >"$work/crash.c"
if [ -n "$real" ] && ${CC:-cc} -shared -fPIC -o "$work/crash.so" "$work/crash.c" \
    -Wl,--no-as-needed "$real" 2>/dev/null; then
    "$tool" --survey "$work/p" --libclang "$work/crash.so" >"$work/out" 2>&1 || fail "a crash: status $?"
    grep -q "not read: 4$" "$work/out" || fail "crashes: $(cat "$work/out")"
    grep -qE "^ +4 \(0\) libclang crashed" "$work/out" || fail "crashes: $(cat "$work/out")"
fi
"$tool" --survey "$work/none" >/dev/null 2>"$work/err" && fail "no folder, no error"
grep -q "can't read '$work/none'" "$work/err" || fail "no folder: $(cat "$work/err")"
"$tool" --survey "$work/p" x.cl 2>"$work/err"
[ $? = 2 ] || fail "a file beside --survey"
"$tool" --csv "$work/csv" x.cl 2>"$work/err"
[ $? = 2 ] || fail "--csv alone"
exit $failed
