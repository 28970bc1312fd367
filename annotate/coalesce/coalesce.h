/* SPDX-License-Identifier: MIT */
/* Coalesced access in place (Catanzaro 2014, 6.2, by local memory): whole structs that
 * the work-items of a group load and store together, in a second text of a kernel on the
 * program's own layout, which -DDL_COALESCED chooses. Buffers, arguments and helpers stay
 * as they are.
 *
 * Together means barriers, so all work-items of a group must come to such an access. They
 * do
 *   - in the statements of a kernel's body, none of which stands behind a `return`;
 *   - behind one `if (...) return;`, or in one `if` that ends the kernel: what stands
 *     first there (loads, and declarations that need no more than a value) is done by all
 *     work-items, those without a struct joining in, and the stores that stand last are
 *     done behind the rest.
 * All else is plain access, with a remark. */
#ifndef DL_ANNOTATE_COALESCE_H
#define DL_ANNOTATE_COALESCE_H

#include "annotate/program/rewriter.h"

/* A struct type that a kernel loads or stores together. */
struct dl__grouped {
    const struct dl__type *type;
    const char *load, *store; /* the functions' names; NULL: not used */
    struct dl__words {
        unsigned first, count; /* 4 bytes each */
    } words;                   /* of the struct, that move */
    bool scattered;            /* neighbours' are not expected to be neighbours */
};

struct dl__coalesced {
    struct dl__edits edits; /* of the kernel's own text */
    struct {
        struct dl__grouped *items;
        size_t count, room;
    } types;
    unsigned loads, stores; /* places in the text */
    /* The kernel's first 32 buffers, by bits, whose structs are loaded or stored so and
     * are not so small that group.cl accesses them plainly (DL_GROUP_LEAST). */
    uint32_t loaded, stored;
};

/* Sets k->coalesced where a transformed kernel has such accesses; remarks on each whole
 * struct that is accessed plainly, and why. */
void dl__coalesce(struct dl__rewriter *w, struct dl__kernel *k);
/* Prints the functions that the kernel's second text calls. */
void dl__coalesce_print(struct dl__buf *out, const struct dl__coalesced *c);
/* The text that all second texts rest on: group.cl. */
extern const char dl_group_cl[];

#endif
