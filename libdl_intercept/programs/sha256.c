/* SPDX-License-Identifier: MIT */
/* SHA-256, as FIPS 180-4 describes it. */
#include "sha256.h"

#include <string.h>

/* The fractions of the cube roots of the first 64 primes. */
static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x >> bits | x << (32 - bits);
}

/* The eight words change their names from step to step, so that none is moved. */
#define STEP(a, b, c, d, e, f, g, h, i)                                                  \
    do {                                                                                 \
        uint32_t one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +              \
                       (g ^ (e & (f ^ g))) + rounds[i] + w[i];                           \
        uint32_t two =                                                                   \
            (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) | (c & (a | b)));  \
        d += one;                                                                        \
        h = one + two;                                                                   \
    } while (0)

static void add_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    uint32_t w[64];

    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (size_t i = 16; i < 64; i++) {
        uint32_t x = w[i - 15], y = w[i - 2];

        w[i] = w[i - 16] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + w[i - 7] +
               (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
    }
    for (size_t i = 0; i < 64; i += 8) {
        STEP(a, b, c, d, e, f, g, h, i);
        STEP(h, a, b, c, d, e, f, g, i + 1);
        STEP(g, h, a, b, c, d, e, f, i + 2);
        STEP(f, g, h, a, b, c, d, e, i + 3);
        STEP(e, f, g, h, a, b, c, d, i + 4);
        STEP(d, e, f, g, h, a, b, c, i + 5);
        STEP(c, d, e, f, g, h, a, b, i + 6);
        STEP(b, c, d, e, f, g, h, a, i + 7);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

void dl__sha256_begin(struct dl__sha256 *hash)
{
    /* The fractions of the square roots of the first 8 primes. */
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    memcpy(hash->state, start, sizeof start);
    hash->bytes = 0;
}

void dl__sha256_add(struct dl__sha256 *hash, const void *data, size_t bytes)
{
    const unsigned char *from = data;

    while (bytes) {
        size_t at = hash->bytes % sizeof hash->block;
        size_t part = sizeof hash->block - at < bytes ? sizeof hash->block - at : bytes;

        if (at == 0 && bytes >= sizeof hash->block) {
            part = sizeof hash->block;
            add_block(hash->state, from);
        } else {
            memcpy(hash->block + at, from, part);
            if (at + part == sizeof hash->block)
                add_block(hash->state, hash->block);
        }
        hash->bytes += part;
        from += part;
        bytes -= part;
    }
}

void dl__sha256_end(struct dl__sha256 *hash, unsigned char out[DL__SHA256_BYTES])
{
    static const unsigned char padding[64] = {0x80};
    uint64_t bits = hash->bytes * 8;
    size_t at = hash->bytes % 64;
    unsigned char length[8];

    for (size_t i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    dl__sha256_add(hash, padding, at < 56 ? 56 - at : 120 - at);
    dl__sha256_add(hash, length, sizeof length);
    for (size_t i = 0; i < DL__SHA256_BYTES; i++)
        out[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}
