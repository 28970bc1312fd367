/* SPDX-License-Identifier: MIT */
/* Two functions side by side: statement by statement, each expression on its own. Between
 * them nothing is known but that variables of one name hold the same, and pointers what
 * became of them. */
#include "annotate/prove/prove.h"

#include <string.h>

#include "annotate/text/lex.h"

static void compare_statements(struct dl__prover *p, struct dl__node *a,
                               struct dl__node *b);

/* ---- statements ---- */

static bool begins_with(const struct dl__side_text *t, const struct dl__node *n,
                        const char *word)
{
    return !strncmp(t->w->ast.text + n->begin, word, strlen(word));
}

static void differ(struct dl__prover *p, const struct dl__node *a, const char *reason)
{
    p->fatal_reason = p->fatal_reason ? p->fatal_reason : reason;
    p->fatal_at = a->begin;
    dl__judge(p, p->pairs.items[p->at_pair], a, reason);
}

static bool is_statement(const struct dl__node *n)
{
    return n->kind == DL__N_STATEMENT || n->kind == DL__N_BRANCH ||
           n->kind == DL__N_DECL_STATEMENT || n->kind == DL__N_RETURN;
}

/* A declaration of what the program does not know. */
static bool is_addition(const struct dl__node *b, struct dl__node *a)
{
    bool any = false;

    if (b->kind != DL__N_DECL_STATEMENT)
        return false;
    for (size_t i = 0; i < b->child_count; i++) {
        const struct dl__node *c = b->children[i];

        if (c->kind != DL__N_VARIABLE || strncmp(c->name, "dl_", 3) ||
            (a && a->kind == DL__N_DECL_STATEMENT && dl__variable_named(a, "", c->name)))
            return false;
        any = true;
    }
    return any;
}

static void compare_block(struct dl__prover *p, struct dl__node *a, struct dl__node *b)
{
    size_t old_count = p->old_text.variables.count;
    size_t new_count = p->new_text.variables.count, j = 0;

    for (size_t i = 0; i < a->child_count || j < b->child_count;) {
        struct dl__node *x = i < a->child_count ? a->children[i] : NULL;
        struct dl__node *y = j < b->child_count ? b->children[j] : NULL;

        if (y && is_addition(y, x)) {
            dl__compare_new_declaration(p, x ? x : a, y);
            j++;
            continue;
        }
        if (!x || !y) {
            differ(p, x ? x : a, "the rewritten text has other statements");
            break;
        }
        p->has_begun = true;
        compare_statements(p, x, y);
        i++;
        j++;
    }
    p->old_text.variables.count = old_count;
    p->new_text.variables.count = new_count;
}

static void compare_branches(struct dl__prover *p, struct dl__node *a, struct dl__node *b)
{
    size_t old_count = p->old_text.variables.count;
    size_t new_count = p->new_text.variables.count;

    for (size_t i = 0; i < a->child_count; i++) {
        struct dl__node *x = a->children[i], *y = b->children[i];

        if ((x == a->condition) != (y == b->condition))
            differ(p, x, "the rewritten text has another condition");
        else if (x == a->condition)
            dl__compare_expressions(p, x, y, DL__U_CONDITION);
        else
            compare_statements(p, x, y);
    }
    p->old_text.variables.count = old_count;
    p->new_text.variables.count = new_count;
}

