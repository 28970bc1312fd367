#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: dl-annotations(5) is right: its examples are annotations that DL follows, above a kernel and in
# a file; lines add up, an entry in a file replaces the source's, and what it says can't be is refused.
set -u
annotate=$DL_BUILD/bin/dl-annotate
page=$DL_SOURCE/docs/dl-annotations.5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

buffer_form='([a-z]+)\[([^]]*)\](\[([^]]*)\])?'
# kernel ANNOTATION: a kernel with these buffers, each read as the annotation has it, in $work/k.cl.
kernel() {
    local name rest arguments='' body='' more=${1#*:}
    more=${more% as *}
    while [[ $more =~ $buffer_form ]]; do
        name=${BASH_REMATCH[1]} rest=${BASH_REMATCH[4]} more=${more#*"${BASH_REMATCH[0]}"}
        if [ -n "$rest" ]; then
            arguments+="__global float *$name, "
            body+=" $name[i * $rest + 1] += 1;"
        else
            arguments+="__global cell *$name, "
            body+=" $name[i].y += $name[i].x;"
        fi
    done
    cat >"$work/k.cl" <<END
#define ABOVE 16
typedef struct { float x, y; } cell;
typedef struct { int n; } sizes;
$1
#define BETWEEN 1
int a_declaration(int between);
__kernel void go(${arguments}int n, int count, int rows, int width, int nx, int ny, sizes s)
{ int i = get_global_id(0);$body }
END
}
# follows WHAT BUFFER [ARGUMENT]...: dl-annotate says that the kernel has the buffer in that way.
follows() {
    local what=$1 buffer=$2
    shift 2
    "$annotate" --explain "$@" "$work/k.cl" >"$work/out" 2>&1 &&
        grep -qE "remark: kernel '(go|step)' (reads|writes) '$buffer'" "$work/out" ||
        fail "$what: $buffer: $(cat "$work/out")"
}

sed -n '/^\.SH EXAMPLES/,/^\.SH SEE/s/^\(\/\/DL: [^ ]*\( [^ ]\+\)*\)  .*/\1/p' "$page" >"$work/examples"
[ "$(wc -l <"$work/examples")" -ge 7 ] || fail "few examples: $(cat "$work/examples")"
while read -r example; do
    kernel "$example"
    # The layout of a grid names dimensions in the form of buffers.
    buffers=${example#*AoS:}
    buffers=${buffers% as *}
    for buffer in $(grep -oE '[a-z]+\[[^]]*(\][[][^]]*)?\]' <<<"${buffers}" | sed 's/\[.*//'); do
        follows "$example" "$buffer"
    done
    sed '/^\/\/DL:/d' "$work/k.cl" >"$work/plain.cl" && mv "$work/plain.cl" "$work/k.cl"
    echo "go: ${example#*DL: }  # in a file" >"$work/side"
    for buffer in $(grep -oE '[a-z]+\[' <<<"${buffers}" | tr -d '['); do
        follows "$example, in a file" "$buffer" --annotations "$work/side"
    done
done <"$work/examples"

# The kernel that the page shows, annotated there and in a file.
{
    echo 'typedef struct { float x, y; } cell, wall;'
    sed -n '/^\/\/DL: AoS: cells/,/^__kernel/{p;/^__kernel/q}' "$page"
    echo '{ int i = get_global_id(0); cells[i].x += walls[i].y * nx * ny * count; }'
} >"$work/k.cl"
sed -n '/^# kernel: AoS/,/^\.RE/{/^\.RE/d;p}' "$page" >"$work/side"
follows 'the kernel of the page' cells
follows 'the kernel of the page' walls
sed -i '/^\/\/DL/d' "$work/k.cl"
follows 'the file of the page' cells --annotations "$work/side"
follows 'the file of the page' walls --annotations "$work/side"

# Lines add up; an entry replaces; expressions.
kernel '//DL: AoS: a[n], b[n]'
sed -i 's|^//DL:.*|//  DL: AoS: a[ n ]\n/* between */\n//DL: AoS: b[]|' "$work/k.cl"
follows 'two lines' a
follows 'two lines' b
printf 'go: AoS: a[n]\ngo: AoS: b[n]\n' >"$work/side"
follows 'two lines of a file' a --annotations "$work/side"
follows 'two lines of a file' b --annotations "$work/side"
echo 'go: AoS: b[n]' >"$work/side"
follows 'an entry' b --annotations "$work/side"
grep -q "'a'" "$work/out" && fail "an entry does not replace the source's"
for count in 'global_size(0)' 'get_global_size(1) * local_size(0)' 's.n' ABOVE 'sizeof(cell) * 2' \
    'min(n, count)' 'n > 4 ? n : 0x10' '(nx + 2) << 1'; do
    kernel "//DL: AoS: a[$count]"
    sed -i "s|^//DL:.*|//DL: AoS: a[$count]|" "$work/k.cl"
    follows "a[$count]" a
done
cat >"$work/k.cl" <<'END'
typedef struct { float x, y; } cell;
//DL: AoS: a[n]
__kernel void go(__global void *a, int n)
{ __global cell *c = (__global cell *)a; c[get_global_id(0)].x += 1; }
END
follows 'a pointer to void' a
for count in 'n & 3' 'n ^ 1' 'n | 1' 'nobody'; do
    kernel '//DL: AoS: a[n]'
    sed -i "s#^//DL:.*#//DL: AoS: a[$count]#" "$work/k.cl"
    "$annotate" --explain "$work/k.cl" >"$work/out" 2>&1 && fail "a[$count] is followed"
    grep -q "kernel 'go' runs as written" "$work/out" || fail "a[$count]: $(cat "$work/out")"
done
echo "$failures failures"
[ $failures -eq 0 ]
