#!/bin/bash
# SPDX-License-Identifier: MIT
# binaries_test.sh fake|device: a program that keeps its binaries is transformed from its second run on
# as it is in its first, whatever it does with them; it and the driver see no other bytes, with DL first
# or without. A binary that DL does not know, or whose text is not what it was, runs as written: one
# warning names its kernels, and it is never called transformed. See host_binaries.c.
kept=$DL_CACHE # common.sh turns it off
. "$(dirname "$0")/common.sh"
driver=$1
export DL_LAYOUT=asta DL_TILE=8
unset DL_LIBCLANG
[ "$driver" != fake ] || export DL_STAGING=0 # no kernel of DL's moves anything there
file=$work/file cache=$work/cache k=$work/k
if [ "$driver" = device ]; then # what takes long to build is kept for the next time
    cache=$kept k=$DL_BUILD/tests/host_binaries_texts
fi
mkdir -p "$k/include"
export DL_CACHE=$cache

cat >"$k/a.cl" <<'END'
#include "particle.h"
#ifdef LINKED
float nought(float x);
#else
float nought(float x) { return x - x; }
#endif
//DL: AoS: p[n]
__kernel void fake_step(__global particle *p, int n)
{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }
//DL: AoS: p[n]
__kernel void other(__global particle *p, int n)
{ int i = get_global_id(0); if (i < n) p[i].y = nought(p[i].y); }
END
grep -v DL: "$k/a.cl" >"$k/plain.cl"
printf '__kernel void none(__global int *p, int n) { p[0] += n; }\n' >"$k/none.cl"
header='typedef struct { float x, y; int n; } particle;'
echo "$header" >"$k/include/particle.h"
source=$k/a.cl
options=-I$k/include

# The driver of the tests, for what is started without 'under'.
vendors=(${machine_vendors:+"OCL_ICD_VENDORS=$machine_vendors"})
[ "$driver" != fake ] || vendors=("OCL_ICD_VENDORS=$tests/vendors")

start() { # HOW SETTING... -- WAYS: the program, on the driver; its output in $work/out and $work/err
    local how=$1 settings=() loader=ocl-icd
    shift
    [ "$driver" = fake ] || loader=device
    while [ "$1" != -- ]; do settings+=("$1") && shift; done
    under $loader "$how" "${settings[@]}" "$tests/host_binaries" "$2" "$file" "$source" "$options" \
        >"$work/out" 2>"$work/err" || fail "the program fails: $2 ${settings[*]}: $(cat "$work/out" "$work/err")"
    seen=$(cat "$work/out")
    said=$(grep ^dl: "$work/err")
    return 0
}
native() { start native -- "$1"; }
# go WAYS [SETTING...]: under DL; $moved is how many launches were transformed, and as written.
go() {
    local ways=$1
    shift
    rm -f "$work/stats"
    start preload DL_STATS="$work/stats" "$@" -- "$ways"
    moved=$(sed -n 's/.*"kernel":.*"launches":\([0-9]*\),"native_launches":\([0-9]*\),.*/\1 \2/p' "$work/stats" |
        awk '{ moved += $1; native += $2 } END { print moved + 0, native + 0 }')
}
# is WHAT MOVED SEEN: and nothing is said.
is() {
    [ "$moved" = "$2" ] || fail "$1: launches $moved, not $2: $said"
    [ "$seen" = "$3" ] || fail "$1: the program sees $seen, not $3"
    [ -z "$said" ] || fail "$1: says $said"
}
# unknown WHAT MOVED SEEN [PATTERN]: the same, and one warning names the kernels and the cure; and
# a line like that.
unknown() {
    local warning='^dl: warning: kernels came from binaries .* as written: fake_step, other; .*PYOPENCL_NO_CACHE=1'
    [ "$(grep -cE "$warning" <<<"$said")" = 1 ] || fail "$1: no warning of unknown binaries: $said"
    if [ -n "${4:-}" ]; then
        [ "$(grep -cE "^dl: [a-z]*: $4" <<<"$said")" = 1 ] || fail "$1: not said: $4: $said"
    fi
    said=$(grep -vE "$warning${4:+|^dl: [a-z]*: $4}" <<<"$said")
    is "$@"
}
fresh() { # on a device, where building takes long, DL keeps what it has built
    rm -rf "$file" "$work/empty"
    [ "$driver" = device ] || rm -rf "$cache"
}

