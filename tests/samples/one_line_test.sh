# SPDX-License-Identifier: MIT
# What DL can't do costs the user one message on standard error, with file and line where there is
# one, which is quoted; not more.
. "$DL_SOURCE/tests/samples/common.sh"
kernel=$DL_SOURCE/samples/lbm/lbm.cl
line=$(grep -n -m1 '^//DL:' "$kernel" | cut -d: -f1)

# says PATTERN [OPTION...]: under dl-run with these, $work/lbm.cl makes one line that matches.
says() {
    local pattern=$1
    shift
    checksum_of "$dl_run" --layout asta "$@" -- "$lbm" --size 5x4x3 --steps 2 --check \
        --kernel "$work/lbm.cl"
    is_one_message && grep -Eq "$pattern" "$work/err" ||
        fail "want one line like '$pattern', got: $err"
}
annotation() {
    sed "s|^//DL:.*|//DL: $1|" "$kernel" >"$work/lbm.cl"
}

cp "$kernel" "$work/lbm.cl"
says libclang --libclang none
annotation 'AoS: src[nx * ny * nz'
says ":$line:"
annotation 'AoS: grid[nx * ny * nz]'
says ":$line:.*grid"
annotation 'AoS: src[nx * mz]'
says ":$line:.*mz"
annotation 'AoS: src[0 - nx], dst[nx * ny * nz]'
says 'src'
grep -q "^dl: *$line | //DL: AoS: src" "$work/err" || fail "the line is not quoted: $err"
finish
