// run: go structs structs n
/* Structs in loops stay as they are, each with a remark: not all work-items of a group need to come to each round. */
typedef struct {
    float4 a, b, c, d;
} cell;

//DL: AoS: f[n] AOS2ASTA_cell, g[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.a = *DL_AT(float4, dl_f, dl_i, 64, 0, 16);
    dl_s.b = *DL_AT(float4, dl_f, dl_i, 64, 16, 16);
    dl_s.c = *DL_AT(float4, dl_f, dl_i, 64, 32, 16);
    dl_s.d = *DL_AT(float4, dl_f, dl_i, 64, 48, 16);
    return dl_s;
}
static __global float4 *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float4, dl_f, dl_i, 64, 0, 16);
}
static __global float4 *dl_cell_b(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float4, dl_f, dl_i, 64, 16, 16);
}
static __global float4 *dl_cell_c(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float4, dl_f, dl_i, 64, 32, 16);
}
static __global float4 *dl_cell_d(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float4, dl_f, dl_i, 64, 48, 16);
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: f arg 0 read aos bytes 64 line 7 type cell
//DL-leaves: 0+16*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 5 0+64 read loops 1 counted 1 rounds 4
//DL-access: linear 1 0+16 read loops 1 line 18
//DL-access: linear 1 16+16 read loops 1 line 18
//DL-access: linear 1 32+16 read loops 1 line 18
//DL-access: linear 1 48+16 read loops 1 line 18
//DL-buffer: g arg 1 write aos bytes 64 line 7 type cell
//DL-leaves: 0+16*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+16 write loops 1 line 18
//DL-access: linear 1 16+16 write loops 1 line 18
//DL-end: go
#line 8
__kernel void go(__global const cell *f, __global cell *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    const int i = get_global_id(0);
    float4 sum = 0;

    for (int k = 0; k < 4; k++) {
        cell c = dl_cell_load(f, (i * 5 + k) % n DL_ARGS(f));

        sum += c.a * c.b + c.c * c.d;
    }
    for (int j = i; j < n; j += get_global_size(0)) {
        (*dl_cell_a(g, j DL_ARGS(g))) = (*dl_cell_a(f, j DL_ARGS(f))) + (*dl_cell_b(f, j DL_ARGS(f))) + (*dl_cell_c(f, j DL_ARGS(f))) + (*dl_cell_d(f, j DL_ARGS(f)));
        (*dl_cell_b(g, j DL_ARGS(g))) = sum;
    }
}
