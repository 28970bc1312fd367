#!/bin/bash
# SPDX-License-Identifier: MIT
# An annotated program over the fake driver (host_tiles.c): objects made, retained and released in
# every way are known, so that a kernel is rewritten, a buffer tiled, brought back where it must be
# and nowhere else; and the program sees what it sees without DL. Numbers are of calls that the
# driver got, and of what the statistics count. tests/README.md says which case is for which hook.
. "$(dirname "$0")/common.sh"
export DL_LAYOUT=asta DL_TILE=8 DL_LOG=quiet DL_CACHE=$work/cache

# count KEY: the sum over the statistics, in $sum; without processes, as hundreds of counts are taken.
count() {
    local rest=$stats
    sum=0
    while [[ $rest =~ $1([0-9]+)(.*) ]]; do
        sum=$((sum + BASH_REMATCH[-2]))
        rest=${BASH_REMATCH[-1]}
    done
}

# text NAME FILE: what the file holds, if it is there.
text() {
    printf -v "$1" ''
    [ ! -e "$2" ] || IFS= read -rd '' "$1" <"$2" || :
}

# launches_of LOG: and what is set for them.
launches_of() {
    grep -E '^cl(EnqueueNDRangeKernel|EnqueueTask|SetKernelArg|EnqueueMarker)' "$1" | sed -E 's/ -> ?.*//'
}

# The case, then what is wanted of it: launches of the rewritten kernel, of the kernel as written,
# conversions to tiles and back; then settings (A=B;C=D), and a pattern that the driver's log must
# have, or must not have (!).
ran=0
while read -r case rewritten written there back setting pattern; do
    [ -n "$case" ] || continue
    [ -z "${DL_CASE:-}" ] || [ "$case" = "$DL_CASE" ] || continue
    for name in native dl log stats short; do : >"$work/$name"; done
    IFS=';' read -ra settings <<<"$setting"
    DL_LAYOUT='' guard=$watched under ocl-icd native "${settings[@]}" "$tests/host_tiles" "$case" \
        >"$work/native" 2>&1 || fail "$case: fails without DL: $(tail -n 1 "$work/native")"
    FAKE_LOG=$work/log DL_STATS=$work/stats guard=$watched under ocl-icd preload "${settings[@]}" \
        "$tests/host_tiles" "$case" >"$work/dl" 2>&1 || fail "$case: $(tail -n 1 "$work/dl")"
    text native "$work/native" && text seen "$work/dl"
    [ "$native" = "$seen" ] || {
        fail "$case: the program sees a difference"
        diff "$work/native" "$work/dl"
    }
    text stats "$work/stats" && text log "$work/log"
    got=
    for key in '"kernel":"fake_step","launches":' '"kernel":"fake_step","launches":[0-9]+,"native_launches":' \
        '"marshal_count":' '"bring_back_count":'; do
        count "$key"
        got+=${got:+ }$sum
    done
    [ "$got" = "$rewritten $written $there $back" ] ||
        fail "$case: $got, not $rewritten $written $there $back (rewritten, as written, there, back)"
    case $pattern in
    '') ;;
    !*) ! grep -qE "${pattern#!}" "$work/log" || fail "$case: a call ${pattern#!}" ;;
    *) grep -qE "$pattern" "$work/log" || fail "$case: no call $pattern" ;;
    esac
    # It is no reason where the program has none.
    [[ $'\n'$log = *$'\nclCreateUserEvent'* || $stats != *'user event'* ]] ||
        fail "$case: a user event is to blame, of which there is none"
    # A driver may have looked at an object when it was given.
    [[ $'\n'$log != *$'\nSTALE'* ]] || fail "$case: $(grep -m 1 '^STALE' "$work/log")"
    # Many commands on an out-of-order queue have a few markers of DL's, which wait for all of them each.
    [ "$case" != many_out_of_order ] || [ "$(grep -c '^clEnqueueMarkerWithWaitList' "$work/log")" -le 40 ] ||
        fail "$case: $(grep -c '^clEnqueueMarkerWithWaitList' "$work/log") markers"
    # Without statistics a launch may go the short way: the driver is to run and set the same. With
    # them, what it gets has more events.
    case $case in
    again_*)
        FAKE_LOG=$work/short guard=$watched under ocl-icd preload "${settings[@]}" \
            "$tests/host_tiles" "$case" >"$work/dl" 2>&1 || fail "$case: $(tail -n 1 "$work/dl")"
        cmp -s "$work/native" "$work/dl" || fail "$case: without statistics it sees a difference"
        diff <(launches_of "$work/log") <(launches_of "$work/short") ||
            fail "$case: without statistics other launches are made"
        [ "$case" != again_beside_a_queue ] || [ "$(grep -c '^clEnqueueMarker' "$work/short")" -le 1 ] ||
            fail "$case: markers, although launches have events"
        ! grep -q '^STALE' "$work/short" || fail "$case: $(grep -m 1 '^STALE' "$work/short")"
        ;;
    esac
    ran=$((ran + 1))
