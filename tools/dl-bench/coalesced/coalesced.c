/* SPDX-License-Identifier: MIT */
/* dl-bench coalesced: options, the loop over sizes, operations and ways, and the lines.
 */
#include "tools/dl-bench/coalesced/coalesced.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/dl-bench/flags.h"

enum { SIZES_MAX = 64, WORDS_MAX = 512, TILE = 32 };

const char *const coalesced_op_names[OPS] = {
#define X(name, text, structs, words) [OP_##name] = text,
    COALESCED_OP_MAP(X)
#undef X
};
const char *const coalesced_way_names[WAYS] = {"plain", "vector", "header", "coalesced",
                                               "asta"};
static const unsigned op_structs[OPS] = {
#define X(name, text, structs, words) [OP_##name] = structs,
    COALESCED_OP_MAP(X)
#undef X
};
static const unsigned op_words[OPS] = {
#define X(name, text, structs, words) [OP_##name] = words,
    COALESCED_OP_MAP(X)
#undef X
};

struct run_of_all {
    struct coalesced_options options;
    struct coalesced_bench bench;
    unsigned sizes[SIZES_MAX];
    size_t size_count;
    bool ops[OPS], ways[WAYS];
    double copy; /* bytes a second */
    FILE *csv;
};

/* ---- options ---- */

static const struct bench_flag flags[] = {
#define X(...) BENCH_FLAG(struct coalesced_options, __VA_ARGS__)
    COALESCED_OPTION_MAP(X)
#undef X
};

static void help_print(FILE *out)
{
    fputs(
        "usage: dl-bench coalesced [options]\n"
        "Kernels that access whole structs, by size: as written, by work-groups together "
        "(--layout\n"
        "coalesced) and in tiles, all checked against the first. GB/s count what has to "
        "move, once.\n\n",
        out);
    bench_flags_print(out, flags, sizeof flags / sizeof *flags);
}

/* Which of the names are in a list by commas. False: it has another one, or none. */
static bool names_parse(const char *list, const char *const *names, size_t count,
                        bool *chosen)
{
    while (*list) {
        size_t bytes = strcspn(list, ","), n = 0;

        while (n < count &&
               (strlen(names[n]) != bytes || memcmp(names[n], list, bytes) != 0))
            n++;
        if (n == count)
            return false;
        chosen[n] = true;
        list += bytes + (list[bytes] == ',');
        if (!*list)
            return true;
    }
    return false;
}

static bool values_parse(struct run_of_all *all)
{
    const struct coalesced_options *options = &all->options;
    bool good = true;

    all->bench.reps = atoi(options->reps);
    all->bench.group = strtoul(options->group, NULL, 10);
    all->size_count = numbers_parse(options->words, all->sizes, SIZES_MAX);
    for (size_t s = 0; s < all->size_count; s++)
        good = good && all->sizes[s] >= 1 && all->sizes[s] <= WORDS_MAX;
    return good && all->size_count > 0 && all->bench.reps >= 1 && all->bench.reps <= 64 &&
           all->bench.group >= 1 && all->bench.group <= 1024 &&
           names_parse(options->ops, coalesced_op_names, OPS, all->ops) &&
           names_parse(options->ways, coalesced_way_names, WAYS, all->ways);
}

static enum bench_flags options_parse(int argc, char **argv, struct run_of_all *all)
{
    enum bench_flags read =
        bench_flags_read(flags, sizeof flags / sizeof *flags, argc, argv, &all->options);

    if (read != BENCH_FLAGS_READ)
        return read;
    if (values_parse(all))
        return BENCH_FLAGS_READ;
    fprintf(stderr, "dl-bench coalesced: look at --words, --ops, --ways, --group and "
                    "--reps\n");
    return BENCH_FLAGS_BAD;
}

/* ---- lines ---- */

static bool csv_open(struct run_of_all *all, int argc, char **argv)
{
    time_t now = time(NULL);
    char date[32];

    if (!*all->options.csv)
        return true;
    all->csv = fopen(all->options.csv, "w");
    if (!all->csv) {
        perror(all->options.csv);
        return false;
    }
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    fprintf(all->csv, "# %s, driver %s, copy %.1f GB/s, buffers of %llu bytes\n# %s,",
            all->bench.device.name, all->bench.device.driver, all->copy * 1e-9,
            (unsigned long long)all->bench.bytes, date);
    fputs(" dl-bench", all->csv);
    for (int a = 1; a < argc; a++)
        fprintf(all->csv, " %s", *argv[a] ? argv[a] : "''");
    fputs("\nop,words,way,structs,group,status,errors,gb_per_s,share_percent,us\n",
          all->csv);
    return true;
}

/* Returns whether it is right. */
static bool line_print(struct run_of_all *all, enum coalesced_op op, unsigned words,
                       enum coalesced_way way, const struct coalesced_result *result)
{
    uint64_t structs = all->bench.bytes / (4 * words);
    double bytes = (double)structs * 4 * (op_structs[op] * words + op_words[op]);
    double speed = result->good && result->seconds > 0 ? bytes / result->seconds : 0;
    const char *status = result->as_written ? "as_written"
                         : !result->good    ? "FAILED"
                         : result->errors   ? "WRONG"
                                            : "ok";

