/* SPDX-License-Identifier: MIT */
/* ck_assert for innermost loops: libcheck's own writes down each line that it passes. */
#ifndef DL_TESTS_MUST_H
#define DL_TESTS_MUST_H

#include <check.h>

#define MUST(claim) ((claim) ? (void)0 : ck_abort_msg("not so: %s", #claim))

#endif
