/* SPDX-License-Identifier: MIT */
/* What random programs read and write: indices, the ways to scalars, values and targets.
 */
#include "random_parts.h"

#include <stdlib.h>
#include <string.h>

static unsigned pick(struct program *p, unsigned count)
{
    return random_pick(&p->random, count);
}

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

const struct random_path *random_run(struct program *p, const char *of, unsigned lanes,
                                     char *out, size_t bytes)
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

/* Scalars of structs. */
static const char *const plain_forms[] = {"(&g@[AT@($i)])->$m",
                                          "(*(g@ + AT@($i)))$p",
                                          "GET@($i)$p",
                                          "q->$m",
                                          "f@[i]$p",
                                          "copy$p",
                                          "q[(int)AT@($i) - (int)(q - g@)]$p",
                                          "(pick_one@(g@, AT@($i), i & 1)$p)",
                                          "(g@ + AT@(n - 1))[-(int)($i)]$p",
                                          "weigh@(g@[AT@($i)])",
                                          "(i & 1 ? g@ + AT@($i) : q)->$m"};
enum { PLAIN_FORMS = sizeof plain_forms / sizeof *plain_forms, RARE_FORMS = 5 };

/* A form that not every program or path has; the next one stands in for one that is
 * missing. `path` becomes the run of a form that loads from one. */
static const char *rare_form(struct program *p, unsigned number,
                             const struct random_path *way, const char *index, char *path,
                             size_t bytes)
{
    char of[256];

    switch (number) {
    case 0:
        if (p->constant)
            return ONE_OF(p, 2, "c@[$i]$p", "(c@ + ($i))->$m");
        /* fallthrough */
    case 1:
        if (p->constant)
            return "peek@(c@ + ($i), i & 3)";
        /* fallthrough */
    case 2:
        snprintf(of, sizeof of, "g@[AT@(%s)]", index);
        if (find_run(p, 2)) {
            random_run(p, of, 2, path, bytes);
            return "vload2(0, $p).$(x|y)";
        }
        /* fallthrough */
    case 3:
        if (!strcmp(way->type, "float"))
            return "(as_uint(g@[AT@($i)]$p) >> 13)";
        /* fallthrough */
    default:
        return "(g@[AT@($i)]$p > 2 && !(f@[i]$o < 1))";
    }
}

/* A scalar read from any buffer. */
static void print_scalar(struct program *p, char *out, size_t bytes)
{
    const char *form = "g@[AT@($i)]$p";
    const struct random_path *way;
    char index[192], path[128];
    unsigned number;
    FILE *file;

    random_index(p, index, sizeof index);
    if (random_more_scalar(p, index, out, bytes))
        return;
    if (p->arrays && !pick(p, 4)) {
        random_array_scalar(p, index, out, bytes);
        return;
    }
    if (p->flat && !pick(p, 3)) {
        random_flat_scalar(p, index, out, bytes);
        return;
    }
    way = random_path(p, path, sizeof path);
    number = pick(p, PLAIN_FORMS + RARE_FORMS + 2);
    if (number < PLAIN_FORMS)
        form = plain_forms[number];
    else if (number < PLAIN_FORMS + RARE_FORMS)
        form = rare_form(p, number - PLAIN_FORMS, way, index, path, sizeof path);
    file = fmemopen(out, bytes, "w");
    if (!file)
        abort();
    random_fill(p, form, &(struct random_words){.index = index, .path = path}, file);
    fclose(file);
}

/* What C leaves open must not come into it. */
void random_value(struct program *p, char *out, size_t bytes)
{
    char scalar[480];

    print_scalar(p, scalar, sizeof scalar);
    snprintf(out, bytes, "num(%s)", scalar);
}

void random_target(struct program *p, char *out, size_t bytes)
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
