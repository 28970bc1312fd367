// run: go structs words:1
/* An atomic function takes a pointer into an array member, by its name and moved. */
typedef struct {
    int n[4];
    float x;
} cell;

//DL: AoS: f[] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global int *dl_cell_int(__global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_p.dl_i, 20, 0 + dl_p.dl_o, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-draws: slots
//DL-buffer: f arg 0 write aos bytes 20 line 8 type cell
//DL-leaves: 0+4*5
//DL-structs: *
//DL-access: linear 1 0+20 read write atomic
//DL-end: go
#line 9
__kernel void go(__global cell *f, __global int *out DL_PARAMS(f))
{
    int i = get_global_id(0);
    dl_part q = dl_moved(dl_part_at(i, 0), (dl_index)(1) * 4);

    out[i] = atomic_add(dl_cell_int(f, q DL_ARGS(f)), 2);
    atomic_inc(dl_cell_int(f, dl_moved(q, (dl_index)(1) * 4) DL_ARGS(f)));
    atomic_sub(dl_cell_int(f, dl_moved(q, (dl_index)(2) * 4) DL_ARGS(f)), i);
}
