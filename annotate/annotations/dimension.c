/* SPDX-License-Identifier: MIT */
/* Dimensions: parsed to postfix expressions, and their values. */
#include "annotate/annotations/dimension.h"

#include <string.h>

#include "annotate/text/lex.h"

enum { DEPTH_MAX = 200 };

/* Kinds of operations: how each is written, its level if it stands between its operands,
 * and how many of these it has. */
#define OPS(X)                                                                           \
    X(LITERAL, "", 0, 0)                                                                 \
    X(ARG, "arg", 0, 0)                                                                  \
    X(GLOBAL_SIZE, "global_size", 0, 0)                                                  \
    X(GLOBAL_OFFSET, "global_offset", 0, 0)                                              \
    X(LOCAL_SIZE, "local_size", 0, 0)                                                    \
    X(NUM_GROUPS, "num_groups", 0, 0)                                                    \
    X(ADD, "+", 6, 2)                                                                    \
    X(SUB, "-", 6, 2)                                                                    \
    X(MUL, "*", 7, 2)                                                                    \
    X(DIV, "/", 7, 2)                                                                    \
    X(REM, "%", 7, 2)                                                                    \
    X(SHL, "<<", 5, 2)                                                                   \
    X(SHR, ">>", 5, 2)                                                                   \
    X(MIN, "min", 0, 2)                                                                  \
    X(MAX, "max", 0, 2)                                                                  \
    X(LESS, "<", 4, 2)                                                                   \
    X(LESS_EQUAL, "<=", 4, 2)                                                            \
    X(GREATER, ">", 4, 2)                                                                \
    X(GREATER_EQUAL, ">=", 4, 2)                                                         \
    X(EQUAL, "==", 3, 2)                                                                 \
    X(NOT_EQUAL, "!=", 3, 2)                                                             \
    X(AND, "&&", 2, 2)                                                                   \
    X(OR, "||", 1, 2)                                                                    \
    X(NEG, "-", 0, 1)                                                                    \
    X(NOT, "!", 0, 1)                                                                    \
    X(SELECT, "?", 0, 3)

#define X(kind, text, level, operands) OP_##kind,
enum op_kind { OPS(X) OP_KINDS };
#undef X

#define X(kind, text, level, operands) {text, level, operands},
static const struct dl__climb_operator kinds[] = {OPS(X)};
#undef X

struct op {
    enum op_kind kind;
    bool is_signed;       /* of an argument */
    unsigned width_bytes; /* of an argument */
    unsigned index;       /* of an argument, or the dimension */
    unsigned offset_bytes;
    int64_t value;
};

struct dl_dimension {
    struct op *items;
    size_t count, room;
    size_t depth, stack_max; /* of the stack, behind the last and at the most */
};

enum { OPS_MAX = 4096 };

struct parser {
    struct dl__arena *arena;
    struct dl__lexer lexer;
    struct dl__token token;
    struct dl_dimension *out;
    unsigned depth;
    const char *reason;
};

static void advance(struct parser *p)
{
    p->token = dl__lex_over_lines(&p->lexer);
}

static bool take(void *parser, const char *text)
{
    struct parser *p = parser;
    bool yes = p->token.kind == DL__PUNCT && dl__token_is(&p->token, text);

    if (yes)
        advance(p);
    return yes;
}

static void complain(struct parser *p, const char *reason)
{
    if (!p->reason)
        p->reason = reason;
}

static void expect(struct parser *p, const char *text, const char *reason)
{
    if (!take(p, text))
        complain(p, reason);
}

static void push(struct parser *p, struct op op)
{
    struct dl_dimension *out = p->out;

    if (out->count == OPS_MAX)
        complain(p, "the dimension is too long");
    if (p->reason)
        return;
    DL__PUSH(p->arena, out, op);
    out->depth += 1 - (size_t)kinds[op.kind].code;
    out->stack_max = out->depth > out->stack_max ? out->depth : out->stack_max;
}

