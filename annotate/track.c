/* Closed-world tracking of buffer pointers in a function. See track.h for the model. */
#include "track.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lex.h"

enum variable_kind {
    ROOT,
    INDEX, /* a pointer temporary: a dl_index after rewriting */
    LEAF   /* a pointer to one leaf: stays a pointer */
};

struct dl__variable {
    enum variable_kind kind;
    size_t declared_at;
    const char *name;
    struct dl__root *root; /* NULL while unknown */
    uint32_t leaf_bytes;   /* of a LEAF */
    struct dl__variable *next;
};

/* An expression that denotes a struct of a buffer, or a member of one. */
struct place {
    struct dl__root *root;
    struct dl__node *pointer;    /* the element pointer it starts from */
    struct dl__node *index;      /* `pointer[index]`; NULL: *pointer */
    struct dl__node *index_host; /* the subscript that `index` belongs to */
    struct dl__step steps[32];
    struct dl__node
        *step_index[32]; /* of array steps: the index; NULL for a constant 0 */
    struct dl__node *step_host[32];
    size_t step_count;
    const struct dl__type *type;
};

static void walk(struct dl__unit *u, struct dl__node *n);
static void edit_flat(struct dl__unit *u, struct dl__node *n, const struct place *p,
                      bool address);
static void walk_children(struct dl__unit *u, struct dl__node *n);
static void edit_index(struct dl__unit *u, struct dl__node *n, bool converted);

/* ---- small things ---------------------------------------------------------------- */

static void __attribute__((noreturn, format(printf, 3, 4)))
refuse(struct dl__unit *u, size_t at, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    u->refused = true;
    u->refused_at = at;
    u->reason = dl__arena_text(u->tracker->arena, text, strlen(text));
    longjmp(u->refuse, 1);
}

static void replace(struct dl__unit *u, size_t begin, size_t end, const char *text)
{
    if (begin > end || end > u->tracker->expanded->bytes)
        refuse(u, begin, "this expression's extent is not understood");
    dl__edit_replace(&u->edits, u->tracker->expanded, begin, end, text);
}

static const char *format_text(struct dl__unit *u, const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return dl__arena_text(u->tracker->arena, text, strlen(text));
}

static size_t skip(const struct dl__unit *u, size_t at)
{
    return dl__text_skip(u->tracker->ast->text, u->tracker->ast->bytes, at);
}

static char text_at(const struct dl__unit *u, size_t at)
{
    return at < u->tracker->ast->bytes ? u->tracker->ast->text[at] : '\0';
}

static bool op_is(const struct dl__node *n, const char *op)
{
    return !strcmp(n->op, op);
}

static struct dl__node *strip(struct dl__node *n)
{
    while ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT) && n->child_count == 1)
        n = n->children[0];
    return n;
}

static const struct dl__type *type_of(struct dl__unit *u, const struct dl__node *n)
{
    return dl__ast_type(u->tracker->ast, n->type);
}

static bool is_assignment(const struct dl__node *n)
{
    return n->kind == DL__N_COMPOUND || (n->kind == DL__N_BINARY && op_is(n, "="));
}

static bool is_step(const struct dl__node *n)
{
    return n->kind == DL__N_UNARY && (op_is(n, "++") || op_is(n, "--"));
}

static struct dl__variable *variable_of(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = u->variables;

    if (n->kind != DL__N_NAME || n->declared_at == SIZE_MAX)
        return NULL;
    while (v && v->declared_at != n->declared_at)
        v = v->next;
    return v;
}

/* ---- element pointers ------------------------------------------------------------ */

static bool find_place(struct dl__unit *u, struct dl__node *n, struct place *out);

/* What a pointer into a buffer points to: a struct, or an element of a flat buffer. */
static bool is_element(const struct dl__type *type, const struct dl__struct *element)
{
    if (element->flat_element)
        return type->kind == element->flat_element->kind && type->name &&
               !strcmp(type->name, element->flat_element->name);
    return type->identity == element;
}

static bool points_to(struct dl__unit *u, const struct dl__node *n,
                      const struct dl__struct *element)
{
    const struct dl__type *type = type_of(u, n);

    return type->kind == DL__T_POINTER && is_element(type->element, element);
}

/* The root of an expression that points to a struct of a tracked buffer; NULL for others.
 */
static struct dl__root *root_of(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v;
    struct dl__root *left, *right;
    struct place place;

    n = strip(n);
    switch (n->kind) {
    case DL__N_NAME:
        v = variable_of(u, n);
        return v && v->kind != LEAF ? v->root : NULL;
    case DL__N_CAST:
        if (n->child_count != 1)
            return NULL;
        left = root_of(u, n->children[0]);
        return left && points_to(u, n, left->element) ? left : NULL;
    case DL__N_UNARY:
        if (is_step(n))
            return root_of(u, n->children[0]);
        if (op_is(n, "&") && find_place(u, n->children[0], &place) && !place.step_count)
            return place.root;
        return NULL;
    case DL__N_COMPOUND:
        return root_of(u, n->children[0]);
    case DL__N_BINARY:
        if (op_is(n, "="))
            return root_of(u, n->children[0]);
        if (op_is(n, "+") || op_is(n, "-")) {
            /* Not the difference of two pointers. libclang shows the type of what was
             * declared as an array parameter as that array. */
            if (type_of(u, n)->kind == DL__T_SCALAR)
                return NULL;
            left = root_of(u, n->children[0]);
            return left ? left : root_of(u, n->children[1]);
        }
        return NULL;
    case DL__N_CONDITIONAL:
        if (n->child_count != 3)
            return NULL;
        left = root_of(u, n->children[1]);
        right = root_of(u, n->children[2]);
        if (left && right && left != right)
            refuse(u, n->begin, "one pointer can point into '%s' and into '%s'",
                   left->name, right->name);
        return left && right ? left : NULL;
    default:
        return NULL;
    }
}

/* A buffer parameter itself, which stands at index 0. */
static bool is_base(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = variable_of(u, strip(n));

    return v && v->kind == ROOT && !v->root->has_index;
}

/* ---- places ---------------------------------------------------------------------- */

static bool add_step(struct dl__unit *u, struct place *p, struct dl__node *n,
                     const struct dl__field *field, const struct dl__type *type,
                     struct dl__node *index)
{
    struct dl__step step = {field, type};

    if (p->step_count == sizeof p->steps / sizeof *p->steps)
        refuse(u, n->begin, "members are nested too deeply");
    p->step_index[p->step_count] = index;
    p->step_host[p->step_count] = n;
    p->steps[p->step_count++] = step;
    p->type = type;
    return true;
}

/* Steps to a field by name, through anonymous members. */
static bool step_to(struct dl__unit *u, struct place *p, struct dl__node *n,
                    const struct dl__struct *s, const char *name)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl__field *field = &s->fields[i];

        if (!strcmp(field->name, name))
            return add_step(u, p, n, field, field->type, NULL);
        if (!field->name[0] && field->type->kind == DL__T_STRUCT) {
            struct place saved = *p;

            add_step(u, p, n, field, field->type, NULL);
            if (step_to(u, p, n, field->type->identity, name))
                return true;
            *p = saved;
        }
    }
    return false;
}

