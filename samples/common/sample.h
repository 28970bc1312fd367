/* SPDX-License-Identifier: MIT */
/* Shared by the samples: options, a device, a build, a clock and a checksum. Nothing here
 * knows of DL; a sample is a program to run under DL.
 *
 * Functions that can fail say why on standard error and return false. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- options ---- */

enum { SAMPLE_USAGE = 2 }; /* the exit code of a bad command line */

enum sample_option_kind {
    SAMPLE_FLAG,  /* bool; takes no value */
    SAMPLE_TEXT,  /* const char *, pointing into argv */
    SAMPLE_COUNT, /* int, at least 1 */
    SAMPLE_SIZE,  /* int[3], as 32x32x32 */
    SAMPLE_AREA   /* int[2], as 32x32 */
};

struct sample_option {
    const char *name; /* with its dashes */
    enum sample_option_kind kind;
    void *out;
    const char *help;
};

/* Reads `--name value` and `--name=value`. `--help` prints `summary` and the options,
 * sets *help and stops. */
bool sample_options_parse(int argc, char **argv, const char *summary,
                          const struct sample_option *options, size_t option_count,
                          bool *help);

/* ---- OpenCL ---- */

struct sample_cl {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in order */
    cl_program program;     /* NULL until sample_cl_build */
};

/* True for CL_SUCCESS; else names the call. */
bool sample_cl_ok(cl_int error, const char *call);
/* Opens the first device whose "PLATFORM / DEVICE" name holds `name_part` in any case,
 * or, when it is NULL, the first GPU, or else the first device.
 *   out     closed by sample_cl_close, also after a failure */
bool sample_cl_open(const char *name_part, bool profile, struct sample_cl *out);
/* All devices of the platform that sample_cl_open finds its device on, that one's
 * platform and type alone: GPUs where it is a GPU. Prints their number and the name of
 * the first.
 *   count   in: room in `out`; out: how many there are, at most the room */
bool sample_cl_devices(const char *name_part, cl_device_id *out, cl_uint *count);
void sample_cl_close(struct sample_cl *cl);
/* Builds `text`, or the contents of `file` when it is not NULL. */
bool sample_cl_build(struct sample_cl *cl, const char *file, const char *text,
                     const char *build_options);
/* A buffer and, when `data` is not NULL, its contents. NULL after a failure. */
cl_mem sample_cl_buffer(struct sample_cl *cl, size_t bytes, const void *data);

/* A kernel that is run step by step. */
struct sample_run {
    cl_kernel kernel;
    cl_uint work_dim;
    size_t global_size[3], local_size[3];
    int step_count;
    bool profile;
    /* Sets what changes between steps; NULL: nothing does. */
    bool (*prepare)(cl_kernel kernel, int step, void *user);
    /* Looks at what a step has made, once it is enqueued; NULL: nobody does. */
    bool (*look)(struct sample_cl *cl, int step, void *user);
    void *user;
};

/* Runs the steps. A run of step 0 goes ahead of them and is not counted: it overwrites
 * what the real step 0 overwrites again, so it changes nothing but leaves compilers and
 * caches warm. With a timeline, which wants to see what the first step costs, none does.
 *   wall_s    of all the steps, on the host's clock
 *   device_s  the sum of the kernels' own times when run->profile, else 0 */
bool sample_run_steps(struct sample_cl *cl, const struct sample_run *run, double *wall_s,
                      double *device_s);
/* The work-group length, 32, 64 or 128, that wastes least of a dimension; the longer on a
 * tie. */
size_t sample_group_length(size_t length);
size_t sample_round_up(size_t length, size_t multiple);

/* ---- when each step ended ---- */

/* Seconds of a clock that all processes share. */
double sample_now_s(void);
/* Writes times to a file, of one open device and one run of steps; the queue must have
 * been opened with profiling. Lines, in seconds of sample_now_s but for the sums: main T,
 * opening T, opened T       the program begins; sample_cl_open waited SECONDS for its
 * turn, where it takes turns device NAME, driver VERSION step T BUSY KERNEL a step ended;
 * until then, the sum of the queue's busy time and that of the commands' own finished T,
 * closing T, closed T   all steps have ended; sample_cl_close leaving T the program ends
 */
bool sample_timeline_open(const char *file);
/* Whether commands are to be added: a timeline is open, and not by the host's clock. */
bool sample_timeline_wanted(void);
/* Writes a line with the time, if a timeline is wanted. */
void sample_timeline_note(const char *what);
/* Before the first step. Where SAMPLE_TURN names a file and a timeline is wanted,
 * programs that run side by side make their steps by turns, so that no other uses the
 * device meanwhile: waits for the queue and for its turn, which sample_timeline_finish
 * ends. */
bool sample_timeline_turn(struct sample_cl *cl);
/* Adds a command to the current step and takes over its event, also after a failure. */
bool sample_timeline_add(cl_event event);
/* The current step has no more commands. */
void sample_timeline_step(void);
/* Instead, where each step is waited for: the host's clock says when it ended, no
 * commands are added and the queue has no profiling. A stamp ends what is timed of the
 * current step; the first one of all only begins. */
void sample_timeline_by_host(void);
bool sample_timeline_stamp(void);
/* Waits for the queue and writes the steps. */
bool sample_timeline_finish(struct sample_cl *cl);

/* ---- results ---- */

/* 64 bits that depend on every byte and its place. */
uint64_t sample_checksum(const void *data, size_t bytes);
/* The same, piece by piece: `sum` is that of what came before, which was a multiple of 8
 * bytes. */
#define SAMPLE_CHECKSUM_FIRST UINT64_C(0xcbf29ce484222325)
uint64_t sample_checksum_on(uint64_t sum, const void *data, size_t bytes);
/* A number in [0, 1) that depends on `index` alone: the same data on every machine. */
float sample_noise(uint64_t index);
/* |got - want| / |want|; infinite when got is not a number. */
double sample_relative_error(double got, double want);

/* The largest error that --check lets pass. */
#define SAMPLE_ERROR_MAX 1e-5

#endif
