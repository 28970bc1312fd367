/* SPDX-License-Identifier: MIT */
/* Which accesses of a kernel a work-group makes together, and the text that does so. */
#include "annotate/coalesce/coalesce.h"

#include <string.h>

#include "annotate/text/preprocess.h"
#include "annotate/track/place.h"

/* ---- the functions by which a group loads and stores structs of one type ---- */

enum { STRUCT_WORDS_MAX = 512, BY_REGISTERS_MAX = 16 };

/* NULL: structs of this type can be moved by words. */
static const char *type_obstacle(struct dl__rewriter *w, const struct dl__type *type,
                                 bool stores)
{
    const char *reason = NULL;
    struct dl_leaf *leaves;
    size_t count = 0;

    if (type->kind != DL__T_STRUCT || !type->name || !type->identity)
        return "its type has no name";
    if (type->is_volatile)
        return "it is volatile";
    leaves = dl__struct_leaves(&w->arena, type->identity, &count, &reason);
    if (!leaves)
        return reason ? reason : "its members are not understood";
    if (type->identity->has_bit_field || dl__struct_has_union(type->identity))
        return "it has a union or bit-fields";
    if (type->bytes % 4 || dl__struct_align(type->identity) < 4 ||
        dl__struct_is_packed(&w->arena, type->identity))
        return "it is not made of aligned words";
    if (type->bytes / 4 > STRUCT_WORDS_MAX)
        return "it is too large for local memory";
    if (type->bytes / 4 == 1)
        return "it is one word, so neighbours read neighbouring words already";
    /* Compilers that give such structs in memory lose none. */
    if (dl__struct_has_open_bytes(type->identity) &&
        (type->bytes <= BY_REGISTERS_MAX ||
         (stores && dl__struct_has_padding(type->identity))))
        return "it has padding, which may be lost when a struct is passed to a function";
    return NULL;
}

/* The type's functions; NULL with a clause in *reason: it stays as it is.
 *   some    NULL: all of the struct
 *   scattered  neighbours' are not expected to be neighbours
 *   stores  wanted is the store, else the load */
static const char *coalesce_function(struct dl__rewriter *w, struct dl__coalesced *c,
                                     const struct dl__type *type,
                                     const struct dl__words *some, bool scattered,
                                     bool stores, const char **reason)
{
    const struct dl__words all = {0, type->bytes / 4}, *words = some ? some : &all;
    struct dl__grouped *g = NULL;
    const char **name;

    *reason = type_obstacle(w, type, stores);
    if (*reason)
        return NULL;
    for (size_t i = 0; i < c->types.count; i++)
        if (c->types.items[i].type->identity == type->identity &&
            c->types.items[i].scattered == scattered &&
            c->types.items[i].words.first == words->first &&
            c->types.items[i].words.count == words->count)
            g = &c->types.items[i];
    if (!g) {
        struct dl__grouped made = {.type = type, .words = *words, .scattered = scattered};

        DL__PUSH(&w->arena, &c->types, made);
        g = &c->types.items[c->types.count - 1];
    }
    name = stores ? &g->store : &g->load;
    if (!*name)
        *name = dl__name_make(&w->tracker.accessors.names, &w->arena,
                              dl__arena_format(&w->arena, "%s_group_%s",
                                               dl__struct_tag(&w->arena, type->identity),
                                               stores ? "store" : "load"));
    return *name;
}

static void print_load(struct dl__buf *out, const struct dl__grouped *g)
{
    const char *type = g->type->name;

    dl__buf_printf(
        out,
        "static DL_INLINE %s %s(__global const %s *dl_p, __local dl_quad *dl_l, "
        "__local unsigned long *dl_at)\n"
        "{\n"
        "    %s dl_s;\n"
        "    if (%u < DL_GROUP_LEAST(%d, 0)) {\n"
        "        if (dl_p)\n"
        "            dl_s = *dl_p;\n"
        "        return dl_s;\n"
        "    }\n",
        type, g->load, type, type, g->words.count, g->scattered);
    if (g->words.first)
        dl__buf_printf(out,
                       "    dl_group_exchange(dl_p ? (unsigned long)dl_p + %u : 0, "
                       "(__private dl_word *)&dl_s + %u",
                       g->words.first * 4, g->words.first);
    else
        dl__buf_puts(out, "    dl_group_exchange((unsigned long)dl_p, (__private dl_word "
                          "*)&dl_s");
    dl__buf_printf(out,
                   ", dl_l, dl_at, %u, %d, 0);\n"
                   "    return dl_s;\n"
                   "}\n",
                   g->words.count, g->scattered);
}

