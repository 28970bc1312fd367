#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: the manual pages have every option and no mistake that man finds. $1: the option table's printer.
set -u
option_rows=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}
cd "$DL_SOURCE" || exit 1

# dl-run(1) has the table of options.
sed -n '/^\.\\" From here on/,/^\.\\" End of the options/p' docs/dl-run.1 | sed '1d;$d' >"$work/page"
"$option_rows" man | diff - "$work/page" || fail "dl-run(1) has other options than the table: run scripts/update-options.sh"
# The others have what the help lists.
"$DL_BUILD/bin/dl-annotate" --help | grep -oE -- '--[a-z]+' | sort -u >"$work/options"
[ "$(wc -l <"$work/options")" -ge 7 ] || fail "dl-annotate --help is short"
while read -r option; do
    grep -qF -- "\\-\\-${option#--}" docs/dl-annotate.1 || fail "dl-annotate(1) lacks $option"
done <"$work/options"
# The commands that read annotations lead to their page.
for page in docs/dl-run.1 docs/dl-annotate.1; do
    sed -n '/^\.SH SEE ALSO/,$p' $page | grep -qF 'dl\-annotations (5)' || fail "$page does not lead to dl-annotations(5)"
done
# libclang's versions are those that are tried.
versions=$(sed -nE 's/.*for \(unsigned version = ([0-9]+); version >= ([0-9]+);.*/versions \2 to \1/p' annotate/tree/*.c)
[ "$(wc -w <<<"$versions")" -eq 4 ] || fail "annotate/tree does not say which versions of libclang are tried: $versions"
for help in "dl-run --help" "dl-annotate --help"; do
    "$DL_BUILD"/bin/$help | tr -s ' \n' ' ' | grep -qF "newest of $versions" || fail "$help does not say $versions"
done
for page in docs/dl-run.1 docs/dl-annotate.1; do
    grep -q "newest of $versions" $page || fail "$page does not say $versions"
done
for command in $("$DL_BUILD/bin/dl-bench" --help | sed -nE 's/^ *(usage: +)?dl-bench ([a-z]+) .*/\2/p'); do
    grep -qxF ".B $command" docs/dl-bench.1 || fail "dl-bench(1) lacks $command"
    commands=$((${commands:-0} + 1))
done
[ "${commands:-0}" -ge 6 ] || fail "dl-bench --help is short"

# dl_matcopy(3) has the header's functions.
functions=$(grep -oE 'dl_##letter##[a-z_]+' include/dl_matcopy.h | sed 's/.*##//')
[ "$(wc -w <<<"$functions")" -ge 5 ] || fail "dl_matcopy.h has few functions"
for function in $functions; do
    grep -qF ".BI \"enum dl_status dl_s$function(" docs/dl_matcopy.3 || fail "dl_matcopy(3) lacks $function"
done

# What man says of the pages.
command -v man >/dev/null && man --warnings -l -Tutf8 -Z docs/dl-run.1 >"$work/out" 2>/dev/null && [ -s "$work/out" ] || {
    [ $failures -eq 0 ] && exit 77
    exit 1
}
for page in docs/*.[1-9]; do
    said=$(man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
    [ -z "$said" ] || fail "$page: $said"
done
echo "$failures failures"
[ $failures -eq 0 ]
