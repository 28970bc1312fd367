// run: stream structs structs n
#define Q 3
enum { C = 0, E = 1, W = 2 };
#define CELL(grid, i, q) ((grid)[(i)].dir[(q)])
#define SRC(q, di) (CELL(src, (i + n + (di)) % n, (q)))
#define DST(q) (CELL(dst, i, q))
#define FLAG(i) (src[(i)].flags)
#define WALL 1u
#define IS_WALL(i) (FLAG(i) & WALL)
typedef struct {
    float dir[Q];
    uint flags;
} lattice_cell;

//DL: AoS: src[n] AOS2ASTA_lattice_cell, dst[n] AOS2ASTA_lattice_cell
//DL-table: 2
/* prelude */
static __global unsigned int *dl_lattice_cell_flags(__global const lattice_cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned int, dl_f, dl_i, 16, 12, 4);
}
static __global float *dl_lattice_cell_dir(__global const lattice_cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_i, 16, 0 + dl_k0 * 4, 4);
}
//DL-kernel: stream 3
//DL-sums: contractable
//DL-buffer: src arg 0 read aos bytes 16 line 15 type lattice_cell
//DL-leaves: 0+4*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 12+4 read
//DL-access: linear 1 0+4 read conditional
//DL-access: linear 1 8+4 read conditional
//DL-access: linear 1 4+4 read conditional
//DL-buffer: dst arg 1 write aos bytes 16 line 15 type lattice_cell
//DL-leaves: 0+4*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 write conditional
//DL-access: linear 1 4+4 write conditional
//DL-access: linear 1 8+4 write conditional
//DL-access: linear 1 12+4 write
//DL-end: stream
#line 16
__kernel void stream(__global const lattice_cell *restrict src,
                     __global lattice_cell *restrict dst, int n DL_PARAMS(src) DL_PARAMS(dst))
{
    const int i = get_global_id(0);
    float rho;

    if ((((*dl_lattice_cell_flags(src, (i) DL_ARGS(src)))) & 1u)) {
        (((*dl_lattice_cell_dir(dst, (i), ((C)) DL_ARGS(dst))))) = (((*dl_lattice_cell_dir(src, ((i + n + (0)) % n), (((C))) DL_ARGS(src))))); (((*dl_lattice_cell_dir(dst, (i), ((E)) DL_ARGS(dst))))) = (((*dl_lattice_cell_dir(src, ((i + n + (0)) % n), (((W))) DL_ARGS(src))))); (((*dl_lattice_cell_dir(dst, (i), ((W)) DL_ARGS(dst))))) = (((*dl_lattice_cell_dir(src, ((i + n + (0)) % n), (((E))) DL_ARGS(src)))));
    } else {
        rho = (((*dl_lattice_cell_dir(src, ((i + n + (0)) % n), (((C))) DL_ARGS(src))))) + (((*dl_lattice_cell_dir(src, ((i + n + (-1)) % n), (((E))) DL_ARGS(src))))) + (((*dl_lattice_cell_dir(src, ((i + n + (+1)) % n), (((W))) DL_ARGS(src)))));
        (((*dl_lattice_cell_dir(dst, (i), ((C)) DL_ARGS(dst))))) = rho * 0.5f;
        (((*dl_lattice_cell_dir(dst, (i), ((E)) DL_ARGS(dst))))) = (((*dl_lattice_cell_dir(src, ((i + n + (-1)) % n), (((E))) DL_ARGS(src))))) * 0.75f + rho;
        (((*dl_lattice_cell_dir(dst, (i), ((W)) DL_ARGS(dst))))) = (((*dl_lattice_cell_dir(src, ((i + n + (1)) % n), (((W))) DL_ARGS(src))))) * 0.75f - rho;
    }
    (*dl_lattice_cell_flags(dst, i DL_ARGS(dst))) = ((*dl_lattice_cell_flags(src, (i) DL_ARGS(src))));
}
