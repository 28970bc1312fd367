#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: no case that is run has a race as it is written, so that its bytes are its own whatever order
# work-items go in; and none as its work-groups load and store structs together, where they do. Oclgrind looks; it takes the read before a compare-and-exchange for a race, which
# that operation undoes. Atomic operations on the same word have to commute: nobody looks at that.
command -v oclgrind >/dev/null || { echo "oclgrind is not installed: skipped"; exit 77; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
oclgrind --data-races --max-errors 1000000 "$DL_BUILD/tests/annotate_cases_run" --coalesced \
    >"$log" 2>&1 || { echo "FAILED: the cases do not run"; grep ':[EF]:' "$log"; exit 1; }
awk -v allowed='^[ \t]*old[.]f = [*]p;' '
    function close_report() { if (open && !ok) { print "FAILED: " name ": " report; bad = 1 } }
    /^case / { close_report(); open = 0; name = $2; cases++; next }
    /data race|^Invalid (read|write)/ { close_report(); open = 1; ok = 0; report = $0; next }
    open { report = report "\n" $0 }
    open && $0 ~ allowed { ok = 1; seen++ }
    END {
        close_report()
        print cases " cases, " seen " reports of compare-and-exchange"
        exit bad || cases < 80 || !seen
    }' "$log" | { head -100; cat >/dev/null; }
exit "${PIPESTATUS[0]}"
