// run: go structs
typedef struct {
    double m[2][3];
} matrix;

//DL: AoS: f[global_size(0)] AOS2ASTA_matrix
//DL-table: 2
/* prelude */
static __global double *dl_matrix_m(__global const matrix *dl_f, dl_index dl_i, dl_index dl_k0, dl_index dl_k1 DL_FORMALS)
{
    return DL_ANY_AT(double, dl_f, dl_i, 48, 0 + dl_k0 * 24 + dl_k1 * 8, 8);
}
//DL-kernel: go 1
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 48 line 6 type matrix
//DL-leaves: 0+8*6
//DL-structs: global_size(0)
//DL-access: linear 1 0+48 read write walks loops 2 counted 2 rounds 6
//DL-access: linear 1 8+8 write
//DL-access: linear 1 24+8 write
//DL-end: go
#line 7
__kernel void go(__global matrix *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 3; c++)
            (*dl_matrix_m(f, i, (r), (c) DL_ARGS(f))) += (*dl_matrix_m(f, i, (1 - r), (2 - c) DL_ARGS(f))) * 0.5;
    (*dl_matrix_m(f, i, (0), (1) DL_ARGS(f))) = 1.0;
    (*dl_matrix_m(f, i, (1), 0 DL_ARGS(f))) = 2.0;
}