/* An array member where it is used as a pointer. */
static bool find_array(struct dl__unit *u, struct dl__node *n, struct place *out)
{
    n = strip(n);
    return (n->kind == DL__N_MEMBER || n->kind == DL__N_SUBSCRIPT) &&
           type_of(u, n)->kind == DL__T_ARRAY && find_place(u, n, out) &&
           out->type->kind == DL__T_ARRAY;
}

static bool start_place(struct dl__unit *u, struct dl__node *pointer,
                        struct dl__node *host, struct dl__node *index, struct place *out)
{
    struct dl__root *root = root_of(u, pointer);
    struct dl__type *type;

    if (!root)
        return false;
    memset(out, 0, sizeof *out);
    out->root = root;
    out->pointer = pointer;
    out->index = index;
    out->index_host = host;
    if (root->element->flat_element) {
        out->type = root->element->flat_element;
        return true;
    }
    type = DL__NEW(u->tracker->arena, struct dl__type);
    type->kind = DL__T_STRUCT;
    type->identity = root->element;
    type->name = root->element->name;
    type->bytes = root->element->bytes;
    out->type = type;
    return true;
}

static bool find_place(struct dl__unit *u, struct dl__node *n, struct place *out)
{
    struct dl__node *child;

    while (n->kind == DL__N_PAREN && n->child_count == 1)
        n = n->children[0];
    if (n->child_count == 0)
        return false;
    child = n->children[0];
    switch (n->kind) {
    case DL__N_MEMBER:
        if (type_of(u, child)->kind == DL__T_POINTER || root_of(u, child)) {
            if (find_array(u, child, out)) {
                add_step(u, out, n, NULL, out->type->element, NULL);
            } else if (!start_place(u, child, NULL, NULL, out)) {
                return false;
            }
        } else if (!find_place(u, child, out)) {
            return false;
        }
        return out->type->kind == DL__T_STRUCT &&
               step_to(u, out, n, out->type->identity, n->name);
    case DL__N_SUBSCRIPT:
        if (n->child_count != 2)
            return false;
        if (find_array(u, child, out))
            return add_step(u, out, n, NULL, out->type->element, n->children[1]);
        return start_place(u, child, n, n->children[1], out);
    case DL__N_UNARY:
        if (!op_is(n, "*"))
            return false;
        if (find_array(u, child, out))
            return add_step(u, out, n, NULL, out->type->element, NULL);
        return start_place(u, child, NULL, NULL, out);
    default:
        return false;
    }
}

/* Where the text inside a subscript's brackets begins and ends. Not the index's own
 * extent: that is wrong when the index ends in a nested compiler macro. */
static void bracket_range(struct dl__unit *u, struct dl__node *host, size_t *begin,
                          size_t *end)
{
    size_t open = skip(u, host->children[0]->end);

    if (text_at(u, open) != '[' || text_at(u, host->end - 1) != ']')
        refuse(u, host->begin, "this subscript is not understood");
    *begin = skip(u, open + 1);
    *end = host->end - 1;
    while (*end > *begin && strchr(" \t\r\n", text_at(u, *end - 1)))
        --*end;
}

static bool is_simple(const struct dl__node *n)
{
    while (n->kind == DL__N_IMPLICIT && n->child_count == 1)
        n = n->children[0];
    return n->kind == DL__N_NAME || n->kind == DL__N_PAREN || n->kind == DL__N_CALL ||
           n->kind == DL__N_SUBSCRIPT || n->kind == DL__N_MEMBER ||
           (n->kind == DL__N_OTHER && !n->child_count);
}

static bool needs_parentheses(const struct dl__node *n)
{
    while (n->kind == DL__N_IMPLICIT && n->child_count == 1)
        n = n->children[0];
    return n->kind == DL__N_BINARY && (op_is(n, ",") || !n->op[0]);
}

/* Edits from `at` on: puts `before` there, the struct index, and returns where the text
 * goes on. *close is what must stand first there. */
static size_t edit_struct_index(struct dl__unit *u, const struct place *p, size_t at,
                                const char *before, const char **close)
{
    size_t begin, end;

    *close = "";
    if (!p->index) {
        if (is_base(u, p->pointer)) {
            replace(u, at, p->pointer->end, format_text(u, "%s0", before));
        } else {
            replace(u, at, p->pointer->begin, before);
            edit_index(u, p->pointer, true);
        }
        return p->pointer->end;
    }
    bracket_range(u, p->index_host, &begin, &end);
    if (is_base(u, p->pointer)) {
        bool paren = needs_parentheses(p->index);

        replace(u, at, begin, paren ? format_text(u, "%s(", before) : before);
        walk(u, p->index);
        *close = paren ? ")" : "";
    } else {
        bool paren = !is_simple(p->index);
        bool pointer_paren = !is_simple(p->pointer);

        replace(u, at, p->pointer->begin,
                pointer_paren ? format_text(u, "%s(", before) : before);
        edit_index(u, p->pointer, false);
        replace(u, p->pointer->end, begin,
                format_text(u, "%s + %s", pointer_paren ? ")" : "", paren ? "(" : ""));
        walk(u, p->index);
        *close = paren ? ")" : "";
    }
    return end;
}

/* Turns a place into `name(base, index, k... DL_ARGS(base)` and returns where the text
 * goes on; the caller puts what closes the call there. */
static size_t edit_call(struct dl__unit *u, struct dl__node *n, const struct place *p,
                        const char *before, const char *name, const char **close)
{
    const char *separator;
    size_t at = edit_struct_index(
        u, p, n->begin, format_text(u, "%s%s(%s, ", before, name, p->root->name),
        &separator);

    for (size_t i = 0; i < p->step_count; i++) {
        size_t begin, end;

        if (p->steps[i].field)
            continue;
        if (!p->step_index[i]) {
            separator = format_text(u, "%s, 0", separator);
            continue;
        }
        bracket_range(u, p->step_host[i], &begin, &end);
        replace(u, at, begin, format_text(u, "%s, (", separator));
        walk(u, p->step_index[i]);
        separator = ")";
        at = end;
    }
    *close = format_text(u, "%s DL_ARGS(%s)", separator, p->root->name);
    return at;
}

static void add_use(struct dl__unit *u, struct dl__node *n, const struct place *p,
                    struct dl__accessor *a)
{
    struct dl__use use = {a, p->root, n->begin};

    DL__PUSH(u->tracker->arena, &u->uses, use);
}

