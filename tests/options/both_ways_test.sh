#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: dl-run and the library judge every value of every option alike, and say the same of those that
# they refuse. The values come from the table of options. The library reads them as it is loaded; that the program's
# kernel is rewritten then is no part of this, and libclang takes most of the time: it is left out but where it is the
# option.
. "$DL_SOURCE/tests/intercept/common.sh"
unset DL_MEMORY_CAP DL_STAGING DL_VERIFY DL_CACHE DL_LIBCLANG
mkdir -p "$work/in/folder"
echo taken >"$work/in/taken"
cd "$work" || exit 1

count=0
while IFS=$'\t' read -r verdict flag variable value; do
    count=$((count + 1))
    rm -rf "$work/in/missing" # made as a cache's folder
    : >"$work/in/plain" # each option writes its own kind of file
    rm -rf "$work/in/folder/new file" not-here
    DL_CACHE=off "$DL_BUILD/bin/dl-run" --"$flag=$value" -- true 2>"$work/run.err"
    code=$?
    DL_CACHE=off DL_LIBCLANG=none under ocl-icd preload "$variable=$value" "$tests/host_tiles" made_the_usual_way \
        >"$work/out" 2>"$work/library.err" || fail "$variable=$value: the program fails"
    by_run=$(sed -n "s/^dl-run: --$flag=\(.*; allowed: .*\) (see dl-run --help)\$/\1/p" "$work/run.err")
    by_library=$(sed -n "s/^dl: warning: $variable=\(.*; allowed: .*\); \(using .*\|ignored\)\$/\1/p" \
        "$work/library.err")
    case $verdict in
    good)
        [ "$code" = 0 ] || fail "dl-run refuses --$flag=$value: $(cat "$work/run.err")"
        grep "warning: $variable=" "$work/library.err" && fail "the library refuses $variable=$value"
        ;;
    bad)
        [ "$code" = 2 ] || fail "dl-run takes --$flag=$value"
        [ -n "$by_library" ] || fail "the library takes $variable=$value: $(cat "$work/library.err")"
        [ "$by_run" = "$by_library" ] || fail "dl-run says '$by_run', the library '$by_library'"
        case $by_run in
        "$value: "*) ;;
        *) fail "'$by_run' does not begin with the value $value" ;;
        esac
        ;;
    *) fail "not a verdict: $verdict" ;;
    esac
done < <("$tests/option_values" "$work/in")
[ "$(cat in/taken)" = taken ] || fail "a file that DL did not write was changed"
[ "$count" -ge 100 ] || fail "$count values only"
echo "$count values"
finish
