/* SPDX-License-Identifier: MIT */
/* Shadow programs and kernels. */
#include "shadow.h"

#include <stdlib.h>
#include <string.h>

#include "engine/stack.h"
#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/trace/trace.h"
#include "libdl_intercept/state/buffers.h"
#include "libdl_intercept/state/contexts.h"
#include "ask.h"
#include "compile.h"
#include "shadow_cache.h"
#include "unit_files.h"

static DL__WITH_LOCK cl_program link_units(struct dl__context *context,
                                           struct dl__shadow *shadow,
                                           const struct dl__rewrite *rewrite)
{
    cl_program *inputs = calloc(rewrite->unit_count, sizeof *inputs);
    cl_program program = NULL;
    bool compiled = inputs != NULL;
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; compiled && i < rewrite->unit_count; i++) {
        inputs[i] = dl__unit_build(context->object.handle, shadow->device,
                                   rewrite->units[i], &shadow->knobs, true);
        compiled = inputs[i] != NULL;
    }
    if (compiled)
        program = dl__next.clLinkProgram(
            context->object.handle, 1, &shadow->device, rewrite->link_options,
            (cl_uint)rewrite->unit_count, inputs, NULL, NULL, &err);
    if (program && err != CL_SUCCESS) {
        dl__program_log_build(program, shadow->device);
        dl__next.clReleaseProgram(program);
        program = NULL;
    }
    for (size_t i = 0; inputs && i < rewrite->unit_count; i++) {
        if (inputs[i])
            dl__next.clReleaseProgram(inputs[i]);
    }
    free(inputs);
    return program;
}

/* False: the driver would read, or has read, something else than for the program's own
 * build. */
static bool is_as_built(struct dl__shadow *shadow, const struct dl__rewrite *rewrite)
{
    for (size_t u = 0; u < rewrite->unit_count; u++)
        if (!dl__unit_is_as_built(rewrite->units[u], &shadow->unbuilt))
            return false;
    return true;
}

static DL__WITH_LOCK cl_program build_anew(struct dl__rewrite *rewrite,
                                           struct dl__context *context,
                                           struct dl__shadow *shadow)
{
    cl_program program;

    if (!is_as_built(shadow, rewrite))
        return NULL;
    program = rewrite->linked ? link_units(context, shadow, rewrite)
                              : dl__unit_build(context->object.handle, shadow->device,
                                               rewrite->units[0], &shadow->knobs, false);
    if (program && !is_as_built(shadow, rewrite)) {
        dl__next.clReleaseProgram(program);
        program = NULL;
    }
    return program;
}

/* Where a program comes from. */
enum source {
    KEPT,     /* the binary that is kept, or nothing */
    ASKED,    /* the same, which the builder has just made */
    ANYWHERE, /* it is compiled where nothing is kept */
    NOWHERE   /* it can't be compiled */
};

/* False: nothing is kept. Program NULL: it does not build. */
static DL__WITH_LOCK bool make_program(struct dl__rewrite *rewrite,
                                       struct dl__context *context,
                                       struct dl__shadow *shadow, enum source source)
{
    struct dl__pack key;
    bool keyed, known;

    if (source == NOWHERE) {
        shadow->unbuilt = "dl-builder could not build its rewritten text, nor can the "
                          "program (ulimit -v, or a process that was forked)";
        return true;
    }
    keyed = dl__shadow_key(rewrite, shadow->device, &shadow->knobs, &key);
    known = keyed && dl__shadow_load(rewrite, context->object.handle, shadow->device,
                                     &shadow->knobs, &key, &shadow->program);
    if (known || source == ANYWHERE)
        dl__stats_shadow(known && source != ASKED);
    if (!known && source == ANYWHERE) {
        shadow->program = build_anew(rewrite, context, shadow);
        if (keyed && (shadow->program || !shadow->unbuilt))
            dl__shadow_keep(shadow->device, shadow->program, &key);
        known = true;
    }
    dl__pack_free(&key);
    return known;
}

static DL__WITH_LOCK struct dl__shadow *shadow_find(const struct dl__rewrite *rewrite,
                                                    cl_device_id device,
                                                    const struct dl__shadow_knobs *knobs)
{
    struct dl__shadow *shadow = rewrite->shadows;

    while (shadow &&
           (shadow->device != device || !dl__shadow_knobs_equal(&shadow->knobs, knobs)))
        shadow = shadow->next;
    return shadow;
}