static const char *accessor_name(struct dl__unit *u, struct dl__node *n,
                                 const struct place *p, enum dl__accessor_kind kind)
{
    struct dl__accessor *a = dl__accessor_get(
        &u->tracker->accessors, kind, p->root->element, p->steps, p->step_count, p->type);

    if (!a)
        refuse(u, n->begin, "this member of '%s' has a type without a name",
               p->root->name);
    add_use(u, n, p, a);
    return a->name;
}

/* Rewrites a scalar or vector place to a value, or to its address. */
static void edit_leaf(struct dl__unit *u, struct dl__node *n, const struct place *p,
                      bool address)
{
    const char *close, *name;
    size_t at;

    if (p->type->bytes > 1 && dl__struct_is_packed(u->tracker->arena, p->root->element)) {
        if (address)
            refuse(u, n->begin, "the address of a member of a packed struct is taken");
        name = accessor_name(u, n, p, DL__PACKED);
        at = edit_call(u, n, p,
                       format_text(u, "(((__global DL_PACKED(%s) *)", p->type->name),
                       name, &close);
        replace(u, at, n->end, format_text(u, "%s))->dl_v)", close));
        return;
    }
    name = accessor_name(u, n, p, DL__ADDRESS);
    at = edit_call(u, n, p, address ? "" : "(*", name, &close);
    replace(u, at, n->end, format_text(u, "%s%s", close, address ? ")" : "))"));
}

static void edit_load(struct dl__unit *u, struct dl__node *n, const struct place *p)
{
    const char *close, *name = accessor_name(u, n, p, DL__LOAD);
    size_t at = edit_call(u, n, p, "", name, &close);

    replace(u, at, n->end, format_text(u, "%s)", close));
}

static void edit_value(struct dl__unit *u, struct dl__node *n, const struct place *p)
{
    if (p->root->element->flat_element)
        edit_flat(u, n, p, false);
    else if (p->type->kind == DL__T_STRUCT)
        edit_load(u, n, p);
    else if (p->type->kind == DL__T_ARRAY)
        refuse(u, n->begin, "an array member of '%s' is used as a pointer",
               p->root->name);
    else
        edit_leaf(u, n, p, false);
}

/* ---- flat buffers: an index split into row and column
 * ---------------------------------- */

static bool constant_of(const struct dl__unit *u, struct dl__node *n, int64_t *out)
{
    int64_t a, b;
    char digits[40], *end;

    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
        return n->child_count == 1 && constant_of(u, n->children[0], out);
    case DL__N_NAME:
        *out = n->constant;
        return n->is_constant;
    case DL__N_OTHER:
        if (n->child_count || n->end <= n->begin || n->end - n->begin >= sizeof digits)
            return false;
        memcpy(digits, u->tracker->ast->text + n->begin, n->end - n->begin);
        digits[n->end - n->begin] = '\0';
        *out = (int64_t)strtoull(digits, &end, 0);
        return end != digits && end[strspn(end, "uUlL")] == '\0' && *out >= 0 &&
               *out <= INT32_MAX;
    case DL__N_UNARY:
        if (!(op_is(n, "-") || op_is(n, "+")) || !constant_of(u, n->children[0], out))
            return false;
        *out = op_is(n, "-") ? -*out : *out;
        return true;
    case DL__N_BINARY:
        if (n->child_count != 2 || !constant_of(u, n->children[0], &a) ||
            !constant_of(u, n->children[1], &b))
            return false;
        if (op_is(n, "+"))
            return !__builtin_add_overflow(a, b, out);
        if (op_is(n, "-"))
            return !__builtin_sub_overflow(a, b, out);
        return op_is(n, "*") && !__builtin_mul_overflow(a, b, out) && *out <= INT32_MAX &&
               *out >= INT32_MIN;
    default:
        return false;
    }
}

/* An index that is width * rows + constant, whatever `rows` is. */
struct split {
    bool has_rows;
    int64_t constant;
};

static bool is_wide_integer(struct dl__unit *u, const struct dl__node *n)
{
    const struct dl__type *type = type_of(u, n);

    return type->kind == DL__T_SCALAR && type->scalar != 'f' && type->bytes >= 4;
}

static bool find_split(struct dl__unit *u, struct dl__node *n, int64_t width,
                       struct split *out)
{
    struct split a, b;
    int64_t factor;

    memset(out, 0, sizeof *out);
    if (constant_of(u, n, &out->constant))
        return true;
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        return n->child_count == 1 && is_wide_integer(u, n) &&
               is_wide_integer(u, n->children[0]) &&
               find_split(u, n->children[0], width, out);
    case DL__N_UNARY:
        if (!op_is(n, "-") || !find_split(u, n->children[0], width, out))
            return false;
        out->constant = -out->constant;
        return true;
    case DL__N_BINARY:
        if (n->child_count != 2)
            return false;
        if (op_is(n, "*")) {
            bool left = constant_of(u, n->children[0], &factor);

            if (!left && !constant_of(u, n->children[1], &factor))
                return false;
            if (factor && factor % width == 0) {
                out->has_rows = true;
                return true;
            }
            if (!find_split(u, n->children[left], width, out))
                return false;
            return !__builtin_mul_overflow(out->constant, factor, &out->constant);
        }
        if ((!op_is(n, "+") && !op_is(n, "-")) ||
            !find_split(u, n->children[0], width, &a) ||
            !find_split(u, n->children[1], width, &b))
            return false;
        out->has_rows = a.has_rows || b.has_rows;
        return op_is(n, "+")
                   ? !__builtin_add_overflow(a.constant, b.constant, &out->constant)
                   : !__builtin_sub_overflow(a.constant, b.constant, &out->constant);
    default:
        return false;
    }
}

static size_t operator_at(struct dl__unit *u, const struct dl__node *n)
{
    size_t at = skip(u, n->children[0]->end);

    if (text_at(u, at) != n->op[0])
        refuse(u, n->begin, "this index is not understood");
    return at;
}

/* Turns such an index, where it stands, into its rows: factors of the width and constants
 * go. */
