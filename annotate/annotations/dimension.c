/* SPDX-License-Identifier: MIT */
/* Dimensions: parsed to postfix expressions, and their values. */
#include "annotate/annotations/dimension.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/text/lex.h"

enum { DEPTH_MAX = 200 };

enum op_kind {
    OP_LITERAL,
    OP_ARG,
    OP_GLOBAL_SIZE,
    OP_GLOBAL_OFFSET,
    OP_LOCAL_SIZE,
    OP_NUM_GROUPS,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_REM,
    OP_SHL,
    OP_SHR,
    OP_MIN,
    OP_MAX,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_AND,
    OP_OR,
    OP_NEG,
    OP_NOT,
    OP_SELECT /* of three */
};

struct op {
    enum op_kind kind;
    bool is_signed;       /* of an argument */
    unsigned width_bytes; /* of an argument */
    unsigned index;       /* of an argument, or the dimension */
    unsigned offset_bytes;
    int64_t value;
};

struct dl_dimension {
    size_t op_count;
    size_t stack_max;
    struct op ops[];
};

enum { OPS_MAX = 4096 };

struct parser {
    struct dl__lexer lexer;
    struct dl__token token;
    struct op *ops; /* OPS_MAX of them */
    size_t op_count;
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
    if (p->op_count == OPS_MAX)
        complain(p, "the dimension is too long");
    else
        p->ops[p->op_count++] = op;
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
    static const struct {
        const char *name;
        enum op_kind kind;
    } map[] = {{"global_size", OP_GLOBAL_SIZE},
               {"global_offset", OP_GLOBAL_OFFSET},
               {"local_size", OP_LOCAL_SIZE},
               {"num_groups", OP_NUM_GROUPS},
               {"min", OP_MIN},
               {"max", OP_MAX}};
    struct dl__token name = p->token;
    size_t i = 0;

    advance(p);
    if (dl__token_is(&name, "arg")) {
        parse_argument(p);
        return;
    }
    while (i < sizeof map / sizeof *map && !dl__token_is(&name, map[i].name))
        i++;
    if (i == sizeof map / sizeof *map) {
        complain(p, "the dimension uses an unknown name");
        return;
    }
    expect(p, "(", "`(` is expected");
    if (map[i].kind == OP_MIN || map[i].kind == OP_MAX) {
        parse_sum(p);
        expect(p, ",", "`,` is expected");
        parse_sum(p);
        push_kind(p, map[i].kind);
    } else {
        struct op op = {.kind = map[i].kind};
        int64_t d = parse_literal(p);

        if (d > 2)
            complain(p, "a launch has the dimensions 0, 1 and 2");
        op.index = (unsigned)d;
        push(p, op);
    }
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
    push_kind(parser, (enum op_kind)op->code);
    return left;
}

static void parse_sum(struct parser *p)
{
    static const struct dl__climb_operator operators[] = {
        {"*", 7, OP_MUL},        {"/", 7, OP_DIV},         {"%", 7, OP_REM},
        {"+", 6, OP_ADD},        {"-", 6, OP_SUB},         {"<<", 5, OP_SHL},
        {">>", 5, OP_SHR},       {"<=", 4, OP_LESS_EQUAL}, {">=", 4, OP_GREATER_EQUAL},
        {"<", 4, OP_LESS},       {">", 4, OP_GREATER},     {"==", 3, OP_EQUAL},
        {"!=", 3, OP_NOT_EQUAL}, {"&&", 2, OP_AND},        {"||", 1, OP_OR}};
    static const struct dl__climber climber = {.operators = operators,
                                               .operator_count =
                                                   sizeof operators / sizeof *operators,
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

static size_t stack_use(const struct op *ops, size_t count)
{
    size_t now = 0, deepest = 0;

    for (size_t i = 0; i < count; i++) {
        if (ops[i].kind < OP_ADD)
            now++;
        else if (ops[i].kind != OP_NEG && ops[i].kind != OP_NOT)
            now -= ops[i].kind == OP_SELECT ? 2 : 1;
        deepest = now > deepest ? now : deepest;
    }
    return deepest;
}

enum dl_status dl__dimension_parse(const char *text, size_t bytes,
                                   struct dl_dimension **out, const char **reason)
{
    struct parser p = {.lexer = {.text = text, .bytes = bytes}};
    enum dl_status st = DL_ENOMEM;
    struct dl_dimension *dimension;

    p.ops = calloc(OPS_MAX, sizeof *p.ops);
    if (!p.ops)
        return st;
    advance(&p);
    parse_sum(&p);
    if (p.token.kind != DL__END)
        complain(&p, "the dimension holds an operator that is not understood");
    if (p.reason) {
        if (reason)
            *reason = p.reason;
        st = DL_EPARSE;
        goto out;
    }
    dimension = malloc(sizeof *dimension + p.op_count * sizeof *p.ops);
    if (!dimension)
        goto out;
    dimension->op_count = p.op_count;
    dimension->stack_max = stack_use(p.ops, p.op_count);
    memcpy(dimension->ops, p.ops, p.op_count * sizeof *p.ops);
    *out = dimension;
    st = DL_OK;
out:
    free(p.ops);
    return st;
}

bool dl__dimension_step(const struct dl_dimension *dimension, size_t number,
                        struct dl__dimension_step *out)
{
    static const char *const names[] = {
        "",           "arg",        "global_size", "global_offset",
        "local_size", "num_groups", "+",           "-",
        "*",          "/",          "%",           "<<",
        ">>",         "min",        "max",         "<",
        "<=",         ">",          ">=",          "==",
        "!=",         "&&",         "||",          "-",
        "!",          "?"};
    const struct op *op = &dimension->ops[number];

    if (number >= dimension->op_count)
        return false;
    *out = (struct dl__dimension_step){.name = names[op->kind],
                                       .value = op->value,
                                       .index = op->index,
                                       .offset_bytes = op->offset_bytes};
    out->operands = op->kind < OP_ADD                          ? 0
                    : op->kind == OP_NEG || op->kind == OP_NOT ? 1
                    : op->kind == OP_SELECT                    ? 3
                                                               : 2;
    return true;
}

/* ---- Dimensions, evaluated on a stack. ---- */

static enum dl_status read_argument(const struct op *op, const struct dl_launch *launch,
                                    int64_t *out, const char **reason)
{
    const struct dl_arg_value *arg;
    unsigned char bytes[8] = {0};
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
    memcpy(bytes, (const char *)arg->value + op->offset_bytes, op->width_bytes);
    switch (op->width_bytes) {
    case 1:
        value = op->is_signed ? (uint64_t)(int8_t)bytes[0] : bytes[0];
        break;
    case 2: {
        uint16_t v;

        memcpy(&v, bytes, sizeof v);
        value = op->is_signed ? (uint64_t)(int16_t)v : v;
        break;
    }
    case 4: {
        uint32_t v;

        memcpy(&v, bytes, sizeof v);
        value = op->is_signed ? (uint64_t)(int32_t)v : v;
        break;
    }
    default:
        memcpy(&value, bytes, sizeof value);
        if (!op->is_signed && value > INT64_MAX) {
            *reason = "it overflows";
            return DL_EOVERFLOW;
        }
    }
    *out = (int64_t)value;
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

    for (size_t i = 0; i < dimension->op_count; i++)
        if (dimension->ops[i].kind == OP_ARG)
            args |= UINT64_C(1)
                    << (dimension->ops[i].index < 63 ? dimension->ops[i].index : 63);
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
    for (size_t i = 0; i < dimension->op_count && st == DL_OK; i++) {
        const struct op *op = &dimension->ops[i];

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