void dl__coalesce_print(struct dl__buf *out, const struct dl__coalesced *c)
{
    for (size_t i = 0; i < c->types.count; i++) {
        const struct dl__grouped *g = &c->types.items[i];
        const char *type = g->type->name;

        if (g->load)
            print_load(out, g);
        if (g->store)
            dl__buf_printf(
                out,
                "static DL_INLINE void %s(__global %s *dl_p, %s dl_s, __local dl_quad "
                "*dl_l, "
                "__local unsigned long *dl_at)\n"
                "{\n"
                "    if (%u >= DL_GROUP_LEAST(%d, 1))\n"
                "        dl_group_exchange((unsigned long)dl_p, (__private dl_word "
                "*)&dl_s, dl_l, dl_at, %u, %d, 1);\n"
                "    else if (dl_p)\n"
                "        *dl_p = dl_s;\n"
                "}\n",
                g->store, type, type, g->words.count, g->scattered, g->words.count,
                g->scattered);
    }
}

/* The local memory that it declares at its entry. */
static const char *coalesce_locals(struct dl__arena *arena, const struct dl__coalesced *c)
{
    struct dl__buf out = {.arena = arena};
    unsigned least = STRUCT_WORDS_MAX;

    dl__buf_puts(&out, " __local union { ");
    for (size_t i = 0; i < c->types.count; i++) {
        const struct dl__grouped *g = &c->types.items[i];

        dl__buf_printf(&out, "dl_quad dl_%zu[DL_GROUP_QUADS(%u)]; ", i, g->words.count);
        least = g->words.count < least ? g->words.count : least;
    }
    dl__buf_printf(&out,
                   "} dl_space; __local dl_quad *const dl_quads = (__local dl_quad "
                   "*)&dl_space; __local unsigned long dl_places[DL_GROUP_PLACES(%u)];",
                   least);
    return out.items;
}

/* ---- which accesses are made together ---- */

struct dl__coalescing {
    struct dl__rewriter *w;
    struct dl__kernel *k;
    struct dl__coalesced *c;
    struct {
        struct taken_of {
            const struct dl__node *node;
            const char *why; /* it stays plain; NULL: it is accessed together */
        } * items;
        size_t count, room;
    } taken;          /* subscripts of whole structs that were looked at */
    bool by_members;  /* structs that are read by members, too */
    const char *live; /* "dl_live ? " where not all work-items have a struct; else "" */
    const char *why;  /* all others stay plain */
};

/* Structs that work-items read member by member: where one exchange may load them.
 *
 * `f[i].a + f[i].b ...` can be one load of what lies from the first of these members to
 * the last, in front of the statement that reads first, if
 *   - `i` is the same at all of them: made of literals, get_global_id() and variables
 *     that nothing changes, declared before that statement;
 *   - nothing is stored to memory, by no pointer whatever, from there to the last of the
 *     reads: what is stored may be the struct's, since a program may give two arguments
 *     one buffer;
 *   - the first and the last member are read whatever the work-item does, so that nothing
 *     is read that may not be there. */

/* A struct of which a work-item gets a copy. */
struct dl__own {
    struct dl__node *place; /* `f[i]`, of the first read */
    const struct dl__type *type;
    struct dl__words words; /* what is loaded */
    size_t statement;       /* in front of this one */
    struct {
        struct dl__node **items; /* `f[i]`, each in front of a member that is loaded */
        size_t count, room;
    } reads;
};

struct dl__owns {
    struct dl__own *items;
    size_t count, room;
};

/* Words, the beginnings of others (NULL: none), and what they are. */
static const char *const obstacle_words[][3] = {
    {"barrier", NULL, "barriers"},
    {"", "work_group_", "functions of work-groups"},
    {"", "sub_group_", "functions of sub-groups"},
    {"", "intel_sub_group_", "functions of sub-groups"},
    {"", "atom_", "atomics"},
    {"", "atomic_", "atomics"},
    {"mem_fence read_mem_fence write_mem_fence", NULL, "fences"},
    {"wait_group_events", "async_work_group_", "copies by work-groups"},
    {"__local local", NULL, "local memory"},
    {"volatile", NULL, "volatile accesses"},
    {"goto", NULL, "jumps"},
    {"asm", "__asm", "assembly"},
    {"pipe read_pipe write_pipe", NULL, "pipes"},
    {"", "enqueue_", "kernels that it enqueues"}};

static bool may_store(struct dl__coalescing *c, struct dl__node *n);
static void forget(struct dl__coalescing *c, struct dl__coalesced before, size_t taken);

static const char *obstacle_of(const struct dl__token *t)
{
    for (size_t i = 0; i < sizeof obstacle_words / sizeof *obstacle_words; i++) {
        const char *begin = obstacle_words[i][1];

        if (dl__token_in(t, obstacle_words[i][0]) ||
            (begin && t->bytes >= strlen(begin) &&
             !memcmp(t->text, begin, strlen(begin))))
            return obstacle_words[i][2];
    }
    return NULL;
}

