// detect: on
// run: go structs words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 n
/* More than 64 arguments. */
typedef struct {
    int a[8];
} row;

//DL: AoS: p[] AOS2ASTA_row
//DL-table: 2
/* prelude */
static __global int *dl_of_row_a(__global const row *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 32, 0 + dl_k0 * 4, 4);
}
//DL-kernel: go 66
//DL-sums: exact
//DL-detected: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
//DL-unused: 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
//DL-buffer: p arg 0 write aos bytes 32 line 8 type row
//DL-leaves: 0+4*8
//DL-structs: *
//DL-found: p[]
//DL-members: a 0+4*8
//DL-access: linear 1 0+32 read write walks
//DL-end: go
#line 8
__kernel void go(__global row *p, __global const int *u0, __global const int *u1, __global const int *u2, __global const int *u3, __global const int *u4, __global const int *u5, __global const int *u6, __global const int *u7, __global const int *u8, __global const int *u9, __global const int *u10, __global const int *u11, __global const int *u12, __global const int *u13, __global const int *u14, __global const int *u15, __global const int *u16, __global const int *u17, __global const int *u18, __global const int *u19, __global const int *u20, __global const int *u21, __global const int *u22, __global const int *u23, __global const int *u24, __global const int *u25, __global const int *u26, __global const int *u27, __global const int *u28, __global const int *u29, __global const int *u30, __global const int *u31, __global const int *u32, __global const int *u33, __global const int *u34, __global const int *u35, __global const int *u36, __global const int *u37, __global const int *u38, __global const int *u39, __global const int *u40, __global const int *u41, __global const int *u42, __global const int *u43, __global const int *u44, __global const int *u45, __global const int *u46, __global const int *u47, __global const int *u48, __global const int *u49, __global const int *u50, __global const int *u51, __global const int *u52, __global const int *u53, __global const int *u54, __global const int *u55, __global const int *u56, __global const int *u57, __global const int *u58, __global const int *u59, __global const int *u60, __global const int *u61, __global const int *u62, __global const int *u63, int n DL_PARAMS(p))
{
    int i = get_global_id(0);

    (*dl_of_row_a(p, i, (i % 8) DL_ARGS(p))) += u0[i] ^ u63[i] * n;
}
