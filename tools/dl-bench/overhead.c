/* SPDX-License-Identifier: MIT */
/* dl-bench overhead: what DL adds to the calls of programs, in instructions, counted by
 * callgrind, or in microseconds of the host (--time). Each program runs in processes of
 * its own, natively and under dl-run, and makes the calls of each case many times. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "dl.h"

/* Calls of one kind. */
struct overhead_case {
    const char *name;
    void (*call)(unsigned);
    /* Instructions that DL may add to a call, without annotations its own, and locks that
     * it may take. */
    double limit, locks;
};

struct overhead_program {
    const char *title;
    const char *layout; /* DL_LAYOUT; NULL: as it is by default */
    bool annotated;     /* libclang is loaded */
    void (*open)(void);
    const cl_command_queue *queue;
    const struct overhead_case *cases;
    size_t case_count;
};

enum {
    CASES_MAX = 8,
    WARM_CALLS = 600,
    CALLS = 320,
    TIMED_RUNS = 9,
    LINE_BYTES = PATH_MAX + 64
};

struct overhead_count {
    double instructions, locks; /* of a call */
    /* Of the instructions, those of libdl_intercept.so itself: what the driver and the C
     * library do for it is left out, and how their own work varies. */
    double own;
};

/* The variable that names a part of the device's or the platform's name; not set, or
 * empty: the first device. */
#define OVERHEAD_DEVICE "DL_BENCH_DEVICE"

/* ---- calls of the programs ---- */

/* Ends the program where a call has failed. */
static void must(cl_int err, const char *what)
{
    if (err == CL_SUCCESS)
        return;
    fprintf(stderr, "dl-bench overhead: %s gave %d\n", what, err);
    exit(1);
}

static void set(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    must(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
}

static void launch(cl_command_queue queue, cl_kernel kernel, size_t items)
{
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
}

static cl_mem make_buffer(cl_context context, size_t bytes)
{
    cl_int err;
    cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &err);

    must(err, "clCreateBuffer");
    return mem;
}

static cl_kernel make_kernel(cl_program program, const char *name)
{
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, name, &err);

    must(err, "clCreateKernel");
    return kernel;
}

static cl_program open_program(const char *source, cl_context *context,
                               cl_command_queue *queue)
{
    const char *part = getenv(OVERHEAD_DEVICE);
    cl_device_id device;
    cl_program program;
    cl_int err;

    if (!device_find(part ? part : "", &device, NULL)) {
        fprintf(stderr, "dl-bench overhead: there is no device '%s'\n", part ? part : "");
        exit(1);
    }
    *context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err, "clCreateContext");
    *queue = clCreateCommandQueueWithProperties(*context, device, NULL, &err);
    must(err, "clCreateCommandQueueWithProperties");
    program = clCreateProgramWithSource(*context, 1, &source, NULL, &err);
    must(err, "clCreateProgramWithSource");
    must(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    return program;
}

/* ---- a program without annotations ---- */

enum { MEMS = 300, KERNELS = 16, LARGE_BYTES = 200, ARG_LIMIT = 100, LAUNCH_LIMIT = 160 };

static struct {
    cl_command_queue queue;
    /* in turn: none of them lies better or worse in a table */
    cl_kernel kernels[KERNELS];
    cl_mem mems[MEMS];
} plain;

static void call_arg_buffer(unsigned i)
{
    set(plain.kernels[i % KERNELS], 0, sizeof(cl_mem), &plain.mems[i % MEMS]);
}

static void call_arg_number(unsigned i)
{
    set(plain.kernels[i % KERNELS], 1, sizeof i, &i);
}

static void call_arg_large(unsigned i)
{
    unsigned char value[LARGE_BYTES];

    memset(value, (int)i, sizeof value);
    set(plain.kernels[i % KERNELS], 2, sizeof value, value);
}

static void call_arg_local(unsigned i)
{
    set(plain.kernels[i % KERNELS], 3, 64 + i % 2, NULL);
}

