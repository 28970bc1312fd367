/* SPDX-License-Identifier: MIT */
/* Runs a case as written and rewritten: on AoS, tiles of 16 and 32, one tile with a tail
 * and without, with 32- and 64-bit indices, for 1, M-1, M, M+1 and a prime number of
 * structs. Fails by libcheck when a byte differs. */
#ifndef DL_TESTS_CASE_RUN_H
#define DL_TESTS_CASE_RUN_H

#include <stdbool.h>

#include "case_file.h"

/* Opens the device that DL_TEST_DEVICE has a part of the name of, else one on the CPU;
 * false when there is none. */
bool case_run_open(void);
void case_run_close(void);
/* Whether what case_run builds from here on is to be optimised, as it is at first:
 * without, a case takes half as long. What is compared is optimised alike. */
void case_run_optimise(bool optimise);
/* Sets of tilings, one bit each: the program's own layout, tiles of 16 and of 32, one
 * tile and its tail, one tile of all. Each set has coalesced access, too, of kernels that
 * have a text for it. */
enum {
    CASE_COALESCED = 32,
    CASE_TILINGS_ODD = 21 | CASE_COALESCED,
    CASE_TILINGS_EVEN = 10 | CASE_COALESCED,
    CASE_TILINGS_PROVED = 7, /* that --prove speaks of */
    CASE_TILINGS_ALL = 31 | CASE_COALESCED,
    /* Instead of a tiling: as written, built without optimising. */
    CASE_AS_WRITTEN = 64
};
/* A case with a bare text runs as that becomes under detection; returns how many buffers
 * were found in it, 0 where some can't be given tiles. Does nothing for a case that is
 * refused or has no `// run:` line. */
size_t case_run(const struct case_file *c, unsigned which);

#endif