/* Returns what a kernel, or a helper that it may call, does that keeps its accesses
 * plain; NULL: nothing. */
static const char *coalesce_obstacle(struct dl__rewriter *w, struct dl__function *f)
{
    struct dl__reachable reached = dl__ast_reachable(&w->ast, f);
    const char *found = NULL;

    for (size_t i = 0; i < reached.count && !found; i++) {
        struct dl__lexer lexer = dl__lexer_at(w->ast.text, reached.items[i]->open_at,
                                              reached.items[i]->body_end);
        struct dl__token t;

        while (!found && (t = dl__lex_next(&lexer)).kind != DL__END)
            found = t.kind == DL__NAME ? obstacle_of(&t) : NULL;
    }
    return !found && reached.lacks_one ? "a function of another text" : found;
}

/* ---- Where whole structs of annotated buffers are accessed. ---- */

static const struct dl__buffer *buffer_of(const struct dl__coalescing *c,
                                          const struct dl__node *name)
{
    for (size_t i = 0; i < c->k->buffers.count; i++) {
        const struct dl__buffer *b = &c->k->buffers.items[i];
        const struct dl__parameter *p = &c->k->function->parameters[b->root->parameter];

        if (!b->soa && !b->arrays && !b->width && name->declared_at == p->name_at &&
            p->type->kind == DL__T_POINTER && p->type->address_space == DL__GLOBAL)
            return b;
    }
    return NULL;
}

/* The subscript that `n` is, of a whole struct of an annotated buffer in global memory;
 * NULL: it is something else. */
static struct dl__node *whole_struct(struct dl__coalescing *c, struct dl__node *n)
{
    const char *text = c->w->ast.text;
    const struct dl__type *type;
    struct dl__node *base;

    n = dl__strip(n);
    if (n->kind != DL__N_SUBSCRIPT || n->child_count != 2 || n->end <= n->begin ||
        text[n->end - 1] != ']')
        return NULL;
    base = dl__strip(n->children[0]);
    if (base->kind != DL__N_NAME || base->begin != n->begin || !buffer_of(c, base) ||
        strncmp(text + n->begin, base->name, strlen(base->name)) != 0)
        return NULL;
    type = dl__type_of(c->k->unit, n);
    return type->kind == DL__T_STRUCT ? n : NULL;
}

/* The same of a statement that assigns to one: its subscript. */
static struct dl__node *stored_struct(struct dl__coalescing *c,
                                      struct dl__node *statement)
{
    struct dl__node *left;

    if (statement->kind != DL__N_BINARY || !dl__op_is(statement, "=") ||
        statement->child_count != 2)
        return NULL;
    left = statement->children[0];
    return left->kind == DL__N_SUBSCRIPT && left->begin == statement->begin
               ? whole_struct(c, left)
               : NULL;
}

static bool has_return(const struct dl__node *n)
{
    bool has = n->kind == DL__N_RETURN;

    for (size_t i = 0; !has && i < n->child_count; i++)
        has = has_return(n->children[i]);
    return has;
}

/* True when it is a declaration that work-items without a struct can pass: all variables
 * are scalars or pointers, or hold a whole struct. *loads counts these. */
static bool is_head(struct dl__coalescing *c, struct dl__node *statement, unsigned *loads)
{
    if (statement->kind != DL__N_DECL_STATEMENT)
        return false;
    for (size_t i = 0; i < statement->child_count; i++) {
        struct dl__node *v = statement->children[i];
        const struct dl__type *type;

        if (v->kind != DL__N_VARIABLE)
            return false;
        if (!v->child_count)
            continue;
        type = dl__type_of(c->k->unit, v);
        if (whole_struct(c, v->children[v->child_count - 1]))
            ++*loads;
        else if ((type->kind != DL__T_SCALAR && type->kind != DL__T_POINTER) ||
                 type->is_volatile || v->child_count != 1)
            return false;
        else if (c->w->ast.text[v->children[0]->begin] == '{')
            return false;
    }
    return true;
}

