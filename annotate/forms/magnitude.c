/* SPDX-License-Identifier: MIT */
/* How large the integers in an index can be, in bits: an estimate from above of what is known without
 * running the kernel. */
#include "annotate/forms/magnitude.h"

#include <string.h>

#include "annotate/track/locals.h"
#include "annotate/track/node.h"

enum {
    ANY = 64,   /* it may have wrapped */
    SOUND = 62, /* sums of a few such numbers are what they seem */
    OF_LAUNCH = 40,
    DEPTH_MAX = 16 /* of names that stand for other names */
};

static unsigned bits_of(struct dl__unit *u, struct dl__node *n, unsigned depth);

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned bits_of_constant(int64_t constant)
{
    uint64_t size = constant < 0 ? -(uint64_t)constant : (uint64_t)constant;
    unsigned bits = 0;

    for (; size; size >>= 1)
        bits++;
    return bits;
}

/* What a launch gives, by OpenCL's names for it. */
static bool is_of_launch(struct dl__unit *u, struct dl__node *n)
{
    static const char *const names[] = {
        "get_global_id", "get_global_size",    "get_global_offset",
        "get_local_id",  "get_local_size",     "get_enqueued_local_size",
        "get_group_id",  "get_num_groups",     "get_global_linear_id",
        "get_work_dim",  "get_local_linear_id"};

    if (!n->name || dl__ast_callee(u->tracker->ast, n))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(n->name, names[i]))
            return true;
    return false;
}

/* True when every change of a local makes it one more or less, or moves it by what a launch gives: no
 * work-item lives long enough to come far by that. */
static bool only_steps(struct dl__unit *u, struct dl__node *n, size_t declared_at)
{
    bool is_its = n->child_count && dl__strip(n->children[0])->kind == DL__N_NAME &&
                  dl__strip(n->children[0])->declared_at == declared_at;

    if (is_its && n->kind == DL__N_COMPOUND) {
        struct dl__node *by = dl__strip_casts(n->children[1]);
        int64_t constant;

        if (!(dl__op_is(n, "+=") || dl__op_is(n, "-=")) ||
            !(by->kind == DL__N_CALL ? is_of_launch(u, by)
                                     : dl__constant_of(u, by, &constant)))
            return false;
    } else if (is_its &&
               (dl__is_assignment(n) || (n->kind == DL__N_UNARY && dl__op_is(n, "&")) ||
                ((n->kind == DL__N_UNARY || n->kind == DL__N_BINARY) && !n->op[0]))) {
        return false;
    }
    for (size_t i = 0; i < n->child_count; i++)
        if (!only_steps(u, n->children[i], declared_at))
            return false;
    return true;
}

static unsigned bits_of_name(struct dl__unit *u, struct dl__node *n, unsigned depth)
{
    struct dl__node *declaration, *value;
    unsigned bits;
    bool changed = dl__is_changed(u, n->declared_at, &declaration);

    if (!declaration || !declaration->child_count || depth > DEPTH_MAX)
        return ANY;
    if (changed &&
        !only_steps(u, dl__ast_body(u->tracker->ast, u->function), n->declared_at))
        return ANY;
    value = declaration->children[declaration->child_count - 1];
    bits = bits_of(u, value, depth + 1);
    return changed ? larger(bits, OF_LAUNCH) : bits;
}

/* True when a number of any size is not below zero as C has it, unsigned ones not as what wrapped there. */
static bool is_natural(struct dl__unit *u, struct dl__node *n, unsigned depth)
{
    const struct dl__type *type = dl__type_of(u, n);
    struct dl__node *declaration;
    int64_t constant;

    if (dl__constant_of(u, n, &constant))
        return constant >= 0;
    if (type->kind != DL__T_SCALAR || depth > DEPTH_MAX)
        return false;
    if (type->scalar == 'u' && type->bytes < 8)
        return true;
    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        return n->child_count == 1 && is_natural(u, n->children[0], depth);
    case DL__N_CALL:
        return is_of_launch(u, n);
    case DL__N_NAME:
        return !dl__is_changed(u, n->declared_at, &declaration) && declaration &&
               declaration->child_count &&
               is_natural(u, declaration->children[declaration->child_count - 1],
                          depth + 1);
    case DL__N_BINARY:
        return n->child_count == 2 && n->op[0] && strchr("+*/%", n->op[0]) &&
               is_natural(u, n->children[0], depth) &&
               is_natural(u, n->children[1], depth);
    default:
        return false;
    }
}

static unsigned bits_of_operation(struct dl__unit *u, struct dl__node *n, unsigned depth)
{
    unsigned left = bits_of(u, n->children[0], depth),
             right = bits_of(u, n->children[1], depth);
    int64_t constant;
    bool is_constant = dl__constant_of(u, n->children[1], &constant);

    if (dl__op_is(n, "*"))
        return left + right;
    if (dl__op_is(n, "+") || dl__op_is(n, "-"))
        return larger(left, right) + 1;
    if (dl__op_is(n, "|") || dl__op_is(n, "^"))
        return larger(left, right);
    if (dl__op_is(n, "<<") && is_constant && constant >= 0 && constant < ANY)
        return left + (unsigned)constant;
    if (dl__op_is(n, "/") || dl__op_is(n, ">>"))
        return dl__type_of(u, n)->scalar == 'i' || is_natural(u, n->children[0], depth)
                   ? left
                   : ANY;
    /* What is masked, or what is left of a division, is below a positive constant. */
    if ((dl__op_is(n, "&") || dl__op_is(n, "%")) && is_constant && constant > 0)
        return bits_of_constant(constant);
    return ANY;
}

/* Of a number of 64 bits. A signed one does not wrap, but may have come from one that did. */
static unsigned bits_of_long(struct dl__unit *u, struct dl__node *n, unsigned depth)
{
    bool is_signed = dl__type_of(u, n)->scalar == 'i';
    unsigned bits = ANY;

    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        return n->child_count == 1 ? bits_of(u, n->children[0], depth) : ANY;
    case DL__N_NAME:
        bits = bits_of_name(u, n, depth);
        return is_signed && bits == ANY ? SOUND : bits;
    case DL__N_CALL:
        return is_of_launch(u, n) ? OF_LAUNCH : is_signed ? SOUND : ANY;
    case DL__N_CONDITIONAL:
        return n->child_count == 3 ? larger(bits_of(u, n->children[1], depth),
                                            bits_of(u, n->children[2], depth))
                                   : ANY;
    case DL__N_UNARY:
        if (dl__op_is(n, "-") || dl__op_is(n, "+"))
            bits = bits_of(u, n->children[0], depth);
        break;
    case DL__N_BINARY:
        if (n->child_count == 2)
            bits = bits_of_operation(u, n, depth);
        break;
    default:
        return is_signed ? SOUND : ANY;
    }
    return is_signed && bits < ANY && bits > SOUND ? SOUND : bits;
}

static unsigned bits_of(struct dl__unit *u, struct dl__node *n, unsigned depth)
{
    const struct dl__type *type = dl__type_of(u, n);
    int64_t constant;
    unsigned bits;

    if (dl__constant_of(u, n, &constant))
        return bits_of_constant(constant);
    if (type->kind != DL__T_SCALAR || (type->scalar != 'i' && type->scalar != 'u'))
        return type->scalar == 'b' ? 1 : ANY;
    bits = type->bytes < 8 ? 8 * type->bytes : bits_of_long(u, n, depth);
    return bits < ANY ? bits : ANY;
}

bool dl__may_pass_64_bits(struct dl__unit *u, struct dl__node *n)
{
    return bits_of(u, n, 0) > SOUND;
}