static void edit_rows(struct dl__unit *u, struct dl__node *n, int64_t width)
{
    struct dl__node *left = n->children[0],
                    *right = n->child_count > 1 ? n->children[1] : NULL;
    int64_t factor;
    size_t op;

    if (n->kind != DL__N_BINARY) {
        edit_rows(u, left, width);
        return;
    }
    op = operator_at(u, n);
    if (op_is(n, "*")) {
        bool constant_left = constant_of(u, left, &factor);
        struct dl__node *other = constant_left ? right : left;

        if (!constant_left)
            constant_of(u, right, &factor);
        if (factor % width) {
            edit_rows(u, other, width);
        } else if (constant_left) {
            replace(u, n->begin, skip(u, op + 1),
                    factor == width
                        ? ""
                        : format_text(u, "%lld * ", (long long)(factor / width)));
            walk(u, other);
        } else {
            walk(u, other);
            replace(u, left->end, n->end,
                    factor == width
                        ? ""
                        : format_text(u, " * %lld", (long long)(factor / width)));
        }
        return;
    }
    if (constant_of(u, left, &factor)) {
        replace(u, n->begin, skip(u, op + 1), op_is(n, "-") ? "- " : "");
        edit_rows(u, right, width);
    } else if (constant_of(u, right, &factor)) {
        edit_rows(u, left, width);
        replace(u, left->end, n->end, "");
    } else {
        edit_rows(u, left, width);
        edit_rows(u, right, width);
    }
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static const char *flat_name(struct dl__unit *u, struct dl__node *n,
                             const struct place *p, enum dl__accessor_kind kind)
{
    const struct dl__struct *row = p->root->element;
    struct dl__step *steps = dl__arena_alloc(u->tracker->arena, 2 * sizeof *steps);
    struct dl__accessor *a;

    steps[0].field = row->fields;
    steps[0].type = row->fields->type;
    steps[1].type = row->flat_element;
    a = dl__accessor_get(&u->tracker->accessors, kind, row, steps, 2, row->flat_element);
    add_use(u, n, p, a);
    return a->name;
}

/* `base[width * rows + constant]`; false when the index is none such. */
static bool edit_exact(struct dl__unit *u, struct dl__node *n, const struct place *p,
                       const char *before, const char *after)
{
    int64_t width = p->root->element->flat_width, carry;
    const char *name, *carry_text = "";
    struct split split;
    size_t begin, end;

    if (!find_split(u, p->index, width, &split))
        return false;
    name = flat_name(u, n, p, DL__ADDRESS);
    carry = floor_div(split.constant, width);
    split.constant -= carry * width;
    bracket_range(u, p->index_host, &begin, &end);
    if (!split.has_rows) {
        replace(u, n->begin, n->end,
                format_text(u, "%s%s(%s, %lld, %lld DL_ARGS(%s)%s", before, name,
                            p->root->name, (long long)carry, (long long)split.constant,
                            p->root->name, after));
        return true;
    }
    if (carry)
        carry_text = format_text(u, " %c %lld", carry < 0 ? '-' : '+',
                                 (long long)(carry < 0 ? -carry : carry));
    replace(u, n->begin, begin, format_text(u, "%s%s(%s, ", before, name, p->root->name));
    edit_rows(u, p->index, width);
    replace(u, end, n->end,
            format_text(u, "%s, %lld DL_ARGS(%s)%s", carry_text,
                        (long long)split.constant, p->root->name, after));
    return true;
}

/* How the two parts of an index keep the value they have inside it. Its own type decides:
 * in a 32-bit unsigned sum a part may pass below zero, and in a 64-bit sum the terms are
 * widened first. */
struct part_text {
    const char *rows_open, *rows_close, *rest_open, *rest_close;
};

static struct part_text part_texts(struct dl__unit *u, const struct dl__node *top)
{
    static const struct part_text natural = {"", "", "", ""},
                                  narrow = {"(int)(", ")", "(int)(", ")"},
                                  wide = {"", "", "(dl_signed)0 + ", ""};
    const struct dl__type *type = type_of(u, top);

    if (type->bytes == 8)
        return wide;
    return type->scalar == 'i' ? natural : narrow;
}

/* `base[rows + rest]`: the last sum on the left spine whose left side is rows only. */
static void edit_rows_first(struct dl__unit *u, struct dl__node *n, const struct place *p,
                            struct dl__node **spine, size_t depth, int64_t constant,
                            const char *before)
{
    struct part_text text = part_texts(u, spine[0]);
    struct dl__node *at = spine[depth - 1];
    size_t op;

    replace(u, n->begin, at->children[0]->begin,
            format_text(u, "%s%s(%s, %s", before, flat_name(u, n, p, DL__NEAR),
                        p->root->name, text.rows_open));
    edit_rows(u, at->children[0], p->root->element->flat_width);
    op = operator_at(u, at);
    /* The sign stays as a sign; a plus is dropped where nothing stands before it. */
    if (op_is(at, "-") && *text.rest_open == '(' && text.rest_open[1] == 'd')
        replace(u, at->children[0]->end, op,
                format_text(u, "%s, (dl_signed)0 ", text.rows_close));
    else
        replace(u, at->children[0]->end, op_is(at, "-") ? op : skip(u, op + 1),
                format_text(u, "%s, %s", text.rows_close, text.rest_open));
    while (depth--)
        walk(u, spine[depth]->children[1]);
    if (constant)
        replace(u, spine[0]->end, spine[0]->end,
                format_text(u, " + %lld", (long long)constant));
    replace(u, spine[0]->end, spine[0]->end, text.rest_close);
}

/* `base[rest + rows]`. */
static void edit_rows_last(struct dl__unit *u, struct dl__node *n, const struct place *p,
                           struct dl__node *top, const char *before)
{
    struct part_text text = part_texts(u, top);
    size_t op = operator_at(u, top);

    replace(u, n->begin, top->children[0]->begin,
            format_text(u, "%s%s(%s, %s", before, flat_name(u, n, p, DL__NEAR_REVERSED),
                        p->root->name, text.rest_open));
    walk(u, top->children[0]);
    replace(u, top->children[0]->end, skip(u, op + 1),
            format_text(u, "%s, %s", text.rest_close, text.rows_open));
    edit_rows(u, top->children[1], p->root->element->flat_width);
    replace(u, top->end, top->end, text.rows_close);
}

/* `base[rows part + the rest]`, either part first; false when the index is none such. */
static bool edit_near(struct dl__unit *u, struct dl__node *n, const struct place *p,
                      const char *before, const char *after)
{
    int64_t width = p->root->element->flat_width;
    struct dl__node *top = p->index, *at, *spine[32];
    struct split split, other;
    bool rows_left = false;
    size_t depth = 0;

    while ((top->kind == DL__N_PAREN || top->kind == DL__N_IMPLICIT) &&
           top->child_count == 1 && is_wide_integer(u, top))
        top = top->children[0];
    for (at = top; at->kind == DL__N_BINARY && at->child_count == 2 && depth < 32 &&
                   !rows_left && (op_is(at, "+") || op_is(at, "-"));
         at = at->children[0]) {
        spine[depth++] = at;
        rows_left = find_split(u, at->children[0], width, &split) && split.has_rows;
    }
    if (rows_left)
        edit_rows_first(u, n, p, spine, depth, split.constant, before);
    else if (depth && op_is(top, "+") && find_split(u, top->children[1], width, &split) &&
             split.has_rows && !split.constant &&
             !(find_split(u, top->children[0], width, &other) && other.has_rows))
        edit_rows_last(u, n, p, top, before);
    else
        return false;
    replace(u, top->end, n->end, format_text(u, " DL_ARGS(%s)%s", p->root->name, after));
    return true;
}

/* Rewrites an element of a flat buffer to its value, or to its address. */
static void edit_flat(struct dl__unit *u, struct dl__node *n, const struct place *p,
                      bool address)
{
    const char *before = address ? "" : "(*", *after = address ? ")" : "))", *close;
    size_t at;

    if (p->index && is_base(u, p->pointer) &&
        (edit_exact(u, n, p, before, after) || edit_near(u, n, p, before, after)))
        return;
    at = edit_call(u, n, p, before, flat_name(u, n, p, DL__ANY), &close);
    replace(u, at, n->end, format_text(u, "%s%s", close, after));
}

/* ---- indices: element pointers rewritten ----------------------------------------- */

static void edit_sum(struct dl__unit *u, struct dl__node *n, bool converted)
{
    struct dl__node *left = n->children[0], *right = n->children[1];
    const char *cast = converted ? "" : "(dl_index)";
    size_t op = skip(u, left->end), operand;

    if (!root_of(u, left)) {
        walk(u, left);
        edit_index(u, right, false);
        return;
    }
    if (text_at(u, op) != n->op[0])
        refuse(u, n->begin, "this expression's extent is not understood");
    operand = skip(u, op + 1);
    if (!is_base(u, left)) {
        edit_index(u, left, false);
        walk(u, right);
    } else if (op_is(n, "+")) {
        replace(u, n->begin, operand, format_text(u, "%s(", cast));
        walk(u, right);
        replace(u, n->end, n->end, ")");
    } else {
        replace(u, n->begin, operand, "((dl_index)0 - (");
        walk(u, right);
        replace(u, n->end, n->end, "))");
    }
}

/* Rewrites an element pointer to the index of the struct it points to. Unless its value
 * is `converted` to dl_index by where it stands, it is made one. */
static void edit_index(struct dl__unit *u, struct dl__node *n, bool converted)
{
    struct dl__variable *v;
    struct place place;

    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
        edit_index(u, n->children[0], converted);
        return;
    case DL__N_NAME:
        v = variable_of(u, n);
        if (v->kind == INDEX)
            return;
        replace(u, n->begin, n->end,
                v->root->has_index ? format_text(u, "dl_at_%s", v->name) : "0");
        return;
    case DL__N_CAST:
        replace(u, n->begin, n->children[0]->begin, converted ? "" : "(dl_index)");
        edit_index(u, n->children[0], converted);
        return;
    case DL__N_UNARY:
        if (op_is(n, "&")) {
            const char *close;
            size_t at;

            find_place(u, n->children[0], &place);
            at = edit_struct_index(u, &place, n->begin, converted ? "(" : "(dl_index)(",
                                   &close);
            replace(u, at, n->end, format_text(u, "%s)", close));
            return;
        }
        edit_index(u, n->children[0], false);
        return;
    case DL__N_COMPOUND:
        edit_index(u, n->children[0], false);
        walk(u, n->children[1]);
        return;
    case DL__N_CONDITIONAL:
        walk(u, n->children[0]);
        edit_index(u, n->children[1], false);
        edit_index(u, n->children[2], false);
        return;
    default:
        if (op_is(n, "=")) {
            struct dl__root *to = root_of(u, n->children[0]);

            if (root_of(u, n->children[1]) != to)
                refuse(u, n->begin, "a pointer into '%s' is set from something else",
                       to->name);
            edit_index(u, n->children[0], false);
            edit_index(u, n->children[1], true);
            return;
        }
        edit_sum(u, n, converted);
    }
}

