/* SPDX-License-Identifier: MIT */
/* black_scholes: prices many European options on an OpenCL device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "black_scholes/reference.h"
#include "common/sample.h"

extern const char black_scholes_kernel_text[]; /* black_scholes.cl */

enum {
    OPTIONS_PER_ITEM = 4,
    OPTIONS_MAX = 1 << 30 /* the kernel's int index steps past the last option */
};

struct settings {
    const char *device, *kernel_file, *timeline;
    int option_count, step_count;
    bool check, profile;
    struct market market;
};

static bool parse_settings(int argc, char **argv, struct settings *settings, bool *help)
{
    const struct sample_option options[] = {
        {"--device", SAMPLE_TEXT, &settings->device,
         "part of the device's or platform's name"},
        {"--options", SAMPLE_COUNT, &settings->option_count,
         "how many options to price (default 1000000)"},
        {"--steps", SAMPLE_COUNT, &settings->step_count,
         "how often to price them all (default 100)"},
        {"--kernel", SAMPLE_TEXT, &settings->kernel_file,
         "read the kernel from this file instead of the built-in one"},
        {"--check", SAMPLE_FLAG, &settings->check,
         "compare with a scalar reference on the host"},
        {"--profile", SAMPLE_FLAG, &settings->profile,
         "also print device_s, the kernels' own time on the device"},
        {"--timeline", SAMPLE_TEXT, &settings->timeline,
         "write to this file when each step ended; none goes ahead of them"},
    };
    if (!sample_options_parse(argc, argv, "European options after Black and Scholes.",
                              options, sizeof options / sizeof *options, help))
        return false;
    if (settings->option_count > OPTIONS_MAX) {
        fprintf(stderr, "%s: --options %d: more than %d\n", argv[0],
                settings->option_count, OPTIONS_MAX);
        return false;
    }
    return true;
}

static bool set_arguments(cl_kernel kernel, cl_mem buffer,
                          const struct settings *settings)
{
    cl_int error = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (error == CL_SUCCESS)
        error = clSetKernelArg(kernel, 1, sizeof(cl_int), &settings->option_count);
    if (error == CL_SUCCESS)
        error = clSetKernelArg(kernel, 2, sizeof(cl_float), &settings->market.rate);
    if (error == CL_SUCCESS)
        error = clSetKernelArg(kernel, 3, sizeof(cl_float), &settings->market.volatility);
    return sample_cl_ok(error, "clSetKernelArg");
}

/* Prices the options in place. */
static bool price(const struct settings *settings, struct option *options, double *wall_s,
                  double *device_s)
{
    bool done = false;
    size_t count = (size_t)settings->option_count;
    size_t bytes = count * sizeof *options;
    size_t items = (count + OPTIONS_PER_ITEM - 1) / OPTIONS_PER_ITEM;
    size_t group = sample_group_length(items);
    cl_int error;
    cl_mem buffer = NULL;
    struct sample_cl cl;
    struct sample_run run = {
        .work_dim = 1,
        .global_size = {sample_round_up(items, group)},
        .local_size = {group},
        .step_count = settings->step_count,
        .profile = settings->profile,
    };
    if (!sample_cl_open(settings->device, settings->profile, &cl) ||
        !sample_cl_build(&cl, settings->kernel_file, black_scholes_kernel_text, ""))
        goto out;
    run.kernel = clCreateKernel(cl.program, "black_scholes", &error);
    if (!sample_cl_ok(error, "clCreateKernel"))
        goto out;
    buffer = sample_cl_buffer(&cl, bytes, options);
    if (!buffer || !set_arguments(run.kernel, buffer, settings) ||
        !sample_run_steps(&cl, &run, wall_s, device_s))
        goto out;
    done = sample_cl_ok(
        clEnqueueReadBuffer(cl.queue, buffer, CL_TRUE, 0, bytes, options, 0, NULL, NULL),
        "clEnqueueReadBuffer");
out:
    if (buffer)
        clReleaseMemObject(buffer);
    if (run.kernel)
        clReleaseKernel(run.kernel);
    sample_cl_close(&cl);
    return done;
}

int main(int argc, char **argv)
{
    int exit_code = EXIT_FAILURE;
    bool help;
    size_t count;
    double wall_s, device_s, error_max;
    struct option *options = NULL;
    struct settings settings = {
        .option_count = 1000000,
        .step_count = 100,
        .market = {.rate = 0.02f, .volatility = 0.3f},
    };
    if (!parse_settings(argc, argv, &settings, &help))
        return SAMPLE_USAGE;
    if (help)
        return EXIT_SUCCESS;
    if (settings.timeline && !sample_timeline_open(settings.timeline))
        return SAMPLE_USAGE;

    count = (size_t)settings.option_count;
    options = malloc(count * sizeof *options);
    if (!options) {
        fputs("out of memory\n", stderr);
        goto out;
    }
    option_fill(options, count);
    if (!price(&settings, options, &wall_s, &device_s))
        goto out;
    exit_code = EXIT_SUCCESS;
    if (settings.check) {
        if (option_check(options, count, &settings.market, &error_max))
            printf("check: passed, largest relative error %.2g\n", error_max);
        else
            exit_code = EXIT_FAILURE;
    }
    if (settings.profile)
        printf("device_s: %.6f\n", device_s);
    printf("checksum: %016llx\ntime_s: %.6f\noptions_per_s: %.4g\n",
           (unsigned long long)sample_checksum(options, count * sizeof *options), wall_s,
           (double)count * settings.step_count / wall_s);
out:
    free(options);
    return exit_code;
}