static void call_launch(unsigned i)
{
    const size_t global = 64 + i % 2, local = 1;

    must(clEnqueueNDRangeKernel(plain.queue, plain.kernels[i % KERNELS], 1, NULL, &global,
                                &local, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
}

static void call_launch_event(unsigned i)
{
    static cl_event previous;
    const size_t global = 64;
    cl_event event;

    must(clEnqueueNDRangeKernel(plain.queue, plain.kernels[i % KERNELS], 1, NULL, &global,
                                NULL, previous ? 1 : 0, previous ? &previous : NULL,
                                &event),
         "clEnqueueNDRangeKernel");
    if (previous)
        clReleaseEvent(previous);
    previous = event;
}

static const struct overhead_case plain_cases[] = {
    {"clSetKernelArg, a buffer", call_arg_buffer, ARG_LIMIT, 0},
    {"clSetKernelArg, a number", call_arg_number, ARG_LIMIT, 0},
    {"clSetKernelArg, a large struct", call_arg_large, ARG_LIMIT, 0},
    {"clSetKernelArg, local memory", call_arg_local, ARG_LIMIT, 0},
    {"clEnqueueNDRangeKernel", call_launch, LAUNCH_LIMIT, 0},
    {"clEnqueueNDRangeKernel, events", call_launch_event, LAUNCH_LIMIT, 0},
};

static void plain_open(void)
{
    static const char *const source =
        "typedef struct { int v[50]; } large;\n"
        "__kernel void nothing(__global int *a, int n, large b, __local char *l)\n"
        "{ if (n < 0) a[0] = b.v[1] + l[0]; }\n";
    cl_context context;
    cl_program built = open_program(source, &context, &plain.queue);

    for (size_t k = 0; k < KERNELS; k++)
        plain.kernels[k] = make_kernel(built, "nothing");
    /* A table of objects is slower to look up in when there are many. */
    for (size_t m = 0; m < MEMS; m++)
        plain.mems[m] = make_buffer(context, 64);
}

enum {
    STRUCTS = 16384,
    STRUCT_BYTES = 64,
    LAUNCHES_MAX = 20000,
    SMALL = 64,
    SMALL_STRUCTS = 32
};

static struct {
    cl_command_queue queue;
    cl_kernel few, gather, flat;
    cl_mem tiled[2], native[2], at, small[SMALL];
} rewritten;

static const char *const source =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "typedef struct { float f[16]; } wide;\n"
    "//DL: AoS: o[n], p[n]\n"
    "__kernel void few(__global wide *o, __global const wide *p, int n, float r)\n"
    "{ int i = get_global_id(0); o[i].f[3] = p[i].f[1] * r + o[i].f[3]; }\n"
    "//DL: AoS: o[n], p[n]\n"
    "__kernel void gather(__global wide *o, __global const wide *p, int n,\n"
    "                     __global const int *at)\n"
    "{ int i = get_global_id(0); float s = 0;\n"
    "  for (int k = 0; k < 16; k++) s += p[at[i]].f[k];\n"
    "  o[i].f[0] = s; }\n"
    "__kernel void flat(__global float *a, int n)\n"
    "{ if (n < 0) a[get_global_id(0)] += n; }\n";

static void set_few(unsigned from)
{
    const cl_int n = STRUCTS;
    const cl_float r = 0.5f;

    set(rewritten.few, 0, sizeof(cl_mem), &rewritten.tiled[from]);
    set(rewritten.few, 1, sizeof(cl_mem), &rewritten.tiled[1 - from]);
    set(rewritten.few, 2, sizeof n, &n);
    set(rewritten.few, 3, sizeof r, &r);
}

static void set_gather(void)
{
    const cl_int n = STRUCTS;

    set(rewritten.gather, 0, sizeof(cl_mem), &rewritten.native[0]);
    set(rewritten.gather, 1, sizeof(cl_mem), &rewritten.native[1]);
    set(rewritten.gather, 2, sizeof n, &n);
    set(rewritten.gather, 3, sizeof(cl_mem), &rewritten.at);
}

static void call_native(unsigned i)
{
    (void)i;
    launch(rewritten.queue, rewritten.gather, STRUCTS);
}

static void call_native_set(unsigned i)
{
    (void)i;
    set_gather();
    launch(rewritten.queue, rewritten.gather, STRUCTS);
}

/* It has nothing that DL converts. */
static void call_flat(unsigned i)
{
    const cl_int n = (cl_int)i;

    set(rewritten.flat, 1, sizeof n, &n);
    launch(rewritten.queue, rewritten.flat, STRUCTS);
}

static void call_tiled(unsigned i)
{
    (void)i;
    launch(rewritten.queue, rewritten.few, STRUCTS);
}

static void call_tiled_set(unsigned i)
{
    (void)i;
    set_few(0);
    launch(rewritten.queue, rewritten.few, STRUCTS);
}

static void call_tiled_turns(unsigned i)
{
    set_few(i % 2);
    launch(rewritten.queue, rewritten.few, STRUCTS);
}

/* Like none of the last few. */
static void call_unlike(unsigned i)
{
    const cl_int n = SMALL_STRUCTS;

    set(rewritten.gather, 0, sizeof(cl_mem), &rewritten.small[i % SMALL]);
    set(rewritten.gather, 1, sizeof(cl_mem), &rewritten.small[i % SMALL]);
    set(rewritten.gather, 2, sizeof n, &n);
    launch(rewritten.queue, rewritten.gather, SMALL_STRUCTS);
}

static bool is_tiled(void)
{
    cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_AOS_DL};

    must(dl_buffer_get_layout(rewritten.tiled[0], &layout), "clGetBufferLayoutDL");
    return layout.kind != CL_LAYOUT_AOS_DL;
}

/* Until DL has decided for tiles, where there is DL, and has measured what it wants to
 * know. */
static void warm_up(void)
{
    clGetBufferLayoutDL_fn get;
    unsigned launches = 0;

    set_gather();
    set_few(0);
    DL_FIND_FUNCTION(get, rewritten.tiled[0], clGetBufferLayoutDL);
    while (get && !is_tiled() && launches++ < LAUNCHES_MAX) {
        launch(rewritten.queue, rewritten.few, STRUCTS);
        clFinish(rewritten.queue);
        /* Another process builds the kernels, on a busy machine for seconds. */
        usleep(launches < LAUNCHES_MAX / 2 ? 1000 : 10000);
    }
    if (get && !is_tiled()) {
        fprintf(stderr, "dl-bench overhead: no launch was made on tiles\n");
        exit(1);
    }
    for (unsigned i = 0; i < 600; i++) {
        launch(rewritten.queue, rewritten.gather, STRUCTS);
        launch(rewritten.queue, rewritten.few, STRUCTS);
    }
}

static void rewritten_open(void)
{
    cl_context context;
    cl_program built = open_program(source, &context, &rewritten.queue);

    rewritten.few = make_kernel(built, "few");
    rewritten.gather = make_kernel(built, "gather");
    rewritten.flat = make_kernel(built, "flat");
    for (int i = 0; i < 2; i++) {
        rewritten.tiled[i] = make_buffer(context, STRUCTS * STRUCT_BYTES);
        rewritten.native[i] = make_buffer(context, STRUCTS * STRUCT_BYTES);
    }
    rewritten.at = make_buffer(context, STRUCTS * STRUCT_BYTES);
    for (int i = 0; i < SMALL; i++)
        rewritten.small[i] = make_buffer(context, SMALL_STRUCTS * STRUCT_BYTES);
    set(rewritten.flat, 0, sizeof(cl_mem), &rewritten.at);
    warm_up();
}

/* Among the locks are the fake driver's for what DL calls besides: one for a
 * clSetKernelArg. A launch in 64 is timed. */
static const struct overhead_case auto_cases[] = {
    {"auto, as written", call_native, 607, 3},
    {"auto, as written, 4 arguments", call_native_set, 1070, 3},
    {"auto, no structs, a number set", call_flat, 575, 2},
    {"auto, in tiles", call_tiled, 654, 3},
    {"auto, in tiles, 4 arguments", call_tiled_set, 1100, 3},
    {"auto, in tiles, by turns", call_tiled_turns, 1820, 5},
    {"auto, small ones, none as before", call_unlike, 4700, 3},
};

static const struct overhead_case asta_cases[] = {
    {"asta, in tiles", call_tiled, 420, 1},
    {"asta, in tiles, 4 arguments", call_tiled_set, 900, 1},
    {"asta, in tiles, by turns", call_tiled_turns, 1500, 3},
};

static const struct overhead_program programs[] = {
    {"without annotations", NULL, false, plain_open, &plain.queue, plain_cases,
     COUNT(plain_cases)},
    {"annotated, layout auto", "auto", true, rewritten_open, &rewritten.queue, auto_cases,
     COUNT(auto_cases)},
    {"annotated, layout asta", "asta", true, rewritten_open, &rewritten.queue, asta_cases,
     COUNT(asta_cases)},
};

/* ---- time ---- */

/* A batch is short enough that no driver's queue is full. */
enum { BATCHES = 101, BATCH_CALLS = 64 };

static void finish(const struct overhead_program *program)
{
    must(clFinish(*program->queue), "clFinish");
}

/* In a process of its own: makes the calls of each case and prints what a call takes, in
 * microseconds, a line each. */
static int time_main(const struct overhead_program *program)
{
    program->open();
    for (size_t c = 0; c < program->case_count; c++) {
        double batches[BATCHES];

        for (unsigned i = 0; i < WARM_CALLS; i++)
            program->cases[c].call(i);
        for (unsigned b = 0; b < BATCHES; b++) {
            double start_s;

            finish(program);
            start_s = now_s();
            for (unsigned i = 0; i < BATCH_CALLS; i++)
                program->cases[c].call(i);
            batches[b] = 1e6 * (now_s() - start_s) / BATCH_CALLS;
        }
        finish(program);
        printf("%.4f\n", median_of(batches, BATCHES));
    }
    return 0;
}

/* Runs a program and adds what its calls took. */
static bool run_once(const char *command, size_t case_count,
                     double times[CASES_MAX][TIMED_RUNS], unsigned run)
{
    FILE *pipe = popen(command, "r");
    size_t got = 0;
    int status;

    if (!pipe)
        return false;
    while (got < case_count && fscanf(pipe, "%lf", &times[got][run]) == 1)
        got++;
    status = pclose(pipe);
    if (got == case_count && status == 0)
        return true;
    fprintf(stderr, "dl-bench overhead: '%s' has not printed its times\n", command);
    return false;
}

/* Prints what DL adds to a program's calls in microseconds of the host, on the machine's
 * own driver: it runs by turns natively and under the launcher `runner`. False: a run has
 * failed. */
static bool program_time(const char *self, const char *runner, size_t which)
{
    const struct overhead_program *program = &programs[which];
    double native[CASES_MAX][TIMED_RUNS], under_dl[CASES_MAX][TIMED_RUNS];
    char work[WORK_BYTES], plain_run[PATH_MAX + 64], with_dl[4 * PATH_MAX];
    bool good = work_make(work);

    snprintf(plain_run, sizeof plain_run, "'%s' overhead --time --program %zu", self,
             which);
    snprintf(with_dl, sizeof with_dl, "'%s' --cache '%s' --log quiet%s%s -- %s", runner,
             work, program->layout ? " --layout " : "",
             program->layout ? program->layout : "", plain_run);
    /* These build what has to be built, and remember what can be. */
    for (unsigned r = 0; r < 2; r++)
        good = good && run_once(with_dl, program->case_count, under_dl, 0);
    for (unsigned r = 0; r < TIMED_RUNS; r++)
        good = good && run_once(plain_run, program->case_count, native, r) &&
               run_once(with_dl, program->case_count, under_dl, r);
    folder_remove(work);
    if (!good)
        return false;
    printf("%-31s  native  under DL   added, us\n", program->title);
    for (size_t c = 0; c < program->case_count; c++) {
        double own = median_of(native[c], TIMED_RUNS),
               ours = median_of(under_dl[c], TIMED_RUNS);

        printf("%-31s %7.3f %9.3f %7.3f\n", program->cases[c].name, own, ours,
               ours - own);
    }
    fflush(stdout);
    return true;
}

/* ---- instructions ---- */

/* Callgrind writes down what it has counted, and starts anew, when this is called. */
static __attribute__((noinline)) void overhead_mark(void)
{
    __asm__ volatile("");
}

/* Each case runs once uncounted, so that everything is bound and sized. */
static int count_main(const struct overhead_program *program)
{
    program->open();
    for (size_t c = 0; c < program->case_count; c++) {
        for (unsigned i = 0; i < WARM_CALLS; i++)
            program->cases[c].call(i);
        overhead_mark();
        for (unsigned i = 0; i < CALLS; i++)
            program->cases[c].call(i);
        overhead_mark();
    }
    return 0;
}

/* ---- callgrind's files ---- */

/* Names are given in full once, "fn=(7) name", and then by number. A line "+3 25" is
 * what a source line cost; behind one with "calls=", what the function called there did.
 */
enum { IDS = 4096 };

struct reader {
    bool locks[IDS], own[IDS]; /* functions that lock; DL's object */
    bool calls_lock;           /* the call to come */
    bool in_own, is_call;
    unsigned long long lock_calls, own_cost, cost;
    bool has_cost;
};

static bool is_lock(const char *name)
{
    return strncmp(name, "pthread_mutex_lock", 18) == 0 ||
           strncmp(name, "pthread_rwlock_", 15) == 0 ||
           strncmp(name, "pthread_spin_", 13) == 0;
}

/* Reads "fn=(7) name", "cfn=(7)" or of an object "ob=", "cob=". */
static void read_name(struct reader *reader, const char *line)
{
    const bool is_called = *line == 'c', is_object = line[is_called] == 'o';
    bool *known = is_object ? reader->own : reader->locks;
    char name[PATH_MAX] = "";
    unsigned id;
    const bool found =
        sscanf(strchr(line, '=') + 1, "(%u) %4095s", &id, name) >= 1 && id < IDS;

    if (found && name[0])
        known[id] = is_object ? strstr(name, "libdl_intercept") != NULL : is_lock(name);
    if (!is_object)
        reader->calls_lock = found && is_called && known[id];
    else if (found && !is_called)
        reader->in_own = known[id];
}

static void read_line(struct reader *reader, const char *line)
{
    const char *name = line + (*line == 'c');
    unsigned long long number;

    if (strncmp(name, "ob=", 3) == 0 || strncmp(name, "fn=", 3) == 0) {
        read_name(reader, line);
    } else if (sscanf(line, "calls=%llu", &number) == 1) {
        reader->lock_calls += reader->calls_lock ? number : 0;
        reader->calls_lock = false;
        reader->is_call = true;
    } else if (sscanf(line, "summary: %llu", &number) == 1) {
        reader->cost = number;
        reader->has_cost = true;
    } else if (strchr("+-*0123456789", line[0]) &&
               sscanf(line, "%*s %llu", &number) == 1) {
        if (reader->in_own && !reader->is_call)
            reader->own_cost += number;
        reader->is_call = false;
    }
}

/* Reads a file of callgrind's, of so many calls; `clang`, of so many bytes, gets a line
 * that names a libclang. False: there is none. */
static bool profile_read(const char *path, unsigned calls, struct overhead_count *count,
                         char *clang, size_t clang_bytes)
{
    struct reader reader = {.has_cost = false};
    char line[LINE_BYTES];
    FILE *file = fopen(path, "r");

    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        read_line(&reader, line);
        if (strstr(line, "ob=(") && strstr(line, "libclang"))
            snprintf(clang, clang_bytes, "%s", line);
    }
    fclose(file);
    *count = (struct overhead_count){.instructions = (double)reader.cost / calls,
                                     .locks = (double)reader.lock_calls / calls,
                                     .own = (double)reader.own_cost / calls};
    return reader.has_cost;
}

