/* SPDX-License-Identifier: MIT */
/* Claim: damaged texts do the transformer no harm: libclang is known to crash on some
 * that no compiler takes. The known ones of a kind that can be kept from it do not reach
 * it; of the others there are fewer than one in ten thousand (`(float4)(pointer)` crashes
 * version 15 whatever it is told, which is why the interposer rewrites only what the
 * driver has built, and dl-annotate works in a child).
 *
 * Texts known to have crashed it, and the cases of tests/cases with tokens left out,
 * repeated, swapped and put elsewhere: 600 of them, 30000 with DL_TEST_FULL.
 * DL_SEEDS=FIRST-LAST takes others. Each batch is a child's, and a seed of its own.
 * DL_PRINT_SEED=N prints a text. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "annotate/text/lex.h"
#include "case_file.h"
#include "tests/common/random_numbers.h"

enum { BATCH = 25, TEXT_BYTES_MAX = 8192, TOKENS_MAX = 4096 };

static struct case_file *cases;
static size_t case_count;
static uint32_t state;

static uint32_t below(uint32_t count)
{
    return (uint32_t)(((uint64_t)(random_step(&state) >> 1) * count) >> 31);
}

/* ---- damaged texts ---- */

struct piece {
    const char *text;
    size_t bytes;
};

/* The tokens, each with what stands before it. */
static size_t cut(const char *text, size_t bytes, struct piece *out)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes};
    size_t count = 0, start = 0;

    while (count < TOKENS_MAX && dl__lex_next(&lexer).kind != DL__END) {
        out[count++] = (struct piece){text + start, lexer.offset - start};
        start = lexer.offset;
    }
    return count;
}

static void damage(struct piece *pieces, size_t *count)
{
    static const char *const odd[] = {
        "[", "]",   "(",      ")",       "{",      "}",        ";",  "*", "&",
        ".", "->",  "=",      ",",       "struct", "__global", "if", "#", "f",
        "i", "->x", "sizeof", "typedef", "0",      "__kernel", ":"};
    size_t at = below((uint32_t)*count), other = below((uint32_t)*count);
    size_t run = 1 + below(below(4) ? 3 : 20);
    struct piece swapped = pieces[at];

    run = at + run > *count ? *count - at : run;
    switch (below(5)) {
    case 0: /* left out */
        memmove(pieces + at, pieces + at + run, (*count - at - run) * sizeof *pieces);
        *count -= run;
        break;
    case 1: /* twice */
        if (*count + run < TOKENS_MAX) {
            memmove(pieces + at + run, pieces + at, (*count - at) * sizeof *pieces);
            *count += run;
        }
        break;
    case 2:
        pieces[at] = pieces[other];
        pieces[other] = swapped;
        break;
    case 3: /* another */
        pieces[at].text = odd[below(sizeof odd / sizeof *odd)];
        pieces[at].bytes = strlen(pieces[at].text);
        break;
    default: /* cut off */
        if (!below(4))
            *count = at + 1;
        else
            pieces[at] = pieces[other];
    }
    if (!*count)
        *count = 1;
}

static char *damaged(const struct case_file *c, size_t *bytes)
{
    static struct piece pieces[TOKENS_MAX];
    size_t count = cut(c->text, c->bytes, pieces);
    char *text = calloc(1, 64 * c->bytes + 64 * TOKENS_MAX);

    *bytes = 0;
    for (uint32_t times = 1 + below(4); times && count; times--)
        damage(pieces, &count);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + *bytes, pieces[i].text, pieces[i].bytes);
        *bytes += pieces[i].bytes;
        text[(*bytes)++] = ' ';
    }
    return text;
}

/* ---- children ---- */

static void rewrite(const char *text, size_t bytes, const char *path)
{
    struct dl_annotate_options options = {.file_name = path};
    char *out = NULL;

    dl_annotate_rewrite(text, bytes, &options, NULL, NULL, &out);
    free(out);
}

