// run: go structs structs n
typedef struct {
    int next;
    float w;
} link;

//DL: AoS: g[n] AOS2ASTA_link, f[n] AOS2ASTA_link
//DL-table: 2
/* prelude */
static __global float *dl_link_w(__global const link *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
static __global int *dl_link_next(__global const link *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: g arg 0 read aos bytes 8 line 7 type link
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: gather 4+4 read
//DL-access: gather 0+4 read
//DL-access: linear 1 0+4 read
//DL-access: gather 0+4 read conditional
//DL-access: linear 1 0+4 read conditional
//DL-buffer: f arg 1 write aos bytes 8 line 7 type link
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 4+4 write
//DL-access: linear 1 0+4 read write
//DL-end: go
#line 8
__kernel void go(__global const link *g, __global link *f, int n DL_PARAMS(g) DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_link_w(f, i DL_ARGS(f))) = (*dl_link_w(g, (*dl_link_next(g, (*dl_link_next(g, i DL_ARGS(g))) % n DL_ARGS(g))) % n DL_ARGS(g)));
    (*dl_link_next(f, i DL_ARGS(f))) = (*dl_link_next(f, i DL_ARGS(f))) > 0 ? (*dl_link_next(g, (uint)(*dl_link_next(g, i DL_ARGS(g))) % n DL_ARGS(g))) : 0;
}
