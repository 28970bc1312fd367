/* SPDX-License-Identifier: MIT */
/* Claim: what the transformer does on a text grows as the text does: twice as many
 * kernels and helpers, types of structs and lines cost twice the tokens, nodes and
 * memory, and as many parses, and the compiler is asked for its macros once. What finding
 * a kernel's facts takes is not kept until the end. Counted, not
 * timed; seconds for a text of 30,000 lines are in bench/results/own_work.csv. The texts
 * are bench/large_text.py's. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"
#include "annotate/base/arena.h"
#include "annotate/text/lex.h"
#include "annotate/text/preprocess.h"
#include "annotate/tree/ast.h"

#define COUNTED_MAP(X)                                                                   \
    X(tokens) X(callees) X(macros) X(allocations) X(bytes) X(kept) X(parses) X(asked)

struct counted {
#define X(name) unsigned long name;
    COUNTED_MAP(X)
#undef X
};
static struct counted counted;

/* The linker has the library's calls come by here (--wrap). */
struct dl__token __real_dl__lex_next(struct dl__lexer *lexer);
struct dl__token __wrap_dl__lex_next(struct dl__lexer *lexer);
struct dl__token __wrap_dl__lex_next(struct dl__lexer *lexer)
{
    counted.tokens++;
    return __real_dl__lex_next(lexer);
}

struct dl__function *__real_dl__ast_callee(struct dl__ast *ast,
                                           const struct dl__node *call);
struct dl__function *__wrap_dl__ast_callee(struct dl__ast *ast,
                                           const struct dl__node *call);
struct dl__function *__wrap_dl__ast_callee(struct dl__ast *ast,
                                           const struct dl__node *call)
{
    counted.callees++;
    return __real_dl__ast_callee(ast, call);
}

bool __real_dl__macro_in_text(const struct dl__macros *macros, const char *text,
                              size_t bytes, struct dl__token *name);
bool __wrap_dl__macro_in_text(const struct dl__macros *macros, const char *text,
                              size_t bytes, struct dl__token *name);
bool __wrap_dl__macro_in_text(const struct dl__macros *macros, const char *text,
                              size_t bytes, struct dl__token *name)
{
    counted.macros++;
    return __real_dl__macro_in_text(macros, text, bytes, name);
}

void *__real_dl__arena_alloc(struct dl__arena *arena, size_t bytes);
void *__wrap_dl__arena_alloc(struct dl__arena *arena, size_t bytes);
void *__wrap_dl__arena_alloc(struct dl__arena *arena, size_t bytes)
{
    counted.allocations++;
    counted.bytes += bytes;
    counted.kept += arena->outer ? 0 : bytes; /* until the rewrite's end */
    return __real_dl__arena_alloc(arena, bytes);
}

void __real_dl__ast_parse(struct dl__ast *ast, struct dl__arena *arena,
                          const struct dl__clang *clang, const char *text, size_t bytes,
                          const struct dl__ast_options *options,
                          void (*on_error)(void *user, size_t at, const char *text),
                          void *user);
void __wrap_dl__ast_parse(struct dl__ast *ast, struct dl__arena *arena,
                          const struct dl__clang *clang, const char *text, size_t bytes,
                          const struct dl__ast_options *options,
                          void (*on_error)(void *user, size_t at, const char *text),
                          void *user);
void __wrap_dl__ast_parse(struct dl__ast *ast, struct dl__arena *arena,
                          const struct dl__clang *clang, const char *text, size_t bytes,
                          const struct dl__ast_options *options,
                          void (*on_error)(void *user, size_t at, const char *text),
                          void *user)
{
    counted.parses++;
    __real_dl__ast_parse(ast, arena, clang, text, bytes, options, on_error, user);
}

void __real_dl__ast_compiler_macros(struct dl__ast *ast, struct dl__arena *arena,
                                    const struct dl__clang *clang,
                                    const struct dl__ast_options *options,
                                    const char *const *names, size_t count,
                                    const char **values);
void __wrap_dl__ast_compiler_macros(struct dl__ast *ast, struct dl__arena *arena,
                                    const struct dl__clang *clang,
                                    const struct dl__ast_options *options,
                                    const char *const *names, size_t count,
                                    const char **values);