# Of the ways on a device some a turn (common/turn.h), all with DL_TEST_FULL.
takes() {
    case ${DL_TEST_FULL:+full}${DL_TURN:-0},$1 in
    0,object | 0,last | 1,linked) return 1 ;;
    esac
}
# What the program sees natively, in each way: in its first run, and in the next.
devices=1
[ "$driver" = fake ] || { native - && devices=$(grep -c ^sum <<<"$seen"); }
for ways in - fixed second last object linked threads twice callback plain relaxed; do
    fresh
    unset FAKE_DEVICES
    all=$((2 * devices)) some="$((2 * devices)) 0"
    [ "$driver" = fake ] || takes $ways || continue
    case $driver,$ways in
    fake,second) export FAKE_DEVICES=2 && all=4 some="2 2" ;; # it runs on the other one, too
    device,second | device,fixed) continue ;; # PoCL writes binaries where none are wanted
    device,last) [ $devices = 2 ] || continue && some="2 0" ;;
    fake,last) continue ;;
    device,threads | device,twice | device,callback | device,plain | device,relaxed)
        [ -n "${DL_TEST_FULL:-}" ] || continue
        ;;
    fake,object) continue ;;                                   # it has no such binaries
    esac
    [ $ways != threads ] || some="8 0"
    native $ways
    first=$seen
    cp "$file" "$work/native_file"
    native $ways
    second=$seen

    # DL, twice and once more; then natively, as without DL.
    fresh
    go $ways
    is "$ways: first run" "$all 0" "$first"
    [ "$driver" != fake ] || cmp "$file" "$work/native_file" || fail "$ways: the program keeps other bytes"
    for run in second third; do
        [ "$run" = second ] || [ "$driver" = fake ] || continue
        go $ways
        case $ways in
        relaxed)
            grep -q "^dl: warning: the kernels of .* run as written: fake_step,other; it is built with '-cl-fast-relaxed-math'" \
                <<<"$said" || fail "$ways: other options are not said: $said"
            said=$(sed 1d <<<"$said")
            is "$ways: $run run" "0 $all" "$second"
            ;;
        *) is "$ways: $run run" "$some" "$second" ;;
        esac
    done
    native $ways
    [ "$seen" = "$second" ] || fail "$ways: natively after DL: $seen, not $second"

    # Natively, then DL; and again without what DL kept, or without a cache.
    fresh
    native $ways
    go $ways DL_CACHE="$work/empty"
    unknown "$ways: a binary from before DL" "0 $((${some% *} + ${some#* }))" "$second"
done
unset FAKE_DEVICES
[ "$driver" = fake ] || finish
fresh
native -
first=$seen
native -
second=$seen
all=$((2 * devices))
again() { # WHAT: and back to what it was
    go -
    is "back after $1" "$all 0" "$second"
}
learn() { # a file of binaries that DL knows, and nothing else
    fresh
    go -
    is "first run" "$all 0" "$first"
}
learn
rm -rf "$cache"
go -
unknown "DL's cache is deleted" "0 $all" "$second"
learn
go - DL_CACHE=off
unknown "DL's cache is off" "0 $all" "$second"
grep -q 'leave DL.s on' "$work/err" || fail "DL's cache is off: another cure: $(cat "$work/err")"
again "no cache"

