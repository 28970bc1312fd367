/* SPDX-License-Identifier: MIT */
/* The buffers of a launch, where it wants them. */
#include "moving.h"

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/trace/trace.h"
#include "part.h"

cl_int dl__stand_ins_set(struct dl__kernel *kernel, const struct dl__plan *plan,
                         bool back)
{
    cl_int err = CL_SUCCESS;

    for (size_t b = 0; b < kernel->note->buffer_count && err == CL_SUCCESS; b++) {
        const struct dl__binding *binding = &plan->bindings[b];
        cl_mem tiles;

        if (!dl__binding_is_moved(binding) ||
            dl__part_argument(binding) == dl__binding_handle(binding))
            continue;
        if (back) {
            dl__argument_back(kernel, binding->note->arg_index,
                              dl__binding_handle(binding));
            continue;
        }
        tiles = dl__part_argument(binding);
        err = dl__next.clSetKernelArg(plan->handle, binding->note->arg_index,
                                      sizeof tiles, &tiles);
        if (plan->shadow)
            plan->shadow->args[binding->note->arg_index] = (struct dl__shadow_arg){0};
    }
    return err;
}

/* A buffer bound twice is moved once. */
static bool is_bound_before(const struct dl__binding *bindings, size_t b)
{
    for (size_t earlier = 0; earlier < b; earlier++) {
        if (bindings[earlier].mem == bindings[b].mem)
            return true;
    }
    return false;
}

cl_int dl__buffers_move_again(struct dl__queue *queue, const struct dl__plan *plan,
                              size_t count, struct dl__wait *command)
{
    const char *reason;
    cl_int err = CL_SUCCESS;

    for (size_t b = 0; b < count && err == CL_SUCCESS; b++) {
        struct dl__move *move = &plan->bindings[b].move;

        if (!dl__binding_is_moved(&plan->bindings[b]) ||
            dl__mem_is_there(move->mem, move->layout, move->leaves))
            continue;
        err = dl__move_prepare(move, queue, &reason) ? dl__move_enqueue(move, queue)
                                                     : CL_OUT_OF_RESOURCES;
        dl__mem_use(move->mem, queue, command);
    }
    return err;
}

cl_int dl__buffers_move(struct dl__queue *queue, struct dl__kernel *kernel,
                        const struct dl__ndrange *range, const struct dl__plan *plan,
                        struct dl__wait *command)
{
    const struct dl__binding *bindings = plan->bindings;
    size_t count = kernel->note->buffer_count;
    cl_int err = CL_SUCCESS;

    for (size_t b = 0; b < count && err == CL_SUCCESS; b++) {
        if (!dl__binding_is_moved(&bindings[b]) || is_bound_before(bindings, b))
            continue;
        if (bindings[b].move.needed) {
            dl__trace_buffer(bindings[b].mem->id, bindings[b].note->name);
            dl__stats_buffer(bindings[b].mem->id, bindings[b].note->name);
        }
        err = dl__move_enqueue(&plan->bindings[b].move, queue);
    }
    for (unsigned i = 0; i < kernel->arg_count && err == CL_SUCCESS; i++) {
        struct dl__mem *mem = range->mems[i], *root = dl__mem_root(mem);
        bool moved = false;

        if (!mem || mem->object.context != queue->object.context)
            continue;
        for (size_t b = 0; b < count && !moved; b++)
            moved = bindings[b].mem == root && dl__binding_is_moved(&bindings[b]);
        if (!moved) {
            err = dl__mem_bring_back(mem, queue, kernel->name);
            if (dl__arg_is_written(kernel, i))
                dl__mem_written(mem);
        }
        dl__mem_use(mem, queue, command);
    }
    return err;
}