/* The signal that ended a child; 0: none. */
static int signal_of(void (*work)(unsigned), unsigned which)
{
    int status;
    pid_t child;

    fflush(NULL);
    child = fork();
    ck_assert_int_ge(child, 0);
    if (!child) {
        work(which);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static char *text_of_seed(unsigned seed, const struct case_file **c, size_t *bytes)
{
    state = seed * 2654435761u + 12345;
    *c = &cases[below((uint32_t)case_count)];
    return (*c)->bytes > TEXT_BYTES_MAX ? NULL : damaged(*c, bytes);
}

static void run_seed(unsigned seed)
{
    const struct case_file *c;
    size_t bytes;
    char *text = text_of_seed(seed, &c, &bytes);

    if (text)
        rewrite(text, bytes, c->path);
    free(text);
}

static void run_batch(unsigned first)
{
    for (unsigned seed = first; seed < first + BATCH; seed++)
        run_seed(seed);
}

START_TEST(damaged_texts_do_no_harm)
{
    unsigned first = 1, last = getenv("DL_TEST_FULL") ? 30000 : 600, crashed = 0;

    if (getenv("DL_SEEDS"))
        ck_assert_int_eq(sscanf(getenv("DL_SEEDS"), "%u-%u", &first, &last), 2);
    printf("seeds %u to %u\n", first, last);
    for (unsigned batch = first; batch <= last; batch += BATCH) {
        if (!signal_of(run_batch, batch))
            continue;
        for (unsigned seed = batch; seed < batch + BATCH; seed++) {
            int number = signal_of(run_seed, seed);

            if (number)
                printf("seed %u: %s\n", seed, strsignal(number));
            crashed += number != 0;
        }
    }
    ck_assert_uint_le(crashed, 1 + (last - first) / 10000);
}
END_TEST

/* ---- texts that have crashed it ---- */

#define NOTE "//DL: AoS: f[n]\n"
#define CELL "typedef struct { float x, y; } cell;\n"
#define HEAD "__kernel void go(__global cell *f, int n)\n{\n"

static const char *const known[] = {
    NOTE "i;f[*i;f[i",
    NOTE "i;f[*i;f[i;",
    NOTE "i; f[*i]; f[i]",
    CELL NOTE "i;f[*i;f[i",
    CELL NOTE HEAD "    i;f[*i;f[i\n}\n",
    CELL NOTE HEAD "    int i;\n}\nf[*i;f[i",
    NOTE "f[*f;f[f",
    NOTE "x; y[*x; y[x][x",
    NOTE "__global i; f[*i; f[i",
    NOTE "unknown i; int f[*i]; f[i]",
    NOTE "i; int f[i]; int g[sizeof f]; g[*i",
    NOTE "struct s; struct s a[*b]; a[0].x",
    NOTE "i;(f[*i;f[i",
    NOTE "i;f[&i;f[i",
    NOTE "i;f[-i;f[i",
};

static void run_known(unsigned which)
{
    rewrite(known[which], strlen(known[which]), NULL);
}

START_TEST(known_texts_do_no_harm)
{
    int number = signal_of(run_known, (unsigned)_i);

    ck_assert_msg(!number, "%s: %s", known[_i], strsignal(number));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("malformed");
    TCase *tcase = tcase_create("all");
    SRunner *runner = srunner_create(suite);
    int failed;

    cases = case_files_load(&case_count);
    if (getenv("DL_PRINT_SEED")) {
        const struct case_file *c;
        size_t bytes;
        char *text = text_of_seed((unsigned)atoi(getenv("DL_PRINT_SEED")), &c, &bytes);

        printf("%s", text ? text : "");
        free(text);
        srunner_free(runner);
        return EXIT_SUCCESS;
    }
    /* Loaded once, for all children. */
    rewrite(NOTE "int x;\n", strlen(NOTE "int x;\n"), NULL);
    tcase_add_loop_test(tcase, known_texts_do_no_harm, 0, sizeof known / sizeof *known);
    tcase_add_test(tcase, damaged_texts_do_no_harm);
    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    case_files_free(cases, case_count);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
