/* SPDX-License-Identifier: MIT */
/* Making and ending the records of memory objects. */
#include "buffers.h"

#include "order.h"
#include "residence.h"

struct dl__mem *dl__mem_make(cl_mem handle, struct dl__context *context,
                             enum dl__mem_kind kind, struct dl__mem *parent)
{
    struct dl__mem *mem = dl__object_make(&dl__mem_type, handle, context);

    if (!mem)
        return NULL;
    mem->kind = kind;
    mem->parent = parent;
    if (parent)
        dl__object_hold(mem, parent);
    dl__context_lock(context);
    mem->order.marshaled_slot = DL__QUEUE_SLOTS;
    mem->order.early = kind == DL__BUFFER && !dl__context_is_annotated(context);
    dl__context_unlock(context);
    return mem;
}

static void end_mem(void *record)
{
    struct dl__mem *mem = record;
    struct dl__context *context = mem->object.context;

    dl__context_lock(context);
    if (mem->parent)
        (*(mem->kind == DL__SUB_BUFFER ? &mem->parent->residence.sub_buffers
                                       : &mem->parent->residence.pins))--;
    dl__kept_end(mem);
    dl__mem_residence_end(mem);
    dl__mem_order_end(mem);
    dl__context_unlock(context);
}

struct dl__type dl__mem_type = {.bytes = sizeof(struct dl__mem), .end = end_mem};
