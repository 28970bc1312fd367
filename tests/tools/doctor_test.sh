#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: where nothing happens, something says why and what to do: dl-run --doctor, dl-run itself, or
# a message at the default level. A broken set-up each:
#
#    1  a misspelt option                        18  a program for another processor
#    2  a misspelt variable                      19  a statically linked program
#    3  a wrong value in a variable              20  a program for musl
#    4  layout aos                               21  a program with more rights than its user
#    5  a cache that others may write            22  a program that is not there
#    6  a cache that can't be made               23  a script whose interpreter is not there
#    7  no home for a cache                      24  a program that uses no OpenCL
#    8  libclang switched off                    25  something clears LD_PRELOAD
#    9  a libclang that is none                  26  a program that ends by _exit
#   10  an annotation file with a bad line       27  //dl: in small letters
#   11  an empty annotation file                 28  a block comment /* DL: */
#   12  a library of DL's that can't be loaded   29  a colon that is missing
#   13  no OpenCL loader                         30  an annotation of an argument that is not there
#   14  no driver                                31  no annotation, and no detection or nothing found
#   15  a driver that can't be loaded            32  an annotation file that names another kernel
#   16  --layer and a loader without layers      33  kernels of a binary DL never saw
#   17  a 32-bit program                         34  a kernel that is never launched
#   35  --verify and nothing transformed         36  no /proc
#   37  a program from IL                        38  a wrapper that has a preload of its own
#   39  a queue that is made before the program   40  what is next
#   41  a driver whose events tell no times
#   42  a text of the program's own that the driver refuses
#   43  a kernel that has buffers brought back at each launch
#   44  a kernel that casts its buffer, annotated or not
#   45  a kernel whose work-items use the same structs
#   46  a kernel that asks for discrete arrays
# and of each the same without the fault, as far as that says something.
. "$DL_SOURCE/tests/intercept/common.sh"
unset DL_MEMORY_CAP DL_STAGING DL_VERIFY DL_LIBCLANG DL_REPORT OPENCL_VENDOR_PATH
# The driver gathers no parts of tiled buffers, which a comparison would.
export OCL_ICD_VENDORS=$tests/vendors DL_CACHE=$work/cache DL_STAGING=0
host=$tests/host_doctor
[ -z "$runtime" ] || exit 77 # what is looked at here are the programs of others
export TMPDIR=$work/tmp
mkdir -m 700 "$work/cache" "$TMPDIR"

# doctor ARGUMENT...: what dl-run --doctor says is in $work/out, standard error in $work/err.
doctor() {
    "$DL_BUILD/bin/dl-run" --doctor "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
}
# wrong WHAT PATTERN: the doctor has found that, in one line, and something is wrong.
wrong() {
    [ "$status" = 1 ] || fail "$1: exit code $status"
    [ "$(grep -cE "^WRONG .*$2" "$work/out")" = 1 ] || fail "$1: $(cat "$work/out" "$work/err")"
}
has() { # WHAT PATTERN: such a line, whatever else there is
    grep -qE "$2" "$work/out" || fail "$1: $(cat "$work/out" "$work/err")"
}
well() { # WHAT
    [ "$status" = 0 ] && ! grep -q '^WRONG' "$work/out" &&
        grep -qx "Nothing is wrong." "$work/out" || fail "$1: $(cat "$work/out" "$work/err")"
}
# says WHAT PATTERN ARGUMENT...: dl-run does, on standard error and in one line.
says() {
    local what=$1 pattern=$2
    shift 2
    "$DL_BUILD/bin/dl-run" "$@" >"$work/out" 2>"$work/err" </dev/null
    [ "$(grep -cE "$pattern" "$work/err")" = 1 ] || fail "$what: $(cat "$work/err")"
}
silent() { # WHAT ARGUMENT...: dl-run and DL say nothing
    local what=$1
    shift
    "$DL_BUILD/bin/dl-run" "$@" >"$work/out" 2>"$work/err" </dev/null
    # On a busy machine the builder may take seconds, which is said.
    sed -i '/^dl: warning: the program waits for dl-builder, /d' "$work/err"
    [ ! -s "$work/err" ] || fail "$what: $(cat "$work/err")"
}

# A sound set-up.
kernel() { # FILE COMMENT
    cat >"$work/$1" <<END
typedef struct { float x, y; int n; } particle;
$2
__kernel void fake_step(__global particle *p, int n)
{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }
END
}
kernel good.cl "//DL: AoS: p[n]"
kernel plain.cl "// dl is not meant here, nor is DL: this is an array [of structs]"
doctor
well "a sound machine"
for line in '^good +DL +dl-run [0-9.]+, .*libdl_intercept.so$' '^good +cache +.*, 0 entries' \
    '^good +libclang +.*libclang' '^good +loader +/.*libOpenCL' '^good +platform +Fake' \
    '^good +device +Fake device \(GPU' '^good +layers'; do
    has "a sound machine" "$line"
