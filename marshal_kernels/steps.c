/* SPDX-License-Identifier: MIT */
/* Elementary transpositions as runs of kernels: their shapes, their knobs as text, an
 * algorithm for each kind of shape, and the one chooser among those. */
#include "steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/arith.h"

#define CAN_NOT INFINITY

/* ---- the shape ---- */

/* A step on a device, whose elements are a type of the kernels; every old column is
 * `split` new ones. */
struct shape {
    const struct dl__steps *steps;
    struct dl__engine *engine;
    const struct dl__device_limits *limits;
    const struct dl__knobs *knobs;
    uint64_t base_bytes, instances, rows, columns;
    uint64_t element_bytes; /* 1, 2, 4, 8 or 16 */
    uint64_t split;
    const struct dl_step *step;
};

static struct shape shape_of_step(const struct dl__steps *steps,
                                  const struct dl_step *step)
{
    /* Divides both the elements and the place of the first. */
    uint64_t bytes = dl__power_of_two_in(step->element_bytes | step->base_bytes, 16);
    uint64_t split = step->element_bytes / bytes;

    return (struct shape){.steps = steps,
                          .engine = steps->engine,
                          .limits = &steps->engine->limits,
                          .knobs = &steps->knobs,
                          .base_bytes = step->base_bytes,
                          .instances = step->instances,
                          .rows = step->rows,
                          .columns = step->columns * split,
                          .element_bytes = bytes,
                          .split = split,
                          .step = step};
}

static uint32_t leaf_count(const struct dl_step *step)
{
    return step->leaf_columns ? step->leaf_count : (uint32_t)step->columns;
}

/* In columns of the step. */
static uint64_t leaf_width(const struct dl_step *step, uint32_t leaf)
{
    return step->leaf_columns ? step->leaf_columns[leaf] : 1;
}

/* One tile, or one instance, in bytes. */
static uint64_t shape_bytes(const struct shape *shape)
{
    return shape->step->rows * shape->step->columns * shape->step->element_bytes;
}

/* All instances and the rest, in bytes. */
static uint64_t shape_total_bytes(const struct shape *shape)
{
    const struct dl_step *step = shape->step;

    return (step->instances * step->rows + step->rest_rows) * step->columns *
           step->element_bytes;
}

/* Each column of the step being `split`, a table of their leaves fits constant memory. */
static bool shape_columns_fit(const struct shape *shape, uint64_t split)
{
    return !shape->step->leaf_columns || shape->step->columns * split <= DL__COLUMNS_MAX;
}

/* Whether an instance fits local memory. */
static bool shape_is_tile(const struct shape *shape)
{
    return shape_columns_fit(shape, shape->split) &&
           shape_bytes(shape) <= dl__steps_tile_bytes(shape->steps);
}

/* Whether elements are worth moving whole. */
static bool shape_is_super(const struct shape *shape)
{
    return shape->step->element_bytes >= shape->knobs->super_bytes_min;
}

/* ---- knobs as text ---- */

/* For fewer than 64 columns: a bit for each that begins a leaf, and for the end. */
static void add_starts(struct dl__text *text, const struct dl_step *step, uint64_t split)
{
    uint64_t starts = 0, first = 0;

    for (uint32_t leaf = 0; leaf < step->leaf_count; leaf++) {
        starts |= UINT64_C(1) << first;
        first += step->leaf_columns[leaf] * split;
    }
    starts |= UINT64_C(1) << first;
    if (first < 32)
        dl__text_add(text, "#define LEAF_STARTS 0x%llxu\n", (unsigned long long)starts);
    else
        dl__text_add(text, "#define LEAF_STARTS 0x%llxUL\n#define LEAF_STARTS_64\n",
                     (unsigned long long)starts);
}

static void add_table(struct dl__text *text, const struct dl_step *step, uint64_t split)
{
    dl__text_add(text, "#define LEAF_TABLE\n");
    for (int width = 0; width < 2; width++) {
        uint64_t first = 0;
        dl__text_add(text, "__constant uint leaf_%s[] = {", width ? "width" : "first");
        for (uint32_t leaf = 0; leaf < step->leaf_count; leaf++) {
            uint64_t w = step->leaf_columns[leaf] * split;
            for (uint64_t c = 0; c < w; c++)
                dl__text_add(text, "%llu,", (unsigned long long)(width ? w : first));
            first += w;
        }
        dl__text_add(text, "};\n");
    }
}

/* The knobs of step.cl. `elements` is how far indices count. */
static void knobs_add_step(struct dl__text *text, const struct shape *shape,
                           uint64_t split, uint64_t elements)
{
    const struct dl_step *step = shape->step;
    uint64_t columns = step->columns * split;

    dl__text_add(
        text, "#define COLUMNS %lluu\n#define ELEMENT_BYTES %u\n#define INVERSE %d\n",
        (unsigned long long)columns, (unsigned)shape->element_bytes, step->inverse);
    if (elements >= UINT32_MAX)
        dl__text_add(text, "#define INDEX_64\n");
    if (!step->leaf_columns)
        dl__text_add(text, "#define LEAF_COLUMNS %lluu\n", (unsigned long long)split);
    else if (columns < 64)
        add_starts(text, step, split);
    else
        add_table(text, step, split);
}

enum dl_status dl__step_kernels(struct dl__engine *engine,
                                const struct dl__kernel_source *source,
                                struct dl__text *knobs, const char *name, cl_kernel *out,
                                const char *second_name, cl_kernel *second)
{
    enum dl_status st = DL_ENOMEM;

    if (!knobs->failed)
        st = dl__engine_kernel(engine, source, knobs->bytes, name, out, NULL);
    if (st == DL_OK && second)
        st = dl__engine_kernel(engine, source, knobs->bytes, second_name, second, NULL);
    free(knobs->bytes);
    return st;
}

static enum dl_status step_kernel(const struct shape *shape,
                                  const struct dl__kernel_source *source,
                                  struct dl__text *knobs, const char *name,
                                  cl_kernel *out)
{
    return dl__step_kernels(shape->engine, source, knobs, name, out, NULL, NULL);
}

static size_t kernel_items_max(const struct shape *shape, cl_kernel kernel)
{
    return shape->engine->ops->kernel_items_max(shape->engine->device, kernel);
}

/* The work-items of an ordinary work-group. */
static size_t group_of(const struct shape *shape, cl_kernel kernel, uint64_t useful)
{
    return dl__engine_group_items(shape->engine, kernel, 256, useful);
}

/* ---- runs ---- */

/* A run whose first arguments are the buffer, the byte to begin at and the rows. */
static struct dl__run step_run(const struct shape *shape, const char *name,
                               cl_kernel kernel, uint64_t rows)
{
    struct dl__run run = {.name = name, .kernel = kernel, .dims = 2};

    run.global[1] = run.local[1] = 1;
    dl__run_add_buffer(&run);
    dl__run_add_base(&run, shape->base_bytes);
    dl__run_add_ulong(&run, rows);
    return run;
}

static enum dl_status run_add(struct dl__run_list *list, struct dl__run *run,
                              uint64_t groups, size_t group, uint64_t workspace_bytes)
{
    run->local[0] = group;
    run->global[0] = (size_t)groups * group;
    return dl__run_list_add(list, run, workspace_bytes);
}

/* Appends, for each array, a run that clears words of the workspace and one that moves
 * elements by flags there. */
static enum dl_status flagged_runs_add(const struct shape *shape,
                                       struct dl__run_list *list, struct dl__run run,
                                       const char *clear_name, cl_kernel clears,
                                       uint64_t words, uint64_t groups, size_t group)
{
    struct dl__run clear = {
        .name = clear_name, .kernel = clears, .dims = 2, .reads_only = true};
    enum dl_status st = DL_OK;

    clear.global[1] = clear.local[1] = 1;
    dl__run_add_workspace(&clear);
    dl__run_add_ulong(&clear, words);
    dl__run_add_workspace(&run);
    dl__run_add_ulong(&run, 0); /* never: see the kernels */
    for (uint64_t i = 0; i < shape->instances && st == DL_OK; i++) {
        st = run_add(list, &clear, shape->limits->compute_units * UINT64_C(8),
                     group_of(shape, clears, words), words * 4);
        if (st == DL_OK)
            st = run_add(list, &run, groups, group, words * 4);
        dl__run_shift(&run, shape_bytes(shape));
    }
    return st;
}

/* ======== slide: from DL's own DA to exact SoA, and back ======== */

