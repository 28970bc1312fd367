/* SPDX-License-Identifier: MIT */
/* dl-bench coalesced: whole structs that a kernel loads and stores, by plain access, by
 * work-groups together, and in tiles (Catanzaro 2014, figures 8 and 9 in kind). */
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"
#include "marshal_kernels/marshal.h"
#include "tools/dl-bench/bench.h"

#define COALESCED_OPTION_MAP(X)                                                          \
    BENCH_DEVICE(X)                                                                      \
    X(bytes, "N", "", "@4K-4G", "bytes of a buffer, as 64M; default 1G, 16M on a CPU")   \
    X(words, "LIST", "2-16,24,32,48,64", "#1-512/64", "words of 4 bytes in a struct")    \
    X(ops, "LIST", "copy,store,assign,update,gather,scatter,sum,members,lookup", "*",    \
      "what the kernels do; members and lookup (random) read them one by one")           \
    X(ways, "LIST", "plain,vector,header,coalesced,asta", "*",                           \
      "how they access the structs; vector: as written with members of 16 bytes, "       \
      "header: by include/dl_coalesced.clh")                                             \
    X(group, "N", "128", "1-1024", "work-items in a group")                              \
    BENCH_REPS(X, "5")                                                                   \
    X(defines, "TEXT", "", "",                                                           \
      "more build options for coalesced and header: knobs of "                           \
      "annotate/coalesce/group.cl")                                                      \
    BENCH_CSV(X)

struct coalesced_options {
    COALESCED_OPTION_MAP(BENCH_FIELD)
};

static const struct bench_option options_known[] = {COALESCED_OPTION_MAP(BENCH_ROW)};
static const struct bench_command command = {
    "usage: dl-bench coalesced [options]\n"
    "Kernels that access whole structs, by size: as written, by work-groups together "
    "(--layout\n"
    "coalesced) and in tiles, all checked against the first. GB/s count what has to "
    "move, once.\n",
    options_known, COUNT(options_known), NULL};

enum { SIZES_MAX = 64, TILE = 32 };
enum coalesced_way { WAY_PLAIN, WAY_VECTOR, WAY_HEADER, WAY_COALESCED, WAY_ASTA, WAYS };
static const char *const way_names[WAYS] = {"plain", "vector", "header", "coalesced",
                                            "asta"};

/* An operation is a kernel with the arguments (from, to, places, n). In its body `item`
 * is a struct of words, SUM its members put together, FILL all of them set, UPDATE all of
 * them changed; i is the work-item. */
struct op {
    const char *name;
    unsigned structs, words; /* that move: structs, and words of other buffers */
    const char *from, *to, *body;
    const char *by_header; /* by the header for authors of kernels; NULL: it reads
                              members, and members of four words would be others */
};

#define GUARD "    if (i >= n)\n        return;\n"
#define LOAD "    item s = from[i];\n"
#define STORE "    to[i] = s;\n"
#define READ_MEMBERS(at) "    uint r = 0;\n    SUM(" at ")\n    to[i] = r;\n"

static const struct op ops[] = {
    {"copy", 2, 0, "item", "item", GUARD LOAD STORE, "LOAD(i); STORE(i);\n"},
    {"store", 1, 0, "uint", "item", GUARD "    item s;\n    FILL\n" STORE,
     "item s;\n    FILL\n    STORE(i);\n"},
    {"assign", 2, 0, "item", "item", "    if (i < n)\n        to[i] = from[i];\n",
     "LOAD(i); STORE(i);\n"},
    {"update", 2, 0, "uint", "item", GUARD "    item s = to[i];\n    UPDATE\n" STORE,
     NULL},
    {"gather", 2, 1, "item", "item", GUARD "    item s = from[places[i]];\n" STORE,
     "LOAD(places[i]); STORE(i);\n"},
    {"scatter", 2, 1, "item", "item", GUARD LOAD "    to[places[i]] = s;\n",
     "LOAD(i); STORE(places[i]);\n"},
    {"sum", 1, 1, "item", "uint", GUARD LOAD READ_MEMBERS("s"), NULL},
    {"members", 1, 1, "item", "uint", GUARD READ_MEMBERS("from[i]"), NULL},
    {"lookup", 1, 2, "item", "uint",
     GUARD "    const uint j = places[i];\n" READ_MEMBERS("from[j]"), NULL},
};
enum { OPS = COUNT(ops) };

