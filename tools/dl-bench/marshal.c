/* SPDX-License-Identifier: MIT */
/* dl-bench marshal and tune: speed of every conversion, checked; with the best variant of
 * each size, the device's file (engine/devices). */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "transpose/algorithms/algorithm.h"

#define MARSHAL_OPTION_MAP(X)                                                            \
    BENCH_DEVICE(X)                                                                      \
    X(cases, "LIST", "asta,mixed,super,cycle,da,soa",                                    \
      "which groups of cases; there are dawords, wide, bytes, da32, access, update, "    \
      "shapes, matrices (table 5.1 of the thesis) and slide, too")                       \
    X(bytes, "N", "", "bytes of a buffer, as 64M; default 1G, 64M on a CPU")             \
    X(words, "LIST", "",                                                                 \
      "struct sizes of the asta and cycle cases, lengths of the super cases, as 2-8,20") \
    X(tiles, "LIST", "32", "tiles of the asta, mixed and cycle cases")                   \
    X(shapes, "N", "60", "random shapes of the da and soa cases")                        \
    BENCH_REPS(X, "5")                                                                   \
    X(knobs, "LIST", "", "as cut_ahead=4,cut_group=128; tune sweeps 1/2/4")              \
    BENCH_PART(X)                                                                        \
    BENCH_CSV(X)                                                                         \
    X(table, "FILE", "", "tune: the device's file with the best variant of each size")   \
    BENCH_CHECK(X)

struct options {
    MARSHAL_OPTION_MAP(BENCH_FIELD)
};

struct bench_case {
    char group[16], label[96];
    struct dl_leaf_table table;
    uint64_t structs;
    struct dl_layout from, to;
    unsigned family; /* forced, or 0 */
};

struct case_list {
    struct bench_case *cases;
    size_t count;
};

struct case_result {
    enum dl_status status;
    cl_uint errors;
    double bytes_per_s; /* twice the buffer's bytes over the median time */
    double prepare_s;
    uint64_t workspace_bytes;
    /* Of the kernel with the most work-items; they bound how many groups a compute unit
     * runs at once. */
    size_t group_items;
    cl_ulong local_bytes;
};

enum { WORDS_MAX = 4096 /* of a struct */ };

static const struct dl_layout aos = {DL_LAYOUT_AOS, 0};
static const struct dl_layout soa = {DL_LAYOUT_SOA, 0};

/* ---- cases ---- */

/* One group of cases, as it is added to the list. */
struct adding {
    const struct options *options;
    const char *group;
    uint64_t bytes; /* of a buffer */
    unsigned tiles[16];
    size_t tile_count;
    struct case_list *list;
};

/* The option's words, or else those of `fallback`. */
static size_t words_parse(const struct adding *to, const char *fallback, unsigned *words)
{
    return numbers_parse(*to->options->words ? to->options->words : fallback, words, 256);
}

static struct dl_layout tiled(enum dl_layout_kind kind, uint32_t tile_structs)
{
    return (struct dl_layout){kind, tile_structs};
}

/* Adds a case, named by `label`. The struct has `count` leaves of these widths; NULL: of
 * 4 bytes each. False: it can't be had. */
static bool case_add(const struct adding *adding, const unsigned *widths, size_t count,
                     uint64_t structs, struct dl_layout from, struct dl_layout to,
                     const char *label)
{
    struct case_list *list = adding->list;
    struct bench_case *cases = realloc(list->cases, (list->count + 1) * sizeof *cases),
                      *bench;
    struct dl_leaf fields[WORDS_MAX];
    uint32_t offset = 0;

    if (!cases)
        return false;
    list->cases = cases;
    if (count == 0 || count > WORDS_MAX)
        return false;
    bench = &cases[list->count];
    memset(bench, 0, sizeof *bench);
    for (size_t l = 0; l < count; l++) {
        fields[l] = (struct dl_leaf){offset, widths ? widths[l] : 4};
        offset += fields[l].width_bytes;
    }
    if (dl_leaf_table_make(offset, fields, count, &bench->table) != DL_OK)
        return false;
    snprintf(bench->group, sizeof bench->group, "%s", adding->group);
    snprintf(bench->label, sizeof bench->label, "%s", label);
    bench->structs = structs ? structs : 1;
    bench->from = from;
    bench->to = to;
    if (strcmp(adding->group, "cycle") == 0)
        bench->family = DL_FORCE_CYCLE;
    list->count++;
    return true;
}

static bool case_add_both(const struct adding *to, const unsigned *widths, size_t count,
                          uint64_t structs, struct dl_layout a, struct dl_layout b,
                          const char *label)
{
    return case_add(to, widths, count, structs, a, b, label) &&
           case_add(to, widths, count, structs, b, a, label);
}

