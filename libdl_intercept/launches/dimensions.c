/* SPDX-License-Identifier: MIT */
/* Launches as dimensions see them, and what they make of them. */
#include "dimensions.h"

#include <stdio.h>
#include <stdlib.h>

#include "arrays.h"

/* Rewritten text takes it that no id is larger: a product of one by a width doesn't wrap.
 */
#define ID_MAX ((uint64_t)1 << 40)

bool dl__launch_begin(const struct dl__kernel *kernel, const struct dl__ndrange *range,
                      struct dl_launch *launch)
{
    struct dl_arg_value *values = NULL;

    launch->args = NULL;
    if (range->work_dim >= 1 && range->work_dim <= 3 && range->global)
        values = calloc((size_t)kernel->arg_count + 1, sizeof *values);
    if (!values)
        return false;
    launch->work_dim = range->work_dim;
    for (cl_uint d = 0; d < 3; d++) {
        bool used = d < range->work_dim;

        launch->global_size[d] = used ? range->global[d] : 1;
        launch->global_offset[d] = used && range->offset ? range->offset[d] : 0;
        launch->local_size[d] = used ? (range->local ? range->local[d] : 0) : 1;
    }
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        const struct dl__arg *arg = &kernel->args[i];

        values[i].value_bytes = arg->bytes;
        values[i].value = arg->serial == 0 || arg->null ? NULL
                          : arg->bytes > sizeof arg->value.small
                              ? arg->value.large
                              : (const void *)arg->value.small;
    }
    launch->args = values;
    launch->arg_count = kernel->arg_count;
    return true;
}

void dl__launch_end(struct dl_launch *launch)
{
    free((void *)launch->args);
}

bool dl__has_far_ids(const struct dl_launch *launch)
{
    for (unsigned d = 0; d < 3; d++)
        if (launch->global_offset[d] > ID_MAX ||
            launch->global_size[d] > ID_MAX - launch->global_offset[d])
            return true;
    return false;
}

bool dl__dimension_check(struct dl__kernel *kernel, const struct dl__binding *binding,
                         const struct dl_launch *launch)
{
    const struct dl_buffer_note *note = binding->note;
    const char *reason = NULL;
    bool exact = note->native == DL_LAYOUT_SOA;
    const char *end = exact ? "" : "; the kernel runs as written";
    char text[200];
    int64_t structs;

    if (!note->structs || note->arrays)
        return true;
    if (dl_dimension_eval(note->structs, launch, &structs, &reason) != DL_OK) {
        snprintf(text, sizeof text, "the dimension can't be evaluated: %s%s",
                 reason ? reason : "an error", end);
    } else if (structs <= 0) {
        snprintf(text, sizeof text, "the dimension evaluates to %lld%s",
                 (long long)structs, end);
    } else if (exact && (uint64_t)structs != binding->structs) {
        /* The arrays would stand at other places than the kernel looks at. */
        snprintf(
            text, sizeof text,
            "the dimension evaluates to %lld, the buffer holds %llu structs: discrete "
            "arrays must fill it",
            (long long)structs, (unsigned long long)binding->structs);
    } else {
        if ((uint64_t)structs > binding->structs && !kernel->launched.clamp_remarked) {
            kernel->launched.clamp_remarked = true;
            snprintf(
                text, sizeof text,
                "the dimension evaluates to %lld, the buffer holds %llu structs; clamped",
                (long long)structs, (unsigned long long)binding->structs);
            dl__plan_remark(kernel, note, text);
        }
        return true;
    }
    if (!kernel->launched.dimension_remarked)
        dl__plan_remark(kernel, note, text);
    kernel->launched.dimension_remarked = true;
    return false;
}

bool dl__width_set(struct dl__kernel *kernel, struct dl__mem *const *mems, size_t buffer,
                   const struct dl_launch *launch)
{
    const struct dl_buffer_note *note = &kernel->note->buffers[buffer];
    struct dl_leaf_table made;
    const char *reason = NULL;
    const char *end = note->native == DL_LAYOUT_SOA ? "" : "; the kernel runs as written";
    char text[200];
    int64_t width = 0;

    if (!dl__leaves_are_open(note))
        return true;
    if (!kernel->launched.rows)
        kernel->launched.rows =
            calloc(kernel->note->buffer_count, sizeof *kernel->launched.rows);
    if (!kernel->launched.rows)
        return false;
    if (note->arrays)
        return note->arg_index < kernel->arg_count &&
               dl__arrays_make(note, launch, dl__mem_root(mems[note->arg_index]),
                               &kernel->launched.rows[buffer]) == DL_OK;
    if (dl_dimension_eval(note->width, launch, &width, &reason) != DL_OK) {
        snprintf(text, sizeof text, "the width can't be evaluated: %s%s",
                 reason ? reason : "an error", end);
    } else if (width > 0 && width == kernel->launched.rows[buffer].leaf_count) {
        return true;
    } else if (dl_flat_leaves_make(note, width, &made) == DL_OK) {
        dl_leaf_table_free(&kernel->launched.rows[buffer]);
        kernel->launched.rows[buffer] = made;
        kernel->launched.rows_made++;
        return true;
    } else {
        snprintf(text, sizeof text, "the width evaluates to %lld, not from 1 to %d%s",
                 (long long)width, DL_FLAT_WIDTH_MAX, end);
    }
    if (!kernel->launched.dimension_remarked)
        dl__plan_remark(kernel, note, text);
    kernel->launched.dimension_remarked = true;
    return false;
}
