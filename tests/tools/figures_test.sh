#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: bench/figures.py draws a figure of each kind from the tables that dl-bench writes, shows only
# rows that are ok, draws the same table as the same bytes, and says what it cannot draw.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
for python in python3 /usr/bin/python3; do
    $python -c 'import matplotlib' 2>/dev/null && break
    [ $python = /usr/bin/python3 ] && { echo "matplotlib is not installed: skipped"; exit 77; }
done
# One process draws: to load matplotlib takes ten times as long as a figure. It gets a file of arguments, a NUL behind
# each, and answers with the exit code when the script's output is in `out` and `err`.
coproc artist {
    cd "$dir" && exec $python -c '
import contextlib, os, runpy, sys, traceback
for _ in sys.stdin:
    sys.argv = open("arguments").read().split("\0")[:-1]
    sys.path[0] = os.path.dirname(sys.argv[0])
    code = 0
    with open("out", "w") as out, open("err", "w") as err:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                runpy.run_path(sys.argv[0], run_name="__main__")
            except SystemExit as end:
                code = end.code or 0
                if isinstance(code, str):
                    print(code, file=err)
                    code = 1
            except Exception:
                traceback.print_exc()
                code = 1
    print(code, flush=True)
'
}
by_artist() {
    local code
    printf '%s\0' "$@" >"$dir/arguments"
    echo >&"${artist[1]}"
    read -r code <&"${artist[0]}" || { echo 'the process that draws has ended' >&2; return 1; }
    cat "$dir/out"
    cat "$dir/err" >&2
    return "$code"
}
figures=("$DL_SOURCE/bench/figures.py" --results "$dir" --out "$dir")
draw() { by_artist "${figures[@]}" "$@"; }
# shows FIGURE COUNT WHAT: the figure has COUNT elements whose id begins with WHAT.
shows() {
    local count
    count=$(grep -c "id=\"$3" "$dir/$1.svg")
    [ "$count" = "$2" ] || fail "$1: $count times $3, not $2"
}

cat >"$dir/marshal-h200-asta.csv" <<'T'
# A device, driver 1, copy 10.0 GB/s
# 2026-01-31, dl-bench marshal
group,case,from,from_tile,to_tile,knobs,status,share_percent
asta,"2 words",AoS,0,32,,ok,50.00
asta,"4 words",AoS,0,32,,ok,75.00
asta,"4 words",ASTA,32,0,,ok,25.00
asta,"8 words",AoS,0,32,,WRONG,99.00
T
draw marshal-asta || fail "lines"
shows marshal-asta 1 "series: from AoS"
shows marshal-asta 2 "series: "
grep -q "A device, driver 1, 2026-01-31, copy 10.0 GB/s" "$dir/marshal-asta.svg" || fail "the origin"
# Three in the lines and one for each of the two entries of the legend
[ "$(grep -c '<use.*fill: #\(1b6ca8\|d1495b\)' "$dir/marshal-asta.svg")" = 5 ] ||
    fail "three points, the wrong one left out"
mv "$dir/marshal-asta.svg" "$dir/first.svg"
$python "${figures[@]}" marshal-asta || fail "lines once more, by another process"
cmp "$dir/first.svg" "$dir/marshal-asta.svg" || fail "the same table is drawn differently"

cat >"$dir/transpose-h200-skinny.csv" <<'T'
# A device, driver 1, copy 10.0 GB/s
set,rows,cols,element_bytes,cap,algorithm,status,gb_per_s,share_percent
skinny,5,10000000,4,6,auto,ok,3,30.00
skinny,6,10000000,4,6,auto,ok,4,40.00
skinny,7,10000000,4,6,auto,ok,5,50.00
skinny,5,10,4,6,auto,ok,5,50.00
T
draw transpose-skinny || fail "histogram"
grep -q "skinny, 4 bytes, workspace 6 %, auto: 3 sizes, median 40.0 %" "$dir/transpose-skinny.svg" ||
    fail "the matrices beyond the cache"

cat >"$dir/transpose-h200-tiles.csv" <<'T'
# A device, driver 1, copy 10.0 GB/s
algorithm,status,gb_per_s,tile_rows,tile_cols
3-stage,ok,300,4,8
3-stage,ok,400,8,8
4-stage,ok,900,8,4
3-stage,DL_ENOMEM,0,8,16
T
draw transpose-tiles-3-stage || fail "map"
shows transpose-tiles-3-stage 2 "tile: "
grep -q "best 400;" "$dir/transpose-tiles-3-stage.svg" || fail "the best tile"

