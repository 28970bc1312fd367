/* SPDX-License-Identifier: MIT */
/* One rewrite of a text: its remarks, and the text read. */
#include "annotate/program/rewriter.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "annotate/annotations/annotation.h"
#include "annotate/text/preprocess.h"

/* ---- remarks ---- */

static void hand_on(void *user, const struct dl_remark *remark)
{
    struct dl__rewriter *w = user;
    struct dl_remark said = *remark;

    /* Nobody has asked for what DL found by itself: no reason to warn. */
    if (said.severity == DL_WARNING && (w->detecting || !w->hand_made))
        said.severity = DL_REMARK;
    if (w->caller_remark)
        w->caller_remark(w->caller_user, &said);
}

static void say(struct dl__rewriter *w, struct dl_remark remark, const char *format,
                va_list args)
{
    char text[1024];

    vsnprintf(text, sizeof text, format, args);
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    remark.text = text;
    w->remark(w->user, &remark);
}

void dl__say(struct dl__rewriter *w, enum dl_severity severity, const char *file,
             unsigned line, unsigned column, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(w, (struct dl_remark){severity, file, line, column, NULL}, format, args);
    va_end(args);
}

void dl__say_at(struct dl__rewriter *w, enum dl_severity severity, size_t at,
                const char *format, ...)
{
    struct dl__place place = dl__expanded_place(&w->expanded, at);
    va_list args;

    va_start(args, format);
    say(w, (struct dl_remark){severity, place.file->name, place.line, place.column, NULL},
        format, args);
    va_end(args);
}

/* ---- times ---- */

void dl__rewriter_lap(struct dl__rewriter *w, double *part_ms)
{
    struct timespec now;
    double ms;

    clock_gettime(CLOCK_MONOTONIC, &now);
    ms = (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
    *part_ms += ms - w->lap_ms;
    w->lap_ms = ms;
}

/* ---- beginning and end ---- */

struct dl__rewriter *dl__rewriter_open(const char *text, size_t text_bytes,
                                       const struct dl_annotate_options *options,
                                       dl_remark_fn remark, void *user)
{
    static const struct dl_annotate_options none;
    struct dl__rewriter *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    w->options = options ? options : &none;
    w->arena.ms_max = w->options->ms_max;
    w->remark = hand_on;
    w->user = w;
    w->caller_remark = remark;
    w->caller_user = user;
    w->main.name = w->options->file_name ? w->options->file_name : "<program source>";
    /* Drivers read no further. */
    w->main.bytes = strnlen(text, text_bytes);
    w->main.text = text + dl__mark_bytes(text, w->main.bytes);
    w->main.bytes -= dl__mark_bytes(text, w->main.bytes);
    w->main.is_main = true;
    w->main.lines = &w->main_lines;
    w->main_lines.arena = &w->arena;
    w->hand_made =
        !w->options->detect || dl__is_annotated_with(text, text_bytes, w->options);
    dl__rewriter_lap(w, &w->times.load);
    w->times.load = 0;
    return w;
}

void dl__rewriter_close(struct dl__rewriter *w)
{
    struct dl_annotate_times *times = w->options->times;

    dl__ast_free(&w->ast);
    dl__arena_free(&w->arena);
    dl__rewriter_lap(w, &w->times.rewrite);
    if (times) {
        times->load += w->times.load;
        times->expand += w->times.expand;
        times->parse += w->times.parse;
        times->rewrite += w->times.rewrite;
    }
    free(w);
}

/* From a text to its tree: preprocessed, with the device asked about what only it
 * can decide, and parsed. */

static void on_parse_error(void *user, size_t at, const char *text)
{
    static const char format[] = "the program does not parse, so it is left as it is: %s";
    struct dl__rewriter *w = user;
    struct dl__place place;

    w->error.is_there = true;
    w->error.at = SIZE_MAX;
    snprintf(w->error.text, sizeof w->error.text, "%s", text);
    if (at == SIZE_MAX) {
        dl__say(w, DL_WARNING, w->main.name, 0, 0, format, text);
        return;
    }
    place = dl__expanded_place(&w->expanded, at);
    w->error.at = place.file->is_main ? place.offset : SIZE_MAX;
    dl__say_at(w, DL_WARNING, at, format, text);
}

static void compiler_macros(void *user, const char *const *names, size_t count,
                            const char **values)
{
    struct dl__rewriter *w = user;

    dl__ast_compiler_macros(&w->ast, &w->arena, w->clang, &w->ast_options, names, count,
                            values);
}

enum { QUESTIONS_MAX = 16, ROUNDS_MAX = 16 };

/* True of what is the same for every device: that there is OpenCL C, and the extensions,
 * which are told. */
static bool is_known(struct dl__rewriter *w, const char *condition)
{
    struct dl__lexer lexer = dl__lexer_at(condition, 0, strlen(condition));
    bool defined = false;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        bool asks = dl__token_is(&t, "defined");
        bool is_known = dl__token_in(&t, "__OPENCL_VERSION__ __OPENCL_C_VERSION__")
                            ? defined
                            : w->options->device_extensions && t.bytes > 3 &&
                                  !memcmp(t.text, "cl_", 3);

        if (t.kind == DL__NAME && !asks && !is_known)
            return false;
        defined = asks || (defined && dl__token_is(&t, "("));
    }
    return true;
}

