/* SPDX-License-Identifier: MIT */
/* Kernels written by hand for discrete arrays, beside others for arrays of structures. */
typedef struct {
    int a, b, c, d, e;
} five;

//DL: AoS: f[n]
__kernel void fives(__global five *f, int n)
{
    const int i = get_global_id(0);
    if (i < n) {
        f[i].a += f[i].b * 3;
        f[i].e ^= f[i].c + f[i].d;
    }
}

//DL: SoA: f[n][5]
__kernel void arrays(__global int *f, int n)
{
    const int i = get_global_id(0);
    if (i < n)
        for (int j = 0; j < 5; j++)
            f[j * n + i] = f[j * n + i] * 5 + f[(4 - j) * n + i] + j;
}

/* Arrays of twice as many shorts, whose number the text has: elements of the array before
 * and of the next are reached by what is added to an index. */
//DL: SoA: f[154][5] to ASTA
__kernel void shorts(__global short *f, int more)
{
    const int i = get_global_id(0);
    short sum = f[i];
    for (int k = 1; k < 4; k++)
        sum += f[k * 154 + i - 1] ^ f[(k - 1) * 154 + (i + more)];
    f[4 * 154 + i] = sum;
}

/* The same arrays, declared as structs. */
//DL: SoA: f[]
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void first_array(__global five *f,
                                                                       int n)
{
    __global int *array = (__global int *)f;
    array[get_global_id(0)] += 7;
}

//DL: SoA: f[n][width]
__kernel void wide_arrays(__global int *f, int n, int width)
{
    const int i = get_global_id(0);
    if (i < n)
        for (int j = 0; j < width; j++)
            f[j * n + i] += j * 1000 + i;
}

/* One buffer of either kind. */
//DL: AoS: to[n]
//DL: SoA: from[n][5]
__kernel void both(__global five *to, __global const int *from, int n)
{
    const int i = get_global_id(0);
    if (i < n) {
        to[i].b += from[i];
        to[i].d -= from[4 * n + i];
    }
}

/* The first is more than DL understands: the second is discrete arrays all the same. */
//DL: AoS: to[n]
//DL: SoA: from[n][5]
__kernel void one_of_both(__global five *to, __global const int *from, int n)
{
    const int i = get_global_id(0);
    __global int *words = (__global int *)to;
    if (i < n)
        words[5 * i + 1] += from[2 * n + i];
}

//DL: SoA: f[n][5]
__kernel void beside(__global int *f, __global int *plain, int n)
{
    const int i = get_global_id(0);
    if (i < n)
        plain[i] += f[3 * n + i];
}

//DL: SoA: g[n][5]
__kernel void misspelt(__global int *f, int n)
{
    f[get_global_id(0)] = 1;
}
