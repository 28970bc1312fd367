/* SPDX-License-Identifier: MIT */
/* Which whole structs of a kernel are accessed together, and the edits for that. */
#include "annotate/coalesce/coalesce.h"

#include <string.h>

#include "annotate/coalesce/members.h"
#include "annotate/text/lex.h"
#include "annotate/track/node.h"
#include "annotate/track/place.h"

/* Behind the struct's address: what the functions of group.c take besides. */
static const char rest[] = ", dl_quads, dl_places)";

static void put(struct dl__coalescing *c, size_t begin, size_t end, const char *text)
{
    dl__edit_replace(&c->c->edits, &c->w->expanded, begin, end, text);
}

static const char *format_one(struct dl__coalescing *c, const char *format,
                              const char *name)
{
    return dl__arena_format(&c->w->arena, format, name);
}

/* NULL: its type stays as it is. */
static const char *function_for(struct dl__coalescing *c, struct dl__node *n, bool stores)
{
    const char *reason,
        *name =
            dl__coalesce_function(c->w, c->c, dl__type_of(c->k->unit, n), NULL,
                                  dl__is_scattered(c, n->children[1]), stores, &reason);
    struct dl__taken taken = {n, reason};

    if (!name)
        DL__PUSH(&c->w->arena, &c->taken, taken);
    return name;
}

/* Words of a struct below which group.cl accesses it plainly. */
static unsigned least_words(bool scattered, bool stores)
{
    if (stores)
        return scattered ? 2 : 6;
    return scattered ? 6 : 16;
}

/* Notes the buffer of a struct, of which so many words are loaded or stored together. */
static void note_buffer(struct dl__coalescing *c, struct dl__node *place, bool stores,
                        unsigned words)
{
    struct dl__root *root = dl__root_of(c->k->unit, place->children[0]);

    if (words < least_words(dl__is_scattered(c, place->children[1]), stores))
        return;
    for (size_t b = 0; b < c->k->buffers.count && b < 32; b++)
        if (root && root->parameter == c->k->buffers.items[b].root->parameter)
            *(stores ? &c->c->stored : &c->c->loaded) |= UINT32_C(1) << b;
}

static void take(struct dl__coalescing *c, struct dl__node *n, bool stores)
{
    struct dl__taken taken = {n, NULL};

    DL__PUSH(&c->w->arena, &c->taken, taken);
    ++*(stores ? &c->c->stores : &c->c->loads);
    note_buffer(c, n, stores, dl__type_of(c->k->unit, n)->bytes / 4);
}

/* ---- loads ---- */

/* False: it stays plain. */
static bool load(struct dl__coalescing *c, struct dl__node *n)
{
    const char *name = function_for(c, n, false);

    if (!name)
        return false;
    take(c, n, false);
    put(c, n->begin, n->begin, dl__arena_format(&c->w->arena, "%s(%s&", name, c->live));
    put(c, n->end, n->end,
        format_one(c, "%s, dl_quads, dl_places)", *c->live ? " : 0" : ""));
    return true;
}

static void load_from(struct dl__coalescing *c, struct dl__node *value)
{
    struct dl__node *n = dl__whole_struct(c, value);

    if (n)
        load(c, n);
}

/* ---- members ---- */

/* The name of what a copy is loaded with; NULL: its type stays as it is. */
static const char *own_function(struct dl__coalescing *c, const struct dl__own *own)
{
    const struct dl__words words = {own->first_word, own->words};
    const char *reason;

    return dl__coalesce_function(c->w, c->c, own->type, &words,
                                 dl__is_scattered(c, own->place->children[1]), false,
                                 &reason);
}

/* Loads a copy in front of a statement, and reads the members from it. */
static void take_own(struct dl__coalescing *c, const struct dl__own *own,
                     const struct dl__node *statement)
{
    const struct dl__node *place = own->place;
    const char *text = c->w->ast.text, *name = own_function(c, own);
    const char *copy = dl__arena_format(&c->w->arena, "dl_own_%u", c->c->loads);

    put(c, statement->begin, statement->begin,
        dl__arena_format(&c->w->arena, "const %s %s = %s(%s&%.*s%s%s; ", own->type->name,
                         copy, name, c->live, (int)(place->end - place->begin),
                         text + place->begin, *c->live ? " : 0" : "", rest));
    for (size_t i = 0; i < own->reads.count; i++) {
        struct dl__taken taken = {own->reads.items[i], NULL};

        put(c, taken.node->begin, taken.node->end, copy);
        DL__PUSH(&c->w->arena, &c->taken, taken);
    }
    c->c->loads++;
    note_buffer(c, own->place, false, own->words);
}

