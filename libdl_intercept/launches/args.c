/* SPDX-License-Identifier: MIT */
/* The arguments of a launch, and what DL has made of its kernel on a device. */
#include "args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/residence.h"
#include "bind.h"

/* The argument before `index` that names the same; `index`: there is none. */
static unsigned same_before(const struct dl__kernel *kernel, unsigned index)
{
    unsigned i = 0;

    while (i < index && !(dl__arg_may_name(&kernel->args[i]) &&
                          kernel->args[i].value.mem == kernel->args[index].value.mem))
        i++;
    return i;
}

void dl__arg_mems(const struct dl__kernel *kernel, struct dl__mem **mems)
{
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        unsigned same = dl__arg_may_name(&kernel->args[i]) ? same_before(kernel, i) : i;

        mems[i] = same < i ? mems[same] : dl__arg_mem(&kernel->args[i]);
    }
}

uint64_t dl__arg_values(const struct dl__kernel *kernel, struct dl__mem *const *mems)
{
    uint64_t sum = 14695981039346656037ull;

    for (unsigned i = 0; i < kernel->arg_count; i++) {
        const struct dl__arg *arg = &kernel->args[i];

        if (mems[i] || arg->null || arg->svm || arg->bytes > sizeof arg->value.small)
            continue;
        if (arg->bytes == sizeof(uint32_t)) { /* most are */
            uint32_t word;

            memcpy(&word, arg->value.small, sizeof word);
            sum = (sum ^ word) * 1099511628211ull;
            continue;
        }
        for (size_t b = 0; b < arg->bytes; b++)
            sum = (sum ^ (unsigned char)arg->value.small[b]) * 1099511628211ull;
    }
    return sum;
}

const struct dl_leaf_table *dl__kernel_leaves(const struct dl__kernel *kernel,
                                              size_t buffer)
{
    static const struct dl_leaf_table unknown = {.struct_bytes = 0};
    const struct dl_buffer_note *note = &kernel->note->buffers[buffer];

    if (!dl__leaves_are_open(note))
        return &note->leaves;
    return kernel->launched.rows ? &kernel->launched.rows[buffer] : &unknown;
}

enum { TRIES = 3 };

void dl__argument_back(struct dl__kernel *kernel, unsigned index)
{
    const cl_mem handle = kernel->args[index].value.mem;
    cl_int err = CL_OUT_OF_RESOURCES;

    for (int tries = 0; tries < TRIES && err != CL_SUCCESS; tries++)
        err =
            dl__next.clSetKernelArg(kernel->object.handle, index, sizeof handle, &handle);
    kernel->launched.astray |= err != CL_SUCCESS;
}

/* True when an annotation stands on that line. */
static bool has_annotation(const char *text, unsigned line)
{
    while (text && --line) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    return text && memmem(text, strcspn(text, "\n"), "DL:", 3);
}

/* The program's text that the kernel's annotation stands in; NULL: it is in an included
 * one. */
static const char *annotated_text(const struct dl__kernel *kernel, unsigned line)
{
    const struct dl__rewrite *rewrite = kernel->rewrite;

    for (size_t u = 0; rewrite && line && u < rewrite->unit_count; u++) {
        const struct dl__unit *unit = rewrite->units[u];
        const char *text = unit->source ? unit->source : unit->text;

        if (unit->notes && dl_notes_find(unit->notes, kernel->name) == kernel->note &&
            has_annotation(text, line))
            return text;
    }
    return NULL;
}

void dl__plan_remark(const struct dl__kernel *kernel, const struct dl_buffer_note *note,
                     const char *text)
{
    const char *file = dl_side_file_find(dl__options_get()->side, kernel->name);
    /* Nobody has asked for what DL found by itself. */
    bool asked_for = !kernel->note->detected;
    const char *source;
    char whole[512];
    struct dl_remark at = {asked_for ? DL_WARNING : DL_REMARK,
                           file ? file : "<program source>", note->line, 1, whole};

    /* The line is looked for in all of the text. */
    if (!dl__log_is_heard(asked_for ? DL__LOG_WARNING : DL__LOG_REMARK))
        return;
    snprintf(whole, sizeof whole, "kernel '%s', buffer '%s': %s", kernel->name,
             note->name, text);
    source = annotated_text(kernel, note->line);
    dl_remark_point(&at, file ? NULL : source);
    dl__log_remark_in(source, &at);
}

/* ---- what DL has made of a kernel on a device ---- */

struct dl__launched_on *dl__launched_on(struct dl__kernel *kernel, cl_device_id device)
{
    struct dl__launched_on *on = kernel->launched.on;

    while (on && on->device != device)
        on = on->next;
    if (on || !(on = calloc(1, sizeof *on)))
        return on;
    on->device = device;
    on->next = kernel->launched.on;
    kernel->launched.on = on;
    return on;
}

void dl__give_up_on(struct dl__kernel *kernel, cl_device_id device)
{
    struct dl__launched_on *on = dl__launched_on(kernel, device);

    if (on)
        on->given_up = true;
    else
        kernel->launched.native_only = true;
}

bool dl__lacks_linker(const struct dl__kernel *kernel, const struct dl__queue *queue)
{
    const struct dl__device *device =
        dl__context_device(kernel->object.context, queue->device);

    if (!dl__device_lacks_linker(device))
        return false;
    if (!dl__options_get()->layout_auto)
        dl__log(DL__LOG_WARNING,
                "the program has changed its PATH, where a CPU's driver looks for its "
                "linker (ld): its kernels run as written from now on");
    return true;
}