/* ---- pointers to one leaf -------------------------------------------------------- */

static const char *const leaf_functions[] = {"atomic_", "atom_", "fract",  "modf",
                                             "sincos",  "frexp", "remquo", "lgamma_r"};

/* A builtin that touches only what its pointer points to. */
static bool touches_one_leaf(const char *name)
{
    for (size_t i = 0; i < sizeof leaf_functions / sizeof *leaf_functions; i++)
        if (!strncmp(name, leaf_functions[i], strlen(leaf_functions[i])))
            return true;
    return false;
}

/* `&place` of a scalar or vector, or a variable that holds one, through casts to elements
 * of the same size. */
static bool is_leaf_pointer(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v;
    struct place place;
    struct dl__node *inner = n;
    uint32_t bytes;

    while ((inner->kind == DL__N_PAREN || inner->kind == DL__N_IMPLICIT ||
            inner->kind == DL__N_CAST) &&
           inner->child_count == 1)
        inner = inner->children[0];
    v = variable_of(u, inner);
    if (v && v->kind == LEAF) {
        bytes = v->leaf_bytes;
    } else if (inner->kind == DL__N_UNARY && op_is(inner, "&") &&
               find_place(u, inner->children[0], &place) &&
               (place.step_count || place.root->element->flat_element) &&
               (place.type->kind == DL__T_SCALAR || place.type->kind == DL__T_VECTOR)) {
        bytes = place.type->bytes;
    } else {
        return false;
    }
    for (struct dl__node *at = n; at != inner; at = at->children[0]) {
        const struct dl__type *type = type_of(u, at);

        if (type->kind != DL__T_POINTER)
            return false;
        if (type->element->bytes != bytes)
            refuse(u, at->begin, "a member is viewed as elements of another size");
    }
    return true;
}

static void edit_leaf_pointer(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = type_of(u, n);
    bool reads_only = type->kind == DL__T_POINTER && type->element->is_const;
    struct place place;

    while (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST)
        n = n->children[0];
    if (n->kind == DL__N_NAME)
        return;
    find_place(u, n->children[0], &place);
    place.root->written |= !reads_only;
    if (place.root->element->flat_element)
        edit_flat(u, n, &place, true);
    else
        edit_leaf(u, n, &place, true);
}

/* ---- calls ----------------------------------------------------------------------- */

static struct dl__unit *clone_for(struct dl__unit *u, struct dl__node *n,
                                  struct dl__function *f, struct dl__root **by_parameter);

/* A builtin that touches one element, with pointers into flat buffers. */
static void walk_flat_call(struct dl__unit *u, struct dl__node *n)
{
    for (size_t i = 1; i < n->child_count; i++) {
        struct dl__node *arg = n->children[i];
        struct dl__root *root = root_of(u, arg);
        struct place place;

        if (!root) {
            walk(u, arg);
            continue;
        }
        root->written = true;
        start_place(u, arg, NULL, NULL, &place);
        if (strip(arg)->kind == DL__N_UNARY && op_is(strip(arg), "&"))
            find_place(u, strip(arg)->children[0], &place);
        edit_flat(u, arg, &place, true);
    }
}

