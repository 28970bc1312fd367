# SPDX-License-Identifier: MIT
# An installation elsewhere is complete: dl-run finds its library, dl-annotate works. `make uninstall` removes that of its
# PREFIX and no other.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LD_PRELOAD OPENCL_LAYERS
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$DL_BUILD/pocl-cache}
export DL_CACHE=${DL_CACHE:-$DL_BUILD/dl-cache}
mkdir -p "$POCL_CACHE_DIR"
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

mkdir -p "$work/usr/share"
echo stays >"$work/usr/share/theirs"
made() { # TARGET PREFIX
    env -u MAKEFLAGS -u MAKELEVEL -u DESTDIR make -C "$DL_SOURCE" --no-print-directory "$1" BUILD="$DL_BUILD" PREFIX="$2" >"$work/made" 2>&1
}
made install "$work/usr" || { cat "$work/made"; exit 1; }
library=$("$work/usr/bin/dl-run" --layer -- printenv OPENCL_LAYERS)
case $library in
"$work"/usr/lib*/dl/libdl_intercept.so) ;;
*) fail "dl-run names '$library'" ;;
esac
"$work/usr/bin/dl-run" --layout asta --stats -- "$DL_BUILD/samples/lbm" --size 5x4x3 --steps 2 \
    --check >"$work/out" 2>"$work/err" || fail "lbm: $(cat "$work/out" "$work/err")"
grep -q 'src:ASTA' "$work/err" || fail "not tiled: $(cat "$work/err")"
# A wheel has no links: what is preloaded there is a copy, and finds its builder all the same.
cp -rL "$work/usr" "$work/copied"
"$work/copied/bin/dl-run" --layout asta --stats -- "$DL_BUILD/samples/lbm" --size 5x4x3 --steps 2 --check >"$work/out" 2>"$work/err"
grep -q 'src:ASTA' "$work/err" || fail "copies: $(cat "$work/out" "$work/err")"
"$work/usr/bin/dl-annotate" "$DL_SOURCE/samples/lbm/lbm.cl" -o "$work/lbm.cl" ||
    fail "dl-annotate"
echo '#include <dl.h>' | ${CC:-cc} -I"$work/usr/include" -DCL_TARGET_OPENCL_VERSION=300 \
    -fsyntax-only -xc - || fail "no dl.h"
# The Python package finds the library of its own prefix.
site=$(dirname "$(find "$work/usr" -name dl_transpose -path '*/python3*')")
loaded=$(cd "$work" && PYTHONPATH=$site python3 -c 'import dl_transpose; print(dl_transpose._native.library._name)' 2>&1)
grep -qF "put $site in PYTHONPATH" "$work/made" || fail "the folder for Python is not named: $(cat "$work/made")"
[ "$(realpath "$loaded")" = "$(realpath "$work"/usr/lib*/libdl_transpose.so.0.1)" ] || fail "python3 loads '$loaded'"
for file in bin/dl-bench share/man/man1/dl-run.1 share/man/man1/dl-annotate.1 share/man/man1/dl-bench.1 \
    share/man/man5/dl-annotations.5 share/man/man3/dl.h.3 share/man/man3/dl_transpose.3 \
    share/man/man3/dl_matcopy.3 \
    share/dl/stats.schema.json share/bash-completion/completions/dl-run \
    share/fish/vendor_completions.d/dl-bench.fish share/zsh/vendor-completions/_dl-run; do
    [ -s "$work/usr/$file" ] || fail "$file is not installed"
done
# The lines of docs/options.md turn completion on, for all commands.
completion() { # SHELL AFTERWARDS WANT
    command -v "$1" >/dev/null || return
    line=$(sed -nE "s/^\| $1, .* \| \`(.*)\` \|$/\1/p" "$DL_SOURCE/docs/options.md")
    [ -n "$line" ] || fail "docs/options.md has no completion for $1"
    got=$(cd "$work" && HOME=$work PATH=$work/usr/bin:$PATH "$1" -c "${line//\~\/dl/$work/usr}
$2" 2>&1)
    [ "$got" = "$3" ] || fail "completion in $1: '$got', not '$3'"
}
completion bash 'complete -p dl-bench | grep -o "_dl .*"' '_dl dl-bench'
completion zsh 'autoload -U compinit; compinit -u; echo $_comps[dl-bench]' '_dl-run'
completion fish 'complete -C "dl-run --layo" | cut -f1' '--layout'
python3 "$DL_SOURCE/tests/docs/pages.py" --links "$work/usr/share/doc/dl-run" || fail "links of the installed pages"
cp -r "$work/usr/share/doc/dl-run" "$work/copied"
python3 "$DL_SOURCE/tests/docs/pages.py" --links "$work/copied" || fail "links of a copy of the installed pages"
"$work/usr/bin/dl-run" --doctor >"$work/out" 2>&1 || fail "the doctor: $(cat "$work/out")"
[ -s "$work/lbm.cl" ] || fail "dl-annotate wrote nothing"

# Each prefix has a list of its own, and what was in it before stays, empty folders too.
mkdir -p "$work/with spaces/bin"
made install "$work/with spaces/in it" || fail "a prefix with spaces: $(cat "$work/made")"
made install "$work/with spaces" || fail "a prefix that is there: $(cat "$work/made")"
[ -x "$work/with spaces/in it/bin/dl-run" ] || fail "nothing in a prefix with spaces: $(cat "$work/made")"
made uninstall "$work/never" && fail "a prefix without DL is uninstalled: $(cat "$work/made")"
grep -q "$work/never/share/dl/installed.txt is not there" "$work/made" || fail "a prefix without DL: $(cat "$work/made")"
made uninstall "$work/with spaces/in it" || fail "uninstall: $(cat "$work/made")"
[ ! -e "$work/with spaces/in it" ] || fail "left: $(find "$work/with spaces/in it")"
[ -x "$work/with spaces/bin/dl-run" ] && [ -x "$work/usr/bin/dl-run" ] || fail "another prefix lost its files"
files=$(grep -vc '/$' "$work/with spaces/share/dl/installed.txt")
[ "$files" -ge 50 ] || fail "the list has $files files"
made install "$work/with spaces" || fail "once more: $(cat "$work/made")"
made uninstall "$work/with spaces" || fail "uninstall: $(cat "$work/made")"
grep -qxF "removed $files files from $work/with spaces; the cache ~/.cache/dl stays" "$work/made" || fail "not $files: $(cat "$work/made")"
[ "$(cd "$work/with spaces" && find .)" = "$(printf '.\n./bin')" ] || fail "left: $(find "$work/with spaces")"
made uninstall "$work/usr" || fail "uninstall: $(cat "$work/made")"
left=$(find "$work/usr" -mindepth 1 ! -path "$work/usr/share" ! -path "$work/usr/share/theirs")
[ -z "$left" ] || fail "uninstall leaves $left"
echo "$failures failures"
[ $failures -eq 0 ]
