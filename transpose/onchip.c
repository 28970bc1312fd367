/* Small matrices: each through local memory, by marshal_kernels' 010! on tiles. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

uint64_t dl__tile_bytes(const struct dl_transpose *transpose)
{
    /* Less than all of local memory: rows are padded, and drivers keep a little. */
    return dl__choose_tile_bytes(transpose->marshal) / 16 * 15 - 64;
}

static const char *entry_name(enum dl_entry entry)
{
    static const char *const names[] = {
#define X(name, family, kernel) kernel,
        DL_ENTRY_MAP(X)
#undef X
    };

    return names[entry];
}

/* Places for one cut so that the saved copies fit the cap. */
static unsigned cuts_within(uint64_t bytes, uint64_t cap_bytes)
{
    if (cap_bytes <= bytes / 4096)
        return 4096;
    return (unsigned)(bytes / cap_bytes + bytes / cap_bytes / 16 + 2);
}

enum dl_status dl__step_add(struct dl_transpose_plan *plan, const struct dl_step *step,
                            struct dl_transpose_error *error)
{
    struct dl_marshal *marshal = plan->transpose->marshal;
    struct dl__launch_list list = {0};
    uint64_t bytes = step->instances * step->rows * step->columns * step->element_bytes;
    uint64_t places = step->rows * step->columns;
    struct dl__knobs knobs;
    enum dl_status st;

    pthread_mutex_lock(&marshal->lock);
    knobs = marshal->knobs;
    /* Fewer cuts where the cap wants it, more where large super-elements make few stretches; and
     * enough work-groups that search, since such permutations have many short cycles. */
    if (places < 1 << 16 && plan->task.cap_bytes > bytes / 17 + bytes / 256)
        marshal->knobs.cut_places = 17;
    if (plan->transpose->tuning.cut)
        marshal->knobs.cut_places = plan->transpose->tuning.cut;
    if (plan->task.cap_bytes < bytes / marshal->knobs.cut_places)
        marshal->knobs.cut_places = cuts_within(bytes, plan->task.cap_bytes);
    if (places / 512 < marshal->knobs.cut_span)
        marshal->knobs.cut_span = places / 512 < 32 ? 32 : (unsigned)(places / 512);
    st = dl__choose_step(marshal, step, &list);
    marshal->knobs = knobs;
    pthread_mutex_unlock(&marshal->lock);
    if (st == DL_OK && plan->run_count + list.count > DL__LAUNCHES_MAX)
        st = DL_ENOTSUP;
    for (size_t l = 0; l < list.count && st == DL_OK; l++) {
        struct dl__run *run =
            dl__run_add(plan, entry_name(list.launches[l].entry), NULL, NULL, 0);
        run->marshal = list.launches[l];
        run->reads_only = run->marshal.entry == DL_ENTRY_CUT_SAVE ||
                          run->marshal.entry == DL_ENTRY_CYCLE_CLEAR;
    }
    if (list.workspace_bytes > plan->info.workspace_bytes)
        plan->info.workspace_bytes = list.workspace_bytes;
    free(list.launches);
    if (st != DL_OK)
        return dl__fail(error, st,
                        "no marshaling kernel for an elementary transposition");
    return DL_OK;
}

enum dl_status dl__onchip_plan(struct dl_transpose_plan *plan,
                               struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    uint64_t most = dl__tile_bytes(plan->transpose);
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
