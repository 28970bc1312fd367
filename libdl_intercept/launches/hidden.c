/* SPDX-License-Identifier: MIT */
/* The hidden arguments of rewritten kernels. */
#include "hidden.h"

#include "libdl_intercept/base/next.h"

/* The next of the hidden numbers, where it is another than at the last launch. */
static cl_int set_hidden_arg(const struct dl__kernel *kernel, const struct dl__plan *plan,
                             unsigned hidden, uint64_t value)
{
    struct dl__shadow_kernel *shadow = plan->shadow;
    cl_uint index = kernel->note->arg_count + hidden;
    cl_ulong wide = value;
    cl_uint narrow = (cl_uint)value;
    cl_int err;

    if (hidden < shadow->hidden_count && shadow->hidden[hidden] == value)
        return CL_SUCCESS;
    err = plan->knobs.index_64
              ? dl__next.clSetKernelArg(plan->handle, index, sizeof wide, &wide)
              : dl__next.clSetKernelArg(plan->handle, index, sizeof narrow, &narrow);
    if (err != CL_SUCCESS) {
        shadow->hidden_count = 0;
        return err;
    }
    shadow->hidden[hidden] = value;
    if (shadow->hidden_count == hidden)
        shadow->hidden_count++;
    return CL_SUCCESS;
}

cl_int dl__hidden_args_set(const struct dl__kernel *kernel, const struct dl__plan *plan)
{
    unsigned hidden = 0;
    cl_int err = CL_SUCCESS;

    for (size_t b = 0; b < kernel->note->buffer_count && err == CL_SUCCESS; b++) {
        const struct dl__binding *binding = &plan->bindings[b];
        struct dl_tiling tiling = {0};

        if (binding->note->native == DL_LAYOUT_SOA)
            continue;
        if (binding->mem)
            dl_layout_tile(binding->move.layout, binding->move.structs, &tiling);
        /* Whole tiles from where a sub-buffer begins, also those behind its end: its last
         * struct may lie in the middle of one. */
        uint64_t values[] = {tiling.head_structs - binding->first_struct,
                             tiling.tail_structs};

        /* Of what stays as it is no struct is in a tile. */
        if (binding->mem && !dl__binding_is_moved(binding))
            values[0] = values[1] = 0;
        if (binding->note->arrays) { /* not in tiles: no head (annotate.h) */
            values[0] = dl__binding_is_moved(binding) ? tiling.head_structs : 0;
            values[1] = binding->mem ? binding->move.leaves->leaf_count : 0;
        }
        for (size_t v = 0; v < 2 && err == CL_SUCCESS; v++)
            err = set_hidden_arg(kernel, plan, hidden++, values[v]);
    }
    return err;
}