extern const char dl_step_cl[], dl_slide_cl[];
static const struct dl__kernel_source slide_source = {{dl_step_cl, dl_slide_cl}};

/* The first column of every leaf, and the end. */
static void knobs_add_starts(struct dl__text *text, const struct shape *shape)
{
    uint32_t leaves = leaf_count(shape->step);
    uint64_t first = 0;

    dl__text_add(text, "#define LEAVES %uu\n__constant uint leaf_start[] = {", leaves);
    for (uint32_t leaf = 0; leaf <= leaves; leaf++) {
        dl__text_add(text, "%llu,", (unsigned long long)first);
        if (leaf < leaves)
            first += leaf_width(shape->step, leaf) * shape->split;
    }
    dl__text_add(text, "};\n");
}

/* The kernels for one size of work-groups, and how these share the places. */
struct slide_build {
    cl_kernel save, move;
    uint64_t group, start, range, groups; /* start: the first place that changes */
};

static enum dl_status slide_build_make(const struct shape *shape, uint64_t group,
                                       struct slide_build *out)
{
    const struct dl_step *step = shape->step;
    const unsigned items = shape->knobs->slide_items;
    uint64_t strip = step->tail_rows * shape->columns;
    uint64_t places = (step->rows + step->tail_rows) * shape->columns;
    uint64_t chunk = group * items * (16 / shape->element_bytes);
    struct dl__text text = {0};

    out->group = group;
    out->range = dl__round_up(strip * shape->knobs->slide_strip_part, chunk);
    /* The first array stays where it is. */
    out->start = step->rows * leaf_width(step, 0) * shape->split / chunk * chunk;
    out->groups = dl__divide_up(places - out->start, out->range);
    dl__text_add(&text, "#define GROUP %lluu\n#define ITEMS %uu\n",
                 (unsigned long long)group, items);
    /* A CPU has too few registers, and its compiler takes half a minute for many leaves.
     */
    if (shape->limits->is_cpu)
        dl__text_add(&text, "#define UNROLLED 1\n#define PARTS_UNROLLED 1\n");
    knobs_add_starts(&text, shape);
    knobs_add_step(&text, shape, shape->split, places + out->range + strip);
    return dl__step_kernels(shape->engine, &slide_source, &text, "dl_slide_save",
                            &out->save, "dl_slide_move", &out->move);
}

/* The largest work-groups that the device and the compiler allow. */
static enum dl_status slide_build_choose(const struct shape *shape,
                                         struct slide_build *out)
{
    for (size_t most = shape->knobs->slide_group;;) {
        uint64_t group = 1;
        enum dl_status st;
        while (group * 2 <= most && group * 2 <= shape->limits->group_items)
            group *= 2;
        st = slide_build_make(shape, group, out);
        if (st != DL_OK)
            return st;
        most = kernel_items_max(shape, out->move);
        if (most >= group)
            return DL_OK;
        if (most == 0)
            most = 1;
    }
}

static struct dl__run slide_run(const struct shape *shape,
                                const struct slide_build *slide_build, const char *name,
                                cl_kernel kernel)
{
    struct dl__run run = step_run(shape, name, kernel, shape->step->rows);

    dl__run_add_workspace(&run);
    dl__run_add_ulong(&run, shape->step->tail_rows);
    dl__run_add_ulong(&run, slide_build->start);
    dl__run_add_ulong(&run, slide_build->range);
    dl__run_add_ulong(&run, slide_build->groups);
    return run;
}

static enum dl_status slide_plan(const struct shape *shape, struct dl__run_list *list)
{
    const struct dl_step *step = shape->step;
    uint64_t strip = step->tail_rows * shape->columns, saved, workspace_bytes, groups;
    uint64_t places = (step->rows + step->tail_rows) * shape->columns;
    size_t items_max = (size_t)shape->limits->compute_units * 8192, group;
    struct dl__run save, move;
    struct slide_build slide_build;
    enum dl_status st;

    if (shape->base_bytes % 16 != 0)
        return DL_ENOTSUP;
    st = slide_build_choose(shape, &slide_build);
    if (st != DL_OK)
        return st;
    list->traffic_bytes += 2 * (places - slide_build.start) * shape->element_bytes;
    saved = (slide_build.groups + 1) * strip;
    workspace_bytes = saved * shape->element_bytes;
    save = slide_run(shape, &slide_build, "dl_slide_save", slide_build.save);
    save.reads_only = true;
    group = group_of(shape, slide_build.save, saved);
    groups = dl__divide_up(saved, group);
    st = run_add(list, &save, groups < items_max / group ? groups : items_max / group,
                 group, workspace_bytes);
    if (st != DL_OK)
        return st;
    move = slide_run(shape, &slide_build, "dl_slide_move", slide_build.move);
    return run_add(list, &move, slide_build.groups, (size_t)slide_build.group,
                   workspace_bytes);
}

/* ======== each: 010! on CPUs, whole tiles for each work-item ======== */

extern const char dl_each_cl[];
static const struct dl__kernel_source each_source = {{dl_step_cl, dl_each_cl}};

static double each_cost(const struct shape *shape)
{
    return (shape->limits->is_cpu || shape->knobs->family == DL_FORCE_EACH) &&
                   shape_is_tile(shape) && shape->instances > 1 &&
                   shape_bytes(shape) <= shape->knobs->each_bytes_max
               ? 1
               : CAN_NOT;
}

/* The struct as runs of equally wide leaves. */
static void knobs_add_runs(struct dl__text *text, const struct dl_step *step)
{
    uint64_t offset = 0;

    dl__text_add(text, "#define RUN_MAP(X)");
    for (uint32_t leaf = 0, past; leaf < leaf_count(step); leaf = past) {
        uint64_t bytes = leaf_width(step, leaf) * step->element_bytes;
        past = leaf + 1;
        while (past < leaf_count(step) &&
               leaf_width(step, past) == leaf_width(step, leaf))
            past++;
        dl__text_add(text, " X(%lluu, %lluu, %uu)", (unsigned long long)bytes,
                     (unsigned long long)offset, past - leaf);
        offset += bytes * (past - leaf);
    }
    dl__text_add(text, "\n");
}

static enum dl_status each_plan(const struct shape *shape, struct dl__run_list *list)
{
    unsigned each = dl__steps_knobs(shape->steps, "each", shape_bytes(shape)).each_tiles;
    uint64_t rest_rows = shape->step->rest_rows;
    const char *name = shape->step->inverse ? "dl_each_back" : "dl_each";
    struct dl__text knobs = {0};
    cl_kernel kernel;
    enum dl_status st;

    dl__text_add(&knobs, "#define ROWS %lluu\n#define EACH %uu\n",
                 (unsigned long long)shape->rows, each);
    knobs_add_runs(&knobs, shape->step);
    /* It uses no other knobs of step.cl, so that both ways share a build. */
    dl__text_add(&knobs, "#define COLUMNS %lluu\n#define ELEMENT_BYTES %u\n",
                 (unsigned long long)shape->columns, (unsigned)shape->element_bytes);
    st = step_kernel(shape, &each_source, &knobs, name, &kernel);
    if (st != DL_OK)
        return st;
    struct dl__run run = step_run(shape, name, kernel, shape->instances);
    dl__run_add_ulong(&run, rest_rows);
    run.can_idle = true;
    return run_add(list, &run, dl__divide_up(shape->instances + (rest_rows > 0), each), 1,
                   0);
}

/* ======== tile, chunk, strip: 010! through local memory, for GPUs ======== */

/* On single tiles of any length, on chunks of whole tiles, and, where leaves have one or
 * two bytes, by strips of a few structs in registers. */

extern const char dl_rest_cl[], dl_tile_cl[], dl_chunk_cl[], dl_strip_cl[];
static const struct dl__kernel_source tile_source = {
    {dl_step_cl, dl_rest_cl, dl_tile_cl}};
static const struct dl__kernel_source chunk_source = {
    {dl_step_cl, dl_rest_cl, dl_chunk_cl}};
static const struct dl__kernel_source strip_source = {
    {dl_step_cl, dl_rest_cl, dl_strip_cl}};

/* Appends a run on chunks of `batch` tiles by work-groups of so many work-items, with a
 * work-group for each tile that is left over and for the rest. */
static enum dl_status chunks_run_add(const struct shape *shape, struct dl__run_list *list,
                                     const char *name, cl_kernel kernel, uint64_t batch,
                                     size_t group)
{
    uint64_t chunks = shape->instances / batch, left = shape->instances % batch;
    uint64_t rest_rows = shape->step->rest_rows;
    struct dl__run run = step_run(shape, name, kernel, chunks);

    dl__run_add_ulong(&run, left);
    dl__run_add_ulong(&run, rest_rows);
    return run_add(list, &run, chunks + left + (rest_rows > 0), group, 0);
}

