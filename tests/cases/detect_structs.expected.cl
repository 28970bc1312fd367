// detect: on
// run: move structs structs words:4 words:2 words:1 n
/* What all work-items read alike stays, and so does what is not understood: each by itself. */
typedef struct {
    int at, speed;
} body;
typedef struct {
    int step, limit, spare, more;
} settings;
typedef struct {
    int x;
} single;

//DL: AoS: f[] AOS2ASTA_body, g[] AOS2ASTA_body
//DL-table: 2
/* prelude */
static __global int *dl_body_at(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_body_speed(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: move 6
//DL-sums: exact
//DL-detected: 0 1 2 3 4
//DL-buffer: f arg 0 write aos bytes 8 line 14 type body
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: f[]
//DL-members: at 0+4*1 speed 4+4*1
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-buffer: g arg 1 read aos bytes 8 line 14 type body
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: g[]
//DL-members: at 0+4*1 speed 4+4*1
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read
//DL-end: move
#line 14
__kernel void move(__global body *f, __global const body *g, __constant settings *s,
                   __global body *stored, __global single *one, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    __global body *both[2] = {stored, stored + i};

    (*dl_body_at(f, i DL_ARGS(f))) = (*dl_body_at(g, (i + 1) % n DL_ARGS(g))) + (*dl_body_speed(f, i DL_ARGS(f))) * s->step;
    both[1]->speed += (*dl_body_speed(g, i DL_ARGS(g)));
    one[i].x ^= (*dl_body_at(f, i DL_ARGS(f)));
}

__kernel void nothing(__global int *f)
{
    f[get_global_id(0)] = 1;
}
