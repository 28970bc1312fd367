#!/bin/bash
# SPDX-License-Identifier: MIT
# A program with more rights than the user who starts it (set-user-id, or file capabilities), linked
# with DL, reads none of DL's variables: no library, file or folder that the user names is touched.
# The same program without these rights reads them all, which shows that the test sees it. Needs
# root to make such a program, and a folder where it counts.
. "$(dirname "$0")/common.sh"

# Statically: what the libraries read of the environment, they read by secure_getenv.
(cd "$DL_SOURCE" && grep -rnE '[^_a-z](getenv|setenv|putenv) *\(' --include='*.c' --include='*.h' \
    layout annotate marshal_kernels transpose libdl_intercept options include) && fail "these read it otherwise"

[ "$(id -u)" = 0 ] || { [ "$failures" = 0 ] && exit 77; finish; }
user=65534
setpriv --reuid=$user --regid=$user --clear-groups test -r "$DL_BUILD/lib/libdl_intercept.so" || {
    [ "$failures" = 0 ] || finish
    echo "skipped: user $user can't read $DL_BUILD; run the test in a folder that everybody may read"
    exit 77
}
chmod 755 "$work"
cat >"$work/evil.c" <<'END'
#include <fcntl.h>
#include <stdlib.h>
__attribute__((constructor)) static void loaded(void)
{
    open(getenv("EVIL_MARK"), O_CREAT | O_WRONLY, 0644);
}
END
"${CC:-cc}" -shared -fPIC -o "$work/evil.so" "$work/evil.c" || exit 77
cat >"$work/a.cl" <<'END'
typedef struct { float x, y; int n; } particle;
//DL: AoS: p[n]
__kernel void fake_step(__global particle *p, int n)
{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }
END

cp "$tests/host_cache_linked" "$work/plain"
cp "$tests/host_cache_linked" "$work/setuid"
chmod 4755 "$work/setuid"
cp "$tests/host_cache_linked" "$work/capable"
programs="setuid"
setcap cap_net_bind_service+ep "$work/capable" 2>/dev/null && programs="$programs capable"
cp "$(command -v id)" "$work/id"
chmod 4755 "$work/id"
[ "$(setpriv --reuid=$user --regid=$user --clear-groups "$work/id" -u 2>/dev/null)" = 0 ] ||
    { echo "set-user-id does not count in $work"; exit 77; }

# go PROGRAM: as a user without rights; where the user may write all that is named. The output is
# in $work/out.
go() {
    rm -rf "$work/user"
    mkdir -m 777 "$work/user" "$work/user/home"
    echo root >"$work/rooted"
    chmod 600 "$work/rooted"
    ln -s "$work/rooted" "$work/user/link"
    (cd "$work/user" && DL_CACHE='' under ocl-icd native \
        EVIL_MARK="$work/user/loaded" DL_LIBCLANG="$work/evil.so" DL_LAYOUT=bogus DL_TILE=bogus \
        DL_REPORT="$work/user/report" DL_MEMORY_CAP=bogus DL_STAGING=bogus DL_VERIFY=bogus DL_ANNOTATIONS="$work/nowhere" \
        HOME="$work/user/home" XDG_CACHE_HOME="$work/user/home" "$@" >"$work/out" 2>&1) || {
        # A driver may want more than such a user has; DL does not.
        sed 's/^/    /' "$work/out"
    }
}

# Nor does the environment tell libclang where its headers are.
mkdir "$work/headers"
echo '#error these are not the headers' | tee "$work/headers/opencl-c-base.h" >"$work/headers/opencl-c.h"
export CPATH=$work/headers

as_user="setpriv --reuid=$user --regid=$user --clear-groups"
# shellcheck disable=SC2086 # a command and its options
{
    go env DL_STATS="$work/user/stats" DL_TRACE="$work/user/trace" DL_LOG=debug $as_user "$work/plain" "$work/a.cl" ""
    for sign in DL_LAYOUT=bogus DL_TILE=bogus DL_MEMORY_CAP=bogus DL_STAGING=bogus DL_VERIFY=bogus \
        "DL_ANNOTATIONS=$work/nowhere: No such file" "debug: caught"; do
        grep -q "$sign" "$work/out" || fail "without rights: no $sign: $(cat "$work/out")"
    done
    [ -e "$work/user/loaded" ] || fail "without rights: the library was not loaded: $(cat "$work/out")"
    grep -q '^kernel' "$work/user/report" || fail "without rights: no report"
    [ -s "$work/user/stats" ] || fail "without rights: no statistics"
    [ -s "$work/user/trace" ] || fail "without rights: no trace"

    for program in $programs; do
        for stats in "$work/user/stats" "$work/user/link" 1; do
            for cache in "$work/user/cache" ""; do
                go env DL_STATS="$stats" DL_TRACE="$stats" DL_LOG=debug DL_CACHE="$cache" $as_user "$work/$program" "$work/a.cl" ""
                grep -q '^checksum' "$work/out" || fail "$program: $(cat "$work/out")"
                grep '^dl: ' "$work/out" && fail "$program: DL says more than nothing"
                grep -q 'dl: statistics' "$work/out" && fail "$program: statistics"
                left=$(cd "$work/user" && find . -mindepth 1 | sort | tr '\n' ' ')
                [ "$left" = "./home ./link " ] || fail "$program: there is $left"
                [ "$(cat "$work/rooted")" = root ] || fail "$program: wrote through a link"
            done
        done
    done
}
finish
