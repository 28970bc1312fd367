typedef struct {
    uchar alive;
    int hits;
    float speed;
    int3 cell;
} agent;

bool is_fast(__global const agent *a, float limit)
{
    return a->speed > limit && !(a->hits < 0);
}

//DL: AoS: f[global_size(0)] AOS2ASTA_agent
//DL-table: 2
/* prelude */
static __global float *dl_agent_speed(__global const agent *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 32, 8, 4);
}
static __global int *dl_agent_hits(__global const agent *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 32, 4, 4);
}
#line 8
static DL_INLINE bool dl_is_fast(__global const agent *a, dl_index dl_at_a DL_PARAMS(a), float limit)
{
    return (*dl_agent_speed(a, dl_at_a DL_ARGS(a))) > limit && !((*dl_agent_hits(a, dl_at_a DL_ARGS(a))) < 0);
}
static __global unsigned char *dl_agent_alive(__global const agent *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned char, dl_f, dl_i, 32, 0, 1);
}
static __global int3 *dl_agent_cell(__global const agent *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int3, dl_f, dl_i, 32, 16, 16);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 32 line 13 type agent
//DL-leaves: 0+1*2 2+2 4+4*3 16+16
//DL-structs: global_size(0)
//DL-gaps: 1+1 2+2 12+4 28+4
//DL-access: linear 1 8+4 read
//DL-access: linear 1 4+4 read conditional
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 0+1 read write
//DL-access: linear 1 0+1 read conditional
//DL-access: linear 1 16+16 read write conditional
//DL-access: linear 1 8+4 read write conditional
//DL-end: go
#line 14
__kernel void go(__global agent *f DL_PARAMS(f))
{
    int i = get_global_id(0);
    bool fast = dl_is_fast(f, (i) DL_ARGS(f), 1.5f), odd = (*dl_agent_hits(f, i DL_ARGS(f))) & 1;

    (*dl_agent_alive(f, i DL_ARGS(f))) = (*dl_agent_alive(f, i DL_ARGS(f))) && fast;
    (*dl_agent_hits(f, i DL_ARGS(f))) = !(*dl_agent_hits(f, i DL_ARGS(f))) || !!(*dl_agent_alive(f, i DL_ARGS(f))) || any((*dl_agent_cell(f, i DL_ARGS(f))) > 0x3fc00000) ? (*dl_agent_hits(f, i DL_ARGS(f))) : odd;
    if ((*dl_agent_alive(f, i DL_ARGS(f))))
        (*dl_agent_cell(f, i DL_ARGS(f))) = select((*dl_agent_cell(f, i DL_ARGS(f))), (int3)((*dl_agent_hits(f, i DL_ARGS(f)))), (*dl_agent_cell(f, i DL_ARGS(f))) > (*dl_agent_cell(f, i DL_ARGS(f))).yzx);
    switch ((*dl_agent_hits(f, i DL_ARGS(f))) & 3) {
    case 0:
        (*dl_agent_speed(f, i DL_ARGS(f))) = (*dl_agent_hits(f, i DL_ARGS(f))) == (*dl_agent_cell(f, i DL_ARGS(f))).x;
        break;
    default:
        while ((*dl_agent_speed(f, i DL_ARGS(f))) > 1.1f)
            (*dl_agent_speed(f, i DL_ARGS(f))) -= 0.5f;
    }
}
// run: go structs
// ignore: 1+3 12+4 28+4
