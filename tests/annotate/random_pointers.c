/* SPDX-License-Identifier: MIT */
/* The parts of random programs that point into structs, may point nowhere, or get
 * pointers from helpers. */
#include <string.h>

#include "random_parts.h"

static unsigned pick(struct program *p, unsigned count)
{
    return random_pick(&p->random, count);
}

void random_pointer_helpers(struct program *p)
{
    fprintf(p->out,
            "__global const cell@ *some@(__global const cell@ *g, int i)\n{\n"
            "    __global const cell@ *p = g + i;\n\n"
            "    return i %% 5 == 4 ? g : i & 1 ? &g[i] : p;\n}\n"
            "__global const cell@ *larger@(__global const cell@ *a, "
            "__global const cell@ *b)\n{\n"
            "    return !a || (b && num(b->%s) > num(a->%s)) ? b : a;\n}\n",
            p->own + 1, p->own + 1);
    fprintf(p->out,
            "int alike@(__global const cell@ *a, __global const cell@ *b)\n{\n"
            "    return a == b ? 2 : b ? num(a->%s) > num(b->%s) : 5;\n}\n",
            p->own + 1, p->own + 1);
    fprintf(p->out,
            "__global const cell@ *either@(__global const cell@ *a, "
            "__global const cell@ *b, int way)\n{\n"
            "    __global const cell@ *p = a;\n\n    if (way == 2)\n        return 0;\n"
            "    if (way)\n        p = b;\n    return p + 0;\n}\n");
    fprintf(p->out,
            "void put_bytes@(__global void *d, __global const void *s, int n)\n{\n"
            "    __global const char *b = s;\n    __global uchar *to = d;\n\n"
            "    while (n-- > 0)\n        *to++ = *b++;\n}\n"
            "int sum_bytes@(__global const uchar *s, int n)\n{\n"
            "    int k, sum = 0;\n\n    for (k = 0; k < n; k++)\n"
            "        sum = sum * 3 + s[k];\n    return sum & 1023;\n}\n");
    if (p->type.has_inner)
        fprintf(p->out,
                "__global const inner@ *in_of@(__global const cell@ *g)\n{\n"
                "    return &g->in;\n}\n"
                "void nudge@(__global inner@ *p, __global const inner@ *by)\n{\n"
                "    p->fx += 0.5f * by->fx;\n    (*p).fy -= p[0].fy + by->fy;\n}\n");
}

/* An array of scalars in a struct. */
static const struct random_path *find_array(struct program *p, char *out, size_t bytes)
{
    const struct random_path *path = &p->type.paths[pick(p, p->type.path_count)];

    if (!path->is_run || p->type.packed)
        return NULL;
    snprintf(out, bytes, "%.*s", (int)(strrchr(path->text, '[') - path->text),
             path->text);
    return path;
}

/* One pointer into one of several buffers. */
static const char *const either_forms[] = {
    "    {\n        __global const cell@ *e = $a > $9 ? mine : q;\n\n"
    "        $t += num(e->$O) + weigh@(*e);\n        e = e ? e : 0;\n"
    "        $t -= (e != 0) + later_on@(e, $5);\n    }\n",
    "    {\n        __global const cell@ *e = NULL;\n\n"
    "        for (k = 0; k < n; k += 2) {\n            if (k % 3)\n"
    "                e = &g@[AT@(k)];\n            else if (!e || k & 4)\n"
    "                e = f@ + i;\n            $t += num((*e)$o);\n        }\n"
    "        copy = e[0];\n    }\n",
    "    {\n        __global const cell@ *x = q, *y = f@, *z = 0;\n\n"
    "        for (y += i, k = 0; k < $5; k++) {\n            $t += num(x->$O) * 3;\n"
    "            z = x, x = y, y = z;\n        }\n"
    "        copy = pick_one@(x, 0, k & 1);\n        f@[i] = *(y + 0);\n    }\n",
    "    {\n        __global const cell@ *e = either@(q, f@ + i, i % 3), *x = mine;\n\n"
    "        $t += (e == x) + 2 * (x != q) + 4 * (&g@[AT@(0)] == e);\n"
    "        x = either@(x, q, $<2);\n        e = some@(x, 0);\n"
    "        $t -= num(e->$O) + (int)(e - x) + (e <= x);\n    }\n",
    "    {\n        __global const cell@ *e;\n\n        e = ($i) & 1 ? &g@[AT@(0)] : "
    "f@;\n"
    "        e = ($i) & 1 ? e + ($i) : &e[i];\n        $t -= num(e->$O);\n    }\n",
};

