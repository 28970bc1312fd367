// options: -DFAST
// run: go structs n
// Conditionals that begin before a kernel and end in it, and others that end behind it.
typedef struct {
    float x, y;
} cell;
#define HEAD(name) __kernel void name(__global cell *f, int n)

//DL: AoS: f[n] AOS2ASTA_cell
#ifdef FAST
#endif
//DL-table: 2
/* prelude */
#ifdef DL_TILING
#if defined SLOW
#error dl-annotate saw another device
#endif
#endif
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global float *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 9 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 11
__kernel void go(__global cell *f, int n DL_PARAMS(f))
{




    int i = get_global_id(0);

    (*dl_cell_x(f, i DL_ARGS(f))) = (*dl_cell_y(f, i DL_ARGS(f)));


    (*dl_cell_y(f, i DL_ARGS(f))) += i;
}
#if 1
#line 23

#else
    f[i].y -= i;
}
#endif
//DL: AoS: f[n] AOS2ASTA_cell
#if defined FAST
#ifdef FAST
#endif
//DL-kernel: other 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 28 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: uniform 0+4 write
//DL-access: uniform 4+4 write
//DL-end: other
#line 31
__kernel void other(__global cell *f, int n DL_PARAMS(f)) {



    (*dl_cell_x(f, 0 DL_ARGS(f))) = 1;



    (*dl_cell_y(f, 0 DL_ARGS(f))) = n; }
#if 1
#line 39

#else
}
#endif
#endif
int behind(void)
{
    return 0;
}
