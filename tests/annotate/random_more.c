/* SPDX-License-Identifier: MIT */
/* What random programs do with names, overloads, pointers into one buffer and bytes
 * behind the last row. */
#include "random_parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static unsigned pick(struct program *p, unsigned count)
{
    return random_pick(&p->random, count);
}

/* ---- names ---- */

static void rename_word(struct program *p, const char *from, const char *to)
{
    if (!strcmp(from, to))
        return;
    p->renamed[p->renamed_count].from = from;
    p->renamed[p->renamed_count++].to = to;
}

void random_rename(struct program *p)
{
    if (pick(p, 2))
        return;
    rename_word(p, "cell@", ONE_OF(p, 5, "cell@", "at@", "row@", "w@", "head@"));
    rename_word(p, "inner@", ONE_OF(p, 3, "inner@", "index@", "tail@"));
    rename_word(p, "bump@", ONE_OF(p, 4, "bump@", "at_f@", "tail_f@", "head_f@"));
    rename_word(p, "pick_one@", ONE_OF(p, 4, "pick_one@", "at_g@", "row_g@", "head_g@"));
    rename_word(p, "peek@", ONE_OF(p, 3, "peek@", "at_c@", "w_c@"));
    rename_word(p, "row_sum@", ONE_OF(p, 4, "row_sum@", "row_h@", "w_h@", "at_h@"));
}

void random_macros(struct random *r, FILE *out)
{
    static const char *const macros[] = {"uchar unsigned char",
                                         "ushort unsigned short",
                                         "uint unsigned",
                                         "ulong unsigned long",
                                         "size_t unsigned long",
                                         "head 3",
                                         "tail(x) (x)",
                                         "bytes 1",
                                         "byte(x) x",
                                         "index",
                                         "width 9",
                                         "dl 4",
                                         "DL 4",
                                         "restrict",
                                         "offset 1",
                                         "difference 2",
                                         "PARTS(a, b) b",
                                         "ARGS",
                                         "global __global",
                                         "kernel __kernel",
                                         "tile 7",
                                         "row_byte(i) i",
                                         "TILE 3",
                                         "as_int2 5"};

    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
        if (!random_pick(r, 4))
            fprintf(out, "#define %s\n", macros[i]);
}

/* Names that generated functions and macros have inside, and like those of accessors. */
static const char *const own_names[] = {
    "dl_i",      "dl_f",     "dl_e",      "dl_w",     "dl_o",     "dl_p",
    "dl_v",      "dl_r",     "dl_head",   "dl_tail",  "dl_k",     "dl_k0",
    "dl_l",      "dl_l0",    "dl_b",      "dl_n",     "dl_at",    "dl_c",
    "dl_z",      "dl_bytes", "dl_offset", "dl_width", "dl_x",     "dl_words",
    "dl_end",    "dl_unit",  "dl_place",  "dl_store", "DL_SIZE",  "dl_cell_1",
    "dl_arrays", "dl_units", "dl_event",  "dl_num",   "dl_tally", "dl_common"};
enum { OWN_NAMES = sizeof own_names / sizeof *own_names, NAMED_MAX = 512 };

/* True of names with a seed, of members and of some variables. */
static bool can_be_own(const char *word, size_t bytes)
{
    static const char *const words[] = {"i",     "k",      "q",     "mine", "copy",
                                        "row",   "by",     "old",   "more", "num",
                                        "tally", "common", "octets"};
    size_t digits = 0;

    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (strlen(words[w]) == bytes && !memcmp(words[w], word, bytes))
            return true;
    while (digits < bytes && isdigit((unsigned char)word[bytes - 1 - digits]))
        digits++;
    return (digits && digits < bytes && word[bytes - 1 - digits] == '_') ||
           (bytes > 1 && word[0] == 'm' && isdigit((unsigned char)word[1]));
}

/* Types and macros must not have the names above. */
static bool has_any_name(const char *word, size_t bytes)
{
    static const char *const types[] = {"cell_",  "inner_", "value_", "ctx_",
                                        "at_",    "row_",   "w_",     "head_",
                                        "index_", "tail_",  "far_"};

    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        if (bytes > strlen(types[t]) && !memcmp(word, types[t], strlen(types[t])))
            return false;
    return !isupper((unsigned char)*word);
}

