/* SPDX-License-Identifier: MIT */
/* Beginning, ending and judging a round. */
#include "scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/common/random_numbers.h"

const char *const finding_names[FINDINGS] = {
    [WRONG] = "wrong bytes", [UNDUE] = "done although it failed",
    [LOST] = "lost",         [AGAIN] = "fails again",
    [LATE] = "fails late",   [ODD] = "odd error",
};

unsigned pick(struct scene *s, unsigned below)
{
    return random_choice(&s->random, below);
}

/* Once a kind and round. */
void report(struct scene *s, enum finding kind, const char *format, ...)
{
    const char *fired = NULL;
    unsigned nth = 0;
    va_list list;

    if (s->found & 1u << kind)
        return;
    s->found |= 1u << kind;
    if (s->layer)
        fired = s->layer->fired(&nth);
    printf("%s: seed %u, %s%s %u (call %u): command %u (%s): ", finding_names[kind],
           s->seed, s->lasting ? "from " : "", fired ? fired : "no call", nth, s->call,
           s->number, s->what);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
    fflush(stdout);
}

void calm_begin(struct scene *s)
{
    if (s->layer)
        s->layer->hold(true);
}

void calm_end(struct scene *s)
{
    if (s->layer)
        s->layer->hold(false);
}

static bool is_transient(cl_int err)
{
    return err == CL_OUT_OF_RESOURCES || err == CL_OUT_OF_HOST_MEMORY ||
           err == CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

/* ---- host memory ---- */

enum { PAGE_BYTES = (BUFFER_BYTES + 4095) / 4096 * 4096 };

void *page_make(void)
{
    void *page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        abort();
    return page;
}

/* The address is not used again: whoever still works on it crashes. */
static void page_close(void *page)
{
    if (page)
        mprotect(page, PAGE_BYTES, PROT_NONE);
}

static void page_free(void *page)
{
    if (page)
        munmap(page, PAGE_BYTES);
}

/* ---- objects ---- */

/* What is short for a moment only is asked for a second time. */
#define TWICE(s, object, call)                                                           \
    do {                                                                                 \
        cl_int err = CL_SUCCESS;                                                         \
                                                                                         \
        (object) = (call);                                                               \
        if (!(object)) {                                                                 \
            if (!is_transient(err))                                                      \
                report((s), ODD, #object ": %d", err);                                   \
            calm_begin(s);                                                               \
            (object) = (call);                                                           \
            calm_end(s);                                                                 \
        }                                                                                \
    } while (0)

static bool build(struct scene *s)
{
    cl_int built = clBuildProgram(s->program, 1, &s->device, "", NULL, NULL);

    if (built != CL_SUCCESS) {
        if (!is_transient(built))
            report(s, ODD, "clBuildProgram: %d", built);
        calm_begin(s);
        built = clBuildProgram(s->program, 1, &s->device, "", NULL, NULL);
        calm_end(s);
    }
    return built == CL_SUCCESS;
}

static void ask(struct scene *s, cl_program_info name, size_t bytes, void *value)
{
    cl_int err = clGetProgramInfo(s->program, name, bytes, value, NULL);

    if (err == CL_SUCCESS)
        return;
    if (!is_transient(err))
        report(s, ODD, "clGetProgramInfo: %d", err);
    calm_begin(s);
    clGetProgramInfo(s->program, name, bytes, value, NULL);
    calm_end(s);
}

static bool load(struct scene *s, const unsigned char *binary, size_t bytes)
{
    TWICE(s, s->program,
          clCreateProgramWithBinary(s->context, 1, &s->device, &bytes, &binary, NULL,
                                    &err));
    return s->program && build(s);
}

/* As programs that keep their binaries do: the program from source goes, one from its
 * binary comes. */
static bool reload(struct scene *s)
{
    size_t bytes = 0;
    unsigned char *binary;
    bool loaded = false;

    ask(s, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes);
    binary = bytes ? calloc(1, bytes) : NULL;
    if (!binary) {
        report(s, LOST, "there is no binary");
        return false;
    }
    ask(s, CL_PROGRAM_BINARIES, sizeof binary, &binary);
    clReleaseProgram(s->program);
    loaded = load(s, binary, bytes);
    if (s->kept && bytes <= s->kept->room) {
        memcpy(s->kept->binary, binary, bytes);
        s->kept->bytes = bytes;
    }
    free(binary);
    return loaded;
}

bool scene_base_make(struct scene *s)
{
    const char *source = world_source;
    cl_platform_id platform;
    char name[64] = "";

    s->what = "beginning";
    calm_begin(s);
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &s->device, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    calm_end(s);
    s->runs_kernels = !strstr(name, "ake");
    TWICE(s, s->context, clCreateContext(NULL, 1, &s->device, NULL, NULL, &err));
    if (s->kept && s->kept->bytes)
        return load(s, s->kept->binary, s->kept->bytes);
    TWICE(s, s->program, clCreateProgramWithSource(s->context, 1, &source, NULL, &err));
    return build(s) && (!s->reloads || reload(s));
}

void scene_base_free(struct scene *s)
{
    calm_begin(s);
    clReleaseProgram(s->program);
    clReleaseContext(s->context);
    s->program = NULL;
    s->context = NULL;
}

static void make_buffer(struct scene *s, unsigned b)
{
    static const cl_mem_flags flags[BUFFERS] = {CL_MEM_READ_WRITE, CL_MEM_READ_WRITE,
                                                CL_MEM_READ_ONLY, CL_MEM_USE_HOST_PTR};
    struct held_buffer *buffer = &s->buffers[b];
    void *host = buffer->model[TOLD];

    buffer->flags = flags[b];
    for (size_t i = 0; i < BUFFER_BYTES; i++)
        buffer->model[TOLD][i] = (unsigned char)pick(s, 256);
    memcpy(buffer->model[DONE], buffer->model[TOLD], BUFFER_BYTES);
    if (flags[b] & CL_MEM_USE_HOST_PTR) {
        buffer->host = page_make();
        host = memcpy(buffer->host, buffer->model[TOLD], BUFFER_BYTES);
    }
    TWICE(s, buffer->mem,
          clCreateBuffer(s->context, flags[b] | (buffer->host ? 0 : CL_MEM_COPY_HOST_PTR),
                         BUFFER_BYTES, host, &err));
}

bool scene_begin(struct scene *s)
{
    s->random = s->seed * 0x9E3779B97F4A7C15u + 1;
    for (unsigned i = 0; i < 4; i++)
        pick(s, 2);
    s->what = "beginning";
    for (unsigned q = 0; q < QUEUES; q++)
        TWICE(s, s->queues[q],
              clCreateCommandQueue(
                  s->context, s->device,
                  q == QUEUES - 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &err));
    TWICE(s, s->step, clCreateKernel(s->program, "advance", &err));
    TWICE(s, s->plain, clCreateKernel(s->program, "plain", &err));
    TWICE(s, s->shift, clCreateKernel(s->program, "shift", &err));
    TWICE(s, s->total, clCreateKernel(s->program, "total", &err));
    for (unsigned b = 0; b < BUFFERS; b++)
        make_buffer(s, b);
    for (unsigned b = 0; b < BUFFERS; b++) {
        if (!s->buffers[b].mem)
            return false;
    }
    return s->queues[QUEUES - 1] && s->step && s->plain && s->shift && s->total;
}

void scene_end(struct scene *s)
{
    calm_begin(s);
    for (unsigned b = 0; b < BUFFERS; b++) {
        if (s->buffers[b].mem)
            clReleaseMemObject(s->buffers[b].mem);
        s->buffers[b].mem = NULL;
    }
    clReleaseKernel(s->total);
    clReleaseKernel(s->shift);
    clReleaseKernel(s->plain);
    clReleaseKernel(s->step);
    for (unsigned q = 0; q < QUEUES; q++) {
        clFinish(s->queues[q]);
        clReleaseCommandQueue(s->queues[q]);
    }
    for (unsigned b = 0; b < BUFFERS; b++) {
        page_free(s->buffers[b].host);
        s->buffers[b].host = NULL;
    }
}

/* ---- judging ---- */

/* What another queue waits for is submitted, or it waits for ever. */
static void flush(struct scene *s, unsigned queue)
{
    if (clFlush(s->queues[queue]) == CL_SUCCESS)
        return;
    calm_begin(s);
    clFlush(s->queues[queue]);
    calm_end(s);
}

cl_uint waits_of(struct scene *s, const cl_event **list)
{
    static cl_event both[2];
    cl_uint count = 0;

    if (s->gate && s->gated++ == 0)
        both[count++] = s->gate;
    /* An in-order queue needs no list, and is now and then given one. */
    if (s->last && (s->last_queue != s->queue || s->queue == QUEUES - 1 || pick(s, 2))) {
        if (s->last_queue != s->queue)
            flush(s, s->last_queue);
        both[count++] = s->last;
    }
    *list = count ? both : NULL;
    return count;
}

static void compare(struct scene *s, unsigned b, const unsigned char *seen,
                    unsigned char *const want[MODELS], size_t bytes)
{
    size_t at = 0;

    if (s->buffers[b].unknown || memcmp(seen, want[TOLD], bytes) == 0)
        return;
    while (seen[at] == want[TOLD][at])
        at++;
    report(s, memcmp(seen, want[DONE], bytes) == 0 ? UNDUE : WRONG,
           "buffer %u, byte %zu of %zu is %u, not %u", b, at, bytes, seen[at],
           want[TOLD][at]);
    s->buffers[b].unknown = true; /* said once */
}

struct pending *ended(struct scene *s, cl_int err, cl_event event, unsigned buffer,
                      void *page)
{
    struct pending *pending;

    if (err != CL_SUCCESS) {
        unsigned nth;

        if (!is_transient(err))
            report(s, ODD, "error %d", err);
        if (s->layer && !s->layer->fired(&nth))
            report(s, AGAIN, "error %d before anything failed", err);
        else if (s->failed_before && !s->lasting)
            report(s, AGAIN, "error %d", err);
        s->failed_before = true;
        page_close(page);
        event = NULL;
    }
    if (s->pending_count == PENDING_MAX)
        abort();
    pending = &s->pending[s->pending_count++];
    *pending =
        (struct pending){.what = s->what, .event = event, .buffer = buffer, .page = page};
    if (event) {
        s->last = event;
        s->last_queue = s->queue;
    }
    return pending;
}

static void settle_one(struct scene *s, struct pending *pending)
{
    cl_int status = CL_COMPLETE;

    if (pending->event) {
        clGetEventInfo(pending->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                       &status, NULL);
        s->what = pending->what;
        if (status != CL_COMPLETE) {
            report(s, LATE, "event %d", status);
            s->buffers[pending->buffer].unknown = true;
        } else if (pending->want[TOLD]) {
            compare(s, pending->buffer, pending->page, pending->want, pending->bytes);
        }
        clReleaseEvent(pending->event);
    }
    page_free(pending->page);
    free(pending->want[TOLD]);
    free(pending->want[DONE]);
}

void settle(struct scene *s)
{
    const char *what = s->what;

    if (s->gate) {
        cl_int err = clSetUserEventStatus(s->gate, CL_COMPLETE);

        if (err != CL_SUCCESS) {
            calm_begin(s);
            clSetUserEventStatus(s->gate, CL_COMPLETE);
            calm_end(s);
        }
    }
    for (unsigned q = 0; q < QUEUES; q++)
        clFinish(s->queues[q]);
    calm_begin(s);
    for (unsigned q = 0; q < QUEUES; q++)
        clFinish(s->queues[q]);
    for (unsigned i = 0; i < s->pending_count; i++)
        settle_one(s, &s->pending[i]);
    if (s->gate)
        clReleaseEvent(s->gate);
    calm_end(s);
    s->what = what;
    s->pending_count = 0;
    s->last = NULL;
    s->gate = NULL;
    s->gated = 0;
}

static void read_all(struct scene *s, unsigned b, const char *when)
{
    struct held_buffer *buffer = &s->buffers[b];
    unsigned char *want[MODELS] = {buffer->model[TOLD], buffer->model[DONE]};
    unsigned char seen[BUFFER_BYTES];
    cl_int err = clEnqueueReadBuffer(s->queues[0], buffer->mem, CL_TRUE, 0, BUFFER_BYTES,
                                     seen, 0, NULL, NULL);

    s->what = when;
    if (err != CL_SUCCESS) {
        report(s, LOST, "buffer %u can't be read: %d", b, err);
        return;
    }
    compare(s, b, seen, want, BUFFER_BYTES);
    memcpy(buffer->model[TOLD], seen, BUFFER_BYTES);
    memcpy(buffer->model[DONE], seen, BUFFER_BYTES);
    buffer->unknown = false;
}

void check_all(struct scene *s)
{
    static unsigned char bytes[BUFFER_BYTES];
    cl_int err;

    settle(s);
    calm_begin(s);
    s->last_launches = s->layer ? s->layer->launches() : 0;
    for (unsigned b = 0; b < BUFFERS; b++)
        read_all(s, b, "read at the end");
    for (unsigned b = 0; b < BUFFERS; b++) {
        struct held_buffer *buffer = &s->buffers[b];

        if (buffer->flags & CL_MEM_READ_ONLY)
            continue;
        err = launch(s, s->queues[0], s->step, buffer->mem, NULL, ITEMS, 0, NULL, NULL);
        s->what = "launch at the end";
        if (err != CL_SUCCESS)
            report(s, LOST, "buffer %u: %d", b, err);
        for (unsigned m = 0; m < MODELS && s->runs_kernels && err == CL_SUCCESS; m++)
            model_step(buffer->model[m], ITEMS);
        clFinish(s->queues[0]);
        read_all(s, b, "read behind a launch at the end");
    }
    for (unsigned b = 0; b < BUFFERS; b++) {
        memset(bytes, (int)(b + 1), sizeof bytes);
        err = clEnqueueWriteBuffer(s->queues[0], s->buffers[b].mem, CL_TRUE, 0,
                                   BUFFER_BYTES, bytes, 0, NULL, NULL);
        s->what = "write at the end";
        if (err != CL_SUCCESS)
            report(s, LOST, "buffer %u can't be written: %d", b, err);
        memcpy(s->buffers[b].model[TOLD], bytes, BUFFER_BYTES);
        memcpy(s->buffers[b].model[DONE], bytes, BUFFER_BYTES);
        read_all(s, b, "read behind a write at the end");
    }
    s->last_launches = s->layer ? s->layer->launches() - s->last_launches : 0;
}
