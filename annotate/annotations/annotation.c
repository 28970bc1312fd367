/* SPDX-License-Identifier: MIT */
/* Annotations in texts and beside them. */
#include "annotate/annotations/annotation.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "annotate/base/file.h"
#include "annotate/text/preprocess.h"

/* Reads `[...]` whose `[` is at `open`; false when it is not closed. */
static bool read_brackets(struct dl__lexer *lexer, struct dl__token open,
                          const char **inside, size_t *bytes)
{
    unsigned depth = 1;
    struct dl__token t;

    *inside = open.text + 1;
    do {
        t = dl__lex_over_lines(lexer);
        depth += dl__token_is(&t, "[");
        depth -= dl__token_is(&t, "]");
    } while (depth && t.kind != DL__END);
    *bytes = (size_t)(t.text - *inside);
    while (*bytes && strchr(" \t", **inside)) {
        ++*inside;
        --*bytes;
    }
    while (*bytes && strchr(" \t", (*inside)[*bytes - 1]))
        --*bytes;
    return t.kind != DL__END;
}

/* Reads `to ASTA`, for all buffers of the annotation: each must have its second brackets.
 */
static const char *read_target(struct dl__arena *arena, struct dl__lexer *lexer,
                               struct dl__wishes *out)
{
    struct dl__token t = dl__lex_over_lines(lexer);

    if (!dl__token_is(&t, "ASTA"))
        return "discrete arrays are offered `to ASTA`, to nothing else";
    for (size_t i = 0; i < out->count; i++) {
        struct dl__wish *wish = &out->items[i];

        if (!wish->soa)
            return "`to ASTA` is for `SoA` alone: `AoS` is always to tiles";
        if (!wish->width || !*wish->dimension)
            return dl__arena_format(arena, "'%s' to ASTA is written `%s[length][arrays]`",
                                    wish->buffer, wish->buffer);
        wish->soa = false;
        wish->arrays = true;
    }
    return NULL;
}

/* Reads `as y[*] x[*] k`, up to a comma, a semicolon or the end: for the grids before it
 * that have no layout. */
static const char *read_strips(struct dl__arena *arena, struct dl__lexer *lexer,
                               struct dl__token *t, struct dl__wishes *out)
{
    const char *begin = NULL, *end = NULL;

    for (*t = dl__lex_over_lines(lexer); t->kind != DL__END && !dl__token_in(t, ", ;");
         *t = dl__lex_over_lines(lexer)) {
        begin = begin ? begin : t->text;
        end = t->text + t->bytes;
    }
    if (!begin)
        return "after `as` a grid's layout is expected: `as y[*] x[*] k x[4:0]`";
    for (size_t i = 0; i < out->count; i++)
        if (!out->items[i].strips)
            out->items[i].strips = dl__arena_text(arena, begin, (size_t)(end - begin));
    return NULL;
}

/* Reads what stands in the brackets of one buffer, from the `[` behind its name on; *t is
 * what follows. */
static const char *read_shape(struct dl__arena *arena, struct dl__lexer *lexer,
                              struct dl__token name, struct dl__token *t, bool grid,
                              struct dl__wish *wish)
{
    for (size_t brackets = 0; dl__token_is(t, "[") && (grid || brackets < 2);
         brackets++) {
        const char *inside, *text;
        size_t bytes;

        if (grid && brackets == DL_GRID_DIMS_MAX)
            return "a grid has at most 8 dimensions";
        if (!read_brackets(lexer, *t, &inside, &bytes))
            return dl__arena_format(arena, "a `]` is missing after '%.*s'",
                                    (int)(inside + bytes - name.text), name.text);
        text = dl__arena_text(arena, inside, bytes);
        if (grid && !*text)
            return "each dimension of a grid is written: `grid: f[ny][nx]`";
        if (grid)
            wish->extents[wish->extent_count++] = text;
        else if (brackets == 0)
            wish->dimension = text;
        else
            wish->width = text;
        *t = dl__lex_over_lines(lexer);
    }
    return NULL;
}

/* Reads one `f[...]`. */
static const char *read_wish(struct dl__arena *arena, struct dl__lexer *lexer,
                             struct dl__token *t, bool grid, struct dl__wish wish,
                             struct dl__wishes *out)
{
    struct dl__token name = dl__lex_over_lines(lexer);
    const char *reason;

