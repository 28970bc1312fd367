/* SPDX-License-Identifier: MIT */
/* A kernel's second text, or why it has none. */
#include "annotate/coalesce/place.h"

#include "annotate/text/macro.h"

static const char divergent[] =
    "not all work-items of a group are sure to come here together";

/* As if nothing had been found since there were so many. */
void dl__coalesce_forget(struct dl__coalescing *c, struct dl__coalesced before,
                         size_t taken)
{
    size_t kept = taken;

    c->c->edits.count = before.edits.count;
    c->c->loads = before.loads;
    c->c->stores = before.stores;
    c->c->loaded = before.loaded;
    c->c->stored = before.stored;
    for (size_t i = taken; i < c->taken.count; i++)
        if (c->taken.items[i].why)
            c->taken.items[kept++] = c->taken.items[i];
    c->taken.count = kept;
}

/* True when the text stands in the file as it is, so that another can stand beside it. */
static bool stands_alone(struct dl__rewriter *w, const struct dl__function *f)
{
    return dl__expanded_segment(&w->expanded, f->item_at)->kind == DL__VERBATIM &&
           dl__expanded_segment(&w->expanded, f->body_end - 1)->kind == DL__VERBATIM;
}

/* True when the second text can be printed, and none of its names is a macro of the
 * program's. */
static bool is_printable(struct dl__coalescing *c)
{
    const struct dl__function *f = c->k->function;
    struct dl__buf text = {.arena = &c->w->arena};
    struct dl__token name;
    size_t at;

    dl__buf_puts(&text, dl__coalesce_prelude());
    dl__coalesce_print(&text, c->c);
    for (size_t i = 0; i < c->c->edits.count; i++)
        dl__buf_printf(&text, "%s\n", c->c->edits.items[i].text);
    return !dl__macro_in_text(c->w->expanded.macros, text.items, text.count, &name) &&
           dl__edits_finish(&c->c->edits) &&
           dl__edits_print(&c->c->edits, &c->w->expanded, f->item_at, f->body_end, &text,
                           &at);
}

/* False: the text can't be printed. */
static bool edit(struct dl__coalescing *c, struct dl__node *all)
{
    c->c = DL__NEW(&c->w->arena, struct dl__coalesced);
    dl__coalesce_body(c, all);
    if (!c->c->loads && !c->c->stores)
        return true;
    dl__edit_replace(&c->c->edits, &c->w->expanded, all->begin + 1, all->begin + 1,
                     dl__coalesce_locals(&c->w->arena, c->c));
    if (!is_printable(c)) {
        c->live = "";
        dl__coalesce_forget(c, (struct dl__coalesced){.loads = 0}, 0);
        return false;
    }
    c->k->coalesced = c->c;
    return true;
}

void dl__coalesce(struct dl__rewriter *w, struct dl__kernel *k)
{
    struct dl__coalescing c = {
        .w = w, .k = k, .live = "", .why = divergent, .by_members = true};
    const char *obstacle = dl__coalesce_obstacle(w, k->function);
    struct dl__node *all = dl__ast_body(&w->ast, k->function);

    if (obstacle) {
        c.why = dl__arena_format(&w->arena, "the kernel, or a helper, has %s", obstacle);
    } else if (!stands_alone(w, k->function) || all->kind != DL__N_STATEMENT) {
        c.why = "the kernel is made by a macro";
    } else if (!edit(&c, all)) {
        /* Members are often read through macros. */
        c.by_members = false;
        if (!edit(&c, all))
            c.why = "a macro or directive can't be kept apart from what is rewritten";
    }
    dl__say_plain(&c);
}