cat >"$dir/transpose-h200-landscape.csv" <<'T'
# A device, driver 1, copy 10.0 GB/s
set,rows,cols,element_bytes,cap,algorithm,status,share_percent
landscape,100,100,4,6,auto,ok,30.00
landscape,100,200,4,6,auto,ok,40.00
landscape,100,100,4,6,c2r,ok,20.00
landscape,100,100,8,6,c2r,ok,25.00
T
draw transpose-landscape || fail "landscapes"
shows transpose-landscape 4 "size: "
grep -q "4 bytes, auto, workspace 6" "$dir/transpose-landscape.svg" || fail "a panel for each algorithm"
grep -q "8 bytes, auto, workspace 6" "$dir/transpose-landscape.svg" && fail "a panel without sizes"

cat >"$dir/transpose-h200-nearsquare.csv" <<'T'
# A device, driver 1, copy 10.0 GB/s
set,rows,cols,element_bytes,algorithm,status,share_percent
nearsquare,100,101,4,auto,ok,30.00
nearsquare,102,100,4,auto,ok,40.00
nearsquare,100,101,4,panel-rows,ok,20.00
nearsquare,100,101,8,auto,ok,25.00
T
draw transpose-nearsquare || fail "sides that are nearly the same"
shows transpose-nearsquare 2 "series: "

cat >"$dir/steering-h200-chases.csv" <<'T'
# A device, driver 1, copy 10.0 GB/s
set,stride_bytes,status,errors,m_per_s,gb_per_s,us
held,256,ok,0,10,1,1
held,512,ok,0,20,1,1
moving,256,WRONG,1,10,1,1
moving powers,256,ok,0,10,1,1
T
draw steering-strides || fail "curves"
shows steering-strides 1 "series: held"
shows steering-strides 1 "series: "
draw steering-saxpy 2>"$dir/log" && fail "curves without rows"
grep -q "steering-h200-chases.csv has no row of it: measure it first" "$dir/log" || fail "its message: $(cat "$dir/log")"

draw no-such-figure 2>"$dir/log" && fail "a figure that there is not"
grep -q "no-such-figure is not a figure" "$dir/log" || fail "its message: $(cat "$dir/log")"
sed -i 's/,ok,/,WRONG,/' "$dir/marshal-h200-asta.csv"
draw marshal-asta 2>"$dir/log" && fail "a table of wrong rows"
grep -q "marshal-h200-asta.csv has no row that is ok" "$dir/log" || fail "its message: $(cat "$dir/log")"
# Without names, what has no rows is left out, and the rest is drawn.
rm "$dir"/*.svg
draw >"$dir/log" || fail "all figures: $(tail -n 2 "$dir/log")"
[ -f "$dir/transpose-landscape.svg" ] && [ -f "$dir/steering-strides.svg" ] || fail "not all were drawn"
for figure in marshal-asta steering-saxpy transpose-random; do
    grep -q "^figures.py: $figure is left out: " "$dir/log" || fail "$figure: $(cat "$dir/log")"
done
rm "$dir/marshal-h200-asta.csv"
draw marshal-asta 2>"$dir/log" && fail "a table that is not there"
grep -q "marshal-h200-asta.csv is not there" "$dir/log" || fail "its message: $(cat "$dir/log")"

# What dl-bench apps writes
apps() { by_artist "$DL_SOURCE/bench/apps_figures.py" "$dir" "$@"; }
apps 2>"$dir/log" && fail "results that are not there"
grep -q "apps.csv is not there" "$dir/log" || fail "its message: $(cat "$dir/log")"
cat >"$dir/apps.csv" <<'T'
# A device, driver 1
# 2026-01-31, dl-bench apps
row,set,layout,state,status,reps,iteration,device_ms,kernel_ms,wall_ms,process_ms
lbm_128,thesis,native,warm,ok,5,1,10,10,20,30
lbm_128,thesis,native,warm,ok,5,2,20,20,30,40
lbm_128,thesis,asta,warm,ok,5,1,12,5,22,32
lbm_128,thesis,asta,warm,ok,5,2,17,10,27,37
T
cat >"$dir/summary.csv" <<'T'
# A device, driver 1
# 2026-01-31, dl-bench apps
row,set,layout,state,status,steady_device_us,wall_excess_ms
lbm_128,thesis,native,warm,ok,10000,0
lbm_128,thesis,asta,warm,ok,5000,2
look,patterns,native,warm,ok,100,0
look,patterns,auto,warm,ok,90,3
look,patterns,asta,warm,WRONG,10,3
T
apps >"$dir/log" || fail "apps"
shows apps-steady 1 "bar: asta"
shows apps-steady 1 "bar: auto"
shows apps-excess 1 "bar: "
shows thesis-5.2 1 "bar: "
shows thesis-5.4 1 "series: asta"
grep -q "thesis-5.5 is left out" "$dir/log" || fail "a figure without rows: $(cat "$dir/log")"
exit $failed
