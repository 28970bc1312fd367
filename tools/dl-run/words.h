/* SPDX-License-Identifier: MIT */
/* The glossary, docs/glossary.md, as part of dl-run: documents are left out of many
 * installations. */
#ifndef DL_RUN_WORDS_H
#define DL_RUN_WORDS_H

#include <stdio.h>

/* Prints the rows of its table as text, a word and below it what it means. */
void words_print(FILE *to);

#endif
