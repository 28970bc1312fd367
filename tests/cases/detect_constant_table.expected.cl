// detect: on
// run: look structs structs words:1 n
/* A table in constant memory, by an index that is read; and a helper. */
typedef struct {
    int x;
    short low, high;
} entry;

int weigh(__global const entry *e)
{
    return e->low * 3 - e->high;
}

//DL: AoS: table[] AOS2ASTA_entry, f[] AOS2ASTA_entry
//DL-table: 2
/* prelude */
static __global short *dl_entry_low(__global const entry *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(short, dl_f, dl_i, 8, 4, 2);
}
static __global short *dl_entry_high(__global const entry *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(short, dl_f, dl_i, 8, 6, 2);
}
#line 9
static DL_INLINE int dl_weigh(__global const entry *e, dl_index dl_at_e DL_PARAMS(e))
{
    return (*dl_entry_low(e, dl_at_e DL_ARGS(e))) * 3 - (*dl_entry_high(e, dl_at_e DL_ARGS(e)));
}
static __constant short *dl_entry_low_constant(__constant const entry *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT_IN(__constant, short, dl_f, dl_i, 8, 4, 2);
}
static __global int *dl_entry_x(__global const entry *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __constant int *dl_entry_x_constant(__constant const entry *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT_IN(__constant, int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: look 4
//DL-sums: exact
//DL-detected: 0 1 2
//DL-buffer: table arg 0 const aos bytes 8 line 14 type entry
//DL-leaves: 0+4 4+2*2
//DL-structs: *
//DL-found: table[]
//DL-members: x 0+4*1 low 4+2*1 high 6+2*1
//DL-access: gather 4+2 read
//DL-access: linear 1 0+4 read
//DL-buffer: f arg 1 read aos bytes 8 line 14 type entry
//DL-leaves: 0+4 4+2*2
//DL-structs: *
//DL-found: f[]
//DL-members: x 0+4*1 low 4+2*1 high 6+2*1
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+2 read
//DL-access: linear 1 6+2 read
//DL-end: look
#line 14
__kernel void look(__constant entry *table, __global const entry *f, __global int *out, int n DL_PARAMS(table) DL_PARAMS(f))
{
    int i = get_global_id(0);

    out[i] = (*dl_entry_low_constant(table, ((*dl_entry_x(f, i DL_ARGS(f))) & 7) % n DL_ARGS(table))) + dl_weigh(f, (i) DL_ARGS(f)) + (*dl_entry_x_constant(table, i DL_ARGS(table)));
}
