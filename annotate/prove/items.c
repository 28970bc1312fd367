/* SPDX-License-Identifier: MIT */
/* Everything outside of the rewritten kernels is the same, token by token. */
#include <string.h>

#include "annotate/accessors/prelude.h"
#include "annotate/prove/prove.h"
#include "annotate/text/lex.h"

struct item {
    dl__number number;
    size_t at;
    bool is_generated; /* it has a name that programs have not */
};

struct items {
    struct item *items;
    size_t count, room;
};

static const struct dl__function *kernel_at(const struct dl__ast *ast,
                                            const struct dl_notes *notes, size_t at)
{
    for (size_t i = 0; i < ast->functions.count; i++) {
        const struct dl__function *f = &ast->functions.items[i];
        const struct dl_kernel_note *k;

        if (f->item_at != at || !f->is_defined || !f->is_kernel)
            continue;
        k = dl_notes_find(notes, f->name);
        if (k && k->buffer_count && !k->refused && k->buffers[0].native == DL_LAYOUT_AOS)
            return f;
    }
    return NULL;
}

/* The declarations of a text, cut behind each `;` and `}` outside of braces. */
static void split(struct dl__prover *p, const struct dl__ast *ast,
                  const struct dl_notes *notes, struct items *out)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = ast->bytes};
    struct item item = {0};
    bool at_start = true, in_line = false;
    unsigned depth = 0;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind == DL__NEWLINE) {
            if (in_line) /* of a directive */
                DL__PUSH(p->arena, out, item);
            at_start |= in_line;
            in_line = false;
            continue;
        }
        if (at_start) {
            const struct dl__function *kernel = kernel_at(ast, notes, t.offset);

            item = (struct item){.number = 1, .at = t.offset};
            at_start = false;
            in_line = dl__token_is(&t, "#");
            if (kernel) {
                item.number = dl__draw_text("kernel", kernel->name, strlen(kernel->name));
                DL__PUSH(p->arena, out, item);
                lexer.offset = kernel->body_end;
                at_start = true;
                continue;
            }
        }
        item.number =
            dl__draw("item", item.number, dl__draw_text("", t.text, t.bytes), 0);
        item.is_generated |= t.kind == DL__NAME &&
                             (!strncmp(t.text, "dl_", 3) || !strncmp(t.text, "DL_", 3));
        depth += dl__token_is(&t, "{") || dl__token_is(&t, "(");
        depth -= depth && (dl__token_is(&t, "}") || dl__token_is(&t, ")"));
        if (!depth && !in_line && (dl__token_is(&t, ";") || dl__token_is(&t, "}"))) {
            DL__PUSH(p->arena, out, item);
            at_start = true;
        }
    }
}

const char *dl__items_fault(struct dl__prover *p, const struct dl_notes *notes,
                            size_t *at)
{
    struct items old_items = {0}, new_items = {0};
    size_t i = 0;

    split(p, &p->old_text.w->ast, notes, &old_items);
    split(p, &p->new_text.w->ast, notes, &new_items);
    for (size_t j = 0; j < new_items.count; j++) {
        const struct item *item = &new_items.items[j];

        *at = i < old_items.count ? old_items.items[i].at : 0;
        if (i < old_items.count && old_items.items[i].number == item->number)
            i++;
        else if (!item->is_generated)
            return "the rewritten text differs here";
    }
    return i < old_items.count ? "the rewritten text lacks this" : NULL;
}
