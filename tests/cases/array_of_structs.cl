// run: go structs
typedef struct {
    float x;
    int k[2];
} part;
typedef struct {
    part parts[3];
    float sum;
} whole;

//DL: AoS: w[global_size(0)]
__kernel void go(__global whole *w)
{
    int i = get_global_id(0);

    for (int j = 0; j < 3; j++) {
        w[i].sum += w[i].parts[j].x;
        w[i].parts[j].k[i & 1] ^= j;
    }
    w[i].parts->x = 3.0f;
    part p = w[i].parts[2];
    p.k[0] += 9;
    w[i].parts[1] = p;
}
