/* SPDX-License-Identifier: MIT */
/* Claim: an offset, index, width, size, buffer, operator, member or side effect made
 * wrong on purpose is never proved. The rewritten texts of the samples, and of the cases
 * that are proved whole, are changed in one token or statement at a time; each change
 * must be noticed, by the parser or by the proof. Some 100 of them; all with
 * DL_TEST_FULL, or each DL_STEP-th; of one case alone with DL_CASE=NAME.
 *
 * A change that is proved is harmless, or else the proof is wrong: the changed text of a
 * case is run on all of its launches, from 1 to 61 structs and for each width, in the
 * program's own layout and in tiles with 32-bit and 64-bit indices. One byte that differs
 * fails the test; where a change can't be run, having been proved does.
 *
 * Left out is what is no part of a proof: lines that say where the text came from, what
 * sort of access it is, and how many structs a buffer holds; text that no layout
 * compiles, where even an `@` is not noticed; and what changes nothing: x + (0) into x -
 * (0), words as `static`, and the type of a pointer that is converted. */
#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/accessors/accessor.h"
#include "annotate/annotate.h"
#include "annotate/text/lex.h"
#include "case_file.h"
#include "case_run.h"
#include "tests/common/read_file.h"

enum { QUICK = 100 };

static unsigned tried, parsed, noticed, harmless, step = 1, phase;
static bool has_device;

static void ignore_kernel(void *user, const char *kernel, size_t accesses, size_t proved)
{
    size_t *sums = user;

    (void)kernel;
    sums[0] += accesses;
    sums[1] += proved;
}

static enum dl_status prove(const char *text, const char *rewritten,
                            const struct dl_annotate_options *options, size_t *sums)
{
    return dl_annotate_prove(text, strlen(text), rewritten, strlen(rewritten), options,
                             NULL, ignore_kernel, sums);
}

struct subject {
    const char *text, *rewritten, *from; /* `from`: what may be changed */
    const struct dl_annotate_options *options;
    const struct case_file *file; /* NULL: a sample's */
};

static char *replaced(const struct subject *s, const char *at, size_t bytes,
                      const char *with)
{
    char *mutant;

    if (asprintf(&mutant, "%.*s%s%s", (int)(at - s->rewritten), s->rewritten, with,
                 at + bytes) < 0)
        abort();
    return mutant;
}

static bool is_compiled(const struct subject *s, const char *at, size_t bytes)
{
    size_t sums[2];
    char *mutant = replaced(s, at, bytes, "@");
    bool compiled = prove(s->text, mutant, s->options, sums) != DL_OK;

    free(mutant);
    return compiled;
}

/* True for what the case's launches run: its kernel, and what stands ahead of it where it
 * is the first. */
static bool is_run(const struct subject *s, const char *at)
{
    const char *first = strstr(s->rewritten, "//DL-kernel: "), *kernel, *end, *next;
    char *mark;

    if (!first || asprintf(&mark, "//DL-kernel: %.*s ", (int)strcspn(s->file->run, " "),
                           s->file->run) < 0)
        return false;
    kernel = strstr(s->rewritten, mark);
    free(mark);
    if (!kernel || !strstr(first + 1, "//DL-kernel: "))
        return kernel != NULL;
    /* One that a macro made may stand on one line, ahead of the next one's accessors. */
    end = strstr(kernel, "\n}\n");
    next = strstr(kernel, "\nstatic ");
    end = next && (!end || next < end) ? next : end;
    return end && at < end && (kernel == first || at > kernel);
}

/* Where a mutant is proved: runs it, and fails by libcheck where it is no harmless one.
 * False: it can't be run. */
static bool is_harmless(const struct subject *s, const char *at, char *mutant)
{
    struct case_file c;

    /* What is run must be what was changed. */
    if (!s->file || !s->file->run || !has_device || !is_run(s, at))
        return false;
    c = *s->file;
    c.as = mutant;
    case_run_optimise(false);
    return case_run(&c, CASE_TILINGS_PROVED) > 0;
}

static const char *line_of(const struct subject *s, const char *at)
{
    while (at > s->rewritten && at[-1] != '\n')
        at--;
    return at;
}

