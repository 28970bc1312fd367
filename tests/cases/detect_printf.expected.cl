// detect: on
// run: go structs words:1
// run: other structs words:1
/* Messages that are not printed here: by a macro, in helpers of helpers, as a value, and of two kernels. */
typedef struct {
    int x, y;
} pair;

#define WARN(...) printf(__VA_ARGS__)

int cell_of(int x, int cells)
{
    if (x == 12345678) {
        WARN("outside: %d, (%s)\n", x, "a string");
        return -1;
    }
    return x & (cells - 1);
}

void nothing()
{
    int zero = 0;

    if (zero)
        printf("never\n");
}

int twice(int x)
{
    nothing();
    return cell_of(cell_of(x, 8), (4)) + cell_of (x, cell_of(2, 4));
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
//DL-kernel: go 2
//DL-sums: exact
//DL-once: tells
//DL-detected: 0 1
//DL-buffer: f arg 0 write aos bytes 8 line 34 type pair
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: f[]
//DL-members: x 0+4*1 y 4+4*1
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 0+4 write conditional
//DL-end: go
#ifdef DL_PRINTING
#undef DL_PRINTED
#define DL_PRINTED(...) (*dl_printed = 1)
int dl_telling_go_cell_of(int x, int cells, __global int *dl_printed);
void dl_telling_go_nothing(__global int *dl_printed);
int dl_telling_go_twice(int x, __global int *dl_printed);
int dl_telling_go_cell_of(int x, int cells, __global int *dl_printed)
{
    if (x == 12345678) {
        DL_PRINTED("outside: %d, (%s)\n", x, "a string");
        return -1;
    }
    return x & (cells - 1);
}
void dl_telling_go_nothing(__global int *dl_printed)
{
    int zero = 0;

    if (zero)
        DL_PRINTED("never\n");
}
int dl_telling_go_twice(int x, __global int *dl_printed)
{
    dl_telling_go_nothing(dl_printed);
    return dl_telling_go_cell_of(dl_telling_go_cell_of(x, 8, dl_printed), (4), dl_printed) + dl_telling_go_cell_of (x, dl_telling_go_cell_of(2, 4, dl_printed), dl_printed);
}
__kernel void go(__global pair *f, __global int *out, __global int *dl_printed)
{
    int i = get_global_id(0);

    out[i] = dl_telling_go_twice(f[i].x, dl_printed);
    f[i].y += i;
    if (f[i].y == 87654321 && DL_PRINTED("as a value") < 0)
        f[i].x = 1;
}
#else
#line 34
__kernel void go(__global pair *f, __global int *out DL_PARAMS(f))
{
    int i = get_global_id(0);

    out[i] = twice((*dl_pair_x(f, i DL_ARGS(f))));
    (*dl_pair_y(f, i DL_ARGS(f))) += i;
    if ((*dl_pair_y(f, i DL_ARGS(f))) == 87654321 && printf("as a value") < 0)
        (*dl_pair_x(f, i DL_ARGS(f))) = 1;
}
#endif
#line 42


//DL: AoS: f[] AOS2ASTA_pair
//DL-kernel: other 2
//DL-sums: exact
//DL-once: tells
//DL-detected: 0 1
//DL-buffer: f arg 0 read aos bytes 8 line 44 type pair
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: f[]
//DL-members: x 0+4*1 y 4+4*1
//DL-access: linear 1 0+4 read
//DL-end: other
#ifdef DL_PRINTING
#undef DL_PRINTED
#define DL_PRINTED(...) (*dl_printed = 1)
int dl_telling_other_cell_of(int x, int cells, __global int *dl_printed);
int dl_telling_other_cell_of(int x, int cells, __global int *dl_printed)
{
    if (x == 12345678) {
        DL_PRINTED("outside: %d, (%s)\n", x, "a string");
        return -1;
    }
    return x & (cells - 1);
}
__kernel void other(__global pair *f, __global int *out, __global int *dl_printed)
{
    out[get_global_id(0)] = dl_telling_other_cell_of(f[get_global_id(0)].x, 16, dl_printed);
}
#else
#line 44
__kernel void other(__global pair *f, __global int *out DL_PARAMS(f))
{
    out[get_global_id(0)] = cell_of((*dl_pair_x(f, get_global_id(0) DL_ARGS(f))), 16);
}
#endif
#line 47

