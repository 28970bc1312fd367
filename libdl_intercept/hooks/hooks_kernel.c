/* SPDX-License-Identifier: MIT */
/* Hooks of kernels, their arguments, and launches. Arguments are remembered for every
 * kernel, annotated or not: a launch must know which buffers it reaches. */

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/base/thread_cancel.h"
#include "libdl_intercept/launches/launch.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/reports/facts.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/order.h"
#include "libdl_intercept/trace/trace.h"
#include "hooks.h"

/* The kernel is of this rewrite, which may not be settled yet; NULL: of none. */
static DL__WITH_LOCK void belong_to(struct dl__kernel *kernel,
                                    struct dl__rewrite *rewrite)
{
    if (!rewrite)
        return;
    if (rewrite->settled && kernel->name)
        kernel->note = dl__rewrite_find(rewrite, kernel->name);
    if (rewrite->settled && !kernel->note) {
        kernel->read_status = rewrite->read_status;
        return;
    }
    kernel->rewrite = rewrite;
    rewrite->refs++;
    if (rewrite->settled) {
        dl__choice_expect(kernel);
    } else {
        atomic_store(&kernel->unread, true);
        atomic_fetch_add(&dl__kernels_unread, 1);
        dl__choice_expect_unread(kernel);
    }
}

static void say_left(const struct dl__rewrite *rewrite, const char *kernel)
{
    for (size_t u = 0; rewrite && kernel && u < rewrite->unit_count; u++)
        dl__unit_say_left(rewrite->units[u], kernel);
}

static enum dl__text_has text_has(const struct dl__kernel *kernel)
{
    const struct dl__program *program = kernel->program;

    if (program->source && dl__text_is_own(program->source, program->source_bytes))
        return DL__OWN;
    if (atomic_load(&kernel->unread))
        return DL__NOT_READ;
    if (kernel->read_status != DL_OK)
        return kernel->read_status == DL_ENOLIB ? DL__NO_LIBCLANG : DL__UNREADABLE;
    if (!kernel->note || kernel->note->refused)
        return kernel->demanded ? DL__HAS_ANNOTATIONS : DL__HAS_NOTHING;
    return kernel->note->detected ? DL__HAS_CANDIDATES : DL__HAS_ANNOTATIONS;
}

static struct dl__kernel *record_kernel(cl_kernel handle, struct dl__program *program,
                                        const char *name)
{
    struct dl__context *context = program ? program->object.context : NULL;
    struct dl__kernel *kernel = dl__object_make(&dl__kernel_type, handle, context);
    struct dl__rewrite *rewrite;

    if (!kernel)
        return NULL;
    kernel->program = program;
    dl__object_hold(kernel, program);
    kernel->name = name ? strdup(name) : NULL;
    dl__context_lock(context);
    rewrite = program->rewrite;
    belong_to(kernel, rewrite);
    if (!kernel->note) {
        /* One whose name the driver does not tell may be any. */
        kernel->demanded =
            kernel->name ? dl__demands_kernel(program, name) : program->demands != NULL;
    }
    dl__context_unlock(context);
    if (!kernel->note)
        say_left(rewrite, kernel->name);
    dl__facts_kernel(kernel->name, program->origin, text_has(kernel));
    /* The same on a device whose binary is another. */
    if (program->recalled && !program->recalled->everywhere)
        dl__facts_kernel(kernel->name, DL__FROM_BINARY, DL__HAS_NOTHING);
    if (kernel->demanded)
        dl__context_set_annotated(context); /* its launches are looked at */
    return kernel;
}

/* Kernels of the program may have to be told apart. */
static DL__WITH_LOCK bool names_matter(const struct dl__program *program)
{
    return (program->rewrite &&
            (program->rewrite->annotated || !dl__options_get()->layout_auto)) ||
           program->demands || program->origin == DL__FROM_BINARY ||
           program->origin == DL__FROM_IL || dl__options_get()->side ||
           dl__options_get()->values[DL_OPTION_report].text;
}

DL_HOOK(clCreateKernel)
{
    cl_kernel handle = DL_NEXT(clCreateKernel);

    if (handle) {
        struct dl__program *record = dl__program_find(program);

        dl__program_settle(record);
        record_kernel(handle, record, name);
    }
    return handle;
}

/* The name of a kernel made without being named; NULL: not to be had. */
static char *ask_name(cl_kernel handle)
{
    return dl__info_get(DL__OF_KERNEL, handle, NULL, CL_KERNEL_FUNCTION_NAME, NULL);
}

/* Before a launch of a kernel whose text was not read when it was made: it may be by now.
 */
