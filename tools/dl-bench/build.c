/* SPDX-License-Identifier: MIT */
/* dl-bench build: what DL adds to the building of annotated kernels (bench/build.cl), and
 * what is left of it at a program's second run. This program runs natively and under
 * dl-run, each time in a process of its own, and builds and launches; DL's own times are
 * those of its statistics. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "annotate/annotate.h"
#include "bench.h"

extern const char bench_build_cl[];
extern const unsigned long bench_build_cl_bytes;

enum { RUNS_MAX = 101, SIDE = 32, SCANS = 1000, COMMAND_BYTES = 6 * PATH_MAX };

static double milliseconds(void)
{
    return now_s() * 1e3;
}

/* ---- the program that is measured ---- */

static void must(cl_int err, const char *what)
{
    if (err == CL_SUCCESS)
        return;
    fprintf(stderr, "dl-bench build: %s gave %d\n", what, err);
    exit(1);
}

/* Prints the milliseconds of clBuildProgram and of the first launch, to its end. */
static int program_main(const char *part)
{
    const char *text = bench_build_cl;
    const size_t bytes = bench_build_cl_bytes, global[2] = {SIDE, SIDE};
    const cl_int side = SIDE;
    const cl_float rho = 1.0f;
    struct device device;
    double start, built, launched;
    cl_program program;
    cl_kernel kernel;
    cl_mem grid;
    cl_int err;

    if (!device_open(&device, part))
        return 1;
    program = clCreateProgramWithSource(device.context, 1, &text, &bytes, &err);
    must(err, "clCreateProgramWithSource");
    start = milliseconds();
    must(clBuildProgram(program, 1, &device.id, "", NULL, NULL), "clBuildProgram");
    built = milliseconds();
    kernel = clCreateKernel(program, "fluid_clear", &err);
    must(err, "clCreateKernel");
    grid =
        clCreateBuffer(device.context, CL_MEM_READ_WRITE, SIDE * SIDE * 48, NULL, &err);
    must(err, "clCreateBuffer");
    must(clSetKernelArg(kernel, 0, sizeof grid, &grid), "clSetKernelArg");
    must(clSetKernelArg(kernel, 1, sizeof side, &side), "clSetKernelArg");
    must(clSetKernelArg(kernel, 2, sizeof side, &side), "clSetKernelArg");
    must(clSetKernelArg(kernel, 3, sizeof rho, &rho), "clSetKernelArg");
    launched = milliseconds();
    must(clEnqueueNDRangeKernel(device.queue, kernel, 2, NULL, global, NULL, 0, NULL,
                                NULL),
         "clEnqueueNDRangeKernel");
    must(clFinish(device.queue), "clFinish");
    printf("%s: %f %f\n", device.name, built - start, milliseconds() - launched);
    clReleaseMemObject(grid);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    device_close(&device);
    return 0;
}

/* ---- measuring ---- */

#define COLUMN_MAP(X)                                                                    \
    X(build, "build")                                                                    \
    X(launch, "launch")                                                                  \
    X(load, "load_ms")                                                                   \
    X(expand, "expand_ms")                                                               \
    X(parse, "parse_ms")                                                                 \
    X(rewrite, "rewrite_ms")                                                             \
    X(total, "total_ms")

enum column {
#define X(name, key) COLUMN_##name,
    COLUMN_MAP(X)
#undef X
        COLUMNS
};

struct kind {
    const char *name;
    bool under_dl, fresh;
    double ms[COLUMNS][RUNS_MAX];
};

struct bench {
    char folder[PATH_MAX], device_name[128]; /* of dl-bench */
    char work[WORK_BYTES];
    const char *part;
};

