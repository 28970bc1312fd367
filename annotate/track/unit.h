/* SPDX-License-Identifier: MIT */
/* One function on its way to be rewritten, and the state of tracking.
 *
 * A buffer parameter keeps its name and value. A pointer temporary becomes a variable of
 * type dl_index that holds the struct index, so no pointer difference is ever computed. A
 * parameter that is itself changed, and a helper's parameter, get an index beside them:
 * dl_at_NAME. */
#ifndef DL_ANNOTATE_UNIT_H
#define DL_ANNOTATE_UNIT_H

#include <setjmp.h>

#include "annotate/accessors/accessor.h"
#include "annotate/text/edit.h"
#include "annotate/tree/ast.h"

struct dl__form;
struct dl__facts;
struct dl__pattern;
struct dl__scope;
struct dl__tracker;

/* A number that must be a multiple, or the kernel runs as written. */
struct dl__whole {
    const char *dimension; /* in the tables' form */
    uint32_t modulus;
};

/* A parameter whose accesses are rewritten. */
struct dl__root {
    size_t parameter;
    const char *name;
    const struct dl__form *form;
    const struct dl__struct *element;    /* that the layout moves: a struct, or a row */
    const struct dl__type *element_type; /* that the program's pointers step over */
    /* Of pointers to parts of structs, see place.h. */
    bool is_part;
    bool is_bytes;  /* of bytes of parts, whatever these are */
    bool is_single; /* one of them points to a member that is not an array */
    bool is_cast; /* of a parameter of another type, which is cast wherever it is named */
    bool is_far;  /* of pointers into one of several buffers, see place.h */
    bool is_joined; /* one of those, here or in a helper: what is said of one is said of
                       all */
    struct dl__root
        *first; /* of a helper's: that of the same buffer, before it; NULL: none */
    struct dl__root *owner; /* that has its name; NULL: itself */
    struct dl__root *parts,
        *next_part;    /* of an owner, and the next of its owner's or unit's */
    const void *shape; /* the form's own */
    /* Of a grid, the slowest first, as the tables have them: of the kernel's arguments.
     */
    const char *const *extents;
    size_t extent_count; /* 0: it is none */
    const struct dl__function *grid_kernel;
    struct dl__pattern *pattern; /* of all accesses (forms/forms.h), also by its copies */
    unsigned space;              /* DL__GLOBAL or DL__CONSTANT */
    bool has_index;              /* dl_at_NAME exists */
    bool is_at_base; /* of a helper's copy: it is the buffer's beginning, and has none */
    bool written;
    /* Of a helper: bits of the parameters that hold what the form looks for in the text.
     */
    uint64_t shape_parameters;
    const struct dl__facts *facts; /* of a kernel: every access to it; NULL: not known */
    struct {
        struct dl__whole *items;
        size_t count, room;
    } wholes; /* of a kernel's, whose pointers are moved by bytes */
};

/* A member that stands for a buffer, see track/context.h. */
struct dl__context {
    const struct dl__struct *type;
    const char *member;
    struct dl__root *root;
    size_t declared_at;    /* of the buffer's parameter */
    const char *parameter; /* as helpers' copies call it */
    bool is_moved;         /* may be another pointer into it than the argument */
};

/* One function, rewritten for some of its parameters: a kernel, or a helper's clone. */
struct dl__unit {
    struct dl__tracker *tracker;
    struct dl__function *function;
    struct dl__function *copied; /* of a copy: what it is made from */
    const char *new_name;        /* NULL: a kernel, which keeps its own */
    struct dl__root *roots;
    size_t root_count;
    struct dl__edits edits;
    struct {
        struct dl__unit **items;
        size_t count, room;
    } clones; /* that it calls */
    struct {
        struct dl__use {
            struct dl__accessor *accessor;
            const struct dl__root *root;
            size_t at;
        } * items;
        size_t count, room;
    } uses; /* of accessors */
    struct {
        struct dl__clone_call {
            const struct dl__node *node;
            struct dl__unit *clone;
        } * items;
        size_t count, room;
    } calls; /* of clones */
    struct {
        struct dl__divided {
            size_t at;
            const struct dl__root *root;
            const char *reason;
        } * items;
        size_t count, room;
    } divided;         /* accesses to grids whose index is not split into dimensions */
    bool contractable; /* of a kernel, see dl_kernel_note */
    bool refused;
    size_t refused_at;
    const char *reason;
    bool busy;     /* being tracked: a call to it is recursion */
    bool is_ahead; /* a copy that stands before a kernel behind which the helper is
                      defined */
    bool emitted;
    bool is_clean; /* of a copy: its text has no macro of the program's */
    unsigned turn; /* the last in which it was met (dl__unit_meet) */
    struct dl__unit *next;
    /* while tracking */
    jmp_buf refuse;
    struct dl__variable *variables;
    struct dl__root
        *far; /* roots of pointers into one of several buffers, by next_part */
    struct dl__root
        *returned; /* of a copy: what it returns points there; NULL: no pointer */
    struct {
        struct dl__context *items;
        size_t count, room;
    } contexts;
    const struct dl__node *call; /* whose pointer is wanted as an index */
    struct {
        struct dl__local {
            size_t declared_at;
            struct dl__node *declaration; /* NULL: this is a change of it */
            size_t at;                    /* of a change */
            bool anywhere; /* its address is taken: where it changes is not known */
        } * items;
        size_t count, room;
    } locals; /* variables, and changes of variables and parameters; made at first need */
    bool has_locals;
    unsigned nested; /* indices inside indices that are being split */
    /* See values/integer.h; made at first need. The second is of what can be printed. */
    struct dl__scope *scope, *printing;
};