static bool add_asta(const struct adding *to)
{
    /* PTTWAC is asked for at fewer sizes: it is the fallback. */
    const char *usual = strcmp(to->group, "wide") == 0
                            ? "100,128,160,200,256,300,384,385,512,640,777,900,1000"
                        : strcmp(to->group, "asta") == 0 ? "2-64"
                                                         : "4,5,8,12,16,19,20,24,31,32";
    const enum dl_layout_kind kind =
        strcmp(to->group, "dawords") == 0 ? DL_LAYOUT_DA : DL_LAYOUT_ASTA;
    unsigned words[256];
    size_t count = words_parse(to, usual, words);
    char label[32];

    for (size_t t = 0; t < to->tile_count; t++)
        for (size_t w = 0; w < count; w++) {
            snprintf(label, sizeof label, "%u words", words[w]);
            if (words[w] == 0 ||
                !case_add_both(to, NULL, words[w], to->bytes / (4 * words[w]), aos,
                               tiled(kind, to->tiles[t]), label))
                return false;
        }
    return true;
}

/* The group `bytes` has those with leaves of one byte. */
static bool add_mixed(const struct adding *to)
{
    static const struct {
        const char *what;
        unsigned words, widths[12]; /* so many leaves of 4 bytes, and then these */
    } mixes[] = {
        {"4+4+8", 0, {4, 4, 8}},
        {"8+4+4+16+16", 0, {8, 4, 4, 16, 16}},
        {"5 x 8", 0, {8, 8, 8, 8, 8}},
        {"3 x 16", 0, {16, 16, 16}},
        {"16+4+4+8", 0, {16, 4, 4, 8}},
        {"2+2+4+8", 0, {2, 2, 4, 8}},
        {"1+1+2+4+8", 0, {1, 1, 2, 4, 8}},
        {"1+4+2 packed", 0, {1, 4, 2}},
        {"128+64+64", 0, {128, 64, 64}},
        {"6 x 2", 0, {2, 2, 2, 2, 2, 2}},
        {"4 x 1", 0, {1, 1, 1, 1}},
        {"8+1 packed", 0, {8, 1}},
        {"7 x 1", 0, {1, 1, 1, 1, 1, 1, 1}},
        {"8+4 packed", 0, {8, 4}},
        {"4+1+3 x 1", 0, {4, 1, 1, 1, 1}},
        {"1+2 packed", 0, {1, 2}},
        {"2 x 1", 0, {1, 1}},
        {"8+8+16+1+1+2+4+8", 0, {8, 8, 16, 1, 1, 2, 4, 8}},
        {"8 x 8+1+1+2+4", 0, {8, 8, 8, 8, 8, 8, 8, 8, 1, 1, 2, 4}},
        {"24 x 4+1+1+2", 24, {1, 1, 2}},
        {"60 x 4+1+1+2", 60, {1, 1, 2}},
        {"100 x 4+4 x 1+8", 100, {1, 1, 1, 1, 8}},
        {"255 x 4+4 x 1", 255, {1, 1, 1, 1}},
        {"8 x 16+1+1+2+4", 0, {16, 16, 16, 16, 16, 16, 16, 16, 1, 1, 2, 4}},
    };
    unsigned widths[WORDS_MAX];

    for (size_t m = 0; m < COUNT(mixes); m++) {
        uint32_t struct_bytes = 0;
        size_t count = 0;
        bool has_bytes = false;
        for (; count < mixes[m].words; count++)
            widths[count] = 4;
        for (size_t w = 0; w < 12 && mixes[m].widths[w]; w++)
            widths[count++] = mixes[m].widths[w];
        for (size_t w = 0; w < count; w++) {
            struct_bytes += widths[w];
            has_bytes = has_bytes || widths[w] == 1;
        }
        for (size_t t = 0; t < to->tile_count && (has_bytes || *to->group == 'm'); t++)
            if (!case_add_both(to, widths, count, to->bytes / struct_bytes, aos,
                               tiled(DL_LAYOUT_ASTA, to->tiles[t]), mixes[m].what))
                return false;
    }
    return true;
}

/* 100! alone: whole super-elements move between ASTA and one tile. */
static bool add_super(const struct adding *to)
{
    static const unsigned columns[] = {19, 8, 64};
    const bool all = *to->options->words == '\0';
    unsigned lengths[256];
    size_t count = words_parse(to, "16,31-33,64,65,67,128,129,256,512", lengths);
    char label[64];

    for (size_t c = 0; c < (all ? 3 : 1); c++)
        for (size_t e = 0; e < count; e++) {
            uint32_t tile = lengths[e];
            uint64_t structs = to->bytes / (4 * columns[c]);
            /* Powers of two all round make many short cycles; the other columns leave n
             * odd. */
            structs = columns[c] == 64 ? structs : structs - structs % (2 * tile) + tile;
            snprintf(label, sizeof label, "%u x %u words", columns[c], tile);
            if (!case_add_both(to, NULL, columns[c], structs, tiled(DL_LAYOUT_ASTA, tile),
                               tiled(DL_LAYOUT_DA, tile), label))
                return false;
        }
    return true;
}

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 11;
}

