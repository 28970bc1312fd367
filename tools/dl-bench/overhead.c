/* dl-bench overhead: what DL adds to the calls of a program without annotations, in
 * instructions, counted by callgrind: this program runs under it twice, natively and
 * under dl-run, and makes the calls of each case many times. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CL/cl.h>

#include "bench.h"
#include "options/options.h"

enum {
    CALLS = 1000,
    MEMS = 300,
    KERNELS = 16,
    LARGE_BYTES = 200,
    LINE_BYTES = PATH_MAX + 64,
    ARG_LIMIT = 100,
    LAUNCH_LIMIT = 300
};

/* ---- the program that is counted ---- */

static struct {
    cl_command_queue queue;
    /* in turn: none of them lies better or worse in a table */
    cl_kernel kernels[KERNELS];
    cl_mem mems[MEMS];
} program;

static void must(cl_int err, const char *what)
{
    if (err == CL_SUCCESS)
        return;
    fprintf(stderr, "dl-bench overhead: %s gave %d\n", what, err);
    exit(1);
}

static void call_arg_buffer(unsigned i)
{
    must(clSetKernelArg(program.kernels[i % KERNELS], 0, sizeof(cl_mem),
                        &program.mems[i % MEMS]),
         "clSetKernelArg");
}

static void call_arg_number(unsigned i)
{
    must(clSetKernelArg(program.kernels[i % KERNELS], 1, sizeof i, &i), "clSetKernelArg");
}

static void call_arg_large(unsigned i)
{
    unsigned char value[LARGE_BYTES];

    memset(value, (int)i, sizeof value);
    must(clSetKernelArg(program.kernels[i % KERNELS], 2, sizeof value, value),
         "clSetKernelArg");
}

static void call_arg_local(unsigned i)
{
    must(clSetKernelArg(program.kernels[i % KERNELS], 3, 64 + i % 2, NULL),
         "clSetKernelArg");
}

static void call_launch(unsigned i)
{
    const size_t global = 64 + i % 2, local = 1;

    must(clEnqueueNDRangeKernel(program.queue, program.kernels[i % KERNELS], 1, NULL,
                                &global, &local, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
}

static void call_launch_event(unsigned i)
{
    static cl_event previous;
    const size_t global = 64;
    cl_event event;

    must(clEnqueueNDRangeKernel(program.queue, program.kernels[i % KERNELS], 1, NULL,
                                &global, NULL, previous ? 1 : 0,
                                previous ? &previous : NULL, &event),
         "clEnqueueNDRangeKernel");
    if (previous)
        clReleaseEvent(previous);
    previous = event;
}

static const struct overhead_case {
    const char *name;
    void (*call)(unsigned);
    double limit;
} cases[] = {
    {"clSetKernelArg, a buffer", call_arg_buffer, ARG_LIMIT},
    {"clSetKernelArg, a number", call_arg_number, ARG_LIMIT},
    {"clSetKernelArg, a large struct", call_arg_large, ARG_LIMIT},
    {"clSetKernelArg, local memory", call_arg_local, ARG_LIMIT},
    {"clEnqueueNDRangeKernel", call_launch, LAUNCH_LIMIT},
    {"clEnqueueNDRangeKernel, events", call_launch_event, LAUNCH_LIMIT},
};
enum { CASES = sizeof cases / sizeof *cases };

/* Callgrind writes down what it has counted, and starts anew, when this is called. */
void overhead_mark(void);
__attribute__((noinline)) void overhead_mark(void)
{
    __asm__ volatile("");
}

static void program_open(void)
{
    static const char *const source =
        "typedef struct { int v[50]; } large;\n"
        "__kernel void nothing(__global int *a, int n, large b, __local char *l)\n"
        "{ if (n < 0) a[0] = b.v[1] + l[0]; }\n";
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_program built;
    cl_int err;

    must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
         "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err, "clCreateContext");
    program.queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
    must(err, "clCreateCommandQueueWithProperties");
    built = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &err);
    must(err, "clCreateProgramWithSource");
    must(clBuildProgram(built, 1, &device, "", NULL, NULL), "clBuildProgram");
    for (size_t k = 0; k < KERNELS; k++) {
        program.kernels[k] = clCreateKernel(built, "nothing", &err);
        must(err, "clCreateKernel");
    }
    /* A table of objects is slower to look up in when there are many. */
    for (size_t m = 0; m < MEMS; m++) {
        program.mems[m] = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &err);
        must(err, "clCreateBuffer");
    }
}

