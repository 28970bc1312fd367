/* SPDX-License-Identifier: MIT */
/* Where whole structs of annotated buffers are accessed. For this room only. */
#ifndef DL_ANNOTATE_COALESCE_PLACE_H
#define DL_ANNOTATE_COALESCE_PLACE_H

#include "annotate/coalesce/coalesce.h"

struct dl__coalescing {
    struct dl__rewriter *w;
    struct dl__kernel *k;
    struct dl__coalesced *c;
    struct {
        struct dl__taken {
            const struct dl__node *node;
            const char *why; /* it stays plain; NULL: it is accessed together */
        } * items;
        size_t count, room;
    } taken;          /* subscripts of whole structs that were looked at */
    bool by_members;  /* structs that are read by members, too */
    const char *live; /* "dl_live ? " where not all work-items have a struct; else "" */
    const char *why;  /* all others stay plain */
};

/* The edits of a kernel's body (coalesce.c). */
void dl__coalesce_body(struct dl__coalescing *c, struct dl__node *all);
/* As if nothing had been found since there were so many. */
void dl__coalesce_forget(struct dl__coalescing *c, struct dl__coalesced before,
                         size_t taken);
/* The subscript that `n` is, of a whole struct of an annotated buffer in global memory;
 * NULL: it is something else. */
struct dl__node *dl__whole_struct(struct dl__coalescing *c, struct dl__node *n);
/* The same of a statement that assigns to one: its subscript. */
struct dl__node *dl__stored_struct(struct dl__coalescing *c, struct dl__node *statement);
/* True when something in it is a `return`. */
bool dl__has_return(const struct dl__node *n);
/* True when it is a declaration that work-items without a struct can pass: all variables
 * are scalars or pointers, or hold a whole struct. *loads counts these. */
bool dl__is_head(struct dl__coalescing *c, struct dl__node *statement, unsigned *loads);
/* True when no memory is read for it but variables. */
bool dl__is_memoryless(struct dl__coalescing *c, struct dl__node *n);
/* True when neighbours' indices are not likely to be one apart: made of memory, or of
 * divisions. */
bool dl__is_scattered(struct dl__coalescing *c, struct dl__node *index);
/* Behind the token that ends what begins at `at`: one of `ends`, outside all brackets. */
size_t dl__end_behind(const struct dl__coalescing *c, size_t at, const char *ends);
/* What was found of a subscript that was looked at; NULL: it was not. */
const struct dl__taken *dl__taken(const struct dl__coalescing *c,
                                  const struct dl__node *n);
/* Remarks on every whole struct that is not accessed together, and on members. */
void dl__say_plain(struct dl__coalescing *c);

#endif
