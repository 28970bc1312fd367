/* SPDX-License-Identifier: MIT */
/* One round of the fault sweep: an ordinary program that goes on after errors.
 *
 * Each buffer has two models on the host. `told` has what the program was told: commands
 * that returned an error did nothing. In `done` those did what they would have done. What
 * the program reads must be `told`; bytes of `done` say that a command was carried out
 * although it failed. */
#ifndef FAULTS_SCENE_H
#define FAULTS_SCENE_H

#include <stdint.h>

#include "fault_layer.h"
#include "memory/world.h"

enum { BUFFERS = 4, QUEUES = 3, PENDING_MAX = 128 };
enum { TOLD, DONE, MODELS };

enum finding {
    WRONG, /* bytes that are neither model's */
    UNDUE, /* a command was carried out although it returned an error */
    LOST,  /* a buffer is of no use any more, though nothing fails now */
    AGAIN, /* a second command fails, of one that the layer let fail */
    LATE,  /* a command was accepted and its event failed */
    ODD,   /* an error that says something else than that something is short */
    FINDINGS
};

struct held_buffer {
    cl_mem mem;
    cl_mem_flags flags;
    unsigned char *host; /* of CL_MEM_USE_HOST_PTR */
    unsigned char model[MODELS][BUFFER_BYTES];
    bool unknown; /* a command on it has failed after it was accepted */
};

/* A command under way, and its host memory. */
struct pending {
    const char *what;
    cl_event event;
    unsigned buffer;
    void *page;
    unsigned char *want[MODELS]; /* of a read; else NULL */
    size_t bytes;
};

struct kept_binary {
    size_t bytes, room;
    unsigned char binary[];
};

struct scene {
    const struct fault_layer *layer; /* NULL: there is none */
    bool runs_kernels;               /* false: kernels do nothing on this driver */
    bool lasting;
    bool reloads; /* the program is loaded from its own binary */
    struct kept_binary
        *kept; /* of another process, once there is one; NULL: none is kept */
    unsigned seed;
    unsigned call; /* that fails */
    cl_device_id device;
    cl_context context;
    cl_program program;
    cl_command_queue queues[QUEUES]; /* the last is out of order */
    cl_kernel step, plain, shift, total;
    struct held_buffer buffers[BUFFERS];
    struct pending pending[PENDING_MAX];
    unsigned pending_count;

    uint64_t random;
    unsigned number; /* of the command */
    const char *what;
    unsigned queue; /* of the command */
    cl_event last;  /* what the next command waits for; pending[] owns it */
    unsigned last_queue;
    cl_event gate;          /* a user event that the batch waits for; NULL: none */
    unsigned gated;         /* commands behind it */
    bool failed_before;     /* a command has returned an error */
    unsigned last_launches; /* kernels that the driver got in check_all */
    unsigned found;         /* a bit for each enum finding */
};

unsigned pick(struct scene *s, unsigned below);
void report(struct scene *s, enum finding kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
extern const char *const finding_names[FINDINGS];

/* Context, program; then what each round makes anew. False: not even without faults. */
bool scene_base_make(struct scene *s);
void scene_base_free(struct scene *s);
bool scene_begin(struct scene *s);
void scene_end(struct scene *s);

/* Nothing fails between these two. */
void calm_begin(struct scene *s);
void calm_end(struct scene *s);

/* Waits for all commands, as the program does after errors, and looks at what they gave.
 */
void settle(struct scene *s);
/* All buffers have their bytes, and take part in commands as ever. Nothing fails
 * meanwhile. */
void check_all(struct scene *s);

/* Before a command: what it waits for. */
cl_uint waits_of(struct scene *s, const cl_event **list);
/* After it: it returned `err` and, if that is CL_SUCCESS, gave `event`. Takes over the
 * page. */
struct pending *ended(struct scene *s, cl_int err, cl_event event, unsigned buffer,
                      void *page);
/* Host memory of a command's own, unreachable once it has no use for it. */
void *page_make(void);

/* transfers.c. The models that a command with this result changes: all those from the
 * first. */
unsigned first_model(cl_int err);
cl_bool pick_blocking(struct scene *s);
void pick_range(struct scene *s, size_t *offset, size_t *bytes);
void command_read(struct scene *s, unsigned b, unsigned other);
void command_read_rect(struct scene *s, unsigned b, unsigned other);
void command_write(struct scene *s, unsigned b, unsigned other);
void command_write_rect(struct scene *s, unsigned b, unsigned other);
void command_copy(struct scene *s, unsigned b, unsigned other);
void command_copy_rect(struct scene *s, unsigned b, unsigned other);
void command_fill(struct scene *s, unsigned b, unsigned other);
void command_migrate(struct scene *s, unsigned b, unsigned other);

/* commands.c: the next command of the scene. */
void run_command(struct scene *s);
/* Sets the arguments and launches. */
cl_int launch(struct scene *s, cl_command_queue queue, cl_kernel kernel, cl_mem first,
              cl_mem second, int n, cl_uint wait_count, const cl_event *waits,
              cl_event *event);

#endif
