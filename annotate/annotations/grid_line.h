/* SPDX-License-Identifier: MIT */
/* Grids in the tables of a rewritten text. */
#ifndef DL_ANNOTATE_GRID_LINE_H
#define DL_ANNOTATE_GRID_LINE_H

#include "annotate/notes.h"

/* "extent", "strips", "matrix" */
bool dl__is_grid_line(const char *key);
/* Reads what follows the key and its colon. */
enum dl_status dl__grid_line_parse(const char *key, const char *text, size_t bytes,
                                   struct dl_buffer_note *out);

#endif
