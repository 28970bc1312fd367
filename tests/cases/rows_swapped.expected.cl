// run: go structs structs structs words:2 n
// Pointers that change places between equal rows of a constant width: each is a buffer and an element's index.
#define AT(f, i, k) (f)[3 * (i) + (k)]

float sum(__global const float *r, int i)
{
    return AT(r, i, 0) + AT(r, i, 2);
}

void nudge(__global float *to, __global float *from, int turn)
{
    if (turn)
        to = from + 3;
    to[1] += 0.25f;
}

//DL: AoS: f[n][3] AOS2ASTA_float_3, g[n][3] AOS2ASTA_float_3, h[n][3] AOS2ASTA_float_3
//DL-table: 2
/* prelude */
static __global float *dl_float_3_any(__global const float *dl_f, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + dl_e;
#else
    dl_index dl_i = dl_e / 3;

    if (dl_i >= dl_head + dl_tail)
        return (__global float *)dl_f + (dl_signed)dl_e;
    return DL_AT(float, dl_f, dl_i, 12, dl_e % 3 * 4, 4);
#endif
}
#line 5
static DL_INLINE float dl_sum(__global const float *r, dl_index dl_at_r DL_PARAMS(r), int i)
{
    return (*dl_float_3_any(r, (dl_at_r) + (3 * (i) + (0)) DL_ARGS(r))) + (*dl_float_3_any(r, (dl_at_r) + (3 * (i) + (2)) DL_ARGS(r)));
}
#line 10
static DL_INLINE void dl_nudge(__global float *to, dl_index dl_at_to DL_PARAMS(to), __global float *from, dl_index dl_at_from DL_PARAMS(from), int turn)
{ dl_far dl_far_to = dl_far_at(to, dl_at_to DL_ARGS(to));
    if (turn)
        dl_far_to = dl_far_at(from, dl_at_from + 3 DL_ARGS(from));
    (*dl_float_3_any((__global float *)dl_far_to.dl_f, dl_far_to.dl_i + 1 DL_FAR_ARGS(dl_far_to))) += 0.25f;
}
#line 10
static DL_INLINE void dl_nudge_2(__global float *to, dl_index dl_row_to, dl_index dl_at_to, dl_index dl_w_to DL_PARAMS(to), __global float *from, dl_index dl_at_from DL_PARAMS(from), int turn)
{ dl_far dl_far_to = dl_far_at(to, dl_row_to * dl_w_to + dl_at_to DL_ARGS(to));
    if (turn)
        dl_far_to = dl_far_at(from, dl_at_from + 3 DL_ARGS(from));
    (*dl_float_3_any((__global float *)dl_far_to.dl_f, dl_far_to.dl_i + 1 DL_FAR_ARGS(dl_far_to))) += 0.25f;
}
static __global float *dl_float_3_wide(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 3;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
//DL-kernel: go 5
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 12 line 17 type float
//DL-leaves: 0+4*3
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 4+4 write loops 1 counted 1 rounds 3
//DL-access: linear 1 0+4 read loops 1 counted 1 rounds 3
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 4+4 read
//DL-access: linear 1 0+12 read walks loops 1 line 37
//DL-access: unknown 4+4 read write
//DL-buffer: g arg 1 write aos bytes 12 line 17 type float
//DL-leaves: 0+4*3
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 4+4 write loops 1 counted 1 rounds 3
//DL-access: linear 1 0+4 read loops 1 counted 1 rounds 3
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 4+4 read
//DL-access: linear 1 0+12 read walks loops 1 line 37
//DL-access: unknown 4+4 read write
//DL-buffer: h arg 2 write aos bytes 12 line 17 type float
//DL-leaves: 0+4*3
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 4+4 write loops 1 counted 1 rounds 3
//DL-access: linear 1 0+4 read loops 1 counted 1 rounds 3
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 4+4 read
//DL-access: linear 1 0+12 read walks loops 1 line 37
//DL-access: unknown 4+4 read write
//DL-end: go
#line 18
__kernel void go(__global float *f, __global float *g, __global const float *h, __global int *out, int n DL_PARAMS(f) DL_PARAMS(g) DL_PARAMS(h))
{ dl_index dl_w_f = (long)3; dl_index dl_w_g = (long)3; dl_index dl_w_h = (long)3;
    int i = get_global_id(0), k;
    dl_far p = dl_far_at(f, ((dl_index)(0)) DL_ARGS(f)), q = dl_far_at(g, ((dl_index)(0)) DL_ARGS(g)), t;
    dl_far r = i % 3 ? dl_far_at(h, ((dl_index)(0)) DL_ARGS(h)) : dl_far_at(g, ((dl_index)(0)) DL_ARGS(g)), end;
    dl_index dl_row_own = i, own = 0;

    for (k = 0; k < 3; k++) {
        (*dl_float_3_any((__global float *)q.dl_f, (q.dl_i) + (3 * (i) + (1)) DL_FAR_ARGS(q))) = (*dl_float_3_any((__global float *)p.dl_f, (p.dl_i) + (3 * (i) + (0)) DL_FAR_ARGS(p))) * 2.0f + k;
        t = p;
        p = q;
        q = t;
    }
    p.dl_i += 3 * i;
    ((*dl_float_3_any((__global float *)p.dl_f, p.dl_i DL_FAR_ARGS(p))))++;
    (*dl_float_3_any((__global float *)p.dl_f, p.dl_i + 2 DL_FAR_ARGS(p))) = (*dl_float_3_wide(f, dl_row_own, own + 1, dl_w_f DL_ARGS(f)));
    out[2 * i] = (dl_far_place(p, 4) == dl_far_place(dl_far_at(f, ((dl_index)(dl_row_own) * dl_w_f + (own)) DL_ARGS(f)), 4)) + 2 * (dl_far_place(q, 4) == dl_far_place(dl_far_at(g, ((dl_index)(0)) DL_ARGS(g)), 4)) + 4 * (int)(((dl_difference)((long)(dl_far_place(p, 4) - dl_far_place(dl_far_at(f, ((dl_index)(dl_row_own) * dl_w_f + (own)) DL_ARGS(f)), 4)) / 4)) != 0);
    p.dl_i -= 3 * i;
    end = dl_far_moved(r, (dl_index)(3 * i));
    for (r.dl_i += 3 * i; dl_far_place(r, 4) <= dl_far_place(end, 4); r.dl_i++)
        (*dl_float_3_any((__global float *)q.dl_f, q.dl_i + (3 * i + 2) DL_FAR_ARGS(q))) += (*dl_float_3_any((__global float *)r.dl_f, r.dl_i DL_FAR_ARGS(r)));
    (*dl_float_3_any((__global float *)q.dl_f, q.dl_i + (3 * i) DL_FAR_ARGS(q))) += dl_sum((__global float *)q.dl_f, q.dl_i DL_FAR_ARGS(q), i) + dl_sum((__global float *)p.dl_f, (p.dl_i + (3 * i)) DL_FAR_ARGS(p), 0);
    dl_nudge((__global float *)p.dl_f, ((p.dl_i) + (3 * (i) + (0))) DL_FAR_ARGS(p), (__global float *)q.dl_f, q.dl_i + 3 * i - 3 DL_FAR_ARGS(q), i & 1);
    dl_nudge_2(f, dl_row_own, own, dl_w_f DL_ARGS(f), (__global float *)q.dl_f, q.dl_i DL_FAR_ARGS(q), 0);
    out[2 * i + 1] = (int)(((dl_difference)((long)(dl_far_place(dl_far_moved((q), (dl_index)(3 * (i) + (2))), 4) - dl_far_place(q, 4)) / 4)));
}
