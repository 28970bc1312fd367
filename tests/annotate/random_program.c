/* Random annotated programs. In the templates @ stands for the seed, which makes names unique. */
#include "random_program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "random_parts.h"

static unsigned pick(struct program *p, unsigned count)
{
    return random_pick(&p->random, count);
}

/* ---- expressions ---- */

void random_index(struct program *p, char *out, size_t bytes)
{
    switch (pick(p, 9)) {
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
        snprintf(out, bytes, "NEXT@(i)");
        break;
    case 5:
        snprintf(out, bytes, "(num(f@[i]%s) & 0xff) %% n", p->own);
        break;
    default:
        snprintf(out, bytes, "i");
    }
}

/* The text of a path, its array's index put in. */
static void fill_path(const struct random_path *path, const char *index, char *out,
                      size_t bytes)
{
    const char *mark = strstr(path->text, "%s");

    if (mark)
        snprintf(out, bytes, "%.*s%s%s", (int)(mark - path->text), path->text, index,
                 mark + 2);
    else
        snprintf(out, bytes, "%s", path->text);
}

static const char *print_component(struct program *p, unsigned components)
{
    switch (components) {
    case 2:
        return ONE_OF(p, 4, "x", "y", "s1", "yx.x");
    case 3:
        return ONE_OF(p, 4, "x", "z", "zyx.y", "xy.y");
    case 8:
        return ONE_OF(p, 4, "s7", "lo.w", "hi.xz.y", "even.s2");
    default:
        return ONE_OF(p, 6, "x", "w", "s2", "hi.y", "wzyx.x", "odd.y");
    }
}

const struct random_path *random_path(struct program *p, char *out, size_t bytes)
{
    const struct random_path *path = &p->type.paths[pick(p, p->type.path_count)];
    unsigned count = path->count ? path->count : 1;
    char index[24], text[96];

    if (pick(p, 2))
        snprintf(index, sizeof index, "%u", pick(p, count));
    else
        snprintf(index, sizeof index, "(i + %u) %% %u", pick(p, 3), count);
    fill_path(path, index, text, sizeof text);
    if (path->components)
        snprintf(out, bytes, "%s.%s", text, print_component(p, path->components));
    else
        snprintf(out, bytes, "%s", text);
    return path;
}

/* A run of at least `lanes` scalars in a struct; NULL when it has none. */
static const struct random_path *find_run(struct program *p, unsigned lanes)
{
    unsigned first = pick(p, p->type.path_count);

    for (unsigned i = 0; i < p->type.path_count; i++) {
        const struct random_path *path = &p->type.paths[(first + i) % p->type.path_count];

        if (path->is_run && path->count >= lanes && !p->type.packed)
            return path;
    }
    return NULL;
}

/* A pointer to `lanes` scalars side by side in `of`. */
static const struct random_path *print_run(struct program *p, const char *of,
                                           unsigned lanes, char *out, size_t bytes)
{
    const struct random_path *path = find_run(p, lanes);
    char index[8], text[96];

    if (!path)
        return NULL;
    snprintf(index, sizeof index, "%u", pick(p, path->count - lanes + 1));
    fill_path(path, index, text, sizeof text);
    if (pick(p, 2))
        snprintf(out, bytes, "&%s%s", of, text);
    else
        snprintf(out, bytes, "%s%.*s + %s", of, (int)(strrchr(text, '[') - text), text,
                 index);
    return path;
}

