typedef struct {
    float4 at;
    int k[3];
    short s;
} body;

float weight(__constant body *b, __global const body *g)
{
    return b->at.x * g[0].at.y + b[0].k[1];
}

//DL: AoS: c[n] AOS2ASTA_body, f[n] AOS2ASTA_body
//DL-table: 2
/* prelude */
static __constant float4 *dl_body_at_constant(__constant const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT_IN(__constant, float4, dl_f, dl_i, 32, 0, 16);
}
static __global float4 *dl_body_at(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float4, dl_f, dl_i, 32, 0, 16);
}
static __constant int *dl_body_k_constant(__constant const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT_IN(__constant, int, dl_f, dl_i, 32, 16 + dl_k0 * 4, 4);
}
#line 7
static DL_INLINE float dl_weight(__constant body *b, dl_index dl_at_b DL_PARAMS(b), __global const body *g, dl_index dl_at_g DL_PARAMS(g))
{
    return (*dl_body_at_constant(b, dl_at_b DL_ARGS(b))).x * (*dl_body_at(g, dl_at_g + 0 DL_ARGS(g))).y + (*dl_body_k_constant(b, dl_at_b + 0, (1) DL_ARGS(b)));
}
#line 7
static DL_INLINE float dl_weight_2(__constant body *b, __global const body *g, dl_index dl_at_g DL_PARAMS(g))
{
    return b->at.x * (*dl_body_at(g, dl_at_g + 0 DL_ARGS(g))).y + b[0].k[1];
}
static void dl_body_load_constant(__constant const body *dl_f, dl_index dl_i DL_FORMALS, body *dl_s)
{
    (*dl_s).at = *DL_AT_IN(__constant, float4, dl_f, dl_i, 32, 0, 16);
    (*dl_s).k[0] = *DL_AT_IN(__constant, int, dl_f, dl_i, 32, 16, 4);
    (*dl_s).k[1] = *DL_AT_IN(__constant, int, dl_f, dl_i, 32, 20, 4);
    (*dl_s).k[2] = *DL_AT_IN(__constant, int, dl_f, dl_i, 32, 24, 4);
    (*dl_s).s = *DL_AT_IN(__constant, short, dl_f, dl_i, 32, 28, 2);
    ((DL_ALIASED(unsigned short) *)((unsigned char *)dl_s + 30))->dl_v = ((__constant DL_ALIASED(unsigned short) *)DL_AT_IN(__constant, unsigned char, dl_f, dl_i, 32, 30, 2))->dl_v;
}
static __global short *dl_body_s(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(short, dl_f, dl_i, 32, 28, 2);
}
static __constant short *dl_body_s_constant(__constant const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT_IN(__constant, short, dl_f, dl_i, 32, 28, 2);
}
static __global int *dl_body_k(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 32, 16 + dl_k0 * 4, 4);
}
//DL-kernel: go 4
//DL-sums: contractable
//DL-buffer: c arg 0 const aos bytes 32 line 12 type body
//DL-leaves: 0+16 16+4*3 28+2*2
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+32 read
//DL-access: linear -1 28+2 read
//DL-access: uniform 24+4 read
//DL-access: linear 1 0+16 read
//DL-access: linear 1 20+4 read
//DL-access: uniform 16+4 read loops 1 line 22
//DL-buffer: f arg 1 write aos bytes 32 line 12 type body
//DL-leaves: 0+16 16+4*3 28+2*2
//DL-structs: arg(3, i4, 0)
//DL-gaps: 30+2
//DL-access: linear 1 28+2 read write
//DL-access: linear 1 16+12 write
//DL-access: linear 1 0+16 read write
//DL-access: linear 1 16+4 read write
//DL-end: go
#line 13
__kernel void go(__constant body *c, __global body *f, constant body *restrict plain, int n DL_PARAMS(c) DL_PARAMS(f))
{
    int i = get_global_id(0);
    dl_index p = ((n - 1 - i));
    body copy = ({ body dl_s; dl_body_load_constant(c, i DL_ARGS(c), &dl_s); dl_s; });

    (*dl_body_s(f, i DL_ARGS(f))) += (*dl_body_s_constant(c, p DL_ARGS(c))) + plain[i].s;
    (*dl_body_k(f, i, (i % 3) DL_ARGS(f))) = copy.k[i % 3] + (*dl_body_k_constant(c, p + (-(n - 1 - i)), (2) DL_ARGS(c)));
    (*dl_body_at(f, i DL_ARGS(f))) += dl_weight(c, (i) DL_ARGS(c), f, (i) DL_ARGS(f)) + dl_weight_2(plain, f, (i) DL_ARGS(f));
    for (p = 0; (dl_signed)(p) < (dl_signed)((dl_index)(n)); p++)
        (*dl_body_k(f, i, (0) DL_ARGS(f))) += (*dl_body_k_constant(c, p, (0) DL_ARGS(c)));
    (*dl_body_at(f, i DL_ARGS(f))).w = vload4(0, (__constant float *)&plain[i].at).z;
}
// run: go structs structs words:9 n
// ignore: 30+2