/* Runs the program once. False: it failed. */
static bool run_once(struct bench *bench, struct kind *kind, size_t run)
{
    char command[COMMAND_BYTES] = "", line[1024];
    bool good = false;
    FILE *pipe, *stats;

    if (kind->fresh) {
        folder_remove(bench->work);
        if (mkdir(bench->work, 0700) != 0)
            return false;
    }
    if (kind->under_dl)
        snprintf(command, sizeof command,
                 "'%s/dl-run' --layout asta --cache '%s/dl' --stats='%s/stats' -- ",
                 bench->folder, bench->work, bench->work);
    snprintf(command + strlen(command), sizeof command - strlen(command),
             "'%s/dl-bench' build --program '%s'", bench->folder, bench->part);
    pipe = popen(command, "r");
    while (pipe && fgets(line, sizeof line, pipe)) {
        char *colon = strrchr(line, ':');

        if (colon && sscanf(colon, ": %lf %lf", &kind->ms[COLUMN_build][run],
                            &kind->ms[COLUMN_launch][run]) == 2) {
            snprintf(bench->device_name, sizeof bench->device_name, "%.*s",
                     (int)(colon - line), line);
            good = true;
        }
    }
    good = pipe && pclose(pipe) == 0 && good;
    if (!good || !kind->under_dl)
        return good;
    snprintf(command, sizeof command, "%s/stats", bench->work);
    stats = fopen(command, "r");
    while (stats && fgets(line, sizeof line, stats)) {
#define X(name, key)                                                                     \
    if (COLUMN_##name >= COLUMN_load && strstr(line, "\"" key "\":"))                    \
        kind->ms[COLUMN_##name][run] =                                                   \
            strtod(strstr(line, "\"" key "\":") + strlen("\"" key "\":"), NULL);
        if (strstr(line, "\"texts_rewritten\"")) {
            COLUMN_MAP(X)
        }
#undef X
    }
    if (stats)
        fclose(stats);
    return stats != NULL;
}

/* How long DL looks at a program of this size without annotations. */
static double scan_ms(void)
{
    size_t bytes = bench_build_cl_bytes;
    char *text = malloc(bytes);
    volatile bool wanted = false;
    double start;

    if (!text)
        return 0;
    memcpy(text, bench_build_cl, bytes);
    for (char *at = text; (at = memmem(at, bytes - (size_t)(at - text), "//DL", 4));)
        at[2] = 'd';
    start = milliseconds();
    for (int i = 0; i < SCANS; i++)
        wanted = wanted || dl_annotate_wanted(text, bytes, NULL) ||
                 dl_annotate_is_rewritten(text, bytes);
    start = (milliseconds() - start) / SCANS;
    free(text);
    return wanted ? 0 : start;
}

static int measure(struct bench *bench, size_t runs)
{
    static struct kind kinds[] = {
        {.name = "natively", .fresh = true},
        {.name = "DL, first run", .under_dl = true, .fresh = true},
        {.name = "DL, second run", .under_dl = true}};
    enum { KINDS = COUNT(kinds) };
    struct progress progress = progress_begin(runs * KINDS);

    for (size_t r = 0; r < runs; r++) {
        for (size_t k = 0; k < KINDS; k++) {
            if (!run_once(bench, &kinds[k], r)) {
                fprintf(stderr, "dl-bench build: a run has failed: %s\n", kinds[k].name);
                return 1;
            }
            progress_step(&progress);
        }
    }
    printf("%s; milliseconds, medians of %zu runs, each with caches of its own\n"
           "%-15s %9s %9s  |%9s %8s %8s %8s %8s\n",
           bench->device_name, runs, "", "build", "launch", "libclang", "expand", "parse",
           "rewrite", "DL's own");
    for (size_t k = 0; k < KINDS; k++) {
        printf("%-15s", kinds[k].name);
        for (size_t c = 0; c < (kinds[k].under_dl ? COLUMNS : COLUMN_load); c++)
            printf(c == COLUMN_load  ? "  |%9.2f"
                   : c > COLUMN_load ? " %8.2f"
                                     : " %9.2f",
                   median_of(kinds[k].ms[c], runs));
        putchar('\n');
    }
    printf("looking through as much text without annotations: %.4f\n", scan_ms());
    return 0;
}

#define BUILD_OPTION_MAP(X)                                                              \
    BENCH_DEVICE(X)                                                                      \
    X(runs, "N", "7", "runs of each kind, 1 to 101")

struct build_options {
    BUILD_OPTION_MAP(BENCH_FIELD)
};

int build_main(int argc, char **argv)
{
    static const struct bench_option options_known[] = {BUILD_OPTION_MAP(BENCH_ROW)};
    static const struct bench_command command = {
        "usage: dl-bench build [options]\n"
        "`build` is the program's clBuildProgram with all that DL does in it, `launch` "
        "the\n"
        "first launch and what is built for it. The columns behind the bar are of DL "
        "alone:\n"
        "loading libclang, then expanding macros, libclang's parse and the rest of "
        "rewriting;\n"
        "the last is all work on the text, without the loading.\n",
        options_known, COUNT(options_known), NULL};
    struct build_options options;
    struct bench bench = {.part = ""};
    char pocl[WORK_BYTES + 8];
    size_t runs;
    int code;

    if (argc == 4 && strcmp(argv[2], "--program") == 0)
        return program_main(argv[3]);
    code = bench_options_read(&command, argc, argv, &options);
    if (code != BENCH_GO_ON)
        return code;
    runs = strtoul(options.runs, NULL, 10);
    if (runs < 1 || runs > RUNS_MAX || strchr(options.device, '\'')) {
        fprintf(stderr, "dl-bench build: look at --runs and --device\n");
        return 2;
    }
    bench.part = options.device;
    if (!own_folder(bench.folder) || strchr(bench.folder, '\'') || !work_make(bench.work))
        return 1;
    environment_without_dl();
    /* A driver with a cache of its own would be measured with what it knows from earlier.
     */
    snprintf(pocl, sizeof pocl, "%s/pocl", bench.work);
    setenv("POCL_CACHE_DIR", pocl, 1);
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    code = measure(&bench, runs);
    folder_remove(bench.work);
    return code;
}
