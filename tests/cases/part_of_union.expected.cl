// run: go structs structs n
typedef union {
    float4 v;
    float e[4];
    struct {
        float x, y, z, w;
    } c;
} vec;
typedef struct {
    int id;
    vec pos, vel;
    union {
        int i[2];
        short s[4];
        float f;
    } bits;
    vec more[2];
    char tag[5];
} body;

void add_scaled(__global vec *to, __global const vec *what, float scale)
{
    for (int k = 0; k < 3; k++)
        to->e[k] += scale * what->e[k];
    to->c.w = what->v.y;
}

int sum(__global const short *s, int from)
{
    return s[from] + *(s + 3);
}

//DL: AoS: f[n] AOS2ASTA_body, g[n] AOS2ASTA_body
//DL-table: 2
/* prelude */
typedef DL_ALIASED(float) dl_body_vec_e_view;
static __global dl_body_vec_e_view *dl_body_vec_e(__global const body *dl_f, dl_part dl_p, dl_index dl_k0 DL_FORMALS)
{
    dl_index dl_b = 0 + dl_p.dl_o + dl_k0 * 4;
    dl_index dl_o = dl_rest(dl_p.dl_i, 112, dl_b);
    dl_index dl_w = dl_o < 8 ? 4 : dl_o < 16 ? 8 : dl_o < 48 ? 16 : dl_o < 64 ? 8 : dl_o < 96 ? 16 : dl_o < 102 ? 1 : dl_o < 104 ? 2 : 8;
    dl_index dl_r = (dl_o - (dl_o < 8 ? 0 : dl_o < 16 ? 8 : dl_o < 48 ? 16 : dl_o < 64 ? 48 : dl_o < 96 ? 64 : dl_o < 102 ? 96 : dl_o < 104 ? 102 : 104)) % dl_w;
    return (__global dl_body_vec_e_view *)(DL_AT(unsigned char, dl_f, dl_owner(dl_p.dl_i, 112, dl_b), 112, dl_o - dl_r, dl_w) + dl_r);
}
typedef DL_ALIASED(float) dl_body_vec_c_w_view;
static __global dl_body_vec_c_w_view *dl_body_vec_c_w(__global const body *dl_f, dl_part dl_p DL_FORMALS)
{
    dl_index dl_b = 12 + dl_p.dl_o;
    dl_index dl_o = dl_rest(dl_p.dl_i, 112, dl_b);
    dl_index dl_w = dl_o < 8 ? 4 : dl_o < 16 ? 8 : dl_o < 48 ? 16 : dl_o < 64 ? 8 : dl_o < 96 ? 16 : dl_o < 102 ? 1 : dl_o < 104 ? 2 : 8;
    dl_index dl_r = (dl_o - (dl_o < 8 ? 0 : dl_o < 16 ? 8 : dl_o < 48 ? 16 : dl_o < 64 ? 48 : dl_o < 96 ? 64 : dl_o < 102 ? 96 : dl_o < 104 ? 102 : 104)) % dl_w;
    return (__global dl_body_vec_c_w_view *)(DL_AT(unsigned char, dl_f, dl_owner(dl_p.dl_i, 112, dl_b), 112, dl_o - dl_r, dl_w) + dl_r);
}
typedef DL_ALIASED(float4) dl_body_vec_v_view;
static __global dl_body_vec_v_view *dl_body_vec_v(__global const body *dl_f, dl_part dl_p DL_FORMALS)
{
    dl_index dl_b = 0 + dl_p.dl_o;
    dl_index dl_o = dl_rest(dl_p.dl_i, 112, dl_b);
    dl_index dl_w = dl_o < 8 ? 4 : dl_o < 16 ? 8 : dl_o < 48 ? 16 : dl_o < 64 ? 8 : dl_o < 96 ? 16 : dl_o < 102 ? 1 : dl_o < 104 ? 2 : 8;
    dl_index dl_r = (dl_o - (dl_o < 8 ? 0 : dl_o < 16 ? 8 : dl_o < 48 ? 16 : dl_o < 64 ? 48 : dl_o < 96 ? 64 : dl_o < 102 ? 96 : dl_o < 104 ? 102 : 104)) % dl_w;
    return (__global dl_body_vec_v_view *)(DL_AT(unsigned char, dl_f, dl_owner(dl_p.dl_i, 112, dl_b), 112, dl_o - dl_r, dl_w) + dl_r);
}
#line 21
static DL_INLINE void dl_add_scaled(__global vec *to, dl_part dl_at_to DL_PARAMS(to), __global const vec *what, dl_part dl_at_what DL_PARAMS(what), float scale)
{
    for (int k = 0; k < 3; k++)
        (dl_body_vec_e((__global const body *)to, dl_at_to, (k) DL_ARGS(to))->dl_v) += scale * (dl_body_vec_e((__global const body *)what, dl_at_what, (k) DL_ARGS(what))->dl_v);
    (dl_body_vec_c_w((__global const body *)to, dl_at_to DL_ARGS(to))->dl_v) = (dl_body_vec_v((__global const body *)what, dl_at_what DL_ARGS(what))->dl_v).y;
}
typedef DL_ALIASED(short) dl_body_short_view;
static __global dl_body_short_view *dl_body_short(__global const body *dl_f, dl_part dl_p DL_FORMALS)
{
    dl_index dl_b = 0 + dl_p.dl_o;
    dl_index dl_o = dl_rest(dl_p.dl_i, 112, dl_b);
    dl_index dl_w = dl_o < 8 ? 4 : dl_o < 16 ? 8 : dl_o < 48 ? 16 : dl_o < 64 ? 8 : dl_o < 96 ? 16 : dl_o < 102 ? 1 : dl_o < 104 ? 2 : 8;
    dl_index dl_r = (dl_o - (dl_o < 8 ? 0 : dl_o < 16 ? 8 : dl_o < 48 ? 16 : dl_o < 64 ? 48 : dl_o < 96 ? 64 : dl_o < 102 ? 96 : dl_o < 104 ? 102 : 104)) % dl_w;
    return (__global dl_body_short_view *)(DL_AT(unsigned char, dl_f, dl_owner(dl_p.dl_i, 112, dl_b), 112, dl_o - dl_r, dl_w) + dl_r);
}
#line 28
static DL_INLINE int dl_sum(__global const short *s, dl_part dl_at_s DL_PARAMS(s), int from)
{
    return (dl_body_short((__global const body *)s, dl_moved(dl_at_s, (dl_index)(from) * 2) DL_ARGS(s))->dl_v) + (dl_body_short((__global const body *)s, (dl_moved(dl_at_s, (dl_index)(3) * 2)) DL_ARGS(s))->dl_v);
}
typedef DL_ALIASED(float) dl_body_float_view;
static __global dl_body_float_view *dl_body_float(__global const body *dl_f, dl_part dl_p DL_FORMALS)
{
    dl_index dl_b = 0 + dl_p.dl_o;
    dl_index dl_o = dl_rest(dl_p.dl_i, 112, dl_b);
    dl_index dl_w = dl_o < 8 ? 4 : dl_o < 16 ? 8 : dl_o < 48 ? 16 : dl_o < 64 ? 8 : dl_o < 96 ? 16 : dl_o < 102 ? 1 : dl_o < 104 ? 2 : 8;
    dl_index dl_r = (dl_o - (dl_o < 8 ? 0 : dl_o < 16 ? 8 : dl_o < 48 ? 16 : dl_o < 64 ? 48 : dl_o < 96 ? 64 : dl_o < 102 ? 96 : dl_o < 104 ? 102 : 104)) % dl_w;
    return (__global dl_body_float_view *)(DL_AT(unsigned char, dl_f, dl_owner(dl_p.dl_i, 112, dl_b), 112, dl_o - dl_r, dl_w) + dl_r);
}
static __global int *dl_body_id(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 112, 0, 4);
}
typedef DL_ALIASED(int) dl_body_bits_i_view;
static __global dl_body_bits_i_view *dl_body_bits_i(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return ((__global dl_body_bits_i_view *)(DL_AT(unsigned char, dl_f, dl_i, 112, 48, 8) + 0 + dl_k0 * 4));
}
typedef DL_ALIASED(char) dl_body_char_view;
static __global dl_body_char_view *dl_body_char(__global const body *dl_f, dl_part dl_p DL_FORMALS)
{
    dl_index dl_b = 0 + dl_p.dl_o;
    dl_index dl_o = dl_rest(dl_p.dl_i, 112, dl_b);
    dl_index dl_w = dl_o < 8 ? 4 : dl_o < 16 ? 8 : dl_o < 48 ? 16 : dl_o < 64 ? 8 : dl_o < 96 ? 16 : dl_o < 102 ? 1 : dl_o < 104 ? 2 : 8;
    dl_index dl_r = (dl_o - (dl_o < 8 ? 0 : dl_o < 16 ? 8 : dl_o < 48 ? 16 : dl_o < 64 ? 48 : dl_o < 96 ? 64 : dl_o < 102 ? 96 : dl_o < 104 ? 102 : 104)) % dl_w;
    return (__global dl_body_char_view *)(DL_AT(unsigned char, dl_f, dl_owner(dl_p.dl_i, 112, dl_b), 112, dl_o - dl_r, dl_w) + dl_r);
}
typedef DL_ALIASED(float4) dl_body_vel_v_view;
static __global dl_body_vel_v_view *dl_body_vel_v(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_body_vel_v_view, dl_f, dl_i, 112, 32, 16);
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 112 line 33 type body
//DL-leaves: 0+4*2 8+8 16+16*2 48+8*2 64+16*2 96+1*6 102+2 104+8
//DL-structs: arg(2, i4, 0)
//DL-gaps: 4+4 8+8 56+8 101+1 102+2 104+8
//DL-access: linear 1 32+16 read write walks loops 1 counted 1 rounds 3
//DL-access: linear 1 44+4 write
//DL-access: linear 1 0+112 read write walks loops 1 counted 1 rounds 3
//DL-access: linear 1 0+112 write walks
//DL-access: linear 1 40+4 read
//DL-access: linear 1 0+112 read write walks loops 1 line 44
//DL-access: linear 1 0+4 write
//DL-access: linear 1 52+4 write
//DL-access: linear 1 52+2 read
//DL-access: linear 1 54+2 read
//DL-access: linear 1 32+16 write
//DL-buffer: g arg 1 read aos bytes 112 line 33 type body
//DL-leaves: 0+4*2 8+8 16+16*2 48+8*2 64+16*2 96+1*6 102+2 104+8
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 16+16 read walks loops 1 counted 1 rounds 3
//DL-access: linear 1 16+16 read
//DL-access: linear -1 80+16 read walks loops 1 counted 1 rounds 3
//DL-access: linear -1 80+16 read
//DL-access: linear 1 0+112 read walks
//DL-access: linear 1 54+2 read
//DL-access: linear 1 32+16 read
//DL-end: go
#line 34
__kernel void go(__global body *f, __global const body *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    dl_part v = dl_part_at(i, 32);
    dl_part e = dl_part_at(i, 16);
    dl_part tag = dl_part_at(i, 96);

    dl_add_scaled((__global vec *)f, v DL_ARGS(f), (__global vec *)g, dl_part_at(i, 16) DL_ARGS(g), 0.5f);
    dl_add_scaled((__global vec *)f, dl_part_at(i, (dl_index)(i & 1) * 16 + 64) DL_ARGS(f), (__global vec *)g, dl_part_at(n - 1 - i, (dl_index)(1) * 16 + 64) DL_ARGS(g), 2.0f);
    (dl_body_float(f, dl_moved(e, (dl_index)(i & 3) * 4) DL_ARGS(f))->dl_v) = (dl_body_vec_e(f, v, (2) DL_ARGS(f))->dl_v);
    for (int k = 0; k < 3; k++, e.dl_o += 4)
        (dl_body_float(f, e DL_ARGS(f))->dl_v) += k;
    (*dl_body_id(f, i DL_ARGS(f))) = dl_sum((__global short *)g, dl_part_at(i, 48) DL_ARGS(g), i & 1);
    (dl_body_bits_i(f, i, (1) DL_ARGS(f))->dl_v) = dl_sum((__global short *)f, dl_part_at(i, 48) DL_ARGS(f), 2);
    (dl_body_char(f, dl_moved(tag, (dl_index)(i % 5) * 1) DL_ARGS(f))->dl_v) = 3;
    (dl_body_vec_v(f, v DL_ARGS(f))->dl_v) = (dl_body_vel_v(g, i DL_ARGS(g))->dl_v) * 0.25f;
}
