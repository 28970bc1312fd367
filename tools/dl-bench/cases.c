/* SPDX-License-Identifier: MIT */
/* What is measured: struct shapes, tiles and directions. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 4096 /* of a struct */ };

static bool group_wanted(const struct options *options, const char *group)
{
    const char *at = options->cases;
    size_t bytes = strlen(group);

    while (at) {
        if (strncmp(at, group, bytes) == 0 && (at[bytes] == ',' || !at[bytes]))
            return true;
        at = strchr(at, ',');
        if (at)
            at++;
    }
    return false;
}

/* A struct of leaves with these widths. */
static enum dl_status table_make(const unsigned *widths, size_t count,
                                 struct dl_leaf_table *out)
{
    struct dl_leaf fields[WORDS_MAX];
    uint32_t offset = 0;

    for (size_t l = 0; l < count; l++) {
        fields[l] = (struct dl_leaf){offset, widths[l]};
        offset += widths[l];
    }
    return dl_leaf_table_make(offset, fields, count, out);
}

static bool case_add(struct case_list *list, const char *group, const unsigned *widths,
                     size_t count, uint64_t structs, struct dl_layout from,
                     struct dl_layout to, const char *what)
{
    struct bench_case *cases = realloc(list->cases, (list->count + 1) * sizeof *cases),
                      *bench;

    if (!cases)
        return false;
    list->cases = cases;
    bench = &cases[list->count];
    memset(bench, 0, sizeof *bench);
    if (table_make(widths, count, &bench->table) != DL_OK)
        return false;
    snprintf(bench->group, sizeof bench->group, "%s", group);
    snprintf(bench->label, sizeof bench->label, "%s", what);
    bench->structs = structs ? structs : 1;
    bench->from = from;
    bench->to = to;
    list->count++;
    return true;
}

static bool case_add_both(struct case_list *list, const char *group,
                          const unsigned *widths, size_t count, uint64_t structs,
                          struct dl_layout a, struct dl_layout b, const char *what)
{
    return case_add(list, group, widths, count, structs, a, b, what) &&
           case_add(list, group, widths, count, structs, b, a, what);
}

static const struct dl_layout aos = {DL_LAYOUT_AOS, 0};

static bool add_asta(const struct options *options, uint64_t bytes,
                     struct case_list *list, const char *group, enum dl_layout_kind kind)
{
    unsigned words[256], tiles[16], widths[WORDS_MAX];
    size_t word_count = numbers_parse(options->words, words, 256);
    size_t tile_count = numbers_parse(options->tiles, tiles, 16), first = list->count;

    if (word_count == 0 && strcmp(group, "wide") == 0) {
        word_count = numbers_parse("100,128,160,200,256,300,384,385,512,640,777,900,1000",
                                   words, 256);
    } else if (word_count == 0) {
        /* PTTWAC is asked for at fewer sizes: it is the fallback. */
        const char *fallback =
            strcmp(group, "asta") != 0 ? "4,5,8,12,16,19,20,24,31,32" : "2-64";
        word_count = numbers_parse(fallback, words, 256);
    }
    for (size_t t = 0; t < tile_count; t++) {
        for (size_t w = 0; w < word_count; w++) {
            char what[96];
            uint64_t structs = bytes / (4 * words[w]);
            if (words[w] == 0 || words[w] > WORDS_MAX)
                return false;
            for (unsigned l = 0; l < words[w]; l++)
                widths[l] = 4;
            snprintf(what, sizeof what, "%u words", words[w]);
            if (!case_add_both(list, group, widths, words[w], structs, aos,
                               (struct dl_layout){kind, tiles[t]}, what))
                return false;
        }
    }
    for (; first < list->count; first++)
        list->cases[first].family = strcmp(group, "cycle") == 0 ? DL_FORCE_CYCLE : 0;
    return true;
}

/* The group `bytes` has those with leaves of one byte. */
static bool add_mixed(const struct options *options, uint64_t bytes,
                      struct case_list *list, const char *group)
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
    unsigned tiles[16], widths[WORDS_MAX];
    size_t tile_count = numbers_parse(options->tiles, tiles, 16);

    for (size_t m = 0; m < sizeof mixes / sizeof *mixes; m++) {
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
        for (size_t t = 0; t < tile_count && (has_bytes || *group == 'm'); t++)
            if (!case_add_both(list, group, widths, count, bytes / struct_bytes, aos,
                               (struct dl_layout){DL_LAYOUT_ASTA, tiles[t]},
                               mixes[m].what))
                return false;
    }
    return true;
}