static void compare_statements(struct dl__prover *p, struct dl__node *a,
                               struct dl__node *b)
{
    if (a->kind != b->kind && (is_statement(a) || is_statement(b))) {
        differ(p, a, "the rewritten text has another statement");
        return;
    }
    if (!is_statement(a)) {
        dl__compare_expressions(p, a, b, DL__U_NONE);
        return;
    }
    if (a->kind == DL__N_DECL_STATEMENT) {
        dl__compare_declarations(p, a, b);
        return;
    }
    if (a->kind == DL__N_STATEMENT && begins_with(&p->old_text, a, "{") &&
        begins_with(&p->new_text, b, "{")) {
        compare_block(p, a, b);
        return;
    }
    if (a->child_count != b->child_count ||
        dl__own_tokens(p, &p->old_text, a) != dl__own_tokens(p, &p->new_text, b)) {
        differ(p, a, "the rewritten text has another statement");
        return;
    }
    if (a->kind == DL__N_RETURN) {
        if (a->child_count)
            dl__compare_expressions(p, a->children[0], b->children[0],
                                    p->pairs.items[p->at_pair]->result ? DL__U_RETURNED
                                                                       : DL__U_VALUE);
        return;
    }
    if (a->kind == DL__N_STATEMENT && a->child_count &&
        begins_with(&p->old_text, a, "case")) {
        dl__compare_expressions(p, a->children[0], b->children[0], DL__U_VALUE);
        for (size_t i = 1; i < a->child_count; i++)
            compare_statements(p, a->children[i], b->children[i]);
        return;
    }
    compare_branches(p, a, b);
}

/* ---- functions ---- */

/* True when the same is known of a parameter. */
static bool is_same_known(const struct dl__pair *a, const struct dl__pair *b, size_t k)
{
    const struct dl__split *s = &a->splits[k], *t = &b->splits[k];
    const struct dl__integer *x = &a->fixed[k], *y = &b->fixed[k];

    return s->is_exact == t->is_exact && s->is_near == t->is_near &&
           s->is_vast == t->is_vast && s->low == t->low && s->high == t->high &&
           x->bits == y->bits && x->exact == y->exact && x->low == y->low &&
           x->high == y->high;
}

struct dl__pair *dl__pair_get(struct dl__prover *p, const struct dl__pair *wanted)
{
    struct dl__pair *pair;

    for (size_t i = 0; i < p->pairs.count; i++) {
        bool same = p->pairs.items[i]->old_function == wanted->old_function &&
                    p->pairs.items[i]->new_function == wanted->new_function;

        pair = p->pairs.items[i];
        for (size_t k = 0; k < wanted->old_function->parameter_count && same; k++) {
            same = pair->buffers[k] == wanted->buffers[k];
            for (size_t j = 0; same && j < wanted->allowed[k].count; j++)
                same = j < pair->allowed[k].count &&
                       pair->allowed[k].items[j] == wanted->allowed[k].items[j];
            same = same && is_same_known(pair, wanted, k);
        }
        if (same)
            return pair;
    }
    pair = DL__NEW(p->arena, struct dl__pair);
    *pair = *wanted;
    DL__PUSH(p->arena, &p->pairs, pair);
    return pair;
}

static void compare_pair_once(struct dl__prover *p, struct dl__pair *pair)
{
    struct dl__node *a = dl__ast_body(&p->old_text.w->ast, pair->old_function);
    struct dl__node *b = dl__ast_body(&p->new_text.w->ast, pair->new_function);

    p->old_text.variables.count = p->new_text.variables.count = 0;
    p->has_begun = false;
    dl__begin_expression(p);
    if (setjmp(p->lost)) {
        differ(p, a, p->lost_reason);
        return;
    }
    if (!pair->result && dl__type_number(pair->old_function->result) !=
                             dl__type_number(pair->new_function->result))
        dl__lose(p, NULL, "it gives another type");
    dl__declare_parameters(p, pair);
    compare_block(p, a, b);
}

void dl__compare_pair(struct dl__prover *p, struct dl__pair *pair)
{
    size_t pairs = p->pairs.count, verdicts = p->verdicts.count;
    size_t bytes = verdicts * sizeof *p->verdicts.items;
    struct dl__verdict *kept = dl__arena_alloc(p->arena, bytes + 1);
    const char *fatal = p->fatal_reason;

    if (bytes)
        memcpy(kept, p->verdicts.items, bytes);
    for (;;) {
        p->is_stale = false;
        compare_pair_once(p, pair);
        if (!p->is_stale)
            return;
        p->pairs.count = pairs;
        p->verdicts.count = verdicts;
        if (bytes)
            memcpy(p->verdicts.items, kept, bytes);
        p->fatal_reason = fatal;
    }
}
