#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: each command of dl-bench refuses a wrong line with exit code 2, and names the option and what is allowed: an unknown
# option, one without its value or with one too many, a value of another kind, a number or a word that is not allowed.
# --help is as long as its options, and the words of an option are explained by `--OPTION help`.
. "$DL_SOURCE/tests/samples/common.sh"
bench=$DL_BUILD/bin/dl-bench
cd "$work" || exit 1

refuses() { # OPTION COMMAND ARGUMENT...
    local option=$1
    shift
    run timeout 60 "$bench" "$@"
    [ $code = 2 ] && [ -z "$out" ] || fail "dl-bench $*: exit code $code: $out$err"
    [[ $err = "dl-bench $1: $option"* && $err = *"; allowed: "*" (see dl-bench $1 --help)"* ]] || fail "dl-bench $*: $err"
}
commands=$("$bench" --help | sed -nE 's/^ *(usage: +)?dl-bench ([a-z]+) .*/\2/p')
[ "$(wc -w <<<"$commands")" -ge 10 ] || fail "commands: $commands"
for command in $commands; do
    refuses --no-such: "$command" --no-such 1
    refuses no-such: "$command" --device= no-such
    "$bench" "$command" --help >"$work/help"
    [ "$(wc -L <"$work/help")" -le 90 ] && [ "$(wc -l <"$work/help")" -le 50 ] || fail "$command --help is long: $(cat "$work/help")"
    sed -nE 's/^  --([a-z]+) +([A-Z][A-Za-z/]*|[a-z]+\|[a-z|]+)? .*/\1 \2/p' "$work/help" >"$work/options"
    [ "$(wc -l <"$work/options")" -ge 3 ] || fail "options of $command: $(cat "$work/options")"
    while read -r option value; do
        case $command:$option:$value in
        *:) refuses "--$option=1:" "$command" "--$option=1" ;;
        # Any text; the device of another driver than this process has.
        coalesced:defines:* | overhead:device:*) refuses "--$option: a value" "$command" "--$option" ;;
        *)
            refuses "--$option: a value is missing" "$command" "--$option"
            refuses "--$option=?/x" "$command" "--$option=?/x"
            ;;
        esac
    done <"$work/options"
