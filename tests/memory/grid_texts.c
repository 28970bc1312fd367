/* SPDX-License-Identifier: MIT */
/* Random grids, and texts of random kernels on them. */
#include "grid_texts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "random_programs.h"

/* ---- the grid ---- */

static const char *const axes[] = {"w", "z", "y",
                                   "x"}; /* the last `dims` of them, or k last */

struct random_grid grid;

char text[TEXT_BYTES];

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...)
{
    size_t used = strlen(text);
    va_list more;

    va_start(more, format);
    vsnprintf(text + used, sizeof text - used, format, more);
    va_end(more);
}

/* Its extent as it is, as a sum, or as a multiple. */
static void draw_base(uint32_t d, bool is_k)
{
    uint32_t extent = grid.extents[d], sort = is_k ? 2 : below(8);

    grid.bases[d] = extent;
    grid.more[d] = 0;
    if (sort == 0 && extent > 3) {
        grid.more[d] = 1 + below(3);
        grid.bases[d] = extent - grid.more[d];
    } else if (sort == 1 && extent % 2 == 0) {
        grid.bases[d] = extent / 2;
    }
}

void draw_grid(void)
{
    static const struct {
        const char *type, *member;
        size_t bytes;
    } types[] = {{"int", "", 4},         {"int", "", 4},         {"float", "", 4},
                 {"long", "", 8},        {"short", "", 2},       {"int2", ".x", 8},
                 {"cell", ".count", 12}, {"cell", ".narrow", 12}};
    static const uint32_t usual[] = {1,  2,  3,  5,  7,  8,  13, 16,
                                     17, 24, 31, 32, 33, 40, 64};
    uint32_t t = below(8), most = 30000;

    grid.dims = 2 + below(3);
    grid.has_k = below(2);
    grid.numbers = below(4) == 0;
    grid.elements = 1;
    for (uint32_t d = grid.dims; d-- > 0;) {
        bool is_k = grid.has_k && d + 1 == grid.dims;
        uint32_t extent = is_k ? 2 + below(4) : usual[below(15)];

        grid.extents[d] = extent <= most ? extent : most;
        most /= grid.extents[d];
        grid.elements *= grid.extents[d];
        grid.names[d] = is_k ? "k" : axes[4 - grid.dims + d + grid.has_k];
        draw_base(d, is_k);
    }
    grid.behind = below(3) ? 0 : below(20);
    grid.type = types[t].type;
    grid.member = types[t].member;
    grid.bytes = types[t].bytes;
}

/* What a layout calls it: an extent that is more than a name has none of its own. */
static const char *layout_name(uint32_t d)
{
    static const char *const numbered[] = {"i0", "i1", "i2"};

    if (grid.bases[d] == grid.extents[d] && !grid.numbers)
        return grid.names[d];
    return d + 1 == grid.dims ? "k" : numbered[d];
}

/* An order of so many strips of each dimension. True: it is not the program's own. */
static bool draw_order(const uint32_t *counts, uint32_t strips, uint32_t *order)
{
    uint32_t left[DIMS_MAX];
    bool is_other = false;

    memcpy(left, counts, sizeof left);
    for (uint32_t at = 0; at < strips;) {
        uint32_t d = below(grid.dims);

        if (left[d] == 0)
            continue;
        left[d]--;
        is_other = is_other || (at > 0 && d < order[at - 1]);
        order[at++] = d;
    }
    return is_other;
}

/* Strips of all dimensions, in any order that is right: seldom the program's own, in
 * which kernels run as written. */
static void add_layout(void)
{
    uint32_t lows[DIMS_MAX][3], left[DIMS_MAX], order[3 * DIMS_MAX], strips = 0;
    bool begun[DIMS_MAX] = {false};

    for (uint32_t d = 0; d < grid.dims; d++) {
        left[d] = 1 + below(3);
        lows[d][0] = 0;
        for (uint32_t s = 1; s < left[d]; s++)
            lows[d][s] = lows[d][s - 1] + 1 + below(3);
        strips += left[d];
    }
    while (!draw_order(left, strips, order) && below(64))
        ;
    for (uint32_t at = 0; at < strips; at++) {
        uint32_t d = order[at], s = --left[d];

        if (!begun[d])
            add(" %s%s", layout_name(d), s || below(2) ? "[*]" : "");
        else
            add(" %s[%u:%u]", layout_name(d), lows[d][s + 1] - 1, lows[d][s]);
        begun[d] = true;
    }
}

