#!/bin/bash
# SPDX-License-Identifier: MIT
# Claims: a kernel that prints, and that nobody annotated, runs rewritten where a text of it that prints nothing tells that
# it would not print; where it would, it runs as written; and nothing that it prints is seen more often than without DL.
. "$(dirname "$0")/common.sh"
program=$DL_BUILD/tests/host_prints
dl_run=$DL_BUILD/bin/dl-run
[ -z "$machine_vendors" ] || export OCL_ICD_VENDORS=$machine_vendors

# prints LIMIT DRIFT OPTION...: the same lines as natively; `drift` ran rewritten, or not.
prints() {
    local limit=$1 drift=$2 got
    shift 2
    "$program" 1000 4 "$limit" | sort >"$work/want" || fail "natively: $limit"
    "$dl_run" --detect on --stats="$work/stats.json" "$@" -- "$program" 1000 4 "$limit" 2>"$work/err" | sort >"$work/got" ||
        fail "$*: $limit"
    cmp -s "$work/want" "$work/got" || fail "$* $limit: $(diff "$work/want" "$work/got" | head -n 3)"
    [ "$drift" = any ] && return
    got=$(python3 - "$work/stats.json" <<'EOF'
import json, sys
for k in json.load(open(sys.argv[1]))["kernels"]:
    if k["kernel"] == "drift":
        print("rewritten" in k)
        break
EOF
    )
    [ "$got" = "$drift" ] || fail "$* $limit: drift rewritten: $got, not $drift: $(cat "$work/err")"
}
prints 1000 True --layout asta
prints 1000 True --layout da
prints 0.5 False --layout asta
grep -q far "$work/want" || fail "nothing is printed"
prints 0.5 any --layout auto --policy-test 3
prints 1.2 any --layout auto --policy-test 5
prints 1000 any --layout auto --policy-test 3
finish
