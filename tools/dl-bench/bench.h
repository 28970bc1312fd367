/* SPDX-License-Identifier: MIT */
/* Shared by the commands of dl-bench: options and tables (options.c), numbers, files,
 * samples that run as programs of their own (bench.c), and the device that is measured
 * (device.c). */
#ifndef DL_BENCH_H
#define DL_BENCH_H

#include <limits.h>
#include <stdio.h>
#include <sys/types.h>

#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <string.h>

#include "layout/arith.h"
#include "marshal_kernels/internal.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- the commands: each returns its exit code ---- */

typedef int bench_main(int argc, char **argv);
bench_main figure_main, marshal_main, transpose_main, apps_main, coalesced_main,
    grids_main, steering_main, scale_main, overhead_main;

/* ---- options of a command ---- */

/* A command lists its options as X(name, "VALUE", "default", "allowed", "help"). The list
 * makes a struct of their values, all text, and a table that is read and printed for
 * --help. An option without a VALUE takes none, and is "yes" if given. Allowed are
 * everything where it is "", or, by its first letter:
 *   1-64         a whole number           .1-64        with a fraction or without
 *   #1-64/16     up to 16 of them, as 2-8,20
 *   @4K-1G       bytes                    ^4K-1G       a power of two
 *   *            words of the default, by commas       *a,b  of these
 *   =a,b         one of these words
 *   x1-64        XxYxZ                    ,            ROWSxCOLS, by commas
 *   /            I/N                      w            a file to be written
 *   d            a folder that is there   o            a folder that may be made
 *   s            a part of a device's name
 * The default is always allowed. */
