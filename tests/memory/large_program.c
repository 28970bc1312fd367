/* SPDX-License-Identifier: MIT */
/* A random kernel on a buffer of more than 2 GiB of 1-byte elements: differences and
 * comparisons of pointers far apart, indices of every type that 31 bits don't hold.
 * Prints a sum over the buffer and the kernel's results: large_test.sh compares them with
 * and without DL.
 *
 * usage: large_program SEED; 77 where there is not the memory for it */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include "tests/common/random_numbers.h"

enum { RESULTS = 64, PIECE_BYTES = 16 << 20 };

static unsigned state;

static unsigned pick(unsigned count)
{
    return random_below(&state, count);
}

static void must_at(cl_int err, int line)
{
    if (err == CL_SUCCESS)
        return;
    fprintf(stderr, "large_program, line %d: %d\n", line, err);
    exit(err == CL_MEM_OBJECT_ALLOCATION_FAILURE || err == CL_OUT_OF_RESOURCES ? 77 : 1);
}
#define must(err) must_at(err, __LINE__)

/* An element of the buffer as the kernel may write it, `at` elements from its start. */
static void print_element(FILE *out, unsigned width, bool structs, unsigned long long at)
{
    unsigned long long row = at / width, rest = at % width,
                       shift = pick(3) * 700000000ull;

    /* The same element by fewer rows and a rest that is none of the row's. */
    if (shift > row)
        shift = 0;
    switch (pick(structs ? 9 : 10)) {
    case 0:
        fprintf(out, "OF(f[%llulu + zero])", at);
        break;
    case 1:
        fprintf(out, "OF(f[%uul * (%llulu + zero) + %lluul])", width, row - shift,
                rest + shift * width);
        break;
    case 2:
        fprintf(out, "OF(f[%uu * (%lluu + zero) + %lluu])", width, row, rest);
        break;
    case 3: /* the rest in 32 bits, which it fills */
        fprintf(out, "OF(f[%uu * (%lluu + zero) + (%lluu + zero)])", width, row - shift,
                rest + shift * width);
        break;
    case 4:
        fprintf(out, "OF(f[(%llul + zero) + %ul * (%llul + zero)])", rest + shift * width,
                width, row - shift);
        break;
    case 5: /* less than none, which wraps to what it should be */
        fprintf(out, "OF(f[%lluu + zero - %uu])", (at + 7) & 0xffffffffull, 7u);
        break;
    case 6:
        fprintf(out, "OF(*(f + (%llulu + zero)))", at);
        break;
    case 7:
        fprintf(out, "OF(end[-(long)(%llulu + zero)])", 3000000000ull - at);
        break;
    case 8:
        fprintf(out, "OF(high[(long)%lld + zero])", (long long)at - 2147483600ll);
        break;
    default:
        fprintf(out, "vload2(%lluu + zero, f + %llu).x", at / 2, at % 2);
    }
}

