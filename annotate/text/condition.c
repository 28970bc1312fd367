/* SPDX-License-Identifier: MIT */
/* The value of an #if expression, over 64-bit integers. */
#include "annotate/text/condition.h"

#include <string.h>

#include "annotate/text/climb.h"
#include "annotate/text/number.h"

enum { DEPTH_MAX = 500 };

struct parser {
    const struct dl__item *at;
    unsigned depth;
    bool bad;
};

static bool is(const struct parser *p, const char *text)
{
    return dl__item_is(p->at, text);
}

static bool take(struct parser *p, const char *text)
{
    bool yes = is(p, text);

    if (yes)
        p->at = p->at->next;
    return yes;
}

static struct dl__climb_value parse_conditional(struct parser *p);

static struct dl__climb_value parse_number(struct parser *p)
{
    struct dl__climb_value out = {0};
    uint64_t value = 0;

    p->bad |= !dl__integer_read(p->at->text, p->at->bytes, &value, &out.is_unsigned);
    out.value = (int64_t)value;
    p->at = p->at->next;
    return out;
}

static struct dl__climb_value parse_unary(struct parser *p)
{
    struct dl__climb_value out = {0};

    if (!p->at || ++p->depth > DEPTH_MAX) {
        p->bad = true;
        return out;
    }
    if (take(p, "!")) {
        out.value = !parse_unary(p).value;
    } else if (take(p, "~")) {
        out = parse_unary(p);
        out.value = ~out.value;
    } else if (take(p, "-")) {
        out = parse_unary(p);
        out.value = (int64_t)(0 - (uint64_t)out.value);
    } else if (take(p, "+")) {
        out = parse_unary(p);
    } else if (take(p, "(")) {
        out = parse_conditional(p);
        if (!take(p, ")"))
            p->bad = true;
    } else if (p->at->kind == DL__NUMBER) {
        out = parse_number(p);
    } else if (p->at->kind == DL__CHARACTER && p->at->bytes == 3) {
        out.value = p->at->text[1];
        p->at = p->at->next;
    } else if (p->at->kind == DL__NAME) {
        p->at = p->at->next;
        /* __has_feature(x) and its like: no. */
        if (take(p, "(")) {
            unsigned depth = 1;

            while (p->at && depth) {
                depth += is(p, "(");
                depth -= is(p, ")");
                p->at = p->at->next;
            }
        }
    } else {
        p->bad = true;
    }
    p->depth--;
    return out;
}

/* Comparisons, equality and logic: their value is an int, whatever is compared. False:
 * `op` is another operator. */
static bool is_relation(const char *op)
{
    return strchr("=!", op[0]) || (strchr("&|", op[0]) && op[1]) ||
           (strchr("<>", op[0]) && op[1] != op[0]);
}

static int64_t relate(const char *op, struct dl__climb_value a, struct dl__climb_value b,
                      bool is_unsigned)
{
    uint64_t x = (uint64_t)a.value, y = (uint64_t)b.value;
    bool less = is_unsigned ? x < y : a.value < b.value;

    switch (op[0]) {
    case '&':
        return a.value && b.value;
    case '|':
        return a.value || b.value;
    case '=':
        return x == y;
    case '!':
        return x != y;
    case '<':
        return less || (op[1] == '=' && x == y);
    default:
        return op[1] == '=' ? !less : !less && x != y;
    }
}

/* Division by 0 gives 0: no branch that is taken has it. */
static int64_t divide(bool rest, int64_t a, int64_t b, bool is_unsigned)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;

    if (b == 0)
        return 0;
    if (is_unsigned)
        return (int64_t)(rest ? x % y : x / y);
    if (b == -1)
        return rest ? 0 : (int64_t)(0 - x);
    return rest ? a % b : a / b;
}

static int64_t compute(const char *op, int64_t a, int64_t b, bool is_unsigned)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;

    switch (op[0]) {
    case '*':
        return (int64_t)(x * y);
    case '/':
    case '%':
        return divide(op[0] == '%', a, b, is_unsigned);
    case '+':
        return (int64_t)(x + y);
    case '-':
        return (int64_t)(x - y);
    case '^':
        return (int64_t)(x ^ y);
    case '&':
        return (int64_t)(x & y);
    case '|':
        return (int64_t)(x | y);
    case '<':
        return (int64_t)(x << (y & 63));
    default:
        return is_unsigned ? (int64_t)(x >> (y & 63)) : a >> (y & 63);
    }
}

static struct dl__climb_value apply(void *parser, const struct dl__climb_operator *by,
                                    struct dl__climb_value a, struct dl__climb_value b)
{
    bool is_unsigned = a.is_unsigned || b.is_unsigned;

    (void)parser;
    if (is_relation(by->text))
        return (struct dl__climb_value){.value = relate(by->text, a, b, is_unsigned)};
    return (struct dl__climb_value){.value =
                                        compute(by->text, a.value, b.value, is_unsigned),
                                    .is_unsigned = is_unsigned};
}

static bool take_operator(void *parser, const char *text)
{
    return take(parser, text);
}

static struct dl__climb_value operand(void *parser)
{
    return parse_unary(parser);
}

static bool has_failed(const void *parser)
{
    return ((const struct parser *)parser)->bad;
}

static const struct dl__climb_operator operators[] = {
    {"*", 10, 0}, {"/", 10, 0}, {"%", 10, 0}, {"+", 9, 0},  {"-", 9, 0},  {"<<", 8, 0},
    {">>", 8, 0}, {"<", 7, 0},  {">", 7, 0},  {"<=", 7, 0}, {">=", 7, 0}, {"==", 6, 0},
    {"!=", 6, 0}, {"&", 5, 0},  {"^", 4, 0},  {"|", 3, 0},  {"&&", 2, 0}, {"||", 1, 0}};

static const struct dl__climber climber = {.operators = operators,
                                           .operator_count =
                                               sizeof operators / sizeof *operators,
                                           .take = take_operator,
                                           .operand = operand,
                                           .apply = apply,
                                           .has_failed = has_failed};

static struct dl__climb_value parse_conditional(struct parser *p)
{
    struct dl__climb_value c, a, b;

    if (++p->depth > DEPTH_MAX) {
        p->bad = true;
        return (struct dl__climb_value){0};
    }
    c = dl__climb(&climber, p, 1);
    if (take(p, "?")) {
        a = parse_conditional(p);
        if (!take(p, ":"))
            p->bad = true;
        b = parse_conditional(p);
        c = c.value ? a : b;
    }
    p->depth--;
    return c;
}

bool dl__condition_eval(const struct dl__item *list, bool *out)
{
    struct parser p = {.at = list};
    struct dl__climb_value v = parse_conditional(&p);

    if (p.bad || p.at)
        return false;
    *out = v.value != 0;
    return true;
}
