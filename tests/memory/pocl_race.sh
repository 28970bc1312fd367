# SPDX-License-Identifier: MIT
# is_pocl_race FILE: whether a program died of a race of PoCL's that programs die of without DL as well:
# that between a user event that fails and a command that ends (docs/notes/cancelled-commands.md), or
# that between processes of which one reads the program.bc that another is writing (docs/notes/cache.md). Such
# a run says nothing and is done once more; a second death counts.
is_pocl_race() {
    local race='pocl_util\.c:[0-9]+: pocl_(update_event_[a-z_]*|lock_events_inorder): Assertion.*'
    race+='|pocl_llvm_(wg|build)\.cc:[0-9]+: .*(pocl_llvm_read_program_llvm_irs|pocl_llvm_build_program)\(.*Assertion.*'
    grep -qE "$race" "$1" || return
    echo "once more: $(grep -oE "$race" "$1" | tail -n 1)"
}
