/* SPDX-License-Identifier: MIT */
/* The facts of one kernel. */
#include "annotate/facts/facts.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/facts/frame.h"
#include "annotate/forms/rows.h"
#include "annotate/text/lex.h"

/* Whether an access reads and writes. */
enum { DL__READS = 1, DL__WRITES = 2, DL__ATOMIC = 4 };

enum { DL__LEVELS_MAX = 32 };

/* Where the walk is. Sets of levels: loops around, outermost first, through calls. */
struct dl__collector_seen;

struct dl__collector {
    struct dl__frame *frame;
    uint32_t *rows_levels, *rest_levels; /* by parameter: what the argument varies with */
    uint32_t loop_level[DL__LOOPS_MAX];  /* by loop of the outline: its bit, 0 outside */
    unsigned level;
    unsigned loops;            /* that count */
    enum dl__agreement around; /* of all conditions */
    bool left; /* some work-items are gone since a return, break or continue */
    struct dl__collector_seen **seen; /* helpers walked over */
};

static const char word[] = "FP_CONTRACT";

/* All that was found in the functions so far. */
struct search {
    struct dl__unit *unit; /* types are asked of */
    struct {
        struct dl__function **items;
        size_t count, room;
    } functions;
    bool sum, product; /* in the function that is looked at */
    bool open;
};

static bool is_conditional(const struct dl__collector *c);
static void collect_node(struct dl__collector *c, struct dl__node *n, unsigned how);
static void collect_frame(const struct dl__collector *caller, struct dl__frame *frame,
                          struct dl__node *call);

/* Builtins that leave it to the compiler how they round, or that are inlined sums of
 * products. */
