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
#include "case_run.h"

enum { ARGS_MAX = 128 };

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;

/* ---- data ---- */

static uint32_t random_state;

/* Words that are small floats, and large positive ints. */
static void fill(unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        random_state = random_state * 1664525u + 1013904223u;
        data[i] = i % 4 == 3   ? 0x3f
                  : i % 4 == 2 ? 0x80 | (random_state >> 26 & 0x7f)
                               : random_state >> 24;
    }
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
            uint64_t aos = i * leaves->struct_bytes + leaf.offset_bytes;
            uint64_t tiled = dl_tiling_leaf_byte(&tiling, leaves->struct_bytes, leaf, i);

            memcpy(to + (to_tiled ? tiled : aos), from + (to_tiled ? aos : tiled),
                   leaf.width_bytes);
        }
    }
}

/* ---- arguments ---- */

enum arg_kind { STRUCTS, WORDS, VALUE, LOCAL };

struct arg {
    enum arg_kind kind;
    const struct dl_buffer_note *note;
    struct dl_leaf_table leaves; /* owned */
    const char *open; /* "/6+2/14+2": bytes of a struct that the language leaves open */
    uint64_t structs;
    size_t extra_bytes; /* behind the structs */
    unsigned same;      /* the argument whose buffer this is; its own number: none's */
    size_t bytes;
    unsigned char value[256];
    unsigned char *initial; /* AoS */
};

static void put_int(struct arg *a, int v)
{
    memcpy(a->value + a->bytes, &v, sizeof v);
    a->bytes += sizeof v;
}

/* Width is what the word `w` stands for. */
static void parse_arg(const char *word, const struct dl_kernel_note *kernel,
                      unsigned index, uint64_t n, int width, struct arg *a)
{
    const char *colon = strchr(word, ':');
    const char *text = colon ? colon + 1 : "";

    memset(a, 0, sizeof *a);
    a->kind = VALUE;
    a->same = index;
    if (!strncmp(word, "same:", 5)) {
        a->same = index + (unsigned)atoi(text);
        a->kind = STRUCTS;
        a->structs = a[(int)a->same - (int)index].structs;
        a->extra_bytes = a[(int)a->same - (int)index].extra_bytes;
        for (size_t b = 0; b < kernel->buffer_count; b++)
            if (kernel->buffers[b].arg_index == index)
                a->note = &kernel->buffers[b];
        ck_assert_msg(a->note != NULL, "argument %u is not annotated", index);
    } else if (!strncmp(word, "structs", 7)) {
        a->kind = STRUCTS;
        for (size_t b = 0; b < kernel->buffer_count; b++)
            if (kernel->buffers[b].arg_index == index)
                a->note = &kernel->buffers[b];
        ck_assert_msg(a->note != NULL, "argument %u is not annotated", index);
        a->structs = n + (word[7] == '+' ? strtoul(word + 8, NULL, 10) : 0);
        a->extra_bytes = word[7] == '~' ? strtoul(word + 8, NULL, 10) : 0;
        a->open = strchr(word, '/');
    } else if (!strncmp(word, "words:", 6)) {
        a->kind = WORDS;
        a->bytes = n * 4 * strtoul(text, NULL, 10);
    } else if (!strcmp(word, "n")) {
        put_int(a, (int)n);
    } else if (!strcmp(word, "w")) {
        put_int(a, width);
    } else if (!strcmp(word, "long:w")) {
        cl_long v = width;

        memcpy(a->value, &v, a->bytes = sizeof v);
    } else if (!strncmp(word, "ints:", 5)) {
        while (*text) {
            put_int(a, *text == 'n' ? (int)n : *text == 'w' ? width : atoi(text));
            text += strcspn(text, ",");
            text += *text == ',';
        }
    } else if (!strncmp(word, "int:", 4) || !strncmp(word, "uint:", 5)) {
        put_int(a, atoi(text));
    } else if (!strncmp(word, "ushort:", 7)) {
        cl_ushort v = (cl_ushort)atoi(text);

        memcpy(a->value, &v, a->bytes = sizeof v);
    } else if (!strncmp(word, "long:", 5)) {
        cl_long v = atol(text);

        memcpy(a->value, &v, a->bytes = sizeof v);
    } else if (!strncmp(word, "float:", 6)) {
        float v = strtof(text, NULL);

        memcpy(a->value, &v, a->bytes = sizeof v);
    } else if (!strncmp(word, "local:", 6)) {
        a->kind = LOCAL;
        a->bytes = strtoul(text, NULL, 10);
    } else {
        ck_abort_msg("unknown argument %s", word);
    }
}