static bool print_array(struct program *p, const char *value, const char *index)
{
    char array[64];
    const struct random_path *path = find_array(p, array, sizeof array);

    if (!path)
        return false;
    fprintf(p->out,
            "    {\n        __global %s *r = f@[i]%s, *e = r + %u;\n"
            "        __global const %s *s = &*(g@[AT@(%s)]%s + %u);\n\n",
            path->type, array, path->count, path->type, index, array,
            pick(p, path->count));
    if (path->count > 1 && !p->type.has_wide_union)
        fprintf(p->out, "        vstore2(vload2(0, r).yx + vload2(0, e - 2), 0, r);\n");
    fprintf(p->out,
            ONE_OF(p, 4,
                   "        for (; r < e; r++)\n            *r += (%s) + *s;\n    }\n",
                   "        r[(i + 1) & 1] = (%s) - s[0];\n        *--e = *r++;\n    }\n",
                   "        while (r != e)\n            *r++ += %s;\n        e -= 1;\n"
                   "        *e += s[0] + (int)(e - r);\n    }\n",
                   "        s = i & 2 ? s : g@[AT@(%2$s)]%3$s;\n        *(1 + r) += "
                   "(%1$s) * s[0];\n"
                   "    }\n"),
            value, index, array);
    return true;
}

/* Single bytes of an array of wider scalars. */
static bool print_bytes(struct program *p, const char *value, const char *index)
{
    char array[64], target[400];
    const struct random_path *path = find_array(p, array, sizeof array);
    unsigned bytes;

    if (!path)
        return false;
    bytes = path->count * random_bytes_of(path->type);
    random_target(p, target, sizeof target);
    fprintf(p->out,
            "    {\n        __global uchar *r = (__global uchar *)f@[i]%s;\n"
            "        __global const void *s = g@[AT@(%s)]%s;\n\n",
            array, index, array);
    fprintf(
        p->out,
        ONE_OF(p, 4,
               "        put_bytes@(r, s, %4$u);%2$.0s\n"
               "        %3$s += r[(uint)(%1$s) %% %4$u];\n    }\n",
               "        put_bytes@(f@[i]%2$s, s, %4$u);\n"
               "        %3$s -= sum_bytes@(s, %4$u) + sum_bytes@(r + 1, ((%1$s) & 1) + "
               "1);\n    }\n",
               "        for (k = 0; k < %4$u; k++)\n"
               "            *r++ = ((__global const uchar *)s)[k];\n"
               "        %3$s += ((__global const char *)f@[i]%2$s)[(uint)(%1$s) %% "
               "%4$u];\n    }\n",
               "        put_bytes@(&f@[i]%2$s[1], (__global const char *)s + "
               "%4$u - %5$u, %5$u);\n"
               "        %3$s -= sum_bytes@((__global const uchar *)(g@[AT@(0)]%2$s + 0), "
               "(%1$s) & 3);\n    }\n"),
        value, array, target, bytes, bytes / path->count);
    return true;
}

static bool print_inner(struct program *p, const char *value, const char *index)
{
    if (!p->type.has_inner || p->type.packed)
        return false;
    fprintf(p->out, "    {\n        __global inner@ *r = &%s;\n\n",
            ONE_OF(p, 3, "f@[i].in", "mine->in", "(*(f@ + i)).in"));
    fprintf(p->out,
            ONE_OF(p, 4, "        r->fx += %s;\n        nudge@(r, &q->in);\n    }\n",
                   "        (*r).fy = %s;\n"
                   "        r->fx *= g@[AT@(%s)].in.fx > 1.25f ? 2.0f : -0.5f;\n    }\n",
                   "        nudge@(&f@[i].in, r);\n        r->fx -= %s;\n    }\n",
                   "        nudge@(r, in_of@(some@(&g@[AT@(0)], i)));\n"
                   "        r[0].fy += %s;\n    }\n"),
            value, index);
    return true;
}

/* Elements of an array of structs in a struct. */
static bool print_inner_array(struct program *p, const char *value, const char *index)
{
    const struct random_path *path = NULL;
    int bytes;

    for (unsigned i = 0; i < p->type.path_count && !path; i++)
        if (strstr(p->type.paths[i].text, "[%s].fx"))
            path = &p->type.paths[i];
    /* A pointer to a member that is none must not be moved. */
    if (!path || p->type.has_inner || p->type.packed)
        return false;
    bytes = (int)(strchr(path->text, '[') - path->text);
    fprintf(p->out,
            "    {\n        __global inner@ *r = f@[i]%.*s, *e = r + %u;\n"
            "        __global const inner@ *s = &g@[AT@(%s)]%.*s[i & 1];\n\n",
            bytes, path->text, path->count, index, bytes, path->text);
    fprintf(p->out,
            ONE_OF(p, 2,
                   "        for (; r != e; ++r)\n"
                   "            r->fx -= s->fx + (%s);\n    }\n",
                   "        r[i & 1].fy += %s;\n        (--e)->fy ^= s->fy;\n"
                   "        (r + 1)->fx = (float)(e - r);\n    }\n"),
            value);
    return true;
}

