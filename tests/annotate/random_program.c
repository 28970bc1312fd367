/* Random annotated programs. */
#include "random_program.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = 8, PATHS_MAX = 32 };

struct path {
    char text[64];  /* ".a.b[%s]", a %s where an array index goes */
    unsigned count; /* of that array; 0: none */
    const char *type;
    unsigned components; /* of a vector; 0: a scalar */
};

struct program {
    uint32_t state;
    FILE *out;
    struct path paths[PATHS_MAX];
    unsigned path_count;
    bool macros, flat;
    unsigned width;         /* of the flat buffer */
    unsigned offset, align; /* of the struct so far */
    bool packed;
    char padding[512]; /* "6+2 14+2" */
};

static unsigned pick(struct program *p, unsigned count)
{
    p->state = p->state * 1664525u + 1013904223u;
    return (p->state >> 8) % count;
}

static const char *one_of(struct program *p, unsigned count, ...)
{
    unsigned chosen = pick(p, count);
    const char *out = NULL;
    va_list args;

    va_start(args, count);
    for (unsigned i = 0; i <= chosen; i++)
        out = va_arg(args, const char *);
    va_end(args);
    return out;
}

/* ---- structs --------------------------------------------------------------------------
 */

static void add_path(struct program *p, const char *text, unsigned count,
                     const char *type, unsigned components)
{
    struct path *path = &p->paths[p->path_count];

    if (p->path_count == PATHS_MAX)
        return;
    snprintf(path->text, sizeof path->text, "%s", text);
    path->count = count;
    path->type = type;
    path->components = components;
    p->path_count++;
}

static void add_padding(struct program *p, unsigned offset, unsigned bytes)
{
    size_t used = strlen(p->padding);

    if (bytes)
        snprintf(p->padding + used, sizeof p->padding - used, " %u+%u", offset, bytes);
}

/* Lays out a member of `count` elements. */
static void lay(struct program *p, unsigned element_bytes, unsigned align, unsigned count,
                bool is_inner)
{
    unsigned gap;

    align = p->packed ? 1 : align;
    gap = (align - p->offset % align) % align;
    add_padding(p, p->offset, gap);
    p->offset += gap;
    p->align = align > p->align ? align : p->align;
    for (unsigned i = 0; i < count; i++, p->offset += element_bytes)
        if (is_inner)
            add_padding(p, p->offset + 6, 2);
}

static unsigned bytes_of(const char *type)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } map[] = {{"float", 4}, {"int", 4},  {"uint", 4},  {"short", 2},
               {"uchar", 1}, {"long", 8}, {"double", 8}};

    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (!strcmp(map[i].name, type))
            return map[i].bytes;
    abort();
}

static void print_struct(struct program *p)
{
    unsigned fields = 1 + pick(p, 6);

    p->packed = !pick(p, 8);
    p->align = 1;

    fprintf(
        p->out,
        "typedef struct {\n    float fx;\n    short fy;\n} inner;\ntypedef struct%s {\n",
        p->packed ? " __attribute__((packed))" : "");
    for (unsigned i = 0; i < fields; i++) {
        char name[16], text[64];
        const char *type;
        unsigned count = 2 + pick(p, 4);

        snprintf(name, sizeof name, "m%u", i);
        switch (pick(p, 5)) {
        case 0:
            type = one_of(p, 2, "float", "int");
            fprintf(p->out, "    %s %s[%u];\n", type, name, count);
            snprintf(text, sizeof text, ".%s[%%s]", name);
            add_path(p, text, count, type, 0);
            lay(p, bytes_of(type), bytes_of(type), count, false);
            break;
        case 1:
            count = pick(p, 2) ? 2 : 4;
            type = one_of(p, 3, "float", "int", "uchar");
            fprintf(p->out, "    %s%u %s;\n", type, count, name);
            snprintf(text, sizeof text, ".%s", name);
            add_path(p, text, 0, type, count);
            lay(p, count * bytes_of(type), count * bytes_of(type), 1, false);
            break;
        case 2:
            fprintf(p->out, "    inner %s[%u];\n", name, count);
            snprintf(text, sizeof text, ".%s[%%s].fx", name);
            add_path(p, text, count, "float", 0);
            snprintf(text, sizeof text, ".%s[%%s].fy", name);
            add_path(p, text, count, "short", 0);
            lay(p, 8, 4, count, true);
            break;
        default:
            type = one_of(p, 8, "float", "int", "uint", "short", "uchar", "long",
                          "double", "float");
            fprintf(p->out, "    %s %s;\n", type, name);
            snprintf(text, sizeof text, ".%s", name);
            add_path(p, text, 0, type, 0);
            lay(p, bytes_of(type), bytes_of(type), 1, false);
        }
    }
    add_padding(p, p->offset, (p->align - p->offset % p->align) % p->align);
    fprintf(p->out, "} cell;\n");
}