/* "nx", "(nx + 2)", "(2 * nx)", or the number of k. */
static const char *extent_of(uint32_t d)
{
    static char texts[DIMS_MAX][48];

    if (grid.numbers || (grid.has_k && d + 1 == grid.dims))
        snprintf(texts[d], sizeof texts[d], "%u", grid.extents[d]);
    else if (grid.more[d])
        snprintf(texts[d], sizeof texts[d], "(n%s + %u)", grid.names[d], grid.more[d]);
    else if (grid.bases[d] != grid.extents[d])
        snprintf(texts[d], sizeof texts[d], "(2 * n%s)", grid.names[d]);
    else
        snprintf(texts[d], sizeof texts[d], "n%s", grid.names[d]);
    return texts[d];
}

/* The flat index of the dimensions from 0 to d, by Horner's rule. */
static void horner(char *out, size_t room, uint32_t d, const char *const *at, bool behind)
{
    char inner[512];

    if (d == 0) {
        snprintf(out, room, "%s", at[0]);
        return;
    }
    horner(inner, sizeof inner, d - 1, at, behind);
    if (behind)
        snprintf(out, room, "%s + %s * (%s)", at[d], extent_of(d), inner);
    else
        snprintf(out, room, "(%s) * %s + %s", inner, extent_of(d), at[d]);
}

/* The flat index with the products written out. */
static void products(char *out, size_t room, const char *const *at)
{
    size_t used = 0;

    *out = '\0';
    for (uint32_t d = 0; d < grid.dims; d++) {
        used +=
            (size_t)snprintf(out + used, room - used, "%s(%s)", d ? " + " : "", at[d]);
        for (uint32_t e = d + 1; e < grid.dims; e++)
            used += (size_t)snprintf(out + used, room - used, " * %s", extent_of(e));
    }
}

/* The index of an element whose dimensions stand in `at`. */
static const char *index_of(const char *const *at)
{
    static char out[2048];
    char list[1024] = "";

    switch (below(5)) {
    case 0:
        horner(out, sizeof out, grid.dims - 1, at, false);
        break;
    case 1:
        horner(out, sizeof out, grid.dims - 1, at, true);
        break;
    case 2:
        products(out, sizeof out, at);
        break;
    default:
        for (uint32_t d = 0; d < grid.dims; d++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                     d ? ", " : "", at[d]);
        if (below(2)) {
            snprintf(out, sizeof out, "AT(%s)", list);
            break;
        }
        for (uint32_t d = 1; d < grid.dims; d++)
            snprintf(list + strlen(list), sizeof list - strlen(list), ", %s",
                     extent_of(d));
        snprintf(out, sizeof out, "at(%s)", list);
    }
    return out;
}

/* An index somewhere near or far, always one of the grid. */
static const char *read_index(void)
{
    static char out[2400];
    char spots[DIMS_MAX][96];
    const char *at[DIMS_MAX];

    if (below(4) == 0) {
        snprintf(out, sizeof out, "(i %s %u) %% count", below(2) ? "+" : "+ count -",
                 below(grid.elements));
        return out;
    }
    for (uint32_t d = 0; d < grid.dims; d++) {
        const char *name = grid.names[d], *extent = extent_of(d);
        uint32_t by = below(3);

        switch (below(5)) {
        case 0: /* may lie in the next row: i stays below count all the same */
            snprintf(spots[d], sizeof spots[d], "%s", name);
            break;
        case 1:
            snprintf(spots[d], sizeof spots[d], "(%s + %u) %% %s", name, by, extent);
            break;
        case 2:
            snprintf(spots[d], sizeof spots[d], "(%s > %u ? %s - %u : %s)", name, by,
                     name, by, name);
            break;
        case 3:
            snprintf(spots[d], sizeof spots[d], "%s - 1 - %s", extent, name);
            break;
        default:
            snprintf(spots[d], sizeof spots[d], "%s * 2 %% %s", name, extent);
        }
        at[d] = spots[d];
    }
    snprintf(out, sizeof out, "%s", index_of(at));
    return out;
}

static void add_ids(bool flat)
{
    if (flat) {
        add("    int cell_id = get_global_id(0), rest = cell_id;\n");
        for (uint32_t d = grid.dims - grid.has_k; d-- > 0;)
            add("    int %s = rest %% %s; rest /= %s;\n", grid.names[d], extent_of(d),
                extent_of(d));
        add("    if (rest > 0)\n        return;\n");
        return;
    }
    for (uint32_t d = 0, last = grid.dims - grid.has_k; d < last; d++) {
        uint32_t id = last - 1 - d;

        if (id < 3)
            add("    int %s = get_global_id(%u)%s%s;\n", grid.names[d], id,
                id == 2 && last == 4 ? " % " : "",
                id == 2 && last == 4 ? extent_of(1) : "");
        else
            add("    int %s = get_global_id(2) / %s;\n", grid.names[d], extent_of(1));
    }
    add("    if (");
    for (uint32_t d = 0, last = grid.dims - grid.has_k; d < last; d++)
        add("%s%s >= %s", d ? " || " : "", grid.names[d], extent_of(d));
    add(")\n        return;\n");
}

