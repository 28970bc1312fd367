/* SPDX-License-Identifier: MIT */
/* A small ordinary OpenCL program: a buffer of structs, a kernel that is annotated and
 * one that is not, and a model of both on the host. Links to nothing of DL; the tests run
 * natively and under DL and must not see a difference. */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stddef.h>

#include <CL/cl.h>
#include <check.h>
#include <unistd.h>

/* Mixed widths, with padding after `c`. */
struct item {
    cl_int a;
    cl_float b;
    cl_uchar c[4];
    cl_short e;
    cl_double d;
};

enum {
    ITEMS = 77,
    SLACK_BYTES = 5,
    BUFFER_BYTES = ITEMS * sizeof(struct item) + SLACK_BYTES
};

struct world {
    cl_platform_id platform;
    cl_device_id device;
    /* another of the context where world_devices is 2 and there is one */
    cl_device_id second;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel step;  /* annotated: (__global item *f, int n) */
    cl_kernel total; /* annotated, only reads: (__global const item *f, __global int *out,
                        int n) */
    cl_kernel shift; /* annotated twice: (__global item *to, __global const item *from,
                        int n) */
    cl_kernel plain; /* not annotated, same arguments, another change */
    cl_mem buffer;
    unsigned char model[BUFFER_BYTES]; /* what the program must see in `buffer` */
};

/* Source of the two kernels. */
extern const char *const world_source;

/* How many devices a world's context has, if there are so many; 1 at first. */
extern cl_uint world_devices;

/* Makes everything, the buffer filled with seeded bytes. */
void world_begin(struct world *world);
void world_begin_with(struct world *world, cl_mem_flags flags,
                      cl_command_queue_properties properties);
void world_end(struct world *world);

/* Launches `step` (or `plain`) on the buffer and the model: under DL, `step` tiles the
 * buffer. */
void world_step(struct world *world);
void world_plain(struct world *world);
void model_step(unsigned char *model, int n);
void model_plain(unsigned char *model, int n);
void model_shift(unsigned char *to, const unsigned char *from, int n);
void model_total(const unsigned char *model, cl_int *out, int n);
void world_launch(struct world *world, cl_command_queue queue, cl_kernel kernel,
                  cl_mem buffer, cl_uint wait_count, const cl_event *wait,
                  cl_event *event);

/* A further queue on the world's device. */
cl_command_queue world_queue(struct world *world, cl_command_queue_properties properties);

/* A second buffer of the same size, filled with bytes that are put into `bytes` too. */
cl_mem world_other(struct world *world, unsigned char *bytes);

/* An image of 4 bytes a pixel, `of_buffer` NULL or the buffer that it is a view of. */
cl_mem world_image(struct world *world, size_t width, size_t height, cl_mem of_buffer,
                   size_t row_pitch, cl_int *err);

/* True when the driver maps buffers in place: every map of one lies at the same base plus
 * its offset, so maps that overlap share their bytes. Drivers need not: the specification
 * leaves open what overlapping maps show of which one writes. Asked of a buffer that DL
 * never touches. */
bool world_maps_share(const struct world *world);

/* On a CPU, where the driver's code runs in this process and checks what it is given:
 * calls that are errors others may crash on, without DL too. */
bool world_is_cpu(const struct world *world);

/* A buffer for the results of `total`; a launch of `total` on `buffer`; and the
 * comparison of the results with the model's. */
cl_mem world_totals(struct world *world);
void world_total(struct world *world, cl_command_queue queue, cl_mem buffer, cl_mem out);
void world_check_totals(struct world *world, cl_command_queue queue, cl_mem out);

/* Reads the whole buffer and compares it with the model. */
void world_check(struct world *world);

/* Fails the test with the place and the call when err is not CL_SUCCESS. */
void must_at(cl_int err, const char *call, const char *file, int line);
#define must(call) must_at((call), #call, __FILE__, __LINE__)

cl_uint world_context_references(const struct world *world);
/* Whether the context has that many within two seconds: drivers let go of events when
 * they like. */
bool world_soon_has_references(const struct world *world, cl_uint wanted);
cl_uint world_buffer_references(const struct world *world);

/* Drivers let go of what a command held some time after the program sees its end: in the
 * end, and soon, a number is what it has to be, or it is wrong. */
#define SOON(count, wanted)                                                              \
    do {                                                                                 \
        for (int tries = 0; tries < 10000 && (count) != (wanted); tries++)               \
            usleep(1000);                                                                \
        ck_assert_uint_eq((count), (wanted));                                            \
    } while (0)

#endif