struct bench_option {
    const char *name, *value, *fallback, *allowed, *help;
};
#define BENCH_FIELD(name, value, fallback, allowed, help) const char *name;
#define BENCH_ROW(name, value, fallback, allowed, help)                                  \
    {#name, value, fallback, allowed, help},

struct bench_command {
    const char *usage; /* what --help says above the options */
    const struct bench_option *options;
    size_t option_count;
    /* Prints what the words of an option mean, for `--OPTION help`. False: it has none
     * to explain. May be NULL. */
    bool (*words_print)(const char *option);
};

/* Options that several commands have. */
#define BENCH_DEVICE(X)                                                                  \
    X(device, "SUBSTRING", "", "s",                                                      \
      "a part of the device's or platform's name; default: the first device")
#define BENCH_CSV(X) X(csv, "FILE", "", "w", "write every line as comma-separated values")
#define BENCH_REPS(X, count) X(reps, "N", count, "1-64", "timed runs; the median counts")
#define BENCH_PART(X) X(part, "I/N", "0/1", "/", "only every N-th of them, from the I-th")
#define BENCH_CHECK(X)                                                                   \
    X(check, "yes|no", "yes", "=yes,no", "check each result on the device")

enum { BENCH_GO_ON = -1, REPS_MAX = 64 };

/* Reads the words behind argv[1], the command's name, into a struct of values: --name
 * VALUE or --name=VALUE, and names may be cut short.
 *   returns  BENCH_GO_ON, or the exit code: 0 after help was printed, 2 after a line that
 *            says what is wrong and what is allowed */
int bench_options_read(const struct bench_command *command, int argc, char **argv,
                       void *values);
/* That line, for what a command finds itself; `text` is the option's value, NULL: none.
 * Returns 2. */
int bench_option_complain(const char *command, const char *name, const char *text,
                          const char *wrong, const char *allowed);
/* A line of help, or more. */
void bench_word_print(const char *word, const char *help);

static inline bool is_yes(const char *text)
{
    return strcmp(text, "yes") == 0;
}

/* Takes the next word of a list by commas. False: there is none. */
bool list_next(const char **list, char *word, size_t bytes);
bool list_has(const char *list, const char *word);
/* "64M" as bytes; 0: other text, or too many. */
uint64_t bytes_parse(const char *text);
/* "I/N" of --part, which bench_options_read has let pass. */
static inline void part_parse(const char *text, size_t *index, size_t *count)
{
    sscanf(text, "%zu/%zu", index, count);
}

/* "2-8,20", likewise, as numbers; returns how many. */
size_t numbers_parse(const char *text, unsigned *numbers, size_t most);

/* ---- tables (options.c) ---- */

/* The day and the command that was read, for tables: "2026-11-29, dl-bench ...". */
void command_print(FILE *csv);
/* Opens a table for a command's lines, where `path` is not empty; each is in the file at
 * once. Its head is "# " and the text of the format, the day and the command that
 * bench_options_read has read, and the names of the columns. False after a message. */
bool csv_open(FILE **csv, const char *path, const char *columns, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Opens such a table to go on with it: the day and the command stand before what is new.
 */
bool csv_resume(FILE **csv, const char *path);

/* ---- numbers ---- */

/* Sorts them by size and returns the one in the middle. */
double median_of(double *numbers, size_t count);
/* Seconds of a clock that only goes forward. */
static inline double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- files ---- */

/* Finds the last line that begins so, without its end. False: there is none, or no file.
 */
bool file_line(const char *path, const char *begin, char *line, size_t bytes);
/* A new folder for temporary files. False after a message. */
enum { WORK_BYTES = 256 };
bool work_make(char folder[WORK_BYTES]);
/* Removes a folder with all that is in it. */
void folder_remove(const char *path);

/* ---- a line on a terminal while something takes long ---- */

struct progress {
    double start_s;
    size_t done, total;
};

/* Begins a line for so many things. */
struct progress progress_begin(size_t total);
void progress_step(struct progress *progress);
/* Takes the line away, for something else to be printed there. */
void progress_clear(void);
/* "3 of 12, 1:05 left": what the line says after `seconds`; without a time while nothing
 * is done. */
void progress_text(const struct progress *progress, double seconds, char *text,
                   size_t room);

/* ---- programs of their own ---- */

/* The folder of this program, where dl-run is; samples are in ../samples. False after a
 * message. */
bool own_folder(char folder[PATH_MAX]);
/* Takes what the user has set of DL out of the environment, but the libclang that they
 * name. */
void environment_without_dl(void);
/* A command line that is put together. */
struct words {
    const char *argv[64];
    size_t count;
};
/* Adds words, up to a NULL; those beyond its room are left out. */
void words_add(struct words *words, ...) __attribute__((sentinel));
/* Starts a program, looked for in PATH; its output and its errors go to these files,
 * NULL: to this program's. */
pid_t process_start(const struct words *words, const char *out, const char *err);
/* Waits for a process. returns its exit code, or 128 and the signal's number; 127: there
 * is none */
int process_wait(pid_t pid);

/* ---- the device ---- */

/* Kernels of one text, in the order of their names. */
enum { KERNELS_MAX = 7 };
struct kernels {
    cl_program program;
    cl_kernel of[KERNELS_MAX];
};

enum device_kernel {
    DEVICE_FILL,
    DEVICE_CHECK,
    DEVICE_CHECK_AXES,
    DEVICE_COPY,
    DEVICE_TOUCH,
    DEVICE_ACCESS,
    DEVICE_UPDATE
};

struct device {
    cl_icd_dispatch cl;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue; /* with profiling */
    char name[128], driver[64];
    cl_device_type type;
    struct kernels kernels; /* of check.cl, by enum device_kernel */
    cl_mem errors;          /* one uint */
    double copy;            /* bytes a second, by device_copy_time */
};

/* An argument of a kernel. */
struct kernel_arg {
    size_t bytes;
    const void *value;
};
#define ARG(value)                                                                       \
    {                                                                                    \
        sizeof(value), &(value)                                                          \
    }
static inline cl_int kernel_args_set(cl_kernel kernel, const struct kernel_arg *args,
                                     size_t count)
{
    cl_int err = CL_SUCCESS;

    for (cl_uint a = 0; a < count && err == CL_SUCCESS; a++)
        err = clSetKernelArg(kernel, a, args[a].bytes, args[a].value);
    return err;
}

#define KERNEL_ARGS(kernel, ...)                                                         \
    kernel_args_set(kernel, (const struct kernel_arg[]){__VA_ARGS__},                    \
                    COUNT(((const struct kernel_arg[]){__VA_ARGS__})))

/* The first device whose platform's and own name, "PLATFORM / DEVICE", has `part` in it;
 * false: there is none. The names that have not are printed to `others`, NULL: nowhere.
 */
bool device_find(const char *part, cl_device_id *found, FILE *others);
/* Opens that device; says on stderr what failed. False: nothing to release. */
bool device_open(struct device *device, const char *part);
void device_close(struct device *device);
static inline bool device_is_cpu(const struct device *device)
{
    return (device->type & CL_DEVICE_TYPE_CPU) != 0;
}
/* Fills with values that a formula gives back; its event is the caller's, NULL: none. */
cl_int device_fill(struct device *device, cl_mem mem, uint64_t bytes, cl_event *event);
/* Enqueues a kernel in groups of `local` work-items, 0: as the driver likes; its event is
 * the caller's, NULL: none. */
static inline cl_int device_launch(const struct device *device, cl_kernel kernel,
                                   size_t global, size_t local, cl_event *event)
{
    return clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &global,
                                  local ? &local : NULL, 0, NULL, event);
}

/* Runs a kernel, whose arguments are set, that counts errors in device->errors, over so
 * much work, and reads the count. */
cl_int device_count_errors(struct device *device, cl_kernel kernel, uint64_t work,
                           cl_uint *errors);
/* Enqueues a kernel that reads and writes so many bytes in place; its event is the
 * caller's. */
static inline cl_int device_touch(struct device *device, cl_mem mem, uint64_t bytes,
                                  cl_event *event)
{
    cl_ulong vectors = bytes / 16;

    KERNEL_ARGS(device->kernels.of[DEVICE_TOUCH], ARG(mem), ARG(vectors));
    return device_launch(device, device->kernels.of[DEVICE_TOUCH],
                         dl__round_up(vectors, 256), 256, event);
}

/* Builds a text with its kernels. What was made when an error comes back is released like
 * the rest. */
cl_int kernels_make(const struct device *device, const char *text, const char *options,
                    const char *const *names, size_t count, struct kernels *out);
static inline void kernels_free(struct kernels *kernels)
{
    for (size_t k = 0; k < KERNELS_MAX; k++)
        if (kernels->of[k])
            clReleaseKernel(kernels->of[k]);
    if (kernels->program)
        clReleaseProgram(kernels->program);
}

/* Releases those that are not NULL. */
static inline void mems_free(const cl_mem *mems, size_t count)
{
    for (size_t m = 0; m < count; m++)
        if (mems[m])
            clReleaseMemObject(mems[m]);
}

/* Runs a kernel, whose arguments are set, once to warm up and then `reps` times, up to
 * REPS_MAX; `seconds` gets the median. False after a message: a launch has failed. */
bool kernel_time(const struct device *device, cl_kernel kernel, size_t global,
                 size_t local, int reps, double *seconds);
/* Device seconds from the start of one event to the end of another; releases both. */
double device_seconds(cl_event first, cl_event last);
/* Runs something once to warm up and then `reps` times; `seconds` gets the median of what
 * each says. False: it has failed. */
bool median_time(bool (*once)(void *what, double *seconds), void *what, int reps,
                 double *seconds);
/* Says which device it is and sets the speed of the faster of a copy command and a copy
 * kernel, median of `reps`, in bytes moved a second. False: there is no memory. */
bool device_copy_time(struct device *device, uint64_t bytes, int reps);
/* Opens a table that begins with the device and its copy speed, and this text. */
static inline bool device_csv_open(FILE **csv, const char *path,
                                   const struct device *device, const char *columns,
                                   const char *text)
{
    return csv_open(csv, path, columns, "%s, driver %s, copy %.1f GB/s%s", device->name,
                    device->driver, device->copy * 1e-9, text);
}

/* Writes a file for the device (engine/devices) that says what a burst is and how many
 * address bits above it steer; all else is as it was (kernels.c). */
bool table_write_memory(const char *path, const struct device *device,
                        unsigned burst_bytes, unsigned steering_bits);

#endif