/* ---- single tiles: the few that chunks leave, and the short last one ---- */

static double tile_cost(const struct shape *shape)
{
    return shape_is_tile(shape) ? 1.1 : CAN_NOT;
}

static enum dl_status tile_plan(const struct shape *shape, struct dl__run_list *list)
{
    struct dl__text knobs = {0};
    uint64_t elements = shape->rows * shape->columns;
    uint64_t rest_rows = shape->step->rest_rows;
    cl_kernel kernel;
    enum dl_status st;

    knobs_add_step(&knobs, shape, shape->split, elements);
    st = step_kernel(shape, &tile_source, &knobs, "dl_tile_any", &kernel);
    if (st != DL_OK)
        return st;
    struct dl__run run = step_run(shape, "dl_tile_any", kernel, shape->rows);
    dl__run_add_ulong(&run, shape->instances);
    dl__run_add_ulong(&run, rest_rows);
    dl__run_add(&run, DL__ARG_LOCAL, NULL, elements * shape->element_bytes);
    return run_add(list, &run, shape->instances + (rest_rows > 0),
                   group_of(shape, kernel, elements), 0);
}

/* ---- chunks of whole tiles, with all lengths known when the kernel is built ---- */

/* How a chunk of whole tiles is shared out; batch 0: it can't be. */
struct chunk {
    uint64_t batch; /* tiles */
    size_t group;
};

/* The share of lanes that a chunk keeps busy, less a little for a size far from the
 * wanted one and for a single round, in which nothing else is in flight. */
static double chunk_score(uint64_t vectors, size_t group, uint64_t wanted)
{
    uint64_t items = (vectors + group - 1) / group;
    double busy = (double)vectors / (double)(items * group);
    double size = (double)vectors / (double)wanted;

    return busy - 0.02 * (size < 1 ? 1 / size : size) - (items == 1 ? 0.1 : 0);
}

/* The batch and the work-group, a multiple of tile_group / 2, with the best score. */
static struct chunk chunk_choose(const struct shape *shape)
{
    uint64_t tile = shape->rows * shape->columns * shape->element_bytes;
    const struct dl__knobs tuned = dl__steps_knobs(shape->steps, "chunk", tile),
                           *knobs = &tuned;
    uint64_t wanted = (uint64_t)knobs->tile_group * knobs->tile_items;
    size_t half = knobs->tile_group > 1 ? knobs->tile_group / 2 : 1;
    uint64_t least = 1; /* tiles that are whole vectors */
    struct chunk best = {0, 0};
    double best_score = -1;

    while (least * tile % 16 != 0)
        least *= 2;

    for (uint64_t batch = least; batch <= knobs->chunk_batch_max; batch += least) {
        uint64_t vectors = batch * tile / 16;
        uint64_t local = batch * tile + (knobs->tile_pad ? batch * tile / 32 + 16 : 0);
        if (local > shape->limits->local_bytes || (batch > least && vectors > wanted * 2))
            break;
        for (size_t group = 2 * half; group <= shape->limits->group_items;
             group += half) {
            double score;
            if (vectors > group * knobs->chunk_items_max)
                continue;
            /* Larger work-groups than necessary wait longer at the barrier. */
            if (group > 4 * half && vectors <= (group - half) * knobs->chunk_items_max)
                break;
            score = chunk_score(vectors, group, wanted);
            if (score > best_score) {
                best = (struct chunk){batch, group};
                best_score = score;
            }
        }
    }
    return best;
}

static double chunk_cost(const struct shape *shape)
{
    struct chunk chunk;

    if (shape->limits->is_cpu || shape->knobs->family == DL_FORCE_EACH ||
        !shape_is_tile(shape) || shape->base_bytes % 16 != 0)
        return CAN_NOT;
    chunk = chunk_choose(shape);
    return chunk.batch > 0 && shape->instances >= chunk.batch ? 1.05 : CAN_NOT;
}

static enum dl_status chunk_plan(const struct shape *shape, struct dl__run_list *list)
{
    const struct chunk chunk = chunk_choose(shape);
    const struct dl__knobs knobs =
        dl__steps_knobs(shape->steps, "chunk", shape_bytes(shape));
    unsigned pad = shape->element_bytes >= 4 ? 1 : (unsigned)(4 / shape->element_bytes);
    struct dl__text text = {0};
    cl_kernel kernel;
    enum dl_status st;

    dl__text_add(&text, "#define ROWS %lluu\n#define BATCH %lluu\n#define GROUP %zuu\n",
                 (unsigned long long)shape->rows, (unsigned long long)chunk.batch,
                 chunk.group);
    dl__text_add(&text, "#define PAD %u\n#define MAP %u\n", knobs.tile_pad ? pad : 0,
                 knobs.tile_pad);
    knobs_add_step(&text, shape, shape->split, shape->rows * shape->columns);
    st = step_kernel(shape, &chunk_source, &text, "dl_chunk", &kernel);
    if (st != DL_OK)
        return st;
    if (kernel_items_max(shape, kernel) < chunk.group)
        /* The device can't run so many work-items of this kernel. */
        return tile_plan(shape, list);
    return chunks_run_add(shape, list, "dl_chunk", kernel, chunk.batch, chunk.group);
}

/* ---- strips of a few structs in registers ---- */

enum {
    BLOCKS_MAX = 256,
    BLOCK_WORDS_MAX = 128,  /* in registers */
    SHAPE_WORDS_MAX = 1024, /* of all shapes: a longer text takes seconds to build */
    GROUP_STEP = 32
};

/* The fewest structs of which each leaf fills whole words, and how they are divided. */
struct strip {
    uint64_t structs, struct_bytes;
    uint64_t words, block_words; /* in all, and of the largest block */
    uint64_t block_count;        /* 0: there are no such blocks */
    uint64_t
        firsts[BLOCKS_MAX + 1]; /* words in a struct at which blocks begin, and its end */
    uint64_t batch;             /* tiles in a chunk; 0: there is no such chunk */
    size_t group;
};

/* ---- leaves ---- */

struct leaf {
    uint64_t offset, width; /* bytes */
};

/* The leaf after this one. */
static struct leaf leaf_next(const struct dl_step *step, struct leaf leaf, uint32_t l)
{
    leaf.offset += leaf.width;
    leaf.width = leaf_width(step, l) * step->element_bytes;
    return leaf;
}

/* ---- blocks ---- */

/* A block may begin at this word: ends one there or earlier, if it gets too long. */
static void block_offer(struct strip *strip, uint64_t word, uint64_t *last, uint64_t most)
{
    while (word - strip->firsts[strip->block_count] > most &&
           strip->block_count < BLOCKS_MAX) {
        uint64_t first = strip->firsts[strip->block_count];
        strip->firsts[++strip->block_count] = *last > first ? *last : word;
    }
    *last = word;
}

/* Splits structs of whole words into blocks, but not within leaves of parts of words. */
static void blocks_split(const struct dl_step *step, uint64_t wanted_words,
                         struct strip *strip)
{
    uint64_t words = strip->struct_bytes / 4, last = 0;
    uint64_t most =
        dl__divide_up(words, dl__divide_up(words * strip->structs, wanted_words));
    struct leaf leaf = {0, 0};

    strip->block_words = 0;
    for (uint32_t l = 0; l < leaf_count(step); l++) {
        leaf = leaf_next(step, leaf, l);
        if (leaf.offset % 4 != 0)
            continue;
        block_offer(strip, leaf.offset / 4, &last, most);
        for (uint64_t b = 4; b < leaf.width && leaf.width % 4 == 0; b += 4)
            block_offer(strip, (leaf.offset + b) / 4, &last, most);
    }
    block_offer(strip, words, &last, most);
    if (strip->block_count == BLOCKS_MAX) {
        strip->block_count = 0;
        return;
    }
    if (strip->firsts[strip->block_count] < words)
        strip->firsts[++strip->block_count] = words;
    for (uint64_t b = 0; b < strip->block_count; b++) {
        uint64_t block_words = (strip->firsts[b + 1] - strip->firsts[b]) * strip->structs;
        if (block_words > strip->block_words)
            strip->block_words = block_words;
    }
}

