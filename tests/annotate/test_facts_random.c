/* SPDX-License-Identifier: MIT */
/* Claim: what the tables say of an access is never contradicted by what the kernel does:
 * where they say linear by 3, most neighbouring work-items reach structs 3 apart, and
 * where they say uniform, the same one.
 *
 * Random bodies that compute an index by variables, branches, loops and helpers. The same
 * text is rewritten by the transformer, for its facts, and built by the C compiler as a
 * function that writes the indices down. 400 kernels; 40000 with DL_TEST_FULL;
 * DL_SEEDS=FIRST-LAST runs others, 200 to a seed, and DL_PRINT_SEED=N prints a program.
 */
#include <check.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "tests/common/random_numbers.h"

enum { KERNELS = 200, ROUNDS = 8, FIRST = 64, ITEMS = 256, LINES = 3, INDICES = 4096 };
enum { COUNT = 1 << 30, WIDTH = 100003, HEIGHT = 70001 };

/* ---- bodies ---- */

struct body {
    FILE *out;
    uint32_t random;
    unsigned variables; /* v0, v1, ... so far */
    bool looped;        /* t is there */
};

static unsigned below(struct body *b, unsigned count)
{
    return random_below(&b->random, count);
}

static void put_value(struct body *b, unsigned depth);

/* $ is a value, # a constant, @ a variable. */
static void put_form(struct body *b, const char *form, unsigned depth)
{
    for (; *form; form++) {
        if (*form == '$')
            put_value(b, depth - 1);
        else if (*form == '@')
            fprintf(b->out, "v%u", below(b, b->variables));
        else if (*form == '#')
            fprintf(b->out, "%u", below(b, 3) ? 1 + below(b, 4) : 16u << below(b, 4));
        else
            fputc(*form, b->out);
    }
}

static const char *const leaves[] = {
    "x",          "x",        "x",      "x",
    "y",          "w",        "count",  "h",
    "lid",        "group",    "idx[0]", "idx[x]",
    "pair.x",     "pair.y",   "#",      "#",
    "idx[y + 3]", "table[y]", "#",      "(group * (int)get_local_size(0) + lid)"};
static const char *const forms[] = {"($ + $)",
                                    "($ + $)",
                                    "($ - $)",
                                    "($ * #)",
                                    "($ * #)",
                                    "(# * $)",
                                    "(y * w + $)",
                                    "($ / #)",
                                    "($ % #)",
                                    "($ % w)",
                                    "($ / w)",
                                    "($ & (# - 1))",
                                    "($ << 1)",
                                    "($ >> 6)",
                                    "($ ^ #)",
                                    "($ | #)",
                                    "min($, count)",
                                    "max(x - 2, 0)",
                                    "(x < w ? $ : $)",
                                    "(x > 3 ? $ : $)",
                                    "(y > 1 ? $ : $)",
                                    "(x & # ? $ : $)",
                                    "wrap($, count)",
                                    "(idx[x] > 2000 ? $ : $)",
                                    "(x * w + $)",
                                    "(($ << 6) | lid)",
                                    "~$",
                                    "-($)",
                                    "clamp(x, 0, h)",
                                    "odd(x)",
                                    "($ == 5)",
                                    "(x == 0 ? $ : $)",
                                    "sum2($, $)",
                                    "pick($, x)",
                                    "idx[$ & 4095]",
                                    "(int)(uint)$",
                                    "mul24(# + y, $)",
                                    "select_one($, w)",
                                    "(w > h ? $ : $)",
                                    "(x >= count ? $ : $)"};
static const char *const conditions[] = {
    "x > 3",      "x < w",  "y > 1", "x & #",    "idx[x] > 2000",  "w > #",
    "idx[0] > #", "x == 0", "$ > $", "!(x & 1)", "x > 3 && y < 2", "x >= count"};
static const char *const statements[] = {"@ = $;\n",     "@ = $;\n", "@ += $;\n",
                                         "@ -= $;\n",    "@++;\n",   "@--;\n",
                                         "@ = @ + #;\n", "@ = $;\n", "@ += #;\n"};

#define ONE_OF(b, list) list[below(b, sizeof list / sizeof *list)]

static void put_value(struct body *b, unsigned depth)
{
    if (depth && below(b, 4))
        put_form(b, ONE_OF(b, forms), depth);
    else if (b->looped && !below(b, 6))
        fputs("t", b->out);
    else if (!below(b, 3))
        put_form(b, "@", 1);
    else
        put_form(b, ONE_OF(b, leaves), 1);
}

static void put_block(struct body *b, unsigned depth);

static void put_statement(struct body *b, unsigned depth)
{
    unsigned kind = below(b, depth ? 8 : 5);

    if (kind < 4) {
        put_form(b, ONE_OF(b, statements), 3);
    } else if (kind == 4) {
        put_form(b, b->looped ? "if (" : "{ (void)(", 1);
        put_form(b, ONE_OF(b, conditions), 2);
        fputs(b->looped ? below(b, 2) ? ") continue;\n" : ") break;\n" : "); }\n",
              b->out);
    } else if (kind < 7) {
        fputs("if (", b->out);
        put_form(b, ONE_OF(b, conditions), 2);
        fputs(")", b->out);
        put_block(b, depth - 1);
        if (below(b, 2)) {
            fputs("else", b->out);
            put_block(b, depth - 1);
        }
    } else {
        put_block(b, depth - 1);
    }
}

