#!/bin/bash
# SPDX-License-Identifier: MIT
# Claims: an annotated program's second run reads no text, has the driver build no rewritten
# program, and sees and hears the same; whatever the result depends on makes another run of it; and
# where the cache can't or must not be used, the program runs as ever. A shadow program is built once
# a device and kernel that is launched, whatever the kernel objects and launches. test_store.c has the files themselves.
. "$(dirname "$0")/common.sh"
export HOST_LAUNCHED=1 # of two
export DL_LAYOUT=asta DL_TILE=8 XDG_CACHE_HOME=$work/xdg HOME=$work/home
unset DL_CACHE DL_LIBCLANG
mkdir "$work/home" "$work/xdg" "$work/include" "$work/first"
files=$work/xdg/dl

cat >"$work/a.cl" <<'END'
#include "particle.h"
//DL: AoS: p[n]
__kernel void fake_step(__global particle *p, int n)
{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }
//DL: AoS: p[n]
__kernel void other(__global particle *p, int n)
{ int i = get_global_id(0); if (i < n) p[i].y = 0; }
END
echo 'typedef struct { float x, y; int n; } particle;' >"$work/include/particle.h"
options="-I$work/first -I$work/include"

# go [SETTING...]: runs the program under DL; $seen is what it and DL print, $clang whether it has a
# libclang, $made how many texts were rewritten and kept, rewritten programs built and kept.
source=$work/a.cl
go() {
    rm -f "$work/log" "$work/stats"
    FAKE_LOG=$work/log DL_STATS=$work/stats guard=$watched under ocl-icd preload "$@" \
        "$tests/host_cache" "$source" "$options" ${objects:-} >"$work/out" 2>&1 ||
        fail "the program fails: $(tail -n 1 "$work/out")"
    seen=$(grep -v ^libclang: "$work/out")
    clang=$(sed -n 's/^libclang: //p' "$work/out")
    made=$(sed -n 's/.*"texts_rewritten":\([0-9]*\),"texts_kept":\([0-9]*\),"shadows_built":\([0-9]*\),"shadows_kept":\([0-9]*\).*/\1 \2 \3 \4/p' "$work/stats")
    builds=$(grep -c '^clBuildProgram(.*DL_TILE' "$work/log")
    binaries=$(grep -c '^clCreateProgramWithBinary(.*= program.* 0$' "$work/log")
    sources=$(grep -c '^clCreateProgramWithSource(' "$work/log")
}
# is WHAT MADE: and no libclang in the process, whatever was rewritten.
is() {
    [ "$made" = "$2" ] || fail "$1: $made, not $2 (texts rewritten, kept, programs built, kept)"
    [ "$clang" = no ] || fail "$1: a libclang is loaded"
}

# The first run and the second.
go
is "first run" "1 0 1 0"
first=$seen
go
is "second run" "0 1 0 1"
[ "$seen" = "$first" ] || fail "second run: another output: $seen"
# The rewritten program and the marshaling kernels; what is left is the program's own.
[ "$binaries $sources" = "4 1" ] || fail "second run: programs from binaries and source: $binaries $sources"
[ "$(stat -c %a "$files")" = 700 ] || fail "mode of the directory: $(stat -c %a "$files")"
[ -z "$(find "$files" -type f ! -perm 600)" ] || fail "mode of the files"
[ "$(find "$files" -type f | wc -l)" = 5 ] || fail "$(find "$files" -type f | wc -l) files"

# The other kernel, launched for the first time.
go HOST_LAUNCHED=2
is "another kernel" "0 1 1 1"
go HOST_LAUNCHED=2
is "both kernels" "0 1 0 2"
rm -rf "$files"
go

# What makes another run of it; and back again, what was kept is still there.
again() {
    go
    is "back after $1" "0 1 0 1"
    [ "$seen" = "$first" ] || fail "back after $1: another output: $seen"
}
sed 's/p\[i\].y = 0;/p[i].y = 1;/' "$work/a.cl" >"$work/b.cl"
source=$work/b.cl && go
is "changed source" "1 0 1 0"
source=$work/a.cl && again "changed source"
options="$options -DUNUSED" && go
is "changed option" "1 0 1 0"
options=${options% -DUNUSED} && again "changed option"
for setting in FAKE_DEVICE_NAME=Other FAKE_DEVICE_VENDOR=Other FAKE_DRIVER_VERSION=1.1; do
    go "$setting"
    is "$setting" "1 0 1 0"
    again "$setting"
