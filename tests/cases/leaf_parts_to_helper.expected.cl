// detect: on
// run: push structs words:1
// run: parts structs words:1
/* The address of a vector member goes to helpers that reach its components by casts and constant steps: they lie together in
 * every layout. */
typedef struct {
    float4 pos, force;
    int2 counts;
} body;

void add_float(volatile __global float *a, float v)
{
    union {
        uint u;
        float f;
    } o, n;

    do {
        o.f = *a;
        n.f = o.f + v;
    } while (atomic_cmpxchg((volatile __global uint *)a, o.u, n.u) != o.u);
}

void add4(volatile __global float4 *a, float4 v)
{
    volatile __global float *f = (volatile __global float *)a;

    add_float(f, v.x);
    add_float(f + 1, v.y);
    add_float(&f[2], v.z);
    add_float(((f + 4) - 1), v.w);
}

//DL: AoS: b[] AOS2ASTA_body
//DL-table: 2
/* prelude */
static __global float4 *dl_body_force(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float4, dl_f, dl_i, 48, 16, 16);
}
//DL-kernel: push 2
//DL-sums: exact
//DL-draws: slots
//DL-detected: 0 1
//DL-buffer: b arg 0 write aos bytes 48 line 34 type body
//DL-leaves: 0+16*2 32+8*2
//DL-structs: *
//DL-found: b[]
//DL-members: pos 0+16*1 force 16+16*1 counts 32+8*1
//DL-gaps: 40+8
//DL-access: linear 1 16+16 read write
//DL-end: push
#line 34
__kernel void push(__global body *b, __global const int *pairs DL_PARAMS(b))
{
    int i = get_global_id(0);

    add4(dl_body_force(b, i DL_ARGS(b)), (float4)(pairs[i] & 3));
}

int both(__global int2 *c)
{
    __global int *n = (__global int *)c, *second = &n[1];

    atomic_inc(n);
    *second += 2;
    (*c).x ^= 1;
    return n[0] + *(second - 1);
}

//DL: AoS: b[] AOS2ASTA_body
static __global int2 *dl_body_counts(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int2, dl_f, dl_i, 48, 32, 8);
}
//DL-kernel: parts 2
//DL-sums: exact
//DL-detected: 0 1
//DL-buffer: b arg 0 write aos bytes 48 line 51 type body
//DL-leaves: 0+16*2 32+8*2
//DL-structs: *
//DL-found: b[]
//DL-members: pos 0+16*1 force 16+16*1 counts 32+8*1
//DL-gaps: 40+8
//DL-access: linear 1 32+8 read write
//DL-end: parts
#line 51
__kernel void parts(__global body *b, __global int *out DL_PARAMS(b))
{
    int i = get_global_id(0);

    out[i] = both(dl_body_counts(b, i DL_ARGS(b)));
}
