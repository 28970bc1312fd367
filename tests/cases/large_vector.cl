// run: go structs
typedef struct {
    double16 wide;
    float8 f;
    int k[8];
} big;

//DL: AoS: b[global_size(0)]
__kernel void go(__global big *b)
{
    int i = get_global_id(0);

    b[i].wide *= 2.0;
    b[i].f.s7 = b[i].k[i & 7];
    b[i].wide.sf += b[i].f.s0;
}
