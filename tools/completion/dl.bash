# SPDX-License-Identifier: MIT
# Completion of dl-run, dl-annotate and dl-bench in bash, from what their --help says.
# shellcheck shell=bash

# Lines of an option and what its value may be: "--layout auto|asta", "--csv FILE", "--check ".
_dl_options() { # COMMAND [SUBCOMMAND]
    "$@" --help 2>/dev/null | sed -nE \
        's/^  (-., )?(--[a-z-]+)((\[=| +)([A-Z]+[A-Za-z0-9|\/]*|[a-z0-9]+\|[A-Za-z0-9|]+))?\]?( .*)?$/\2 \5/p'
}

_dl() {
    local command=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} values i
    local help=("$command") rest=(-f)
    [ "$word" = = ] && word=''
    # bash makes a word of `=`.
    [ "$before" = = ] && before=${COMP_WORDS[COMP_CWORD - 2]}
    COMPREPLY=()
    case ${command##*/} in
    dl-run)
        rest=(-c)
        for ((i = 1; i < COMP_CWORD; i++)); do
            if [ "${COMP_WORDS[i]}" = -- ]; then # the program and its arguments
                if declare -F _command_offset >/dev/null && [ "$i" -lt $((COMP_CWORD - 1)) ]; then
                    _command_offset $((i + 1))
                else
                    mapfile -t COMPREPLY < <(compgen -c -- "$word")
                fi
                return
            fi
        done
        ;;
    dl-bench)
        rest=(-W "$("$command" --help | sed -nE 's/^ *(usage: +)?dl-bench ([a-z]+) .*/\2/p')")
        [ "$COMP_CWORD" -lt 2 ] || help+=("${COMP_WORDS[1]}") rest=(-W '')
        ;;
    esac
    values=$(_dl_options "${help[@]}" | sed -n "s/^$before //p" | tr '|' ' ')
    case $before/$values in
    --*/*F[IO]L*) mapfile -t COMPREPLY < <(compgen -f -W "${values//F[IO]L[A-Z.a-z]*/}" -- "$word") ;;
    --*/?*) mapfile -t COMPREPLY < <(compgen -W "$(tr ' ' '\n' <<<"$values" | grep -v '^[A-Z]')" -- "$word") ;;
    *)
        case $word in
        -*) mapfile -t COMPREPLY < <(compgen -W "$(_dl_options "${help[@]}" | cut -d' ' -f1)" -- "$word") ;;
        *) mapfile -t COMPREPLY < <(compgen "${rest[@]}" -- "$word") ;;
        esac
        ;;
    esac
}
complete -o filenames -o default -F _dl dl-run dl-annotate dl-bench
