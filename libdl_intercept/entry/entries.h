/* SPDX-License-Identifier: MIT */
/* The exported symbols, the layer and the program's loader, to the other ways in. */
#ifndef DL_INTERCEPT_ENTRIES_H
#define DL_INTERCEPT_ENTRIES_H

#include <stdbool.h>

/* The exported symbol of that name, NULL when there is no such symbol. */
void *dl__entry_find(const char *name);
/* The hook of that name; NULL when there is none, or the driver lacks the function. */
void *dl__hook_find(const char *name);

/* The handle of the layer whose entry points this thread's loader has just looked up,
 * NULL when that is this library. */
extern _Thread_local void *dl__layer_looked_up;

/* Whether the code or data at `address` belongs to this library; to a library whose name
 * says that it is an OpenCL loader. "Loader" also means a driver that is linked directly,
 * without one. */
bool dl__library_is_own(const void *address);
bool dl__library_is_loader(const void *address);

/* The program asked for `address` of a loader by dlsym: remember that loader for
 * later look-ups. true: they can use it. */
bool dl__loader_note(const void *address);

#endif