/* True when no memory is read for it but variables. */
static bool is_memoryless(struct dl__coalescing *c, struct dl__node *n)
{
    bool is_call = n->kind == DL__N_CALL, is = false;

    if (n->kind == DL__N_OTHER) /* a literal */
        return !n->child_count;
    if (dl__is_pointed_component(c->k->unit, n))
        return false;
    if (n->kind == DL__N_NAME || n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT ||
        n->kind == DL__N_CAST)
        is = true;
    else if (n->kind == DL__N_BINARY)
        is = n->op[0] && !dl__op_is(n, "=");
    else if (n->kind == DL__N_UNARY)
        is = strlen(n->op) == 1 && strchr("-+~!", n->op[0]);
    else if (n->kind == DL__N_MEMBER)
        is = n->child_count == 1 &&
             dl__type_of(c->k->unit, n->children[0])->kind != DL__T_POINTER;
    else if (is_call)
        is = n->name && !strncmp(n->name, "get_", 4) && !dl__ast_callee(&c->w->ast, n);
    for (size_t i = is_call; i < n->child_count && is; i++)
        is = is_memoryless(c, n->children[i]);
    return is;
}

/* True when neighbours' indices are not likely to be one apart: made of memory, or of
 * divisions. */
static bool is_scattered(struct dl__coalescing *c, struct dl__node *n, unsigned depth)
{
    struct dl__node *variable = NULL;

    if (n->kind == DL__N_SUBSCRIPT || n->kind == DL__N_CONDITIONAL || depth > 8 ||
        (n->kind == DL__N_UNARY && dl__op_is(n, "*")) ||
        (n->kind == DL__N_BINARY && strchr("%/&^|><", n->op[0])) ||
        (n->kind == DL__N_CALL && (!n->name || strncmp(n->name, "get_", 4) != 0)))
        return true;
    if (n->kind == DL__N_NAME && n->declared_at != SIZE_MAX)
        dl__is_changed(c->k->unit, n->declared_at, &variable);
    if (variable && variable->child_count &&
        is_scattered(c, variable->children[variable->child_count - 1], depth + 1))
        return true;
    for (size_t i = n->kind == DL__N_CALL; i < n->child_count; i++)
        if (is_scattered(c, n->children[i], depth))
            return true;
    return false;
}

/* Behind the token that ends what begins at `at`: one of `ends`, outside all brackets. */
static size_t end_behind(const struct dl__coalescing *c, size_t at, const char *ends)
{
    struct dl__lexer lexer = dl__lexer_at(c->w->ast.text, at, c->k->function->body_end);
    unsigned depth = 0;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind != DL__PUNCT || t.bytes != 1)
            continue;
        if (!depth && strchr(ends, *t.text))
            return t.offset + 1;
        if (strchr("([{", *t.text))
            depth++;
        else if (strchr(")]}", *t.text) && !depth--)
            break;
    }
    return SIZE_MAX;
}

/* ---- what stays plain ---- */

/* Returns how a subscript was judged; NULL: it was not looked at. */
static const struct taken_of *taken_of(const struct dl__coalescing *c,
                                       const struct dl__node *n)
{
    for (size_t i = 0; i < c->taken.count; i++)
        if (c->taken.items[i].node == n)
            return &c->taken.items[i];
    return NULL;
}

/* Remarks on every whole struct that is not accessed together, and on members. */
static void say_plain(struct dl__coalescing *c, struct dl__node *n, bool whole)
{
    const struct taken_of *t = taken_of(c, n);

    if (n->kind == DL__N_SUBSCRIPT && whole_struct(c, n) == n && (!t || t->why))
        dl__say_at(c->w, DL_REMARK, n->begin, "'%s' is accessed plainly here: %s",
                   dl__strip(n->children[0])->name,
                   t       ? t->why
                   : whole ? c->why
                           : "it is of members, not whole");
    if (n->kind != DL__N_PAREN && n->kind != DL__N_IMPLICIT)
        whole = n->kind != DL__N_MEMBER;
    for (size_t i = 0; i < n->child_count; i++)
        say_plain(c, n->children[i], whole);
}

/* ---- What may be stored where. Too much is found rather than too little. ---- */

/* The variable that holds what `n` denotes: itself, or a part of it. NULL: it is reached
 * by a pointer. */
static struct dl__node *variable_of(struct dl__coalescing *c, struct dl__node *n)
{
    for (; n->child_count; n = n->children[0]) {
        const struct dl__type *type = dl__type_of(c->k->unit, dl__strip(n->children[0]));

        if (dl__is_pointed_component(c->k->unit, n))
            return NULL;
        if ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT) && n->child_count == 1)
            continue;
        if (n->kind == DL__N_MEMBER
                ? type->kind == DL__T_POINTER
                : n->kind != DL__N_SUBSCRIPT ||
                      (type->kind != DL__T_ARRAY && type->kind != DL__T_VECTOR))
            return NULL;
    }
    return n->kind == DL__N_NAME && n->declared_at != SIZE_MAX ? n : NULL;
}

static bool is_private(struct dl__coalescing *c, struct dl__node *n)
{
    const struct dl__node *variable = variable_of(c, n);

    return variable && variable->declared_at >= c->k->function->open_at &&
           variable->declared_at < c->k->function->body_end;
}