/* The kernels of one size of struct, by way; asta's are the coalesced ones, NULL where
 * neither is wanted. */
struct coalesced_texts {
    char *of[WAYS];
    struct dl_notes *notes;
};

enum helper { ORDER, COMPARE };

struct coalesced_bench {
    struct coalesced_options options;
    struct device device;
    struct dl_marshal *marshal;
    struct kernels helpers; /* of coalesced.cl, by enum helper */
    cl_mem from, to, wanted, places;
    uint64_t bytes;
    cl_ulong local_bytes; /* of the device's local memory */
    size_t group;
    int reps;
    unsigned sizes[SIZES_MAX];
    size_t size_count;
    FILE *csv;
    /* Of the size that is being run. */
    struct coalesced_texts texts;
    cl_program programs[WAYS];
    unsigned words, tile;
    cl_uint structs;
};

struct coalesced_result {
    bool as_written; /* the kernel has no such text: it was not run */
    bool good;       /* it was run */
    cl_uint errors;
    double seconds;
};

extern const char bench_header_clh[]; /* include/dl_coalesced.clh */

/* The body of an operation, with the lines that stand for each member. Where members are
 * of four words (`type` is uint4), `words` counts them, and SUM and UPDATE give something
 * else. */
static void body_print(FILE *out, const char *type, unsigned words, const char *body)
{
    for (const char *at = body; *at;) {
        const char *line = strchr(at, '\n') + 1, *text = at + strspn(at, " ");
        const int sum_bytes = (int)strcspn(text + 4, ")");

        if (strncmp(text, "SUM(", 4) != 0 && strncmp(text, "UPDATE", 6) != 0 &&
            strncmp(text, "FILL", 4) != 0)
            fprintf(out, "%.*s", (int)(line - at), at);
        else
            for (unsigned w = 0; w < words; w++)
                if (*text == 'S')
                    fprintf(out, "    r = r * 5 + %.*s.m%u%s;\n", sum_bytes, text + 4, w,
                            type[4] ? ".x" : "");
                else if (*text == 'F')
                    fprintf(out, "    s.m%u = i * 3;\n", w);
                else
                    fprintf(out, "    s.m%u = s.m%u * 3 + %u;\n", w, w, w);
        at = line;
    }
}

static void kernel_print(FILE *out, const struct op *op, const char *type, unsigned words)
{
    const bool both = *op->from == 'i' && *op->to == 'i';

    fprintf(out,
            "//DL: AoS: %s\n"
            "__kernel void %s(__global const %s *from, __global %s *to,\n"
            "                 __global const uint *places, uint n)\n"
            "{\n"
            "    const uint i = get_global_id(0);\n\n",
            both               ? "from[n], to[n]"
            : *op->from == 'i' ? "from[n]"
                               : "to[n]",
            op->name, op->from, op->to);
    body_print(out, type, words, op->body);
    fputs("}\n\n", out);
}

static void header_kernel_print(FILE *out, const struct op *op, unsigned words)
{
    fprintf(out,
            "__kernel __attribute__((reqd_work_group_size(DL_GROUP_ITEMS, 1, 1)))\n"
            "void %s(__global const %s *from, __global item *to,\n"
            "        __global const uint *places, uint n)\n"
            "{\n"
            "    __local DL_COALESCED_ROOM(item, DL_GROUP_ITEMS) room;\n"
            "    const uint i = get_global_id(0);\n"
            "    ",
            op->name, op->from);
    body_print(out, "uint", words, op->by_header);
    fputs("}\n\n", out);
}