done <<'END'
made_the_usual_way              1 0 1 0
context_from_type               1 0 1 0
queue_of_1_0                    1 0 1 0
queue_by_address                1 0 1 0
buffer_with_properties          1 0 1 0
kernels_in_program              1 0 1 0
compiled_and_linked             1 0 1 0
cloned_kernel                   1 0 1 0
retained_context                1 0 1 0
retained_queue                  1 0 1 0
retained_program                1 0 1 0
retained_kernel                 1 0 1 0
retained_mem                    1 0 1 0
ends                            1 0 1 0
program_from_binary             2 0 1 0
program_of_built_in_kernels     2 0 1 0
program_from_il                 2 0 1 0
program_by_address              2 0 1 0
svm_argument                    1 1 1 0
pointer_argument_by_address     1 1 1 1
svm_behind_the_arguments        1 0 1 1
svm_argument_of_a_clone         1 0 1 0
svm_behind_the_arguments_of_a_clone 1 0 1 1
tiled_again_after_unmap         2 0 2 1 DL_STAGING=0
mapped_in_part                  2 0 1 0 FAKE_DEFERRED=0 ^clEnqueueMapBuffer\(queue#1,.mem#[3-9]
map_that_fails                  1 1 1 1
map_by_the_driver_that_fails    1 1 1 1 DL_STAGING=0
taken_but_not_used              2 0 2 0
host_pointer_copied             0 0 2 0
imported_buffer                 2 1 1 0
gl_buffer                       2 1 1 0
pipe_between_kernels            2 0 1 0
image_of_buffer                 2 1 2 1
image_of_buffer_with_properties 2 1 2 1
migrated_on_another_queue       1 0 1 0 FAKE_DEFERRED=1 ^clEnqueueNDRangeKernel\(queue#1,.*w1.->.event
unmapped_on_another_queue       1 0 1 0 FAKE_DEFERRED=1 ^clEnqueueNDRangeKernel\(queue#1,.*w1.->.event
image_read                      1 0 1 1 FAKE_DEFERRED=1 ^clEnqueueReadImage\(queue#2,.*w1.->
image_written                   1 0 1 1 FAKE_DEFERRED=1 ^clEnqueueWriteImage\(queue#2,.*w1.->
image_copied                    1 0 1 1 FAKE_DEFERRED=1 ^clEnqueueCopyImage\(queue#2,.*w[12].->
image_filled                    1 0 1 1 FAKE_DEFERRED=1 ^clEnqueueFillImage\(queue#2,.*w1.->
image_mapped                    1 0 1 1 FAKE_DEFERRED=1 ^clEnqueueMapImage\(queue#2,.*w1.->
task                            2 0 1 0 FAKE_DEFERRED=0 ^clEnqueueTask\(
asked                           2 0 1 0
host_layout                     1 0 2 2
counts                          15 0 6 3 FAKE_COUNT_HOLDS=1
used_while_its_queue_was_alone  2 0 1 1 FAKE_DEFERRED=1 ^clEnqueueNDRangeKernel\(queue#3,.*.w[1-9].->
again_beside_a_queue            4 0 1 1 FAKE_DEFERRED=1 ^clEnqueueNDRangeKernel\(queue#2,.*.w1.->
used_before_the_program_was_built 1 0 1 0 FAKE_DEFERRED=1 ^clEnqueueNDRangeKernel\(queue#2,.*.w1.->
used_by_a_queue_that_is_gone    1 0 1 1 FAKE_DEFERRED=1 ^clEnqueueNDRangeKernel\(queue#2,.*.w[12].->
many_out_of_order               201 0 1 0 FAKE_DEFERRED=1
used_by_a_queue_too_many        1 0 1 1 FAKE_DEFERRED=1 ^clEnqueueReadBuffer\(queue#65,.*.w1.->
converted_on_a_queue_not_flushed 1 0 1 0 FAKE_DEFERRED=1
converted_while_its_queue_was_alone 1 0 1 0 FAKE_DEFERRED=1 ^clEnqueueNDRangeKernel\(queue#2,.*.w1.->
alone_and_out_of_order          1 0 1 1 FAKE_DEFERRED=1
fails_on_the_device             2 0 2 1 DL_LAYOUT=da;FAKE_MEMORY_BYTES=512;FAKE_FAIL=run:4=-5 !^clEnqueueReadBuffer
fails_on_the_device_alone       2 0 2 1 DL_LAYOUT=da;FAKE_MEMORY_BYTES=512;FAKE_FAIL=run:4=-5
fails_on_the_device_until_copied 3 0 3 1 DL_LAYOUT=da;FAKE_MEMORY_BYTES=512;FAKE_FAIL=run:4=-5
converted_again                 2 0 2 1 FAKE_DEFERRED=1 ^clEnqueueNDRangeKernel\(queue#2,.*.w1.->
used_second_by_a_command        1 0 1 0 FAKE_DEFERRED=1
launch_is_over                  2 0 1 1 FAKE_DEFERRED=1
read_is_over                    1 0 1 1 FAKE_DEFERRED=1
tiles_copied_to_what_is_converted 2 0 2 0 FAKE_DEFERRED=1 ^clEnqueueCopyBuffer\(queue#2,.*.w1.->
tiles_copied_from_what_is_converted 2 0 2 0 FAKE_DEFERRED=1 ^clEnqueueCopyBuffer\(queue#2,.*.w1.->
copied_to_what_is_converted     2 0 2 0 FAKE_DEFERRED=1 ^clEnqueueNDRangeKernel\(queue#2,.*.w1.->
rectangle_copied_to_what_is_converted 2 0 2 0 FAKE_DEFERRED=1 ^clEnqueueNDRangeKernel\(queue#2,.*.w1.->
written_whole_on_another_queue  1 0 1 0 FAKE_DEFERRED=1 ^clEnqueueNDRangeKernel\(queue#1,.*.w1.->
copied_behind_another_queue     0 0 1 0 FAKE_DEFERRED=1 ^clEnqueueCopyBuffer\(queue#1,.*.w1.->
area_of_a_held_queue            2 0 2 0 FAKE_DEFERRED=1 ^clEnqueueReadBuffer\(queue#2,.mem#4,
areas_of_an_out_of_order_queue  1 0 1 0 FAKE_DEFERRED=1 ^clEnqueueReadBuffer\(queue#2,.mem#4,
area_that_is_free_again         1 0 1 0 FAKE_DEFERRED=1 ^clEnqueueReadBuffer\(queue#2,.mem#3,
tiles_copied_to_a_buffer_with_an_image 1 0 1 0 FAKE_DEFERRED=0 !^clEnqueueCopyBuffer\(queue#1,.mem#1,.mem#2,
filled_by_a_large_pattern       1 0 1 1 DL_STAGING=64 !^clEnqueueFillBuffer\(queue#1,.mem#[2-9],.128
conversion_breaks_off           1 0 0 0 DL_LAYOUT=da;FAKE_MEMORY_BYTES=512;FAKE_FAIL=clEnqueueNDRangeKernel:2=-5,clEnqueueNDRangeKernel:3=-5,clEnqueueNDRangeKernel:4=-5 ^clEnqueueNDRangeKernel\(queue#1,.*.2,.0,.16,.16,.*=.0$
conversion_goes_on              1 0 0 0 DL_LAYOUT=da;FAKE_MEMORY_BYTES=512;FAKE_FAIL=clEnqueueNDRangeKernel:2=-5,clEnqueueNDRangeKernel:3=-5,clEnqueueNDRangeKernel:4=-5 !^clEnqueueNDRangeKernel\(queue#1,.*.384,.128,.*->.event#[3-9]
step_is_refused_once            1 0 1 0 DL_LAYOUT=da;FAKE_MEMORY_BYTES=512;FAKE_FAIL=clEnqueueNDRangeKernel:2=-5
bringing_back_is_refused_once   1 0 1 1 DL_LAYOUT=da;FAKE_MEMORY_BYTES=512;FAKE_FAIL=clEnqueueNDRangeKernel:5=-5,clEnqueueNDRangeKernel:6=-5,clEnqueueNDRangeKernel:7=-5
rest_is_refused                 0 1 0 1 DL_LAYOUT=da;FAKE_MEMORY_BYTES=512;FAKE_FAIL=clEnqueueNDRangeKernel:2=-5,clEnqueueNDRangeKernel:3=-5,clEnqueueNDRangeKernel:4=-5,clEnqueueNDRangeKernel:5=-5,clEnqueueNDRangeKernel:6=-5,clEnqueueNDRangeKernel:7=-5
overwritten_after_a_break       0 0 0 0 DL_LAYOUT=da;FAKE_MEMORY_BYTES=512;FAKE_FAIL=clEnqueueNDRangeKernel:2=-5,clEnqueueNDRangeKernel:3=-5,clEnqueueNDRangeKernel:4=-5,clEnqueueNDRangeKernel:5=-5,clEnqueueNDRangeKernel:6=-5,clEnqueueNDRangeKernel:7=-5 !^clEnqueueNDRangeKernel\(queue#1,.*.2,.0,.16,.16,.*=.0$
brought_back_after_a_break      0 0 0 1 DL_LAYOUT=da;FAKE_MEMORY_BYTES=512;FAKE_FAIL=clEnqueueNDRangeKernel:2=-5,clEnqueueNDRangeKernel:3=-5,clEnqueueNDRangeKernel:4=-5,clEnqueueNDRangeKernel:5=-5,clEnqueueNDRangeKernel:6=-5,clEnqueueNDRangeKernel:7=-5 ^clEnqueueNDRangeKernel\(queue#1,.kernel#12,.2,.0,.384,.128,.*=.0$
write_breaks_off                1 0 1 1 DL_LAYOUT=da;FAKE_MEMORY_BYTES=512;FAKE_FAIL=clEnqueueNDRangeKernel:5=-5,clEnqueueNDRangeKernel:6=-5,clEnqueueNDRangeKernel:7=-5 ^clFinish
used_on_a_queue_not_flushed     2 0 1 1 FAKE_DEFERRED=1
used_on_a_lonely_queue_not_flushed 2 0 1 1 FAKE_DEFERRED=1
mapped_on_a_queue_not_flushed   1 0 1 0 FAKE_DEFERRED=1
image_made_behind_a_held_queue  1 0 1 1 FAKE_DEFERRED=1
unmapped_before_it_is_mapped    1 0 1 0 FAKE_DEFERRED=1 ^clEnqueueWriteBuffer\(queue#2,.*.w1.->
unmapped_twice_at_one_address   1 0 1 0 FAKE_DEFERRED=1;FAKE_UNIFIED=1 ^clEnqueueWriteBuffer\(queue#2,.*.w1.->
looked_at_behind_many_looks     1 0 1 0 FAKE_DEFERRED=1
mapped_often_beside_a_map_on_its_way 2 0 2 0 FAKE_DEFERRED=1 !^clEnqueueMapBuffer\(queue#2,.mem#3,.0,.0x1,.0,.64,
mapped_within_a_map_on_its_way  1 0 1 0 FAKE_DEFERRED=1;FAKE_UNIFIED=1 ^clEnqueueMapBuffer\(queue#2,.*.w1.->
area_of_a_queue_that_was_alone  2 0 2 0 FAKE_DEFERRED=1 ^clEnqueueReadBuffer\(queue#2,.mem#4,
area_of_a_queue_that_is_gone    2 0 2 0 FAKE_DEFERRED=1 ^clEnqueueReadBuffer\(queue#2,.mem#4,
area_left_by_a_queue_that_is_gone 2 0 2 0 FAKE_DEFERRED=1 ^clEnqueueReadBuffer\(queue#2,.mem#3,
as_written_while_an_event_is_open 2 2 1 0
retained_event_is_open          1 1 1 0
used_since_an_event_was_opened  1 0 1 1
brought_back_again_and_again    7 8 7 6
use_that_can_not_be_marked      1 0 1 1 FAKE_FAIL=clEnqueueMarkerWithWaitList:1=-5 ^clFinish
failed_until_all_queues_are_finished 1 2 1 0
failed_on_a_queue_that_is_gone  0 1 0 0
failed_while_a_queue_is_finished 1 1 1 0 FAKE_DEFERRED=1
launched_while_a_queue_is_finished 1 0 1 0 FAKE_DEFERRED=1 ^clEnqueueNDRangeKernel\(queue#2,.*.w1.->
failed_and_finished_is_over     1 0 1 0 FAKE_DEFERRED=1
cancelled_behind_a_conversion   2 0 1 1 FAKE_GATE_OPENS_AT=40 !^cancels
cancelled_behind_a_mark         0 0 0 0 FAKE_GATE_OPENS_AT=40 !^cancels
unmapped_in_a_period            1 0 1 1 FAKE_DEFERRED=1 ^clEnqueueUnmapMemObject\(queue#1,.*.w2.->
unmapped_before_it_is_mapped_in_a_period 1 0 1 1 FAKE_DEFERRED=1 ^clEnqueueWriteBuffer\(queue#3,.*.w2.->
written_whole_in_a_period       1 0 1 1
written_whole_behind_what_has_failed 1 0 1 0 FAKE_DEFERRED=0 !^clEnqueueWriteBuffer\(queue#1,.mem#1,
mapped_behind_what_has_failed   1 0 1 0 FAKE_DEFERRED=0 ^clEnqueueMapBuffer\(queue#1,.mem#3,.0,.0x1,.0,.64,.w0.->
unmapped_behind_what_has_failed 1 0 1 0 FAKE_DEFERRED=0 ^clEnqueueUnmapMemObject\(queue#1,.mem#[3-9],.ptr,.w0
read_behind_what_has_failed     1 0 1 0
launched_while_a_call_blocks    1 1 1 0 FAKE_DEFERRED=1
brought_back_while_a_call_blocks 2 0 2 1 FAKE_DEFERRED=1
launched_on_what_a_call_blocks_on 1 1 1 0 FAKE_DEFERRED=1 ^clEnqueueReadBuffer\(queue#1,.mem#1,.1,
launched_beside_a_call_that_blocks 1 0 1 0 FAKE_DEFERRED=1
overwritten_by_a_call_that_blocks 1 0 1 0 FAKE_DEFERRED=1 ^clEnqueueWriteBuffer\(queue#1,.mem#1,.1,
overwritten_by_a_call_that_fails 1 0 1 1 DL_STAGING=0;FAKE_FAIL=clEnqueueWriteBuffer:2=-5
overwritten_from_nowhere        1 0 1 1 DL_STAGING=0 ^clEnqueueWriteBuffer\(queue#1,.mem#1,.0,.0,.924,.NULL
recorded_copy                   1 1 1 1
recorded_rect                   1 1 1 1
recorded_fill                   1 1 1 1
recorded_kernel                 1 1 1 1
recorded_commands_change        1 1 1 1
recorded_for_another_queue      1 0 1 1 FAKE_DEFERRED=1 ^clEnqueueBarrierWithWaitList\(queue#2,.w1
recorded_for_its_own_queue      1 0 1 1 FAKE_DEFERRED=1 ^clEnqueueBarrierWithWaitList\(queue#2,.w1
recorded_for_a_queue_made_later 1 0 1 1 FAKE_DEFERRED=1 ^clEnqueueBarrierWithWaitList\(queue#2,.w1
recorded_behind_a_queue_not_flushed 1 0 1 1 FAKE_DEFERRED=1;DL_STAGING=0
recorded_in_two_contexts        2 0 2 2 FAKE_DEFERRED=1 ^clEnqueueBarrierWithWaitList\(queue#4,.w1.->.-\)...0$
kernel_by_address               1 0 1 1
brought_back_by_another_device  2 0 2 2 FAKE_DEVICES=2
brought_back_for_a_poor_device  2 0 2 2 FAKE_POOR_DEVICE=2
launched_on_a_poor_device       3 1 2 2 FAKE_POOR_DEVICE=2
migrated_between_devices        3 0 1 0 FAKE_DEVICES=2 ^clEnqueueMigrateMemObjects\(queue#2,
copied_on_another_device        3 0 1 0 FAKE_DEVICES=2 ^clEnqueueCopyBuffer\(queue#2,.mem#1,.mem#2,.0,.0,.924,
tiles_of_each_device            4 0 3 2 FAKE_DEVICES=2;FAKE_SECOND_MULTIPLE=64;DL_TILE=
not_built_on_one_device         6 6 5 5 FAKE_DEVICES=2;FAKE_FAIL=clBuildProgram:6=-11,clBuildProgram:7=-11,clBuildProgram:8=-11,clBuildProgram:9=-11
not_launched_on_one_device      6 6 8 8 FAKE_DEVICES=2;FAKE_FAIL=clEnqueueNDRangeKernel:18=-52,clEnqueueNDRangeKernel:22=-52,clEnqueueNDRangeKernel:26=-52
sub_buffers_on_two_devices      6 0 1 0 FAKE_DEVICES=2 ^clEnqueueReadBuffer\(queue#2,.mem#[3-9],
image_behind_a_held_queue       1 0 1 1 FAKE_DEFERRED=1
again_with_another_count        4 3 2 1
again_with_another_size         3 3 1 1
again_with_groups_of_none       4 0 2 1 DL_TILE=8 !^clEnqueueNDRangeKernel\(queue#1,.kernel#[3-9].*-54
again_on_other_buffers          19 0 8 0
again_on_a_buffer_made_anew     6 3 2 0
again_overwritten               4 0 2 0
again_while_mapped              4 1 2 1 DL_STAGING=0
again_on_another_queue          5 0 1 0 FAKE_DEFERRED=1 ^clEnqueueNDRangeKernel\(queue#2,.*.w1.->
again_with_another_number       13 0 2 0
again_with_svm_behind_the_arguments 3 1 1 1
again_by_turns                  9 0 3 3
again_while_mapped_in_part      5 0 1 0
launched_beside_an_open_map     2 0 1 0 FAKE_UNIFIED=1 ^clEnqueueReadBuffer
launched_beside_an_open_map_apart 2 0 1 0 FAKE_UNIFIED=0 !^clEnqueueReadBuffer
END
# No case of the program is left out.
[ -n "${DL_CASE:-}" ] || [ "$ran" = "$("$tests/host_tiles" | wc -l)" ] || fail "$ran cases are not all"
finish
