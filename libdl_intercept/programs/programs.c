/* SPDX-License-Identifier: MIT */
/* The end of programs and kernels. */
#include "programs.h"

#include <stdlib.h>

#include "libdl_intercept/state/contexts.h"
#include "recall.h"
#include "rewrite.h"
#include "shadow.h"

atomic_uint dl__kernels_unread;

static void end_program(void *record)
{
    struct dl__program *program = record;
    struct dl__context *context = program->object.context;
    cl_uint before;

    dl__context_lock(context);
    before = dl__context_count_begin(context);
    dl__rewrite_release(program->rewrite);
    dl__unit_release(program->unit);
    dl__context_count_end(context, before);
    dl__recalled_free(program->recalled);
    free(program->demands);
    free(program->built_with);
    dl__pack_free(&program->seen.list);
    free(program->binary_bytes);
    dl__context_unlock(context);
    free(program->source);
}

static void end_kernel(void *record)
{
    struct dl__kernel *kernel = record;
    struct dl__context *context = kernel->object.context;
    struct dl_leaf_table *rows;
    cl_uint before;

    dl__context_lock(context);
    rows = kernel->launched.rows;
    before = dl__context_count_begin(context);
    for (size_t b = 0; rows && b < kernel->note->buffer_count; b++)
        dl_leaf_table_free(&rows[b]);
    free(rows);
    dl__kept_end(kernel);
    for (struct dl__launched_on *on = kernel->launched.on, *next; on; on = next) {
        next = on->next;
        free(on);
    }
    if (atomic_load(&kernel->unread))
        atomic_fetch_sub(&dl__kernels_unread, 1);
    dl__shadow_kernels_free(kernel);
    dl__rewrite_release(kernel->rewrite);
    dl__context_count_end(context, before);
    dl__context_unlock(context);
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        if (kernel->args[i].bytes > sizeof kernel->args[i].value.small &&
            !kernel->args[i].null)
            free(kernel->args[i].value.large);
    }
    free(kernel->args);
    free(kernel->name);
}

struct dl__type dl__program_type = {.bytes = sizeof(struct dl__program),
                                    .end = end_program};
struct dl__type dl__kernel_type = {.bytes = sizeof(struct dl__kernel), .end = end_kernel};
