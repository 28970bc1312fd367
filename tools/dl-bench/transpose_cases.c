/* SPDX-License-Identifier: MIT */
/* Which matrices dl-bench transposes. */
#include "transpose.h"

#include <stdlib.h>
#include <string.h>

uint64_t transpose_case_bytes(const struct transpose_case *item)
{
    return (item->batch ? item->batch : 1) * item->rows * item->cols *
           item->element_bytes;
}

/* The state of the random sizes: the same for the same seed, whatever else is asked for.
 */
uint64_t transpose_random_below(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

void transpose_list_add(struct transpose_list *list, struct transpose_case item)
{
    uint64_t bytes = transpose_case_bytes(&item);

    if (bytes > list->bytes_max) {
        if (list->too_large == 0 || bytes < list->too_large_bytes)
            list->too_large_bytes = bytes;
        list->too_large++;
        return;
    }
    if (list->count == list->capacity) {
        size_t capacity = list->capacity * 2 + 64;
        struct transpose_case *cases = realloc(list->cases, capacity * sizeof *cases);
        if (!cases) {
            list->failed = true;
            return;
        }
        list->cases = cases;
        list->capacity = capacity;
    }
    list->cases[list->count++] = item;
}

static void squares_add(struct transpose_list *list, struct transpose_case form)
{
    /* Rows a multiple of 256 bytes apart, of less, and odd ones. */
    static const uint32_t squares[] = {1024,  2048, 4096, 8192, 16384, 32768, 10000,
                                       20000, 9999, 4097, 7919, 10006, 16388, 19997};

    for (size_t s = 0; s < sizeof squares / sizeof *squares; s++) {
        form.rows = form.cols = squares[s];
        transpose_list_add(list, form);
    }
}

/* The sizes of one set; element_bytes only decides which fit. */
static void set_add(struct transpose_list *list, const char *set,
                    struct transpose_case form, int sizes, uint64_t seed)
{
    static const uint64_t table[][2] = {{7200, 1800}, {5100, 2500}, {4000, 3200},
                                        {3300, 3900}, {2500, 5100}, {1800, 7200}};
    /* Divisors of both 7200 and 1800. */
    static const uint32_t sides[] = {4, 8, 12, 20, 24, 36, 45, 60, 72, 90, 120, 150, 200};
    uint64_t state = seed;

    snprintf(form.set, sizeof form.set, "%.15s", set);
    if (transpose_set_add(list, set, form, sizes, seed))
        return;
    if (strcmp(set, "table") == 0) {
        for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
            form.rows = table[t][0];
            form.cols = table[t][1];
            transpose_list_add(list, form);
        }
        return;
    }
    if (strcmp(set, "tiles") == 0) {
        form.rows = 7200;
        form.cols = 1800;
        for (size_t m = 0; m < sizeof sides / sizeof *sides; m++)
            for (size_t n = 0; n < sizeof sides / sizeof *sides; n++) {
                form.tile_rows = sides[m];
                form.tile_cols = sides[n];
                if (form.tile_rows * form.tile_cols * form.element_bytes <= 44 << 10)
                    transpose_list_add(list, form);
            }
        return;
    }
    if (strcmp(set, "square") == 0) {
        squares_add(list, form);
        return;
    }
    form.is_out = form.is_out || strcmp(set, "outofplace") == 0;
    for (int s = 0; s < sizes; s++) {
        if (strcmp(set, "random") == 0 || strcmp(set, "outofplace") == 0) {
            form.rows = 1000 + transpose_random_below(&state, 19001);
            form.cols = 1000 + transpose_random_below(&state, 19001);
        } else if (strcmp(set, "primes") == 0) {
            form.rows = prime_from(1000 + transpose_random_below(&state, 18900));
            form.cols = prime_from(1000 + transpose_random_below(&state, 18900));
        } else if (strcmp(set, "small") == 0) {
            form.rows = 1 + transpose_random_below(&state, 200);
            form.cols = 1 + transpose_random_below(&state, 200);
        } else { /* skinny: AoS -> SoA and back, in turns; `whole` counts are tiles of 256
                  */
            uint64_t fields = 2 + transpose_random_below(&state, 30),
                     count = 10000 + transpose_random_below(&state, 9990001);
            if (strcmp(set, "whole") == 0)
                count = dl__round_up(count, 256);
            form.rows = s % 2 ? fields : count;
            form.cols = s % 2 ? count : fields;
        }
        transpose_list_add(list, form);
    }
}

/* The next word of a list by commas; false: the list has ended. */
static bool word_next(const char **at, char *word, size_t bytes)
{
    size_t length = strcspn(*at, ",");

    if (length == 0)
        return false;
    snprintf(word, bytes, "%.*s", (int)length, *at);
    *at += length + ((*at)[length] == ',');
    return true;
}

static bool set_is_known(const char *set)
{
    static const char *const known[] = {
        "random", "table", "skinny",    "whole",      "primes",
        "small",  "tiles", "square",    "outofplace", "nearsquare",
        "axes",   "batch", "landscape", "kilos",      "involutions"};

    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k], set) == 0)
            return true;
    return false;
}

static bool sides_parse(const char *option, const char *word, uint64_t *rows,
                        uint64_t *cols)
{
    char *end;

    *rows = strtoull(word, &end, 10);
    *cols = *end == 'x' ? strtoull(end + 1, &end, 10) : 0;
    if (*rows > 0 && *cols > 0 && !*end)
        return true;
    fprintf(stderr, "dl-bench: %s: %s is no ROWSxCOLS\n", option, word);
    return false;
}

