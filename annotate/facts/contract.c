/* SPDX-License-Identifier: MIT */
/* Whether two compilations of a kernel may differ in the last bits of its results: where
 * a product is added to something, a compiler may round once or twice. */
#include <string.h>

#include "annotate/facts/facts.h"
#include "annotate/text/lex.h"
#include "annotate/text/pragma.h"
#include "annotate/track/node.h"

static const char word[] = "FP_CONTRACT";

/* What was found in the functions so far. */
struct search {
    struct dl__unit *unit; /* types are asked of */
    struct {
        struct dl__function **items;
        size_t count, room;
    } functions;
    bool sum, product; /* in the function that is looked at */
    bool open;
};

/* Builtins that leave it to the compiler how they round, or that are inlined sums of
 * products. */
static bool is_open(const char *name)
{
    static const char *const builtins[] = {
        "mad",       "dot",         "length",        "distance",       "normalize",
        "cross",     "fast_length", "fast_distance", "fast_normalize", "mix",
        "smoothstep"};

    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (!strcmp(name, builtins[i]))
            return true;
    return false;
}

static bool is_floating(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n);

    while (type->kind == DL__T_VECTOR)
        type = type->element;
    return type->kind == DL__T_OTHER ||
           (type->kind == DL__T_SCALAR && type->scalar == 'f');
}

/* A pragma that says otherwise for a part of a function, or one made by an operator, is
 * not read. */
static bool is_off(struct dl__unit *u, const struct dl__function *f)
{
    struct dl__tracker *t = u->tracker;
    const struct dl__expanded *text = t->expanded;
    size_t at;

    if (!dl__fp_contract_before(text, f->item_at, &at) ||
        memmem(text->text, text->bytes, "_Pragma", 7) ||
        memmem(text->text + f->body_at, f->body_end - f->body_at, word, sizeof word - 1))
        return false;
    if (t->contraction_at != at)
        t->contraction_is_off =
            !strcmp(dl__pragmas_at(text, f->item_at).fp_contract, "OFF");
    t->contraction_at = at;
    return t->contraction_is_off;
}

static void add_function(struct search *s, struct dl__function *f)
{
    for (size_t i = 0; i < s->functions.count; i++)
        if (s->functions.items[i] == f)
            return;
    DL__PUSH(s->unit->tracker->arena, &s->functions, f);
}

/* The same as look, of a function that rounds as it says: its tokens are enough. */
static void look_for_calls(struct search *s, const struct dl__function *f)
{
    struct dl__ast *ast = s->unit->tracker->ast;
    struct dl__lexer lexer = {
        .text = ast->text, .bytes = f->body_end, .offset = f->body_at};
    struct dl__token t, name = {.kind = DL__END};

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (dl__token_is(&t, "(") && name.kind == DL__NAME) {
            const char *text = dl__arena_text(ast->arena, name.text, name.bytes);

            for (size_t i = 0; i < ast->functions.count; i++)
                if (ast->functions.items[i].is_defined &&
                    !strcmp(ast->functions.items[i].name, text))
                    add_function(s, &ast->functions.items[i]);
            s->open |= is_open(text);
        }
        if (t.kind != DL__NEWLINE)
            name = t;
    }
}

static void look(struct search *s, struct dl__node *n)
{
    if (s->open)
        return;
    if (n->kind == DL__N_CALL) {
        struct dl__function *f = dl__ast_callee(s->unit->tracker->ast, n);

        if (f)
            add_function(s, f);
        else
            s->open |= !n->name || is_open(n->name);
    } else if (n->kind == DL__N_BINARY || n->kind == DL__N_COMPOUND || dl__is_step(n)) {
        bool sum = n->op[0] == '+' || n->op[0] == '-', product = n->op[0] == '*';

        if ((sum && !s->sum) || (product && !s->product) || !n->op[0]) {
            if (is_floating(s->unit, n)) {
                s->sum |= sum || !n->op[0];
                s->product |= product || !n->op[0];
            }
        }
    }
    for (size_t i = 0; i < n->child_count; i++)
        look(s, n->children[i]);
}

bool dl__may_contract(struct dl__unit *kernel)
{
    struct search s = {.unit = kernel};
    bool sum = false, product = false;

    add_function(&s, kernel->function);
    for (size_t i = 0; i < s.functions.count; i++) {
        struct dl__function *f = s.functions.items[i];

        if (!f->is_defined)
            return true;
        s.sum = s.product = false;
        if (!f->body && is_off(kernel, f)) {
            look_for_calls(&s, f);
            continue;
        }
        look(&s, dl__ast_body(kernel->tracker->ast, f));
        if ((s.sum || s.product) && !is_off(kernel, f)) {
            sum |= s.sum;
            product |= s.product;
        }
    }
    return s.open || (sum && product);
}
