/* dl_annotate_rewrite: from annotated text to shippable text. The passes, in order:
 * preprocess, parse, bind annotations to kernels, track each kernel, print. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "annotate/annotations/annotation.h"
#include "annotate/text/lex.h"
#include "annotate/text/limits.h"
#include "annotate/text/macro.h"
#include "annotate/program/rewriter.h"

static void count_remark(void *user, const struct dl_remark *remark)
{
    struct dl__rewriter *w = user;

    w->remark_count += remark->severity != DL_REMARK;
    if (w->caller_remark)
        w->caller_remark(w->caller_user, remark);
}

void dl__say(struct dl__rewriter *w, enum dl_severity severity, const char *file,
             unsigned line, unsigned column, const char *format, ...)
{
    struct dl_remark remark = {severity, file, line, column, NULL};
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    remark.text = text;
    w->remark(w->user, &remark);
}

void dl__say_at(struct dl__rewriter *w, size_t at, const char *prefix, const char *text)
{
    struct dl__place place = dl__expanded_place(&w->expanded, at);

    dl__say(w, DL_WARNING, place.file->name, place.line, place.column, "%s%s", prefix,
            text);
}

static void on_parse_error(void *user, size_t at, const char *text)
{
    struct dl__rewriter *w = user;

    w->error.is_there = true;
    w->error.at = SIZE_MAX;
    snprintf(w->error.text, sizeof w->error.text, "%s", text);
    if (at != SIZE_MAX) {
        struct dl__place place = dl__expanded_place(&w->expanded, at);

        w->error.at = place.file->is_main ? place.offset : SIZE_MAX;
    }
    if (at == SIZE_MAX)
        dl__say(w, DL_WARNING, w->main.name, 0, 0, "the program does not parse: %s",
                text);
    else
        dl__say_at(w, at, "the program does not parse: ", text);
}

static void compiler_macros(void *user, const char *const *names, size_t count,
                            const char **values)
{
    struct dl__rewriter *w = user;

    dl__ast_compiler_macros(&w->arena, w->clang, &w->ast_options, names, count, values);
}

/* ---- times ---- */

