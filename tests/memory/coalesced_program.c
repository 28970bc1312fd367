/* SPDX-License-Identifier: MIT */
/* Random kernels that load and store whole structs, launched in all ways: prints a hash
 * of every byte of all buffers behind each launch. Without DL and under --layout
 * coalesced it must print the same (coalesced_test.sh).
 *
 * usage: coalesced_program FIRST COUNT [--text] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_programs.h"

enum {
    KERNELS = 2,
    KERNELS_FULL = 4,
    ROOM = 1100,
    BYTES_MAX = 1 << 20,
    TEXT_BYTES = 1 << 14
};

/* ---- texts ---- */

static char text[TEXT_BYTES];

static bool has_row; /* the structs have one, for reads of many members */

static void add(const char *more)
{
    strncat(text, more, sizeof text - strlen(text) - 1);
}

static const char *one_of(const char *const *list, uint32_t count)
{
    return list[below(count)];
}
#define ONE_OF(...)                                                                      \
    one_of((const char *const[]){__VA_ARGS__},                                           \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* The first member is an int, m0; sizes are multiples of 8, mostly without padding. */
static void add_struct(void)
{
    char member[64];
    uint32_t pairs = below(4) == 0 ? 9 + below(24) : below(9);

    add("typedef struct {\n    int m0;\n    float m1;\n");
    for (uint32_t i = 0; i < pairs; i++) {
        snprintf(member, sizeof member,
                 ONE_OF("    int2 a%u;\n", "    float b%u[2];\n", "    long c%u;\n",
                        "    struct { int x; float y; } d%u;\n", "    uint2 e%u[1];\n"),
                 i);
        add(member);
    }
    if (below(6) == 0)
        add("    float4 v;\n");
    if (below(8) == 0)
        add("    short s;\n");
    has_row = below(2);
    if (has_row)
        add("    uint r[18];\n");
    add("} cell;\n\n");
}

/* Which struct a work-item loads: anyone's, or its own where it changes what it loads. */
static const char *from_index(bool own)
{
    return own ? "i"
               : ONE_OF("i", "p[i]", "n - 1 - i", "(i * 7 + 3) % n", "i / 2",
                        "p[n - 1 - i]");
}

/* A struct of which all members of the row are read, and one more by some. */
static void add_members(bool own)
{
    char read[64];
    const char *at = own ? "i" : "j";

    if (!own)
        add("        uint j = p[i];\n");
    add("        uint x = 0;\n");
    for (int k = 0; k < 18; k++) {
        snprintf(read, sizeof read, "        x = x * 5 + from[%s].r[%d];\n", at, k);
        add(read);
    }
    snprintf(read, sizeof read, "        if (x & 1)\n            x += from[%s].m0;\n",
             at);
    add(read);
    snprintf(read, sizeof read, "        cell s = from[%s];\n        s.m0 ^= x;\n", at);
    add(read);
}

static void add_change(void)
{
    add(ONE_OF(
        "        s.m0 += i;\n", "        s.m1 = s.m0 * 0.5f;\n",
        "        for (int k = 0; k < 3; k++)\n            s.m0 ^= k + (int)s.m1;\n",
        "        if (s.m0 & 1)\n            s.m1 = i;\n", ""));
}

/* All are kernels of (from, to, p, n), where p is a permutation, and write to[i] or
 * to[p[i]]. */
static void add_kernel(unsigned number)
{
    bool own = below(3) == 0, in_place = own && below(2) == 0;
    const char *at = own ? "i" : ONE_OF("i", "p[i]");
    const char *to = in_place ? "from" : "to";
    unsigned form = below(6);
    char line[256];

    snprintf(
        line, sizeof line,
        "//DL: AoS: from[n], to[n]\nkernel void k%u(global cell *from, global cell "
        "*to, global const uint *p, int n)\n{\n    const int i = get_global_id(0);\n",
        number);
    add(line);
    if (form == 0 || form == 5)
        add(ONE_OF("    if (i >= n)\n        return;\n", "    if (i >= n) { return; }\n",
                   "    if (i >= n || p[i] % 5 == 0) /* some */ return; // others\n"));
    if (form == 1)
        add(ONE_OF("    if (i < n) {\n", "    if (i < n && p[i] % 3) {\n"));
    if (form >= 2 && form <= 4) /* no more work-items than structs: see launch */
        add("    // whole\n");
    line[0] = '\0';
    if (has_row && below(2) == 0) {
        add_members(own || below(2));
    } else if (below(2) && !own) {
        snprintf(line, sizeof line, "        uint j = %s;\n        cell s = from[j];\n",
                 from_index(own));
    } else {
        snprintf(line, sizeof line, "        %scell s = from[%s];\n",
                 form == 0 && below(2) ? "int z = 3, y = z + i; " : "", from_index(own));
    }
    add(line);
    add_change();
    if (form == 5)
        add("        if (s.m0 % 4 == 0)\n            return;\n");
    add_change();
    if (form == 3) { /* a copy besides, straight */
        snprintf(line, sizeof line,
                 "        %s[%s] = s;\n        s = %s[%s];\n        s.m0++;\n", to, at,
                 to, at);
        add(line);
    }
    snprintf(line, sizeof line, "        %s[%s] = s;\n", to, at);
    add(line);
    if (form == 1 && own && !in_place)
        add("        from[i] = s;\n");
    if (form == 4) { /* and what it has just stored, plainly */
        snprintf(line, sizeof line, "        %s[%s].m0 += %s[%s].m0 & 7;\n", to, at, to,
                 at);
        add(line);
    }
    add(form == 1 ? "    }\n}\n\n" : "}\n\n");
}

static bool is_whole(unsigned number)
{
    char name[32];
    const char *kernel, *end, *whole;

    snprintf(name, sizeof name, "void k%u(", number);
    kernel = strstr(text, name);
    end = strstr(kernel, "\n}\n");
    whole = strstr(kernel, "// whole");
    return whole && whole < end;
}

/* ---- running ---- */

static size_t struct_bytes;

struct buffer {
    cl_mem root, mem; /* the same, or a sub-buffer of it */
    size_t root_bytes;
    unsigned char *host; /* of CL_MEM_USE_HOST_PTR, else NULL */
};

static struct buffer buffer_make(const unsigned char *bytes, size_t count)
{
    struct buffer b = {.root_bytes = count};
    cl_buffer_region region = {0, count};
    cl_mem_flags flags = CL_MEM_READ_WRITE;
    cl_int err;

    switch (below(3)) {
    case 0:
        if (posix_memalign((void **)&b.host, 4096, count))
            exit(1);
        memcpy(b.host, bytes, count);
        b.root =
            clCreateBuffer(context, flags | CL_MEM_USE_HOST_PTR, count, b.host, &err);
        break;
    case 1:
        b.root_bytes = count + 1024;
        b.root = clCreateBuffer(context, flags, b.root_bytes, NULL, &err);
        must(err);
        region.origin = 128 * below(9);
        b.mem = clCreateSubBuffer(b.root, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
        break;
    default:
        b.root = clCreateBuffer(context, flags, count, NULL, &err);
    }
    must(err);
    if (!b.mem) {
        b.mem = b.root;
        clRetainMemObject(b.root);
    }
    if (b.root_bytes > count) {
        unsigned char zero[1024] = {0};

        must(clEnqueueWriteBuffer(queue, b.root, CL_TRUE, 0, 1024, zero, 0, NULL, NULL));
        must(clEnqueueWriteBuffer(queue, b.root, CL_TRUE, count, 1024, zero, 0, NULL,
                                  NULL));
    }
    must(clEnqueueWriteBuffer(queue, b.mem, CL_TRUE, 0, count, bytes, 0, NULL, NULL));
    return b;
}

static void buffer_free(struct buffer *b)
{
    clReleaseMemObject(b->mem);
    clReleaseMemObject(b->root);
    clFinish(queue);
    free(b->host);
}

static void buffer_print(const struct buffer *b)
{
    uint64_t hash = 1469598103934665603u;
    cl_int err;
    unsigned char *bytes = clEnqueueMapBuffer(queue, b->root, CL_TRUE, CL_MAP_READ, 0,
                                              b->root_bytes, 0, NULL, NULL, &err);

    must(err);
    for (size_t i = 0; i < b->root_bytes; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    printf(" %016llx", (unsigned long long)hash);
    must(clEnqueueUnmapMemObject(queue, b->root, bytes, 0, NULL, NULL));
}

/* Whole numbers and floats that stay what they are when copied. */
static void fill(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(i % 4 == 3 ? 0x3f : below(256));
}

/* Twice, the second time in groups of half the size where that can be. PoCL builds a
 * kernel anew for each size: few of them. */
static void launch(cl_program program, unsigned number, size_t group)
{
    static unsigned char bytes[BYTES_MAX];
    static cl_uint order[ROOM];
    bool whole = is_whole(number);
    cl_int n = (cl_int)(1 + below(ROOM - 500)), err;
    size_t local = group, global = (size_t)n, offset = 0;
    struct buffer from, to, p;
    char name[16];
    cl_kernel kernel;

    snprintf(name, sizeof name, "k%u", number);
    kernel = clCreateKernel(program, name, &err);
    must(err);
    if (whole) { /* as many as there are */
        n = (n + (cl_int)local - 1) / (cl_int)local * (cl_int)local;
        global = (size_t)n;
    } else {
        global = (size_t)(n + (cl_int)local - 1) / local * local;
        offset = below(3) == 0 ? below((uint32_t)n) : 0;
    }
    for (cl_int i = 0; i < n; i++) {
        cl_uint j = below((uint32_t)i + 1);

        order[i] = order[j];
        order[j] = (cl_uint)i;
    }
    fill(bytes, (size_t)n * struct_bytes);
    from = buffer_make(bytes, (size_t)n * struct_bytes);
    fill(bytes, (size_t)n * struct_bytes);
    to = buffer_make(bytes, (size_t)n * struct_bytes);
    p = buffer_make((unsigned char *)order, (size_t)n * sizeof *order);
    must(clSetKernelArg(kernel, 0, sizeof(cl_mem), &from.mem));
    must(clSetKernelArg(kernel, 1, sizeof(cl_mem), &to.mem));
    must(clSetKernelArg(kernel, 2, sizeof(cl_mem), &p.mem));
    must(clSetKernelArg(kernel, 3, sizeof n, &n));
    for (int again = 0; again < 2; again++) {
        if (again && group % 2 == 0)
            local = group / 2;
        must(clEnqueueNDRangeKernel(queue, kernel, 1, offset ? &offset : NULL, &global,
                                    group % 5 ? &local : NULL, 0, NULL, NULL));
        printf("k%u n %d:", number, n);
        buffer_print(&from);
        buffer_print(&to);
        puts("");
    }
    buffer_free(&from);
    buffer_free(&to);
    buffer_free(&p);
    clReleaseKernel(kernel);
}

/* The bytes of a cell, as the device has them. */
static size_t ask_bytes(cl_program program)
{
    size_t one = 1;
    cl_uint bytes = 0;
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, "size", &err);
    cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof bytes, NULL, &err);

    must(err);
    must(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    must(
        clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof bytes, &bytes, 0, NULL, NULL));
    clReleaseMemObject(mem);
    clReleaseKernel(kernel);
    return bytes;
}

/* In groups that are one work-item wide, or whose size the driver chooses: PoCL 3.1
 * places barriers wrongly there, of which this text has none. */
static void launch_narrow(cl_program program)
{
    static const size_t locals[][3] = {
        {1, 5, 10}, {0}, {2, 5, 10}, {1, 1, 50}, {1, 1, 1}};
    static unsigned char bytes[BYTES_MAX];
    const size_t global[3] = {2, 5, 100};
    const cl_int n = 1000;
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, "narrow", &err);

    must(err);
    for (size_t l = 0; l < sizeof locals / sizeof *locals; l++) {
        struct buffer from, to;

        memset(bytes, 1, (size_t)n * struct_bytes);
        from = buffer_make(bytes, (size_t)n * struct_bytes);
        to = buffer_make(bytes, (size_t)n * struct_bytes);
        must(clSetKernelArg(kernel, 0, sizeof(cl_mem), &from.mem));
        must(clSetKernelArg(kernel, 1, sizeof(cl_mem), &to.mem));
        must(clSetKernelArg(kernel, 2, sizeof n, &n));
        must(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global,
                                    locals[l][0] ? locals[l] : NULL, 0, NULL, NULL));
        printf("narrow %zu:", l);
        buffer_print(&from);
        buffer_print(&to);
        puts("");
        buffer_free(&from);
        buffer_free(&to);
    }
    clReleaseKernel(kernel);
}

