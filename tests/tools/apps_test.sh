#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: dl-bench apps runs each program in each layout and state with the caches that the state means,
# reads steady states, excesses and break-even off the timelines, keeps finished rows, and fails where
# results differ or, with --check, where a bound is broken. The programs are made up, with times so
# long (made up, too) that no machine's load shows beside them; at the end two real ones.
. "$DL_SOURCE/tests/samples/common.sh"
unset DL_MATRICES
tree=$work/tree
mkdir -p "$tree/bin"
cp "$DL_BUILD/bin/dl-bench" "$tree/bin"
export FAKE_LOG=$work/log FAKE_WRONG='' FAKE_DEVICE='A device'

cat >"$tree/bin/dl-run" <<'S'
#!/bin/bash
export FAKE_LAYOUT=auto # where nothing else is said
[ "$1" != --layout ] || { FAKE_LAYOUT=$2; shift 2; }
[ "$1" != --explain-policy ] || { echo 'dl: policy: tiles, perhaps' >&2; shift; }
[ "$1" = -- ] || exit 2
shift
exec "$@"
S
# A run takes so many seconds at first, and so many a step.
cat >"$tree/bin/dl-patterns" <<'S'
#!/bin/bash
layout=${FAKE_LAYOUT:-native}
while [ $# -gt 0 ]; do
    case $1 in
    --list) printf '%s\n' 'gains 0 x' 'even 4 x' 'never 0 x' 'late 0 x' \
        'less 0 x' 'more 0 x' 'most 0 x' 'enough 0 x' 'fails 0 x'; exit ;;
    --pattern) name=$2 ;;
    --steps) steps=$2 ;;
    --timeline) file=$2 ;;
    esac
    shift
done
kept=$(ls "$DL_CACHE" | xargs)
kept=${kept:-nothing}
echo "$name $layout steps $steps kept $kept settings ${DL_TILE:-none}" >>"$FAKE_LOG"
if [ "$name-$layout" = gains-auto ]; then # by a process that the program leaves behind
    (sleep 0.3; echo text >"$DL_CACHE/a") &
else
    echo text >"$DL_CACHE/a"
fi
[ "$layout" != auto ] || echo 'decision: tiles' >"$DL_CACHE/b"
case $name-$layout-$kept in
gains-native-* | gains-aos-*) first=0 each=100 ;;
gains-asta-* | gains-auto-a | gains-auto-nothing) first=90 each=60 ;;
gains-da-*) first=500 each=80 ;;
gains-auto-*) first=0 each=61 ;; # a decision is remembered
even-*) first=0 each=100 ;;
never-auto-*) first=0 each=103 ;;
never-*) first=0 each=100 ;;
less-native-*) first=0 each=100 ;; # every third run with a decision keeps four fifths of the gain
less-asta-*) first=0 each=50 ;;
less-auto-*) first=0 each=$(($(grep -c '^less auto .* kept a b ' "$FAKE_LOG") % 3 ? 50 : 60)) ;;
late-auto-*) first=4 each=100 ;; # within the bound of a first run, not of a remembered decision
late-* | more-* | most-* | enough-*) first=0 each=100 ;;
*) echo 'no such device, alas' >&2; exit 3 ;;
esac
[ "$layout" != asta ] || echo "dl: no libclang, but ${DL_LIBCLANG:-none}" >&2
read -r now rest </proc/uptime
awk -v now="$now" -v steps="$steps" -v first=$first -v each=$each -v device="$FAKE_DEVICE" 'BEGIN {
    OFMT = CONVFMT = "%.12g" # a machine may have been up for long
    print "main", now "\nopening", now "\nopened", now "\ndevice " device ", driver 1"
    print "waited", ENVIRON["FAKE_WAITED"] + 0; now += ENVIRON["FAKE_WAITED"]
    for (n = 1; n <= steps; n++)
        print "step", now + first + n * each, first + n * each, n * each / 2
    print "finished", now "\nclosing", now "\nclosed", now "\nleaving", now }' >"$file"
echo "checksum: 000000000000000$([ "$layout" = "$FAKE_WRONG" ] && echo 2 || echo 1)"
S
chmod +x "$tree/bin/dl-run" "$tree/bin/dl-patterns"

