/* SPDX-License-Identifier: MIT */
/* Preprocessing tokens of OpenCL C, and the comments between them. */
#ifndef DL_ANNOTATE_LEX_H
#define DL_ANNOTATE_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum dl__token_kind {
    DL__END,
    DL__NEWLINE, /* one that no backslash or comment hides */
    DL__NAME,
    DL__NUMBER,
    DL__STRING,
    DL__CHARACTER,
    DL__PUNCT
};

struct dl__token {
    enum dl__token_kind kind;
    const char *text; /* into the lexed text */
    size_t bytes;
    size_t offset;
    bool spaced; /* white space or a comment stands before it */
};

struct dl__lexer {
    const char *text;
    size_t bytes;
    size_t offset;
    /* The `//` comments passed on the way whose text begins with `DL:`; may be NULL.
     * `body` is what follows the colon. */
    void (*on_note)(void *user, size_t comment_offset, const char *body,
                    size_t body_bytes);
    void *user;
    const struct dl__kept_token *kept; /* the next one, where the text was lexed before */
};

/* Of a text's bytes [begin, end). */
static inline struct dl__lexer dl__lexer_at(const char *text, size_t begin, size_t end)
{
    return (struct dl__lexer){.text = text, .bytes = end, .offset = begin};
}

/* The tokens of a whole text of less than 4 GiB; the last is DL__END. */
struct dl__tokens {
    const char *text;
    struct dl__kept_token {
        uint32_t offset, bytes;
        unsigned char kind;
        bool spaced;
    } * items;
    size_t count, room;
};

/* Goes over what is kept of [begin, end); a token begins at `begin`. Its offset is not to
 * be set. */
struct dl__lexer dl__lexer_of(const struct dl__tokens *tokens, size_t begin, size_t end);

struct dl__token dl__lex_next(struct dl__lexer *lexer);
/* The same, on whatever line it stands. */
static inline struct dl__token dl__lex_over_lines(struct dl__lexer *lexer)
{
    struct dl__token t;

    do
        t = dl__lex_next(lexer);
    while (t.kind == DL__NEWLINE);
    return t;
}

/* Goes to the newline that ends the line, or to the text's end. */
void dl__lex_pass_line(struct dl__lexer *lexer);
/* Here, so that a compiler knows the length of a literal: most questions to tokens are of
 * this kind. */
static inline bool dl__token_is(const struct dl__token *token, const char *text)
{
    return token->bytes == strlen(text) && !memcmp(token->text, text, token->bytes);
}
/* True of a name that begins as those of generated text do. */
static inline bool dl__is_reserved(const char *name, size_t bytes)
{
    return bytes > 3 && (!memcmp(name, "dl_", 3) || !memcmp(name, "DL_", 3));
}
/* True when a word is one of those that spaces part in `words`. */
bool dl__is_in(const char *words, const char *word, size_t bytes);
static inline bool dl__token_in(const struct dl__token *token, const char *words)
{
    return dl__is_in(words, token->text, token->bytes);
}

/* True for the words that make a function a kernel: the compiler's own macro
 * kernel_exec(x, type), too. */
static inline bool dl__is_kernel_word(const struct dl__token *token)
{
    return dl__token_in(token, "__kernel kernel kernel_exec __kernel_exec");
}

/* True when the two texts would read as other tokens without a space between them. */
bool dl__tokens_stick(const char *left, size_t left_bytes, const char *right);
/* Returns how a built-in atomic function of this name uses the target of its pointer; 0:
 * it is none. */
enum { DL__ATOMIC_READS = 1, DL__ATOMIC_WRITES = 2 };
unsigned dl__atomic_of(const char *name, size_t bytes);
/* True when the word, a name, stands in the text, be it in a comment. */
bool dl__text_has_word(const char *text, size_t bytes, const char *word);

/* Bytes of the UTF-8 byte order mark that a text begins with; 0: there is none. */
static inline size_t dl__mark_bytes(const char *text, size_t bytes)
{
    return bytes >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

/* First byte at or after `at` that is neither space nor comment. */
static inline size_t dl__text_skip(const char *text, size_t bytes, size_t at)
{
    struct dl__lexer lexer = dl__lexer_at(text, at, bytes);

    return dl__lex_over_lines(&lexer).offset;
}

/* The greatest common divisor; of 0 and a number, that number. Never negative. */
int64_t dl__common_divisor(int64_t a, int64_t b);

/* Reads a whole text as an integer literal with its suffixes. False when it is not one;
 * *value is UINT64_MAX for one that is larger than that. */
bool dl__integer_read(const char *text, size_t bytes, uint64_t *value, bool *is_unsigned);

/* Binary operators of integer expressions, by precedence climbing: for #if and for
 * dimensions. */

struct dl__climb_operator {
    const char *text;
    int level; /* from 1; a higher one binds tighter */
    int code;  /* the caller's */
};

struct dl__climb_value {
    int64_t value;
    bool is_unsigned;
};

/* A parser brings its tokens, and what an operand and an operator mean to it. A parser
 * that emits code leaves the values alone. */
struct dl__climber {
    const struct dl__climb_operator *operators;
    size_t operator_count;
    /* Moves on after the next token, if it is this operator. */
    bool (*take)(void *parser, const char *text);
    struct dl__climb_value (*operand)(void *parser);
    struct dl__climb_value (*apply)(void *parser, const struct dl__climb_operator *op,
                                    struct dl__climb_value left,
                                    struct dl__climb_value right);
};

/* Parses an expression of operators of `lowest` level and above, as far as it goes. */
struct dl__climb_value dl__climb(const struct dl__climber *climber, void *parser,
                                 int lowest);

#endif
