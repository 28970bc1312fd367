// detect: on
// run: go structs words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 words:1 n
/* More than 64 arguments. */
typedef struct {
    int a[8];
} row;

__kernel void go(__global row *p, __global const int *u0, __global const int *u1, __global const int *u2, __global const int *u3, __global const int *u4, __global const int *u5, __global const int *u6, __global const int *u7, __global const int *u8, __global const int *u9, __global const int *u10, __global const int *u11, __global const int *u12, __global const int *u13, __global const int *u14, __global const int *u15, __global const int *u16, __global const int *u17, __global const int *u18, __global const int *u19, __global const int *u20, __global const int *u21, __global const int *u22, __global const int *u23, __global const int *u24, __global const int *u25, __global const int *u26, __global const int *u27, __global const int *u28, __global const int *u29, __global const int *u30, __global const int *u31, __global const int *u32, __global const int *u33, __global const int *u34, __global const int *u35, __global const int *u36, __global const int *u37, __global const int *u38, __global const int *u39, __global const int *u40, __global const int *u41, __global const int *u42, __global const int *u43, __global const int *u44, __global const int *u45, __global const int *u46, __global const int *u47, __global const int *u48, __global const int *u49, __global const int *u50, __global const int *u51, __global const int *u52, __global const int *u53, __global const int *u54, __global const int *u55, __global const int *u56, __global const int *u57, __global const int *u58, __global const int *u59, __global const int *u60, __global const int *u61, __global const int *u62, __global const int *u63, int n)
{
    int i = get_global_id(0);

    p[i].a[i % 8] += u0[i] ^ u63[i] * n;
}