struct dl__tracker {
    struct dl__arena *arena;
    struct dl__ast *ast;
    const struct dl__expanded *expanded;
    struct dl__accessors accessors;
    struct dl__unit *clones; /* all, by first use */
    unsigned turn;           /* of going through a kernel and its copies */
    unsigned depth;          /* of helpers that call each other */
    size_t kernel_at; /* of the kernel being tracked: copies will stand before it */
    /* The FP_CONTRACT that stands there. */
    size_t contraction_at;
    bool contraction_is_off;
    bool lacks_static; /* OpenCL C 1.0 and 1.1 have no `static`, or it is a macro */
    /* The walk over a node: what is rewritten inside an index is walked again. */
    void (*walk)(struct dl__unit *unit, struct dl__node *n);
};

/* Copies call each other in many ways: who goes through them all begins a turn, and meets
 * each once. True the first time. */
static inline bool dl__unit_meet(struct dl__unit *unit)
{
    bool is_new = unit->turn != unit->tracker->turn;

    unit->turn = unit->tracker->turn;
    return is_new;
}

enum dl__variable_kind {
    DL__ROOT,
    DL__INDEX, /* a pointer temporary: a dl_index after rewriting */
    DL__LEAF,  /* a pointer to one leaf: stays a pointer */
    DL__ARRAYS /* a pointer to arrays of a grid's elements: stays one (place.h) */
};

struct dl__variable {
    enum dl__variable_kind kind;
    size_t declared_at;
    const char *name;
    struct dl__root *root;          /* NULL while unknown */
    const struct dl__type *pointee; /* of a DL__INDEX */
    bool is_array;                  /* of a DL__INDEX: it is an array of such */
    uint32_t leaf_bytes;            /* of a DL__LEAF */
    struct dl__variable *next;
};

/* Gives the unit up, for the place and the reason. */
void dl__refuse(struct dl__unit *u, size_t at, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));
void dl__replace(struct dl__unit *u, size_t begin, size_t end, const char *text);
char *dl__format(struct dl__unit *u, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The next byte that is neither space nor comment. */
static inline size_t dl__skip(const struct dl__unit *u, size_t at)
{
    return dl__text_skip(u->tracker->ast->text, u->tracker->ast->bytes, at);
}

static inline char dl__text_at(const struct dl__unit *u, size_t at)
{
    return at < u->tracker->ast->bytes ? u->tracker->ast->text[at] : '\0';
}

/* True of the word that a node begins with: "if", "for", ... */
bool dl__begins_with(const struct dl__unit *u, const struct dl__node *n,
                     const char *word);
/* The member that stands for a buffer (context.h); NULL: it stands for none. */
static inline const struct dl__context *dl__context_of(const struct dl__unit *u,
                                                       const struct dl__struct *type,
                                                       const char *member)
{
    for (size_t i = 0; i < u->contexts.count; i++)
        if (u->contexts.items[i].type == type &&
            !strcmp(u->contexts.items[i].member, member))
            return &u->contexts.items[i];
    return NULL;
}

/* True of a member that may be another pointer than the buffer's argument. */
bool dl__is_moved_member(struct dl__unit *u, struct dl__node *n);
/* The tracked variable that is declared there; NULL: none. */
static inline struct dl__variable *dl__variable_at(const struct dl__unit *u,
                                                   size_t declared_at)
{
    struct dl__variable *v = declared_at == SIZE_MAX ? NULL : u->variables;

    while (v && v->declared_at != declared_at)
        v = v->next;
    return v;
}

/* The tracked variable that a name names, or whose element a subscript is; NULL for
 * others. */
struct dl__variable *dl__variable_of(struct dl__unit *u, struct dl__node *n);
/* The array of pointers that a name names; NULL for others. */
struct dl__variable *dl__pointer_array_of(struct dl__unit *u, const struct dl__node *n);
/* Walks over what stands in a form: every mention of a tracked pointer in it is
 * rewritten, or refuses the unit. */
static inline void dl__walk(struct dl__unit *u, struct dl__node *n)
{
    u->tracker->walk(u, n);
}

static inline bool dl__op_is(const struct dl__node *n, const char *op)
{
    return !strcmp(n->op, op);
}

/* Without parentheses and implicit conversions around it. */
static inline struct dl__node *dl__strip(struct dl__node *n)
{
    while ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT) && n->child_count == 1)
        n = n->children[0];
    return n;
}