/* ---- counting ---- */

/* Counts every case of a program, under `runner` when it is not NULL. The files of
 * callgrind go into `work`, the I-th part to out.I. Parts are cut at the marks: the odd
 * ones are what comes before a case, the even ones the cases. Without `counts` it only
 * runs, so that DL keeps what it has to build. */
static bool cases_count(const char *self, const char *runner, const char *layout,
                        const char *work, size_t which, struct overhead_count *counts,
                        char *clang)
{
    const struct overhead_program *program = &programs[which];
    char out[PATH_MAX + 64], path[PATH_MAX + 96], number[] = {(char)('0' + which), '\0'};
    char cache[PATH_MAX + 8];
    struct words words = {.count = 0};

    snprintf(out, sizeof out, "--callgrind-out-file=%s/%s", work,
             runner ? "dl" : "native");
    snprintf(cache, sizeof cache, "%s/cache", work);
    if (runner)
        words_add(&words, runner, "--cache", cache, NULL);
    if (runner && layout)
        words_add(&words, "--layout", layout, NULL);
    if (runner)
        words_add(&words, "--", NULL);
    if (counts) /* the log is of system calls that valgrind does not know */
        words_add(&words, "valgrind", "--log-file=/dev/null", "--tool=callgrind",
                  "--dump-before=overhead_mark", out, NULL);
    words_add(&words, self, "overhead", "--program", number, NULL);
    if (process_wait(process_start(&words, NULL, NULL)) != 0)
        return false;
    for (size_t part = 1; counts && part <= 2 * program->case_count; part++) {
        struct overhead_count discarded;

        snprintf(path, sizeof path, "%s.%zu", strchr(out, '=') + 1, part);
        if (!profile_read(path, CALLS, part % 2 ? &discarded : &counts[part / 2 - 1],
                          clang, LINE_BYTES)) {
            fprintf(stderr, "dl-bench overhead: callgrind has written no %s\n", path);
            return false;
        }
    }
    return true;
}