    *t = dl__lex_over_lines(lexer);
    if (name.kind == DL__NAME && !dl__token_is(t, "["))
        return dl__arena_format(arena, "a `[` is missing after '%.*s'", (int)name.bytes,
                                name.text);
    if (name.kind != DL__NAME)
        return dl__arena_format(arena, "a buffer's name and `[` are expected%s%.*s%s",
                                name.bytes ? " from '" : "", (int)name.bytes, name.text,
                                name.bytes ? "' on" : "");
    wish.buffer = dl__arena_text(arena, name.text, name.bytes);
    wish.dimension = "";
    reason = read_shape(arena, lexer, name, t, grid, &wish);
    for (size_t i = 0; i < out->count && !reason; i++)
        if (!strcmp(out->items[i].buffer, wish.buffer))
            reason = dl__arena_format(arena, "'%s' is annotated twice", wish.buffer);
    DL__PUSH(arena, out, wish);
    /* The name that a rewritten annotation carries. */
    if (t->kind == DL__NAME && t->bytes > 9 && !memcmp(t->text, "AOS2ASTA_", 9))
        *t = dl__lex_over_lines(lexer);
    return reason;
}

static const char *parse(struct dl__arena *arena, const char *body,
                         struct dl__wishes *out)
{
    struct dl__lexer lexer = {.text = body, .bytes = strlen(body)}, ahead;
    struct dl__token layout = dl__lex_over_lines(&lexer), t = dl__lex_over_lines(&lexer);
    bool grid = dl__token_is(&layout, "grid"), is_list;
    struct dl__wish wish = {.soa = dl__token_is(&layout, "SoA")};
    const char *reason = NULL;

    if (!dl__token_is(&t, ":") || !(wish.soa || grid || dl__token_is(&layout, "AoS"))) {
        static const char *const meant[] = {"aos", "soa", "asta", "da", "grid", "grids"};

        for (size_t i = 0; dl__token_is(&t, ":") && i < sizeof meant / sizeof *meant; i++)
            if (layout.bytes == strlen(meant[i]) &&
                !strncasecmp(layout.text, meant[i], layout.bytes))
                return "a layout is written `AoS`, `SoA` or `grid`";
        return "an annotation has the form `//DL: AoS: buffer[structs]`";
    }
    do {
        reason = read_wish(arena, &lexer, &t, grid, wish, out);
        if (!reason && grid && dl__token_is(&t, "as"))
            reason = read_strips(arena, &lexer, &t, out);
        ahead = lexer;
        is_list = dl__token_is(&t, ",") && dl__lex_over_lines(&ahead).kind != DL__END;
    } while (!reason && is_list);
    if (!reason && !grid && dl__token_is(&t, "to")) {
        reason = read_target(arena, &lexer, out);
        t = dl__lex_over_lines(&lexer);
    }
    /* As if it were a statement, or one of a list. */
    if (dl__token_in(&t, ", ;"))
        t = dl__lex_over_lines(&lexer);
    if (reason || t.kind == DL__END)
        return reason;
    return dl__arena_format(
        arena,
        "the annotation goes on after its last `]` with '%.*s': separate buffers by "
        "commas, and write another layout on a line of its own",
        (int)t.bytes, t.text);
}

bool dl__annotation_parse(struct dl__arena *arena, const char *body,
                          struct dl__wishes *out, const char **reason)
{
    *reason = parse(arena, body, out);
    return !*reason;
}

bool dl__annotation_is_soa(const char *body, size_t bytes)
{
    struct dl__lexer lexer = {.text = body, .bytes = bytes};
    struct dl__token t = dl__lex_over_lines(&lexer);
    unsigned depth = 0;

    if (!dl__token_is(&t, "SoA"))
        return false;
    while ((t = dl__lex_over_lines(&lexer)).kind != DL__END) {
        depth += dl__token_is(&t, "[");
        depth -= dl__token_is(&t, "]");
        if (!depth && dl__token_is(&t, "to"))
            return false;
    }
    return true;
}

/* ---- Annotations beside the program: a file of `KERNEL: AoS: f[...]` lines with #
 * comments. ---- */

/* This is enough for thousands of kernels; every build looks through the entries. */
enum {
    FILE_BYTES_MAX = 1 << 20,
    ENTRIES_MAX = 10000,
    LINE_REMARKS_MAX = 10,
    NONE_IN = 3 /* bad lines, and the file is another kind of file */
};

struct reading {
    struct dl_side_file *side;
    dl_remark_fn remark;
    void *user;
    unsigned line;
    unsigned bad_lines;
};

