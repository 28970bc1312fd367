// run: go structs words:1 n
// The address of a member, or of an array's element, that a helper returns.
typedef struct {
    int e;
    float4 v, u;
    float m[6];
} mat;

__global float *pick(__global mat *m, int r)
{
    return &m->m[r];
}

__global int *entry(__global mat *m)
{
    return &m->e;
}

__global float4 *either(__global mat *m, int c)
{
    return c ? &m->v : &m->u;
}

//DL: AoS: f[n] AOS2ASTA_mat
//DL-table: 2
/* prelude */
#line 9
static DL_INLINE dl_part dl_pick(__global mat *m, dl_index dl_at_m DL_PARAMS(m), int r)
{
    return dl_part_at(dl_at_m, (dl_index)(r) * 4 + 48);
}
#line 14
static DL_INLINE dl_part dl_entry(__global mat *m, dl_index dl_at_m DL_PARAMS(m))
{
    return dl_part_at(dl_at_m, 0);
}
#line 19
static DL_INLINE dl_part dl_either(__global mat *m, dl_index dl_at_m DL_PARAMS(m), int c)
{
    return c ? dl_part_at(dl_at_m, 16) : dl_part_at(dl_at_m, 32);
}
static __global float *dl_mat_float(__global const mat *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 80, 0 + dl_p.dl_o, 4);
}
static __global int *dl_mat_int(__global const mat *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_p.dl_i, 80, 0 + dl_p.dl_o, 4);
}
static __global float4 *dl_mat_float4(__global const mat *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float4, dl_f, dl_p.dl_i, 80, 0 + dl_p.dl_o, 16);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 80 line 24 type mat
//DL-leaves: 0+4*2 8+8 16+16*2 48+4*6 72+8
//DL-structs: arg(2, i4, 0)
//DL-gaps: 4+4 8+8 72+8
//DL-access: linear 1 0+80 read write walks
//DL-access: linear 1 0+4 read write
//DL-access: unknown 0+80 read write
//DL-end: go
#line 25
__kernel void go(__global mat *f, __global int *out, int n DL_PARAMS(f))
{
    int i = get_global_id(0);
    dl_part row = dl_pick(f, (i) DL_ARGS(f), out[i] & 3);

    (*dl_mat_float(f, dl_moved(row, (dl_index)(1) * 4) DL_ARGS(f))) += (*dl_mat_float(f, row DL_ARGS(f))) + (*dl_mat_float(f, dl_moved(dl_pick(f, (i) DL_ARGS(f), 2), (dl_index)(i & 3) * 4) DL_ARGS(f)));
    (*dl_mat_int(f, dl_entry(f, (i) DL_ARGS(f)) DL_ARGS(f))) ^= 5;
    (*dl_mat_float4(f, dl_either(f, (i) DL_ARGS(f), out[i] & 4) DL_ARGS(f))).y += 2.0f;
}