char *random_own_names(struct random *r, char *text)
{
    struct {
        const char *from;
        size_t bytes;
        char to[64];
    } named[NAMED_MAX];
    const char *end = strstr(text, "// run:");
    char copy[64] = ""; /* the copy of a helper that keeps its name would be called so */
    unsigned count = 0, next = random_pick(r, OWN_NAMES), used = 0, n;
    char *out;
    size_t bytes, out_bytes;
    FILE *to = open_memstream(&out, &out_bytes);

    for (const char *at = text; at < end; at += bytes) {
        for (bytes = 0; isalnum((unsigned char)at[bytes]) || at[bytes] == '_';)
            bytes++;
        for (n = 0; n < count &&
                    !(named[n].bytes == bytes && !memcmp(named[n].from, at, bytes));)
            n++;
        if (n == count && count < NAMED_MAX && bytes && can_be_own(at, bytes)) {
            bool kept = random_pick(r, 2);

            named[n].from = at;
            named[n].bytes = bytes;
            snprintf(named[n].to, sizeof named[n].to, "%s%.*s",
                     kept                          ? ""
                     : isupper((unsigned char)*at) ? "DL_OF_"
                                                   : "dl_of_",
                     (int)bytes, at);
            if (kept && isdigit((unsigned char)at[bytes - 1]) && has_any_name(at, bytes))
                snprintf(copy, sizeof copy, "dl_%.*s", (int)bytes, at);
            if (!kept && has_any_name(at, bytes) && (*copy || used < OWN_NAMES))
                snprintf(named[n].to, sizeof named[n].to, "%s",
                         *copy ? copy : own_names[(next + used++) % OWN_NAMES]);
            *copy = kept ? *copy : '\0';
            count++;
        }
        if (n < count)
            fputs(named[n].to, to);
        else
            fwrite(at, bytes ? bytes : 1, 1, to);
        bytes = bytes ? bytes : 1;
    }
    fputs(end, to);
    fclose(to);
    free(text);
    return out;
}

/* ---- overloads ---- */

/* The functions named ov@, in a random order: a call may come before what it could mean
 * later. */
void random_overloads(struct program *p)
{
    static const char *const heads[] = {
        "int OVER ov@(__global const cell@ *c, int k)",
        "int OVER ov@(__global const cell@ *c, float k)",
        "int OVER ov@(__global const cell@ *c)",
        "int OVER ov@(cell@ c)",
        "int OVER ov@(const cell@ *c, int k)",
        "int OVER ov@(int k)",
        "int OVER ov@(float k)",
        "int OVER ov@(__global const cell@ *c, int k, int more)"};
    enum { HEADS = sizeof heads / sizeof *heads };
    unsigned shift = pick(p, HEADS), turn = 1 + 2 * pick(p, 4), later = pick(p, HEADS);

    fprintf(p->out,
            "#ifndef OVER\n#define OVER __attribute__((overloadable))\n#endif\n"
            "int OVER ov@(char by, char too) { return by - too; }\n"
            "%s;\n%s;\n",
            heads[2], heads[6]);
    for (unsigned h = 0; h < HEADS; h++) {
        unsigned which = (h * turn + shift) % HEADS;

        if (h == later)
            fprintf(p->out, "int later@(__global const cell@ *c)\n{\n"
                            "    return ov@(3) + ov@(c) * 2 + ov@((char)1, (char)2) + "
                            "ov@(0.25f);\n}\n");
        fprintf(p->out, "%s\n{\n", heads[which]);
        if (which == 3)
            fprintf(p->out, "    return num(c%s) + 1;\n}\n", p->own);
        else if (which == 5 || which == 6)
            fprintf(p->out, "    return (int)(k * %u);\n}\n", which);
        else if (which == 2)
            fprintf(p->out, "    return num(c->%s) - 2;\n}\n", p->own + 1);
        else if (which == 7)
            fprintf(p->out, "    return ov@(c) + (k ^ more);\n}\n");
        else
            fprintf(p->out, "    return num(c[0]%s) * %u + (int)(k * 4);\n}\n", p->own,
                    which + 3);
    }
    fprintf(
        p->out,
        "void OVER set@(__global cell@ *c, int v)\n{\n    c->%s = v;\n}\n"
        "void OVER set@(__global cell@ *c, float v)\n{\n    c->%s = num(v) - 1;\n}\n"
        "int OVER common(__global const cell@ *c)\n{\n    return num(c->%s) * %u;\n}\n"
        "int OVER leaf@(__global const float *x)\n{\n    return num(*x) + 1;\n}\n"
        "int OVER leaf@(__global float *x)\n{\n    return num(*x) + 2;\n}\n"
        "int OVER leaf@(__global const int *x)\n{\n    return (*x & 0xfff) + 3;\n}\n"
        "int OVER leaf@(__global int *x)\n{\n    return (*x & 0xfff) + 4;\n}\n"
        "#define ADD@(to, by) ((to) + (by))\n#define OF@(s, m) (s) m\n",
        p->own + 1, p->own + 1, p->own + 1, 3 + pick(p, 3));
}

