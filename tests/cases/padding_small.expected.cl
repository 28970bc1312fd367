// run: go structs structs structs n
/* Compilers give structs of at most 16 bytes in registers, and lose what is no member's: accessors get a pointer. What a
 * store gives is used, too. */
typedef struct { double d; char c; } tail;
typedef struct { char c; double d; } hole;
//DL: AoS: to[n] AOS2ASTA_tail, from[n] AOS2ASTA_tail, h[n] AOS2ASTA_hole
//DL-table: 2
/* prelude */
static void dl_of_tail_load(__global const tail *dl_f, dl_index dl_i DL_FORMALS, tail *dl_s)
{
    (*dl_s).d = *DL_AT(double, dl_f, dl_i, 16, 0, 8);
    (*dl_s).c = *DL_AT(char, dl_f, dl_i, 16, 8, 1);
    ((DL_ALIASED(unsigned char) *)((unsigned char *)dl_s + 9))->dl_v = ((__global DL_ALIASED(unsigned char) *)DL_AT(unsigned char, dl_f, dl_i, 16, 9, 1))->dl_v;
    ((DL_ALIASED(unsigned short) *)((unsigned char *)dl_s + 10))->dl_v = ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned char, dl_f, dl_i, 16, 10, 2))->dl_v;
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 12))->dl_v = ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 16, 12, 4))->dl_v;
}
static void dl_of_tail_store(__global const tail *dl_f, dl_index dl_i DL_FORMALS, tail *dl_s)
{
    *DL_AT(double, dl_f, dl_i, 16, 0, 8) = (*dl_s).d;
    *DL_AT(char, dl_f, dl_i, 16, 8, 1) = (*dl_s).c;
    ((__global DL_ALIASED(unsigned char) *)DL_AT(unsigned char, dl_f, dl_i, 16, 9, 1))->dl_v = ((DL_ALIASED(unsigned char) *)((unsigned char *)dl_s + 9))->dl_v;
    ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned char, dl_f, dl_i, 16, 10, 2))->dl_v = ((DL_ALIASED(unsigned short) *)((unsigned char *)dl_s + 10))->dl_v;
    ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 16, 12, 4))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 12))->dl_v;
}
static void dl_hole_load(__global const hole *dl_f, dl_index dl_i DL_FORMALS, hole *dl_s)
{
    (*dl_s).c = *DL_AT(char, dl_f, dl_i, 16, 0, 1);
    ((DL_ALIASED(unsigned char) *)((unsigned char *)dl_s + 1))->dl_v = ((__global DL_ALIASED(unsigned char) *)DL_AT(unsigned char, dl_f, dl_i, 16, 1, 1))->dl_v;
    ((DL_ALIASED(unsigned short) *)((unsigned char *)dl_s + 2))->dl_v = ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned char, dl_f, dl_i, 16, 2, 2))->dl_v;
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 4))->dl_v = ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 16, 4, 4))->dl_v;
    (*dl_s).d = *DL_AT(double, dl_f, dl_i, 16, 8, 8);
}
static void dl_hole_store(__global const hole *dl_f, dl_index dl_i DL_FORMALS, hole *dl_s)
{
    *DL_AT(char, dl_f, dl_i, 16, 0, 1) = (*dl_s).c;
    ((__global DL_ALIASED(unsigned char) *)DL_AT(unsigned char, dl_f, dl_i, 16, 1, 1))->dl_v = ((DL_ALIASED(unsigned char) *)((unsigned char *)dl_s + 1))->dl_v;
    ((__global DL_ALIASED(unsigned short) *)DL_AT(unsigned char, dl_f, dl_i, 16, 2, 2))->dl_v = ((DL_ALIASED(unsigned short) *)((unsigned char *)dl_s + 2))->dl_v;
    ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 16, 4, 4))->dl_v = ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 4))->dl_v;
    *DL_AT(double, dl_f, dl_i, 16, 8, 8) = (*dl_s).d;
}
static __global char *dl_of_tail_c(__global const tail *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(char, dl_f, dl_i, 16, 8, 1);
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: to arg 0 write aos bytes 16 line 6 type tail
//DL-leaves: 0+8 8+1*2 10+2 12+4
//DL-structs: arg(3, i4, 0)
//DL-gaps: 9+1 10+2 12+4
//DL-access: linear 1 0+16 write
//DL-access: linear 1 8+1 read write
//DL-buffer: from arg 1 read aos bytes 16 line 6 type tail
//DL-leaves: 0+8 8+1*2 10+2 12+4
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+16 read
//DL-buffer: h arg 2 write aos bytes 16 line 6 type hole
//DL-leaves: 0+1*2 2+2 4+4 8+8
//DL-structs: arg(3, i4, 0)
//DL-gaps: 1+1 2+2 4+4
//DL-access: linear 1 0+16 read
//DL-access: linear 1 0+16 read write conditional
//DL-end: go
#line 7
__kernel void go(__global tail *to, __global const tail *from, __global hole *h, int n DL_PARAMS(to) DL_PARAMS(from) DL_PARAMS(h))
{
    int i = get_global_id(0);
    tail mine = ({ tail dl_s; dl_of_tail_load(from, i DL_ARGS(from), &dl_s); dl_s; }), again;
    __local hole kept[1];

    mine.c += 3;
    again = ({ tail dl_s; dl_of_tail_store(to, i DL_ARGS(to), (dl_s = mine, &dl_s)); dl_s; });
    kept[0] = ({ hole dl_s; dl_hole_load(h, i DL_ARGS(h), &dl_s); dl_s; });
    kept[0].c ^= again.c;
    if (i % 2)
        ({ hole dl_s; dl_hole_store(h, i DL_ARGS(h), (dl_s = kept[0], &dl_s)); dl_s; });
    else
        ({ hole dl_s; dl_hole_store(h, i DL_ARGS(h), (dl_s = ({ hole dl_s; dl_hole_load(h, (i + 0) % n DL_ARGS(h), &dl_s); dl_s; }), &dl_s)); dl_s; });
    (*dl_of_tail_c(to, i DL_ARGS(to))) += (({ tail dl_s; dl_of_tail_store(to, i DL_ARGS(to), (dl_s = again, &dl_s)); dl_s; })).c;
}