void __wrap_dl__ast_compiler_macros(struct dl__ast *ast, struct dl__arena *arena,
                                    const struct dl__clang *clang,
                                    const struct dl__ast_options *options,
                                    const char *const *names, size_t count,
                                    const char **values)
{
    counted.asked++;
    __real_dl__ast_compiler_macros(ast, arena, clang, options, names, count, values);
}

static char *large_text(unsigned times, const char *more)
{
    static char text[4 << 20];
    char command[4096];
    size_t bytes;
    FILE *pipe;

    snprintf(command, sizeof command,
             "python3 '%s' --types %u --kernels %u --lines %u %s", DL_LARGE_TEXT,
             4 * times, 8 * times, 3000 * times, more);
    pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    bytes = fread(text, 1, sizeof text - 1, pipe);
    text[bytes] = '\0';
    ck_assert_int_eq(pclose(pipe), 0);
    return text;
}

static struct counted count(unsigned times, const char *more, bool detect)
{
    const struct dl_annotate_options options = {.detect = detect};
    const char *text = large_text(times, more);
    char *out = NULL;

    memset(&counted, 0, sizeof counted);
    ck_assert_int_eq(dl_annotate_rewrite(text, strlen(text), &options, NULL, NULL, &out),
                     DL_OK);
    free(out);
    return counted;
}

static void is_proportional(const char *more, bool detect)
{
    const struct counted once = count(1, more, detect), twice = count(2, more, detect);

#define X(name)                                                                          \
    ck_assert_msg(once.name > 0 && twice.name * 10 <= once.name * 22,                    \
                  "%lu " #name " for one, %lu for twice the text", once.name,            \
                  twice.name);
    COUNTED_MAP(X)
#undef X
    ck_assert_uint_eq(once.parses, twice.parses);
    ck_assert_uint_eq(twice.asked, 1);
}

START_TEST(annotated_text)
{
    is_proportional("", false);
}
END_TEST

START_TEST(text_that_is_detected)
{
    is_proportional("--plain", true);
}
END_TEST

/* Helpers that call each other in several contexts, and kernels that call the last. */
static struct counted count_chain(unsigned kernels)
{
    static char text[64 << 10];
    const struct dl_annotate_options options = {.detect = true};
    FILE *to = fmemopen(text, sizeof text, "w");
    char *out = NULL;

    fputs("typedef struct { float a, b, c, d; } cell;\n"
          "int helper0(global cell *f, int i, int j) { f[i].a += j; return j; }\n",
          to);
    for (unsigned h = 1; h < 20; h++) {
        fprintf(to, "int helper%u(global cell *f, int i, int j)\n{\n", h);
        for (unsigned v = 0; v < 20; v++)
            fprintf(to, "    int v%u = i * %u + j;\n", v, v + 1);
        fprintf(to, "    return helper%u(f, i + v1, v2) + helper%u(f, v3, j + v19);\n}\n",
                h - 1, h - 1);
    }
    for (unsigned k = 0; k < kernels; k++)
        fprintf(to,
                "kernel void go%u(global cell *f, int n)\n"
                "{\n    f[get_global_id(0)].b += helper19(f, get_global_id(0), n);\n}\n",
                k);
    fclose(to);
    memset(&counted, 0, sizeof counted);
    ck_assert_int_eq(dl_annotate_rewrite(text, strlen(text), &options, NULL, NULL, &out),
                     DL_OK);
    free(out);
    return counted;
}

START_TEST(facts_of_a_kernel)
{
    const struct counted one = count_chain(1), nine = count_chain(9);
    unsigned long kept = nine.kept - one.kept, more = nine.bytes - one.bytes;

    ck_assert_msg(kept * 4 <= more, "%lu bytes of %lu are kept for eight more kernels",
                  kept, more);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("own_work");
    TCase *tc = tcase_create("counts");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, annotated_text);
    tcase_add_test(tc, text_that_is_detected);
    tcase_add_test(tc, facts_of_a_kernel);
    suite_add_tcase(suite, tc);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