static void put_block(struct body *b, unsigned depth)
{
    unsigned kept = b->variables;

    fputs("{\n", b->out);
    for (unsigned i = 1 + below(b, 2); i; i--) {
        if (!below(b, 4)) {
            fprintf(b->out, "int v%u = ", b->variables);
            put_value(b, 2);
            fputs(";\n", b->out);
            b->variables++;
        }
        put_statement(b, depth);
    }
    b->variables = kept;
    fputs("}\n", b->out);
}

/* ACCESS(round, index): once. */
static void put_access(struct body *b)
{
    bool in_if = !below(b, 5);

    if (in_if) {
        fputs("if (", b->out);
        put_form(b, ONE_OF(b, conditions), 2);
        fputs(") ", b->out);
    }
    fprintf(b->out, "ACCESS(%s, ", b->looped ? "t" : "0");
    put_value(b, 3);
    fputs(");\n", b->out);
}

static void put_body(struct body *b)
{
    fputs("int x = get_global_id(0), y = get_global_id(1), lid = get_local_id(0);\n"
          "int group = get_group_id(0), t = 0;\n"
          "PAIR(pair, x, y);\n",
          b->out);
    fprintf(b->out, "int v0 = %u, v1 = x;\n", below(b, 3));
    b->variables = 2;
    for (unsigned i = below(b, 3); i; i--)
        put_statement(b, 2);
    if (below(b, 2)) {
        b->looped = true;
        fprintf(b->out, "for (t = 0; t < %s; t++) {\n",
                below(b, 2) ? "8" : "(idx[x] & 7)");
        for (unsigned i = below(b, 3); i; i--)
            put_statement(b, 1);
        put_access(b);
        for (unsigned i = below(b, 3); i; i--)
            put_statement(b, 1);
        fputs("}\n", b->out);
    } else {
        put_access(b);
    }
}

/* ---- programs ---- */

static const char cl_head[] = "typedef struct { float x; } cell;\n"
                              "#define ACCESS(round, index) f[index].x = 1\n"
                              "#define PAIR(name, a, b) int2 name = (int2)(a, b)\n";
static const char c_head[] =
    "#define ACCESS(round, index) (out[round] = (index))\n"
    "#define PAIR(name, a, b) struct { int x, y; } name = {a, b}\n"
    "#define __constant static const\n#define __global\ntypedef unsigned uint;\n"
    "extern int ids[2];\nint ids[2];\n"
    "static int get_global_id(int d) { return ids[d]; }\n"
    "static int get_local_id(int d) { return d ? 0 : ids[0] % 64; }\n"
    "static int get_group_id(int d) { return d ? ids[1] : ids[0] / 64; }\n"
    "static int get_local_size(int d) { return d ? 1 : 64; }\n"
    "static int min(int a, int b) { return a < b ? a : b; }\n"
    "static int max(int a, int b) { return a > b ? a : b; }\n"
    "static int mul24(int a, int b) { return a * b; }\n"
    "static int clamp(int a, int b, int c) { return min(max(a, b), c); }\n";
static const char both_head[] =
    "__constant int table[8] = {5, 9, 2, 7, 1, 3, 30, 4};\n"
    "int wrap(int i, int n) { if (i < 0) return i + n; return i >= n ? i - n : i; }\n"
    "int sum2(int a, int b) { int s = a; s += b; return s; }\n"
    "int pick(int a, int i) { if (i & 1) a = 3; return a; }\n"
    "int odd(int i) { if (i & 1) return 1; return 0; }\n"
    "int select_one(int a, int n) { int k = n; for (int i = 0; i < 2; i++) k = a; return "
    "k; }\n";

/* 200 kernels, k0 and so on; the caller frees it. */
static char *program_of(unsigned seed, bool is_c)
{
    char *text;
    size_t bytes;
    struct body b = {.out = open_memstream(&text, &bytes)};

    if (!b.out)
        abort();
    fprintf(b.out, "%s%s", is_c ? c_head : cl_head, both_head);
    for (unsigned k = 0; k < KERNELS; k++) {
        b.random = (seed * KERNELS + k) * 2654435761u + 99;
        b.looped = false;
        if (is_c)
            fprintf(b.out, "void k%u(int *out, const int *idx", k);
        else
            fprintf(b.out,
                    "//DL: AoS: f[count]\n__kernel void k%u(__global cell *f, "
                    "__global const int *idx",
                    k);
        fputs(", int count, int w, int h)\n{\n", b.out);
        put_body(&b);
        fputs("}\n", b.out);
    }
    fclose(b.out);
    return text;
}