static void run(uint32_t seed, bool text_alone)
{
    /* Each takes seconds to compile, for every layout. */
    const unsigned kernels =
        getenv("DL_TEST_FULL") || getenv("DL_SEEDS") ? KERNELS_FULL : KERNELS;
    const char *source = text;
    cl_program program;
    cl_int err;

    draw_from(seed, 1);
    text[0] = '\0';
    add_struct();
    add("kernel void size(global uint *out)\n{\n    *out = sizeof(cell);\n}\n\n");
    for (unsigned k = 0; k < kernels; k++)
        add_kernel(k);
    add("//DL: AoS: f[], h[]\n"
        "kernel void narrow(global cell *f, global cell *h, int n)\n{\n"
        "    int i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * "
        "get_global_size(0) + get_global_id(0);\n"
        "    if (i >= n)\n        return;\n"
        "    h[i].m0++;\n    cell t = h[i];\n    f[i] = t;\n}\n\n");
    printf("seed %u\n", seed);
    if (text_alone) {
        puts(text);
        return;
    }
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    must(err);
    must(clBuildProgram(program, 1, &device, "", NULL, NULL));
    struct_bytes = ask_bytes(program);
    for (unsigned k = 0; k < kernels; k++)
        for (size_t times = 0, group = 1 + below(below(3) ? 80 : 400); times < 3; times++)
            launch(program, k, group);
    launch_narrow(program);
    clReleaseProgram(program);
}

int main(int argc, char **argv)
{
    return random_programs(argc, argv, run);
}