/* ---- expressions ----------------------------------------------------------------------
 */

/* An index below the struct count n. */
static void print_index(struct program *p, char *out, size_t bytes)
{
    switch (pick(p, 8)) {
    case 0:
        snprintf(out, bytes, "n - 1 - i");
        break;
    case 1:
        snprintf(out, bytes, "(i * %u + %u) %% n", 1 + pick(p, 5), pick(p, 9));
        break;
    case 2:
        snprintf(out, bytes, "(uint)(i + n - 1) %% (uint)n");
        break;
    case 3:
        snprintf(out, bytes, "i > 0 ? i - 1 : %u %% n", pick(p, 4));
        break;
    case 4:
        snprintf(out, bytes, "NEXT(i)");
        break;
    default:
        snprintf(out, bytes, "i");
    }
}

/* A path with an index in its array, as a scalar. */
static const struct path *print_path(struct program *p, char *out, size_t bytes)
{
    const struct path *path = &p->paths[pick(p, p->path_count)];
    char index[24], text[88];

    if (pick(p, 2))
        snprintf(index, sizeof index, "%u", path->count ? pick(p, path->count) : 0);
    else
        snprintf(index, sizeof index, "(i + %u) %% %u", pick(p, 3),
                 path->count ? path->count : 1);
    if (path->count) {
        const char *mark = strstr(path->text, "%s");

        snprintf(text, sizeof text, "%.*s%s%s", (int)(mark - path->text), path->text,
                 index, mark + 2);
    } else {
        snprintf(text, sizeof text, "%s", path->text);
    }
    if (path->components)
        snprintf(out, bytes, "%s.%s", text,
                 path->components == 2 ? one_of(p, 3, "x", "y", "s1")
                                       : one_of(p, 4, "x", "w", "s2", "hi.y"));
    else
        snprintf(out, bytes, "%s", text);
    return path;
}

/* A scalar read from g or h, or from the item's own struct. */
static void print_scalar(struct program *p, char *out, size_t bytes)
{
    char index[64], path[96];

    print_index(p, index, sizeof index);
    if (p->flat && !pick(p, 3)) {
        unsigned w = p->width, c = pick(p, w);

        switch (pick(p, 6)) {
        case 0:
            snprintf(out, bytes, "h[(%s) * %u + %u]", index, w, c);
            break;
        case 1:
            snprintf(out, bytes, "h[%u + %uu * (uint)(%s)]", c, w, index);
            break;
        case 2:
            snprintf(out, bytes, "h[%u * ((%s) + 1) - %u]", w, index, w - c);
            break;
        case 3:
            snprintf(out, bytes, "h[(size_t)%u * (%s) + (i + %u) %% %u]", w, index, c, w);
            break;
        case 4:
            snprintf(out, bytes, "h[((%s) * %u + %u) %% (n * %u)]", index, w, c + w, w);
            break;
        default:
            snprintf(out, bytes, "row_sum(h + %u * (%s), %u)", w, index, c);
        }
        return;
    }
    print_path(p, path, sizeof path);
    switch (pick(p, 9)) {
    case 0:
        snprintf(out, bytes, "(&g[%s])->%s", index, path + 1);
        break;
    case 1:
        snprintf(out, bytes, "(*(g + (%s)))%s", index, path);
        break;
    case 2:
        snprintf(out, bytes, "GET(%s)%s", index, path);
        break;
    case 3:
        snprintf(out, bytes, "q->%s", path + 1);
        break;
    case 4:
        snprintf(out, bytes, "f[i]%s", path);
        break;
    case 5:
        snprintf(out, bytes, "copy%s", path);
        break;
    case 6:
        snprintf(out, bytes, "q[(int)(%s) - (int)(q - g)]%s", index, path);
        break;
    case 7:
        snprintf(out, bytes, "(pick_one(g, %s, i & 1)%s)", index, path);
        break;
    default:
        snprintf(out, bytes, "g[%s]%s", index, path);
    }
}

/* The same as an int of moderate size: what C leaves open must not come into it. */
static void print_value(struct program *p, char *out, size_t bytes)
{
    char scalar[400];

    print_scalar(p, scalar, sizeof scalar);
    snprintf(out, bytes, "num(%s)", scalar);
}

/* A place of the item's own. */
static void print_target(struct program *p, char *out, size_t bytes)
{
    char path[96];

    print_path(p, path, sizeof path);
    switch (pick(p, 6)) {
    case 0:
        snprintf(out, bytes, "mine->%s", path + 1);
        break;
    case 1:
        snprintf(out, bytes, "(*mine)%s", path);
        break;
    case 2:
        snprintf(out, bytes, "MINE%s", path);
        break;
    case 3:
        snprintf(out, bytes, "copy%s", path);
        break;
    default:
        snprintf(out, bytes, "f[i]%s", path);
    }
}