/* What passed since the last lap goes to *part_ms, of w->times. */
static void lap(struct dl__rewriter *w, double *part_ms)
{
    struct timespec now;
    double ms;

    clock_gettime(CLOCK_MONOTONIC, &now);
    ms = (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
    *part_ms += ms - w->lap_ms;
    w->lap_ms = ms;
}

/* ---- one kernel ---- */

bool dl__wants_soa(const struct dl__kernel *k)
{
    for (size_t i = 0; i < k->sources.count; i++) {
        const char *body = k->sources.items[i].note->body;

        if (dl__annotation_is_soa(body, strlen(body)))
            return true;
    }
    return false;
}

static bool is_left_out(const struct dl__rewriter *w, const struct dl__kernel *k)
{
    for (size_t i = 0; i < w->options->left_out_count; i++)
        if (!strcmp(w->options->left_out[i], k->function->name))
            return true;
    return false;
}

static void transform(struct dl__rewriter *w, struct dl__kernel *k)
{
    struct dl__function *f = k->function;
    struct dl__root *roots;
    struct dl__unit *unit;
    const char *prefix =
        dl__arena_format(&w->arena, "kernel '%s' is not transformed: ", f->name);
    struct dl__buf trial = {.arena = &w->arena};
    struct dl__token name;
    size_t root_count = 0, at;

    if (!dl__read_annotations(w, k)) {
        k->soa_refused = dl__wants_soa(k);
        k->buffers.count = 0;
        return;
    }
    k->soa_alone = dl__wants_soa(k);
    /* In one array, for the tracker; in the order of the arguments they become. */
    roots = dl__arena_alloc(&w->arena, k->buffers.count * sizeof *roots);
    for (size_t i = 0; i < k->buffers.count; i++) {
        if (k->buffers.items[i].soa)
            continue;
        roots[root_count] = *k->buffers.items[i].root;
        k->buffers.items[i].root = &roots[root_count++];
    }
    if (!root_count || is_left_out(w, k))
        return;
    if (k->mentioned_at != SIZE_MAX) {
        dl__say_at(w, k->mentioned_at, prefix, "it is declared or called here, too");
        return;
    }
    if (w->ast.has_variable) {
        /* The rewritten program is another program: it would have a variable of its own. */
        if (!w->variable_said)
            dl__say_at(w, w->ast.variable_at, "",
                       "a variable of program scope is shared with kernels that are not "
                       "transformed");
        w->variable_said = true;
        return;
    }
    unit = dl__track_kernel(&w->tracker, f, roots, root_count);
    if (unit->refused) {
        dl__say_at(w, unit->refused_at, prefix, unit->reason);
        return;
    }
    name.bytes = 0;
    if (!dl__unit_is_hygienic(w, unit, &name, &at) ||
        !dl__edits_print(&unit->edits, &w->expanded, f->item_at, f->body_end, &trial,
                         &at)) {
        dl__say_at(
            w, at, prefix,
            name.bytes
                ? dl__arena_format(&w->arena,
                                   "'%.*s', which the rewritten text needs, is a "
                                   "macro",
                                   (int)name.bytes, name.text)
                : "a macro or directive can't be kept apart from what is rewritten");
        return;
    }
    k->unit = unit;
    k->soa_alone = false;
}

/* ---- explaining ---- */

static void explain_unit(struct dl__rewriter *w, const struct dl__unit *unit)
{
    for (size_t i = 0; i < unit->uses.count; i++) {
        const struct dl__use *use = &unit->uses.items[i];
        struct dl__place place = dl__expanded_place(&w->expanded, use->at);

        dl__say(w, DL_REMARK, place.file->name, place.line, place.column,
                "'%s' is reached through %s", use->root->name, use->accessor->name);
    }
    for (size_t i = 0; i < unit->clones.count; i++) {
        const struct dl__unit *clone = unit->clones.items[i];
        struct dl__place place =
            dl__expanded_place(&w->expanded, clone->function->name_at);

        dl__say(w, DL_REMARK, place.file->name, place.line, place.column,
                "'%s' is copied as '%s' for '%s'", clone->function->name, clone->new_name,
                unit->function->name);
        explain_unit(w, clone);
    }
}

static void explain(struct dl__rewriter *w, const struct dl__kernel *k)
{
    for (size_t i = 0; i < k->buffers.count; i++) {
        const struct dl__buffer *b = &k->buffers.items[i];
        size_t leaves = 0;
        const char *reason;

        if (!b->soa && !k->unit)
            continue;
        dl__struct_leaves(&w->arena, b->root->element, &leaves, &reason);
        dl__say(
            w, DL_REMARK, b->file, b->line, 1,
            b->root->width
                ? "kernel '%s' %s '%s'%s: %s of elements of %u bytes, %zu times %s, as "
                  "many as %s"
                : "kernel '%s' %s '%s'%s: %s of %u bytes in %zu leaves%s, as many as %s",
            k->function->name, b->root->written ? "writes" : "reads", b->name,
            b->soa ? " as discrete arrays" : "",
            dl__struct_tag(&w->arena, b->root->element), b->root->element->bytes, leaves,
            b->root->width ? b->root->width->dimension : "",
            strcmp(b->dimension, "*") ? b->dimension : "fit");
    }
    if (k->unit)
        explain_unit(w, k->unit);
}

/* ---- names ---- */

static int by_name(const void *left, const void *right)
{
    const struct dl__kernel *const *a = left, *const *b = right;

    return strcmp((*a)->function->name, (*b)->function->name);
}

static int name_to_kernel(const void *left, const void *right)
{
    const struct dl__token *name = left;
    const struct dl__kernel *const *k = right;
    int order = strncmp(name->text, (*k)->function->name, name->bytes);

    return order ? order : -(int)((*k)->function->name[name->bytes] != '\0');
}

/* Reads all names once. A kernel whose arguments change must be mentioned nowhere else: notes
 * where it is. */
static void read_names(struct dl__rewriter *w)
{
    struct dl__lexer lexer = {.text = w->expanded.text, .bytes = w->expanded.bytes};
    struct dl__kernel **kernels =
        dl__arena_alloc(&w->arena, w->kernels.count * sizeof(struct dl__kernel *));
    struct dl__token t;

    for (size_t i = 0; i < w->kernels.count; i++) {
        kernels[i] = &w->kernels.items[i];
        kernels[i]->mentioned_at = SIZE_MAX;
    }
    qsort(kernels, w->kernels.count, sizeof(struct dl__kernel *), by_name);
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        struct dl__lexer ahead = lexer;
        struct dl__kernel **k;
        struct dl__token paren;

        if (t.kind != DL__NAME)
            continue;
        k = bsearch(&t, kernels, w->kernels.count, sizeof(struct dl__kernel *),
                    name_to_kernel);
        if (!k || (*k)->mentioned_at != SIZE_MAX || t.offset == (*k)->function->name_at)
            continue;
        paren = dl__lex_next(&ahead);
        if (dl__token_is(&paren, "("))
            (*k)->mentioned_at = t.offset;
    }
}