/* 100! alone: whole super-elements move between ASTA and one tile. */
static bool add_super(const struct options *options, uint64_t bytes,
                      struct case_list *list)
{
    static const unsigned columns[] = {19, 8, 64};
    unsigned widths[64], lengths[64];
    bool all = *options->words == '\0';
    size_t length_count = numbers_parse(
        all ? "16,31-33,64,65,67,128,129,256,512" : options->words, lengths, 64);

    for (unsigned l = 0; l < 64; l++)
        widths[l] = 4;
    for (size_t c = 0; c < (all ? 3 : 1); c++) {
        for (size_t e = 0; e < length_count; e++) {
            char what[96];
            uint32_t tile = lengths[e];
            uint64_t structs = bytes / (4 * columns[c]);
            /* Powers of two all round make many short cycles; the other columns leave n
             * odd. */
            structs = columns[c] == 64 ? structs : structs - structs % (2 * tile) + tile;
            snprintf(what, sizeof what, "%u x %u words", columns[c], tile);
            if (!case_add_both(list, "super", widths, columns[c], structs,
                               (struct dl_layout){DL_LAYOUT_ASTA, tile},
                               (struct dl_layout){DL_LAYOUT_DA, tile}, what))
                return false;
        }
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
 * bytes. */
static bool add_random(const struct options *options, uint64_t bytes,
                       struct case_list *list, const char *group, struct dl_layout to)
{
    uint64_t state = strtoull(options->seed, NULL, 10) * 0x9E3779B97F4A7C15u + 1;
    unsigned long shapes = strtoul(options->shapes, NULL, 10);

    for (unsigned long s = 0; s < shapes; s++) {
        unsigned widths[32], count = 2 + (unsigned)(random_next(&state) % 30), size = 0;
        uint64_t quarter = bytes / 4,
                 buffer = quarter + random_next(&state) % (15 * quarter);
        uint64_t kind = random_next(&state) % 3; /* all 4, all 8, mixed */
        char what[96];
        for (unsigned l = 0; l < count; l++) {
            bool wide = kind == 1 || (kind == 2 && random_next(&state) % 2);
            widths[l] = wide ? 8 : 4;
            size += widths[l];
        }
        snprintf(what, sizeof what, "%u leaves, %s, %llu structs", count,
                 kind == 0   ? "4 bytes"
                 : kind == 1 ? "8 bytes"
                             : "mixed",
                 (unsigned long long)(buffer / size));
        if (!(s % 2 ? case_add(list, group, widths, count, buffer / size, to, aos, what)
                    : case_add(list, group, widths, count, buffer / size, aos, to, what)))
            return false;
    }
    return true;
}

/* Reading structs of 1 to 64 words in each layout; nothing is converted but to get there.
 */
static bool add_access(const struct options *options, uint64_t bytes,
                       struct case_list *list)
{
    static const struct dl_layout layouts[] = {
        {DL_LAYOUT_AOS, 0}, {DL_LAYOUT_ASTA, 32}, {DL_LAYOUT_SOA, 0}};
    unsigned words[256], widths[256];
    size_t word_count = numbers_parse(
        *options->words ? options->words : "2-6,8,10,12,16,19,20,24,32,40,48,64", words,
        256);

    for (unsigned l = 0; l < 256; l++)
        widths[l] = 4;
    for (size_t a = 0; a < 3; a++) {
        for (size_t w = 0; w < word_count; w++) {
            char what[96];
            uint64_t structs = bytes / (4 * words[w]) / 1024 * 1024;
            snprintf(what, sizeof what, "%u words", words[w]);
            if (!case_add(list, "access", widths, words[w], structs, layouts[a],
                          layouts[a], what))
                return false;
        }
    }
    return true;
}

/* SoA and ASTA by 100! on shapes of many and few cycles (Sung 2013, figure 5.7). */
static bool add_shapes(const struct options *options, uint64_t bytes,
                       struct case_list *list)
{
    unsigned columns[64], widths[WORDS_MAX], tiles[16];
    size_t tile_count = numbers_parse(options->tiles, tiles, 16);
    size_t column_count = numbers_parse(
        *options->words ? options->words : "5,7,8,12,16,19,20,25,31,32,48,64", columns,
        64);

    for (unsigned l = 0; l < WORDS_MAX; l++)
        widths[l] = 4;
    for (size_t t = 0; t < tile_count; t++) {
        for (size_t c = 0; c < column_count; c++) {
            if (columns[c] == 0 || columns[c] > WORDS_MAX)
                return false;
            char what[96];
            uint64_t structs = bytes / (4 * columns[c]);
            structs -= structs % tiles[t];
            snprintf(what, sizeof what, "%u words", columns[c]);
            if (!case_add(list, "shapes", widths, columns[c], structs,
                          (struct dl_layout){DL_LAYOUT_DA, tiles[t]},
                          (struct dl_layout){DL_LAYOUT_ASTA, tiles[t]}, what))
                return false;
        }
    }
    return true;
}

/* From SoA to ASTA, with the rows and the longest rows of the thesis's table 5.1, as its
 * figure 5.7: the matrices' entries in ELL form. */
static bool add_matrices(const struct options *options, struct case_list *list)
{
    static const struct {
        const char *name;
        unsigned rows, longest;
    } matrices[] = {{"bcsstk18", 11948, 40},  {"e40r000", 17281, 62},
                    {"bcsstk31", 35588, 197}, {"bcsstk32", 44609, 215},
                    {"s3dkq4m2", 90449, 59},  {"conf6.0", 49152, 39}};
    unsigned widths[256], tiles[16];
    size_t tile_count = numbers_parse(options->tiles, tiles, 16);

    for (unsigned l = 0; l < 256; l++)
        widths[l] = 4;
    for (size_t t = 0; t < tile_count; t++)
        for (size_t m = 0; m < sizeof matrices / sizeof *matrices; m++) {
            char what[96];
            snprintf(what, sizeof what, "%s, %u words", matrices[m].name,
                     matrices[m].longest);
            if (!case_add(list, "matrices", widths, matrices[m].longest,
                          matrices[m].rows - matrices[m].rows % tiles[t],
                          (struct dl_layout){DL_LAYOUT_DA, tiles[t]},
                          (struct dl_layout){DL_LAYOUT_ASTA, tiles[t]}, what))
                return false;
        }
    return true;
}

/* Exact SoA of a prime number of structs of wide leaves: a slide, also of few structs. */
static bool add_slide(uint64_t bytes, struct case_list *list)
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

    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        uint64_t struct_bytes = 0;
        for (size_t l = 0; l < shapes[s].count; l++)
            struct_bytes += shapes[s].widths[l];
        if (!case_add_both(list, "slide", shapes[s].widths, shapes[s].count,
                           prime_from(bytes / struct_bytes), aos,
                           (struct dl_layout){DL_LAYOUT_SOA, 0}, shapes[s].what))
            return false;
    }
    return true;
}