/* Random structs of 2 to 31 leaves of 4 and 8 bytes, any n, buffers of bytes / 4 to 4 *
 * bytes; there and back by turns. */
static bool add_random(const struct adding *to)
{
    static const char *const kinds[] = {"4 bytes", "8 bytes", "mixed"};
    const struct dl_layout other = strcmp(to->group, "soa") == 0 ? soa
                                   : strcmp(to->group, "da32") == 0
                                       ? tiled(DL_LAYOUT_DA, 32)
                                       : tiled(DL_LAYOUT_DA, 128);
    uint64_t state = 0x9E3779B97F4A7C16u;
    unsigned long shapes = strtoul(to->options->shapes, NULL, 10);
    char label[96];

    for (unsigned long s = 0; s < shapes; s++) {
        unsigned widths[32], count = 2 + (unsigned)(random_next(&state) % 30), size = 0;
        uint64_t quarter = to->bytes / 4,
                 buffer = quarter + random_next(&state) % (15 * quarter);
        uint64_t kind = random_next(&state) % 3;
        for (unsigned l = 0; l < count; l++) {
            bool wide = kind == 1 || (kind == 2 && random_next(&state) % 2);
            widths[l] = wide ? 8 : 4;
            size += widths[l];
        }
        snprintf(label, sizeof label, "%u leaves, %s, %llu structs", count, kinds[kind],
                 (unsigned long long)(buffer / size));
        if (!case_add(to, widths, count, buffer / size, s % 2 ? other : aos,
                      s % 2 ? aos : other, label))
            return false;
    }
    return true;
}

/* Reading structs of 1 to 64 words in each layout, or storing them, too; nothing is
 * converted but to get there. */
static bool add_access(const struct adding *to)
{
    const struct dl_layout layouts[] = {aos, tiled(DL_LAYOUT_ASTA, 32), soa};
    unsigned words[256];
    size_t count = words_parse(to, "2-6,8,10,12,16,19,20,24,32,40,48,64", words);
    char label[32];

    for (size_t a = 0; a < COUNT(layouts); a++)
        for (size_t w = 0; w < count; w++) {
            snprintf(label, sizeof label, "%u words", words[w]);
            if (words[w] == 0 ||
                !case_add(to, NULL, words[w], to->bytes / (4 * words[w]) / 1024 * 1024,
                          layouts[a], layouts[a], label))
                return false;
        }
    return true;
}

/* SoA and ASTA by 100! on shapes of many and few cycles (Sung 2013, figure 5.7). */
static bool add_shapes(const struct adding *to)
{
    unsigned columns[256];
    size_t count = words_parse(to, "5,7,8,12,16,19,20,25,31,32,48,64", columns);
    char label[32];

    for (size_t t = 0; t < to->tile_count; t++)
        for (size_t c = 0; c < count; c++) {
            const uint64_t structs = columns[c] ? to->bytes / (4 * columns[c]) : 0;

            snprintf(label, sizeof label, "%u words", columns[c]);
            if (!case_add(to, NULL, columns[c], structs - structs % to->tiles[t],
                          tiled(DL_LAYOUT_DA, to->tiles[t]),
                          tiled(DL_LAYOUT_ASTA, to->tiles[t]), label))
                return false;
        }
    return true;
}

/* From SoA to ASTA, with the rows and the longest rows of the thesis's table 5.1, as its
 * figure 5.7: the matrices' entries in ELL form. */
static bool add_matrices(const struct adding *to)
{
    static const struct {
        const char *name;
        unsigned rows, longest;
    } matrices[] = {{"bcsstk18", 11948, 40},  {"e40r000", 17281, 62},
                    {"bcsstk31", 35588, 197}, {"bcsstk32", 44609, 215},
                    {"s3dkq4m2", 90449, 59},  {"conf6.0", 49152, 39}};
    char label[64];

    for (size_t t = 0; t < to->tile_count; t++)
        for (size_t m = 0; m < COUNT(matrices); m++) {
            snprintf(label, sizeof label, "%s, %u words", matrices[m].name,
                     matrices[m].longest);
            if (!case_add(to, NULL, matrices[m].longest,
                          matrices[m].rows - matrices[m].rows % to->tiles[t],
                          tiled(DL_LAYOUT_DA, to->tiles[t]),
                          tiled(DL_LAYOUT_ASTA, to->tiles[t]), label))
                return false;
        }
    return true;
}