static char *make_source(unsigned width, bool structs, size_t bytes)
{
    char *text = NULL;
    size_t text_bytes;
    FILE *out = open_memstream(&text, &text_bytes);

    fprintf(
        out,
        "__kernel void fill(__global uchar *to)\n{\n"
        "    ulong i = get_global_id(0);\n\n"
        "    for (int k = 0; k < 4096; k++)\n"
        "        to[i * 4096 + k] = i * 41 + k * 7 + (k >> 3);\n}\n"
        "%s"
        "int reach(__global const ELEMENT *p, long by)\n{\n    return OF(p[by]);\n}\n",
        structs ? "typedef struct { uchar c; } one;\n#define ELEMENT one\n"
                  "#define OF(x) ((x).c)\n"
                : "#define ELEMENT uchar\n#define OF(x) (x)\n");
    if (structs)
        fprintf(out, "//DL: AoS: f[]\n");
    else
        fprintf(out, "//DL: AoS: f[][%u]\n", width);
    fprintf(out,
            "__kernel void go(__global ELEMENT *f, __global long *out, uint zero)\n{\n"
            "    if (get_global_id(0))\n        return;\n"
            "    __global ELEMENT *high = f + 2147483600ul, *end = f + 3000000000ul;\n"
            "    __global ELEMENT *last = f + %zuul, *low = f + pick_low;\n",
            bytes - 1);
    fprintf(
        out,
        "    out[0] = last - low;\n    out[1] = low - last;\n"
        "    out[2] = (last > low) + 2 * (last >= low) + 4 * (low < last) +\n"
        "             8 * (last == low) + 16 * (low <= f) + 32 * (high < last);\n"
        "    out[3] = (last - f) / 2 - (&f[5] - high);\n"
        "    out[4] = reach(last, -2147483641l) + reach(low, 2147483600l);\n"
        "    for (__global ELEMENT *p = last - 6; p <= last; p++)\n"
        "        out[5] += OF(*p) + (p - f);\n"
        "    for (__global ELEMENT *p = last; p > last - 2147483640u; p -= 715827880)\n"
        "        OF(*p) += out[6]++ + 3;\n");
    for (int k = 7; k < RESULTS; k++) {
        unsigned long long at = pick(4)
                                    ? bytes - 1 - pick(4000)
                                    : ((unsigned long long)pick(1 << 20) << 11) % bytes;

        if (pick(2)) {
            fprintf(out, "    out[%d] = ", k);
            print_element(out, width, structs, at < 2 ? 2 : at);
            fprintf(out, ";\n");
        } else {
            fprintf(out, "    OF(f[%uul * (%llulu + zero) + %llu]) %s ", width,
                    at / width, at % width, pick(2) ? "+=" : "=");
            print_element(out, width, structs, bytes - 1 - pick(5000));
            fprintf(out, " + %d;\n", k);
        }
    }
    fprintf(out, "}\n");
    fclose(out);
    return text;
}

/* A sum in which places count. */
static unsigned long long sum_of(cl_command_queue queue, cl_mem mem, size_t bytes)
{
    unsigned long long sum = 0, *words = malloc(PIECE_BYTES);

    for (size_t at = 0; at < bytes; at += PIECE_BYTES) {
        size_t count = bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES;

        memset(words, 0, PIECE_BYTES);
        must(clEnqueueReadBuffer(queue, mem, CL_TRUE, at, count, words, 0, NULL, NULL));
        for (size_t i = 0; i < PIECE_BYTES / sizeof *words; i++)
            sum = (sum ^ words[i]) * 0x9e3779b97f4a7c15ull + (sum >> 29);
    }
    free(words);
    return sum;
}

/* Writes, rectangles and maps of some bytes far behind the buffer's start. */
static void change(cl_command_queue queue, cl_mem mem, size_t bytes)
{
    unsigned char some[5000];

    for (int i = 0; i < 6; i++) {
        size_t count = 1 + pick(sizeof some - 1);
        size_t at =
            i % 2 ? bytes - count - pick(3) * 1000 : bytes / 2 + pick(1 << 30) - count;
        const size_t origin[3] = {at % 1000, at / 1000, 0}, host[3] = {0, 0, 0},
                     region[3] = {count % 900 + 1, 2, 1};
        cl_int err;

        memset(some, (int)pick(256), sizeof some);
        if (i < 2) {
            must(clEnqueueWriteBuffer(queue, mem, CL_TRUE, at, count, some, 0, NULL,
                                      NULL));
        } else if (i < 4) {
            if (at / 1000 + 3 < bytes / 1000 && origin[0] + region[0] <= 1000)
                must(clEnqueueWriteBufferRect(queue, mem, CL_TRUE, origin, host, region,
                                              1000, 0, region[0], 0, some, 0, NULL,
                                              NULL));
        } else {
            unsigned char *mapped = clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_WRITE,
                                                       at, count, 0, NULL, NULL, &err);

            must(err);
            memcpy(mapped, some, count);
            must(clEnqueueUnmapMemObject(queue, mem, mapped, 0, NULL, NULL));
        }
    }
}