/* Runs it until DL keeps what it has to build: on a busy machine the builder, which has
 * the lowest priority, may take longer than a program waits for it. */
static bool kernels_keep(const char *self, const char *runner, const char *layout,
                         const char *work, size_t which)
{
    enum { TRIES = 4 };
    char clang[LINE_BYTES] = "";
    bool kept = false;

    for (int t = 0; t < TRIES && !kept; t++)
        kept = cases_count(self, runner, layout, work, which, NULL, clang);
    return kept;
}

/* False: DL adds too much. The bound is of DL's own instructions: what is added besides
 * is the driver's looking for handles, hundreds more or less with where its memory lies.
 */
static bool counts_print(const struct overhead_program *program,
                         const struct overhead_count *native,
                         const struct overhead_count *under_dl)
{
    bool good = true;

    printf("%-31s  native  under DL     added  DL's own  bound  locks\n", program->title);
    for (size_t c = 0; c < program->case_count; c++) {
        const struct overhead_case *own = &program->cases[c];
        double added = under_dl[c].instructions - native[c].instructions;
        double locks = under_dl[c].locks - native[c].locks;
        bool over = under_dl[c].own > own->limit || locks > own->locks;

        printf("%-31s %7.0f %9.0f %9.1f %9.1f %6.0f %6.2f%s\n", own->name,
               native[c].instructions, under_dl[c].instructions, added, under_dl[c].own,
               own->limit, locks, over ? "  TOO MANY" : "");
        good = good && !over;
    }
    return good;
}