/* Exact SoA of a prime number of structs of wide leaves: a slide, also of few structs. */
static bool add_slide(const struct adding *to)
{
    static const struct {
        const char *what;
        unsigned widths[8];
        size_t count;
    } shapes[] = {{"2 x 128 bytes, prime", {128, 128}, 2},
                  {"128+64 bytes, prime", {128, 64}, 2},
                  {"5 x 32 bytes, prime", {32, 32, 32, 32, 32}, 5},
                  {"7 x 4 bytes, prime", {4, 4, 4, 4, 4, 4, 4}, 7},
                  {"3 x 1 byte, prime", {1, 1, 1}, 3}};

    for (size_t s = 0; s < COUNT(shapes); s++) {
        uint64_t struct_bytes = 0;
        for (size_t l = 0; l < shapes[s].count; l++)
            struct_bytes += shapes[s].widths[l];
        if (!case_add_both(to, shapes[s].widths, shapes[s].count,
                           prime_from(to->bytes / struct_bytes), aos, soa,
                           shapes[s].what))
            return false;
    }
    return true;
}

/* Keeps the cases of "I/N". */
static bool part_keep(const char *part, struct case_list *list)
{
    size_t index, count, kept = 0;

    if (!part_parse(part, &index, &count))
        return false;
    for (size_t c = 0; c < list->count; c++) {
        if (c % count == index)
            list->cases[kept++] = list->cases[c];
        else
            dl_leaf_table_free(&list->cases[c].table);
    }
    list->count = kept;
    return true;
}

/* False: the options ask for nothing that can be had. */
static bool cases_make(const struct options *options, uint64_t bytes,
                       struct case_list *out)
{
    static const struct {
        const char *name;
        bool (*add)(const struct adding *to);
    } groups[] = {
        {"asta", add_asta},         {"dawords", add_asta},  {"wide", add_asta},
        {"mixed", add_mixed},       {"bytes", add_mixed},   {"cycle", add_asta},
        {"super", add_super},       {"da", add_random},     {"da32", add_random},
        {"soa", add_random},        {"access", add_access}, {"shapes", add_shapes},
        {"matrices", add_matrices}, {"slide", add_slide},   {"update", add_access}};
    struct adding to = {.options = options, .bytes = bytes, .list = out};
    bool ok = true;

    to.tile_count = numbers_parse(options->tiles, to.tiles, COUNT(to.tiles));
    for (size_t g = 0; g < COUNT(groups); g++) {
        to.group = groups[g].name;
        ok = ok && (!list_has(options->cases, to.group) || groups[g].add(&to));
    }
    return ok && part_keep(options->part, out) && out->count > 0;
}

static void cases_free(struct case_list *list)
{
    for (size_t c = 0; c < list->count; c++)
        dl_leaf_table_free(&list->cases[c].table);
    free(list->cases);
}

/* ---- how fast a kernel reads every word of its struct, by layout ---- */

static void args_set(cl_kernel kernel, cl_mem mem, cl_uint words,
                     const struct dl_tiling *tiling)
{
    const cl_ulong numbers[] = {tiling->tile_structs, tiling->head_structs,
                                tiling->tail_structs};

    clSetKernelArg(kernel, 0, sizeof mem, &mem);
    clSetKernelArg(kernel, 1, sizeof words, &words);
    for (cl_uint n = 0; n < 3; n++)
        clSetKernelArg(kernel, 2 + n, sizeof numbers[n], &numbers[n]);
}

/* Reading every struct in the layout `from`, or storing it as well, which is what
 * marshaling is for (Sung 2013, figure 3.7); the sums are checked afterwards, and
 * bytes_per_s counts each byte once for each way. */