/* True of a condition that a device is asked for: of a name that compilers keep, or that
 * may be a function of OpenCL's, which some have as macros. For others the text has a
 * line with which it does not build (print.c). */
static bool is_asked(const struct dl__rewriter *w, const char *condition)
{
    struct dl__lexer lexer = dl__lexer_at(condition, 0, strlen(condition));
    struct dl__token t, name;
    const struct dl__macro *macro;
    bool asked = false;

    while (!asked && (t = dl__lex_next(&lexer)).kind != DL__END)
        asked = t.kind == DL__NAME && !dl__token_is(&t, "defined") &&
                (dl__is_compilers(t.text, t.bytes) || (*t.text >= 'a' && *t.text <= 'z'));
    if (!asked ||
        !dl__macro_in_text(w->expanded.macros, condition, strlen(condition), &name))
        return asked;
    /* A name that is the user's by the end is an include guard, or stands in for what the
     * device has. */
    macro = dl__macro_find(w->expanded.macros, name.text, name.bytes);
    return !dl__is_compilers(name.text, name.bytes) && macro &&
           (macro->function || macro->body);
}

/* Asks the device about the conditions that only it can decide. True: its answers change
 * what the text is. */
static bool ask_device(struct dl__rewriter *w, bool *can_ask)
{
    const char *conditions[QUESTIONS_MAX];
    bool holds[QUESTIONS_MAX] = {false}, guessed[QUESTIONS_MAX], changed = false;
    size_t count = 0;

    for (size_t i = 0; i < w->expanded.guesses.count && count < QUESTIONS_MAX; i++) {
        const struct dl__guess *guess = &w->expanded.guesses.items[i];

        if (guess->is_sure || is_known(w, guess->condition) ||
            !is_asked(w, guess->condition))
            continue;
        conditions[count] = guess->condition;
        guessed[count++] = guess->holds;
    }
    if (!count)
        return false;
    dl__arena_pause(&w->arena);
    *can_ask = w->options->ask_device(w->options->ask_user, conditions, count, holds);
    dl__arena_resume(&w->arena);
    for (size_t i = 0; i < count && *can_ask; i++) {
        changed |= holds[i] != guessed[i] || count == QUESTIONS_MAX;
        DL__PUSH(&w->arena, &w->answers,
                 ((struct dl__guess){conditions[i], holds[i], true}));
    }
    return changed || !*can_ask;
}

/* Once more with each of the device's answers that differs: another branch may ask more.
 */
static void preprocess(struct dl__rewriter *w, struct dl__preprocess_input *input)
{
    unsigned rounds = 0;

    input->can_ask = w->options->ask_device != NULL;
    do {
        input->answers = w->answers.items;
        input->answer_count = w->answers.count;
        dl__preprocess(&w->arena, input, &w->expanded);
    } while (input->can_ask && rounds++ < ROUNDS_MAX && ask_device(w, &input->can_ask));
}

/* Texts that are too large to be read are refused: a program's source comes from
 * anywhere, and what reads it, libclang included, recurses over it inside somebody else's
 * process. */

enum {
    BRACKETS_MAX = 200,   /* libclang's own limit is 256 */
    OPERATORS_MAX = 1500, /* in one expression or chain of statements, along one path */
    STRUCTS_MAX = 1024,
    TYPEDEFS_MAX = 4096,
    TOKEN_BYTES = 3, /* few texts have shorter ones */
    /* Of the expanded text: libclang takes about a second for these. */
    TOKENS_MAX = 1200 * 1000,
    REWRITTEN_TOKENS_MAX = 8 * TOKENS_MAX /* with the copies of helpers */
};

/* One bracket and what stands in it so far. */
struct level {
    char close;         /* what ends it */
    bool is_list;       /* an initialiser's braces */
    unsigned operators; /* since the last statement or element began */
    unsigned elses;     /* in a chain that may go on */
};

struct nesting {
    struct level levels[BRACKETS_MAX + 1];
    unsigned depth;
    unsigned outer_operators; /* of the levels below the last */
    size_t tokens, tokens_max;
    unsigned structs, typedefs; /* defined */
    bool in_struct_head;
    char before; /* the last token, if it was of one byte */
};

