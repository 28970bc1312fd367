/* SPDX-License-Identifier: MIT */
/* The exported symbols, to dlsym. */
#ifndef DL_INTERCEPT_ENTRIES_H
#define DL_INTERCEPT_ENTRIES_H

/* The exported symbol of that name, NULL when there is no such symbol. */
void *dl__entry_find(const char *name);

#endif
