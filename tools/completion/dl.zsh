#compdef dl-run dl-annotate dl-bench
# SPDX-License-Identifier: MIT
# Completion of dl-run, dl-annotate and dl-bench in zsh, from what their --help says.

local command=$words[1] before=$words[CURRENT-1] word=$words[CURRENT] values
local -a help=($command) options

if [[ ${command:t} = dl-run ]]; then
    local program=${words[(i)--]}
    if ((program < CURRENT)); then # the program and its arguments
        shift $program words
        ((CURRENT -= program))
        _normal
        return
    fi
elif [[ ${command:t} = dl-bench ]]; then
    if ((CURRENT == 2)) && [[ $word != -* ]]; then
        compadd -- ${(f)"$($command --help | sed -nE 's/^ *(usage: +)?dl-bench ([a-z]+) .*/\2/p')"}
        return
    fi
    ((CURRENT == 2)) || help+=($words[2])
fi
# Lines of an option and what its value may be: "--layout auto|asta", "--csv FILE", "--check ".
options=(${(f)"$($help --help 2>/dev/null | sed -nE \
    's/^  (-., )?(--[a-z-]+)((\[=| +)([A-Z]+[A-Za-z0-9|\/]*|[a-z0-9]+\|[A-Za-z0-9|]+))?\]?( .*)?$/\2 \5/p')"})
if [[ $word = --*=* ]]; then
    before=${word%%=*}
    compset -P '*='
fi
[[ $before != --* ]] || values=${${(M)options:#$before *}#* }
case $values in
    *F[IO]L*)
        _files
        compadd -- ${${(s:|:)values}:#[A-Z]*}
        ;;
    ?*) compadd -- ${${(s:|:)values}:#[A-Z]*} ;; # without N, LIST and the like
    *)
        if [[ $word = -* ]]; then
            compadd -- ${options%% *}
        elif [[ ${command:t} = dl-run ]]; then
            _command_names -e
        elif [[ ${command:t} = dl-annotate ]]; then
            _files
        fi
        ;;
esac