static size_t strip_chunk_group(const struct shape *shape, const struct strip *strip,
                                uint64_t each)
{
    uint64_t strips = strip->batch * (shape->rows / strip->structs);

    return (size_t)dl__round_up(dl__divide_up(strips * strip->block_count, each),
                                GROUP_STEP);
}

static bool strip_chunk_fits(const struct shape *shape, const struct strip *strip,
                             uint64_t each)
{
    return dl__steps_tile_fits(shape->steps, strip->batch * shape_bytes(shape)) &&
           strip_chunk_group(shape, strip, each) <= shape->limits->group_items;
}

/* How many tiles and work-items: a work-item has about strip_item_bytes, and equal blocks
 * meet in a warp where a chunk stays small. */
static void strip_chunk_choose(const struct shape *shape, const struct dl__knobs *knobs,
                               struct strip *strip)
{
    uint64_t tile = shape_bytes(shape), least = 16 / dl__gcd(tile, 16);
    uint64_t strips = shape->rows / strip->structs; /* of a tile */
    uint64_t each = knobs->strip_item_bytes / (strip->block_words * 4), most;

    each = each ? each : 1;
    most = dl__divide_up(each * knobs->strip_group, strips * strip->block_count);
    if (strip->block_count > 1 && most * strips < GROUP_STEP)
        most = dl__divide_up(GROUP_STEP, strips);
    if (strip->block_count > 1 && most * tile > knobs->strip_chunk_bytes)
        most = knobs->strip_chunk_bytes / tile;
    strip->batch = most > least ? most / least * least : least;
    while (strip->batch > least &&
           (strip->batch > shape->instances || !strip_chunk_fits(shape, strip, each)))
        strip->batch -= least;
    strip->group = strip_chunk_group(shape, strip, each);
    if (!strip_chunk_fits(shape, strip, each))
        strip->batch = 0;
}

static struct strip strip_make(const struct shape *shape)
{
    const struct dl__knobs knobs =
        dl__steps_knobs(shape->steps, "strip", shape_bytes(shape));
    struct strip strip = {.structs = 4 / shape->element_bytes,
                          .struct_bytes = shape->columns * shape->element_bytes};

    strip.words = strip.structs * strip.struct_bytes / 4;
    if (strip.structs == 0 || shape->rows % strip.structs != 0 ||
        strip.words * 4 > knobs.strip_bytes_max)
        return strip;
    if (strip.struct_bytes % 4 == 0 && strip.words > knobs.strip_block_words) {
        blocks_split(shape->step, knobs.strip_block_words, &strip);
    } else {
        strip.block_count = 1;
        strip.block_words = strip.words;
    }
    if (strip.block_count > 0 && strip.block_words <= BLOCK_WORDS_MAX)
        strip_chunk_choose(shape, &knobs, &strip);
    return strip;
}

static double strip_cost(const struct shape *shape)
{
    struct strip strip;

    if (shape->limits->is_cpu || shape->knobs->family != DL_FORCE_NONE ||
        !shape_is_tile(shape) || shape->base_bytes % 16 != 0 ||
        shape->element_bytes > shape->knobs->strip_element_max)
        return CAN_NOT;
    strip = strip_make(shape);
    return strip.batch > 0 && shape->instances >= strip.batch ? 1.02 : CAN_NOT;
}

/* ---- permutations as text ---- */

/* A byte of a block, in one of its orders. */
struct place {
    uint64_t word;
    unsigned byte;
};

/* The digits of the bytes that come from the word of byte `first`, its eight being
 * counted from `base`; takes them off `missing`, a bit for each byte. */
static void digits_take(const struct place bytes[4], unsigned base, unsigned *missing,
                        unsigned digits[4])
{
    unsigned first = (unsigned)__builtin_ctz(*missing);

    for (unsigned b = first; b < 4; b++) {
        if ((*missing >> b & 1) && bytes[b].word == bytes[first].word) {
            digits[b] = base + bytes[b].byte;
            *missing &= ~(1u << b);
        }
    }
}

static void bytes_add(struct dl__text *text, const char *x, uint64_t y,
                      const unsigned digits[4])
{
    dl__text_add(text, "BYTES(%s, from[%llu], s%u%u%u%u)", x, (unsigned long long)y,
                 digits[0], digits[1], digits[2], digits[3]);
}

/* A word of four bytes from up to four words: two at first, then one more at a time. */
static void word_add(struct dl__text *text, const struct place bytes[4])
{
    unsigned missing = 15, digits[4] = {0, 0, 0, 0};
    char value[256];
    struct dl__text next = {0};
    uint64_t word = bytes[0].word;

    digits_take(bytes, 0, &missing, digits);
    snprintf(value, sizeof value, "from[%llu]", (unsigned long long)word);
    if (missing) {
        word = bytes[__builtin_ctz(missing)].word;
        digits_take(bytes, 4, &missing, digits);
    }
    if (word == bytes[0].word && digits[0] == 0 && digits[1] == 1 && digits[2] == 2 &&
        digits[3] == 3)
        dl__text_add(&next, "%s", value);
    else
        bytes_add(&next, value, word, digits);
    while (missing && !next.failed) {
        unsigned more[4] = {0, 1, 2, 3};
        word = bytes[__builtin_ctz(missing)].word;
        digits_take(bytes, 4, &missing, more);
        snprintf(value, sizeof value, "%s", next.bytes);
        next.count = 0;
        bytes_add(&next, value, word, more);
    }
    if (next.failed)
        text->failed = true;
    else
        dl__text_add(text, "%s", next.bytes);
    free(next.bytes);
}

/* A block's words as structs. */
static void structs_add(struct dl__text *text, const struct strip *strip, uint64_t words)
{
    for (uint64_t w = 0; w < words; w++) {
        uint64_t word = w;
        if (strip->block_count > 1) {
            uint64_t width = words / strip->structs;
            word = w / width * (strip->struct_bytes / 4) + w % width;
        }
        dl__text_add(text, " X(%llu, %lluu)", (unsigned long long)w,
                     (unsigned long long)word);
    }
}

/* Byte q of struct j in the block's words as structs. */
static struct place struct_place(const struct strip *strip, uint64_t first,
                                 uint64_t words, uint64_t j, uint64_t q)
{
    if (strip->block_count == 1)
        return (struct place){(j * strip->struct_bytes + q) / 4,
                              (unsigned)((j * strip->struct_bytes + q) % 4)};
    return (struct place){j * (words / strip->structs) + q / 4 - first,
                          (unsigned)(q % 4)};
}

/* A block's words leaf by leaf; from[] gets, for each byte of the new order, its place in
 * the old. */
static void leaves_add(struct dl__text *text, const struct shape *shape,
                       const struct strip *strip, uint64_t b, struct place *from)
{
    const struct dl_step *step = shape->step;
    uint64_t begin = strip->block_count > 1 ? strip->firsts[b] * 4 : 0;
    uint64_t end =
        strip->block_count > 1 ? strip->firsts[b + 1] * 4 : strip->struct_bytes;
    uint64_t words = (end - begin) * strip->structs / 4, n = 0;
    struct leaf leaf = {0, 0};

    for (uint32_t l = 0; l < leaf_count(step); l++) {
        leaf = leaf_next(step, leaf, l);
        for (uint64_t j = 0; j < strip->structs; j++) {
            for (uint64_t q = leaf.offset; q < leaf.offset + leaf.width; q++) {
                uint64_t in_leaf = j * leaf.width + q - leaf.offset;
                struct place in_structs, in_leaves = {n / 4, (unsigned)(n % 4)};
                if (q < begin || q >= end)
                    continue;
                in_structs = struct_place(strip, begin / 4, words, j, q);
                if (in_leaf % 4 == 0)
                    /* An array that begins before its block wraps around. */
                    dl__text_add(text, " X(%llu, %uu, %lluu)", (unsigned long long)n / 4,
                                 (unsigned)((shape->rows * leaf.offset + in_leaf) / 4 -
                                            shape->rows * begin / 4),
                                 (unsigned long long)(leaf.width * strip->structs / 4));
                if (step->inverse)
                    from[in_structs.word * 4 + in_structs.byte] = in_leaves;
                else
                    from[n] = in_structs;
                n++;
            }
        }
    }
}

/* The lists of a block, which are its shape; %u in `text` stands for the shape's number.
 *   errors  DL_ENOMEM */
static enum dl_status block_shape_text(const struct shape *shape,
                                       const struct strip *strip, uint64_t b,
                                       struct dl__text lists[3])
{
    uint64_t words = strip->block_count > 1
                         ? (strip->firsts[b + 1] - strip->firsts[b]) * strip->structs
                         : strip->words;
    struct place *from = calloc(words * 4, sizeof *from);

