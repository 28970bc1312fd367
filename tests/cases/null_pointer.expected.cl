// run: go structs structs words:1 n
// run: compare structs structs words:1 n
typedef struct {
    float depth;
    int id;
    struct {
        int a, b;
    } marks[2];
} hit;

int id_of(__global const hit *h)
{
    return h ? h->id : -1;
}

__global const hit *nearer(__global const hit *best, __global const hit *h)
{
    if (!best || h->depth < best->depth)
        return h;
    return best;
}

//DL: AoS: f[n] AOS2ASTA_hit, g[n] AOS2ASTA_hit
//DL-table: 2
/* prelude */
static __global float *dl_hit_depth(__global const hit *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 24, 0, 4);
}
#line 16
static DL_INLINE dl_index dl_nearer(__global const hit *best, dl_index dl_at_best DL_PARAMS(best), __global const hit *h, dl_index dl_at_h DL_PARAMS(h))
{
    if (!(best && dl_at_best != DL_NULL) || (*dl_hit_depth(best, dl_at_h DL_ARGS(best))) < (*dl_hit_depth(best, dl_at_best DL_ARGS(best))))
        return dl_at_h;
    return dl_at_best;
}
static __global int *dl_hit_id(__global const hit *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 24, 4, 4);
}
#line 11
static DL_INLINE int dl_id_of(__global const hit *h, dl_index dl_at_h DL_PARAMS(h))
{
    return (h && dl_at_h != DL_NULL) ? (*dl_hit_id(h, dl_at_h DL_ARGS(h))) : -1;
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 24 line 23 type hit
//DL-leaves: 0+4*6
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 4+4 read write
//DL-access: unknown 4+4 read
//DL-buffer: g arg 1 read aos bytes 24 line 23 type hit
//DL-leaves: 0+4*6
//DL-structs: arg(3, i4, 0)
//DL-access: uniform 0+4 read loops 1 line 30
//DL-access: uniform 4+4 read
//DL-end: go
#line 24
__kernel void go(__global hit *f, __global const hit *g, __global int *out, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    dl_index best = DL_NULL, last = DL_NULL;
    dl_index mine = i & 1 ? (dl_index)(i) : DL_NULL;

    for (int k = 0; k < n; k++) {
        best = dl_nearer(g, best DL_ARGS(g), g, (k) DL_ARGS(g));
        if ((*dl_hit_depth(g, k DL_ARGS(g))) > 0.5f && ((!g || last == DL_NULL) || (*dl_hit_depth(g, k DL_ARGS(g))) > (*dl_hit_depth(g, last DL_ARGS(g)))))
            last = (k);
    }
    if ((g && best != DL_NULL) && (g && last != DL_NULL))
        out[i] = (*dl_hit_id(g, best DL_ARGS(g))) ^ (*dl_hit_id(g, last DL_ARGS(g)));
    else if (!(g && last != DL_NULL))
        out[i] = -3;
    out[i] += dl_id_of(g, best DL_ARGS(g)) + dl_id_of(g, last DL_ARGS(g)) + id_of(0);
    if ((f && mine != DL_NULL))
        (*dl_hit_id(f, mine DL_ARGS(f))) = dl_id_of(f, mine DL_ARGS(f)) + (best == last);
    mine = DL_NULL;
    out[i] += (!f || mine == DL_NULL) ? 5 : (*dl_hit_id(f, mine DL_ARGS(f)));
}

/* Helpers that compare pointers into a buffer with one that is null in one of the calls. */
__global const hit *nearest(__global const hit *g, int n, float from,
                            __global const hit *ignored)
{
    __global const hit *best = NULL;

    for (int k = 0; k < n; k++)
        if (&g[k] != ignored && g[k].depth > from && (!best || g[k].depth < best->depth))
            best = &g[k];
    return best;
}

int differ(__global const hit *other, __global const hit *h)
{
    return h == other ? 3 : other ? h->id - other->id : h->id;
}

//DL: AoS: f[n] AOS2ASTA_hit, g[n] AOS2ASTA_hit
#line 47
static DL_INLINE dl_index dl_nearest_2(__global const hit *g, dl_index dl_at_g DL_PARAMS(g), int n, float from,
                            __global const hit *ignored, dl_index dl_at_ignored DL_PARAMS(ignored))
{
    dl_index best = DL_NULL;

    for (int k = 0; k < n; k++)
        if ((dl_index)(dl_at_g + k) != dl_at_ignored && (*dl_hit_depth(g, dl_at_g + k DL_ARGS(g))) > from && (!(g && best != DL_NULL) || (*dl_hit_depth(g, dl_at_g + k DL_ARGS(g))) < (*dl_hit_depth(g, best DL_ARGS(g)))))
            best = (dl_at_g + k);
    return best;
}
#line 58
static DL_INLINE int dl_differ_2(__global const hit *other, dl_index dl_at_other DL_PARAMS(other), __global const hit *h, dl_index dl_at_h DL_PARAMS(h))
{
    return dl_at_h == dl_at_other ? 3 : (other && dl_at_other != DL_NULL) ? (*dl_hit_id(other, dl_at_h DL_ARGS(other))) - (*dl_hit_id(other, dl_at_other DL_ARGS(other))) : (*dl_hit_id(other, dl_at_h DL_ARGS(other)));
}
//DL-kernel: compare 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 24 line 63 type hit
//DL-leaves: 0+4*6
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read write
//DL-access: unknown 4+4 read
//DL-buffer: g arg 1 read aos bytes 24 line 63 type hit
//DL-leaves: 0+4*6
//DL-structs: arg(3, i4, 0)
//DL-access: uniform 0+4 read loops 1 line 52
//DL-access: uniform 0+4 read conditional loops 1 line 52
//DL-access: unknown 0+4 read conditional loops 1 line 52
//DL-access: unknown 0+4 read conditional
//DL-access: unknown 4+4 read conditional
//DL-end: compare
#line 64
__kernel void compare(__global hit *f, __global const hit *g, __global int *out, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    dl_index first = dl_nearest_2(g, 0 DL_ARGS(g), n, (*dl_hit_depth(f, i DL_ARGS(f))), g, (g ? DL_NULL : 0) DL_ARGS(g)), second = DL_NULL;

    if ((g && first != DL_NULL))
        second = dl_nearest_2(g, 0 DL_ARGS(g), n, (*dl_hit_depth(g, first DL_ARGS(g))), g, first DL_ARGS(g));
    out[i] = (g && first != DL_NULL) ? dl_differ_2(g, (g ? DL_NULL : 0) DL_ARGS(g), g, first DL_ARGS(g)) : -1;
    out[i] += (g && second != DL_NULL) ? dl_differ_2(g, first DL_ARGS(g), g, second DL_ARGS(g)) + dl_differ_2(g, (g ? DL_NULL : 0) DL_ARGS(g), g, second DL_ARGS(g)) : -2;
    (*dl_hit_id(f, i DL_ARGS(f))) += dl_differ_2(f, (f ? DL_NULL : 0) DL_ARGS(f), f, (i) DL_ARGS(f));
}
