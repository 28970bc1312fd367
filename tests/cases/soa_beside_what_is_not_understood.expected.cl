// run: go structs words:3 n
// The struct buffer stays as it is, the other is discrete arrays all the same.
typedef struct {
    int a, b, c;
} item;

//DL: SoA: from[n][3]
//DL: AoS: to[n]
__kernel void go(__global const int *from, __global item *to, int n)
{
    __global int *words = (__global int *)to;

    words[0] = from[n];
}
//DL-table: 2
//DL-kernel: go 3
//DL-buffer: from arg 0 read soa bytes 12 line 7 type int
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-end: go