/* A scalar read from any buffer. */
static void print_scalar(struct program *p, char *out, size_t bytes)
{
    char index[192], path[128], of[256];
    const struct random_path *way;

    random_index(p, index, sizeof index);
    if (random_more_scalar(p, index, out, bytes))
        return;
    if (p->flat && !pick(p, 3)) {
        random_flat_scalar(p, index, out, bytes);
        return;
    }
    way = random_path(p, path, sizeof path);
    switch (pick(p, 18)) {
    case 0:
        snprintf(out, bytes, "(&g@[AT@(%s)])->%s", index, path + 1);
        break;
    case 1:
        snprintf(out, bytes, "(*(g@ + AT@(%s)))%s", index, path);
        break;
    case 2:
        snprintf(out, bytes, "GET@(%s)%s", index, path);
        break;
    case 3:
        snprintf(out, bytes, "q->%s", path + 1);
        break;
    case 4:
        snprintf(out, bytes, "f@[i]%s", path);
        break;
    case 5:
        snprintf(out, bytes, "copy%s", path);
        break;
    case 6:
        snprintf(out, bytes, "q[(int)AT@(%s) - (int)(q - g@)]%s", index, path);
        break;
    case 7:
        snprintf(out, bytes, "(pick_one@(g@, AT@(%s), i & 1)%s)", index, path);
        break;
    case 8:
        snprintf(out, bytes, "(g@ + AT@(n - 1))[-(int)(%s)]%s", index, path);
        break;
    case 9:
        snprintf(out, bytes, "weigh@(g@[AT@(%s)])", index);
        break;
    case 10:
        snprintf(out, bytes, "(i & 1 ? g@ + AT@(%s) : q)->%s", index, path + 1);
        break;
    case 11:
        if (p->constant) {
            snprintf(out, bytes, ONE_OF(p, 2, "c@[%s]%s", "(c@ + (%s))->%s"), index,
                     path);
            if (strstr(out, "->."))
                memmove(strstr(out, "->.") + 2, strstr(out, "->.") + 3,
                        strlen(strstr(out, "->.") + 2));
            break;
        }
        /* fallthrough */
    case 12:
        if (p->constant) {
            snprintf(out, bytes, "peek@(c@ + (%s), i & 3)", index);
            break;
        }
        /* fallthrough */
    case 13:
        snprintf(of, sizeof of, "g@[AT@(%s)]", index);
        if (find_run(p, 2)) {
            print_run(p, of, 2, path, sizeof path);
            snprintf(out, bytes, "vload2(0, %s).%s", path, ONE_OF(p, 2, "x", "y"));
            break;
        }
        /* fallthrough */
    case 14:
        if (!strcmp(way->type, "float")) {
            snprintf(out, bytes, "(as_uint(g@[AT@(%s)]%s) >> 13)", index, path);
            break;
        }
        /* fallthrough */
    case 15:
        snprintf(out, bytes, "(g@[AT@(%s)]%s > 2 && !(f@[i]%s < 1))", index, path,
                 p->own);
        break;
    default:
        snprintf(out, bytes, "g@[AT@(%s)]%s", index, path);
    }
}

/* The same as an int of moderate size: what C leaves open must not come into it. */
static void print_value(struct program *p, char *out, size_t bytes)
{
    char scalar[480];

    print_scalar(p, scalar, sizeof scalar);
    snprintf(out, bytes, "num(%s)", scalar);
}

/* A place of the item's own. */
static void print_target(struct program *p, char *out, size_t bytes)
{
    char path[128];

    random_path(p, path, sizeof path);
    switch (pick(p, 7)) {
    case 0:
        snprintf(out, bytes, "mine->%s", path + 1);
        break;
    case 1:
        snprintf(out, bytes, "(*mine)%s", path);
        break;
    case 2:
        snprintf(out, bytes, "MINE@%s", path);
        break;
    case 3:
        snprintf(out, bytes, "copy%s", path);
        break;
    case 4:
        if (p->result) {
            snprintf(out, bytes, "o@[i * %u + %u]", p->width, pick(p, p->width));
            break;
        }
        /* fallthrough */
    default:
        snprintf(out, bytes, "f@[i]%s", path);
    }
}

/* ---- statements ---- */

/* Forms that not every struct has; false when this one lacks it. */
static bool print_special(struct program *p, const char *value, const char *index)
{
    const struct random_path *way;
    char path[200], type[16];

    switch (pick(p, 4)) {
    case 0:
        way = random_path(p, path, sizeof path);
        if (p->type.packed || way->components ||
            (strcmp(way->type, "int") && strcmp(way->type, "uint")))
            return false;
        fprintf(p->out, "    %s(&f@[i]%s, %s);\n",
                ONE_OF(p, 3, "atomic_add", "atomic_max", "atomic_xor"), path, value);
        return true;
    case 1:
        way = print_run(p, "f@[i]", 2, path, sizeof path);
        if (!way)
            return false;
        snprintf(type, sizeof type, "%s2", way->type);
        fprintf(p->out, "    vstore2((%s)(%s, %s), 0, %s);\n", type, value, value, path);
        return true;
    case 2:
        if (!p->type.has_inner)
            return false;
        fprintf(p->out, "    f@[i].in = g@[AT@(%s)].in;\n", index);
        return true;
    default:
        if (!p->result || p->width < 2)
            return false;
        fprintf(p->out, "    vstore2((float2)(%s, i), 0, %s + %u);\n", value,
                ONE_OF(p, 2, "row", "o@ + WIDTH@ * i"), pick(p, p->width - 1));
        return true;
    }
}

