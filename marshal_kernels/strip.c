/* 010! on tiles of structs with leaves of single bytes, by strips of a few structs in registers: for
 * GPUs. */
#include "algorithm.h"

#include <stdio.h>
#include <stdlib.h>

extern const char dl_step_cl[], dl_rest_cl[], dl_strip_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_rest_cl, dl_strip_cl}};

enum { STRIP_WORDS_MAX = 128, GROUP_STEP = 32 };

/* So many structs that each of their leaves fills whole words. */
struct strip {
    uint64_t structs, struct_bytes, words;
    uint64_t batch; /* tiles in a chunk; 0: there is no such chunk */
    size_t group;
};

static struct strip strip_make(const struct dl__steps *steps,
                               const struct dl__shape *shape)
{
    const struct dl__knobs knobs =
        dl__steps_knobs(steps, "strip", dl__shape_bytes(shape));
    struct strip strip = {.structs = 4 / shape->element_bytes,
                          .struct_bytes = shape->columns * shape->element_bytes};
    uint64_t tile = dl__shape_bytes(shape), least = 16 / dl__gcd(tile, 16), each, most;

    strip.words = strip.structs * strip.struct_bytes / 4;
    if (strip.structs == 0 || shape->rows % strip.structs != 0 ||
        strip.words > STRIP_WORDS_MAX || strip.words * 4 > knobs.strip_bytes_max)
        return strip;
    /* Strips that a work-item holds, and those of a work-group. */
    each = dl__divide_up(knobs.strip_item_bytes, strip.words * 4);
    most = each * knobs.strip_group / (shape->rows / strip.structs);
    strip.batch = most / least * least;
    if (strip.batch == 0)
        strip.batch = least;
    while (strip.batch > least &&
           (strip.batch > shape->instances ||
            strip.batch * tile * 33 / 32 + 4 > steps->engine->limits.local_bytes))
        strip.batch -= least;
    strip.group = (size_t)dl__round_up(
        dl__divide_up(strip.batch * (shape->rows / strip.structs), each), GROUP_STEP);
    if (strip.group > steps->engine->limits.group_items ||
        strip.batch * tile * 33 / 32 + 4 > steps->engine->limits.local_bytes)
        strip.batch = 0;
    return strip;
}

static bool strip_applies(const struct dl__steps *steps, const struct dl__shape *shape)
{
    struct strip strip;

    if (steps->engine->limits.is_cpu || steps->knobs.family != DL_FORCE_NONE ||
        !dl__shape_is_tile(steps, shape) || shape->base_bytes % 16 != 0 ||
        shape->element_bytes > steps->knobs.strip_element_max)
        return false;
    strip = strip_make(steps, shape);
    return strip.batch > 0 && shape->instances >= strip.batch;
}

static double strip_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    (void)steps, (void)shape;
    return 1.02;
}

/* ---- the permutation as text ---- */

/* A byte of a strip, in one of its orders. */
struct place {
    uint64_t word;
    unsigned byte;
};

/* Where each byte of the strip as leaves lies in the strip as structs, or the other way round. */
static void places_fill(const struct dl__shape *shape, const struct strip *strip,
                        struct place *places)
{
    const struct dl_step *step = shape->step;
    uint64_t leaves = step->leaf_columns ? step->leaf_count : step->columns, offset = 0;

    for (uint64_t l = 0; l < leaves; l++) {
        uint64_t width =
            (step->leaf_columns ? step->leaf_columns[l] : 1) * step->element_bytes;
        for (uint64_t b = 0; b < width * strip->structs; b++) {
            uint64_t in_leaves = offset * strip->structs + b;
            uint64_t in_structs = b / width * strip->struct_bytes + offset + b % width;
            uint64_t from = step->inverse ? in_leaves : in_structs;
            places[step->inverse ? in_structs : in_leaves] =
                (struct place){from / 4, (unsigned)(from % 4)};
        }
        offset += width;
    }
}

/* The digits of the bytes that come from the word of byte `first`, its eight being counted from
 * `base`; takes them off `missing`, a bit for each byte. */
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

static enum dl_status knobs_add_permutation(struct dl__text *text,
                                            const struct dl__shape *shape,
                                            const struct strip *strip)
{
    struct place *places = calloc(strip->words * 4, sizeof *places);

    if (!places)
        return DL_ENOMEM;
    places_fill(shape, strip, places);
    dl__text_add(text, "#define PERMUTED(X)");
    for (uint64_t w = 0; w < strip->words; w++) {
        dl__text_add(text, " X(%llu, ", (unsigned long long)w);
        word_add(text, places + w * 4);
        dl__text_add(text, ")");
    }
    dl__text_add(text, "\n");
    free(places);
    return DL_OK;
}

/* Where a strip's words, leaf by leaf, lie in its tile. */
static void knobs_add_leaves(struct dl__text *text, const struct dl__shape *shape,
                             const struct strip *strip)
{
    const struct dl_step *step = shape->step;
    uint64_t leaves = step->leaf_columns ? step->leaf_count : step->columns;
    uint64_t offset = 0, word = 0;

    dl__text_add(text, "#define LEAF_WORDS(X)");
    for (uint64_t l = 0; l < leaves; l++) {
        uint64_t width =
            (step->leaf_columns ? step->leaf_columns[l] : 1) * step->element_bytes;
        uint64_t words = width * strip->structs / 4;
        for (uint64_t w = 0; w < words; w++)
            dl__text_add(text, " X(%llu, %lluu, %lluu)", (unsigned long long)word++,
                         (unsigned long long)(shape->rows * offset / 4 + w),
                         (unsigned long long)words);
        offset += width;
    }
    dl__text_add(text, "\n");
}

static enum dl_status strip_plan(const struct dl__steps *steps,
                                 const struct dl__shape *shape, struct dl__run_list *list)
{
    const struct strip strip = strip_make(steps, shape);
    struct dl__text text = {0};
    cl_kernel kernel;
    enum dl_status st;

    dl__text_add(&text, "#define ROWS %lluu\n#define BATCH %lluu\n#define GROUP %zuu\n",
                 (unsigned long long)shape->rows, (unsigned long long)strip.batch,
                 strip.group);
    dl__text_add(&text, "#define STRIP %lluu\n#define WORDS %lluu\n",
                 (unsigned long long)strip.structs, (unsigned long long)strip.words);
    knobs_add_leaves(&text, shape, &strip);
    st = knobs_add_permutation(&text, shape, &strip);
    dl__knobs_add_step(&text, shape, shape->split, shape->rows * shape->columns);
    if (st == DL_OK)
        st = dl__step_kernel(steps, &source, &text, "dl_strip", &kernel);
    free(text.bytes);
    if (st != DL_OK)
        return st;
    if (steps->engine->ops->kernel_items_max(steps->engine->device, kernel) < strip.group)
        return dl__step_tiles_plan(steps, shape, 0, list);
    struct dl__run run =
        dl__chunks_run("dl_strip", kernel, shape, strip.batch, strip.group);
    return dl__run_list_add(list, &run, 0);
}

const struct dl__step_algorithm dl__step_strip = {"strip", strip_applies, strip_cost,
                                                  true, strip_plan};
