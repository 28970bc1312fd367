// run: go structs structs structs structs n
// Bytes of members of wider elements: through casts, and helpers that take them as void.
typedef struct {
    uint n, v[8];
    short s[6];
    float3 w;
    double d;
} pw;
typedef struct __attribute__((packed)) {
    uchar t;
    uint v[3];
    ulong l;
} tight;
typedef union {
    float4 v[2];
    int i[8];
} either;

void from(void *dst, __global const void *src, uint count)
{
    for (uint k = 0; k < count; k++)
        ((char *)dst)[k] = ((__global const char *)src)[k];
}

void to(__global uchar *restrict dst, const void *restrict src, uint count)
{
    const uchar *s = src;

    while (count-- > 0)
        dst[count] = s[count];
}

uint sum_constant(__constant void *any, int n)
{
    uint t = 0;

    while (n-- > 0)
        t = t * 5 + ((__constant uchar *)any)[n];
    return t;
}

//DL: AoS: f[n] AOS2ASTA_pw, h[n] AOS2ASTA_tight, e[n] AOS2ASTA_either, c[n] AOS2ASTA_pw
//DL-table: 2
/* prelude */
static __global char *dl_tight_char(__global const tight *dl_f, dl_part dl_p DL_FORMALS)
{
    dl_index dl_b = 0 + dl_p.dl_o;
    dl_index dl_o = dl_rest(dl_p.dl_i, 21, dl_b);
    dl_index dl_w = dl_o < 1 ? 1 : dl_o < 13 ? 4 : 8;
    dl_index dl_r = (dl_o - (dl_o < 1 ? 0 : dl_o < 13 ? 1 : 13)) % dl_w;
    return (__global char *)(DL_AT(unsigned char, dl_f, dl_owner(dl_p.dl_i, 21, dl_b), 21, dl_o - dl_r, dl_w) + dl_r);
}
#line 19
static DL_INLINE void dl_from(void *dst, __global const void *src, dl_part dl_at_src DL_PARAMS(src), uint count)
{
    for (uint k = 0; k < count; k++)
        ((char *)dst)[k] = (*dl_tight_char((__global const tight *)src, dl_moved((dl_at_src), (dl_index)(k) * 1) DL_ARGS(src)));
}
typedef DL_ALIASED(unsigned char) dl_either_uchar_view;
static __global dl_either_uchar_view *dl_either_uchar(__global const either *dl_f, dl_part dl_p DL_FORMALS)
{
    dl_index dl_b = 0 + dl_p.dl_o;
    dl_index dl_o = dl_rest(dl_p.dl_i, 32, dl_b);
    dl_index dl_w = 32;
    dl_index dl_r = (dl_o - (0)) % dl_w;
    return (__global dl_either_uchar_view *)(DL_AT(unsigned char, dl_f, dl_owner(dl_p.dl_i, 32, dl_b), 32, dl_o - dl_r, dl_w) + dl_r);
}
#line 25
static DL_INLINE void dl_to(__global uchar *restrict dst, dl_part dl_at_dst DL_PARAMS(dst), const void *restrict src, uint count)
{
    const uchar *s = src;

    while (count-- > 0)
        (dl_either_uchar((__global const either *)dst, dl_moved(dl_at_dst, (dl_index)(count) * 1) DL_ARGS(dst))->dl_v) = s[count];
}
static __constant unsigned char *dl_pw_uchar_constant(__constant const pw *dl_f, dl_part dl_p DL_FORMALS)
{
    dl_index dl_b = 0 + dl_p.dl_o;
    dl_index dl_o = dl_rest(dl_p.dl_i, 80, dl_b);
    dl_index dl_w = dl_o < 36 ? 4 : dl_o < 48 ? 2 : dl_o < 64 ? 16 : 8;
    dl_index dl_r = (dl_o - (dl_o < 36 ? 0 : dl_o < 48 ? 36 : dl_o < 64 ? 48 : 64)) % dl_w;
    return (__constant unsigned char *)(DL_AT_IN(__constant, unsigned char, dl_f, dl_owner(dl_p.dl_i, 80, dl_b), 80, dl_o - dl_r, dl_w) + dl_r);
}
#line 33
static DL_INLINE uint dl_sum_constant(__constant void *any, dl_part dl_at_any DL_PARAMS(any), int n)
{
    uint t = 0;

    while (n-- > 0)
        t = t * 5 + (*dl_pw_uchar_constant((__constant const pw *)any, dl_moved((dl_at_any), (dl_index)(n) * 1) DL_ARGS(any)));
    return t;
}
static __global unsigned int *dl_pw_n(__global const pw *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned int, dl_f, dl_i, 80, 0, 4);
}
static __global unsigned char *dl_pw_uchar(__global const pw *dl_f, dl_part dl_p DL_FORMALS)
{
    dl_index dl_b = 0 + dl_p.dl_o;
    dl_index dl_o = dl_rest(dl_p.dl_i, 80, dl_b);
    dl_index dl_w = dl_o < 36 ? 4 : dl_o < 48 ? 2 : dl_o < 64 ? 16 : 8;
    dl_index dl_r = (dl_o - (dl_o < 36 ? 0 : dl_o < 48 ? 36 : dl_o < 64 ? 48 : 64)) % dl_w;
    return (__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_owner(dl_p.dl_i, 80, dl_b), 80, dl_o - dl_r, dl_w) + dl_r);
}
//DL-kernel: go 5
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 80 line 42 type pw
//DL-leaves: 0+4*9 36+2*6 48+16 64+8*2
//DL-structs: arg(4, i4, 0)
//DL-gaps: 60+4 72+8
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 0+80 read write walks
//DL-buffer: h arg 1 read aos bytes 21 line 42 type tight
//DL-leaves: 0+1 1+4*3 13+8
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 0+21 read walks loops 1 counted 1 rounds 12
//DL-access: linear -1 0+21 read walks loops 1 counted 1 rounds 8
//DL-access: linear 1 0+21 read walks loops 1 counted 1 rounds 8
//DL-buffer: e arg 2 write aos bytes 32 line 42 type either
//DL-leaves: 0+32
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 0+32 write walks loops 1 line 29
//DL-buffer: c arg 3 const aos bytes 80 line 42 type pw
//DL-leaves: 0+4*9 36+2*6 48+16 64+8*2
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 0+80 read walks loops 1 line 37
//DL-end: go
#line 43
__kernel void go(__global pw *f, __global const tight *h, __global either *e, __constant pw *c, int n DL_PARAMS(f) DL_PARAMS(h) DL_PARAMS(e) DL_PARAMS(c))
{
    int i = get_global_id(0);
    uint at = ((*dl_pw_n(f, i DL_ARGS(f))) % 12) ^ 3;
    char mine[32];

    dl_from(mine, (__global void *)h, dl_part_at(i, 1) DL_ARGS(h), 12);
    dl_from(mine + 12, (__global void *)h, dl_moved(dl_part_at(n - 1 - i, 1), (dl_index)(1) * 4) DL_ARGS(h), 8);
    dl_from(mine + 20, (__global void *)h, dl_part_at(i, 13) DL_ARGS(h), 8);
    dl_to((__global void *)e, (dl_moved(dl_part_at(i, 0), (dl_index)(3) * 4)) DL_ARGS(e), mine, 17);
    (*dl_pw_uchar(f, dl_moved((dl_part_at(i, 36)), (dl_index)(at) * 1) DL_ARGS(f))) ^= mine[i & 15];
    (*dl_pw_n(f, i DL_ARGS(f))) = dl_sum_constant((__constant void *)c, dl_moved(dl_part_at(i, 4), (dl_index)(1) * 4) DL_ARGS(c), 28) + dl_sum_constant((__constant void *)c, dl_part_at(i, 48) DL_ARGS(c), 12) + dl_sum_constant((__constant void *)c, dl_part_at(i, 64) DL_ARGS(c), i & 7);
}