# The binary of one device is known, that of the other is not.
export FAKE_DEVICES=2
fresh
native mixed
native mixed
mixed=$seen
fresh
go mixed
go mixed
unknown "one device's binary" "2 2" "$mixed"
# Both are known, of different texts.
cat >"$work/cross.py" <<'END'
import sys
def parts(path):
    data, at, out = open(path, "rb").read(), 8, []
    for _ in range(2):
        n = int.from_bytes(data[at:at + 8], "little")
        out.append(data[at:at + 8 + n])
        at += 8 + n
    return data[:8], out
head, a = parts(sys.argv[1])
_, b = parts(sys.argv[2])
open(sys.argv[2], "wb").write(head + a[0] + b[1])
END
fresh
go -
mv "$file" "$work/one"
(cat "$k/a.cl" && echo '/* another */') >"$k/another.cl"
source=$k/another.cl go -
python3 "$work/cross.py" "$work/one" "$file"
native -
crossed=$seen
go -
unknown "binaries of two texts" "2 2" "$crossed"

# Devices of different names that give the same bytes: both are known.
fresh
source=$k/a.cl FAKE_SECOND_DEVICE_NAME="Another device" go -
source=$k/a.cl FAKE_SECOND_DEVICE_NAME="Another device" go -
[ "$moved" = "4 0" ] && [ -z "$said" ] || fail "devices of two names: $moved: says $said"
unset FAKE_DEVICES

# Texts, or here options, that give the same bytes: the last counts.
fresh
usual=$options
for options in "$usual -DSTEP=1" "$usual -DSTEP=2"; do
    rm -f "$file"
    go -
done
go plain FAKE_LOG="$work/log"
grep -q 'DSTEP=2' "$work/log" && ! grep -q 'DSTEP=1' "$work/log" ||
    fail "not the last text: $(grep clBuild "$work/log")"
options=$usual
learn

# Without a cache a binary is known as long as the process lives.
rm "$file"
go here DL_CACHE=off
is "no cache, in one process" "$all 0" "$second"
again "no cache, in one process"

# What the text includes: a binary is not rewritten by another text than it was built from.
learn
echo "$header /* changed */" >"$k/include/particle.h"
go - DL_LOG=remark
unknown "a changed include" "0 $all" "$second" 'a program is loaded from a binary .* files which have changed since'
echo "$header" >"$k/include/particle.h"
again "a changed include"
mv "$k/include" "$k/aside"
go -
unknown "an include that is gone" "0 $all" "$second"
mv "$k/aside" "$k/include"
again "an include that is gone"

# A text that was rewritten beforehand: what it includes only the driver knows.
"$DL_BUILD/bin/dl-annotate" "-I$k/include" "$k/a.cl" -o "$k/shipped.cl" || fail "dl-annotate"
fresh
source=$k/shipped.cl
go -
[ "$moved" = "$all 0" ] && [ -z "$said" ] || fail "rewritten beforehand: $moved: $said"
native -
shipped=$seen
go - DL_LOG=remark
unknown "rewritten beforehand, with an include" "0 $all" "$shipped" 'a program is loaded from a binary .* which DL did not read'
source=$k/a.cl

# A run without the side file that made a binary known takes nothing from what is known.
printf 'fake_step: AoS: p[n]\nother: AoS: p[n]\n' >"$work/side"
source=$k/plain.cl
fresh
go - DL_ANNOTATIONS="$work/side"
go twice
[ -z "$said" ] || fail "without the side file: says $said"
go - DL_ANNOTATIONS="$work/side"
[ "$moved" = "$all 0" ] && [ -z "$said" ] || fail "with the side file again: $moved: $said"
source=$k/a.cl

