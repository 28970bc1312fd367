/* SPDX-License-Identifier: MIT */
/* An annotated program over the fake driver: what its cases share (host_tiles.c). */
#ifndef HOST_TILES_H
#define HOST_TILES_H

#include <string.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>

enum { ITEMS = 77, BYTES = ITEMS * 12 };

/* The program's objects, NULL until open_all; close_all releases them all. */
extern const char *const source;
extern cl_platform_id platform;
extern cl_device_id device;
extern cl_context context;
extern cl_command_queue queue;
extern cl_program program;
extern cl_kernel step, plain; /* annotated; not */
extern cl_mem a, b;

void must_at(cl_int err, const char *file, int line);
#define must(err) must_at(err, __FILE__, __LINE__)
#define MADE(object, call)                                                               \
    do {                                                                                 \
        cl_int made;                                                                     \
        object = call;                                                                   \
        must(made);                                                                      \
    } while (0)

void build(cl_program text);
void open_context(void);
void open_rest(void);    /* all but the context */
void open_program(void); /* with its kernels */
void open_buffers(void);
void open_all(void);
void close_all(void);
void launch(cl_command_queue on, cl_kernel kernel);
/* Launches of the annotated kernel, and of the other on `queue`. */
void step_on(cl_command_queue on, cl_kernel kernel, cl_mem mem);
void plain_on(cl_kernel kernel, cl_mem mem);
/* Another queue; and its end, with its commands'. */
cl_command_queue make_queue(cl_command_queue_properties order);
void end_queue(cl_command_queue on);
/* Reads some bytes of the buffer; what is in tiles is looked at through an area. */
void read_part(cl_command_queue on, cl_mem mem, cl_bool blocking);

/* What may hold a command back, and is no user event. */
cl_event make_gate(void);
/* Holds back all that comes after it on `queue`, until it is let go. */
cl_event hold_back(void);
void let_go(cl_event user);

/* A user event that is open; setting its status, which lets go of it, too. */
cl_event user_event(void);
void end_event(cl_event user, cl_int status);
/* The kernel as it is written, on the buffer, when the event lets it. */
void plain_behind(cl_command_queue on, cl_mem mem, cl_event user);
void read_whole(cl_command_queue on, cl_mem mem);

/* A function that the platform has by address. */
void *address(const char *name);
#define GET(function, name)                                                              \
    do {                                                                                 \
        void *found = address(name);                                                     \
        memcpy(&function, &found, sizeof found);                                         \
    } while (0)

struct tiles_case {
    const char *name;
    void (*run)(void);
};
#define TILES_CASE(name)                                                                 \
    {                                                                                    \
#name, name                                                                      \
    }

/* A file of cases each, ended by a NULL name. */
extern const struct tiles_case tiles_objects[], tiles_blocking[], tiles_commands[],
    tiles_order[], tiles_staged[], tiles_periods[], tiles_failed[], tiles_recorded[],
    tiles_devices[], tiles_known[];

#endif
