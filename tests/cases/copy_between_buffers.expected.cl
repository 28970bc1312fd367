typedef struct {
    short2 at;
    struct part {
        int k;
        float w[2];
    } parts[3];
} whole;
struct part first_of(__global const whole *g, int i)
{
    return g[i].parts[0];
}
whole moved(__global const whole *g, int i, int by)
{
    whole w = g[i];

    w.at.x += by;
    return w;
}

//DL: AoS: to[n] AOS2ASTA_whole, from[n] AOS2ASTA_whole, parts[n] AOS2ASTA_part
//DL-table: 2
/* prelude */
static struct part dl_whole_parts_load(__global const whole *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    struct part dl_s;
    dl_s.k = *DL_ANY_AT(int, dl_f, dl_i, 40, 4 + dl_k0 * 12, 4);
    dl_s.w[0] = *DL_ANY_AT(float, dl_f, dl_i, 40, 8 + dl_k0 * 12, 4);
    dl_s.w[1] = *DL_ANY_AT(float, dl_f, dl_i, 40, 12 + dl_k0 * 12, 4);
    return dl_s;
}
#line 8
static DL_INLINE struct part dl_first_of(__global const whole *g, dl_index dl_at_g DL_PARAMS(g), int i)
{
    return dl_whole_parts_load(g, dl_at_g + i, (0) DL_ARGS(g));
}
static whole dl_whole_load(__global const whole *dl_f, dl_index dl_i DL_FORMALS)
{
    whole dl_s;
    dl_s.at = *DL_AT(short2, dl_f, dl_i, 40, 0, 4);
    dl_s.parts[0].k = *DL_AT(int, dl_f, dl_i, 40, 4, 4);
    dl_s.parts[0].w[0] = *DL_AT(float, dl_f, dl_i, 40, 8, 4);
    dl_s.parts[0].w[1] = *DL_AT(float, dl_f, dl_i, 40, 12, 4);
    dl_s.parts[1].k = *DL_AT(int, dl_f, dl_i, 40, 16, 4);
    dl_s.parts[1].w[0] = *DL_AT(float, dl_f, dl_i, 40, 20, 4);
    dl_s.parts[1].w[1] = *DL_AT(float, dl_f, dl_i, 40, 24, 4);
    dl_s.parts[2].k = *DL_AT(int, dl_f, dl_i, 40, 28, 4);
    dl_s.parts[2].w[0] = *DL_AT(float, dl_f, dl_i, 40, 32, 4);
    dl_s.parts[2].w[1] = *DL_AT(float, dl_f, dl_i, 40, 36, 4);
    return dl_s;
}
#line 12
static DL_INLINE whole dl_moved_2(__global const whole *g, dl_index dl_at_g DL_PARAMS(g), int i, int by)
{
    whole w = dl_whole_load(g, dl_at_g + i DL_ARGS(g));

    w.at.x += by;
    return w;
}
static whole dl_whole_store(__global const whole *dl_f, dl_index dl_i DL_FORMALS, whole dl_s)
{
    *DL_AT(short2, dl_f, dl_i, 40, 0, 4) = dl_s.at;
    *DL_AT(int, dl_f, dl_i, 40, 4, 4) = dl_s.parts[0].k;
    *DL_AT(float, dl_f, dl_i, 40, 8, 4) = dl_s.parts[0].w[0];
    *DL_AT(float, dl_f, dl_i, 40, 12, 4) = dl_s.parts[0].w[1];
    *DL_AT(int, dl_f, dl_i, 40, 16, 4) = dl_s.parts[1].k;
    *DL_AT(float, dl_f, dl_i, 40, 20, 4) = dl_s.parts[1].w[0];
    *DL_AT(float, dl_f, dl_i, 40, 24, 4) = dl_s.parts[1].w[1];
    *DL_AT(int, dl_f, dl_i, 40, 28, 4) = dl_s.parts[2].k;
    *DL_AT(float, dl_f, dl_i, 40, 32, 4) = dl_s.parts[2].w[0];
    *DL_AT(float, dl_f, dl_i, 40, 36, 4) = dl_s.parts[2].w[1];
    return dl_s;
}
static struct part dl_whole_parts_store(__global const whole *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS, struct part dl_s)
{
    *DL_ANY_AT(int, dl_f, dl_i, 40, 4 + dl_k0 * 12, 4) = dl_s.k;
    *DL_ANY_AT(float, dl_f, dl_i, 40, 8 + dl_k0 * 12, 4) = dl_s.w[0];
    *DL_ANY_AT(float, dl_f, dl_i, 40, 12 + dl_k0 * 12, 4) = dl_s.w[1];
    return dl_s;
}
static struct part dl_part_store(__global const struct part *dl_f, dl_index dl_i DL_FORMALS, struct part dl_s)
{
    *DL_AT(int, dl_f, dl_i, 12, 0, 4) = dl_s.k;
    *DL_AT(float, dl_f, dl_i, 12, 4, 4) = dl_s.w[0];
    *DL_AT(float, dl_f, dl_i, 12, 8, 4) = dl_s.w[1];
    return dl_s;
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: to arg 0 write aos bytes 40 line 20 type whole
//DL-leaves: 0+4*10
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+40 write
//DL-access: linear 1 16+12 write
//DL-access: linear 1 0+40 write conditional
//DL-buffer: from arg 1 read aos bytes 40 line 20 type whole
//DL-leaves: 0+4*10
//DL-structs: arg(3, i4, 0)
//DL-access: linear -1 0+40 read
//DL-access: linear -1 28+12 read
//DL-access: linear -1 4+36 read walks
//DL-access: linear 1 4+12 read
//DL-access: linear 1 0+40 read
//DL-access: linear -1 0+40 read conditional
//DL-access: linear 1 0+40 read conditional
//DL-buffer: parts arg 2 write aos bytes 12 line 20 type struct part
//DL-leaves: 0+4*3
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+12 write
//DL-end: go
#line 21
__kernel void go(__global whole *to, __global const whole *from, __global struct part *parts, int n DL_PARAMS(to) DL_PARAMS(from) DL_PARAMS(parts))
{
    int i = get_global_id(0), j = n - 1 - i;
    dl_index p = (i);
    dl_index q = (j);

    dl_whole_store(to, i DL_ARGS(to), dl_whole_load(from, j DL_ARGS(from)));
    dl_whole_parts_store(to, p, (1) DL_ARGS(to), dl_whole_parts_load(from, q, (2) DL_ARGS(from)));
    dl_part_store(parts, i DL_ARGS(parts), dl_whole_parts_load(from, q + 0, (i % 3) DL_ARGS(from)));
    dl_part_store(parts, i DL_ARGS(parts), dl_first_of(from, 0 DL_ARGS(from), i));
    dl_part_store(parts, ((i)) DL_ARGS(parts), dl_moved_2(from, 0 DL_ARGS(from), i, 3).parts[1]);
    if (i & 1)
        dl_whole_store(to, p DL_ARGS(to), dl_whole_load(from, q DL_ARGS(from)));
    else if (i & 2)
        dl_whole_store(to, i DL_ARGS(to), dl_moved_2(from, (i) DL_ARGS(from), 0, i));
}
// run: go structs structs structs n
