/* The way of a launch: evaluate the dimensions, decide the layout, move the buffers,
 * launch the shadow kernel; or the program's own, with its buffers in AoS. */
#include "launch.h"

#include <stdio.h>
#include <stdlib.h>

#include "contexts.h"
#include "log.h"
#include "options.h"
#include "residence.h"
#include "shadow.h"
#include "stats.h"
#include "verify.h"

static const size_t one = 1;

/* ---- the program's own kernel
 * --------------------------------------------------------------- */

struct dl__mem *dl__arg_mem(const struct dl__arg *arg)
{
    if (arg->serial == 0 || arg->null || arg->svm || arg->bytes != sizeof(cl_mem))
        return NULL;
    return dl__mem_find(arg->value.mem);
}

cl_int dl__kernel_args_to_aos(struct dl__kernel *kernel, struct dl__queue *queue,
                              struct dl__wait *command, const char *why)
{
    cl_int err = CL_SUCCESS;

    for (unsigned i = 0; i < kernel->arg_count && err == CL_SUCCESS; i++) {
        struct dl__mem *mem = dl__arg_mem(&kernel->args[i]);

        if (!mem || mem->object.context != queue->object.context)
            continue;
        err = dl__mem_bring_back(mem, queue, why);
        dl__mem_use(mem, queue, command);
        dl__mem_given(mem);
    }
    return err;
}

static cl_int enqueue(struct dl__queue *queue, cl_kernel handle,
                      const struct dl__ndrange *range, const struct dl__wait *wait,
                      cl_event *event)
{
    if (range->task)
        return dl__next.clEnqueueTask(queue->object.handle, handle, wait->count,
                                      wait->list, event);
    return dl__next.clEnqueueNDRangeKernel(queue->object.handle, handle, range->work_dim,
                                           range->offset, range->global, range->local,
                                           wait->count, wait->list, event);
}

/* Enqueues and counts. DL's own event, for statistics only, is not the program's to see.
 */
static cl_int enqueue_counted(struct dl__queue *queue, struct dl__kernel *kernel,
                              cl_kernel handle, const struct dl__ndrange *range,
                              const struct dl__wait *wait, bool transformed)
{
    cl_event own = NULL, *event = range->event;
    cl_int err;

    if (wait->failed)
        return CL_OUT_OF_HOST_MEMORY;
    if (!event && dl__options_get()->stats)
        event = &own;
    err = enqueue(queue, handle, range, wait, event);
    if (err == CL_SUCCESS)
        dl__mems_used(wait, queue);
    if (err == CL_SUCCESS && kernel)
        dl__stats_launch(kernel, transformed, event ? *event : NULL);
    if (own)
        dl__next.clReleaseEvent(own);
    return err;
}

static cl_int launch_native(struct dl__queue *queue, struct dl__kernel *kernel,
                            cl_kernel handle, const struct dl__ndrange *range)
{
    struct dl__wait command;
    char why[160];
    cl_int err;

    dl__wait_begin(&command, range->wait_count, range->wait);
    snprintf(why, sizeof why, "kernel %s",
             kernel && kernel->name ? kernel->name : "(unknown)");
    if (!kernel || kernel->svm_indirect)
        err = dl__context_bring_back(queue->object.context, queue, why);
    else
        err = CL_SUCCESS;
    if (kernel && err == CL_SUCCESS)
        err = dl__kernel_args_to_aos(kernel, queue, &command, why);
    if (err == CL_SUCCESS)
        err = enqueue_counted(queue, kernel, handle, range, &command, false);
    dl__wait_end(&command);
    return err;
}

/* ---- the layout a launch wants
 * --------------------------------------------------------------- */

/* One annotated buffer of one launch. */
struct binding {
    const struct dl_buffer_note *note;
    struct dl__mem *mem; /* NULL: the program passes no buffer */
    struct dl__move move;
};

static uint32_t device_tile(struct dl__kernel *kernel, struct dl__device *device)
{
    size_t multiple = 0;

    if (device->preferred_multiple == 0) {
        if (dl__next.clGetKernelWorkGroupInfo(
                kernel->object.handle, device->id,
                CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple, &multiple,
                NULL) != CL_SUCCESS ||
            multiple < 16 || multiple > 128)
            multiple = 32; /* what the thesis measured best over GPUs, 5.4.1 */
        device->preferred_multiple = (uint32_t)multiple;
    }
    return device->preferred_multiple;
}

