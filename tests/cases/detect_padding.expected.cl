// detect: on
// run: advance structs structs words:16 structs n
/* Structs with padding, or a vector of three, are written whole: `f` by a helper that is given one by value, `v` from local
 * memory. */
typedef struct {
    int x, pad_follows;
    int4 v;
    int last;
} padded;
typedef struct {
    int3 three;
    int4 four;
} vectors;
typedef struct {
    int a, b, c, d;
} whole;

void put(__global padded *f, int at, padded value)
{
    f[at] = value;
}

//DL: AoS: f[] AOS2ASTA_padded, v[] AOS2ASTA_vectors, w[] AOS2ASTA_whole
//DL-table: 2
/* prelude */
static void dl_padded_store(__global const padded *dl_f, dl_index dl_i DL_FORMALS, padded *dl_s)
{
    *DL_AT(int, dl_f, dl_i, 48, 0, 4) = (*dl_s).x;
    *DL_AT(int, dl_f, dl_i, 48, 4, 4) = (*dl_s).pad_follows;
    ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 48, 8, 8))->dl_v = ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 8))->dl_v;
    *DL_AT(int4, dl_f, dl_i, 48, 16, 16) = (*dl_s).v;
    *DL_AT(int, dl_f, dl_i, 48, 32, 4) = (*dl_s).last;
    ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 48, 36, 4))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 36))->dl_v;
    ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 48, 40, 8))->dl_v = ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 40))->dl_v;
}
#line 18
static DL_INLINE void dl_put(__global padded *f, dl_index dl_at_f DL_PARAMS(f), int at, padded value)
{
    ({ padded dl_s; dl_padded_store(f, dl_at_f + at DL_ARGS(f), (dl_s = value, &dl_s)); });
}
static whole dl_whole_load(__global const whole *dl_f, dl_index dl_i DL_FORMALS)
{
    whole dl_s;
    dl_s.a = *DL_AT(int, dl_f, dl_i, 16, 0, 4);
    dl_s.b = *DL_AT(int, dl_f, dl_i, 16, 4, 4);
    dl_s.c = *DL_AT(int, dl_f, dl_i, 16, 8, 4);
    dl_s.d = *DL_AT(int, dl_f, dl_i, 16, 12, 4);
    return dl_s;
}
static __global int *dl_padded_x(__global const padded *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 48, 0, 4);
}
static void dl_vectors_load(__global const vectors *dl_f, dl_index dl_i DL_FORMALS, vectors *dl_s)
{
    ((DL_ALIASED(int4) *)&(*dl_s).three)->dl_v = ((__global DL_ALIASED(int4) *)DL_AT(int4, dl_f, dl_i, 32, 0, 16))->dl_v;
    (*dl_s).four = *DL_AT(int4, dl_f, dl_i, 32, 16, 16);
}
static __global int4 *dl_vectors_four(__global const vectors *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int4, dl_f, dl_i, 32, 16, 16);
}
static void dl_vectors_store(__global const vectors *dl_f, dl_index dl_i DL_FORMALS, vectors *dl_s)
{
    ((__global DL_ALIASED(int4) *)DL_AT(int4, dl_f, dl_i, 32, 0, 16))->dl_v = ((DL_ALIASED(int4) *)&(*dl_s).three)->dl_v;
    *DL_AT(int4, dl_f, dl_i, 32, 16, 16) = (*dl_s).four;
}
static whole dl_whole_store(__global const whole *dl_f, dl_index dl_i DL_FORMALS, whole dl_s)
{
    *DL_AT(int, dl_f, dl_i, 16, 0, 4) = dl_s.a;
    *DL_AT(int, dl_f, dl_i, 16, 4, 4) = dl_s.b;
    *DL_AT(int, dl_f, dl_i, 16, 8, 4) = dl_s.c;
    *DL_AT(int, dl_f, dl_i, 16, 12, 4) = dl_s.d;
    return dl_s;
}
//DL-kernel: advance 5
//DL-sums: exact
//DL-detected: 0 1 2 3
//DL-buffer: f arg 0 write aos bytes 48 line 23 type padded
//DL-leaves: 0+4*2 8+8 16+16 32+4*2 40+8
//DL-structs: *
//DL-found: f[]
//DL-members: x 0+4*1 pad_follows 4+4*1 v 16+16*1 last 32+4*1
//DL-gaps: 8+8 36+4 40+8
//DL-access: linear 1 0+48 write conditional
//DL-access: linear 1 0+4 read write
//DL-buffer: v arg 1 write aos bytes 32 line 23 type vectors
//DL-leaves: 0+16*2
//DL-structs: *
//DL-found: v[]
//DL-members: three 0+16*1 four 16+16*1
//DL-gaps: 12+4
//DL-access: linear 1 0+32 read write
//DL-access: linear 1 16+16 read
//DL-buffer: w arg 3 write aos bytes 16 line 24 type whole
//DL-leaves: 0+4*4
//DL-structs: *
//DL-found: w[]
//DL-members: a 0+4*1 b 4+4*1 c 8+4*1 d 12+4*1
//DL-access: linear 1 0+16 read write
//DL-end: advance
#line 23
__kernel void advance(__global padded *f, __global vectors *v, __global int *out,
                   __global whole *w, int n DL_PARAMS(f) DL_PARAMS(v) DL_PARAMS(w))
{
    int i = get_global_id(0);
    padded mine = {i, 1, (int4)(i), 2};
    __local vectors local_v[1];
    whole all = dl_whole_load(w, i DL_ARGS(w));

    if (i == n)
        dl_put(f, 0 DL_ARGS(f), i, mine);
    (*dl_padded_x(f, i DL_ARGS(f))) += all.a;
    local_v[0] = ({ vectors dl_s; dl_vectors_load(v, i DL_ARGS(v), &dl_s); dl_s; });
    local_v[0].three += (*dl_vectors_four(v, i DL_ARGS(v))).xyz;
    ({ vectors dl_s; dl_vectors_store(v, i DL_ARGS(v), (dl_s = local_v[0], &dl_s)); });
    all.b ^= out[i % 16];
    dl_whole_store(w, i DL_ARGS(w), all);
}

