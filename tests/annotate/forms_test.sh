#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Claim: what docs/notes/forms.md says of a form is there: its cases, each with what it becomes, what random programs have
# of it, and for each refusal a case with its line.
set -u
cases=$DL_SOURCE/tests/cases
failed=0
rows=0
fail() {
    echo "FAILED: $*"
    failed=1
}
while IFS='|' read -r _ form accepted random refused _; do
    [[ $form == *---* || $form == *' form '* ]] && continue
    rows=$((rows + 1))
    for name in $accepted; do
        [[ $name =~ ^[a-z_0-9]+$ ]] || continue
        [ -e "$cases/$name.cl" ] && [ -e "$cases/$name.expected.cl" ] || fail "$form: no case $name"
    done
    for name in $refused; do
        [ -e "$cases/$name.cl" ] && [ -e "$cases/$name.remarks" ] || fail "$form: no refusal $name"
    done
    file=$(grep -o '[a-z_]*\.c' <<<"$random" | head -n 1)
    words=$(sed 's/^[^`]*`//; s/`[^`]*$//' <<<"$random")
    [ "$words" = "$file" ] || grep -qF -- "$words" "$DL_SOURCE/tests/annotate/$file" || fail "$form: $file has no '$words'"
done < <(grep '^|' "$DL_SOURCE/docs/notes/forms.md")
[ "$rows" -ge 25 ] || fail "$rows rows"
exit $failed
