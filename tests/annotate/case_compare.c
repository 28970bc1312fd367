/* SPDX-License-Identifier: MIT */
/* Comparing what a case's kernel left. */
#include "case_compare.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

/* True when a byte of a struct is in a list "6+2 14+2", or "/6+2/14+2". */
static bool is_ignored(const char *list, size_t byte)
{
    unsigned offset, bytes;
    int n;

    while (list && sscanf(list += *list == '/', " %u+%u%n", &offset, &bytes, &n) == 2) {
        if (byte >= offset && byte - offset < bytes)
            return true;
        list += n;
    }
    return false;
}

void case_compare(const struct case_file *c, const char *build_options, size_t n,
                  const struct arg *args, unsigned arg_count, unsigned char **want,
                  unsigned char **got)
{
    for (unsigned i = 0; i < arg_count; i++) {
        for (size_t b = 0; want[i] && b < args[i].bytes; b++) {
            size_t s = args[i].note ? args[i].leaves.struct_bytes : 1;

            if (args[i].note &&
                (is_ignored(c->ignore, b % s) || is_ignored(args[i].open, b % s)))
                continue;
            ck_assert_msg(
                want[i][b] == got[i][b],
                "%s, %s, n = %zu: argument %u, struct %zu, byte %zu: %02x, not %02x",
                c->name, build_options, n, i, b / s, b % s, got[i][b], want[i][b]);
        }
        free(got[i]);
    }
}