static bool is_statement_word(const struct dl__token *t)
{
    /* Most names begin with another letter or are longer. */
    return t->bytes <= strlen("default") && strchr("ifwdscg", t->text[0]) &&
           dl__is_in("if for while do switch case default goto", t->text, t->bytes);
}

static bool open_level(struct nesting *n, char open, bool is_list)
{
    char close = open == '(' ? ')' : open == '[' ? ']' : '}';

    if (n->depth == BRACKETS_MAX)
        return false;
    n->outer_operators += n->levels[n->depth].operators;
    n->levels[++n->depth] = (struct level){.close = close, .is_list = is_list};
    return true;
}

static bool close_level(struct nesting *n, char close)
{
    if (!n->depth || n->levels[n->depth].close != close)
        return false;
    n->depth--;
    n->outer_operators -= n->levels[n->depth].operators;
    return true;
}

/* Takes one token; NULL, or what there is too much of. */
static const char *take(struct nesting *n, const struct dl__token *t, bool ended)
{
    struct level *level = &n->levels[n->depth];
    char c = t->kind == DL__PUNCT && t->bytes == 1 ? t->text[0] : '\0';

    if (++n->tokens > n->tokens_max)
        return "it is too large";
    if (ended && !dl__token_is(t, "else"))
        level->elses = 0;
    if (t->kind == DL__NAME) {
        n->in_struct_head |= dl__token_is(t, "struct") || dl__token_is(t, "union");
        n->typedefs += dl__token_is(t, "typedef");
        level->elses += dl__token_is(t, "else");
        level->operators += is_statement_word(t);
    }
    if (t->kind == DL__PUNCT)
        level->operators++;
    n->structs += c == '{' && n->in_struct_head;
    n->in_struct_head &= !(c && strchr("{;,*=", c));
    if ((c == '(' || c == '[' || c == '{') &&
        !open_level(n, c, c == '{' && (n->before == '=' || level->is_list)))
        return "brackets are nested too deeply";
    if (c == ')' || c == ']' || c == '}') {
        if (!close_level(n, c))
            return "a bracket does not match the one that is open";
        level = &n->levels[n->depth];
    }
    if (c == ';' || c == '}' || (c == ',' && level->is_list))
        level->operators = 0;
    n->before = c;
    if (n->outer_operators + n->levels[n->depth].operators > OPERATORS_MAX ||
        level->elses > OPERATORS_MAX)
        return "an expression or statement is too long";
    if (n->structs > STRUCTS_MAX || n->typedefs > TYPEDEFS_MAX)
        return "it declares too many types";
    return NULL;
}

/* The text that is read, and the part of it that is kept. */
struct reading {
    struct dl__arena *arena;
    struct dl__lexer lexer;
    struct dl__tokens *tokens;
};

static struct dl__token next(struct reading *r)
{
    struct dl__token t = dl__lex_next(&r->lexer);
    struct dl__kept_token kept = {(uint32_t)t.offset, (uint32_t)t.bytes,
                                  (unsigned char)t.kind, t.spaced};

    DL__PUSH(r->arena, r->tokens, kept);
    return t;
}

/* Goes to the end of the line. libclang crashes on pointers to functions, and nobody
 * could say what a call through one does. */
static const char *pass_pragma(struct reading *r, struct dl__token *t)
{
    bool pointers = false, enabled = false;

    for (; t->kind != DL__NEWLINE && t->kind != DL__END; *t = next(r)) {
        pointers |= dl__token_is(t, "__cl_clang_function_pointers");
        enabled |= pointers && dl__token_is(t, "enable");
    }
    return enabled ? "it uses pointers to functions" : NULL;
}

/* NULL when the text can be read, with its tokens; else why not, and where. */
static const char *too_large(struct dl__arena *arena, const char *text, size_t bytes,
                             size_t tokens_max, struct dl__tokens *tokens, size_t *at)
{
    struct reading reading = {arena, {.text = text, .bytes = bytes}, tokens};
    struct nesting nesting = {.tokens_max = tokens_max};
    const char *reason = NULL;
    bool ended = false, line_start = true;
    struct dl__token t;

    if (bytes > DL__TEXT_BYTES_MAX) {
        *at = 0;
        return "it is too large";
    }
    tokens->text = text;
    tokens->room = bytes / TOKEN_BYTES + 1;
    tokens->items = dl__arena_alloc(arena, tokens->room * sizeof *tokens->items);
    while (!reason && (t = next(&reading)).kind != DL__END) {
        /* Pragmas alone are left of the directives; anything may stand in them. */
        if (line_start && dl__token_is(&t, "#")) {
            *at = t.offset;
            reason = pass_pragma(&reading, &t);
            if (reason)
                return reason;
        }
        line_start = t.kind == DL__NEWLINE;
        if (line_start || t.kind == DL__END)
            continue;
        reason = take(&nesting, &t, ended);
        ended = dl__token_is(&t, ";") || dl__token_is(&t, "}");
        *at = t.offset;
    }
    /* No compiler takes such a text, and libclang crashes on some. */
    return reason || !nesting.depth ? reason : "a bracket is not closed";
}