done
doctor --layout asta -- "$host" source "$work/good.cl"
well "a sound program"
has "a sound program" '^good +program .*host_doctor is dynamically linked, with OpenCL$'
has "a sound program" '^good +kernel +fake_step: 1 launch rewritten \(p:ASTA/[0-9]+\), 0 as written$'
has "a sound program" '^the program has run$'
has "a sound program" '^note +device +the program used Fake device$'
doctor -- env FAKE_DEVICE_TYPE=cpu "$host" source "$work/good.cl"
has "a CPU beside a GPU" '^note +device +the program used Fake device, a CPU, though there is the GPU Fake device: take it'
FAKE_DEVICE_TYPE=cpu doctor -- "$host" source "$work/good.cl"
has "a CPU alone" '^note +device +the program used Fake device$'
[ ! -s "$work/err" ] || fail "a sound program: $(cat "$work/err")"
silent "a sound program" --layout asta -- "$host" source "$work/good.cl"

# 1 to 4: options and variables.
says "1: a misspelt option" '^dl-run: unknown option --layuot; did you mean --layout\? ' --layuot asta true
says "1: another word" '^dl-run: unknown option --bogus \(see' --bogus true
DL_LAYUOT=asta DL_TILE=lots DL_LAYOUT=aos doctor
wrong "2: a misspelt variable" 'DL_LAYUOT is not a variable of DL.s; did you mean DL_LAYOUT\?'
wrong "3: a wrong value" 'DL_TILE=lots: not a number; allowed: '
wrong "4: layout aos" 'layout aos runs the program.s own kernels: remove --layout'
has "the number of findings" '^3 things are wrong\.$'
DL_BUILD_FOLDER=/somewhere doctor
well "a variable of somebody else's"

# 5 to 9: the cache and libclang.
mkdir -m 775 "$work/open"
mkdir -m 755 "$work/listed"
DL_CACHE=$work/listed doctor
well "5: a cache that others may list"
DL_CACHE=$work/open DL_LIBCLANG=none doctor
wrong "5: a cache for all" 'others may write into .*/open, so it is not used: chmod go-w '
wrong "8: no libclang" 'libclang +is switched off'
: >"$work/file"
DL_CACHE=$work/file/cache DL_LIBCLANG=$work/file doctor
wrong "6: a cache that can't be made" '/file/cache can.t be made.*give --cache'
wrong "9: a libclang that is none" 'the named libclang can.t be loaded.*install libclang1-N'
DL_CACHE=$work/file/cache doctor -- "$host" source "$work/good.cl"
has "6: with a program, once" '^1 thing is wrong\.$'
mkdir -p "$work/full"
if unshare -mr sh -c 'mount -t tmpfs none "$0"' "$work/full" 2>/dev/null; then
    # shellcheck disable=SC2016 # for the shell inside
    for folder in full full/cache; do
        DL_CACHE=$work/$folder unshare -mr sh -c 'mount -t tmpfs -o size=8k,mode=0700 none "$0" &&
            head -c 8192 /dev/zero >"$0/zeros"; "$1" --doctor --libclang none' \
            "$work/full" "$DL_BUILD/bin/dl-run" >"$work/out" 2>"$work/err"
        status=$?
        wrong "6: a full disk" "cache +.*/$folder can.t be (written .No space.*make room there|made), .*give --cache"
    done
fi
DL_CACHE='' HOME=/nonexistent XDG_CACHE_HOME='' doctor --libclang none
wrong "7: no home" 'there is no folder for it, since .* is not a folder of yours'
says "8: at the default level" "^dl: warning: libclang is switched off, so no kernel is rewritten; dl-run --doctor" \
    --libclang none --layout asta -- "$host" source "$work/good.cl"
doctor --libclang none --layout asta -- "$host" source "$work/good.cl"
wrong "8: with a program" 'libclang +is switched off'
has "8: with a program" '^note +kernel +fake_step: 1 launch as written; its text is not read without libclang$'
has "8: with a program" "^1 thing is wrong\.$"
for source in good plain; do
    for libclang in none "$work/file"; do
        says "8, 9: --stats, $source.cl" '^      why: its text is not read without libclang$' \
            --libclang "$libclang" --stats --layout asta -- "$host" source "$work/$source.cl"
        grep -q "^  in short: kernel 'fake_step' ran as written: its text is not read without libclang.*Next: dl-run --doctor says what to install$" "$work/err" &&
            ! grep -q 'texts rewritten: 1' "$work/err" || fail "8, 9: --stats at its end: $(cat "$work/err")"
    done
done

# 10, 11: annotation files.
printf 'fake_step AoS p[n]\n' >"$work/bad.side"
doctor --annotations "$work/bad.side"
wrong "10: a bad line" 'annotations +.*/bad.side:1:[0-9]+: a line has the form .*; the line is ignored'
wrong "11: no entry" 'annotations +.*/bad.side has none: a line `KERNEL: AoS'

