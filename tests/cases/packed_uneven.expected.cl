// run: go structs
struct uneven {
    short a;
    uchar b;
} __attribute__((packed));

//DL: AoS: f[global_size(0)] AOS2ASTA_uneven
//DL-table: 2
/* prelude */
typedef DL_PACKED(short) dl_uneven_a_view;
static __global dl_uneven_a_view *dl_uneven_a(__global const struct uneven *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_uneven_a_view, dl_f, dl_i, 3, 0, 2);
}
static __global unsigned char *dl_uneven_b(__global const struct uneven *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned char, dl_f, dl_i, 3, 2, 1);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 3 line 7 type struct uneven
//DL-leaves: 0+2 2+1
//DL-structs: global_size(0)
//DL-access: linear 1 0+2 read write
//DL-access: linear 1 2+1 read write
//DL-end: go
#line 8
__kernel void go(__global struct uneven *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    (dl_uneven_a(f, i DL_ARGS(f))->dl_v) = as_short((ushort)((dl_uneven_a(f, i DL_ARGS(f))->dl_v) ^ (*dl_uneven_b(f, i DL_ARGS(f)))));
    (*dl_uneven_b(f, i DL_ARGS(f)))--;
}