static void too_large_say(const struct transpose_list *list, const char *set, size_t kept)
{
    if (list->too_large > 0 && !list->too_large_said)
        fprintf(stderr,
                "dl-bench: %s: %zu of %zu matrices are larger than --bytes; the smallest "
                "of them takes --bytes %lluM\n",
                set, list->too_large, list->too_large + kept,
                (unsigned long long)((list->too_large_bytes + (1 << 20) - 1) >> 20));
}

static bool sets_add(struct transpose_list *list, const struct transpose_options *options,
                     struct transpose_case form)
{
    const char *at = *options->shapes ? "" : options->sets;
    char word[64];

    form.is_out = strcmp(options->place, "out") == 0;
    while (word_next(&at, word, sizeof word)) {
        if (!set_is_known(word)) {
            fprintf(stderr, "dl-bench: no set of sizes is called %s\n", word);
            return false;
        }
        size_t before = list->count;
        list->too_large = 0;
        set_add(list, word, form, atoi(options->sizes),
                strtoull(options->seed, NULL, 10));
        too_large_say(list, word, list->count - before);
    }
    at = options->shapes;
    while (word_next(&at, word, sizeof word)) {
        snprintf(form.set, sizeof form.set, "own");
        if (!sides_parse("--shapes", word, &form.rows, &form.cols))
            return false;
        list->too_large = 0;
        transpose_list_add(list, form);
        too_large_say(list, word, 0);
    }
    return true;
}

/* The sets and shapes with each tile that the options name. */
static bool tiles_add(struct transpose_list *list,
                      const struct transpose_options *options, struct transpose_case form)
{
    const char *at = options->tiles;
    char word[64];
    uint64_t rows, cols;

    if (!*at)
        return sets_add(list, options, form);
    while (word_next(&at, word, sizeof word)) {
        if (!sides_parse("--tiles", word, &rows, &cols))
            return false;
        form.tile_rows = (uint32_t)rows;
        form.tile_cols = (uint32_t)cols;
        if (!sets_add(list, options, form))
            return false;
    }
    return true;
}

/* Every algorithm that the list names. */
static bool algorithms_add(struct transpose_list *list,
                           const struct transpose_options *options,
                           struct transpose_case form)
{
    const char *at = options->algorithms;
    char word[32];

    if (strcmp(at, "all") == 0) {
        for (unsigned a = 0; a < DL_TRANSPOSE_ALGORITHM_COUNT; a++) {
            form.algorithm = (enum dl_transpose_algorithm)a;
            if (a != DL_TRANSPOSE_NONE && !tiles_add(list, options, form))
                return false;
            list->too_large_said = true;
        }
        return true;
    }
    while (word_next(&at, word, sizeof word)) {
        if (dl_transpose_algorithm_find(word, &form.algorithm) != DL_OK) {
            fprintf(stderr, "dl-bench: no algorithm is called %s; known:", word);
#define X(name, text, help) fprintf(stderr, " %s", text);
            DL_TRANSPOSE_ALGORITHM_MAP(X)
#undef X
            fprintf(stderr, "\n");
            return false;
        }
        if (!tiles_add(list, options, form))
            return false;
        list->too_large_said = true;
    }
    return true;
}

bool transpose_cases_make(const struct transpose_options *options, uint64_t bytes_max,
                          struct transpose_case **out, size_t *count)
{
    static const char *const caps[] = {"default", "0",    "1",      "6",
                                       "12",      "line", "linear", "any"};
    struct transpose_list list = {.bytes_max = bytes_max};
    unsigned elements[16];
    size_t element_count = numbers_parse(options->elements, elements, 16);
    const char *at = options->caps, *first_cap = NULL;
    char word[16];
    unsigned part = 0, parts = 1;
    size_t kept = 0;
    bool good = element_count > 0;

    if (!good)
        fprintf(stderr, "dl-bench: --elements %s\n", options->elements);
    while (good && word_next(&at, word, sizeof word)) {
        struct transpose_case form = {.cap = NULL};
        for (size_t c = 0; c < sizeof caps / sizeof *caps; c++)
            if (strcmp(caps[c], word) == 0)
                form.cap = caps[c];
        first_cap = first_cap ? first_cap : form.cap;
        if (!form.cap) {
            fprintf(stderr,
                    "dl-bench: --caps %s: default, 0, 1, 6, 12, line, linear or any\n",
                    word);
            good = false;
        }
        for (size_t e = 0; e < element_count && good; e++) {
            form.element_bytes = elements[e];
            list.too_large_said = form.cap != first_cap;
            good = algorithms_add(&list, options, form);
        }
    }
    if (!part_find(options->part, &part, &parts)) {
        fprintf(stderr, "dl-bench: --part %s: I/N expected\n", options->part);
        good = false;
    }
    for (size_t c = part; c < list.count; c += parts)
        list.cases[kept++] = list.cases[c];
    list.count = kept;
    if (!good || list.failed || list.count == 0) {
        if (good)
            fprintf(stderr, "dl-bench: nothing is left to be transposed\n");
        free(list.cases);
        return false;
    }
    *out = list.cases;
    *count = list.count;
    return true;
}