/* False: the program's own kernel is what this device should run. */
static bool choose_layout(struct dl__kernel *kernel, struct dl__queue *queue,
                          struct dl_layout *layout)
{
    const struct dl__options *options = dl__options_get();
    struct dl__device *device = dl__context_device(kernel->object.context, queue->device);

    if (!device)
        return false;
    layout->kind = options->layout;
    if (options->layout_auto) {
        if (!(device->type & CL_DEVICE_TYPE_GPU))
            return false;
        layout->kind = DL_LAYOUT_ASTA;
    }
    if (layout->kind == DL_LAYOUT_AOS)
        return false;
    if (options->tile_structs)
        layout->tile_structs = options->tile_structs;
    else
        layout->tile_structs =
            layout->kind == DL_LAYOUT_DA ? DL__DA_TILE : device_tile(kernel, device);
    if (options->tile_structs == 1)
        layout->kind = DL_LAYOUT_AOS; /* the rewritten kernel on the program's layout */
    return true;
}

/* At the annotation's place. */
static void remark(const struct dl__kernel *kernel, const struct dl_buffer_note *note,
                   const char *text)
{
    const char *file = dl_side_file_find(dl__options_get()->side, kernel->name);
    char whole[512];
    struct dl_remark at = {DL_WARNING, file ? file : "<program source>", note->line, 1,
                           whole};

    snprintf(whole, sizeof whole, "kernel '%s', buffer '%s': %s", kernel->name,
             note->name, text);
    dl__log_remark(NULL, &at);
}

/* The launch as the dimensions see it. False: the driver will reject it anyway. */
static bool describe_launch(const struct dl__kernel *kernel,
                            const struct dl__ndrange *range, struct dl_launch *launch,
                            struct dl_arg_value *values)
{
    if (range->work_dim < 1 || range->work_dim > 3 || !range->global)
        return false;
    launch->work_dim = range->work_dim;
    for (cl_uint d = 0; d < 3; d++) {
        bool used = d < range->work_dim;

        launch->global_size[d] = used ? range->global[d] : 1;
        launch->global_offset[d] = used && range->offset ? range->offset[d] : 0;
        launch->local_size[d] = used ? (range->local ? range->local[d] : 0) : 1;
    }
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        const struct dl__arg *arg = &kernel->args[i];

        values[i].value_bytes = arg->bytes;
        values[i].value = arg->serial == 0 || arg->null ? NULL
                          : arg->bytes > sizeof arg->value.small
                              ? arg->value.large
                              : (const void *)arg->value.small;
    }
    launch->args = values;
    launch->arg_count = kernel->arg_count;
    return true;
}

/* Checks the annotated dimension against the buffer. False: the kernel must run as
 * written. */
static bool check_dimension(struct dl__kernel *kernel, const struct binding *binding,
                            const struct dl_launch *launch)
{
    const struct dl_buffer_note *note = binding->note;
    const char *reason = NULL;
    char text[160];
    int64_t structs;

    if (!note->structs)
        return true;
    if (dl_dimension_eval(note->structs, launch, &structs, &reason) != DL_OK) {
        snprintf(text, sizeof text,
                 "the dimension can't be evaluated: %s; it runs as written",
                 reason ? reason : "an error");
    } else if (structs <= 0) {
        snprintf(text, sizeof text,
                 "the dimension evaluates to %lld; the kernel runs as written",
                 (long long)structs);
    } else {
        if ((uint64_t)structs > binding->move.structs && !kernel->clamp_remarked) {
            kernel->clamp_remarked = true;
            snprintf(
                text, sizeof text,
                "the dimension evaluates to %lld, the buffer holds %llu structs; clamped",
                (long long)structs, (unsigned long long)binding->move.structs);
            remark(kernel, note, text);
        }
        return true;
    }
    if (!kernel->dimension_remarked)
        remark(kernel, note, text);
    kernel->dimension_remarked = true;
    return false;
}

const struct dl_leaf_table *dl__kernel_leaves(const struct dl__kernel *kernel,
                                              size_t buffer)
{
    const struct dl_buffer_note *note = &kernel->note->buffers[buffer];

    return note->width ? &kernel->rows[buffer] : &note->leaves;
}

/* Makes the leaves of a flat buffer as wide as this launch says. False: the kernel must run as
 * written. */