/* The helper with other extents than its parameters' names suggest: 1 in the last
 * dimension but one. */
static void add_misled_pick(void)
{
    uint32_t named = grid.dims - grid.has_k, at = 1;

    for (uint32_t d = named - 1; named > 1 && d < grid.dims; d++)
        at *= d >= named                         ? grid.extents[d]
              : grid.bases[d] == grid.extents[d] ? 1
              : grid.more[d]                     ? 1 + grid.more[d]
                                                 : 2;
    if (named < 2 || at >= grid.elements || grid.extents[named - 2] < 2)
        return;
    add("    value += pick(from");
    for (uint32_t d = 0; d < grid.dims; d++)
        add(", %u", d + 2 == named);
    for (uint32_t d = 0; d < named; d++)
        add(", 1");
    add(");\n");
}

/* Elements by way of variables, of a pointer that is set once, of a helper, and by wider
 * indices. */
static void add_detour(void)
{
    char row[512];

    switch (below(8)) {
    case 0:
        add("    const int begin = i - fast;\n    value += (int)from[begin + (fast > 0 ? "
            "fast - 1 : end - 1)]%s;\n",
            grid.member);
        break;
    case 1:
        add("    __global const %s *own = from + i;\n    value += (int)own[0]%s;\n    if "
            "(i "
            "> 0 && i + end < count)\n        value ^= (int)own[-1]%s + "
            "(int)own[end]%s;\n",
            grid.type, grid.member, grid.member, grid.member);
        break;
    case 2:
        add("    value += pick(from");
        for (uint32_t d = 0; d < grid.dims; d++)
            add(", %s", grid.names[d]);
        for (uint32_t d = 0; d < grid.dims - grid.has_k; d++)
            add(", n%s", grid.names[d]);
        add(");\n");
        break;
    case 3:
        add("    const %s wide = i;\n    value += (int)from[wide + %s < count ? wide + "
            "%s : "
            "0]%s;\n",
            below(2) ? "long" : "uint", extent_of(grid.dims - 1),
            extent_of(grid.dims - 1), grid.member);
        break;
    case 4:
        add_misled_pick();
        break;
    case 5:
    case 6:
        horner(row, sizeof row, grid.dims - 2, grid.names, below(2));
        add("    value -= (int)from[(%s + 1) * %s - 1]%s;\n", row,
            extent_of(grid.dims - 1), grid.member);
        break;
    default:
        add("    int late = fast, *reach = &late;\n    {\n        const int there = i - "
            "fast + "
            "late;\n        *reach = 0;\n        value += (int)from[there]%s;\n    }\n",
            grid.member);
    }
}

/* `[3][5]`, of all dimensions but the first, or the indices of all. */
static const char *brackets(const char *const *at)
{
    static char out[256];

    out[0] = '\0';
    for (uint32_t d = at == NULL; d < grid.dims; d++)
        snprintf(out + strlen(out), sizeof out - strlen(out), "[%s]",
                 at ? at[d] : extent_of(d));
    return out;
}

static void add_rows(void)
{
    const char *at[DIMS_MAX];

    for (uint32_t d = 0; d < grid.dims; d++)
        at[d] = grid.names[d];
    add("    __global const %s (*rows)%s = (__global const %s (*)%s)from;\n", grid.type,
        brackets(NULL), grid.type, brackets(NULL));
    add("    value = value * 5 + (int)rows%s%s;\n", brackets(at), grid.member);
    at[grid.dims - 1] = "(fast > 0 ? fast - 1 : end - 1)";
    add("    value -= (int)rows%s%s;\n", brackets(at), grid.member);
}

/* Pointers that change places, into either grid, as of sweeps to and fro. */
static void add_swap(void)
{
    add("    {\n        __global const %s *p = %s, *q = %s, *t;\n", grid.type,
        below(2) ? "from" : "i % 2 ? from : to", below(2) ? "to" : "to + 0");
    add("        for (int s = 0; s < 3; s++) {\n            value = value * 3 + "
        "(int)p[i]%s;\n            t = p;\n            p = q;\n            q = t;\n      "
        "  }\n        p += i;\n        value ^= (int)(*p)%s + (p == to + i);\n    }\n",
        grid.member, grid.member);
}

/* Pointers in a private array. */
static void add_pointer_array(void)
{
    add("    {\n        __global const %s *two[2];\n\n        two[i & 1] = from;\n       "
        " "
        "two[~i & 1] = from + i;\n        value += (int)two[i & 1][i]%s - "
        "(int)(*two[~i & 1])%s;\n    }\n",
        grid.type, grid.member, grid.member);
}