/* What may depend on arguments that come later. */
static void make_buffers(struct arg *args, unsigned arg_count, size_t n)
{
    struct dl_arg_value values[ARGS_MAX];
    struct dl_launch launch = {.work_dim = 1,
                               .global_size = {n, 1, 1},
                               .local_size = {1, 1, 1},
                               .args = values,
                               .arg_count = arg_count};

    for (unsigned i = 0; i < arg_count; i++)
        values[i] = (struct dl_arg_value){args[i].kind == VALUE ? args[i].value : NULL,
                                          args[i].bytes};
    for (unsigned i = 0; i < arg_count; i++) {
        struct arg *a = &args[i];
        int64_t width;

        if (a->kind == STRUCTS) {
            if (a->note->width) {
                ck_assert_int_eq(dl_dimension_eval(a->note->width, &launch, &width, NULL),
                                 DL_OK);
                ck_assert_int_eq(dl_flat_leaves_make(a->note, width, &a->leaves), DL_OK);
            } else {
                ck_assert_int_eq(dl_leaf_table_copy(&a->note->leaves, &a->leaves), DL_OK);
            }
            a->bytes = a->structs * a->leaves.struct_bytes + a->extra_bytes;
        }
        if (a->kind == STRUCTS || a->kind == WORDS) {
            a->initial = calloc(1, a->bytes);
            ck_assert_ptr_nonnull(a->initial);
            fill(a->initial, a->bytes);
        }
    }
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

/* Discrete arrays are what they are: nothing moves them here. */
static bool is_moved(const struct arg *a)
{
    return a->kind == STRUCTS && a->note->native == DL_LAYOUT_AOS;
}

/* Runs on AoS when layout is NULL, and leaves the results, as AoS, in `results`. */
static void run(cl_program program, const char *name, const struct dl_kernel_note *note,
                const struct arg *args, unsigned arg_count, size_t n,
                const struct dl_layout *layout, bool wide, unsigned char **results)
{
    cl_mem mems[ARGS_MAX] = {NULL};
    cl_uint index = arg_count;
    size_t local = 1;
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, name, &err);

    ck_assert_int_eq(err, CL_SUCCESS);
    for (unsigned i = 0; i < arg_count; i++) {
        const struct arg *a = &args[i];

        if (a->same != i) {
            mems[i] = mems[a->same];
            clRetainMemObject(mems[i]);
            err = clSetKernelArg(kernel, i, sizeof(cl_mem), &mems[i]);
        } else if (a->kind == STRUCTS || a->kind == WORDS) {
            unsigned char *data = calloc(1, a->bytes);

            memcpy(data, a->initial, a->bytes);
            if (is_moved(a) && layout)
                move(&a->leaves, *layout, a->structs, a->initial, data, true);
            mems[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                     a->bytes, data, &err);
            ck_assert_int_eq(err, CL_SUCCESS);
            free(data);
            err = clSetKernelArg(kernel, i, sizeof(cl_mem), &mems[i]);
        } else {
            err = clSetKernelArg(kernel, i, a->bytes, a->kind == LOCAL ? NULL : a->value);
        }
        ck_assert_int_eq(err, CL_SUCCESS);
    }
    for (size_t b = 0; layout && b < note->buffer_count; b++) {
        const struct arg *a = &args[note->buffers[b].arg_index];
        struct dl_tiling tiling;

        if (!is_moved(a))
            continue;
        ck_assert_int_eq(dl_layout_tile(*layout, a->structs, &tiling), DL_OK);
        for (int k = 0; k < 2; k++) {
            uint64_t v = k ? tiling.tail_structs : tiling.head_structs;
            uint32_t v32 = (uint32_t)v;

            err = clSetKernelArg(kernel, index++, wide ? 8 : 4,
                                 wide ? (const void *)&v : (const void *)&v32);
            ck_assert_int_eq(err, CL_SUCCESS);
        }
    }
    err = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &local, 0, NULL, NULL);
    ck_assert_int_eq(err, CL_SUCCESS);
    for (unsigned i = 0; i < arg_count; i++) {
        const struct arg *a = &args[i];
        unsigned char *data;

        results[i] = NULL;
        if (!mems[i])
            continue;
        if (a->same != i) {
            clReleaseMemObject(mems[i]);
            continue;
        }
        data = calloc(1, a->bytes);
        results[i] = calloc(1, a->bytes);
        err = clEnqueueReadBuffer(queue, mems[i], CL_TRUE, 0, a->bytes, data, 0, NULL,
                                  NULL);
        ck_assert_int_eq(err, CL_SUCCESS);
        memcpy(results[i], data, a->bytes);
        if (is_moved(a) && layout)
            move(&a->leaves, *layout, a->structs, data, results[i], false);
        free(data);
        clReleaseMemObject(mems[i]);
    }
    clReleaseKernel(kernel);
}