# Entries that are damaged: as if they were not there, and once more from the source.
for damage in 'truncate -s -1' 'truncate -s 0' 'sed -i s/AoS/SoA/'; do
    learn
    for entry in "$cache"/*; do $damage "$entry"; done
    go - DL_LOG=remark
    unknown "damaged: $damage" "0 $all" "$second" '.*an entry of the cache is damaged'
    rm "$file"
    go -
    is "built anew after damage" "$all 0" "$first"
    again "damage"
done

# A cache that can't be written, or is full: the first run says so.
full='the program takes the binary of annotated kernels, and DL can.t write into its cache'
fresh
go - DL_CACHE=/proc/nowhere/cache
[ "$(grep -cE "^dl: warning: $full" <<<"$said")" = 1 ] || fail "an unwritable cache: $said"
said= && is "an unwritable cache" "$all 0" "$first"
go - DL_CACHE=/proc/nowhere/cache
[ "$(grep -c "^dl: warning: /proc/nowhere/cache: can't be written" <<<"$said")" = 1 ] || fail "an unwritable cache, again: $said"
said=$(grep -v "^dl: warning: /proc/nowhere/cache: can't be written" <<<"$said")
unknown "an unwritable cache, again" "0 $all" "$second"
if unshare -m sh -c "mount -t tmpfs none '$k/include'" 2>/dev/null; then
    fresh
    mkdir -m 700 "$cache"
    DL_BUILD=$DL_BUILD unshare -m bash -c 'mount -t tmpfs -o nr_inodes=1,mode=700 none "$0" && shift && "$@"' \
        "$cache" x env LD_PRELOAD="$dl" "${vendors[@]}" "$tests/host_binaries" - "$file" "$source" "$options" \
        >"$work/out" 2>"$work/err"
    [ "$(grep -cE "^dl: warning: $full" "$work/err")" = 1 ] || fail "a full disk: $(cat "$work/err")"
    [ "$(cat "$work/out")" = "$first" ] || fail "a full disk: the program sees $(cat "$work/out")"
fi
learn
again "a full disk"

# Only sizes asked for: there is nothing to know, and the program goes on with its source.
fresh
for run in first second; do
    go sizes
    is "sizes alone: $run run" "$all 0" "$first"
done
[ ! -e "$file" ] || fail "sizes alone: a file"

# Kernels without annotations are not warned of, as far as DL saw them built. A side file that names
# them comes too late for their binaries, which is said.
for name in none plain; do
    source=$k/$name.cl
    fresh
    go -
    [ -z "$said" ] || fail "$name: says $said"
    first_plain=$seen
    go -
    [ -z "$said" ] && [ "${moved% *}" = 0 ] || fail "$name, again: $moved: says $said"
done
printf 'fake_step: AoS: p[n]\nother: AoS: p[n]\n' >"$work/side"
go - DL_ANNOTATIONS="$work/side"
[ "$(grep -cE "^dl: .*side:[12]:1: warning: kernel '(fake_step|other)' came from a binary" <<<"$said")" = 2 ] ||
    fail "a side file that comes later: $said"
[ "${moved% *}" = 0 ] || fail "a side file that comes later: $moved"
rm "$file"
for run in 1 2; do
    go - DL_ANNOTATIONS="$work/side"
    [ -z "$said" ] && [ "$moved" = "$all 0" ] || fail "a side file, run $run: $moved: $said"
done
[ -n "$first_plain" ] || fail "nothing was seen"
source=$k/a.cl

# Another driver: its macros may be others.
learn
go - FAKE_DRIVER_VERSION=1.1
unknown "another driver" "0 $all" "$second"
again "another driver"

# What the driver refuses DL: the program gets what it would have got.
for refusal in clGetDeviceInfo:1=-6 clGetDeviceInfo:9=-6 clGetProgramInfo:3=-6; do
    fresh
    go - FAKE_FAIL=$refusal
    is "$refusal: first run" "$all 0" "$first"
done
for refusal in clGetDeviceInfo:1=-6 clGetDeviceInfo:9=-6; do
    go - FAKE_FAIL=$refusal
    [ "$seen" = "$second" ] || fail "$refusal: second run: $seen"
done
finish
