/* SPDX-License-Identifier: MIT */
/* The environment as it was when DL's library was loaded: a program may clear or change
 * its own before its first OpenCL call. And names of files that each process of a job has
 * for itself. */
#ifndef DL_OPTIONS_ENVIRONMENT_H
#define DL_OPTIONS_ENVIRONMENT_H

#include <stdbool.h>

/* Copies what DL asks for: variables that begin with DL_, and those that say where caches
 * are and which rank of a job this is. From then on dl_environment_get answers from the
 * copy. Once, before other threads; a program that runs with more rights than its user's
 * keeps nothing. */
void dl_environment_keep(void);

/* The value, NULL where there is none or it is not to be trusted. Without a copy it is
 * the value of now. Borrowed for the life of the process where there is a copy. */
const char *dl_environment_get(const char *name);

/* The copied "NAME=value" strings, which end with NULL. Borrowed for the life of the
 * process. */
const char *const *dl_environment_kept(void);

/* True where PATH had a program of that name then, and what the program has made of PATH
 * has none. `name` is always the same. */
bool dl_environment_lost_program(const char *name);

/* The name with %p as the number of this process, %r as its rank in the job (0 where no
 * launcher says one) and %% as %. The caller frees it; NULL: out of memory. */
char *dl_process_name(const char *name);

#endif