/* A function can store by the pointers that it is given; of the text's own, and of what
 * the text has in program scope, nothing is known. */
static bool call_may_store(struct dl__coalescing *c, struct dl__node *n)
{
    if (!n->name || dl__ast_callee(&c->w->ast, n) || c->w->ast.has_variable)
        return true;
    if (!strncmp(n->name, "vload", 5))
        return false;
    for (size_t i = 1; i < n->child_count; i++) {
        enum dl__type_kind kind =
            dl__type_of(c->k->unit, dl__strip_casts(n->children[i]))->kind;

        if (kind != DL__T_SCALAR && kind != DL__T_VECTOR)
            return true;
    }
    return false;
}

static bool children_may_store(struct dl__coalescing *c, struct dl__node *n)
{
    for (size_t i = 0; i < n->child_count; i++)
        if (may_store(c, n->children[i]))
            return true;
    return false;
}

/* ---- stores ---- */

/* True when it may store to memory that is not a variable of the work-item's. */
static bool may_store(struct dl__coalescing *c, struct dl__node *n)
{
    if ((dl__is_assignment(n) || dl__is_step(n)) && !is_private(c, n->children[0]))
        return true;
    if (n->kind == DL__N_CALL && call_may_store(c, n))
        return true;
    return children_may_store(c, n);
}

/* The same of a statement but for a store that is all that it does last. */
static bool may_store_early(struct dl__coalescing *c, struct dl__node *statement)
{
    statement = dl__strip(statement);
    return dl__is_assignment(statement) ? children_may_store(c, statement)
                                        : may_store(c, statement);
}

/* ---- Structs that work-items read member by member. ---- */

/* Coalesced access pays from WORDS_LEAST words on, if READ_PERCENT of those from the
 * first to the last are read: plain access to smaller structs is served by the cache, on
 * an H200. */
enum { WORDS_LEAST = 16, WORDS_MOST = 512, READ_PERCENT = 75 };

/* A member of `f[i]` that is read. */
struct read {
    struct dl__node *place; /* `f[i]` */
    uint32_t offset_bytes, bytes;
    size_t statement;
    bool sure; /* whatever the work-item does */
};

struct reads {
    struct read *items;
    size_t count, room;
};

struct search {
    struct dl__coalescing *c;
    size_t statement;
    struct reads reads;
};

/* ---- reads ---- */

/* Steps from a struct outwards, into its member. False: not a scalar or vector that is
 * read. */
static bool follow(struct search *s, struct dl__node *n, struct read *out)
{
    struct dl__unit *unit = s->c->k->unit;
    const struct dl__type *type = dl__type_of(unit, n);
    struct dl__node *up = n->parent;
    int64_t index;

    out->place = n;
    for (; up; n = up, up = up->parent) {
        const struct dl__field *field = NULL;

        if (up->kind == DL__N_PAREN || up->kind == DL__N_IMPLICIT)
            continue;
        if (up->kind == DL__N_MEMBER && type->kind == DL__T_STRUCT) {
            for (size_t i = 0; up->name && i < type->identity->field_count; i++)
                if (!strcmp(type->identity->fields[i].name, up->name))
                    field = &type->identity->fields[i];
            if (!field)
                return false;
            out->offset_bytes += field->offset_bytes;
            type = field->type;
        } else if (up->kind == DL__N_SUBSCRIPT && up->children[0] == n &&
                   type->kind == DL__T_ARRAY) {
            if (!dl__constant_of(unit, up->children[1], &index) || index < 0 ||
                (uint64_t)index >= type->count)
                return false;
            type = type->element;
            out->offset_bytes += (uint32_t)index * type->bytes;
        } else if (up->kind != DL__N_MEMBER || type->kind != DL__T_VECTOR) {
            break;
        }
    }
    out->bytes = type->bytes;
    return up && (type->kind == DL__T_SCALAR || type->kind == DL__T_VECTOR) &&
           !type->is_volatile && up->kind != DL__N_SIZEOF && up->kind != DL__N_MEMBER &&
           (up->kind != DL__N_SUBSCRIPT || up->children[0] != n) &&
           !(dl__is_assignment(up) && up->children[0] == n) && !dl__is_step(up) &&
           !(up->kind == DL__N_UNARY && dl__op_is(up, "&"));
}