/* ---- statements that all work-items come to ---- */

static void store_here(struct dl__coalescing *c, struct dl__node *s, struct dl__node *n)
{
    size_t end = dl__end_behind(c, s->begin, ";");
    const char *name = end == SIZE_MAX ? NULL : function_for(c, n, true);

    load_from(c, s->children[1]);
    if (!name)
        return;
    take(c, n, true);
    put(c, s->begin, s->begin, format_one(c, "%s(&", name));
    put(c, n->end, s->children[1]->begin, ", ");
    put(c, end - 1, end - 1, rest);
}

static void access_here(struct dl__coalescing *c, struct dl__node *s)
{
    struct dl__node *n = dl__stored_struct(c, s);

    if (n) {
        store_here(c, s, n);
    } else if (s->kind == DL__N_BINARY && dl__op_is(s, "=") &&
               dl__strip(s->children[0])->kind == DL__N_NAME) {
        load_from(c, s->children[1]);
    } else if (s->kind == DL__N_DECL_STATEMENT) {
        for (size_t i = 0; i < s->child_count; i++)
            if (s->children[i]->kind == DL__N_VARIABLE && s->children[i]->child_count)
                load_from(c, s->children[i]->children[s->children[i]->child_count - 1]);
    }
}

/* ---- behind a condition ---- */

/* A condition that some work-items go on from: `if (C) return;`, or `if (C) { ... }` at
 * the end. */
struct guard {
    struct dl__node *branch;
    bool leaves;                /* it is a `return` */
    struct dl__node **children; /* what they go on with */
    size_t count;
    size_t end; /* where that ends: in front of its closing brace, if it has any */
};

static bool is_if(const struct dl__coalescing *c, const struct dl__node *s)
{
    const char *text = c->w->ast.text + s->begin;

    return s->kind == DL__N_BRANCH && s->child_count == 2 && s->condition &&
           s->condition == s->children[0] && !strncmp(text, "if", 2) &&
           !strchr("_", text[2]) && strchr(" \t\r\n(", text[2]);
}

static bool find_guard(struct dl__coalescing *c, struct dl__node *body, size_t at,
                       struct guard *out)
{
    struct dl__node *s = body->children[at], *then;

    if (!is_if(c, s))
        return false;
    then = s->children[1];
    *out = (struct guard){.branch = s};
    if (then->kind == DL__N_RETURN ||
        (then->kind == DL__N_STATEMENT && then->child_count == 1 &&
         then->children[0]->kind == DL__N_RETURN)) {
        out->leaves = true;
        out->children = body->children + at + 1;
        out->count = body->child_count - at - 1;
        out->end = body->end - 1;
        return c->w->ast.text[out->end] == '}';
    }
    if (dl__is_assignment(then)) { /* without braces */
        out->children = s->children + 1;
        out->count = 1;
        out->end = dl__end_behind(c, then->begin, ";");
        return at + 1 == body->child_count && out->end != SIZE_MAX;
    }
    out->children = then->children;
    out->count = then->child_count;
    out->end = then->end - 1;
    return at + 1 == body->child_count && then->kind == DL__N_STATEMENT &&
           c->w->ast.text[then->begin] == '{' && c->w->ast.text[out->end] == '}' &&
           !dl__has_return(then);
}

/* False: it declares a struct of a type that stays as it is. */
static bool can_load(struct dl__coalescing *c, const struct dl__node *s)
{
    for (size_t i = 0; i < s->child_count; i++) {
        const struct dl__node *v = s->children[i];
        struct dl__node *n =
            v->child_count ? dl__whole_struct(c, v->children[v->child_count - 1]) : NULL;

        if (n && !function_for(c, n, false))
            return false;
    }
    return true;
}

/* How many of its first statements all work-items do: up to the last load. */
static size_t head_of(struct dl__coalescing *c, const struct guard *g)
{
    unsigned loads = 0;
    size_t head = 0;

    for (size_t i = 0; i < g->count; i++) {
        unsigned before = loads;

        if (!dl__is_head(c, g->children[i], &loads) || !can_load(c, g->children[i]))
            break;
        if (loads > before)
            head = i + 1;
    }
    return head;
}

