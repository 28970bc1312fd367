/* SPDX-License-Identifier: MIT */
/* Random kernels on grids of 2 to 4 dimensions, in random layouts of bits, and a host
 * that looks at the buffers in between: prints a hash of every byte behind each step.
 * Without DL and under --layout grid it must print the same (grid_test.sh).
 *
 * usage: grid_program FIRST COUNT [--text] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid_texts.h"
#include "random_programs.h"

enum { STEPS = 7 };

static unsigned char *bytes;

static uint64_t hash_of(const unsigned char *data, size_t count, uint64_t hash)
{
    for (size_t b = 0; b < count; b++)
        hash = (hash ^ data[b]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t look(cl_mem mem, size_t size)
{
    uint64_t hash = 14695981039346656037u;
    size_t first = below((uint32_t)size), count = 1 + below((uint32_t)(size - first));
    const size_t zero[3] = {0}, origin[3] = {below(8), below(3), 0};
    size_t row = size / 8, region[3] = {row > 8 ? row - 8 : 1, 4, 1};
    void *view;
    cl_int err;

    switch (below(5)) {
    case 0:
        must(
            clEnqueueReadBuffer(queue, mem, CL_TRUE, first, count, bytes, 0, NULL, NULL));
        return hash_of(bytes, count, hash);
    case 1:
        view = clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, first,
                                  count, 0, NULL, NULL, &err);
        must(err);
        hash = hash_of(view, count, hash);
        ((unsigned char *)view)[count / 2] ^= 5;
        must(clEnqueueUnmapMemObject(queue, mem, view, 0, NULL, NULL));
        return hash;
    case 2:
        memset(bytes, (int)below(256), count);
        must(clEnqueueWriteBuffer(queue, mem, CL_TRUE, first, count, bytes, 0, NULL,
                                  NULL));
        return hash;
    case 3:
        if (row < 16)
            return hash;
        must(clEnqueueReadBufferRect(queue, mem, CL_TRUE, origin, zero, region, row, 0,
                                     region[0], 0, bytes, 0, NULL, NULL));
        return hash_of(bytes, region[0] * region[1], hash);
    default:
        return hash;
    }
}

static void launch(cl_kernel kernel, cl_mem from, cl_mem to, bool flat)
{
    uint32_t last = grid.dims - grid.has_k;
    size_t global[3] = {1, 1, 1}, cells = grid.elements;

    must(clSetKernelArg(kernel, 0, sizeof from, &from));
    must(clSetKernelArg(kernel, 1, sizeof to, &to));
    for (uint32_t d = 0; d < last; d++) {
        cl_int extent = (cl_int)grid.bases[d];

        must(clSetKernelArg(kernel, 2 + d, sizeof extent, &extent));
    }
    if (grid.has_k)
        cells /= grid.extents[grid.dims - 1];
    for (uint32_t d = 0; d < last; d++) {
        uint32_t id = last - 1 - d;

        global[id < 3 ? id : 2] *= grid.extents[d];
    }
    if (flat)
        global[0] = cells + 5;
    must(clEnqueueNDRangeKernel(queue, kernel,
                                flat       ? 1
                                : last > 3 ? 3
                                           : last,
                                NULL, global, NULL, 0, NULL, NULL));
}

static void run(cl_program program, bool flat)
{
    size_t size = (grid.elements + grid.behind) * grid.bytes;
    cl_int ints = (cl_int)(size / 4), err;
    size_t global = size / 4 + 1;
    cl_kernel kernels[KERNELS], plain;
    cl_mem mems[2];

    bytes = malloc(size);
    plain = clCreateKernel(program, "plain", &err);
    must(err);
    for (unsigned k = 0; k < KERNELS; k++) {
        char name[8];

        snprintf(name, sizeof name, "k%u", k);
        kernels[k] = clCreateKernel(program, name, &err);
        must(err);
    }
    for (int b = 0; b < 2; b++) {
        for (size_t at = 0; at < size; at++)
            bytes[at] = (unsigned char)(at * 7 + at / 256 + (size_t)b);
        if (!strcmp(grid.type, "float"))
            for (size_t at = 0; at < size / 4; at++)
                ((float *)(void *)bytes)[at] = (float)(at % 1000);
        mems[b] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, size, bytes, &err);
        must(err);
    }
    for (int s = 0; s < STEPS; s++) {
        unsigned turn = below(2);
        uint64_t hash;

        if (below(6) == 0 && strcmp(grid.type, "float")) {
            must(clSetKernelArg(plain, 0, sizeof *mems, &mems[turn]));
            must(clSetKernelArg(plain, 1, sizeof ints, &ints));
            must(clEnqueueNDRangeKernel(queue, plain, 1, NULL, &global, NULL, 0, NULL,
                                        NULL));
        } else {
            launch(kernels[below(KERNELS)], mems[turn], mems[!turn], flat);
        }
        hash = strcmp(grid.type, "float") ? look(mems[!turn], size) : 0;
        printf("  step %d: %016llx\n", s, (unsigned long long)hash);
    }
    for (int b = 0; b < 2; b++) {
        must(clEnqueueReadBuffer(queue, mems[b], CL_TRUE, 0, size, bytes, 0, NULL, NULL));
        printf("  buffer %d: %016llx\n", b, (unsigned long long)hash_of(bytes, size, 1));
        clReleaseMemObject(mems[b]);
    }
    for (unsigned k = 0; k < KERNELS; k++)
        clReleaseKernel(kernels[k]);
    clReleaseKernel(plain);
    free(bytes);
}

static void one(uint32_t seed, bool show)
{
    const char *source = text;
    cl_program program;
    char log[4096] = "";
    bool flat;
    cl_int err;

    draw_from(seed, 99);
    below(2);
    draw_grid();
    flat = below(2);
    draw_text(flat);
    printf("seed %u\n", seed);
    if (show) {
        puts(text);
        return;
    }
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    must(err);
    err = clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (err != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log,
                              NULL);
        printf("%s\n%s\n", text, log);
    }
    must(err);
    run(program, flat);
    clReleaseProgram(program);
}

int main(int argc, char **argv)
{
    return random_programs(argc, argv, one);
}
