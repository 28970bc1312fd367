/* SPDX-License-Identifier: MIT */
/* agents: lets many agents live through seasons on an OpenCL device. */
#include <stdio.h>
#include <stdlib.h>

#include "agents/reference.h"
#include "common/sample.h"

extern const char agents_kernel_text[]; /* agents.cl */

enum { AGENTS_MAX = 1 << 30 };

struct settings {
    const char *device, *kernel_file, *timeline;
    int agent_count, step_count;
    bool check, profile;
};

static bool parse_settings(int argc, char **argv, struct settings *settings, bool *help)
{
    const struct sample_option options[] = {
        {"--device", SAMPLE_TEXT, &settings->device,
         "part of the device's or platform's name"},
        {"--agents", SAMPLE_COUNT, &settings->agent_count,
         "how many agents there are (default 1000000)"},
        {"--steps", SAMPLE_COUNT, &settings->step_count,
         "how many seasons they live through (default 100)"},
        {"--kernel", SAMPLE_TEXT, &settings->kernel_file,
         "read the kernel from this file instead of the built-in one"},
        {"--check", SAMPLE_FLAG, &settings->check,
         "compare with a scalar reference on the host"},
        {"--profile", SAMPLE_FLAG, &settings->profile,
         "also print device_s, the kernels' own time on the device"},
        {"--timeline", SAMPLE_TEXT, &settings->timeline,
         "write to this file when each step ended; none goes ahead of them"},
    };
    if (!sample_options_parse(argc, argv, "Agents that eat and tire, season by season.",
                              options, sizeof options / sizeof *options, help))
        return false;
    if (settings->agent_count > AGENTS_MAX) {
        fprintf(stderr, "%s: --agents %d: more than %d\n", argv[0], settings->agent_count,
                AGENTS_MAX);
        return false;
    }
    return true;
}

static bool set_season(cl_kernel kernel, int step, void *user)
{
    (void)user;
    return sample_cl_ok(clSetKernelArg(kernel, 2, sizeof step, &step), "clSetKernelArg");
}

static bool set_arguments(cl_kernel kernel, cl_mem buffer, int count)
{
    cl_int error = clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    if (error == CL_SUCCESS)
        error = clSetKernelArg(kernel, 1, sizeof count, &count);
    return sample_cl_ok(error, "clSetKernelArg");
}

/* The agents live in place. */
static bool live(const struct settings *settings, struct agent *agents, double *wall_s,
                 double *device_s)
{
    bool done = false;
    size_t count = (size_t)settings->agent_count;
    size_t bytes = count * sizeof *agents;
    size_t group = sample_group_length(count);
    cl_int error;
    cl_mem buffer = NULL;
    struct sample_cl cl;
    struct sample_run run = {
        .work_dim = 1,
        .global_size = {sample_round_up(count, group)},
        .local_size = {group},
        .step_count = settings->step_count,
        .profile = settings->profile,
        .prepare = set_season,
    };
    if (!sample_cl_open(settings->device, settings->profile, &cl) ||
        !sample_cl_build(&cl, settings->kernel_file, agents_kernel_text, ""))
        goto out;
    run.kernel = clCreateKernel(cl.program, "season", &error);
    if (!sample_cl_ok(error, "clCreateKernel"))
        goto out;
    buffer = sample_cl_buffer(&cl, bytes, agents);
    if (!buffer || !set_arguments(run.kernel, buffer, settings->agent_count) ||
        !sample_run_steps(&cl, &run, wall_s, device_s))
        goto out;
    done = sample_cl_ok(
        clEnqueueReadBuffer(cl.queue, buffer, CL_TRUE, 0, bytes, agents, 0, NULL, NULL),
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
    double wall_s, device_s;
    struct agent *agents = NULL;
    struct settings settings = {.agent_count = 1000000, .step_count = 100};

    if (!parse_settings(argc, argv, &settings, &help))
        return SAMPLE_USAGE;
    if (help)
        return EXIT_SUCCESS;
    if (settings.timeline && !sample_timeline_open(settings.timeline))
        return SAMPLE_USAGE;
    count = (size_t)settings.agent_count;
    agents = malloc(count * sizeof *agents);
    if (!agents) {
        fputs("out of memory\n", stderr);
        goto out;
    }
    agents_fill(agents, count);
    if (!live(&settings, agents, &wall_s, &device_s))
        goto out;
    exit_code = EXIT_SUCCESS;
    if (settings.check) {
        if (agents_check(agents, count, settings.step_count))
            puts("check: passed");
        else
            exit_code = EXIT_FAILURE;
    }
    if (settings.profile)
        printf("device_s: %.6f\n", device_s);
    printf("checksum: %016llx\ntime_s: %.6f\nagents_per_s: %.4g\n",
           (unsigned long long)sample_checksum(agents, count * sizeof *agents), wall_s,
           (double)count * settings.step_count / wall_s);
out:
    free(agents);
    return exit_code;
}