/* True when a byte of a struct is in a list "6+2 14+2", or "/6+2/14+2". */
static bool is_ignored(const char *list, size_t byte)
{
    unsigned offset, bytes;
    int n;

    while (list && sscanf(list += *list == '/', " %u+%u%n", &offset, &bytes, &n) == 2) {
        if (byte >= offset && byte - offset < bytes)
            return true;
        list += n;
    }
    return false;
}

static void compare(const struct case_file *c, const char *build_options, size_t n,
                    const struct arg *args, unsigned arg_count, unsigned char **want,
                    unsigned char **got)
{
    for (unsigned i = 0; i < arg_count; i++) {
        for (size_t b = 0; want[i] && b < args[i].bytes; b++) {
            size_t s = args[i].note ? args[i].leaves.struct_bytes : 1;

            if (args[i].note &&
                (is_ignored(c->ignore, b % s) || is_ignored(args[i].open, b % s)))
                continue;
            ck_assert_msg(
                want[i][b] == got[i][b],
                "%s, %s, n = %zu: argument %u, struct %zu, byte %zu: %02x, not %02x",
                c->name, build_options, n, i, b / s, b % s, got[i][b], want[i][b]);
        }
        free(got[i]);
    }
}

struct variant {
    struct dl_layout layout;
    const char *wide; /* the option for 64-bit indices, or "" */
};

static const struct variant variants[] = {{{DL_LAYOUT_AOS, 1}, ""},
                                          {{DL_LAYOUT_ASTA, 16}, ""},
                                          {{DL_LAYOUT_ASTA, 32}, " -DDL_INDEX_64"},
                                          {{DL_LAYOUT_DA, 16}, ""}};

/* The caller frees it. */
static char *variant_options(const struct variant *v)
{
    char *out;

    if (asprintf(&out, "%s%s", dl_layout_knobs(v->layout).text, v->wide) < 0)
        abort();
    return out;
}

static char *rewritten(const struct case_file *c)
{
    struct dl_annotate_options options = {.file_name = c->path,
                                          .build_options = c->options};
    char *path = case_path(c, ".side"), *text = NULL;
    struct dl_side_file *side = NULL;

    if (!access(path, R_OK))
        ck_assert_int_eq(dl_side_file_load(path, NULL, NULL, &side), DL_OK);
    options.side = side;
    ck_assert_msg(dl_annotate_rewrite(c->text, c->bytes, &options, NULL, NULL, &text) ==
                      DL_OK,
                  "%s", c->name);
    dl_side_file_free(side);
    free(path);
    return text;
}

