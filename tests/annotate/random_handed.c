/* SPDX-License-Identifier: MIT */
/* Buffers in structs that are handed on, in random programs. */
#include "random_parts.h"

/* Buffers in a struct that is handed on. Where both are f@, an item stays with its own
 * struct. */
void random_handed_helpers(struct program *p)
{
    fprintf(p->out,
            "struct kept@ {\n    int k;\n    __global const void *from;\n};\n"
            "struct ctx@ {\n    __global cell@ *to;\n    __global const cell@ *from;\n"
            "    __global const float *row;\n    int n;\n};\n"
            "int through@(const struct ctx@ *c, int i, int k)\n{\n"
            "    __global const cell@ *mine = c->from + i;\n\n"
            "    return num(c->from[k]%s) + num(mine->%s)%s;\n}\n"
            "void skip@(struct ctx@ *c, int by)\n{\n%s}\n"
            "int nested@(struct ctx@ c, int i)\n{\n%s"
            "    if (c.to)\n        c.to[i]%s += 1;\n"
            "    return through@(&c, i, %s);\n}\n",
            p->own, p->own + 1, p->flat ? " + num(c->row[WIDTH@ * i])" : "",
            !p->moved ? "    c->n += by - by;\n"
            : p->flat ? "    c->from += by;\n    c->row += WIDTH@ * by;\n"
                      : "    c->from += by;\n",
            p->moved ? "    skip@(&c, i);\n    --c.to;\n    c.to++;\n    skip@(&c, -i);\n"
                     : "",
            p->own, p->rebased ? "i" : "c.n - 1 - i");
}

void random_handed_statement(struct program *p)
{
    const char *from = p->rebased ? "f@" : "g@";

    if (p->moved)
        fprintf(
            p->out,
            ONE_OF(p, 2,
                   "    {\n        struct ctx@ c = {.n = n, .to = mine, .row = %3$s%4$s, "
                   ".from = %1$s};\n\n        if (c.to)\n            c.to -= i;\n"
                   "        k += nested@(c, i);\n",
                   "    {\n        struct ctx@ c = {0}, d;\n\n        k += !c.to;\n"
                   "        c.to = &f@[i];\n        c.from = %2$s + 1;\n"
                   "        c.row = %3$s;\n        c.n = n;\n        c.from -= 1;\n"
                   "        k += num((c.to++)->%5$s);\n        d = c;\n"
                   "        c.to = d.to - (i + 1);\n        k -= nested@(c, i);\n"),
            from, from, p->flat ? "h@" : "0", p->flat ? " + WIDTH@ * 0" : "", p->own + 1);
    else
        fprintf(p->out,
                ONE_OF(p, 2,
                       "    {\n        struct ctx@ c = {f@, %s, %s, n};\n\n"
                       "        k += nested@(c, i);\n",
                       "    {\n        struct ctx@ c;\n\n        c.to = f@;\n"
                       "        c.from = %s;\n        c.row = %s;\n        c.n = n;\n"
                       "        k -= nested@(c, i);\n"),
                from, p->flat ? "h@" : "0");
    fprintf(p->out, "        c.to[i]%s += through@(&c, i, %s);\n    }\n", p->own,
            p->rebased ? "i" : ONE_OF(p, 3, "n - 1 - i", "i", "i / 2"));
    /* What it comes from is kept, and never read. */
    fprintf(p->out, "    {\n        struct kept@ s = {k};\n\n"
                    "        s.from = &f@[i];\n        s.from = mine;\n"
                    "        k = s.k + 1;\n    }\n");
}