/* A device that has buffers of so many bytes; else the program ends. */
static cl_device_id find_device(size_t bytes)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_ulong most = 0;

    must(clGetPlatformIDs(1, &platform, NULL));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    must(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    if (most < bytes)
        exit(77);
    return device;
}

struct objects {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel fill, go;
    cl_mem f, out;
};

static struct objects objects_make(const char *source, size_t bytes, const void *results)
{
    struct objects o;
    cl_device_id device = find_device(bytes);
    char options[64];
    cl_int err;

    o.context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err);
    o.queue = clCreateCommandQueue(o.context, device, 0, &err);
    must(err);
    o.program = clCreateProgramWithSource(o.context, 1, &source, NULL, &err);
    must(err);
    snprintf(options, sizeof options, "-Dpick_low=%u", pick(100));
    must(clBuildProgram(o.program, 1, &device, options, NULL, NULL));
    o.fill = clCreateKernel(o.program, "fill", &err);
    must(err);
    o.go = clCreateKernel(o.program, "go", &err);
    must(err);
    o.f = clCreateBuffer(o.context, CL_MEM_READ_WRITE, bytes, NULL, &err);
    must(err);
    o.out = clCreateBuffer(o.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                           RESULTS * sizeof(cl_long), (void *)results, &err);
    must(err);
    return o;
}

static void objects_release(struct objects *o)
{
    must(clReleaseMemObject(o->f));
    must(clReleaseMemObject(o->out));
    must(clReleaseKernel(o->fill));
    must(clReleaseKernel(o->go));
    must(clReleaseProgram(o->program));
    must(clReleaseCommandQueue(o->queue));
    must(clReleaseContext(o->context));
}

/* Fills the buffer, and runs the kernel before and after the host has changed some bytes.
 */
static void work(struct objects *o, size_t bytes, cl_long *results)
{
    const size_t global = bytes / 4096, one = 1;
    const cl_uint zero = 0;

    must(clSetKernelArg(o->fill, 0, sizeof o->f, &o->f));
    must(
        clEnqueueNDRangeKernel(o->queue, o->fill, 1, NULL, &global, NULL, 0, NULL, NULL));
    must(clEnqueueFillBuffer(o->queue, o->f, "DL", 1, global * 4096,
                             bytes - global * 4096, 0, NULL, NULL));
    must(clSetKernelArg(o->go, 0, sizeof o->f, &o->f));
    must(clSetKernelArg(o->go, 1, sizeof o->out, &o->out));
    must(clSetKernelArg(o->go, 2, sizeof zero, &zero));
    must(clEnqueueNDRangeKernel(o->queue, o->go, 1, NULL, &one, NULL, 0, NULL, NULL));
    change(o->queue, o->f, bytes);
    must(clEnqueueNDRangeKernel(o->queue, o->go, 1, NULL, &one, NULL, 0, NULL, NULL));
    must(clEnqueueReadBuffer(o->queue, o->out, CL_TRUE, 0, RESULTS * sizeof *results,
                             results, 0, NULL, NULL));
}

int main(int argc, char **argv)
{
    char *source;
    size_t bytes;
    struct objects objects;
    cl_long results[RESULTS] = {0};
    unsigned width;
    bool structs;

    state = argc > 1 ? (unsigned)atoi(argv[1]) * 2654435761u + 1 : 1;
    width = 1 + pick(7);
    bytes = ((size_t)1 << 31) + pick(1 << 20) + 4096;
    structs = !pick(3);
    source = make_source(width, structs, bytes);
    objects = objects_make(source, bytes, results);
    work(&objects, bytes, results);
    for (int k = 0; k < RESULTS; k++)
        printf("%d: %lld\n", k, (long long)results[k]);
    printf("%zu bytes in rows of %u: %llx\n", bytes, width,
           sum_of(objects.queue, objects.f, bytes));
    if (argc > 2)
        fputs(source, stderr);
    objects_release(&objects);
    free(source);
    return 0;
}
