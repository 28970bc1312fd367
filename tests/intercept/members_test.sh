#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: under --layout members what the kernels of a program use lies beside their structs, however much it is
# together; a kernel that uses nearly all of a struct, to set it up or to copy it, does not count; where there are no
# others, nothing lies there, and one line says so.
. "$(dirname "$0")/common.sh"
export DL_LAYOUT=members
types='typedef struct { float x, y, u, v, a, b, c, d, e, f; } particle;'
head='//DL: AoS: p[n]
__kernel void'
tail='(__global particle *p, int n) { int i = get_global_id(0);'
set_up="$head fake_step$tail p[i].x = 1; p[i].y = 2; p[i].u = 3; p[i].v = 4; p[i].a = 5; p[i].b = 6; p[i].c = 7; p[i].d = 8; p[i].e = n; }"
copies="$head copies$tail p[i] = p[i + 1]; }"
moves="$head other$tail p[i].x += p[i].u; p[i].y += p[i].v; }"
colours="$head third$tail p[i].a = p[i].b + p[i].c; p[i].d = p[i].e; }"

# bytes_beside BYTES_OF_A_STRUCT TEXT...: so many bytes of a struct lie beside it.
bytes_beside() {
    local want=$1 structs got
    shift
    printf '%s\n' "$types" "$@" >"$work/text.cl"
    rm -f "$work/stats"
    guard=$watched DL_STATS=$work/stats under ocl-icd preload "$tests/host_cache" "$work/text.cl" "" >"$work/out" 2>&1 ||
        fail "status $?: $(tail -n 1 "$work/out")"
    structs=$(grep -o '"structs":[0-9]*' "$work/stats" | head -n 1 | grep -o '[0-9]*')
    got=$(grep -o '"copies_bytes":[0-9]*' "$work/stats" | grep -o '[0-9]*')
    [ -n "$structs" ] || [ "$want" = 0 ] || fail "$*: nothing lies beside: $(cat "$work/stats")"
    structs=$(((${structs:-0} + 127) / 128 * 128))
    [ "$got" = $((want * structs)) ] || fail "$* has $got bytes beside $structs structs, not $want each"
}
bytes_beside 16 "$set_up" "$moves"
bytes_beside 36 "$set_up" "$moves" "$colours"
bytes_beside 16 "$copies" "$moves"
bytes_beside 0 "$set_up" "$copies"
grep -q 'no kernel says which members are hot' "$work/stats" || fail "not said why: $(cat "$work/stats")"
finish
