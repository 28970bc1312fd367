/* SPDX-License-Identifier: MIT */
/* Texts that are too large to be read are refused: a program's source comes from
 * anywhere, and what reads it, libclang included, recurses over it inside somebody else's
 * process. */
#include "annotate/text/limits.h"

#include <string.h>

#include "annotate/text/lex.h"

enum {
    BRACKETS_MAX = 200,   /* libclang's own limit is 256 */
    OPERATORS_MAX = 1500, /* in one expression or chain of statements, along one path */
    STRUCTS_MAX = 1024,
    TYPEDEFS_MAX = 4096,
    TOKEN_BYTES = 3 /* few texts have shorter ones */
};

/* One bracket and what stands in it so far. */
struct level {
    char close;         /* what ends it */
    bool is_list;       /* an initialiser's braces */
    unsigned operators; /* since the last statement or element began */
    unsigned elses;     /* in a chain that may go on */
};

struct nesting {
    struct level levels[BRACKETS_MAX + 1];
    unsigned depth;
    unsigned outer_operators; /* of the levels below the last */
    size_t tokens, tokens_max;
    unsigned structs, typedefs; /* defined */
    bool in_struct_head;
    char before; /* the last token, if it was of one byte */
};

static bool is_statement_word(const struct dl__token *t)
{
    /* Most names begin with another letter or are longer. */
    return t->bytes <= strlen("default") && strchr("ifwdscg", t->text[0]) &&
           dl__is_in("if for while do switch case default goto", t->text, t->bytes);
}

static bool open_level(struct nesting *n, char open, bool is_list)
{
    char close = open == '(' ? ')' : open == '[' ? ']' : '}';

    if (n->depth == BRACKETS_MAX)
        return false;
    n->outer_operators += n->levels[n->depth].operators;
    n->levels[++n->depth] = (struct level){.close = close, .is_list = is_list};
    return true;
}

static bool close_level(struct nesting *n, char close)
{
    if (!n->depth || n->levels[n->depth].close != close)
        return false;
    n->depth--;
    n->outer_operators -= n->levels[n->depth].operators;
    return true;
}

/* Takes one token; NULL, or what there is too much of. */
static const char *take(struct nesting *n, const struct dl__token *t, bool ended)
{
    struct level *level = &n->levels[n->depth];
    char c = t->kind == DL__PUNCT && t->bytes == 1 ? t->text[0] : '\0';

    if (++n->tokens > n->tokens_max)
        return "it is too large";
    if (ended && !dl__token_is(t, "else"))
        level->elses = 0;
    if (t->kind == DL__NAME) {
        n->in_struct_head |= dl__token_is(t, "struct") || dl__token_is(t, "union");
        n->typedefs += dl__token_is(t, "typedef");
        level->elses += dl__token_is(t, "else");
        level->operators += is_statement_word(t);
    }
    if (t->kind == DL__PUNCT)
        level->operators++;
    n->structs += c == '{' && n->in_struct_head;
    n->in_struct_head &= !(c && strchr("{;,*=", c));
    if ((c == '(' || c == '[' || c == '{') &&
        !open_level(n, c, c == '{' && (n->before == '=' || level->is_list)))
        return "brackets are nested too deeply";
    if (c == ')' || c == ']' || c == '}') {
        if (!close_level(n, c))
            return "a bracket does not match the one that is open";
        level = &n->levels[n->depth];
    }
    if (c == ';' || c == '}' || (c == ',' && level->is_list))
        level->operators = 0;
    n->before = c;
    if (n->outer_operators + n->levels[n->depth].operators > OPERATORS_MAX ||
        level->elses > OPERATORS_MAX)
        return "an expression or statement is too long";
    if (n->structs > STRUCTS_MAX || n->typedefs > TYPEDEFS_MAX)
        return "it declares too many types";
    return NULL;
}

/* The text that is read, and the part of it that is kept. */
struct reading {
    struct dl__arena *arena;
    struct dl__lexer lexer;
    struct dl__tokens *tokens;
};

static struct dl__token next(struct reading *r)
{
    struct dl__token t = dl__lex_next(&r->lexer);
    struct dl__kept_token kept = {(uint32_t)t.offset, (uint32_t)t.bytes,
                                  (unsigned char)t.kind, t.spaced};

    DL__PUSH(r->arena, r->tokens, kept);
    return t;
}

/* Goes to the end of the line. libclang crashes on pointers to functions, and nobody
 * could say what a call through one does. */
static const char *pass_pragma(struct reading *r, struct dl__token *t)
{
    bool pointers = false, enabled = false;

    for (; t->kind != DL__NEWLINE && t->kind != DL__END; *t = next(r)) {
        pointers |= dl__token_is(t, "__cl_clang_function_pointers");
        enabled |= pointers && dl__token_is(t, "enable");
    }
    return enabled ? "it uses pointers to functions" : NULL;
}

const char *dl__limits_check(struct dl__arena *arena, const char *text, size_t bytes,
                             size_t tokens_max, struct dl__tokens *tokens, size_t *at)
{
    struct reading reading = {arena, {.text = text, .bytes = bytes}, tokens};
    struct nesting nesting = {.tokens_max = tokens_max};
    const char *reason = NULL;
    bool ended = false, line_start = true;
    struct dl__token t;

    if (bytes > DL__TEXT_BYTES_MAX) {
        *at = 0;
        return "it is too large";
    }
    tokens->text = text;
    tokens->room = bytes / TOKEN_BYTES + 1;
    tokens->items = dl__arena_alloc(arena, tokens->room * sizeof *tokens->items);
    while (!reason && (t = next(&reading)).kind != DL__END) {
        /* Pragmas alone are left of the directives; anything may stand in them. */
        if (line_start && dl__token_is(&t, "#")) {
            *at = t.offset;
            reason = pass_pragma(&reading, &t);
            if (reason)
                return reason;
        }
        line_start = t.kind == DL__NEWLINE;
        if (line_start || t.kind == DL__END)
            continue;
        reason = take(&nesting, &t, ended);
        ended = dl__token_is(&t, ";") || dl__token_is(&t, "}");
        *at = t.offset;
    }
    /* No compiler takes such a text, and libclang crashes on some. */
    return reason || !nesting.depth ? reason : "a bracket is not closed";
}
