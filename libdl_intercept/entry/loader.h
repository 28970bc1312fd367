/* SPDX-License-Identifier: MIT */
/* The OpenCL library that the program uses: finding it, and finding symbols in it
 * (real.c). "Loader" also means a driver that is linked directly, without a
 * loader. */
#ifndef DL_INTERCEPT_LOADER_H
#define DL_INTERCEPT_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the code or data at `address` belongs to this library; to a library whose name
 * says that it is an OpenCL loader. */
bool dl__library_is_own(const void *address);
bool dl__library_is_loader(const void *address);

/* The start of the object that holds `address`, NULL when there is none: its identity. */
const void *dl__library_base(const void *address);

/* Where the object that holds `address` lies; 0 bytes when there is none. */
void dl__library_range(const void *address, uintptr_t *start, size_t *bytes);

/* Keeps the object that holds `address` loaded for the life of the process.
 * false: it can't be, or lives in another namespace. */
bool dl__library_pin(const void *address);

/* What the object that holds `address`, or a library that it needs, has under `name`;
 * NULL when that is nothing, or is this library's. */
void *dl__library_find(const void *address, const char *name);

/* The function `name` of the program's loader, NULL when it has none. The first call
 * settles which library that is, for good; `caller` is an address in the code that wants
 * it.
 *   errors  NULL: no loader, or the loader lacks the function */
void *dl__loader_find(const void *caller, const char *name);

/* The function `name` as `caller` would reach it without this library: like
 * dl__loader_find, but of the caller's own loader where it has one. */
void *dl__loader_find_for(const void *caller, const char *name);

/* The program asked for `address` of a loader by dlsym: remember that loader for
 * dl__loader_find. true: later look-ups can use it. */
bool dl__loader_note(const void *address);

#endif