/* A pointer to one of two scalars of the item's own. */
static bool print_chosen(struct program *p, const char *value)
{
    const struct random_path *ways[2] = {NULL}, *way;

    for (unsigned i = 0; i < p->type.path_count && !ways[1]; i++) {
        way = &p->type.paths[i];
        /* Pointers to members of a union may be moved past the other members. */
        if (!way->components && !strchr(way->text, '[') &&
            (!strchr(way->text + 1, '.') || !strncmp(way->text, ".in.", 4)) &&
            (!strcmp(way->type, "int") || !strcmp(way->type, "float")) &&
            (!ways[0] || !strcmp(way->type, ways[0]->type)))
            ways[ways[0] != NULL] = way;
    }
    ways[1] = ways[1] ? ways[1] : ways[0];
    if (!ways[0] || p->type.packed || p->type.has_wide_union)
        return false;
    fprintf(
        p->out,
        "    {\n        __global %s *chosen = 0, *set;\n\n"
        "        switch (i & 3) {\n        case 0:\n            break;\n"
        "        case 1:\n            chosen = &f@[i]%s;\n            break;\n"
        "        default:\n            chosen = (%s) & 1 ? &(f@ + i)->%s : &mine->%s;\n"
        "        }\n        set = chosen ? chosen : &f@[i]%s;\n",
        ways[0]->type, ways[0]->text, value, ways[1]->text + 1, ways[0]->text + 1,
        ways[pick(p, 2)]->text);
    fprintf(p->out,
            ONE_OF(p, 2, "        *set += %u;\n    }\n",
                   "        atomic_xchg(set, *set + %u);\n    }\n"),
            pick(p, 9));
    return true;
}

static const char *const null_forms[] = {
    "    {\n        __global const cell@ *best = 0;\n\n"
    "        for (k = 0; k < n; k += 3)\n"
    "            if (num(g@[AT@(k)]$o) > $a)\n                best = &g@[AT@(k)];\n"
    "        if (best)\n            $t += num(best->$O);\n"
    "        $t -= best == q;\n    }\n",
    "    {\n        __global const cell@ *best = NULL;\n\n"
    "        for (k = 0; k < n; k++)\n"
    "            best = larger@(best, k % 3 ? &g@[AT@(k)] : 0);\n"
    "        $t += best != 0 ? num(best->$O) : $5;\n    }\n",
    "    $t += num(some@(g@ + AT@(0), i)->$O);\n",
    "    q = larger@(q, some@(&g@[AT@(0)], $i));\n",
    "    $t += alike@(q, 0) + alike@(q, &g@[AT@($i)]) + alike@(f@ + i, NULL);\n",
};

/* Pointers in a private array. */
static const char *const array_forms[] = {
    "    {\n        __global const cell@ *w[3];\n\n"
    "        for (k = 0; k < 3; k++)\n            w[k] = &g@[AT@((i + k * $5) % n)];\n"
    "        $t += num(w[$<3]->$O) - (w[i % 3] == w[1]) + (int)(w[2] - w[$<3]);\n"
    "        copy = *w[i & 1];\n    }\n",
    "    {\n        __global const cell@ *z = g@ + AT@($i), *w[2];\n\n"
    "        w[i & 1] = z;\n        w[~i & 1] = g@ + AT@(0);\n"
    "        if (w[0] > w[1])\n            z = w[0], w[0] = w[1], w[1] = z;\n"
    "        for (; w[0] < w[1]; w[0]++)\n            $t -= num(w[0][0]$o);\n"
    "        $t += num((*w[$<2])$o) + later_on@(w[1], $5);\n    }\n",
};

bool random_pointer_statement(struct program *p, const char *value, const char *index)
{
    char target[400];
    const struct random_words words = {.index = index, .target = target, .a = value};

    switch (pick(p, 10)) {
    case 7:
    case 8:
        if (print_bytes(p, value, index))
            return true;
        break;
    case 5:
    case 6:
        return print_chosen(p, value);
    case 4:
        random_target(p, target, sizeof target);
        random_fill(p, array_forms[pick(p, sizeof array_forms / sizeof *array_forms)],
                    &words, p->out);
        return true;
    case 3:
        random_target(p, target, sizeof target);
        random_fill(p, either_forms[pick(p, sizeof either_forms / sizeof *either_forms)],
                    &words, p->out);
        return true;
    case 0:
        if (print_array(p, value, index))
            return true;
        /* fallthrough */
    case 1:
        if (print_inner(p, value, index) || print_inner_array(p, value, index))
            return true;
        /* fallthrough */
    case 2:
        random_target(p, target, sizeof target);
        random_fill(p, null_forms[pick(p, sizeof null_forms / sizeof *null_forms)],
                    &words, p->out);
        return true;
    default:
        break;
    }
    return false;
}