static void add_work(bool in_place, const char *to)
{
    static const char *const mays[] = {"", "if (i % 3) ",
                                       "if (fast > 0 && fast < end - 1) "};
    uint32_t reads = 1 + below(4);

    if (below(3) == 0 && !in_place) { /* neighbours in the flat order, over rows' ends */
        add("    if (i > 1 && i + 2 < count)\n        value += (int)from[i - 1]%s + "
            "(int)from[i + 2]%s;\n",
            grid.member, grid.member);
    }
    for (uint32_t r = 0; r < reads && !in_place; r++)
        add("    value = value * 3 + (int)from[%s]%s;\n", read_index(), grid.member);
    if (below(3) == 0 && !in_place) {
        add("    {\n        __global const %s *row = from + (i - fast);\n        value "
            "+= "
            "(int)row[fast]%s;\n        row += fast;\n        value ^= (int)row[0]%s;\n  "
            "  }\n",
            grid.type, grid.member, grid.member);
    }
    if (!in_place)
        add_detour();
    if (!in_place && !strcmp(to, "to[i]") && below(3) == 0)
        add_swap();
    if (!in_place && below(4) == 0)
        add_pointer_array();
    if (!in_place && grid.numbers)
        add_rows();
    if (in_place)
        add("    value += (int)%s%s;\n", to, grid.member);
    add("    %s%s%s = value %% 32749;\n", mays[below(3)], to, grid.member);
}

static void add_kernel(unsigned number, bool flat)
{
    bool in_place = below(4) == 0, arrays = grid.numbers && below(2);
    const char *names[DIMS_MAX];
    char to[256] = "to[i]";

    for (uint32_t d = 0; d < grid.dims; d++)
        names[d] = grid.names[d];
    add("//DL: grid: from");
    for (int b = 0; b < 2; b++) {
        for (uint32_t d = 0; d < grid.dims; d++)
            add("[%s]", extent_of(d));
        add("%s", b ? " as" : ", to");
    }
    add_layout();
    if (arrays)
        snprintf(to, sizeof to, "to%s", brackets(names));
    add("\n__kernel void k%u(__global const %s *from, __global %s %s%s", number,
        grid.type, grid.type, arrays ? "(*to)" : "*to", arrays ? brackets(NULL) : "");
    for (uint32_t d = 0; d < grid.dims - grid.has_k; d++)
        add(", int n%s", grid.names[d]);
    add(")\n{\n");
    add_ids(flat);
    add("    int count = 1");
    for (uint32_t d = 0; d < grid.dims; d++)
        add(" * %s", extent_of(d));
    add(";\n");
    if (grid.has_k)
        add("    for (int k = 0; k < %s; k++) {\n", extent_of(grid.dims - 1));
    add("    int i = %s, value = 7;\n", index_of(names));
    add("    int fast = %s, end = %s;\n", names[grid.dims - 1], extent_of(grid.dims - 1));
    add_work(in_place, to);
    add(grid.has_k ? "    }\n}\n\n" : "}\n\n");
}

static void add_index_forms(void)
{
    const char *at[DIMS_MAX];
    char names[DIMS_MAX][16], form[2048];

    for (uint32_t d = 0; d < grid.dims; d++) {
        snprintf(names[d], sizeof names[d], "(p%u)", d);
        at[d] = names[d];
    }
    add("#define AT(");
    for (uint32_t d = 0; d < grid.dims; d++)
        add("%sp%u", d ? ", " : "", d);
    horner(form, sizeof form, grid.dims - 1, at, false);
    add(") (%s)\nint at(", form);
    for (uint32_t d = 0; d < grid.dims; d++)
        add("%sint p%u", d ? ", " : "", d);
    for (uint32_t d = 1; d < grid.dims; d++)
        add(", int e%u", d);
    add(")\n{\n    return ");
    for (uint32_t d = 1; d < grid.dims; d++)
        add("(");
    add("p0");
    for (uint32_t d = 1; d < grid.dims; d++)
        add(" * e%u + p%u)", d, d);
    add(";\n}\n\n");
    add("int pick(__global const %s *f", grid.type);
    for (uint32_t d = 0; d < grid.dims; d++) {
        at[d] = grid.names[d];
        add(", int %s", at[d]);
    }
    for (uint32_t d = 0; d < grid.dims - grid.has_k; d++)
        add(", int n%s", at[d]);
    horner(form, sizeof form, grid.dims - 1, at, below(2));
    add(")\n{\n    return (int)f[%s]%s;\n}\n\n", form, grid.member);
}

void draw_text(bool flat)
{
    text[0] = '\0';
    add("typedef struct { int count; short narrow; int last; } cell;\n");
    add_index_forms();
    for (unsigned k = 0; k < KERNELS; k++)
        add_kernel(k, flat);
    add("__kernel void plain(__global int *f, int n)\n{\n    int i = get_global_id(0);\n"
        "    if (i < n)\n        f[i] ^= i;\n}\n");
}
