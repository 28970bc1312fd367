# SPDX-License-Identifier: MIT
# The same results as an OpenCL layer, with no LD_PRELOAD: through dl-run and by hand.
. "$DL_SOURCE/tests/samples/common.sh"
unset LD_PRELOAD

checksum_of "$lbm" --size 31x29x13 --steps 20
want=$sum
for layout in asta da aos; do
    expect_checksum "$want" "$dl_run" --layer --layout $layout --stats="$work/stats.json" -- \
        "$lbm" --size 31x29x13 --steps 20 --check
    case $layout in
    asta) expect_stats "$work/stats.json" kernel=lbm_step native=0 layout=ASTA marshals=2 ;;
    da) expect_stats "$work/stats.json" kernel=lbm_step native=0 layout=SoA marshals=2 ;;
    aos) expect_stats "$work/stats.json" marshals=0 ;;
    esac
done

checksum_of "$black_scholes" --options 10007 --steps 3
want=$sum
rm -f "$work/stats.json"
expect_checksum "$want" env OPENCL_LAYERS="$library" DL_LAYOUT=asta DL_TILE=16 \
    DL_STATS="$work/stats.json" "$black_scholes" --options 10007 --steps 3 --check
expect_stats "$work/stats.json" kernel=black_scholes launches=4 native=0 layout=ASTA tile=16 \
    marshals=1 back_at_most=1

# Both ways at once must not process a call twice.
rm -f "$work/stats.json"
expect_checksum "$want" env OPENCL_LAYERS="$library" LD_PRELOAD="$library" DL_LAYOUT=asta \
    DL_STATS="$work/stats.json" "$black_scholes" --options 10007 --steps 3 --check
expect_stats "$work/stats.json" kernel=black_scholes launches=4 native=0 layout=ASTA marshals=1
finish
