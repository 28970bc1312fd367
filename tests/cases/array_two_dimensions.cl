// run: go structs
typedef struct {
    double m[2][3];
} matrix;

//DL: AoS: f[global_size(0)]
__kernel void go(__global matrix *f)
{
    int i = get_global_id(0);

    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 3; c++)
            f[i].m[r][c] += f[i].m[1 - r][2 - c] * 0.5;
    f[i].m[0][1] = 1.0;
    *f[i].m[1] = 2.0;
}
