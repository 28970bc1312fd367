#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: on small shapes no kernel of the transposition library leaves its buffers, diverges at a
# barrier or races. Where a work-group overwrites what another has read, tickets and counts order
# the two (panel.cl, pack.cl), which Oclgrind does not see: such pairs are known by their lines, a
# read into local memory and a write out of it. The model test has their interleavings.
command -v oclgrind >/dev/null || { echo "oclgrind is not installed: skipped"; exit 77; }
bench=$DL_BUILD/bin/dl-bench
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

# check ALLOWED_READS ALLOWED_WRITES ARGS...: patterns of source lines. Every third one a turn, all
# with DL_TEST_FULL.
checked=0
check() {
    local reads=$1 writes=$2
    shift 2
    checked=$((checked + 1))
    [ $((checked % 3)) = "${DL_TURN:-0}" ] || [ -n "${DL_TEST_FULL:-}" ] || return
    # Not optimised: Oclgrind lacks some of LLVM's saturating instructions.
    if ! oclgrind --build-options -cl-opt-disable --data-races --max-errors 100000 "$bench" \
            transpose --device Oclgrind --bytes 16K --caps any --reps 1 "$@" >"$log" 2>&1 ||
            ! grep -q " ok " "$log" || grep -q WRONG "$log"; then
        echo "FAILED: $*: wrong results"; tail -5 "$log"; failed=1
    fi
    if grep -qE "Invalid (read|write)|[Bb]arrier divergence|Write-write data race" "$log"; then
        echo "FAILED: $*"; grep -E -A12 "Invalid|ivergence|Write-write" "$log" | head -30
        failed=1
    fi
    # A report is a paragraph that starts at its title; each race needs a read and a write.
    awk -v reads="$reads" -v writes="$writes" -v what="$*" '
        function close_report() {
            if (open && !(r && w)) { print "FAILED: " what ": " report; bad = 1 }
        }
        /data race/ { close_report(); open = 1; r = w = 0; report = $0; next }
        open { report = report "\n" $0
               if (reads != "" && $0 ~ reads) r = 1
               if (writes != "" && $0 ~ writes) w = 1 }
        END { close_report(); exit bad }' "$log" | head -40
    [ "${PIPESTATUS[0]}" = 0 ] || failed=1
    echo "$*: $(grep -c "data race" "$log") reports, $(grep -c " ok " "$log") cases"
}

check 'held[[].* = from[[]' 'begins[[]c[]][[]u[]] = held' \
    --algorithms panel-rows --shapes 37x29,24x36 --elements 12 --knobs panel_blocks=0
check 'held[[].* = from[[]' 'to[[]y[]] = held' \
    --algorithms panel-rows --shapes 37x29,24x36 --elements 12 --knobs panel_blocks=1
check 'held[[].* = begins[[]' 'to[[]y [*] pitch' \
    --algorithms panel-cols --shapes 29x37,36x24 --elements 12
check 'word_load[(]|[?] at[[]e[]]' '__global uint4 [*][)]to =' \
    --algorithms panel-rows --shapes 137x29,96x36 --elements 1,4 \
    --knobs panel_run=4,panel_run_group=32,panel_run_held=1
check 'held[[]h[]] =|[*][(]__global const run_t' 'to[[]-[(]long[)]shift[]] =' \
    --algorithms panel-cols --shapes 29x137,36x96 --elements 4,8 \
    --knobs panel_run=4,panel_run_group=32,panel_run_held=1
check "" "" --place out --algorithms out-lines --shapes 37x29 --elements 1,2,4,8
check "" "" --algorithms square,cycles,onchip --shapes 21x21 --elements 12
check "" "" --algorithms square-v1,square-super,square-regions,square-threads --shapes 36x36,35x35 --elements 4
check "" "" --place out --algorithms out,out-selective,out-parallel,out-padded --shapes 36x40 --elements 4
check "" "" --algorithms cycles-bare --shapes 29x33 --elements 4 --knobs group=32
check 'held[[].* = line[[]' 'line[[].* = held' --algorithms square-padded --shapes 29x33,34x30 --elements 4
check "" "" --algorithms square-blocks,step --shapes 21x21 --elements 4,32
check "" "" --place out --algorithms out-blocks --shapes 35x39 --elements 4
check "" "" --sets axes --sizes 1 --algorithms axes-swap --elements 4 --bytes 1K
check "" "" --sets axes --sizes 1 --place out --algorithms out-axes --elements 4 --bytes 512
check "" "" --sets axes --sizes 1 --place out --algorithms out-axes-grid --elements 4 --bytes 512
check "" "" --algorithms 3-stage,4-stage,4-stage-fused --shapes 24x36 --elements 4
check "" "" --algorithms c2r,r2c --shapes 9x10 --elements 4 --knobs c2r_group=32
check "" "" --algorithms c2r,r2c --shapes 40x36 --elements 4 --knobs c2r_group=32,c2r_bytes=4
check "" "" --algorithms c2r,r2c --shapes 40x36 --elements 4 --caps line --knobs c2r_group=32,c2r_bytes=4
exit $failed