static void push_kind(struct parser *p, enum op_kind kind)
{
    push(p, (struct op){.kind = kind});
}

static int64_t parse_literal(struct parser *p)
{
    bool is_integer, is_unsigned;
    uint64_t value = 0;

    if (p->token.kind != DL__NUMBER) {
        complain(p, "an integer is expected");
        return 0;
    }
    is_integer = dl__integer_read(p->token.text, p->token.bytes, &value, &is_unsigned);
    if (!is_integer || value > INT64_MAX)
        complain(p, is_integer ? "the dimension holds a number that is too large"
                               : "the dimension holds a number that is not an integer");
    advance(p);
    return (int64_t)value;
}

static void parse_sum(struct parser *p);

static void parse_argument(struct parser *p)
{
    struct op op = {.kind = OP_ARG};
    int64_t index, offset;

    expect(p, "(", "`arg` needs three values");
    index = parse_literal(p);
    expect(p, ",", "`arg` needs three values");
    if (p->token.kind == DL__NAME && p->token.bytes == 2 &&
        (p->token.text[0] == 'i' || p->token.text[0] == 'u') &&
        strchr("1248", p->token.text[1])) {
        op.is_signed = p->token.text[0] == 'i';
        op.width_bytes = (unsigned)(p->token.text[1] - '0');
        advance(p);
    } else {
        complain(p, "`arg` names an unknown type");
    }
    expect(p, ",", "`arg` needs three values");
    offset = parse_literal(p);
    expect(p, ")", "`arg` needs three values");
    if (index > 4096 || offset > 1 << 20)
        complain(p, "`arg` is out of range");
    op.index = (unsigned)index;
    op.offset_bytes = (unsigned)offset;
    push(p, op);
}

static void parse_call(struct parser *p)
{
    struct op op = {.kind = OP_ARG};
    struct dl__token name = p->token;
    int64_t d;

    advance(p);
    while (op.kind < OP_KINDS &&
           (kinds[op.kind].level || !dl__token_is(&name, kinds[op.kind].text)))
        op.kind++;
    if (op.kind == OP_ARG) {
        parse_argument(p);
        return;
    }
    if (op.kind == OP_KINDS) {
        complain(p, "the dimension uses an unknown name");
        return;
    }
    expect(p, "(", "`(` is expected");
    if (kinds[op.kind].code) {
        parse_sum(p);
        expect(p, ",", "`,` is expected");
        parse_sum(p);
    } else {
        d = parse_literal(p);
        if (d > 2)
            complain(p, "a launch has the dimensions 0, 1 and 2");
        op.index = (unsigned)d;
    }
    push(p, op);
    expect(p, ")", "`)` is expected");
}

static struct dl__climb_value parse_unary(void *parser)
{
    struct parser *p = parser;

    if (++p->depth > DEPTH_MAX)
        complain(p, "the dimension is nested too deeply");
    if (p->reason)
        return (struct dl__climb_value){0};
    if (take(p, "-")) {
        parse_unary(p);
        push_kind(p, OP_NEG);
    } else if (take(p, "!")) {
        parse_unary(p);
        push_kind(p, OP_NOT);
    } else if (take(p, "+")) {
        parse_unary(p);
    } else if (take(p, "(")) {
        parse_sum(p);
        expect(p, ")", "`)` is expected");
    } else if (p->token.kind == DL__NUMBER) {
        push(p, (struct op){.kind = OP_LITERAL, .value = parse_literal(p)});
    } else if (p->token.kind == DL__NAME) {
        parse_call(p);
    } else if (p->token.kind == DL__END) {
        complain(p, "the dimension ends too early");
    } else {
        complain(p, "the dimension holds an operator that is not understood");
    }
    p->depth--;
    return (struct dl__climb_value){0};
}

