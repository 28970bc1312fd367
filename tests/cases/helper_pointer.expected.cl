// run: go structs n
typedef struct {
    float x, v;
} particle;

float energy(__global const particle *p)
{
    return p->v * p->v + p[0].x;
}

static inline void push(__global particle *p, float dt)
{
    p->x += p->v * dt;
}

//DL: AoS: f[n] AOS2ASTA_particle
//DL-table: 2
/* prelude */
static __global float *dl_particle_x(__global const particle *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global float *dl_particle_v(__global const particle *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
#line 11
DL_INLINE static inline void dl_push(__global particle *p, dl_index dl_at_p DL_PARAMS(p), float dt)
{
    (*dl_particle_x(p, dl_at_p DL_ARGS(p))) += (*dl_particle_v(p, dl_at_p DL_ARGS(p))) * dt;
}
#line 6
static DL_INLINE float dl_energy(__global const particle *p, dl_index dl_at_p DL_PARAMS(p))
{
    return (*dl_particle_v(p, dl_at_p DL_ARGS(p))) * (*dl_particle_v(p, dl_at_p DL_ARGS(p))) + (*dl_particle_x(p, dl_at_p + 0 DL_ARGS(p)));
}
//DL-kernel: go 2
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 8 line 16 type particle
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: go
#line 17
__kernel void go(__global particle *f, int n DL_PARAMS(f))
{
    int i = get_global_id(0);

    dl_push(f, (i) DL_ARGS(f), 0.5f);
    dl_push(f, (i) DL_ARGS(f), dl_energy(f, (i) DL_ARGS(f)));
}