done
go DL_TILE=16
is "another tile" "0 1 1 0"
go DL_LAYOUT=da
is "another layout" "0 1 1 0"
again "another layout"
echo 'other: AoS: p[4]' >"$work/side"
go DL_ANNOTATIONS="$work/side"
is "side file" "1 0 1 0"
echo 'other: AoS: p[5]' >"$work/side"
go DL_ANNOTATIONS="$work/side"
is "changed side file" "1 0 1 0"
again "side file"

# DL itself: a copy of it with another build id.
python3 - "$dl" "$work/other.so" <<'END'
import subprocess
import sys

lines = subprocess.run(["readelf", "-n", sys.argv[1]], capture_output=True, text=True).stdout
number = bytes.fromhex(lines.split("Build ID: ")[1].split()[0])
data = open(sys.argv[1], "rb").read()
assert data.count(number) == 1
open(sys.argv[2], "wb").write(data.replace(number, number[:-1] + bytes([number[-1] ^ 1])))
END
usual=$dl
ln -s "$DL_BUILD/lib/dl-builder" "$work/dl-builder"
dl=$work/other.so go
is "another build of DL" "1 0 1 0"
dl=$usual
again "another build of DL"

# Included files: their contents, and one that appears in front of them or goes away.
echo 'typedef struct { float x, y; int n; } particle; /* changed */' >"$work/include/particle.h"
go
is "changed include" "1 0 1 0"
go
is "changed include, again" "0 1 0 1"
echo 'typedef struct { float y, x; int n; } particle;' >"$work/first/particle.h"
go
is "an include in front" "1 0 1 0"
rm "$work/first/particle.h"
go
is "no include in front" "1 0 0 1"
mv "$work/include" "$work/aside"
go DL_LOG=quiet
mv "$work/aside" "$work/include"
[ "$made" = "1 0 0 0" ] || fail "include gone: $made"
go
[ "${made#* }" = "0 0 1" ] || fail "include back: $made"

# One that changes while the driver builds: what it has made of it is not kept for the text before.
rm -rf "$files"
cp "$work/include/particle.h" "$work/aside.h"
go FAKE_BUILD_APPENDS="$work/include/particle.h"
is "an include that changes meanwhile" "1 0 1 0"
cp "$work/aside.h" "$work/include/particle.h"
go
is "an include that has changed meanwhile" "0 1 1 0"
go
is "an include that has changed meanwhile, again" "0 1 0 1"

# Remarks are said again, the same ones; so are reasons to leave the kernels alone.
cat >"$work/refused.cl" <<'END'
typedef struct { float x, y; int n; } particle;
//DL: AoS: p[n]
__kernel void fake_step(__global particle *p, int n)
{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }
//DL: AoS: p[n]
__kernel void other(__global particle *p, int n)
{ volatile ulong where = (ulong)p; }
END
source=$work/refused.cl && go DL_LOG=remark
is "a kernel refused" "1 0 1 0"
first=$seen
grep -q "7:26: warning: kernel 'other' is not rewritten" "$work/out" || fail "no remark: $seen"
go DL_LOG=remark
is "a kernel refused, again" "0 1 0 1"
[ "$seen" = "$first" ] || fail "other remarks: $seen, not $first"
for text in '{ volatile ulong where = (ulong)p; }' '{ syntax error'; do
    printf 'typedef struct { int n; } s;\n//DL: AoS: p[n]\n__kernel void fake_step(__global s *p, int n)\n%s\n' \
        "$text" >"$work/refused.cl"
    go DL_LOG=remark
    is "all refused" "1 0 0 0"
    first=$seen
    grep -q "run as written" "$work/out" || fail "no remark: $seen"
    go DL_LOG=remark
    is "all refused, again" "0 1 0 0"
    [ "$seen" = "$first" ] || fail "other remarks: $seen, not $first"
done
# Without a libclang there is nothing to keep: there may be one the next time.
rm -rf "$files"
go DL_LIBCLANG=none
go DL_LIBCLANG=none
[ "$made" = "0 0 0 0" ] || fail "no libclang: $made"
[ -z "$(ls -A "$files")" ] || fail "no libclang: something was kept: $(ls "$files")"

