// run: go structs
typedef struct {
    float x;
    int k[2];
} part;
typedef struct {
    part parts[3];
    float sum;
} whole;

//DL: AoS: w[global_size(0)] AOS2ASTA_whole
//DL-table: 2
/* prelude */
static __global float *dl_whole_sum(__global const whole *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 40, 36, 4);
}
static __global float *dl_whole_parts_x(__global const whole *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_i, 40, 0 + dl_k0 * 12, 4);
}
static __global int *dl_whole_parts_k(__global const whole *dl_f, dl_index dl_i, dl_index dl_k0, dl_index dl_k1 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 40, 4 + dl_k0 * 12 + dl_k1 * 4, 4);
}
static part dl_whole_parts_load(__global const whole *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    part dl_s;
    dl_s.x = *DL_ANY_AT(float, dl_f, dl_i, 40, 0 + dl_k0 * 12, 4);
    dl_s.k[0] = *DL_ANY_AT(int, dl_f, dl_i, 40, 4 + dl_k0 * 12, 4);
    dl_s.k[1] = *DL_ANY_AT(int, dl_f, dl_i, 40, 8 + dl_k0 * 12, 4);
    return dl_s;
}
static part dl_whole_parts_store(__global const whole *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS, part dl_s)
{
    *DL_ANY_AT(float, dl_f, dl_i, 40, 0 + dl_k0 * 12, 4) = dl_s.x;
    *DL_ANY_AT(int, dl_f, dl_i, 40, 4 + dl_k0 * 12, 4) = dl_s.k[0];
    *DL_ANY_AT(int, dl_f, dl_i, 40, 8 + dl_k0 * 12, 4) = dl_s.k[1];
    return dl_s;
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: w arg 0 write aos bytes 40 line 11 type whole
//DL-leaves: 0+4*10
//DL-structs: global_size(0)
//DL-access: linear 1 36+4 read write
//DL-access: linear 1 0+36 read write walks loops 1 counted 1 rounds 3
//DL-access: linear 1 0+4 write
//DL-access: linear 1 24+12 read
//DL-access: linear 1 12+12 write
//DL-end: go
#line 12
__kernel void go(__global whole *w DL_PARAMS(w))
{
    int i = get_global_id(0);

    for (int j = 0; j < 3; j++) {
        (*dl_whole_sum(w, i DL_ARGS(w))) += (*dl_whole_parts_x(w, i, (j) DL_ARGS(w)));
        (*dl_whole_parts_k(w, i, (j), (i & 1) DL_ARGS(w))) ^= j;
    }
    (*dl_whole_parts_x(w, i, 0 DL_ARGS(w))) = 3.0f;
    part p = dl_whole_parts_load(w, i, (2) DL_ARGS(w));
    p.k[0] += 9;
    dl_whole_parts_store(w, i, (1) DL_ARGS(w), p);
}
