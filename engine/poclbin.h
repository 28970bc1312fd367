/* SPDX-License-Identifier: MIT */
/* PoCL's binaries. They hold files of PoCL's cache directory as these were when the
 * binary was asked for, and PoCL writes some of them in place: while another process
 * builds the same program they may be empty, or cut off. PoCL hands that out as success,
 * and aborts the process that gives it back (pocl_binary.c: `len > 0`; seen in 3 of 15
 * rounds of three processes that began together with empty caches). So nothing of that
 * kind may be kept or be loaded. */
#ifndef DL_POCLBIN_H
#define DL_POCLBIN_H

#include <stdbool.h>
#include <stddef.h>

/* True for a binary of PoCL's in which a file is missing or cut off; false for all other
 * drivers'. Of versions of the format that are not known (6 to 9 are; PoCL 3.1 has 9)
 * only the beginning is looked at. */
bool dl__poclbin_is_broken(const void *binary, size_t bytes);

#endif
