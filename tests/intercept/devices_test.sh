#!/bin/bash
# SPDX-License-Identifier: MIT
# Claims, over the fake driver with two devices that want tiles of their own (host_devices.c): what DL does
# for a command, it does on that command's queue, and so on its device, conversions above all; what
# moves between layouts never goes through the host, nor through a queue of DL's; migrations have
# nothing converted; and memory of DL's stays on one device, since drivers move what two use, all of it. Counts also that there were such conversions, by either device.
# DL_SEQUENCES programs from DL_SEED on; 6 from 1 if not set, 2000 with DL_TEST_FULL.
. "$(dirname "$0")/common.sh"
export FAKE_DEVICES=2 DL_LOG=quiet DL_CACHE=$work/cache
first=${DL_SEED:-1} count=6
[ -z "${DL_TEST_FULL:-}" ] || count=2000
count=${DL_SEQUENCES:-$count}
echo "seeds $first to $((first + count - 1))"

cat >"$work/check.awk" <<'END'
# Standing at a program's command: kind, queue. Kernels of DL's begin with dl_.
function complain(why) { print FILENAME ", line " FNR ": " why ": " $0; bad = 1 }
/^# / { kind = $2; queue = $3; next }
/^clCreateKernel\(/ { match($0, /, [a-z0-9_]+\)/); name = substr($0, RSTART + 2, RLENGTH - 3)
                      match($0, /= kernel#[0-9]+/); kernels[substr($0, RSTART + 2, RLENGTH - 2)] = name }
kind == "" || kind == "end" { next }
/^clCreateCommandQueue/ { complain("a queue of DL's") }
/^clCreateBuffer/ { match($0, /= mem#[0-9]+/); own[substr($0, RSTART + 2, RLENGTH - 2)] = 1 }
/^clEnqueue/ {
    match($0, /queue#[0-9]+/); on = substr($0, RSTART, RLENGTH)
    if (on != queue) complain("not on the command's " queue)
    for (rest = $0; match(rest, /mem#[0-9]+/); rest = substr(rest, RSTART + RLENGTH)) {
        mem = substr(rest, RSTART, RLENGTH)
        if (mem in own && mem in used_on && used_on[mem] != on) complain(mem " is used on both devices")
        used_on[mem] = on
    }
}
/^clEnqueue(Read|Write|Map)/ { if (kind != "transfer") complain("through the host, for a " kind) }
/^clEnqueueNDRangeKernel/ {
    match($0, /kernel#[0-9]+/); name = kernels[substr($0, RSTART, RLENGTH)]
    if (name !~ /^dl_/) next
    if (kind == "migrate") complain("for a migration")
    moved[queue "/" (name ~ /^dl_part_/ ? "parts" : "conversions")]++
}
END { for (m in moved) print m, moved[m]; exit bad }
END

# with SETTING...: all programs so.
with() {
    local seed
    : >"$work/moved"
    for seed in $(seq "$first" $((first + count - 1))); do
        rm -f "$work/log"
        FAKE_LOG=$work/log guard=$watched under ocl-icd preload "$@" \
            "$tests/host_devices" "$seed" 150 "$work/log" >"$work/out" 2>&1 ||
            fail "$*, seed $seed: $(tail -n 1 "$work/out")"
        awk -f "$work/check.awk" "$work/log" >"$work/seen" || fail "$*, seed $seed: $(head -n 3 "$work/seen")"
        cat "$work/seen" >>"$work/moved"
    done
    for what in queue#1/conversions queue#2/conversions queue#1/parts queue#2/parts; do
        case "$* $what" in *STAGING=0*parts) continue ;; esac
        grep -q "^$what " "$work/moved" || fail "$*: no $what"
    done
}

for seed in $(seq "$first" $((first + 2))); do
    under ocl-icd native "$tests/host_devices" "$seed" 150 "$work/native" >"$work/out" 2>&1 ||
        fail "seed $seed fails without DL: $(tail -n 1 "$work/out")"
done
with DL_LAYOUT=asta FAKE_SECOND_MULTIPLE=64
with DL_LAYOUT=asta DL_TILE=8
with DL_LAYOUT=da DL_TILE=8 DL_STAGING=0
finish
