/* SPDX-License-Identifier: MIT */
/* One kernel, argv[1], launched three times, or argv[4] times, on argv[2] structs, by
 * groups of 64, or of what the driver likes if there is an argv[3]: the kernels with an
 * annotation, or those without, in rows of 512 where the name begins with "plane_", and
 * on structs of 48 bytes, not 64, where it does with "narrow_". Prints a checksum of the
 * structs and of the other buffer. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

static const char *const source =
    "typedef struct { float f[16]; } wide;\n"
    "//DL: AoS: p[n]\n"
    "__kernel void own(__global wide *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) p[i].f[3] = p[i].f[1] * 0.5f + p[i].f[3]; }\n"
    "//DL: AoS: p[n]\n"
    "__kernel void neighbour(__global wide *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n - 1) p[i].f[3] = p[i + 1].f[1] + p[i].f[3]; "
    "}\n"
    "//DL: AoS: p[n]\n"
    "__kernel void counted(__global wide *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) p[i].f[3] = p[i].f[1] + get_global_size(0); "
    "}\n"
    "//DL: AoS: p[n]\n"
    "__kernel void around(__global wide *p, int n)\n"
    "{ int i = get_global_id(0); float s = 0;\n"
    "  for (int k = 0; k < 4; k++) s += p[(i + k) % n].f[1];\n"
    "  p[i].f[3] = s; }\n";

static const char *const unannotated =
    "typedef struct { float f[16]; } wide;\n"
    "typedef struct { float f[12]; } narrow;\n"
    "__kernel void narrow_own(__global narrow *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) p[i].f[3] = p[i].f[1] * 0.5f + p[i].f[3]; }\n"
    "__kernel void own(__global wide *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) p[i].f[3] = p[i].f[1] * 0.5f + p[i].f[3]; }\n"
    "__kernel void guarded(__global wide *p, int n)\n"
    "{ int i = get_global_id(0); p[i].f[3] = p[i].f[1] * 0.5f + p[i].f[3];\n"
    "  if (p[i].f[3] < 0) printf(\"%d\\n\", n); }\n"
    "__kernel void beyond(__global wide *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n / 2) p[i + n / 2].f[3] = p[i + n / 2].f[1]; "
    "}\n"
    "__kernel void from(__global wide *p, int n, __global const wide *q)\n"
    "{ int i = get_global_id(0); p[i].f[3] += q[n - 1 - i].f[1] + q[i].f[2]; }\n"
    "__kernel void plain(__global wide *p, int n, __global float *q)\n"
    "{ int i = get_global_id(0); q[i] += p[i].f[1] * 0.5f; }\n"
    "__kernel void scattered(__global wide *p, int n, __global float *q)\n"
    "{ int i = get_global_id(0); q[n - 1 - i] += p[i].f[1] * 0.5f; }\n"
    "#define S(k) if (a > k) { a += b * 0.5f + k; b = b * 0.99f + k; if (b > k + 100) a "
    "*= "
    "0.5f; else b += 1; }\n"
    "#define S8(k) S(k) S(k + 1) S(k + 2) S(k + 3) S(k + 4) S(k + 5) S(k + 6) S(k + 7)\n"
    "__kernel void heavy(__global wide *p, int n)\n"
    "{ int i = get_global_id(0); float a = p[i].f[1], b = p[i].f[3];\n"
    "  S8(1) S8(9) S8(17) S8(25) S8(33) S8(41) p[i].f[3] = a + b; }\n"
    "__kernel void endless(__global wide *p, int n)\n"
    "{ int i = get_global_id(0); float a = p[i].f[1], b = p[i].f[3]; volatile int k = "
    "0;\n"
    "  while (p[i].f[15] == 0 && p[i].f[14] == 0) k = k + 1;\n"
    "  S8(1) S8(9) S8(17) S8(25) S8(33) S8(41) p[i].f[3] = a + b; }\n"
    "__kernel void plane_stencil(__global wide *p, int n)\n"
    "{ int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);\n"
    "  int up = min(y + 1, n / w - 1), i = x + y * w; float s = 0;\n"
    "  for (int k = 0; k < 4; k++) s += p[x + up * w].f[4 + k];\n"
    "  p[i].f[3] += s + p[max(x - 1, 0) + y * w].f[1]; }\n"
    "__kernel void plane_far(__global wide *p, int n)\n"
    "{ int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);\n"
    "  p[x + y * w].f[3] += p[x + min(y + n / w / 2, n / w - 1) * w].f[1]; }\n";

static void check(cl_int err, const char *what)
{
    if (err == CL_SUCCESS)
        return;
    printf("%s: %d\n", what, err);
    exit(1);
}

int main(int argc, char **argv)
{
    const size_t structs = argc > 2 ? strtoul(argv[2], NULL, 10) : 64, group = 64,
                 width = argc > 1 && strncmp(argv[1], "narrow_", 7) == 0 ? 12 : 16,
                 bytes = structs * width * 4, plane[2] = {512, structs / 512};
    const bool is_plane = argc > 1 && strncmp(argv[1], "plane_", 6) == 0;
    const char *const text = argc > 3 ? unannotated : source;
    const cl_int n = (cl_int)structs;
    float *host = malloc(bytes);
    uint64_t sum = UINT64_C(14695981039346656037);
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_program program;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem mem, other;
    cl_uint args;
    cl_int err;

    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    check(err, "context");
    program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &err);
    check(err, "program");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
    if (getenv("SLICED_BUILDS_ALONE"))
        return 0;
    queue = clCreateCommandQueue(context, device, 0, &err);
    check(err, "queue");
    kernel = clCreateKernel(program, argv[1], &err);
    check(err, "kernel");
    for (size_t i = 0; i < structs * width; i++)
        host[i] = (float)(i % 1021);
    mem = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, host,
                         &err);
    check(err, "buffer");
    check(clSetKernelArg(kernel, 0, sizeof mem, &mem), "argument");
    check(clSetKernelArg(kernel, 1, sizeof n, &n), "argument");
    other = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, host,
                           &err);
    check(err, "buffer");
    check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL), "count");
    if (args > 2)
        check(clSetKernelArg(kernel, 2, sizeof other, &other), "argument");
    for (int i = 0; i < (argc > 4 ? atoi(argv[4]) : 3); i++)
        check(clEnqueueNDRangeKernel(queue, kernel, is_plane ? 2 : 1, NULL,
                                     is_plane ? plane : &structs,
                                     argc > 3 ? NULL : &group, 0, NULL, NULL),
              "launch");
    for (int b = 0; b < 2; b++) {
        check(clEnqueueReadBuffer(queue, b ? other : mem, CL_TRUE, 0, bytes, host, 0,
                                  NULL, NULL),
              "read");
        for (size_t i = 0; i < bytes / 4; i++)
            sum = (sum ^ ((uint32_t *)host)[i]) * UINT64_C(1099511628211);
    }
    printf("%016" PRIx64 "\n", sum);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(mem);
    clReleaseMemObject(other);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(host);
    return 0;
}
