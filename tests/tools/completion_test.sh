#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: bash, zsh and fish complete the options of dl-run, dl-annotate and dl-bench, their values, and what else may
# stand there.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0 skipped=
fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}
cd "$DL_SOURCE" || exit 1
PATH=$DL_BUILD/bin:$PATH
export HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work
mkdir "$work/in"
: >"$work/in/one.side"

in_bash() { # WORD...: what the last word becomes, in a line
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _dl
    echo "${COMPREPLY[*]}"
}
# With zsh's own functions in a real completion it would need a terminal; these print what they are given.
in_zsh() {
    zsh -f -c '
        compadd() { while [[ $1 != -- ]]; do shift; done; shift; local fit=(${(M)@:#${word#*=}*}); ((! $#fit)) || print -l -- $fit; }
        compset() { :; }
        _files() { print -l -- ${words[CURRENT]}*(N); }
        _command_names() { print -l -- ${(Mk)commands:#${words[CURRENT]}*}; }
        _normal() { _command_names; }
        words=("$@") CURRENT=$#
        complete() { . tools/completion/dl.zsh; }
        complete' zsh "$@" | sort | paste -sd' '
}
in_fish() {
    fish --no-config -c '
        source tools/completion/dl.fish
        complete -C (string join " " -- $argv)' "$@" | cut -f1 | sed 's/.*=//' | sort | paste -sd' '
}
completes() { # WANT WORD...: the last word is completed to these, in each shell
    local want=$1 shell seen
    shift
    for shell in $shells; do
        seen=$("in_$shell" "$@")
        [ "$(tr ' ' '\n' <<<"$seen" | sort)" = "$(tr ' ' '\n' <<<"$want" | sort)" ] ||
            fail "$shell: '$*' becomes '$seen', not '$want'"
    done
}
. tools/completion/dl.bash
shells=bash
for shell in zsh fish; do
    if command -v $shell >/dev/null; then shells+=" $shell"; else skipped+=" $shell"; fi
done

completes "--layout --layer" dl-run --la
completes "--doctor" dl-run --do
completes "auto asta da grid aos coalesced" dl-run --layout ""
completes "asta" dl-run --layout as
completes "remark" dl-run --stats --log re
completes "$work/in/one.side" dl-run --annotations "$work/in/o"
completes "dl-annotate" dl-run dl-anno
completes "dl-annotate" dl-run --layout asta -- dl-anno
completes "--coalesced --check --csv" dl-annotate --c
completes "$work/in/one.side" dl-annotate --annotations "$work/in/o"
completes "$work/in/one.side" dl-annotate "$work/in/o"
completes "tune transpose" dl-bench t
completes "in out" dl-bench transpose --place ""
# The help's word for a value, as N and LIST, is not one.
completes "auto" dl-run --tile ""
completes "" dl-bench transpose --caps ""
completes "--shrink --small --states --steps" dl-bench apps --s
# A value behind `=`, which bash makes a word of its own.
shells=bash
completes "off on" dl-run --explain-policy = o
shells=
for shell in zsh fish; do command -v $shell >/dev/null && shells+=" $shell"; done
completes "off on" dl-run --explain-policy=o

echo "$failures failures"
[ $failures -eq 0 ] || exit 1
[ -z "$skipped" ] || {
    echo "not installed:$skipped"
    exit 77
}
