/* SPDX-License-Identifier: MIT */
/* Runs a case as written and rewritten, and compares the bytes. Data is brought to the
 * tiled layout and back by the formula alone, on the host. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "device.h"
#include "case_args.h"
#include "case_compare.h"
#include "case_run.h"

/* The cases call vload_half2(float2) and vstore_half2(float2), too. */
static cl_context context;
static cl_command_queue queue;
static cl_device_id device;
static bool is_optimised = true;

void case_run_optimise(bool optimise)
{
    is_optimised = optimise;
}

/* ---- data ---- */

/* Discrete arrays are what they are: nothing moves them here. */
static bool is_rewritten(const struct arg *a)
{
    return a->kind == STRUCTS && a->note->native == DL_LAYOUT_AOS;
}

/* Those of the program's own go to tiles alone. */
static bool is_moved(const struct arg *a, const struct dl_layout *layout)
{
    return is_rewritten(a) && layout &&
           (!a->note->arrays || layout->kind == DL_LAYOUT_ASTA);
}

static void move(const struct dl_leaf_table *leaves, struct dl_layout layout,
                 uint64_t structs, const unsigned char *from, unsigned char *to,
                 bool to_tiled)
{
    struct dl_tiling tiling;

    ck_assert_int_eq(dl_layout_tile(layout, structs, &tiling), DL_OK);
    for (uint64_t i = 0; i < structs; i++) {
        for (uint32_t l = 0; l < leaves->leaf_count; l++) {
            struct dl_leaf leaf = leaves->leaves[l];
            uint64_t aos = leaves->arrays
                               ? leaf.offset_bytes * structs + i * leaf.width_bytes
                               : i * leaves->struct_bytes + leaf.offset_bytes;
            uint64_t tiled = dl_tiling_leaf_byte(&tiling, leaves->struct_bytes, leaf, i);

            memcpy(to + (to_tiled ? tiled : aos), from + (to_tiled ? aos : tiled),
                   leaf.width_bytes);
        }
    }
}

/* ---- what is run ---- */

struct variant {
    struct dl_layout layout;
    const char *more; /* another knob, or "" */
    bool wide;        /* which is that of 64-bit indices */
    bool coalesced;   /* of kernels with a second text, by one work-group where that can't
                         be seen */
    bool as_written;  /* the program's own text */
};

static const struct variant variants[] = {
    {{DL_LAYOUT_AOS, 1}, "", false, false, false},
    {{DL_LAYOUT_ASTA, 16}, "", false, false, false},
    {{DL_LAYOUT_ASTA, 32}, " -DDL_INDEX_64", true, false, false},
    {{DL_LAYOUT_DA, 16}, "", false, false, false},
    {{DL_LAYOUT_SOA, 0}, " -DDL_ARRAYS", false, false, false},
    {{DL_LAYOUT_AOS, 0}, " -DDL_COALESCED -DDL_GROUP_LEAST(a,b)=0", false, true, false},
    {{DL_LAYOUT_AOS, 0}, " -cl-opt-disable", false, false, true}};

enum { VARIANTS = sizeof variants / sizeof *variants };

/* A case's programs and the words of its line `run:`: the kernel's name, then its
 * arguments. */
struct case_programs {
    const struct case_file *file;
    unsigned which; /* variants */
    char *list, *words[ARGS_MAX + 1];
    unsigned word_count;
    struct dl_notes *notes, *hand_notes; /* hand-made: of the text as it is annotated */
    const struct dl_kernel_note *note, *hand_note;
    cl_program native, shadow[VARIANTS];
};

static bool is_wanted(const struct case_programs *c, size_t variant)
{
    return c->which & 1u << variant &&
           (!variants[variant].coalesced || c->note->coalesced);
}

/* True when a kernel may see how it is cut into work-groups. */
static bool tells_groups(const struct case_file *c)
{
    return strstr(c->text, "get_local") || strstr(c->text, "get_group") ||
           strstr(c->text, "get_num_groups");
}

/* ---- running ---- */

