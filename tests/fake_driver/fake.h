/* SPDX-License-Identifier: MIT */
/* The fake driver: an OpenCL driver on the host that writes down every call it gets, and
 * can be told to fail, to be slow and to run things in an unkind order.
 *
 *   FAKE_LOG=FILE             a line for each call: name, arguments, result. Objects are
 *                             written as KIND#N, N counting the creations of that kind,
 *                             so that two runs can be compared; host pointers as "ptr" or
 *                             "NULL"
 *   FAKE_LOG_RUNS=1           a further line when a command runs
 *   FAKE_FAIL=NAME:N=CODE[,...]  the Nth call of NAME (from 1) returns CODE and does
 *                                nothing
 *                             With the NAME run: the Nth command that runs fails on the
 *                             device
 *   FAKE_DEFERRED=1           commands run no sooner than their queue is flushed (or
 *                             waited for); out-of-order queues run the newest ready
 *                             command first
 *   FAKE_DEADLOCK_SECONDS=N   how long nothing may happen while a call waits; 5 if not
 *                             set
 *   FAKE_GATE_OPENS_AT=N      a gate opens by itself the Nth time that events are asked
 *                             for something
 *   FAKE_DEVICE_TYPE=gpu|cpu  gpu if not set
 *   FAKE_DEVICES=1|2          1 if not set
 *   FAKE_UNIFIED=1            devices say that they share their memory with the host
 *   FAKE_SECOND_MULTIPLE=N    what work-groups are best a multiple of on the second; 32
 *                             if not set
 *   FAKE_POOR_DEVICE=2        there are two, and the second has no local memory
 *   FAKE_MEMORY_BYTES=N       local memory, and the largest buffer, by what the device
 *                             says
 *   FAKE_TICK_NS=N            what events' times count in; 1 if not set
 *   FAKE_LAUNCH_NS=A/B,C/D,E  what launches take, in ticks: a kernel as written and as DL
 *                             rewrites it on the first device, the same on the second,
 *                             and each of DL's own kernels
 *   FAKE_LAUNCH_OF=KERNEL/TEXT=A,...  what those of a kernel take whose program is built
 *                                     with options that have TEXT
 *   FAKE_COLD_NS=A  what a launch takes longer after one of another program's text
 *   FAKE_ROUNDS=KERNEL/TEXT=N[,...]  the Nth launch of such a kernel rounds another way:
 *                                    it changes a bit of the ninth
 *                             byte of its first argument
 *   FAKE_NO_PROFILING=1       no device has queues with profiling
 *   FAKE_PROFILED_COMMANDS=1  command buffers are for queues with profiling only
 *   FAKE_COMMAND_BUFFER=old|new  signatures of cl_khr_command_buffer 0.9.0 or 0.9.5
 *   FAKE_COUNT_HOLDS=1        reference counts include what refers to an object in the
 *                             driver: its events, and the objects in a context
 *   FAKE_BUILD_GATE=FILE      programs of DL's are not built from source before there is
 *                             such a file
 *   FAKE_BUILD_GATE_OF=TEXT   only those whose source has the text
 *   FAKE_BUILDER_START=FILE   the process in which DL builds begins when there is such a
 *                             file
 *   FAKE_BUILDER_CRASHES=1    the process in which DL builds ends when it has the driver
 *                             build
 *   FAKE_BUILDER_LACKS_DEVICE=1  the process in which DL builds has none of the program's
 *                                devices
 *   FAKE_BUILD_APPENDS=FILE   a line is added to the file while a rewritten program is
 *                             built
 *   FAKE_PLATFORM_VENDOR=TEXT what the platform says; on one of NVIDIA's DL profiles by
 *   turns FAKE_DEVICE_NAME, FAKE_DEVICE_VENDOR, FAKE_DRIVER_VERSION  what the device says
 *   FAKE_SECOND_DEVICE_NAME   the name of the second one, where it is another
 *
 * The process in which DL builds has a log of its own, FILE.builder.
 *
 * Handle values are reused at once: an object freed is the next one made of its kind. A
 * wait that can't end is reported as DEADLOCK in the log and on standard error, and
 * aborts.
 *
 * Kernels do nothing unless they have a built-in of that name (builtins.c). A program
 * fails to build when its source has FAKE_BUILD_FAIL in it, or the text
 * FAKE_BUILD_FAIL_ON. */
#ifndef FAKE_DRIVER_FAKE_H
#define FAKE_DRIVER_FAKE_H

#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>
#include <CL/cl_icd.h>

#define FAKE_ARGS_MAX 32
#define FAKE_KERNELS_MAX 32
#define FAKE_DEVICES_MAX 2

