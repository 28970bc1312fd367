// run: go structs n w int:5
//DL: AoS: f[n][max(width, least)]
__kernel void go(__global int *f, int n, int width, int least)
{
    int i = get_global_id(0);

    for (int j = 0; j < max(width, least); j++)
        f[i * max(width, least) + j] += j;
}
