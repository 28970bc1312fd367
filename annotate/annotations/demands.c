/* SPDX-License-Identifier: MIT */
/* Kernels that read discrete arrays as they are, found without libclang: they must not
 * run on the program's layout, whatever else can't be understood of their text. */
#include <stdlib.h>
#include <string.h>

#include "annotate/notes.h"
#include "annotate/annotations/annotation.h"
#include "annotate/text/lex.h"

struct finder {
    bool pending; /* a kernel that follows has such an annotation */
    struct dl_notes *notes;
    bool failed;
};

static void on_note(void *user, size_t comment_offset, const char *body,
                    size_t body_bytes)
{
    struct finder *finder = user;

    (void)comment_offset;
    finder->pending |= dl__annotation_is_soa(body, body_bytes);
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

bool dl__annotate_demands(const char *text, size_t text_bytes,
                          const struct dl_side_file *side)
{
    struct finder finder = {0};
    struct dl__lexer lexer = {
        .text = text, .bytes = text_bytes, .on_note = on_note, .user = &finder};

    if (dl__side_file_names(side, text, text_bytes, true))
        return true;
    if (memmem(text, text_bytes, " soa bytes ", 11) &&
        dl_annotate_is_rewritten(text, text_bytes))
        return true;
    if (!names_soa(text, text_bytes))
        return false;
    while (!finder.pending && dl__lex_next(&lexer).kind != DL__END)
        ;
    return finder.pending;
}

static void add_refused(struct finder *finder, const struct dl__token *name)
{
    struct dl_notes *notes = finder->notes;
    struct dl_kernel_note *more;

    if (!notes)
        notes = finder->notes = calloc(1, sizeof *notes);
    more =
        notes ? realloc(notes->kernels, (notes->kernel_count + 1) * sizeof *more) : NULL;
    if (!more) {
        finder->failed = true;
        return;
    }
    notes->kernels = more;
    more += notes->kernel_count;
    memset(more, 0, sizeof *more);
    more->refused = true;
    more->name = strndup(name->text, name->bytes);
    notes->kernel_count += more->name != NULL;
    finder->failed |= !more->name;
}

enum dl_status dl_annotate_refuse(const char *text, size_t text_bytes,
                                  const struct dl_side_file *side, struct dl_notes **out)
{
    struct finder finder = {0};
    struct dl__lexer lexer = {
        .text = text, .bytes = text_bytes, .on_note = on_note, .user = &finder};
    struct dl__token t, name = {0};
    bool in_head = false; /* after `__kernel`, before its parameters */
    unsigned attribute_depth = 0;

    *out = NULL;
    if (!dl__annotate_demands(text, text_bytes, side))
        return DL_OK;
    while (!finder.failed && (t = dl__lex_next(&lexer)).kind != DL__END) {
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
            if (finder.pending || dl__side_file_has(side, name.text, name.bytes, true))
                add_refused(&finder, &name);
            finder.pending = in_head = false;
        } else if (t.kind != DL__NEWLINE) {
            in_head = false;
        }
    }
    if (finder.failed) {
        dl_notes_free(finder.notes);
        return DL_ENOMEM;
    }
    *out = finder.notes;
    return DL_OK;
}