static void kernel_read(struct dl__kernel *kernel)
{
    struct dl__context *context = kernel->object.context;
    struct dl__rewrite *rewrite = kernel->rewrite;
    bool annotated, read = dl__rewrite_settle(rewrite, context);
    char *name = NULL;

    dl__context_lock(context);
    annotated = rewrite->annotated;
    dl__context_unlock(context);
    if (!read)
        return;
    if (annotated && !kernel->name)
        name = ask_name(kernel->object.handle);
    dl__context_lock(context);
    if (atomic_load(&kernel->unread)) {
        if (!kernel->name) {
            kernel->name = name;
            name = NULL;
        }
        if (kernel->name)
            kernel->note = dl__rewrite_find(rewrite, kernel->name);
        if (kernel->note) {
            dl__choice_expect(kernel);
        } else {
            kernel->read_status = rewrite->read_status;
            kernel->plain_args = kernel->arg_count;
        }
        atomic_fetch_sub(&dl__kernels_unread, 1);
        atomic_store(&kernel->unread, false);
    }
    dl__context_unlock(context);
    free(name);
    dl__facts_kernel(kernel->name, kernel->program->origin, text_has(kernel));
}

DL_HOOK(clCreateKernelsInProgram)
{
    struct dl__program *program = dl__program_find(handle);
    cl_uint made = 0;
    bool named;
    cl_int err;

    if (!kernels || !program)
        return DL_NEXT(clCreateKernelsInProgram);
    err = dl__next.clCreateKernelsInProgram(handle, count, kernels, &made);
    if (err != CL_SUCCESS)
        return err;
    if (count_ret)
        *count_ret = made;
    dl__program_settle(program);
    dl__context_lock(program->object.context);
    named = names_matter(program);
    dl__context_unlock(program->object.context);
    for (cl_uint i = 0; i < made && i < count; i++) {
        char *name = named ? ask_name(kernels[i]) : NULL;

        record_kernel(kernels[i], program, name);
        free(name);
    }
    return CL_SUCCESS;
}

DL_HOOK_RETAIN(clRetainKernel, kernel, dl__kernel_type)
DL_HOOK_RELEASE(clReleaseKernel, kernel, dl__kernel_type)

/* ---- arguments ---- */

/* Those of a kernel that is, or may yet be, rewritten. */
static inline bool keeps_values(const struct dl__kernel *kernel)
{
    return kernel->note || atomic_load(&kernel->unread);
}

/* Room for argument `index`; false: out of memory. */
static __attribute__((noinline)) bool make_room(struct dl__kernel *kernel, cl_uint index)
{
    struct dl__arg *args;

    args = realloc(kernel->args, (index + 1) * sizeof *args);
    if (!args)
        return false;
    memset(args + kernel->arg_count, 0, (index + 1 - kernel->arg_count) * sizeof *args);
    kernel->args = args;
    kernel->arg_count = index + 1;
    kernel->plain_args = keeps_values(kernel) ? 0 : kernel->arg_count;
    return true;
}

static inline bool owns_value(const struct dl__arg *arg)
{
    return arg->bytes > sizeof arg->value.small && !arg->null;
}

/* Keeps a value of any size in place of one of any size. The room of the last one is used
 * again when it has the same size, as it nearly always has. False: out of memory, the
 * record is as it was. */
static __attribute__((noinline)) bool replace_value(struct dl__arg *arg, size_t bytes,
                                                    const void *value)
{
    void *before = owns_value(arg) ? arg->value.large : NULL, *after = NULL;

    if (value && bytes > sizeof arg->value.small) {
        after = before && arg->bytes == bytes ? before : malloc(bytes);
        if (!after)
            return false;
        memcpy(after, value, bytes);
    }
    if (before != after)
        free(before);
    if (after)
        arg->value.large = after;
    else if (value)
        memcpy(arg->value.small, value, bytes);
    return true;
}

/* On the way of every clSetKernelArg: what is rare is in functions of its own. There is
 * room for it; `kept`: all values are, as of kernels that may be rewritten. */
static inline __attribute__((always_inline)) bool record_value(struct dl__kernel *kernel,
                                                               bool kept, cl_uint index,
                                                               size_t bytes,
                                                               const void *value)
{
    struct dl__arg *arg = &kernel->args[index];

    /* Of a kernel that will never be rewritten, only the buffers it is given matter. */
    if (bytes != sizeof(cl_mem) && !kept)
        value = NULL;
    if (bytes != sizeof(cl_mem) || owns_value(arg)) {
        if ((value || owns_value(arg)) && !replace_value(arg, bytes, value))
            return false;
    } else if (value) {
        memcpy(arg->value.small, value, sizeof(cl_mem));
    }
    arg->bytes = bytes;
    arg->null = !value;
    arg->svm = false;
    arg->serial = ++kernel->serial;
    return true;
}

