/* SPDX-License-Identifier: MIT */
/* A kernel on structs of so many floats, half of which it changes; checks every one.
 *
 * usage: wide_program FLOATS */
#include <stdio.h>
#include <stdlib.h>

#include "tests/common/host.h"

enum { STRUCTS = 75 };

int main(int argc, char **argv)
{
    unsigned floats = argc > 1 ? (unsigned)atoi(argv[1]) : 1000, wrong = 0;
    size_t count = (size_t)floats * STRUCTS;
    float *data = malloc(count * sizeof *data);
    char text[400];
    struct host host;
    cl_kernel kernel;
    cl_mem mem;

    snprintf(text, sizeof text,
             "typedef struct { float a[%u]; } wide;\n"
             "//DL: AoS: f[global_size(0)]\n"
             "__kernel void half_of(__global wide *f) {\n"
             "    size_t i = get_global_id(0);\n"
             "    for (int k = 0; k < %u; k += 2) f[i].a[k] = f[i].a[k] + i;\n"
             "}\n",
             floats, floats);
    host = host_open_with(text);
    kernel = host_kernel(&host, "half_of");
    for (size_t k = 0; k < count; k++)
        data[k] = (float)(k % 8191);
    mem = host_buffer(&host, data, count * sizeof *data);
    must(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    for (int launch = 0; launch < 2; launch++)
        host_launch(host.queue, kernel, STRUCTS);
    must(clEnqueueReadBuffer(host.queue, mem, CL_TRUE, 0, count * sizeof *data, data, 0,
                             NULL, NULL));
    for (size_t k = 0; k < count; k++) {
        size_t i = k / floats, in_struct = k % floats;
        wrong += data[k] != (float)(k % 8191 + (in_struct % 2 ? 0 : 2 * i));
    }
    if (wrong > 0)
        fprintf(stderr, "wide_program: %u of %zu are wrong\n", wrong, count);
    clReleaseMemObject(mem);
    clReleaseKernel(kernel);
    host_close(&host);
    free(data);
    return wrong > 0;
}
