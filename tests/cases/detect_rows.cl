// detect: on
// run: go structs structs structs words:1 words:6 int:5 n
/* Rows of five and six by constants, and of `width` by the argument; what is counted by loops is a place in
 * the row. An image is left alone: its columns are work-items. */
#define AT(row, column) f[(row) * 5 + (column)]

__kernel void go(__global int *f, __global const int *by_two, __global int *rows,
                 __global int *image, __global const int *table, int width, int n)
{
    int i = get_global_id(0), sum = 0, k;

    for (int j = 0; j < 2; j++)
        sum += by_two[2 * 3 * i + 3 * j] ^ by_two[6 * (n - 1 - i) + 5];
    for (k = 0; k < width; k++)
        rows[i * width + k] += sum + k;
    AT(i, 0) = AT(i, 4) + sum;
    AT(i, 3)++;
    image[i / width * width + i % width] = table[sum & 3] + sum;
}
