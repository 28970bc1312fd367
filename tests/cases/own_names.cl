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

//DL: AoS: dl_f[dl_n]
__kernel void dl_go(__global dl_cell *dl_f, __global int *dl_o, int dl_n)
{
    int DL_OF(b) = get_global_id(0), dl_tail = dl_words(dl_b);
    __global dl_cell *dl_w = &dl_f[dl_b];
    dl_cell dl_v = *dl_w;

    dl_bump(dl_w, dl_tail);
    bump(dl_w, dl_b);
    dl_w->dl_i += dl_half(dl_v.x);
    dl_f[dl_tail - 1].dl_b[dl_tail & 3] ^= dl_tail;
    dl_o[dl_b] ^= dl_tail;
}
