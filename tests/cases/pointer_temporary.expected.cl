// run: advance structs n
struct particle {
    float x, v;
    int id;
};

//DL: AoS: p[n] AOS2ASTA_particle
//DL-table: 2
/* prelude */
static __global float *dl_particle_x(__global const struct particle *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 0, 4);
}
static __global float *dl_particle_v(__global const struct particle *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 4, 4);
}
static __global int *dl_particle_id(__global const struct particle *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 8, 4);
}
//DL-kernel: advance 2
//DL-sums: contractable
//DL-buffer: p arg 0 write aos bytes 12 line 7 type struct particle
//DL-leaves: 0+4*3
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-access: linear 1 8+4 write
//DL-end: advance
#line 8
__kernel void advance(__global struct particle *p, int n DL_PARAMS(p))
{
    int i = get_global_id(0);
    dl_index q = (i), r = (i);

    (*dl_particle_x(p, q DL_ARGS(p))) += (*dl_particle_v(p, r DL_ARGS(p))) * 0.5f;
    (*dl_particle_id(p, r DL_ARGS(p))) = ((dl_difference)(dl_signed)(q - 0)) + (int)(r == q);
}
