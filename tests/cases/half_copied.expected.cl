// run: go structs structs
// Structs with members that may not be assigned without cl_khr_fp16 are copied as a whole.
typedef struct {
    float x;
    half h, several[3];
    int y;
} grain;
typedef struct {
    uchar tag;
    half h;
} __attribute__((packed)) speck;

//DL: AoS: f[global_size(0)] AOS2ASTA_grain, g[global_size(0)] AOS2ASTA_speck
//DL-table: 2
/* prelude */
static grain dl_grain_load(__global const grain *dl_f, dl_index dl_i DL_FORMALS)
{
    grain dl_s;
    dl_s.x = *DL_AT(float, dl_f, dl_i, 16, 0, 4);
    ((DL_ALIASED(unsigned short) *)&dl_s.h)->dl_v = ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned short, dl_f, dl_i, 16, 4, 2))->dl_v;
    ((DL_ALIASED(unsigned short) *)&dl_s.several[0])->dl_v = ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned short, dl_f, dl_i, 16, 6, 2))->dl_v;
    ((DL_ALIASED(unsigned short) *)&dl_s.several[1])->dl_v = ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned short, dl_f, dl_i, 16, 8, 2))->dl_v;
    ((DL_ALIASED(unsigned short) *)&dl_s.several[2])->dl_v = ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned short, dl_f, dl_i, 16, 10, 2))->dl_v;
    dl_s.y = *DL_AT(int, dl_f, dl_i, 16, 12, 4);
    return dl_s;
}
static speck dl_speck_load(__global const speck *dl_f, dl_index dl_i DL_FORMALS)
{
    speck dl_s;
    dl_s.tag = *DL_AT(unsigned char, dl_f, dl_i, 3, 0, 1);
    ((DL_PACKED(unsigned short) *)&dl_s.h)->dl_v = ((__global DL_PACKED(unsigned short) *)DL_AT(unsigned char, dl_f, dl_i, 3, 1, 2))->dl_v;
    return dl_s;
}
static grain dl_grain_store(__global const grain *dl_f, dl_index dl_i DL_FORMALS, grain dl_s)
{
    *DL_AT(float, dl_f, dl_i, 16, 0, 4) = dl_s.x;
    ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned short, dl_f, dl_i, 16, 4, 2))->dl_v = ((DL_ALIASED(unsigned short) *)&dl_s.h)->dl_v;
    ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned short, dl_f, dl_i, 16, 6, 2))->dl_v = ((DL_ALIASED(unsigned short) *)&dl_s.several[0])->dl_v;
    ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned short, dl_f, dl_i, 16, 8, 2))->dl_v = ((DL_ALIASED(unsigned short) *)&dl_s.several[1])->dl_v;
    ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned short, dl_f, dl_i, 16, 10, 2))->dl_v = ((DL_ALIASED(unsigned short) *)&dl_s.several[2])->dl_v;
    *DL_AT(int, dl_f, dl_i, 16, 12, 4) = dl_s.y;
    return dl_s;
}
static speck dl_speck_store(__global const speck *dl_f, dl_index dl_i DL_FORMALS, speck dl_s)
{
    *DL_AT(unsigned char, dl_f, dl_i, 3, 0, 1) = dl_s.tag;
    ((__global DL_PACKED(unsigned short) *)DL_AT(unsigned char, dl_f, dl_i, 3, 1, 2))->dl_v = ((DL_PACKED(unsigned short) *)&dl_s.h)->dl_v;
    return dl_s;
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 16 line 13 type grain
//DL-leaves: 0+4 4+2*4 12+4
//DL-structs: global_size(0)
//DL-access: linear 1 0+16 read write
//DL-buffer: g arg 1 write aos bytes 3 line 13 type speck
//DL-leaves: 0+1 1+2
//DL-structs: global_size(0)
//DL-access: linear 1 0+3 read write
//DL-end: go
#line 14
__kernel void go(__global grain *f, __global speck *g DL_PARAMS(f) DL_PARAMS(g))
{
    size_t i = get_global_id(0);
    grain copy = dl_grain_load(f, i DL_ARGS(f));
    speck other = dl_speck_load(g, i DL_ARGS(g));

    copy.y ^= other.tag;
    other.tag += 3;
    dl_grain_store(f, i DL_ARGS(f), copy);
    dl_speck_store(g, i DL_ARGS(g), other);
}