static void say(const struct reading *r, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(const struct reading *r, unsigned line, const char *format, ...)
{
    char text[256];
    struct dl_remark remark = {DL_WARNING, r->side->path, line, line ? 1 : 0, text};
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    dl_remark_point(&remark, NULL);
    if (r->remark)
        r->remark(r->user, &remark);
}

/* Of many bad lines only the first are said. */
static void say_bad_line(struct reading *r, const char *reason)
{
    if (r->bad_lines++ < LINE_REMARKS_MAX)
        say(r, r->line, "%s; the line is ignored", reason);
}

static void add_entry(struct dl_side_file *side, struct dl__token kernel,
                      const char *body, unsigned line)
{
    bool soa = dl__annotation_is_soa(body, strlen(body));

    side->entries = dl__arena_grown(&side->arena, side->entries, side->entry_count,
                                    sizeof *side->entries);
    side->entries[side->entry_count++] = (struct dl__side_entry){
        dl__arena_text(&side->arena, kernel.text, kernel.bytes),
        dl__arena_text(&side->arena, body, strlen(body)), line, soa};
    for (int i = 0; i <= soa; i++)
        dl__macro_define(side->kernels[i], kernel.text, kernel.bytes);
}

static void read_line(struct reading *r, char *text)
{
    size_t bytes = strcspn(text, "#");
    struct dl__lexer lexer = {.text = text};
    struct dl_side_file *side = r->side;
    struct dl__wishes wishes = {0};
    struct dl__token name, colon;
    const char *reason, *body;

    while (bytes && strchr(" \t\r", text[bytes - 1]))
        bytes--;
    text[lexer.bytes = bytes] = '\0';
    if (!bytes)
        return;
    name = dl__lex_next(&lexer);
    colon = dl__lex_next(&lexer);
    body = text + lexer.offset;
    if (name.kind != DL__NAME || !dl__token_is(&colon, ":")) {
        say_bad_line(r, "a line has the form `KERNEL: AoS: buffer[structs]`");
        return;
    }
    /* Checks the form only; what it means is known when the kernel is. */
    if (!dl__annotation_parse(&side->arena, body, &wishes, &reason)) {
        say_bad_line(r, reason);
        return;
    }
    add_entry(side, name, body, r->line);
}

/* False: it is not to be used. */
static bool read_lines(struct reading *r, char *text, size_t bytes)
{
    char *end = text + bytes, *next;

    for (char *at = text; at < end; at = next) {
        next = memchr(at, '\n', (size_t)(end - at));
        next = next ? next + 1 : end;
        if (next[-1] == '\n')
            next[-1] = '\0';
        r->line++;
        read_line(r, at);
        if (r->side->entry_count > ENTRIES_MAX) {
            say(r, r->line, "the annotation file has more than %d entries", ENTRIES_MAX);
            return false;
        }
        if (!r->side->entry_count && r->bad_lines == NONE_IN) {
            say(r, 0,
                "this is not a file of annotations, so it is not used: a line has the "
                "form `KERNEL: AoS: buffer[structs]` (dl-run --advise=FILE writes one)");
            return false;
        }
    }
    if (r->bad_lines > LINE_REMARKS_MAX)
        say(r, 0, "lines that are not understood, too: %u more",
            r->bad_lines - LINE_REMARKS_MAX);
    return true;
}

enum dl_status dl_side_file_load(const char *path, dl_remark_fn remark, void *user,
                                 struct dl_side_file **out)
{
    struct dl_side_file *side = calloc(1, sizeof *side);
    struct reading r = {.side = side, .remark = remark, .user = user};
    volatile enum dl_status st = DL_ENOMEM;
    const char *reason;
    size_t bytes;
    char *text;

    if (!side)
        return DL_ENOMEM;
    text = dl__file_read(path, FILE_BYTES_MAX, &bytes, &reason);
    if (!setjmp(side->arena.fail)) {
        side->path = dl__arena_text(&side->arena, path, strlen(path));
        if (!text)
            say(&r, 0, "the annotation file can't be read: %s", reason);
        for (size_t i = 0; i < 2; i++) {
            side->kernels[i] = DL__NEW(&side->arena, struct dl__macros);
            side->kernels[i]->arena = &side->arena;
        }
        st = text && read_lines(&r, text, bytes) ? DL_OK : DL_EIO;
    }
    free(text);
    if (st == DL_OK)
        *out = side;
    else
        dl_side_file_free(side);
    return st;
}

/* True when the side file annotates the kernel; with `soa`, when it does so for discrete
 * arrays. `side` may be NULL. */
static bool side_file_has(const struct dl_side_file *side, const char *kernel,
                          size_t bytes, bool soa)
{
    return side && dl__macro_find(side->kernels[soa], kernel, bytes);
}

/* True when the side file annotates a kernel whose name stands in the text; with `soa`,
 * when it does so for discrete arrays. */
static bool side_file_names(const struct dl_side_file *side, const char *text,
                            size_t bytes, bool soa)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes};
    struct dl__token t;

    while (side && side->entry_count && (t = dl__lex_next(&lexer)).kind != DL__END)
        if (t.kind == DL__NAME && side_file_has(side, t.text, t.bytes, soa))
            return true;
    return false;
}

