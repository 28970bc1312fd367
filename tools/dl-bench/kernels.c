/* SPDX-License-Identifier: MIT */
/* dl-bench marshal, tune and transpose: kernels measured case by case, each checked. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "transpose/algorithms/algorithm.h" /* tuning and single launches */

/* ---- numbers ---- */

static bool is_prime(uint64_t number)
{
    for (uint64_t d = 2; d * d <= number; d++)
        if (number % d == 0)
            return false;
    return number > 1;
}

/* The smallest prime that is not below the number. */
static uint64_t prime_from(uint64_t number)
{
    while (!is_prime(number))
        number++;
    return number;
}

/* ---- knobs by name, with one value each or with several to be tried ---- */

enum { KNOBS_MAX = 32, KNOB_VALUES_MAX = 64 };

/* "a=1,b=2/4": every combination of the values is a variant. */
struct sweep {
    struct knob {
        const struct dl__number *number;
        unsigned values[KNOB_VALUES_MAX];
        size_t count;
    } knobs[KNOBS_MAX];
    size_t count, variants;
};

/* "1/2/4"; returns how many, 0 on bad text. Moves `text` behind them. */
static size_t knob_values_parse(const char **text, unsigned *values)
{
    size_t count = 0;

    for (;; (*text)++) {
        char *end;
        unsigned long value = strtoul(*text, &end, 10);
        if (end == *text || count == KNOB_VALUES_MAX)
            return 0;
        values[count++] = (unsigned)value;
        *text = end;
        if (**text != '/')
            return count;
    }
}

/* "1 to 64" or "powers of two from 4 to 256"; empty where anything is allowed. */
static void number_rule(const struct dl__number *number, char *text, size_t text_bytes)
{
    unsigned least = number->least;

    *text = '\0';
    if (number->is_real || number->most == 0)
        return;
    if (number->is_power)
        snprintf(text, text_bytes, "%spowers of two from %u to %u", least ? "" : "0, or ",
                 least ? least : 1, number->most);
    else
        snprintf(text, text_bytes, "%u to %u", least, number->most);
}

/* Reads knobs of dl__marshal_numbers.knobs or `other`, which may be NULL. False after a
 * line: it is not a list of them, or they can't have these values. */
static bool sweep_read(const char *command, const char *text,
                       const struct dl__number_table *other, struct sweep *sweep)
{
    sweep->variants = 1;
    for (const char *at = text; *at; sweep->count++) {
        struct knob *knob = &sweep->knobs[sweep->count];
        const char *name = at;
        size_t bytes = strcspn(name, "=");
        char rule[64], wrong[64];

        at += bytes + (name[bytes] == '=');
        if (name[bytes] != '=' || sweep->count == KNOBS_MAX ||
            (knob->count = knob_values_parse(&at, knob->values)) == 0 ||
            (*at && *at != ',')) {
            bench_option_complain(command, "knobs", text, "not a list of knobs",
                                  "NAME=VALUE[/VALUE...],...");
            return false;
        }
        at += *at == ',';
        sweep->variants *= knob->count;
        knob->number = dl__number_find(&dl__marshal_numbers.knobs, name, bytes);
        if (!knob->number && other)
            knob->number = dl__number_find(other, name, bytes);
        if (!knob->number || knob->number->is_real) {
            snprintf(rule, sizeof rule, "%.*s", (int)bytes, name);
            bench_option_complain(command, "knobs", rule, "unknown",
                                  "the names that --knobs help lists");
            return false;
        }
        number_rule(knob->number, rule, sizeof rule);
        for (size_t v = 0; v < knob->count; v++)
            if (!dl__number_allows(knob->number, knob->values[v])) {
                snprintf(wrong, sizeof wrong, "%s=%u", knob->number->name,
                         knob->values[v]);
                bench_option_complain(command, "knobs", wrong, "not possible", rule);
                return false;
            }
    }
    return true;
}

/* Gives knobs the values of a variant: of `tuning` and of `steps`, unless they are NULL.
 * `label` gets those that have several, by `separator`. */
static void sweep_set(const struct sweep *sweep, size_t variant, struct dl__steps *steps,
                      struct dl__tuning *tuning, char separator, char *label,
                      size_t label_bytes)
{
    size_t used = 0;

    label[0] = '\0';
    for (size_t k = 0; k < sweep->count; k++) {
        const struct knob *knob = &sweep->knobs[k];
        const char *name = knob->number->name;
        unsigned value = knob->values[variant % knob->count];

        variant /= knob->count;
        if (tuning && dl__number_find(&dl__tuning_table, name, strlen(name)))
            dl__number_set(knob->number, tuning, value);
        else if (steps)
            dl__steps_set(steps, name, strlen(name), value);
        if (knob->count > 1 && used < label_bytes)
            used += (size_t)snprintf(label + used, label_bytes - used, "%.*s%s=%u",
                                     used > 0, &separator, name, value);
    }
}

/* The names of a table's numbers, their values on GPUs and on CPUs, and what they mean.
 * Returns true. */
static bool knobs_print(const struct dl__number_table *table, size_t values_bytes)
{
    void *gpu = calloc(1, values_bytes), *cpu = calloc(1, values_bytes);

    if (gpu && cpu) {
        dl__numbers_read(dl__device_file_named("gpu"), NULL, 0, table, gpu);
        dl__numbers_read(dl__device_file_named("cpu"), NULL, 0, table, cpu);
        for (size_t n = 0; n < table->count; n++) {
            const struct dl__number *number = &table->numbers[n];
            char rule[64];
            number_rule(number, rule, sizeof rule);
            if (!number->is_real)
                printf("  %-21s %-6.0f CPU %-6.0f %s (%s)\n", number->name,
                       dl__number_get(number, gpu), dl__number_get(number, cpu),
                       number->help, rule);
        }
    }
    free(gpu);
    free(cpu);
    return true;
}

/* ---- checks ---- */

/* Counts the leaves that are not where the formula of layout.h says. */
static cl_int device_check(struct device *device, cl_mem mem,
                           const struct dl_leaf_table *table, uint64_t structs,
                           struct dl_layout layout, cl_uint *errors)
{
    cl_kernel kernel = device->kernels.of[DEVICE_CHECK];
    struct dl_tiling tiling;
    cl_ulong count = structs, tile, head, tail;
    cl_int err;
    cl_mem leaves =
        clCreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                       table->leaf_count * sizeof *table->leaves, table->leaves, &err);

    if (err != CL_SUCCESS)
        return err;
    dl_layout_tile(layout, structs, &tiling);
    tile = tiling.tile_structs;
    head = tiling.head_structs;
    tail = tiling.tail_structs;
    KERNEL_ARGS(kernel, ARG(mem), ARG(leaves), ARG(table->leaf_count),
                ARG(table->struct_bytes), ARG(count), ARG(tile), ARG(head), ARG(tail),
                ARG(device->errors));
    err = device_count_errors(device, kernel, structs * table->leaf_count, errors);
    clReleaseMemObject(leaves);
    return err;
}

/* The axes of an array that was filled, and then permuted: as check.cl has them. */
enum { BENCH_AXES_MAX = 9 };
struct bench_axes {
    cl_ulong extents[BENCH_AXES_MAX],
        was[BENCH_AXES_MAX]; /* distances before, in elements */
    cl_ulong elements, element_bytes;
    cl_uint count;
};

/* Counts the elements that are not where they should be. */
static cl_int device_check_axes(struct device *device, cl_mem mem,
                                const struct bench_axes *axes, cl_uint *errors)
{
    KERNEL_ARGS(device->kernels.of[DEVICE_CHECK_AXES], ARG(mem), ARG(*axes),
                ARG(device->errors));
    return device_count_errors(device, device->kernels.of[DEVICE_CHECK_AXES],
                               axes->elements, errors);
}

static const char *status_name(enum dl_status status, cl_uint errors)
{
    return status != DL_OK ? dl_status_name(status) : errors > 0 ? "WRONG" : "ok";
}

/* ======== dl-bench marshal and tune ======== */

/* Speed of every conversion, checked; with the best variant of each size, the device's
 * file (engine/devices). */

/* X(name, how its cases are added, "struct sizes unless the options have others", "what
 * it has"). PTTWAC is asked for at fewer sizes: it is the fallback. */
#define SOME "4,5,8,12,16,19,20,24,31,32"
#define READ "2-6,8,10,12,16,19,20,24,32,40,48,64"
#define CASE_MAP(X)                                                                      \
    X(asta, add_asta, "2-64", "structs of words, to tiles and back")                     \
    X(dawords, add_asta, SOME, "structs of words, to an array for each member and back") \
    X(wide, add_asta, "100,128,160,200,256,300,384,385,512,640,777,900,1000",            \
      "as asta, with 100 to 1000 words in a struct")                                     \
    X(mixed, add_mixed, SOME, "structs of members of several sizes, to tiles and back")  \
    X(bytes, add_mixed, SOME, "those of mixed that have members of one byte")            \
    X(cycle, add_asta, SOME, "as asta, with the kernel that follows cycles")             \
    X(super, add_super, "16,31-33,64,65,67,128,129,256,512",                             \
      "tiles to arrays and back, as the kernel for long runs does it alone")             \
    X(da, add_random, SOME, "random structs, to arrays of whole tiles of 128, or back")  \
    X(da32, add_random, SOME, "random structs, to arrays of whole tiles of 32, or back") \
    X(soa, add_random, SOME, "random structs, to arrays without gaps, or back")          \
    X(access, add_access, READ, "a kernel that reads whole structs, in each layout")     \
    X(shapes, add_shapes, "5,7,8,12,16,19,20,25,31,32,48,64",                            \
      "as super, of shapes with many and with few cycles")                               \
    X(matrices, add_matrices, SOME,                                                      \
      "as super, of the matrices in the thesis's table 5.1")                             \
    X(slide, add_slide, SOME,                                                            \
      "a prime number of structs, to arrays without gaps and back")                      \
    X(update, add_access, READ, "as access, and the kernel writes them back")
#define CASE_WORD(name, add, words, help) #name ","

