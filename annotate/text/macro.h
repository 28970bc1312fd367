/* SPDX-License-Identifier: MIT */
/* Macros and their expansion. */
#ifndef DL_ANNOTATE_MACRO_H
#define DL_ANNOTATE_MACRO_H

#include "annotate/base/arena.h"
#include "annotate/text/lex.h"

struct dl__hidden; /* the macros a token must not be expanded by again */

/* A token in a list. */
struct dl__item {
    enum dl__token_kind kind;
    const char *text;
    size_t bytes;
    bool spaced;
    struct dl__hidden *hidden;
    struct dl__item *next;
};

struct dl__macro {
    const char *name;
    size_t name_bytes;
    bool defined;
    bool compiler; /* of the compiler: never expanded in code */
    bool user;     /* it was once the user's */
    bool undefined_by_user;
    bool function;
    bool variadic; /* the last parameter takes the rest */
    const char **parameters;
    size_t parameter_count;
    struct dl__item *body;
    struct dl__macro *next;
};

enum { DL__MACRO_BUCKETS = 1024 };

struct dl__macros {
    struct dl__arena *arena;
    struct dl__macro *buckets[DL__MACRO_BUCKETS];
    size_t steps;       /* bounds runaway expansion */
    bool keeps_defined; /* what `defined` asks for is not expanded */
};

/* NULL when not defined. */
struct dl__macro *dl__macro_find(const struct dl__macros *macros, const char *name,
                                 size_t bytes);
/* Replaces a definition; the caller fills it. */
struct dl__macro *dl__macro_define(struct dl__macros *macros, const char *name,
                                   size_t bytes);
/* True when a name in the text was ever the user's macro, so that a preprocessor may
 * expand it;
 * `*name` is the first such. A function-like macro counts before a parenthesis only. */
bool dl__macro_in_text(const struct dl__macros *macros, const char *text, size_t bytes,
                       struct dl__token *name);
/* False once the user has defined or undefined the name. */
bool dl__macro_is_compilers(const struct dl__macros *macros, const char *name,
                            size_t bytes);
void dl__macro_undefine(struct dl__macros *macros, const char *name, size_t bytes);
/* Parses what follows `#define`; false when malformed. */
bool dl__macro_parse(struct dl__macros *macros, const struct dl__token *tokens,
                     size_t count);

struct dl__item *dl__item_make(struct dl__arena *arena, const struct dl__token *token);
/* False for NULL, too. */
bool dl__item_is(const struct dl__item *item, const char *text);
/* Expands a list fully; with `compiler` also by the compiler's macros. */
struct dl__item *dl__macro_expand(struct dl__macros *macros, struct dl__item *list,
                                  bool compiler);
/* The macro by which this item would be expanded, or NULL. */
struct dl__macro *dl__macro_of_item(const struct dl__macros *macros,
                                    const struct dl__item *item);
/* Appends the list as text, with the spaces it needs. */
void dl__items_print(const struct dl__item *list, struct dl__buf *out);

#endif
