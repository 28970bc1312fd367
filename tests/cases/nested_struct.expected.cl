// run: go structs
typedef struct {
    int a;
    struct inner {
        float x;
        struct {
            short s;
            char c;
        } deep;
    } in;
} outer;

//DL: AoS: f[global_size(0)] AOS2ASTA_outer
//DL-table: 2
/* prelude */
static void dl_outer_in_load(__global const outer *dl_f, dl_index dl_i DL_FORMALS, struct inner *dl_s)
{
    (*dl_s).x = *DL_AT(float, dl_f, dl_i, 12, 4, 4);
    (*dl_s).deep.s = *DL_AT(short, dl_f, dl_i, 12, 8, 2);
    (*dl_s).deep.c = *DL_AT(char, dl_f, dl_i, 12, 10, 1);
    ((DL_ALIASED(unsigned char) *)((unsigned char *)dl_s + 7))->dl_v = ((__global DL_ALIASED(unsigned char) *)DL_AT(unsigned char, dl_f, dl_i, 12, 11, 1))->dl_v;
}
static __global short *dl_outer_in_deep_s(__global const outer *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(short, dl_f, dl_i, 12, 8, 2);
}
static __global int *dl_outer_a(__global const outer *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 0, 4);
}
static __global char *dl_outer_in_deep_c(__global const outer *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(char, dl_f, dl_i, 12, 10, 1);
}
static void dl_outer_in_store(__global const outer *dl_f, dl_index dl_i DL_FORMALS, struct inner *dl_s)
{
    *DL_AT(float, dl_f, dl_i, 12, 4, 4) = (*dl_s).x;
    *DL_AT(short, dl_f, dl_i, 12, 8, 2) = (*dl_s).deep.s;
    *DL_AT(char, dl_f, dl_i, 12, 10, 1) = (*dl_s).deep.c;
    ((__global DL_ALIASED(unsigned char) *)DL_AT(unsigned char, dl_f, dl_i, 12, 11, 1))->dl_v = ((DL_ALIASED(unsigned char) *)((unsigned char *)dl_s + 7))->dl_v;
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 13 type outer
//DL-leaves: 0+4*2 8+2 10+1*2
//DL-structs: global_size(0)
//DL-gaps: 11+1
//DL-access: linear 1 4+8 read write
//DL-access: linear 1 8+2 read write
//DL-access: linear 1 0+4 read
//DL-access: linear 1 10+1 read write
//DL-end: go
#line 14
__kernel void go(__global outer *f DL_PARAMS(f))
{
    int i = get_global_id(0);
    dl_index p = (i);
    struct inner copy = ({ struct inner dl_s; dl_outer_in_load(f, i DL_ARGS(f), &dl_s); dl_s; });

    copy.x += 1.0f;
    (*dl_outer_in_deep_s(f, p DL_ARGS(f))) = (short)((*dl_outer_a(f, p DL_ARGS(f))) + (*dl_outer_in_deep_c(f, p DL_ARGS(f))));
    (*dl_outer_in_deep_c(f, i DL_ARGS(f)))++;
    copy.deep.s = (*dl_outer_in_deep_s(f, i DL_ARGS(f)));
    copy.deep.c = (*dl_outer_in_deep_c(f, i DL_ARGS(f)));
    ({ struct inner dl_s; dl_outer_in_store(f, i DL_ARGS(f), (dl_s = copy, &dl_s)); });
}
