/* The value of an #if expression: precedence climbing over 64-bit integers. */
#include "annotate/text/condition.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 500 };

struct parser {
    const struct dl__item *at;
    unsigned depth;
    bool bad;
};

struct value {
    int64_t v;
    bool is_unsigned;
};

static bool is(const struct parser *p, const char *text)
{
    return p->at && p->at->kind == DL__PUNCT && p->at->bytes == strlen(text) &&
           !memcmp(p->at->text, text, p->at->bytes);
}

static bool take(struct parser *p, const char *text)
{
    bool yes = is(p, text);

    if (yes)
        p->at = p->at->next;
    return yes;
}

static struct value parse_conditional(struct parser *p);

static struct value parse_number(struct parser *p)
{
    struct value out = {0};
    char digits[64];
    char *end;

    if (p->at->bytes >= sizeof digits) {
        p->bad = true;
        return out;
    }
    memcpy(digits, p->at->text, p->at->bytes);
    digits[p->at->bytes] = '\0';
    if (digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B'))
        out.v = (int64_t)strtoull(digits + 2, &end, 2);
    else
        out.v = (int64_t)strtoull(digits, &end, 0);
    for (; *end; end++) {
        if (*end == 'u' || *end == 'U')
            out.is_unsigned = true;
        else if (*end != 'l' && *end != 'L')
            p->bad = true;
    }
    p->at = p->at->next;
    return out;
}

static struct value parse_unary(struct parser *p)
{
    struct value out = {0};

    if (!p->at || ++p->depth > DEPTH_MAX) {
        p->bad = true;
        return out;
    }
    if (take(p, "!")) {
        out.v = !parse_unary(p).v;
    } else if (take(p, "~")) {
        out = parse_unary(p);
        out.v = ~out.v;
    } else if (take(p, "-")) {
        out = parse_unary(p);
        out.v = (int64_t)(0 - (uint64_t)out.v);
    } else if (take(p, "+")) {
        out = parse_unary(p);
    } else if (take(p, "(")) {
        out = parse_conditional(p);
        if (!take(p, ")"))
            p->bad = true;
    } else if (p->at->kind == DL__NUMBER) {
        out = parse_number(p);
    } else if (p->at->kind == DL__CHARACTER && p->at->bytes == 3) {
        out.v = p->at->text[1];
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

static const struct {
    const char *text;
    int level;
} operators[] = {{"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9},  {"<<", 8},
                 {">>", 8}, {"<", 7},  {">", 7},  {"<=", 7}, {">=", 7}, {"==", 6},
                 {"!=", 6}, {"&", 5},  {"^", 4},  {"|", 3},  {"&&", 2}, {"||", 1}};

static struct value apply(const char *op, struct value a, struct value b)
{
    struct value out = {0};
    uint64_t x = (uint64_t)a.v, y = (uint64_t)b.v;
    bool u = a.is_unsigned || b.is_unsigned;

    out.is_unsigned = u;
    switch (op[0]) {
    case '*':
        out.v = (int64_t)(x * y);
        break;
    case '/':
        if (y)
            out.v = u ? (int64_t)(x / y) : b.v == -1 ? (int64_t)(0 - x) : a.v / b.v;
        break;
    case '%':
        if (y)
            out.v = u ? (int64_t)(x % y) : b.v == -1 ? 0 : a.v % b.v;
        break;
    case '+':
        out.v = (int64_t)(x + y);
        break;
    case '-':
        out.v = (int64_t)(x - y);
        break;
    case '^':
        out.v = (int64_t)(x ^ y);
        break;
    case '&':
        out.v = op[1] ? a.v && b.v : (int64_t)(x & y);
        break;
    case '|':
        out.v = op[1] ? a.v || b.v : (int64_t)(x | y);
        break;
    case '=':
        out.v = x == y;
        break;
    case '!':
        out.v = x != y;
        break;
    case '<':
        if (op[1] == '<')
            out.v = (int64_t)(x << (y & 63));
        else if (op[1] == '=')
            out.v = u ? x <= y : a.v <= b.v;
        else
            out.v = u ? x < y : a.v < b.v;
        break;
    case '>':
        if (op[1] == '>')
            out.v = u ? (int64_t)(x >> (y & 63)) : a.v >> (y & 63);
        else if (op[1] == '=')
            out.v = u ? x >= y : a.v >= b.v;
        else
            out.v = u ? x > y : a.v > b.v;
        break;
    }
    if (strchr("&|", op[0])
            ? op[1] != 0
            : strchr("=!", op[0]) || (strchr("<>", op[0]) && op[1] != op[0]))
        out.is_unsigned = false;
    return out;
}

static struct value parse_binary(struct parser *p, int level_min)
{
    struct value left = parse_unary(p);

    for (;;) {
        size_t i = 0;

        while (i < sizeof operators / sizeof *operators &&
               !(operators[i].level >= level_min && is(p, operators[i].text)))
            i++;
        if (i == sizeof operators / sizeof *operators || p->bad)
            return left;
        p->at = p->at->next;
        left = apply(operators[i].text, left, parse_binary(p, operators[i].level + 1));
    }
}

static struct value parse_conditional(struct parser *p)
{
    struct value c, a, b;

    if (++p->depth > DEPTH_MAX) {
        p->bad = true;
        return (struct value){0};
    }
    c = parse_binary(p, 1);
    if (take(p, "?")) {
        a = parse_conditional(p);
        if (!take(p, ":"))
            p->bad = true;
        b = parse_conditional(p);
        c = c.v ? a : b;
    }
    p->depth--;
    return c;
}

bool dl__condition_eval(const struct dl__item *list, bool *out)
{
    struct parser p = {.at = list};
    struct value v = parse_conditional(&p);

    if (p.bad || p.at)
        return false;
    *out = v.v != 0;
    return true;
}