static struct case_result access_run(struct device *device,
                                     const struct bench_case *bench, cl_mem mem,
                                     const struct options *options)
{
    struct case_result result = {.status = DL_ECL};
    const struct dl_conversion *there;
    struct dl_marshal *marshal = NULL;
    struct dl_tiling tiling;
    const bool is_update = strcmp(bench->group, "update") == 0;
    cl_uint words = bench->table.struct_bytes / 4, nothing = 0, check = 0;
    uint64_t bytes = bench->structs * bench->table.struct_bytes;
    double seconds;
    size_t global = bench->structs / 256 * 256;
    struct dl_rest *rest;
    cl_int err;
    cl_kernel access = device->kernels.of[DEVICE_ACCESS],
              update = device->kernels.of[DEVICE_UPDATE];

    result.status = dl_marshal_make(&device->cl, device->context, device->id, &marshal);
    if (result.status == DL_OK)
        result.status = dl_marshal_prepare(marshal, &bench->table, bench->structs, aos,
                                           bench->from, &there);
    device_fill(device, mem, bytes, NULL);
    if (result.status == DL_OK)
        result.status = dl_marshal_enqueue(marshal, device->queue, there, mem, 0, NULL,
                                           NULL, NULL, &rest);
    if (result.status != DL_OK)
        goto out;
    dl_layout_tile(bench->from, bench->structs, &tiling);
    args_set(access, mem, words, &tiling);
    clSetKernelArg(access, 5, sizeof device->errors, &device->errors);
    clSetKernelArg(access, 6, sizeof check, &check);
    args_set(update, mem, words, &tiling);
    clSetKernelArg(update, 5, sizeof nothing, &nothing);
    result.status = DL_ECL;
    if (!kernel_time(device, is_update ? update : access, global, 256,
                     reps_parse(options->reps), &seconds))
        goto out;
    /* Work-items add up what they read; this run compares with what the formula says. */
    check = 1;
    clSetKernelArg(access, 6, sizeof check, &check);
    err = device_count_errors(device, access, global, &result.errors);
    if (err != CL_SUCCESS)
        goto out;
    result.status = DL_OK;
    result.bytes_per_s =
        (is_update ? 2.0 : 1.0) * (double)global * bench->table.struct_bytes / seconds;
out:
    dl_marshal_free(marshal);
    return result;
}

/* ---- one case with one set of knobs: prepared, checked, timed ---- */

/* There, and back where the way back is the case. The input is AoS. */
static enum dl_status case_check(struct device *device, struct dl_marshal *marshal,
                                 const struct bench_case *bench,
                                 const struct dl_conversion *conversion, cl_mem mem,
                                 cl_uint *errors)
{
    uint64_t bytes = bench->structs * bench->table.struct_bytes;
    const struct dl_conversion *there = NULL;
    struct dl_tiling from, to;
    struct dl_rest *rest;
    enum dl_status st = DL_OK;

    dl_layout_tile(bench->from, bench->structs, &from);
    dl_layout_tile(bench->to, bench->structs, &to);
    device_fill(device, mem, bytes + 3, NULL);
    if (bench->from.kind != DL_LAYOUT_AOS) {
        st = dl_marshal_prepare(marshal, &bench->table, bench->structs, aos, bench->from,
                                &there);
        if (st == DL_OK)
            st = dl_marshal_enqueue(marshal, device->queue, there, mem, 0, NULL, NULL,
                                    NULL, &rest);
        /* The way there must be right by itself, or both could be the identity. */
        if (st == DL_OK &&
            device_check(device, mem, &bench->table, &from, errors) != CL_SUCCESS)
            st = DL_ECL;
    }
    if (st == DL_OK && *errors == 0)
        st = dl_marshal_enqueue(marshal, device->queue, conversion, mem, 0, NULL, NULL,
                                NULL, &rest);
    if (st == DL_OK && *errors == 0 &&
        device_check(device, mem, &bench->table, &to, errors) != CL_SUCCESS)
        st = DL_ECL;
    return st;
}

/* Wide structs: the tile that DL would choose. */
static void tile_fit(const struct dl_marshal *marshal, struct bench_case *bench)
{
    struct dl_layout *layouts[] = {&bench->from, &bench->to};

    for (int l = 0; l < 2; l++) {
        uint32_t fits = dl_marshal_tile(marshal, &bench->table, layouts[l]->tile_structs);
        if (layouts[l]->kind == DL_LAYOUT_ASTA && fits > 0)
            layouts[l]->tile_structs = fits;
    }
}

static bool knob_set_steps(void *target, const char *name, size_t name_bytes,
                           unsigned value)
{
    return dl__steps_set(target, name, name_bytes, value);
}

