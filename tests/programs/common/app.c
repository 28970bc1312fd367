/* SPDX-License-Identifier: MIT */
/* Options, a device, buffers, launches and a checksum; see app.h. */
#include "app.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void app_expect(struct app *app, int held, const char *format, ...)
{
    va_list args;
    if (held)
        return;
    fprintf(stderr, "%s: ", app->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

void app_must(struct app *app, cl_int error, const char *what)
{
    app_expect(app, error == CL_SUCCESS, "%s failed: OpenCL error %d", what, error);
}

void *app_alloc(struct app *app, size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    app_expect(app, memory != NULL, "no memory for %zu bytes", bytes);
    return memory;
}

static long number_after(struct app *app, int argc, char **argv, int i)
{
    char *end = NULL;
    long number = i + 1 < argc ? strtol(argv[i + 1], &end, 10) : 0;
    app_expect(app, end && end != argv[i + 1] && !*end && number > 0 && number < 1 << 24,
               "%s needs a number from 1 to %d", argv[i], (1 << 24) - 1);
    return number;
}

static void open_device(struct app *app)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;
    cl_int error;
    app_must(app, clGetPlatformIDs(8, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 8 && !app->device; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &app->device, NULL) !=
            CL_SUCCESS)
            app->device = NULL;
    app_expect(app, app->device != NULL, "no OpenCL device found");
    app->context = clCreateContext(NULL, 1, &app->device, NULL, NULL, &error);
    app_must(app, error, "clCreateContext");
    app->queue = clCreateCommandQueue(app->context, app->device, 0, &error);
    app_must(app, error, "clCreateCommandQueue");
}

void app_open(struct app *app, int argc, char **argv, long size, long steps)
{
    const char *slash = strrchr(argv[0], '/');
    memset(app, 0, sizeof(*app));
    app->name = slash ? slash + 1 : argv[0];
    app->size = size;
    app->steps = steps;
    app->checksum = 0xcbf29ce484222325u;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--check"))
            app->check = 1;
        else if (!strcmp(argv[i], "--size"))
            app->size = number_after(app, argc, argv, i), i++;
        else if (!strcmp(argv[i], "--steps"))
            app->steps = number_after(app, argc, argv, i), i++;
        else
            app_expect(app, 0,
                       "unknown option %s; usage: %s [--size N] [--steps N] [--check]",
                       argv[i], app->name);
    }
    open_device(app);
}

static char *file_text(struct app *app, const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long length;
    app_expect(app, file != NULL, "cannot open %s", path);
    fseek(file, 0, SEEK_END);
    length = ftell(file);
    rewind(file);
    app_expect(app, length >= 0, "cannot read %s", path);
    text = app_alloc(app, (size_t)length + 1);
    app_expect(app, fread(text, 1, (size_t)length, file) == (size_t)length,
               "cannot read %s", path);
    text[length] = 0;
    fclose(file);
    return text;
}

void app_build(struct app *app, const char *file, const char *options)
{
    char path[1024], all[2048];
    char *text;
    cl_int error;
    snprintf(path, sizeof(path), "%s/%s", KERNEL_FOLDER, file);
    snprintf(all, sizeof(all), "-cl-std=CL1.2 -I %s %s", KERNEL_FOLDER, options);
    text = file_text(app, path);
    if (app->program)
        clReleaseProgram(app->program);
    app->program =
        clCreateProgramWithSource(app->context, 1, (const char **)&text, NULL, &error);
    app_must(app, error, "clCreateProgramWithSource");
    free(text);
    error = clBuildProgram(app->program, 1, &app->device, all, NULL, NULL);
    if (error != CL_SUCCESS) {
        char log[8192] = "";
        clGetProgramBuildInfo(app->program, app->device, CL_PROGRAM_BUILD_LOG,
                              sizeof(log), log, NULL);
        app_expect(app, 0, "cannot build %s: OpenCL error %d\n%s", path, error, log);
    }
}

cl_kernel app_kernel(struct app *app, const char *name)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(app->program, name, &error);
    app_must(app, error, name);
    app_expect(app, app->kernel_count < APP_OBJECTS, "too many kernels");
    return app->kernels[app->kernel_count++] = kernel;
}

cl_mem app_buffer(struct app *app, size_t bytes, const void *data)
{
    cl_int error;
    cl_mem buffer = clCreateBuffer(app->context,
                                   CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0),
                                   bytes, (void *)(uintptr_t)data, &error);
    app_must(app, error, "clCreateBuffer");
    app_expect(app, app->buffer_count < APP_OBJECTS, "too many buffers");
    return app->buffers[app->buffer_count++] = buffer;
}

void app_arg(struct app *app, cl_kernel kernel, cl_uint index, size_t bytes,
             const void *value)
{
    app_must(app, clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
}

void app_run(struct app *app, cl_kernel kernel, size_t global, size_t local)
{
    app_must(app,
             clEnqueueNDRangeKernel(app->queue, kernel, 1, NULL, &global,
                                    local ? &local : NULL, 0, NULL, NULL),
             "clEnqueueNDRangeKernel");
}

void app_run_2d(struct app *app, cl_kernel kernel, size_t global_x, size_t global_y)
{
    size_t global[2] = {global_x, global_y};
    app_must(
        app,
        clEnqueueNDRangeKernel(app->queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
}

void app_read(struct app *app, cl_mem buffer, size_t bytes, void *data)
{
    app_must(
        app,
        clEnqueueReadBuffer(app->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
        "clEnqueueReadBuffer");
}

void app_write(struct app *app, cl_mem buffer, size_t bytes, const void *data)
{
    app_must(
        app,
        clEnqueueWriteBuffer(app->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
}

void app_sum(struct app *app, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++)
        app->checksum = (app->checksum ^ byte[i]) * 0x100000001b3u;
}

float app_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * (1.0f / 16777216.0f);
}

int app_close(struct app *app)
{
    app_must(app, clFinish(app->queue), "clFinish");
    for (int i = 0; i < app->kernel_count; i++)
        clReleaseKernel(app->kernels[i]);
    for (int i = 0; i < app->buffer_count; i++)
        clReleaseMemObject(app->buffers[i]);
    clReleaseProgram(app->program);
    clReleaseCommandQueue(app->queue);
    clReleaseContext(app->context);
    printf("%s: checksum %016" PRIx64 "\n", app->name, app->checksum);
    return fflush(stdout) ? 1 : 0;
}