# 12: DL itself.
mkdir -p "$work/broken/bin" "$work/broken/lib"
cp "$DL_BUILD/bin/dl-run" "$work/broken/bin"
echo 'not a library' >"$work/broken/lib/libdl_intercept.so"
"$work/broken/bin/dl-run" --doctor --libclang none >"$work/out" 2>"$work/err"
status=$?
wrong "12: DL's library" 'DL +can.t be loaded: .*build or install DL again'

# 13 to 16: OpenCL.
mkdir "$work/loader" "$work/drivers"
echo 'not a library' >"$work/loader/libOpenCL.so.1"
LD_LIBRARY_PATH=$work/loader doctor --libclang none
wrong "13: no loader" 'OpenCL.s library can.t be loaded: .*libOpenCL.so.1.*install one'
# pip's folder: DL and pyopencl, whose loader is used where the machine has none.
site=$work/pip/lib/python3.9/site-packages/pyopencl/.libs
mkdir -p "$work/pip/bin" "$work/pip/lib/dl" "$site"
cp "$DL_BUILD/bin/dl-run" "$work/pip/bin"
cp "$DL_BUILD/lib/libdl_intercept.so" "$DL_BUILD/lib/dl-builder" "$work/pip/lib/dl"
doctor
cp "$(sed -n 's/^good  *loader  *//p' "$work/out")" "$site/libOpenCL-1.so.1.0.0"
LD_LIBRARY_PATH=$work/loader "$work/pip/bin/dl-run" --doctor >"$work/out" 2>&1
status=$?
well "13: pyopencl's loader"
has "13: pyopencl's loader" '^note +loader +only pyopencl has one; for programs that are not in Python install another'
has "13: pyopencl's loader" '^good +loader +/.*/pyopencl/.libs/libOpenCL-1.so.1.0.0$'
OCL_ICD_VENDORS=$work/drivers doctor --libclang none
wrong "14: no driver" 'the loader finds no OpenCL driver \(it looks in .*/drivers\): install one'
echo libno_such_driver.so.1 >"$work/drivers/broken.icd"
OCL_ICD_VENDORS=$work/drivers doctor --libclang none
wrong "15: a driver that can't be loaded" 'broken.icd names a driver that can.t be loaded: libno_such'
FAKE_DRIVER=$tests/libfake_opencl.so LD_LIBRARY_PATH=$tests/layerless doctor --layer --libclang none
wrong "16: --layer" "the loader can't load DL as a layer.*remove --layer"
FAKE_DRIVER=$tests/libfake_opencl.so LD_LIBRARY_PATH=$tests/layerless doctor
well "16: the same loader without --layer"