static void print_overload_call(struct program *p, const char *index, char *out,
                                size_t bytes)
{
    const struct random_path *way;
    char path[128];

    switch (pick(p, 10)) {
    case 0:
        snprintf(out, bytes, "ov@(g@ + AT@(%s), %u)", index, pick(p, 9));
        break;
    case 1:
        snprintf(out, bytes, "ov@(&g@[AT@(%s)], %u.25f)", index, pick(p, 9));
        break;
    case 2:
        snprintf(out, bytes, "ov@(%s)", ONE_OF(p, 4, "q", "mine", "f@ + i", "copy"));
        break;
    case 3:
        snprintf(out, bytes, "ov@(g@[AT@(%s)])", index);
        break;
    case 4:
        snprintf(out, bytes, "ov@(&copy, %u)", pick(p, 9));
        break;
    case 5:
        snprintf(out, bytes, "ov@(%s)", ONE_OF(p, 3, "i", "(float)i", "0.5f"));
        break;
    case 6:
        snprintf(out, bytes, "ov@(g@ + AT@(%s), i, %u)", index, pick(p, 9));
        break;
    case 7:
        snprintf(out, bytes, "common(ADD@(g@, AT@(%s)))", index);
        break;
    case 8:
        way = random_path(p, path, sizeof path);
        /* A component of a vector has no address. */
        if (!p->type.packed && !way->components && !strstr(way->text, "].y") &&
            (!strcmp(way->type, "float") || !strcmp(way->type, "int"))) {
            snprintf(out, bytes, "leaf@(&%s%s)",
                     ONE_OF(p, 3, "f@[i]", "g@[AT@(i)]", "(*q)"), path);
            break;
        }
        /* fallthrough */
    default:
        snprintf(out, bytes, "later@(%s)", ONE_OF(p, 3, "q", "mine", "g@ + AT@(0)"));
    }
}

/* ---- pointers ---- */

static void print_pointers(struct program *p, const char *index, char *out, size_t bytes)
{
    switch (pick(p, 10)) {
    case 0:
        snprintf(out, bytes, "(int)(&g@[AT@(%s)] - q)", index);
        break;
    case 1:
        snprintf(out, bytes, "(q %s g@ + AT@(%s))", ONE_OF(p, 4, "<", ">=", "==", "!="),
                 index);
        break;
    case 2:
        snprintf(out, bytes, "(q + %ul - 9ul %s g@ + AT@(%s))", pick(p, 19),
                 ONE_OF(p, 4, "<=", ">", "==", "!="), index);
        break;
    case 3:
        snprintf(out, bytes, "(int)(((f@ + (%s)) - mine) * 3 - (&f@[n] - f@))", index);
        break;
    case 4:
        snprintf(out, bytes, "(mine - 1u == f@ + (long)(%s))", index);
        break;
    case 5:
        if (p->flat) {
            snprintf(out, bytes, "(int)(&h@[%u * (%s) + %u] - (h@ + i))", p->width, index,
                     pick(p, p->width));
            break;
        }
        /* fallthrough */
    case 6:
        if (p->flat) {
            snprintf(out, bytes, "(h@ + (%s) * %ul %s &h@[%u * i])", index, p->width,
                     ONE_OF(p, 4, "<", ">=", "==", "!="), p->width);
            break;
        }
        /* fallthrough */
    case 7:
        if (p->flat && p->tail) {
            snprintf(out, bytes,
                     ONE_OF(p, 4, "h@[n * %u + %u]", "h@[(uint)n * %uu + %uu]",
                            "*(h@ + (size_t)n * %u + %u)", "(&h@[n * %u])[%u]"),
                     p->width, pick(p, p->tail));
            break;
        }
        /* fallthrough */
    case 8:
        if (p->flat) { /* less than none, at times, which wraps to what it should be */
            snprintf(out, bytes, "h@[%uu * ((uint)(%s) - 1u) + %uu]", p->width, index,
                     p->width + pick(p, p->width));
            break;
        }
        /* fallthrough */
    default:
        snprintf(out, bytes, "(int)((__global const cell@ *)&f@[%s] - f@)", index);
    }
}

