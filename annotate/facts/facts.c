/* SPDX-License-Identifier: MIT */
/* The facts of one kernel. */
#include "annotate/facts/facts.h"

#include <string.h>

#include "annotate/facts/collect.h"

static void forget(struct dl__unit *kernel, const struct dl__analysis *a)
{
    for (size_t i = 0; i < kernel->root_count; i++)
        kernel->roots[i].facts = NULL;
    for (const struct dl__outline *o = a->outlines; o; o = o->next)
        o->unit->refused = false;
    kernel->refused = false;
}

void dl__find_facts(struct dl__unit *kernel)
{
    struct dl__arena *arena = kernel->tracker->arena;
    struct dl__analysis *a = DL__NEW(arena, struct dl__analysis);

    a->arena = arena;
    a->kernel = kernel;
    for (size_t i = 0; i < kernel->root_count; i++)
        kernel->roots[i].facts = DL__NEW(arena, struct dl__facts);
    /* What is reached through structs is not followed. */
    a->failed = kernel->contexts.count > 0;
    /* What was followed is followed again: nothing is refused now. If it were, nothing is
     * said. */
    if (!a->failed && !setjmp(kernel->refuse)) {
        struct dl__frame *frame = dl__frame_of_kernel(a, kernel);

        a->is_settled = true;
        dl__collect(frame);
    } else {
        a->failed = true;
    }
    if (a->failed)
        forget(kernel, a);
    kernel->contractable = dl__may_contract(kernel);
}

static const char *count_text(struct dl__arena *arena, int64_t count, const char *what)
{
    return dl__arena_format(arena, "%lld %s%s", (long long)count, what,
                            count == 1 ? "" : "s");
}

static const char *form_text(struct dl__arena *arena, const struct dl_access_fact *f)
{
    switch (f->form) {
    case DL_ACCESS_UNIFORM:
        return "the same struct for neighbouring work-items";
    case DL_ACCESS_GATHER:
        return "structs whose index is read from memory";
    case DL_ACCESS_LINEAR:
        if (f->step == 1)
            return "the next struct for the next work-item";
        return dl__arena_format(
            arena, "%s %s for the next work-item",
            count_text(arena, f->step < 0 ? -(int64_t)f->step : f->step, "struct"),
            f->step < 0 ? "back" : "on");
    default:
        return "structs by an index that is not understood";
    }
}

const char *dl__fact_text(struct dl__arena *arena, const struct dl_access_fact *f)
{
    struct dl__buf out = {.arena = arena};

    dl__buf_printf(&out, "%s%s%s ", f->atomic ? "atomically " : "",
                   f->reads    ? f->writes ? "read and written" : "read"
                   : f->writes ? "written"
                               : "",
                   ":");
    dl__buf_puts(&out, form_text(arena, f));
    if (f->bytes == UINT32_MAX)
        dl__buf_puts(&out, ", anywhere in it");
    else if (f->bytes == 1)
        dl__buf_printf(&out, ", byte %u", f->offset);
    else
        dl__buf_printf(&out, ", bytes %u to %u", f->offset, f->offset + f->bytes - 1);
    if (f->walks)
        dl__buf_puts(&out, ", one after the other");
    if (f->loops)
        dl__buf_printf(&out, ", in %s", count_text(arena, f->loops, "loop"));
    if (f->conditional)
        dl__buf_puts(&out, ", by some work-items only");
    return out.items;
}
