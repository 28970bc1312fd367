// run: go structs structs n
// Pointers of one type change places, in the kernel and in a helper.
typedef struct {
    int a, b, c;
} cell;

void steps(__global cell *from, __global cell *to, int i, int rounds)
{
    while (rounds-- > 0) {
        __global cell *other = from;

        to[i].a = from[i].b + rounds;
        to[i].c = from[i].a ^ to[i].b;
        from = to, to = other;
    }
}

//DL: AoS: now[n], next[n]
__kernel void go(__global cell *now, __global cell *next, int n)
{
    int i = get_global_id(0);

    for (int k = 0; k < 5; k++) {
        __global cell *tmp;

        next[i] = now[i];
        next[i].b += k;
        tmp = now;
        now = next;
        next = tmp;
    }
    steps(now, next, i, 3 + (i & 1));
    steps(now + i, next + i, 0, 2);
}
