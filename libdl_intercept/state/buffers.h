/* SPDX-License-Identifier: MIT */
/* Memory objects: their records, from the program's create call to its last release. */
#ifndef DL_INTERCEPT_BUFFERS_H
#define DL_INTERCEPT_BUFFERS_H

#include "records.h"

extern struct dl__type dl__mem_type;

static inline struct dl__mem *dl__mem_find(const void *handle)
{
    return dl__object_find(&dl__mem_type, handle);
}

/* The record of a handle the driver just returned: AoS, and used by nobody. `parent`,
 * which is held: the buffer that it is made of; NULL: none. NULL: out of memory, the
 * handle stays unknown. */
struct dl__mem *dl__mem_make(cl_mem handle, struct dl__context *context,
                             enum dl__mem_kind kind, struct dl__mem *parent);

#endif
