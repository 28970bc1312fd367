/* SPDX-License-Identifier: MIT */
/* The top-level declarations of a text, and which functions of it its kernels reach:
 * found by words alone, before libclang sees the text. Most of a large text is reached by
 * no kernel, and is not read. */
#include "annotate/tree/ast_copy.h"

#include <stdlib.h>
#include <string.h>

/* Of the declaration that is being read. */
struct head {
    struct dl__token name; /* the last before a list */
    bool is_kernel, is_value, is_behind_list;
};

static bool is_attribute(const struct dl__token *t)
{
    return dl__token_is(t, "__attribute__") || dl__token_is(t, "__attribute") ||
           dl__token_is(t, "__declspec");
}

/* A token outside of braces and lists, and the one before it. */
static void read_head(struct head *head, const struct dl__token *t,
                      const struct dl__token *before)
{
    head->is_kernel |= dl__is_kernel_word(t);
    head->is_value |= dl__token_is(t, "=") || dl__token_is(t, "typedef");
    if (dl__token_is(t, "(") && before->kind == DL__NAME && !is_attribute(before) &&
        !dl__is_kernel_word(before))
        head->name = *before;
    head->is_behind_list = dl__token_is(before, ")");
}

void dl__ast_find_items(struct dl__ast *ast, struct dl__ast_items *out)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = ast->bytes};
    struct dl__token t, before = {.text = ""};
    bool at_start = true, line_start = true;
    unsigned braces = 0, parens = 0;
    struct head head = {0};

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind == DL__NEWLINE) {
            line_start = true;
            continue;
        }
        if (line_start && dl__token_is(&t, "#")) {
            while (t.kind != DL__NEWLINE && t.kind != DL__END)
                t = dl__lex_next(&lexer);
            continue;
        }
        line_start = false;
        if (at_start && !braces) {
            struct dl__ast_item item = {.at = t.offset};

            DL__PUSH(ast->arena, out, item);
            memset(&head, 0, sizeof head);
        }
        at_start = false;
        if (!braces && !parens)
            read_head(&head, &t, &before);
        if (dl__token_is(&t, "{") && !braces++ && head.name.bytes && !head.is_value &&
            head.is_behind_list) {
            struct dl__ast_item *item = &out->items[out->count - 1];

            item->name = head.name;
            item->is_kernel = head.is_kernel;
            item->body_at = t.offset;
        }
        parens += dl__token_is(&t, "(");
        if (dl__token_is(&t, "}") && braces && !--braces) {
            out->items[out->count - 1].body_end = lexer.offset;
            at_start = true;
        }
        if (dl__token_is(&t, ")") && parens)
            parens--;
        if (dl__token_is(&t, ";") && !braces && !parens)
            at_start = true;
        before = t;
    }
}

/* ---- what kernels reach ---- */

static int compare_names(const struct dl__token *a, const struct dl__token *b)
{
    int order = memcmp(a->text, b->text, a->bytes < b->bytes ? a->bytes : b->bytes);

    return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static int by_name(const void *left, const void *right)
{
    const struct dl__ast_item *const *a = left, *const *b = right;

    return compare_names(&(*a)->name, &(*b)->name);
}

static int name_to_item(const void *name, const void *item)
{
    const struct dl__ast_item *const *i = item;

    return compare_names(name, &(*i)->name);
}

struct reaching {
    struct dl__ast *ast;
    struct dl__ast_item **named; /* functions with a body, by name */
    size_t named_count;
    struct {
        struct dl__ast_item **items;
        size_t count, room;
    } reached;
};

static void reach(struct reaching *r, struct dl__ast_item *item)
{
    if (!item->is_reached)
        DL__PUSH(r->ast->arena, &r->reached, item);
    item->is_reached = true;
}

static void reach_named(struct reaching *r, const struct dl__token *name)
{
    struct dl__ast_item **found = bsearch(name, r->named, r->named_count,
                                          sizeof(struct dl__ast_item *), name_to_item);
    size_t first = found ? (size_t)(found - r->named) : r->named_count;

    while (first && first < r->named_count &&
           !compare_names(&r->named[first - 1]->name, name))
        first--;
    for (size_t i = first; i < r->named_count && !compare_names(&r->named[i]->name, name);
         i++)
        reach(r, r->named[i]);
}

/* What this transformer has written is read in any case: an error in it is one of its
 * own. */
static bool is_read(const struct dl__ast_item *item)
{
    return item->is_kernel ||
           (item->name.bytes > 3 &&
            (!memcmp(item->name.text, "dl_", 3) || !memcmp(item->name.text, "DL_", 3)));
}

static void blank(char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (text[i] != '\n')
            text[i] = ' ';
}

void dl__ast_leave_out(struct dl__ast *ast, const struct dl__ast_items *items)
{
    struct reaching r = {.ast = ast,
                         .named = dl__arena_alloc(
                             ast->arena, items->count * sizeof(struct dl__ast_item *))};

    for (size_t i = 0; i < items->count; i++)
        if (items->items[i].body_at)
            r.named[r.named_count++] = &items->items[i];
    qsort(r.named, r.named_count, sizeof(struct dl__ast_item *), by_name);
    for (size_t i = 0; i < r.named_count; i++)
        if (is_read(r.named[i]))
            reach(&r, r.named[i]);
    for (size_t i = 0; i < r.reached.count; i++) {
        struct dl__lexer lexer = {.text = ast->text,
                                  .bytes = r.reached.items[i]->body_end,
                                  .offset = r.reached.items[i]->body_at};
        struct dl__token t;

        while ((t = dl__lex_next(&lexer)).kind != DL__END)
            if (t.kind == DL__NAME)
                reach_named(&r, &t);
    }
    for (size_t i = 0; i < r.named_count; i++)
        if (!r.named[i]->is_reached && r.named[i]->body_end)
            blank(ast->seen, r.named[i]->body_at + 1, r.named[i]->body_end - 1);
}