static void print_statement(struct program *p)
{
    char target[400], a[512], b[512], index[192];

    print_target(p, target, sizeof target);
    print_value(p, a, sizeof a);
    print_value(p, b, sizeof b);
    random_index(p, index, sizeof index);
    if (random_more_statement(p, a, index))
        return;
    switch (pick(p, 19)) {
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
        fprintf(p->out, "    copy = g@[AT@(%s)];\n", index);
        break;
    case 4:
        fprintf(p->out, "    f@[i] = %s;\n",
                ONE_OF(p, 3, "copy", "*q", "g@[AT@(n - 1 - i)]"));
        break;
    case 5:
        fprintf(p->out, "    q = %s;\n",
                ONE_OF(p, 4, "&g@[AT@(n - 1 - i)]", "g@ + AT@(i)",
                       "i & 1 ? g@ + AT@(0) : &g@[AT@(i)]", "g@ + AT@(0)"));
        break;
    case 6:
        fprintf(p->out, "    if (%s > %s)\n        %s = %s;\n", a, b, target, b);
        break;
    case 7:
        fprintf(p->out, "    for (k = 0; k < %u; k++)\n        %s += %s;\n",
                1 + pick(p, 4), target, a);
        break;
    case 8:
        fprintf(p->out, "    bump@(&f@[i], %u, &copy);\n", pick(p, 5));
        break;
    case 9:
        fprintf(p->out, "    SET@(%s, %s);\n", target, a);
        break;
    case 10:
        fprintf(p->out, "    %s = (i & %u) ? %s : %s;\n", target, 1 + pick(p, 3), a, b);
        break;
    case 11:
        fprintf(p->out,
                "    for (__global const cell@ *r = g@ + AT@(i / 2), *e = g@ + AT@(i); r "
                "< e; "
                "r++)\n"
                "        %s += (int)(e - r) + num(r->%s);\n",
                target, p->own + 1);
        break;
    case 12:
        fprintf(p->out,
                "    for (q = g@ + AT@(i %% %u); q < g@ + AT@(n); q += 1 + n / %u)\n"
                "        %s += num(q->%s);\n    q = g@ + AT@(%s);\n",
                1 + pick(p, 3), 2 + pick(p, 4), target, p->own + 1, index);
        break;
    case 13:
        fprintf(p->out, "    f@[i] = changed@(%s, %s);\n",
                ONE_OF(p, 3, "f@[i]", "copy", "*mine"), a);
        break;
    case 14:
        fprintf(p->out,
                "    {\n        cell@ two[2];\n\n        two[i & 1] = g@[AT@(%s)];\n"
                "        two[~i & 1] = copy;\n        %s = num(two[%u]%s);\n    }\n",
                index, target, pick(p, 2), p->own);
        break;
    case 15:
    case 16:
        if (print_special(p, a, index))
            break;
        /* fallthrough */
    default:
        fprintf(p->out, "    %s = %s + %s;\n", target, a, b);
    }
}

/* ---- programs ---- */

static void begin(struct program *p, uint32_t seed)
{
    memset(p, 0, sizeof *p);
    p->random.state = seed * 2654435761u + 12345u;
    p->flat = pick(p, 2);
    p->result = !pick(p, 3);
    p->constant = !pick(p, 3);
    p->rebased = !pick(p, 4);
    p->aliased = !pick(p, 3);
    p->overloads = pick(p, 2);
    p->width = 1 + pick(p, 7);
    p->tail = pick(p, 2) ? pick(p, p->width) : 0;
    random_rename(p);
}

/* Types, macros and helpers. */
static void print_head(struct program *p)
{
    random_struct_print(&p->random, p->out, &p->type);
    fprintf(p->out,
            "#define NEXT@(x) (((x) + 1) %% n)\n"
            "#define AT@(x) ((int)(x)%s)\n"
            "#define GET@(k) (g@[AT@(k)])\n"
            "#define MINE@ f@[i]\n"
            "#define SET@(to, value) do { (to) = (value); } while (0)\n"
            "#define WIDTH@ %u\n",
            p->rebased ? " - 1" : "", p->width);
    do
        random_path(p, p->own, sizeof p->own);
    while (strchr(p->own, '%'));
    fprintf(p->out,
            "void bump@(__global cell@ *c, int i, cell@ *to)\n{\n"
            "    (*c)%s += 1;\n    *to = c[0];\n}\n",
            p->own);
    fprintf(p->out,
            "cell@ pick_one@(__global const cell@ *g, int i, int way)\n{\n"
            "    __global const cell@ *p = g + i;\n\n"
            "    return way ? *p : g[i];\n}\n"
            "int weigh@(cell@ c)\n{\n    return num(c%s) ^ 5;\n}\n"
            "cell@ changed@(cell@ c, int by)\n{\n    c%s = by;\n    return c;\n}\n",
            p->own, p->own);
    if (p->overloads)
        random_overloads(p);
    if (p->constant)
        fprintf(p->out,
                "int peek@(__constant cell@ *c, int by)\n{\n"
                "    return num(c->%s) + by;\n}\n",
                p->own + 1);
    if (p->flat)
        fprintf(p->out, "float row_sum@(__global const float *row, int k)\n{\n"
                        "    return row[k] + *row;\n}\n");
}

