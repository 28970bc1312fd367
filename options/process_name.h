/* SPDX-License-Identifier: MIT */
/* Names of files that each process of a job has for itself. */
#ifndef DL_OPTIONS_PROCESS_NAME_H
#define DL_OPTIONS_PROCESS_NAME_H

/* The variables that may say which rank a process is, ended by NULL. */
extern const char *const dl_rank_variables[];

/* The name with %p as the number of this process, %r as its rank in the job (0 where no
 * launcher says one) and %% as %. The caller frees it; NULL: out of memory. */
char *dl_process_name(const char *name);

#endif
