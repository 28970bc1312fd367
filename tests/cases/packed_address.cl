// run: go structs words:1
/* The address of a member of a packed struct goes on: in tiles it is aligned where its offset is. */
typedef struct __attribute__((packed)) {
    int m[4];
    int turns;
    char kind;
} actor;

int thrice(__global const int *q)
{
    return *q * 3;
}

void add(__global int *q, int by)
{
    *q += by;
}

//DL: AoS: a[global_size(0)]
__kernel void go(__global actor *a, __global int *out)
{
    int i = get_global_id(0);
    __global actor *p = &a[i];
    __global const int *q = &p->turns;

    out[i] = thrice(q) + p->m[0];
    add(&a[i].m[i & 3], p->kind);
    add(&p->turns, 5);
    out[i] ^= thrice(q);
}