static void print_note(struct program *p)
{
    fprintf(p->out, "//DL: AoS: f@[n]%s, g@[n]%s%s%s\n", p->aliased ? ", a@[n]" : "",
            p->constant ? ", c@[n]" : "", p->flat ? ", h@[n][WIDTH@]" : "",
            p->result ? ", o@[n][WIDTH@]" : "");
}

static void print_parameters(struct program *p)
{
    fprintf(p->out, "__global cell@ *f@, %s__global const cell@ *g@, %s%s%s",
            p->aliased ? "__global cell@ *a@, " : "",
            p->constant ? "__constant cell@ *c@, " : "",
            p->flat ? "__global const float *h@, " : "",
            p->result ? "__global float *o@, " : "");
}

static void print_body(struct program *p)
{
    unsigned statements = 3 + pick(p, 10);

    fprintf(p->out, "    {\n    int i = get_global_id(0), k = 0;\n");
    if (p->rebased)
        fprintf(p->out, "    g@ += 1;\n");
    fprintf(p->out,
            "    __global cell@ *mine = %s;\n"
            "    __global const cell@ *q = g@ + AT@(0);\n"
            "    cell@ copy = f@[i];\n",
            ONE_OF(p, 3, "&f@[i]", "f@ + i", "&MINE@"));
    if (p->result)
        fprintf(p->out, "    __global float *row = o@ + i * %u;\n\n    row[0] -= i;\n",
                p->width);
    while (statements--)
        print_statement(p);
    fprintf(p->out, "    f@[i]%s += k;\n    }\n", p->own);
}

/* Appends a piece of the seed's program, the seed put for @. */
static void add_piece(struct program *p, uint32_t seed, void (*print)(struct program *),
                      FILE *out)
{
    char *text = NULL;
    size_t bytes;

    p->out = open_memstream(&text, &bytes);
    if (!p->out)
        abort();
    print(p);
    fclose(p->out);
    for (const char *at = text; *at; at++) {
        bool starts = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');

        for (unsigned r = 0; r < p->renamed_count && starts; r++) {
            if (strncmp(at, p->renamed[r].from, strlen(p->renamed[r].from)) != 0)
                continue;
            fprintf(out, "%.*s", (int)strlen(p->renamed[r].to) - 1, p->renamed[r].to);
            at += strlen(p->renamed[r].from) - 1;
            break;
        }
        if (*at == '@')
            fprintf(out, "_%u", seed);
        else
            fputc(*at, out);
    }
    free(text);
}

char *random_program(uint32_t first, unsigned count)
{
    struct program *programs = calloc(count, sizeof *programs);
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (!programs || !out)
        abort();
    random_macros(&(struct random){first * 747796405u + 1}, out);
    fprintf(out, "int num(float x)\n{\n"
                 "    return x > -1e6f && x < 1e6f ? (int)(x * 16.0f) : 7;\n}\n");
    for (unsigned i = 0; i < count; i++) {
        begin(&programs[i], first + i);
        add_piece(&programs[i], first + i, print_head, out);
    }
    for (unsigned i = 0; i < count; i++)
        add_piece(&programs[i], first + i, print_note, out);
    fprintf(out, "__kernel void go(");
    for (unsigned i = 0; i < count; i++)
        add_piece(&programs[i], first + i, print_parameters, out);
    fprintf(out, "int n)\n{\n");
    for (unsigned i = 0; i < count; i++)
        add_piece(&programs[i], first + i, print_body, out);
    fprintf(out, "}\n// run: go");
    for (unsigned i = 0; i < count; i++) {
        const struct program *p = &programs[i];

        for (int k = 0; k < 2 + p->constant; k++) {
            fprintf(out, " structs%s", p->type.padding);
            if (!k && p->aliased)
                fprintf(out, " same:-1");
        }
        for (int k = 0; k < p->flat + p->result; k++)
            fprintf(out, p->tail ? " structs~%u" : " structs", p->tail * 4);
    }
    fprintf(out, " n\n");
    fclose(out);
    free(programs);
    return text;
}