/* Of structs read by members, those that all work-items can load: only declarations stand
 * in front of them. The head then goes as far. */
static void find_owns(struct dl__coalescing *c, const struct guard *g, size_t *head,
                      struct dl__owns *owns)
{
    size_t reach = 0, kept = 0;
    unsigned loads = 0;

    if (!c->by_members)
        return;
    while (reach < g->count && dl__is_head(c, g->children[reach], &loads) &&
           can_load(c, g->children[reach]))
        reach++;
    dl__find_owns(c, g->children, g->count, reach < g->count ? reach + 1 : reach, owns);
    for (size_t i = 0; i < owns->count; i++) {
        if (!own_function(c, &owns->items[i]))
            continue;
        if (owns->items[i].statement > *head)
            *head = owns->items[i].statement;
        owns->items[kept++] = owns->items[i];
    }
    owns->count = kept;
}

/* The first of the stores that stand last, which can be done behind the rest: but the
 * first of them, none may depend on what they write. */
static size_t tail_of(struct dl__coalescing *c, const struct guard *g, size_t head)
{
    size_t tail = g->count;

    for (size_t i = head; i < g->count; i++)
        if (g->leaves && dl__has_return(g->children[i]))
            return g->count;
    while (tail > head && dl__stored_struct(c, g->children[tail - 1])) {
        struct dl__node *s = g->children[tail - 1];

        if (!function_for(c, dl__stored_struct(c, s), true))
            break;
        tail--;
        if (!dl__is_memoryless(c, dl__stored_struct(c, s)->children[1]) ||
            !dl__is_memoryless(c, s->children[1]))
            break;
    }
    return tail;
}

/* A value for those without a struct. False: the text is not understood. */
static bool guard_value(struct dl__coalescing *c, struct dl__node *v)
{
    size_t begin = v->children[0]->begin;
    size_t end = dl__end_behind(c, begin, ",;");

    if (end == SIZE_MAX)
        return false;
    put(c, begin, begin, "dl_live ? (");
    put(c, end - 1, end - 1, ") : 0");
    return true;
}

static bool do_head(struct dl__coalescing *c, const struct guard *g, size_t head)
{
    for (size_t i = 0; i < head; i++) {
        struct dl__node *s = g->children[i];

        for (size_t j = 0; j < s->child_count; j++) {
            struct dl__node *v = s->children[j], *n;

            if (!v->child_count)
                continue;
            n = dl__whole_struct(c, v->children[v->child_count - 1]);
            if (n ? !load(c, n) : !guard_value(c, v))
                return false;
        }
    }
    return true;
}

/* A store that is kept until all work-items are there again: its value, or, where that is
 * another whole struct and nothing comes between, where to load it from. */
struct kept {
    struct dl__node *to, *from; /* from: NULL, its value is kept */
    unsigned number;
};

static struct kept kept_store(struct dl__coalescing *c, struct dl__node *statement,
                              bool first)
{
    struct kept kept = {.to = dl__stored_struct(c, statement)};

    if (first)
        kept.from = dl__whole_struct(c, statement->children[1]);
    if (kept.from && !function_for(c, kept.from, false))
        kept.from = NULL;
    return kept;
}

/* Variables in front of the rest, what sets them in the stores' place, and the stores
 * behind the rest. */
static bool keep_store(struct dl__coalescing *c, struct kept *kept,
                       struct dl__buf *before, struct dl__buf *behind)
{
    const char *type = dl__type_of(c->k->unit, kept->to)->name;
    const char *name = function_for(c, kept->to, true);
    unsigned number = kept->number = c->c->stores;

    if (!name)
        return false;
    take(c, kept->to, true);
    dl__buf_printf(before, "__global %s *dl_to%u = 0; ", type, number);
    if (kept->from) {
        take(c, kept->from, false);
        dl__buf_printf(before, "__global const %s *dl_from%u = 0; ", type, number);
        dl__buf_printf(behind, " %s(dl_to%u, %s(dl_from%u%s%s;", name, number,
                       function_for(c, kept->from, false), number, rest, rest);
    } else {
        dl__buf_printf(before, "%s dl_value%u; ", type, number);
        dl__buf_printf(behind, " %s(dl_to%u, dl_value%u%s;", name, number, number, rest);
    }
    return true;
}