enum fake_kind {
    FAKE_PLATFORM,
    FAKE_DEVICE,
    FAKE_CONTEXT,
    FAKE_QUEUE,
    FAKE_MEM,
    FAKE_PROGRAM,
    FAKE_KERNEL,
    FAKE_EVENT,
    FAKE_SAMPLER,
    FAKE_COMMANDS,
    FAKE_KIND_COUNT
};

/* First member of all objects. `refs` is the program's count, `holds` the driver's own;
 * the object is valid while refs > 0 and freed when both are 0. */
struct fake_object {
    const cl_icd_dispatch *dispatch;
    enum fake_kind kind;
    int refs, holds;
    unsigned id;
    struct fake_object *next_free;
    void (*destroy)(struct fake_object *);
};

struct fake_callback {
    struct fake_callback *next;
    void (*call)(struct fake_callback *);
    void *function, *object, *user;
    cl_int status;
};

struct fake_context {
    struct fake_object base;
    cl_uint device_count;
    cl_device_id devices[FAKE_DEVICES_MAX];
    size_t properties_bytes;
    cl_context_properties properties[16];
    struct fake_callback *destructors;
};

struct fake_queue {
    struct fake_object base;
    struct fake_queue *next;
    struct fake_context *context;
    cl_device_id device;
    cl_command_queue_properties properties;
    size_t list_bytes; /* of the list that it was made with; 0: none */
    cl_queue_properties list[8];
    struct fake_command *first, **tail;
};

struct fake_mem {
    struct fake_object base;
    struct fake_context *context;
    struct fake_mem *parent; /* of a sub-buffer or of an image made from a buffer */
    cl_mem_object_type type;
    cl_mem_flags flags;
    size_t bytes, offset_bytes;
    unsigned char *data; /* the program's host pointer with USE_HOST_PTR */
    void *host;
    cl_uint map_count;
    cl_image_format format;
    size_t element_bytes, width, height, depth, row_bytes, slice_bytes;
    struct fake_callback *destructors;
};

struct fake_event {
    struct fake_object base;
    struct fake_context *context;
    struct fake_queue *queue; /* NULL: a user event */
    cl_command_type type;
    cl_int status;
    bool profiled; /* its queue was, when it was enqueued */
    cl_ulong times[4];
    struct fake_callback *callbacks;
};

struct fake_signature {
    char name[64];
    cl_uint arg_count;
    bool is_open; /* an argument ends in a macro's call: more of them may follow */
    /* 'g' buffer or image, 'l' local, 's' sampler, 'v' by value */
    char classes[FAKE_ARGS_MAX];
    char arg_names[FAKE_ARGS_MAX][32];
};

struct fake_program {
    struct fake_object base;
    struct fake_context *context;
    char *source;    /* what kernels are looked for in, by whatever way it came */
    bool has_source; /* made from source: CL_PROGRAM_SOURCE has it */
    void *il;
    size_t il_bytes;
    char *options;
    char log[128];
    cl_build_status status;
    cl_program_binary_type binary_type;
    cl_uint kernel_count;
    struct fake_signature kernels[FAKE_KERNELS_MAX];
};

struct fake_arg {
    bool set, is_svm;
    unsigned object; /* that the value names, by number; 0: none */
    size_t bytes;
    unsigned char value[256];
};

struct fake_kernel {
    struct fake_object base;
    struct fake_program *program;
    const struct fake_signature *signature;
    struct fake_arg args[FAKE_ARGS_MAX];
};

/* A command in a queue. Objects are held, not retained, while it waits. */
struct fake_command {
    struct fake_command *next;
    struct fake_event *event;
    cl_uint wait_count;
    struct fake_event **waits;
    bool flushed, is_barrier;
    void (*run)(struct fake_command *);
    struct fake_object *held[FAKE_ARGS_MAX + 2];
    size_t held_count;
    /* What the kind of command needs. */
    struct fake_mem *from, *to;
    size_t from_offset, to_offset, bytes, pattern_bytes;
    size_t from_origin[3], to_origin[3], region[3];
    size_t from_row, from_slice, to_row, to_slice;
    const unsigned char *from_host;
    unsigned char *to_host;
    unsigned char pattern[128];
    const struct fake_signature *signature;
    struct fake_arg *args;
    size_t global[3], offset[3];
    void(CL_CALLBACK *native)(void *);
    void *native_args;
    cl_ulong ticks; /* that it takes */
    bool rounds;    /* another way (FAKE_ROUNDS) */
    struct fake_recorded *recorded;
};

#define FAKE_RECORDS_MAX 16

/* A command buffer: commands that are run in order, and never freed before it. */
struct fake_recorded {
    struct fake_object base;
    struct fake_queue *queue;
    bool finalized;
    size_t count;
    struct fake_command *commands[FAKE_RECORDS_MAX];
};

