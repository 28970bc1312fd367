// options: -DDL=1 -Ddl=2
// run: go structs/3+1 structs words:4
// Macros with the names of types that generated text could use.
#define uchar uint
#define uint int
#define ulong float
#define size_t int
#define global __global
#define restrict
#define inline
#define as_float(x) (x)
#define vload2(a, b) ((b)[a])
#define min(a, b) 77
#define get_local_id(d) 3
#define head 5
#define bytes 6
#define width(x) 7
typedef struct {
    unsigned char a, b, c;
    unsigned short s[2];
    unsigned n;
    unsigned long l;
} cell;

int helper(global cell *restrict bytes_of) { return bytes_of->a + bytes_of[0].n; }

//DL: AoS: f[] AOS2ASTA_cell, g[][3] AOS2ASTA_uint_3
//DL-table: 2
/* prelude */
static __global unsigned char *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned char, dl_f, dl_i, 24, 0, 1);
}
static __global unsigned int *dl_cell_n(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned int, dl_f, dl_i, 24, 8, 4);
}
#line 25
static DL_INLINE int dl_helper(__global cell * bytes_of, dl_index dl_at_bytes_of DL_PARAMS(bytes_of)) { return (*dl_cell_a(bytes_of, dl_at_bytes_of DL_ARGS(bytes_of))) + (*dl_cell_n(bytes_of, dl_at_bytes_of + 0 DL_ARGS(bytes_of))); }
static void dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell *dl_s)
{
    (*dl_s).a = *DL_AT(unsigned char, dl_f, dl_i, 24, 0, 1);
    (*dl_s).b = *DL_AT(unsigned char, dl_f, dl_i, 24, 1, 1);
    (*dl_s).c = *DL_AT(unsigned char, dl_f, dl_i, 24, 2, 1);
    ((DL_ALIASED(unsigned char) *)((unsigned char *)dl_s + 3))->dl_v = ((__global DL_ALIASED(unsigned char) *)DL_AT(unsigned char, dl_f, dl_i, 24, 3, 1))->dl_v;
    (*dl_s).s[0] = *DL_AT(unsigned short, dl_f, dl_i, 24, 4, 2);
    (*dl_s).s[1] = *DL_AT(unsigned short, dl_f, dl_i, 24, 6, 2);
    (*dl_s).n = *DL_AT(unsigned int, dl_f, dl_i, 24, 8, 4);
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 12))->dl_v = ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 24, 12, 4))->dl_v;
    (*dl_s).l = *DL_AT(unsigned long, dl_f, dl_i, 24, 16, 8);
}
static __global unsigned short *dl_cell_s(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(unsigned short, dl_f, dl_i, 24, 4 + dl_k0 * 2, 2);
}
static __global unsigned char *dl_cell_b(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned char, dl_f, dl_i, 24, 1, 1);
}
static __global unsigned int *dl_uint_3_in(__global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned int *)dl_f + (dl_i * 3 + dl_e);
#else
    return DL_AT(unsigned int, dl_f, dl_i, 12, dl_e * 4, 4);
#endif
}
static __global unsigned int *dl_uint_3_uint(__global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned int *)dl_f + (unsigned int)(dl_i * dl_w + dl_e);
#else
    dl_w = 3;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w || dl_i * dl_w + dl_e > 0xffffffffu) {
        dl_e = (unsigned int)(dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(unsigned int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __global unsigned long *dl_cell_l(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned long, dl_f, dl_i, 24, 16, 8);
}
static __global unsigned int *dl_uint_3(__global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned int *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 3;
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(unsigned int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __global unsigned char *dl_cell_c(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned char, dl_f, dl_i, 24, 2, 1);
}
static void dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell *dl_s)
{
    *DL_AT(unsigned char, dl_f, dl_i, 24, 0, 1) = (*dl_s).a;
    *DL_AT(unsigned char, dl_f, dl_i, 24, 1, 1) = (*dl_s).b;
    *DL_AT(unsigned char, dl_f, dl_i, 24, 2, 1) = (*dl_s).c;
    ((__global DL_ALIASED(unsigned char) *)DL_AT(unsigned char, dl_f, dl_i, 24, 3, 1))->dl_v = ((DL_ALIASED(unsigned char) *)((unsigned char *)dl_s + 3))->dl_v;
    *DL_AT(unsigned short, dl_f, dl_i, 24, 4, 2) = (*dl_s).s[0];
    *DL_AT(unsigned short, dl_f, dl_i, 24, 6, 2) = (*dl_s).s[1];
    *DL_AT(unsigned int, dl_f, dl_i, 24, 8, 4) = (*dl_s).n;
    ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 24, 12, 4))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 12))->dl_v;
    *DL_AT(unsigned long, dl_f, dl_i, 24, 16, 8) = (*dl_s).l;
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 24 line 27 type cell
//DL-leaves: 0+1*4 4+2*2 8+4*2 16+8
//DL-structs: *
//DL-gaps: 3+1 12+4
//DL-access: linear 1 0+24 read write
//DL-access: linear 1 0+1 read write
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 1+1 read
//DL-access: linear 1 8+4 read
//DL-access: linear 1 16+8 read write
//DL-access: linear 1 2+1 write
//DL-buffer: g arg 1 write aos bytes 12 line 27 type uint
//DL-leaves: 0+4*3
//DL-structs: *
//DL-access: linear 1 4+4 write
//DL-access: linear 1 8+4 read
//DL-access: unknown 0+12 read
//DL-end: go
#line 28
__kernel void go(global cell *restrict f, global unsigned *g, global int *out DL_PARAMS(f) DL_PARAMS(g))
{ dl_index dl_w_g = (long)3;
    int i = get_global_id(0);
    cell copy = ({ cell dl_s; dl_cell_load(f, i DL_ARGS(f), &dl_s); dl_s; });
    uchar large = 300;

    (*dl_cell_a(f, i DL_ARGS(f))) += large;
    (*dl_cell_s(f, i, (i & 1) DL_ARGS(f))) -= (*dl_cell_b(f, i DL_ARGS(f)));
    (*dl_uint_3_in(g, i, 1 DL_ARGS(g))) = ((*dl_cell_n(f, i DL_ARGS(f)))) + (*dl_uint_3_uint(g, i, 2, dl_w_g DL_ARGS(g)));
    (*dl_cell_l(f, i DL_ARGS(f))) += (*dl_uint_3(g, 0, (dl_index)(i) - (dl_index)(i % 3), dl_w_g DL_ARGS(g))) * head + bytes;
    (*dl_cell_c(f, i DL_ARGS(f))) = min(f[i].c, 2);
    out[4 * i] = dl_helper(f, (i) DL_ARGS(f)) + copy.b;
    copy.n = out[4 * i + 1] & 0xff;
    ({ cell dl_s; dl_cell_store(f, i DL_ARGS(f), (dl_s = copy, &dl_s)); });
}