const char *dl_side_file_find(const struct dl_side_file *side, const char *kernel)
{
    return side_file_has(side, kernel, strlen(kernel), false) ? side->path : NULL;
}

char *dl_side_file_text(const struct dl_side_file *side)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    if (side)
        fprintf(out, "%s\n", side->path);
    for (size_t i = 0; side && i < side->entry_count; i++)
        fprintf(out, "%u %s:%s\n", side->entries[i].line, side->entries[i].kernel,
                side->entries[i].body);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

void dl_side_file_free(struct dl_side_file *side)
{
    if (side)
        dl__arena_free(&side->arena);
    free(side);
}

/* ---- Whether a text has annotations, and what it demands. ---- */

/* Sets *user where a kernel that follows has such an annotation. */
static void on_note(void *user, size_t comment_offset, const char *body,
                    size_t body_bytes)
{
    bool *pending = user;

    (void)comment_offset;
    *pending |= dl__annotation_is_soa(body, body_bytes);
}

bool dl_annotate_wanted(const char *text, size_t text_bytes,
                        const struct dl_side_file *side)
{
    const char *at = text, *end = text + text_bytes;

    if (side_file_names(side, text, text_bytes, false))
        return true;
    /* By the colon of `DL:`, which texts have few of. */
    for (; (at = memchr(at, ':', (size_t)(end - at))); at++) {
        const char *before;

        if (at - text < 4 || at[-2] != 'D' || at[-1] != 'L')
            continue;
        before = at - 2;
        while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        if (before - text >= 2 && before[-1] == '/' && before[-2] == '/')
            return true;
    }
    return false;
}

/* Not by memmem, which takes several times as long for words of three letters. */
static bool names_soa(const char *text, size_t bytes)
{
    const char *end = text + bytes;

    for (const char *at = text; (at = memchr(at, 'S', (size_t)(end - at))); at++)
        if (end - at >= 3 && at[1] == 'o' && at[2] == 'A')
            return true;
    return false;
}

/* True when a text, or its side file, demands discrete arrays of a kernel. */
static bool annotate_demands(const char *text, size_t text_bytes,
                             const struct dl_side_file *side)
{
    bool pending = false;
    struct dl__lexer lexer = {
        .text = text, .bytes = text_bytes, .on_note = on_note, .user = &pending};

    if (side_file_names(side, text, text_bytes, true))
        return true;
    if (memmem(text, text_bytes, " soa bytes ", 11) &&
        dl_annotate_is_rewritten(text, text_bytes))
        return true;
    if (!names_soa(text, text_bytes))
        return false;
    while (!pending && dl__lex_next(&lexer).kind != DL__END)
        ;
    return pending;
}

static void add_refused(struct dl__arena *arena, struct dl_notes *notes, const char *text,
                        size_t text_bytes, const struct dl_side_file *side)
{
    bool pending = false, in_head = false; /* after `__kernel`, before its parameters */
    struct dl__lexer lexer = {
        .text = text, .bytes = text_bytes, .on_note = on_note, .user = &pending};
    struct dl__token t, name = {0};
    unsigned attribute_depth = 0;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (!in_head) {
            in_head = dl__is_kernel_word(&t);
            name = t; /* of kernel_exec, whose parentheses are not the kernel's */
        } else if (attribute_depth || (name.bytes && dl__token_is(&t, "(") &&
                                       (dl__token_is(&name, "__attribute__") ||
                                        dl__is_kernel_word(&name)))) {
            attribute_depth += dl__token_is(&t, "(");
            attribute_depth -= dl__token_is(&t, ")");
            name.bytes = 0;
        } else if (t.kind == DL__NAME) {
            name = t;
        } else if (dl__token_is(&t, "(") && name.bytes) {
            if (pending || side_file_has(side, name.text, name.bytes, true))
                *dl__notes_add(arena, notes) = (struct dl_kernel_note){
                    .name = dl__arena_text(arena, name.text, name.bytes),
                    .refused = true};
            pending = in_head = false;
        } else if (t.kind != DL__NEWLINE) {
            in_head = false;
        }
    }
}

