/* SPDX-License-Identifier: MIT */
/* Buffers, checks and times of dl-bench coalesced. */
#include "tools/dl-bench/coalesced/coalesced.h"

#include <string.h>

extern const char bench_coalesced_cl[];

enum { REPS_MAX = 64 };

static cl_int helpers_make(struct coalesced_bench *b)
{
    const char *text = bench_coalesced_cl;
    cl_int err;

    b->helpers = clCreateProgramWithSource(b->device.context, 1, &text, NULL, &err);
    if (err == CL_SUCCESS)
        err = b->device.cl.clBuildProgram(b->helpers, 1, &b->device.id, "", NULL, NULL);
    if (err == CL_SUCCESS)
        b->order = clCreateKernel(b->helpers, "random_order", &err);
    if (err == CL_SUCCESS)
        b->compare = clCreateKernel(b->helpers, "count_differences", &err);
    return err;
}

static cl_int buffers_make(struct coalesced_bench *b)
{
    cl_mem *const all[] = {&b->from, &b->to, &b->wanted, &b->places};
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; err == CL_SUCCESS && i < sizeof all / sizeof *all; i++)
        *all[i] =
            clCreateBuffer(b->device.context, CL_MEM_READ_WRITE, b->bytes, NULL, &err);
    return err;
}

bool coalesced_bench_open(struct coalesced_bench *b, const char *part, const char *bytes)
{
    cl_int err;

    if (!device_open(&b->device, part))
        return false;
    b->bytes = *bytes ? bytes_parse(bytes)
                      : UINT64_C(1) << (b->device.type == CL_DEVICE_TYPE_CPU ? 24 : 30);
    b->bytes -= b->bytes % 4096;
    if (b->bytes == 0 || b->bytes > UINT64_C(1) << 32) {
        fprintf(stderr, "dl-bench coalesced: --bytes %s: 4K to 4G\n", bytes);
        coalesced_bench_close(b);
        return false;
    }
    err = helpers_make(b);
    if (err == CL_SUCCESS)
        err = buffers_make(b);
    if (err == CL_SUCCESS && dl_marshal_make(&b->device.cl, b->device.context,
                                             b->device.id, &b->marshal) == DL_OK)
        return true;
    fprintf(stderr, "dl-bench coalesced: %s can't be used: OpenCL error %d\n",
            b->device.name, err);
    coalesced_bench_close(b);
    return false;
}

void coalesced_bench_close(struct coalesced_bench *b)
{
    cl_mem all[] = {b->from, b->to, b->wanted, b->places};

    if (b->marshal)
        dl_marshal_free(b->marshal);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i])
            clReleaseMemObject(all[i]);
    if (b->order)
        clReleaseKernel(b->order);
    if (b->compare)
        clReleaseKernel(b->compare);
    if (b->helpers)
        clReleaseProgram(b->helpers);
    device_close(&b->device);
}

static double copy_once(struct coalesced_bench *b, bool by_kernel)
{
    size_t global = b->bytes / 16, local = 256;
    cl_event event = NULL;
    cl_int err;

    clSetKernelArg(b->device.copy, 0, sizeof b->from, &b->from);
    clSetKernelArg(b->device.copy, 1, sizeof b->to, &b->to);
    if (by_kernel)
        err = clEnqueueNDRangeKernel(b->device.queue, b->device.copy, 1, NULL, &global,
                                     &local, 0, NULL, &event);
    else
        err = clEnqueueCopyBuffer(b->device.queue, b->from, b->to, 0, 0, b->bytes, 0,
                                  NULL, &event);
    if (err != CL_SUCCESS)
        return -1;
    clRetainEvent(event);
    return device_seconds(event, event);
}

double coalesced_copy_speed(struct coalesced_bench *b)
{
    double best = 0;

    device_fill(&b->device, b->from, b->bytes);
    device_fill(&b->device, b->to, b->bytes);
    for (int way = 0; way < 2; way++) {
        double seconds[REPS_MAX], speed;

        for (int r = -1; r < b->reps; r++)
            seconds[r < 0 ? 0 : r] = copy_once(b, way);
        speed = median_of(seconds, (size_t)b->reps);
        speed = speed > 0 ? 2.0 * (double)b->bytes / speed : 0;
        printf("copy, by %s: %.1f GB/s\n", way ? "kernel" : "command", speed * 1e-9);
        best = speed > best ? speed : best;
    }
    return best;
}

bool coalesced_order(struct coalesced_bench *b, cl_uint structs)
{
    size_t global = ((size_t)structs + 255) / 256 * 256, local = 256;
    cl_uint bits = 1;

    while (bits < 32 && structs > 1u << bits)
        bits++;
    clSetKernelArg(b->order, 0, sizeof b->places, &b->places);
    clSetKernelArg(b->order, 1, sizeof structs, &structs);
    clSetKernelArg(b->order, 2, sizeof bits, &bits);
    return clEnqueueNDRangeKernel(b->device.queue, b->order, 1, NULL, &global, &local, 0,
                                  NULL, NULL) == CL_SUCCESS;
}

/* ---- one operation in one way ---- */

struct launch {
    struct coalesced_bench *bench;
    cl_kernel kernel;
    const struct dl_kernel_note *note; /* NULL: it has the program's arguments alone */
    cl_uint structs;
    struct dl_layout tiles;
};

