// run: go structs n
//DL: AoS: m[n][1000]
__kernel void go(__global uchar *m, int n)
{
    int i = get_global_id(0);

    m[1000 * i + 999] = m[i * 1000] + 1;
    m[i * 1000 + 17 * (i % 50)] ^= 3;
}