apps() {
    run "$tree/bin/dl-bench" apps --out "$work/results" --reps 2 --steps 10 "$@"
}
# field FILE ROW LAYOUT STATE COLUMN
field() {
    awk -F, -v row="$2" -v layout="$3" -v state="$4" -v column="$5" '
        /^row,/ { for (f = 1; f <= NF; f++) at[$f] = f }
        $1 == row && $3 == layout && $4 == state { print $at[column] }' "$work/results/$1.csv"
}
# is ROW LAYOUT STATE COLUMN WANT: in summary.csv; a number within 1 % of WANT or 0.1
is() {
    local got
    got=$(field summary "$1" "$2" "$3" "$4")
    awk -v got="$got" -v want="$5" 'BEGIN {
        if (got == want) exit 0
        if (got !~ /^[-+.0-9]+$/ || want !~ /^[-+.0-9]+$/) exit 1
        off = got - want; size = want < 0 ? -want : want
        exit !((off < 0 ? -off : off) <= 0.01 * size + 0.1) }' ||
        fail "$1 $2 $3: $4 is $got, not $5"
}
logged() { # COUNT PATTERN: so many runs were like that
    [ "$(grep -cx "$2" "$FAKE_LOG")" = "$1" ] || fail "not $1 runs: $2: $(cat "$FAKE_LOG")"
}

# ---- one row: states, sums ----
DL_TILE=7 DL_LIBCLANG=here apps --rows gains
[ $code -eq 0 ] || fail "exit code $code: $out$err"
[ "$err" = 'gains, asta: dl: no libclang, but here' ] || fail "what DL says is not passed on: $err"
# native: two cold runs begin with nothing, and what the second has left is there for the warm ones
logged 2 'gains native steps 10 kept nothing settings none'
logged 2 'gains native steps 10 kept a settings none'
# demanded layouts: one run ahead and one that counts, none cold
logged 1 'gains da steps 4 kept nothing settings none'
logged 1 'gains da steps 10 kept a settings none'
# auto: two cold runs, of which the second is the first ahead of the warm ones; three runs ahead of the
# remembered ones, of which the first has nothing; warm ones have no decision, though the runs ahead have come to one
logged 3 'gains auto steps 10 kept nothing settings none'
logged 2 'gains auto steps 10 kept a settings none'
logged 6 'gains auto steps 10 kept a b settings none'
is gains native warm steady_device_us 100000000
is gains native warm steady_kernel_us 50000000
is gains asta warm steady_device_us 60000000
is gains auto warm best_device_us 60000000
is gains auto remembered over_best_percent 1.67
is gains auto remembered kept_percent 97.5
is gains auto remembered least_ms 610000
is gains auto cold wall_excess_ms 50000
is gains auto cold wall_excess_percent 50
is gains auto cold wall_excess_at 1
is gains auto cold device_excess_ms 50000
is gains auto cold within no
is gains auto warm within no
is gains auto remembered within yes
is gains asta warm break_even_wall 3
is gains asta warm break_even_device 3
is gains da warm break_even_wall 0
is gains auto remembered break_even_wall 1
is gains native warm reps 2
is gains asta warm reps 1
[ "$(grep -c '^gains,' "$work/results/apps.csv")" = $((8 * 10)) ] || fail "not 10 lengths of 8 cells"
[ "$(awk -F, '$3 == "da" && $4 == "warm" && $7 == 4 { print int($8 + 0.5) }' \
    "$work/results/apps.csv")" = 820000 ] || fail "4 steps of da"
[ "$(head -n 1 "$work/results/apps.csv")" = '# A device, driver 1' ] || fail "the device's line"

# ---- what auto decides, and a program that waited for its turn ----
FAKE_WAITED=1000 apps --rows even --layouts auto --states cold --explain
[ "$(grep -c -x 'even, auto: dl: policy: tiles, perhaps' "$work/err")" = 2 ] &&
    [ "$(grep -c -x 'even, auto, cold:' "$work/err")" = 2 ] || fail "--explain: $err"
[ "$(awk -F, '$1 == "even" && $3 == "native" && $7 == 4 { print int($10 + 0.5) }' \
    "$work/results/apps.csv")" = 400000 ] || fail "the wait counts: $(grep even "$work/results/apps.csv")"
