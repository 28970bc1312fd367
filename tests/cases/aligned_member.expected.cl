typedef struct {
    char a;
    int b __attribute__((aligned(16)));
    short c __attribute__((aligned(8)));
    char d[3];
} padded;

//DL: AoS: f[global_size(0)] AOS2ASTA_padded
//DL-table: 2
/* prelude */
static void dl_padded_load(__global const padded *dl_f, dl_index dl_i DL_FORMALS, padded *dl_s)
{
    (*dl_s).a = *DL_AT(char, dl_f, dl_i, 32, 0, 1);
    ((DL_ALIASED(unsigned char) *)((unsigned char *)dl_s + 1))->dl_v = ((__global DL_ALIASED(unsigned char) *)DL_AT(unsigned char, dl_f, dl_i, 32, 1, 1))->dl_v;
    ((DL_ALIASED(unsigned short) *)((unsigned char *)dl_s + 2))->dl_v = ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned char, dl_f, dl_i, 32, 2, 2))->dl_v;
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 4))->dl_v = ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 32, 4, 4))->dl_v;
    ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 8))->dl_v = ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 32, 8, 8))->dl_v;
    (*dl_s).b = *DL_AT(int, dl_f, dl_i, 32, 16, 4);
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 20))->dl_v = ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 32, 20, 4))->dl_v;
    (*dl_s).c = *DL_AT(short, dl_f, dl_i, 32, 24, 2);
    (*dl_s).d[0] = *DL_AT(char, dl_f, dl_i, 32, 26, 1);
    (*dl_s).d[1] = *DL_AT(char, dl_f, dl_i, 32, 27, 1);
    (*dl_s).d[2] = *DL_AT(char, dl_f, dl_i, 32, 28, 1);
    ((DL_ALIASED(unsigned char) *)((unsigned char *)dl_s + 29))->dl_v = ((__global DL_ALIASED(unsigned char) *)DL_AT(unsigned char, dl_f, dl_i, 32, 29, 1))->dl_v;
    ((DL_ALIASED(unsigned short) *)((unsigned char *)dl_s + 30))->dl_v = ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned char, dl_f, dl_i, 32, 30, 2))->dl_v;
}
static __global int *dl_padded_b(__global const padded *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 32, 16, 4);
}
static __global short *dl_padded_c(__global const padded *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(short, dl_f, dl_i, 32, 24, 2);
}
static __global char *dl_padded_d(__global const padded *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(char, dl_f, dl_i, 32, 26 + dl_k0 * 1, 1);
}
static __global char *dl_padded_a(__global const padded *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(char, dl_f, dl_i, 32, 0, 1);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 32 line 8 type padded
//DL-leaves: 0+1*2 2+2 4+4 8+8 16+4*2 24+2 26+1*4 30+2
//DL-structs: global_size(0)
//DL-gaps: 1+1 2+2 4+4 8+8 20+4 29+1 30+2
//DL-access: linear 1 0+32 read
//DL-access: linear 1 16+4 read write
//DL-access: linear 1 24+2 write
//DL-access: linear 1 27+1 read write
//DL-access: linear 1 0+1 read write
//DL-end: go
#line 9
__kernel void go(__global padded *f DL_PARAMS(f))
{
    int i = get_global_id(0);
    padded p = ({ padded dl_s; dl_padded_load(f, i DL_ARGS(f), &dl_s); dl_s; });

    (*dl_padded_b(f, i DL_ARGS(f))) += p.a;
    (*dl_padded_c(f, i DL_ARGS(f))) = p.d[i % 3];
    (*dl_padded_d(f, i, (1) DL_ARGS(f))) ^= (*dl_padded_a(f, i DL_ARGS(f)))--;
}
// run: go structs
