// run: go structs structs n
// ignore: 52+12 104+8
typedef struct {
    int kind;
    union {
        struct {
            float radius;
        } circle;
        struct {
            float half_x, half_y;
        } box;
        float extent[2];
        struct {
            uchar bytes[3];
            short word[3];
        } mixed;
    } as;
} shape;
typedef struct {
    int turn;
    shape shapes[3];
    union {
        struct {
            float2 impulse;
            float turn, largest;
        } part;
        float4 all;
        uchar bytes[20];
    } push;
    union {
        double d;
        int i[2];
    } u;
} body;

//DL: AoS: f[global_size(0)] AOS2ASTA_body, g[global_size(0)] AOS2ASTA_body
//DL-table: 2
/* prelude */
typedef DL_ALIASED(float) dl_body_shapes_as_box_half_y_view;
static __global dl_body_shapes_as_box_half_y_view *dl_body_shapes_as_box_half_y(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return ((__global dl_body_shapes_as_box_half_y_view *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 112, 8 + dl_k0 * 16, 12) + 4));
}
typedef DL_ALIASED(float) dl_body_shapes_as_circle_radius_view;
static __global dl_body_shapes_as_circle_radius_view *dl_body_shapes_as_circle_radius(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return ((__global dl_body_shapes_as_circle_radius_view *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 112, 8 + dl_k0 * 16, 12) + 0));
}
typedef DL_ALIASED(short) dl_body_shapes_as_mixed_word_view;
static __global dl_body_shapes_as_mixed_word_view *dl_body_shapes_as_mixed_word(__global const body *dl_f, dl_index dl_i, dl_index dl_k0, dl_index dl_k1 DL_FORMALS)
{
    return ((__global dl_body_shapes_as_mixed_word_view *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 112, 8 + dl_k0 * 16, 12) + 4 + dl_k1 * 2));
}
typedef DL_ALIASED(unsigned char) dl_body_shapes_as_mixed_bytes_view;
static __global dl_body_shapes_as_mixed_bytes_view *dl_body_shapes_as_mixed_bytes(__global const body *dl_f, dl_index dl_i, dl_index dl_k0, dl_index dl_k1 DL_FORMALS)
{
    return ((__global dl_body_shapes_as_mixed_bytes_view *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 112, 8 + dl_k0 * 16, 12) + 0 + dl_k1 * 1));
}
typedef DL_ALIASED(float4) dl_body_push_all_view;
static __global dl_body_push_all_view *dl_body_push_all(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return ((__global dl_body_push_all_view *)(DL_AT(unsigned char, dl_f, dl_i, 112, 64, 32) + 0));
}
typedef DL_ALIASED(float2) dl_body_push_part_impulse_view;
static __global dl_body_push_part_impulse_view *dl_body_push_part_impulse(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return ((__global dl_body_push_part_impulse_view *)(DL_AT(unsigned char, dl_f, dl_i, 112, 64, 32) + 0));
}
typedef DL_ALIASED(float) dl_body_push_part_turn_view;
static __global dl_body_push_part_turn_view *dl_body_push_part_turn(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return ((__global dl_body_push_part_turn_view *)(DL_AT(unsigned char, dl_f, dl_i, 112, 64, 32) + 8));
}
typedef DL_ALIASED(unsigned char) dl_body_push_bytes_view;
static __global dl_body_push_bytes_view *dl_body_push_bytes(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return ((__global dl_body_push_bytes_view *)(DL_AT(unsigned char, dl_f, dl_i, 112, 64, 32) + 0 + dl_k0 * 1));
}
typedef DL_ALIASED(int) dl_body_u_i_view;
static __global dl_body_u_i_view *dl_body_u_i(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return ((__global dl_body_u_i_view *)(DL_AT(unsigned char, dl_f, dl_i, 112, 96, 8) + 0 + dl_k0 * 4));
}
static void dl_body_shapes_load(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS, shape *dl_s)
{
    (*dl_s).kind = *DL_ANY_AT(int, dl_f, dl_i, 112, 4 + dl_k0 * 16, 4);
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 4))->dl_v = ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 112, 8 + dl_k0 * 16, 12) + 0)))->dl_v;
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 8))->dl_v = ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 112, 8 + dl_k0 * 16, 12) + 4)))->dl_v;
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 12))->dl_v = ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 112, 8 + dl_k0 * 16, 12) + 8)))->dl_v;
}
static void dl_body_shapes_store(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS, shape *dl_s)
{
    *DL_ANY_AT(int, dl_f, dl_i, 112, 4 + dl_k0 * 16, 4) = (*dl_s).kind;
    ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 112, 8 + dl_k0 * 16, 12) + 0)))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 4))->dl_v;
    ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 112, 8 + dl_k0 * 16, 12) + 4)))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 8))->dl_v;
    ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_ANY_AT(unsigned char, dl_f, dl_i, 112, 8 + dl_k0 * 16, 12) + 8)))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 12))->dl_v;
}
static void dl_body_load(__global const body *dl_f, dl_index dl_i DL_FORMALS, body *dl_s)
{
    (*dl_s).turn = *DL_AT(int, dl_f, dl_i, 112, 0, 4);
    (*dl_s).shapes[0].kind = *DL_AT(int, dl_f, dl_i, 112, 4, 4);
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 8))->dl_v = ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 8, 12) + 0)))->dl_v;
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 12))->dl_v = ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 8, 12) + 4)))->dl_v;
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 16))->dl_v = ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 8, 12) + 8)))->dl_v;
    (*dl_s).shapes[1].kind = *DL_AT(int, dl_f, dl_i, 112, 20, 4);
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 24))->dl_v = ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 24, 12) + 0)))->dl_v;
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 28))->dl_v = ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 24, 12) + 4)))->dl_v;
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 32))->dl_v = ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 24, 12) + 8)))->dl_v;
    (*dl_s).shapes[2].kind = *DL_AT(int, dl_f, dl_i, 112, 36, 4);
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 40))->dl_v = ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 40, 12) + 0)))->dl_v;
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 44))->dl_v = ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 40, 12) + 4)))->dl_v;
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 48))->dl_v = ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 40, 12) + 8)))->dl_v;
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 52))->dl_v = ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 112, 52, 4))->dl_v;
    ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 56))->dl_v = ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 112, 56, 8))->dl_v;
    ((DL_ALIASED(uint4) *)((unsigned char *)dl_s + 64))->dl_v = ((__global DL_ALIASED(uint4) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 64, 32) + 0)))->dl_v;
    ((DL_ALIASED(uint4) *)((unsigned char *)dl_s + 80))->dl_v = ((__global DL_ALIASED(uint4) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 64, 32) + 16)))->dl_v;
    ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 96))->dl_v = ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 112, 96, 8))->dl_v;
    ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 104))->dl_v = ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 112, 104, 8))->dl_v;
}
static __global int *dl_body_turn(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 112, 0, 4);
}
typedef DL_ALIASED(double) dl_body_u_d_view;
static __global dl_body_u_d_view *dl_body_u_d(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_body_u_d_view, dl_f, dl_i, 112, 96, 8);
}
typedef DL_ALIASED(float) dl_body_push_part_largest_view;
static __global dl_body_push_part_largest_view *dl_body_push_part_largest(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return ((__global dl_body_push_part_largest_view *)(DL_AT(unsigned char, dl_f, dl_i, 112, 64, 32) + 12));
}
static void dl_body_store(__global const body *dl_f, dl_index dl_i DL_FORMALS, body *dl_s)
{
    *DL_AT(int, dl_f, dl_i, 112, 0, 4) = (*dl_s).turn;
    *DL_AT(int, dl_f, dl_i, 112, 4, 4) = (*dl_s).shapes[0].kind;
    ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 8, 12) + 0)))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 8))->dl_v;
    ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 8, 12) + 4)))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 12))->dl_v;
    ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 8, 12) + 8)))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 16))->dl_v;
    *DL_AT(int, dl_f, dl_i, 112, 20, 4) = (*dl_s).shapes[1].kind;
    ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 24, 12) + 0)))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 24))->dl_v;
    ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 24, 12) + 4)))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 28))->dl_v;
    ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 24, 12) + 8)))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 32))->dl_v;
    *DL_AT(int, dl_f, dl_i, 112, 36, 4) = (*dl_s).shapes[2].kind;
    ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 40, 12) + 0)))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 40))->dl_v;
    ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 40, 12) + 4)))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 44))->dl_v;
    ((__global DL_ALIASED(unsigned int) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 40, 12) + 8)))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 48))->dl_v;
    ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 112, 52, 4))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 52))->dl_v;
    ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 112, 56, 8))->dl_v = ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 56))->dl_v;
    ((__global DL_ALIASED(uint4) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 64, 32) + 0)))->dl_v = ((DL_ALIASED(uint4) *)((unsigned char *)dl_s + 64))->dl_v;
    ((__global DL_ALIASED(uint4) *)((__global unsigned char *)(DL_AT(unsigned char, dl_f, dl_i, 112, 64, 32) + 16)))->dl_v = ((DL_ALIASED(uint4) *)((unsigned char *)dl_s + 80))->dl_v;
    ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 112, 96, 8))->dl_v = ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 96))->dl_v;
    ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 112, 104, 8))->dl_v = ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 104))->dl_v;
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 112 line 36 type body
//DL-leaves: 0+4*2 8+12 20+4 24+12 36+4 40+12 52+4 56+8 64+32 96+8*2
//DL-structs: global_size(0)
//DL-gaps: 52+4 56+8 104+8
//DL-access: linear 1 4+48 read write
//DL-access: linear 1 12+6 read write
//DL-access: linear 1 64+16 write
//DL-access: linear 1 64+8 read write
//DL-access: linear 1 72+4 read
//DL-access: linear 1 64+20 read write
//DL-access: linear 1 96+8 read write
//DL-access: linear 1 20+16 write
//DL-access: linear 1 0+4 read
//DL-access: linear 1 67+1 read
//DL-access: linear 1 76+4 read
//DL-access: linear 1 0+112 write conditional
//DL-buffer: g arg 1 read aos bytes 112 line 36 type body
//DL-leaves: 0+4*2 8+12 20+4 24+12 36+4 40+12 52+4 56+8 64+32 96+8*2
//DL-structs: global_size(0)
//DL-access: linear 7 40+3 read
//DL-access: linear 7 64+16 read
//DL-access: linear 7 96+4 read
//DL-access: linear 7 4+48 read
//DL-access: linear 7 0+112 read
//DL-end: go
#line 37
__kernel void go(__global body *f, __global const body *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0), k = i % 3;
    dl_index o = ((i * 7 + 1) % n);

    (dl_body_shapes_as_box_half_y(f, i, (k) DL_ARGS(f))->dl_v) = (dl_body_shapes_as_circle_radius(f, i, ((k + 1) % 3) DL_ARGS(f))->dl_v);
    (dl_body_shapes_as_mixed_word(f, i, (0), (k) DL_ARGS(f))->dl_v) += (dl_body_shapes_as_mixed_bytes(g, o, (2), (k) DL_ARGS(g))->dl_v);
    (dl_body_push_all(f, i DL_ARGS(f))->dl_v) = (dl_body_push_all(g, o DL_ARGS(g))->dl_v) + 1.0f;
    (dl_body_push_part_impulse(f, i DL_ARGS(f))->dl_v) += (dl_body_push_part_turn(f, i DL_ARGS(f))->dl_v);
    (dl_body_push_bytes(f, i, ((i * 5) % 20) DL_ARGS(f))->dl_v)++;
    (dl_body_u_i(f, i, (i & 1) DL_ARGS(f))->dl_v) ^= (dl_body_u_i(g, o, (0) DL_ARGS(g))->dl_v);
    shape s = ({ shape dl_s; dl_body_shapes_load(g, o, (k) DL_ARGS(g), &dl_s); dl_s; });
    s.as.extent[1] *= 2.0f;
    ({ shape dl_s; dl_body_shapes_store(f, i, (1) DL_ARGS(f), (dl_s = s, &dl_s)); });
    body copy = ({ body dl_s; dl_body_load(g, o DL_ARGS(g), &dl_s); dl_s; });
    copy.turn = (*dl_body_turn(f, i DL_ARGS(f))) + (dl_body_push_bytes(f, i, (3) DL_ARGS(f))->dl_v);
    copy.u.d = (dl_body_u_d(f, i DL_ARGS(f))->dl_v);
    copy.push.part.largest = (dl_body_push_part_largest(f, i DL_ARGS(f))->dl_v);
    if (i & 1)
        ({ body dl_s; dl_body_store(f, i DL_ARGS(f), (dl_s = copy, &dl_s)); dl_s; });
}
