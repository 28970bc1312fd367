/* SPDX-License-Identifier: MIT */
/* Looks among --size candidates for the one that a PBKDF2-HMAC-SHA256 digest of 1 + 16 *
 * --steps iterations belongs to. --check compares every candidate's key with C, and C
 * with RFC 7914's. */
#include "app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOP = 16 };

typedef struct {
    cl_uint i[16];
    cl_uint pw_len;
} pw_t;

typedef struct {
    cl_uint salt_buf[12];
    cl_uint salt_len;
    cl_uint salt_iter;
    cl_uint digest[8];
} salt_t;

typedef struct {
    cl_uint ipad[8], opad[8], dgst[8], out[8];
} tmp_t;

static const char salt_text[] = "sodium chloride";

static const uint32_t k256[64] = {
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

static uint32_t rotr(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void sha256_block(const unsigned char *block, uint32_t *state)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] +
               (rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, state, sizeof(s));
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = s[7] + (rotr(s[4], 6) ^ rotr(s[4], 11) ^ rotr(s[4], 25)) +
                      ((s[4] & s[5]) ^ (~s[4] & s[6])) + k256[i] + w[i];
        uint32_t t2 = (rotr(s[0], 2) ^ rotr(s[0], 13) ^ rotr(s[0], 22)) +
                      ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof(*s));
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

/* Of the 64 bytes of a padded key and up to 100 more, as HMAC wants. */
static void sha256(const unsigned char *pad, const unsigned char *text, size_t length,
                   unsigned char *digest)
{
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char tail[128] = {0};
    size_t tail_bytes = length + 9 <= 64 ? 64 : 128, bits = (64 + length) * 8;
    memcpy(tail, text, length);
    tail[length] = 0x80;
    tail[tail_bytes - 1] = (unsigned char)bits;
    tail[tail_bytes - 2] = (unsigned char)(bits >> 8);
    sha256_block(pad, state);
    for (size_t i = 0; i < tail_bytes; i += 64)
        sha256_block(tail + i, state);
    for (int i = 0; i < 32; i++)
        digest[i] = (unsigned char)(state[i / 4] >> (8 * (3 - i % 4)));
}

static void hmac(const char *key, const unsigned char *text, size_t length,
                 unsigned char *digest)
{
    unsigned char inner[64] = {0}, outer[64], hash[32];
    memcpy(inner, key, strlen(key));
    for (int i = 0; i < 64; i++) {
        outer[i] = inner[i] ^ 0x5c;
        inner[i] ^= 0x36;
    }
    sha256(inner, text, length, hash);
    sha256(outer, hash, sizeof(hash), digest);
}

static void pbkdf2(const char *password, const char *salt, long iterations, cl_uint *key)
{
    unsigned char text[64], u[32], out[32];
    size_t length = strlen(salt);
    memcpy(text, salt, length);
    memcpy(text + length, "\0\0\0\1", 4);
    hmac(password, text, length + 4, u);
    memcpy(out, u, sizeof(out));
    for (long i = 1; i < iterations; i++) {
        hmac(password, u, sizeof(u), u);
        for (int k = 0; k < 32; k++)
            out[k] ^= u[k];
    }
    for (int k = 0; k < 8; k++)
        key[k] = (cl_uint)out[4 * k] << 24 | (cl_uint)out[4 * k + 1] << 16 |
                 (cl_uint)out[4 * k + 2] << 8 | out[4 * k + 3];
}

static void candidate(size_t i, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s%zu%s", i % 3 ? "hunter" : "Correct horse ", i * 7919,
             i % 2 ? "!" : "");
}

/* Bytes into the words of a big endian machine. */
static void pack(cl_uint *words, const char *text)
{
    for (size_t i = 0; text[i]; i++)
        words[i / 4] |= (cl_uint)(unsigned char)text[i] << (8 * (3 - i % 4));
}

static void check_keys(struct app *app, const tmp_t *tmps, size_t count, long iterations)
{
    static const cl_uint once[2] = {0x120fb6cf, 0xfcf8b32c};
    static const cl_uint twice[2] = {0xae4d0c95, 0xaf6b46d3};
    cl_uint key[8];
    pbkdf2("password", "salt", 1, key);
    app_expect(app, !memcmp(key, once, sizeof(once)), "the reference itself is wrong");
    pbkdf2("password", "salt", 2, key);
    app_expect(app, !memcmp(key, twice, sizeof(twice)), "the reference itself is wrong");
    for (size_t i = 0; i < count; i++) {
        char text[64];
        candidate(i, text, sizeof(text));
        pbkdf2(text, salt_text, iterations, key);
        app_expect(app, !memcmp(key, tmps[i].out, sizeof(key)),
                   "the key of '%s' is wrong", text);
    }
}

int main(int argc, char **argv)
{
    struct app app;
    app_open(&app, argc, argv, 300, 4);
    app_build(&app, "keystretch.cl", "");

    size_t count = (size_t)app.size, global = (count + 31) / 32 * 32,
           secret = count * 2 / 3;
    long iterations = 1 + LOOP * app.steps;
    cl_uint gid_max = (cl_uint)count, loop_count = LOOP, found = 0xffffffff;
    pw_t *pws = app_alloc(&app, count * sizeof(*pws));
    tmp_t *tmps = app_alloc(&app, count * sizeof(*tmps));
    salt_t salt;
    char text[64];
    memset(pws, 0, count * sizeof(*pws));
    memset(&salt, 0, sizeof(salt));
    for (size_t i = 0; i < count; i++) {
        candidate(i, text, sizeof(text));
        pws[i].pw_len = (cl_uint)strlen(text);
        pack(pws[i].i, text);
    }
    pack(salt.salt_buf, salt_text);
    salt.salt_len = (cl_uint)strlen(salt_text);
    salt.salt_iter = (cl_uint)iterations;
    candidate(secret, text, sizeof(text));
    pbkdf2(text, salt_text, iterations, salt.digest);

    cl_mem d_pws = app_buffer(&app, count * sizeof(*pws), pws);
    cl_mem d_tmps = app_buffer(&app, count * sizeof(*tmps), NULL);
    cl_mem d_salt = app_buffer(&app, sizeof(salt), &salt);
    cl_mem d_found = app_buffer(&app, sizeof(found), &found);
    cl_kernel init = app_kernel(&app, "m_init"), loop = app_kernel(&app, "m_loop");
    cl_kernel comp = app_kernel(&app, "m_comp");
    ARG(&app, init, 0, d_pws), ARG(&app, init, 1, d_tmps), ARG(&app, init, 2, d_salt);
    ARG(&app, init, 3, gid_max);
    ARG(&app, loop, 0, d_tmps), ARG(&app, loop, 1, loop_count),
        ARG(&app, loop, 2, gid_max);
    ARG(&app, comp, 0, d_tmps), ARG(&app, comp, 1, d_salt), ARG(&app, comp, 2, d_found);
    ARG(&app, comp, 3, gid_max);
    app_run(&app, init, global, 32);
    for (long step = 0; step < app.steps; step++)
        app_run(&app, loop, global, 32);
    app_run(&app, comp, global, 32);
    app_read(&app, d_tmps, count * sizeof(*tmps), tmps);
    app_read(&app, d_found, sizeof(found), &found);
    app_expect(&app, found == secret, "found candidate %u, not %zu", found, secret);
    app_sum(&app, tmps, count * sizeof(*tmps));
    app_sum(&app, &found, sizeof(found));
    if (app.check)
        check_keys(&app, tmps, count, iterations);
    free(pws);
    free(tmps);
    return app_close(&app);
}