static struct dl__climb_value push_operator(void *parser,
                                            const struct dl__climb_operator *op,
                                            struct dl__climb_value left,
                                            struct dl__climb_value right)
{
    (void)right;
    push_kind(parser, (enum op_kind)(op - kinds));
    return left;
}

static void parse_sum(struct parser *p)
{
    static const struct dl__climber climber = {.operators = kinds,
                                               .operator_count = OP_KINDS,
                                               .take = take,
                                               .operand = parse_unary,
                                               .apply = push_operator};

    dl__climb(&climber, p, 1);
    if (p->reason || !take(p, "?"))
        return;
    if (++p->depth > DEPTH_MAX)
        complain(p, "the dimension is nested too deeply");
    if (!p->reason)
        parse_sum(p);
    expect(p, ":", "`:` is expected");
    if (!p->reason)
        parse_sum(p);
    push_kind(p, OP_SELECT);
    p->depth--;
}

struct dl_dimension *dl__dimension_parse(struct dl__arena *arena, const char *text,
                                         size_t bytes, const char **reason)
{
    struct parser p = {.arena = arena,
                       .lexer = {.text = text, .bytes = bytes},
                       .out = DL__NEW(arena, struct dl_dimension)};

    advance(&p);
    parse_sum(&p);
    if (p.token.kind != DL__END)
        complain(&p, "the dimension holds an operator that is not understood");
    if (p.reason && reason)
        *reason = p.reason;
    return p.reason ? NULL : p.out;
}

bool dl__dimension_step(const struct dl_dimension *dimension, size_t number,
                        struct dl__dimension_step *out)
{
    const struct op *op = &dimension->items[number];

    if (number >= dimension->count)
        return false;
    *out = (struct dl__dimension_step){.name = kinds[op->kind].text,
                                       .operands = (size_t)kinds[op->kind].code,
                                       .value = op->value,
                                       .index = op->index,
                                       .offset_bytes = op->offset_bytes};
    return true;
}

/* ---- Dimensions, evaluated on a stack. ---- */

static enum dl_status read_argument(const struct op *op, const struct dl_launch *launch,
                                    int64_t *out, const char **reason)
{
    const struct dl_arg_value *arg;
    unsigned above = 64 - 8 * op->width_bytes; /* bits */
    uint64_t value = 0;

    if (op->index >= launch->arg_count || !launch->args[op->index].value) {
        *reason = "it needs an argument that is not set";
        return DL_EINVAL;
    }
    arg = &launch->args[op->index];
    if (arg->value_bytes < op->offset_bytes ||
        arg->value_bytes - op->offset_bytes < op->width_bytes) {
        *reason = "an argument was set with a size other than the kernel declares";
        return DL_EINVAL;
    }
    /* Of a little-endian host. */
    memcpy(&value, (const char *)arg->value + op->offset_bytes, op->width_bytes);
    if (!op->is_signed && value > INT64_MAX) {
        *reason = "it overflows";
        return DL_EOVERFLOW;
    }
    *out = op->is_signed ? (int64_t)(value << above) >> above : (int64_t)value;
    return DL_OK;
}

static enum dl_status read_atom(const struct op *op, const struct dl_launch *launch,
                                int64_t *out, const char **reason)
{
    size_t value = 0, local;

    switch (op->kind) {
    case OP_LITERAL:
        *out = op->value;
        return DL_OK;
    case OP_ARG:
        return read_argument(op, launch, out, reason);
    case OP_GLOBAL_SIZE:
        value = op->index < launch->work_dim ? launch->global_size[op->index] : 1;
        break;
    case OP_GLOBAL_OFFSET:
        value = op->index < launch->work_dim ? launch->global_offset[op->index] : 0;
        break;
    default:
        local = op->index < launch->work_dim ? launch->local_size[op->index] : 1;
        if (!local) {
            *reason = "it needs a local size that is left to the driver";
            return DL_EINVAL;
        }
        value = local;
        if (op->kind == OP_NUM_GROUPS && op->index < launch->work_dim)
            value = launch->global_size[op->index] / local +
                    (launch->global_size[op->index] % local != 0);
    }
    if (value > INT64_MAX) {
        *reason = "it overflows";
        return DL_EOVERFLOW;
    }
    *out = (int64_t)value;
    return DL_OK;
}