static bool set_width(struct dl__kernel *kernel, size_t buffer,
                      const struct dl_launch *launch)
{
    const struct dl_buffer_note *note = &kernel->note->buffers[buffer];
    struct dl_leaf_table made;
    const char *reason = NULL;
    char text[160];
    int64_t width = 0;

    if (!note->width)
        return true;
    if (!kernel->rows)
        kernel->rows = calloc(kernel->note->buffer_count, sizeof *kernel->rows);
    if (!kernel->rows)
        return false;
    if (dl_dimension_eval(note->width, launch, &width, &reason) != DL_OK) {
        snprintf(text, sizeof text,
                 "the width can't be evaluated: %s; the kernel runs as "
                 "written",
                 reason ? reason : "an error");
    } else if (width > 0 && width == kernel->rows[buffer].leaf_count) {
        return true;
    } else if (dl_flat_leaves_make(note, width, &made) == DL_OK) {
        dl_leaf_table_free(&kernel->rows[buffer]);
        kernel->rows[buffer] = made;
        return true;
    } else {
        snprintf(
            text, sizeof text,
            "the width evaluates to %lld, not from 1 to %d; the kernel runs as written",
            (long long)width, DL_FLAT_WIDTH_MAX);
    }
    if (!kernel->dimension_remarked)
        remark(kernel, note, text);
    kernel->dimension_remarked = true;
    return false;
}

/* Why this argument can't be tiled in this launch; NULL: it can. */
static const char *bind_buffer(struct dl__kernel *kernel, struct dl__queue *queue,
                               size_t buffer, struct dl_layout layout,
                               struct binding *binding)
{
    const struct dl_buffer_note *note = &kernel->note->buffers[buffer];
    const struct dl__arg *arg =
        note->arg_index < kernel->arg_count ? &kernel->args[note->arg_index] : NULL;
    const char *refusal;

    binding->note = note;
    if (!arg || arg->serial == 0)
        return "the argument is not set";
    if (arg->svm)
        return "the argument is a pointer to shared virtual memory";
    if (arg->null || !arg->value.mem)
        return NULL;
    binding->mem = dl__arg_mem(arg);
    if (!binding->mem || binding->mem->object.context != queue->object.context)
        return "the argument is a memory object that DL does not track";
    binding->move.mem = binding->mem;
    binding->move.layout = layout;
    binding->move.leaves = dl__kernel_leaves(kernel, buffer);
    binding->move.structs = binding->mem->bytes / binding->move.leaves->struct_bytes;
    if (layout.kind == DL_LAYOUT_AOS)
        return NULL;
    refusal = dl__mem_refusal(binding->mem);
    if (refusal)
        return refusal;
    if (dl__mem_is_copied(binding->mem) && note->written)
        return binding->mem->flags & CL_MEM_READ_ONLY
                   ? "the kernel may write it, but it is CL_MEM_READ_ONLY"
                   : "the kernel may write it, but it is CL_MEM_USE_HOST_PTR";
    return NULL;
}

/* A buffer bound twice must be wanted the same way twice. */
static const char *check_aliases(const struct dl__kernel *kernel,
                                 const struct binding *bindings, size_t count)
{
    for (unsigned a = 0; a < kernel->arg_count; a++) {
        struct dl__mem *root = dl__mem_root(dl__arg_mem(&kernel->args[a]));
        const struct binding *own = NULL;

        for (size_t b = 0; b < count; b++) {
            if (bindings[b].note->arg_index == a)
                own = &bindings[b];
        }
        for (size_t b = 0; root && b < count; b++) {
            if (bindings[b].mem != root || own == &bindings[b])
                continue;
            if (!own)
                return "the same buffer is also passed as an argument without annotation";
            if (!dl_leaf_table_equal(own->move.leaves, bindings[b].move.leaves))
                return "the same buffer is passed as two different struct types";
        }
    }
    return NULL;
}

/* ---- the shadow kernel
 * ----------------------------------------------------------------------- */

static cl_int set_hidden_args(const struct dl__kernel *kernel,
                              const struct dl__shadow_kernel *shadow,
                              const struct binding *bindings, size_t count,
                              struct dl__shadow_knobs knobs)
{
    cl_uint index = kernel->note->arg_count;
    cl_int err = CL_SUCCESS;

