typedef struct __attribute__((packed)) {
    uchar tag;
    int v;
    short s[2];
} item;

//DL: AoS: c[n] AOS2ASTA_item
//DL-table: 2
/* prelude */
static item dl_item_load_constant(__constant const item *dl_f, dl_index dl_i DL_FORMALS)
{
    item dl_s;
    dl_s.tag = *DL_AT_IN(__constant, unsigned char, dl_f, dl_i, 9, 0, 1);
    dl_s.v = ((__constant DL_PACKED(int) *)DL_AT_IN(__constant, unsigned char, dl_f, dl_i, 9, 1, 4))->dl_v;
    dl_s.s[0] = ((__constant DL_PACKED(short) *)DL_AT_IN(__constant, unsigned char, dl_f, dl_i, 9, 5, 2))->dl_v;
    dl_s.s[1] = ((__constant DL_PACKED(short) *)DL_AT_IN(__constant, unsigned char, dl_f, dl_i, 9, 7, 2))->dl_v;
    return dl_s;
}
typedef DL_PACKED(int) dl_item_v_constant_view;
static __constant dl_item_v_constant_view *dl_item_v_constant(__constant const item *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT_IN(__constant, dl_item_v_constant_view, dl_f, dl_i, 9, 1, 4);
}
typedef DL_PACKED(short) dl_item_s_constant_view;
static __constant dl_item_s_constant_view *dl_item_s_constant(__constant const item *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT_IN(__constant, dl_item_s_constant_view, dl_f, dl_i, 9, 5 + dl_k0 * 2, 2);
}
static __constant unsigned char *dl_item_tag_constant(__constant const item *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT_IN(__constant, unsigned char, dl_f, dl_i, 9, 0, 1);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: c arg 0 const aos bytes 9 line 7 type item
//DL-leaves: 0+1 1+4 5+2*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear -1 0+9 read
//DL-access: linear 1 1+4 read
//DL-access: linear 1 5+4 read
//DL-access: linear 1 0+1 read
//DL-end: go
#line 8
__kernel void go(__constant item *c, __global int *out, int n DL_PARAMS(c))
{
    int i = get_global_id(0);
    item whole = dl_item_load_constant(c, n - 1 - i DL_ARGS(c));

    out[i] = (dl_item_v_constant(c, i DL_ARGS(c))->dl_v) + (dl_item_s_constant(c, i, (i & 1) DL_ARGS(c))->dl_v) * (*dl_item_tag_constant(c, i DL_ARGS(c))) + whole.v - whole.s[1];
}
// run: go structs words:1 n
