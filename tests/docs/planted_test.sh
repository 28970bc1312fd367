#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: the checks of the documents find what is wrong with a page.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}
mkdir -p "$work/tree/docs" "$work/tree/options" "$work/build/bin"
here=$DL_SOURCE/tests/docs

# commands WANT PATTERN [PAGE [BUILD]]: of the page on standard input, commands.py says PATTERN and exits with WANT.
commands() {
    cat >"$work/tree/${3:-page.md}"
    DL_SOURCE=$work/tree DL_BUILD=${4:-$work/build} python3 "$here/commands.py" "${3:-page.md}" >"$work/out" 2>&1
    local code=$?
    [ $code -eq "$1" ] && grep -q -- "$2" "$work/out" || fail "not '$2' and $1, but $code: $(cat "$work/out")"
}
commands 0 '1 blocks, 0 failed' <<'END'
```sh
printf 'one\ntwo 2\nthree\n'
```

```text
one
two ...
...
```
END
commands 1 'page.md:1: FAILED with 3' <<'END'
```sh
exit 3
```
END
commands 1 'but it prints' <<'END'
```sh
echo one; echo two
```

```text
one
```
END
commands 0 '1 blocks, 0 failed' <<'END'
<!-- others: a stranger -->
```sh
printf 'stranger.py:52: a warning\n  of two lines\none\na warning\ntwo\nthe last warning\n'
```

```text
one
two
```
END
commands 1 'but it prints' <<'END'
<!-- others: a stranger -->
```sh
printf 'one\ndl: warning: it is not the stranger who says this\ntwo\n'
```

```text
one
two
```
END
commands 1 'but it prints' <<'END'
<!-- others: a stranger -->
```sh
printf 'two\none\n'
```

```text
one
two
```
END
commands 1 'FAILED' <<'END'
```sh
false
echo a command before the last one fails
```
END
commands 77 'left out, since this fails: no-such-program' <<'END'
<!-- needs: no-such-program -->
```sh
no-such-program
```
END
commands 0 'not run: it never ends' <<'END'
```sh
echo 1 >left
cat left
```

```text
1
```

<!-- not run: it never ends -->
```sh
sleep 1000000
```
END
commands 1 'has no block' <<<'    indented'
# Of a manual page.
manual() { commands "$1" "$2" page.1 "$DL_BUILD"; }
manual 0 'page.1: 3 blocks, 0 failed' <<'END'
.\" file: there
.EX
\&.a \(aqb\(aq \-\- \e
.EE
.EX
$ cat there
\&.a \(aqb\(aq \-\- \e
$ cat particles.cl >/dev/null
$ dl\-run \-\-version
dl-run ...
.EE
END
manual 1 'page.1:2: FAILED with 2' <<<$'.EX\n$ dl\\-run \\-\\-layuot da\n.EE'
manual 1 'but it prints' <<<$'.EX\n$ echo one\ntwo\n.EE'
manual 1 'FAILED with 1' <<<$'.\\" file: wrong.c\n.EX\nint wrong\n.EE\n.EX\n$ cc \\-c wrong.c\n.EE'
manual 1 'does not say which file' <<<$'.EX\nint there;\n.EE'
manual 1 'page.1:3: FAILED with 1' <<<$'.SH SYNOPSIS\n.nf\n.B #include <dl_status.h>\n.BI "no_type *" there ;\n.fi'
manual 0 'not run: it never ends' <<<$'.\\" not run: it never ends\n.EX\n$ sleep 1000000\n.EE'

# pages PATTERN: of the page on standard input, pages.py says PATTERN.
echo '.flag = "layout",' >"$work/tree/options/options.def"
: >"$work/tree/mkdocs.yml"
pages() {
    cat >"$work/tree/page.md"
    python3 "$here/pages.py" "$work/tree" >"$work/out" 2>&1 && fail "'$1' passes"
    grep -q -- "$1" "$work/out" || fail "not '$1' but: $(cat "$work/out")"
}
mkdir -p "$work/tree/docs/examples" "$work/tree/include"
echo 'int there;' >"$work/tree/docs/examples/cells.c"
printf '```c\n#include <dl.h>\nint there;\n```\n' >"$work/tree/docs/c-programs.md"
printf '.SH EXAMPLES\n.EX\nint there;\n.EE\n.nf\ndl\\-bench apps\n.fi\n.B "dl\\-run \\-\\-lay\\-out"\n' >"$work/tree/docs/dl.h.3"
printf ' *     #include <dl.h>\n *\n *     int gone;\n *\n' >"$work/tree/include/dl.h"
pages 'include/dl.h: docs/examples/cells.c has no line: int gone;' <<<'[x](#gone)'
pages 'docs/dl.h.3: a command that is not between .EX and .EE: dl-bench apps' <<<'[x](#gone)'
pages 'docs/dl.h.3: dl-run has no option --lay-out' <<<'[x](#gone)'
pages 'a link to gone.md, which is not there' <<<'[x](gone.md)'
pages 'a link to #gone, which has no such heading' <<<'[x](#gone)'
pages 'a command outside of a block' <<<'    make test'
pages 'commands in a block that is not' <<<$'```\nmake test\n```'
pages 'says no reason' <<<$'<!-- not run: -->\n```sh\nmake test\n```'
pages 'there is no file launches/trial.c' <<<'see `launches/trial.c`'
pages 'has no option --lay-out' <<<'`dl-run --lay-out asta -- ./program`'
echo >"$work/tree/docs/new.md"
pages 'navigation lacks docs/new.md' <<<'[x](#gone)'
echo "$failures failures"
[ $failures -eq 0 ]
