// detect: on
// run: go structs
typedef struct {
    int x, y;
} pair;

void say(int x)
{
    printf("%d\n", x);
}

__kernel void talk(__global pair *f)
{
    if (f[get_global_id(0)].x == 12345678)
        say(1);
}

//DL: AoS: f[] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
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
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: go
#line 18
__kernel void go(__global pair *f DL_PARAMS(f))
{
    (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) += (*dl_pair_y(f, get_global_id(0) DL_ARGS(f)));
}
