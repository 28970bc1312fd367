typedef struct {
    float sum;
    uint count;
    int hist[4];
} bin;

void add_float(volatile __global float *p, float v)
{
    union {
        uint u;
        float f;
    } old, new;

    do {
        old.f = *p;
        new.f = old.f + v;
    } while (atomic_cmpxchg((volatile __global uint *)p, old.u, new.u) != old.u);
}

//DL: AoS: f[n] AOS2ASTA_bin
//DL-table: 2
/* prelude */
static __global float *dl_bin_sum(__global const bin *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 24, 0, 4);
}
static __global unsigned int *dl_bin_count(__global const bin *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned int, dl_f, dl_i, 24, 4, 4);
}
static __global int *dl_bin_hist(__global const bin *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 24, 8 + dl_k0 * 4, 4);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-draws: slots
//DL-buffer: f arg 0 write aos bytes 24 line 20 type bin
//DL-leaves: 0+4*6
//DL-structs: arg(2, i4, 0)
//DL-access: gather 0+4 read write
//DL-access: gather 4+4 read write atomic
//DL-access: gather 8+4 read write atomic
//DL-access: gather 20+4 read write atomic
//DL-end: go
#line 21
__kernel void go(__global bin *f, __global const int *in, int n DL_PARAMS(f))
{
    int i = get_global_id(0), b = (uint)in[i] % n;

    add_float(dl_bin_sum(f, b DL_ARGS(f)), 0.25f);
    atomic_inc((volatile __global uint *)dl_bin_count(f, b DL_ARGS(f)));
    atomic_add(dl_bin_hist(f, b, (in[i] & 3) DL_ARGS(f)), in[i] & 15);
    (void)atomic_max(dl_bin_hist(f, b, (3) DL_ARGS(f)), i);
}
// run: go structs words:1 n
