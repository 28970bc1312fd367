/* SPDX-License-Identifier: MIT */
/* Discrete arrays in random programs: soa@ is read, to_soa@ is written, p->arrays of
 * them, each LONG@ long. */
#include "random_parts.h"

static unsigned pick(struct program *p, unsigned count)
{
    return random_pick(&p->random, count);
}

void random_array_helpers(struct program *p)
{
    fprintf(p->out,
            "typedef %s value@;\n#define LONG@ %s\n"
            "#define SOA@(k, x) soa@[(k) * LONG@ + (x)]\n"
            "float fetch@(__global const value@ *d, int length, int k, int x)\n{\n"
            "    return d[k * length + x] - d[x];\n}\n"
            "float all_of@(__global const value@ *d, int x, int length)\n{\n"
            "    float all = 0.0f;\n\n"
            "    for (int k = 0; k < %u; k++, d += length)\n        all += d[x];\n"
            "    return all;\n}\n"
            "void put@(__global value@ *to, int n, int by)\n{\n"
            "    *to = by;\n    to[n] += 1;\n}\n",
            p->narrow ? "short" : "float", p->narrow ? RANDOM_LONG : "n", p->arrays);
}

/* An element, whose place in its array is `index`. */
void random_array_scalar(struct program *p, const char *index, char *out, size_t bytes)
{
    unsigned k = pick(p, p->arrays), next = k + 1 < p->arrays ? k + 1 : k;
    const char *form = NULL;

    switch (pick(p, 9)) {
    case 0:
        snprintf(out, bytes, "num(SOA@(%u, %s))", k, index);
        return;
    case 1:
        snprintf(out, bytes, "num(soa@[%s + LONG@ * %u])", index, k);
        return;
    case 2:
        snprintf(out, bytes, "num(soa@[%u * LONG@ - 1 - (%s)])", k + 1, index);
        return;
    case 3:
        snprintf(out, bytes, "num(fetch@(soa@, LONG@, %u, %s))", k, index);
        return;
    case 4:
        snprintf(out, bytes, "num(all_of@(soa@, %s, LONG@))", index);
        return;
    case 5:
        snprintf(out, bytes, "num(soa@[(%s) * %u + %u])", index, p->arrays, k);
        return;
    case 6:
        form = ONE_OF(p, 4, "(uint)", "(long)", "(size_t)", "(int)");
        snprintf(out, bytes, "num(soa@[%sLONG@ * %u + %s(%s)])", form, k, form, index);
        return;
    case 7:
        snprintf(out, bytes, "num((soa@ + (i & 1 ? %u * LONG@ : LONG@ * %u))[%s])", k,
                 next, index);
        return;
    default:
        snprintf(out, bytes, "num(*(&soa@[%u * LONG@] + (%s) - LONG@))", next, index);
        if (!next)
            snprintf(out, bytes, "num(soa@[%s])", index);
    }
}

/* Writes elements of the item's own. */
void random_array_statement(struct program *p, const char *value)
{
    unsigned k = pick(p, p->arrays), rest = p->arrays - k;

    switch (pick(p, 6)) {
    case 0:
        fprintf(p->out, "    to_soa@[%u * LONG@ + i] += %s;\n", k, value);
        return;
    case 1:
        fprintf(p->out, "    *(to_soa@ + i + LONG@ * %u) = %s;\n", k, value);
        return;
    case 2:
        fprintf(p->out,
                "    for (k = 0; k < %u; k++)\n        to_soa@[(%u + k) * LONG@ + i] -= "
                "%s;\n",
                1 + pick(p, rest), k, value);
        return;
    case 3:
        fprintf(p->out,
                "    for (__global value@ *e = to_soa@ + i + %u * LONG@; e < to_soa@ + "
                "%u * LONG@; e += LONG@)\n"
                "        *e += %s;\n",
                k, p->arrays, value);
        return;
    case 4:
        fprintf(p->out, "    put@(to_soa@ + %u * LONG@ + i, LONG@, %s);\n",
                pick(p, p->arrays - 1), value);
        return;
    default:
        fprintf(
            p->out,
            "    {\n        const int length = LONG@;\n        value@ kept = SOA@(0, "
            "i);\n\n"
            "        (to_soa@ + length)[%u * length + i - LONG@] = kept + %s;\n    }\n",
            k, value);
    }
}