    if (!from)
        return DL_ENOMEM;
    structs_add(&lists[0], strip, words);
    leaves_add(&lists[1], shape, strip, b, from);
    for (uint64_t w = 0; w < words; w++) {
        dl__text_add(&lists[2], " X(%llu, ", (unsigned long long)w);
        word_add(&lists[2], from + w * 4);
        dl__text_add(&lists[2], ")");
    }
    free(from);
    return lists[0].failed || lists[1].failed || lists[2].failed ? DL_ENOMEM : DL_OK;
}

struct shape_list {
    struct dl__text lists[BLOCKS_MAX][3];
    unsigned of_block[BLOCKS_MAX], count;
    uint64_t words;
};

static void lists_free(struct dl__text lists[3])
{
    for (int l = 0; l < 3; l++) {
        free(lists[l].bytes);
        lists[l] = (struct dl__text){0};
    }
}

/* Adds the block's shape unless it is there. */
static enum dl_status block_shape_add(const struct shape *shape,
                                      const struct strip *strip, uint64_t b,
                                      struct shape_list *shapes)
{
    struct dl__text *mine = shapes->lists[shapes->count];
    enum dl_status st = block_shape_text(shape, strip, b, mine);
    unsigned s = 0;

    while (st == DL_OK && s < shapes->count &&
           (strcmp(shapes->lists[s][0].bytes, mine[0].bytes) != 0 ||
            strcmp(shapes->lists[s][1].bytes, mine[1].bytes) != 0 ||
            strcmp(shapes->lists[s][2].bytes, mine[2].bytes) != 0))
        s++;
    shapes->of_block[b] = s;
    if (st != DL_OK || s < shapes->count) {
        lists_free(mine);
        return st;
    }
    shapes->count++;
    shapes->words += strip->block_words;
    return DL_OK;
}

static void strip_tables_add(struct dl__text *text, const struct strip *strip,
                             const struct shape_list *shapes)
{
    static const char *const names[] = {"STRUCT_WORDS", "LEAF_WORDS", "PERMUTED"};

    for (int table = 0; table < 2; table++) {
        dl__text_add(text, "__constant ushort block_%s[] = {", table ? "first" : "shape");
        for (uint64_t b = 0; b < strip->block_count; b++)
            dl__text_add(text, "%u,",
                         table ? (unsigned)strip->firsts[b] : shapes->of_block[b]);
        dl__text_add(text, "};\n");
    }
    dl__text_add(text, "#define BLOCK_SHAPE(b) %s\n#define BLOCK_FIRST(b) %s\n",
                 shapes->count > 1 ? "block_shape[b]" : "0u",
                 strip->block_count > 1 ? "block_first[b]" : "0u");
    dl__text_add(text, "#define SHAPES(X)");
    for (unsigned s = 0; s < shapes->count; s++)
        dl__text_add(text, " X(%u)", s);
    dl__text_add(text, "\n");
    for (unsigned s = 0; s < shapes->count; s++)
        for (int l = 0; l < 3; l++)
            dl__text_add(text, "#define %s_%u(X)%s\n", names[l], s,
                         shapes->lists[s][l].bytes);
}

static enum dl_status strip_kernel_make(const struct shape *shape,
                                        const struct strip *strip,
                                        const struct shape_list *shapes, cl_kernel *out)
{
    struct dl__text text = {0};

    dl__text_add(&text, "#define ROWS %lluu\n#define BATCH %lluu\n#define GROUP %zuu\n",
                 (unsigned long long)shape->rows, (unsigned long long)strip->batch,
                 strip->group);
    dl__text_add(&text, "#define STRIP %lluu\n#define STRIP_WORDS %lluu\n",
                 (unsigned long long)strip->structs, (unsigned long long)strip->words);
    dl__text_add(&text, "#define BLOCKS %lluu\n#define WORDS %lluu\n",
                 (unsigned long long)strip->block_count,
                 (unsigned long long)strip->block_words);
    strip_tables_add(&text, strip, shapes);
    knobs_add_step(&text, shape, shape->split, shape->rows * shape->columns);
    return step_kernel(shape, &strip_source, &text, "dl_strip", out);
}

static enum dl_status strip_plan(const struct shape *shape, struct dl__run_list *list)
{
    const struct strip strip = strip_make(shape);
    struct shape_list *shapes = calloc(1, sizeof *shapes);
    enum dl_status st = shapes ? DL_OK : DL_ENOMEM;
    cl_kernel kernel = NULL;

    for (uint64_t b = 0; b < strip.block_count && st == DL_OK; b++)
        st = block_shape_add(shape, &strip, b, shapes);
    if (st == DL_OK && shapes->words <= SHAPE_WORDS_MAX)
        st = strip_kernel_make(shape, &strip, shapes, &kernel);
    for (unsigned s = 0; shapes && s < shapes->count; s++)
        lists_free(shapes->lists[s]);
    free(shapes);
    if (st != DL_OK)
        return st;
    if (!kernel || kernel_items_max(shape, kernel) < strip.group)
        return chunk_cost(shape) < CAN_NOT ? chunk_plan(shape, list)
                                           : tile_plan(shape, list);
    return chunks_run_add(shape, list, "dl_strip", kernel, strip.batch, strip.group);
}

/* ======== any: 010! on tiles of any shape by one program ======== */

/* Its arguments are the shape. It takes the place of kernels that are not built yet. */

extern const char dl_any_cl[];
static const struct dl__kernel_source any_source = {{dl_step_cl, dl_any_cl}};

enum { STARTS = 16, ANY_COLUMNS_MAX = STARTS * 64 - 1 };

/* As in any.cl. */
struct any_shape {
    uint64_t starts[STARTS];
    uint32_t columns, width, inverse, each;
};

enum { TABLE_BYTES = 4 /* of a column, in local memory */ };

/* The last choice for tiles, except that a CPU builds no program for a single tile, such
 * as the short last one. */
static double any_cost(const struct shape *shape)
{
    bool is_single = shape->instances == 1 && shape->step->rest_rows == 0;

    if (!shape_is_tile(shape) || shape->columns > ANY_COLUMNS_MAX ||
        shape_bytes(shape) + shape->columns * TABLE_BYTES > shape->limits->local_bytes)
        return CAN_NOT;
    if (shape->knobs->family == DL_FORCE_ANY)
        return 0;
    return is_single && shape->limits->is_cpu ? 1.05 : 2;
}

static struct any_shape any_shape_make(const struct shape *shape, uint32_t each)
{
    const struct dl_step *step = shape->step;
    struct any_shape made = {.columns = (uint32_t)shape->columns,
                             .width = step->leaf_columns ? 0 : (uint32_t)shape->split,
                             .inverse = step->inverse,
                             .each = each};
    uint64_t first = 0;

    for (uint32_t leaf = 0; step->leaf_columns && leaf <= step->leaf_count; leaf++) {
        made.starts[first / 64] |= UINT64_C(1) << first % 64;
        if (leaf < step->leaf_count)
            first += step->leaf_columns[leaf] * shape->split;
    }
    return made;
}

static const char *any_kernel_name(uint64_t element_bytes)
{
    static const char *const names[] = {"dl_any_1", "dl_any_2", "dl_any_4", "dl_any_8",
                                        "dl_any_16"};

    return names[__builtin_ctzll(element_bytes)];
}

static enum dl_status any_kernel_get(struct dl__engine *engine, const char *name,
                                     cl_kernel *out)
{
    return dl__engine_kernel(engine, &any_source,
                             engine->limits.is_cpu ? "#define ALONE 1\n" : "", name, out,
                             NULL);
}

enum dl_status dl__step_any_build(const struct dl__steps *steps)
{
    cl_kernel kernel;

    return any_kernel_get(steps->engine, any_kernel_name(4), &kernel);
}

static enum dl_status any_plan(const struct shape *shape, struct dl__run_list *list)
{
    const char *name = any_kernel_name(shape->element_bytes);
    uint64_t elements = shape->rows * shape->columns, rest_rows = shape->step->rest_rows;
    bool is_cpu = shape->limits->is_cpu;
    unsigned each =
        is_cpu ? dl__steps_knobs(shape->steps, "each", shape_bytes(shape)).each_tiles : 1;
    const struct any_shape any = any_shape_make(shape, each);
    cl_kernel kernel;
    enum dl_status st = any_kernel_get(shape->engine, name, &kernel);

