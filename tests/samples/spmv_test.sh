# SPDX-License-Identifier: MIT
# spmv without DL: right for odd shapes and for every kind of file it reads, and clear about files
# that it can't. The real matrix is looked for in $DL_MATRICES and beside the source tree.
. "$DL_SOURCE/tests/samples/common.sh"

for shape in "1 1" "7 19" "31 1" "33 32" "128 5" "1009 13"; do
    checksum_of "$spmv" --rows ${shape% *} --width ${shape#* } --steps 2 --check
    expect_checksum "$sum" "$spmv" --rows=${shape% *} --width=${shape#* } --steps 5
done
[ "$(tail -n 3 "$work/out" | cut -d: -f1 | xargs)" = "checksum time_s gflops" ] ||
    fail "spmv must end with checksum, time_s and gflops"
checksum_of "$spmv" --shape conf6.0 --steps 1 --profile --check
[ -n "$(value device_s)" ] || fail "--profile must print device_s"
grep -q '^matrix: 49152 x 49152, .* up to 39$' "$work/out" || fail "conf6.0 is made up wrong: $out"

# One matrix in every form gives one result.
banner='%%MatrixMarket matrix coordinate'
cat >"$work/general.mtx" <<END
$banner real general
% a comment

3 4 5
1 1 2
3 1 -3.5
  1 4 4e0
3 3 6

3 2 .25
END
printf '%%%%matrixmarket MATRIX Coordinate INTEGER General\r\n3 4 5\r\n1 1 8\r\n3 1 -14\r\n1 4 16\r\n3 3 24\r\n3 2 1' \
    >"$work/integer.mtx" # four times as much, CR LF, no last line end
checksum_of "$spmv" --matrix "$work/general.mtx" --steps 1 --check
general=$sum
grep -q '^matrix: 3 x 4, 5 entries, rows of up to 3$' "$work/out" || fail "general.mtx: $out"
gzip -k "$work/general.mtx"
expect_checksum "$general" "$spmv" --matrix "$work/general.mtx.gz" --steps 1 --check
checksum_of "$spmv" --matrix "$work/integer.mtx" --steps 1 --check
[ "$sum" != "$general" ] || fail "other values give the same result"

# Symmetric is what its mirrored form is in the same order of entries.
printf '%s\n' "$banner real symmetric" '3 3 4' '1 1 2' '2 1 3' '3 2 5' '3 3 7' >"$work/half.mtx"
printf '%s\n' "$banner real general" '3 3 6' '1 1 2' '2 1 3' '1 2 3' '3 2 5' '2 3 5' '3 3 7' \
    >"$work/full.mtx"
checksum_of "$spmv" --matrix "$work/half.mtx" --steps 1 --check
expect_checksum "$sum" "$spmv" --matrix "$work/full.mtx" --steps 1 --check
# A pattern's values depend on the entry: exchanged entries are another matrix.
printf '%s\n' "$banner pattern general" '2 2 2' '1 1' '2 2' >"$work/pattern.mtx"
printf '%s\n' "$banner pattern general" '2 2 2' '2 2' '1 1' >"$work/exchanged.mtx"
checksum_of "$spmv" --matrix "$work/pattern.mtx" --steps 1 --check
first=$sum
checksum_of "$spmv" --matrix "$work/exchanged.mtx" --steps 1 --check
[ "$sum" != "$first" ] || fail "all entries of a pattern have one value"
# Nothing in it at all.
printf '%s\n' "$banner real general" '5 2 0' >"$work/empty.mtx"
checksum_of "$spmv" --matrix "$work/empty.mtx" --steps 1 --check

if matrix=$(find_matrix bcsstk32.mtx.gz); then
    checksum_of "$spmv" --matrix "$matrix" --steps 1 --check
    grep -q '^matrix: 44609 x 44609, 2014701 entries, rows of up to 216$' "$work/out" ||
        fail "bcsstk32: $out"
else
    echo "bcsstk32.mtx.gz is not here: left out"
fi

# --check notices a wrong kernel.
notices() {
    sed "$1" "$DL_SOURCE/samples/spmv/spmv.cl" >"$work/wrong.cl"
    cmp -s "$work/wrong.cl" "$DL_SOURCE/samples/spmv/spmv.cl" && fail "$1 changes nothing"
    run "$spmv" --rows 99 --width 7 --steps 1 --check --kernel "$work/wrong.cl"
    [ $code -eq 1 ] || fail "a wrong kernel passes --check (exit code $code): $1"
}
notices 's/k < width/k < width - 1/'
notices 's/values\[row \* width + k\]/values[row * width]/'
notices 's/y\[row\]/y[rows - 1 - row]/'

# bad LINE PATTERN: $work/bad.mtx costs one line, with the file's line and the reason.
bad() {
    run "$spmv" --matrix "${file:-$work/bad.mtx}" --steps 1
    [ $code -eq 1 ] || fail "exit code $code for a bad file: $2"
    [ "$(grep -c . "$work/err")" -eq 1 ] && [[ $err == "${file:-$work/bad.mtx}":$1:\ *$2* ]] ||
        fail "want one line '$1: ...$2', got: $err"
}
# lines LINE...: these are the file.
lines() { printf '%s\n' "$@" >"$work/bad.mtx"; }
: >"$work/bad.mtx"
bad 1 'no Matrix Market file'
lines "$banner"
bad 1 'neither real'
lines '%%MatrixMarket matrix array real general' '2 2' 1 2 3 4
bad 1 'dense'
lines "$banner complex general" '1 1 1' '1 1 1 0'
bad 1 'complex'
lines "$banner real hermitian" '1 1 1' '1 1 1'
bad 1 'neither general nor symmetric'
lines '%%MatrixMarket vector coordinate real general' '1 1 1'
bad 1 'no matrix'
lines "$banner real general"
bad 2 'ends before'
lines "$banner real general" '2 2'
bad 2 'entries is missing'
lines "$banner real general" '2 2 many'
bad 2 'no whole number'
lines "$banner real general" '2 2 1 1'
bad 2 'too much'
lines "$banner real general" '0 2 0'
bad 2 'number of rows'
lines "$banner real general" '-1 2 1'
bad 2 'no whole number'
lines "$banner real general" '2 99999999999999999999999999 1'
bad 2 'number of columns'
lines "$banner real general" '4294967297 1 1' '1 1 1'
bad 2 'number of rows'
lines "$banner real general" '100000000 100000000 18446744073709551617' '1 1 1'
bad 2 'number of entries'
lines "$banner real general" '2 2 5'
bad 2 'more entries than'
lines "$banner real symmetric" '2 3 1' '1 1 1'
bad 2 'as many rows'
lines "$banner real general" '100000 100000 500000000' '1 1 1'
bad 4 'ends after 1 of 500000000'
lines "$banner real general" '% c' '2 2 2' '1 1 1'
bad 5 'ends after 1 of 2'
lines "$banner real general" '2 2 1' '1 1 1' '2 2 1'
bad 4 'more than 1 entries'
lines "$banner real general" '2 2 1' '0 1 1'
bad 3 'row 0'
lines "$banner real general" '2 2 1' '3 1 1'
bad 3 'row 3'
lines "$banner real general" '2 2 1' '2 3 1'
bad 3 'column 3'
lines "$banner real general" '2 2 1' 'one 1 1'
bad 3 'no whole number'
lines "$banner real general" '2 2 1' '1 1 x'
bad 3 'no number'
lines "$banner real general" '2 2 1' '1 1 nan'
bad 3 'no number'
lines "$banner real general" '2 2 1' '1 1 0x10'
bad 3 'no number'
lines "$banner real general" '2 2 1' '1 1 1e400'
bad 3 'too large'
lines "$banner integer general" '2 2 1' '1 1 1.5'
bad 3 'no whole number'
lines "$banner real general" '2 2 1' '1 1'
bad 3 'value is missing'
lines "$banner pattern general" '2 2 1' '1'
bad 3 'column is missing'
lines "$banner pattern general" '2 2 1' '1 1 5'
bad 3 'too much'
lines "$banner real symmetric" '2 2 1' '1 2 5'
bad 3 'above the diagonal'
printf '%s\n1 1 1\n1 1 1\0\n' "$banner real general" >"$work/bad.mtx"
bad 3 'no text file'
printf '%s\n%%%9999d\n' "$banner real general" 1 >"$work/bad.mtx"
bad 2 'too long'
# One full row of a tall matrix: its ELL form would have 2^23 x 65.
{
    printf '%s\n8388608 65 65\n' "$banner pattern general"
    seq -f '1 %g' 65
} >"$work/wide.mtx"
run "$spmv" --matrix "$work/wide.mtx" --steps 1
[ $code -eq 1 ] && grep -q 'ELL form too large' "$work/err" || fail "a huge ELL form: $err"

# Compressed files that are cut off, or damaged.
seq 1 2000 | awk -v banner="$banner real general" '
    BEGIN { print banner; print "2000 2000 2000" } { print $1, $1, $1 * 0.37 }' >"$work/long.mtx"
gzip -k "$work/long.mtx"
file=$work/cut.mtx.gz
head -c 5000 "$work/long.mtx.gz" >"$file"
bad '*' 'cut off'
head -c -4 "$work/long.mtx.gz" >"$file"
bad '*' 'cut off'
{
    head -c 3000 "$work/long.mtx.gz"
    printf 'damaged'
    tail -c +3008 "$work/long.mtx.gz"
} >"$file"
run "$spmv" --matrix "$file" --steps 1
[ $code -eq 1 ] && [[ $err == "$file":*:\ * ]] || fail "a damaged file: exit code $code, $err"
head -c 1500 "$work/long.mtx" >"$work/bad.mtx"
file=
run "$spmv" --matrix "$work/bad.mtx" --steps 1
[ $code -eq 1 ] && [[ $err == "$work/bad.mtx":*:\ * ]] || fail "a truncated file: $code, $err"
run "$spmv" --matrix "$work/missing.mtx" --steps 1
[ $code -eq 1 ] && [[ $err == *missing.mtx:\ No\ such\ file* ]] || fail "a missing file: $err"
run "$spmv" --matrix "$work" --steps 1
[ $code -eq 1 ] && [[ $err == "$work:"* ]] || fail "a directory: $code, $err"

# A bad command line: one line and exit code 2.
usage() {
    run "$spmv" "$@"
    [ $code -eq 2 ] && [ -n "$err" ] || fail "exit code $code, want 2: $*"
}
usage --rows 0
usage --width 5
usage --shape bcsstk99
usage --rows 5 --shape bcsstk18
usage --rows 1000000 --width 1000000
usage --steps 0
usage surplus
finish
