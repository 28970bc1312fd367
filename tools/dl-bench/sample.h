/* SPDX-License-Identifier: MIT */
/* Samples as programs of their own, which dl-bench starts and reads. */
#ifndef BENCH_SAMPLE_H
#define BENCH_SAMPLE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* What a sample prints. */
struct sample_said {
    double time_s, device_s, halo_s; /* the second with --profile: of its kernels alone */
    unsigned long long checksum;
    bool has_checksum;
};

/* The folder of this program, where dl-run is; samples are in ../samples. False after a
 * message. */
bool sample_folder(char folder[PATH_MAX]);
/* Runs a program with these arguments, a NULL behind them, and waits for it. False: it
 * failed, or said neither checksum nor time; it may have said why. */
bool sample_run(const char *const *argv, struct sample_said *said);
/* Takes the next word of a list by commas. False: there is none. */
bool sample_next_word(const char **list, char *word, size_t bytes);

#endif
