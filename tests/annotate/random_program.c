/* SPDX-License-Identifier: MIT */
/* Random annotated programs. In the templates @ stands for the seed, which makes names
 * unique. */
#include "random_program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "random_parts.h"

static unsigned pick(struct program *p, unsigned count)
{
    return random_pick(&p->random, count);
}

/* ---- statements ---- */

/* Forms that not every struct has; false when this one lacks it. */
static bool print_special(struct program *p, const char *value, const char *index)
{
    const struct random_path *way;
    char path[200], type[16];

    switch (pick(p, 5)) {
    case 0:
        way = random_path(p, path, sizeof path);
        if (p->type.packed || way->components ||
            (strcmp(way->type, "int") && strcmp(way->type, "uint")))
            return false;
        fprintf(p->out, "    %s&f@[i]%s, %s);\n",
                ONE_OF(p, 3, "atomic_add(", "atomic_max(", "atomic_xor("), path, value);
        return true;
    case 1:
        way = random_run(p, "f@[i]", 2, path, sizeof path);
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
    case 3:
        if (!p->type.eight[0] || p->type.packed)
            return false;
        fprintf(p->out,
                "    vstore8(vload8(0, (__global const uchar *)&g@[AT@(%s)]%s) + "
                "(uchar)(%s), 0,\n            (__global uchar *)&f@[i]%s);\n"
                "    *(__global uchar4 *)&mine->%s = (*(__global const uchar4 "
                "*)&q->%s).wxyz;\n",
                index, p->type.eight, value, p->type.eight, p->type.eight + 1,
                p->type.eight + 1);
        return true;
    default:
        if (!p->result || p->width < 2)
            return false;
        fprintf(p->out, "    vstore2((float2)(%s, i), 0, %s + %u);\n", value,
                ONE_OF(p, 2, "row", "o@ + WIDTH@ * i"), pick(p, p->width - 1));
        return true;
    }
}

static const char *const statement_forms[] = {
    "$t += $a;",
    "$t += later_on@($(q|&g@[AT@(n - 1 - i)]), $9);",
    "$t -= $a * 3;",
    "$t++;",
    "copy = g@[AT@($i)];",
    "f@[i] = $(copy|*q|g@[AT@(n - 1 - i)]);",
    "q = $(&g@[AT@(n - 1 - i)]|g@ + AT@(i)|i & 1 ? g@ + AT@(0) : &g@[AT@(i)]|g@ + "
    "AT@(0));",
    "if ($a > $b)\n        $t = $b;",
    "for (k = 0; k < $4; k++)\n        $t += $a;",
    "bump@(&f@[i], $<5, &copy);",
    "SET@($t, $a);",
    "$t = (i & $3) ? $a : $b;",
    "for (__global const cell@ *r = g@ + AT@(i / 2), *e = g@ + AT@(i); r < e; r++)\n"
    "        $t += (int)(e - r) + num(r->$O);",
    "for (q = g@ + AT@(i % $3); q < g@ + AT@(n); q += 1 + n / (1 + $4))\n"
    "        $t += num(q->$O);\n    q = g@ + AT@($i);",
    "f@[i] = changed@($(f@[i]|copy|*mine), $a);",
    "$t += num(((__global const cell@ *)((__global const char *)g@ + AT@($i) * "
    "sizeof(cell@)))->$O);",
    "{\n        __global const uchar *octets = (__global const uchar *)(g@ + AT@(n - 1 - "
    "i));\n\n        octets -= (n - 1 - i) * (int)sizeof(cell@);\n"
    "        octets = (size_t)i * sizeof(cell@) + octets;\n"
    "        $t += num(((__global const cell@ *)octets)->$O);\n    }",
    "{\n        cell@ two[2];\n\n        two[i & 1] = g@[AT@($i)];\n"
    "        two[~i & 1] = copy;\n        $t = num(two[$<2]$o);\n    }",
};
enum {
    STATEMENTS = sizeof statement_forms / sizeof *statement_forms,
    SPECIAL = 3,
    USUAL = 2
};

