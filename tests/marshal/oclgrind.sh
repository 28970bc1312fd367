#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: on small shapes no kernel leaves its buffers, diverges at a barrier or races, but for the
# speculative reads of PTTWAC (marshal_kernels/cycle.cl), whose values are discarded; those are
# known by the line that reads.
command -v oclgrind >/dev/null || { echo "oclgrind is not installed: skipped"; exit 77; }
bench=$DL_BUILD/bin/dl-bench
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

# check ALLOWED DESCRIPTION ARGS...: ALLOWED is a pattern of source lines that may race. Every third one a
# turn, and of those of many structs a sixth; all with DL_TEST_FULL.
sixth="--part ${DL_TURN:-0}/6"
[ -z "${DL_TEST_FULL:-}" ] || sixth=
checked=0
check() {
    local allowed=$1 what=$2
    shift 2
    checked=$((checked + 1))
    [ $((checked % 3)) = "${DL_TURN:-0}" ] || [ -n "${DL_TEST_FULL:-}" ] || return
    if ! oclgrind --data-races --max-errors 100000 "$bench" marshal --device Oclgrind --reps 1 \
            "$@" >"$log" 2>&1 || ! grep -q " ok " "$log" || grep -q WRONG "$log"; then
        echo "FAILED: $what: wrong results"; tail -5 "$log"; failed=1
    fi
    if grep -qE "Invalid (read|write)|[Bb]arrier divergence|Write-write data race" "$log"; then
        echo "FAILED: $what"; grep -E -A12 "Invalid|ivergence|Write-write" "$log" | head -30
        failed=1
    fi
    # A report is a paragraph that starts at its title; each race needs an allowed line.
    awk -v allowed="$allowed" -v what="$what" '
        function close_report() { if (open && !ok) { print "FAILED: " what ": " report; bad = 1 } }
        /data race/ { close_report(); open = 1; ok = 0; report = $0; next }
        open { report = report "\n" $0; if (allowed != "" && $0 ~ allowed) ok = 1 }
        END { close_report(); exit bad }' "$log" | head -40
    [ "${PIPESTATUS[0]}" = 0 ] || failed=1
    echo "$what: $(grep -c "data race" "$log") reports, $(grep -c " ok " "$log") cases"
}

speculative='AT\(slot, p\) = from\[|(carried|value|next|old) = array\[[id]\];|flags\[FLAG_WORD\([id]\)\] & FLAG_BIT'
# shellcheck disable=SC2086 # an option and its value
check "" "tiles" $sixth --bytes 4K --cases asta,mixed --words 3,5 --tiles 8 --knobs tile_group=8
# shellcheck disable=SC2086 # an option and its value
check "" "tiles as a CPU runs them" $sixth --bytes 4K --cases asta,mixed --words 2,7 --tiles 31 --knobs family=4
check "" "cut cycles" --bytes 8K --cases super --words 9,16 \
    --knobs aside_bytes=0,tile_bytes=64,cut_places=4,cut_span=16,cut_group=8,cut_group_short=8,cut_ahead=3,cut_row=0
check "" "cut cycles by aligned rows" --bytes 12K --cases super --words 9,33 \
    --knobs aside_bytes=0,tile_bytes=64,cut_places=4,cut_span=16,cut_group_short=16,cut_row=64,cut_loads=12
check "" "slides" --bytes 264K --cases slide --part 0/10 \
    --knobs aside_bytes=0,tile_bytes=2048,cut_span=64,slide_group=16,slide_items=1
check "" "slides back" --bytes 264K --cases slide --part 1/10 \
    --knobs aside_bytes=0,tile_bytes=2048,cut_span=64,slide_group=16,slide_items=1
check "" "one tile and its tail" --bytes 4K --cases da32 --shapes 3 \
    --knobs aside_bytes=0,tile_bytes=2048,cut_places=4,cut_span=16,cut_group=8,cut_group_short=8
check "" "small arrays by way of a workspace" --bytes 4K --cases da32,soa --shapes 2 \
    --knobs tile_bytes=64,aside_bytes=65536
check "" "tiles, exclusive-or" --bytes 4K --cases asta --words 3,5 --tiles 8 \
    --knobs tile_group=8,tile_pad=2
check "" "tiles, diagonal" --bytes 4K --cases asta --words 3,5 --tiles 8 \
    --knobs tile_group=8,tile_pad=3
check "" "P-IPT" --bytes 4K --cases asta,super --words 9 --tiles 8 --knobs family=5
# shellcheck disable=SC2086 # an option and its value
check "" "tiles of any shape" $sixth --bytes 4K --cases asta,mixed --words 3,5 --tiles 8 --knobs family=7
for mode in 0 1 2; do
    check "$speculative" "100! as in the thesis, $mode" --bytes 6K --cases super --words 9 \
        --knobs "family=6,super_mode=$mode,tile_bytes=64"
done
check "$speculative" "cycles, flags padded" --bytes 4K --cases cycle --words 5 --tiles 16 \
    --knobs cycle_group=4,cycle_held=1,cycle_flags=1,cycle_pad=1
check "$speculative" "cycles, flags remapped" --bytes 4K --cases cycle --words 5 --tiles 16 \
    --knobs cycle_group=4,cycle_held=1,cycle_flags=8,cycle_remap=1
check "$speculative" "cycles, held" --bytes 4K --cases cycle --words 3 --tiles 8 \
    --knobs cycle_group=8,cycle_held=2,cycle_flags=32
check "$speculative" "cycles, none held, as in the thesis" --bytes 4K --cases cycle --words 5 --tiles 16 \
    --knobs cycle_group=8,cycle_held=0
check "$speculative" "cycles, flags in local memory" --bytes 4K --cases cycle --words 5 --tiles 16 \
    --knobs cycle_group=4,cycle_held=1
check "$speculative" "cycles, flags in global memory" --bytes 24K --cases soa --shapes 1 \
    --knobs family=2,cycle_group=8,tile_bytes=64
exit $failed