/* The text with [at, at + bytes) replaced must not be proved, or be as good. */
static void try_mutant(const struct subject *s, const char *at, size_t bytes,
                       const char *with)
{
    size_t sums[2] = {0};
    char *mutant;
    enum dl_status st;

    if (phase++ % step)
        return;
    mutant = replaced(s, at, bytes, with);
    st = prove(s->text, mutant, s->options, sums);
    tried++;
    parsed += st == DL_EREFUSED;
    if (st == DL_OK && !is_compiled(s, at, bytes))
        st = DL_EPARSE;
    noticed += st != DL_OK;
    if (st == DL_OK) {
        const char *line = line_of(s, at);
        bool runs;

        fprintf(stderr, "%s: proved with '%s' for '%.*s' at %td in: %.*s\n",
                s->options->file_name, with, (int)bytes, at, at - line,
                (int)strcspn(line, "\n"), line);
        runs = is_harmless(s, at, mutant);
        harmless += runs;
        fprintf(stderr, runs ? "    it changes no byte\n" : "    it can't be run\n");
    }
    free(mutant);
}

static const char *other_operator(const struct dl__token *t)
{
    static const char *const pairs[][2] = {
        {"+", "-"},   {"-", "+"},   {"*", "+"},   {"/", "*"},   {"%", "/"},
        {"<", ">="},  {">=", "<"},  {">", "<="},  {"<=", ">"},  {"==", "!="},
        {"!=", "=="}, {"+=", "-="}, {"-=", "+="}, {"++", "--"}, {"--", "++"},
        {"&&", "||"}, {"||", "&&"}, {"&", "|"},   {"^", "|"},   {"=", "+="}};

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (t->kind == DL__PUNCT && dl__token_is(t, pairs[i][0]))
            return pairs[i][1];
    return NULL;
}