static void print_statement(struct program *p)
{
    char target[400], a[512], b[512], index[192];
    const struct random_words words = {.index = index, .target = target, .a = a, .b = b};
    unsigned number;

    random_target(p, target, sizeof target);
    random_value(p, a, sizeof a);
    random_value(p, b, sizeof b);
    random_index(p, index, sizeof index);
    if (p->arrays && !pick(p, 4)) {
        random_array_statement(p, a);
        return;
    }
    if (random_more_statement(p, a, index) || random_pointer_statement(p, a, index) ||
        random_step_statement(p, a, index))
        return;
    number = pick(p, STATEMENTS + SPECIAL + USUAL);
    if (number >= STATEMENTS && number < STATEMENTS + SPECIAL &&
        print_special(p, a, index))
        return;
    fprintf(p->out, "    ");
    random_fill(p, number < STATEMENTS ? statement_forms[number] : "$t = $a + $b;",
                &words, p->out);
    fprintf(p->out, "\n");
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
    p->left_out = seed % 11 == 3;
    p->kernel = seed % 13 == 5;
    p->handed = seed % 4 == 2;
    p->moved = seed % 8 == 6;
    p->blocks = seed % 3;
    p->untyped = seed % 5 < 2;
    p->included = seed % 9 == 4;
    p->arrays = seed % 7 < 3 ? 2 + seed % 5 : 0;
    p->narrow = seed % 7 == 2;
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
            "#define WIDTH@ %u\nenum { ONE@ = 1, TWO@ };\n",
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
    fprintf(p->out, "int later_on@(__global const cell@ *c, int by);\n");
    random_pointer_helpers(p);
    if (p->handed)
        random_handed_helpers(p);
    if (p->kernel)
        fprintf(p->out,
                "__kernel void poke@(__global cell@ *c, int by)\n{\n"
                "    c->%s += by;\n}\n",
                p->own + 1);
    if (p->overloads)
        random_overloads(p);
    if (p->constant)
        fprintf(p->out,
                "int peek@(__constant cell@ *c, int by)\n{\n"
                "    return num(c->%s) + by;\n}\n",
                p->own + 1);
    if (p->arrays)
        random_array_helpers(p);
    if (p->flat)
        fprintf(
            p->out,
            "float row_sum@(__global const float *row, int k)\n{\n"
            "    return row[k] + *row;\n}\n"
            "int place@(int i, int k)\n{\n    return i * WIDTH@ + k;\n}\n"
            "uint of@(uint k, uint i, uint w)\n{\n    return k + w * i;\n}\n"
            "long far@(long k, long i)\n{\n    return (k + WIDTH@ * i);\n}\n"
            "ulong mixed@(const uint i, const uchar k)\n{\n"
            "    const ulong row = (ulong)i * WIDTH@;\n\n    return row + k;\n}\n"
            "float over@(__global const float *h, const uint i, const int way)\n{\n"
            "    float all = 0;\n\n"
            "    for (uint k = 0u; k < WIDTH@; k += %uu)\n"
            "        all += h[mixed@(i, way & 1 ? k : WIDTH@ - 1u - k)] * (1u << k);\n"
            "    return all;\n}\n",
            1 + pick(p, 3));
}

/* What only is declared before the kernel. */
static void print_behind(struct program *p)
{
    fprintf(p->out,
            "#define OWN@(of) (of)%s\n"
            "int later_on@(__global const cell@ *c, int by)\n{\n"
            "    return num(OWN@(*c)) + by * %u;\n}\n",
            p->own, 1 + pick(p, 4));
}

/* Each is n. */
static const char *dimension(struct program *p)
{
    return ONE_OF(p, 9, "n", "n", "n", "get_global_size(0)", "global_size(0)",
                  "n > 0 ? n : 1", "n * sizeof(int) / 4", "n - TWO@ + 2", "n * (1 << 0)");
}

