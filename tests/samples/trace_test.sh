# SPDX-License-Identifier: MIT
# The trace of lbm is one that Perfetto reads: its conversions are those of the statistics, and the
# program's own commands, builds and looks are there, with the same results.
. "$DL_SOURCE/tests/samples/common.sh"

check() { # EXPECTATION...
    python3 "$DL_SOURCE/tests/common/check_trace.py" "$work/trace.json" "$@" || fail "trace: $*"
}

checksum_of "$lbm" --size 31x29x13 --steps 20
want=$sum
export DL_CACHE=$work/cache
expect_checksum "$want" "$dl_run" --layout asta --trace "$work/trace.json" --stats="$work/stats.json" -- \
    "$lbm" --size 31x29x13 --steps 20
# The text is rewritten, or in the cache by now, if the builder was there before it was asked.
check stats="$work/stats.json" conversion=2 conversion:"AoS to ASTA" launch=21 launch:lbm_step \
    transfer:clEnqueueWriteBuffer transfer:clEnqueueReadBuffer call:clEnqueueNDRangeKernel call:clFinish \
    build:"build of the program" build:"text " build:"a rewritten program" 'lanes>=2'

# A program without DL's work has its commands there all the same; and a device of its own clock.
expect_checksum "$want" "$dl_run" --layout aos --trace="$work/trace.json" -- "$lbm" --size 31x29x13 --steps 20
check conversion=0 launch=21 launch:"as written" transfer:clEnqueueReadBuffer
grep -q "on the host's clock by" "$work/trace.json" || fail "no word on the clock"

# Device times lie within the host's: the first command not before its call, the last not after the end.
python3 - "$work/trace.json" <<'END' || fail "the clocks do not agree"
import json, sys
events = [e for e in json.load(open(sys.argv[1])) if e["ph"] == "X"]
calls = [e for e in events if e["cat"] == "call"]
commands = [e for e in events if e["cat"] in ("launch", "transfer")]
first, last = min(e["ts"] for e in calls), max(e["ts"] + e["dur"] for e in calls)
slack = (last - first) / 100  # clocks drift
bad = [e for e in commands if e["ts"] < first - slack or e["ts"] + e["dur"] > last + slack]
print(first, last, bad)
sys.exit(bool(bad))
END
finish