static void members_walk(struct search *s, struct dl__node *n, bool sure)
{
    struct read read = {.statement = s->statement, .sure = sure};

    if (n->kind == DL__N_SUBSCRIPT && whole_struct(s->c, n) == n && !taken_of(s->c, n) &&
        follow(s, n, &read))
        DL__PUSH(&s->c->w->arena, &s->reads, read);
    for (size_t i = 0; i < n->child_count; i++) {
        bool still = sure;

        if (n->kind == DL__N_BRANCH)
            still = sure && n->children[i] == n->condition && i == 0;
        else if (n->kind == DL__N_CONDITIONAL || dl__op_is(n, "&&") || dl__op_is(n, "||"))
            still = sure && i == 0;
        else if (n->kind == DL__N_VALUE_BLOCK || n->kind == DL__N_SIZEOF)
            still = false;
        members_walk(s, n->children[i], still);
    }
}

/* ---- places ---- */

/* True when it is the same wherever it stands behind `at`. */
static bool is_fixed(struct search *s, struct dl__node *n, size_t at)
{
    struct dl__node *declaration;

    if (n->kind == DL__N_NAME && !n->is_constant &&
        (n->declared_at == SIZE_MAX || n->declared_at >= at ||
         n->declared_at < s->c->k->function->open_at ||
         dl__is_changed(s->c->k->unit, n->declared_at, &declaration)))
        return false;
    for (size_t i = n->kind == DL__N_CALL; i < n->child_count; i++)
        if (!is_fixed(s, n->children[i], at))
            return false;
    return true;
}

static bool is_same(const struct search *s, struct dl__node *a, struct dl__node *b)
{
    const char *text = s->c->w->ast.text;

    a = dl__strip(a);
    b = dl__strip(b);
    if (a->kind != b->kind || a->child_count != b->child_count ||
        a->declared_at != b->declared_at || strcmp(a->op, b->op) != 0 ||
        !a->name != !b->name || (a->name && strcmp(a->name, b->name) != 0))
        return false;
    if (!a->child_count)
        return a->end - a->begin == b->end - b->begin &&
               !memcmp(text + a->begin, text + b->begin, a->end - a->begin);
    for (size_t i = 0; i < a->child_count; i++)
        if (!is_same(s, a->children[i], b->children[i]))
            return false;
    return true;
}

/* ---- which pay ---- */

/* The words from the first to the last that are sure to be read; false: too few. */
static bool measure(const struct search *s, const struct read *first, struct dl__own *own)
{
    bool words[WORDS_MOST] = {false};
    unsigned from = WORDS_MOST, to = 0, read = 0;

    for (size_t i = 0; i < s->reads.count; i++) {
        const struct read *r = &s->reads.items[i];
        unsigned begin = r->offset_bytes / 4, end = (r->offset_bytes + r->bytes) / 4;

        if (!r->sure || r->offset_bytes % 4 || r->bytes % 4 ||
            !is_same(s, r->place, first->place))
            continue;
        for (unsigned w = begin; w < end; w++)
            words[w] = true;
        from = begin < from ? begin : from;
        to = end > to ? end : to;
    }
    for (unsigned w = from; w < to; w++)
        read += words[w];
    own->words = (struct dl__words){from, to > from ? to - from : 0};
    return own->words.count >= WORDS_LEAST &&
           read * 100 >= own->words.count * READ_PERCENT;
}

/* Those that the copy has; returns the statement of the last. */
static size_t gather(struct search *s, const struct read *first, struct dl__own *own)
{
    size_t last = first->statement;

    for (size_t i = 0; i < s->reads.count; i++) {
        const struct read *r = &s->reads.items[i];

        if (!is_same(s, r->place, first->place) ||
            r->offset_bytes < own->words.first * 4 ||
            r->offset_bytes + r->bytes > (own->words.first + own->words.count) * 4)
            continue;
        DL__PUSH(&s->c->w->arena, &own->reads, r->place);
        last = r->statement > last ? r->statement : last;
    }
    return last;
}

static bool find(struct search *s, struct dl__node **statements, const struct read *first,
                 struct dl__own *own)
{
    struct dl__node *place = first->place;
    size_t last;

    *own = (struct dl__own){.place = place,
                            .type = dl__type_of(s->c->k->unit, place),
                            .statement = first->statement};
    if (own->type->bytes / 4 > WORDS_MOST || !is_memoryless(s->c, place->children[1]) ||
        !is_fixed(s, place->children[0], statements[first->statement]->begin) ||
        !is_fixed(s, place->children[1], statements[first->statement]->begin) ||
        !measure(s, first, own))
        return false;
    last = gather(s, first, own);
    for (size_t i = first->statement; i < last; i++)
        if (may_store(s->c, statements[i]))
            return false;
    return !may_store_early(s->c, statements[last]);
}

/* Finds those that pay among statements that follow one another.
 *   reach  the number of first statements before which they may be loaded */