#define MARSHAL_OPTION_MAP(X)                                                            \
    BENCH_DEVICE(X)                                                                      \
    X(cases, "LIST", "asta,mixed,super,cycle,da,soa", "*" CASE_MAP(CASE_WORD),           \
      "which conversions; --cases help explains the names")                              \
    X(bytes, "N", "", "@4K-64G", "bytes of a buffer, as 64M; default 1G, 64M on a CPU")  \
    X(words, "LIST", "", "#1-4096/256",                                                  \
      "words of 4 bytes in a struct, as 2-8,20; for the case super, words in a tile of " \
      "one member")                                                                      \
    X(tiles, "LIST", "32", "#1-1048576/16", "structs in a tile, where a case has tiles") \
    X(shapes, "N", "60", "0-1000000", "how many random structs in da, da32 and soa")     \
    BENCH_REPS(X, "5")                                                                   \
    X(knobs, "LIST", "", "",                                                             \
      "settings of the kernels, as cut_ahead=4,cut_group=128; tune tries each of "       \
      "cut_ahead=1/2/4; --knobs help lists them")                                        \
    BENCH_PART(X)                                                                        \
    BENCH_CSV(X)                                                                         \
    X(table, "FILE", "", "w",                                                            \
      "tune: write the device's file with the best variant of each size")                \
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
    bool failed; /* a case can't be had, or there is no memory */
};

/* All that one command has. */
struct marshal_bench {
    struct options options;
    struct sweep sweep;
    struct device device;
    struct case_list list;
    cl_mem mem; /* with room for the largest case */
    FILE *csv;
    double *shares;  /* percent of a copy: [variant * cases + case] */
    size_t variant;  /* that is run */
    char label[256]; /* of it */
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
struct marshal_adding {
    const struct options *options;
    const char *group;
    uint64_t bytes; /* of a buffer */
    unsigned tiles[16], words[256];
    size_t tile_count, word_count;
    struct case_list *list;
};

static struct dl_layout tiled(enum dl_layout_kind kind, uint32_t tile_structs)
{
    return (struct dl_layout){kind, tile_structs};
}

/* Adds a case, named by the text. The struct has `count` leaves of these widths; NULL: of
 * 4 bytes each. */
__attribute__((format(printf, 7, 8))) static void
marshal_case_add(const struct marshal_adding *adding, const unsigned *widths,
                 size_t count, uint64_t structs, struct dl_layout from,
                 struct dl_layout to, const char *format, ...)
{
    struct case_list *list = adding->list;
    struct bench_case *cases = realloc(list->cases, (list->count + 1) * sizeof *cases),
                      *bench;
    struct dl_leaf fields[WORDS_MAX];
    struct dl_leaf_table table;
    uint32_t offset = 0;
    va_list args;

    for (size_t l = 0; l < count; l++) {
        fields[l] = (struct dl_leaf){offset, widths ? widths[l] : 4};
        offset += fields[l].width_bytes;
    }
    list->cases = cases ? cases : list->cases;
    if (!cases || dl_leaf_table_make(offset, fields, count, &table) != DL_OK) {
        list->failed = true;
        return;
    }
    bench = &cases[list->count++];
    *bench = (struct bench_case){
        .table = table, .structs = structs ? structs : 1, .from = from, .to = to};
    snprintf(bench->group, sizeof bench->group, "%s", adding->group);
    va_start(args, format);
    vsnprintf(bench->label, sizeof bench->label, format, args);
    va_end(args);
    if (strcmp(adding->group, "cycle") == 0)
        bench->family = DL_FORCE_CYCLE;
}

static void case_add_both(const struct marshal_adding *to, const unsigned *widths,
                          size_t count, uint64_t structs, struct dl_layout a,
                          struct dl_layout b, const char *label)
{
    marshal_case_add(to, widths, count, structs, a, b, "%s", label);
    marshal_case_add(to, widths, count, structs, b, a, "%s", label);
}

static void add_asta(const struct marshal_adding *to)
{
    const enum dl_layout_kind kind =
        strcmp(to->group, "dawords") == 0 ? DL_LAYOUT_DA : DL_LAYOUT_ASTA;
    char label[32];

    for (size_t t = 0; t < to->tile_count; t++)
        for (size_t w = 0; w < to->word_count; w++) {
            snprintf(label, sizeof label, "%u words", to->words[w]);
            case_add_both(to, NULL, to->words[w], to->bytes / (4 * to->words[w]), aos,
                          tiled(kind, to->tiles[t]), label);
        }
}

/* "24 x 4+1+1+2" as the widths of leaves; returns how many. */
static size_t widths_parse(const char *text, unsigned *widths)
{
    for (size_t count = 0;; text++) {
        char *end;
        unsigned long times = 1, width = strtoul(text, &end, 10);

        if (strncmp(end, " x ", 3) == 0) {
            times = width;
            width = strtoul(end + 3, &end, 10);
        }
        for (; times > 0; times--)
            widths[count++] = (unsigned)width;
        text = end;
        if (*text != '+')
            return count;
    }
}

/* The group `bytes` has those with leaves of one byte. */
static void add_mixed(const struct marshal_adding *to)
{
    static const char *const mixes[] = {
        "4+4+8",           "8+4+4+16+16",   "5 x 8",
        "3 x 16",          "16+4+4+8",      "2+2+4+8",
        "1+1+2+4+8",       "1+4+2 packed",  "128+64+64",
        "6 x 2",           "4 x 1",         "8+1 packed",
        "7 x 1",           "8+4 packed",    "4+1+3 x 1",
        "1+2 packed",      "2 x 1",         "8+8+16+1+1+2+4+8",
        "8 x 8+1+1+2+4",   "24 x 4+1+1+2",  "60 x 4+1+1+2",
        "100 x 4+4 x 1+8", "255 x 4+4 x 1", "8 x 16+1+1+2+4"};
    unsigned widths[WORDS_MAX];

    for (size_t m = 0; m < COUNT(mixes); m++) {
        size_t count = widths_parse(mixes[m], widths);
        uint32_t struct_bytes = 0;
        bool has_bytes = false;
        for (size_t w = 0; w < count; w++) {
            struct_bytes += widths[w];
            has_bytes = has_bytes || widths[w] == 1;
        }
        for (size_t t = 0; t < to->tile_count && (has_bytes || *to->group == 'm'); t++)
            case_add_both(to, widths, count, to->bytes / struct_bytes, aos,
                          tiled(DL_LAYOUT_ASTA, to->tiles[t]), mixes[m]);
    }
}

/* 100! alone: whole super-elements move between ASTA and one tile. */
static void add_super(const struct marshal_adding *to)
{
    static const unsigned columns[] = {19, 8, 64};
    char label[64];

    for (size_t c = 0; c < (*to->options->words ? 1 : 3); c++)
        for (size_t e = 0; e < to->word_count; e++) {
            uint32_t tile = to->words[e];
            uint64_t structs = to->bytes / (4 * columns[c]);
            /* Powers of two all round make many short cycles; the other columns leave n
             * odd. */
            structs = columns[c] == 64 ? structs : structs - structs % (2 * tile) + tile;
            snprintf(label, sizeof label, "%u x %u words", columns[c], tile);
            case_add_both(to, NULL, columns[c], structs, tiled(DL_LAYOUT_ASTA, tile),
                          tiled(DL_LAYOUT_DA, tile), label);
        }
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
static void add_random(const struct marshal_adding *to)
{
    static const char *const kinds[] = {"4 bytes", "8 bytes", "mixed"};
    const struct dl_layout other = strcmp(to->group, "soa") == 0 ? soa
                                   : strcmp(to->group, "da32") == 0
                                       ? tiled(DL_LAYOUT_DA, 32)
                                       : tiled(DL_LAYOUT_DA, 128);
    uint64_t state = 0x9E3779B97F4A7C16u;
    unsigned long shapes = strtoul(to->options->shapes, NULL, 10);

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
        marshal_case_add(to, widths, count, buffer / size, s % 2 ? other : aos,
                         s % 2 ? aos : other, "%u leaves, %s, %llu structs", count,
                         kinds[kind], (unsigned long long)(buffer / size));
    }
}

/* Reading structs of 1 to 64 words in each layout, or storing them, too; nothing is
 * converted but to get there. */
static void add_access(const struct marshal_adding *to)
{
    const struct dl_layout layouts[] = {aos, tiled(DL_LAYOUT_ASTA, 32), soa};

    for (size_t a = 0; a < COUNT(layouts); a++)
        for (size_t w = 0; w < to->word_count; w++)
            marshal_case_add(to, NULL, to->words[w],
                             to->bytes / (4 * to->words[w]) / 1024 * 1024, layouts[a],
                             layouts[a], "%u words", to->words[w]);
}

/* From SoA to ASTA by 100!, whole tiles. */
static void add_whole(const struct marshal_adding *to, const char *name, unsigned words,
                      uint64_t structs)
{
    for (size_t t = 0; t < to->tile_count; t++)
        marshal_case_add(to, NULL, words, structs - structs % to->tiles[t],
                         tiled(DL_LAYOUT_DA, to->tiles[t]),
                         tiled(DL_LAYOUT_ASTA, to->tiles[t]), "%s%u words", name, words);
}

/* Shapes of many and few cycles (Sung 2013, figure 5.7). */
static void add_shapes(const struct marshal_adding *to)
{
    for (size_t w = 0; w < to->word_count; w++)
        add_whole(to, "", to->words[w], to->bytes / (4 * to->words[w]));
}

/* The rows and the longest rows of the thesis's table 5.1, as its figure 5.7: the
 * matrices' entries in ELL form. */
static void add_matrices(const struct marshal_adding *to)
{
    static const struct {
        const char *name;
        unsigned rows, longest;
    } matrices[] = {{"bcsstk18, ", 11948, 40},  {"e40r000, ", 17281, 62},
                    {"bcsstk31, ", 35588, 197}, {"bcsstk32, ", 44609, 215},
                    {"s3dkq4m2, ", 90449, 59},  {"conf6.0, ", 49152, 39}};
    for (size_t m = 0; m < COUNT(matrices); m++)
        add_whole(to, matrices[m].name, matrices[m].longest, matrices[m].rows);
}

/* Exact SoA of a prime number of structs of wide leaves: a slide, also of few structs. */
static void add_slide(const struct marshal_adding *to)
{
    static const char *const shapes[] = {"2 x 128 bytes, prime", "128+64 bytes, prime",
                                         "5 x 32 bytes, prime", "7 x 4 bytes, prime",
                                         "3 x 1 byte, prime"};
    unsigned widths[8];

    for (size_t s = 0; s < COUNT(shapes); s++) {
        size_t count = widths_parse(shapes[s], widths);
        uint64_t struct_bytes = 0;
        for (size_t l = 0; l < count; l++)
            struct_bytes += widths[l];
        case_add_both(to, widths, count, prime_from(to->bytes / struct_bytes), aos, soa,
                      shapes[s]);
    }
}

/* Keeps the cases of "I/N". */
static void part_keep(const char *part, struct case_list *list)
{
    size_t index, count, kept = 0;

    part_parse(part, &index, &count);
    for (size_t c = 0; c < list->count; c++) {
        if (c % count == index)
            list->cases[kept++] = list->cases[c];
        else
            dl_leaf_table_free(&list->cases[c].table);
    }
    list->count = kept;
}

/* False: the options ask for nothing that can be had. */
static bool marshal_cases_make(const struct options *options, uint64_t bytes,
                               struct case_list *out)
{
    static const struct {
        const char *name;
        void (*add)(const struct marshal_adding *to);
        const char *words;
    } groups[] = {
#define X(name, add, words, help) {#name, add, words},
        CASE_MAP(X)
#undef X
    };
    struct marshal_adding to = {.options = options, .bytes = bytes, .list = out};