# 17 to 23: programs by their files.
poke() { # FILE OFFSET BYTES
    printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
obstructed() { # WHAT PROGRAM PATTERN: dl-run and the doctor say so
    says "$1" "^dl-run: warning: .*$3" -- "$2"
    doctor --libclang none -- "$2"
    wrong "$1" "program +.*$3"
    silent_log=$("$DL_BUILD/bin/dl-run" --log quiet -- "$2" 2>&1 | grep -c warning)
    [ "$silent_log" = 0 ] || fail "$1: --log quiet is not"
}
for name in narrow foreign static musl; do
    cp "$host" "$work/$name"
done
if [ "$(od -An -tu1 -j4 -N1 "$host" | tr -d ' ')" = 2 ]; then
    poke "$work/narrow" 4 '\001'
    poke "$work/foreign" 18 '\026\000'
    interpreter=$(od -An -v -tu4 -w56 -j64 -N1120 "$host" | awk '$1 == 3 { print 64 + 56 * (NR - 1); exit }')
    poke "$work/static" "$interpreter" '\000\000\000\000'
    name_at=$(od -An -tu8 -j$((interpreter + 8)) -N8 "$host" | tr -d ' ')
    poke "$work/musl" "$name_at" '/lib/ld-musl.so.1\000'
    obstructed "17: 32 bits" "$work/narrow" 'is a 32-bit program'
    obstructed "18: another processor" "$work/foreign" 'is built for another processor'
    obstructed "19: static" "$work/static" 'is statically linked, so LD_PRELOAD can.t reach it.*use --layer'
    obstructed "20: musl" "$work/musl" 'uses musl.s dynamic linker'
    "$DL_BUILD/bin/dl-run" --layer -- "$work/static" 2>&1 | grep -q 'dl-run: warning' &&
        fail "19: a warning with --layer"
fi
if [ "$(id -u)" = 0 ]; then
    cp "$(type -P true)" "$work/rights"
    chown 65534 "$work/rights" && chmod 4755 "$work/rights"
    obstructed "21: more rights" "$work/rights" 'runs with more rights than its user'
fi
doctor --libclang none -- "$work/no-such-program"
wrong "22: no program" 'no-such-program can.t be run: No such file or directory; correct its path$'
doctor --libclang none -- no-such-program
wrong "22: not in PATH" 'no-such-program can.t be run: No such file or directory; no folder in PATH has it, so give its path$'
doctor --libclang none -- "$work/good.cl"
wrong "22: not to be run" 'good.cl can.t be run: Permission denied; chmod \+x'
printf '#!/no/such/interpreter\n' >"$work/script"
chmod 755 "$work/script"
doctor --libclang none -- "$work/script"
wrong "23: no interpreter" 'script can.t be run: No such file or directory; correct the interpreter in its first line$'
printf '#!/usr/bin/env -S bash\nexec "$@"\n' >"$work/script"
doctor --layout asta -- "$work/script" "$host" source "$work/good.cl"
well "a script"
has "a script" '^note +program +.*/script is a script, run by .*bash$'

# 24 to 26: runs.
doctor --libclang none -- true
wrong "24: no OpenCL" 'made no OpenCL context: it stopped before that .it may ask for a GPU where there is none., '
doctor --libclang none -- bash -c 'exit 3'
wrong "24: it failed" 'the program \(bash\) made no OpenCL context: it failed before that \(exit code 3\), '
doctor --libclang none -- env -u LD_PRELOAD "$host" source "$work/good.cl"
wrong "25: LD_PRELOAD is cleared" 'the program \(env\) made no OpenCL context.*without LD_PRELOAD'
doctor --layout asta -- "$host" exit "$work/good.cl"
wrong "26: _exit" 'host_doctor ended by _exit or a signal'
doctor --layout asta -- sh -c 'kill -9 $$'
wrong "26: a signal" 'run +the program was ended by a signal \(Killed\)'

# 27 to 34: annotations. The warning quotes the line.
ignored() { # WHAT FILE PATTERN
    says "$1" "^dl: <program source>:2:1: warning: this comment looks like an annotation.*: $3; write" \
        --layout asta -- "$host" source "$work/$2"
    [ "$(sed -n 2p "$work/err")" = "dl:     2 | $(sed -n 2p "$work/$2")" ] &&
        [ "$(sed -n 3p "$work/err")" = "dl:       | ^" ] || fail "$1: no excerpt: $(cat "$work/err")"
}
kernel small.cl "//dl: AoS: p[n]"
kernel block.cl "/* DL: AoS: p[n] */"
kernel colon.cl "//DL AoS: p[n]"
kernel slashes.cl "/// DL: AoS: p[n]"
kernel argument.cl "//DL: AoS: q[n]"
kernel letters.cl "//DL: aos: p[n]"
ignored "27: small letters" small.cl '`DL` is written in capitals'
ignored "28: a block comment" block.cl 'an annotation is a line comment.*'
ignored "29: no colon" colon.cl 'a colon must follow `DL`'
ignored "29: three slashes" slashes.cl 'between `//` and `DL:` there may be blanks only'
silent "27: a comment" --layout asta -- "$host" source "$work/plain.cl"
says "30: no such argument" \
    "^dl: <program source>:2:12: warning: there is no argument 'q'; kernel 'fake_step' runs as written$" \
    --layout asta --detect off -- "$host" source "$work/argument.cl"
# The caret stands under the word; the annotation keeps DL from finding buffers itself, which is said.
[ "$(sed -n 3p "$work/err")" = "dl:       |            ^" ] || fail "30: the caret: $(cat "$work/err")"
says "30: no such argument, but DL would find one" \
    "; kernel 'fake_step' runs as written: correct the annotation, or leave it out for DL to find buffers itself$" \
    --layout asta -- "$host" source "$work/argument.cl"
# The same of what a launch is told.
says "30: of a launch" "^dl: <program source>:2:12: warning: kernel 'fake_step', buffer 'p': a user event may hold back" \
    --layout asta -- "$tests/host_tiles" map_that_fails
[ "$(sed -n 3p "$work/err")" = "dl:       |            ^" ] || fail "30: the caret: $(cat "$work/err")"
says "30: threads that meet it" "warning: there is no argument 'q'" \
    --layout asta -- "$host" threads "$work/argument.cl"
says "30: a layout's name" "warning: a layout is written .AoS., .SoA. or .grid.; kernel 'fake_step' runs as written: correct" \
    --layout asta -- "$host" source "$work/letters.cl"
says "30: in short" "^  in short: kernel 'fake_step' ran as written: its annotation is wrong: there is no argument 'q'.* Next: correct the annotation: DL's warning shows where$" \
    --layout asta --stats -- "$host" source "$work/argument.cl"
says "30: advice" '^# An annotation is wrong: correct it as a line below says' --advise -- "$host" source "$work/argument.cl"
doctor --layout asta --detect off -- "$host" source "$work/small.cl"
wrong "27: the doctor" 'message +<program source>:2:1: warning: this comment looks'
wrong "27: the doctor" 'kernels +no kernel has an annotation that DL can follow, and --detect off keeps it from finding buffers by itself'
doctor --layout asta -- "$host" source "$work/plain.cl"
well "31: no annotation is needed"
has "31: no annotation is needed" '^good +kernel +fake_step: 1 launch rewritten \(p:ASTA/[0-9]+\), 0 as written$'
doctor --detect off -- "$host" source "$work/plain.cl"
wrong "31: no annotation" 'kernels +no kernel has an annotation that DL can follow, and --detect off keeps it from finding buffers by itself: put a line.*, or remove --detect off$'
has "31: no annotation" '^note +kernel +fake_step: 1 launch as written; it has no annotation that DL can follow$'
says "31: --stats" '^  in short: .* ran as written: it has no annotation that DL can follow.*Next: remove --detect off, or put a line' \
    --detect off --stats -- "$host" source "$work/plain.cl"
kernel floats.cl ""
sed -i 's/particle \*p, int n/float *p, int n/; s/^{ int i.*/{ int i = get_global_id(0); if (i < n) p[i] *= 2; }/' "$work/floats.cl"
doctor --layout asta -- "$host" source "$work/floats.cl"
well "31: nothing is found"
has "31: nothing is found" '^note +kernels +DL found no buffer of structs or rows in them, so it has nothing to convert; where'
has "31: nothing is found" '^note +kernel +fake_step: 1 launch as written; DL found no buffer in it that it can convert'
says "31: nothing is found, --stats" '^  in short: .* DL found no buffer in it that it can convert.*Next: nothing for plain arrays, which can.t gain; --log remark' \
    --layout asta --stats -- "$host" source "$work/floats.cl"
silent "31: nothing is found" --layout asta -- "$host" source "$work/floats.cl"
printf '# a file\nfake_stp: AoS: p[n]\n' >"$work/side"
says "32: another kernel" \
    "^dl: .*/side:2:1: warning: the program has no kernel 'fake_stp'.*did you mean 'fake_step'\?$" \
    --annotations "$work/side" -- "$host" source "$work/plain.cl"
doctor --annotations "$work/side" -- "$host" source "$work/plain.cl"
wrong "32: the doctor" "annotations +line 2: the program built no kernel 'fake_stp'; did you mean 'fake_step'\?"
printf 'lattice: AoS: p[n]\nwhatever: AoS: q[n]\nfake_step: AoS: p[n]\nthird_one: AoS: q[n]\n' >"$work/side"
says "32: kernels of other programs, in one line" \
    "^dl: warning: .*/side: the program built no kernels 'lattice', 'whatever', 'third_one', so their annotations do nothing$" \
    --layout asta --annotations "$work/side" -- "$host" source "$work/plain.cl"
printf 'fake_step: AoS: p[n]\n' >"$work/side"
doctor --layout asta --annotations "$work/side" -- "$host" source "$work/plain.cl"
well "32: the right kernel"
has "32: one" '^good +annotations +.*/side, for 1 kernel$'
silent "32: the right kernel" --layout asta --annotations "$work/side" -- "$host" source "$work/plain.cl"
doctor --layout asta -- "$host" binary "$work/plain.cl"
wrong "33: a binary" 'programs +1 came from binaries that DL did not see.*with kernels fake_step: empty the program'
unseen='kernels came from binaries that DL did not see built.*: fake_step; empty .* once, or .* .of pyopencl: PYOPENCL_NO_CACHE=1.'
says "33: at the default level" "dl: warning: $unseen" -- "$host" binary "$work/good.cl"
silent "33: natively asked for" --layout aos -- "$host" binary "$work/good.cl"
says "33: DL's cache is off" 'kernels came from binaries whose source.*: fake_step; .*PYOPENCL_NO_CACHE=1.*leave DL.s on' \
    --cache off -- "$host" binary "$work/good.cl"
says "33: a side file" "warning: kernel 'fake_step' came from a binary, .*empty the program" \
    --layout asta --annotations "$work/side" -- "$host" binary "$work/plain.cl"
doctor --layout asta -- "$host" known "$work/good.cl"
well "33: a binary that DL saw built"
has "33: a binary that DL saw built" '^good +programs +1 came from binaries whose source DL has kept'
has "33: a binary that DL saw built" '^good +kernel +fake_step: 1 launch rewritten'
for source in good plain; do
    silent "33: a known binary of $source.cl" --layout asta -- "$host" known "$work/$source.cl"
done
silent "33: and a side file" --layout asta --annotations "$work/side" -- "$host" known "$work/plain.cl"
doctor --layout asta -- "$host" unused "$work/good.cl"
has "34: never launched" '^note +kernel +fake_step is annotated, but was never launched$'
says "34: --stats" '^dl: annotated, but never launched: fake_step$' --stats -- "$host" unused "$work/good.cl"

# 35: --verify. The fake driver runs fake_step alone, so another kernel gives what it gives natively.
says "35: nothing to compare" 'warning: verify: no launch was compared, since none was rewritten; --layout asta' \
    --verify -- "$host" source "$work/plain.cl"
kernel idle.cl "//DL: AoS: p[n]"
sed -i 's/fake_step/idle/' "$work/idle.cl"
says "35: a receipt" '^dl: verify: 1 launch compared: 1 equal$' \
    --verify --layout asta -- "$host" source "$work/idle.cl" idle

# 36: no /proc.
if unshare -m sh -c 'mount -t tmpfs none /proc' 2>/dev/null; then
    unshare -m sh -c 'mount -t tmpfs none /proc && "$0" -- env' "$DL_BUILD/bin/dl-run" >"$work/out" 2>&1
    has "36: no /proc" "^LD_PRELOAD=$DL_BUILD/lib/preload/[$]LIB/libdl_intercept.so$"
fi
# 37 to 39: with DL, and without a cause to complain.
doctor --layout asta -- "$host" il "$work/good.cl"
wrong "37: IL" 'programs +1 came from IL \(SPIR-V\), which DL does not read, with kernels fake_step: have the program build'
says "37: IL, at the default level" \
    '^dl: warning: kernels came from IL .SPIR-V., which DL does not read, .*: fake_step; have the program build them from OpenCL C$' \
    --layout asta -- "$host" il "$work/good.cl"
grep -q pyopencl "$work/err" && fail "37: advice about binaries: $(cat "$work/err")"
says "37: IL and a side file" "warning: kernel 'fake_step' came from IL .SPIR-V.*OpenCL C$" \
    --layout asta --annotations "$work/side" -- "$host" il "$work/plain.cl"
says "37: IL, --stats" '^  in short: .* ran as written: it came from IL.*Next: have the program build it from OpenCL C$' --stats -- "$host" il "$work/good.cl"
printf '#!/bin/sh\nLD_PRELOAD=%s exec "$@"\n' "$1" >"$work/script"
doctor --layout asta -- "$work/script" "$host" source "$work/good.cl"
wrong "38: a preload of its own" 'made no OpenCL context.*without LD_PRELOAD.*then try --layer$'
doctor --layer --layout asta -- "$work/script" "$host" source "$work/good.cl"
well "38: the same with --layer"
has "38: the same with --layer" '^good +kernel +fake_step: 1 launch rewritten'
doctor --layout asta -- "$host" early "$work/good.cl"
well "39: an early queue"
has "39: an early queue" '^good +kernel +fake_step: 1 launch rewritten'
doctor -- "$host" early "$work/good.cl"
has "39: an early queue" '^note +kernel +fake_step: 1 launch as written; its launches have taken too little time so far to be worth another layout(, which is tried from about [0-9]+ launches of this kernel on, as its text suggests)?$'

# 40: the last line is the one thing to do next.
next() { # WHAT PATTERN: of the last line
    tail -1 "$work/out" | grep -qE "^Next: $2\$" || fail "40: $1: $(cat "$work/out" "$work/err")"
}
next "too short" "kernel 'fake_step': run it longer, for about [0-9]+ launches of this kernel, as its text suggests; --layout asta always builds and converts"
doctor
next "no program" "dl-run --doctor -- PROGRAM looks at a program"
doctor --layout asta --libclang none -- "$host" source "$work/good.cl"
next "something is wrong" "libclang: is switched off.*: remove the option"
doctor --layout asta -- "$host" source "$work/good.cl"
next "a layout is demanded" "compare with --layout aos, or remove --layout: auto compares by itself"

# How DL came in is said, in words that fit a run without --layer.
came=': LD_PRELOAD has loaded it'
grep -qE '^good +layers' "$work/out" && came=': the OpenCL loader passes calls to it'
has "39: it came in" "^good +DL +it is in the program \\(host_doctor\\)$came$"

# A bundle has the system, DL's variables and what is said of kernels, and nothing that the program prints.
DL_TILE=8 doctor --bundle --layout asta -- "$host" source "$work/good.cl"
has "40: a bundle" '^note +system +.*, Linux .*'
has "40: a bundle" '^note +variable +DL_TILE=8$'
grep -q 'DL_DETECT' "$work/out" && fail "40: what dl-run has set: $(cat "$work/out")"
has "40: a bundle" '^note +variable +DL_LAYOUT=asta$'
has "40: a bundle" '^good +kernel +fake_step: 1 launch rewritten \(ASTA/8\), 0 as written$'
has "40: a bundle" '^note +statistics +fake_step +rewritten +1 .* \.\.\.:ASTA/8$'
has "40: a bundle" '^note +statistics +1 \.\.\. .* AoS->ASTA/8 '
has "40: a bundle" '^note +statistics +in short: '
grep -q 'statistics .*words' "$work/out" && fail "40: where words are explained is said twice: $(cat "$work/out")"
has "40: a bundle" '^good +libclang +'
has "40: a bundle" '^good +device +Fake device'
grep -q 'the program has run\|__kernel' "$work/out" "$work/err" && fail "40: the program's own: $(cat "$work/out" "$work/err")"
doctor --layout asta -- "$host" source "$work/good.cl"
has "40: no bundle" '^the program has run$'
grep -q '^note   statistics' "$work/out" && fail "40: no bundle: $(cat "$work/out")"
doctor --bundle -- "$host" source "$work/good.cl" /secret -5 1e3 --steps=10 --key=abc -pabc -q --in /a=1 -- ""
has "40: the program's arguments" '^note +arguments +\.\.\. \.\.\. \.\.\. -5 1e3 --steps=10 --key\.\.\. -p\.\.\. -q --in \.\.\. -- \.\.\.$'
doctor --bundle -- "$host"
wrong "24: it failed with a loader" 'host_doctor ended with code 2 before it used OpenCL: see whether it works without DL$'
has "40: no arguments" '^note +arguments +the program was given none$'
[ "$(sed 1q "$work/out" | grep -c "^note   bundle      has the program's name and folder, .*Read it before you send it\$")" = 1 ] || fail "40: what it has: $(cat "$work/out")"
"$DL_BUILD/bin/dl-run" --bundle -- "$host" 2>&1 | grep -q '^note   bundle ' || fail "40: --bundle alone"
# What is next names a buffer, after enough commands of a kind that no program here has.
doctor --bundle -- bash -c '"$0" source "$1"; printf "next\tclEnqueueReadBuffer used all of buffer '"'secret'"'\n" >>"$DL_REPORT"' \
    "$host" "$work/good.cl"
has "40: a bundle's last line" "^Next: clEnqueueReadBuffer used all of buffer '\.\.\.'\$"
# Nor who the user is, nor a word of the kernel's text but its name.
mkdir -p "$work/home/zoe/dl" "$work/scratch/zoe/dl"
kernel zebra.cl "//DL: AoS: zebra zebra2[n]"
for folder in home scratch; do
    HOME=$work/home/zoe DL_CACHE=$work/$folder/zoe/dl doctor --bundle --log remark -- "$host" source "$work/zebra.cl"
    grep -q 'zoe\|zebra\|particle' "$work/out" && fail "40: who and what: $(cat "$work/out")"
    has "40: what is wrong" "message .*a .\[. is missing after '\.\.\.'; kernel 'fake_step' runs as written"
done
has "40: the cache" "^note +variable +DL_CACHE=$work/scratch/\.\.\./dl$"
HOME=$work/home/zoe DL_CACHE=$work/home/zoe/dl doctor --bundle
has "40: the cache at home" '^note +variable +DL_CACHE=~/dl$'

# 42: the driver's own lines, carets among them.
kernel refused.cl "//DL: AoS: p[n] FAKE_BUILD_FAIL"
doctor -- "$host" source "$work/refused.cl"
wrong "42: refused" "build +the driver can't build a text of the program's own \(error -11\), with or without DL: correct"
[ "$(grep -A3 '^WRONG  build' "$work/out" | tail -n +2)" = "                   fake: error: FAKE_BUILD_FAIL
                     FAKE_BUILD_FAIL(x)
                     ^~~~" ] || fail "42: the driver's lines: $(cat "$work/out")"
grep -q 'found no buffer' "$work/out" && fail "42: nothing was found: $(cat "$work/out")"
doctor --bundle -- "$host" source "$work/refused.cl"
grep -q 'FAKE_BUILD_FAIL' "$work/out" && fail "42: a bundle: $(cat "$work/out")"
wrong "42: a bundle" "build +the driver can't build a text"

says "42: statistics" "^  in short: the program launched no kernel, and the driver can't build a text of its own .error -11.*Next: correct that text or its options" \
    --stats -- "$host" source "$work/refused.cl"

# 41: a driver whose events tell a nanosecond of everything tells no times, nor rates by them.
says "41: no times" '^  fake_step +rewritten +1 +- +- +-  p:ASTA' --layout asta --stats -- "$host" source "$work/good.cl"
says "41: in short" '^  in short: .*: how long they took is not known, since the driver tells no times' \
    --layout asta --stats -- "$host" source "$work/good.cl"
FAKE_TICK_NS=1000000 says "41: times" '^  fake_step +rewritten +1 +[0-9]+\.[0-9]+ +[0-9.]+ +-  p:ASTA' \
    --layout asta --stats -- "$host" source "$work/good.cl"
# 43: the kernel that has buffers brought back is named, with what that cost.
kernel turns.cl "//DL: AoS: p[n]"
echo '__kernel void other(__global particle *p, int n) { __global char *c = (__global char *)p; c[0]++; }' >>"$work/turns.cl"
FAKE_TICK_NS=1000000 says "43: brought back" "^  in short: 1 of 2 kernels ran in tiles: .*; kernel 'other' ran as written: DL can't follow how it uses a buffer: a pointer into 'p' is cast to another type; for kernel 'other' buffers came back 4 times, [1-9][0-9.]* ms with converting them again.*Next: in kernel 'other' reach the members by their names, as an annotation does not help, or remove --layout$" \
    --layout asta --stats -- "$host" turns "$work/turns.cl"
grep -q "1 launches\|1 kernels" "$work/err" && fail "43: one of several: $(cat "$work/err")"
# 44: no annotation helps against a cast, so none is advised; the doctor has printed what --log remark would.
for comment in "" "//DL: AoS: p[n]"; do
    kernel cast.cl "$comment"
    sed -i 's/int i = .*/__global char *c = (__global char *)p; c[n] = 0; }/' "$work/cast.cl"
    says "44: a cast" "^  in short: kernel 'fake_step' ran as written: DL can't follow how it uses a buffer: a pointer into 'p' is cast to another type.* Next: reach the members by their names; an annotation does not help$" \
        --layout asta --stats -- "$host" source "$work/cast.cl"
    says "44: advice" "^# what to change, an annotation does not help.$" --advise -- "$host" source "$work/cast.cl"
    grep -q 'say so' "$work/err" && fail "44: advice: $(cat "$work/err")"
    doctor -- "$host" source "$work/cast.cl"
    grep -q 'a line `//DL' "$work/out" && fail "44: the doctor: $(cat "$work/out")"
    grep -A99 '^1 thing is\|^Nothing' "$work/out" | grep -q 'log remark' && fail "44: the doctor: $(cat "$work/out")"
done
next "44: the warning" "message: .*kernel 'fake_step' is not rewritten: .*; to change: reach the members by their names"
kernel cast.cl ""
sed -i 's/int i = .*/__global char *c = (__global char *)p; c[n] = 0; }/' "$work/cast.cl"
doctor -- "$host" source "$work/cast.cl"
well "44: a cast"
next "44: a cast" "kernel 'fake_step': reach the members by their names; an annotation does not help"
doctor -- "$host" source "$work/floats.cl"
next "44: floats" "kernel 'fake_step': nothing for plain arrays, which can't gain; the messages above say what else DL passed over, and why: change that, .*"
doctor --log remark -- "$host" source "$work/floats.cl"
has "31: of which text" "remark: no kernel in one of the program's texts has a buffer that DL can convert: the kernels of that text run as written$"
# 45: what gains nothing in any layout is left as it is, and nobody has to do anything.
kernel uniform.cl ""
sed -i 's/int i = .*/float s = 0; for (int j = 0; j < 4; j++) s += p[j].x; p[n].y = s; }/' "$work/uniform.cl"
for layout in asta auto; do
    says "45: in short" "^  in short: kernel 'fake_step' ran as written: neighbouring work-items use the same struct of its buffers.* Next: nothing to do$" \
        --layout $layout --stats -- "$host" source "$work/uniform.cl"
    ! grep -q warning "$work/err" || fail "45: $layout: nothing is to be done, and a warning: $(cat "$work/err")"
done
kernel plain.cl ""
says "45: grids" '^      why: it has no grid with a known layout$' --layout grid --stats -- "$host" source "$work/plain.cl"
says "45: advice" '^# DL sees structs, but they gain nothing in another layout' --advise -- "$host" source "$work/uniform.cl"
[ "$(grep -c 'the same struct' "$work/err")" = 1 ] || fail "45: said twice: $(cat "$work/err")"
# Rows of a wrong width, and brackets that are swapped.
kernel wide.cl "//DL: AoS: p[n * 3][4]"
sed -i 's/particle \*p/float *p/; s/p\[i\].x += .*/p[3 * i] += i; } }/' "$work/wide.cl"
says "45: too wide" "the count in brackets is 192, but the buffer holds 48 structs of 16 bytes, by which DL goes: correct it or, of rows, the width in the second brackets, or leave it out" \
    --layout asta -- "$host" source "$work/wide.cl"
sed -i 's/p\[n \* 3\]\[4\]/p[12][n]/' "$work/wide.cl"
says "45: swapped" "holds 3 structs of 256 bytes.*; the first brackets hold the number of rows, the second their width" \
    --layout asta -- "$host" source "$work/wide.cl"
# 46: a kernel whose own layout is arrays runs as its annotation asks.
kernel structs.cl "//DL: SoA: p[n]"
sed 's/p\[i\].x += .*/((__global int *)p)[n + i] += i; } }/' "$work/structs.cl" >"$work/arrays.cl"
for layout in asta auto; do
    says "46: in short" "^  in short: kernel 'fake_step' ran as written: it asks for discrete arrays.* Next: nothing to do$" \
        --layout $layout --stats -- "$host" source "$work/arrays.cl"
    grep -q '^      why: it asks for discrete arrays$' "$work/err" || fail "46: why: $(cat "$work/err")"
done
for layout in asta auto aos; do
    says "46: structs" "'p' is annotated as discrete arrays .SoA., and .p\[i\].x. reaches its structs: write .AoS: p\[n\].; kernel 'fake_step' runs as written" \
        --layout $layout --stats -- "$host" source "$work/structs.cl"
    grep -qE '^  fake_step +as written +1 ' "$work/err" || fail "46: structs: $(cat "$work/err")"
done
[ -z "$(ls "$TMPDIR")" ] || fail "reports are left behind: $(ls "$TMPDIR")"
finish
