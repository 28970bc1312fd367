/* SPDX-License-Identifier: MIT */
/* The walk that meets every access, in every context. */
#ifndef DL_ANNOTATE_FACTS_COLLECT_H
#define DL_ANNOTATE_FACTS_COLLECT_H

#include "annotate/facts/facts.h"
#include "annotate/facts/frame.h"

/* Whether an access reads and writes. */
enum { DL__READS = 1, DL__WRITES = 2, DL__ATOMIC = 4 };

enum { DL__LEVELS_MAX = 32 };

/* Where the walk is. Sets of levels: loops around, outermost first, through calls. */
struct dl__collector_seen;

struct dl__collector {
    struct dl__frame *frame;
    uint32_t *rows_levels, *rest_levels; /* by parameter: what the argument varies with */
    uint32_t loop_level[DL__LOOPS_MAX];  /* by loop of the outline: its bit, 0 outside */
    unsigned level;
    unsigned loops;            /* that count */
    enum dl__agreement around; /* of all conditions */
    bool left; /* some work-items are gone since a return, break or continue */
    struct dl__collector_seen **seen; /* helpers walked over */
};

/* True where only some of the work-items come. */
bool dl__is_conditional(const struct dl__collector *c);
/* The facts of all that a kernel's frame runs. */
void dl__collect(struct dl__frame *kernel);
/* A place of a buffer; `bytes`: from its beginning on, 0: its own. */
void dl__note_place(struct dl__collector *c, const struct dl__node *at,
                    const struct dl__access *p, unsigned how, uint32_t bytes);
/* So many elements of a flat buffer. */
void dl__note_elements(struct dl__collector *c, const struct dl__node *at,
                       const struct dl__root *root, struct dl__pair pair,
                       uint32_t rows_levels, uint32_t rest_levels, unsigned how,
                       unsigned elements);
/* The levels of a variation in the collector's function; of the rest of pointers. */
uint32_t dl__levels_of(const struct dl__collector *c, dl__variation v, bool rest);
/* Walks over an expression or statement; `how` it is reached when it is a place. */
void dl__collect_node(struct dl__collector *c, struct dl__node *n, unsigned how);
void dl__collect_call(struct dl__collector *c, struct dl__node *n);
/* Walks over a helper's copy. */
void dl__collect_frame(const struct dl__collector *caller, struct dl__frame *frame,
                       struct dl__node *call);

#endif