static void print_alias(struct program *p, char *out, size_t bytes)
{
    char path[128];

    random_path(p, path, sizeof path);
    switch (pick(p, 3)) {
    case 0:
        snprintf(out, bytes, "a@[i]%s", path);
        break;
    case 1:
        snprintf(out, bytes, "(a@ + i)->%s", path + 1);
        break;
    default:
        snprintf(out, bytes, "OF@(*(&a@[n - 1] - (n - 1 - i)), %s)", path);
    }
}

bool random_more_scalar(struct program *p, const char *index, char *out, size_t bytes)
{
    switch (pick(p, 8)) {
    case 0:
    case 1:
        if (!p->overloads)
            return false;
        print_overload_call(p, index, out, bytes);
        return true;
    case 2:
        print_pointers(p, index, out, bytes);
        return true;
    case 3:
        if (!p->aliased || !p->overloads)
            return false;
        print_alias(p, out, bytes);
        return true;
    default:
        return false;
    }
}

bool random_more_statement(struct program *p, const char *value, const char *index)
{
    char path[128];

    random_path(p, path, sizeof path);
    switch (pick(p, 6)) {
    case 0:
        if (!p->overloads)
            return false;
        fprintf(p->out, "    set@(%s, %s%s);\n", ONE_OF(p, 2, "f@ + i", "mine"),
                ONE_OF(p, 2, "", "0.5f * "), value);
        return true;
    case 1:
        if (!p->aliased)
            return false;
        fprintf(p->out, "    %s;\n",
                ONE_OF(p, 4, "f@[i] = a@[i]", "a@[i] = copy", "bump@(a@ + i, 2, &copy)",
                       "copy = *(a@ + i)"));
        return true;
    case 2:
        if (!p->aliased)
            return false;
        fprintf(p->out, "    a@[i]%s = %s;\n", path, value);
        return true;
    case 3:
        if (!p->result || !p->tail)
            return false;
        fprintf(p->out, "    if (i == n - 1)\n        o@[");
        fprintf(p->out,
                ONE_OF(p, 4, "n * %u + %u", "(uint)n * %uu + %uu", "(size_t)n * %u + %u",
                       "(i + 1) * %u + %u"),
                p->width, pick(p, p->tail));
        fprintf(p->out, "] += %s;\n", value);
        return true;
    case 4:
        fprintf(p->out,
                "    for (__global const cell@ *r = &g@[AT@(%s)], *e = r + 1ul; r != e; "
                "++r)\n"
                "        f@[i]%s += (int)(e - r);\n",
                index, p->own);
        return true;
    default:
        return false;
    }
}

static const char *const step_forms[] = {
    "    {\n        __global const float *r = h@ + 0;\n\n"
    "        r += WIDTH@ * ($i) + $a;\n        int seen = num(*r) - num(r[-$a]);\n"
    "        r -= WIDTH@ * ($i);\n        $t += seen + num(r[0]) * 3;\n    }\n",
    "    {\n        __global const float *r = h@, *end = h@ + WIDTH@ * n;\n\n"
    "        for (r += $a; r < end; r += WIDTH@ * (1 + i % 3))\n"
    "            $t += num(*r);\n        --end;\n        $t += num(*end);\n    }\n",
    "    {\n        __global const float *r = &h@[WIDTH@ * i];\n\n"
    "        for (k = 0; k < WIDTH@; k++, r++)\n            $t += num(*r) * (k + 1);\n"
    "        r -= WIDTH@ - $a;\n        $t += num(*r);\n    }\n",
};
/* What others write is never read: each work-item has a row. */
static const char swapped_rows[] =
    "    {\n        __global const float *x = h@, *y = o@, *z;\n\n"
    "        for (k = 0; k < 3; k++) {\n"
    "            $t += num(x[WIDTH@ * i + $a]) * (k + 1);\n"
    "            z = x, x = y, y = z;\n        }\n"
    "        y += WIDTH@ * ($i);\n        $t += num(*y) + (y != x);\n"
    "        $t += num(y++[0]);\n"
    "        y = ($i) & 1 ? o@ + WIDTH@ * i : &h@[WIDTH@ * i];\n"
    "        $t -= num(y[$a]);\n    }\n";