    if (st != DL_OK)
        return st;
    struct dl__run run = step_run(shape, name, kernel, shape->rows);
    dl__run_add_ulong(&run, shape->instances);
    dl__run_add_ulong(&run, rest_rows);
    dl__run_add_value(&run, &any, sizeof any);
    dl__run_add(&run, DL__ARG_LOCAL, NULL, shape->columns * TABLE_BYTES);
    dl__run_add(&run, DL__ARG_LOCAL, NULL, elements * shape->element_bytes);
    return run_add(list, &run, dl__divide_up(shape->instances + (rest_rows > 0), each),
                   is_cpu ? 1 : group_of(shape, kernel, elements), 0);
}

/* ======== aside: small arrays, out of place ======== */

/* Elements go to their new places in a workspace, which is then copied back: two
 * launches, while a small array's cycles would take as long one load after the other. The
 * workspace is as large as the array, so that `aside_bytes` bounds it. */

extern const char dl_aside_cl[];
static const struct dl__kernel_source aside_source = {{dl_step_cl, dl_aside_cl}};

/* Only one pass through local memory is better. */
static double aside_cost(const struct shape *shape)
{
    uint64_t bytes = shape_total_bytes(shape);

    return shape_columns_fit(shape, shape->split) && bytes <= shape->knobs->aside_bytes &&
                   bytes / shape->element_bytes < UINT32_MAX / 4
               ? 1.15
               : CAN_NOT;
}

/* Appends the run with a work-item for each access, up to what the device runs at once.
 */
static enum dl_status shares_add(const struct shape *shape, struct dl__run_list *list,
                                 struct dl__run *run, uint64_t accesses,
                                 uint64_t workspace_bytes)
{
    uint64_t most = shape->limits->compute_units * (uint64_t)2048;
    size_t group = group_of(shape, run->kernel, accesses);

    return run_add(list, run, dl__divide_up(accesses < most ? accesses : most, group),
                   group, workspace_bytes);
}

static enum dl_status aside_plan(const struct shape *shape, struct dl__run_list *list)
{
    uint64_t bytes = shape_total_bytes(shape), elements = bytes / shape->element_bytes;
    uint64_t unit = shape->base_bytes % 16 == 0 ? 16 : shape->element_bytes;
    uint64_t rest_rows = shape->step->rest_rows;
    struct dl__text text = {0};
    struct dl__run there, back;
    cl_kernel gather, copy;
    enum dl_status st;

    dl__text_add(&text, "#define UNIT_BYTES %u\n", (unsigned)unit);
    knobs_add_step(&text, shape, shape->split, elements);
    st = dl__step_kernels(shape->engine, &aside_source, &text, "dl_aside_there", &gather,
                          "dl_aside_back", &copy);
    if (st != DL_OK)
        return st;
    there = step_run(shape, "dl_aside_there", gather, shape->rows);
    dl__run_add_workspace(&there);
    dl__run_add_ulong(&there, shape->instances);
    dl__run_add_ulong(&there, rest_rows);
    there.reads_only = true;
    there.global[1] = (size_t)(shape->instances + (rest_rows > 0));
    st = shares_add(shape, list, &there, shape->rows * shape->columns, bytes);
    if (st != DL_OK)
        return st;
    back = step_run(shape, "dl_aside_back", copy, elements);
    dl__run_add_workspace(&back);
    list->traffic_bytes += 2 * bytes;
    return shares_add(shape, list, &back, bytes / unit + 16, bytes);
}

/* ======== cut: 100! on super-elements by cut cycles ======== */

extern const char dl_cut_cl[];
static const struct dl__kernel_source cut_source = {{dl_step_cl, dl_cut_cl}};

enum { ROW_ITEMS_MAX = 32 };

/* How work-items share a super-element. */
struct share {
    uint64_t row; /* elements of an aligned row, or 0: whole vectors in any places */
    uint64_t vectors, lanes, per_item;
    unsigned ahead, stretches, group;
};

static struct share share_make(const struct dl__knobs *knobs, uint64_t super_bytes,
                               uint64_t element_bytes, uint64_t row_lanes_max)
{
    bool is_short = super_bytes <= knobs->cut_line_bytes;
    struct share share = {.vectors = super_bytes / element_bytes,
                          .ahead = is_short ? knobs->cut_ahead_short : knobs->cut_ahead,
                          .stretches = is_short ? knobs->cut_stretches_short
                                                : knobs->cut_stretches,
                          .group = is_short ? knobs->cut_group_short : knobs->cut_group};
    uint64_t wanted =
        knobs->cut_bytes > element_bytes ? knobs->cut_bytes / element_bytes : 1;
    /* Half of a cache line if a whole one would leave most lanes idle, several if one
     * would give a lane so many loads that few super-elements can be in flight. */
    uint64_t row_bytes = super_bytes < 2 * knobs->cut_line_bytes
                             ? (knobs->cut_row + 1) / 2
                             : knobs->cut_row;

    while (row_bytes > 0 && row_bytes < 4 * knobs->cut_line_bytes &&
           row_bytes * (element_bytes < 8 ? 10 : 6) < super_bytes)
        row_bytes *= 2;
    /* A lane's part of a row is in registers, and each vector makes the kernel longer. */
    if (super_bytes % knobs->cut_line_bytes != 0 &&
        super_bytes >= knobs->cut_line_bytes / 4 &&
        super_bytes <= ROW_ITEMS_MAX * row_bytes)
        share.row = row_bytes / element_bytes;
    /* A power of two, as work-groups are. */
    while (share.row > row_lanes_max || (share.row & (share.row - 1)) != 0)
        share.row =
            share.row > row_lanes_max ? share.row / 2 : share.row & (share.row - 1);
    if (share.row > 1 && share.vectors <= ROW_ITEMS_MAX * share.row) {
        uint64_t parts = (share.vectors + 2 * share.row - 2) / share.row;
        share.lanes = share.row;
        share.per_item = (share.vectors + share.row - 1) / share.row;
        share.ahead = parts < knobs->cut_loads ? (unsigned)(knobs->cut_loads / parts) : 1;
        share.group = knobs->cut_group_short; /* few wait for each other at the barrier */
        return share;
    }
    share.row = 0;
    share.per_item = wanted < share.vectors ? wanted : share.vectors;
    share.lanes = (share.vectors + share.per_item - 1) / share.per_item;
    return share;
}

/* Cut cycles need neither flags nor a memory model, so that they are the last resort, on
 * single elements, too. */
static double cut_cost(const struct shape *shape)
{
    bool is_super = shape_is_super(shape);

    if (!shape_columns_fit(shape, 1))
        return CAN_NOT;
    if (shape->knobs->family == DL_FORCE_CUT && is_super)
        return 0;
    return is_super ? 1.2 : 15;
}

/* A way to share the work that the device can run, with its kernels. */
struct cut_chosen {
    struct share share;
    cl_kernel save, move;
    uint64_t chains; /* stretches one after the other */
    size_t group;
};

static enum dl_status cut_build(const struct shape *shape, const struct dl__knobs *knobs,
                                struct cut_chosen *out)
{
    const struct share *share = &out->share;
    uint64_t places = shape->rows * shape->step->columns;
    struct dl__text text = {0};

    dl__text_add(&text,
                 "#define VECTORS %lluu\n#define PER_ITEM %lluu\n#define AHEAD %u\n",
                 (unsigned long long)share->vectors, (unsigned long long)share->per_item,
                 share->ahead);
    dl__text_add(&text, "#define CUT %uu\n#define SPAN %uu\n#define STRETCHES %uu\n",
                 knobs->cut_places, knobs->cut_span, share->stretches);
    if (share->row > 0)
        dl__text_add(
            &text, "#define ROW %lluu\n#define BASE_ELEMENTS %lluu\n",
            (unsigned long long)share->row,
            (unsigned long long)(shape->base_bytes / shape->element_bytes % share->row));
    /* Indices count super-elements. */
    knobs_add_step(&text, shape, 1,
                   places + knobs->cut_span + (uint64_t)knobs->cut_places * 2);
    return dl__step_kernels(shape->engine, &cut_source, &text, "dl_cut_save", &out->save,
                            "dl_cut_move", &out->move);
}