sed -i '/^even,/d' "$work/results"/*.csv

# ---- parts, and going on ----
: >"$FAKE_LOG"
apps --rows gains,even,never --part 0/2
[ $code -eq 0 ] && grep -q '^1 row run now, 1 kept' "$work/out" || fail "the first part: $out$err"
logged 0 'gains .*'
logged 0 'even .*'
apps --rows gains,even,never --part 1/2 --layouts native,auto --states remembered
[ $code -eq 0 ] && grep -q '^1 row run now, 0 kept' "$work/out" || fail "the other: $out$err"
logged 0 'even asta .*'
logged 2 'even native steps 4 kept a settings none' # its own limit; its run ahead has less
is even auto remembered within yes
is even auto remembered steps 4
is never auto warm within yes
is never auto remembered over_best_percent 3
is never auto remembered within no # 3 % over native in steady state, where nothing gains
run "$tree/bin/dl-bench" apps --rows less --layouts asta,auto --states remembered --reps 3 --steps 10 --out "$work/three"
[ "$(awk -F, '/^row,/ { for (f = 1; f <= NF; f++) at[$f] = f }
    $3 == "auto" { print $at["over_best_percent"], $at["kept_percent"], $at["within"] }' \
    "$work/three/summary.csv")" = '0.00 80.0 no' ] || fail "one run that loses: $(cat "$work/three/summary.csv")"
apps --rows late --layouts auto
is late auto cold within yes
is late auto warm within yes
is late auto remembered within no
is late auto remembered device_excess_ms 4000
apps --rows gains,even,never
grep -q '^0 rows run now, 3 kept' "$work/out" || fail "all of it, once more: $out$err"
[ "$(grep -c '| ok$' "$work/out") $(grep -c '| OVER$' "$work/out")" = '1 3' ] || fail "the lines: $out"
apps --rows gains,even,never --check
[ $code -eq 1 ] || fail "--check lets broken bounds pass: exit code $code"
apps --report --check
[ $code -eq 1 ] || fail "so does --report: exit code $code"

for left in 2 1; do
    apps --rows more,most,enough --layouts auto --states warm --minutes 0.0000001
    [ $code -eq 3 ] && grep -q "^1 row run now, .* $left left: run again" "$work/out" ||
        fail "a row at a time, $left left: exit code $code: $out$err"
done
apps --rows more,most,enough --layouts auto --states warm --minutes 0.0000001
[ $code -eq 0 ] || fail "the last of them: exit code $code: $out$err"

# ---- what is wrong ----
apps --rows fails
[ $code -eq 1 ] && grep -q 'fails, native: failed with exit code 3; it said: no such device, alas' \
    "$work/err" || fail "a program that fails: exit code $code: $err"
[ -z "$(field summary fails native warm row)" ] || fail "a row that failed counts as finished"
run "$tree/bin/dl-bench" apps --out "$work/results" --reps 3 --steps 10 --rows never
[ $code -eq 1 ] && grep -q 'other settings' "$work/err" || fail "other settings: $code: $err"
rm -r "$work/results"
FAKE_WRONG=da apps --rows even
[ $code -eq 1 ] && grep -q 'even.*WRONG: checksums differ' "$work/out" ||
    fail "a wrong checksum: exit code $code: $out$err"
FAKE_DEVICE=Another apps --rows never
[ $code -eq 1 ] && grep -q 'has rows of A device, driver 1' "$work/err" ||
    fail "another device: exit code $code: $err"

# ---- real programs ----
rm -rf "$work/results"
run "$DL_BUILD/bin/dl-bench" apps --small --out "$work/results" --steps 3 --reps 1 --states warm \
    --layouts native,asta --rows one_of_16_tiny,black_scholes
[ $code -eq 0 ] || fail "real programs: exit code $code: $out$err"
for row in one_of_16_tiny black_scholes; do
    for layout in native asta; do
        [ "$(field summary $row $layout warm status)" = ok ] || fail "$row, $layout: no line"
        [ "$(awk -F, -v row=$row -v layout=$layout '$1 == row && $3 == layout && $8 > 0 && $9 > 0 &&
            $10 > $9 && $11 > $10' "$work/results/apps.csv" | wc -l)" = 3 ] ||
            fail "$row, $layout: three lengths: $(cat "$work/results/apps.csv")"
    done
done
# Its steps wait while another program has its turn.
(
    flock 9
    touch "$work/taken"
    sleep 3
    touch "$work/released"
) 9>"$work/turn" &
while [ ! -e "$work/taken" ]; do sleep 0.05; done
SAMPLE_TURN=$work/turn run "$DL_BUILD/bin/dl-patterns" --pattern one_of_16_tiny --steps 3 --timeline "$work/times"
[ $code -eq 0 ] && [ -e "$work/released" ] && flock -n "$work/turn" true || fail "a turn: exit code $code: $err"
wait
awk '$1 == "waited" { waited = $2 } $1 == "step" { steps++ } END { exit !(waited > 0 && steps == 3) }' "$work/times" ||
    fail "it did not wait: $(cat "$work/times")"
# The list needs no samples, which are not installed.
mkdir -p "$work/prefix/bin"
cp "$DL_BUILD/bin/dl-bench" "$DL_BUILD/bin/dl-patterns" "$work/prefix/bin"
run "$work/prefix/bin/dl-bench" apps --list
[ $code -eq 0 ] && grep -q '^lbm_32 ' "$work/out" && grep -q '^one_of_16_tiny ' "$work/out" ||
    fail "--list without samples: exit code $code: $out$err"
if [ -n "${DL_TEST_FULL:-}" ]; then # every row, in every layout and state
    rm -rf "$work/results"
    run "$DL_BUILD/bin/dl-bench" apps --small --out "$work/results" --reps 1
    [ $code -eq 0 ] && [ "$(grep -c ',native,warm,ok,' "$work/results/summary.csv")" = \
        "$("$DL_BUILD/bin/dl-bench" apps --list --small | wc -l)" ] || fail "all rows: $out$err"
fi
finish