/* ---- the passes ---- */

static int by_place(const void *left, const void *right)
{
    const struct dl__kernel *a = left, *b = right;

    return a->function->item_at < b->function->item_at
               ? -1
               : a->function->item_at > b->function->item_at;
}

enum { QUESTIONS_MAX = 16, ROUNDS_MAX = 16 };

/* What is the same for every device: that there is OpenCL C, and the extensions, which are
 * told. */
static bool is_known(struct dl__rewriter *w, const char *condition)
{
    struct dl__lexer lexer = {.text = condition, .bytes = strlen(condition)};
    bool defined = false;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        bool is_version = dl__token_is(&t, "__OPENCL_VERSION__") ||
                          dl__token_is(&t, "__OPENCL_C_VERSION__");
        bool is_extension =
            w->options->device_extensions && t.bytes > 3 && !memcmp(t.text, "cl_", 3);

        if (t.kind == DL__NAME && !dl__token_is(&t, "defined") && !is_extension &&
            !(is_version && defined))
            return false;
        defined = dl__token_is(&t, "defined") || (defined && dl__token_is(&t, "("));
    }
    return true;
}

/* Asks the device about the conditions that only it can decide. True: its answers change what
 * the text is. */
static bool ask_device(struct dl__rewriter *w, bool *can_ask)
{
    const char *conditions[QUESTIONS_MAX];
    struct dl__guess *asked[QUESTIONS_MAX];
    bool holds[QUESTIONS_MAX] = {false}, changed = false;
    size_t count = 0;

    for (size_t i = 0; i < w->expanded.guesses.count && count < QUESTIONS_MAX; i++) {
        struct dl__guess *guess = &w->expanded.guesses.items[i];
        struct dl__token name;

        /* A name that is the user's by the end is an include guard. */
        if (guess->is_sure || is_known(w, guess->condition) ||
            dl__macro_in_text(w->expanded.macros, guess->condition,
                              strlen(guess->condition), &name))
            continue;
        conditions[count] = guess->condition;
        asked[count++] = guess;
    }
    if (!count)
        return false;
    dl__arena_pause(&w->arena);
    *can_ask = w->options->ask_device(w->options->ask_user, conditions, count, holds);
    dl__arena_resume(&w->arena);
    if (!*can_ask)
        return true;
    for (size_t i = 0; i < count; i++) {
        struct dl__guess answer = {conditions[i], holds[i], true};

        changed |= holds[i] != asked[i]->holds || count == QUESTIONS_MAX;
        DL__PUSH(&w->arena, &w->answers, answer);
    }
    return changed;
}

/* Once more with each of the device's answers that differs: another branch may ask more. */
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

