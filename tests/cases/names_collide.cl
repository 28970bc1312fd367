// run: go structs
typedef struct {
    int a_b;
    struct {
        int b, load;
    } a;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);
    cell c = f[i];

    f[i].a_b = c.a.b;
    f[i].a.b += 1;
    f[i].a.load += f[i].a_b;
}
