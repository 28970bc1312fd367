# SPDX-License-Identifier: MIT
# Completion of dl-run, dl-annotate and dl-bench in fish, from what their --help says.

# Prints what the last word of the command line may become.
function __dl_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l name (string replace -r '.*/' '' -- $words[1])
    set -l before $words[-1]
    set -l help $words[1]
    if test $name = dl-run; and set -l program (contains -i -- -- $words)
        # The program and its arguments.
        set -l rest $words[(math $program + 1)..] $word
        complete -C (string join ' ' -- $rest)
        return
    end
    if test $name = dl-bench
        if test (count $words) = 1; and not string match -q -- '-*' $word
            dl-bench --help | string replace -rf '^ *(usage: +)?dl-bench ([a-z]+) .*' '$2'
            return
        end
        test (count $words) = 1; or set -a help $words[2]
    end
    # Lines of an option and what its value may be: "--layout auto|asta", "--csv FILE", "--check ".
    set -l options ($help --help 2>/dev/null | string replace -rf '^  (?:-., )?(--[a-z-]+)(?:(?:\[=| +)([A-Z]+[A-Za-z0-9|/]*|[a-z0-9]+\|[A-Za-z0-9|]+))?\]?(?: .*)?$' '$1 $2')
    set -l prefix
    if string match -q -- '--*=*' $word
        set before (string split -m 1 = -- $word)[1]
        set prefix $before=
    end
    set -l values
    string match -q -- '--*' $before; and set values (string match -r -- "^$before (.+)" $options)[2]
    if test -n "$values"
        for value in (string split '|' -- $values)
            if string match -qr '^(FILE|FOLDER)' -- $value
                __fish_complete_path (string replace -- "$prefix" '' $word)
            else if not string match -qr '^[A-Z]' -- $value
                echo "$prefix$value"
            end
        end
    else if string match -q -- '-*' $word
        string replace -r ' .*' '' -- $options
    else if test $name = dl-run
        __fish_complete_command
    else
        __fish_complete_path $word
    end
end
for name in dl-run dl-annotate dl-bench
    complete -c $name -f -a '(__dl_complete)'
end
