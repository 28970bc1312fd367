// run: go structs
typedef enum { RED, GREEN = 5 } colour;
typedef struct {
    colour c;
    float x;
} spot;

//DL: AoS: f[global_size(0)]
__kernel void go(__global spot *f)
{
    int i = get_global_id(0);

    f[i].c = f[i].x > 1.25f ? RED : GREEN;
}
