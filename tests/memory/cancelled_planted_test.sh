#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The rule of cancelled_test.sh, on programs that only pretend: which endings it lets be and which it
# finds, however seldom they come.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
mkdir -p "$work/bin" "$work/tests"
ln -s "$DL_BUILD/tests/watched" "$work/tests/watched"
# What natively happens is $PLANTED_NATIVE, what happens under DL $PLANTED_DL.
cat >"$work/bin/dl-run" <<'END'
#!/bin/bash
for option; do case $option in --stats=*) echo '{"marshal_count":50}' >"${option#*=}" ;; esac; done
while [ "$1" != -- ]; do shift; done
PLANTED_UNDER_DL=1 "${@:2}"
END
cat >"$work/tests/random_cancelled" <<'END'
#!/bin/bash
[ "$1" = probe ] && exit 0
turn() { # NAME: 0, 1, 2 ... at each call
    local number
    exec 9>>"$PLANTED/$1"
    flock 9
    number=$(wc -c <"$PLANTED/$1")
    printf x >&9
    echo "$number"
}
for ((seed = $1; seed < $1 + $2; seed++)); do
    echo "seed $seed"
    if [ "$seed" -eq 3 ]; then
        if [ -n "${PLANTED_UNDER_DL:-}" ]; then how=$PLANTED_DL; else how=$PLANTED_NATIVE; fi
        case $how in
        same) echo "as always" ;;
        other) echo "another" ;;
        once) [ "$(turn once)" -eq 0 ] && echo "another" || echo "as always" ;;
        varies) [ $(($(turn varies) % 4)) -eq 3 ] && echo "another" || echo "as always" ;;
        hang) sleep 1000 ;;
        hangs-once) [ "$(turn hangs)" -eq 0 ] && sleep 1000; echo "as always" ;;
        crash) echo "a word before it" >&2; kill -SEGV $$ ;;
        race) [ "$(turn race)" -eq 0 ] && {
                echo "x: pocl_util.c:403: pocl_lock_events_inorder: Assertion \`e' failed." >&2
                kill -ABRT $$
            }
            echo "as always" ;;
        esac
    fi
    echo "end of seed $seed"
done
END
chmod +x "$work/bin/dl-run" "$work/tests/random_cancelled"

# planted STATUS NATIVELY UNDER_DL PATTERN: what the test makes of it and the last lines it says. They
# mostly sleep, so all run at once.
count=0
planted() {
    count=$((count + 1))
    one "$work/$count" "$@" &
}
one() { # FOLDER STATUS NATIVELY UNDER_DL PATTERN
    local status
    mkdir "$1" "$1/turns"
    PLANTED=$1/turns PLANTED_NATIVE=$3 PLANTED_DL=$4 DL_BUILD=$work DL_FIRST=0 DL_SEQUENCES=8 DL_LIMITS="-i 2 -s 2" \
        DL_TEST_FULL=1 bash "$(dirname "$0")/cancelled_test.sh" >"$1/out" 2>&1
    status=$?
    [ "$status" -eq "$2" ] && tail -n 40 "$1/out" | grep -q -- "$5" && touch "$1/passed" && return
    echo "FAILED: natively $3, under DL $4: $status, not $2, or no '$5'"
    sed 's/^/    /' "$1/out"
}
planted 0 same same 'auto --policy-test 7: 8 run, 0 differ'
planted 1 same other 'FAILED: seed 3, --layout asta --tile 8: what no native run does'
planted 1 same once 'FAILED: seed 3, --layout asta --tile 8: what no native run does'
planted 1 same crash 'a word before it'
planted 1 same hangs-once 'nothing done in 2 s'
planted 0 same race 'auto --policy-test 7: 8 run, 0 differ'
planted 0 varies same '8 run, 0 differ'
planted 0 varies once 'seed 3, asta --tile 8: left out: 2 endings in'
planted 1 varies other 'FAILED: the driver varies too often: 4 times'
planted 0 hang other '7 sequences compared, 1 left out'
wait
for ((i = 1; i <= count; i++)); do [ -e "$work/$i/passed" ] || failed=1; done
exit $failed