/* Knows the tiles of wide structs afterwards. */
static struct case_result case_run(struct device *device, struct bench_case *bench,
                                   size_t variant, cl_mem mem,
                                   const struct options *options)
{
    struct case_result result = {0};
    struct dl_marshal *marshal = NULL;
    const struct dl_conversion *conversion;
    uint64_t bytes = bench->structs * bench->table.struct_bytes;
    int reps = reps_parse(options->reps);
    double seconds[REPS_MAX], start = now_s();
    char label[256];
    struct dl_rest *rest;

    if (strcmp(bench->group, "access") == 0 || strcmp(bench->group, "update") == 0)
        return access_run(device, bench, mem, options);
    result.status = dl_marshal_make(&device->cl, device->context, device->id, &marshal);
    if (result.status != DL_OK)
        return result;
    if (*options
             ->knobs) { /* as given, and what its tables say instead is not asked for */
        marshal->engine.file =
            dl__device_file_named(marshal->engine.limits.is_cpu ? "cpu" : "gpu");
        dl__steps_open(&marshal->steps, &marshal->engine);
    }
    knobs_parse(options->knobs, variant, knob_set_steps, &marshal->steps, ' ', label,
                sizeof label);
    if (bench->family)
        DL__STEPS_SET(&marshal->steps, family, bench->family);
    if (strcmp(bench->group, "wide") == 0)
        tile_fit(marshal, bench);
    result.status = dl_marshal_prepare(marshal, &bench->table, bench->structs,
                                       bench->from, bench->to, &conversion);
    if (result.status != DL_OK)
        goto out;
    result.prepare_s = now_s() - start;
    result.workspace_bytes = dl_conversion_workspace_bytes(conversion);
    if (is_yes(options->check)) {
        result.status =
            case_check(device, marshal, bench, conversion, mem, &result.errors);
        if (result.status != DL_OK)
            goto out;
    }
    for (int r = -1; r < reps; r++) {
        cl_event first, done;
        result.status = dl_marshal_enqueue(marshal, device->queue, conversion, mem, 0,
                                           NULL, &first, &done, &rest);
        if (result.status != DL_OK)
            goto out;
        seconds[r < 0 ? 0 : r] = device_seconds(first, done);
    }
    result.bytes_per_s = 2.0 * (double)bytes / median_of(seconds, (size_t)reps);
    for (size_t r = 0, most = 0; r < conversion->list.count; r++) {
        const struct dl__run *run = &conversion->list.runs[r];

        if (run->global[0] < most)
            continue;
        most = run->global[0];
        result.group_items = run->local[0];
        clGetKernelWorkGroupInfo(run->kernel, device->id, CL_KERNEL_LOCAL_MEM_SIZE,
                                 sizeof result.local_bytes, &result.local_bytes, NULL);
    }
out:
    dl_marshal_free(marshal);
    return result;
}

/* ---- the device's file ---- */

/* The family and size that a case is a case of. */
static const char *case_key(const struct bench_case *bench, bool is_cpu, uint64_t *bytes)
{
    uint64_t tile =
        bench->from.tile_structs ? bench->from.tile_structs : bench->to.tile_structs;

    *bytes = tile * bench->table.struct_bytes;
    if (strcmp(bench->group, "super") == 0) {
        *bytes = tile * bench->table.leaves[0].width_bytes;
        return "cut";
    }
    if (strcmp(bench->group, "cycle") == 0)
        return "cycle";
    return is_cpu ? "each" : "chunk";
}

/* The variant whose worst case of this key is best; the first unless another gains a
 * hundredth. */
static size_t variant_best(const struct case_list *list, const double *shares,
                           size_t variants, bool is_cpu, const char *family,
                           uint64_t bytes)
{
    double best_share = 0;
    size_t best = 0;

    for (size_t v = 0; v < variants; v++) {
        double least = 1e9;
        for (size_t c = 0; c < list->count; c++) {
            uint64_t own;
            if (strcmp(case_key(&list->cases[c], is_cpu, &own), family) == 0 &&
                own == bytes && shares[v * list->count + c] < least)
                least = shares[v * list->count + c];
        }
        if (least > best_share * (v > 0 ? 1.01 : 1)) {
            best_share = least;
            best = v;
        }
    }
    return best;
}

/* Lines for the sizes of the cases, by rising size; a line only where the best changes.
 */
static void family_print(FILE *out, const struct options *options,
                         const struct case_list *list, const double *shares,
                         size_t variants, bool is_cpu, const char *family)
{
    char last[256] = "";

    for (uint64_t after = 0;;) {
        uint64_t size = UINT64_MAX;
        char label[256];
        for (size_t c = 0; c < list->count; c++) {
            uint64_t own;
            if (strcmp(case_key(&list->cases[c], is_cpu, &own), family) == 0 &&
                own >= after && own < size)
                size = own;
        }
        if (size == UINT64_MAX)
            return;
        after = size + 1;
        knobs_parse(options->knobs,
                    variant_best(list, shares, variants, is_cpu, family, size),
                    knob_set_nowhere, NULL, ',', label, sizeof label);
        if (strcmp(label, last) != 0)
            fprintf(out, "%s %llu %s\n", family, *last ? (unsigned long long)size : 0ULL,
                    label);
        snprintf(last, sizeof last, "%s", label);
    }
}

static void memory_set(struct dl_rates *rates, const struct dl_rates *memory)
{
    rates->burst_bytes = memory->burst_bytes;
    rates->steering_bits = memory->steering_bits;
}

/* Prints the numbers of all rooms that hold everywhere; those of the memory are
 * `memory`'s, unless it is NULL. */
