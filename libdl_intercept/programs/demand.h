/* SPDX-License-Identifier: MIT */
/* Kernels that read discrete arrays (SoA) in programs whose text DL does not have: loaded
 * from binaries (recall.h) or IL, or linked with such. They must not run on the program's
 * layout.
 *
 * What is known of a program is a list of their names: from its notes when it is built
 * from source, from its binaries when DL has seen these built, in this run or, by the
 * cache, in an earlier one. A side file names kernels of any program. */
#ifndef DL_INTERCEPT_DEMAND_H
#define DL_INTERCEPT_DEMAND_H

#include "kernels.h"
#include "recall.h"

/* Lists are strings to be freed, NULL when empty; a list that can't grow, without memory,
 * stays as it is. Adds the names of `notes` or `list`; both may be NULL. */
void dl__demands_add_notes(char **list, const struct dl_notes *notes);
void dl__demands_add(char **list, const char *more);
/* The names in a text, as they are found without libclang. */
void dl__demands_add_text(char **list, const char *text, size_t bytes);

/* A program with these kernels, NULL: none, has this binary: remembered. */
void dl__demands_remember(const char *list, const struct dl__binary_name *name);
/* Adds what is remembered of a binary. */
void dl__demands_add_binary(char **list, const struct dl__binary_name *name);

/* True when the kernel of this program, for which there is no note, reads discrete
 * arrays. */
bool dl__demands_kernel(const struct dl__program *program,
                        const char *kernel) DL__WITH_LOCK;

#endif