/* ---- statements -----------------------------------------------------------------------
 */

static void print_statement(struct program *p)
{
    char target[400], a[512], b[512], index[64];

    print_target(p, target, sizeof target);
    print_value(p, a, sizeof a);
    print_value(p, b, sizeof b);
    print_index(p, index, sizeof index);
    switch (pick(p, 13)) {
    case 0:
        fprintf(p->out, "    %s += %s;\n", target, a);
        break;
    case 1:
        fprintf(p->out, "    %s -= %s * 3;\n", target, a);
        break;
    case 2:
        fprintf(p->out, "    %s++;\n", target);
        break;
    case 3:
        fprintf(p->out, "    copy = g[%s];\n", index);
        break;
    case 4:
        fprintf(p->out, "    f[i] = %s;\n", pick(p, 2) ? "copy" : "*q");
        break;
    case 5:
        fprintf(p->out, "    q = %s;\n",
                one_of(p, 4, "&g[n - 1 - i]", "g + i", "i & 1 ? g : &g[i]", "g"));
        break;
    case 6:
        fprintf(p->out, "    if (%s > %s)\n        %s = %s;\n", a, b, target, b);
        break;
    case 7:
        fprintf(p->out, "    for (k = 0; k < %u; k++)\n        %s += %s;\n",
                1 + pick(p, 4), target, a);
        break;
    case 8:
        fprintf(p->out, "    bump(&f[i], %u, &copy);\n", pick(p, 5));
        break;
    case 9:
        fprintf(p->out, "    SET(%s, %s);\n", target, a);
        break;
    case 10:
        fprintf(p->out, "    %s = (i & %u) ? %s : %s;\n", target, 1 + pick(p, 3), a, b);
        break;
    case 11:
        fprintf(p->out,
                "    for (__global const cell *r = g + i / 2, *e = g + i; r < e; r++)\n"
                "        %s += (int)(e - r);\n",
                target);
        break;
    default:
        fprintf(p->out, "    %s = %s + %s;\n", target, a, b);
    }
}

char *random_program(uint32_t seed)
{
    struct program p = {.state = seed * 2654435761u + 12345u};
    unsigned statements;
    char *text = NULL, path[128];
    size_t bytes;

    p.out = open_memstream(&text, &bytes);
    if (!p.out)
        abort();
    p.flat = pick(&p, 2);
    p.width = 1 + pick(&p, 7);
    statements = 3 + pick(&p, 10);
    fprintf(p.out, "// run: go structs structs n%s\n", p.flat ? " structs" : "");
    print_struct(&p);
    fprintf(p.out, "#define NEXT(x) (((x) + 1) %% n)\n"
                   "#define GET(k) (g[(k)])\n"
                   "#define MINE f[i]\n"
                   "#define SET(to, value) do { (to) = (value); } while (0)\n");
    print_path(&p, path, sizeof path);
    fprintf(p.out, "int num(float x)\n{\n"
                   "    return x > -1e6f && x < 1e6f ? (int)(x * 16.0f) : 7;\n}\n");
    fprintf(p.out,
            "void bump(__global cell *c, int i, cell *to)\n{\n"
            "    (*c)%s += 1;\n    *to = c[0];\n}\n",
            path);
    fprintf(p.out, "cell pick_one(__global const cell *g, int i, int way)\n{\n"
                   "    __global const cell *p = g + i;\n\n"
                   "    return way ? *p : g[i];\n}\n"
                   "float row_sum(__global const float *row, int k)\n{\n"
                   "    return row[k] + *row;\n}\n");
    fprintf(p.out, "//DL: AoS: f[n], g[n]%s\n", p.flat ? ", h[n][WIDTH]" : "");
    fprintf(p.out,
            "__kernel void go(__global cell *f, __global const cell *g, int n%s)\n{\n",
            p.flat ? ", __global const float *h" : "");
    if (p.flat)
        fprintf(p.out, "    /* rows of %u */\n", p.width);
    fprintf(p.out,
            "    int i = get_global_id(0), k = 0;\n"
            "    __global cell *mine = %s;\n"
            "    __global const cell *q = g;\n"
            "    cell copy = f[i];\n\n",
            one_of(&p, 3, "&f[i]", "f + i", "&MINE"));
    while (statements--)
        print_statement(&p);
    fprintf(p.out, "    f[i]%s += k;\n}\n", path);
    if (*p.padding)
        fprintf(p.out, "// ignore:%s\n", p.padding);
    fclose(p.out);
    if (p.flat) {
        char *whole;

        if (asprintf(&whole, "#define WIDTH %u\n%s", p.width, text) < 0)
            abort();
        free(text);
        text = whole;
    }
    return text;
}