/* The kept stores where they stand. */
static void place_store(struct dl__coalescing *c, struct dl__node *statement,
                        const struct kept *kept)
{
    struct dl__node *value = statement->children[1];

    put(c, statement->begin, statement->begin,
        dl__arena_format(&c->w->arena, "dl_to%u = &", kept->number));
    put(c, kept->to->end, value->begin,
        dl__arena_format(&c->w->arena, kept->from ? ", dl_from%u = &" : ", dl_value%u = ",
                         kept->number));
}

static bool do_condition(struct dl__coalescing *c, const struct guard *g)
{
    const char *text = c->w->ast.text;
    size_t open = dl__text_skip(text, g->branch->end, g->branch->begin + 2), close, end;

    if (text[open] != '(')
        return false;
    close = dl__end_behind(c, open + 1, ")");
    if (close == SIZE_MAX)
        return false;
    if (!g->leaves)
        end = g->branch->children[1]->begin;
    else if (g->branch->children[1]->kind == DL__N_RETURN)
        end = dl__end_behind(c, close, ";");
    else
        end = g->branch->end;
    if (end == SIZE_MAX)
        return false;
    put(c, g->branch->begin, open + 1,
        g->leaves ? "const int dl_live = !(" : "const int dl_live = !!(");
    put(c, close, end, "; ");
    return true;
}

/* False: nothing is done together here. */
static bool guarded(struct dl__coalescing *c, const struct guard *g)
{
    struct dl__buf before = {.arena = &c->w->arena}, behind = {.arena = &c->w->arena};
    struct dl__owns owns = {.items = NULL};
    size_t head = head_of(c, g), tail;
    struct kept *kept;

    find_owns(c, g, &head, &owns);
    tail = tail_of(c, g, head);
    kept = dl__arena_alloc(&c->w->arena, (g->count - tail + 1) * sizeof *kept);
    if (!head && tail == g->count && !owns.count)
        return false;
    dl__buf_puts(&before, "");
    dl__buf_puts(&behind, "");
    c->live = "dl_live ? ";
    if (!do_condition(c, g) || !do_head(c, g, head))
        return false;
    for (size_t i = tail; i < g->count; i++) {
        kept[i - tail] = kept_store(c, g->children[i], i == tail);
        if (!keep_store(c, &kept[i - tail], &before, &behind))
            return false;
    }
    for (size_t i = 0; i < owns.count; i++)
        take_own(c, &owns.items[i], g->children[owns.items[i].statement]);
    if (head == g->count)
        return true;
    if (g->leaves && tail == g->count) {
        put(c, g->children[head]->begin, g->children[head]->begin,
            "if (!dl_live) return; ");
        return true;
    }
    dl__buf_puts(&before, "if (dl_live) { ");
    put(c, g->children[head]->begin, g->children[head]->begin, before.items);
    for (size_t i = tail; i < g->count; i++)
        place_store(c, g->children[i], &kept[i - tail]);
    put(c, g->end, g->end, format_one(c, "}%s ", behind.items));
    return true;
}

/* ---- the kernel ---- */

/* The first statements of the body that all work-items come to. */
static size_t reach_of(struct dl__coalescing *c, struct dl__node *all)
{
    size_t reach = 0;
    struct guard g;

    while (reach < all->child_count && !find_guard(c, all, reach, &g) &&
           !dl__has_return(all->children[reach]))
        reach++;
    return reach;
}

void dl__coalesce_body(struct dl__coalescing *c, struct dl__node *all)
{
    size_t reach = reach_of(c, all);
    struct dl__owns owns = {.items = NULL};
    struct guard g;

    if (c->by_members)
        dl__find_owns(c, all->children, all->child_count, reach, &owns);
    for (size_t i = 0; i < reach; i++) {
        for (size_t j = 0; j < owns.count; j++)
            if (owns.items[j].statement == i && own_function(c, &owns.items[j]))
                take_own(c, &owns.items[j], all->children[i]);
        access_here(c, all->children[i]);
    }
    if (reach < all->child_count && find_guard(c, all, reach, &g)) {
        struct dl__coalesced before = *c->c;
        size_t taken = c->taken.count;

        if (!guarded(c, &g))
            dl__coalesce_forget(c, before, taken);
    }
}
