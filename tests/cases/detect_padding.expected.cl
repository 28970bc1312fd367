// detect: on
// run: advance words:12 words:8 words:16 structs n
/* Structs with padding, or a vector of three, stay where they are when they are written whole: `f` by a helper that DL
 * does not follow, `v` from local memory. Reading `h` whole into a variable does no harm, nor does writing `w`, which has
 * no padding. */
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

//DL: AoS: w[] AOS2ASTA_whole
//DL-table: 2
/* prelude */
static whole dl_whole_load(__global const whole *dl_f, dl_index dl_i DL_FORMALS)
{
    whole dl_s;
    dl_s.a = *DL_AT(int, dl_f, dl_i, 16, 0, 4);
    dl_s.b = *DL_AT(int, dl_f, dl_i, 16, 4, 4);
    dl_s.c = *DL_AT(int, dl_f, dl_i, 16, 8, 4);
    dl_s.d = *DL_AT(int, dl_f, dl_i, 16, 12, 4);
    return dl_s;
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
//DL-buffer: w arg 3 write aos bytes 16 line 25 type whole
//DL-leaves: 0+4*4
//DL-structs: *
//DL-found: w[]
//DL-access: linear 1 0+16 read write
//DL-end: advance
#line 24
__kernel void advance(__global padded *f, __global vectors *v, __global int *out,
                   __global whole *w, int n DL_PARAMS(w))
{
    int i = get_global_id(0);
    padded mine = {i, 1, (int4)(i), 2};
    __local vectors local_v[1];
    whole all = dl_whole_load(w, i DL_ARGS(w));

    if (i == n)
        put(f, i, mine);
    f[i].x += all.a;
    local_v[0] = v[i];
    local_v[0].three += v[i].four.xyz;
    v[i] = local_v[0];
    all.b ^= out[i % 16];
    dl_whole_store(w, i DL_ARGS(w), all);
}

//DL: AoS: h[] AOS2ASTA_padded
static padded dl_padded_load(__global const padded *dl_f, dl_index dl_i DL_FORMALS)
{
    padded dl_s;
    dl_s.x = *DL_AT(int, dl_f, dl_i, 48, 0, 4);
    dl_s.pad_follows = *DL_AT(int, dl_f, dl_i, 48, 4, 4);
    dl_s.v = *DL_AT(int4, dl_f, dl_i, 48, 16, 16);
    dl_s.last = *DL_AT(int, dl_f, dl_i, 48, 32, 4);
    return dl_s;
}
//DL-kernel: gather 2
//DL-sums: exact
//DL-detected: 0 1
//DL-buffer: h arg 0 read aos bytes 48 line 42 type padded
//DL-leaves: 0+4*2 8+8 16+16 32+4*2 40+8
//DL-structs: *
//DL-found: h[]
//DL-access: linear 1 0+48 read
//DL-end: gather
#line 42
__kernel void gather(__global const padded *h, __global int *out DL_PARAMS(h))
{
    padded mine = dl_padded_load(h, get_global_id(0) DL_ARGS(h));

    out[get_global_id(0)] = mine.x + mine.v.y;
}
