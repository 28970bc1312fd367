/* SPDX-License-Identifier: MIT */
/* The facts as they are kept. */
#ifndef DL_INTERCEPT_FACTS_ROWS_H
#define DL_INTERCEPT_FACTS_ROWS_H

#include "facts.h"

struct dl__kernel_fact {
    char *name;
    enum dl__origin origin;
    enum dl__text_has has;
};

/* Whether there is a text of it that DL can run. */
static inline bool dl__fact_is_followed(const struct dl__kernel_fact *kernel)
{
    return kernel->has >= DL__HAS_CANDIDATES;
}

/* An entry of the side file. */
struct dl__side_fact {
    char *kernel;
    unsigned line;
    bool in_text; /* the name stands in a text that was built */
    bool made;    /* a kernel of that name was made */
};

struct dl__message {
    int level; /* of enum dl__log_level */
    char *text;
};

struct dl__facts {
    bool opencl;
    unsigned programs[DL__ORIGINS];
    unsigned long verified[DL__VERIFIED_COUNT];
    struct dl__kernel_fact *kernels;
    size_t kernel_count;
    struct dl__side_fact *side; /* by name */
    size_t side_count;
    const char *side_path;
    struct dl__message *messages;
    size_t message_count;
};

/* The name of a kernel that was seen and that a side file's may have been meant for;
 * NULL: none. */
const char *dl__facts_nearest(const struct dl__facts *facts, const char *name);
/* facts_close.c: the lines that are said at the end. */
void dl__facts_say_all(const struct dl__facts *facts);
/* facts_close.c: appends the facts to the report. */
void dl__facts_report(const struct dl__facts *facts, const char *path);

#endif
