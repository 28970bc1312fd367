// run: go structs structs n
// One buffer of either kind: hidden arguments for the rewritten one alone.
typedef struct {
    int a, b, c;
} item;

//DL: SoA: from[n][3]
//DL: AoS: to[n] AOS2ASTA_item
//DL-table: 2
/* prelude */
static __global int *dl_item_b(__global const item *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 4, 4);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: from arg 0 read soa bytes 12 line 7 type int
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-buffer: to arg 1 write aos bytes 12 line 8 type item
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 9
__kernel void go(__global const int *from, __global item *to, int n DL_PARAMS(to))
{
    int i = get_global_id(0);

    (*dl_item_b(to, i DL_ARGS(to))) += from[2 * n + i];
}
