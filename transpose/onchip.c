/* Small matrices: each through local memory, by marshal_kernels' 010! on tiles. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

enum dl_status dl__step_add(struct dl_transpose_plan *plan, const struct dl_step *step,
                            struct dl_transpose_error *error)
{
    struct dl_marshal *marshal = plan->transpose->marshal;
    struct dl__launch_list list = {0};
    uint64_t bytes = step->instances * step->rows * step->columns * step->element_bytes;
    unsigned cut_places;
    enum dl_status st;

    pthread_mutex_lock(&marshal->lock);
    cut_places = marshal->knobs.cut_places;
    /* Fewer cuts where the cap wants it. */
    if (plan->task.cap_bytes < bytes / cut_places)
        marshal->knobs.cut_places =
            plan->task.cap_bytes <= bytes / 4096
                ? 4096
                : (unsigned)(bytes / plan->task.cap_bytes + bytes / plan->task.cap_bytes / 16 + 2);
    st = dl__choose_step(marshal, step, &list);
    marshal->knobs.cut_places = cut_places;
    pthread_mutex_unlock(&marshal->lock);
    if (st == DL_OK && plan->run_count + list.count > DL__LAUNCHES_MAX)
        st = DL_ENOTSUP;
    for (size_t l = 0; l < list.count && st == DL_OK; l++) {
        struct dl__run *run = dl__run_add(plan, "marshal", NULL, NULL, 0);
        run->marshal = list.launches[l];
        run->reads_only = run->marshal.entry == DL_ENTRY_CUT_SAVE ||
                          run->marshal.entry == DL_ENTRY_CYCLE_CLEAR;
    }
    if (list.workspace_bytes > plan->info.workspace_bytes)
        plan->info.workspace_bytes = list.workspace_bytes;
    free(list.launches);
    if (st != DL_OK)
        return dl__fail(error, st, "no marshaling kernel for an elementary transposition");
    return DL_OK;
}

enum dl_status dl__onchip_plan(struct dl_transpose_plan *plan,
                               struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    uint64_t most = dl__choose_tile_bytes(plan->transpose->marshal);
    bool dense = task->batch == 1 || task->stride_bytes == task->matrix_bytes;
    struct dl_step step = {.base_bytes = task->offset_bytes,
                           .instances = dense ? task->batch : 1,
                           .rows = task->rows,
                           .columns = task->cols,
                           .element_bytes = task->element_bytes};

    if (task->matrix_bytes > most)
        return dl__fail(error, DL_ENOTSUP,
                        "onchip: a matrix of %llu bytes is more than the %llu of a tile",
                        (unsigned long long)task->matrix_bytes, (unsigned long long)most);
    plan->info.passes = 1;
    plan->batch_at_once = dense;
    snprintf(plan->why, sizeof plan->why, "a matrix fits local memory");
    return dl__step_add(plan, &step, error);
}
