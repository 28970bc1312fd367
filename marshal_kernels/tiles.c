/* SPDX-License-Identifier: MIT */
/* 010! through local memory, for GPUs: on single tiles of any length, on chunks of whole
 * tiles, and, where leaves have one or two bytes, by strips of a few structs in
 * registers. */
#include "algorithm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char dl_step_cl[], dl_rest_cl[], dl_tile_cl[], dl_chunk_cl[], dl_strip_cl[];
static const struct dl__kernel_source tile_source = {
    {dl_step_cl, dl_rest_cl, dl_tile_cl}};
static const struct dl__kernel_source chunk_source = {
    {dl_step_cl, dl_rest_cl, dl_chunk_cl}};
static const struct dl__kernel_source strip_source = {
    {dl_step_cl, dl_rest_cl, dl_strip_cl}};

/* A run on chunks of `batch` tiles by work-groups of so many work-items, with a
 * work-group for each tile that is left over and for the rest. */
static struct dl__run chunks_run(const char *name, cl_kernel kernel,
                                 const struct dl__shape *shape, uint64_t batch,
                                 size_t group)
{
    uint64_t chunks = shape->instances / batch, left = shape->instances % batch;
    uint64_t rest_rows = shape->step->rest_rows;
    struct dl__run run = dl__step_run(name, kernel, shape->base_bytes, chunks);

    dl__run_add_ulong(&run, left);
    dl__run_add_ulong(&run, rest_rows);
    run.local[0] = group;
    run.global[0] = (size_t)(chunks + left + (rest_rows > 0)) * group;
    return run;
}

/* ---- single tiles of any length: the few that chunks leave, and the short last one ----
 */

static double tile_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    return dl__shape_is_tile(steps, shape) ? 1.1 : DL__CAN_NOT;
}

static enum dl_status tile_plan(const struct dl__steps *steps,
                                const struct dl__shape *shape, struct dl__run_list *list)
{
    struct dl__text knobs = {0};
    uint64_t elements = shape->rows * shape->columns;
    uint64_t rest_rows = shape->step->rest_rows;
    cl_kernel kernel;
    enum dl_status st;

    dl__knobs_add_step(&knobs, shape, shape->split, elements);
    st = dl__step_kernel(steps, &tile_source, &knobs, "dl_tile_any", &kernel);
    if (st != DL_OK)
        return st;
    struct dl__run run =
        dl__step_run("dl_tile_any", kernel, shape->base_bytes, shape->rows);
    dl__run_add_ulong(&run, shape->instances);
    dl__run_add_ulong(&run, rest_rows);
    dl__run_add_local(&run, elements * shape->element_bytes);
    run.local[0] = dl__engine_group_items(steps->engine, kernel, 256, elements);
    run.global[0] = (size_t)(shape->instances + (rest_rows > 0)) * run.local[0];
    return dl__run_list_add(list, &run, 0);
}

const struct dl__step_algorithm dl__step_tile = {tile_cost, true, tile_plan};

/* ---- chunks of whole tiles, with all lengths known when the kernel is built ---- */

/* How a chunk of whole tiles is shared out; batch 0: it can't be. */
struct chunk {
    uint64_t batch; /* tiles */
    size_t group;
};

/* The part of the lanes that a chunk of so many vectors keeps busy, less a little for a
 * size far from the wanted one and for a single round, which leaves nothing in flight. */
static double chunk_score(uint64_t vectors, size_t group, uint64_t wanted)
{
    uint64_t items = (vectors + group - 1) / group;
    double busy = (double)vectors / (double)(items * group);
    double size = (double)vectors / (double)wanted;

    return busy - 0.02 * (size < 1 ? 1 / size : size) - (items == 1 ? 0.1 : 0);
}