static void walk_call(struct dl__unit *u, struct dl__node *n)
{
    struct dl__root *by_parameter[64] = {NULL};
    struct dl__function *f = dl__ast_function_named(u->tracker->ast, n->name);
    struct dl__root *first = NULL;
    struct dl__unit *clone;

    for (size_t i = 1; i < n->child_count && i <= 64; i++) {
        by_parameter[i - 1] = root_of(u, n->children[i]);
        first = first ? first : by_parameter[i - 1];
    }
    if (first && !f && first->element->flat_element && touches_one_leaf(n->name)) {
        walk_flat_call(u, n);
        return;
    }
    if (first) {
        if (!f || n->child_count > 65)
            refuse(u, n->begin, "a pointer into '%s' is passed to '%s'", first->name,
                   n->name);
        clone = clone_for(u, n, f, by_parameter);
        replace(u, n->children[0]->begin, n->children[0]->end, clone->new_name);
    }
    for (size_t i = 1; i < n->child_count; i++) {
        struct dl__node *arg = n->children[i];

        if (i <= 64 && by_parameter[i - 1]) {
            replace(u, arg->begin, arg->begin,
                    format_text(u, "%s, ", by_parameter[i - 1]->name));
            edit_index(u, arg, true);
            replace(u, arg->end, arg->end,
                    format_text(u, " DL_ARGS(%s)", by_parameter[i - 1]->name));
        } else if (is_leaf_pointer(u, arg)) {
            if (f || !touches_one_leaf(n->name))
                refuse(u, arg->begin, "a pointer to a member is passed to '%s'", n->name);
            edit_leaf_pointer(u, arg);
        } else {
            walk(u, arg);
        }
    }
}

/* ---- statements and expressions -------------------------------------------------- */

static void walk_declarations(struct dl__unit *u, struct dl__node *n)
{
    size_t tracked = 0;

    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__variable *v = u->variables;

        while (v && v->declared_at != n->children[i]->declared_at)
            v = v->next;
        tracked += v && v->kind == INDEX && n->children[i]->kind == DL__N_VARIABLE;
    }
    if (!tracked) {
        walk_children(u, n);
        return;
    }
    if (tracked != n->child_count)
        refuse(u, n->begin, "a pointer into a buffer is declared together with others");
    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__node *d = n->children[i];
        struct dl__variable *v = u->variables;
        size_t begin = n->begin;

        while (v->declared_at != d->declared_at)
            v = v->next;
        if (i) {
            begin = skip(u, n->children[i - 1]->end);
            if (text_at(u, begin) != ',')
                refuse(u, d->begin, "this declaration is not understood");
            begin++;
        }
        replace(u, begin, d->name_at, i ? " " : "dl_index ");
        for (size_t k = 0; k < d->child_count; k++) {
            if (root_of(u, d->children[k]) != v->root)
                refuse(u, d->children[k]->begin,
                       "a pointer into '%s' is set from something else", v->root->name);
            edit_index(u, d->children[k], true);
        }
    }
}

/* True where a value is thrown away. */
static bool is_statement(const struct dl__node *n)
{
    const struct dl__node *p = n->parent;

    while (p && ((p->kind == DL__N_PAREN && p->child_count == 1) ||
                 (p->kind == DL__N_BINARY && op_is(p, ",") && p->children[0] == n))) {
        n = p;
        p = n->parent;
    }
    if (p && p->kind == DL__N_BINARY && op_is(p, ","))
        return is_statement(p);
    if (p && p->kind == DL__N_BRANCH)
        return p->condition != n;
    return p && p->kind == DL__N_STATEMENT;
}

static bool is_null(struct dl__node *n)
{
    while (
        (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST) &&
        n->child_count == 1)
        n = n->children[0];
    return n->kind == DL__N_OTHER && !n->child_count;
}

static void walk_comparison(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *left = n->children[0], *right = n->children[1];
    struct dl__root *a = root_of(u, left), *b = root_of(u, right);
    bool ordered = n->op[0] == '<' || n->op[0] == '>';

    if (!a || !b) {
        struct dl__node *pointer = a ? left : right, *other = a ? right : left;

        if ((op_is(n, "==") || op_is(n, "!=")) && is_base(u, pointer) && is_null(other))
            return;
        refuse(u, n->begin, "a pointer into '%s' is compared with something else",
               (a ? a : b)->name);
    }
    if (a != b)
        refuse(u, n->begin, "pointers into '%s' and '%s' are combined", a->name, b->name);
    if (op_is(n, "-")) {
        replace(u, n->begin, n->begin, "(ptrdiff_t)(dl_signed)(");
        edit_index(u, left, false);
        edit_index(u, right, false);
        replace(u, n->end, n->end, ")");
        return;
    }
    if (ordered)
        replace(u, left->begin, left->begin, "(dl_signed)(");
    edit_index(u, left, false);
    if (ordered) {
        replace(u, left->end, left->end, ")");
        replace(u, right->begin, right->begin, "(dl_signed)(");
    }
    edit_index(u, right, false);
    if (ordered)
        replace(u, right->end, right->end, ")");
}

/* What an assignment writes to: marks the buffer, then rewrites as any expression. */
static void walk_target(struct dl__unit *u, struct dl__node *n)
{
    struct place place;
    struct dl__node *at = n;

    for (;;) {
        if (find_place(u, at, &place)) {
            place.root->written = true;
            break;
        }
        if ((at->kind != DL__N_PAREN && at->kind != DL__N_IMPLICIT &&
             at->kind != DL__N_MEMBER && at->kind != DL__N_SUBSCRIPT) ||
            !at->child_count)
            break;
        at = at->children[0];
    }
    walk(u, n);
}

static void walk_assignment(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *left = n->children[0], *right = n->children[1];
    struct place place;

    if (op_is(n, "=") && n->kind == DL__N_BINARY && find_place(u, left, &place) &&
        place.type->kind == DL__T_STRUCT) {
        const char *close, *name = accessor_name(u, left, &place, DL__STORE);
        size_t equals = skip(u, left->end), at;

        if (text_at(u, equals) != '=')
            refuse(u, n->begin, "this assignment is not understood");
        place.root->written = true;
        at = edit_call(u, left, &place, "", name, &close);
        replace(u, at, skip(u, equals + 1), format_text(u, "%s, ", close));
        walk(u, right);
        replace(u, n->end, n->end, ")");
        return;
    }
    walk_target(u, left);
    walk(u, right);
}

static bool holds_index(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = variable_of(u, n);

    if (v && v->kind == INDEX)
        return true;
    for (size_t i = 0; i < n->child_count; i++)
        if (holds_index(u, n->children[i]))
            return true;
    return false;
}

static void __attribute__((noreturn))
refuse_pointer(struct dl__unit *u, struct dl__node *n, const char *name)
{
    const struct dl__node *p = n->parent;

    while (p && (p->kind == DL__N_PAREN || p->kind == DL__N_IMPLICIT))
        p = p->parent;
    if (p && p->kind == DL__N_CAST)
        refuse(u, p->begin, "a pointer into '%s' is cast to another type", name);
    if (p && p->kind == DL__N_RETURN)
        refuse(u, n->begin, "a pointer into '%s' is returned", name);
    if (p && p->kind == DL__N_UNARY && op_is(p, "&"))
        refuse(u, n->begin, "the address of the pointer '%s' is taken", name);
    if (p && (is_assignment(p) || p->kind == DL__N_VARIABLE))
        refuse(u, n->begin, "a pointer into '%s' is stored where it can't be followed",
               name);
    if (p && p->kind == DL__N_CALL)
        refuse(u, n->begin, "a pointer into '%s' is passed to '%s'", name, p->name);
    refuse(u, n->begin, "this use of a pointer into '%s' is not understood", name);
}

