/* SPDX-License-Identifier: MIT */
/* The macro-expanded text of a translation unit: files, read token by token. */
#include "annotate/text/reader.h"

#include "annotate/text/limits.h"
#include "annotate/text/pragma.h"

#include <string.h>

/* ---- annotations ---- */

static char *expand_brackets(struct dl__pp *pp, const char *body, size_t bytes)
{
    struct dl__lexer lexer = {.text = dl__arena_text(pp->arena, body, bytes),
                              .bytes = bytes};
    struct dl__item *first = NULL, **tail = &first, *inside = NULL,
                    **inside_tail = &inside;
    struct dl__buf out = {.arena = pp->arena};
    unsigned depth = 0;

    for (;;) {
        struct dl__token t = dl__lex_next(&lexer);

        if (t.kind == DL__END)
            break;
        if (dl__token_is(&t, "]") && depth && !--depth) {
            *tail = dl__macro_expand(&pp->macros, inside, true);
            while (*tail)
                tail = &(*tail)->next;
            inside = NULL;
            inside_tail = &inside;
        }
        if (depth) {
            *inside_tail = dl__item_make(pp->arena, &t);
            inside_tail = &(*inside_tail)->next;
        } else {
            *tail = dl__item_make(pp->arena, &t);
            tail = &(*tail)->next;
        }
        depth += dl__token_is(&t, "[");
    }
    *tail = inside;
    dl__buf_puts(&out, "");
    dl__items_print(first, &out);
    return out.items;
}

static void on_note(void *user, size_t offset, const char *body, size_t bytes)
{
    struct dl__reader *r = user;
    struct dl__expanded *out = r->pp->out;
    struct dl__note note = {.file = r->file, .origin = offset};

    /* Looking ahead for a macro's parenthesis passes the same comment twice. */
    if (!dl__pp_is_active(r) || offset < r->noted)
        return;
    r->noted = offset + 1;
    note.origin_end = (size_t)(body - r->file->text) + bytes;
    note.body = expand_brackets(r->pp, body, bytes);
    DL__PUSH(r->pp->arena, &out->notes, note);
}

static bool begins_kernel(const struct dl__token *t, const struct dl__macro *m)
{
    bool begins = dl__is_kernel_word(t);

    for (const struct dl__item *i = m ? m->body : NULL; i && !begins; i = i->next) {
        struct dl__token word = {.kind = i->kind, .text = i->text, .bytes = i->bytes};

        begins = dl__is_kernel_word(&word);
    }
    return begins;
}

/* Macros between an annotation and its kernel are the annotation's, too. */
static void expand_notes_again(struct dl__pp *pp)
{
    for (; pp->notes_above < pp->out->notes.count; pp->notes_above++) {
        struct dl__note *note = &pp->out->notes.items[pp->notes_above];

        note->body = expand_brackets(pp, note->body, strlen(note->body));
    }
}

/* ---- files ---- */

static void skip_line(struct dl__reader *r, size_t line_start)
{
    struct dl__token t;

    do
        t = dl__lex_next(&r->lexer);
    while (t.kind != DL__NEWLINE && t.kind != DL__END);
    if (t.kind == DL__NEWLINE)
        r->lexer.offset = t.offset;
    dl__pp_blank(r, DL__BLANK, line_start, r->lexer.offset);
    if (t.kind == DL__NEWLINE)
        r->lexer.offset = t.offset + 1;
}

/* Other spellings of # [ ] { } and \\, which libclang and the drivers know and this room
 * does not: a directive in one of them would be read by them alone. */
static void refuse_digraph(struct dl__reader *r, const struct dl__token *t)
{
    static const char *const pairs[] = {"%:", "<:", ":>", "<%", "%>"};

    if (t->kind != DL__PUNCT || t->offset + 1 >= r->file->bytes)
        return;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!memcmp(r->file->text + t->offset, pairs[i], 2))
            dl__pp_give_up(r->pp, r->file, t->offset,
                           "the digraph '%s' is not understood", pairs[i]);
}

static void refuse_trigraphs(struct dl__pp *pp, const struct dl__file *file)
{
    const char *at = file->text, *end = file->text + file->bytes;

    while ((at = memmem(at, (size_t)(end - at), "?\?", 2)) != NULL) {
        if (at + 2 < end && memchr("=/'()!<>-", at[2], 9))
            dl__pp_give_up(pp, file, (size_t)(at - file->text),
                           "the trigraph '%.3s' is not understood", at);
        at++;
    }
}