# Damage: a file cut off, one overwritten, all of them replaced by one another.
source=$work/a.cl && go
first=$seen
for file in "$files"/*; do
    truncate -s -1 "$file"
done
go
is "files cut off" "1 0 1 0"
for file in "$files"/*; do
    printf '\377' | dd of="$file" bs=1 seek=$(($(stat -c %s "$file") / 2)) conv=notrunc 2>"$work/dd"
done
go
is "files overwritten" "1 0 1 0"
[ "$binaries $sources" = "4 1" ] || fail "files overwritten: programs from binaries and source: $binaries $sources"
files_now=("$files"/*)
for file in "${files_now[@]:1}"; do
    cp "${files_now[0]}" "$file"
done
go
case $made in
"1 0 1 0" | "1 0 0 1" | "0 1 1 0") ;; # one of them is what it was
*) fail "files mixed up: $made" ;;
esac
again "damage"

# The driver does not take its binary back: it builds anew, as it does at the first run.
go FAKE_FAIL=clCreateProgramWithBinary:1=-42
is "a binary refused" "0 1 1 0"
[ "$seen" = "$first" ] || fail "a binary refused: another output: $seen"
for refusal in clCreateProgramWithBinary:2=-42 clCreateProgramWithBinary:4=-42 clBuildProgram:3=-11; do
    go "FAKE_FAIL=$refusal"
    is "a binary of marshaling kernels refused" "0 1 0 1"
    [ "$seen" = "$first" ] && [ "$sources" -le 2 ] ||
        fail "$refusal: another output, or $sources programs from source: $seen"
done
go FAKE_FAIL=clBuildProgram:2=-11
is "a binary that does not build" "0 1 1 0"
[ "$seen" = "$first" ] || fail "a binary that does not build: another output: $seen"
[ "$builds" = 2 ] || fail "a binary that does not build: $builds builds"
rm -rf "$files"
go FAKE_FAIL=clGetProgramInfo:1=-6
is "no binary to be had" "1 0 1 0"
go
is "no binary to be had, again" "0 1 1 0"

# What took too long, or too much memory, may not do so the next time.
{
    echo '#define A0(x) x'
    for ((i = 1; i <= 24; i++)); do echo "#define A$i(x) A$((i - 1))(A$((i - 1))(x))"; done
    cat "$work/a.cl"
    echo '__kernel void last(__global int *p, int n) { p[0] = A24(n); }'
} >"$work/endless.cl"
source=$work/endless.cl
for text in "1 0" "1 0"; do
    go
    [ "${made% * *}" = "$text" ] || fail "more than it may take: $made"
    grep -q 'it takes too' <<<"$seen" || fail "more than it may take, is not said: $seen"
done
source=$work/a.cl

# What the device was asked and did not answer, it may answer the next time.
printf '#if __FAKE_VERSION__ > 1\n#define STEP 1\n#else\n#define STEP 2\n#endif\n' >"$work/asks.cl"
cat "$work/a.cl" >>"$work/asks.cl"
again "builds that failed"
source=$work/asks.cl
for text in "1 0" "1 0"; do
    go FAKE_BUILD_FAIL_ON=dl_probed
    [ "${made% * *}" = "$text" ] || fail "no answer of the device: $made"
done
go
[ "${made% * *}" = "1 0" ] || fail "an answer of the device: $made"
go
is "an answer of the device, again" "0 1 0 1"
# Beside the program's own build, a question would be one with its options.
[ "$(grep '^clBuildProgram' "$work/log" | grep -v DL_TILING | grep -c -e '-I')" = 1 ] || fail "the device is asked again"
source=$work/a.cl

# Where there is none, and where it is.
rm -rf "$files"
go DL_CACHE=off
go DL_CACHE=off
is "off" "1 0 1 0"
[ ! -e "$files" ] || fail "off: something was kept"
go DL_CACHE="$work/mine/cache"
[ ! -e "$work/mine" ] || fail "a folder above the one named was made"
mkdir "$work/mine"
go DL_CACHE="$work/mine/cache"
go DL_CACHE="$work/mine/cache"
is "a directory named" "0 1 0 1"
cd "$work" && go DL_CACHE=mine/cache && cd - >"$work/cd"
is "a directory named from here" "0 1 0 1"
go XDG_CACHE_HOME=
[ -d "$work/home/.cache/dl" ] || fail "not in HOME"
go XDG_CACHE_HOME=relative
is "in HOME" "0 1 0 1"
go XDG_CACHE_HOME= HOME=
is "no HOME" "1 0 1 0"
grep -q "^dl: warning: HOME is not set, so nothing is kept" "$work/out" || fail "no HOME: not said: $seen"
# Another user's, as a program finds that sudo has started.
theirs=$work/theirs
mkdir "$theirs"
chown 12345 "$theirs" 2>/dev/null || theirs=/
for variables in "XDG_CACHE_HOME= HOME=$theirs" "XDG_CACHE_HOME=$theirs"; do
    go $variables
    is "$variables" "1 0 1 0"
    [ "$(grep -c "^dl: warning: $theirs is not a folder of this user, so nothing is kept and each run starts from scratch: set XDG_CACHE_HOME" "$work/out")" = 1 ] ||
        fail "$variables: not said once: $seen"
    go $variables DL_STATS=1 DL_LOG=error
    [ "$(grep -c "^  cache: $theirs is not a folder of this user, so nothing is kept" "$work/out")" = 1 ] ||
        fail "$variables: not in the statistics: $seen"
    grep -q '^dl: warning' "$work/out" && fail "$variables: a warning, though the log has errors alone: $seen"
done
[ ! -e "$files" ] || fail "elsewhere: something was kept"
: >"$work/plain"
for nowhere in "$work/plain/cache" /proc/nowhere/cache; do
    go DL_CACHE="$nowhere" DL_LOG=remark
    is "$nowhere" "1 0 1 0"
    [ "$(grep -vE "^dl: (warning: $nowhere: can't be written|remark: kernel .* DL follows the annotation )" <<<"$seen")" = "$first" ] || fail "$nowhere: another output: $seen"
    [ "$(grep -c "^dl: warning: $nowhere: can't be written" "$work/out")" = 1 ] || fail "$nowhere: not said once: $seen"
done
go XDG_CACHE_HOME=/proc/nowhere
is "the usual place, where nothing can be written" "1 0 1 0"
[ "$(grep -c "^dl: warning: /proc/nowhere/dl: can't be written (No such file or directory), so nothing is kept" "$work/out")" = 1 ] ||
    fail "the usual place: not said once: $seen"
grep -q '"summary":".* once' "$work/stats" && fail "kept nowhere, but done once: $(cat "$work/stats")"
mkdir -m 775 "$work/open"
go DL_CACHE="$work/open" DL_LOG=remark
is "a directory for all" "1 0 1 0"
[ "$(grep -c "^dl: .*$work/open: not used as a cache" "$work/out")" = 1 ] || fail "not one remark: $seen"
[ -z "$(ls -A "$work/open")" ] || fail "a directory for all is written to"
mkdir -p "$files" && chmod 770 "$files"
go
is "a usual directory for the group" "1 0 1 0"
[ "$(grep -c "^dl: warning: $files: not used as a cache" "$work/out")" = 1 ] || fail "not one warning: $seen"
[ "$(grep -v "^dl: warning: $files: not used" <<<"$seen")" = "$first" ] || fail "a usual directory for the group: $seen"
rm -rf "$files"

# A program with more rights than its user has none. (For others than root, no way to make one.)
if [ "$(id -u)" = 0 ]; then
    for real in 65534 0; do
        rm -f "$work/stats"
        under ocl-icd native DL_STATS="$work/stats" python3 -c "
import os, sys
os.setresuid($real, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])" "$tests/host_cache_linked" "$source" "$options" >"$work/out" 2>&1 ||
            fail "linked: $(cat "$work/out")"
        # It starts no dl-builder, which could be another than the user's.
        [ $real = 0 ] || [ -z "$(ls -A "$files" 2>"$work/none")" ] || fail "linked: its text was read"
        [ $real = 0 ] || [ ! -e "$work/stats" ] || fail "more rights than its user: statistics"
        [ $real = 0 ] || [ ! -e "$files" ] || fail "more rights than its user: something was kept"
    done
    [ -e "$files" ] || fail "linked: nothing was kept"
    rm -rf "$files"
fi

# Several programs at once, from nothing.
for i in 1 2 3 4; do
    guard=$watched under ocl-icd preload "$tests/host_cache" "$source" "$options" >"$work/at_once.$i" 2>&1 &
done
wait
for i in 1 2 3 4; do
    [ "$(grep -v ^libclang: "$work/at_once.$i")" = "$first" ] || fail "at once: $(cat "$work/at_once.$i")"
done
again "programs at once"
[ "$(find "$files" -type f | wc -l)" = 5 ] || fail "at once: $(find "$files" -type f | wc -l) files"

# Texts that were rewritten beforehand need no libclang; the files that they include are not known,
# so that only the driver may say what becomes of them.
"$DL_BUILD/bin/dl-annotate" "-I$work/include" "$work/a.cl" -o "$work/shipped.cl" || fail "dl-annotate"
source=$work/shipped.cl
go DL_LIBCLANG=none
go DL_LIBCLANG=none
is "shipped, with an include" "0 0 1 0"
printf '#inc\\\nlude "particle.h"\n' >"$work/spliced.cl"
grep -v '#include' "$work/shipped.cl" >>"$work/spliced.cl"
source=$work/spliced.cl
go DL_LIBCLANG=none
go DL_LIBCLANG=none
is "shipped, with an include on two lines" "0 0 1 0"
cat "$work/include/particle.h" >"$work/whole.cl"
grep -v '#include' "$work/shipped.cl" >>"$work/whole.cl"
source=$work/whole.cl
go DL_LIBCLANG=none
is "shipped" "0 0 1 0"
go DL_LIBCLANG=none
is "shipped, again" "0 0 0 1"
before=$options
options="$options -cl-kernel-arg-info -I $work/x-include"
go DL_LIBCLANG=none
go DL_LIBCLANG=none
is "shipped, with options in which -i stands" "0 0 0 1"
options="$before --include $work/include/particle.h"
go DL_LIBCLANG=none
go DL_LIBCLANG=none
is "shipped, with a longer option that includes" "0 0 1 0"
options=$before
options="$options -include $work/include/particle.h"
go DL_LIBCLANG=none
go DL_LIBCLANG=none
is "shipped, with an option that includes" "0 0 1 0"
options=${options% -include*}
source=$work/a.cl

# A linked program is kept as a whole, for the options that it is linked with and the headers that it
# is compiled with.
linked() { # OPTIONS MADE [SETTING...]
    guard=$watched under ocl-icd preload DL_STATS="$work/stats" HOST_LINK_OPTIONS="$1" "${@:3}" \
        "$tests/host_tiles" compiled_and_linked >"$work/out" 2>&1 || fail "linked program: $(cat "$work/out")"
    got=$(sed -n 's/.*"texts_rewritten":\([0-9]*\),"texts_kept":\([0-9]*\),"shadows_built":\([0-9]*\),"shadows_kept":\([0-9]*\).*/\1 \2 \3 \4/p' "$work/stats")
    [ "$got" = "$2" ] || fail "linked program, options '$1' ${*:3}: $got, not $2"
}
linked "" "1 1 1 0" # two programs of one text
linked "" "0 2 0 1"
linked -cl-finite-math-only "0 2 1 0"
linked -cl-finite-math-only "0 2 0 1"
linked "" "0 2 0 1"
linked "" "1 1 1 0" HOST_HEADER="#define STEP 1"
linked "" "0 2 0 1" HOST_HEADER="#define STEP 1"
linked "" "1 1 1 0" HOST_HEADER="#define STEP 2"
linked "" "0 2 0 1" HOST_HEADER="#define STEP 2"
linked "" "0 2 0 1" HOST_HEADER="#define STEP 1"

# A second context of the device has the driver build nothing but the program's own text, also where
# nothing is kept for the next run.
go DL_CACHE=off
once=$sources
go DL_CACHE=off HOST_CONTEXTS=3
[ "$sources" = $((once + 2)) ] || fail "three contexts: $sources programs from source, $once of them for the first"
[ "$(sort -u <<<"$seen")" = "$(sort -u <<<"$first")" ] || fail "three contexts: another output: $seen"

# Built once a device: three objects of each of two kernels, four launches of each.
objects="3 4"
go DL_CACHE=off
[ "$builds" = 1 ] || fail "$builds builds for one device"
grep -q '"kernel":"fake_step","launches":12,"native_launches":0' "$work/stats" || fail "$(cat "$work/stats")"
go DL_CACHE=off FAKE_DEVICES=2
[ "$builds" = 2 ] || fail "$builds builds for two devices"
finish
