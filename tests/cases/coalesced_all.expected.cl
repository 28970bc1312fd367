// run: copy structs structs words:1
typedef struct {
    int a[6];
    uint2 b;
    float c[2];
} wide;

typedef struct {
    short a;
    int b;
} padded;

typedef struct {
    short a, b, c;
} halves;

//DL: AoS: from[global_size(0)] AOS2ASTA_wide, to[global_size(0)] AOS2ASTA_wide
//DL-table: 2
/* prelude */
static wide dl_wide_store(__global const wide *dl_f, dl_index dl_i DL_FORMALS, wide dl_s)
{
    *DL_AT(int, dl_f, dl_i, 40, 0, 4) = dl_s.a[0];
    *DL_AT(int, dl_f, dl_i, 40, 4, 4) = dl_s.a[1];
    *DL_AT(int, dl_f, dl_i, 40, 8, 4) = dl_s.a[2];
    *DL_AT(int, dl_f, dl_i, 40, 12, 4) = dl_s.a[3];
    *DL_AT(int, dl_f, dl_i, 40, 16, 4) = dl_s.a[4];
    *DL_AT(int, dl_f, dl_i, 40, 20, 4) = dl_s.a[5];
    *DL_AT(uint2, dl_f, dl_i, 40, 24, 8) = dl_s.b;
    *DL_AT(float, dl_f, dl_i, 40, 32, 4) = dl_s.c[0];
    *DL_AT(float, dl_f, dl_i, 40, 36, 4) = dl_s.c[1];
    return dl_s;
}
static wide dl_wide_load(__global const wide *dl_f, dl_index dl_i DL_FORMALS)
{
    wide dl_s;
    dl_s.a[0] = *DL_AT(int, dl_f, dl_i, 40, 0, 4);
    dl_s.a[1] = *DL_AT(int, dl_f, dl_i, 40, 4, 4);
    dl_s.a[2] = *DL_AT(int, dl_f, dl_i, 40, 8, 4);
    dl_s.a[3] = *DL_AT(int, dl_f, dl_i, 40, 12, 4);
    dl_s.a[4] = *DL_AT(int, dl_f, dl_i, 40, 16, 4);
    dl_s.a[5] = *DL_AT(int, dl_f, dl_i, 40, 20, 4);
    dl_s.b = *DL_AT(uint2, dl_f, dl_i, 40, 24, 8);
    dl_s.c[0] = *DL_AT(float, dl_f, dl_i, 40, 32, 4);
    dl_s.c[1] = *DL_AT(float, dl_f, dl_i, 40, 36, 4);
    return dl_s;
}
static __global int *dl_wide_a(__global const wide *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 40, 0 + dl_k0 * 4, 4);
}
static __global float *dl_wide_c(__global const wide *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_i, 40, 32 + dl_k0 * 4, 4);
}
//DL-kernel: copy 3
//DL-sums: exact
//DL-buffer: from arg 0 read aos bytes 40 line 17 type wide
//DL-leaves: 0+4*6 24+8 32+4*2
//DL-structs: global_size(0)
//DL-access: linear -1 0+40 read
//DL-access: linear 1 0+40 read
//DL-buffer: to arg 1 write aos bytes 40 line 17 type wide
//DL-leaves: 0+4*6 24+8 32+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+40 read write
//DL-access: linear 1 4+4 read
//DL-access: linear 1 32+8 read write walks loops 1 counted 1 rounds 2
//DL-end: copy
#line 18
kernel void copy(global const wide *restrict from, global wide *restrict to,
                 global uint *seen DL_PARAMS(from) DL_PARAMS(to))
{
    const size_t i = get_global_id(0);
    wide w;

    dl_wide_store(to, i DL_ARGS(to), dl_wide_load(from, get_global_size(0) - 1 - i DL_ARGS(from)));
    w = dl_wide_load(to, i DL_ARGS(to));
    w.a[1]++;
    dl_wide_store(to, i DL_ARGS(to), w);
    seen[i] = (*dl_wide_a(to, i, (1) DL_ARGS(to)));
    for (int k = 0; k < 2; k++) {
        wide v = dl_wide_load(from, i DL_ARGS(from));

        (*dl_wide_c(to, i, (k) DL_ARGS(to))) += v.c[1];
    }
}