static void numbers_print(FILE *out, const struct dl__device_file *file,
                          const struct dl_rates *memory)
{
    const struct {
        const char *what;
        const struct dl__number_table *table;
        size_t bytes;
    } rooms[] = {
        {"marshaling", &dl__knob_table, sizeof(struct dl__knobs)},
        {"plans", &dl__plan_limit_table, sizeof(struct dl_plan_limits)},
        {"transposition", &dl__tuning_table, sizeof(struct dl__tuning)},
        {"what is expected before it is measured", &dl__rate_table,
         sizeof(struct dl_rates)},
    };

    for (size_t r = 0; r < COUNT(rooms); r++) {
        void *values = calloc(1, rooms[r].bytes);
        fprintf(out, "\n# %s\n", rooms[r].what);
        if (values) {
            dl__numbers_read(file, NULL, 0, rooms[r].table, values);
            if (memory && rooms[r].table == &dl__rate_table)
                memory_set(values, memory);
            dl__numbers_print(out, rooms[r].table, values);
        }
        free(values);
    }
}

/* Writes a file for the device, with the best variants; shares[variant * cases + case].
 */
static bool table_write(const char *path, const struct device *device,
                        const struct options *options, const struct case_list *list,
                        const double *shares, size_t variants)
{
    bool is_cpu = (device->type & CL_DEVICE_TYPE_CPU) != 0;
    const struct dl__device_file *file = dl__device_file_find(device->name, is_cpu);
    const char *tuned[5] = {NULL}; /* the families of the cases, a NULL behind them */
    FILE *out = fopen(path, "w");

    if (!out) {
        perror(path);
        return false;
    }
    fprintf(out,
            "# Written by dl-bench tune --table: --cases %s --knobs %s, driver %s\n"
            "device %s\n",
            options->cases, options->knobs, device->driver, device->name);
    numbers_print(out, file, NULL);
    fprintf(out, "\n# sizes\n");
    for (size_t c = 0, f; c < list->count; c++) {
        uint64_t any;
        const char *family = case_key(&list->cases[c], is_cpu, &any);
        for (f = 0; tuned[f] && strcmp(tuned[f], family) != 0;)
            f++;
        tuned[f] = family;
    }
    dl__numbers_print_families(out, file, tuned);
    for (size_t f = 0; tuned[f]; f++)
        family_print(out, options, list, shares, variants, is_cpu, tuned[f]);
    return fclose(out) == 0;
}

bool table_write_memory(const char *path, const struct device *device,
                        unsigned burst_bytes, unsigned steering_bits)
{
    const struct dl_rates memory = {.burst_bytes = burst_bytes,
                                    .steering_bits = steering_bits};
    const char *none[] = {NULL};
    const struct dl__device_file *file =
        dl__device_file_find(device->name, (device->type & CL_DEVICE_TYPE_CPU) != 0);
    FILE *out = fopen(path, "w");

    if (!out) {
        perror(path);
        return false;
    }
    fprintf(out, "# Written by dl-bench steering --table, driver %s\ndevice %s\n",
            device->driver, device->name);
    numbers_print(out, file, &memory);
    fprintf(out, "\n# sizes\n");
    dl__numbers_print_families(out, file, none);
    return fclose(out) == 0;
}

/* ---- lines ---- */

static void result_print(FILE *csv, const struct bench_case *bench, const char *knobs,
                         const struct case_result *result, double copy)
{
    double share = 100 * result->bytes_per_s / copy;
    const char *status = result->status != DL_OK ? dl_status_name(result->status)
                         : result->errors > 0    ? "WRONG"
                                                 : "ok";

    printf("%-6s %-34s %4s%-4u -> %4s%-4u %-5s %8.1f GB/s %5.1f %% %s\n", bench->group,
           bench->label, dl_layout_name(bench->from.kind), bench->from.tile_structs,
           dl_layout_name(bench->to.kind), bench->to.tile_structs, status,
           result->bytes_per_s * 1e-9, share, knobs);
    if (csv)
        fprintf(csv,
                "%s,\"%s\",%llu,%u,%s,%u,%s,%u,%s,%s,%u,%.2f,%.2f,%.3f,%llu,%zu,%llu\n",
                bench->group, bench->label, (unsigned long long)bench->structs,
                bench->table.struct_bytes, dl_layout_name(bench->from.kind),
                bench->from.tile_structs, dl_layout_name(bench->to.kind),
                bench->to.tile_structs, knobs, status, result->errors,
                result->bytes_per_s * 1e-9, share, result->prepare_s,
                (unsigned long long)result->workspace_bytes, result->group_items,
                (unsigned long long)result->local_bytes);
    fflush(stdout);
}

/* Least and middle share of each group of cases. */
static void summary_print(const struct case_list *list, const double *shares,
                          const char *knobs)
{
    double *sorted = calloc(list->count, sizeof *sorted);

    for (size_t c = 0, past; c < list->count && sorted; c = past) {
        for (past = c; past < list->count; past++) {
            if (strcmp(list->cases[past].group, list->cases[c].group) != 0)
                break;
            sorted[past - c] = shares[past];
        }
        numbers_sort(sorted, past - c);
        printf("== %-6s least %5.1f %%  median %5.1f %%  most %5.1f %%  of %zu  %s\n",
               list->cases[c].group, sorted[0], sorted[(past - c) / 2],
               sorted[past - c - 1], past - c, knobs);
    }
    free(sorted);
}