static bool record_arg(struct dl__kernel *kernel, cl_uint index, size_t bytes,
                       const void *value)
{
    return (index < kernel->arg_count || make_room(kernel, index)) &&
           record_value(kernel, keeps_values(kernel), index, bytes, value);
}

/* True when the argument has the value, and a buffer's handle still names that buffer. */
static inline bool has_value(const struct dl__arg *arg, size_t bytes, const void *value)
{
    return arg->bytes == bytes && bytes <= sizeof arg->value.small && value &&
           arg->serial != 0 && !arg->null && !arg->svm && arg->fresh &&
           memcmp(arg->value.small, value, bytes) == 0;
}

/* Handles may name other objects than when arguments were set. */
static void forget_values(struct dl__kernel *kernel, uint64_t handles)
{
    for (unsigned i = 0; i < kernel->arg_count; i++)
        kernel->args[i].fresh = false;
    kernel->handles = handles;
}

/* Launches look at what has been set to another value since the last one. */
static bool record_noted(struct dl__kernel *kernel, cl_uint index, size_t bytes,
                         const void *value)
{
    uint64_t handles = dl__handles_version();

    if (kernel->handles != handles)
        forget_values(kernel, handles);
    if (index < kernel->arg_count && has_value(&kernel->args[index], bytes, value))
        return true;
    if (!record_arg(kernel, index, bytes, value))
        return false;
    kernel->args[index].fresh = true;
    return true;
}