static void find_owns_in(struct dl__coalescing *c, struct dl__node **statements,
                         size_t count, size_t reach, struct dl__owns *out)
{
    struct search s = {.c = c};
    bool sure = true;

    for (; s.statement < count; s.statement++) {
        sure = sure && !has_return(statements[s.statement]);
        members_walk(&s, statements[s.statement], sure);
    }
    for (size_t i = 0; i < s.reads.count && s.reads.items[i].statement < reach; i++) {
        struct dl__own own;
        bool seen = false;

        for (size_t j = 0; !seen && j < i; j++)
            seen = is_same(&s, s.reads.items[j].place, s.reads.items[i].place);
        if (!seen && find(&s, statements, &s.reads.items[i], &own))
            DL__PUSH(&c->w->arena, out, own);
    }
}

/* Which whole structs of a kernel are accessed together, and the edits for that. */

/* Behind the struct's address: what the type's functions take besides. */
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
        *name = coalesce_function(c->w, c->c, dl__type_of(c->k->unit, n), NULL,
                                  is_scattered(c, n->children[1], 0), stores, &reason);

    if (!name)
        DL__PUSH(&c->w->arena, &c->taken, ((struct taken_of){n, reason}));
    return name;
}

/* Notes the buffer of a struct, and the words of it that are loaded or stored together,
 * unless there are so few that group.cl accesses them plainly. */
static void note_buffer(struct dl__coalescing *c, struct dl__node *place, bool stores,
                        unsigned words)
{
    struct dl__root *root = dl__root_of(c->k->unit, place->children[0]);
    bool scattered = is_scattered(c, place->children[1], 0);

    if (words < (stores ? scattered ? 2u : 6u : scattered ? 6u : 16u))
        return;
    for (size_t b = 0; b < c->k->buffers.count && b < 32; b++)
        if (root && root->parameter == c->k->buffers.items[b].root->parameter)
            *(stores ? &c->c->stored : &c->c->loaded) |= UINT32_C(1) << b;
}

static void take(struct dl__coalescing *c, struct dl__node *n, bool stores)
{
    DL__PUSH(&c->w->arena, &c->taken, ((struct taken_of){n, NULL}));
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
    struct dl__node *n = whole_struct(c, value);

    if (n)
        load(c, n);
}

/* ---- members ---- */

/* The name of what a copy is loaded with; NULL: its type stays as it is. */
static const char *own_function(struct dl__coalescing *c, const struct dl__own *own)
{
    const char *reason;

    return coalesce_function(c->w, c->c, own->type, &own->words,
                             is_scattered(c, own->place->children[1], 0), false, &reason);
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
        struct taken_of taken = {own->reads.items[i], NULL};

        put(c, taken.node->begin, taken.node->end, copy);
        DL__PUSH(&c->w->arena, &c->taken, taken);
    }
    c->c->loads++;
    note_buffer(c, own->place, false, own->words.count);
}

/* ---- statements that all work-items come to ---- */

static void store_here(struct dl__coalescing *c, struct dl__node *s, struct dl__node *n)
{
    size_t end = end_behind(c, s->begin, ";");
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
    struct dl__node *n = stored_struct(c, s);

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
        out->end = end_behind(c, then->begin, ";");
        return at + 1 == body->child_count && out->end != SIZE_MAX;
    }
    out->children = then->children;
    out->count = then->child_count;
    out->end = then->end - 1;
    return at + 1 == body->child_count && then->kind == DL__N_STATEMENT &&
           c->w->ast.text[then->begin] == '{' && c->w->ast.text[out->end] == '}' &&
           !has_return(then);
}