/* The batch and the work-group, a multiple of tile_group / 2, with the best score. */
static struct chunk chunk_choose(const struct dl__steps *steps,
                                 const struct dl__shape *shape)
{
    uint64_t tile = shape->rows * shape->columns * shape->element_bytes;
    const struct dl__knobs tuned = dl__steps_knobs(steps, "chunk", tile), *knobs = &tuned;
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
        if (local > steps->engine->limits.local_bytes ||
            (batch > least && vectors > wanted * 2))
            break;
        for (size_t group = 2 * half; group <= steps->engine->limits.group_items;
             group += half) {
            double score;
            if (vectors > group * knobs->chunk_items_max)
                continue;
            /* Larger work-groups than need be wait longer at the barrier. */
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

/* Work-items by themselves are for CPUs, or for when they are asked for. */
static double chunk_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    struct chunk chunk;

    if (steps->engine->limits.is_cpu || steps->knobs.family == DL_FORCE_EACH ||
        !dl__shape_is_tile(steps, shape) || shape->base_bytes % 16 != 0)
        return DL__CAN_NOT;
    chunk = chunk_choose(steps, shape);
    return chunk.batch > 0 && shape->instances >= chunk.batch ? 1.05 : DL__CAN_NOT;
}

static enum dl_status chunk_plan(const struct dl__steps *steps,
                                 const struct dl__shape *shape, struct dl__run_list *list)
{
    const struct chunk chunk = chunk_choose(steps, shape);
    const struct dl__knobs knobs =
        dl__steps_knobs(steps, "chunk", dl__shape_bytes(shape));
    unsigned pad = shape->element_bytes >= 4 ? 1 : (unsigned)(4 / shape->element_bytes);
    struct dl__text text = {0};
    cl_kernel kernel;
    enum dl_status st;

    dl__text_add(&text, "#define ROWS %lluu\n#define BATCH %lluu\n#define GROUP %zuu\n",
                 (unsigned long long)shape->rows, (unsigned long long)chunk.batch,
                 chunk.group);
    dl__text_add(&text, "#define PAD %u\n#define MAP %u\n", knobs.tile_pad ? pad : 0,
                 knobs.tile_pad);
    dl__knobs_add_step(&text, shape, shape->split, shape->rows * shape->columns);
    st = dl__step_kernel(steps, &chunk_source, &text, "dl_chunk", &kernel);
    if (st != DL_OK)
        return st;
    if (steps->engine->ops->kernel_items_max(steps->engine->device, kernel) < chunk.group)
        /* The compiler finds that the device can't run so many work-items of it. */
        return tile_plan(steps, shape, list);
    struct dl__run run = chunks_run("dl_chunk", kernel, shape, chunk.batch, chunk.group);
    return dl__run_list_add(list, &run, 0);
}

const struct dl__step_algorithm dl__step_chunk = {chunk_cost, true, chunk_plan};

/* ---- strips of a few structs in registers ---- */

enum {
    BLOCKS_MAX = 256,
    BLOCK_WORDS_MAX = 128,  /* in registers */
    SHAPE_WORDS_MAX = 1024, /* of all shapes: a longer text takes seconds to build */
    GROUP_STEP = 32
};

/* The fewest structs of which each leaf fills whole words, and how they are shared out.
 */
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

static uint64_t leaf_count(const struct dl_step *step)
{
    return step->leaf_columns ? step->leaf_count : step->columns;
}

/* The leaf after this one; the first after none. */
static struct leaf leaf_next(const struct dl_step *step, struct leaf leaf, uint64_t l)
{
    leaf.offset += leaf.width;
    leaf.width = (step->leaf_columns ? step->leaf_columns[l] : 1) * step->element_bytes;
    return leaf;
}

/* ---- blocks ---- */

/* A word at which a block may begin: ends one there, or before, when it would get too
 * long. */
static void block_offer(struct strip *strip, uint64_t word, uint64_t *last, uint64_t most)
{
    while (word - strip->firsts[strip->block_count] > most &&
           strip->block_count < BLOCKS_MAX) {
        uint64_t first = strip->firsts[strip->block_count];
        strip->firsts[++strip->block_count] = *last > first ? *last : word;
    }
    *last = word;
}

/* Splits structs of whole words into blocks, but not the leaves of parts of words. */
static void blocks_split(const struct dl_step *step, uint64_t wanted_words,
                         struct strip *strip)
{
    uint64_t words = strip->struct_bytes / 4, last = 0;
    uint64_t most =
        dl__divide_up(words, dl__divide_up(words * strip->structs, wanted_words));
    struct leaf leaf = {0, 0};

    strip->block_words = 0;
    for (uint64_t l = 0; l < leaf_count(step); l++) {
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

static size_t strip_chunk_group(const struct dl__shape *shape, const struct strip *strip,
                                uint64_t each)
{
    uint64_t strips = strip->batch * (shape->rows / strip->structs);

    return (size_t)dl__round_up(dl__divide_up(strips * strip->block_count, each),
                                GROUP_STEP);
}

static bool strip_chunk_fits(const struct dl__steps *steps, const struct dl__shape *shape,
                             const struct strip *strip, uint64_t each)
{
    return dl__steps_tile_fits(steps, strip->batch * dl__shape_bytes(shape)) &&
           strip_chunk_group(shape, strip, each) <= steps->engine->limits.group_items;
}

/* How many tiles and work-items: a work-item has about strip_item_bytes, and equal blocks
 * meet in a warp where a chunk stays small. */
static void strip_chunk_choose(const struct dl__steps *steps,
                               const struct dl__knobs *knobs,
                               const struct dl__shape *shape, struct strip *strip)
{
    uint64_t tile = dl__shape_bytes(shape), least = 16 / dl__gcd(tile, 16);
    uint64_t strips = shape->rows / strip->structs; /* of a tile */
    uint64_t each = knobs->strip_item_bytes / (strip->block_words * 4), most;

    each = each ? each : 1;
    most = dl__divide_up(each * knobs->strip_group, strips * strip->block_count);
    if (strip->block_count > 1 && most * strips < GROUP_STEP)
        most = dl__divide_up(GROUP_STEP, strips);
    if (strip->block_count > 1 && most * tile > knobs->strip_chunk_bytes)
        most = knobs->strip_chunk_bytes / tile;
    strip->batch = most > least ? most / least * least : least;
    while (strip->batch > least && (strip->batch > shape->instances ||
                                    !strip_chunk_fits(steps, shape, strip, each)))
        strip->batch -= least;
    strip->group = strip_chunk_group(shape, strip, each);
    if (!strip_chunk_fits(steps, shape, strip, each))
        strip->batch = 0;
}

static struct strip strip_make(const struct dl__steps *steps,
                               const struct dl__shape *shape)
{
    const struct dl__knobs knobs =
        dl__steps_knobs(steps, "strip", dl__shape_bytes(shape));
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
        strip_chunk_choose(steps, &knobs, shape, &strip);
    return strip;
}

static double strip_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    struct strip strip;

    if (steps->engine->limits.is_cpu || steps->knobs.family != DL_FORCE_NONE ||
        !dl__shape_is_tile(steps, shape) || shape->base_bytes % 16 != 0 ||
        shape->element_bytes > steps->knobs.strip_element_max)
        return DL__CAN_NOT;
    strip = strip_make(steps, shape);
    return strip.batch > 0 && shape->instances >= strip.batch ? 1.02 : DL__CAN_NOT;
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
    char value[256], first[32];
    struct dl__text next = {0};
    uint64_t word = bytes[0].word;

    digits_take(bytes, 0, &missing, digits);
    snprintf(first, sizeof first, "from[%llu]", (unsigned long long)word);
    if (missing) {
        word = bytes[__builtin_ctz(missing)].word;
        digits_take(bytes, 4, &missing, digits);
    }
    if (word == bytes[0].word && digits[0] == 0 && digits[1] == 1 && digits[2] == 2 &&
        digits[3] == 3)
        dl__text_add(&next, "%s", first);
    else
        bytes_add(&next, first, word, digits);
    while (missing && !next.failed) {
        unsigned more[4] = {0, 1, 2, 3};
        word = bytes[__builtin_ctz(missing)].word;
        digits_take(bytes, 4, &missing, more);
        snprintf(value, sizeof value, "%s", next.bytes);
        free(next.bytes);
        next = (struct dl__text){0};
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
static void leaves_add(struct dl__text *text, const struct dl__shape *shape,
                       const struct strip *strip, uint64_t b, struct place *from)
{
    const struct dl_step *step = shape->step;
    uint64_t begin = strip->block_count > 1 ? strip->firsts[b] * 4 : 0;
    uint64_t end =
        strip->block_count > 1 ? strip->firsts[b + 1] * 4 : strip->struct_bytes;
    uint64_t words = (end - begin) * strip->structs / 4, n = 0;
    struct leaf leaf = {0, 0};

    for (uint64_t l = 0; l < leaf_count(step); l++) {
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
static enum dl_status shape_text(const struct dl__shape *shape, const struct strip *strip,
                                 uint64_t b, struct dl__text lists[3])
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

/* Adds the block's shape unless it is there. */
static enum dl_status shape_add(const struct dl__shape *shape, const struct strip *strip,
                                uint64_t b, struct shape_list *shapes)
{
    struct dl__text *mine = shapes->lists[shapes->count];
    enum dl_status st = shape_text(shape, strip, b, mine);
    unsigned s = 0;

    if (st != DL_OK) {
        shapes->count++; /* freed with the others */
        return st;
    }
    while (s < shapes->count && (strcmp(shapes->lists[s][0].bytes, mine[0].bytes) != 0 ||
                                 strcmp(shapes->lists[s][1].bytes, mine[1].bytes) != 0 ||
                                 strcmp(shapes->lists[s][2].bytes, mine[2].bytes) != 0))
        s++;
    shapes->of_block[b] = s;
    if (s == shapes->count) {
        shapes->count++;
        shapes->words += strip->block_words;
        return DL_OK;
    }
    for (int l = 0; l < 3; l++) {
        free(mine[l].bytes);
        mine[l] = (struct dl__text){0};
    }
    return DL_OK;
}

static void tables_add(struct dl__text *text, const struct strip *strip,
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

static enum dl_status kernel_make(const struct dl__steps *steps,
                                  const struct dl__shape *shape,
                                  const struct strip *strip,
                                  const struct shape_list *shapes, cl_kernel *out)
{
    struct dl__text text = {0};
    enum dl_status st;

    dl__text_add(&text, "#define ROWS %lluu\n#define BATCH %lluu\n#define GROUP %zuu\n",
                 (unsigned long long)shape->rows, (unsigned long long)strip->batch,
                 strip->group);
    dl__text_add(&text, "#define STRIP %lluu\n#define STRIP_WORDS %lluu\n",
                 (unsigned long long)strip->structs, (unsigned long long)strip->words);
    dl__text_add(&text, "#define BLOCKS %lluu\n#define WORDS %lluu\n",
                 (unsigned long long)strip->block_count,
                 (unsigned long long)strip->block_words);
    tables_add(&text, strip, shapes);
    dl__knobs_add_step(&text, shape, shape->split, shape->rows * shape->columns);
    st = dl__step_kernel(steps, &strip_source, &text, "dl_strip", out);
    return st;
}

static enum dl_status strip_plan(const struct dl__steps *steps,
                                 const struct dl__shape *shape, struct dl__run_list *list)
{
    const struct strip strip = strip_make(steps, shape);
    struct shape_list *shapes = calloc(1, sizeof *shapes);
    enum dl_status st = shapes ? DL_OK : DL_ENOMEM;
    cl_kernel kernel = NULL;

    for (uint64_t b = 0; b < strip.block_count && st == DL_OK; b++)
        st = shape_add(shape, &strip, b, shapes);
    if (st == DL_OK && shapes->words <= SHAPE_WORDS_MAX)
        st = kernel_make(steps, shape, &strip, shapes, &kernel);
    for (unsigned s = 0; shapes && s < shapes->count; s++)
        for (int l = 0; l < 3; l++)
            free(shapes->lists[s][l].bytes);
    free(shapes);
    if (st != DL_OK)
        return st;
    if (!kernel ||
        steps->engine->ops->kernel_items_max(steps->engine->device, kernel) < strip.group)
        return chunk_cost(steps, shape) < DL__CAN_NOT ? chunk_plan(steps, shape, list)
                                                      : tile_plan(steps, shape, list);
    struct dl__run run = chunks_run("dl_strip", kernel, shape, strip.batch, strip.group);
    return dl__run_list_add(list, &run, 0);
}

const struct dl__step_algorithm dl__step_strip = {strip_cost, true, strip_plan};