/* ---- log.c ---- */
void fake_log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool fake_is_logging(void);
/* Without a log no names are put together, which takes most of a call's time. */
#define fake_log(...)                                                                    \
    do {                                                                                 \
        if (fake_is_logging())                                                           \
            fake_log_line(__VA_ARGS__);                                                  \
    } while (0)
/* "buffer#3", "NULL" or "invalid"; good until this thread's 16th next call. */
const char *fake_name(const void *handle);
#define NAME(handle) fake_name(handle)
#define PTR(pointer) ((pointer) ? "ptr" : "NULL")
/* What FAKE_FAIL has for this call of `function`, CL_SUCCESS for nothing. */
cl_int fake_inject(const char *function);
bool fake_option(const char *variable, const char *value);

/* ---- objects.c ---- */
extern const cl_icd_dispatch fake_dispatch;
/* One lock for all; callbacks run in fake_leave, without it. */
void fake_enter(void);
void fake_leave(void);
/* Waits for another thread's fake_leave; reports a deadlock after some seconds. */
void fake_wait(void);
void *fake_new(enum fake_kind kind, size_t bytes, void (*destroy)(struct fake_object *));
bool fake_is(const void *handle, enum fake_kind kind);
void fake_hold(void *object);
void fake_drop(void *object);
cl_int fake_retain(void *handle, enum fake_kind kind, cl_int error);
cl_int fake_release(void *handle, enum fake_kind kind, cl_int error);
/* CL_*_REFERENCE_COUNT. */
cl_uint fake_count(const void *object);
void fake_callback_add(struct fake_callback **list, void (*call)(struct fake_callback *),
                       void *function, void *object, void *user);
void fake_callbacks_queue(struct fake_callback **list);
/* Results of queries: copies `bytes` at `from` as clGet*Info does. */
cl_int fake_give(const void *from, size_t bytes, size_t value_bytes, void *value,
                 size_t *ret);

/* ---- engine.c ---- */
struct fake_command *fake_command_new(cl_command_type type, struct fake_queue *queue,
                                      void (*run)(struct fake_command *));
void fake_command_hold(struct fake_command *command, void *object);
cl_int fake_check_waits(struct fake_queue *queue, cl_uint count, const cl_event *list);
/* Takes the command; waits for it when `blocking`, and then says whether it was done. */
cl_int fake_command_submit(struct fake_queue *queue, struct fake_command *command,
                           bool blocking, cl_uint wait_count, const cl_event *waits,
                           cl_event *event);
void fake_event_destroy(struct fake_object *event);
/* Completes the event and hands its callbacks to fake_leave. */
void fake_event_end(struct fake_event *event, cl_int status);
/* Writes down each command that waits for the event, which fails, and for another that
 * has not ended: a driver may not be able to tell it of both ends at once (PoCL). */
void fake_log_cancelled(const struct fake_event *failing);
/* An event is asked for something. */
void fake_gate_asked(void);
void fake_queue_add(struct fake_queue *queue);
void fake_queue_remove(struct fake_queue *queue);
void fake_queue_finish(struct fake_queue *queue);
void fake_queue_flush(struct fake_queue *queue);
void fake_pump(void);
void fake_run_copy(struct fake_command *command);
void fake_run_copy_rect(struct fake_command *command);
void fake_run_fill(struct fake_command *command);
void fake_run_nothing(struct fake_command *command);
void fake_run_kernel(struct fake_command *command);

/* ---- building.c ---- */
/* In the process in which DL builds. */
bool fake_is_builder(void);
/* True when the text is in what is built with these options: kernels of rewritten texts
 * may not be. */
/* Of a rewritten text that is built for one kernel the others go, as a compiler does not
 * see them. */
void fake_leave_out_others(struct fake_program *program, const char *options);
/* What is left of that in a binary. */
void fake_leave_out_uncalled(struct fake_program *program, const char *options);
void fake_append_while_building(const char *options);
void fake_wait_to_start(void);
void fake_wait_at_gate(const struct fake_program *program, const char *options);

/* ---- others ---- */
extern struct fake_object fake_platform;
cl_device_id fake_device(cl_uint index);
cl_uint fake_device_count(void);
void fake_scan_kernels(struct fake_program *program);
void fake_builtin_run(const struct fake_command *command);
void *fake_extension(const char *name); /* NULL: none of that name */
void *fake_command_buffer_function(const char *name);
/* Buffer bytes [offset, offset + bytes) lie in `mem`. */
bool fake_range(const struct fake_mem *mem, size_t offset, size_t bytes);
cl_int fake_capture_kernel(struct fake_kernel *kernel, struct fake_command *command,
                           cl_uint work_dim, const size_t *offset, const size_t *global,
                           const size_t *local);
/* What a launch of the kernel takes on the queue's device (FAKE_LAUNCH_NS). */
cl_ulong fake_launch_ticks(const struct fake_kernel *kernel,
                           const struct fake_queue *queue);

#endif
