/* Pointers into one buffer in a private array: each element is an index. */
typedef struct {
    float x, y;
    int n, tags[3];
} cell;

// run: go structs structs n
//DL: AoS: in[n], out[n]
__kernel void go(__global const cell *in, __global cell *out, int n)
{
    int i = get_global_id(0), kept = 0;
    __global const cell *rows[3], *here = in + i;
    __global cell *own[2];
    float s = 0;

    own[0] = out + i;
    own[kept + 1] = &out[i];
    for (int r = 0; r < 3; r++)
        rows[r] = in + (i + r) % n;
    for (int r = 0; r < 3; r++)
        s += rows[r]->x * rows[r][0].tags[r];
    rows[1] = here;
    rows[1]--;
    rows[kept++] = rows[1] + 1;
    rows[2] -= 2 - kept * 2;
    if (rows[0] == here && rows[0] - in == i && sizeof(rows) == 3 * sizeof(long))
        s += kept;
    own[0]->x = s;
    own[kept]->tags[2] = (int)(rows[2] - in);
}

//DL: AoS: in[n], out[n]
__kernel void either(__global cell *in, __global cell *out, int n)
{
    __global cell *both[2];

    both[0] = in;
    both[1] = out;
    both[get_global_id(0) & 1]->x = n;
}

//DL: AoS: in[n]
__kernel void handed(__global cell *in, int n)
{
    __global cell *some[2];
    __global cell **first = some;

    some[0] = in;
    some[1] = in + 1;
    first[n & 1]->x = 1;
}