/* A pointer used as a truth value. */
static bool is_condition(const struct dl__node *n)
{
    const struct dl__node *p = n->parent;

    while (p && (p->kind == DL__N_PAREN || p->kind == DL__N_IMPLICIT)) {
        n = p;
        p = n->parent;
    }
    if (!p)
        return false;
    return (p->kind == DL__N_UNARY && op_is(p, "!")) ||
           (p->kind == DL__N_BINARY && (op_is(p, "&&") || op_is(p, "||"))) ||
           (p->kind == DL__N_BRANCH && p->condition == n) ||
           (p->kind == DL__N_CONDITIONAL && p->children[0] == n);
}

static void walk_children(struct dl__unit *u, struct dl__node *n)
{
    for (size_t i = 0; i < n->child_count; i++)
        walk(u, n->children[i]);
}

static void walk(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v;
    struct dl__root *root;
    struct place place;

    switch (n->kind) {
    case DL__N_NAME:
        v = variable_of(u, n);
        if (!v || (v->kind == ROOT && !v->root->has_index && is_condition(n)))
            return;
        refuse_pointer(u, n, v->kind == LEAF ? v->name : v->root->name);
    case DL__N_SIZEOF:
        /* Sizes keep their values; the operand is not evaluated. */
        if (holds_index(u, n))
            refuse(u, n->begin, "sizeof is applied to a pointer temporary");
        return;
    case DL__N_DECL_STATEMENT:
        walk_declarations(u, n);
        return;
    case DL__N_VARIABLE:
        for (size_t i = 0; i < n->child_count; i++) {
            v = u->variables;
            while (v && !(v->kind == LEAF && v->declared_at == n->declared_at))
                v = v->next;
            if (v && is_leaf_pointer(u, n->children[i]))
                edit_leaf_pointer(u, n->children[i]);
            else
                walk(u, n->children[i]);
        }
        return;
    case DL__N_CALL:
        walk_call(u, n);
        return;
    case DL__N_MEMBER:
    case DL__N_SUBSCRIPT:
        if (find_place(u, n, &place)) {
            edit_value(u, n, &place);
            return;
        }
        if (n->kind == DL__N_SUBSCRIPT && n->child_count == 2 &&
            is_leaf_pointer(u, n->children[0])) {
            struct dl__node *k = strip(n->children[1]);
            size_t begin, end;

            bracket_range(u, n, &begin, &end);
            if (k->child_count || end - begin != 1 || text_at(u, begin) != '0')
                refuse(u, n->begin, "a pointer to a member is used as an array");
            edit_leaf_pointer(u, n->children[0]);
            return;
        }
        break;
    case DL__N_UNARY:
        if (!n->child_count)
            return;
        if (op_is(n, "*")) {
            if (find_place(u, n, &place)) {
                edit_value(u, n, &place);
                return;
            }
            if (is_leaf_pointer(u, n->children[0])) {
                edit_leaf_pointer(u, n->children[0]);
                return;
            }
        }
        if (op_is(n, "&") && find_place(u, n->children[0], &place))
            refuse(u, n->begin, "the address of a part of '%s' escapes",
                   place.root->name);
        if (is_step(n)) {
            root = root_of(u, n->children[0]);
            if (root && !is_statement(n))
                refuse_pointer(u, n, root->name);
            if (root)
                edit_index(u, n, true);
            else
                walk_target(u, n->children[0]);
            return;
        }
        break;
    case DL__N_BINARY:
    case DL__N_COMPOUND:
        if (n->child_count != 2)
            break;
        if (is_assignment(n)) {
            root = root_of(u, n->children[0]);
            if (root && !is_statement(n))
                refuse_pointer(u, n, root->name);
            if (root)
                edit_index(u, n, true);
            else
                walk_assignment(u, n);
            return;
        }
        if (!n->op[0] && find_place(u, n->children[0], &place))
            refuse(u, n->begin,
                   "this expression inside a compiler macro is not understood");
        if ((n->op[0] == '<' || n->op[0] == '>' || op_is(n, "==") || op_is(n, "!=") ||
             op_is(n, "-")) &&
            (root_of(u, n->children[0]) || root_of(u, n->children[1]))) {
            if (op_is(n, "-") && type_of(u, n)->kind != DL__T_SCALAR)
                break;
            walk_comparison(u, n);
            return;
        }
        break;
    case DL__N_VALUE_BLOCK:
        /* Its value is that of its last statement, which looks thrown away. */
        if (type_of(u, n)->kind == DL__T_POINTER)
            refuse(u, n->begin, "a statement expression that gives a pointer");
        break;
    default:
        break;
    }
    walk_children(u, n);
}

/* ---- variables ------------------------------------------------------------------- */

static struct dl__variable *add_variable(struct dl__unit *u, enum variable_kind kind,
                                         size_t declared_at, const char *name,
                                         struct dl__root *root)
{
    struct dl__variable *v = DL__NEW(u->tracker->arena, struct dl__variable);

    v->kind = kind;
    v->declared_at = declared_at;
    v->name = name;
    v->root = root;
    v->next = u->variables;
    u->variables = v;
    return v;
}