static const char *const volatile_forms[] = {
    "    {\n        __global volatile cell@ *loud = f@ + i;\n\n"
    "        loud->$O += $b;\n        $t -= num((*loud)$o);\n    }\n",
    "    {\n        __global const volatile cell@ *loud = &g@[AT@($i)];\n\n"
    "        $t += num(loud->$O);\n    }\n",
};

bool random_step_statement(struct program *p, const char *value, const char *index)
{
    char target[400], column[16];
    const struct random_words words = {
        .index = index, .target = target, .a = column, .b = value};

    snprintf(column, sizeof column, "%u", pick(p, p->width));
    random_target(p, target, sizeof target);
    switch (pick(p, 12)) {
    case 0:
        if (!p->flat)
            return false;
        random_fill(p, step_forms[pick(p, sizeof step_forms / sizeof *step_forms)],
                    &words, p->out);
        return true;
    case 1:
        random_fill(
            p, volatile_forms[pick(p, sizeof volatile_forms / sizeof *volatile_forms)],
            &words, p->out);
        return true;
    case 2:
    case 3:
    case 4:
        if (!p->flat || !p->result)
            return false;
        random_fill(p, swapped_rows, &words, p->out);
        return true;
    default:
        return false;
    }
}

/* ---- flat buffers ---- */

static void print_index_call(struct program *p, const char *index, char *out,
                             size_t bytes)
{
    unsigned w = p->width, c = pick(p, w);

    switch (pick(p, 5)) {
    case 3:
        snprintf(out, bytes, "h@[mixed@((uint)(%s), i & 1 ? %u : %u)]", index, c,
                 pick(p, w));
        break;
    case 4:
        snprintf(out, bytes, "over@(h@, (uint)(%s), i)", index);
        break;
    case 0:
        snprintf(out, bytes, "h@[place@(%s, %u)]", index, c);
        break;
    case 1:
        snprintf(out, bytes, "h@[of@(%u, (%s) + 1, %u) - %u]", c, index, w, w);
        break;
    default:
        snprintf(out, bytes, "h@[far@((i + %u) %% %u, %s) + place@(1, -1) - %u]", c, w,
                 index, w - 1);
    }
}

void random_flat_scalar(struct program *p, const char *index, char *out, size_t bytes)
{
    unsigned w = p->width, c = pick(p, w);
    /* The first row beyond 2^64, and how far. */
    uint64_t far = UINT64_MAX / w + 1, passed = far * w;

    switch (pick(p, 12)) {
    case 10:
    case 11:
        print_index_call(p, index, out, bytes);
        break;
    case 0:
        snprintf(out, bytes, "h@[(%s) * %u + %u]", index, w, c);
        break;
    case 1:
        snprintf(out, bytes, "h@[%u + %uu * (uint)(%s)]", c, w, index);
        break;
    case 2:
        snprintf(out, bytes, "h@[%u * ((%s) + 1) - %u]", w, index, w - c);
        break;
    case 3:
        snprintf(out, bytes, "h@[(size_t)%u * (%s) + (i + %u) %% %u]", w, index, c, w);
        break;
    case 4:
        snprintf(out, bytes, "h@[((%s) * %u + %u) %% (n * %u)]", index, w, c + w, w);
        break;
    case 5:
        if (w >= 2) {
            snprintf(out, bytes, "vload2(%s, h@).%s", index, ONE_OF(p, 2, "x", "yx.x"));
            break;
        }
        /* fallthrough */
    case 6:
        if (w >= 3) {
            snprintf(out, bytes, "vload3(0, h@ + %u * (%s) + %u).%s", w, index,
                     pick(p, w - 2), ONE_OF(p, 2, "z", "y"));
            break;
        }
        /* fallthrough */
    case 7:
        if (w >= 2) {
            snprintf(out, bytes, "h@[%u * (%" PRIu64 "ul + (ulong)(%s)) + %u - %u]", w,
                     far, index, c, (unsigned)passed);
            break;
        }
        /* fallthrough */
    case 8:
        snprintf(out, bytes,
                 "as_float(vload2(0, (__global const uint *)&h@[(n - 1) / 2]).x)");
        if (w >= 2)
            break;
        /* fallthrough */
    default:
        snprintf(out, bytes, "row_sum@(h@ + %u * (%s), %u)", w, index, c);
    }
}
