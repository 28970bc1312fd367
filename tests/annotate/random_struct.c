/* SPDX-License-Identifier: MIT */
/* Random struct types. Their layout is computed alongside: the fourth places of vectors
 * of three are not compared, padding is. */
#include "random_struct.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/random_numbers.h"

unsigned random_pick(struct random *r, unsigned count)
{
    return random_below(&r->state, count);
}

const char *random_one_of(struct random *r, unsigned count, ...)
{
    unsigned chosen = random_pick(r, count);
    const char *out = NULL;
    va_list args;

    va_start(args, count);
    for (unsigned i = 0; i <= chosen; i++)
        out = va_arg(args, const char *);
    va_end(args);
    return out;
}

static struct random_path *add_path(struct random_struct *s, const char *text,
                                    unsigned count, const char *type, unsigned components)
{
    static struct random_path none;
    struct random_path *path =
        s->path_count < PATHS_MAX ? &s->paths[s->path_count++] : &none;

    snprintf(path->text, sizeof path->text, "%s", text);
    path->count = count;
    path->type = type;
    path->components = components;
    path->is_run = false;
    return path;
}

static void add_bytes(char list[OPEN_BYTES], unsigned offset, unsigned bytes)
{
    size_t used = strlen(list);

    if (bytes)
        snprintf(list + used, OPEN_BYTES - used, "/%u+%u", offset, bytes);
}

static void align_to(struct random_struct *s, unsigned align)
{
    unsigned bytes = (align - s->offset % align) % align;

    add_bytes(s->padding, s->offset, bytes);
    s->offset += bytes;
}

/* Lays out a member of `count` elements, the last `open` bytes of each left open. */
static void lay(struct random_struct *s, unsigned element_bytes, unsigned align,
                unsigned count, unsigned open)
{
    align = s->packed ? 1 : align;
    align_to(s, align);
    s->align = align > s->align ? align : s->align;
    for (unsigned i = 0; i < count; i++, s->offset += element_bytes)
        add_bytes(s->open, s->offset + element_bytes - open, open);
}

/* Lays out an inner@, padding behind its six bytes. */
static void lay_inner(struct random_struct *s, unsigned count)
{
    unsigned at;

    lay(s, 8, 4, count, 0);
    at = s->offset - 8 * count;
    for (unsigned i = 0; i < count; i++)
        add_bytes(s->padding, at + 8 * i + 6, 2);
}

unsigned random_bytes_of(const char *type)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } map[] = {{"float", 4}, {"int", 4},  {"uint", 4}, {"short", 2}, {"ushort", 2},
               {"uchar", 1}, {"char", 1}, {"long", 8}, {"ulong", 8}, {"double", 8}};

    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (!strcmp(map[i].name, type))
            return map[i].bytes;
    abort();
}

static void print_array(struct random *r, FILE *out, struct random_struct *s,
                        const char *name)
{
    const char *type = random_one_of(r, 4, "float", "int", "short", "double");
    unsigned rows = random_pick(r, 4) ? 1 : 2, count = 2 + random_pick(r, 5);
    char text[64];

    if (rows == 1)
        fprintf(out, "    %s %s[%u];\n", type, name, count);
    else
        fprintf(out, "    %s %s[%u][%u];\n", type, name, rows, count);
    for (unsigned row = 0; row < rows; row++) {
        if (rows == 1)
            snprintf(text, sizeof text, ".%s[%%s]", name);
        else
            snprintf(text, sizeof text, ".%s[%u][%%s]", name, row);
        add_path(s, text, count, type, 0)->is_run = true;
    }
    lay(s, random_bytes_of(type), random_bytes_of(type), rows * count, 0);
}

static void print_vector(struct random *r, FILE *out, struct random_struct *s,
                         const char *name)
{
    static const unsigned widths[] = {2, 3, 4, 8};
    const char *type = random_one_of(r, 4, "float", "int", "uchar", "short");
    unsigned width = widths[random_pick(r, 4)], bytes = random_bytes_of(type);
    unsigned held = width == 3 ? 4 : width;
    char text[64];

    fprintf(out, "    %s%u %s;\n", type, width, name);
    snprintf(text, sizeof text, ".%s", name);
    add_path(s, text, 0, type, width);
    lay(s, held * bytes, held * bytes, 1, (held - width) * bytes);
}

static void print_inner_array(FILE *out, struct random_struct *s, const char *name,
                              unsigned count)
{
    char text[64];

    fprintf(out, "    inner@ %s[%u];\n", name, count);
    snprintf(text, sizeof text, ".%s[%%s].fx", name);
    add_path(s, text, count, "float", 0);
    snprintf(text, sizeof text, ".%s[%%s].fy", name);
    add_path(s, text, count, "short", 0);
    lay_inner(s, count);
}