static bool compare(enum op_kind kind, int64_t a, int64_t b)
{
    switch (kind) {
    case OP_LESS:
        return a < b;
    case OP_LESS_EQUAL:
        return a <= b;
    case OP_GREATER:
        return a > b;
    case OP_GREATER_EQUAL:
        return a >= b;
    case OP_EQUAL:
        return a == b;
    case OP_NOT_EQUAL:
        return a != b;
    case OP_AND:
        return a && b;
    default:
        return a || b;
    }
}

static bool apply(enum op_kind kind, int64_t a, int64_t b, int64_t *out,
                  const char **reason)
{
    bool bad = false;

    *reason = "it overflows";
    switch (kind) {
    case OP_ADD:
        return !__builtin_add_overflow(a, b, out);
    case OP_SUB:
        return !__builtin_sub_overflow(a, b, out);
    case OP_MUL:
        return !__builtin_mul_overflow(a, b, out);
    case OP_DIV:
    case OP_REM:
        if (b == 0) {
            *reason = "it divides by zero";
            return false;
        }
        bad = a == INT64_MIN && b == -1;
        if (!bad)
            *out = kind == OP_DIV ? a / b : a % b;
        return !bad;
    case OP_SHL:
        if (b < 0 || b > 62)
            return false;
        return !__builtin_mul_overflow(a, (int64_t)1 << b, out);
    case OP_SHR:
        if (b < 0 || b > 62)
            return false;
        *out = a >> b;
        return true;
    case OP_MIN:
        *out = a < b ? a : b;
        return true;
    case OP_MAX:
        *out = a > b ? a : b;
        return true;
    default:
        *out = compare(kind, a, b);
        return true;
    }
}

uint64_t dl_dimension_args(const struct dl_dimension *dimension)
{
    uint64_t args = 0;

    for (size_t i = 0; i < dimension->count; i++)
        if (dimension->items[i].kind == OP_ARG)
            args |= UINT64_C(1)
                    << (dimension->items[i].index < 63 ? dimension->items[i].index : 63);
    return args;
}

enum dl_status dl_dimension_eval(const struct dl_dimension *dimension,
                                 const struct dl_launch *launch, int64_t *out,
                                 const char **reason)
{
    int64_t stack[DEPTH_MAX * 4];
    const char *why = NULL;
    enum dl_status st = DL_OK;
    size_t depth = 0;

    if (dimension->stack_max > sizeof stack / sizeof *stack) {
        why = "it is nested too deeply";
        st = DL_EOVERFLOW;
    }
    for (size_t i = 0; i < dimension->count && st == DL_OK; i++) {
        const struct op *op = &dimension->items[i];

        if (op->kind < OP_ADD) {
            st = read_atom(op, launch, &stack[depth++], &why);
        } else if (op->kind == OP_NEG) {
            if (__builtin_sub_overflow((int64_t)0, stack[depth - 1], &stack[depth - 1])) {
                why = "it overflows";
                st = DL_EOVERFLOW;
            }
        } else if (op->kind == OP_NOT) {
            stack[depth - 1] = !stack[depth - 1];
        } else if (op->kind == OP_SELECT) {
            depth -= 2;
            stack[depth - 1] = stack[depth - 1] ? stack[depth] : stack[depth + 1];
        } else {
            depth--;
            if (!apply(op->kind, stack[depth - 1], stack[depth], &stack[depth - 1], &why))
                st = DL_EOVERFLOW;
        }
    }
    if (st == DL_OK)
        *out = stack[0];
    else if (reason)
        *reason = why;
    return st;
}