static enum dl_status cut_choose(const struct shape *shape, const struct dl__knobs *knobs,
                                 uint64_t blocks, struct cut_chosen *out)
{
    uint64_t resident = knobs->cut_resident * (uint64_t)shape->limits->compute_units;
    struct share *share = &out->share;

    for (uint64_t lanes = knobs->cut_group_short;; lanes = 0) {
        enum dl_status st;
        *share =
            share_make(knobs, shape->step->element_bytes, shape->element_bytes, lanes);
        /* Several for each work-item only if enough are left to fill the device. */
        while (share->stretches > 1 &&
               blocks * share->lanes * shape->instances < share->stretches * resident)
            share->stretches--;
        st = cut_build(shape, knobs, out);
        if (st != DL_OK)
            return st;
        out->chains = dl__divide_up(blocks, share->stretches);
        out->group = dl__engine_group_items(shape->engine, out->move, share->group,
                                            out->chains * share->lanes);
        /* The lanes of a row meet at a barrier: they must be of one work-group. */
        if (share->row <= out->group)
            return DL_OK;
    }
}

static enum dl_status cut_plan(const struct shape *step_shape, struct dl__run_list *list)
{
    struct shape shape = *step_shape;
    const struct dl_step *step = shape.step;
    const struct dl__knobs knobs =
        dl__steps_knobs(shape.steps, "cut", step->element_bytes);
    uint64_t places = shape.rows * step->columns;
    uint64_t blocks = dl__divide_up(places, knobs.cut_places), workspace_bytes;
    uint64_t searchers = dl__divide_up(places, knobs.cut_span), saved;
    struct dl__run save, move;
    struct cut_chosen build;
    size_t group;
    enum dl_status st;

    while (shape.element_bytes > knobs.cut_vector && shape.element_bytes > 1)
        shape.element_bytes /= 2;
    st = cut_choose(&shape, &knobs, blocks, &build);
    if (st != DL_OK)
        return st;
    workspace_bytes = shape.instances * blocks * step->element_bytes;
    saved = blocks * build.share.vectors;
    save = step_run(&shape, "dl_cut_save", build.save, shape.rows);
    dl__run_add_workspace(&save);
    save.reads_only = true;
    save.global[1] = (size_t)shape.instances;
    group = group_of(&shape, build.save, saved);
    st = run_add(list, &save, dl__divide_up(saved, group), group, workspace_bytes);
    if (st != DL_OK)
        return st;
    move = step_run(&shape, "dl_cut_move", build.move, shape.rows);
    dl__run_add_workspace(&move);
    dl__run_add_ulong(&move, searchers);
    move.global[1] = (size_t)shape.instances;
    return run_add(list, &move,
                   dl__divide_up(build.chains * build.share.lanes, build.group) +
                       searchers,
                   build.group, workspace_bytes);
}

/* ======== cycle: PTTWAC, with its flags in local or in global memory ======== */

extern const char dl_cycle_cl[];
static const struct dl__kernel_source cycle_source = {{dl_step_cl, dl_cycle_cl}};

static enum dl_status cycle_kernel_get(const struct shape *shape,
                                       const struct dl__text *text, const char *name,
                                       cl_kernel *out)
{
    if (text->failed)
        return DL_ENOMEM;
    return dl__engine_kernel(shape->engine, &cycle_source, text->bytes, name, out, NULL);
}

/* With flags in local memory an array has one work-group: few arrays would leave the
 * device idle. */
static bool is_local(const struct shape *shape)
{
    uint64_t elements = shape->rows * shape->columns;

    return elements / 32 * 4 + 4 <= shape->limits->local_bytes &&
           elements < UINT32_MAX / 2 &&
           (shape->instances >= shape->limits->compute_units || elements <= 4096);
}

static double cycle_cost(const struct shape *shape)
{
    if (!shape_columns_fit(shape, shape->split))
        return CAN_NOT;
    if (shape->knobs->family == DL_FORCE_CYCLE)
        return 0;
    return is_local(shape) ? 5 : 20;
}

/* Adds the form of the flags to the kernel's knobs and returns their words; 0: those that
 * the knobs want do not fit, and a comparison must not run with others. */
static uint64_t flags_lay_out(const struct shape *shape, const struct dl__knobs *knobs,
                              uint64_t elements, bool in_local, struct dl__text *text)
{
    unsigned flags = knobs->cycle_flags;
    uint64_t words;
    bool is_compared = knobs->cycle_held == 0 && shape->knobs->family == DL_FORCE_CYCLE;

    /* Spread flags take a quarter of a tile of local memory: packs them if that is too
     * much. */
    while (!is_compared && flags < 32 &&
           elements / flags * 4 + 4 > shape->limits->local_bytes / 4)
        flags *= 2;
    if (!in_local)
        flags = 32;
    words = elements / flags + 1;
    if (in_local && knobs->cycle_remap)
        dl__text_add(text, "#define FLAG_WORDS %lluu\n", (unsigned long long)words);
    else if (in_local && knobs->cycle_pad) {
        dl__text_add(text, "#define FLAG_PAD\n");
        words += words / 32;
    }
    dl__text_add(text, "#define FLAGS_A_WORD %uu\n#define HELD %uu\n", flags,
                 knobs->cycle_held);
    return in_local && words * 4 > shape->limits->local_bytes ? 0 : words;
}

static enum dl_status local_kernel(const struct shape *shape,
                                   const struct dl__knobs *knobs, struct dl__text *text,
                                   cl_kernel *out, size_t *items)
{
    uint64_t elements = shape->rows * shape->columns;
    size_t wanted = 1;
    cl_kernel said;
    enum dl_status st = cycle_kernel_get(shape, text, "dl_cycle_local", out);

    if (st != DL_OK)
        return st;
    *items = dl__engine_group_items(shape->engine, *out, knobs->cycle_group, elements);
    while (wanted * 2 <= knobs->cycle_group && wanted * 2 <= shape->limits->group_items &&
           wanted < elements)
        wanted *= 2;
    /* With held elements the driver's own limit was measured to be faster. */
    if (*items == wanted || knobs->cycle_held)
        return DL_OK;
    dl__text_add(text, "#define GROUP %zu\n", wanted);
    st = cycle_kernel_get(shape, text, "dl_cycle_local", &said);
    if (st == DL_OK && kernel_items_max(shape, said) >= wanted) {
        *out = said;
        *items = wanted;
    }
    return DL_OK;
}

static enum dl_status local_plan(const struct shape *shape, const struct dl__knobs *knobs,
                                 struct dl__text *text, uint64_t words,
                                 struct dl__run_list *list)
{
    size_t items;
    cl_kernel kernel;
    enum dl_status st = local_kernel(shape, knobs, text, &kernel, &items);

    if (st != DL_OK)
        return st;
    struct dl__run run = step_run(shape, "dl_cycle_local", kernel, shape->rows);
    dl__run_add(&run, DL__ARG_LOCAL, NULL, words * 4);
    return run_add(list, &run, shape->instances, items, 0);
}

static enum dl_status global_plan(const struct shape *shape, const struct dl__text *text,
                                  uint64_t words, struct dl__run_list *list)
{
    cl_kernel kernel, clears;
    enum dl_status st = cycle_kernel_get(shape, text, "dl_cycle_global", &kernel);

    if (st == DL_OK)
        st = cycle_kernel_get(shape, text, "dl_cycle_clear", &clears);
    if (st != DL_OK)
        return st;
    return flagged_runs_add(
        shape, list, step_run(shape, "dl_cycle_global", kernel, shape->rows),
        "dl_cycle_clear", clears, words, shape->limits->compute_units * UINT64_C(8),
        group_of(shape, kernel, shape->rows * shape->columns));
}

static enum dl_status cycle_plan(const struct shape *shape, struct dl__run_list *list)
{
    const uint64_t elements = shape->rows * shape->columns;
    const struct dl__knobs knobs =
        dl__steps_knobs(shape->steps, "cycle", elements * shape->element_bytes);
    const bool in_local = is_local(shape);
    struct dl__text text = {0};
    uint64_t words = flags_lay_out(shape, &knobs, elements, in_local, &text);
    enum dl_status st = DL_ENOTSUP;

    if (words > 0) {
        /* Tiles have few lengths, whole arrays many. */
        if (in_local && shape->instances > 1)
            dl__text_add(&text, "#define KNOWN_ROWS %lluu\n",
                         (unsigned long long)shape->rows);
        knobs_add_step(&text, shape, shape->split, elements);
        st = in_local ? local_plan(shape, &knobs, &text, words, list)
                      : global_plan(shape, &text, words, list);
    }
    free(text.bytes);
    return st;
}

/* ======== pipt: P-IPT, for comparison ======== */

/* Like `super`, chosen only by the knob `family`. */

