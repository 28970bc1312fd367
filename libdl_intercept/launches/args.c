/* Arguments of launches. */
#include "args.h"

#include "libdl_intercept/state/buffers.h"

struct dl__mem *dl__arg_mem(const struct dl__arg *arg)
{
    if (arg->serial == 0 || arg->null || arg->svm || arg->bytes != sizeof(cl_mem))
        return NULL;
    return dl__mem_find(arg->value.mem);
}

const struct dl_leaf_table *dl__kernel_leaves(const struct dl__kernel *kernel,
                                              size_t buffer)
{
    const struct dl_buffer_note *note = &kernel->note->buffers[buffer];

    return note->width ? &kernel->launched.rows[buffer] : &note->leaves;
}
