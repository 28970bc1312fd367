// run: go structs
typedef struct {
    int head;
    float data[300];
    int tail;
} block;

//DL: AoS: f[global_size(0)] AOS2ASTA_block
//DL-table: 2
/* prelude */
static block dl_block_load(__global const block *dl_f, dl_index dl_i DL_FORMALS)
{
    block dl_s;
    dl_s.head = *DL_AT(int, dl_f, dl_i, 1208, 0, 4);
    for (int dl_l0 = 0; dl_l0 < 300; dl_l0++) {
    dl_s.data[dl_l0] = *DL_ANY_AT(float, dl_f, dl_i, 1208, 4 + dl_l0 * 4, 4);
    }
    dl_s.tail = *DL_AT(int, dl_f, dl_i, 1208, 1204, 4);
    return dl_s;
}
static block dl_block_store(__global const block *dl_f, dl_index dl_i DL_FORMALS, block dl_s)
{
    *DL_AT(int, dl_f, dl_i, 1208, 0, 4) = dl_s.head;
    for (int dl_l0 = 0; dl_l0 < 300; dl_l0++) {
    *DL_ANY_AT(float, dl_f, dl_i, 1208, 4 + dl_l0 * 4, 4) = dl_s.data[dl_l0];
    }
    *DL_AT(int, dl_f, dl_i, 1208, 1204, 4) = dl_s.tail;
    return dl_s;
}
static __global float *dl_block_data(__global const block *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_i, 1208, 4 + dl_k0 * 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 1208 line 8 type block
//DL-leaves: 0+4*302
//DL-structs: global_size(0)
//DL-access: linear 1 0+1208 read write
//DL-access: linear 1 4+1200 read write walks loops 1 counted 1 rounds 43
//DL-end: go
#line 9
__kernel void go(__global block *f DL_PARAMS(f))
{
    int i = get_global_id(0);
    block b = dl_block_load(f, i DL_ARGS(f));

    b.head += b.tail;
    b.data[i] += 1.0f;
    dl_block_store(f, i DL_ARGS(f), b);
    for (int k = 0; k < 300; k += 7)
        (*dl_block_data(f, i, (k) DL_ARGS(f))) += (*dl_block_data(f, i, (299 - k) DL_ARGS(f)));
}
