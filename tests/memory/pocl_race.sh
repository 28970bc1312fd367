# is_pocl_race FILE: whether a program died of PoCL's race between a user event that fails and a
# command that ends (docs/notes/cancelled-commands.md), which programs die of without DL as well. Such
# a run says nothing and is done once more; a second death counts.
is_pocl_race() {
    grep -qE 'pocl_util\.c:[0-9]+: pocl_update_event_[a-z_]*: Assertion' "$1" || return
    echo "once more: $(grep -oE 'pocl_util\.c:.*' "$1" | tail -n 1)"
}