static bool args_set(const struct launch *l)
{
    const struct coalesced_bench *b = l->bench;
    cl_int err = clSetKernelArg(l->kernel, 0, sizeof b->from, &b->from);
    struct dl_tiling tiling;
    cl_uint next = 4;

    err |= clSetKernelArg(l->kernel, 1, sizeof b->to, &b->to);
    err |= clSetKernelArg(l->kernel, 2, sizeof b->places, &b->places);
    err |= clSetKernelArg(l->kernel, 3, sizeof l->structs, &l->structs);
    for (size_t i = 0; l->note && i < l->note->buffer_count; i++) {
        cl_uint parts[2];

        dl_layout_tile(l->tiles, l->structs, &tiling);
        parts[0] = (cl_uint)tiling.head_structs;
        parts[1] = (cl_uint)tiling.tail_structs;
        for (int p = 0; p < 2; p++)
            err |= clSetKernelArg(l->kernel, next++, sizeof parts[p], &parts[p]);
    }
    return err == CL_SUCCESS;
}

static double launch_once(const struct launch *l)
{
    size_t local = l->bench->group, global = (l->structs + local - 1) / local * local;
    cl_event event = NULL;

    if (clEnqueueNDRangeKernel(l->bench->device.queue, l->kernel, 1, NULL, &global,
                               &local, 0, NULL, &event) != CL_SUCCESS)
        return -1;
    clRetainEvent(event);
    return device_seconds(event, event);
}

/* Every buffer of structs, into tiles or back. */
static bool convert(const struct launch *l, bool back)
{
    const struct dl_layout aos = {.kind = DL_LAYOUT_AOS};
    struct coalesced_bench *b = l->bench;
    bool good = true;

    for (size_t i = 0; l->note && good && i < l->note->buffer_count; i++) {
        const struct dl_buffer_note *note = &l->note->buffers[i];
        const struct dl_conversion *conversion;
        struct dl_rest *rest = NULL;

        good = dl_marshal_prepare(b->marshal, &note->leaves, l->structs,
                                  back ? l->tiles : aos, back ? aos : l->tiles,
                                  &conversion) == DL_OK &&
               dl_marshal_enqueue(b->marshal, b->device.queue, conversion,
                                  note->arg_index ? b->to : b->from, 0, NULL, NULL, NULL,
                                  &rest) == DL_OK;
    }
    return good;
}

/* The whole result is kept, or compared. */
static bool result_check(struct coalesced_bench *b, bool want, cl_uint *errors)
{
    const cl_ulong words = b->bytes / 4;
    size_t global = b->device.type == CL_DEVICE_TYPE_CPU ? 256 : 1 << 20;
    cl_uint zero = 0;
    cl_int err;

    if (want)
        return clEnqueueCopyBuffer(b->device.queue, b->to, b->wanted, 0, 0, b->bytes, 0,
                                   NULL, NULL) == CL_SUCCESS;
    err = clEnqueueWriteBuffer(b->device.queue, b->device.errors, CL_TRUE, 0, 4, &zero, 0,
                               NULL, NULL);
    err |= clSetKernelArg(b->compare, 0, sizeof b->wanted, &b->wanted);
    err |= clSetKernelArg(b->compare, 1, sizeof b->to, &b->to);
    err |= clSetKernelArg(b->compare, 2, sizeof words, &words);
    err |= clSetKernelArg(b->compare, 3, sizeof b->device.errors, &b->device.errors);
    if (err == CL_SUCCESS)
        err = clEnqueueNDRangeKernel(b->device.queue, b->compare, 1, NULL, &global, NULL,
                                     0, NULL, NULL);
    if (err == CL_SUCCESS)
        err = clEnqueueReadBuffer(b->device.queue, b->device.errors, CL_TRUE, 0, 4,
                                  errors, 0, NULL, NULL);
    return err == CL_SUCCESS;
}

static bool measure(const struct launch *l, bool want, struct coalesced_result *out)
{
    struct coalesced_bench *b = l->bench;
    double seconds[REPS_MAX];

    if (device_fill(&b->device, b->from, b->bytes) != CL_SUCCESS ||
        device_fill(&b->device, b->to, b->bytes) != CL_SUCCESS ||
        device_touch_start(&b->device, b->to, b->bytes, NULL) != CL_SUCCESS ||
        !convert(l, false) || !args_set(l) || launch_once(l) < 0 || !convert(l, true) ||
        !result_check(b, want, &out->errors))
        return false;
    for (int r = 0; r < b->reps; r++) {
        seconds[r] = launch_once(l);
        if (seconds[r] < 0)
            return false;
    }
    out->seconds = median_of(seconds, (size_t)b->reps);
    return true;
}

struct coalesced_result coalesced_run(struct coalesced_bench *b, cl_program program,
                                      const struct coalesced_texts *texts,
                                      enum coalesced_op op, enum coalesced_way way,
                                      unsigned words, unsigned tile, bool want)
{
    struct coalesced_result result = {.good = false};
    const char *name = coalesced_op_names[op];
    struct launch l = {.bench = b,
                       .structs = (cl_uint)(b->bytes / (4 * words)),
                       .tiles = {.kind = DL_LAYOUT_ASTA, .tile_structs = tile}};
    const struct dl_kernel_note *note =
        texts->notes ? dl_notes_find(texts->notes, name) : NULL;
    cl_int err;

    if (way == WAY_ASTA)
        l.note = note;
    result.as_written = way == WAY_COALESCED && !(note && note->coalesced);
    if (result.as_written || (way == WAY_ASTA && !note))
        return result;
    l.kernel = clCreateKernel(program, name, &err);
    if (err != CL_SUCCESS)
        return result;
    result.good = measure(&l, want, &result);
    clReleaseKernel(l.kernel);
    return result;
}
