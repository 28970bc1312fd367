// run: go structs
typedef struct {
    char c;
    double d;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);

    f[i].c = sizeof(f[i]) + sizeof(cell) + sizeof(*f) + sizeof f[0].d;
}