/* Adds the local pointers that may come to point into a buffer, without a root yet. */
static void find_candidates(struct dl__unit *u, struct dl__node *n)
{
    if (n->kind == DL__N_VARIABLE) {
        const struct dl__type *type = type_of(u, n);

        for (size_t i = 0; i < u->root_count; i++)
            if (!strcmp(n->name, u->roots[i].name))
                refuse(u, n->name_at, "the name '%s' is declared again", n->name);
        for (size_t i = 0; i < u->root_count && type->kind == DL__T_POINTER; i++) {
            if (is_element(type->element, u->roots[i].element)) {
                add_variable(u, INDEX, n->declared_at, n->name, NULL);
                break;
            }
        }
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_candidates(u, n->children[i]);
}

static bool give_root(struct dl__unit *u, struct dl__variable *v, struct dl__node *source)
{
    struct dl__root *root = root_of(u, source);

    if (!root || v->root == root)
        return false;
    if (v->root)
        refuse(u, source->begin, "'%s' can point into '%s' and into '%s'", v->name,
               v->root->name, root->name);
    v->root = root;
    return true;
}

/* Gives candidates the root of what they are set from; true when one changed. */
static bool spread_roots(struct dl__unit *u, struct dl__node *n)
{
    bool changed = false;
    struct dl__variable *v = NULL;

    if (n->kind == DL__N_VARIABLE && n->child_count) {
        for (v = u->variables; v && v->declared_at != n->declared_at;)
            v = v->next;
        if (v && v->kind == INDEX)
            changed |= give_root(u, v, n->children[n->child_count - 1]);
    } else if (n->kind == DL__N_BINARY && op_is(n, "=") && n->child_count == 2) {
        v = variable_of(u, strip(n->children[0]));
        if (v && v->kind == INDEX)
            changed |= give_root(u, v, n->children[1]);
    }
    for (size_t i = 0; i < n->child_count; i++)
        changed |= spread_roots(u, n->children[i]);
    return changed;
}

static void find_changed_roots(struct dl__unit *u, struct dl__node *n)
{
    if ((is_assignment(n) || is_step(n)) && n->child_count) {
        struct dl__variable *v = variable_of(u, strip(n->children[0]));

        if (v && v->kind == ROOT)
            v->root->has_index = true;
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_changed_roots(u, n->children[i]);
}

static void find_leaf_variables(struct dl__unit *u, struct dl__node *n)
{
    if (n->kind == DL__N_VARIABLE && n->child_count) {
        const struct dl__type *type = type_of(u, n);

        if (type->kind == DL__T_POINTER && !root_of(u, n->children[n->child_count - 1]) &&
            is_leaf_pointer(u, n->children[n->child_count - 1]))
            add_variable(u, LEAF, n->declared_at, n->name, NULL)->leaf_bytes =
                type->element->bytes;
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_leaf_variables(u, n->children[i]);
}

static void find_variables(struct dl__unit *u, struct dl__node *body)
{
    struct dl__variable **link;

    for (size_t i = 0; i < u->root_count; i++) {
        const struct dl__parameter *p = &u->function->parameters[u->roots[i].parameter];

        add_variable(u, ROOT, p->name_at, p->name, &u->roots[i]);
    }
    find_candidates(u, body);
    find_changed_roots(u, body);
    while (spread_roots(u, body))
        ;
    /* What never pointed into a buffer is none of ours. */
    for (link = &u->variables; *link;) {
        if ((*link)->root)
            link = &(*link)->next;
        else
            *link = (*link)->next;
    }
    find_leaf_variables(u, body);
}

/* ---- units ----------------------------------------------------------------------- */

static void edit_head(struct dl__unit *u)
{
    struct dl__function *f = u->function;

    for (size_t i = 0; i < u->root_count; i++) {
        const struct dl__parameter *p = &f->parameters[u->roots[i].parameter];

        if (u->new_name)
            replace(
                u, p->end, p->end,
                format_text(u, ", dl_index dl_at_%s DL_PARAMS(%s)", p->name, p->name));
        else
            replace(u, f->close_at, f->close_at,
                    format_text(u, " DL_PARAMS(%s)", p->name));
    }
    for (size_t i = 0; i < u->root_count && !u->new_name; i++)
        if (u->roots[i].has_index)
            replace(u, f->body_at + 1, f->body_at + 1,
                    format_text(u, " dl_index dl_at_%s = 0;", u->roots[i].name));
    if (u->new_name) {
        if (!f->is_static)
            replace(u, f->item_at, f->item_at, "static ");
        replace(u, f->name_at, f->name_at + strlen(f->name), u->new_name);
    }
}

static void track(struct dl__unit *u)
{
    struct dl__function *f = u->function;
    struct dl__node *body;

    u->busy = true;
    if (!setjmp(u->refuse)) {
        for (size_t i = 0; i < u->root_count; i++) {
            const struct dl__parameter *p = &f->parameters[u->roots[i].parameter];

            if (p->type->element->is_volatile)
                refuse(u, p->begin, "'%s' points to volatile structs", p->name);
            if (p->type->address_space != 1)
                refuse(u, p->begin, "'%s' does not point to __global memory", p->name);
        }
        body = dl__ast_body(u->tracker->ast, f);
        find_variables(u, body);
        edit_head(u);
        walk(u, body);
        if (!dl__edits_finish(&u->edits))
            refuse(u, f->name_at, "the rewritten forms in '%s' overlap", f->name);
    }
    u->busy = false;
}

static struct dl__unit *clone_for(struct dl__unit *u, struct dl__node *n,
                                  struct dl__function *f, struct dl__root **by_parameter)
{
    struct dl__tracker *t = u->tracker;
    struct dl__unit **link = &t->clones, *c;
    struct dl__root *roots;
    size_t count = 0;

    if (!f->is_defined)
        refuse(u, n->begin, "'%s' takes a pointer into a buffer and has no body here",
               f->name);
    if (f->is_kernel)
        refuse(u, n->begin, "the kernel '%s' is called with a pointer into a buffer",
               f->name);
    roots = dl__arena_alloc(t->arena, f->parameter_count * sizeof *roots);
    for (size_t i = 0; i < f->parameter_count && i < 64; i++) {
        if (!by_parameter[i])
            continue;
        if (f->parameters[i].type->kind != DL__T_POINTER ||
            !is_element(f->parameters[i].type->element, by_parameter[i]->element) ||
            !f->parameters[i].name[0])
            refuse(u, n->begin, "'%s' takes '%s' as a pointer of another type", f->name,
                   by_parameter[i]->name);
        roots[count].parameter = i;
        roots[count].name = f->parameters[i].name;
        roots[count].element = by_parameter[i]->element;
        roots[count++].has_index = true;
    }
    for (; (c = *link) != NULL; link = &c->next) {
        bool same = c->function == f && c->root_count == count;

        for (size_t i = 0; same && i < count; i++)
            same = c->roots[i].parameter == roots[i].parameter &&
                   c->roots[i].element == roots[i].element;
        if (same)
            break;
    }
    if (!c) {
        unsigned variants = 0;

        for (struct dl__unit *other = t->clones; other; other = other->next)
            variants += other->function == f;
        c = DL__NEW(t->arena, struct dl__unit);
        c->tracker = t;
        c->function = f;
        c->roots = roots;
        c->root_count = count;
        c->new_name = variants
                          ? dl__arena_format(t->arena, "dl_%s_%u", f->name, variants + 1)
                          : dl__arena_format(t->arena, "dl_%s", f->name);
        *link = c;
        track(c);
    }
    if (c->busy)
        refuse(u, n->begin, "'%s' calls itself", f->name);
    if (c->refused)
        refuse(u, c->refused_at, "%s", c->reason);
    for (size_t i = 0; i < count; i++)
        by_parameter[c->roots[i].parameter]->written |= c->roots[i].written;
    for (size_t i = 0; i < u->clones.count; i++)
        if (u->clones.items[i] == c)
            return c;
    DL__PUSH(t->arena, &u->clones, c);
    return c;
}

struct dl__unit *dl__track_kernel(struct dl__tracker *tracker,
                                  struct dl__function *kernel, struct dl__root *roots,
                                  size_t root_count)
{
    struct dl__unit *u = DL__NEW(tracker->arena, struct dl__unit);

    u->tracker = tracker;
    u->function = kernel;
    u->roots = roots;
    u->root_count = root_count;
    track(u);
    return u;
}
