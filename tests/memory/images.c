/* SPDX-License-Identifier: MIT */
/* images [KERNEL [LAUNCHES [FILE]]]: launches a kernel that reads structs and writes
 * images, from its own text or the file's, and prints sums of what the images hold.
 *
 *   draw    all pixels of one image
 *   some    a third of the pixels of each, the others stay; and the structs
 *   layers  an array of images, from another image
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/host.h"

enum {
    WIDTH = 64,
    HEIGHT = 50,
    ITEMS = WIDTH * HEIGHT,
    LAYERS = 3,
    TEXT_BYTES = 1 << 20
};

static const char *const source =
    "typedef struct { float x, y, z, w, r, g, b, a; } spark;\n"
    "__kernel void draw(__global spark *s, __write_only image2d_t im, __read_only "
    "image2d_t from,\n"
    "                   write_only image2d_array_t layers)\n"
    "{ int i = get_global_id(0);\n"
    "  write_imagef(im, (int2)(i % 64, i / 64), (float4)(s[i].r, s[i].g, s[i].b, 1.0f)); "
    "}\n"
    "__kernel void some(__global spark *s, __write_only image2d_t im, __read_only "
    "image2d_t from,\n"
    "                   write_only image2d_array_t layers)\n"
    "{ int i = get_global_id(0); s[i].x += 1.0f; s[i].g += s[i].x;\n"
    "  if (i % 3 == 0) write_imagef(im, (int2)(i % 64, i / 64), (float4)(s[i].g, 1, 2, "
    "3)); }\n"
    "__kernel void layers(__global spark *s, __write_only image2d_t im, __read_only "
    "image2d_t from,\n"
    "                     write_only image2d_array_t layers)\n"
    "{ const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;\n"
    "  int i = get_global_id(0); int2 at = (int2)(i % 64, i / 64);\n"
    "  float4 v = read_imagef(from, nearest, at); s[i].b += v.x;\n"
    "  write_imagef(layers, (int4)(at.x, at.y, i % 3, 0), v * s[i].y + s[i].b); }\n";

static cl_mem image_make(cl_context context, cl_mem_object_type type)
{
    static float host[4 * ITEMS * LAYERS];
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc desc = {.image_type = type,
                          .image_width = WIDTH,
                          .image_height = HEIGHT,
                          .image_array_size = type == CL_MEM_OBJECT_IMAGE2D ? 0 : LAYERS};
    cl_int err;
    cl_mem image;

    for (size_t i = 0; i < sizeof host / sizeof *host; i++)
        host[i] = (float)(i % 251);
    image = clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format,
                          &desc, host, &err);
    must(err);
    return image;
}

static unsigned sum_of(cl_command_queue queue, cl_mem image, size_t layers)
{
    static unsigned char host[sizeof(cl_float4) * ITEMS * LAYERS];
    const size_t origin[3] = {0, 0, 0}, region[3] = {WIDTH, HEIGHT, layers};
    unsigned sum = 0;

    must(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, host, 0, NULL,
                            NULL));
    for (size_t i = 0; i < sizeof(cl_float4) * ITEMS * layers; i++)
        sum = 31 * sum + host[i];
    return sum;
}

static char *read_text(const char *path)
{
    char *text = calloc(1, TEXT_BYTES);
    FILE *file = fopen(path, "r");

    if (!text || !file || fread(text, 1, TEXT_BYTES - 1, file) == 0)
        must(-1);
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "draw",
               *text = argc > 3 ? read_text(argv[3]) : source;
    int launches = argc > 2 ? atoi(argv[2]) : 1;
    static float sparks[8 * ITEMS];
    cl_mem args[4];
    struct host host = host_open_with(text);
    cl_kernel kernel = host_kernel(&host, name);

    for (size_t i = 0; i < sizeof sparks / sizeof *sparks; i++)
        sparks[i] = (float)(i % 1009);
    args[0] = host_buffer(&host, sparks, sizeof sparks);
    args[1] = image_make(host.context, CL_MEM_OBJECT_IMAGE2D);
    args[2] = image_make(host.context, CL_MEM_OBJECT_IMAGE2D);
    args[3] = image_make(host.context, CL_MEM_OBJECT_IMAGE2D_ARRAY);
    for (cl_uint a = 0; a < 4; a++)
        must(clSetKernelArg(kernel, a, sizeof *args, &args[a]));
    for (int i = 0; i < launches; i++)
        host_launch(host.queue, kernel, ITEMS);
    must(clEnqueueReadBuffer(host.queue, args[0], CL_TRUE, 0, sizeof sparks, sparks, 0,
                             NULL, NULL));
    printf("%g %g, images %u %u %u\n", sparks[8 * 7 + 5], sparks[8 * 99 + 6],
           sum_of(host.queue, args[1], 1), sum_of(host.queue, args[2], 1),
           sum_of(host.queue, args[3], LAYERS));
    for (int a = 0; a < 4; a++)
        clReleaseMemObject(args[a]);
    clReleaseKernel(kernel);
    host_close(&host);
    return 0;
}
