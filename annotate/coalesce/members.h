/* SPDX-License-Identifier: MIT */
/* Structs that work-items read member by member: where one exchange may load them. For
 * this room only.
 *
 * `f[i].a + f[i].b ...` can be one load of what lies from the first of these members to
 * the last, in front of the statement that reads first, if
 *   - `i` is the same at all of them: made of literals, get_global_id() and variables
 *     that nothing changes, declared before that statement;
 *   - nothing is stored to memory, by no pointer whatever, from there to the last of the
 *     reads: what is stored may be the struct's, since a program may give two arguments
 *     one buffer;
 *   - the first and the last member are read whatever the work-item does, so that nothing
 *     is read that may not be there. */
#ifndef DL_ANNOTATE_COALESCE_MEMBERS_H
#define DL_ANNOTATE_COALESCE_MEMBERS_H

#include "annotate/coalesce/place.h"

/* A struct of which a work-item gets a copy. */
struct dl__own {
    struct dl__node *place; /* `f[i]`, of the first read */
    const struct dl__type *type;
    unsigned first_word, words; /* what is loaded */
    size_t statement;           /* in front of this one */
    struct {
        struct dl__node **items; /* `f[i]`, each in front of a member that is loaded */
        size_t count, room;
    } reads;
};

struct dl__owns {
    struct dl__own *items;
    size_t count, room;
};

/* Finds those that pay among statements that follow one another.
 *   reach  they may be loaded in front of the first so many */
void dl__find_owns(struct dl__coalescing *c, struct dl__node **statements, size_t count,
                   size_t reach, struct dl__owns *out);

/* ---- stores.c ---- */

/* True when it may store to memory that is not a variable of the work-item's. */
bool dl__may_store(struct dl__coalescing *c, struct dl__node *n);
/* The same of a statement but for a store that is all that it does last. */
bool dl__may_store_early(struct dl__coalescing *c, struct dl__node *statement);
/* True when something in `n` changes the variable that is declared there, or takes its
 * address. */
bool dl__coalesce_changes(struct dl__coalescing *c, struct dl__node *n,
                          size_t declared_at);

#endif
