/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4). Threads: safe for distinct states. */
#ifndef DL_INTERCEPT_SHA256_H
#define DL_INTERCEPT_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { DL__SHA256_BYTES = 32 };

struct dl__sha256 {
    uint32_t state[8];
    uint64_t bytes; /* added so far */
    unsigned char block[64];
};

void dl__sha256_begin(struct dl__sha256 *hash);
void dl__sha256_add(struct dl__sha256 *hash, const void *data, size_t bytes);
void dl__sha256_end(struct dl__sha256 *hash, unsigned char out[DL__SHA256_BYTES]);

#endif
