/* SPDX-License-Identifier: MIT */
/* What each program needs around its kernels: options, a device, buffers, launches and a
 * checksum. Every function ends the program with one line on stderr when OpenCL says no.
 */
#ifndef PROGRAMS_APP_H
#define PROGRAMS_APP_H
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

enum { APP_OBJECTS = 32 };

struct app {
    const char *name;
    long size, steps; /* --size N, --steps N */
    int check;        /* --check */
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem buffers[APP_OBJECTS]; /* released by app_close */
    cl_kernel kernels[APP_OBJECTS];
    int buffer_count, kernel_count;
    uint64_t checksum; /* FNV-1a of everything that app_sum was given */
};

/* Reads the options, `size` and `steps` being what they are by default, and opens the
 * first device. */
void app_open(struct app *app, int argc, char **argv, long size, long steps);
/* Builds `file` of the program's own folder, as OpenCL C 1.2 and with `options` besides.
 */
void app_build(struct app *app, const char *file, const char *options);

cl_kernel app_kernel(struct app *app, const char *name);
/* A buffer to read and write, with a copy of `data` unless that is NULL. */
cl_mem app_buffer(struct app *app, size_t bytes, const void *data);
void app_arg(struct app *app, cl_kernel kernel, cl_uint index, size_t bytes,
             const void *value);
#define ARG(app, kernel, index, value)                                                   \
    app_arg(app, kernel, index, sizeof(value), &(value))

/* `local` may be 0: the driver chooses the work-group then. */
void app_run(struct app *app, cl_kernel kernel, size_t global, size_t local);
void app_run_2d(struct app *app, cl_kernel kernel, size_t global_x, size_t global_y);
void app_read(struct app *app, cl_mem buffer, size_t bytes, void *data);
void app_write(struct app *app, cl_mem buffer, size_t bytes, const void *data);

void app_sum(struct app *app, const void *data, size_t bytes);
/* Fails the program with "NAME: what: ..." unless `held` is true. */
void app_expect(struct app *app, int held, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Ends the program unless `error` is CL_SUCCESS. */
void app_must(struct app *app, cl_int error, const char *what);
/* malloc that does not return NULL. */
void *app_alloc(struct app *app, size_t bytes);
/* A number in [0, 1) from a sequence that is the same everywhere. */
float app_random(uint32_t *state);

/* Prints the checksum and releases everything; returns the exit status. */
int app_close(struct app *app);
#endif
