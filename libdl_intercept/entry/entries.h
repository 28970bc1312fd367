/* SPDX-License-Identifier: MIT */
/* The exported symbols and the layer, to the library's dlsym. */
#ifndef DL_INTERCEPT_ENTRIES_H
#define DL_INTERCEPT_ENTRIES_H

/* The exported symbol of that name, NULL when there is no such symbol. */
void *dl__entry_find(const char *name);

/* The handle of the layer whose entry points this thread's loader has just looked up,
 * NULL when that is this library. */
extern _Thread_local void *dl__layer_looked_up;

#endif
