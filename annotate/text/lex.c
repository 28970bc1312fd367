/* SPDX-License-Identifier: MIT */
/* Tokens, integers, and expressions by precedence. */
#include "annotate/text/lex.h"

#include <stdlib.h>
#include <string.h>

int64_t dl__common_divisor(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Holds 64 binary digits, with a prefix and suffixes. */
enum { BYTES_MAX = 80 };

bool dl__integer_read(const char *text, size_t bytes, uint64_t *value, bool *is_unsigned)
{
    char digits[BYTES_MAX], *end;
    bool is_binary;

    if (!bytes || bytes >= sizeof digits || text[0] < '0' || text[0] > '9')
        return false;
    memcpy(digits, text, bytes);
    digits[bytes] = '\0';
    is_binary = digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
    *value = is_binary ? strtoull(digits + 2, &end, 2) : strtoull(digits, &end, 0);
    *is_unsigned = strpbrk(end, "uU") != NULL;
    return end[strspn(end, "uUlL")] == '\0';
}

/* ---- Precedence climbing. ---- */

static const struct dl__climb_operator *take_operator(const struct dl__climber *climber,
                                                      void *parser, int lowest)
{
    for (size_t i = 0; i < climber->operator_count; i++)
        if (climber->operators[i].level >= lowest &&
            climber->take(parser, climber->operators[i].text))
            return &climber->operators[i];
    return NULL;
}

struct dl__climb_value dl__climb(const struct dl__climber *climber, void *parser,
                                 int lowest)
{
    struct dl__climb_value left = climber->operand(parser);

    const struct dl__climb_operator *op;

    while ((op = take_operator(climber, parser, lowest)) != NULL)
        left =
            climber->apply(parser, op, left, dl__climb(climber, parser, op->level + 1));
    return left;
}

/* ---- Preprocessing tokens of OpenCL C, and the comments between them. ---- */

/* The classes of bytes: the lexer spends nearly all its time on single bytes. */
enum { NAME_START = 1, DIGIT = 2, SPACE = 4, SLASH = 8, QUOTE = 16 };

static const unsigned char classes[256] = {[' '] = SPACE,
                                           ['\t'] = SPACE,
                                           ['\r'] = SPACE,
                                           ['\f'] = SPACE,
                                           ['\v'] = SPACE,
                                           ['0' ... '9'] = DIGIT,
                                           ['/'] = SLASH,
                                           ['\\'] = SLASH,
                                           ['"'] = QUOTE,
                                           ['\''] = QUOTE,
                                           ['$'] = NAME_START,
                                           ['A' ... 'Z'] = NAME_START,
                                           ['_'] = NAME_START,
                                           ['a' ... 'z'] = NAME_START,
                                           [0x80 ... 0xFF] = NAME_START};

static bool is_class(char c, unsigned which)
{
    return (classes[(unsigned char)c] & which) != 0;
}

static bool is_name_part(char c)
{
    return is_class(c, NAME_START | DIGIT);
}

/* The bytes of a backslash-newline at `at`, or 0. */
static size_t splice_bytes(const struct dl__lexer *lexer, size_t at)
{
    const char *text = lexer->text;

    if (at >= lexer->bytes || text[at] != '\\')
        return 0;
    if (at + 1 < lexer->bytes && text[at + 1] == '\n')
        return 2;
    if (at + 2 < lexer->bytes && text[at + 1] == '\r' && text[at + 2] == '\n')
        return 3;
    return 0;
}

static void report_note(struct dl__lexer *lexer, size_t start, size_t end)
{
    size_t at = start + 2;

    while (at < end && (lexer->text[at] == ' ' || lexer->text[at] == '\t'))
        at++;
    if (end - at >= 3 && !memcmp(lexer->text + at, "DL:", 3))
        lexer->on_note(lexer->user, start, lexer->text + at + 3, end - at - 3);
}

static size_t skip_line_comment(struct dl__lexer *lexer, size_t at)
{
    size_t start = at;

    for (at += 2; at < lexer->bytes && lexer->text[at] != '\n';) {
        size_t splice = lexer->text[at] == '\\' ? splice_bytes(lexer, at) : 0;

        at += splice ? splice : 1;
    }
    if (lexer->on_note) {
        size_t end = at;

        while (end > start + 2 && lexer->text[end - 1] == '\r')
            end--;
        report_note(lexer, start, end);
    }
    return at;
}

/* Skips white space and comments, but no newline outside a comment. */
static size_t skip_space(struct dl__lexer *lexer, size_t at)
{
    const char *text = lexer->text;

    for (;;) {
        size_t splice;

        while (at < lexer->bytes && is_class(text[at], SPACE))
            at++;
        if (at >= lexer->bytes || !is_class(text[at], SLASH))
            return at;
        splice = splice_bytes(lexer, at);
        if (splice) {
            at += splice;
        } else if (text[at] == '/' && at + 1 < lexer->bytes && text[at + 1] == '/') {
            at = skip_line_comment(lexer, at);
        } else if (text[at] == '/' && at + 1 < lexer->bytes && text[at + 1] == '*') {
            at += 2;
            while (at < lexer->bytes &&
                   !(text[at] == '*' && at + 1 < lexer->bytes && text[at + 1] == '/'))
                at++;
            at = at < lexer->bytes ? at + 2 : at;
        } else {
            return at;
        }
    }
}

static size_t lex_quoted(const struct dl__lexer *lexer, size_t at)
{
    char quote = lexer->text[at++];

    while (at < lexer->bytes && lexer->text[at] != quote && lexer->text[at] != '\n') {
        if (lexer->text[at] == '\\' && at + 1 < lexer->bytes)
            at++;
        at++;
    }
    return at < lexer->bytes && lexer->text[at] == quote ? at + 1 : at;
}

static size_t lex_number(const struct dl__lexer *lexer, size_t at)
{
    const char *text = lexer->text;

    while (at < lexer->bytes) {
        char c = text[at];

        if ((c == 'e' || c == 'E' || c == 'p' || c == 'P') && at + 1 < lexer->bytes &&
            (text[at + 1] == '+' || text[at + 1] == '-'))
            at += 2;
        else if (is_name_part(c) || c == '.')
            at++;
        else
            break;
    }
    return at;
}

/* Most punctuators are one byte: the second byte decides almost always. */
static size_t punct_bytes(const char *text, size_t bytes)
{
    char first = text[0], second = bytes > 1 ? text[1] : '\0';

    if (second == '=')
        return first && strchr("<>=!+-*/%&|^", first) ? 2 : 1;
    if (second != first)
        return first == '-' && second == '>' ? 2 : 1;
    switch (first) {
    case '<':
    case '>':
        return bytes > 2 && text[2] == '=' ? 3 : 2;
    case '.':
        return bytes > 2 && text[2] == '.' ? 3 : 1;
    case '+':
    case '-':
    case '&':
    case '|':
    case '#':
        return 2;
    default:
        return 1;
    }
}

static struct dl__token __attribute__((noinline)) lex(struct dl__lexer *lexer)
{
    struct dl__token token = {0};
    const char *text = lexer->text;
    size_t at, end;

    at = skip_space(lexer, lexer->offset);
    token.spaced = at != lexer->offset;
    lexer->offset = at;
    token.offset = at;
    token.text = text + at;
    if (at >= lexer->bytes)
        return token;
    if (is_class(text[at], NAME_START)) {
        token.kind = DL__NAME;
        for (end = at + 1; end < lexer->bytes && is_name_part(text[end]);)
            end++;
    } else if (text[at] == '\n') {
        token.kind = DL__NEWLINE;
        end = at + 1;
    } else if (is_class(text[at], DIGIT) || (text[at] == '.' && at + 1 < lexer->bytes &&
                                             is_class(text[at + 1], DIGIT))) {
        token.kind = DL__NUMBER;
        end = lex_number(lexer, at);
    } else if (is_class(text[at], QUOTE)) {
        token.kind = text[at] == '"' ? DL__STRING : DL__CHARACTER;
        end = lex_quoted(lexer, at);
    } else {
        token.kind = DL__PUNCT;
        end = at + punct_bytes(text + at, lexer->bytes - at);
    }
    token.bytes = end - at;
    lexer->offset = end;
    return token;
}

struct dl__token dl__lex_next(struct dl__lexer *lexer)
{
    const struct dl__kept_token *t = lexer->kept;

    if (t && t->kind != DL__END && (size_t)t->offset + t->bytes <= lexer->bytes) {
        lexer->offset = (size_t)t->offset + t->bytes;
        lexer->kept++;
        return (struct dl__token){t->kind, lexer->text + t->offset, t->bytes, t->offset,
                                  t->spaced};
    }
    lexer->kept = NULL;
    return lex(lexer);
}

void dl__lex_pass_line(struct dl__lexer *lexer)
{
    const char *text = lexer->text;
    size_t at = lexer->offset;

    while (at < lexer->bytes && text[at] != '\n') {
        size_t behind = is_class(text[at], SLASH) ? skip_space(lexer, at) : at;

        if (behind != at)
            at = behind;
        else
            at = is_class(text[at], QUOTE) ? lex_quoted(lexer, at) : at + 1;
    }
    lexer->offset = at;
}

struct dl__lexer dl__lexer_of(const struct dl__tokens *tokens, size_t begin, size_t end)
{
    size_t low = 0, high = tokens->count - 1;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (tokens->items[middle].offset < begin)
            low = middle + 1;
        else
            high = middle;
    }
    return (struct dl__lexer){
        .text = tokens->text, .bytes = end, .offset = begin, .kept = &tokens->items[low]};
}

