// run: go structs n
typedef struct {
    int x, y;
} pair;

typedef struct {
    pair at;
    int m[2];
    pair more[2];
} cell;

//DL: AoS: f[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global int *dl_cell_pair_x(__global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_p.dl_i, 32, 0 + dl_p.dl_o, 4);
}
static __global int *dl_cell_int(__global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_p.dl_i, 32, 0 + dl_p.dl_o, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 32 line 12 type cell
//DL-leaves: 0+4*8
//DL-structs: arg(1, i4, 0)
//DL-access: unknown 0+32 read write conditional
//DL-access: linear 1 12+4 read write
//DL-end: go
#line 13
__kernel void go(__global cell *f, int n DL_PARAMS(f))
{
    int i = get_global_id(0);
    dl_part p = dl_part_at(DL_NULL, 0);
    dl_part q = dl_part_at(DL_NULL, 0), r = dl_part_at(i, 8);

    if (i & 1)
        p = dl_part_at(i, 0);
    else if (i & 4)
        p = dl_part_at(i, (dl_index)(1) * 8 + 16);
    if (i & 2)
        q = r;
    if ((f && p.dl_i != DL_NULL))
        (*dl_cell_pair_x(f, p DL_ARGS(f))) += 5;
    if ((f && q.dl_i != DL_NULL))
        (*dl_cell_int(f, dl_moved(q, (dl_index)(1) * 4) DL_ARGS(f))) ^= i;
}
