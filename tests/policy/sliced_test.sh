#!/bin/bash
# SPDX-License-Identifier: MIT
# Of a long launch on a CPU a part is explored, its first work-groups or rows, where neighbours access neighbouring structs (sliced.c), annotated
# or not, whoever chooses the groups; what has no structs is copied whole. One whose results hang on more than its part, or on how many there
# are, is explored whole, with the next launch, and so is one whose part writes elsewhere, that is short, or whose accesses go elsewhere. One that
# changes nothing is explored with a later launch. The program sees what it sees without DL.
. "$(dirname "$0")/../intercept/common.sh"
dl=$tests/libdl_explored.so
export DL_LAYOUT=asta DL_LOG=debug DL_DETECT=on DL_CACHE=$work/cache

# sliced KERNEL STRUCTS WANTED PARTS [by-itself]: what the library says of launches 1 and 2, and how many were explored in part. On a busy
# machine a command on another queue may not end in the time that exploring waits: then once more.
sliced() {
    local want got
    want=$(under device native "$tests/policy_sliced" "$1" "$2" ${5:+"$5"})
    for _ in 1 2 3 4 5 6 7 8; do
        : >"$work/said"
        got=$(guard=$watched under device preload DL_EXPLORED=explore:1,explore:2 DL_EXPLORED_LOG="$work/said" \
            "$tests/policy_sliced" "$1" "$2" ${5:+"$5"} 2>"$work/errors")
        grep -q "commands on its buffers don't end by themselves" "$work/said" || break
    done
    [ "$got" = "$want" ] || fail "$1 $2: $got, not $want: $(tail -n 1 "$work/errors")"
    got=$(tr '\n' ';' <"$work/said")
    [ "$got" = "$3" ] || fail "$1 $2: $got, not $3"
    [ "$(grep -c 'exploring a part took' "$work/errors")" = "$4" ] || fail "$1 $2: $(grep exploring "$work/errors")"
}

sliced own 262144 '1 explore own EQUAL 0;2 explore own EQUAL 0;' 2
still='no: a part of it does not tell: it is still to be explored whole'
sliced neighbour 262144 '1 explore neighbour EQUAL 0;2 explore neighbour EQUAL 0;' 2
sliced counted 262144 "1 explore counted $still;2 explore counted EQUAL 0;" 1
unchanged='no: a part of it has changed nothing: it is still to be explored'
sliced around 262144 "1 explore around EQUAL 0;2 explore around $unchanged;" 2
sliced own 131072 '1 explore own EQUAL 0;2 explore own EQUAL 0;' 0
sliced own 262144 '1 explore own EQUAL 0;2 explore own EQUAL 0;' 2 by-itself
# Half of these a turn (tests/common/turn.h), all with DL_TEST_FULL.
takes() { [ "$1" = "${DL_TURN:-0}" ] || [ -n "${DL_TEST_FULL:-}" ]; }
if takes 0; then
    sliced guarded 262144 '1 explore guarded EQUAL 0;2 explore guarded EQUAL 0;' 2 by-itself
    sliced beyond 262144 "1 explore beyond $unchanged;2 explore beyond $unchanged;" 2 by-itself
    sliced scattered 262144 '1 explore scattered EQUAL 0;2 explore scattered EQUAL 0;' 2 by-itself
    sliced plane_far 262144 "1 explore plane_far $still;2 explore plane_far EQUAL 0;" 1 by-itself
fi
if takes 1; then
    sliced narrow_own 262144 '1 explore narrow_own EQUAL 0;2 explore narrow_own EQUAL 0;' 2 by-itself
    sliced from 262144 '1 explore from EQUAL 0;2 explore from EQUAL 0;' 2 by-itself
    sliced plain 262144 '1 explore plain EQUAL 0;2 explore plain EQUAL 0;' 2 by-itself
    sliced plane_stencil 262144 '1 explore plane_stencil EQUAL 0;2 explore plane_stencil EQUAL 0;' 2 by-itself
fi

# A part needs no kernels that convert: it is explored while these are being built.
unbuilt="no: its rewritten version, or a conversion that it needs, is still being built"
DL_LAYOUT=auto DL_EXPLORED_UNBUILT=1 sliced own 262144 '1 explore own EQUAL 0;2 explore own EQUAL 0;' 2
DL_LAYOUT=auto DL_EXPLORED_UNBUILT=1 sliced own 131072 "1 explore own $unbuilt;2 explore own $unbuilt;" 0

# What is wrong in a part is found, in structs and in what has none; all of it is compared then.
for spoilt in 'own 0' 'plain 2'; do
    export DL_EXPLORED_SPOIL=${spoilt#* }
    sliced "${spoilt% *}" 262144 "1 explore ${spoilt% *} $still;2 explore ${spoilt% *} DIFFERS ${spoilt#* };" 1 by-itself
done
finish
