#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: a device that is lost in the middle, of conversions too, is the program's own error: nothing hangs, the
# other device goes on, and what is read there is right or refused (fault_lost), natively and on each layout.
set -u
layer=$DL_BUILD/tests/libfault_layer.so
dl=${DL_LIBRARY:-$DL_BUILD/lib/libdl_intercept.so}
failed=0
unset LD_PRELOAD OPENCL_LAYERS DL_STATS DL_STAGING DL_VERIFY DL_ANNOTATIONS
export FAULT_LAYER=$layer DL_LOG=quiet DL_TILE=8

run() { # WHAT LAYERS SETTING...
    local what=$1 layers=$2 code
    rounds=
    shift 2
    out=$(env "$@" "OPENCL_LAYERS=$layers" "$DL_BUILD/tests/watched" -c 300 "$DL_BUILD/tests/fault_lost" 2>&1)
    code=$?
    case $code in
    0)
        rounds=$(sed -n 's/^\([0-9]*\) rounds.*/\1/p' <<<"$out") # drivers say things of their own
        echo "$what: $out"
        ;;
    77) echo "$out"; exit 77 ;;
    *) echo "FAILED $what: exit code $code: $(tail -n 3 <<<"$out")"; failed=1 ;;
    esac
}

run natively "$layer"
calls=${rounds:?}
layouts=(DL_LAYOUT=asta "DL_LAYOUT=auto DL_POLICY_TEST=5") # the other with DL_TURN=1, all with DL_TEST_FULL
[ "${DL_TURN:-0}" = 0 ] || layouts=(DL_LAYOUT=da)
[ -z "${DL_TEST_FULL:-}" ] || layouts+=(DL_LAYOUT=da)
for settings in "${layouts[@]}"; do
    # shellcheck disable=SC2086 # words
    run "$settings" "$layer:$dl" $settings
    # DL's conversions are among the calls that the device is lost at.
    [ "${rounds:-0}" -gt "$calls" ] || { echo "FAILED $settings: no calls of DL's own"; failed=1; }
done
exit $failed