    for (size_t b = 0; b < count && err == CL_SUCCESS; b++) {
        struct dl_tiling tiling = {0};

        if (bindings[b].mem)
            dl_layout_tile(bindings[b].move.layout, bindings[b].move.structs, &tiling);
        const uint64_t values[] = {tiling.head_structs, tiling.tail_structs};
        for (size_t v = 0; v < 2 && err == CL_SUCCESS; v++) {
            cl_ulong wide = values[v];
            cl_uint narrow = (cl_uint)values[v];

            err = knobs.index_64 ? dl__next.clSetKernelArg(shadow->handle, index++,
                                                           sizeof wide, &wide)
                                 : dl__next.clSetKernelArg(shadow->handle, index++,
                                                           sizeof narrow, &narrow);
        }
        /* A copy of DL's own stands in for the buffer; the next launch sets it anew.
         */
        if (err == CL_SUCCESS && bindings[b].mem && bindings[b].mem->copy &&
            bindings[b].move.layout.kind != DL_LAYOUT_AOS) {
            cl_mem tiles = dl__mem_tiles(bindings[b].mem);
            err = dl__next.clSetKernelArg(shadow->handle, bindings[b].note->arg_index,
                                          sizeof tiles, &tiles);
            shadow->serials[bindings[b].note->arg_index] = 0;
        }
    }
    return err;
}

/* Everything that can fail before data moves. `*reason` NULL with false: nothing to be
 * said. */
static bool prepare(struct dl__queue *queue, struct dl__kernel *kernel,
                    const struct dl__ndrange *range, struct binding *bindings,
                    struct dl__shadow_kernel **shadow, struct dl__shadow_knobs *knobs,
                    const struct dl_buffer_note **culprit, const char **reason)
{
    const struct dl_kernel_note *note = kernel->note;
    struct dl_arg_value *values = NULL;
    struct dl_launch launch;
    struct dl_layout layout = {0};
    bool ready = false;

    *culprit = NULL;
    *reason = NULL;
    if (kernel->native_only || kernel->svm_indirect || range->task ||
        kernel->object.context->pinned ||
        !dl__rewrite_is_for(kernel->rewrite, queue->device) ||
        !choose_layout(kernel, queue, &layout))
        return false;
    *knobs = (struct dl__shadow_knobs){.tile = layout.kind == DL_LAYOUT_DA ? 0
                                               : layout.kind == DL_LAYOUT_AOS
                                                   ? 1
                                                   : layout.tile_structs};
    values = calloc(kernel->arg_count + 1, sizeof *values);
    if (!values || !describe_launch(kernel, range, &launch, values))
        goto out;
    for (size_t b = 0; b < note->buffer_count; b++) {
        *culprit = &note->buffers[b];
        if (!set_width(kernel, b, &launch))
            goto out;
        *reason = bind_buffer(kernel, queue, b, layout, &bindings[b]);
        if (*reason)
            goto out;
        if (!bindings[b].mem)
            continue;
        if (!check_dimension(kernel, &bindings[b], &launch))
            goto out;
        if (bindings[b].mem->bytes > UINT32_MAX)
            knobs->index_64 = true;
    }
    *culprit = &note->buffers[0];
    *reason = check_aliases(kernel, bindings, note->buffer_count);
    if (*reason)
        goto out;
    *shadow = dl__shadow_kernel_get(kernel, queue, *knobs, reason);
    if (!*shadow) {
        kernel->native_only = true;
        goto out;
    }
    for (size_t b = 0; layout.kind != DL_LAYOUT_AOS && b < note->buffer_count; b++) {
        *culprit = &note->buffers[b];
        if (bindings[b].mem && !dl__move_prepare(&bindings[b].move, queue, reason))
            goto out;
    }
    ready = true;
out:
    free(values);
    return ready;
}

/* A buffer bound twice is moved once. */
static bool is_bound_before(const struct binding *bindings, size_t b)
{
    for (size_t earlier = 0; earlier < b; earlier++) {
        if (bindings[earlier].mem == bindings[b].mem)
            return true;
    }
    return false;
}

/* Moves the buffers and launches the shadow. */
static cl_int launch_shadow(struct dl__queue *queue, struct dl__kernel *kernel,
                            const struct dl__ndrange *range, struct binding *bindings,
                            struct dl__shadow_kernel *shadow,
                            struct dl__shadow_knobs knobs)
{
    size_t count = kernel->note->buffer_count;
    struct dl__wait command;
    struct dl__verify *verify;
    cl_int err = CL_SUCCESS;