/* False: it declares a struct of a type that stays as it is. */
static bool can_load(struct dl__coalescing *c, const struct dl__node *s)
{
    for (size_t i = 0; i < s->child_count; i++) {
        const struct dl__node *v = s->children[i];
        struct dl__node *n =
            v->child_count ? whole_struct(c, v->children[v->child_count - 1]) : NULL;

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

        if (!is_head(c, g->children[i], &loads) || !can_load(c, g->children[i]))
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
    while (reach < g->count && is_head(c, g->children[reach], &loads) &&
           can_load(c, g->children[reach]))
        reach++;
    find_owns_in(c, g->children, g->count, reach < g->count ? reach + 1 : reach, owns);
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
        if (g->leaves && has_return(g->children[i]))
            return g->count;
    while (tail > head && stored_struct(c, g->children[tail - 1])) {
        struct dl__node *s = g->children[tail - 1];

        if (!function_for(c, stored_struct(c, s), true))
            break;
        tail--;
        if (!is_memoryless(c, stored_struct(c, s)->children[1]) ||
            !is_memoryless(c, s->children[1]))
            break;
    }
    return tail;
}

/* A value for those without a struct. False: the text is not understood. */
static bool guard_value(struct dl__coalescing *c, struct dl__node *v)
{
    size_t begin = v->children[0]->begin;
    size_t end = end_behind(c, begin, ",;");

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
            n = whole_struct(c, v->children[v->child_count - 1]);
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

/* Variables in front of the rest, what sets them in the store's place, and the store
 * behind the rest. False: it can't be kept. */
static bool keep_store(struct dl__coalescing *c, struct dl__node *statement, bool first,
                       struct kept *kept, struct dl__buf *before, struct dl__buf *behind)
{
    struct dl__node *to = stored_struct(c, statement);
    struct dl__node *from = first ? whole_struct(c, statement->children[1]) : NULL;
    const char *load = from ? function_for(c, from, false) : NULL;
    const char *store = function_for(c, to, true),
               *type = dl__type_of(c->k->unit, to)->name;
    unsigned number = c->c->stores;

    *kept = (struct kept){to, load ? from : NULL, number};
    if (!store)
        return false;
    take(c, to, true);
    dl__buf_printf(before, "__global %s *dl_to%u = 0; ", type, number);
    if (load) {
        take(c, from, false);
        dl__buf_printf(before, "__global const %s *dl_from%u = 0; ", type, number);
        dl__buf_printf(behind, " %s(dl_to%u, %s(dl_from%u%s%s;", store, number, load,
                       number, rest, rest);
    } else {
        dl__buf_printf(before, "%s dl_value%u; ", type, number);
        dl__buf_printf(behind, " %s(dl_to%u, dl_value%u%s;", store, number, number, rest);
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
    const struct dl__node *branch = g->branch, *then = branch->children[1];
    const char *text = c->w->ast.text;
    size_t open = dl__text_skip(text, branch->end, branch->begin + 2), close, end;

    close = text[open] == '(' ? end_behind(c, open + 1, ")") : SIZE_MAX;
    if (close == SIZE_MAX)
        return false;
    end = !g->leaves                   ? then->begin
          : then->kind == DL__N_RETURN ? end_behind(c, close, ";")
                                       : branch->end;
    if (end == SIZE_MAX)
        return false;
    put(c, branch->begin, open + 1,
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
    for (size_t i = tail; i < g->count; i++)
        if (!keep_store(c, g->children[i], i == tail, &kept[i - tail], &before, &behind))
            return false;
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
           !has_return(all->children[reach]))
        reach++;
    return reach;
}

/* The edits of a kernel's body (coalesce.c). */
static void coalesce_body(struct dl__coalescing *c, struct dl__node *all)
{
    size_t reach = reach_of(c, all);
    struct dl__owns owns = {.items = NULL};
    struct guard g;

    if (c->by_members)
        find_owns_in(c, all->children, all->child_count, reach, &owns);
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
            forget(c, before, taken);
    }
}

/* ---- A kernel's second text, or why it has none. ---- */

static const char divergent[] =
    "the work-items of a group may not all reach this point together";

/* Forgets all that was found since the counts were these. */
static void forget(struct dl__coalescing *c, struct dl__coalesced before, size_t taken)
{
    size_t kept = taken;

    before.types.items = c->c->types.items;
    before.types.count = c->c->types.count;
    before.types.room = c->c->types.room;
    *c->c = before;
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

    dl__buf_puts(&text, dl_group_cl);
    dl__coalesce_print(&text, c->c);
    for (size_t i = 0; i < c->c->edits.count; i++)
        dl__buf_printf(&text, "%s\n", c->c->edits.items[i].text);
    return !dl__macro_in_text(c->w->expanded.macros, text.items, text.count, &name) &&
           dl__edits_finish(&c->c->edits) &&
           dl__edits_print(&c->c->edits, &c->w->expanded, f->item_at, f->body_end,
                           DL__IN_PLACE, &text, &at);
}

/* False: the text can't be printed. */
static bool edit(struct dl__coalescing *c, struct dl__node *all)
{
    c->c = DL__NEW(&c->w->arena, struct dl__coalesced);
    coalesce_body(c, all);
    if (!c->c->loads && !c->c->stores)
        return true;
    dl__edit_replace(&c->c->edits, &c->w->expanded, all->begin + 1, all->begin + 1,
                     coalesce_locals(&c->w->arena, c->c));
    if (!is_printable(c)) {
        c->live = "";
        forget(c, (struct dl__coalesced){.loads = 0}, 0);
        return false;
    }
    c->k->coalesced = c->c;
    return true;
}

void dl__coalesce(struct dl__rewriter *w, struct dl__kernel *k)
{
    struct dl__coalescing c = {
        .w = w, .k = k, .live = "", .why = divergent, .by_members = true};
    const char *obstacle = coalesce_obstacle(w, k->function);
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
    say_plain(&c, all, true);
}
