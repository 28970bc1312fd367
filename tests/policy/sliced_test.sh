#!/bin/bash
# SPDX-License-Identifier: MIT
# Of a long launch on a CPU a part is explored, its first work-groups, where each work-item writes its own struct (sliced.c), annotated
# or not, whoever chooses the groups. One whose results hang on more than its part, or on how many there are, is explored whole, with
# the next launch, and so is one whose part writes elsewhere, that is short, or whose accesses go elsewhere. The program sees what
# it sees without DL.
. "$(dirname "$0")/../intercept/common.sh"
dl=$tests/libdl_explored.so
export DL_LAYOUT=asta DL_LOG=debug DL_DETECT=on

# sliced KERNEL STRUCTS WANTED PARTS [by-itself]: what the library says of launches 1 and 2, and how many were explored in part.
sliced() {
    local want got
    : >"$work/said"
    want=$(under device native "$tests/policy_sliced" "$1" "$2" ${5:+"$5"})
    got=$(guard=$watched under device preload DL_EXPLORED=explore:1,explore:2 DL_EXPLORED_LOG="$work/said" \
        "$tests/policy_sliced" "$1" "$2" ${5:+"$5"} 2>"$work/errors")
    [ "$got" = "$want" ] || fail "$1 $2: $got, not $want: $(tail -n 1 "$work/errors")"
    got=$(tr '\n' ';' <"$work/said")
    [ "$got" = "$3" ] || fail "$1 $2: $got, not $3"
    [ "$(grep -c 'exploring a part took' "$work/errors")" = "$4" ] || fail "$1 $2: $(grep exploring "$work/errors")"
}

sliced own 262144 '1 explore own EQUAL 0;2 explore own EQUAL 0;' 2
still='no: a part of it does not tell: it is still to be explored whole'
sliced neighbour 262144 "1 explore neighbour $still;2 explore neighbour EQUAL 0;" 1
sliced counted 262144 "1 explore counted $still;2 explore counted EQUAL 0;" 1
sliced around 262144 '1 explore around EQUAL 0;2 explore around EQUAL 0;' 0
sliced own 65536 '1 explore own EQUAL 0;2 explore own EQUAL 0;' 0
sliced own 262144 '1 explore own EQUAL 0;2 explore own EQUAL 0;' 2 by-itself
sliced guarded 262144 '1 explore guarded EQUAL 0;2 explore guarded EQUAL 0;' 2 by-itself
sliced from 262144 '1 explore from EQUAL 0;2 explore from EQUAL 0;' 2 by-itself
sliced beyond 262144 "1 explore beyond $still;2 explore beyond EQUAL 0;" 1 by-itself
finish
