/* SPDX-License-Identifier: MIT */
/* dl-bench transpose: measures and checks transposition on a device, in place and out of
 * place. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "transpose/algorithms/algorithm.h" /* tuning and single launches */

#define TRANSPOSE_OPTION_MAP(X)                                                          \
    BENCH_DEVICE(X)                                                                      \
    X(sets, "LIST", "random,table,skinny",                                               \
      "which sizes: random in [1000, 20000], table (4.2 of the thesis), skinny, "        \
      "primes, "                                                                         \
      "whole (skinny, counts of whole tiles), small (1..200), tiles (the stages on "     \
      "7200 x 1800 by many tiles), square (even, odd and large sides), nearsquare (1 "   \
      "to 10 percent longer), outofplace (random, out of place), axes (orders of "       \
      "three, "                                                                          \
      "and random ones of four to six), batch (small matrices, many of them), "          \
      "landscape "                                                                       \
      "(20 x 20 sizes), involutions (two of three axes swapped), kilos (squares of "     \
      "multiples of 1024)")                                                              \
    X(shapes, "LIST", "", "sizes of your own, as 7200x1800,5x1000000")                   \
    X(place, "in|out", "in", "where all but outofplace and square go")                   \
    X(buffers, "N", "1",                                                                 \
      "buffers that each case is run in; the median counts, since the memory that one "  \
      "gets decides some percent")                                                       \
    X(sizes, "N", "60", "how many random, skinny, prime and small ones")                 \
    X(seed, "N", "1", "of the random sizes")                                             \
    X(elements, "LIST", "4,8", "bytes of an element")                                    \
    X(algorithms, "LIST", "auto", "by name, or all")                                     \
    X(caps, "LIST", "6",                                                                 \
      "workspace: 0, 1, 6, 12 percent; line, max(rows, cols) elements; linear, 64 "      \
      "(rows + cols); or any")                                                           \
    X(bytes, "N", "", "the largest matrix, as 64M; default 4G, 256M on a CPU")           \
    BENCH_REPS(X, "5")                                                                   \
    BENCH_PART(X)                                                                        \
    BENCH_CHECK(X)                                                                       \
    X(explain, "", "", "print what was chosen and why")                                  \
    X(knobs, "LIST", "", "as panel_group=128/256: every combination is run")             \
    BENCH_CSV(X)

struct transpose_options {
    TRANSPOSE_OPTION_MAP(BENCH_FIELD)
};

enum {
    LINEAR_CAP = 64, /* elements of workspace for each row and column */
    BUFFERS_MAX = 16,
    CACHE_BYTES = 64 << 20 /* matrices up to this size are reported apart */
};

/* One matrix to be transposed. */
struct transpose_case {
    char set[16];
    uint64_t rows, cols;
    uint32_t element_bytes, tile_rows, tile_cols;
    enum dl_transpose_algorithm algorithm;
    const char *cap; /* one of the list's words */
    bool is_out;
    uint64_t batch; /* matrices, one after the other; 0: one */
    /* 0: a matrix; else rows x cols are the elements of all axes. */
    uint32_t axis_count, permutation[DL_TRANSPOSE_AXES_MAX];
    uint64_t extents[DL_TRANSPOSE_AXES_MAX];
};

/* A growing list of cases, none of which is beyond bytes_max. */
struct transpose_list {
    struct transpose_case *cases;
    size_t count, capacity;
    uint64_t bytes_max;
    /* Of the set that is being added: how many were larger than bytes_max, and what the
     * smallest takes. */
    size_t too_large;
    uint64_t too_large_bytes;
    bool too_large_said; /* for this size of an element */
    bool failed;
};

struct transpose_result {
    enum dl_status status;
    struct dl_transpose_info info;
    cl_uint errors;
    double bytes_per_s, plan_s;
    double touch_bytes_per_s; /* of a kernel that reads and writes the matrix in place; 0:
                                 not asked */
};

/* Of all its matrices. */
static uint64_t transpose_case_bytes(const struct transpose_case *item)
{
    return (item->batch ? item->batch : 1) * item->rows * item->cols *
           item->element_bytes;
}

static void list_add(struct transpose_list *list, struct transpose_case item)
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

/* ---- sets of sizes ---- */

