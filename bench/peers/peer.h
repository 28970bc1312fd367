/* SPDX-License-Identifier: MIT */
/* What the programs of peers share: shapes from standard input, "ROWS COLS ELEMENT_BYTES"
 * a line, each out of place from one buffer to another; times of the device; and a line
 * of comma-separated values for each:
 *
 *     peer,rows,cols,element_bytes,gb_per_s,share_percent,with_copy_back_percent,checked
 *
 * Shares are of a copy of 4 GB from device to device in the same run, as dl-bench's are.
 * A matrix that goes out of place and is copied back is what a program does that has the
 * memory. */
#ifndef PEER_H
#define PEER_H

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define PEER_CHECK(call)                                                                 \
    do {                                                                                 \
        int peer_status = (int)(call);                                                   \
        if (peer_status != 0) {                                                          \
            fprintf(stderr, "%s: %d\n", #call, peer_status);                             \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

struct shape {
    size_t rows, cols, bytes;
};

enum { PEER_REPS = 5, PEER_SAMPLES = 1000 };

/* Milliseconds, the median of some, once ahead. */
template <typename Work> double median_ms(Work work)
{
    std::vector<float> times;
    cudaEvent_t begin, end;

    PEER_CHECK(cudaEventCreate(&begin));
    PEER_CHECK(cudaEventCreate(&end));
    for (int r = -1; r < PEER_REPS; r++) {
        float ms;
        PEER_CHECK(cudaEventRecord(begin));
        work();
        PEER_CHECK(cudaEventRecord(end));
        PEER_CHECK(cudaEventSynchronize(end));
        PEER_CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (r >= 0)
            times.push_back(ms);
    }
    PEER_CHECK(cudaEventDestroy(begin));
    PEER_CHECK(cudaEventDestroy(end));
    std::sort(times.begin(), times.end());
    return times[PEER_REPS / 2];
}

/* Some elements, wherever they are. */
static bool is_transposed(const shape &s, const char *from, const char *to)
{
    uint64_t random = 88172645463325252u;
    char a[16], b[16];

    for (int i = 0; i < PEER_SAMPLES; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        size_t row = random % s.rows, col = (random >> 32) % s.cols;
        PEER_CHECK(cudaMemcpy(a, from + (row * s.cols + col) * s.bytes, s.bytes,
                              cudaMemcpyDeviceToHost));
        PEER_CHECK(cudaMemcpy(b, to + (col * s.rows + row) * s.bytes, s.bytes,
                              cudaMemcpyDeviceToHost));
        if (memcmp(a, b, s.bytes) != 0)
            return false;
    }
    return true;
}

__global__ void peer_fill(uint32_t *to, size_t words)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] =
            (uint32_t)(i * 2654435761u) & 0x3fffffffu; /* a number as float or double */
}

/* Runs `transpose(shape, from, to)` on every shape; false from it: it does not take the
 * shape. */
template <typename Transpose> int peer_run(const char *name, Transpose transpose)
{
    const size_t copy_bytes = (size_t)4 << 30;
    std::vector<shape> shapes;
    size_t most = copy_bytes;
    shape s;
    char *from, *to;
    cudaDeviceProp device;
    int driver = 0;

    while (scanf("%zu %zu %zu", &s.rows, &s.cols, &s.bytes) == 3) {
        shapes.push_back(s);
        most = std::max(most, s.rows * s.cols * s.bytes);
    }
    PEER_CHECK(cudaGetDeviceProperties(&device, 0));
    PEER_CHECK(cudaDriverGetVersion(&driver));
    PEER_CHECK(cudaMalloc((void **)&from, most));
    PEER_CHECK(cudaMalloc((void **)&to, most));
    peer_fill<<<1024, 256>>>((uint32_t *)from, most / 4);
    double copy_gb_per_s =
        2e-6 * (double)copy_bytes / median_ms([&] {
            PEER_CHECK(cudaMemcpyAsync(to, from, copy_bytes, cudaMemcpyDeviceToDevice));
        });
    printf("# %s, driver for CUDA %d.%d, copy %.1f GB/s\n", device.name, driver / 1000,
           driver % 1000 / 10, copy_gb_per_s);
    printf("peer,rows,cols,element_bytes,gb_per_s,share_percent,with_copy_back_percent,"
           "checked\n");
    bool right = true;
    for (const shape &one : shapes) {
        size_t bytes = one.rows * one.cols * one.bytes;
        if (!transpose(one, from, to))
            continue;
        double ms = median_ms([&] { transpose(one, from, to); });
        double back_ms = median_ms([&] {
            transpose(one, from, to);
            PEER_CHECK(cudaMemcpyAsync(from, to, bytes, cudaMemcpyDeviceToDevice));
        });
        /* The last copy back has changed the source: once more. */
        transpose(one, from, to);
        bool good = is_transposed(one, from, to);
        right = right && good;
        printf("%s,%zu,%zu,%zu,%.1f,%.1f,%.1f,%s\n", name, one.rows, one.cols, one.bytes,
               2e-6 * (double)bytes / ms, 100 * 2e-6 * (double)bytes / ms / copy_gb_per_s,
               100 * 2e-6 * (double)bytes / back_ms / copy_gb_per_s,
               good ? "ok" : "WRONG");
        fflush(stdout);
    }
    return right ? 0 : 1;
}

#endif
