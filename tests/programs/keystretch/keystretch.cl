/* SPDX-License-Identifier: MIT */
/* PBKDF2-HMAC-SHA256, one candidate a work-item. _init and _comp run once, _loop as often
 * as it takes, so that no launch is too long; what they hand on is in tmps. */
typedef uint u32;

typedef struct pw {
    u32 i[16]; /* big endian, zeros behind the end */
    u32 pw_len;
} pw_t;

typedef struct salt {
    u32 salt_buf[12];
    u32 salt_len;
    u32 salt_iter;
    u32 digest[8];
} salt_t;

typedef struct pbkdf2_sha256_tmp {
    u32 ipad[8];
    u32 opad[8];
    u32 dgst[8];
    u32 out[8];
} pbkdf2_sha256_tmp_t;

__constant u32 k_sha256[64] = {
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

__constant u32 iv_sha256[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

#define ROTR(x, n) rotate((u32)(x), (u32)(32 - (n)))
#define S0(x) (ROTR(x, 7) ^ ROTR(x, 18) ^ ((x) >> 3))
#define S1(x) (ROTR(x, 17) ^ ROTR(x, 19) ^ ((x) >> 10))
#define S2(x) (ROTR(x, 2) ^ ROTR(x, 13) ^ ROTR(x, 22))
#define S3(x) (ROTR(x, 6) ^ ROTR(x, 11) ^ ROTR(x, 25))
#define CHOOSE(x, y, z) bitselect(z, y, x)
#define MAJORITY(x, y, z) bitselect(x, y, (x) ^ (z))

/* Takes one block into the digest; w is used up. */
static void sha256_transform(u32 *w, u32 *digest)
{
    u32 a = digest[0], b = digest[1], c = digest[2], d = digest[3];
    u32 e = digest[4], f = digest[5], g = digest[6], h = digest[7];
    for (int i = 0; i < 64; i++) {
        if (i >= 16)
            w[i & 15] += S1(w[(i + 14) & 15]) + w[(i + 9) & 15] + S0(w[(i + 1) & 15]);
        const u32 t1 = h + S3(e) + CHOOSE(e, f, g) + k_sha256[i] + w[i & 15];
        const u32 t2 = S2(a) + MAJORITY(a, b, c);
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    digest[0] += a;
    digest[1] += b;
    digest[2] += c;
    digest[3] += d;
    digest[4] += e;
    digest[5] += f;
    digest[6] += g;
    digest[7] += h;
}

static void copy8(u32 *to, __global const u32 *from)
{
    for (int i = 0; i < 8; i++)
        to[i] = from[i];
}

static void store8(__global u32 *to, const u32 *from)
{
    for (int i = 0; i < 8; i++)
        to[i] = from[i];
}

/* The state behind a block of the password with each byte xor `pad`. */
static void hmac_pad(__global const u32 *pw, const u32 pad, __global u32 *state)
{
    u32 w[16], digest[8];
    for (int i = 0; i < 16; i++)
        w[i] = pw[i] ^ pad;
    for (int i = 0; i < 8; i++)
        digest[i] = iv_sha256[i];
    sha256_transform(w, digest);
    store8(state, digest);
}

/* A block that holds a digest behind one block of pad. */
static void digest_block(u32 *w, const u32 *digest)
{
    for (int i = 0; i < 8; i++)
        w[i] = digest[i];
    w[8] = 0x80000000;
    for (int i = 9; i < 15; i++)
        w[i] = 0;
    w[15] = (64 + 32) * 8;
}

static void hmac_run(u32 *w, __global const u32 *ipad, __global const u32 *opad,
                     u32 *digest)
{
    copy8(digest, ipad);
    sha256_transform(w, digest);
    digest_block(w, digest);
    copy8(digest, opad);
    sha256_transform(w, digest);
}

__kernel void m_init(__global const pw_t *restrict pws,
                     __global pbkdf2_sha256_tmp_t *restrict tmps,
                     __global const salt_t *restrict salts, const u32 gid_max)
{
    const u32 gid = get_global_id(0);
    if (gid >= gid_max)
        return;
    __global pbkdf2_sha256_tmp_t *tmp = tmps + gid;
    hmac_pad(pws[gid].i, 0x36363636, tmp->ipad);
    hmac_pad(pws[gid].i, 0x5c5c5c5c, tmp->opad);

    u32 w[16], digest[8];
    const u32 len = salts->salt_len;
    for (int i = 0; i < 12; i++)
        w[i] = salts->salt_buf[i];
    for (int i = 12; i < 16; i++)
        w[i] = 0;
    w[(len + 3) / 4] |= 1u << (8 * (3 - (len + 3) % 4)); /* the number of the block, 1 */
    w[(len + 4) / 4] |= 0x80u << (8 * (3 - (len + 4) % 4));
    w[15] = (64 + len + 4) * 8;
    hmac_run(w, tmp->ipad, tmp->opad, digest);
    store8(tmp->dgst, digest);
    store8(tmp->out, digest);
}

__kernel void m_loop(__global pbkdf2_sha256_tmp_t *tmps, const u32 loop_cnt,
                     const u32 gid_max)
{
    const u32 gid = get_global_id(0);
    if (gid >= gid_max)
        return;
    u32 w[16], dgst[8], out[8];
    copy8(dgst, tmps[gid].dgst);
    copy8(out, tmps[gid].out);
    for (u32 j = 0; j < loop_cnt; j++) {
        digest_block(w, dgst);
        hmac_run(w, tmps[gid].ipad, tmps[gid].opad, dgst);
        for (int i = 0; i < 8; i++)
            out[i] ^= dgst[i];
    }
    store8(tmps[gid].dgst, dgst);
    store8(tmps[gid].out, out);
}

__kernel void m_comp(__global const pbkdf2_sha256_tmp_t *tmps,
                     __global const salt_t *salts, __global u32 *found, const u32 gid_max)
{
    const u32 gid = get_global_id(0);
    if (gid >= gid_max)
        return;
    const __global u32 *out = tmps[gid].out;
    for (const __global u32 *want = salts->digest; want != salts->digest + 8;
         want++, out++)
        if (*out != *want)
            return;
    atomic_min(found, gid);
}