static bool is_word(const struct dl__token *t)
{
    static const char *const words[] = {
        "static",     "const",     "inline",       "restrict", "__global", "global",
        "__constant", "constant",  "__kernel",     "kernel",   "volatile", "typedef",
        "unsigned",   "__private", "overloadable", "void"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (dl__token_is(t, words[i]))
            return true;
    return false;
}

/* Another name of the same sort that the text has; NULL: none. */
static const char *other_name(const char *text, const struct dl__token *t, char *out)
{
    struct dl__lexer lexer = {.text = text, .bytes = strlen(text)};
    struct dl__token u;
    bool generated = t->bytes > 3 && !strncmp(t->text, "dl_", 3);

    if (t->bytes > 60 || isupper((unsigned char)t->text[0]) || is_word(t))
        return NULL;
    while ((u = dl__lex_next(&lexer)).kind != DL__END) {
        bool same_sort = u.bytes > 3 && !strncmp(u.text, "dl_", 3);

        if (u.kind != DL__NAME || u.bytes > 60 || same_sort != generated ||
            isupper((unsigned char)u.text[0]) || is_word(&u) ||
            (u.bytes == t->bytes && !memcmp(u.text, t->text, u.bytes)))
            continue;
        /* Names that begin alike are more likely to fit. */
        if (generated && strncmp(u.text, t->text, 4))
            continue;
        /* They find the row themselves where it is not given. */
        if (u.bytes == t->bytes + 5
                ? !strncmp(u.text + t->bytes, "_wide", 5)
                : t->bytes == u.bytes + 5 && !strncmp(t->text + u.bytes, "_wide", 5))
            continue;
        snprintf(out, 64, "%.*s", (int)u.bytes, u.text);
        return out;
    }
    return NULL;
}

/* A number of a table that is part of what is proved. */
static void change_table(const struct subject *s, const char *line)
{
    static const char *const marks[] = {"//DL-leaves: ", "//DL-width: ", "//DL-buffer: "};
    const char *end = line + strcspn(line, "\n"), *type = strstr(line, " line ");
    bool any = false;

    for (int i = 0; i < 3; i++)
        any |= !strncmp(line, marks[i], strlen(marks[i]));
    if (!any)
        return;
    if (!strncmp(line, marks[2], strlen(marks[2])) && type && type < end)
        end = type;
    for (const char *c = line + 12; c < end; c++) {
        char with[16];

        if (!isdigit((unsigned char)*c) || isalnum((unsigned char)c[-1]))
            continue;
        snprintf(with, sizeof with, "%lu", strtoul(c, NULL, 10) + 1);
        try_mutant(s, c, strspn(c, "0123456789"), with);
    }
}

static bool adds_nothing(const struct dl__token *t)
{
    const char *next = t->text + t->bytes + strspn(t->text + t->bytes, " (+-");

    return strchr("+-", *t->text) && *next == '0' && !isalnum((unsigned char)next[1]) &&
           next[1] != '.';
}

/* A type in an accessor that only says what a pointer points to before it is converted,
 * and is given back as another. */
static bool is_pointed_to(const struct dl__token *t)
{
    const char *next = t->text + t->bytes + strspn(t->text + t->bytes, " ");

    return *next == '*' || !strncmp(t->text - 6, "DL_AT(", 6) ||
           !strncmp(t->text - 15, "DL_AT(unsigned ", 15) ||
           !strncmp(t->text - 10, "__global, ", 10) ||
           !strncmp(t->text - 10, "volatile, ", 10);
}

/* What an accessor does of an element outside of its row, where all are a row and a
 * constant in it. */
static bool is_outside(const struct subject *s, const char *line)
{
    static const char *const files[] = {"flat_helper.cl",      "flat_margin.cl",
                                        "flat_rebased.cl",     "overload_flat.cl",
                                        "flat_neighbours.cl",  "overload_vectors.cl",
                                        "flat_rebased_cast.cl"};
    static const char *const lines[] = {
        "    if (dl_e >= ",     "        dl_e ",        "        dl_i = ",
        "        if (dl_i >= ", "            return (", "    if (dl_i >= dl_head"};
    const char *name = strrchr(s->options->file_name, '/');
    bool is_file = false, is_line = false;

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        is_file |= !strcmp(name ? name + 1 : "", files[i]);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        is_line |= !strncmp(line, lines[i], strlen(lines[i]));
    return is_file && is_line;
}

/* What an accessor does of an element in front of its row, where the elements are i & 1
 * and u & 3. */
static bool is_never_taken(const struct subject *s, const struct dl__token *t)
{
    const char *line = t->text;

    while (line > s->from && line[-1] != '\n')
        line--;
    /* Another bound is as good for the elements 0 to 4, and 2 * 2 is 2 + 2. */
    if (!strncmp(line, "    if (dl_e >= ", 16) && t->text == line + 16)
        return true;
    if (!strncmp(t->text, "* STEP;", 7) || is_outside(s, line))
        return true;
    /* The run that `vload` asks for is the first one there, but for the vectors of two.
     */
    if (strstr(s->options->file_name, "vload_part") &&
        (!strncmp(t->text - 7, "dl_o * ", 7) || !strncmp(t->text, "+ dl_o * ", 9)))
        return true;
    /* A width is an int. */
    if (!strncmp(t->text - 3, "= (long)", 8))
        return true;
    if (!strstr(s->options->file_name, "flat_vector") &&
        !strstr(s->options->file_name, "flat_and_struct"))
        return false;
    return strstr(line, "dl_r = dl_e >= 0 ?") == line + 18 &&
           memchr(line, '~', (size_t)(t->text - line + 1));
}

static void change_token(const struct subject *s, const struct dl__token *t)
{
    char with[64];
    const char *other = other_operator(t);

    if (is_never_taken(s, t))
        return;
    if (t->kind == DL__NUMBER) {
        snprintf(with, sizeof with, "1%.*s", (int)t->bytes, t->text);
        try_mutant(s, t->text, t->bytes, with);
    } else if (other && !adds_nothing(t)) {
        try_mutant(s, t->text, t->bytes, other);
    } else if (t->kind == DL__NAME && !is_pointed_to(t) && other_name(s->from, t, with)) {
        try_mutant(s, t->text, t->bytes, with);
    }
}

/* A line that is one statement, left out. */
static void drop_statement(const struct subject *s, const char *line)
{
    static const char behind[] = "dl_f + (dl_signed)dl_e;";
    size_t bytes = strcspn(line, "\n");

    if (is_outside(s, line))
        return;
    /* The formula gives the same for what lies behind the rows. */
    if (bytes > sizeof behind &&
        !strncmp(line + bytes - strlen(behind), behind, strlen(behind)))
        return;

    if (!strncmp(line, "    ", 4) && bytes > 5 && line[bytes - 1] == ';' &&
        !strchr("{}", line[4]) && memchr(line, '(', bytes) &&
        strncmp(line + strspn(line, " "), "return;", 7))
        try_mutant(s, line, bytes, "    ;");
}

static void change_all(const struct subject *s)
{
    struct dl__lexer lexer = {.text = s->rewritten, .bytes = strlen(s->rewritten)};
    struct dl__token t;
    bool in_directive = false;

    for (const char *line = s->from; line && *line;
         line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        change_table(s, line);
        drop_statement(s, line);
    }
    lexer.offset = (size_t)(s->from - s->rewritten);
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind == DL__NEWLINE)
            in_directive = false;
        else if (dl__token_is(&t, "#"))
            in_directive = true;
        else if (!in_directive)
            change_token(s, &t);
    }
}

