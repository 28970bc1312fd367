# README's first command ends well: every sample gives equal results on the layout that it is asked for.
. "$DL_SOURCE/tests/samples/common.sh"

run bash "$DL_SOURCE/scripts/demo.sh" "$DL_BUILD"
[ $code -eq 0 ] || fail "scripts/demo.sh exits with $code: $(cat "$work/out")"
[ "$(grep -c ' equal$' "$work/out")" = 7 ] || fail "not 7 rows are equal: $(cat "$work/out")"
finish