    printf("%-8s %3u words  %-9s %8.1f GB/s %6.1f %%  %s\n", coalesced_op_names[op],
           words, coalesced_way_names[way], speed * 1e-9, 100 * speed / all->copy,
           status);
    fflush(stdout);
    if (all->csv)
        fprintf(all->csv, "%s,%u,%s,%llu,%zu,%s,%u,%.2f,%.2f,%.2f\n",
                coalesced_op_names[op], words, coalesced_way_names[way],
                (unsigned long long)structs, all->bench.group, status, result->errors,
                speed * 1e-9, 100 * speed / all->copy, result->seconds * 1e6);
    return result->as_written || (result->good && !result->errors);
}

/* ---- the loop ---- */

/* Members of four words would be other members. */
static bool op_reads_members(enum coalesced_op op)
{
    return op == OP_UPDATE || op == OP_SUM || op == OP_MEMBERS || op == OP_LOOKUP;
}

/* All ways of an operation; the plain one is run in any case, for its result. */
static bool op_run(struct run_of_all *all, enum coalesced_op op, unsigned words,
                   const struct coalesced_texts *texts, cl_program *programs,
                   unsigned tile)
{
    bool good = true;

    for (enum coalesced_way way = WAY_PLAIN; way < WAYS; way++) {
        struct coalesced_result result;

        if (!programs[way] ||
            ((way == WAY_VECTOR || way == WAY_HEADER) && op_reads_members(op)))
            continue;
        result = coalesced_run(&all->bench, programs[way], texts, op, way, words, tile,
                               way == WAY_PLAIN);
        if (all->ways[way])
            good = line_print(all, op, words, way, &result) && good;
    }
    return good;
}

/* The leaves of the struct, for its tile. */
static unsigned tile_of(struct run_of_all *all, const struct coalesced_texts *texts)
{
    const struct dl_kernel_note *note = dl_notes_find(texts->notes, "copy");

    return note ? dl_marshal_tile(all->bench.marshal, &note->buffers[0].leaves, TILE) : 0;
}

/* Whether the structs of a group, and their places, fit local memory. */
static bool room_fits(const struct run_of_all *all, unsigned words)
{
    cl_ulong local = 0;

    clGetDeviceInfo(all->bench.device.id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local,
                    NULL);
    return all->bench.group * (8 + 4 * (words | 1u)) <= local;
}

static bool size_run(struct run_of_all *all, unsigned words)
{
    const bool rewrite = all->ways[WAY_COALESCED] || all->ways[WAY_ASTA];
    struct coalesced_texts texts;
    cl_program programs[WAYS] = {NULL};
    unsigned tile = 0;
    bool good = coalesced_texts_make(words, rewrite, &texts), ready;

    if (!good)
        return false;
    if (all->ways[WAY_ASTA])
        tile = tile_of(all, &texts);
    for (enum coalesced_way way = WAY_PLAIN; way < WAYS; way++) {
        if (way != WAY_PLAIN && (!all->ways[way] || (way == WAY_ASTA && !tile) ||
                                 (way == WAY_VECTOR && words % 4 != 0) ||
                                 (way == WAY_HEADER && !room_fits(all, words))))
            continue;
        programs[way] = coalesced_build(&all->bench.device, &texts, way, tile,
                                        all->bench.group, all->options.defines);
        good = good && programs[way];
    }
    /* Without places, or without what is right, nothing can be run. */
    ready = programs[WAY_PLAIN] &&
            coalesced_order(&all->bench, (cl_uint)(all->bench.bytes / 4 / words));
    good = good && ready;
    for (enum coalesced_op op = 0; op < OPS; op++)
        if (all->ops[op] && ready)
            good = op_run(all, op, words, &texts, programs, tile) && good;
    for (enum coalesced_way way = WAY_PLAIN; way < WAYS; way++)
        if (programs[way])
            clReleaseProgram(programs[way]);
    coalesced_texts_free(&texts);
    return good;
}

int coalesced_main(int argc, char **argv)
{
    struct run_of_all all = {.csv = NULL};
    bool good = false;

    enum bench_flags read = options_parse(argc, argv, &all);

    if (read == BENCH_FLAGS_HELP)
        help_print(stdout);
    if (read != BENCH_FLAGS_READ)
        return read == BENCH_FLAGS_HELP ? 0 : 2;
    if (!coalesced_bench_open(&all.bench, all.options.device, all.options.bytes))
        return 1;
    printf("%s, driver %s\n", all.bench.device.name, all.bench.device.driver);
    all.copy = coalesced_copy_speed(&all.bench);
    if (all.copy > 0 && csv_open(&all, argc, argv)) {
        good = true;
        for (size_t s = 0; s < all.size_count; s++)
            good = size_run(&all, all.sizes[s]) && good;
    }
    if (all.csv)
        fclose(all.csv);
    coalesced_bench_close(&all.bench);
    return good ? 0 : 1;
}
