/* SPDX-License-Identifier: MIT */
/* Lloyd's k-means on rows: point i has its coordinates in data[i * dims] to data[i * dims
 * + dims - 1], and so have the centres. */

/* Each column to [0, 1]: its range first, one work-item a column. */
__kernel void column_ranges(__global const float *data, __global float *low,
                            __global float *scale, const int n, const int dims)
{
    const int d = get_global_id(0);
    float least = data[d], greatest = data[d];
    for (int i = 1; i < n; i++) {
        const float x = data[i * dims + d];
        least = fmin(least, x);
        greatest = fmax(greatest, x);
    }
    low[d] = least;
    scale[d] = greatest > least ? 1.0f / (greatest - least) : 0.0f;
}

__kernel void normalise(__global float *data, __global const float *low,
                        __global const float *scale, const int n, const int dims)
{
    const int i = get_global_id(0);
    if (i >= n)
        return;
    for (int d = 0; d < dims; d++)
        data[i * dims + d] = (data[i * dims + d] - low[d]) * scale[d];
}

/* The centres begin at points that are far apart in the file. */
__kernel void seed_centres(__global const float *data, __global float *centres,
                           const int n, const int dims, const int k)
{
    const int d = get_global_id(0), c = get_global_id(1);
    centres[c * dims + d] = data[(c * (n / k)) * dims + d];
}

static float distance_squared(const __global float *restrict point,
                              const __global float *restrict centre, int dims)
{
    float sum = 0.0f;
    for (int d = 0; d < dims; d++) {
        const float diff = point[d] - centre[d];
        sum += diff * diff;
    }
    return sum;
}

__kernel void assign(__global const float *data, __global const float *centres,
                     __global int *membership, __global float *distances, const int n,
                     const int dims, const int k)
{
    const int i = get_global_id(0);
    if (i >= n)
        return;
    int nearest = 0;
    float least = FLT_MAX;
    for (int c = 0; c < k; c++) {
        const float square = distance_squared(data + i * dims, &centres[c * dims], dims);
        if (square < least) {
            least = square;
            nearest = c;
        }
    }
    membership[i] = nearest;
    distances[i] = least;
}

/* One work-item a coordinate of a centre; it goes through the points in order. */
__kernel void update(__global const float *data, __global float *centres,
                     __global const int *membership, __global int *counts, const int n,
                     const int dims)
{
    const int d = get_global_id(0), c = get_global_id(1);
    float sum = 0.0f;
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (membership[i] != c)
            continue;
        sum += data[i * dims + d];
        count++;
    }
    if (count > 0)
        centres[c * dims + d] = sum / count;
    if (d == 0)
        counts[c] = count;
}

/* How much nearer a point is to its own centre than to the next one, from -1 to 1. */
__kernel void silhouettes(__global const float *data, __global const int *membership,
                          __global const float *centres, __global float *scores,
                          const int n, const int dims, const int k)
{
    const int i = get_global_id(0);
    if (i >= n)
        return;
    const __global float *point = data + i * dims;
    const float own = sqrt(distance_squared(point, centres + membership[i] * dims, dims));
    float next = FLT_MAX;
    for (int c = 0; c < k; c++) {
        if (c == membership[i])
            continue;
        next = fmin(next, sqrt(distance_squared(point, centres + c * dims, dims)));
    }
    const float greater = fmax(own, next);
    scores[i] = greater > 0.0f ? (next - own) / greater : 0.0f;
}
