/* SPDX-License-Identifier: MIT */
/* A program's build options, as far as the transformer needs them. */
#ifndef DL_ANNOTATE_BUILD_OPTIONS_H
#define DL_ANNOTATE_BUILD_OPTIONS_H

#include "annotate/base/arena.h"

struct dl__define {
    const char *name; /* may carry a parameter list: `F(x)` */
    const char *value;
    bool undefine;
};

struct dl__build_options {
    struct {
        struct dl__define *items;
        size_t count, room;
    } defines; /* -D and -U, in order */
    struct {
        const char **items;
        size_t count, room;
    } include_dirs;
    struct {
        const char **items;
        size_t count, room;
    } flags; /* those of mathematics, by which the compiler defines macros, too */
    const char *cl_std;   /* "CL1.2", or NULL */
    const char *relaxed;  /* the option that relaxes floating-point results, or NULL */
    const char *includes; /* one that includes files by other means than -I, or NULL */
};

/* Splits `text` (NULL: no options) as clBuildProgram does: by spaces, with quotes. What
 * the transformer needs not know is left out. */
void dl__build_options_parse(struct dl__arena *arena, const char *text,
                             struct dl__build_options *out);

#endif