static bool is_open(const char *name)
{
    static const char builtins[] =
        "mad dot length distance normalize cross fast_length fast_distance "
        "fast_normalize mix smoothstep";

    return dl__is_in(builtins, name, strlen(name));
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

/* True when a compiler may contract sums of products in the function, or in one that it
 * calls. */
static bool may_contract(struct dl__unit *kernel)
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

/* One access: its form, its bytes, and what stands around it, as a fact of the
 * kernel's root. */

/* The levels of a variation in the collector's function; of the rest of pointers. */
static uint32_t levels_of(const struct dl__collector *c, dl__variation v, bool rest)
{
    size_t parameters = c->frame->outline->unit->function->parameter_count;
    uint32_t levels = 0;

    for (unsigned i = 0; i < DL__LOOPS_MAX; i++)
        if (v >> i & 1)
            levels |= c->loop_level[i];
    for (size_t i = 0; i < parameters && dl__variation_bit(i); i++)
        if (v & dl__variation_bit(i))
            levels |= rest ? c->rest_levels[i] : c->rows_levels[i];
    return levels;
}

static enum dl_access_form form_of(struct dl__value v, int32_t *step)
{
    *step = 0;
    switch (v.kind) {
    case DL__V_UNIFORM:
        return DL_ACCESS_UNIFORM;
    case DL__V_GATHER:
        return DL_ACCESS_GATHER;
    case DL__V_LINEAR:
        if (v.step > INT32_MAX || v.step < -INT32_MAX)
            return DL_ACCESS_UNKNOWN;
        *step = (int32_t)v.step;
        return DL_ACCESS_LINEAR;
    default:
        return DL_ACCESS_UNKNOWN;
    }
}

static bool same_place(const struct dl_access_fact *a, const struct dl_access_fact *b)
{
    return a->form == b->form && a->step == b->step && a->offset == b->offset &&
           a->bytes == b->bytes && a->atomic == b->atomic && a->walks == b->walks &&
           a->loops == b->loops && a->conditional == b->conditional;
}

static void add_to(struct dl__collector *c, struct dl__facts *facts,
                   const struct dl__seen *seen)
{
    struct dl__analysis *a = c->frame->analysis;

    for (size_t i = 0; i < facts->count; i++) {
        if (!same_place(&facts->items[i].fact, &seen->fact))
            continue;
        facts->items[i].fact.reads |= seen->fact.reads;
        facts->items[i].fact.writes |= seen->fact.writes;
        return;
    }
    if (facts->count == DL__FACTS_MAX)
        a->failed = true;
    else
        DL__PUSH(a->arena, facts, *seen);
}

/* Adds a fact of a helper's or kernel's root to the kernel's, or to all those that it may
 * be. */
static void add_fact(struct dl__collector *c, const struct dl__node *at,
                     const struct dl__root *root, struct dl__value index, uint32_t offset,
                     uint32_t bytes, unsigned how, bool walks)
{
    struct dl__analysis *a = c->frame->analysis;
    struct dl__root *whole = c->frame->roots[root->parameter];
    struct dl__facts *facts = (struct dl__facts *)(whole ? whole->facts : NULL);
    struct dl__seen seen = {.at = at->begin};
    struct dl_access_fact *fact = &seen.fact;

    if (!facts) {
        a->failed = true;
        return;
    }
    fact->form = form_of(index, &fact->step);
    fact->offset = offset;
    fact->bytes = bytes;
    fact->reads = how & DL__READS;
    fact->writes = how & DL__WRITES;
    fact->atomic = how & DL__ATOMIC;
    fact->walks = walks;
    fact->loops = (uint8_t)(c->loops < UINT8_MAX ? c->loops : UINT8_MAX);
    fact->conditional = is_conditional(c);
    if (!whole->is_joined) {
        add_to(c, facts, &seen);
        return;
    }
    for (size_t i = 0; i < a->kernel->root_count; i++)
        if (a->kernel->roots[i].is_joined && a->kernel->roots[i].element == root->element)
            add_to(c, (struct dl__facts *)a->kernel->roots[i].facts, &seen);
}

/* Notes an access to so many elements of a flat buffer. */
static void note_elements(struct dl__collector *c, const struct dl__node *at,
                          const struct dl__root *root, struct dl__pair pair, unsigned how,
                          unsigned elements)
{
    uint32_t rows_levels = levels_of(c, pair.rows_vary, false),
             rest_levels = levels_of(c, pair.rest_vary, true);
    bool arrays = dl__is_of_arrays(root);
    bool known = arrays ? root->element->fields->type->count > 1 : dl__row_elements(root);
    uint32_t element_bytes = root->element_type->bytes;
    uint32_t row_bytes = known ? root->element->bytes : UINT32_MAX;
    uint32_t decides = arrays ? rows_levels & ~rest_levels : rest_levels & ~rows_levels;
    struct dl__value inside, rows = dl__pair_struct(root, pair, &inside);
    uint64_t offset = 0, bytes = row_bytes;

    if (inside.kind == DL__V_UNIFORM && inside.rest >= 0 &&
        (uint64_t)inside.rest * element_bytes < row_bytes) {
        offset = (uint64_t)inside.rest * element_bytes;
        bytes = (uint64_t)elements * element_bytes;
        if (offset + bytes > row_bytes)
            bytes = row_bytes - offset;
    }
    add_fact(c, at, root, rows, (uint32_t)offset, (uint32_t)bytes, how,
             inside.kind == DL__V_NOTHING && decides);
}

/* The bytes of a place in its struct; `*levels`: what decides which of them. `rest`:
 * where the part is that its pointer points to. */
static void find_bytes(struct dl__collector *c, const struct dl__access *p,
                       struct dl__value rest, uint32_t *offset, uint32_t *bytes,
                       uint32_t *levels)
{
    const struct dl__type *type = p->root->element_type;
    uint32_t whole = p->root->element->bytes;
    bool known = dl__value_is_constant(rest) && rest.rest >= 0 &&
                 (uint64_t)rest.rest + type->bytes <= whole;

    known |= !p->root->is_part;
    *offset = p->root->is_part && known ? (uint32_t)rest.rest : 0;
    *bytes = known ? type->bytes : whole;
    *levels = 0;
    for (size_t i = 0; i < p->step_count; i++) {
        struct dl__value index = dl__value_constant(0);

        type = p->steps[i].type;
        if (p->step_index[i]) {
            index = dl__evaluate(c->frame, p->step_index[i]);
            *levels |= levels_of(c, dl__variation_of(c->frame->outline, p->step_index[i]),
                                 false);
        }
        if (!known)
            continue; /* the whole array */
        if (p->steps[i].field) {
            *offset += p->steps[i].field->offset_bytes;
        } else if (dl__value_is_constant(index) && index.rest >= 0 &&
                   (uint64_t)(index.rest + 1) * type->bytes <= *bytes) {
            *offset += (uint32_t)index.rest * type->bytes;
        } else {
            known = false;
            continue;
        }
        *bytes = type->bytes;
    }
}

/* A place of a buffer; `bytes`: from its beginning on, 0: its own. */
static void note_place(struct dl__collector *c, const struct dl__node *at,
                       const struct dl__access *p, unsigned how, uint32_t bytes_wanted)
{
    struct dl__pair pair = dl__evaluate_place(c->frame, p);
    uint32_t offset, bytes, levels;

    if (!dl__is_of_structs(p->root)) {
        note_elements(c, at, p->root, pair, how, 1);
        return;
    }
    find_bytes(c, p, pair.rest, &offset, &bytes, &levels);
    if (p->root->is_part)
        levels |= levels_of(c, pair.rest_vary, true);
    else if (bytes_wanted && (uint64_t)offset + bytes_wanted <= p->root->element->bytes)
        bytes = bytes_wanted;
    add_fact(c, at, p->root, pair.rows, offset, bytes, how,
             levels & ~levels_of(c, pair.rows_vary, false));
}

/* ---- Calls: builtins that reach a place through a pointer, and helpers. ---- */

static bool begins(const char *name, const char *with)
{
    return !strncmp(name, with, strlen(with));
}

/* How a builtin reaches what its pointers point to. */
static unsigned how_of(const char *name)
{
    unsigned atomic = dl__atomic_of(name, strlen(name));

    if (begins(name, "vload"))
        return DL__READS;
    if (begins(name, "vstore"))
        return DL__WRITES;
    if (!atomic)
        return DL__WRITES; /* fract and its like */
    return DL__ATOMIC | (atomic & DL__ATOMIC_READS ? DL__READS : 0u) |
           (atomic & DL__ATOMIC_WRITES ? DL__WRITES : 0u);
}

/* vload4: 4; vload_half, atomic_add: 1. */
static unsigned lanes_of(const char *name)
{
    size_t digits = strcspn(name, "0123456789");

    return begins(name, "vload") || begins(name, "vstore")
               ? (unsigned)(name[digits] ? strtoul(name + digits, NULL, 10) : 1)
               : 1;
}

/* The pointer of a vload or vstore points so many vectors before what is reached. */
static struct dl__node *offset_of(struct dl__node *n)
{
    if (begins(n->name, "vload") && n->child_count == 3)
        return n->children[1];
    return begins(n->name, "vstore") && n->child_count == 4 ? n->children[2] : NULL;
}

/* A pointer to elements of a flat buffer. */
static void collect_elements(struct dl__collector *c, struct dl__node *call,
                             struct dl__node *arg, const struct dl__root *root)
{
    struct dl__pair pair = dl__evaluate_pointer(c->frame, arg);
    struct dl__node *offset = offset_of(call);
    unsigned lanes = lanes_of(call->name);

    if (offset && lanes == 1) {
        pair = dl__pair_add(pair, dl__evaluate_offset(c->frame, root, offset));
    } else if (offset) {
        struct dl__value by =
            dl__value_multiply(dl__evaluate(c->frame, offset), dl__value_constant(lanes));

        pair = dl__pair_add(
            pair,
            dl__pair_of_number(root, by, dl__variation_of(c->frame->outline, offset)));
    }
    note_elements(c, call, root, pair, how_of(call->name), lanes);
}

/* `&place`, `array`, `array + k` in a struct; false for others. */
static bool collect_member(struct dl__collector *c, struct dl__node *call,
                           struct dl__node *arg, unsigned how)
{
    struct dl__unit *u = c->frame->outline->unit;
    struct dl__node *inner = dl__strip_casts(arg);
    const struct dl__type *type = dl__type_of(u, arg);
    struct dl__access p;
    uint32_t bytes = 0;

    /* vload4(i, (float *)f): where an offset counts at all, it counts structs. */
    if (type->kind == DL__T_POINTER && dl__find_pointed(u, inner, &p) && !p.step_count &&
        !p.root->is_part) {
        bytes = lanes_of(call->name) * type->element->bytes;
        if (offset_of(call) && bytes == p.root->element->bytes)
            p.index = offset_of(call);
        else if (offset_of(call))
            bytes = p.root->element->bytes;
        note_place(c, call, &p, how, bytes);
        collect_node(c, p.pointer, DL__READS);
        return true;
    }
    if (inner->kind == DL__N_BINARY && inner->child_count == 2 && dl__op_is(inner, "+"))
        inner = dl__strip(inner->children[0]);
    if (inner->kind == DL__N_UNARY && dl__op_is(inner, "&") && inner->child_count) {
        if (!dl__find_place(u, inner->children[0], &p) || !p.step_count)
            return false;
        bytes = lanes_of(call->name) * p.type->bytes;
        if (offset_of(call))
            bytes *= 1 + (unsigned)(dl__evaluate(c->frame, offset_of(call)).rest & 15);
        if (p.type->kind == DL__T_VECTOR)
            bytes = 0;
    } else if (!dl__find_place(u, inner, &p) || p.type->kind != DL__T_ARRAY) {
        return false;
    }
    note_place(c, call, &p, how, bytes);
    collect_node(c, p.pointer, DL__READS);
    if (p.index)
        collect_node(c, p.index, DL__READS);
    for (size_t i = 0; i < p.step_count; i++)
        if (p.step_index[i])
            collect_node(c, p.step_index[i], DL__READS);
    return true;
}

static bool reaches_buffer(struct dl__unit *u, struct dl__node *arg)
{
    struct dl__node *inner = dl__strip_casts(arg);
    struct dl__access p;

    return dl__root_of(u, inner) ||
           (inner->kind == DL__N_UNARY && dl__op_is(inner, "&") &&
            dl__find_place(u, inner->children[0], &p));
}

static void collect_call(struct dl__collector *c, struct dl__node *n)
{
    struct dl__unit *u = c->frame->outline->unit;
    struct dl__function *callee = dl__ast_callee(u->tracker->ast, n);
    bool has_buffer = false;

    if (!callee && n->name && begins(n->name, "prefetch"))
        return;
    for (size_t i = 1; i < n->child_count; i++) {
        struct dl__node *arg = n->children[i];
        struct dl__root *root = dl__root_of(u, arg);

        has_buffer |= root != NULL;
        /* How much of a buffer a work-group's copy reaches is not followed. */
        if (!callee && n->name && begins(n->name, "async_work_group_"))
            c->frame->analysis->failed |= reaches_buffer(u, arg);
        /* A member is what it was before it could be followed as a pointer. */
        if (!callee && root && root->is_part && n->name &&
            collect_member(c, n, arg, how_of(n->name)))
            continue;
        if (!callee && root)
            collect_elements(c, n, arg, root);
        if (callee || root || !n->name || !collect_member(c, n, arg, how_of(n->name)))
            collect_node(c, arg, DL__READS);
    }
    if (callee && has_buffer) {
        struct dl__frame *frame = dl__frame_of_call(c->frame, n, callee);

        if (frame)
            collect_frame(c, frame, n);
        else
            c->frame->analysis->failed = true;
    }
}

/* The walk over bodies once their variables are known: statements, branches, places. */

enum { VISITS_MAX = 4096 };

/* True where only some of the work-items come. */
static bool is_conditional(const struct dl__collector *c)
{
    return c->around == DL__DIVERGENT || c->around == DL__MOSTLY_NO || c->left;
}

/* ---- branches ---- */

static void collect_arm(struct dl__collector *c, struct dl__node *n,
                        enum dl__agreement taken)
{
    enum dl__agreement outer = c->around;

    c->around = dl__agreement_both(outer, taken);
    collect_node(c, n, DL__READS);
    c->around = outer;
}

/* The value of a number that a for begins or ends with. */
static bool constant_of(struct dl__collector *c, struct dl__node *n, int64_t *out)
{
    struct dl__value v = dl__evaluate(c->frame, n);

    *out = v.rest;
    return dl__value_is_constant(v);
}

/* for (k = 0; k < 1; ...), do ... while (0) */
static bool is_one_round(struct dl__collector *c, const struct dl__node *n)
{
    struct dl__node *condition = n->condition ? dl__strip(n->condition) : NULL, *first;
    int64_t from, to;

    if (!condition)
        return false;
    if (!dl__begins_with(c->frame->outline->unit, n, "for"))
        return constant_of(c, condition, &to) && !to;
    first = n->children[0];
    while (first->kind == DL__N_DECL_STATEMENT && first->child_count == 1)
        first = first->children[0];
    if (first == condition || !first->child_count || condition->child_count != 2 ||
        condition->op[0] != '<' || condition->op[1] == '<')
        return false;
    return constant_of(c, first->children[first->child_count - 1], &from) &&
           constant_of(c, condition->children[1], &to) &&
           to - from + (condition->op[1] == '=') <= 1;
}

static void collect_loop(struct dl__collector *c, struct dl__node *n)
{
    const struct dl__outline *o = c->frame->outline;
    bool left = c->left, counts = !is_one_round(c, n);
    int branch = dl__loop_of(o, n);
    unsigned level = c->level;
    unsigned bit =
        branch == DL__NO_BRANCH ? DL__LOOPS_MAX : o->branches.items[branch].loop;

    if (counts && bit < DL__LOOPS_MAX && c->level < DL__LEVELS_MAX)
        c->loop_level[bit] = (uint32_t)1 << c->level++;
    c->loops += counts;
    for (size_t i = 0; i < n->child_count; i++)
        collect_node(c, n->children[i], DL__READS);
    c->loops -= counts;
    if (bit < DL__LOOPS_MAX)
        c->loop_level[bit] = 0;
    c->level = level;
    c->left = left;
}

static void collect_branch(struct dl__collector *c, struct dl__node *n)
{
    enum dl__agreement taken = DL__SAME;
    bool is_if = dl__begins_with(c->frame->outline->unit, n, "if");

    if (!is_if && !dl__begins_with(c->frame->outline->unit, n, "switch")) {
        collect_loop(c, n);
        return;
    }
    if (n->condition) {
        collect_node(c, n->condition, DL__READS);
        taken = dl__agreement_of(c->frame, n->condition);
    }
    if (!is_if && taken != DL__SAME)
        taken = DL__DIVERGENT;
    for (size_t i = 0, arm = 0; i < n->child_count; i++)
        if (n->children[i] != n->condition)
            collect_arm(c, n->children[i], arm++ ? dl__agreement_opposite(taken) : taken);
}

static void collect_logic(struct dl__collector *c, struct dl__node *n)
{
    enum dl__agreement taken = dl__agreement_of(c->frame, n->children[0]);

    if (dl__op_is(n, "||"))
        taken = dl__agreement_opposite(taken);
    collect_node(c, n->children[0], DL__READS);
    for (size_t i = 1; i < n->child_count; i++)
        collect_arm(c, n->children[i], i == 2 ? dl__agreement_opposite(taken) : taken);
}

/* ---- places ---- */

static void collect_index(struct dl__collector *c, struct dl__node *n)
{
    if (n)
        collect_node(c, n, DL__READS);
}

/* Collects what a place's indices read. */
static void collect_parts(struct dl__collector *c, const struct dl__access *p)
{
    collect_index(c, p->pointer);
    collect_index(c, p->index);
    for (size_t i = 0; i < p->array_count; i++)
        collect_index(c, p->array_index[i]);
    for (size_t i = 0; i < p->step_count; i++)
        collect_index(c, p->step_index[i]);
}

static bool collect_place(struct dl__collector *c, struct dl__node *n, unsigned how)
{
    struct dl__access p;

    if (!dl__find_place(c->frame->outline->unit, n, &p))
        return false;
    /* An array as a pointer: who follows it is seen. */
    if (p.type->kind != DL__T_ARRAY)
        note_place(c, n, &p, how, 0);
    collect_parts(c, &p);
    return true;
}

/* &place: whoever has it reads, and writes what is not const. Of a pointer that is
 * followed, who follows it is seen. */
static bool collect_address(struct dl__collector *c, struct dl__node *n)
{
    struct dl__unit *u = c->frame->outline->unit;
    const struct dl__type *type = dl__type_of(u, n);
    struct dl__access p;
    bool reads_only = type->kind == DL__T_POINTER && type->element->is_const;

    if (!dl__find_place(u, n->children[0], &p))
        return false;
    if (!dl__root_of(u, n))
        note_place(c, n, &p, reads_only ? DL__READS : DL__READS | DL__WRITES, 0);
    collect_parts(c, &p);
    return true;
}

/* *(float4 *)&f[i] */
static bool collect_view(struct dl__collector *c, struct dl__node *n, unsigned how)
{
    struct dl__view view;

    if (!dl__find_view(c->frame->outline->unit, n, &view))
        return false;
    note_place(c, n, &view.place, how, view.value->bytes);
    collect_parts(c, &view.place);
    return true;
}

static void collect_children(struct dl__collector *c, struct dl__node *n, unsigned how)
{
    for (size_t i = 0; i < n->child_count; i++)
        collect_node(c, n->children[i], i ? DL__READS : how);
}

static void collect_unary(struct dl__collector *c, struct dl__node *n, unsigned how)
{
    if (!n->child_count)
        return;
    if (dl__op_is(n, "*") && (collect_place(c, n, how) || collect_view(c, n, how)))
        return;
    if (dl__op_is(n, "&") && collect_address(c, n))
        return;
    collect_children(c, n, dl__is_step(n) ? DL__READS | DL__WRITES : DL__READS);
}

static void collect_binary(struct dl__collector *c, struct dl__node *n)
{
    if (dl__op_is(n, "&&") || dl__op_is(n, "||"))
        collect_logic(c, n);
    else if (n->kind == DL__N_COMPOUND)
        collect_children(c, n, DL__READS | DL__WRITES);
    else
        collect_children(c, n, dl__op_is(n, "=") ? DL__WRITES : DL__READS);
}

/* break, continue, return: the others go on alone, which does not count where few leave.
 */
static void collect_leave(struct dl__collector *c, const struct dl__node *n)
{
    struct dl__unit *u = c->frame->outline->unit;

    if (n->kind == DL__N_RETURN || dl__begins_with(u, n, "break") ||
        dl__begins_with(u, n, "continue") || dl__begins_with(u, n, "goto"))
        c->left |= c->around == DL__DIVERGENT || c->around == DL__MOSTLY_YES;
}

/* ---- nodes ---- */

/* Walks over an expression or statement; `how` it is reached when it is a place. */
static void collect_node(struct dl__collector *c, struct dl__node *n, unsigned how)
{
    if (c->frame->analysis->failed)
        return;
    switch (n->kind) {
    case DL__N_SUBSCRIPT:
    case DL__N_MEMBER:
        if (!collect_place(c, n, how))
            collect_children(c, n, how);
        return;
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
        collect_children(c, n, how);
        return;
    case DL__N_UNARY:
        collect_unary(c, n, how);
        return;
    case DL__N_BINARY:
    case DL__N_COMPOUND:
        collect_binary(c, n);
        return;
    case DL__N_CONDITIONAL:
        collect_logic(c, n);
        return;
    case DL__N_CALL:
        collect_call(c, n);
        return;
    case DL__N_SIZEOF:
        return;
    case DL__N_BRANCH:
        collect_branch(c, n);
        return;
    default:
        collect_children(c, n, DL__READS);
        if (n->kind == DL__N_RETURN || (n->kind == DL__N_OTHER && !n->child_count))
            collect_leave(c, n);
    }
}

/* ---- functions ---- */

/* A helper, as it was walked over already: nothing new comes of it. */
struct dl__collector_seen {
    const struct dl__frame *frame;
    unsigned loops;
    bool conditional;
    uint32_t *rows_levels, *rest_levels;
    struct dl__collector_seen *next;
};

static void levels_of_arguments(const struct dl__collector *caller, struct dl__node *call,
                                struct dl__collector *c)
{
    struct dl__unit *u = c->frame->outline->unit;
    struct dl__arena *arena = c->frame->analysis->arena;
    const struct dl__outline *from = caller->frame->outline;
    size_t count = u->function->parameter_count;

    c->rows_levels = dl__arena_alloc(arena, (count + 1) * sizeof *c->rows_levels);
    c->rest_levels = dl__arena_alloc(arena, (count + 1) * sizeof *c->rest_levels);
    for (size_t i = 0; i < count && i + 1 < call->child_count; i++) {
        struct dl__node *argument = call->children[i + 1];
        struct dl__pair p = {.rows_vary = 0};

        if (dl__root_of(from->unit, argument))
            p = dl__evaluate_pointer(caller->frame, argument);
        else
            p.rows_vary = dl__variation_of(from, argument);
        c->rows_levels[i] = levels_of(caller, p.rows_vary, false);
        c->rest_levels[i] = levels_of(caller, p.rest_vary, true);
    }
}

static bool was_seen(struct dl__collector *c)
{
    size_t bytes =
        c->frame->outline->unit->function->parameter_count * sizeof *c->rows_levels;
    struct dl__collector_seen *s = *c->seen;
    unsigned visits = 0;

    for (; s; s = s->next, visits++)
        if (s->frame == c->frame && s->loops == c->loops &&
            s->conditional == is_conditional(c) &&
            !memcmp(s->rows_levels, c->rows_levels, bytes) &&
            !memcmp(s->rest_levels, c->rest_levels, bytes))
            return true;
    c->frame->analysis->failed |= visits >= VISITS_MAX;
    s = DL__NEW(c->frame->analysis->arena, struct dl__collector_seen);
    *s = (struct dl__collector_seen){c->frame,       c->loops,       is_conditional(c),
                                     c->rows_levels, c->rest_levels, *c->seen};
    *c->seen = s;
    return false;
}

/* Walks over a helper's copy. */
static void collect_frame(const struct dl__collector *caller, struct dl__frame *frame,
                          struct dl__node *call)
{
    struct dl__collector c = {.frame = frame,
                              .level = caller->level,
                              .loops = caller->loops,
                              .around = is_conditional(caller) ? DL__DIVERGENT : DL__SAME,
                              .seen = caller->seen};

    levels_of_arguments(caller, call, &c);
    if (!was_seen(&c))
        collect_node(&c, frame->outline->body, DL__READS);
}

/* The facts of all that a kernel's frame runs. */
static void collect(struct dl__frame *kernel)
{
    struct dl__collector_seen *seen = NULL;
    struct dl__collector c = {.frame = kernel, .seen = &seen};
    size_t count = kernel->outline->unit->function->parameter_count + 1;

    c.rows_levels =
        dl__arena_alloc(kernel->analysis->arena, count * sizeof *c.rows_levels);
    c.rest_levels = c.rows_levels;
    collect_node(&c, kernel->outline->body, DL__READS);
}

/* ---- The facts of one kernel. ---- */

static void forget(struct dl__unit *kernel, const struct dl__analysis *a)
{
    for (size_t i = 0; i < kernel->root_count; i++)
        kernel->roots[i].facts = NULL;
    for (const struct dl__outline *o = a->outlines; o; o = o->next)
        o->unit->refused = false;
    kernel->refused = false;
}

void dl__find_facts(struct dl__unit *kernel)
{
    struct dl__arena *arena = kernel->tracker->arena;
    struct dl__analysis *a = DL__NEW(arena, struct dl__analysis);

    a->arena = arena;
    a->kernel = kernel;
    for (size_t i = 0; i < kernel->root_count; i++)
        kernel->roots[i].facts = DL__NEW(arena, struct dl__facts);
    /* What is reached through structs is not followed. */
    a->failed = kernel->contexts.count > 0;
    /* What was followed is followed again: nothing is refused now. If it were, nothing is
     * said. */
    if (!a->failed && !setjmp(kernel->refuse)) {
        struct dl__frame *frame = dl__frame_of_kernel(a, kernel);

        a->is_settled = true;
        collect(frame);
    } else {
        a->failed = true;
    }
    if (a->failed)
        forget(kernel, a);
    kernel->contractable = may_contract(kernel);
}

static const char *count_text(struct dl__arena *arena, int64_t count, const char *what)
{
    return dl__arena_format(arena, "%lld %s%s", (long long)count, what,
                            count == 1 ? "" : "s");
}

static const char *form_text(struct dl__arena *arena, const struct dl_access_fact *f)
{
    switch (f->form) {
    case DL_ACCESS_UNIFORM:
        return "the same struct for neighbouring work-items";
    case DL_ACCESS_GATHER:
        return "structs whose index is read from memory";
    case DL_ACCESS_LINEAR:
        if (f->step == 1)
            return "the next struct for the next work-item";
        return dl__arena_format(
            arena, "%s %s for the next work-item",
            count_text(arena, f->step < 0 ? -(int64_t)f->step : f->step, "struct"),
            f->step < 0 ? "back" : "on");
    default:
        return "structs by an index that is not understood";
    }
}

const char *dl__fact_text(struct dl__arena *arena, const struct dl_access_fact *f)
{
    struct dl__buf out = {.arena = arena};

    dl__buf_printf(&out, "%s%s%s ", f->atomic ? "atomically " : "",
                   f->reads    ? f->writes ? "read and written" : "read"
                   : f->writes ? "written"
                               : "",
                   ":");
    dl__buf_puts(&out, form_text(arena, f));
    if (f->bytes == UINT32_MAX)
        dl__buf_puts(&out, ", anywhere in it");
    else if (f->bytes == 1)
        dl__buf_printf(&out, ", byte %u", f->offset);
    else
        dl__buf_printf(&out, ", bytes %u to %u", f->offset, f->offset + f->bytes - 1);
    if (f->walks)
        dl__buf_puts(&out, ", one after the other");
    if (f->loops)
        dl__buf_printf(&out, ", in %s", count_text(arena, f->loops, "loop"));
    if (f->conditional)
        dl__buf_puts(&out, ", by some work-items only");
    return out.items;
}