static void print_note(struct program *p)
{
    const char *length = p->narrow ? RANDOM_LONG : "n";

    fprintf(p->out, "//DL: AoS: f@[%s]%s", dimension(p), p->left_out ? ", b@[n]" : "");
    fprintf(p->out, "%s, g@[%s]",
            !p->aliased  ? ""
            : p->untyped ? ", any@[n]"
                         : ", a@[n]",
            dimension(p));
    fprintf(p->out, "%s%s%s%s\n", p->constant ? ", c@[n]" : "",
            p->flat ? ", h@[n][WIDTH@]" : "", p->result ? ", o@[n][WIDTH@]" : "",
            ONE_OF(p, 4, "", "", ";", ","));
    if (p->arrays)
        fprintf(p->out, "//DL: SoA: soa@[%s][%u], to_soa@[%s][%u] to ASTA\n", length,
                p->arrays, length, p->arrays);
}

static void print_parameters(struct program *p)
{
    fprintf(p->out, "__global cell@ *f@, %s__global const cell@ *g@, %s%s%s",
            !p->aliased  ? ""
            : p->untyped ? "__global void *any@, "
                         : "__global cell@ *a@, ",
            p->constant ? "__constant cell@ *c@, " : "",
            p->flat ? "__global const float *h@, " : "",
            p->result ? "__global float *o@, " : "");
    if (p->left_out)
        fprintf(p->out, "__global cell@ *b@, ");
    if (p->arrays)
        fprintf(p->out, "__global const value@ *soa@, __global value@ *to_soa@, ");
}

/* A struct through local memory, with its padding. */
static void print_blocks(struct program *p)
{
    fprintf(p->out,
            "    {\n        event_t e = async_work_group_copy((__local uchar *)&l@, "
            "(__global const uchar *)%s, sizeof(l@), 0);\n"
            "        prefetch((__global const uchar *)&f@[i], sizeof(*mine) + k++);\n"
            "        wait_group_events(1, &e);\n        l@%s += 3;\n"
            "        e = async_work_group_copy((__global uchar *)mine, "
            "(__local const uchar *)&l@, sizeof(*mine), 0);\n"
            "        wait_group_events(1, &e);\n"
            "        e = async_work_group_strided_copy((__local uchar *)&l@, "
            "(__global const uchar *)&g@[AT@(i)], sizeof(l@) / %u, %u, e);\n"
            "        wait_group_events(1, &e);\n        k += *(__local uchar *)&l@;\n"
            "    }\n",
            ONE_OF(p, 4, "&g@[AT@(i)]", "(f@ + i)", "mine", "f@ + i * sizeof(cell@)"),
            p->own, 3u, 3u);
}