/* Each case runs once uncounted, so that everything is bound and sized. */
static int program_main(void)
{
    program_open();
    for (size_t c = 0; c < CASES; c++) {
        for (unsigned i = 0; i < 2 * MEMS; i++)
            cases[c].call(i);
        overhead_mark();
        for (unsigned i = 0; i < CALLS; i++)
            cases[c].call(i);
        overhead_mark();
    }
    return 0;
}

/* ---- counting ---- */

struct count {
    double instructions, locks; /* of a call */
};

static bool is_lock(const char *name)
{
    return strncmp(name, "pthread_mutex_lock", 18) == 0 ||
           strncmp(name, "pthread_rwlock_", 15) == 0 ||
           strncmp(name, "pthread_spin_", 13) == 0;
}

/* Reads a file of callgrind's; `clang` gets a line that names a libclang. Names are given
 * in full once, "fn=(7) name", and then by number; a call is a line cfn=(7), then
 * calls=COUNT ... */
static bool profile_read(const char *path, struct count *count, char *clang)
{
    FILE *file = fopen(path, "r");
    bool locks[4096] = {false}, found = false, locked = false;
    char line[LINE_BYTES], name[PATH_MAX];
    unsigned long long calls = 0, number;
    unsigned id;

    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        char *function = strncmp(line, "cfn=", 4) == 0  ? line + 4
                         : strncmp(line, "fn=", 3) == 0 ? line + 3
                                                        : NULL;

        if (function) {
            int fields = sscanf(function, "(%u) %4095s", &id, name);

            if (fields == 2 && id < sizeof locks / sizeof *locks)
                locks[id] = is_lock(name);
            locked = fields >= 1 && function == line + 4 &&
                     id < sizeof locks / sizeof *locks && locks[id];
        } else if (sscanf(line, "calls=%llu", &number) == 1) {
            calls += locked ? number : 0;
            locked = false;
        } else if (sscanf(line, "summary: %llu", &number) == 1) {
            count->instructions = (double)number / CALLS;
            found = true;
        } else if (strstr(line, "ob=(") && strstr(line, "libclang")) {
            strcpy(clang, line);
        }
    }
    count->locks = (double)calls / CALLS;
    fclose(file);
    return found;
}

static bool run(char *const *argv)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        execvp(argv[0], argv);
        fprintf(stderr, "dl-bench overhead: %s: %s\n", argv[0], strerror(errno));
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

/* Counts every case, under `runner` when it is not NULL. The files of callgrind go into
 * `directory`, the I-th part to out.I. Parts are cut at the marks: the odd ones are what
 * comes before a case, the even ones the cases. */
static bool cases_count(const char *self, char *runner, char *directory,
                        struct count *counts, char *clang)
{
    char out[PATH_MAX], path[PATH_MAX + 16];
    char *argv[12];
    size_t n = 0;

