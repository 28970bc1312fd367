# SPDX-License-Identifier: MIT
# Statistics as people and programs read them: the file is what docs/reference/stats.schema.json says, and the
# table says for each kernel how it ran, why, how fast, and what that gained.
. "$DL_SOURCE/tests/samples/common.sh"
schema=$DL_SOURCE/docs/reference/stats.schema.json

# stats OPTION... -- PROGRAM...: runs it; the file is $work/stats.json.
stats() {
    rm -f "$work/stats.json"
    checksum_of "$dl_run" --stats="$work/stats.json" "$@"
    python3 "$DL_SOURCE/tests/common/check_schema.py" "$schema" "$work/stats.json" ||
        fail "schema: $*: $(head -c 3000 "$work/stats.json")"
}
# says PYTHON: an expression over the statistics and the first kernel is true.
says() {
    python3 - "$work/stats.json" "$1" <<'END' || fail "not so: $1: $(head -c 2000 "$work/stats.json")"
import json, sys
stats = json.load(open(sys.argv[1]))
kernel = stats["kernels"][0]
sys.exit(not eval(sys.argv[2]))
END
}

# Nothing is known of an earlier run.
export DL_CACHE=$work/cache

# Of each cell lbm reads 20 floats and writes as many: 160 bytes of the buffers, each step, at least.
stats --layout asta -- "$lbm" --size 31x29x13 --steps 20
says 'kernel["rewritten"]["launches"] == 21 and "as_written" not in kernel and "gain" not in kernel'
says 'kernel["rewritten"]["why"] == "--layout asks for it"'
says '0 < kernel["rewritten"]["bytes"] <= 21 * 31 * 29 * 13 * 160'
says 'abs(kernel["rewritten"]["gb_per_s"] - kernel["rewritten"]["bytes"] / kernel["time_ms"] / 1e6) < 0.01'
says '{m["name"] for m in stats["marshals"]} == {"src", "dst"}'
says 'all(abs(m["gb_per_s"] - m["bytes"] / m["time_ms"] / 1e6) < 0.01 for m in stats["marshals"])'
says 'abs(stats["total"]["kernels_ms"] - kernel["time_ms"]) < 1e-3'
says 'abs(stats["total"]["conversions_ms"] - sum(m["time_ms"] for m in stats["marshals"])) < 1e-3'
says '"1 of 1 kernel ran in tiles: " in stats["summary"]'
stats --layout aos -- "$lbm" --size 31x29x13 --steps 20
says 'kernel["as_written"]["why"] == "--layout aos asks for it" and "rewritten" not in kernel'
says 'kernel["as_written"]["launches"] == 21 and "gain" not in stats["total"]'
# Of cells that all work-items go through no figure is right: caches serve them.
for index in i j; do
    cat >"$work/shared.cl" <<END
typedef struct { float f[20]; } cell;
__kernel void lbm_step(__global const cell *src, __global cell *dst, int nx, int ny, int nz,
                       float omega, float lid)
{
    size_t i = get_global_id(0) + nx * (get_global_id(1) + ny * get_global_id(2));
    float sum = 0;
    for (int j = 0; j < nx; j++)
        sum += src[$index].f[1];
    dst[i].f[3] = src[i].f[0] + sum;
}
END
    stats --layout asta -- "$lbm" --size 32x32x4 --steps 3 --kernel "$work/shared.cl"
    says 'kernel["rewritten"]["launches"] == 4'
    says "('gb_per_s' in kernel['rewritten']) == ('$index' == 'i')"
done

# Where auto goes to and fro, what it measured as written is what the others are compared with.
stats --policy-test 2 -- "$lbm" --size 31x29x13 --steps 40 --probe 100
says 'kernel["rewritten"]["launches"] + kernel["as_written"]["launches"] == 41'
says '0 < kernel["gain"]["launches"] <= kernel["rewritten"]["launches"] and kernel["gain"]["as_written_ms"] > 0'
says 'abs(kernel["gain"]["factor"] - kernel["gain"]["as_written_ms"] / kernel["gain"]["time_ms"]) < 0.01'
says 'kernel["gain"] == stats["total"]["gain"]'
says '"--policy-test" in kernel["rewritten"]["why"]'

# The table has the same.
DL_CACHE=$work/other-cache
run "$dl_run" --layout asta --stats -- "$lbm" --size 31x29x13 --steps 20
grep -qE '^  lbm_step +rewritten +21 +[0-9.]+ +[0-9.]+ +-  src:ASTA/[0-9]+ dst:ASTA/[0-9]+$' "$work/err" || fail "$err"
grep -q '^      why: --layout asks for it$' "$work/err" || fail "why: $err"
grep -qE '^  1 src +11687 +80  AoS->ASTA/[0-9]+ +1 +[0-9.]+ +[0-9.]+$' "$work/err" || fail "conversion: $err"
tail -1 "$work/err" | grep -qE '^  in short: 1 of 1 kernel ran in tiles: [0-9.]+ ms with conversions; the time as written was not measured.*\. Next: compare with --layout aos' ||
    fail "in short: $err"
run "$dl_run" --layout asta --stats -- "$lbm" --size 31x29x13 --steps 2 --variant soa
grep -qE '^  1 src +11687 +80  SoA->ASTA/[0-9]+ +1 ' "$work/err" || fail "conversion of arrays: $err"
run "$dl_run" --layout aos --stats -- "$lbm" --size 31x29x13 --steps 2
tail -1 "$work/err" | grep -q "^  in short: kernel 'lbm_step' ran as written: --layout aos asks for it. Next: remove --layout (DL_LAYOUT)$" ||
    fail "aos: $err"
run "$dl_run" --policy-test 2 --stats -- "$lbm" --size 31x29x13 --steps 40 --probe 100
grep -qE '^  lbm_step +rewritten .* [0-9.]+ x  ' "$work/err" || fail "gain: $err"
tail -1 "$work/err" | grep -qE '^  in short: [0-9]+ of 41 launches of 1 kernel ran in .*: [0-9.]+ instead of [0-9.]+ ms' || fail "total: $err"
finish
