// options: -DDL_MORE=dl_by
// run: dl_go structs/8+1 words:1 n
typedef struct {
    float dl_i, x;
    uchar dl_b[4];
} dl_cell;

#define DL_OF(name) dl_##name
#define dl_half(v) ((v) / 2)

/* As DL's own function, its accessors and the copy of a helper. */
int dl_words(int dl_f) { return dl_f + 1; }
float dl_dl_cell_x(float dl_head) { return dl_head * 0.5f; }
void dl_bump(__global dl_cell *dl_p, int dl_by) { dl_p->x += dl_dl_cell_x(DL_MORE); }
void bump(__global dl_cell *dl_e, int dl_k0) { dl_e[0].dl_b[dl_k0 & 3] += dl_k0; }

//DL: AoS: dl_f[dl_n] AOS2ASTA_dl_cell
//DL-table: 2
/* prelude */
static __global float *dl_dl_cell_x_2(__global const dl_cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 4, 4);
}
#line 14
static DL_INLINE void dl_dl_bump(__global dl_cell *dl_p, dl_index dl_at_dl_p DL_PARAMS(dl_p), int dl_by) { (*dl_dl_cell_x_2(dl_p, dl_at_dl_p DL_ARGS(dl_p))) += dl_dl_cell_x(dl_by); }
static __global unsigned char *dl_dl_cell_dl_b(__global const dl_cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(unsigned char, dl_f, dl_i, 12, 8 + dl_k0 * 1, 1);
}
#line 15
static DL_INLINE void dl_bump_2(__global dl_cell *dl_e, dl_index dl_at_dl_e DL_PARAMS(dl_e), int dl_k0) { (*dl_dl_cell_dl_b(dl_e, dl_at_dl_e + 0, (dl_k0 & 3) DL_ARGS(dl_e))) += dl_k0; }
static dl_cell dl_dl_cell_load(__global const dl_cell *dl_f, dl_index dl_i DL_FORMALS)
{
    dl_cell dl_s;
    dl_s.dl_i = *DL_AT(float, dl_f, dl_i, 12, 0, 4);
    dl_s.x = *DL_AT(float, dl_f, dl_i, 12, 4, 4);
    dl_s.dl_b[0] = *DL_AT(unsigned char, dl_f, dl_i, 12, 8, 1);
    dl_s.dl_b[1] = *DL_AT(unsigned char, dl_f, dl_i, 12, 9, 1);
    dl_s.dl_b[2] = *DL_AT(unsigned char, dl_f, dl_i, 12, 10, 1);
    dl_s.dl_b[3] = *DL_AT(unsigned char, dl_f, dl_i, 12, 11, 1);
    return dl_s;
}
static __global float *dl_dl_cell_dl_i(__global const dl_cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 0, 4);
}
//DL-kernel: dl_go 3
//DL-sums: contractable
//DL-buffer: dl_f arg 0 write aos bytes 12 line 17 type dl_cell
//DL-leaves: 0+4*2 8+1*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+12 read
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 0+4 read write
//DL-end: dl_go
#line 18
__kernel void dl_go(__global dl_cell *dl_f, __global int *dl_o, int dl_n DL_PARAMS(dl_f))
{
    int DL_OF(b) = get_global_id(0), dl_tail = dl_words(dl_b);
    dl_index dl_w = (dl_b);
    dl_cell dl_v = dl_dl_cell_load(dl_f, dl_w DL_ARGS(dl_f));

    dl_dl_bump(dl_f, dl_w DL_ARGS(dl_f), dl_tail);
    dl_bump_2(dl_f, dl_w DL_ARGS(dl_f), dl_b);
    (*dl_dl_cell_dl_i(dl_f, dl_w DL_ARGS(dl_f))) += dl_half(dl_v.x);
    (*dl_dl_cell_dl_b(dl_f, dl_tail - 1, (dl_tail & 3) DL_ARGS(dl_f))) ^= dl_tail;
    dl_o[dl_b] ^= dl_tail;
}
