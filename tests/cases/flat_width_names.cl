// run: go structs structs words:2 n w int:3 int:2
// Arguments with names that generated ones are made of, and widths made of them.
#define w_b w_a
//DL: AoS: at[n][row * 1 + (w - w)], row_[n][head]
__kernel void go(__global int *at, __global int *row_, __global int *out, int n, int row, int head, int w) {
    int i = get_global_id(0), tail = 3;
    __global int *w_f = at + i * row;
    for (int j = 0; j < row; j++) { *w_f++ += row_[i * head + j % head]; }
    out[2*i] = w_f[-1] + (int)(w_f - at) + tail;
    out[2*i+1] = row_[i * head];
}