struct making {
    struct dl__rewrite *rewrite;
    struct dl__context *context;
    struct dl__shadow *shadow;
    enum source source;
    bool made;
};

/* The caller has the lock, and waits. */
static void DL__UNCHECKED make_for(void *user)
{
    struct making *m = user;

    m->made = make_program(m->rewrite, m->context, m->shadow, m->source);
}

/* NULL: out of memory, or nothing is kept. */
static DL__WITH_LOCK struct dl__shadow *
shadow_make(struct dl__rewrite *rewrite, struct dl__context *context, cl_device_id device,
            const struct dl__shadow_knobs *knobs, enum source source)
{
    struct dl__shadow *shadow = calloc(1, sizeof *shadow);
    uint64_t start_ns = dl__trace_now();
    struct making making = {rewrite, context, shadow, source, false};
    cl_uint before;

    if (!shadow)
        return NULL;
    shadow->knobs = *knobs;
    shadow->device = device;
    dl__trace_own_begin();
    before = dl__context_count_begin(context);
    dl__with_stack(make_for, &making);
    dl__context_count_end(context, before);
    dl__trace_own_end();
    dl__trace_build("a rewritten program", start_ns);
    if (!making.made) {
        free(shadow);
        return NULL;
    }
    shadow->next = rewrite->shadows;
    rewrite->shadows = shadow;
    return shadow;
}

/* The shadow program with these knobs, made at first need: by the builder, which is
 * waited for, or here where that can't. NULL: out of memory; program NULL: it does not
 * build. */
static DL__WITH_LOCK struct dl__shadow *shadow_get(struct dl__rewrite *rewrite,
                                                   struct dl__context *context,
                                                   cl_device_id device,
                                                   const struct dl__shadow_knobs *knobs)
{
    struct dl__shadow *shadow = shadow_find(rewrite, device, knobs);
    const double start = dl__clock_seconds();
    enum source source = ANYWHERE;

    if (!shadow)
        shadow = shadow_make(rewrite, context, device, knobs, KEPT);
    if (shadow)
        return shadow;
    switch (dl__shadow_wait(rewrite, device, knobs)) {
    case DL__READY:
        shadow = shadow_make(rewrite, context, device, knobs, ASKED);
        break;
    case DL__ALONE:
        break;
    default:
        source = NOWHERE;
    }
    if (!shadow)
        shadow = shadow_make(rewrite, context, device, knobs, source);
    dl__stats_built(dl__clock_seconds() - start);
    return shadow;
}

bool dl__shadow_prepare(struct dl__rewrite *rewrite, struct dl__context *context,
                        cl_device_id device, const struct dl__shadow_knobs *knobs,
                        bool kept_only)
{
    return shadow_find(rewrite, device, knobs) ||
           shadow_make(rewrite, context, device, knobs, kept_only ? KEPT : ANYWHERE);
}

void dl__shadow_knobs_narrow(const struct dl__rewrite *rewrite,
                             const struct dl_kernel_note *note,
                             struct dl__shadow_knobs *knobs)
{
    knobs->only = NULL;
    for (size_t u = 0; u < rewrite->unit_count; u++)
        if (rewrite->units[u]->notes && rewrite->units[u]->notes->apart)
            knobs->only = note->name;
}

/* Handles come again: a driver may look at an object when it is given. 0: no memory
 * object. */
static unsigned long long mem_serial(const struct dl__mem *mem)
{
    return mem ? atomic_load(&mem->object.serial) : 0;
}

/* True when the argument is set to what `to` has. */
static bool has_value(const struct dl__shadow_arg *to, const struct dl__arg *arg,
                      const struct dl__mem *mem)
{
    return to->bytes > 0 && !arg->svm && !arg->null && to->bytes == arg->bytes &&
           memcmp(to->value, arg->value.small, arg->bytes) == 0 &&
           (arg->bytes != sizeof(cl_mem) ||
            (to->mem_serial && to->mem_serial == mem_serial(mem)));
}