static void change_text(const char *text, const struct dl_annotate_options *options,
                        const struct case_file *file)
{
    struct subject s = {.text = text, .options = options, .file = file};
    size_t sums[2] = {0};
    char *rewritten = NULL;

    if (dl_annotate_rewrite(text, strlen(text), options, NULL, NULL, &rewritten) ==
        DL_OK) {
        s.rewritten = rewritten;
        s.from = NULL;
        dl__prelude_find(rewritten, &s.from);
        if (s.from && prove(text, rewritten, options, sums) == DL_OK && sums[0])
            change_all(&s);
    }
    free(rewritten);
}

static const char *const files[][2] = {{"agents/agents.cl", NULL},
                                       {"black_scholes/black_scholes.cl", NULL},
                                       {"lbm/lbm.cl", NULL},
                                       {"lbm/lbm.cl", "-DLBM_FLAT"},
                                       {"spmv/spmv.cl", NULL}};

static void change_samples(void)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512], *text;
        struct dl_annotate_options options = {.file_name = path,
                                              .build_options = files[i][1]};

        snprintf(path, sizeof path, DL_SAMPLES_DIR "/%s", files[i][0]);
        text = read_file(path, NULL);
        ck_assert_ptr_nonnull(text);
        change_text(text, &options, NULL);
        free(text);
    }
}

static void change_cases(void)
{
    static const char *const quick[] = {
        "array_of_structs", "flat_neighbours",  "flat_loop",    "flat_any_index",
        "helper_pointer",   "part_pointer",     "whole_struct", "flat_width_argument",
        "null_pointer",     "swapped_pointers", "vload_part",   "either_buffer",
        "array_pointer",    "flat_index_call",  "flat_margin",  "volatile_buffer"};
    size_t count;
    struct case_file *cases = case_files_load(&count);

    for (size_t i = 0; i < count; i++) {
        struct dl_annotate_options options = {.file_name = cases[i].path,
                                              .build_options = cases[i].options,
                                              .detect = cases[i].detect};
        const char *only = getenv("DL_CASE");
        bool wanted = getenv("DL_TEST_FULL") != NULL && !only;

        for (size_t k = 0; k < sizeof quick / sizeof *quick && !only; k++)
            wanted |= !strcmp(quick[k], cases[i].name);
        wanted |= only && !strcmp(only, cases[i].name);
        if (wanted && !cases[i].refused)
            change_text(cases[i].text, &options, &cases[i]);
    }
    case_files_free(cases, count);
}

START_TEST(no_harmful_mutant_is_proved)
{
    if (getenv("DL_TEST_FULL") || getenv("DL_CASE")) {
        step = getenv("DL_STEP") ? (unsigned)atoi(getenv("DL_STEP")) : 1;
    } else {
        /* How many there are. */
        step = UINT32_MAX;
        phase = 1;
        change_samples();
        change_cases();
        step = phase / QUICK + 1;
        phase = 1;
    }
    if (!getenv("DL_CASE"))
        change_samples();
    change_cases();
    printf("%u mutants, %u of which parse, %u noticed, %u harmless\n", tried, parsed,
           noticed, harmless);
    ck_assert_uint_ge(parsed, getenv("DL_CASE") ? 1 : QUICK / 3);
    ck_assert_uint_eq(noticed + harmless, tried);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("prove_mutants");
    TCase *tcase = tcase_create("mutants");
    SRunner *runner = srunner_create(suite);
    int failed;

    has_device = case_run_open();
    tcase_add_test(tcase, no_harmful_mutant_is_proved);
    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
