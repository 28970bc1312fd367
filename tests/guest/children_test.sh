#!/bin/bash
# SPDX-License-Identifier: MIT
# Children that can't take DL (32-bit, musl, static) run as without it and say nothing, however they are
# started; and what they start in turn has DL again.
. "$(dirname "$0")/common.sh"
[ -z "$runtime" ] || skip "a sanitizer's runtime is preloaded, which such children can't load either"
printf '%s\n' '#include <stdio.h>' '#include <unistd.h>' 'int main(int argc, char **argv)' \
    '{ printf("%zu\n", sizeof(void *)); fflush(stdout); if (argc > 1) execvp(argv[1], argv + 1); return 7; }' \
    >"$work/child.c"
cc=${CC:-gcc}
kinds=
"$cc" "$work/child.c" -o "$work/ordinary" || skip "no compiler"
"$cc" -static "$work/child.c" -o "$work/static" 2>/dev/null && kinds="$kinds static"
"$cc" -m32 "$work/child.c" -o "$work/bits32" 2>/dev/null && "$work/bits32" >/dev/null 2>&1
[ $? = 7 ] && kinds="$kinds bits32"
musl-gcc "$work/child.c" -o "$work/musl" 2>/dev/null && kinds="$kinds musl"

for kind in ordinary $kinds; do
    as_natively "$kind, from a shell" sh -c "./$kind; echo \$?"
    as_natively "$kind, of a program that uses OpenCL" "$guest/host_parent" "./$kind"
    # Below it are an OpenCL program, and a script with one.
    as_natively "below $kind" sh -c "./$kind $guest/host_locale"
    for below in "$guest/host_locale" "sh -c '$guest/host_locale'" "$dl_run -- $guest/host_locale"; do
        rm -f "$work/stats.json"
        run dl "$dl_run" --layout asta --stats=stats.json -- sh -c "./$kind $below"
        grep -q '"rewritten":' "$work/stats.json" 2>/dev/null || fail "below $kind: '$below' runs without DL: $(cat "$work/dl.err")"
    done
done
echo "children:$kinds"
[ -n "$kinds" ] || skip "no compiler for 32 bits, musl or static programs"
finish