/* Without casts, too. */
static inline struct dl__node *dl__strip_casts(struct dl__node *n)
{
    while (
        (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST) &&
        n->child_count == 1)
        n = n->children[0];
    return n;
}

static inline const struct dl__type *dl__type_of(struct dl__unit *u, struct dl__node *n)
{
    if (!n->known_type)
        n->known_type = dl__ast_type(u->tracker->ast, n->type);
    return n->known_type;
}

/* True of `v->x` of a pointer to a vector: libclang shows it as a conversion of the
 * pointer. */
static inline bool dl__is_pointed_component(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *from;
    size_t arrow;

    if (n->kind != DL__N_IMPLICIT || n->child_count != 1 || n->end == n->children[0]->end)
        return false;
    from = dl__type_of(u, n->children[0]);
    if ((from->kind != DL__T_POINTER && from->kind != DL__T_ARRAY) ||
        from->element->kind != DL__T_VECTOR)
        return false;
    arrow = dl__skip(u, n->children[0]->end);
    return dl__text_at(u, arrow) == '-' && dl__text_at(u, arrow + 1) == '>';
}

/* True of a conversion to `bool`, of whatever: a pointer's is whether it is null. */
static inline bool dl__is_boolean(struct dl__unit *u, struct dl__node *n)
{
    return (n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST) &&
           dl__type_of(u, n)->kind == DL__T_SCALAR && dl__type_of(u, n)->scalar == 'b';
}

/* The struct that a member is of; NULL: it is none. */
static inline const struct dl__struct *dl__struct_of_member(struct dl__unit *u,
                                                            struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n->children[0]);

    type = type->kind == DL__T_POINTER ? type->element : type;
    return type->kind == DL__T_STRUCT ? type->identity : NULL;
}

static inline bool dl__is_assignment(const struct dl__node *n)
{
    return n->kind == DL__N_COMPOUND || (n->kind == DL__N_BINARY && dl__op_is(n, "="));
}

/* True when an expression may be evaluated twice. */
bool dl__is_pure(struct dl__unit *u, const struct dl__node *n);
/* ++ or -- */
static inline bool dl__is_step(const struct dl__node *n)
{
    return n->kind == DL__N_UNARY && (dl__op_is(n, "++") || dl__op_is(n, "--"));
}

/* True where a value is thrown away. */
static inline bool dl__is_statement(const struct dl__node *n)
{
    const struct dl__node *p = n->parent;

    while (p && ((p->kind == DL__N_PAREN && p->child_count == 1) ||
                 (p->kind == DL__N_BINARY && dl__op_is(p, ",") && p->children[0] == n))) {
        n = p;
        p = n->parent;
    }
    if (p && p->kind == DL__N_BINARY && dl__op_is(p, ","))
        return dl__is_statement(p);
    if (p && p->kind == DL__N_BRANCH)
        return p->condition != n;
    return p && p->kind == DL__N_STATEMENT;
}
/* Where the text inside a subscript's brackets begins and ends. */
void dl__bracket_range(struct dl__unit *u, struct dl__node *host, size_t *begin,
                       size_t *end);
/* The same of an index that is an argument of a builtin. */
void dl__index_range(struct dl__unit *u, struct dl__node *host,
                     const struct dl__node *index, size_t *begin, size_t *end);
/* Where a binary operator stands; refuses when the text has another there. */
size_t dl__operator_at(struct dl__unit *u, const struct dl__node *n);
/* The value of an enumerator, or of a literal within the range of an int. */
bool dl__literal_of(const struct dl__unit *u, const struct dl__node *n, int64_t *out);
/* The value of an expression of literals and enumerators, within the range of an int. */
bool dl__constant_of(struct dl__unit *u, struct dl__node *n, int64_t *out);

/* True when the function may change what is declared there; *declaration is the
 * variable's, NULL for a parameter. */
bool dl__is_changed(struct dl__unit *u, size_t declared_at,
                    struct dl__node **declaration);
/* The text in a pair of braces. */
struct dl__block {
    size_t begin, end;
};

/* How many changes that stand there may change what is declared at the place. */
size_t dl__count_changes(struct dl__unit *u, size_t declared_at, struct dl__block block);
/* True when the function declares nothing else of that name, so that it means the same
 * wherever it stands. */
bool dl__is_declared_once(struct dl__unit *u, const char *name, size_t declared_at);

#endif