/* Counts a program natively and under DL, with an empty cache. False: it could not. */
static bool both_count(const char *self, const char *runner, size_t which,
                       struct overhead_count *native, struct overhead_count *under_dl,
                       char *clang)
{
    const struct overhead_program *program = &programs[which];
    char work[WORK_BYTES];
    bool counted;

    if (!work_make(work))
        return false;
    counted = cases_count(self, NULL, NULL, work, which, native, clang);
    /* Not `auto`, which would remember what it has found. A text without annotations is
     * read so, too, and has nothing. */
    counted = counted && kernels_keep(self, runner, "asta", work, which);
    if (program->layout)
        counted = counted && kernels_keep(self, runner, "da", work, which);
    counted = counted &&
              cases_count(self, runner, program->layout, work, which, under_dl, clang);
    folder_remove(work);
    return counted;
}

/* False: DL adds too much, or nothing could be counted: on a busy machine `auto` may find
 * the program too short to explore anything, in three runs hardly. */
static bool program_count(const char *self, const char *runner, size_t which)
{
    enum { TRIES = 3 };
    const struct overhead_program *program = &programs[which];
    char clang[LINE_BYTES] = "";
    struct overhead_count native[CASES_MAX], under_dl[CASES_MAX];
    bool counted = false, good;

    for (int t = 0; t < TRIES && !counted; t++)
        counted = both_count(self, runner, which, native, under_dl, clang);
    if (!counted)
        return false;
    good = counts_print(program, native, under_dl);
    if (clang[0] && !program->annotated) {
        printf("a libclang was loaded: %s", clang);
        good = false;
    }
    return good;
}