static void keep_value(struct dl__shadow_arg *to, const struct dl__arg *arg,
                       const struct dl__mem *mem)
{
    to->bytes = 0;
    if (arg->svm || arg->null || arg->bytes > sizeof to->value)
        return;
    to->bytes = arg->bytes;
    memcpy(to->value, arg->value.small, arg->bytes);
    to->mem_serial = mem_serial(mem);
}

cl_int dl__shadow_kernel_set(struct dl__kernel *kernel, struct dl__mem *const *mems,
                             struct dl__shadow_kernel *to)
{
    for (unsigned i = 0; i < kernel->arg_count && i < kernel->note->arg_count; i++) {
        const struct dl__arg *arg = &kernel->args[i];
        const void *value = arg->value.small;
        cl_int err;

        if (arg->serial == 0 || to->args[i].serial == arg->serial)
            continue;
        if (has_value(&to->args[i], arg, mems[i])) {
            to->args[i].serial = arg->serial;
            continue;
        }
        to->args[i].bytes = 0;
        if (arg->svm) {
            err = dl__next.clSetKernelArgSVMPointer(to->handle, i, arg->value.pointer);
        } else {
            if (arg->null)
                value = NULL;
            else if (arg->bytes > sizeof arg->value.small)
                value = arg->value.large;
            err = dl__next.clSetKernelArg(to->handle, i, arg->bytes, value);
        }
        if (err != CL_SUCCESS)
            return err;
        to->args[i].serial = arg->serial;
        keep_value(&to->args[i], arg, mems[i]);
    }
    return CL_SUCCESS;
}

static DL__WITH_LOCK struct dl__shadow_kernel *
make_shadow_kernel(struct dl__kernel *kernel, struct dl__shadow *shadow)
{
    struct dl__context *context = kernel->object.context;
    struct dl__shadow_kernel *made = calloc(1, sizeof *made);
    cl_int err = CL_OUT_OF_HOST_MEMORY;
    cl_uint before;

    if (!made)
        return NULL;
    made->args = calloc(kernel->note->arg_count + 1, sizeof *made->args);
    made->hidden = calloc(2 * kernel->note->buffer_count + 1, sizeof *made->hidden);
    if (made->args && made->hidden) {
        before = dl__context_count_begin(context);
        made->handle = dl__next.clCreateKernel(shadow->program, kernel->name, &err);
        dl__context_count_end(context, before);
    }
    if (err != CL_SUCCESS) {
        free(made->args);
        free(made->hidden);
        free(made);
        return NULL;
    }
    made->shadow = shadow;
    made->next = kernel->shadows;
    kernel->shadows = made;
    return made;
}

struct dl__shadow_kernel *dl__shadow_kernel_get(struct dl__kernel *kernel,
                                                struct dl__queue *queue,
                                                struct dl__mem *const *mems,
                                                struct dl__shadow_knobs *knobs,
                                                const char **reason)
{
    struct dl__rewrite *rewrite = kernel->rewrite;
    struct dl__shadow_kernel *found;
    struct dl__shadow *shadow;

    dl__shadow_knobs_narrow(rewrite, kernel->note, knobs);
    shadow = shadow_get(rewrite, kernel->object.context, queue->device, knobs);
    if (!shadow || !shadow->program) {
        *reason =
            shadow && shadow->unbuilt ? shadow->unbuilt
            : knobs->only
                ? "its rewritten text does not build (DL_LOG=debug shows the build log)"
                : "the rewritten program does not build (DL_LOG=debug shows the "
                  "build log)";
        return NULL;
    }
    for (found = kernel->shadows; found; found = found->next) {
        if (found->shadow == shadow)
            break;
    }
    if (!found)
        found = make_shadow_kernel(kernel, shadow);
    if (!found) {
        *reason = "the rewritten kernel can't be created";
        return NULL;
    }
    if (dl__shadow_kernel_set(kernel, mems, found) != CL_SUCCESS) {
        *reason = "the rewritten kernel does not take the program's arguments";
        return NULL;
    }
    return found;
}

void dl__shadow_kernels_free(struct dl__kernel *kernel)
{
    struct dl__shadow_kernel *shadow;

    while ((shadow = kernel->shadows)) {
        kernel->shadows = shadow->next;
        dl__next.clReleaseKernel(shadow->handle);
        free(shadow->args);
        free(shadow->hidden);
        free(shadow);
    }
}