static cl_program build(const char *text, const char *options, const char *name)
{
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);

    ck_assert_int_eq(err, CL_SUCCESS);
    err = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (err) {
        static char log[65536];

        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                              NULL);
        ck_abort_msg("%s with '%s': %s", name, options ? options : "", log);
    }
    return program;
}

/* A buffer of the argument's data, in the layout. */
static cl_mem buffer_make(const struct arg *a, const struct dl_layout *layout)
{
    unsigned char *data = calloc(1, a->bytes);
    cl_mem mem;
    cl_int err;

    memcpy(data, a->initial, a->bytes);
    if (is_moved(a, layout))
        move(&a->leaves, *layout, a->structs, a->initial, data, true);
    mem = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, a->bytes,
                         data, &err);
    ck_assert_int_eq(err, CL_SUCCESS);
    free(data);
    return mem;
}

/* What the buffer holds, as AoS; the caller frees it. */
static unsigned char *buffer_read(const struct arg *a, const struct dl_layout *layout,
                                  cl_mem mem)
{
    unsigned char *data = calloc(1, a->bytes), *aos = calloc(1, a->bytes);

    ck_assert_int_eq(
        clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, a->bytes, data, 0, NULL, NULL),
        CL_SUCCESS);
    memcpy(aos, data, a->bytes);
    if (is_moved(a, layout))
        move(&a->leaves, *layout, a->structs, data, aos, false);
    free(data);
    return aos;
}

/* The struct counts that a rewritten kernel takes behind its own arguments, from `index`
 * on. */
static void hidden_args_set(cl_kernel kernel, cl_uint index,
                            const struct dl_kernel_note *note, const struct arg *args,
                            const struct dl_layout *layout, bool wide)
{
    for (size_t b = 0; b < note->buffer_count; b++) {
        const struct arg *a = &args[note->buffers[b].arg_index];
        struct dl_tiling tiling;

        if (!is_rewritten(a))
            continue;
        ck_assert_int_eq(dl_layout_tile(*layout, a->structs, &tiling), DL_OK);
        if (a->note->arrays) {
            tiling.head_structs = is_moved(a, layout) ? tiling.head_structs : 0;
            tiling.tail_structs = a->leaves.leaf_count;
        }
        for (int k = 0; k < 2; k++) {
            uint64_t v = k ? tiling.tail_structs : tiling.head_structs;
            uint32_t v32 = (uint32_t)v;
            cl_int err = clSetKernelArg(kernel, index++, wide ? 8 : 4,
                                        wide ? (const void *)&v : (const void *)&v32);
            ck_assert_int_eq(err, CL_SUCCESS);
        }
    }
}

/* Runs on AoS when layout is NULL, and leaves the results, as AoS, in `results`. */
static void run(cl_program program, const struct case_programs *c, const struct arg *args,
                unsigned arg_count, size_t n, const struct dl_layout *layout, bool wide,
                size_t local, unsigned char **results)
{
    cl_mem mems[ARGS_MAX] = {NULL};
    const char *name = c->words[0];
    const struct dl_kernel_note *note = c->note;
    size_t global = (n + local - 1) / local * local;
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, name, &err);

    ck_assert_int_eq(err, CL_SUCCESS);
    for (unsigned i = 0; i < arg_count; i++) {
        const struct arg *a = &args[i];

        if (a->kind == STRUCTS || a->kind == WORDS) {
            mems[i] = a->same != i ? mems[a->same] : buffer_make(a, layout);
            err = clSetKernelArg(kernel, i, sizeof(cl_mem), &mems[i]);
        } else {
            err = clSetKernelArg(kernel, i, a->bytes, a->kind == LOCAL ? NULL : a->value);
        }
        ck_assert_int_eq(err, CL_SUCCESS);
    }
    if (layout)
        hidden_args_set(kernel, arg_count, note, args, layout, wide);
    err = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    ck_assert_int_eq(err, CL_SUCCESS);
    err = clFinish(queue);
    ck_assert_msg(err == CL_SUCCESS, "%s, n = %zu, tiles of %u (0: as written): error %d",
                  c->file->name, n, layout ? layout->tile_structs : 0, err);
    for (unsigned i = 0; i < arg_count; i++) {
        results[i] = NULL;
        if (!mems[i] || args[i].same != i)
            continue;
        results[i] = buffer_read(&args[i], layout, mems[i]);
        clReleaseMemObject(mems[i]);
    }
    clReleaseKernel(kernel);
}