    dl__wait_begin(&command, range->wait_count, range->wait);
    for (size_t b = 0; knobs.tile != 1 && b < count && err == CL_SUCCESS; b++) {
        if (bindings[b].mem && !is_bound_before(bindings, b))
            err = dl__move_enqueue(&bindings[b].move, queue);
    }
    for (unsigned i = 0; i < kernel->arg_count && err == CL_SUCCESS; i++) {
        struct dl__mem *mem = dl__arg_mem(&kernel->args[i]);
        bool bound = false;

        for (size_t b = 0; b < count; b++)
            bound = bound || (bindings[b].mem && bindings[b].mem == mem);
        if (!mem || mem->object.context != queue->object.context)
            continue;
        if (!bound || knobs.tile == 1) {
            err = dl__mem_bring_back(mem, queue, kernel->name);
            dl__mem_given(mem);
        }
        dl__mem_use(mem, queue, &command);
    }
    if (err == CL_SUCCESS && knobs.tile != 1)
        err = set_hidden_args(kernel, shadow, bindings, count, knobs);
    verify = err == CL_SUCCESS ? dl__verify_begin(kernel, queue, range) : NULL;
    if (err == CL_SUCCESS)
        err = enqueue_counted(queue, kernel, shadow->handle, range, &command, true);
    dl__verify_end(verify);
    for (size_t b = 0; b < count && err == CL_SUCCESS; b++) {
        if (bindings[b].mem)
            dl__stats_binding(kernel, bindings[b].note, bindings[b].move.layout,
                              bindings[b].move.structs);
    }
    dl__wait_end(&command);
    return err;
}

static cl_int launch_locked(struct dl__queue *queue, struct dl__kernel *kernel,
                            cl_kernel handle, const struct dl__ndrange *range)
{
    const struct dl_buffer_note *culprit;
    struct dl__shadow_kernel *shadow = NULL;
    struct binding *bindings;
    struct dl__shadow_knobs knobs;
    const char *reason;
    cl_int err, shadow_err = CL_SUCCESS;
    bool prepared;

    if (!kernel || !kernel->note || kernel->object.context != queue->object.context)
        return launch_native(queue, kernel, handle, range);
    bindings = calloc(kernel->note->buffer_count, sizeof *bindings);
    if (!bindings)
        return launch_native(queue, kernel, handle, range);
    prepared =
        prepare(queue, kernel, range, bindings, &shadow, &knobs, &culprit, &reason);
    if (!prepared && reason && reason != kernel->remarked) {
        char text[256];

        kernel->remarked = reason;
        snprintf(text, sizeof text, "%s; the kernel runs as written", reason);
        remark(kernel, culprit, text);
    }
    if (prepared) {
        err = launch_shadow(queue, kernel, range, bindings, shadow, knobs);
        if (err == CL_SUCCESS) {
            free(bindings);
            return CL_SUCCESS;
        }
        shadow_err = err;
    }
    free(bindings);
    err = launch_native(queue, kernel, handle, range);
    if (shadow_err != CL_SUCCESS && err == CL_SUCCESS) {
        /* Not to move the buffers to and fro at each launch. */
        kernel->native_only = true;
        dl__log(DL__LOG_WARNING,
                "kernel '%s': the rewritten kernel can't be launched (%d); it runs as "
                "written",
                kernel->name, shadow_err);
    }
    return err;
}

cl_int dl__launch(struct dl__queue *queue, struct dl__kernel *kernel, cl_kernel handle,
                  const struct dl__ndrange *range)
{
    struct dl__ndrange whole = *range;
    cl_int err;

    if (whole.task) {
        whole.work_dim = 1;
        whole.global = &one;
        whole.local = &one;
        whole.offset = NULL;
    }
    if (!dl__context_is_annotated(queue->object.context)) {
        struct dl__wait wait;

        dl__wait_begin(&wait, whole.wait_count, whole.wait);
        err = enqueue_counted(queue, kernel, handle, &whole, &wait, false);
        dl__wait_end(&wait);
        return err;
    }
    dl__context_lock(queue->object.context);
    err = launch_locked(queue, kernel, handle, &whole);
    dl__context_unlock(queue->object.context);
    return err;
}
