/* Pointers that change places between equal grids: each is a buffer and an index. */

float sum(__global const float *v, int i)
{
    return v[i] + v[i + 1];
}

//DL: grid: a[ny][nx] AOS2ASTA_float_1, b[ny][nx] AOS2ASTA_float_1 as y[*] x[*] y[1:0] x[2:0]
//DL-table: 2
/* prelude */
static __global float *dl_float_1_any(__global const float *dl_f, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + dl_e;
#else
    dl_index dl_i = dl_e / 1;

    if (dl_i >= dl_head + dl_tail)
        return (__global float *)dl_f + (dl_signed)dl_e;
    return DL_AT(float, dl_f, dl_i, 4, dl_e % 1 * 4, 4);
#endif
}
//DL-kernel: to_and_fro 5
//DL-sums: exact
//DL-buffer: a arg 0 write aos bytes 4 line 8 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 read write loops 1 line 14
//DL-buffer: b arg 1 write aos bytes 4 line 8 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 read write loops 1 line 14
//DL-end: to_and_fro
#line 9
__kernel void to_and_fro(__global float *a, __global float *b, int nx, int ny, int steps DL_PARAMS(a) DL_PARAMS(b))
{
    int x = get_global_id(0), y = get_global_id(1);
    dl_far p = dl_far_at(a, 0 DL_ARGS(a)), q = dl_far_at(b, 0 DL_ARGS(b)), t;

    for (int s = 0; s < steps; s++) {
        (*dl_float_1_any((__global float *)q.dl_f, q.dl_i + (y * nx + x) DL_FAR_ARGS(q))) = (*dl_float_1_any((__global float *)p.dl_f, p.dl_i + (y * nx + x) DL_FAR_ARGS(p))) * 2.0f;
        t = p;
        p = q;
        q = t;
    }
}

//DL: grid: a[ny][nx] AOS2ASTA_float_1, b[ny][nx] AOS2ASTA_float_1 as y[*] x[*] y[1:0] x[2:0]
#line 3
static DL_INLINE float dl_sum(__global const float *v, dl_index dl_at_v DL_PARAMS(v), int i)
{
    return (*dl_float_1_any(v, dl_at_v + i DL_ARGS(v))) + (*dl_float_1_any(v, dl_at_v + (i + 1) DL_ARGS(v)));
}
//DL-kernel: chosen 5
//DL-sums: exact
//DL-buffer: a arg 0 write aos bytes 4 line 22 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: uniform 0+4 read write
//DL-access: linear 1 0+4 read
//DL-access: uniform 0+4 read write atomic
//DL-buffer: b arg 1 write aos bytes 4 line 22 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: uniform 0+4 read write
//DL-access: linear 1 0+4 read
//DL-access: uniform 0+4 read write atomic
//DL-end: chosen
#line 23
__kernel void chosen(__global float *a, __global float *b, int nx, int ny, int which DL_PARAMS(a) DL_PARAMS(b))
{
    int x = get_global_id(0), y = get_global_id(1);
    dl_far p = which & 1 ? dl_far_at(a, 0 DL_ARGS(a)) : dl_far_at(b, 0 DL_ARGS(b)), q = which & 1 ? dl_far_at(b, 0 DL_ARGS(b)) : dl_far_at(a, 0 DL_ARGS(a));

    p.dl_i += nx;
    (*dl_float_1_any((__global float *)p.dl_f, p.dl_i DL_FAR_ARGS(p))) = (*dl_float_1_any((__global float *)q.dl_f, q.dl_i + 3 DL_FAR_ARGS(q))) + dl_sum((__global float *)q.dl_f, q.dl_i DL_FAR_ARGS(q), x) + dl_sum((__global float *)p.dl_f, p.dl_i + 1 DL_FAR_ARGS(p), y);
    p.dl_i++;
    atomic_xchg(dl_float_1_any((__global float *)p.dl_f, p.dl_i DL_FAR_ARGS(p)), 3.0f);
    if (dl_far_place(p, 4) == dl_far_place(q, 4))
        (*dl_float_1_any((__global float *)q.dl_f, q.dl_i DL_FAR_ARGS(q))) = ((dl_difference)((long)(dl_far_place(p, 4) - dl_far_place(dl_far_at(a, 0 DL_ARGS(a)), 4)) / 4));
}