    snprintf(out, sizeof out, "--callgrind-out-file=%s/%s", directory,
             runner ? "dl" : "native");
    if (runner) {
        argv[n++] = runner;
        argv[n++] = (char *)"--";
    }
    argv[n++] = (char *)"valgrind";
    argv[n++] = (char *)"-q";
    argv[n++] = (char *)"--tool=callgrind";
    argv[n++] = (char *)"--dump-before=overhead_mark";
    argv[n++] = out;
    argv[n++] = (char *)self;
    argv[n++] = (char *)"overhead";
    argv[n++] = (char *)"--program";
    argv[n] = NULL;
    if (!run(argv))
        return false;
    for (size_t part = 1; part <= 2 * CASES; part++) {
        struct count discarded;

        snprintf(path, sizeof path, "%s.%zu", strchr(out, '=') + 1, part);
        if (!profile_read(path, part % 2 ? &discarded : &counts[part / 2 - 1], clang)) {
            fprintf(stderr, "dl-bench overhead: callgrind has written no %s\n", path);
            return false;
        }
        unlink(path);
    }
    unlink(strchr(out, '=') + 1);
    return true;
}

static void overhead_usage(FILE *out)
{
    fprintf(
        out,
        "usage: dl-bench overhead [--vendors DIR] [--dl-run FILE]\n\n"
        "  --vendors DIR  of the OpenCL driver to run over [that of the tests, if this\n"
        "                 is a build directory]\n"
        "  --dl-run FILE  the launcher [beside this program]\n\n"
        "Fails when DL adds more than %d instructions to a clSetKernelArg or %d to a\n"
        "clEnqueueNDRangeKernel, takes a lock there, or loads a libclang.\n",
        ARG_LIMIT, LAUNCH_LIMIT);
}

int overhead_main(int argc, char **argv)
{
    char self[PATH_MAX] = "", runner[PATH_MAX + 8], vendors[PATH_MAX + 32],
         clang[LINE_BYTES] = "", directory[] = "/tmp/dl-overhead-XXXXXX";
    struct count native[CASES], under_dl[CASES];
    bool good = true;

    if (argc == 3 && strcmp(argv[2], "--program") == 0)
        return program_main();
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return 1;
    snprintf(runner, sizeof runner, "%.*s/dl-run", (int)(strrchr(self, '/') - self),
             self);
    snprintf(vendors, sizeof vendors, "%.*s/../tests/vendors",
             (int)(strrchr(self, '/') - self), self);
    for (int a = 2; a < argc; a += 2) {
        if (a + 1 < argc && strcmp(argv[a], "--vendors") == 0) {
            snprintf(vendors, sizeof vendors, "%s", argv[a + 1]);
        } else if (a + 1 < argc && strcmp(argv[a], "--dl-run") == 0) {
            snprintf(runner, sizeof runner, "%s", argv[a + 1]);
        } else {
            overhead_usage(stderr);
            return 2;
        }
    }
    if (access(vendors, F_OK) == 0)
        setenv("OCL_ICD_VENDORS", vendors, 1);
    /* What the user has set of DL is not to be measured, nor DL where it should not
     * be. */
    unsetenv("LD_PRELOAD");
    unsetenv("OPENCL_LAYERS");
    for (int i = 0; i < DL_OPTION_COUNT; i++)
        if (dl_option_row((enum dl_option)i)->environment)
            unsetenv(dl_option_row((enum dl_option)i)->environment);
    if (!mkdtemp(directory)) {
        perror(directory);
        return 1;
    }
    if (!cases_count(self, NULL, directory, native, clang) ||
        !cases_count(self, runner, directory, under_dl, clang)) {
        rmdir(directory);
        return 1;
    }
    rmdir(directory);
    printf("instructions of a call           native  under DL   added  bound  locks\n");
    for (size_t c = 0; c < CASES; c++) {
        double added = under_dl[c].instructions - native[c].instructions;
        double locks = under_dl[c].locks - native[c].locks;
        bool over = added > cases[c].limit || locks > 0;

        printf("%-31s %7.0f %9.0f %7.1f %6.0f %6.2f%s\n", cases[c].name,
               native[c].instructions, under_dl[c].instructions, added, cases[c].limit,
               locks, over ? "  TOO MANY" : "");
        good = good && !over;
    }
    if (clang[0]) {
        printf("a libclang was loaded: %s", clang);
        good = false;
    }
    return good ? 0 : 1;
}