static void print_scalar(struct random *r, FILE *out, struct random_struct *s,
                         const char *name)
{
    const char *type = random_one_of(r, 10, "float", "int", "uint", "short", "uchar",
                                     "long", "double", "ushort", "char", "ulong");
    char text[64];

    snprintf(text, sizeof text, ".%s", name);
    add_path(s, text, 0, type, 0);
    if (!s->packed && !random_pick(r, 6)) {
        fprintf(out, "    %s %s __attribute__((aligned(16)));\n", type, name);
        lay(s, random_bytes_of(type), 16, 1, 0);
    } else {
        fprintf(out, "    %s %s;\n", type, name);
        lay(s, random_bytes_of(type), random_bytes_of(type), 1, 0);
    }
}

/* Members that lie on the same leaves, on lanes of one, and across each other's. */
static void print_union(struct random *r, FILE *out, struct random_struct *s,
                        const char *name)
{
    static const struct {
        const char *members;
        struct random_path paths[4];
        unsigned bytes, align;
    } unions[] = {{"int i; float f;",
                   {{".%s.i", 0, "int", 0, 0}, {".%s.f", 0, "float", 0, 0}},
                   4,
                   4},
                  {"float4 v; float e[4]; int i[4]; struct { float x, y, z, w; } c;",
                   {{".%s.v", 0, "float", 4, 0},
                    {".%s.e[%%s]", 4, "float", 0, 1},
                    {".%s.i[%%s]", 4, "int", 0, 1},
                    {".%s.c.z", 0, "float", 0, 0}},
                   16,
                   16},
                  {"struct { float x, y; } a; struct { int c[3]; } b; uint w[3];",
                   {{".%s.a.y", 0, "float", 0, 0},
                    {".%s.b.c[%%s]", 3, "int", 0, 1},
                    {".%s.w[%%s]", 3, "uint", 0, 1}},
                   12,
                   4},
                  {"uchar b[8]; short h[4]; struct { char c; ushort u; int i; } s;",
                   {{".%s.b[%%s]", 8, "uchar", 0, 1},
                    {".%s.h[%%s]", 4, "short", 0, 1},
                    {".%s.s.i", 0, "int", 0, 0}},
                   8,
                   4},
                  {"double d[2]; float2 r[2]; float e[2][2];",
                   {{".%s.d[%%s]", 2, "double", 0, 1},
                    {".%s.r[%%s].y", 2, "float", 0, 0},
                    {".%s.e[1][%%s]", 2, "float", 0, 1}},
                   16,
                   8}};
    unsigned which = random_pick(r, sizeof unions / sizeof *unions);
    char text[64];

    /* A byte of the fourth is padding of one member, which loses it for all by value. */
    if (which == 3 && getenv("DL_TEST_DEVICE"))
        which = 2;
    fprintf(out, "    union { %s } %s;\n", unions[which].members, name);
    for (const struct random_path *p = unions[which].paths;
         p < unions[which].paths + 4 && p->type; p++) {
        /* The formats are those above. */
        snprintf(text, sizeof text, p->text, name);
        add_path(s, text, p->count, p->type, p->components)->is_run = p->is_run;
    }
    s->has_wide_union |= which != 0 && which != 2;
    lay(s, unions[which].bytes, unions[which].align, 1, 0);
}

static void print_member(struct random *r, FILE *out, struct random_struct *s,
                         unsigned number)
{
    char name[16], text[64];
    unsigned count = 2 + random_pick(r, 3);

    snprintf(name, sizeof name, "m%u", number);
    switch (random_pick(r, 9)) {
    case 0:
        print_array(r, out, s, name);
        break;
    case 1:
        print_vector(r, out, s, name);
        break;
    case 2:
        print_inner_array(out, s, name, count);
        break;
    case 3:
        if (s->has_inner) {
            print_vector(r, out, s, name);
            break;
        }
        s->has_inner = true;
        fprintf(out, "    inner@ in;\n");
        add_path(s, ".in.fx", 0, "float", 0);
        add_path(s, ".in.fy", 0, "short", 0);
        lay_inner(s, 1);
        break;
    case 4:
        fprintf(out, "    struct {\n        int %sa;\n        uchar %sb[4];\n    };\n",
                name, name);
        snprintf(text, sizeof text, ".%sa", name);
        snprintf(s->eight, sizeof s->eight, ".%sa", name);
        add_path(s, text, 0, "int", 0);
        snprintf(text, sizeof text, ".%sb[%%s]", name);
        add_path(s, text, 4, "uchar", 0)->is_run = true;
        lay(s, 8, 4, 1, 0);
        break;
    case 5:
        print_union(r, out, s, name);
        break;
    default:
        print_scalar(r, out, s, name);
    }
}

void random_struct_print(struct random *r, FILE *out, struct random_struct *s)
{
    unsigned members = 1 + random_pick(r, 6);

    s->packed = !random_pick(r, 8);
    s->align = 1;
    fprintf(out,
            "typedef struct {\n    float fx;\n    short fy;\n} inner@;\n"
            "typedef struct%s {\n",
            s->packed ? " __attribute__((packed))" : "");
    for (unsigned i = 0; i < members; i++)
        print_member(r, out, s, i);
    align_to(s, s->align);
    fprintf(out, "} cell@;\n");
}