bool dl__is_in(const char *words, const char *word, size_t bytes)
{
    const char *at = bytes && *word ? words : NULL;

    for (; at && (at = strchr(at, *word)) != NULL; at++)
        if ((at == words || at[-1] == ' ') && !strncmp(at, word, bytes) &&
            (at[bytes] == ' ' || !at[bytes]))
            return true;
    return false;
}

bool dl__tokens_stick(const char *left, size_t left_bytes, const char *right)
{
    char l, r = right[0];

    if (!left_bytes || !r)
        return false;
    l = left[left_bytes - 1];
    if (is_name_part(r) || r == '.' || r == '"' || r == '\'')
        return is_name_part(l) || l == '.';
    /* 1e + 2 must not become the number 1e+2. */
    if (is_name_part(l) || l == '.')
        return (r == '+' || r == '-') && (l == 'e' || l == 'E' || l == 'p' || l == 'P');
    return strchr("+-*/<>=&|!%^#.", l) && strchr("+-*/<>=&|!%^#.", r);
}

unsigned dl__atomic_of(const char *name, size_t bytes)
{
    static const struct {
        const char *begin;
        unsigned does;
    } kinds[] = {{"atomic_load", DL__ATOMIC_READS},
                 {"atomic_store", DL__ATOMIC_WRITES},
                 {"atomic_init", DL__ATOMIC_WRITES},
                 {"atomic_", DL__ATOMIC_READS | DL__ATOMIC_WRITES},
                 {"atom_", DL__ATOMIC_READS | DL__ATOMIC_WRITES}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (bytes >= strlen(kinds[i].begin) &&
            !memcmp(name, kinds[i].begin, strlen(kinds[i].begin)))
            return kinds[i].does;
    return 0;
}

bool dl__text_has_word(const char *text, size_t bytes, const char *word)
{
    const char *at = text, *end = text + bytes;
    size_t word_bytes = strlen(word);

    while ((at = memmem(at, (size_t)(end - at), word, word_bytes))) {
        const char *behind = at + word_bytes;

        if ((at == text || !is_name_part(at[-1])) &&
            (behind == end || !is_name_part(*behind)))
            return true;
        at = behind;
    }
    return false;
}