static bool valgrind_runs(void)
{
    struct words words = {.count = 0};

    words_add(&words, "valgrind", "--version", NULL);
    return process_wait(process_start(&words, "/dev/null", "/dev/null")) == 0;
}

/* The fake driver asks for variables at each call: the more there are, the longer that
 * takes, and DL adds some. The one that dl-run sets for pyopencl is set natively, too. */
static void keep_environment_small(void)
{
    static const char *const needed[] = {"PATH", "HOME", "LD_LIBRARY_PATH",
                                         "OCL_ICD_VENDORS", "POCL_CACHE_DIR"};
    char *values[COUNT(needed)];

    for (size_t n = 0; n < COUNT(needed); n++)
        values[n] = getenv(needed[n]) ? strdup(getenv(needed[n])) : NULL;
    clearenv();
    for (size_t n = 0; n < COUNT(needed); n++) {
        if (values[n])
            setenv(needed[n], values[n], 1);
        free(values[n]);
    }
    setenv("PYOPENCL_NO_CACHE", "1", 1);
}

#define OVERHEAD_OPTION_MAP(X)                                                           \
    X(time, "", "", "",                                                                  \
      "measure microseconds of host time with this machine's OpenCL driver, instead of " \
      "counting instructions with the driver of the tests")                              \
    X(device, "SUBSTRING", "", "", "a part of the device's or platform's name")          \
    X(vendors, "FOLDER", "", "d",                                                        \
      "the folder with fake.icd, which names the driver of the tests; default: the one " \
      "of the build folder that dl-bench is in. Without it only --time works")