    to.tile_count = numbers_parse(options->tiles, to.tiles, COUNT(to.tiles));
    for (size_t g = 0; g < COUNT(groups); g++) {
        to.group = groups[g].name;
        if (!list_has(options->cases, to.group))
            continue;
        to.word_count = numbers_parse(*options->words ? options->words : groups[g].words,
                                      to.words, COUNT(to.words));
        groups[g].add(&to);
    }
    part_keep(options->part, out);
    return !out->failed && out->count > 0;
}

static void cases_free(struct case_list *list)
{
    for (size_t c = 0; c < list->count; c++)
        dl_leaf_table_free(&list->cases[c].table);
    free(list->cases);
}

/* ---- how fast a kernel reads every word of its struct, by layout ---- */

/* Converts the buffer at once. */
static enum dl_status convert_now(struct device *device, struct dl_marshal *marshal,
                                  const struct bench_case *bench, struct dl_layout from,
                                  struct dl_layout to, cl_mem mem)
{
    const struct dl_conversion *conversion;
    struct dl_rest *rest;
    enum dl_status st =
        dl_marshal_prepare(marshal, &bench->table, bench->structs, from, to, &conversion);

    return st != DL_OK ? st
                       : dl_marshal_enqueue(marshal, device->queue, conversion, mem, 0,
                                            NULL, NULL, NULL, &rest);
}

/* Reading every struct in the layout `from`, or storing it as well, which is what
 * marshaling is for (Sung 2013, figure 3.7); the sums are checked afterwards, and
 * bytes_per_s counts each byte once for each way. */
static struct case_result access_run(struct marshal_bench *b,
                                     const struct bench_case *bench)
{
    struct device *device = &b->device;
    cl_mem mem = b->mem;
    struct case_result result = {.status = DL_ECL};
    struct dl_marshal *marshal = NULL;
    struct dl_tiling tiling;
    const bool is_update = strcmp(bench->group, "update") == 0;
    cl_uint words = bench->table.struct_bytes / 4, nothing = 0, check = 0;
    cl_ulong tile, head, tail;
    double seconds;
    size_t global = bench->structs / 256 * 256;
    cl_kernel access = device->kernels.of[DEVICE_ACCESS],
              update = device->kernels.of[DEVICE_UPDATE];

    result.status = dl_marshal_make(&device->cl, device->context, device->id, &marshal);
    device_fill(device, mem, bench->structs * bench->table.struct_bytes, NULL);
    if (result.status == DL_OK)
        result.status = convert_now(device, marshal, bench, aos, bench->from, mem);
    if (result.status != DL_OK)
        goto out;
    dl_layout_tile(bench->from, bench->structs, &tiling);
    tile = tiling.tile_structs;
    head = tiling.head_structs;
    tail = tiling.tail_structs;
    KERNEL_ARGS(access, ARG(mem), ARG(words), ARG(tile), ARG(head), ARG(tail),
                ARG(device->errors), ARG(check));
    KERNEL_ARGS(update, ARG(mem), ARG(words), ARG(tile), ARG(head), ARG(tail),
                ARG(nothing));
    result.status = DL_ECL;
    if (!kernel_time(device, is_update ? update : access, global, 256,
                     atoi(b->options.reps), &seconds))
        goto out;
    /* Work-items add up what they read; this run compares with what the formula says. */
    check = 1;
    clSetKernelArg(access, 6, sizeof check, &check);
    if (device_count_errors(device, access, global, &result.errors) != CL_SUCCESS)
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
                                 const struct bench_case *bench, cl_mem mem,
                                 cl_uint *errors)
{
    enum dl_status st = DL_OK;

    device_fill(device, mem, bench->structs * bench->table.struct_bytes + 3, NULL);
    if (bench->from.kind != DL_LAYOUT_AOS) {
        st = convert_now(device, marshal, bench, aos, bench->from, mem);
        /* The way there must be right by itself, or both could be the identity. */
        if (st == DL_OK && device_check(device, mem, &bench->table, bench->structs,
                                        bench->from, errors) != CL_SUCCESS)
            st = DL_ECL;
    }
    if (st == DL_OK && *errors == 0)
        st = convert_now(device, marshal, bench, bench->from, bench->to, mem);
    if (st == DL_OK && *errors == 0 &&
        device_check(device, mem, &bench->table, bench->structs, bench->to, errors) !=
            CL_SUCCESS)
        st = DL_ECL;
    return st;
}

/* A conversion that is timed. */
struct converted {
    struct device *device;
    struct dl_marshal *marshal;
    const struct dl_conversion *conversion;
    cl_mem mem;
    enum dl_status status;
};

static bool convert_once(void *what, double *seconds)
{
    struct converted *c = what;
    struct dl_rest *rest;
    cl_event first, done;

    c->status = dl_marshal_enqueue(c->marshal, c->device->queue, c->conversion, c->mem, 0,
                                   NULL, &first, &done, &rest);
    if (c->status == DL_OK)
        *seconds = device_seconds(first, done);
    return c->status == DL_OK;
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

/* Knows the tiles of wide structs afterwards. */
static struct case_result case_run(struct marshal_bench *b, struct bench_case *bench)
{
    struct device *device = &b->device;
    struct case_result result = {0};
    struct dl_marshal *marshal = NULL;
    const struct dl_conversion *conversion;
    uint64_t bytes = bench->structs * bench->table.struct_bytes;
    struct converted converted = {.device = device, .mem = b->mem};
    double seconds, start = now_s();

    if (strcmp(bench->group, "access") == 0 || strcmp(bench->group, "update") == 0)
        return access_run(b, bench);
    result.status = dl_marshal_make(&device->cl, device->context, device->id, &marshal);
    if (result.status != DL_OK)
        return result;
    if (*b->options.knobs) { /* as given, whatever the tables say instead */
        marshal->engine.file =
            dl__device_file_named(marshal->engine.limits.is_cpu ? "cpu" : "gpu");
        dl__steps_open(&marshal->steps, &marshal->engine);
    }
    sweep_set(&b->sweep, b->variant, &marshal->steps, NULL, ' ', b->label,
              sizeof b->label);
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
    if (is_yes(b->options.check)) {
        result.status = case_check(device, marshal, bench, b->mem, &result.errors);
        if (result.status != DL_OK)
            goto out;
    }
    converted.marshal = marshal;
    converted.conversion = conversion;
    if (!median_time(convert_once, &converted, atoi(b->options.reps), &seconds)) {
        result.status = converted.status;
        goto out;
    }
    result.bytes_per_s = 2.0 * (double)bytes / seconds;
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
static const char *case_key(const struct marshal_bench *b, size_t c, uint64_t *bytes)
{
    const struct bench_case *bench = &b->list.cases[c];
    uint64_t tile =
        bench->from.tile_structs ? bench->from.tile_structs : bench->to.tile_structs;

    *bytes = tile * bench->table.struct_bytes;
    if (strcmp(bench->group, "super") == 0) {
        *bytes = tile * bench->table.leaves[0].width_bytes;
        return "cut";
    }
    if (strcmp(bench->group, "cycle") == 0)
        return "cycle";
    return device_is_cpu(&b->device) ? "each" : "chunk";
}

/* The variant whose worst case of this key is best; the first unless another gains a
 * hundredth. */
static size_t variant_best(const struct marshal_bench *b, const char *family,
                           uint64_t bytes)
{
    const size_t cases = b->list.count;
    double best_share = 0;
    size_t best = 0;

    for (size_t v = 0; v < b->sweep.variants; v++) {
        double least = 1e9;
        for (size_t c = 0; c < cases; c++) {
            uint64_t own;
            if (strcmp(case_key(b, c, &own), family) == 0 && own == bytes &&
                b->shares[v * cases + c] < least)
                least = b->shares[v * cases + c];
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
static void family_print(FILE *out, const struct marshal_bench *b, const char *family)
{
    char last[256] = "";

    for (uint64_t after = 0;;) {
        uint64_t size = UINT64_MAX, own;
        char label[256];
        for (size_t c = 0; c < b->list.count; c++)
            if (strcmp(case_key(b, c, &own), family) == 0 && own >= after && own < size)
                size = own;
        if (size == UINT64_MAX)
            return;
        after = size + 1;
        sweep_set(&b->sweep, variant_best(b, family, size), NULL, NULL, ',', label,
                  sizeof label);
        if (strcmp(label, last) != 0)
            fprintf(out, "%s %llu %s\n", family, *last ? (unsigned long long)size : 0ULL,
                    label);
        snprintf(last, sizeof last, "%s", label);
    }
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
        {"marshaling", &dl__marshal_numbers.knobs, sizeof(struct dl__knobs)},
        {"plans", &dl__marshal_numbers.limits, sizeof(struct dl_plan_limits)},
        {"transposition", &dl__tuning_table, sizeof(struct dl__tuning)},
        {"what is expected before it is measured", &dl__marshal_numbers.rates,
         sizeof(struct dl_rates)},
    };

    for (size_t r = 0; r < COUNT(rooms); r++) {
        void *values = calloc(1, rooms[r].bytes);
        fprintf(out, "\n# %s\n", rooms[r].what);
        if (values) {
            dl__numbers_read(file, NULL, 0, rooms[r].table, values);
            if (memory && rooms[r].table == &dl__marshal_numbers.rates) {
                ((struct dl_rates *)values)->burst_bytes = memory->burst_bytes;
                ((struct dl_rates *)values)->steering_bits = memory->steering_bits;
            }
            dl__numbers_print(out, rooms[r].table, values);
        }
        free(values);
    }
}

/* Begins a file for the device, up to the sizes of the families that are tuned, a NULL
 * behind them. NULL after a message. */
static FILE *table_begin(const char *path, const struct device *device, const char *by,
                         const struct dl_rates *memory, const char **tuned)
{
    const struct dl__device_file *file =
        dl__device_file_find(device->name, device_is_cpu(device));
    FILE *out = fopen(path, "w");

    if (!out) {
        perror(path);
        return NULL;
    }
    fprintf(out, "# Written by dl-bench %s, driver %s\ndevice %s\n", by, device->driver,
            device->name);
    numbers_print(out, file, memory);
    fprintf(out, "\n# sizes\n");
    dl__numbers_print_families(out, file, tuned);
    return out;
}

/* Writes a file for the device, with the best variants. */
static bool table_write(const struct marshal_bench *b)
{
    const char *tuned[5] = {NULL}; /* the families of the cases, a NULL behind them */
    char by[1024];
    FILE *out;

    for (size_t c = 0, f; c < b->list.count; c++) {
        uint64_t any;
        const char *family = case_key(b, c, &any);
        for (f = 0; tuned[f] && strcmp(tuned[f], family) != 0;)
            f++;
        tuned[f] = family;
    }
    snprintf(by, sizeof by, "tune --table: --cases %s --knobs %s", b->options.cases,
             b->options.knobs);
    out = table_begin(b->options.table, &b->device, by, NULL, tuned);
    for (size_t f = 0; out && tuned[f]; f++)
        family_print(out, b, tuned[f]);
    return out && fclose(out) == 0;
}

bool table_write_memory(const char *path, const struct device *device,
                        unsigned burst_bytes, unsigned steering_bits)
{
    const struct dl_rates memory = {.burst_bytes = burst_bytes,
                                    .steering_bits = steering_bits};
    const char *none[] = {NULL};
    FILE *out = table_begin(path, device, "steering --table", &memory, none);

    return out && fclose(out) == 0;
}

/* ---- lines ---- */

static void result_print(const struct marshal_bench *b, const struct bench_case *bench,
                         const struct case_result *result)
{
    double share = 100 * result->bytes_per_s / b->device.copy;
    const char *status = status_name(result->status, result->errors);

    printf("%-6s %-34s %4s%-4u -> %4s%-4u %-5s %8.1f GB/s %5.1f %% %s\n", bench->group,
           bench->label, dl_layout_name(bench->from.kind), bench->from.tile_structs,
           dl_layout_name(bench->to.kind), bench->to.tile_structs, status,
           result->bytes_per_s * 1e-9, share, b->label);
    if (b->csv)
        fprintf(b->csv,
                "%s,\"%s\",%llu,%u,%s,%u,%s,%u,%s,%s,%u,%.2f,%.2f,%.3f,%llu,%zu,%llu\n",
                bench->group, bench->label, (unsigned long long)bench->structs,
                bench->table.struct_bytes, dl_layout_name(bench->from.kind),
                bench->from.tile_structs, dl_layout_name(bench->to.kind),
                bench->to.tile_structs, b->label, status, result->errors,
                result->bytes_per_s * 1e-9, share, result->prepare_s,
                (unsigned long long)result->workspace_bytes, result->group_items,
                (unsigned long long)result->local_bytes);
    fflush(stdout);
}

/* Lowest, median and highest share of each group of cases. */
static void summary_print(const struct marshal_bench *b, const double *shares)
{
    const struct case_list *list = &b->list;
    double *sorted = calloc(list->count, sizeof *sorted);

    for (size_t c = 0, past; c < list->count && sorted; c = past) {
        double median;

        for (past = c; past < list->count; past++) {
            if (strcmp(list->cases[past].group, list->cases[c].group) != 0)
                break;
            sorted[past - c] = shares[past];
        }
        median = median_of(sorted, past - c);
        printf("== %-6s lowest %5.1f %%  median %5.1f %%  highest %5.1f %%  of %zu  %s\n",
               list->cases[c].group, sorted[0], median, sorted[past - c - 1], past - c,
               b->label);
    }
    free(sorted);
}

static bool marshal_cases_run(struct marshal_bench *b)
{
    const size_t variants = b->sweep.variants, cases = b->list.count;
    struct progress progress = progress_begin(variants * cases);
    bool good = true;

    for (b->variant = 0; b->variant < variants; b->variant++) {
        double *shares = b->shares + b->variant * cases;

        sweep_set(&b->sweep, b->variant, NULL, NULL, ' ', b->label, sizeof b->label);
        for (size_t c = 0; c < cases; c++) {
            struct case_result result = case_run(b, &b->list.cases[c]);
            bool right = result.status == DL_OK && result.errors == 0;

            shares[c] = right ? 100 * result.bytes_per_s / b->device.copy : 0;
            good = good && right;
            progress_clear();
            result_print(b, &b->list.cases[c], &result);
            progress_step(&progress);
        }
        summary_print(b, shares);
    }
    return good && *b->options.table ? table_write(b) : good;
}

static bool marshal_begin(struct marshal_bench *b, uint64_t copy_bytes)
{
    uint64_t most = 0;
    cl_int err;

    for (size_t c = 0; c < b->list.count; c++) {
        uint64_t need = b->list.cases[c].structs * b->list.cases[c].table.struct_bytes;
        most = need > most ? need : most;
    }
    if (!device_copy_time(&b->device, copy_bytes, atoi(b->options.reps)))
        return false;
    b->shares = calloc(b->sweep.variants * b->list.count, sizeof *b->shares);
    b->mem =
        clCreateBuffer(b->device.context, CL_MEM_READ_WRITE, most + 4096, NULL, &err);
    if (b->shares && err == CL_SUCCESS)
        return device_csv_open(
            &b->csv, b->options.csv, &b->device,
            "group,case,structs,struct_bytes,from,from_tile,to,to_tile,"
            "knobs,status,errors,gb_per_s,share_percent,prepare_s,"
            "workspace_bytes,group_items,local_bytes",
            "");
    fprintf(stderr, "dl-bench: no device memory for %llu bytes\n",
            (unsigned long long)most);
    return false;
}

static const struct bench_option marshal_options_known[] = {
    MARSHAL_OPTION_MAP(BENCH_ROW)};

static bool marshal_words_print(const char *option)
{
    if (strcmp(option, "knobs") == 0)
        return knobs_print(&dl__marshal_numbers.knobs, sizeof(struct dl__knobs));
    if (strcmp(option, "cases") != 0)
        return false;
#define X(name, add, words, help) bench_word_print(#name, help);
    CASE_MAP(X)
#undef X
    return true;
}

int marshal_main(int argc, char **argv)
{
    static const struct bench_command command = {
        "usage: dl-bench marshal [options]\n"
        "       dl-bench tune [options]\n"
        "Speed of conversions between layouts, each checked; tune runs every variant of "
        "--knobs.\n",
        marshal_options_known, COUNT(marshal_options_known), marshal_words_print};
    struct marshal_bench b = {.csv = NULL};
    uint64_t bytes;
    bool good = false;
    int code = bench_options_read(&command, argc, argv, &b.options);

    if (code != BENCH_GO_ON)
        return code;
    if (strcmp(argv[1], "marshal") == 0 && strchr(b.options.knobs, '/'))
        return bench_option_complain(argv[1], "knobs", b.options.knobs,
                                     "several values of a knob",
                                     "one value; dl-bench tune tries several");
    if (!sweep_read(argv[1], b.options.knobs, NULL, &b.sweep))
        return 2;
    if (!device_open(&b.device, b.options.device))
        return 1;
    bytes = *b.options.bytes ? bytes_parse(b.options.bytes)
                             : UINT64_C(1) << (device_is_cpu(&b.device) ? 26 : 30);
    if (!marshal_cases_make(&b.options, bytes, &b.list))
        fprintf(stderr, "dl-bench: no case is left of --cases, --part, --bytes, --words "
                        "and --tiles\n");
    else
        good = marshal_begin(&b, bytes - bytes % 4096) && marshal_cases_run(&b);
    if (b.csv)
        fclose(b.csv);
    free(b.shares);
    mems_free(&b.mem, 1);
    cases_free(&b.list);
    device_close(&b.device);
    return good ? 0 : 1;
}

/* ======== dl-bench transpose: in place and out of place ======== */

/* X(name, the function that adds its sizes, "help"). */
#define SET_MAP(X)                                                                       \
    X(random, randoms_add, "rows and columns random from 1000 to 20000")                 \
    X(table, table_add, "the sizes of the thesis's table 4.2")                           \
    X(skinny, skinny_add, "few rows or few columns, as structs and their members")       \
    X(whole, skinny_add, "as skinny, with a long side that is a multiple of 256")        \
    X(primes, primes_add, "prime numbers of rows and columns")                           \
    X(small, small_add, "matrices from 4 KB to 64 MB, and random sides from 1 to 200")   \
    X(tiles, tiles_add, "7200 x 1800, in stages with tiles of many sizes")               \
    X(square, squares_add, "squares with even, odd and large sides")                     \
    X(outofplace, outofplace_add, "as random, out of place")                             \
    X(nearsquare, nearsquare_add, "one side 1 to 10 percent longer than the other")      \
    X(axes, axes_set_add, "arrays of three to six axes in another order")                \
    X(batch, batch_add, "thousands of small matrices at once")                           \
    X(landscape, landscape_add, "400 sizes: 20 numbers of rows by 20 of columns")        \
    X(kilos, kilos_add, "squares whose side is a multiple of 1024")                      \
    X(involutions, involutions_add, "two of three axes swapped")
#define SET_WORD(name, add, help) #name ","

/* X("word", the library's cap, or its default if a case computes its own, "help") */
#define CAP_MAP(X)                                                                       \
    X("default", DL_TRANSPOSE_CAP_DEFAULT, "the library's default")                      \
    X("0", DL_TRANSPOSE_CAP_0, "none")                                                   \
    X("1", DL_TRANSPOSE_CAP_1, "1 percent of the matrix")                                \
    X("6", DL_TRANSPOSE_CAP_6, "6 percent")                                              \
    X("12", DL_TRANSPOSE_CAP_12, "12 percent")                                           \
    X("any", DL_TRANSPOSE_CAP_ANY, "of any size")                                        \
    X("line", DL_TRANSPOSE_CAP_DEFAULT, "as many elements as the longer side has")       \
    X("linear", DL_TRANSPOSE_CAP_DEFAULT, "64 elements for each row and column")
#define CAP_WORD(word, cap, help) word ","
#define ALGORITHM_WORD(name, text, help) text ","

#define TRANSPOSE_OPTION_MAP(X)                                                          \
    BENCH_DEVICE(X)                                                                      \
    X(sets, "LIST", "random,table,skinny", "*" SET_MAP(SET_WORD),                        \
      "which sizes; --sets help explains the names")                                     \
    X(shapes, "LIST", "", ",", "sizes of your own, as 7200x1800,5x1000000")              \
    X(place, "in|out", "in", "=in,out",                                                  \
      "in place or out of place; the set outofplace is always out, and square in")       \
    X(buffers, "N", "1", "1-16",                                                         \
      "run each case in so many buffers and take the median, since the speed depends "   \
      "a little on where a buffer is in memory")                                         \
    X(sizes, "N", "60", "0-100000",                                                      \
      "how many sizes in the sets random, outofplace, skinny, whole, primes and small")  \
    X(seed, "N", "1", "1-9007199254740992", "seed of the random sizes")                  \
    X(elements, "LIST", "4,8", "#1-1048576/16", "bytes of an element")                   \
    X(algorithms, "LIST", "auto", "*all," DL__ALGORITHM_MAP(ALGORITHM_WORD),             \
      "by name, or all; --algorithms help explains the names")                           \
    X(caps, "LIST", "6", "*" CAP_MAP(CAP_WORD),                                          \
      "how large the workspace may be; --caps help explains the words")                  \
    X(bytes, "N", "", "@1-1024G",                                                        \
      "the largest matrix, as 64M; default 4G, 256M on a CPU")                           \
    BENCH_REPS(X, "5")                                                                   \
    BENCH_PART(X)                                                                        \
    BENCH_CHECK(X)                                                                       \
    X(explain, "", "", "",                                                               \
      "print which algorithm was chosen and why, or why it refused")                     \
    X(knobs, "LIST", "", "",                                                             \
      "settings of the kernels, as panel_group=128/256: every combination is run; "      \
      "--knobs help lists them")                                                         \
    BENCH_CSV(X)

struct transpose_options {
    TRANSPOSE_OPTION_MAP(BENCH_FIELD)
};

enum {
    LINEAR_CAP = 64, /* elements of workspace for each row and column */
    BUFFERS_MAX = 16,
    CACHE_BYTES = 64 << 20 /* matrices up to this size are reported apart */
};

struct cap;

struct transpose_case {
    char set[16];
    uint64_t rows, cols;
    uint32_t element_bytes, tile_rows, tile_cols;
    enum dl_transpose_algorithm algorithm;
    const struct cap *cap;
    bool is_out;
    uint64_t batch; /* matrices, one after the other; 0: one */
    /* 0: a matrix; else rows x cols are the elements of all axes. */
    uint32_t axis_count, permutation[DL_TRANSPOSE_AXES_MAX];
    uint64_t extents[DL_TRANSPOSE_AXES_MAX];
};

/* A growing list of cases of at most bytes_max. */
struct transpose_list {
    struct transpose_case *cases;
    size_t count;
    uint64_t bytes_max;
    struct transpose_case form; /* for the cases of the set that is being added */
    int sizes;                  /* the number of random ones */
    uint64_t state; /* of the random sizes, which depend on nothing but the seed */
    /* Of the set that is being added: how many exceed bytes_max, and the smallest of
     * them. */
    size_t too_large;
    uint64_t too_large_bytes;
    bool too_large_said; /* for this size of an element */
    bool failed;
};

/* Where cases run: `to` is for those out of place, else NULL. */
struct buffers {
    cl_mem mem, to;
};

struct transpose_bench {
    struct transpose_options options;
    struct sweep sweep;
    struct device device;
    struct transpose_list list;
    struct buffers buffers[BUFFERS_MAX];
    size_t buffer_count;
    struct dl_transpose *transpose; /* of a variant */
    struct dl_transpose_error error;
    char label[256]; /* of the variant */
    double *shares;  /* of its cases, percent of a copy */
    FILE *csv;
};

struct transpose_result {
    enum dl_status status;
    struct dl_transpose_info info;
    cl_uint errors;
    double bytes_per_s, plan_s;
    double touch_bytes_per_s; /* of a kernel that reads and writes the matrix in place; 0:
                                 not asked */
};

static uint64_t transpose_case_bytes(const struct transpose_case *item)
{
    return (item->batch ? item->batch : 1) * item->rows * item->cols *
           item->element_bytes;
}

static void list_add(struct transpose_list *list)
{
    uint64_t bytes = transpose_case_bytes(&list->form);
    struct transpose_case *cases;

    if (bytes > list->bytes_max) {
        if (list->too_large == 0 || bytes < list->too_large_bytes)
            list->too_large_bytes = bytes;
        list->too_large++;
        return;
    }
    cases = realloc(list->cases, (list->count + 1) * sizeof *cases);
    if (!cases) {
        list->failed = true;
        return;
    }
    list->cases = cases;
    cases[list->count++] = list->form;
}

/* ---- sets of sizes ---- */

static uint64_t random_below(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

static void size_add(struct transpose_list *to, uint64_t rows, uint64_t cols)
{
    to->form.rows = rows;
    to->form.cols = cols;
    list_add(to);
}

static void random_add(struct transpose_list *to, uint64_t least, uint64_t count)
{
    uint64_t rows = least + random_below(&to->state, count);

    size_add(to, rows, least + random_below(&to->state, count));
}

static void randoms_add(struct transpose_list *to)
{
    for (int s = 0; s < to->sizes; s++)
        random_add(to, 1000, 19001);
}

static void outofplace_add(struct transpose_list *to)
{
    to->form.is_out = true;
    randoms_add(to);
}

static void primes_add(struct transpose_list *to)
{
    for (int s = 0; s < to->sizes; s++) {
        uint64_t rows = prime_from(1000 + random_below(&to->state, 18900));

        size_add(to, rows, prime_from(1000 + random_below(&to->state, 18900)));
    }
}

/* AoS to SoA and back, in turns; `whole` counts are tiles of 256. */
static void skinny_add(struct transpose_list *to)
{
    for (int s = 0; s < to->sizes; s++) {
        uint64_t fields = 2 + random_below(&to->state, 30),
                 count = 10000 + random_below(&to->state, 9990001);

        if (strcmp(to->form.set, "whole") == 0)
            count = dl__round_up(count, 256);
        size_add(to, s % 2 ? fields : count, s % 2 ? count : fields);
    }
}

static void table_add(struct transpose_list *to)
{
    static const uint64_t table[][2] = {{7200, 1800}, {5100, 2500}, {4000, 3200},
                                        {3300, 3900}, {2500, 5100}, {1800, 7200}};

    for (size_t t = 0; t < COUNT(table); t++)
        size_add(to, table[t][0], table[t][1]);
}

static void tiles_add(struct transpose_list *to)
{
    /* Divisors of both 7200 and 1800. */
    static const uint32_t sides[] = {4, 8, 12, 20, 24, 36, 45, 60, 72, 90, 120, 150, 200};

    for (size_t m = 0; m < COUNT(sides); m++)
        for (size_t n = 0; n < COUNT(sides); n++) {
            to->form.tile_rows = sides[m];
            to->form.tile_cols = sides[n];
            if (sides[m] * sides[n] * to->form.element_bytes <= 44 << 10)
                size_add(to, 7200, 1800);
        }
}

static void squares_add(struct transpose_list *to)
{
    /* Rows a multiple of 256 bytes apart, of less, and odd ones. */
    static const uint32_t squares[] = {1024,  2048, 4096, 8192, 16384, 32768, 10000,
                                       20000, 9999, 4097, 7919, 10006, 16388, 19997};

    for (size_t s = 0; s < COUNT(squares); s++)
        size_add(to, squares[s], squares[s]);
}

/* The largest case of these sets, even if the device has room for more. */
#define CASE_BYTES (UINT64_C(1) << 30)
static uint64_t room_of(const struct transpose_list *list)
{
    return list->bytes_max < CASE_BYTES ? list->bytes_max : CASE_BYTES;
}

/* The largest number whose power of `exponent` is not above `most`. */
static uint64_t root_of(uint64_t most, unsigned exponent)
{
    for (uint64_t root = 1;; root++) {
        uint64_t power = 1;
        for (unsigned e = 0; e < exponent; e++)
            power *= root + 1;
        if (power > most)
            return root;
    }
}

/* The side of the largest square. */
static uint64_t side_most(const struct transpose_list *list)
{
    return root_of(list->bytes_max / list->form.element_bytes, 2);
}

/* n x (n + 1, 2, 5 and 10 %), and the other way round (figure 4.4 of Sung 2013). */
static void nearsquare_add(struct transpose_list *to)
{
    static const uint32_t sides[] = {128, 1000, 4000, 8192, 10000, 16000};
    static const uint32_t percents[] = {1, 2, 5, 10};

    for (size_t s = 0; s < COUNT(sides); s++)
        for (size_t p = 0; p < COUNT(percents); p++) {
            uint64_t longer = sides[s] + (sides[s] * percents[p] + 99) / 100;

            size_add(to, p % 2 ? longer : sides[s], p % 2 ? sides[s] : longer);
        }
}

static void axes_add(struct transpose_list *to)
{
    uint64_t cols = 1;

    for (uint32_t a = 1; a < to->form.axis_count; a++)
        cols *= to->form.extents[a];
    size_add(to, to->form.extents[0], cols);
}

/* All orders of a cube and of three unlike sides, swaps with 2 and 3 elements between,
 * about and inside (figures 14 and 15 of Gorawski and Lorek 2017), and random ones of
 * four to six axes. */
static void axes_set_add(struct transpose_list *to)
{
    static const uint32_t orders[][3] = {
        {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    uint64_t elements = room_of(to) / to->form.element_bytes, side = root_of(elements, 3);
    uint64_t few = root_of(elements / 3, 2);

    to->form.axis_count = 3;
    for (size_t o = 0; o < COUNT(orders); o++) {
        memcpy(to->form.permutation, orders[o], sizeof orders[o]);
        to->form.extents[0] = to->form.extents[1] = to->form.extents[2] = side;
        axes_add(to);
        to->form.extents[0] = side + side / 4;
        to->form.extents[2] = side - side / 4 + 1;
        axes_add(to);
    }
    for (uint64_t other = 2; other <= 3; other++)
        for (size_t o = 0; o < 3; o++) {
            static const uint32_t swaps[][3] = {{1, 0, 2}, {2, 1, 0}, {0, 2, 1}};
            memcpy(to->form.permutation, swaps[o], sizeof swaps[o]);
            for (uint32_t a = 0; a < 3; a++)
                to->form.extents[a] = swaps[o][a] == a ? other : few;
            axes_add(to);
        }
    for (int s = 0; s < to->sizes; s++) {
        uint64_t left = elements;
        to->form.axis_count = 4 + (uint32_t)random_below(&to->state, 3);
        for (uint32_t a = 0; a < to->form.axis_count; a++) {
            uint32_t at = (uint32_t)random_below(&to->state, a + 1);
            uint64_t mean = root_of(left, to->form.axis_count - a);
            to->form.permutation[a] = to->form.permutation[at];
            to->form.permutation[at] = a;
            to->form.extents[a] = mean - mean / 2 + random_below(&to->state, mean);
            if (to->form.extents[a] > left)
                to->form.extents[a] = left;
            left /= to->form.extents[a];
        }
        axes_add(to);
    }
}

/* Two axes swapped with 2 and 3 planes about and between them, the sides multiples of
 * 1024 up to the largest with room (figures 14 and 15 of Gorawski and Lorek 2017). */
static void involutions_add(struct transpose_list *to)
{
    static const uint32_t orders[][3] = {{0, 2, 1}, {2, 1, 0}};
    enum { STEPS = 16 };

    to->form.axis_count = 3;
    for (size_t o = 0; o < COUNT(orders); o++)
        for (uint64_t other = 2; other <= 3; other++) {
            uint64_t most = root_of(to->bytes_max / to->form.element_bytes / other, 2);
            uint64_t unit = most < 1024 * STEPS ? most / STEPS : 1024;
            uint64_t step = unit ? most / (STEPS * unit) * unit : 0;

            memcpy(to->form.permutation, orders[o], sizeof orders[o]);
            for (uint64_t side = step; step && side <= most; side += step) {
                for (uint32_t a = 0; a < 3; a++)
                    to->form.extents[a] = orders[o][a] == a ? other : side;
                axes_add(to);
            }
        }
}

/* Thousands of small matrices, up to 256 MB of them. */
static void batch_add(struct transpose_list *to)
{
    static const uint32_t shapes[][2] = {{8, 8},   {5, 3},    {17, 40},   {32, 32},
                                         {64, 48}, {100, 60}, {200, 200}, {300, 200}};

    for (size_t s = 0; s < COUNT(shapes); s++) {
        to->form.batch =
            room_of(to) / 4 / (shapes[s][0] * shapes[s][1] * to->form.element_bytes);
        if (to->form.batch > 0)
            size_add(to, shapes[s][0], shapes[s][1]);
    }
}

/* 400 sizes, rows and columns up to 20000 or the largest with room (figures 4 and 5 of
 * Catanzaro et al. 2014). */
static void landscape_add(struct transpose_list *to)
{
    enum { STEPS = 20 };
    uint64_t most = side_most(to), step = (most < 20000 ? most : 20000) / STEPS;

    for (uint64_t i = 1; i <= STEPS; i++)
        for (uint64_t j = 1; j <= STEPS; j++)
            size_add(to, i * step, j * step);
}

/* Squares whose side is a multiple of 1024, as many as fit (figures 9 to 11
 * of Gorawski and Lorek 2017). */
static void kilos_add(struct transpose_list *to)
{
    const uint64_t most = side_most(to);
    const uint64_t unit =
        most < 8192 ? most / 8 : 1024; /* other multiples on a small device */

    for (uint64_t side = 1; side <= most / unit; side += side < 2 ? 1 : 2)
        size_add(to, unit * side, unit * side);
}

/* From 4 KB to 64 MB, two to three, and random ones up to 200. */
static void small_add(struct transpose_list *to)
{
    for (uint64_t bytes = 4096; bytes <= UINT64_C(64) << 20; bytes *= 4) {
        uint64_t rows = root_of(bytes / to->form.element_bytes * 2 / 3, 2);

        size_add(to, rows, bytes / to->form.element_bytes / rows);
    }
    for (int s = 0; s < to->sizes; s++)
        random_add(to, 1, 200);
}

/* Adds the sizes of a set in the form that the list has; element_bytes only decides which
 * fit. */
static void set_add(struct transpose_list *list, const char *set,
                    const struct transpose_options *options)
{
    static const struct {
        const char *name;
        void (*add)(struct transpose_list *to);
    } sets[] = {
#define X(name, add, help) {#name, add},
        SET_MAP(X)
#undef X
    };

    list->sizes = atoi(options->sizes);
    list->state = strtoull(options->seed, NULL, 10);
    for (size_t s = 0; s < COUNT(sets); s++)
        if (strcmp(sets[s].name, set) == 0) {
            snprintf(list->form.set, sizeof list->form.set, "%s", sets[s].name);
            sets[s].add(list);
        }
}

/* Adds a size of the user's own, ROWSxCOLS. */
static void own_add(struct transpose_list *list, const char *word)
{
    char *end;
    uint64_t rows = strtoull(word, &end, 10), cols = strtoull(end + 1, NULL, 10);

    snprintf(list->form.set, sizeof list->form.set, "own");
    size_add(list, rows, cols);
}

/* ---- cases ---- */

/* Adds the cases of each set, or of the shapes that are given instead. */
static void sets_add(struct transpose_list *list, const struct transpose_options *options,
                     struct transpose_case form)
{
    const bool own = *options->shapes != '\0';
    const char *at = own ? options->shapes : options->sets;
    char word[64];

    form.is_out = strcmp(options->place, "out") == 0;
    while (list_next(&at, word, sizeof word)) {
        size_t before = list->count;

        list->too_large = 0;
        list->form = form;
        if (own)
            own_add(list, word);
        else
            set_add(list, word, options);
        if (list->too_large > 0 && !list->too_large_said)
            fprintf(
                stderr,
                "dl-bench: %s: %zu of %zu matrices with elements of %u bytes are larger "
                "than --bytes; the smallest of them needs --bytes %lluM\n",
                word, list->too_large, list->too_large + list->count - before,
                form.element_bytes,
                (unsigned long long)((list->too_large_bytes + (1 << 20) - 1) >> 20));
    }
}

static void algorithms_add(struct transpose_list *list,
                           const struct transpose_options *options,
                           struct transpose_case form)
{
    const bool all = list_has(options->algorithms, "all");

    for (unsigned a = 0; a < DL__ALGORITHMS; a++) {
        form.algorithm = (enum dl_transpose_algorithm)a;
        if (all ? a == DL_TRANSPOSE_NONE
                : !list_has(options->algorithms,
                            dl_transpose_algorithm_name(form.algorithm)))
            continue;
        sets_add(list, options, form);
        list->too_large_said = true;
    }
}

static const struct cap {
    const char *word;
    enum dl_transpose_cap cap;
} caps[] = {
#define X(word, cap, help) {word, cap},
    CAP_MAP(X)
#undef X
};

/* The cases of all sets, each with every element size, algorithm and cap. False after a
 * line: there are none, or no memory. */
static bool transpose_cases_make(const struct transpose_options *options,
                                 struct transpose_list *list)
{
    unsigned elements[16];
    size_t element_count = numbers_parse(options->elements, elements, 16);
    const char *at = options->caps;
    const struct cap *first_cap = NULL;
    char word[16];
    size_t kept = 0, part, parts;

    while (list_next(&at, word, sizeof word)) {
        struct transpose_case form = {.cap = NULL};

        for (size_t c = 0; c < COUNT(caps); c++)
            if (strcmp(caps[c].word, word) == 0)
                form.cap = &caps[c];
        first_cap = first_cap ? first_cap : form.cap;
        for (size_t e = 0; e < element_count; e++) {
            form.element_bytes = elements[e];
            list->too_large_said = form.cap != first_cap;
            algorithms_add(list, options, form);
        }
    }
    part_parse(options->part, &part, &parts);
    for (size_t c = part; c < list->count; c += parts)
        list->cases[kept++] = list->cases[c];
    list->count = kept;
    if (!list->failed && list->count > 0)
        return true;
    fprintf(stderr,
            "dl-bench: no case is left of --sets, --shapes, --part and --bytes\n");
    return false;
}

static struct bench_axes transpose_case_axes(const struct transpose_case *item)
{
    uint64_t batch = item->batch ? item->batch : 1;
    uint64_t was[DL_TRANSPOSE_AXES_MAX], distance = 1;
    struct bench_axes axes = {.elements = batch * item->rows * item->cols,
                              .element_bytes = item->element_bytes,
                              .count = 1,
                              .extents = {batch},
                              .was = {item->rows * item->cols}};

    if (item->axis_count == 0) {
        axes.count = 3;
        axes.extents[1] = item->cols;
        axes.was[1] = 1;
        axes.extents[2] = item->rows;
        axes.was[2] = item->cols;
        return axes;
    }
    for (uint32_t a = item->axis_count; a-- > 0; distance *= item->extents[a])
        was[a] = distance;
    for (uint32_t d = 0; d < item->axis_count; d++, axes.count++) {
        axes.extents[axes.count] = item->extents[item->permutation[d]];
        axes.was[axes.count] = was[item->permutation[d]];
    }
    return axes;
}

/* "48x30x60>2.1.0", or "" for a matrix. */
static void transpose_case_text(const struct transpose_case *item, char *text,
                                size_t bytes)
{
    size_t used = 0;

    *text = '\0';
    for (uint32_t a = 0; a < item->axis_count && used < bytes; a++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%llu", a ? "x" : "",
                                 (unsigned long long)item->extents[a]);
    for (uint32_t a = 0; a < item->axis_count && used < bytes; a++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%u", a ? "." : ">",
                                 item->permutation[a]);
}

/* One line, the first under headings, and one of the CSV unless that is NULL. */
static void transpose_result_print(const struct transpose_bench *b,
                                   const struct transpose_case *item,
                                   const struct transpose_result *result)
{
    double copy = b->device.copy, share = 100 * result->bytes_per_s / copy;
    bool refused = result->status == DL_EREFUSED || result->status == DL_ENOTSUP;
    const char *status = status_name(result->status, result->errors);
    char touch[32] = "", axes[120];
    const char *asked = dl_transpose_algorithm_name(item->algorithm);
    const char *taken = dl_transpose_algorithm_name(result->info.algorithm);

    transpose_case_text(item, axes, sizeof axes);
    if (result->touch_bytes_per_s > 0)
        snprintf(touch, sizeof touch, " touch %5.1f %%",
                 100 * result->touch_bytes_per_s / copy);
    if (item == b->list.cases)
        printf("%-7s %9s x %-9s %4s %-7s %-13s %-13s %-5s %13s %7s %s\n", "set", "rows",
               "columns", "item", "cap", "algorithm", "taken", "check", "speed",
               "of copy", "workspace");
    printf(
        "%-7s %9llu x %-9llu %2u B cap %-3s %-13s %-13s %-5s %8.1f GB/s %5.1f %% work "
        "%5.2f %%%s %s%s%s%s%s\n",
        item->set, (unsigned long long)item->rows, (unsigned long long)item->cols,
        item->element_bytes, item->cap->word, asked, result->status == DL_OK ? taken : "",
        status, result->bytes_per_s * 1e-9, share,
        100.0 * (double)result->info.workspace_bytes / (double)transpose_case_bytes(item),
        touch, b->label, *axes ? " " : "", axes, item->batch > 1 ? " batch" : "",
        result->status != DL_OK && !refused ? b->error.text : "");
    if (b->csv)
        fprintf(b->csv,
                "%s,%llu,%llu,%u,%s,%s,%s,%s,%u,%.2f,%.2f,%llu,%u,%u,%u,%u,%.3f,%.2f,%s,%"
                "llu,%s\n",
                item->set, (unsigned long long)item->rows, (unsigned long long)item->cols,
                item->element_bytes, item->cap->word, asked,
                result->status == DL_OK ? taken : "", status, result->errors,
                result->bytes_per_s * 1e-9, share,
                (unsigned long long)result->info.workspace_bytes, result->info.passes,
                result->info.launches, item->tile_rows, item->tile_cols, result->plan_s,
                100 * result->touch_bytes_per_s / copy, b->label,
                (unsigned long long)(item->batch ? item->batch : 1), axes);
    fflush(stdout);
}

static bool same_group(const struct transpose_case *a, const struct transpose_case *b)
{
    return strcmp(a->set, b->set) == 0 && a->element_bytes == b->element_bytes &&
           a->algorithm == b->algorithm && a->cap == b->cap;
}

/* The same for each group; those in the cache apart. */
static void transpose_summary_print(const struct transpose_bench *b)
{
    const struct transpose_case *cases = b->list.cases;
    const double *shares = b->shares;
    const size_t count = b->list.count;
    double *sorted = calloc(count, sizeof *sorted);

    for (size_t c = 0, past; c < count && sorted; c = past) {
        for (past = c; past < count && same_group(&cases[c], &cases[past]); past++)
            ;
        for (int cached = 0; cached < 2; cached++) {
            size_t some = 0, refused = 0;
            double median;

            for (size_t i = c; i < past; i++)
                if ((transpose_case_bytes(&cases[i]) <= CACHE_BYTES) == cached) {
                    if (shares[i] > 0)
                        sorted[some++] = shares[i];
                    else
                        refused++;
                }
            if (some == 0)
                continue;
            median = median_of(sorted, some);
            printf(
                "== %-7s %2u B cap %-3s %-13s %s lowest %5.1f %%  median %5.1f %% (%.0f "
                "GB/s)  highest %5.1f %%  of %zu, %zu refused %s\n",
                cases[c].set, cases[c].element_bytes, cases[c].cap->word,
                dl_transpose_algorithm_name(cases[c].algorithm),
                cached ? "in cache" : "        ", sorted[0], median,
                median * b->device.copy * 1e-11, sorted[some - 1], some, refused,
                b->label);
        }
    }
    free(sorted);
}

/* Same matrix and workspace, another algorithm. */
static bool same_task(const struct transpose_case *a, const struct transpose_case *b)
{
    return a->rows == b->rows && a->cols == b->cols &&
           a->element_bytes == b->element_bytes && a->cap == b->cap &&
           a->axis_count == b->axis_count && a->batch == b->batch &&
           memcmp(a->permutation, b->permutation, sizeof a->permutation) == 0 &&
           memcmp(a->extents, b->extents, sizeof a->extents) == 0 &&
           strcmp(a->set, b->set) == 0 && a->tile_rows == b->tile_rows &&
           a->tile_cols == b->tile_cols;
}

/* How close the chooser's picks come to the best of the other algorithms that were run.
 */
static void transpose_choice_print(const struct transpose_bench *b)
{
    const struct transpose_case *cases = b->list.cases;
    const double *shares = b->shares;
    const size_t count = b->list.count;
    size_t choices = 0, good = 0, worst = 0, against = 0;
    double most = -1;

    for (size_t c = 0; c < count; c++) {
        size_t best = c;
        if (cases[c].algorithm != DL_TRANSPOSE_AUTO || shares[c] <= 0)
            continue;
        for (size_t other = 0; other < count; other++)
            if (same_task(&cases[c], &cases[other]) &&
                (shares[other] > shares[best] || best == c) && other != c &&
                shares[other] > 0)
                best = other;
        if (best == c)
            continue;
        choices++;
        good += shares[best] <= shares[c] * 1.1;
        if (shares[best] / shares[c] - 1 > most) {
            most = shares[best] / shares[c] - 1;
            worst = c;
            against = best;
        }
    }
    if (choices > 0)
        printf("== the chooser is within 10 %% of the best fixed algorithm on %zu of "
               "%zu; the "
               "worst: %llu x %llu of %u bytes, where %s is %.1f %% faster\n",
               good, choices, (unsigned long long)cases[worst].rows,
               (unsigned long long)cases[worst].cols, cases[worst].element_bytes,
               dl_transpose_algorithm_name(cases[against].algorithm), 100 * most);
}

/* From the end of one to that of another. */
static double ends_apart_s(cl_event first, cl_event last)
{
    cl_ulong ns[2] = {0, 0};

    clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_END, sizeof ns[0], &ns[0], NULL);
    clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof ns[1], &ns[1], NULL);
    return 1e-9 * ((double)ns[1] - (double)ns[0]);
}

/* ---- one case ---- */

static struct dl_transpose_problem problem_of(const struct transpose_case *item)
{
    struct dl_transpose_problem problem = {
        .struct_bytes = sizeof problem,
        .rows = item->axis_count ? 0 : item->rows,
        .cols = item->axis_count ? 0 : item->cols,
        .element_bytes = item->element_bytes,
        .algorithm = item->algorithm,
        .tile_rows = item->tile_rows,
        .tile_cols = item->tile_cols,
        .batch = item->batch,
        .axis_count = item->axis_count,
        .cap = item->cap->cap,
        .place = item->is_out ? DL_TRANSPOSE_OUT_OF_PLACE : DL_TRANSPOSE_IN_PLACE};

    memcpy(problem.permutation, item->permutation, sizeof problem.permutation);
    memcpy(problem.extents, item->extents, sizeof problem.extents);
    if (strcmp(item->cap->word, "linear") == 0)
        problem.cap_bytes = LINEAR_CAP * (item->rows + item->cols) * item->element_bytes;
    if (strcmp(item->cap->word, "line") == 0)
        problem.cap_bytes =
            (item->rows > item->cols ? item->rows : item->cols) * item->element_bytes;
    return problem;
}

/* A transposition to be timed. Without a plan it is a kernel that reads and writes the
 * matrix where it lies. */
struct transposed {
    struct device *device;
    const struct dl_transpose_plan *plan;
    struct buffers buffers;
    uint64_t bytes;
    const struct bench_axes *checked; /* after the first time; NULL: no more */
    cl_uint errors;
    cl_int err;
    enum dl_status status;
    struct dl_transpose_error *error;
};

/* The time from the end of a fill that keeps the device busy until all is enqueued, so
 * that the gaps between launches count and the host's time does not. */
static bool transpose_once(void *what, double *seconds)
{
    struct transposed *t = what;
    cl_mem mem = t->buffers.mem, to = t->buffers.to;
    cl_event filled = NULL, done = NULL;

    t->err = device_fill(t->device, mem, dl__round_up(t->bytes, 4), &filled);
    if (t->err != CL_SUCCESS)
        return false;
    if (!t->plan)
        t->err = device_touch(t->device, mem, t->bytes, &done);
    else if (t->plan->task.is_out)
        t->status = dl_transpose_enqueue_out(t->plan, t->device->queue, mem, to, 0, NULL,
                                             &done, t->error);
    else
        t->status = dl_transpose_enqueue(t->plan, t->device->queue, mem, NULL, 0, NULL,
                                         &done, NULL, t->error);
    if (done) {
        t->err = clWaitForEvents(1, &done);
        *seconds = ends_apart_s(filled, done);
        clReleaseEvent(done);
    }
    clReleaseEvent(filled);
    if (t->checked && t->err == CL_SUCCESS && t->status == DL_OK)
        t->err = device_check_axes(t->device, t->plan->task.is_out ? to : mem, t->checked,
                                   &t->errors);
    t->checked = NULL;
    return t->err == CL_SUCCESS && t->status == DL_OK;
}

static struct transpose_result case_run_one(struct transpose_bench *b,
                                            const struct transpose_case *item,
                                            struct buffers buffers)
{
    struct dl_transpose_error *error = &b->error;
    struct transpose_result result = {.status = DL_OK};
    struct dl_transpose_problem problem = problem_of(item);
    struct dl_transpose_plan *plan = NULL;
    const struct bench_axes axes = transpose_case_axes(item);
    uint64_t bytes = transpose_case_bytes(item);
    int reps = atoi(b->options.reps);
    double start = now_s(), seconds;
    struct transposed timed = {.device = &b->device,
                               .buffers = buffers,
                               .bytes = bytes,
                               .checked = is_yes(b->options.check) ? &axes : NULL,
                               .error = error};

    result.status = dl_transpose_plan_make(b->transpose, &problem, &plan, error);
    result.plan_s = now_s() - start;
    if (result.status == DL_OK)
        result.status = dl_transpose_plan_allocate(plan, error);
    if (is_yes(b->options.explain)) {
        char text[900];
        if (result.status == DL_OK)
            dl_transpose_plan_explain(plan, text, sizeof text);
        progress_clear();
        printf("  %llu x %llu of %u bytes: %s\n", (unsigned long long)item->rows,
               (unsigned long long)item->cols, item->element_bytes,
               result.status == DL_OK ? text : error->text);
    }
    if (result.status != DL_OK)
        goto out;
    dl_transpose_plan_info(plan, &result.info);
    timed.plan = plan;
    if (median_time(transpose_once, &timed, reps, &seconds))
        result.bytes_per_s = 2.0 * (double)bytes / seconds;
    result.status = timed.err == CL_SUCCESS ? timed.status : DL_ECL;
    result.errors = timed.errors;
    if (timed.err != CL_SUCCESS)
        snprintf(error->text, sizeof error->text, "OpenCL error %d", timed.err);
    timed.plan = NULL;
    if (result.status == DL_OK && strcmp(item->set, "square") == 0 &&
        median_time(transpose_once, &timed, reps, &seconds))
        result.touch_bytes_per_s = 2.0 * (double)bytes / seconds;
out:
    dl_transpose_plan_free(plan);
    return result;
}

/* Runs a case in each buffer; returns the result of median speed, with the errors of all.
 */
static struct transpose_result case_run_all(struct transpose_bench *b,
                                            const struct transpose_case *item)
{
    const size_t count = b->buffer_count;
    struct transpose_result results[BUFFERS_MAX];
    cl_uint errors = 0;

    for (size_t i = 0; i < count; i++) {
        struct transpose_result result = case_run_one(b, item, b->buffers[i]);
        size_t at = i;
        if (result.status != DL_OK)
            return result;
        errors += result.errors;
        for (; at > 0 && results[at - 1].bytes_per_s > result.bytes_per_s; at--)
            results[at] = results[at - 1];
        results[at] = result;
    }
    results[count / 2].errors = errors;
    return results[count / 2];
}

static bool cases_run(struct transpose_bench *b)
{
    const size_t variants = b->sweep.variants, count = b->list.count;
    struct progress progress = progress_begin(variants * count);
    bool good = true;

    for (size_t v = 0; v < variants; v++) {
        if (dl_transpose_make(NULL, b->device.context, b->device.id, &b->transpose,
                              &b->error) != DL_OK) {
            fprintf(stderr, "dl-bench: %s\n", b->error.text);
            return false;
        }
        sweep_set(&b->sweep, v, &b->transpose->steps, &b->transpose->tuning, ' ',
                  b->label, sizeof b->label);
        for (size_t c = 0; c < count; c++) {
            const struct transpose_case *item = &b->list.cases[c];
            struct transpose_result result = case_run_all(b, item);
            bool refused = item->algorithm != DL_TRANSPOSE_AUTO &&
                           (result.status == DL_EREFUSED || result.status == DL_ENOTSUP);
            b->shares[c] = 100 * result.bytes_per_s / b->device.copy;
            good = good && (result.status == DL_OK || refused) && result.errors == 0;
            progress_clear();
            transpose_result_print(b, item, &result);
            progress_step(&progress);
        }
        transpose_summary_print(b);
        transpose_choice_print(b);
        dl_transpose_free(b->transpose);
    }
    return good;
}

/* Makes as many buffers as are asked for, each with room for the largest case, and opens
 * the table. */
static bool transpose_begin(struct transpose_bench *b)
{
    /* Far beyond any cache, unless told to stay small. */
    uint64_t copy_bytes = UINT64_C(1) << (device_is_cpu(&b->device) ? 26 : 30);
    uint64_t most = 4096, most_out = 0;
    cl_context context = b->device.context;
    cl_int err = CL_SUCCESS;

    if (*b->options.bytes && b->list.bytes_max < copy_bytes)
        copy_bytes = dl__round_up(b->list.bytes_max, 4096);
    if (!device_copy_time(&b->device, copy_bytes, atoi(b->options.reps)))
        return false;
    for (size_t c = 0; c < b->list.count; c++) {
        uint64_t need = transpose_case_bytes(&b->list.cases[c]);
        most = need > most ? need : most;
        most_out = b->list.cases[c].is_out && need > most_out ? need : most_out;
    }
    b->buffer_count = strtoul(b->options.buffers, NULL, 10);
    for (size_t i = 0; i < b->buffer_count && err == CL_SUCCESS; i++) {
        struct buffers *out = &b->buffers[i];

        out->mem = clCreateBuffer(context, CL_MEM_READ_WRITE, most + 4, NULL, &err);
        if (most_out > 0 && err == CL_SUCCESS)
            out->to =
                clCreateBuffer(context, CL_MEM_READ_WRITE, most_out + 4, NULL, &err);
    }
    b->shares = calloc(b->list.count, sizeof *b->shares);
    if (b->shares && err == CL_SUCCESS)
        return device_csv_open(&b->csv, b->options.csv, &b->device,
                               "set,rows,cols,element_bytes,cap,algorithm,taken,status,"
                               "errors,gb_per_s,share_percent,workspace_bytes,passes,"
                               "launches,tile_rows,tile_cols,plan_s,touch_percent,knobs,"
                               "batch,axes",
                               "");
    fprintf(stderr, "dl-bench: no device memory for %zu times %llu bytes\n",
            b->buffer_count, (unsigned long long)(most + most_out));
    return false;
}

static const struct bench_option options_known[] = {TRANSPOSE_OPTION_MAP(BENCH_ROW)};

static bool transpose_words_print(const char *option)
{
#define X(name, add, help) bench_word_print(#name, help);
    if (strcmp(option, "sets") == 0) {
        SET_MAP(X)
        return true;
    }
#undef X
#define X(word, cap, help) bench_word_print(word, help);
    if (strcmp(option, "caps") == 0) {
        CAP_MAP(X)
        return true;
    }
#undef X
#define X(name, text, help) bench_word_print(text, help);
    if (strcmp(option, "algorithms") == 0) {
        DL__ALGORITHM_MAP(X)
        puts("[C], [G], [K], [L] and [S] are the papers of docs/papers.md, with a "
             "section.\n"
             "100!, 0010! and so on: in an array with an axis for each digit, the axis "
             "at\n"
             "the 1 and the next one change places.");
        return true;
    }
#undef X
    if (strcmp(option, "knobs") != 0)
        return false;
    knobs_print(&dl__tuning_table, sizeof(struct dl__tuning));
    puts("Transpositions in stages also use those of dl-bench marshal --knobs help.");
    return true;
}

int transpose_main(int argc, char **argv)
{
    static const struct bench_command command = {
        "usage: dl-bench transpose [options]\n"
        "Speed of transpositions in place and out of place, each checked.\n",
        options_known, COUNT(options_known), transpose_words_print};
    struct transpose_bench b = {.csv = NULL};
    bool good;
    int code = bench_options_read(&command, argc, argv, &b.options);

    if (code != BENCH_GO_ON)
        return code;
    if (!sweep_read(argv[1], b.options.knobs, &dl__tuning_table, &b.sweep))
        return 2;
    if (!device_open(&b.device, b.options.device))
        return 1;
    b.list.bytes_max = *b.options.bytes
                           ? bytes_parse(b.options.bytes)
                           : UINT64_C(1) << (device_is_cpu(&b.device) ? 28 : 32);
    good =
        transpose_cases_make(&b.options, &b.list) && transpose_begin(&b) && cases_run(&b);
    if (b.csv)
        fclose(b.csv);
    for (size_t i = 0; i < BUFFERS_MAX; i++)
        mems_free((const cl_mem[]){b.buffers[i].mem, b.buffers[i].to}, 2);
    free(b.shares);
    free(b.list.cases);
    device_close(&b.device);
    return good ? 0 : 1;
}