/* The struct and the kernels of all operations; by the header those that have one. */
static char *text_make(const char *type, unsigned words, bool by_header)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    fprintf(out, "typedef struct {\n    %s ", type);
    for (unsigned w = 0; w < words; w++)
        fprintf(out, "%sm%u", w ? ", " : "", w);
    fputs(";\n} item;\n\n", out);
    if (by_header)
        fprintf(out, "%s%s", bench_header_clh,
                "DL_COALESCED(item)\n"
                "#define LOAD(j) item s = item_load(i < n ? from + (j) : 0, &room)\n"
                "#define STORE(j) item_store(i < n ? to + (j) : 0, s, &room)\n");
    for (size_t o = 0; o < OPS; o++) {
        if (!by_header)
            kernel_print(out, &ops[o], type, words);
        else if (ops[o].by_header)
            header_kernel_print(out, &ops[o], words);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static void say(void *user, const struct dl_remark *remark)
{
    (void)user;
    if (remark->severity != DL_REMARK)
        fprintf(stderr, "dl-bench: line %u: %s\n", remark->line, remark->text);
}

static void coalesced_texts_free(struct coalesced_texts *texts)
{
    for (int way = 0; way < WAYS; way++)
        free(texts->of[way]);
    dl_notes_free(texts->notes);
    *texts = (struct coalesced_texts){.notes = NULL};
}

/* The text of all kernels, and what the transformer makes of it. False after a line on
 * standard error. */
static bool coalesced_texts_make(unsigned words, bool rewrite,
                                 struct coalesced_texts *out)
{
    struct dl_annotate_options options = {.coalesced = true};
    const char *plain;
    char **rewritten = &out->of[WAY_COALESCED];
    enum dl_status st = DL_OK;

    *out = (struct coalesced_texts){
        .of = {[WAY_PLAIN] = text_make("uint", words, false),
               [WAY_VECTOR] = text_make("uint4", words / 4, false),
               [WAY_HEADER] = text_make("uint", words, true)}};
    plain = out->of[WAY_PLAIN];
    if (!plain || !out->of[WAY_VECTOR] || !out->of[WAY_HEADER])
        st = DL_ENOMEM;
    if (st == DL_OK && rewrite)
        st = dl_annotate_rewrite(plain, strlen(plain), &options, say, NULL, rewritten);
    if (st == DL_OK && rewrite)
        st = dl_annotate_scan(*rewritten, strlen(*rewritten), say, NULL, &out->notes);
    if (st == DL_OK)
        return true;
    fprintf(stderr, "dl-bench: the kernels can't be rewritten: %s\n", dl_status_name(st));
    coalesced_texts_free(out);
    return false;
}

/* Built for one way; NULL after a line on standard error. */
static cl_program coalesced_build(const struct coalesced_bench *b, enum coalesced_way way)
{
    const struct dl_layout tiles = {.kind = DL_LAYOUT_ASTA, .tile_structs = b->tile};
    const char *text = b->texts.of[way == WAY_ASTA ? WAY_COALESCED : way];
    struct dl_layout_knobs knobs;
    char options[sizeof knobs + 512] = "";
    cl_program program;
    cl_int err;

    if (way == WAY_ASTA) {
        dl_layout_knobs(&tiles, &knobs);
        strcpy(options, knobs.text);
    } else if (way == WAY_HEADER || way == WAY_COALESCED) {
        /* Of local memory as the interposer does. */
        snprintf(options, sizeof options, "-DDL_GROUP_ITEMS=%zu %s %s %.400s", b->group,
                 way == WAY_COALESCED ? "-DDL_COALESCED" : "",
                 way == WAY_COALESCED && b->local_bytes >= 48 << 10
                     ? "-DDL_GROUP_WORDS=8192"
                     : "",
                 b->options.defines);
    }
    program = clCreateProgramWithSource(b->device.context, 1, &text, NULL, &err);
    if (err == CL_SUCCESS &&
        b->device.cl.clBuildProgram(program, 1, &b->device.id, options, NULL, NULL) ==
            CL_SUCCESS)
        return program;
    fprintf(stderr, "dl-bench: the kernels don't build with '%s'\n", options);
    if (program)
        clReleaseProgram(program);
    return NULL;
}

extern const char bench_coalesced_cl[];

static void coalesced_close(struct coalesced_bench *b)
{
    if (b->csv)
        fclose(b->csv);
    if (b->marshal)
        dl_marshal_free(b->marshal);
    mems_free((const cl_mem[]){b->from, b->to, b->wanted, b->places}, 4);
    kernels_free(&b->helpers);
    device_close(&b->device);
}

/* False after a line on standard error; closed in any case by coalesced_close. */
static bool coalesced_open(struct coalesced_bench *b)
{
    static const char *const names[] = {"random_order", "count_differences"};
    cl_mem *const mems[] = {&b->from, &b->to, &b->wanted, &b->places};
    const char *bytes = b->options.bytes;
    cl_int err;

    if (!device_open(&b->device, b->options.device))
        return false;
    clGetDeviceInfo(b->device.id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof b->local_bytes,
                    &b->local_bytes, NULL);
    b->bytes = *bytes ? bytes_parse(bytes)
                      : UINT64_C(1) << (device_is_cpu(&b->device) ? 24 : 30);
    b->bytes -= b->bytes % 4096;
    if (!device_copy_time(&b->device, b->bytes, b->reps))
        return false;
    err = kernels_make(&b->device, bench_coalesced_cl, "", names, COUNT(names),
                       &b->helpers);
    for (size_t m = 0; err == CL_SUCCESS && m < COUNT(mems); m++)
        *mems[m] =
            clCreateBuffer(b->device.context, CL_MEM_READ_WRITE, b->bytes, NULL, &err);
    if (err == CL_SUCCESS && dl_marshal_make(&b->device.cl, b->device.context,
                                             b->device.id, &b->marshal) == DL_OK)
        return true;
    fprintf(stderr, "dl-bench coalesced: %s can't be used: OpenCL error %d\n",
            b->device.name, err);
    return false;
}

/* Fills the places with a random order of the structs. */
static bool coalesced_order(struct coalesced_bench *b)
{
    cl_uint bits = 1;

    while (bits < 32 && b->structs > 1u << bits)
        bits++;
    KERNEL_ARGS(b->helpers.of[ORDER], ARG(b->places), ARG(b->structs), ARG(bits));
    return device_launch(&b->device, b->helpers.of[ORDER], dl__round_up(b->structs, 256),
                         256, NULL) == CL_SUCCESS;
}

/* ---- one operation in one way ---- */

/* The kernel that is run; `note`: of a kernel on tiles, NULL: it has the program's
 * arguments alone. */
struct launch {
    struct coalesced_bench *bench;
    cl_kernel kernel;
    const struct dl_kernel_note *note;
};

static struct dl_layout tiles_of(const struct coalesced_bench *b)
{
    return (struct dl_layout){.kind = DL_LAYOUT_ASTA, .tile_structs = b->tile};
}

static bool args_set(const struct launch *l)
{
    const struct coalesced_bench *b = l->bench;
    struct dl_tiling tiling;
    cl_uint parts[2];
    cl_int err =
        KERNEL_ARGS(l->kernel, ARG(b->from), ARG(b->to), ARG(b->places), ARG(b->structs));

    dl_layout_tile(tiles_of(b), b->structs, &tiling);
    parts[0] = (cl_uint)tiling.head_structs;
    parts[1] = (cl_uint)tiling.tail_structs;
    for (size_t i = 0; l->note && i < 2 * l->note->buffer_count; i++)
        err |= clSetKernelArg(l->kernel, 4 + (cl_uint)i, sizeof *parts, &parts[i % 2]);
    return err == CL_SUCCESS;
}

/* Every buffer of structs, into tiles or back. */
static bool convert(const struct launch *l, bool back)
{
    const struct dl_layout aos = {.kind = DL_LAYOUT_AOS}, tiles = tiles_of(l->bench);
    struct coalesced_bench *b = l->bench;
    bool good = true;

    for (size_t i = 0; l->note && good && i < l->note->buffer_count; i++) {
        const struct dl_buffer_note *note = &l->note->buffers[i];
        const struct dl_conversion *conversion;
        struct dl_rest *rest = NULL;

        good =
            dl_marshal_prepare(b->marshal, &note->leaves, b->structs, back ? tiles : aos,
                               back ? aos : tiles, &conversion) == DL_OK &&
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

    if (want)
        return clEnqueueCopyBuffer(b->device.queue, b->to, b->wanted, 0, 0, b->bytes, 0,
                                   NULL, NULL) == CL_SUCCESS;
    return KERNEL_ARGS(b->helpers.of[COMPARE], ARG(b->wanted), ARG(b->to), ARG(words),
                       ARG(b->device.errors)) == CL_SUCCESS &&
           device_count_errors(&b->device, b->helpers.of[COMPARE], words, errors) ==
               CL_SUCCESS;
}

static bool measure(const struct launch *l, bool want, struct coalesced_result *out)
{
    struct coalesced_bench *b = l->bench;
    const size_t local = b->group, global = dl__round_up(b->structs, local);

    return device_fill(&b->device, b->from, b->bytes, NULL) == CL_SUCCESS &&
           device_fill(&b->device, b->to, b->bytes, NULL) == CL_SUCCESS &&
           device_touch(&b->device, b->to, b->bytes, NULL) == CL_SUCCESS &&
           convert(l, false) && args_set(l) &&
           device_launch(&b->device, l->kernel, global, local, NULL) == CL_SUCCESS &&
           convert(l, true) && result_check(b, want, &out->errors) &&
           kernel_time(&b->device, l->kernel, global, local, b->reps, &out->seconds);
}

/* Runs an operation once on fresh inputs and then `reps` times for its time. The plain
 * way's result is kept as the right one; others' are compared with that. */
static struct coalesced_result coalesced_run(struct coalesced_bench *b,
                                             const struct op *op, enum coalesced_way way)
{
    const struct dl_kernel_note *note =
        b->texts.notes ? dl_notes_find(b->texts.notes, op->name) : NULL;
    struct coalesced_result result = {.as_written = way == WAY_COALESCED &&
                                                    !(note && note->coalesced)};
    struct launch l = {.bench = b, .note = way == WAY_ASTA ? note : NULL};
    cl_int err;

    if (result.as_written || (way == WAY_ASTA && !note))
        return result;
    l.kernel = clCreateKernel(b->programs[way], op->name, &err);
    if (err != CL_SUCCESS)
        return result;
    result.good = measure(&l, way == WAY_PLAIN, &result);
    clReleaseKernel(l.kernel);
    return result;
}

/* ---- all of them ---- */

static bool way_is_asked(const struct coalesced_bench *b, enum coalesced_way way)
{
    return list_has(b->options.ways, way_names[way]);
}

/* Returns whether it is right. */
static bool line_print(struct coalesced_bench *b, const struct op *op,
                       enum coalesced_way way, const struct coalesced_result *result)
{
    double bytes = (double)b->structs * 4 * (op->structs * b->words + op->words);
    double speed = result->good && result->seconds > 0 ? bytes / result->seconds : 0;
    double share = 100 * speed / b->device.copy;
    const char *status = result->as_written ? "as_written"
                         : !result->good    ? "FAILED"
                         : result->errors   ? "WRONG"
                                            : "ok";

    printf("%-8s %3u words  %-9s %8.1f GB/s %6.1f %%  %s\n", op->name, b->words,
           way_names[way], speed * 1e-9, share, status);
    fflush(stdout);
    if (b->csv)
        fprintf(b->csv, "%s,%u,%s,%u,%zu,%s,%u,%.2f,%.2f,%.2f\n", op->name, b->words,
                way_names[way], b->structs, b->group, status, result->errors,
                speed * 1e-9, share, result->seconds * 1e6);
    return result->as_written || (result->good && !result->errors);
}

/* All ways of an operation; the plain one is run in any case, for its result. */
static bool op_run(struct coalesced_bench *b, const struct op *op)
{
    bool good = true;

    for (enum coalesced_way way = WAY_PLAIN; way < WAYS; way++) {
        struct coalesced_result result;

        if (!b->programs[way] ||
            ((way == WAY_VECTOR || way == WAY_HEADER) && !op->by_header))
            continue;
        result = coalesced_run(b, op, way);
        if (way_is_asked(b, way))
            good = line_print(b, op, way, &result) && good;
    }
    return good;
}

/* Whether the size can be run in a way that is asked for. */
static bool way_fits(const struct coalesced_bench *b, enum coalesced_way way)
{
    if (way == WAY_PLAIN)
        return true;
    if (!way_is_asked(b, way) || (way == WAY_ASTA && !b->tile) ||
        (way == WAY_VECTOR && b->words % 4 != 0))
        return false;
    /* The structs of a group, and their places, fit local memory. */
    return way != WAY_HEADER || b->group * (8 + 4 * (b->words | 1u)) <= b->local_bytes;
}

static bool size_run(struct coalesced_bench *b, unsigned words)
{
    const bool tiled = way_is_asked(b, WAY_ASTA);
    bool good, ready;

    b->words = words;
    b->structs = (cl_uint)(b->bytes / (4 * words));
    good =
        coalesced_texts_make(words, tiled || way_is_asked(b, WAY_COALESCED), &b->texts);
    if (!good)
        return false;
    if (tiled) {
        const struct dl_kernel_note *note = dl_notes_find(b->texts.notes, "copy");

        b->tile = note ? dl_marshal_tile(b->marshal, &note->buffers[0].leaves, TILE) : 0;
    }
    for (enum coalesced_way way = WAY_PLAIN; way < WAYS; way++)
        if (way_fits(b, way)) {
            b->programs[way] = coalesced_build(b, way);
            good = good && b->programs[way];
        }
    /* Without places, or without what is right, nothing can be run. */
    ready = b->programs[WAY_PLAIN] && coalesced_order(b);
    good = good && ready;
    for (size_t o = 0; o < OPS; o++)
        if (ready && list_has(b->options.ops, ops[o].name))
            good = op_run(b, &ops[o]) && good;
    for (enum coalesced_way way = WAY_PLAIN; way < WAYS; way++) {
        if (b->programs[way])
            clReleaseProgram(b->programs[way]);
        b->programs[way] = NULL;
    }
    coalesced_texts_free(&b->texts);
    return good;
}

int coalesced_main(int argc, char **argv)
{
    struct coalesced_bench b = {.csv = NULL};
    bool good = false;
    char text[64];
    int code = bench_options_read(&command, argc, argv, &b.options);

    if (code != BENCH_GO_ON)
        return code;
    b.reps = atoi(b.options.reps);
    b.group = strtoul(b.options.group, NULL, 10);
    b.size_count = numbers_parse(b.options.words, b.sizes, SIZES_MAX);
    if (coalesced_open(&b)) {
        snprintf(text, sizeof text, ", buffers of %llu bytes",
                 (unsigned long long)b.bytes);
        good = device_csv_open(
            &b.csv, b.options.csv, &b.device,
            "op,words,way,structs,group,status,errors,gb_per_s,share_percent,us", text);
        for (size_t s = 0, opened = good; s < b.size_count && opened; s++)
            good = size_run(&b, b.sizes[s]) && good;
    }
    coalesced_close(&b);
    return good ? 0 : 1;
}
