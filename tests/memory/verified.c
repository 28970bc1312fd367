/* SPDX-License-Identifier: MIT */
/* verified KERNEL ITEMS LAUNCHES: launches one of some kernels, some of them annotated,
 * and prints a sum of what it gave. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/host.h"

static const char *source =
    "typedef struct { int a; float b; int c[6]; } item;\n"
    "typedef struct { double d; char c; float3 v; char e; } padded;\n"
    "//DL: AoS: p[n], out[n]\n"
    "__kernel void drawn(__global item *p, __global item *out, __global int *next, int "
    "n)\n"
    "{ int i = get_global_id(0); if (i < n) { int s = atomic_inc(next) % n; out[s].a = "
    "i; out[s].b = p[i].b; } }\n"
    "//DL: AoS: p[n], q[n]\n"
    "__kernel void made_here(__global padded *p, __global padded *q, __global int *next, "
    "int n)\n"
    "{ int i = get_global_id(0); if (i < n) { padded x; x.d = q[i].d + 1; x.c = i; x.v = "
    "q[i].v * 2; x.e = 3;\n"
    "  p[i] = x; } }\n"
    "//DL: AoS: p[n], q[n]\n"
    "__kernel void lane(__global padded *p, __global padded *q, __global int *next, int "
    "n)\n"
    "{ int i = get_global_id(0); if (i < n) { p[i].v = q[i].v + (float3)(1, 2, 3); "
    "q[i].v = q[i].v; } }\n"
    "typedef struct { float3 at, by; float mass; int id; } ball;\n"
    "__kernel void stored(__global ball *p, __global ball *q, __global int *next, int "
    "n)\n"
    "{ int i = get_global_id(0); if (i < n) { ball x; x.at.x = q[i].at.y; x.at.y = "
    "q[i].at.x; x.at.z = q[i].mass;\n"
    "  x.by.x = 1; x.by.y = q[i].by.y; x.by.z = i; x.mass = q[i].mass * 2; x.id = i; "
    "p[i] = x; } }\n"
    "__kernel void found(__global item *p, __global item *q, __global int *next, int n)\n"
    "{ int i = get_global_id(0); if (i < n) { p[i].b += q[i].b; p[i].a ^= i; } }\n";

int main(int argc, char **argv)
{
    const char *name = argc > 3 ? argv[1] : "found";
    const cl_int n = argc > 3 ? atoi(argv[2]) : 1000,
                 launches = argc > 3 ? atoi(argv[3]) : 1;
    const size_t bytes = 64 * (size_t)n;
    unsigned char *data = malloc(bytes < 64 ? 64 : bytes);
    cl_mem buffers[3];
    struct host host = host_open_with(source);
    cl_kernel kernel = host_kernel(&host, name);
    unsigned sum = 0;

    for (size_t i = 0; i < bytes; i++)
        data[i] = (unsigned char)(i * 2654435761u >> 13);
    for (cl_uint b = 0; b < 3; b++) {
        if (b == 2)
            memset(data, 0, 4);
        buffers[b] = host_buffer(&host, data, b == 2 ? 4 : bytes);
        must(clSetKernelArg(kernel, b, sizeof *buffers, &buffers[b]));
    }
    must(clSetKernelArg(kernel, 3, sizeof n, &n));
    for (int i = 0; i < launches; i++)
        host_launch(host.queue, kernel, (size_t)n);
    must(clEnqueueReadBuffer(host.queue, buffers[0], CL_TRUE, 0, bytes, data, 0, NULL,
                             NULL));
    for (size_t i = 0; i < bytes; i++)
        sum = sum * 31 + data[i];
    printf("%08x\n", sum);
    for (cl_uint b = 0; b < 3; b++)
        must(clReleaseMemObject(buffers[b]));
    must(clReleaseKernel(kernel));
    host_close(&host);
    free(data);
    return 0;
}