enum dl_status dl_annotate_refuse(const char *text, size_t text_bytes,
                                  const struct dl_side_file *side, struct dl_notes **out)
{
    struct dl__arena *arena;
    struct dl_notes *notes;

    *out = NULL;
    if (!annotate_demands(text, text_bytes, side))
        return DL_OK;
    notes = dl__notes_make(&arena);
    if (!notes)
        return DL_ENOMEM;
    if (setjmp(arena->fail)) {
        dl_notes_free(notes);
        return DL_ENOMEM;
    }
    add_refused(arena, notes, text, text_bytes, side);
    if (notes->kernel_count)
        *out = notes;
    else
        dl_notes_free(notes);
    return DL_OK;
}

/* Whether a program may concern DL: its text, and the texts that it includes. */

enum { KERNEL_NAME_MAX = 256 };

typedef bool wanted_fn(const char *text, size_t text_bytes,
                       const struct dl_side_file *side);

/* The names of kernels may be the program's options, or glued together by its macros:
 * what they can be made of. */
struct words {
    struct dl__macros seen;
    bool pastes;
};

static void add_words(struct words *words, const char *text, size_t bytes)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind == DL__NAME || t.kind == DL__NUMBER)
            dl__macro_define(&words->seen, t.text, t.bytes);
        words->pastes |= dl__token_is(&t, "##");
    }
}

/* True when a name is made of words that stand in the text. */
static bool is_made_of(const struct words *words, const char *name)
{
    bool reached[KERNEL_NAME_MAX + 1] = {true};
    size_t bytes = strlen(name);

    if (dl__macro_find(&words->seen, name, bytes))
        return true;
    if (!words->pastes || bytes > KERNEL_NAME_MAX)
        return words->pastes;
    for (size_t i = 0; i < bytes; i++)
        for (size_t end = i + 1; reached[i] && end <= bytes; end++)
            reached[end] |= dl__macro_find(&words->seen, name + i, end - i) != NULL;
    return reached[bytes];
}

static bool makes_names(const struct words *words, const struct dl_side_file *side,
                        bool soa)
{
    for (size_t i = 0; i < side->entry_count; i++)
        if ((!soa || side->entries[i].soa) && is_made_of(words, side->entries[i].kernel))
            return true;
    return false;
}

struct looking {
    wanted_fn *wanted;
    const struct dl_side_file *side;
    struct words *words; /* NULL: no side file asks for them */
};

static bool look_on(void *user, const struct dl__file *file)
{
    struct looking *l = user;

    if (l->words)
        add_words(l->words, file->text, file->bytes);
    return file->is_main || !l->wanted(file->text, file->bytes, l->side);
}

static bool any_is_wanted(const char *text, size_t text_bytes,
                          const struct dl_annotate_options *options, wanted_fn *is_wanted)
{
    struct dl__arena arena = {0};
    struct looking l = {is_wanted, options->side, NULL};
    struct dl__build_options build;
    volatile bool wanted = is_wanted(text, text_bytes, options->side);
    bool has_side = options->side && options->side->entry_count;

    if (wanted || (!has_side && !memmem(text, text_bytes, "include", 7)))
        return wanted;
    if (!setjmp(arena.fail)) {
        if (has_side) {
            l.words = DL__NEW(&arena, struct words);
            l.words->seen.arena = &arena;
            dl__build_options_parse(&arena, options->build_options, &build);
            for (size_t i = 0; i < build.defines.count; i++)
                if (build.defines.items[i].value)
                    add_words(l.words, build.defines.items[i].value,
                              strlen(build.defines.items[i].value));
        }
        wanted = !dl__each_text(&arena, text, text_bytes, options, look_on, &l);
        if (!wanted && has_side)
            wanted = makes_names(l.words, options->side, is_wanted == annotate_demands);
    }
    dl__arena_free(&arena);
    return wanted;
}

bool dl__is_annotated_with(const char *text, size_t text_bytes,
                           const struct dl_annotate_options *options)
{
    return any_is_wanted(text, text_bytes, options, dl_annotate_wanted);
}

bool dl_annotate_wanted_with(const char *text, size_t text_bytes,
                             const struct dl_annotate_options *options)
{
    /* Kernels may come from an included text, or from a macro of the build options. */
    if (options->detect &&
        (memmem(text, text_bytes, "kernel", 6) ||
         memmem(text, text_bytes, "include", 7) ||
         (options->build_options && strstr(options->build_options, "kernel"))))
        return true;
    return dl__is_annotated_with(text, text_bytes, options);
}

bool dl_annotate_demands(const char *text, size_t text_bytes,
                         const struct dl_annotate_options *options)
{
    return any_is_wanted(text, text_bytes, options, annotate_demands);
}