/* The case's build options, and the environment's (DL_BUILD_OPTIONS). */
static char *with_includes(const struct case_file *c, const char *more)
{
    const char *given = getenv("DL_BUILD_OPTIONS");
    char *out;

    if (asprintf(&out, "%s -I%.*s %s %s", c->options ? c->options : "",
                 (int)(strrchr(c->path, '/') - c->path), c->path, more,
                 given ? given : "") < 0)
        abort();
    return out;
}

void case_run(const struct case_file *c, unsigned which)
{
    static const size_t sizes[] = {1, 15, 16, 17, 31, 32, 33, 61};
    static const int widths[] = {1, 2, 7, 20};
    enum {
        SIZES = sizeof sizes / sizeof *sizes,
        WIDTHS = sizeof widths / sizeof *widths,
        VARIANTS = sizeof variants / sizeof *variants
    };
    char *words[ARGS_MAX + 1], *list, *saved = NULL, *text, *options, *more;
    cl_program native, shadow[VARIANTS];
    const struct dl_kernel_note *note;
    struct dl_notes *notes;
    unsigned word_count = 0;
    bool has_width = false;

    if (!c->run || c->refused)
        return;
    text = rewritten(c);
    ck_assert_int_eq(dl_annotate_scan(text, strlen(text), NULL, NULL, &notes), DL_OK);
    list = strdup(c->run);
    for (char *w = strtok_r(list, " ", &saved); w; w = strtok_r(NULL, " ", &saved)) {
        ck_assert_uint_lt(word_count, ARGS_MAX + 1);
        words[word_count++] = w;
    }
    note = dl_notes_find(notes, words[0]);
    ck_assert_msg(note != NULL, "%s: %s is not transformed", c->name, words[0]);
    ck_assert_uint_eq(note->arg_count, word_count - 1);
    for (size_t b = 0; b < note->buffer_count; b++)
        has_width |= note->buffers[b].width != NULL;
    options = with_includes(c, "");
    native = build(c->text, options, c->name);
    free(options);
    for (size_t v = 0; v < VARIANTS; v++) {
        if (!(which & 1u << v))
            continue;
        more = variant_options(&variants[v]);
        options = with_includes(c, more);
        shadow[v] = build(text, options, c->name);
        free(options);
        free(more);
    }
    for (size_t s = 0; s < SIZES * (has_width ? WIDTHS : 1); s++) {
        struct arg args[ARGS_MAX];
        unsigned char *want[ARGS_MAX], *got[ARGS_MAX];
        size_t n = sizes[s % SIZES];

        random_state = (uint32_t)n;
        for (unsigned i = 0; i + 1 < word_count; i++)
            parse_arg(words[i + 1], note, i, n, widths[s / SIZES], &args[i]);
        make_buffers(args, word_count - 1, n);
        run(native, words[0], note, args, word_count - 1, n, NULL, false, want);
        for (size_t v = 0; v < VARIANTS; v++) {
            if (!(which & 1u << v))
                continue;
            run(shadow[v], words[0], note, args, word_count - 1, n,
                variants[v].layout.kind != DL_LAYOUT_AOS ? &variants[v].layout : NULL,
                *variants[v].wide, got);
            more = variant_options(&variants[v]);
            compare(c, more, n, args, word_count - 1, want, got);
            free(more);
        }
        for (unsigned i = 0; i + 1 < word_count; i++) {
            dl_leaf_table_free(&args[i].leaves);
            free(args[i].initial);
            free(want[i]);
        }
    }
    clReleaseProgram(native);
    for (size_t v = 0; v < VARIANTS; v++)
        if (which & 1u << v)
            clReleaseProgram(shadow[v]);
    dl_notes_free(notes);
    free(list);
    free(text);
}

bool case_run_open(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int err;

    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < count && i < 16; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) ==
            CL_SUCCESS)
            break;
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