/* The sizes of one set, as they are added to the list. */
struct adding {
    struct transpose_list *list;
    struct transpose_case form; /* how each of them is run */
    int sizes;                  /* how many random ones */
    uint64_t state; /* of the random sizes: the same for the same seed, whatever else is
                       asked for */
};

static uint64_t random_below(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

static void case_add(struct adding *to)
{
    list_add(to->list, to->form);
}

static void random_add(struct adding *to, uint64_t least, uint64_t count)
{
    to->form.rows = least + random_below(&to->state, count);
    to->form.cols = least + random_below(&to->state, count);
    case_add(to);
}

static void randoms_add(struct adding *to)
{
    for (int s = 0; s < to->sizes; s++)
        random_add(to, 1000, 19001);
}

static void outofplace_add(struct adding *to)
{
    to->form.is_out = true;
    randoms_add(to);
}

static void primes_add(struct adding *to)
{
    for (int s = 0; s < to->sizes; s++) {
        to->form.rows = prime_from(1000 + random_below(&to->state, 18900));
        to->form.cols = prime_from(1000 + random_below(&to->state, 18900));
        case_add(to);
    }
}

/* AoS to SoA and back, in turns; `whole` counts are tiles of 256. */
static void skinny_add(struct adding *to)
{
    for (int s = 0; s < to->sizes; s++) {
        uint64_t fields = 2 + random_below(&to->state, 30),
                 count = 10000 + random_below(&to->state, 9990001);

        if (strcmp(to->form.set, "whole") == 0)
            count = dl__round_up(count, 256);
        to->form.rows = s % 2 ? fields : count;
        to->form.cols = s % 2 ? count : fields;
        case_add(to);
    }
}

static void table_add(struct adding *to)
{
    static const uint64_t table[][2] = {{7200, 1800}, {5100, 2500}, {4000, 3200},
                                        {3300, 3900}, {2500, 5100}, {1800, 7200}};

    for (size_t t = 0; t < COUNT(table); t++) {
        to->form.rows = table[t][0];
        to->form.cols = table[t][1];
        case_add(to);
    }
}

static void tiles_add(struct adding *to)
{
    /* Divisors of both 7200 and 1800. */
    static const uint32_t sides[] = {4, 8, 12, 20, 24, 36, 45, 60, 72, 90, 120, 150, 200};

    to->form.rows = 7200;
    to->form.cols = 1800;
    for (size_t m = 0; m < COUNT(sides); m++)
        for (size_t n = 0; n < COUNT(sides); n++) {
            to->form.tile_rows = sides[m];
            to->form.tile_cols = sides[n];
            if (sides[m] * sides[n] * to->form.element_bytes <= 44 << 10)
                case_add(to);
        }
}

static void squares_add(struct adding *to)
{
    /* Rows a multiple of 256 bytes apart, of less, and odd ones. */
    static const uint32_t squares[] = {1024,  2048, 4096, 8192, 16384, 32768, 10000,
                                       20000, 9999, 4097, 7919, 10006, 16388, 19997};

    for (size_t s = 0; s < sizeof squares / sizeof *squares; s++) {
        to->form.rows = to->form.cols = squares[s];
        case_add(to);
    }
}

/* The most that a case of these sets has, where the device could take more. */
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

/* n x (n + 1, 2, 5 and 10 %), and the other way round (figure 4.4 of Sung 2013). */
static void nearsquare_add(struct adding *to)
{
    static const uint32_t sides[] = {128, 1000, 4000, 8192, 10000, 16000};
    static const uint32_t percents[] = {1, 2, 5, 10};

    for (size_t s = 0; s < sizeof sides / sizeof *sides; s++)
        for (size_t p = 0; p < sizeof percents / sizeof *percents; p++) {
            uint64_t longer = sides[s] + (sides[s] * percents[p] + 99) / 100;
            to->form.rows = p % 2 ? longer : sides[s];
            to->form.cols = p % 2 ? sides[s] : longer;
            case_add(to);
        }
}

static void axes_add(struct adding *to)
{
    to->form.rows = to->form.extents[0];
    to->form.cols = 1;
    for (uint32_t a = 1; a < to->form.axis_count; a++)
        to->form.cols *= to->form.extents[a];
    case_add(to);
}

/* All orders of a cube and of three unlike sides, swaps with 2 and 3 elements between,
 * about and inside (figures 14 and 15 of Gorawski and Lorek 2017), and random ones of
 * four to six axes. */
static void axes_set_add(struct adding *to)
{
    static const uint32_t orders[][3] = {
        {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    uint64_t elements = room_of(to->list) / to->form.element_bytes,
             side = root_of(elements, 3);
    uint64_t few = root_of(elements / 3, 2);

    to->form.axis_count = 3;
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
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
 * 1024 up to what there is room for (figures 14 and 15 of Gorawski and Lorek 2017). */
static void involutions_add(struct adding *to)
{
    static const uint32_t orders[][3] = {{0, 2, 1}, {2, 1, 0}};
    enum { STEPS = 16 };

    to->form.axis_count = 3;
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
        for (uint64_t other = 2; other <= 3; other++) {
            uint64_t most =
                root_of(to->list->bytes_max / to->form.element_bytes / other, 2);
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
static void batch_add(struct adding *to)
{
    static const uint32_t shapes[][2] = {{8, 8},   {5, 3},    {17, 40},   {32, 32},
                                         {64, 48}, {100, 60}, {200, 200}, {300, 200}};
    uint64_t room = room_of(to->list) / 4;

    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        to->form.rows = shapes[s][0];
        to->form.cols = shapes[s][1];
        to->form.batch = room / (to->form.rows * to->form.cols * to->form.element_bytes);
        if (to->form.batch > 0)
            case_add(to);
    }
}

/* 400 sizes, rows and columns to 20000 or what there is room for (figures 4 and 5 of
 * Catanzaro et al. 2014). */
static void landscape_add(struct adding *to)
{
    enum { STEPS = 20 };
    uint64_t most = root_of(to->list->bytes_max / to->form.element_bytes, 2);
    uint64_t step = (most < 20000 ? most : 20000) / STEPS;

    for (uint64_t i = 1; i <= STEPS; i++)
        for (uint64_t j = 1; j <= STEPS; j++) {
            to->form.rows = i * step;
            to->form.cols = j * step;
            case_add(to);
        }
}

/* Squares whose side is a multiple of 1024, as many as there is room for (figures 9 to 11
 * of Gorawski and Lorek 2017). */
static void kilos_add(struct adding *to)
{
    const uint64_t most = root_of(to->list->bytes_max / to->form.element_bytes, 2);
    const uint64_t unit =
        most < 8192 ? most / 8 : 1024; /* of a small device, other multiples */

    for (uint64_t side = 1; side <= most / unit; side += side < 2 ? 1 : 2) {
        to->form.rows = to->form.cols = unit * side;
        case_add(to);
    }
}

/* From 4 KB to 64 MB, two to three, and random ones up to 200. */
static void small_add(struct adding *to)
{
    for (uint64_t bytes = 4096; bytes <= UINT64_C(64) << 20; bytes *= 4) {
        to->form.rows = root_of(bytes / to->form.element_bytes * 2 / 3, 2);
        to->form.cols = bytes / to->form.element_bytes / to->form.rows;
        case_add(to);
    }
    for (int s = 0; s < to->sizes; s++)
        random_add(to, 1, 200);
}

/* The sizes of a set; element_bytes only decides which fit. False after a line: there is
 * no such set. */
static bool set_add(struct transpose_list *list, const char *set,
                    struct transpose_case form, const struct transpose_options *options)
{
    static const struct {
        const char *name;
        void (*add)(struct adding *to);
    } sets[] = {{"random", randoms_add},
                {"table", table_add},
                {"skinny", skinny_add},
                {"whole", skinny_add},
                {"primes", primes_add},
                {"small", small_add},
                {"tiles", tiles_add},
                {"square", squares_add},
                {"outofplace", outofplace_add},
                {"nearsquare", nearsquare_add},
                {"axes", axes_set_add},
                {"batch", batch_add},
                {"landscape", landscape_add},
                {"kilos", kilos_add},
                {"involutions", involutions_add}};
    struct adding to = {list, form, atoi(options->sizes),
                        strtoull(options->seed, NULL, 10)};

    for (size_t s = 0; s < COUNT(sets); s++)
        if (strcmp(sets[s].name, set) == 0) {
            snprintf(to.form.set, sizeof to.form.set, "%s", sets[s].name);
            sets[s].add(&to);
            return true;
        }
    fprintf(stderr, "dl-bench: no set of sizes is called %s\n", set);
    return false;
}

/* ---- cases ---- */

static bool sides_parse(const char *word, uint64_t *rows, uint64_t *cols)
{
    char *end;

    *rows = strtoull(word, &end, 10);
    *cols = *end == 'x' ? strtoull(end + 1, &end, 10) : 0;
    if (*rows > 0 && *cols > 0 && !*end)
        return true;
    fprintf(stderr, "dl-bench: --shapes: %s is not ROWSxCOLS\n", word);
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
    while (list_next(&at, word, sizeof word)) {
        size_t before = list->count;
        list->too_large = 0;
        if (!set_add(list, word, form, options))
            return false;
        too_large_say(list, word, list->count - before);
    }
    at = options->shapes;
    while (list_next(&at, word, sizeof word)) {
        snprintf(form.set, sizeof form.set, "own");
        if (!sides_parse(word, &form.rows, &form.cols))
            return false;
        list->too_large = 0;
        list_add(list, form);
        too_large_say(list, word, 0);
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
        for (unsigned a = 0; a < DL__ALGORITHMS; a++) {
            form.algorithm = (enum dl_transpose_algorithm)a;
            if (a != DL_TRANSPOSE_NONE && !sets_add(list, options, form))
                return false;
            list->too_large_said = true;
        }
        return true;
    }
    while (list_next(&at, word, sizeof word)) {
        if (dl_transpose_algorithm_find(word, &form.algorithm) != DL_OK) {
            fprintf(stderr, "dl-bench: no algorithm is called %s; known:", word);
#define X(name, text, help) fprintf(stderr, " %s", text);
            DL__ALGORITHM_MAP(X)
#undef X
            fprintf(stderr, "\n");
            return false;
        }
        if (!sets_add(list, options, form))
            return false;
        list->too_large_said = true;
    }
    return true;
}

/* The cases of all sets, each with every element size, algorithm and cap. False: bad text
 * or no memory, said on stderr. `out` is freed by the caller. */
static bool transpose_cases_make(const struct transpose_options *options,
                                 uint64_t bytes_max, struct transpose_case **out,
                                 size_t *count)
{
    static const char *const caps[] = {"default", "0",    "1",      "6",
                                       "12",      "line", "linear", "any"};
    struct transpose_list list = {.bytes_max = bytes_max};
    unsigned elements[16];
    size_t element_count = numbers_parse(options->elements, elements, 16);
    const char *at = options->caps, *first_cap = NULL;
    char word[16];
    size_t kept = 0, part = 0, parts = 1;
    bool good = element_count > 0;

    if (!good)
        fprintf(stderr, "dl-bench: --elements %s\n", options->elements);
    while (good && list_next(&at, word, sizeof word)) {
        struct transpose_case form = {.cap = NULL};
        for (size_t c = 0; c < COUNT(caps); c++)
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
    good = part_parse(options->part, &part, &parts) && good;
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

/* One line, and one of the CSV unless that is NULL. */
static void transpose_result_print(FILE *csv, const struct transpose_case *item,
                                   const char *knobs,
                                   const struct transpose_result *result, double copy,
                                   const struct dl_transpose_error *error)
{
    double share = 100 * result->bytes_per_s / copy;
    bool refused = result->status == DL_EREFUSED || result->status == DL_ENOTSUP;
    const char *status = result->status != DL_OK ? dl_status_name(result->status)
                         : result->errors > 0    ? "WRONG"
                                                 : "ok";
    char touch[32] = "", axes[120];
    const char *asked = dl_transpose_algorithm_name(item->algorithm);
    const char *taken = dl_transpose_algorithm_name(result->info.algorithm);

    transpose_case_text(item, axes, sizeof axes);
    if (result->touch_bytes_per_s > 0)
        snprintf(touch, sizeof touch, " touch %5.1f %%",
                 100 * result->touch_bytes_per_s / copy);
    printf("%-7s %9llu x %-9llu %2u B cap %-3s %-13s %-13s %-5s %8.1f GB/s %5.1f %% work "
           "%5.2f %%%s %s%s%s%s%s\n",
           item->set, (unsigned long long)item->rows, (unsigned long long)item->cols,
           item->element_bytes, item->cap, asked, result->status == DL_OK ? taken : "",
           status, result->bytes_per_s * 1e-9, share,
           100.0 * (double)result->info.workspace_bytes /
               (double)transpose_case_bytes(item),
           touch, knobs, *axes ? " " : "", axes, item->batch > 1 ? " batch" : "",
           result->status != DL_OK && !refused ? error->text : "");
    if (csv)
        fprintf(csv,
                "%s,%llu,%llu,%u,%s,%s,%s,%s,%u,%.2f,%.2f,%llu,%u,%u,%u,%u,%.3f,%.2f,%s,%"
                "llu,%s\n",
                item->set, (unsigned long long)item->rows, (unsigned long long)item->cols,
                item->element_bytes, item->cap, asked,
                result->status == DL_OK ? taken : "", status, result->errors,
                result->bytes_per_s * 1e-9, share,
                (unsigned long long)result->info.workspace_bytes, result->info.passes,
                result->info.launches, item->tile_rows, item->tile_cols, result->plan_s,
                100 * result->touch_bytes_per_s / copy, knobs,
                (unsigned long long)(item->batch ? item->batch : 1), axes);
    fflush(stdout);
}

static bool same_group(const struct transpose_case *a, const struct transpose_case *b)
{
    return strcmp(a->set, b->set) == 0 && a->element_bytes == b->element_bytes &&
           a->algorithm == b->algorithm && a->cap == b->cap;
}

/* Least, middle and most of each group, those in the cache apart. */
static void transpose_summary_print(const struct transpose_case *cases, size_t count,
                                    const double *shares, double copy, const char *knobs)
{
    double *sorted = calloc(count, sizeof *sorted);

    for (size_t c = 0, past; c < count && sorted; c = past) {
        for (past = c; past < count && same_group(&cases[c], &cases[past]); past++)
            ;
        for (int cached = 0; cached < 2; cached++) {
            size_t some = 0, refused = 0;
            for (size_t i = c; i < past; i++) {
                uint64_t bytes = transpose_case_bytes(&cases[i]);
                if ((bytes <= CACHE_BYTES) != cached)
                    continue;
                if (shares[i] > 0)
                    sorted[some++] = shares[i];
                else
                    refused++;
            }
            if (some == 0)
                continue;
            numbers_sort(sorted, some);
            printf(
                "== %-7s %2u B cap %-3s %-13s %s least %5.1f %%  median %5.1f %% (%.0f "
                "GB/s)  most %5.1f %%  of %zu, %zu refused %s\n",
                cases[c].set, cases[c].element_bytes, cases[c].cap,
                dl_transpose_algorithm_name(cases[c].algorithm),
                cached ? "in cache" : "        ", sorted[0], sorted[some / 2],
                sorted[some / 2] * copy * 1e-11, sorted[some - 1], some, refused, knobs);
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
static void transpose_choice_print(const struct transpose_case *cases, size_t count,
                                   const double *shares)
{
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

/* The library's own knobs, and those of the elementary transpositions; NULL: only to see
 * that there is such a knob. */
static bool knob_set_transpose(void *target, const char *name, size_t name_bytes,
                               unsigned value)
{
    struct dl_transpose *transpose = target;
    const struct dl__number *number =
        dl__number_find(&dl__tuning_table, name, name_bytes);

    if (!number || number->is_real)
        return transpose ? dl__steps_set(&transpose->steps, name, name_bytes, value)
                         : knob_set_nowhere(NULL, name, name_bytes, value);
    if (transpose)
        dl__number_set(number, &transpose->tuning, value);
    return true;
}

static double event_ns(cl_event event, cl_profiling_info what)
{
    cl_ulong ns = 0;

    clGetEventProfilingInfo(event, what, sizeof ns, &ns, NULL);
    return (double)ns;
}

/* ---- one case ---- */

static struct dl_transpose_problem problem_of(const struct transpose_case *item)
{
    struct dl_transpose_problem problem = {
        .struct_bytes = sizeof problem,
        .rows = item->rows,
        .cols = item->cols,
        .element_bytes = item->element_bytes,
        .algorithm = item->algorithm,
        .tile_rows = item->tile_rows,
        .tile_cols = item->tile_cols,
        .batch = item->batch,
        .axis_count = item->axis_count,
        .place = item->is_out ? DL_TRANSPOSE_OUT_OF_PLACE : DL_TRANSPOSE_IN_PLACE};

    if (item->axis_count) {
        problem.rows = problem.cols = 0;
        memcpy(problem.permutation, item->permutation, sizeof problem.permutation);
        memcpy(problem.extents, item->extents, sizeof problem.extents);
    }

    if (strcmp(item->cap, "linear") == 0)
        problem.cap_bytes = LINEAR_CAP * (item->rows + item->cols) * item->element_bytes;
    if (strcmp(item->cap, "line") == 0)
        problem.cap_bytes =
            (item->rows > item->cols ? item->rows : item->cols) * item->element_bytes;
    problem.cap = strcmp(item->cap, "0") == 0     ? DL_TRANSPOSE_CAP_0
                  : strcmp(item->cap, "1") == 0   ? DL_TRANSPOSE_CAP_1
                  : strcmp(item->cap, "12") == 0  ? DL_TRANSPOSE_CAP_12
                  : strcmp(item->cap, "any") == 0 ? DL_TRANSPOSE_CAP_ANY
                  : strcmp(item->cap, "6") == 0   ? DL_TRANSPOSE_CAP_6
                                                  : DL_TRANSPOSE_CAP_DEFAULT;
    return problem;
}

/* Where cases run: `to` is for those out of place, else NULL. */
struct buffers {
    cl_mem mem, to;
};

/* The time from the end of a fill that keeps the device busy until all is enqueued, so
 * that the gaps between launches count and the host's time does not. */
static cl_int transpose_time(struct device *device, const struct dl_transpose_plan *plan,
                             struct buffers buffers, uint64_t bytes, double *seconds,
                             enum dl_status *status, struct dl_transpose_error *error)
{
    cl_event filled = NULL, done = NULL;
    cl_int err = device_fill(device, buffers.mem, dl__round_up(bytes, 4), &filled);

    if (err != CL_SUCCESS)
        return err;
    *status = plan->task.is_out
                  ? dl_transpose_enqueue_out(plan, device->queue, buffers.mem, buffers.to,
                                             0, NULL, &done, error)
                  : dl_transpose_enqueue(plan, device->queue, buffers.mem, NULL, 0, NULL,
                                         &done, NULL, error);
    if (*status == DL_OK) {
        err = clWaitForEvents(1, &done);
        *seconds = 1e-9 * (event_ns(done, CL_PROFILING_COMMAND_END) -
                           event_ns(filled, CL_PROFILING_COMMAND_END));
        clReleaseEvent(done);
    }
    clReleaseEvent(filled);
    return err;
}

/* The same of a kernel that reads and writes the matrix where it lies. */
static double touch_speed(struct device *device, cl_mem mem, uint64_t bytes, int reps)
{
    double seconds[REPS_MAX];

    for (int r = -1; r < reps; r++) {
        cl_event filled = NULL, done = NULL;
        if (device_fill(device, mem, dl__round_up(bytes, 4), &filled) != CL_SUCCESS ||
            device_touch(device, mem, bytes, &done) != CL_SUCCESS ||
            clWaitForEvents(1, &done) != CL_SUCCESS)
            return 0;
        seconds[r < 0 ? 0 : r] = 1e-9 * (event_ns(done, CL_PROFILING_COMMAND_END) -
                                         event_ns(filled, CL_PROFILING_COMMAND_END));
        clReleaseEvent(filled);
        clReleaseEvent(done);
    }
    return 2.0 * (double)bytes / median_of(seconds, (size_t)reps);
}

static struct transpose_result
case_run_one(struct device *device, struct dl_transpose *transpose,
             const struct transpose_case *item, struct buffers buffers,
             const struct transpose_options *options, struct dl_transpose_error *error)
{
    struct transpose_result result = {.status = DL_OK};
    struct dl_transpose_problem problem = problem_of(item);
    struct dl_transpose_plan *plan = NULL;
    const struct bench_axes axes = transpose_case_axes(item);
    uint64_t bytes = transpose_case_bytes(item);
    int reps = reps_parse(options->reps);
    double start = now_s(), seconds[REPS_MAX];
    cl_int err = CL_SUCCESS;

    result.status = dl_transpose_plan_make(transpose, &problem, &plan, error);
    result.plan_s = now_s() - start;
    if (result.status == DL_OK)
        result.status = dl_transpose_plan_allocate(plan, error);
    if (is_yes(options->explain)) {
        char text[900];
        if (result.status == DL_OK)
            dl_transpose_plan_explain(plan, text, sizeof text);
        printf("  %llu x %llu of %u bytes: %s\n", (unsigned long long)item->rows,
               (unsigned long long)item->cols, item->element_bytes,
               result.status == DL_OK ? text : error->text);
    }
    if (result.status != DL_OK)
        goto out;
    dl_transpose_plan_info(plan, &result.info);
    for (int r = -1; r < reps && err == CL_SUCCESS && result.status == DL_OK; r++) {
        err = transpose_time(device, plan, buffers, bytes, &seconds[r < 0 ? 0 : r],
                             &result.status, error);
        if (r == -1 && is_yes(options->check) && err == CL_SUCCESS &&
            result.status == DL_OK)
            err = device_check_axes(device, item->is_out ? buffers.to : buffers.mem,
                                    &axes, &result.errors);
    }
    if (err != CL_SUCCESS) {
        result.status = DL_ECL;
        snprintf(error->text, sizeof error->text, "OpenCL error %d", err);
    }
    if (result.status != DL_OK)
        goto out;
    result.bytes_per_s = 2.0 * (double)bytes / median_of(seconds, (size_t)reps);
    if (strcmp(item->set, "square") == 0)
        result.touch_bytes_per_s = touch_speed(device, buffers.mem, bytes, reps);
out:
    dl_transpose_plan_free(plan);
    return result;
}

/* ---- all cases ---- */

/* In each of the buffers; the result whose speed is in the middle, with the errors of
 * all. */
static struct transpose_result case_run_all(struct device *device,
                                            struct dl_transpose *transpose,
                                            const struct transpose_case *item,
                                            const struct buffers *buffers, size_t count,
                                            const struct transpose_options *options,
                                            struct dl_transpose_error *error)
{
    struct transpose_result results[BUFFERS_MAX];
    cl_uint errors = 0;

    for (size_t b = 0; b < count; b++) {
        struct transpose_result result =
            case_run_one(device, transpose, item, buffers[b], options, error);
        size_t at = b;
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

static bool cases_run(struct device *device, const struct transpose_options *options,
                      const struct transpose_case *cases, size_t count,
                      const struct buffers *buffers, size_t buffer_count, double copy,
                      FILE *csv)
{
    char label[256];
    size_t variants = knobs_parse(options->knobs, 0, knob_set_transpose, NULL, ' ', label,
                                  sizeof label);
    double *shares = calloc(count, sizeof *shares);
    struct progress progress = progress_begin(variants * count);
    bool good = shares != NULL;

    for (size_t v = 0; v < variants && shares; v++) {
        struct dl_transpose *transpose;
        struct dl_transpose_error error = {""};
        if (dl_transpose_make(NULL, device->context, device->id, &transpose, &error) !=
            DL_OK) {
            fprintf(stderr, "dl-bench: %s\n", error.text);
            good = false;
            break;
        }
        knobs_parse(options->knobs, v, knob_set_transpose, transpose, ' ', label,
                    sizeof label);
        for (size_t c = 0; c < count; c++) {
            struct transpose_result result = case_run_all(
                device, transpose, &cases[c], buffers, buffer_count, options, &error);
            bool refused = cases[c].algorithm != DL_TRANSPOSE_AUTO &&
                           (result.status == DL_EREFUSED || result.status == DL_ENOTSUP);
            shares[c] = 100 * result.bytes_per_s / copy;
            good = good && (result.status == DL_OK || refused) && result.errors == 0;
            progress_clear();
            transpose_result_print(csv, &cases[c], label, &result, copy, &error);
            progress_step(&progress);
        }
        transpose_summary_print(cases, count, shares, copy, label);
        transpose_choice_print(cases, count, shares);
        dl_transpose_free(transpose);
    }
    free(shares);
    return good;
}

/* As many as are asked for, each with room for the largest case. False: some are there,
 * though. */
static bool buffers_make(const struct device *device, const struct transpose_case *cases,
                         size_t count, struct buffers *out, size_t buffer_count)
{
    uint64_t most = 4096, most_out = 0;
    cl_int err = CL_SUCCESS;

    for (size_t c = 0; c < count; c++) {
        uint64_t need = transpose_case_bytes(&cases[c]);
        most = need > most ? need : most;
        most_out = cases[c].is_out && need > most_out ? need : most_out;
    }
    for (size_t b = 0; b < buffer_count && err == CL_SUCCESS; b++) {
        out[b].mem =
            clCreateBuffer(device->context, CL_MEM_READ_WRITE, most + 4, NULL, &err);
        if (most_out > 0 && err == CL_SUCCESS)
            out[b].to = clCreateBuffer(device->context, CL_MEM_READ_WRITE, most_out + 4,
                                       NULL, &err);
    }
    if (err != CL_SUCCESS)
        fprintf(stderr, "dl-bench: no device memory for %zu times %llu bytes\n",
                buffer_count, (unsigned long long)(most + most_out));
    return err == CL_SUCCESS;
}

/* All cases on a device that is open. */
static bool device_measure(struct device *device, const struct transpose_options *options,
                           uint64_t bytes, const struct transpose_case *cases,
                           size_t count, int argc, char **argv)
{
    /* Far beyond any cache, unless told to stay small. */
    uint64_t copy_bytes =
        device->type == CL_DEVICE_TYPE_CPU ? UINT64_C(1) << 26 : UINT64_C(1) << 30;
    struct buffers buffers[BUFFERS_MAX] = {{NULL, NULL}};
    const int wanted = reps_parse(options->buffers);
    size_t buffer_count = (size_t)(wanted < BUFFERS_MAX ? wanted : BUFFERS_MAX);
    FILE *csv = NULL;
    bool good = false;
    double copy;

    printf("%s, driver %s\n", device->name, device->driver);
    if (*options->bytes && bytes < copy_bytes)
        copy_bytes = dl__round_up(bytes, 4096);
    copy = device_copy_speed(device, copy_bytes, reps_parse(options->reps));
    if (copy == 0)
        fprintf(stderr, "dl-bench: no device memory for a copy\n");
    else if (buffers_make(device, cases, count, buffers, buffer_count) &&
             csv_open(&csv, options->csv, argc, argv,
                      "set,rows,cols,element_bytes,cap,algorithm,taken,status,"
                      "errors,gb_per_s,share_percent,workspace_bytes,passes,"
                      "launches,tile_rows,tile_cols,plan_s,touch_percent,knobs,"
                      "batch,axes",
                      "%s, driver %s, copy %.1f GB/s", device->name, device->driver,
                      copy * 1e-9))
        good = cases_run(device, options, cases, count, buffers, buffer_count, copy, csv);
    if (csv)
        fclose(csv);
    for (size_t b = 0; b < buffer_count; b++)
        mems_free((const cl_mem[]){buffers[b].mem, buffers[b].to}, 2);
    return good;
}

static const struct bench_option options_known[] = {TRANSPOSE_OPTION_MAP(BENCH_ROW)};

static void more_print(void)
{
    puts("\nalgorithms:");
#define X(name, text, help) printf("  %-14s %s\n", text, help);
    DL__ALGORITHM_MAP(X)
#undef X
    puts("\nknobs:");
    knobs_print(&dl__tuning_table, sizeof(struct dl__tuning));
    puts("and those of dl-bench marshal, for the stages' elementary transpositions");
}

int transpose_main(int argc, char **argv)
{
    static const struct bench_command command = {"usage: dl-bench transpose [options]\n",
                                                 options_known, COUNT(options_known),
                                                 more_print};
    struct transpose_options options;
    struct device device;
    struct transpose_case *cases = NULL;
    uint64_t bytes;
    size_t count = 0;
    bool good = false;
    int code = bench_options_read(&command, argc, argv, &options);

    if (code != BENCH_GO_ON)
        return code;
    if (!knobs_check(options.knobs, &dl__tuning_table))
        return 2;
    if (!device_open(&device, options.device))
        return 1;
    bytes = *options.bytes                      ? bytes_parse(options.bytes)
            : device.type == CL_DEVICE_TYPE_CPU ? UINT64_C(256) << 20
                                                : UINT64_C(4) << 30;
    if (transpose_cases_make(&options, bytes, &cases, &count))
        good = device_measure(&device, &options, bytes, cases, count, argc, argv);
    free(cases);
    device_close(&device);
    return good ? 0 : 1;
}
