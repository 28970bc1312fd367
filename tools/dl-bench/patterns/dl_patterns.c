/* SPDX-License-Identifier: MIT */
/* dl-patterns: runs one pattern of the table, as an ordinary OpenCL program. */
#include "patterns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char patterns_kernel_text[]; /* patterns.cl */

enum {
    NOISE_FLOATS = 1048573, /* a prime: no power of two repeats with it */
    NOISE_BEGIN = 1009      /* each buffer begins so much later in the noise */
};

struct settings {
    const char *device, *pattern, *timeline;
    int step_count, shrink;
    bool list;
};

static bool parse_settings(int argc, char **argv, struct settings *settings, bool *help)
{
    const struct sample_option options[] = {
        {"--pattern", SAMPLE_TEXT, &settings->pattern, "which one; see --list"},
        {"--list", SAMPLE_FLAG, &settings->list,
         "print the patterns: name, most steps, what it does"},
        {"--device", SAMPLE_TEXT, &settings->device,
         "part of the device's or platform's name"},
        {"--steps", SAMPLE_COUNT, &settings->step_count, "how often (default 100)"},
        {"--shrink", SAMPLE_COUNT, &settings->shrink,
         "buffers are so many times smaller (default 1)"},
        {"--timeline", SAMPLE_TEXT, &settings->timeline,
         "write to this file when each step ended"},
    };
    return sample_options_parse(
        argc, argv, "One way in which OpenCL programs use their buffers, by itself.",
        options, sizeof options / sizeof *options, help);
}

static const struct pattern *find_pattern(const char *name)
{
    for (size_t p = 0; p < pattern_count; p++)
        if (name && strcmp(patterns[p].name, name) == 0)
            return &patterns[p];
    fprintf(stderr, "dl-patterns: %s: no such pattern; --list prints them\n",
            name ? name : "--pattern is missing");
    return NULL;
}

static void list_patterns(void)
{
    for (size_t p = 0; p < pattern_count; p++)
        printf("%s %d %s\n", patterns[p].name, patterns[p].step_max, patterns[p].help);
}

/* The head of patterns.cl and one section; the caller frees it. */
static char *section_text(const char *section)
{
    const char *head_end = strstr(patterns_kernel_text, "//---- "), *from, *to;
    char mark[64], *text = NULL;
    size_t head_bytes = (size_t)(head_end - patterns_kernel_text), bytes;
    snprintf(mark, sizeof mark, "//---- %s:", section);
    from = strstr(patterns_kernel_text, mark);
    if (!from) {
        fprintf(stderr, "dl-patterns: patterns.cl has no section %s\n", section);
        return NULL;
    }
    to = strstr(from + 1, "//---- ");
    bytes = to ? (size_t)(to - from) : strlen(from);
    text = malloc(head_bytes + bytes + 1);
    if (text) {
        memcpy(text, patterns_kernel_text, head_bytes);
        memcpy(text + head_bytes, from, bytes);
        text[head_bytes + bytes] = '\0';
    }
    return text;
}

static bool build(struct pattern_run *run)
{
    char options[32], *text = section_text(run->pattern->section);
    bool good = text != NULL;
    cl_int error;
    snprintf(options, sizeof options, "-DWORDS=%u", run->pattern->words);
    good = good && sample_cl_build(&run->cl, NULL, text, options);
    free(text);
    for (size_t a = 0; a < run->act_count && good; a++) {
        struct act *act = &run->acts[a];
        if (act->kind != ACT_LAUNCH)
            continue;
        act->kernel = clCreateKernel(run->cl.program, act->kernel_name, &error);
        good = sample_cl_ok(error, "clCreateKernel");
    }
    return good;
}

/* ---- the buffers ---- */

static int place(size_t i, size_t count)
{
    uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 31)) * 0xbf58476d1ce4e5b9;
    return (int)((bits >> 32) * count >> 32);
}

/* The first state of a buffer; the noise is repeated. */
static void fill(float *data, char letter, size_t floats, const struct pattern_run *run,
                 const float *noise)
{
    unsigned words = run->pattern->words;
    for (size_t i = 0; letter != 'p' && i < floats; i += NOISE_FLOATS)
        memcpy(data + i, noise,
               (floats - i < NOISE_FLOATS ? floats - i : NOISE_FLOATS) * sizeof *data);
    for (size_t i = 0; letter != 's' && letter != 'o' && i < run->count; i++) {
        int number = place(i, run->count);
        memcpy(data + i * (letter == 'i' ? words : 1), &number, sizeof number);
    }
}

/* Of a buffer in the host's memory, which stays mapped as long as the program runs. */
static float *pin(struct pattern_run *run, int b, size_t bytes)
{
    cl_int error;
    float *host = NULL;
    run->mems[b] =
        clCreateBuffer(run->cl.context, CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &error);
    if (!sample_cl_ok(error, "clCreateBuffer"))
        return NULL;
    host =
        clEnqueueMapBuffer(run->cl.queue, run->mems[b], CL_TRUE,
                           CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &error);
    return sample_cl_ok(error, "clEnqueueMapBuffer") ? host : NULL;
}