/* The caller frees it. */
/* Of a text rewritten for it the kernel is built alone, as DL does. */
static char *variant_options(const struct case_programs *c, size_t v)
{
    bool alone = c->notes->apart && !variants[v].as_written;
    struct dl_layout_knobs knobs;
    char *out;

    dl_layout_knobs(&variants[v].layout, &knobs);
    if (asprintf(&out, "%s%s%s%s", knobs.text, variants[v].more,
                 alone ? " -DDL_ONLY -DDL_WITH_" : "", alone ? c->note->name : "") < 0)
        abort();
    return out;
}

/* NULL: nothing is found in a bare text. */
static char *rewritten(const struct case_file *c, const char *from, bool detect)
{
    enum dl_status st;
    struct dl_annotate_options options = {.file_name = c->path,
                                          .build_options = c->options,
                                          .detect = detect,
                                          .coalesced = true,
                                          .apart = true};
    char *path = case_path(c, ".side"), *text = NULL;
    struct dl_side_file *side = NULL;

    if (c->as) {
        free(path);
        return strdup(c->as);
    }
    if (!access(path, R_OK))
        ck_assert_int_eq(dl_side_file_load(path, NULL, NULL, &side), DL_OK);
    options.side = side;
    st = dl_annotate_rewrite(from, strlen(from), &options, NULL, NULL, &text);
    ck_assert_msg(st == DL_OK || (from == c->bare && st == DL_EREFUSED), "%s", c->name);
    dl_side_file_free(side);
    free(path);
    return text;
}

/* The case's build options, and the environment's (DL_BUILD_OPTIONS). */
static char *with_includes(const struct case_file *c, const char *more)
{
    const char *given = getenv("DL_BUILD_OPTIONS");
    char *out;

    if (asprintf(&out, "%s -I%.*s %s %s%s", c->options ? c->options : "",
                 (int)(strrchr(c->path, '/') - c->path), c->path, more,
                 given ? given : "",
                 is_optimised || c->optimised ? "" : " -cl-opt-disable") < 0)
        abort();
    return out;
}

static void words_split(struct case_programs *c)
{
    char *saved = NULL;

    c->list = strdup(c->file->run);
    for (char *w = strtok_r(c->list, " ", &saved); w; w = strtok_r(NULL, " ", &saved)) {
        ck_assert_uint_lt(c->word_count, ARGS_MAX + 1);
        c->words[c->word_count++] = w;
    }
}

static const struct dl_kernel_note *note_of(const struct case_programs *c,
                                            const char *text, struct dl_notes **notes)
{
    const struct dl_kernel_note *note;

    ck_assert_int_eq(dl_annotate_scan(text, strlen(text), NULL, NULL, notes), DL_OK);
    note = dl_notes_find(*notes, c->words[0]);
    ck_assert_msg(note != NULL, "%s: %s is not rewritten", c->file->name, c->words[0]);
    ck_assert_uint_eq(note->arg_count, c->word_count - 1);
    return note;
}

/* OpenCL C 2.0 is optional in OpenCL 3.0. */
static bool device_has_version_of(const struct case_file *file)
{
    const char *text = "__kernel void nothing(void) {}";
    cl_program program;
    cl_int err;

    if (!file->options || !strstr(file->options, "-cl-std=CL2.0"))
        return true;
    program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    err = clBuildProgram(program, 1, &device, "-cl-std=CL2.0", NULL, NULL);
    clReleaseProgram(program);
    if (err != CL_SUCCESS)
        fprintf(stderr, "case %s is left out: the device has no OpenCL C 2.0\n",
                file->name);
    return err == CL_SUCCESS;
}

