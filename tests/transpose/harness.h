/* SPDX-License-Identifier: MIT */
/* Runs a transposition on the test device and compares every byte of the buffer with a
 * reference made on the host. */
#ifndef DL_TEST_TRANSPOSE_HARNESS_H
#define DL_TEST_TRANSPOSE_HARNESS_H

#include <check.h>

#include <stdbool.h>

#include "dl_transpose.h"
#include "tests/marshal/device.h"

struct harness {
    struct device device;
    struct dl_transpose *transpose;
    uint64_t made, refused; /* plans */
    uint64_t seed;
};

/* Exits 77 without a device. */
void harness_open(struct harness *harness);
/* From now on plans are as for a GPU: its tuning, and 48 KiB of local memory. */
enum { HARNESS_GPU_LOCAL_BYTES = 48 << 10 };
void harness_as_gpu(struct harness *harness);
void harness_close(struct harness *harness);
/* Runs the suite in one process, since the device is opened once, and closes the harness.
 *   returns  what main() does */
int harness_run_all(struct harness *harness, Suite *suite);
/* Takes DL_TEST_SEED's seed or keeps its own, and prints it. */
void harness_seed(struct harness *harness);
/* Whether an algorithm is for out of place. */
bool harness_is_out(enum dl_transpose_algorithm algorithm);
uint64_t harness_random(struct harness *harness, uint64_t below);

/* Plans, runs and compares. `spare_bytes` follow the last matrix and must stay.
 *   returns  NULL: right, or the named algorithm refused the shape (counted); else what
 *            is wrong, in memory of the harness */
const char *harness_run(struct harness *harness,
                        const struct dl_transpose_problem *problem, size_t spare_bytes);

#endif