done
refuses '--s: several options begin so; allowed: --sets, --shapes, --sizes, --seed' transpose --s 1
refuses '--caps=5: unknown; allowed: one or more of default, 0, 1' transpose --caps 5
refuses '--caps=6,5: 5 is unknown' transpose --caps 6,5
refuses '--caps=: a word is missing' transpose --caps ''
refuses '--sets=,: a word is missing' transpose --sets ,
refuses "--csv=$work: is a folder" marshal --csv "$work"
refuses '--cases=foo: unknown; allowed: one or more of asta, dawords' marshal --cases foo
refuses '--part=0: not a part; allowed: I/N with I below N' transpose --part 0
refuses '--part=4/4: no such part' apps --part 4/4
refuses '--part=-1/4: not a part' marshal --part -1/4
refuses '--shapes=5x0: not ROWSxCOLS' transpose --shapes 5x0
refuses '--seed=0: too small; allowed: a whole number from 1' transpose --seed 0
refuses '--bytes=99999999999G: not a number of bytes; allowed: a number of bytes from 1 to 1024G, as 64M or 4K' transpose --bytes 99999999999G
refuses '--bytes=2T: not a number of bytes' coalesced --bytes 2T
refuses '--words=2-400: too many numbers; allowed: up to 256 numbers from 1 to 4096, as 2-8,20' marshal --words 2-400
refuses '--words=8-2: a range that ends before it begins' marshal --words 8-2
refuses '--words=2,,3: not a list of numbers' marshal --words 2,,3
refuses '--size=9x9x9x9: not three numbers; allowed: three numbers from 3 to 4096' grids --size 9x9x9x9
refuses '--resume: no table to continue; allowed: with --csv FILE' grids --resume
refuses '--layouts=native,tiles: tiles is unknown' scale --layouts native,tiles
refuses '--devices=0: too small' scale --devices 0
refuses '--size=16x9: not three numbers' scale --size 16x9
refuses '--scaling=no: unknown' scale --scaling no
refuses '--words=513: too large' coalesced --words 513
refuses '--group=0: too small' coalesced --group 0
refuses '--ops=copy,fly: fly is unknown' coalesced --ops copy,fly
refuses '--sizes=2: too small' grids --sizes 2
refuses '--vary=w: unknown' grids --vary w
refuses '--states=hot: unknown' apps --states hot
refuses '--steps=x: not a whole number' apps --steps x
refuses '--bytes=32G: too large' steering --bytes 32G
refuses '--chains=33: too large' steering --chains 33
refuses '--increments=0: too small' steering --increments 0
refuses '--ms=0: too small; allowed: a number from 0.001 to 10000' steering --ms 0
refuses '--bytes=5M: not a power of two' steering --bytes 5M
refuses "--csv=$work/none/x.csv: can't be made there" grids --csv "$work/none/x.csv"
refuses '--rows=none: no such row' apps --rows spmv,none --out "$work/rows"
[ ! -e "$work/rows" ] || fail "apps makes a folder for a row that there is not"
refuses '--device=no-such-device: no such device' transpose --device no-such-device
# Without the tests' driver, as where DL is installed, nothing is counted.
mkdir "$work/bin"
cp "$bench" "$work/bin"
run timeout 60 "$work/bin/dl-bench" overhead
[ $code = 2 ] && [[ $err = *fake.icd\ is\ not\ there:*--vendors*--time* ]] || fail "overhead without a driver: $code: $out$err"
# Without valgrind there is one message, which says what to install.
mkdir -p "$work/vendors" "$work/empty"
: >"$work/vendors/fake.icd"
run env PATH="$work/empty" "$bench" overhead --vendors "$work/vendors"
[ $code = 1 ] && [ "$(wc -l <<<"$err")" = 1 ] && [[ $err = *install*valgrind*--time* ]] || fail "overhead without valgrind: $code: $out$err"
"$bench" overhead --help | grep -q "not installed" || fail "overhead --help does not say what it needs"
for wrong in "--pattern none" "--steps 0" "--steps" "--speed 1" "--list=1"; do
    # shellcheck disable=SC2086 # an option and its value
    run "$DL_BUILD/bin/dl-patterns" $wrong
    [ $code = 2 ] && grep -q -e "${wrong%%[ =]*}.*\(allowed: \|see --help\|--list prints\)" "$work/err" || fail "dl-patterns $wrong: $code: $err"
done
run "$bench" no-such
[ $code = 2 ] && [[ $err = "dl-bench: unknown command no-such (see dl-bench --help)" ]] || fail "a command: $code: $err"
run "$bench" transpos
[ $code = 2 ] && [[ $err = "dl-bench: unknown command transpos; did you mean transpose? (see dl-bench --help)" ]] ||
    fail "a misspelt command: $code: $err"
run "$bench" figure no-such
[ $code = 2 ] && [[ $err = *"--list prints their names"* ]] || fail "a figure: $code: $err"

explains() { # WORDS COMMAND OPTION: a line or more for each of the words
    run "$bench" "$2" "--$3" help
    [ $code = 0 ] && [ -z "$err" ] || fail "dl-bench $2 --$3 help: $code: $err"
    for word in $1; do
        grep -q "^  $word  *[^ ]" <<<"$out" || fail "dl-bench $2 --$3 help does not explain $word"
    done
}
for command in marshal tune; do
    explains "asta da soa slide update" $command cases
    explains "family cycle_held" $command knobs
done
explains "random landscape kilos involutions" transpose sets
explains "default 0 12 any line linear" transpose caps
explains "auto c2r out-lines out-padded" transpose algorithms
explains "panel_group out_side" transpose knobs
finish