extern const char dl_pipt_cl[];
static const struct dl__kernel_source pipt_source = {{dl_step_cl, dl_pipt_cl}};

enum { GROUPS_A_UNIT = 64 };

static double pipt_cost(const struct shape *shape)
{
    return shape->knobs->family == DL_FORCE_PIPT && shape_columns_fit(shape, shape->split)
               ? 0
               : CAN_NOT;
}

static enum dl_status pipt_plan(const struct shape *shape, struct dl__run_list *list)
{
    const struct dl_step *step = shape->step;
    bool is_super = shape->instances == 1 && step->element_bytes > 16;
    uint64_t places = shape->rows * (is_super ? step->columns : shape->columns);
    uint64_t vectors = is_super ? shape->split : 1, groups, most;
    struct dl__text knobs = {0};
    cl_kernel kernel;
    size_t group;
    enum dl_status st;

    dl__text_add(&knobs, "#define VECTORS %lluu\n", (unsigned long long)vectors);
    knobs_add_step(&knobs, shape, is_super ? 1 : shape->split, places);
    st = step_kernel(shape, &pipt_source, &knobs, "dl_pipt", &kernel);
    if (st != DL_OK)
        return st;
    struct dl__run run = step_run(shape, "dl_pipt", kernel, shape->rows);
    group = group_of(shape, kernel, places * vectors);
    most = (uint64_t)shape->limits->compute_units * GROUPS_A_UNIT;
    groups = dl__divide_up(places * vectors, group);
    if (groups > most)
        groups = most;
    if (shape->instances > most)
        groups = 1;
    dl__run_add_ulong(&run, groups);
    return run_add(list, &run, shape->instances * groups, group, 0);
}

/* ======== super: the thesis's own forms of 100!, for comparison ======== */

extern const char dl_super_cl[];
static const struct dl__kernel_source super_source = {{dl_step_cl, dl_super_cl}};

enum { WARP_ITEMS = 32 };

static double super_cost(const struct shape *shape)
{
    return shape->knobs->family == DL_FORCE_SUPER &&
                   shape_columns_fit(shape, shape->split) && shape_is_super(shape) &&
                   shape->instances < shape->limits->compute_units
               ? 0
               : CAN_NOT;
}

struct super_build {
    cl_kernel kernel, clear;
    uint64_t group, team; /* work-items, and those of them that move a super-element */
};

static enum dl_status super_build_make(const struct shape *shape, struct super_build *out)
{
    struct dl__text knobs = {0};

    dl__text_add(&knobs,
                 "#define VECTORS %lluu\n#define GROUP %lluu\n#define TEAM %llu\n"
                 "#define MODE %u\n",
                 (unsigned long long)(shape->step->element_bytes / shape->element_bytes),
                 (unsigned long long)out->group, (unsigned long long)out->team,
                 shape->knobs->super_mode);
    knobs_add_step(&knobs, shape, 1, shape->rows * shape->step->columns);
    return dl__step_kernels(shape->engine, &super_source, &knobs, "dl_super",
                            &out->kernel, "dl_super_clear", &out->clear);
}

static enum dl_status super_build_choose(const struct shape *shape,
                                         struct super_build *out)
{
    const struct dl__knobs *knobs = shape->knobs;
    uint64_t vectors = shape->step->element_bytes / shape->element_bytes;

    out->team = WARP_ITEMS;
    out->group = knobs->super_group;
    if (knobs->super_mode == 0 || shape->limits->is_cpu)
        out->group = dl__round_up(vectors, WARP_ITEMS);
    /* Several short super-elements for each warp. */
    while (knobs->super_mode == 2 && out->team / 2 >= vectors)
        out->team /= 2;
    /* Local memory must hold two super-elements of each team. */
    while (out->group > shape->limits->group_items ||
           (knobs->super_mode == 1 && out->group > WARP_ITEMS &&
            out->group / out->team * 2 * shape->step->element_bytes >
                shape->limits->local_bytes))
        out->group /= 2;
    /* The device may not be able to run so many work-items of this kernel. */
    for (;; out->group /= 2) {
        enum dl_status st = super_build_make(shape, out);
        if (st != DL_OK || out->group <= WARP_ITEMS ||
            kernel_items_max(shape, out->kernel) >= out->group)
            return st;
    }
}

static enum dl_status super_plan(const struct shape *step_shape,
                                 struct dl__run_list *list)
{
    struct shape shape = *step_shape;
    struct super_build build;
    enum dl_status st;

    while (shape.element_bytes > shape.knobs->super_vector && shape.element_bytes > 1)
        shape.element_bytes /= 2;
    st = super_build_choose(&shape, &build);
    if (st != DL_OK)
        return st;
    return flagged_runs_add(
        &shape, list, step_run(&shape, "dl_super", build.kernel, shape.rows),
        "dl_super_clear", build.clear, shape.rows * shape.step->columns / 32 + 1,
        shape.limits->compute_units * (2048 / build.group + 1), (size_t)build.group);
}

/* ---- the chooser ---- */

/* One row for each algorithm, but for slides, which are steps of another kind. */
struct algorithm {
    /* Roughly the time on this device, in copies of the array; the smallest is chosen. 0:
     * the knob `family` asks for it. CAN_NOT. */
    double (*cost)(const struct shape *shape);
    /* Whether it also does the short rest, which is else a step of its own. */
    bool takes_rest;
    /* Builds the kernels and appends the runs.
     *   errors  DL_ENOTSUP, DL_ENOMEM, DL_ECL */
    enum dl_status (*plan)(const struct shape *shape, struct dl__run_list *list);
};

/* The last two are for comparison. */
static const struct algorithm algorithms[] = {
    {each_cost, true, each_plan},   {strip_cost, true, strip_plan},
    {chunk_cost, true, chunk_plan}, {tile_cost, true, tile_plan},
    {any_cost, true, any_plan},     {aside_cost, true, aside_plan},
    {cut_cost, false, cut_plan},    {cycle_cost, false, cycle_plan},
    {pipt_cost, false, pipt_plan},  {super_cost, false, super_plan},
};

enum { KEPT_BYTES = 64 };

uint64_t dl__steps_tile_bytes(const struct dl__steps *steps)
{
    uint64_t local = steps->engine->limits.local_bytes, most = steps->knobs.tile_bytes;

    /* NVIDIA's driver accepts a kernel that asks for all of it, but refuses the launch.
     */
    local -= local > KEPT_BYTES ? KEPT_BYTES : local;
    return local < most ? local : most;
}

/* Uses the program for any shape until the best is built; drops the runs appended so far.
 */
static enum dl_status stand_in(const struct shape *shape, struct dl__run_list *list,
                               size_t runs)
{
    if (!shape->steps->stood_in || shape->element_bytes < shape->knobs->any_element_min ||
        any_cost(shape) == CAN_NOT)
        return DL_ECL;
    list->count = runs;
    *shape->steps->stood_in = true;
    return any_plan(shape, list);
}

/* The whole instances, and then the short one. */
static enum dl_status add_in_two(const struct dl__steps *steps,
                                 const struct dl_step *step, struct dl__run_list *list)
{
    struct dl_step whole = *step, rest = *step;
    enum dl_status st;

    whole.rest_rows = rest.rest_rows = 0;
    rest.base_bytes += step->instances * step->rows * step->columns * step->element_bytes;
    rest.instances = 1;
    rest.rows = step->rest_rows;
    st = dl__steps_add(steps, &whole, list);
    return st == DL_OK ? dl__steps_add(steps, &rest, list) : st;
}

enum dl_status dl__steps_add(const struct dl__steps *steps, const struct dl_step *step,
                             struct dl__run_list *list)
{
    struct shape shape = shape_of_step(steps, step);
    const struct algorithm *best = NULL;
    double best_cost = CAN_NOT;
    size_t runs = list->count;
    enum dl_status st;

    if (step->tail_rows > 0)
        return slide_plan(&shape, list);
    if (step->columns > UINT32_MAX / shape.split)
        return DL_ENOTSUP;
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
        double cost = algorithms[a].cost(&shape);
        if (cost < best_cost) {
            best = &algorithms[a];
            best_cost = cost;
        }
    }
    if (!best)
        return DL_ENOTSUP;
    if (step->rest_rows > 0 && !best->takes_rest)
        return add_in_two(steps, step, list);
    list->traffic_bytes += 2 * shape_total_bytes(&shape);
    st = best->plan(&shape, list);
    return st == DL_ECL ? stand_in(&shape, list, runs) : st;
}
