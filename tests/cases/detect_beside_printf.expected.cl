// detect: on
// run: go structs
typedef struct {
    int x, y;
} pair;

void say(int x)
{
    printf("%d\n", x);
}

//DL: AoS: f[] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: talk 1
//DL-sums: exact
//DL-once: tells
//DL-detected: 0
//DL-buffer: f arg 0 read aos bytes 8 line 12 type pair
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: f[]
//DL-members: x 0+4*1 y 4+4*1
//DL-access: linear 1 0+4 read
//DL-end: talk
#ifdef DL_PRINTING
#undef DL_PRINTED
#define DL_PRINTED(...) (*dl_printed = 1)
void dl_telling_talk_say(int x, __global int *dl_printed);
void dl_telling_talk_say(int x, __global int *dl_printed)
{
    DL_PRINTED("%d\n", x);
}
__kernel void talk(__global pair *f, __global int *dl_printed)
{
    if (f[get_global_id(0)].x == 12345678)
        dl_telling_talk_say(1, dl_printed);
}
#else
#line 12
__kernel void talk(__global pair *f DL_PARAMS(f))
{
    if ((*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) == 12345678)
        say(1);
}
#endif
#line 16


//DL: AoS: f[] AOS2ASTA_pair
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-detected: 0
//DL-buffer: f arg 0 write aos bytes 8 line 18 type pair
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: f[]
//DL-members: x 0+4*1 y 4+4*1
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: go
#line 18
__kernel void go(__global pair *f DL_PARAMS(f))
{
    (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) += (*dl_pair_y(f, get_global_id(0) DL_ARGS(f)));
}
