#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Random host programs (random_program.c) see the same bytes natively and under DL, on several
# layouts, with and without a staging area; also those that leave maps open while commands use their buffers, where
# the driver's maps show that. DL_SEQUENCES sets how many, 60 if not set.
set -u
# The claims are about annotated kernels beside others that run as written.
export DL_DETECT=off
program=$DL_BUILD/tests/random_program
count=${DL_SEQUENCES:-60}
failed=0

form=()

run() { # NAME COMMAND...
    local output
    if ! output=$("$DL_BUILD/tests/watched" -c 3600 "${@:2}" 0 "$count" "${form[@]}" 2>&1); then
        echo "FAILED $1"
        echo "$output" | tail -n 20
        failed=1
    fi
}

run natively "$program"
for layout in "asta --tile 8" "asta --tile 32 --staging 0" "da --tile 8"; do
    # shellcheck disable=SC2086 # an option and its value
    run "$layout" "$DL_BUILD/bin/dl-run" --log quiet --layout $layout -- "$program"
done
count=$(((count + 2) / 3))
form=(1 open)
"$DL_BUILD/tests/watched" -q -c 600 "$program" 0 "$count" "${form[@]}" >/dev/null 2>&1
case $? in
0)
    for layout in "asta --tile 8" "da --tile 8 --staging 200" "auto --policy-test 9"; do
        # shellcheck disable=SC2086 # an option and its value
        run "open maps, $layout" "$DL_BUILD/bin/dl-run" --log quiet --layout $layout -- "$program"
    done
    ;;
77) ;; # each map has memory of its own
*)
    echo "FAILED open maps, natively"
    failed=1
    ;;
esac
exit $failed