static bool make_buffers(struct pattern_run *run, const float *noise)
{
    size_t most = 0, bytes;
    const char *letters = run->pattern->buffers;
    char *pinned = strchr(letters, 'h');
    for (int b = 0; letters[b]; b++)
        most = run->bytes[b] > most ? run->bytes[b] : most;
    bytes = most + 64 * sizeof *run->host;
    run->host = pinned ? pin(run, (int)(pinned - letters), bytes) : malloc(bytes);
    if (!run->host) {
        if (!pinned)
            fputs("out of memory\n", stderr);
        return false;
    }
    for (int b = 0; letters[b] && letters[b] != 'h'; b++) {
        fill(run->host, letters[b], run->bytes[b] / sizeof(float), run,
             noise + NOISE_BEGIN * b);
        run->mems[b] = sample_cl_buffer(&run->cl, run->bytes[b], run->host);
        if (!run->mems[b])
            return false;
    }
    fill(run->host, 's', most / sizeof(float) + 64, run, noise);
    return true;
}

static bool checksum(struct pattern_run *run, uint64_t *sum)
{
    for (int b = 0; run->pattern->buffers[b]; b++) {
        if (strchr("ph", run->pattern->buffers[b]))
            continue; /* nobody writes it, or the host has it */
        if (!sample_cl_ok(clEnqueueReadBuffer(run->cl.queue, run->mems[b], CL_TRUE, 0,
                                              run->bytes[b], run->host, 0, NULL, NULL),
                          "clEnqueueReadBuffer"))
            return false;
        *sum = *sum * 3 + sample_checksum(run->host, run->bytes[b]);
    }
    return true;
}

static void set_sizes(struct pattern_run *run, int shrink)
{
    const struct pattern *pattern = run->pattern;
    size_t bytes = pattern->words * sizeof(float);
    run->count = pattern->kib * 1024 / (size_t)shrink / bytes;
    run->count -= run->count % PATTERN_GROUP;
    if (run->count == 0)
        run->count = PATTERN_GROUP;
    for (int b = 0; pattern->buffers[b]; b++)
        run->bytes[b] = run->count * (strchr("si", pattern->buffers[b]) ? bytes : 4);
}

static bool run_pattern(const struct settings *settings, struct pattern_run *run,
                        uint64_t *sum)
{
    bool good = false;
    const size_t floats = NOISE_FLOATS + NOISE_BEGIN * PATTERN_BUFFERS;
    float *noise = malloc(floats * sizeof *noise);
    for (size_t i = 0; noise && i < floats; i++)
        noise[i] = sample_noise(i);
    set_sizes(run, settings->shrink);
    if (!noise || !acts_parse(run))
        goto out;
    if (run->stamps)
        sample_timeline_by_host();
    if (!sample_cl_open(settings->device, false, &run->cl) || !build(run) ||
        !make_buffers(run, noise))
        goto out;
    if (!sample_timeline_turn(&run->cl) || (run->stamps && !sample_timeline_stamp()))
        goto out;
    for (int step = 0; step < settings->step_count; step++)
        if (!acts_run(run, step))
            goto out;
    if (settings->timeline && !sample_timeline_finish(&run->cl))
        goto out;
    good = checksum(run, sum);
out:
    for (int b = 0; b < PATTERN_BUFFERS; b++)
        if (run->mems[b])
            clReleaseMemObject(run->mems[b]);
    for (size_t a = 0; a < run->act_count; a++)
        if (run->acts[a].kernel)
            clReleaseKernel(run->acts[a].kernel);
    sample_cl_close(&run->cl);
    if (!strchr(run->pattern->buffers, 'h'))
        free(run->host);
    free(noise);
    return good;
}

int main(int argc, char **argv)
{
    struct settings settings = {.step_count = 100, .shrink = 1};
    struct pattern_run run = {0};
    uint64_t sum = 0;
    bool help;
    if (!parse_settings(argc, argv, &settings, &help))
        return SAMPLE_USAGE;
    if (help)
        return EXIT_SUCCESS;
    if (settings.list) {
        list_patterns();
        return EXIT_SUCCESS;
    }
    run.pattern = find_pattern(settings.pattern);
    if (!run.pattern || (settings.timeline && !sample_timeline_open(settings.timeline)))
        return SAMPLE_USAGE;
    if (run.pattern->step_max && settings.step_count > run.pattern->step_max)
        settings.step_count = run.pattern->step_max;
    if (!run_pattern(&settings, &run, &sum))
        return EXIT_FAILURE;
    printf("checksum: %016llx\n", (unsigned long long)sum);
    return EXIT_SUCCESS;
}