// Functions that are given a struct of 16 bytes or less may lose its padding.
//DL: AoS: f[global_size(0)] AOS2ASTA_padded, g[global_size(0)] AOS2ASTA_halves
static void dl_padded_load(__global const padded *dl_f, dl_index dl_i DL_FORMALS, padded *dl_s)
{
    (*dl_s).a = *DL_AT(short, dl_f, dl_i, 8, 0, 2);
    ((DL_ALIASED(unsigned short) *)((unsigned char *)dl_s + 2))->dl_v = ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned char, dl_f, dl_i, 8, 2, 2))->dl_v;
    (*dl_s).b = *DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
static halves dl_halves_load(__global const halves *dl_f, dl_index dl_i DL_FORMALS)
{
    halves dl_s;
    dl_s.a = *DL_AT(short, dl_f, dl_i, 6, 0, 2);
    dl_s.b = *DL_AT(short, dl_f, dl_i, 6, 2, 2);
    dl_s.c = *DL_AT(short, dl_f, dl_i, 6, 4, 2);
    return dl_s;
}
static void dl_padded_store(__global const padded *dl_f, dl_index dl_i DL_FORMALS, padded *dl_s)
{
    *DL_AT(short, dl_f, dl_i, 8, 0, 2) = (*dl_s).a;
    ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned char, dl_f, dl_i, 8, 2, 2))->dl_v = ((DL_ALIASED(unsigned short) *)((unsigned char *)dl_s + 2))->dl_v;
    *DL_AT(int, dl_f, dl_i, 8, 4, 4) = (*dl_s).b;
}
static halves dl_halves_store(__global const halves *dl_f, dl_index dl_i DL_FORMALS, halves dl_s)
{
    *DL_AT(short, dl_f, dl_i, 6, 0, 2) = dl_s.a;
    *DL_AT(short, dl_f, dl_i, 6, 2, 2) = dl_s.b;
    *DL_AT(short, dl_f, dl_i, 6, 4, 2) = dl_s.c;
    return dl_s;
}
//DL-kernel: gaps 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 37 type padded
//DL-leaves: 0+2*2 4+4
//DL-structs: global_size(0)
//DL-gaps: 2+2
//DL-access: linear 1 0+8 read write
//DL-buffer: g arg 1 write aos bytes 6 line 37 type halves
//DL-leaves: 0+2*3
//DL-structs: global_size(0)
//DL-access: linear 1 0+6 read write
//DL-end: gaps
#line 38
kernel void gaps(global padded *f, global halves *g DL_PARAMS(f) DL_PARAMS(g))
{
    const size_t i = get_global_id(0);
    padded p = ({ padded dl_s; dl_padded_load(f, i DL_ARGS(f), &dl_s); dl_s; });
    halves h = dl_halves_load(g, i DL_ARGS(g));

    p.b += h.a;
    ({ padded dl_s; dl_padded_store(f, i DL_ARGS(f), (dl_s = p, &dl_s)); });
    dl_halves_store(g, i DL_ARGS(g), h);
}

//DL: AoS: f[global_size(0)] AOS2ASTA_wide
//DL-kernel: waits 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 40 line 49 type wide
//DL-leaves: 0+4*6 24+8 32+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+40 read write
//DL-end: waits
#line 50
kernel void waits(global wide *f, local int *l DL_PARAMS(f))
{
    const size_t i = get_global_id(0);
    wide w = dl_wide_load(f, i DL_ARGS(f));

    l[get_local_id(0)] = w.a[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    w.a[0] = l[0];
    dl_wide_store(f, i DL_ARGS(f), w);
}

//DL: AoS: f[global_size(0)] AOS2ASTA_wide
//DL-kernel: counts 2
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 40 line 61 type wide
//DL-leaves: 0+4*6 24+8 32+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+40 read
//DL-end: counts
#line 62
kernel void counts(global wide *f, global int *all DL_PARAMS(f))
{
    const size_t i = get_global_id(0);
    wide w = dl_wide_load(f, i DL_ARGS(f));

    atomic_add(all, w.a[0]);
}