/* False: nothing was found in its bare text. */
static bool programs_build(struct case_programs *c)
{
    const struct case_file *file = c->file;
    const char *from = file->bare ? file->bare : file->text;
    char *text = rewritten(file, from, file->detect), *by_hand, *options, *more;

    if (!text)
        return false;
    c->note = c->hand_note = note_of(c, text, &c->notes);
    if (file->bare) {
        by_hand = rewritten(file, file->text, false);
        c->hand_note = note_of(c, by_hand, &c->hand_notes);
        free(by_hand);
    }
    options = with_includes(file, "");
    c->native = build(from, options, file->name);
    free(options);
    for (size_t v = 0; v < VARIANTS; v++) {
        if (!is_wanted(c, v))
            continue;
        more = variant_options(c, v);
        options = with_includes(file, more);
        c->shadow[v] = build(variants[v].as_written ? from : text, options, file->name);
        free(options);
        free(more);
    }
    free(text);
    return true;
}

static void programs_free(struct case_programs *c)
{
    clReleaseProgram(c->native);
    for (size_t v = 0; v < VARIANTS; v++)
        if (is_wanted(c, v))
            clReleaseProgram(c->shadow[v]);
    dl_notes_free(c->notes);
    dl_notes_free(c->hand_notes);
}

/* True when nothing lies behind the structs of any buffer. */
static bool all_whole(const struct arg *args, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (is_rewritten(&args[i]) && !args[i].note->arrays &&
            args[i].bytes != args[i].structs * args[i].leaves.struct_bytes)
            return false;
    return true;
}

/* Runs the program as written and every variant with n structs, and compares. False: it
 * has a buffer that can't be tiled. */
static bool size_run(const struct case_programs *c, size_t n, int width)
{
    struct arg args[ARGS_MAX];
    unsigned char *want[ARGS_MAX] = {NULL}, *got[ARGS_MAX];
    unsigned arg_count = c->word_count - 1;
    size_t local = c->file->group ? c->file->group : 1;
    bool fit;
    char *more;

    args_make(c->words + 1, arg_count, c->hand_note, n, width, args);
    fit = c->hand_note == c->note || args_detected(c->note, args, arg_count, n);
    if (!fit)
        goto out;
    run(c->native, c, args, arg_count, n, NULL, false, local, want);
    for (size_t v = 0; v < VARIANTS; v++) {
        if (!is_wanted(c, v) ||
            (variants[v].layout.kind == DL_LAYOUT_SOA && !all_whole(args, arg_count)))
            continue;
        run(c->shadow[v], c, args, arg_count, n,
            variants[v].layout.kind != DL_LAYOUT_AOS ? &variants[v].layout : NULL,
            variants[v].wide,
            variants[v].coalesced && !c->file->group && !tells_groups(c->file) ? n
                                                                               : local,
            got);
        more = variant_options(c, v);
        case_compare(c->file, more, n, args, arg_count, want, got);
        free(more);
    }
out:
    for (unsigned i = 0; i < arg_count; i++)
        free(want[i]);
    args_free(args, arg_count);
    return fit;
}

size_t case_run(const struct case_file *file, unsigned which)
{
    static const size_t sizes[] = {1, 15, 16, 17, 31, 32, 33, 61};
    static const int widths[] = {1, 2, 7, 20};
    enum {
        SIZES = sizeof sizes / sizeof *sizes,
        WIDTHS = sizeof widths / sizeof *widths
    };
    struct case_programs c = {.file = file, .which = which};
    bool has_width = false, fit = true;
    size_t found = 0;

    if (!file->run || file->refused || !device_has_version_of(file))
        return 0;
    words_split(&c);
    if (programs_build(&c)) {
        for (size_t b = 0; b < c.hand_note->buffer_count; b++)
            has_width |= c.hand_note->buffers[b].width != NULL;
        for (size_t s = 0; s < SIZES * (has_width ? WIDTHS : 1) && fit; s++)
            fit = size_run(&c, sizes[s % SIZES], widths[s / SIZES]);
        found = fit ? c.note->buffer_count : 0;
        programs_free(&c);
    }
    free(c.list);
    return found;
}

bool case_run_open(void)
{
    cl_int err;

    device = device_find(CL_DEVICE_TYPE_CPU);
    if (!device)
        return false;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    queue = clCreateCommandQueue(context, device, 0, &err);
    return err == CL_SUCCESS;
}

void case_run_close(void)
{
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