//DL: AoS: h[] AOS2ASTA_padded
static void dl_padded_load(__global const padded *dl_f, dl_index dl_i DL_FORMALS, padded *dl_s)
{
    (*dl_s).x = *DL_AT(int, dl_f, dl_i, 48, 0, 4);
    (*dl_s).pad_follows = *DL_AT(int, dl_f, dl_i, 48, 4, 4);
    ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 8))->dl_v = ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 48, 8, 8))->dl_v;
    (*dl_s).v = *DL_AT(int4, dl_f, dl_i, 48, 16, 16);
    (*dl_s).last = *DL_AT(int, dl_f, dl_i, 48, 32, 4);
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 36))->dl_v = ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 48, 36, 4))->dl_v;
    ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 40))->dl_v = ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 48, 40, 8))->dl_v;
}
//DL-kernel: gather 2
//DL-sums: exact
//DL-detected: 0 1
//DL-buffer: h arg 0 read aos bytes 48 line 41 type padded
//DL-leaves: 0+4*2 8+8 16+16 32+4*2 40+8
//DL-structs: *
//DL-found: h[]
//DL-members: x 0+4*1 pad_follows 4+4*1 v 16+16*1 last 32+4*1
//DL-access: linear 1 0+48 read
//DL-end: gather
#line 41
__kernel void gather(__global const padded *h, __global int *out DL_PARAMS(h))
{
    padded mine = ({ padded dl_s; dl_padded_load(h, get_global_id(0) DL_ARGS(h), &dl_s); dl_s; });

    out[get_global_id(0)] = mine.x + mine.v.y;
}
