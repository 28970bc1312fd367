/* SPDX-License-Identifier: MIT */
#include "tools/dl-bench/flags.h"

#include <getopt.h>

enum { FLAGS_MAX = 32 };

static const char **value_of(void *values, const struct bench_flag *flag)
{
    return (const char **)((char *)values + flag->at);
}

enum bench_flags bench_flags_read(const struct bench_flag *flags, size_t count, int argc,
                                  char **argv, void *values)
{
    struct option longs[FLAGS_MAX + 2] = {{0}};
    const char *wrong = NULL, *word = NULL;
    int found, which = 0;

    for (size_t f = 0; f < count; f++) {
        *value_of(values, &flags[f]) = flags[f].fallback;
        longs[f].name = flags[f].flag;
        longs[f].has_arg = *flags[f].value ? required_argument : no_argument;
    }
    longs[count].name = "help";
    longs[count].val = 'h';
    opterr = 0;
    optind = 1;
    while ((found = getopt_long(argc - 1, argv + 1, "+:h", longs, &which)) == 0)
        *value_of(values, &flags[which]) = optarg ? optarg : "yes";
    if (found == 'h')
        return BENCH_FLAGS_HELP;
    if (found != -1) {
        wrong = found == ':' ? "a value is missing after" : "unknown option";
        word = argv[optind];
    } else if (optind + 1 < argc) {
        wrong = "unknown option";
        word = argv[optind + 1];
    }
    if (wrong)
        fprintf(stderr, "dl-bench %s: %s %s (see --help)\n", argv[1], wrong, word);
    return wrong ? BENCH_FLAGS_BAD : BENCH_FLAGS_READ;
}

void bench_flags_print(FILE *out, const struct bench_flag *flags, size_t count)
{
    for (size_t f = 0; f < count; f++) {
        const char *fallback = flags[f].fallback;

        fprintf(out, "  --%-10s %-10s %s%s%s%s\n", flags[f].flag, flags[f].value,
                flags[f].help, *fallback ? " [" : "", fallback, *fallback ? "]" : "");
    }
}