static bool cases_run(struct device *device, const struct options *options,
                      const struct case_list *list, cl_mem mem, double copy, FILE *csv)
{
    char label[256];
    size_t variants =
        knobs_parse(options->knobs, 0, knob_set_nowhere, NULL, ' ', label, sizeof label);
    double *all = calloc(variants * list->count, sizeof *all);
    struct progress progress = progress_begin(variants * list->count);
    bool good = all != NULL;

    for (size_t v = 0; v < variants && all; v++) {
        double *shares = all + v * list->count;
        knobs_parse(options->knobs, v, knob_set_nowhere, NULL, ' ', label, sizeof label);
        for (size_t c = 0; c < list->count; c++) {
            struct case_result result =
                case_run(device, &list->cases[c], v, mem, options);
            shares[c] = result.status == DL_OK && result.errors == 0
                            ? 100 * result.bytes_per_s / copy
                            : 0;
            good = good && result.status == DL_OK && result.errors == 0;
            progress_clear();
            result_print(csv, &list->cases[c], label, &result, copy);
            progress_step(&progress);
        }
        summary_print(list, shares, label);
    }
    if (good && *options->table)
        good = table_write(options->table, device, options, list, all, variants);
    free(all);
    return good;
}

/* All cases on a device that is open. */
static bool device_measure(struct device *device, const struct options *options,
                           uint64_t bytes, const struct case_list *list, int argc,
                           char **argv)
{
    FILE *csv = NULL;
    uint64_t most = 0;
    bool good = false;
    double copy;
    cl_int err;
    cl_mem mem;

    for (size_t c = 0; c < list->count; c++) {
        uint64_t need = list->cases[c].structs * list->cases[c].table.struct_bytes;
        most = need > most ? need : most;
    }
    printf("%s, driver %s\n", device->name, device->driver);
    copy = device_copy_speed(device, bytes - bytes % 4096, reps_parse(options->reps));
    mem = clCreateBuffer(device->context, CL_MEM_READ_WRITE, most + 4096, NULL, &err);
    if (err != CL_SUCCESS || copy == 0)
        fprintf(stderr, "dl-bench: no device memory for %llu bytes\n",
                (unsigned long long)most);
    else if (csv_open(&csv, options->csv, argc, argv,
                      "group,case,structs,struct_bytes,from,from_tile,to,to_tile,"
                      "knobs,status,errors,gb_per_s,share_percent,prepare_s,"
                      "workspace_bytes,group_items,local_bytes",
                      "%s, driver %s, copy %.1f GB/s", device->name, device->driver,
                      copy * 1e-9))
        good = cases_run(device, options, list, mem, copy, csv);
    if (csv)
        fclose(csv);
    if (mem)
        clReleaseMemObject(mem);
    return good;
}

static const struct bench_option options_known[] = {MARSHAL_OPTION_MAP(BENCH_ROW)};

static void more_print(void)
{
    puts("\nknobs:");
    knobs_print(&dl__knob_table, sizeof(struct dl__knobs));
}

int marshal_main(int argc, char **argv)
{
    static const struct bench_command command = {
        "usage: dl-bench marshal [options]\n"
        "       dl-bench tune [options]\n"
        "Speed of conversions between layouts, each checked; tune runs every variant of "
        "--knobs.\n",
        options_known, COUNT(options_known), more_print};
    struct options options;
    struct device device;
    struct case_list list = {0};
    uint64_t bytes;
    bool good = false;
    int code = bench_options_read(&command, argc, argv, &options);

    if (code != BENCH_GO_ON)
        return code;
    if (strcmp(argv[1], "marshal") == 0 && strchr(options.knobs, '/')) {
        fprintf(stderr, "dl-bench: several values of a knob are for dl-bench tune\n");
        return 2;
    }
    if (!knobs_check(options.knobs, NULL))
        return 2;
    if (!device_open(&device, options.device))
        return 1;
    bytes = *options.bytes ? bytes_parse(options.bytes)
                           : UINT64_C(1) << (device.type == CL_DEVICE_TYPE_CPU ? 26 : 30);
    if (bytes < 4096 || !cases_make(&options, bytes, &list))
        fprintf(stderr,
                "dl-bench: no cases: look at --bytes, --cases, --words and --tiles\n");
    else
        good = device_measure(&device, &options, bytes, &list, argc, argv);
    cases_free(&list);
    device_close(&device);
    return good ? 0 : 1;
}