/* Keeps the cases of "I/N". */
static bool part_keep(const char *part, struct case_list *list)
{
    unsigned index, count;
    size_t kept = 0;

    if (!part_find(part, &index, &count))
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

bool cases_make(const struct options *options, uint64_t bytes, struct case_list *out)
{
    bool ok = true;

    *out = (struct case_list){0};
    if (group_wanted(options, "asta"))
        ok = ok && add_asta(options, bytes, out, "asta", DL_LAYOUT_ASTA);
    if (group_wanted(options, "dawords"))
        ok = ok && add_asta(options, bytes, out, "dawords", DL_LAYOUT_DA);
    if (group_wanted(options, "wide"))
        ok = ok && add_asta(options, bytes, out, "wide", DL_LAYOUT_ASTA);
    if (group_wanted(options, "mixed"))
        ok = ok && add_mixed(options, bytes, out, "mixed");
    if (group_wanted(options, "bytes"))
        ok = ok && add_mixed(options, bytes, out, "bytes");
    if (group_wanted(options, "cycle"))
        ok = ok && add_asta(options, bytes, out, "cycle", DL_LAYOUT_ASTA);
    if (group_wanted(options, "super"))
        ok = ok && add_super(options, bytes, out);
    if (group_wanted(options, "da"))
        ok = ok &&
             add_random(options, bytes, out, "da", (struct dl_layout){DL_LAYOUT_DA, 128});
    if (group_wanted(options, "da32"))
        ok = ok && add_random(options, bytes, out, "da32",
                              (struct dl_layout){DL_LAYOUT_DA, 32});
    if (group_wanted(options, "soa"))
        ok = ok &&
             add_random(options, bytes, out, "soa", (struct dl_layout){DL_LAYOUT_SOA, 0});
    if (group_wanted(options, "access"))
        ok = ok && add_access(options, bytes, out);
    if (group_wanted(options, "shapes"))
        ok = ok && add_shapes(options, bytes, out);
    if (group_wanted(options, "matrices"))
        ok = ok && add_matrices(options, out);
    if (group_wanted(options, "slide"))
        ok = ok && add_slide(bytes, out);
    return ok && part_keep(options->part, out) && out->count > 0;
}

void cases_free(struct case_list *list)
{
    for (size_t c = 0; c < list->count; c++)
        dl_leaf_table_free(&list->cases[c].table);
    free(list->cases);
}
