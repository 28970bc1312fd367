# SPDX-License-Identifier: MIT
# dl-run: what it does to the environment, its exit codes and its answers to bad input.
# $1: a library to stand in for libdl_intercept.so; $2: the option table's printer.
set -u
empty_preload=$1
option_rows=$2
unset LD_PRELOAD OPENCL_LAYERS DL_LAYOUT DL_TILE DL_ANNOTATIONS DL_DETECT DL_STATS DL_MEMORY_CAP \
    DL_STAGING DL_VERIFY DL_CACHE DL_LOG DL_LIBCLANG

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/lib"
cp "$DL_BUILD/bin/dl-run" "$work/bin"
cp "$empty_preload" "$work/lib/libdl_intercept.so"
dl_run=$work/bin/dl-run
library=$work/lib/libdl_intercept.so
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}
# sets VARIABLE VALUE COMMAND...: the command's output has VARIABLE=VALUE, once.
sets() {
    local variable=$1 want=$2
    shift 2
    local got
    got=$("$@" | sed -n "s/^$variable=//p")
    [ "$got" = "$want" ] || fail "$variable is '$got', want '$want': $*"
}
# fails CODE PATTERN COMMAND...: with one line on standard error that matches.
fails() {
    local want=$1 pattern=$2 code
    shift 2
    "$@" >"$work/out" 2>"$work/err"
    code=$?
    [ $code -eq "$want" ] || fail "exit code $code, want $want: $*"
    [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q -- "$pattern" "$work/err" ||
        fail "want one line like '$pattern', got '$(cat "$work/err")': $*"
}

# What it sets.
"$dl_run" --help | tr -s ' \n' ' ' | grep -q -- '--layer load DL by OPENCL_LAYERS alone, for programs on which LD_PRELOAD has no effect' || fail "--layer, as --help has it"
sets LD_PRELOAD "$library" "$dl_run" env
sets LD_PRELOAD "$library" "$dl_run" -- env
sets OPENCL_LAYERS "" "$dl_run" -- env
sets LD_PRELOAD "$empty_preload:$library" env LD_PRELOAD="$empty_preload" "$dl_run" -- env
sets LD_PRELOAD "$library" "$dl_run" -- "$dl_run" -- env
sets OPENCL_LAYERS "$library" "$dl_run" --layer -- env
sets LD_PRELOAD "" "$dl_run" --layer -- env
sets OPENCL_LAYERS "/a b/mine.so:$library" env OPENCL_LAYERS="/a b/mine.so" "$dl_run" --layer env
for layout in auto asta da aos coalesced; do
    sets DL_LAYOUT $layout "$dl_run" --layout $layout -- env
    sets DL_LAYOUT $layout "$dl_run" --layout=$layout env
done
sets DL_LAYOUT da env DL_LAYOUT=asta "$dl_run" --layout da -- env
sets DL_LAYOUT asta env DL_LAYOUT=asta "$dl_run" --tile 16 -- env
sets DL_TILE 16 "$dl_run" --tile 64 --tile 16 -- env
sets DL_TILE auto "$dl_run" --tile auto -- env
sets DL_DETECT on "$dl_run" -- env
sets DL_DETECT off "$dl_run" --detect off -- env
sets DL_DETECT off env DL_DETECT=off "$dl_run" -- env
sets DL_DETECT on env DL_DETECT=off "$dl_run" --detect on -- env
sets DL_LOG debug "$dl_run" --log debug -- env
sets DL_CACHE off "$dl_run" --cache off -- env
sets DL_CACHE /nonexistent/a "$dl_run" --cache=/nonexistent/a -- env
sets DL_CACHE "$PWD/a b/c" "$dl_run" --cache "a b/c" -- env
for cap in 0 1 0% 25% 100% 1048576 512M 3g; do
    sets DL_MEMORY_CAP $cap "$dl_run" --memory-cap $cap -- env
done
for area in 0 0k 1 65536 16M 1g; do
    sets DL_STAGING $area "$dl_run" --staging $area -- env
done
sets DL_LIBCLANG none "$dl_run" --libclang none -- env
sets DL_LIBCLANG libclang-14.so.1 "$dl_run" --libclang libclang-14.so.1 -- env
sets DL_STATS 1 "$dl_run" --stats -- env
sets DL_VERIFY 1 "$dl_run" --verify -- env
sets DL_VERIFY 10 "$dl_run" --verify=10 -- env
sets DL_STATS 1 "$dl_run" --stats env
sets DL_EXPLAIN_POLICY on "$dl_run" --explain-policy=1 env
sets DL_STATS "" "$dl_run" -- env
sets DL_STATS /dev/null "$dl_run" --stats=/dev/null -- env
sets DL_VERIFY 1 "$dl_run" --verify env # not the value
touch "$work/side file"
# A program may change its directory before it uses OpenCL.
(cd "$work" && sets DL_STATS "$work/s.json" "$dl_run" --stats=s.json -- env -C / env &&
    sets DL_ANNOTATIONS "$work/side file" "$dl_run" --annotations "side file" -- env -C / env &&
    sets DL_STATS /s.json "$dl_run" --stats=/s.json env && exit $failures) ||
    fail "file names"

# An installed tree, and one whose libraries have a folder of their own.
mkdir -p "$work/usr/bin" "$work/usr/lib"
cp "$dl_run" "$work/usr/bin"
fails 125 'libdl_intercept.so' "$work/usr/bin/dl-run" -- true
cp "$library" "$work/usr/lib"
sets LD_PRELOAD "$work/usr/lib/libdl_intercept.so" "$work/usr/bin/dl-run" -- env
ln -s "$work/usr/bin/dl-run" "$work/link"
sets LD_PRELOAD "$work/usr/lib/libdl_intercept.so" "$work/link" -- env
mkdir "$work/my programs"
cp -r "$work/bin" "$work/lib" "$work/my programs"
# The dynamic linker takes no blanks in LD_PRELOAD; OPENCL_LAYERS does.
sets OPENCL_LAYERS "$work/my programs/lib/libdl_intercept.so" "$work/my programs/bin/dl-run" -- env
sets LD_PRELOAD "" "$work/my programs/bin/dl-run" -- env
"$work/my programs/bin/dl-run" true 2>&1 | grep -q 'path has a blank: using OPENCL_LAYERS' ||
    fail "blanks are not told"
[ -z "$("$work/my programs/bin/dl-run" --log quiet true 2>&1)" ] || fail "--log quiet is not"
mkdir "$work/my:programs"
cp -r "$work/bin" "$work/lib" "$work/my:programs"
fails 125 'separator' "$work/my:programs/bin/dl-run" -- true
fails 125 'separator' "$work/my:programs/bin/dl-run" --layer -- true
cp "$(type -P true)" "$work/my programs/pro gram"
"$dl_run" -- "$work/my programs/pro gram" || fail "a program whose path has a blank"
sets OPENCL_LAYERS "$work/my programs/lib/libdl_intercept.so" \
    "$work/my programs/bin/dl-run" --layer -- env

# The program's arguments and exit code are its own.
[ "$("$dl_run" --tile 8 -- printf '<%s>' --tile 'a b' '')" = "<--tile><a b><>" ] ||
    fail "the program's arguments changed"
"$dl_run" -- sh -c 'exit 42'
[ $? -eq 42 ] || fail "the exit code is not the program's"
[ "$(echo in | "$dl_run" cat)" = in ] || fail "standard input is lost"
fails 127 'no-such-program' "$dl_run" -- no-such-program
fails 2 'none/s.json: its folder is not there' "$dl_run" --stats="$work/none/s.json" -- true
fails 127 '--stats=s.json' "$dl_run" --stats s.json -- true
fails 127 'no-such-program: No such file or directory$' "$dl_run" --stats -- no-such-program
cp "$(type -P true)" "$work/no-such-program"
printf 'print(1)\n' >"$work/script.py"
(cd "$work" && fails 127 'dl-run -- python3 script.py' "$dl_run" -- script.py; exit $failures) || fail "no hint at python3"
(cd "$work" && fails 126 'dl-run -- python3 ./script.py' "$dl_run" -- ./script.py; exit $failures) || fail "no hint at python3"
echo '__kernel void go(void) {}' >"$work/go.cl"
(cd "$work" && fails 127 'the program that builds this text: dl-annotate --detect --explain go.cl' "$dl_run" go.cl
exit $failures) || fail "no hint at dl-annotate"
(cd "$work" && fails 127 'did you mean ./no-such-program' "$dl_run" -- no-such-program; exit $failures) || fail "no hint at ./"
(cd "$work" && fails 127 'did you mean ./no-such-program' "$dl_run" --stats no-such-program; exit $failures) || fail "no hint at ./ behind --stats"
(cd "$work" && fails 127 'dl-run -- python3 script.py' "$dl_run" --stats script.py; exit $failures) || fail "no hint at python3 behind --stats"
rm "$work/no-such-program"
fails 127 '/no/such' "$dl_run" -- /no/such/program
touch "$work/plain"
fails 126 'plain' "$dl_run" -- "$work/plain"

# Options cut short, as far as they are one.
sets DL_MEMORY_CAP 5% "$dl_run" --mem 5% -- env
sets DL_MEMORY_CAP 5% "$dl_run" --memory=5% -- env
sets DL_STATS 1 "$dl_run" --stat -- env
sets OPENCL_LAYERS "$library" "$dl_run" --laye -- env
fails 2 '--lay may be --layout or --layer (see' "$dl_run" --lay asta -- touch "$work/ran"
fails 2 'unknown option --layers; did you mean --layer? (see' "$dl_run" --layers -- touch "$work/ran"
fails 2 'unknown option -layout; did you mean --layout? (see' "$dl_run" -layout asta -- touch "$work/ran"
fails 2 'unknown option -stats=1; did you mean --stats? (see' "$dl_run" -stats=1 -- touch "$work/ran"
fails 2 'unknown option --bogus (see' "$dl_run" --bogus -- touch "$work/ran"
fails 2 'unknown option --=1 (see' "$dl_run" --=1 -- touch "$work/ran"

# Bad options: one line, exit code 2, and the program does not run.
fails 2 'no program' "$dl_run"
fails 2 'no program' "$dl_run" --layout asta --
fails 2 '--layers' "$dl_run" --layers -- touch "$work/ran"
fails 2 '-x' "$dl_run" -x touch "$work/ran"
fails 2 'tiles' "$dl_run" --layout tiles touch "$work/ran"
fails 2 '--layout=tiles: unknown; allowed: auto, asta, da, grid, aos or coalesced (' "$dl_run" --layout tiles true
fails 2 'asta|da' "$dl_run" --layout 'asta|da' touch "$work/ran"
fails 2 'layout' "$dl_run" --layout= touch "$work/ran"
fails 2 'layout' "$dl_run" --layout
fails 2 'layout' "$dl_run" --layout -- touch "$work/ran"
for tile in 0 -8 +8 8x ' 8' 1048577 99999999999999999999 0x10; do
    fails 2 'tile' "$dl_run" --tile "$tile" touch "$work/ran"
done
for cap in -1 101% % 10%% 5T 1kk 1.5G lots; do
    fails 2 'memory-cap' "$dl_run" --memory-cap "$cap" touch "$work/ran"
done
for area in -1 1% M 5T 1kk lots 18446744073709551615; do
    fails 2 'staging' "$dl_run" --staging "$area" touch "$work/ran"
done
for every in 0 -1 x 99999999999; do
    fails 2 'verify' "$dl_run" --verify=$every touch "$work/ran"
done
fails 2 'no value' "$dl_run" --help=1 touch "$work/ran"
fails 2 'no value' "$dl_run" --layer=yes touch "$work/ran"
fails 2 '--help)$' "$dl_run" -hx touch "$work/ran"
fails 2 'loud' "$dl_run" --log loud touch "$work/ran"
fails 2 'missing' "$dl_run" --annotations "$work/missing" touch "$work/ran"
fails 2 'directory' "$dl_run" --annotations "$work" touch "$work/ran"
fails 2 'missing' "$dl_run" --stats="$work/missing/s.json" touch "$work/ran"
fails 2 'directory' "$dl_run" --stats="$work" touch "$work/ran"
fails 2 'stats' "$dl_run" --stats="$work/" touch "$work/ran"
fails 2 'stats' "$dl_run" --stats= touch "$work/ran"
fails 2 'missing' "$dl_run" --libclang "$work/missing.so" touch "$work/ran"
# A file that an option did not write stays: "--trace ./program" has lost its file's name.
printf '#!/bin/sh\n' >"$work/taken"
cp "$(type -P true)" "$work/elf"
for option in trace stats advise report; do
    for taken in "$work/elf" "$work/taken"; do
        fails 2 "--$option=.*: the option took this as its file.*: name another file;" \
            "$dl_run" --$option="$taken" touch "$work/ran"
    done
done
[ "$(cat "$work/taken")" = '#!/bin/sh' ] || fail "a file that DL did not write was changed"
[ -e "$work/ran" ] && fail "a program ran after a bad option"

# --help and --version, and that they, the table and docs/options.md agree.
"$dl_run" --version | grep -Eq '^dl-run [0-9]+\.[0-9]+\.[0-9]+$' || fail "--version"
"$dl_run" --help >"$work/help" || fail "--help fails"
[ "$("$dl_run" -V)" = "$("$dl_run" --version)" ] || fail "-V is not --version"
"$dl_run" -h | cmp -s - "$work/help" || fail "-h is not --help"
[ "$(wc -L <"$work/help")" -le 80 ] || fail "--help has lines beyond 80 columns"
"$option_rows" >"$work/rows"
[ "$(wc -l <"$work/rows")" -ge 15 ] || fail "the option table is short"
tail -n +3 "$work/rows" | while IFS='`' read -r _ flag _ variable _; do
    grep -Eq -- "^  (-., )?$flag([ []|\$)" "$work/help" && grep -q "($variable" "$work/help" ||
        echo "$flag $variable"
done >"$work/missing"
[ -s "$work/missing" ] && fail "--help lacks $(cat "$work/missing")"
sed -n '/^| option, /,/^$/p' "$DL_SOURCE/docs/options.md" | sed '/^$/d' >"$work/page"
diff "$work/rows" "$work/page" || fail "docs/options.md has other options than the table: run scripts/update-options.sh"
echo "$failures failures"
[ $failures -eq 0 ]