/* Leaves through the arena, remarked, when the expanded text is too much for libclang. */
static void check_limits(struct dl__rewriter *w)
{
    bool rewritten = dl_annotate_is_rewritten(w->main.text, w->main.bytes);
    size_t at = 0;
    const char *reason =
        too_large(&w->arena, w->expanded.text, w->expanded.bytes,
                  rewritten ? REWRITTEN_TOKENS_MAX : TOKENS_MAX, &w->ast.tokens, &at);

    if (!reason)
        return;
    dl__say_at(w, DL_WARNING, at, "the program is left alone: %s", reason);
    dl__arena_fail(&w->arena, DL_EPARSE);
}

/* Of a rewritten text all is said already. A kernel may have an annotation that is not
 * honoured; a helper costs nothing by itself. */
static void say_unread(struct dl__rewriter *w)
{
    bool rewritten = dl_annotate_is_rewritten(w->main.text, w->main.bytes);

    for (size_t i = 0; i < w->ast.unread.count && !rewritten; i++) {
        const struct dl__unread *u = &w->ast.unread.items[i];

        if (u->kernel)
            dl__say_at(w, DL_WARNING, u->error_at,
                       "kernel '%s' is left as it is: libclang can't read it: %s",
                       u->kernel, u->error);
        else
            dl__say_at(w, DL_REMARK, u->error_at,
                       "kernels that %s are left as they are: libclang can't read it: %s",
                       u->is_variable ? "use this constant" : "call this function",
                       u->error);
    }
}

void dl__program_read(struct dl__rewriter *w, const char *more)
{
    const struct dl_side_file *side = w->options->side;
    struct dl__preprocess_input input = {.main = &w->main,
                                         .options = &w->build,
                                         .headers = w->options->headers,
                                         .header_count = w->options->header_count,
                                         .compiler_macros = compiler_macros,
                                         .user = w,
                                         .of = w->of ? &w->of->expanded : NULL,
                                         .remark = w->remark,
                                         .remark_user = w->user,
                                         .on_file = w->options->on_file,
                                         .on_file_user = w->options->on_file_user};
    const char **bodies;

    dl__build_options_parse(
        &w->arena,
        dl__arena_format(&w->arena, "%s %s",
                         w->options->build_options ? w->options->build_options : "",
                         more),
        &w->build);
    if (w->build.includes) {
        dl__say(w, DL_WARNING, w->main.name, 0, 0,
                "the program is left alone: its build option %s is not understood",
                w->build.includes);
        dl__arena_fail(&w->arena, DL_EPARSE);
    }
    if (w->build.relaxed)
        dl__say(w, DL_REMARK, w->main.name, 0, 0,
                "%s lets the compiler round differently in rewritten kernels",
                w->build.relaxed);
    w->ast_options.cl_std = w->build.cl_std;
    w->ast_options.has_own =
        w->of || dl_annotate_is_rewritten(w->main.text, w->main.bytes);
    w->ast_options.device_extensions = w->options->device_extensions;
    dl__ast_tell_macros(&w->arena, w->options, &w->build, &w->ast_options);
    input.directory = dl__main_directory(&w->arena, w->options->file_name);
    bodies =
        dl__arena_alloc(&w->arena, ((side ? side->entry_count : 0) + 1) * sizeof *bodies);
    for (size_t i = 0; side && i < side->entry_count; i++)
        bodies[i] = side->entries[i].body;
    input.bodies = bodies;
    input.body_count = side ? side->entry_count : 0;
    preprocess(w, &input);
    if (w->options->on_expanded && !w->of)
        w->options->on_expanded(w->options->on_expanded_user, w->expanded.text,
                                w->expanded.bytes);
    check_limits(w);
    dl__rewriter_lap(w, &w->times.expand);
    /* Conditions are decided by now: an extension that only libclang has does no harm. */
    w->ast_options.device_extensions = NULL;
    dl__ast_parse(&w->ast, &w->arena, w->clang, w->expanded.text, w->expanded.bytes,
                  &w->ast_options, on_parse_error, w);
    say_unread(w);
    dl__rewriter_lap(w, &w->times.parse);
}