/* ---- what kernels do ---- */

static void *library_of(unsigned seed)
{
    char folder[] = "/tmp/dl_facts_XXXXXX", *text = program_of(seed, true), *command;
    char path[64], object[64];
    void *library;
    FILE *out;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/facts.c", folder);
    snprintf(object, sizeof object, "%s/facts.so", folder);
    out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
    if (asprintf(&command, "%s -w -O0 -fwrapv -shared -fPIC -o %s %s", DL_C_COMPILER,
                 object, path) < 0)
        abort();
    ck_assert_msg(system(command) == 0, "%s", command);
    library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    unlink(path);
    unlink(object);
    rmdir(folder);
    free(command);
    free(text);
    return library;
}

/* Beyond the first, where bounds are: how many neighbours there are, and how many of them
 * have indices `step` apart. */
static void observe(void *library, unsigned k, int step, unsigned *pairs, unsigned *good)
{
    static int idx[INDICES], out[ITEMS][ROUNDS];
    int *ids = dlsym(library, "ids");
    char name[16];
    void (*run)(int *, const int *, int, int, int);
    uint32_t state = 7;

    snprintf(name, sizeof name, "k%u", k);
    *(void **)&run = dlsym(library, name);
    ck_assert(run && ids);
    for (size_t i = 0; i < INDICES; i++)
        idx[i] = (int)random_below(&state, 4096);
    *pairs = *good = 0;
    for (ids[1] = 0; ids[1] < LINES; ids[1]++) {
        for (ids[0] = 0; ids[0] < ITEMS; ids[0]++) {
            for (int r = 0; r < ROUNDS; r++)
                out[ids[0]][r] = INT_MIN;
            run(out[ids[0]], idx, COUNT, WIDTH, HEIGHT);
        }
        for (int x = FIRST; x + 1 < ITEMS; x++) {
            for (int r = 0; r < ROUNDS; r++) {
                if (out[x][r] == INT_MIN || out[x + 1][r] == INT_MIN)
                    continue;
                ++*pairs;
                *good += out[x + 1][r] - out[x][r] == step;
            }
        }
    }
}

/* ---- both together ---- */

static unsigned seen[4];

static void check_seed(unsigned seed)
{
    char *text = program_of(seed, false), *rewritten = NULL;
    void *library = library_of(seed);
    struct dl_notes *notes;

    ck_assert_int_eq(
        dl_annotate_rewrite(text, strlen(text), NULL, NULL, NULL, &rewritten), DL_OK);
    ck_assert_int_eq(dl_annotate_scan(rewritten, strlen(rewritten), NULL, NULL, &notes),
                     DL_OK);
    for (unsigned k = 0; k < KERNELS; k++) {
        const struct dl_kernel_note *kernel;
        const struct dl_access_fact *fact;
        unsigned pairs, good;
        char name[16];

        snprintf(name, sizeof name, "k%u", k);
        kernel = dl_notes_find(notes, name);
        ck_assert_msg(kernel && kernel->buffers->fact_count >= 1, "seed %u, %s", seed,
                      name);
        fact = &kernel->buffers->facts[0];
        seen[fact->form]++;
        if (fact->form != DL_ACCESS_LINEAR && fact->form != DL_ACCESS_UNIFORM)
            continue;
        observe(library, k, fact->step, &pairs, &good);
        ck_assert_msg(pairs < 16 || good * 2 >= pairs,
                      "seed %u, %s: said to step by %d, which %u of %u do", seed, name,
                      fact->step, good, pairs);
    }
    dl_notes_free(notes);
    dlclose(library);
    free(rewritten);
    free(text);
}

START_TEST(facts_are_not_contradicted)
{
    unsigned first = 1, last = getenv("DL_TEST_FULL") ? 200 : 2;

    if (getenv("DL_SEEDS"))
        ck_assert_int_eq(sscanf(getenv("DL_SEEDS"), "%u-%u", &first, &last), 2);
    for (unsigned seed = first; seed <= last; seed++)
        check_seed(seed);
    printf("unknown %u, linear %u, uniform %u, gather %u\n", seen[DL_ACCESS_UNKNOWN],
           seen[DL_ACCESS_LINEAR], seen[DL_ACCESS_UNIFORM], seen[DL_ACCESS_GATHER]);
    /* Not by saying nothing. */
    ck_assert_uint_gt(seen[DL_ACCESS_LINEAR], (last - first + 1) * KERNELS / 10);
    ck_assert_uint_gt(seen[DL_ACCESS_UNIFORM], (last - first + 1) * KERNELS / 20);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("facts_random");
    TCase *tcase = tcase_create("all");
    SRunner *runner = srunner_create(suite);
    int failed;

    if (getenv("DL_PRINT_SEED")) {
        char *text = program_of((unsigned)atoi(getenv("DL_PRINT_SEED")), false);

        fputs(text, stdout);
        free(text);
        srunner_free(runner);
        return EXIT_SUCCESS;
    }
    tcase_add_test(tcase, facts_are_not_contradicted);
    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
