/* SPDX-License-Identifier: MIT */
/* Comparing what a case's kernel left. */
#ifndef DL_TESTS_CASE_COMPARE_H
#define DL_TESTS_CASE_COMPARE_H

#include "case_args.h"
#include "case_file.h"

/* Fails by libcheck where a byte of a buffer differs that the language does not leave
 * open. Frees what `got` has. */
void case_compare(const struct case_file *c, const char *build_options, size_t n,
                  const struct arg *args, unsigned arg_count, unsigned char **want,
                  unsigned char **got);

#endif