static void print_body(struct program *p)
{
    unsigned statements = 3 + pick(p, 10);

    if (p->blocks)
        fprintf(p->out, "    __local cell@ l@;\n");
    fprintf(p->out, "    {\n    int i = get_global_id(0), k = 0;\n");
    if (p->rebased)
        fprintf(p->out, "    g@ += 1;\n");
    if (p->aliased && p->untyped)
        fprintf(p->out, "    __global cell@ *a@ = %s;\n",
                ONE_OF(p, 2, "any@", "(__global cell@ *)any@"));
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
    if (p->kernel)
        fprintf(p->out, "    poke@(%s, k + 2);\n", ONE_OF(p, 2, "f@ + i", "mine"));
    if (p->handed)
        random_handed_statement(p);
    if (p->included)
        fprintf(p->out,
                "    {\n        int sum = 0;\n#define AT(name) num(f@[i]%s)\n"
                "#include \"include/sum.h\"\n#undef AT\n        k += sum;\n    }\n",
                p->own);
    if (p->blocks)
        print_blocks(p);
    if (p->left_out)
        fprintf(p->out, "    ((__global int *)b@)[i] ^= num(f@[i]%s);\n", p->own);
    fprintf(p->out, "    f@[i]%s += k;\n", p->own);
    if (!pick(p, 6))
        fprintf(p->out, "    if (k == 1234567890)\n        printf(\"%%d\\n\", k);\n");
    fprintf(p->out, "    }\n");
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

/* From the opening parenthesis to the closing one. */
static void print_list(struct program *programs, uint32_t first, unsigned count,
                       FILE *out)
{
    fputs("(", out);
    for (unsigned i = 0; i < count; i++)
        add_piece(&programs[i], first + i, print_parameters, out);
    fprintf(out, "volatile __global int *hits, int n)");
}

/* A kernel that calls it, and is not run. */
static void print_caller(struct program *programs, uint32_t first, unsigned count,
                         FILE *out)
{
    char *list;
    size_t bytes;
    FILE *to = open_memstream(&list, &bytes);

    print_list(programs, first, count, to);
    fclose(to);
    fprintf(out, "__kernel void gone%s\n{\n    go(", list);
    for (char *at = list, *name; (at = strpbrk(at + 1, ",)")) != NULL;) {
        for (name = at; isalnum((unsigned char)name[-1]) || name[-1] == '_';)
            name--;
        fprintf(out, "%.*s%c ", (int)(at - name), name, *at);
    }
    fprintf(out, ";\n}\n");
    free(list);
}

/* Structs that are passed by value lose their padding where they travel in registers: up
 * to 16 bytes on x86, all of them on GPUs. */
static bool padding_is_open(const struct random_struct *type)
{
    return type->offset <= 16 || getenv("DL_TEST_DEVICE");
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
                 "    return x > -1e6f && x < 1e6f ? (int)(x * 16.0f) : 7;\n}\n"
                 "void tally(volatile __global int *at, int more)\n{\n"
                 "    int old;\n"
                 "    do\n        old = *at;\n"
                 "    while (atomic_cmpxchg(at, old, old + more) != old);\n}\n");
    for (unsigned i = 0; i < count; i++) {
        begin(&programs[i], first + i);
        add_piece(&programs[i], first + i, print_head, out);
    }
    if (first / count & 1) {
        fputs("__kernel void go", out);
        print_list(programs, first, count, out);
        fprintf(out, ";\n");
    }
    for (unsigned i = 0; i < count; i++)
        add_piece(&programs[i], first + i, print_note, out);
    fputs("__kernel void go", out);
    print_list(programs, first, count, out);
    fprintf(out, "\n{\n    %s;\n",
            first / count & 2 ? "atomic_add(&hits[get_global_id(0)], n)"
                              : "tally(hits + get_global_id(0), n)");
    for (unsigned i = 0; i < count; i++)
        add_piece(&programs[i], first + i, print_body, out);
    fprintf(out, "}\n");
    for (unsigned i = 0; i < count; i++)
        add_piece(&programs[i], first + i, print_behind, out);
    if (first / count % 4 == 3)
        print_caller(programs, first, count, out);
    fprintf(out, "// run: go");
    for (unsigned i = 0; i < count; i++) {
        const struct program *p = &programs[i];

        for (int k = 0; k < 2 + p->constant; k++) {
            fprintf(out, " structs%s%s", p->type.open,
                    padding_is_open(&p->type) ? p->type.padding : "");
            if (!k && p->aliased)
                fprintf(out, " same:-1");
        }
        for (int k = 0; k < p->flat + p->result; k++)
            fprintf(out, p->tail ? " structs~%u" : " structs", p->tail * 4);
        fputs(p->left_out ? " words:1" : "", out);
        fputs(!p->arrays  ? ""
              : p->narrow ? " structs=" RANDOM_LONG " structs=" RANDOM_LONG
                          : " structs structs",
              out);
    }
    fprintf(out, " words:1 n\n");
    fclose(out);
    free(programs);
    return first / count % 3 == 1
               ? random_own_names(&(struct random){first * 2246822519u + 1}, text)
               : text;
}