static __attribute__((noinline)) cl_int
record_rare(struct dl__kernel *kernel, cl_uint index, size_t bytes, const void *value)
{
    bool recorded = keeps_values(kernel) ? record_noted(kernel, index, bytes, value)
                                         : record_arg(kernel, index, bytes, value);

    return recorded ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

DL_HOOK_UNGUARDED(clSetKernelArg)
{
    cl_int err = DL_NEXT(clSetKernelArg);
    struct dl__kernel *kernel;

    if (err != CL_SUCCESS)
        return err;
    kernel = dl__kernel_find(handle);
    if (!kernel)
        return CL_SUCCESS;
    if (index >= kernel->plain_args)
        return record_rare(kernel, index, bytes, value);
    return record_value(kernel, false, index, bytes, value) ? CL_SUCCESS
                                                            : CL_OUT_OF_HOST_MEMORY;
}

DL_HOOK(clSetKernelArgSVMPointer)
{
    cl_int err = DL_NEXT(clSetKernelArgSVMPointer);
    struct dl__kernel *kernel;

    if (err != CL_SUCCESS)
        return err;
    dl__callout_shares_memory();
    kernel = dl__kernel_find(handle);
    if (kernel) {
        if (!record_arg(kernel, index, sizeof value, &value))
            return CL_OUT_OF_HOST_MEMORY;
        kernel->args[index].svm = true;
    }
    return CL_SUCCESS;
}

DL_HOOK(clSetKernelExecInfo)
{
    cl_int err = DL_NEXT(clSetKernelExecInfo);
    struct dl__kernel *kernel = dl__kernel_find(handle);

    dl__callout_shares_memory();
    /* The kernel reaches memory that is not among its arguments: it runs as written. */
    if (err == CL_SUCCESS && kernel)
        kernel->svm_indirect = true;
    return err;
}

DL_HOOK(clCloneKernel)
{
    cl_kernel handle = DL_NEXT(clCloneKernel);
    struct dl__kernel *source = handle ? dl__kernel_find(source_handle) : NULL;
    struct dl__kernel *kernel;

    if (!source)
        return handle;
    kernel = record_kernel(handle, source->program, source->name);
    if (!kernel)
        return handle;
    /* The source may have been made before its program was built anew. */
    dl__context_lock(source->object.context);
    if (source->rewrite != kernel->rewrite) {
        if (atomic_exchange(&kernel->unread, false))
            atomic_fetch_sub(&dl__kernels_unread, 1);
        dl__rewrite_release(kernel->rewrite, source->object.context);
        kernel->rewrite = NULL;
        kernel->note = NULL;
        belong_to(kernel, source->rewrite);
    }
    dl__context_unlock(source->object.context);
    for (unsigned i = 0; i < source->arg_count; i++) {
        const struct dl__arg *arg = &source->args[i];
        const void *value = arg->null                              ? NULL
                            : arg->bytes > sizeof arg->value.small ? arg->value.large
                                                                   : arg->value.small;

        if (arg->serial && record_arg(kernel, i, arg->bytes, value))
            kernel->args[i].svm = arg->svm;
    }
    kernel->demanded = source->demanded;
    kernel->svm_indirect = source->svm_indirect;
    return handle;
}

/* ---- launches ---- */

/* A kernel that reads discrete arrays, of which there is no text, would take structs for
 * them. */
static __attribute__((noinline)) cl_int refuse(struct dl__kernel *kernel)
{
    bool said;

    dl__context_lock(kernel->object.context);
    said = kernel->launched.refusal_said;
    kernel->launched.refusal_said = true;
    dl__context_unlock(kernel->object.context);
    if (!said)
        dl__log(
            DL__LOG_ERROR,
            "kernel '%s' reads discrete arrays (SoA), but its program was loaded from or "
            "linked with a binary or IL, so DL can't give it these arrays: its launches "
            "fail; empty or turn off the program's own cache of binaries to have it "
            "built from "
            "source",
            kernel->name ? kernel->name : "(unknown)");
    return CL_OUT_OF_RESOURCES;
}

/* True when it has not been read yet, and its launches are held back until it is. */
static __attribute__((noinline)) bool read_kernel(cl_kernel handle)
{
    struct dl__kernel *kernel = dl__kernel_find(handle);

    if (kernel && atomic_load(&kernel->unread)) {
        const int before = dl__cancel_put_off();

        kernel_read(kernel);
        dl__cancel_allow(before);
    }
    return kernel && atomic_load(&kernel->unread) && dl__policy_is_on();
}

static inline __attribute__((always_inline)) bool concerns(const struct dl__queue *queue,
                                                           cl_kernel kernel)
{
    if (dl__any_kernel_unread() && read_kernel(kernel))
        return true;
    return dl__context_is_annotated(queue->object.context) || dl__options_get()->counts;
}

/* The way of a launch that DL has to look at. */
static inline __attribute__((always_inline)) cl_int
launch(struct dl__queue *queue, cl_kernel handle, struct dl__ndrange *range)
{
    struct dl__kernel *kernel = dl__kernel_find(handle);
    const int before = dl__cancel_put_off();
    cl_int err;

    if (dl__trace_is_on()) {
        dl__trace_note_call_begin(range->task ? "clEnqueueTask"
                                              : "clEnqueueNDRangeKernel");
        dl__trace_note_call_about(kernel ? kernel->name : NULL);
    }
    err = kernel && kernel->demanded ? refuse(kernel)
                                     : dl__launch(queue, kernel, handle, range);
    dl__trace_call_end();
    dl__cancel_allow(before);
    return err;
}

/* Apart, with the arguments where they came, so that what all others pass through is a
 * jump. */
static __attribute__((noinline)) cl_int
launch_looked_at(struct dl__queue *queue, cl_kernel kernel_handle, cl_uint work_dim,
                 const size_t *offset, const size_t *global, const size_t *local,
                 DL_WAIT_PARAMETERS)
{
    struct dl__ndrange range;

    /* One by one: a compiler would clear the whole first, which takes longer than all of
     * this. */
    range.task = false;
    range.work_dim = work_dim;
    range.offset = offset;
    range.global = global;
    range.local = local;
    range.wait_count = wait_count;
    range.wait = wait;
    range.event = event;
    range.mems = NULL;
    range.waited = false;
    range.wait_failed = false;
    range.wants_wait = false;
    range.known = NULL;
    range.choice = NULL;
    range.shown = NULL;
    return launch(queue, kernel_handle, &range);
}

DL_HOOK_UNGUARDED(clEnqueueNDRangeKernel)
{
    struct dl__queue *record = dl__queue_find(queue);

    if (!record || !concerns(record, kernel))
        return DL_NEXT(clEnqueueNDRangeKernel);
    return launch_looked_at(record, kernel, work_dim, offset, global, local,
                            DL_WAIT_ARGUMENTS);
}

DL_HOOK(clEnqueueTask)
{
    static const size_t one = 1;
    struct dl__queue *record = dl__queue_find(queue);

    if (!record || !concerns(record, kernel))
        return DL_NEXT(clEnqueueTask);
    return launch(record, kernel,
                  &(struct dl__ndrange){.task = true,
                                        .work_dim = 1,
                                        .global = &one,
                                        .local = &one,
                                        .wait_count = wait_count,
                                        .wait = wait,
                                        .event = event});
}
