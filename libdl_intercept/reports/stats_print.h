/* Printing statistics. */
#ifndef DL_INTERCEPT_STATS_PRINT_H
#define DL_INTERCEPT_STATS_PRINT_H

#include <stdio.h>

#include "stats_rows.h"

/* As --stats=FILE has it, and for people. */
void dl__stats_print_json(const struct dl__counted *counted, FILE *out);
void dl__stats_print_table(const struct dl__counted *counted, FILE *out);

#endif
