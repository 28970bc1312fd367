/* SPDX-License-Identifier: MIT */
/* A whole life of an annotated program: everything made, a kernel launched, all released.
 */
#ifndef UNLOAD_WORK_H
#define UNLOAD_WORK_H

#include <stdbool.h>

typedef void *(*lookup_fn)(void *, const char *);
typedef int (*work_fn)(lookup_fn, void *);

/* With the functions that `lookup` has in `library`; 0: all went well. */
int work_through(lookup_fn lookup, void *library);

#endif