static void read_text(struct dl__pp *pp, const struct dl__file *file);

/* The directive whose # was just read. */
static void obey(struct dl__reader *r, size_t line_start)
{
    const struct dl__file *included = dl__pp_directive(r, line_start);

    if (included) {
        r->pp->depth++;
        read_text(r->pp, included);
        r->pp->depth--;
    }
}

/* Adds a whole file to the text. */
static void read_text(struct dl__pp *pp, const struct dl__file *file)
{
    struct dl__reader *r = DL__NEW(pp->arena, struct dl__reader);
    bool line_start = true;
    size_t start = 0;

    r->pp = pp;
    r->file = file;
    r->lexer.text = file->text;
    r->lexer.bytes = file->bytes;
    r->lexer.on_note = on_note;
    r->lexer.user = r;
    refuse_trigraphs(pp, file);
    for (;;) {
        struct dl__token t;
        struct dl__macro *m;

        if (line_start)
            start = r->lexer.offset;
        t = dl__lex_next(&r->lexer);
        if (t.kind == DL__END)
            break;
        if (line_start && dl__token_is(&t, "#")) {
            obey(r, start);
            line_start = false;
            continue;
        }
        if (t.kind == DL__NEWLINE) {
            line_start = true;
            continue;
        }
        if (line_start && !dl__pp_is_active(r)) {
            r->lexer.offset = start;
            skip_line(r, start);
            continue;
        }
        line_start = false;
        if (t.kind != DL__NAME) {
            refuse_digraph(r, &t);
            continue;
        }
        m = dl__macro_find(&pp->macros, t.text, t.bytes);
        if (pp->notes_above < pp->out->notes.count && begins_kernel(&t, m))
            expand_notes_again(pp);
        if (m && !m->compiler)
            dl__pp_invoke(r, &t, m);
    }
    if (r->group_count)
        dl__pp_give_up(pp, file, file->bytes, "an #if is not closed");
    dl__pp_copy_until(r, file->bytes);
    if (!file->is_main) {
        size_t at = pp->text.count;

        dl__buf_puts(&pp->text, "\n");
        dl__pp_add_segment(r, DL__BLANK, at, file->bytes, file->bytes);
    }
}

void dl__preprocess(struct dl__arena *arena, const struct dl__preprocess_input *input,
                    struct dl__expanded *out)
{
    struct dl__pp *pp = DL__NEW(arena, struct dl__pp);

    memset(out, 0, sizeof *out);
    if (input->main->bytes > DL__TEXT_BYTES_MAX)
        dl__arena_give_up(arena, "it is too large");
    out->arena = arena;
    out->pragmas = dl__pragma_list_make(arena);
    out->main = input->main;
    out->macros = &pp->macros;
    pp->arena = arena;
    pp->input = input;
    pp->out = out;
    pp->macros.arena = arena;
    pp->text.arena = arena;
    dl__pp_define_compiler_macros(pp);
    for (size_t i = 0; i < input->options->defines.count; i++) {
        const struct dl__define *define = &input->options->defines.items[i];

        if (define->undefine)
            dl__macro_undefine(&pp->macros, define->name, strlen(define->name));
        else
            dl__pp_define_text(pp, define->name, define->value, false);
    }
    dl__buf_puts(&pp->text, "");
    read_text(pp, input->main);
    out->bodies = dl__arena_alloc(arena, (input->body_count + 1) * sizeof *out->bodies);
    for (size_t i = 0; i < input->body_count; i++)
        out->bodies[i] = expand_brackets(pp, input->bodies[i], strlen(input->bodies[i]));
    out->text = pp->text.items;
    out->bytes = pp->text.count;
    /* Notes and segments are both in the order of reading. */
    for (size_t i = 0, s = 0; i < out->notes.count; i++) {
        struct dl__note *note = &out->notes.items[i];

        while (s + 1 < out->segments.count &&
               !(out->segments.items[s].file == note->file &&
                 out->segments.items[s].origin_end > note->origin))
            s++;
        if (s < out->segments.count)
            note->at = out->segments.items[s].at;
        if (s < out->segments.count && out->segments.items[s].kind == DL__VERBATIM)
            note->at += note->origin - out->segments.items[s].origin;
    }
}