/* Leaves through the arena, remarked, when the expanded text is too much for libclang. */
static void check_limits(struct dl__rewriter *w)
{
    size_t at = 0;
    const char *reason = dl__limits_check(w->expanded.text, w->expanded.bytes, &at);

    if (!reason)
        return;
    dl__say_at(w, at, "the program is left alone: ", reason);
    dl__arena_fail(&w->arena, DL_EPARSE);
}

void dl__rewriter_parse(struct dl__rewriter *w, const char *more)
{
    const struct dl_side_file *side = w->options->side;
    struct dl__preprocess_input input = {.main = &w->main,
                                         .options = &w->build,
                                         .headers = w->options->headers,
                                         .header_count = w->options->header_count,
                                         .compiler_macros = compiler_macros,
                                         .user = w,
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
    if (w->build.relaxed)
        dl__say(w, DL_REMARK, w->main.name, 0, 0,
                "%s lets the compiler round differently in transformed kernels",
                w->build.relaxed);
    w->ast_options.cl_std = w->build.cl_std;
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
    if (w->options->ask_only)
        dl__arena_fail(&w->arena, DL_EREFUSED);
    check_limits(w);
    lap(w, &w->times.expand);
    /* Conditions are decided by now: an extension that only libclang has does no harm. */
    w->ast_options.device_extensions = NULL;
    dl__ast_parse(&w->ast, &w->arena, w->clang, w->expanded.text, w->expanded.bytes,
                  &w->ast_options, on_parse_error, w);
    lap(w, &w->times.parse);
}

static enum dl_status run(struct dl__rewriter *w)
{
    bool any = false;

    dl__rewriter_parse(w, "");
    w->tracker.arena = w->tracker.accessors.arena = &w->arena;
    w->tracker.ast = &w->ast;
    w->tracker.expanded = &w->expanded;
    w->tracker.lacks_static = w->build.cl_std && (!strcmp(w->build.cl_std, "CL1.0") ||
                                                  !strcmp(w->build.cl_std, "CL1.1"));
    dl__bind_comments(w);
    dl__bind_side_file(w);
    if (!w->kernels.count || !dl__names_are_free(w))
        return DL_EREFUSED;
    read_names(w);
    qsort(w->kernels.items, w->kernels.count, sizeof *w->kernels.items, by_place);
    for (size_t i = 0; i < w->kernels.count; i++) {
        transform(w, &w->kernels.items[i]);
        if ((w->kernels.items[i].unit || w->kernels.items[i].soa_alone) &&
            w->options->explain)
            explain(w, &w->kernels.items[i]);
        any |= w->kernels.items[i].unit || w->kernels.items[i].soa_alone ||
               w->kernels.items[i].soa_refused;
    }
    return any && dl__settle(w) ? DL_OK : DL_EREFUSED;
}

struct dl__rewriter *dl__rewriter_open(const char *text, size_t text_bytes,
                                       const struct dl_annotate_options *options,
                                       dl_remark_fn remark, void *user)
{
    static const struct dl_annotate_options none;
    struct dl__rewriter *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    w->options = options ? options : &none;
    w->remark = count_remark;
    w->user = w;
    w->caller_remark = remark;
    w->caller_user = user;
    w->main.name = w->options->file_name ? w->options->file_name : "<program source>";
    w->main.text = text;
    /* Drivers read no further. */
    w->main.bytes = strnlen(text, text_bytes);
    w->main.is_main = true;
    w->main.lines = &w->main_lines;
    w->main_lines.arena = &w->arena;
    lap(w, &w->times.load);
    w->times.load = 0;
    return w;
}

void dl__rewriter_close(struct dl__rewriter *w)
{
    struct dl_annotate_times *times = w->options->times;

    dl__ast_free(&w->ast);
    dl__arena_free(&w->arena);
    lap(w, &w->times.rewrite);
    if (times) {
        times->load += w->times.load;
        times->expand += w->times.expand;
        times->parse += w->times.parse;
        times->rewrite += w->times.rewrite;
    }
    free(w);
}

/* The arguments of a public function, on their way to another stack. */
struct call {
    const char *text;
    size_t text_bytes;
    const struct dl_annotate_options *options;
    dl_remark_fn remark;
    void *user;
    char **out; /* NULL: to be checked */
    enum dl_status status;
};

static enum dl_status check_here(const char *text, size_t text_bytes,
                                 const struct dl_annotate_options *options,
                                 dl_remark_fn remark, void *user)
{
    static const char *const knobs[] = {"-DDL_TILE=1", "-DDL_TILE=32", "-DDL_TILE=24",
                                        "-DDL_TILE=0 -DDL_INDEX_64"};
    struct dl_notes *notes;
    enum dl_status st = dl_annotate_scan(text, text_bytes, remark, user, &notes);

    if (st != DL_OK)
        return st;
    dl_notes_free(notes);
    for (size_t i = 0; i < sizeof knobs / sizeof *knobs && st == DL_OK; i++) {
        struct dl__rewriter *w =
            dl__rewriter_open(text, text_bytes, options, remark, user);
        const char *reason = "";

        if (!w)
            return DL_ENOMEM;
        st = dl__clang_load(w->options->libclang, &w->clang, &reason);
        if (st != DL_OK)
            dl__say(w, DL_WARNING, NULL, 0, 0, "%s", reason);
        else if (setjmp(w->arena.fail))
            st = w->arena.failure;
        else
            dl__rewriter_parse(w, knobs[i]);
        dl__rewriter_close(w);
    }
    return st;
}

static enum dl_status rewrite_here(const char *text, size_t text_bytes,
                                   const struct dl_annotate_options *options,
                                   dl_remark_fn remark, void *user, char **out)
{
    struct dl__rewriter *w;
    enum dl_status st;
    const char *reason = "";

    if (dl_annotate_is_rewritten(text, text_bytes)) {
        *out = strndup(text, text_bytes);
        return *out ? DL_OK : DL_ENOMEM;
    }
    w = dl__rewriter_open(text, text_bytes, options, remark, user);
    if (!w)
        return DL_ENOMEM;
    st = dl__clang_load(w->options->libclang, &w->clang, &reason);
    lap(w, &w->times.load);
    if (st != DL_OK) {
        dl__say(w, DL_WARNING, NULL, 0, 0, "%s", reason);
        goto out;
    }
    if (setjmp(w->arena.fail))
        st = w->arena.failure;
    else
        st = run(w);
    if ((st == DL_EPARSE || st == DL_ELIMIT) && w->arena.reason)
        dl__say(w, DL_WARNING, w->main.name, 0, 0, "the program is left alone: %s",
                w->arena.reason);
    if (st == DL_OK) {
        char *copy = malloc(w->out.count + 1);

        if (copy)
            memcpy(copy, w->out.items, w->out.count + 1);
        st = copy ? DL_OK : DL_ENOMEM;
        if (copy)
            *out = copy;
    }
out:
    dl__rewriter_close(w);
    return st;
}

static void call_here(void *user)
{
    struct call *c = user;

    c->status =
        c->out
            ? rewrite_here(c->text, c->text_bytes, c->options, c->remark, c->user, c->out)
            : check_here(c->text, c->text_bytes, c->options, c->remark, c->user);
}

enum dl_status dl_annotate_rewrite(const char *text, size_t text_bytes,
                                   const struct dl_annotate_options *options,
                                   dl_remark_fn remark, void *user, char **out)
{
    struct call c = {text, text_bytes, options, remark, user, out, DL_ENOMEM};

    dl__on_large_stack(call_here, &c);
    return c.status;
}

enum dl_status dl_annotate_check(const char *text, size_t text_bytes,
                                 const struct dl_annotate_options *options,
                                 dl_remark_fn remark, void *user)
{
    struct call c = {text, text_bytes, options, remark, user, NULL, DL_ENOMEM};

    dl__on_large_stack(call_here, &c);
    return c.status;
}