struct overhead_options {
    OVERHEAD_OPTION_MAP(BENCH_FIELD)
};

int overhead_main(int argc, char **argv)
{
    static const struct bench_option options_known[] = {OVERHEAD_OPTION_MAP(BENCH_ROW)};
    static const struct bench_command command = {
        "usage: dl-bench overhead [options]\n"
        "Fails when DL adds more instructions to a call than its bound, takes a lock "
        "where\n"
        "nothing is annotated, or loads a libclang there. The bound is of DL's own "
        "instructions.\n"
        "Needs valgrind and the driver of DL's tests, which is not "
        "installed.\n",
        options_known, COUNT(options_known), NULL};
    const bool timed = argc > 2 && strcmp(argv[2], "--time") == 0;
    char folder[PATH_MAX], self[PATH_MAX + 16], runner[PATH_MAX + 16],
        vendors[PATH_MAX + 32], icd[PATH_MAX + 48];
    struct overhead_options options;
    bool good = true;
    int code;

    /* One of the processes that are measured. */
    if (argc == 4 + timed && strcmp(argv[2 + timed], "--program") == 0) {
        size_t which = strtoul(argv[3 + timed], NULL, 10);

        if (which >= COUNT(programs))
            return 2;
        return (timed ? time_main : count_main)(&programs[which]);
    }
    code = bench_options_read(&command, argc, argv, &options);
    if (code != BENCH_GO_ON)
        return code;
    if (!own_folder(folder))
        return 1;
    snprintf(self, sizeof self, "%s/dl-bench", folder);
    snprintf(runner, sizeof runner, "%s/dl-run", folder);
    snprintf(vendors, sizeof vendors, "%s/../tests/vendors", folder);
    if (*options.vendors)
        snprintf(vendors, sizeof vendors, "%s", options.vendors);
    if (!is_yes(options.time)) {
        snprintf(icd, sizeof icd, "%s/fake.icd", vendors);
        if (access(icd, R_OK) != 0) {
            fprintf(stderr,
                    "dl-bench overhead: %s is not there: instructions are counted with "
                    "the driver of DL's tests; run the dl-bench of a build folder with "
                    "-DDL_TESTS=ON, name its tests/vendors by --vendors, or measure this "
                    "machine's driver by --time\n",
                    icd);
            return 2;
        }
        if (!valgrind_runs()) {
            fputs("dl-bench overhead: valgrind, which counts the instructions, can't be "
                  "run: install it (Debian: apt install valgrind), or measure the host's "
                  "time by --time\n",
                  stderr);
            return 1;
        }
        setenv("OCL_ICD_VENDORS", vendors, 1);
    }
    environment_without_dl();
    setenv(OVERHEAD_DEVICE, options.device, 1);
    if (!is_yes(options.time)) {
        keep_environment_small();
        /* dl-run's default, which is then there natively, too. */
        setenv("DL_DETECT", "on", 1);
        /* A launch takes ten ticks as written and two in tiles, a conversion one, which
         * is soon worth its cost. */
        setenv("FAKE_TICK_NS", "100000", 1);
        setenv("FAKE_LAUNCH_NS", "10/2,10/2,1", 1);
    }
    for (size_t which = 0; which < COUNT(programs); which++)
        good =
            (is_yes(options.time) ? program_time : program_count)(self, runner, which) &&
            good;
    return good ? 0 : 1;
}
