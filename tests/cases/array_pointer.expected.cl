// run: go structs structs n
typedef struct {
    short kind;
    float m[5];
    struct {
        int id, more[3];
    } parts[4];
    char table[2][3];
} cell;

float sum(__global const float *m, int count)
{
    float s = 0.0f;

    for (__global const float *e = m; e < m + count; e++)
        s += *e;
    for (int k = 0; k < count; k++)
        s += m[k] * k + *(k + m);
    return s;
}

void shift(__global int *to, __global const int *from)
{
    __global int *last = to + 2;

    *to++ = from[1];
    *to = *(from + 2);
    *last-- -= from[0];
    last -= 1;
    *last += (int)(to - last);
}

//DL: AoS: f[n] AOS2ASTA_cell, g[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_float(__global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 96, 0 + dl_p.dl_o, 4);
}
#line 11
static DL_INLINE float dl_sum(__global const float *m, dl_part dl_at_m DL_PARAMS(m), int count)
{
    float s = 0.0f;

    for (dl_part e = dl_at_m; (dl_apart(e, dl_moved(dl_at_m, (dl_index)(count) * 4), 96) < 0); e.dl_o += 4)
        s += (*dl_cell_float((__global const cell *)m, e DL_ARGS(m)));
    for (int k = 0; k < count; k++)
        s += (*dl_cell_float((__global const cell *)m, dl_moved(dl_at_m, (dl_index)(k) * 4) DL_ARGS(m))) * k + (*dl_cell_float((__global const cell *)m, (dl_beyond((dl_index)(k) * 4, dl_at_m)) DL_ARGS(m)));
    return s;
}
static __global int *dl_cell_int(__global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_p.dl_i, 96, 0 + dl_p.dl_o, 4);
}
#line 22
static DL_INLINE void dl_shift(__global int *to, dl_part dl_at_to DL_PARAMS(to), __global const int *from, dl_part dl_at_from DL_PARAMS(from))
{
    dl_part last = dl_moved(dl_at_to, (dl_index)(2) * 4);

    (*dl_cell_int((__global const cell *)to, (dl_at_to.dl_o += 4, dl_moved(dl_at_to, (dl_index)0 - 4)) DL_ARGS(to))) = (*dl_cell_int((__global const cell *)from, dl_moved(dl_at_from, (dl_index)(1) * 4) DL_ARGS(from)));
    (*dl_cell_int((__global const cell *)to, dl_at_to DL_ARGS(to))) = (*dl_cell_int((__global const cell *)from, (dl_moved(dl_at_from, (dl_index)(2) * 4)) DL_ARGS(from)));
    (*dl_cell_int((__global const cell *)to, (last.dl_o -= 4, dl_moved(last, (dl_index)0 + 4)) DL_ARGS(to))) -= (*dl_cell_int((__global const cell *)from, dl_at_from DL_ARGS(from)));
    last.dl_o -= (dl_index)(1) * 4;
    (*dl_cell_int((__global const cell *)to, last DL_ARGS(to))) += (int)(((dl_difference)dl_apart(dl_at_to, last, 96) / 4));
}
static __global char *dl_cell_char(__global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(char, dl_f, dl_p.dl_i, 96, 0 + dl_p.dl_o, 1);
}
static __global char *dl_cell_table(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0, dl_index dl_k1 DL_FORMALS)
{
    return DL_ANY_AT(char, dl_f, dl_i, 96, 88 + dl_k0 * 3 + dl_k1 * 1, 1);
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 96 line 33 type cell
//DL-leaves: 0+2*2 4+4*21 88+1*6 94+2
//DL-structs: arg(2, i4, 0)
//DL-gaps: 2+2 94+2
//DL-access: linear 1 4+4 write
//DL-access: linear 1 0+96 read write walks
//DL-access: linear 1 0+96 read write walks loops 1 line 15
//DL-access: linear 1 0+96 read walks loops 1 counted 1 rounds 3
//DL-access: linear 1 20+4 write
//DL-access: linear 1 16+4 read
//DL-access: linear 1 0+96 read write walks conditional
//DL-buffer: g arg 1 read aos bytes 96 line 33 type cell
//DL-leaves: 0+2*2 4+4*21 88+1*6 94+2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+96 read walks loops 1 line 15
//DL-access: linear 1 0+96 read walks loops 1 counted 1 rounds 5
//DL-access: unknown 0+96 read
//DL-access: unknown 4+4 read
//DL-access: linear 1 0+96 read walks
//DL-access: linear 1 88+6 read walks loops 1 line 50
//DL-end: go
#line 34
__kernel void go(__global cell *f, __global const cell *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    dl_part m = dl_part_at(i, 4), p;
    dl_part from = dl_moved((i & 1 ? dl_part_at(i, 4) : dl_part_at(n - 1 - i, 4)), (dl_index)(1) * 4);

    (*dl_cell_float(f, m DL_ARGS(f))) = dl_sum((__global float *)g, dl_part_at(i, 4) DL_ARGS(g), 5);
    (*dl_cell_float(f, dl_moved(m, (dl_index)(i % 5) * 4) DL_ARGS(f))) += dl_sum((__global float *)f, dl_moved(dl_part_at(i, 4), (dl_index)(2) * 4) DL_ARGS(f), 3);
    p = dl_moved(m, (dl_index)(4) * 4);
    (*dl_cell_float(f, p DL_ARGS(f))) = (*dl_cell_float(g, dl_moved(from, (dl_index)(i % 4) * 4) DL_ARGS(g))) + (*dl_cell_float(f, dl_moved(p, (dl_index)(-1) * 4) DL_ARGS(f)));
    p.dl_o -= (dl_index)(i & 3) * 4;
    (*dl_cell_float(f, (p.dl_o -= 4, p) DL_ARGS(f))) += (*dl_cell_float(g, dl_moved(from, (dl_index)(-1) * 4) DL_ARGS(g)));
    if (!dl_same(p, m, 96) && (dl_apart(p, dl_part_at(i, 4), 96) > 0))
        (*dl_cell_float(f, dl_moved(p, (dl_index)(-1) * 4) DL_ARGS(f))) += (float)(((dl_difference)dl_apart(p, m, 96) / 4));
    dl_shift((__global int *)f, dl_part_at(i, (dl_index)(i & 3) * 16 + 28) DL_ARGS(f), (__global int *)g, dl_part_at(i, (dl_index)((i + 1) & 3) * 16 + 28) DL_ARGS(g));
    dl_part c = dl_part_at(i, (dl_index)(i & 1) * 3 + 88);
    for (int k = 0; k < 3; k++, c.dl_o += 1)
        (*dl_cell_char(f, c DL_ARGS(f))) += (*dl_cell_table(g, i, (k & 1), (k) DL_ARGS(g)));
}
