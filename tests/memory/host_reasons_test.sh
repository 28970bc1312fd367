#!/bin/bash
# SPDX-License-Identifier: MIT
# Claim: each error of the functions of include/dl.h has its reason in a remark.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
DL_DETECT=off "$DL_BUILD/bin/dl-run" --layout asta --tile 32 --log remark -- "$DL_BUILD/tests/test_memory_host_refusals" \
    >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
failed=0
while read -r reason; do
    for function in set_host_layout enqueue_marshal; do
        grep -qE "^dl: remark: dl_buffer_$function returns $reason\$" "$work/out" ||
            { echo "FAILED: dl_buffer_$function: $reason"; failed=1; }
    done
done <<'END'
-30 for buffer [0-9]+: the layout is NULL
-30 for buffer [0-9]+: the layout's kind or version is unknown
-30 for buffer [0-9]+: only ASTA and DA have tile_structs
-30 for buffer [0-9]+: fields and field_count disagree
-30 for buffer [0-9]+: fields need the layout's struct_bytes
-30 for buffer [0-9]+: the struct is larger than the buffer
-30 for buffer [0-9]+: a field is empty, wider than 128 bytes, past the struct's end or overlaps another
-38: it is no memory object's handle
-59 for buffer [0-9]+: it is CL_MEM_READ_ONLY or CL_MEM_USE_HOST_PTR
-59 for buffer [0-9]+: it has a sub-buffer
-59 for buffer [0-9]+: it is a sub-buffer or an image
END
grep -qE "^dl: remark: dl_buffer_set_host_layout returns -59 for buffer [0-9]+: DL has not converted it yet, so that no struct of it is known: pass struct_bytes and fields\$" "$work/out" ||
    { echo "FAILED: no struct known"; failed=1; }
exit $failed
