/* SPDX-License-Identifier: MIT */
/* The options of a command of dl-bench, as a table: read, and printed for --help. */
#ifndef BENCH_FLAGS_H
#define BENCH_FLAGS_H

#include <stddef.h>
#include <stdio.h>

/* Its value goes into a struct of `const char *`. */
struct bench_flag {
    const char *flag;  /* without the dashes */
    const char *value; /* what --help calls it; "": takes none, and is "yes" if given */
    const char *fallback; /* if it is not given */
    const char *help;
    size_t at; /* of the value, in the struct */
};

/* A row of a table, from X(identifier, "flag", "VALUE", "default", "help") for a struct
 * `type`. */
#define BENCH_FLAG(type, name, flag, value, fallback, help)                              \
    {flag, value, fallback, help, offsetof(type, name)},

enum bench_flags { BENCH_FLAGS_READ, BENCH_FLAGS_HELP, BENCH_FLAGS_BAD };

/* Reads the words behind argv[1], the command: --flag VALUE, --flag=VALUE, also cut
 * short. BENCH_FLAGS_HELP: --help or -h is among them. BENCH_FLAGS_BAD: after a line on
 * stderr. */
enum bench_flags bench_flags_read(const struct bench_flag *flags, size_t count, int argc,
                                  char **argv, void *values);
/* A line for each. */
void bench_flags_print(FILE *out, const struct bench_flag *flags, size_t count);

#endif
