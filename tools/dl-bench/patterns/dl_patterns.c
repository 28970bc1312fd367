/* SPDX-License-Identifier: MIT */
/* dl-patterns: small OpenCL programs, one for each way in which programs use their
 * buffers. They know nothing of DL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sample.h"

enum { PATTERN_BUFFERS = 3, PATTERN_ACTS = 4, PATTERN_GROUP = 64 };

/* A pattern. Its buffers 0, 1, ... are described by `buffers`, a letter each:
 *   s  `count` structs of `words` floats
 *   i  `count` structs of which word 0 is a random place (an int, below `count`)
 *   p  `count` random places
 *   o  `count` floats
 *   h  pinned memory of the host, in place of malloc's, for what it reads and writes; the
 *      last letter
 * A step does what `each` says:
 *   LAUNCH(kernel, arguments, items)   arguments: buffers' numbers, and n, the count;
 *                                      items: 0 for `count`
 *   READ(b, floats), WRITE(b, floats)  from the buffer's beginning, 0: all of it; the
 *                                      host writes other numbers each time
 *   SWAP(a, b)                         each stands for the other from now on
 *   WAIT                               until all that is done
 *   STAMP                              the same, and the host's clock times the step:
 *                                      as most programs', its queue has no profiling
 */
enum act_kind {
    ACT_NONE,
    ACT_LAUNCH,
    ACT_READ,
    ACT_WRITE,
    ACT_SWAP,
    ACT_WAIT,
    ACT_STAMP
};

struct act {
    enum act_kind kind;
    const char *kernel, *arguments;
    int buffer, other;
    size_t length; /* work-items, or floats */
};

#define LAUNCH(kernel, arguments, items)                                                 \
    {                                                                                    \
        ACT_LAUNCH, kernel, arguments, 0, 0, items                                       \
    }
#define READ(buffer, floats)                                                             \
    {                                                                                    \
        ACT_READ, NULL, NULL, buffer, 0, floats                                          \
    }
#define WRITE(buffer, floats)                                                            \
    {                                                                                    \
        ACT_WRITE, NULL, NULL, buffer, 0, floats                                         \
    }
#define SWAP(buffer, other)                                                              \
    {                                                                                    \
        ACT_SWAP, NULL, NULL, buffer, other, 0                                           \
    }
#define WAIT                                                                             \
    {                                                                                    \
        ACT_WAIT, NULL, NULL, 0, 0, 0                                                    \
    }
#define STAMP                                                                            \
    {                                                                                    \
        ACT_STAMP, NULL, NULL, 0, 0, 0                                                   \
    }
#define EACH(...)                                                                        \
    {                                                                                    \
        __VA_ARGS__                                                                      \
    }

struct pattern {
    const char *name, *section; /* of patterns.cl */
    unsigned words;
    size_t kib;   /* of a buffer of structs: `count` follows */
    int step_max; /* where a step takes long; 0: as many as are liked */
    const char *buffers;
    struct act each[PATTERN_ACTS]; /* those behind the last are none */
    const char *help;
};

enum { CACHE = 16 << 10, BEYOND = 256 << 10 /* KiB */ };
enum { ANY = 0 /* as many steps as are liked */ };

/* A new kernel is a section of patterns.cl. */

static const struct pattern patterns[] = {
    /* -- structs at places from memory -- */
    {"gather_2", "gather", 2, BEYOND, ANY, "spo", EACH(LAUNCH("gather", "012n", 0)),
     "structs of 2 floats"},
    {"gather_4", "gather", 4, BEYOND, ANY, "spo", EACH(LAUNCH("gather", "012n", 0)),
     "structs of 4 floats"},
    {"gather_8", "gather", 8, BEYOND, ANY, "spo", EACH(LAUNCH("gather", "012n", 0)),
     "structs of 8 floats"},
    {"gather_16", "gather", 16, BEYOND, ANY, "spo", EACH(LAUNCH("gather", "012n", 0)),
     "structs of 16 floats"},
    {"gather_16_cache", "gather", 16, CACHE, ANY, "spo",
     EACH(LAUNCH("gather", "012n", 0)), "the same in a cache"},
    {"bins", "bins", 4, CACHE, ANY, "sp", EACH(LAUNCH("fill_bins", "01n", 0)),
     "atomic counters, scattered"},
    {"chase", "chase", 8, BEYOND / 4, 300, "io", EACH(LAUNCH("chase", "01n", 0)),
     "16 links each"},
    {"shared", "shared", 8, BEYOND, ANY, "spo",
     EACH(LAUNCH("stream", "0n", 0), LAUNCH("pick", "012n", 0)),
     "one kernel streams, one gathers"},
    /* -- the same structs for all, or one struct for each -- */
    {"uniform", "uniform", 16, BEYOND, ANY, "so", EACH(LAUNCH("uniform_reads", "01n", 0)),
     "all read the same 64 structs"},
    {"nbody", "nbody", 8, 512, ANY, "ss", EACH(LAUNCH("nbody", "01n", 0), SWAP(0, 1)),
     "all read all"},
    {"walk_16", "walk", 16, BEYOND, ANY, "spo", EACH(LAUNCH("walk", "012n", 0)),
     "along 16 floats each"},
    {"walk_64", "walk", 64, BEYOND, ANY, "spo", EACH(LAUNCH("walk", "012n", 0)),
     "along 64 floats each"},
    {"all_8", "read_all", 8, BEYOND, ANY, "so", EACH(LAUNCH("read_all", "01n", 0)),
     "all of 8 members"},
    {"all_32", "read_all", 32, BEYOND, ANY, "so", EACH(LAUNCH("read_all", "01n", 0)),
     "all of 32 members"},
    {"everything_8", "everything", 8, BEYOND, ANY, "s",
     EACH(LAUNCH("everything", "0n", 0)), "all of 8 members read and written"},
    {"copy_4", "copy", 4, BEYOND, ANY, "ss", EACH(LAUNCH("copy", "01n", 0)),
     "whole structs of 4 floats"},
    {"copy_16", "copy", 16, BEYOND, ANY, "ss", EACH(LAUNCH("copy", "01n", 0)),
     "whole structs of 16 floats"},
    {"copy_32", "copy", 32, BEYOND, 300, "ss", EACH(LAUNCH("copy", "01n", 0)),
     "whole structs of 32 floats"},
    /* -- some members -- */
    {"one_of_16", "one_to", 16, BEYOND, ANY, "ss", EACH(LAUNCH("one_to", "01n", 0)),
     "reads one, writes one of 16 floats"},
    {"one_of_16_cache", "one_to", 16, CACHE, ANY, "ss", EACH(LAUNCH("one_to", "01n", 0)),
     "the same in a cache"},
    {"one_of_16_tiny", "one_to", 16, 64, ANY, "ss", EACH(LAUNCH("one_to", "01n", 0)),
     "the same, as good as no work"},
    {"one_of_16_waits", "one", 16, CACHE, ANY, "s", EACH(LAUNCH("one", "0n", 0), WAIT),
     "the host waits for each step"},
    {"unprofiled", "update", 8, BEYOND, ANY, "s",
     EACH(LAUNCH("update", "0n", 0), LAUNCH("update", "0n", 0), LAUNCH("update", "0n", 0),
          STAMP),
     "3 of 8 members, three times, by the host's clock"},
    {"unprofiled_tiny", "one", 16, 64, ANY, "s",
     EACH(LAUNCH("one", "0n", 0), LAUNCH("one", "0n", 0), LAUNCH("one", "0n", 0), STAMP),
     "as good as no work, three times, by the host's clock"},
    {"update_3", "update", 3, BEYOND, ANY, "s", EACH(LAUNCH("update", "0n", 0)),
     "2 of 3 members, and a third"},
    {"update_8", "update", 8, BEYOND, ANY, "s", EACH(LAUNCH("update", "0n", 0)),
     "3 of 8 members"},
    {"update_8_cache", "update", 8, CACHE, ANY, "s", EACH(LAUNCH("update", "0n", 0)),
     "the same in a cache"},
    {"narrow_2", "read_all", 2, BEYOND, ANY, "so", EACH(LAUNCH("read_all", "01n", 0)),
     "2 floats, streamed"},
    {"wide_64", "wide", 64, BEYOND, ANY, "s", EACH(LAUNCH("wide", "0n", 0)),
     "3 of 64 members"},
    {"wide_400", "wide", 400, BEYOND, ANY, "s", EACH(LAUNCH("wide", "0n", 0)),
     "3 of 400 members"},
    {"stencil_8", "stencil", 8, BEYOND, ANY, "ss",
     EACH(LAUNCH("stencil", "01n", 0), SWAP(0, 1)), "neighbours' members, by turns"},
    {"strided", "strided", 8, BEYOND, ANY, "so", EACH(LAUNCH("strided", "01n", 0)),
     "neighbours far apart, as in a transposed image"},
    {"flat_20", "flat", 20, BEYOND, ANY, "s", EACH(LAUNCH("flat_rows", "0n", 0)),
     "rows of a flat buffer"},
    {"mixed", "mixed", 2, BEYOND, ANY, "s", EACH(LAUNCH("mixed_members", "0n", 0)),
     "members of 1, 2 and 4 bytes"},
    {"records", "records", 6, BEYOND, ANY, "s", EACH(LAUNCH("records", "0n", 0)),
     "members of 8 and 4 bytes"},
    /* -- the host, and other kernels -- */
    {"single", "one", 16, BEYOND, 1, "s", EACH(LAUNCH("one", "0n", 0)),
     "launched once and read"},
    {"rewritten_one", "one", 16, CACHE, 300, "s",
     EACH(WRITE(0, 0), LAUNCH("one", "0n", 0)), "the host rewrites all; 2 of 16 members"},
    {"rewritten_all", "read_all", 16, CACHE, 300, "so",
     EACH(WRITE(0, 0), LAUNCH("read_all", "01n", 0)),
     "the host rewrites all; 16 of 16 members"},
    {"rewritten_pinned", "read_all", 16, CACHE, 300, "soh",
     EACH(WRITE(0, 0), LAUNCH("read_all", "01n", 0)), "the same from pinned memory"},
    {"read_back", "one", 16, CACHE, 300, "s", EACH(LAUNCH("one", "0n", 0), READ(0, 0)),
     "the host reads all after each"},
    {"read_back_pinned", "one", 16, CACHE, 300, "sh",
     EACH(LAUNCH("one", "0n", 0), READ(0, 0)), "the same to pinned memory"},
    {"probe", "update", 8, BEYOND, ANY, "s",
     EACH(LAUNCH("update", "0n", 0), READ(0, 512)),
     "the host reads 64 structs after each"},
    {"poke", "update", 8, BEYOND, ANY, "s",
     EACH(WRITE(0, 512), LAUNCH("update", "0n", 0)),
     "the host writes 64 structs before each"},
    {"by_turns", "by_turns", 16, BEYOND, ANY, "s",
     EACH(LAUNCH("annotated", "0n", 0), LAUNCH("plain_update", "0n", 0)),
     "a kernel without annotation by turns"},
    {"refused", "refused", 16, BEYOND, ANY, "s",
     EACH(LAUNCH("annotated", "0n", 0), LAUNCH("across_members", "0n", 0)),
     "a kernel that can't be rewritten by turns"},
    {"look", "look", 16, BEYOND, ANY, "so",
     EACH(LAUNCH("look", "01n", 64), LAUNCH("add", "0", 1024)),
     "64 work-items read, then 1024 floats change"},
};

enum { PATTERNS = sizeof patterns / sizeof *patterns };

/* ---- one step ---- */

/* A pattern that is being run. */
struct pattern_run {
    const struct pattern *pattern;
    struct sample_cl cl;
    size_t count; /* structs */
    cl_mem mems[PATTERN_BUFFERS];
    size_t bytes[PATTERN_BUFFERS];
    cl_kernel kernels[PATTERN_ACTS]; /* of the launches */
    bool stamps;                     /* the host's clock times the steps */
    float *host;                     /* what the steps write, or read */
};

static bool launch(struct pattern_run *run, const struct act *act, cl_kernel kernel,
                   cl_event *event)
{
    const size_t group = PATTERN_GROUP, items = act->length ? act->length : run->count;
    cl_int error = CL_SUCCESS, count = (cl_int)run->count;
    for (cl_uint i = 0; act->arguments[i] && error == CL_SUCCESS; i++) {
        char letter = act->arguments[i];
        error = letter == 'n' ? clSetKernelArg(kernel, i, sizeof count, &count)
                              : clSetKernelArg(kernel, i, sizeof *run->mems,
                                               &run->mems[letter - '0']);
    }
    return sample_cl_ok(error, "clSetKernelArg") &&
           sample_cl_ok(clEnqueueNDRangeKernel(run->cl.queue, kernel, 1, NULL, &items,
                                               &group, 0, NULL, event),
                        "clEnqueueNDRangeKernel");
}

/* The host's numbers differ from step to step: they begin elsewhere in its noise. */
static bool transfer(struct pattern_run *run, const struct act *act, int step,
                     cl_event *event)
{
    size_t bytes = act->length * sizeof(float);
    if (bytes == 0 || bytes > run->bytes[act->buffer])
        bytes = run->bytes[act->buffer];
    if (act->kind == ACT_READ)
        return sample_cl_ok(clEnqueueReadBuffer(run->cl.queue, run->mems[act->buffer],
                                                CL_TRUE, 0, bytes, run->host, 0, NULL,
                                                event),
                            "clEnqueueReadBuffer");
    return sample_cl_ok(clEnqueueWriteBuffer(run->cl.queue, run->mems[act->buffer],
                                             CL_TRUE, 0, bytes, run->host + step % 64, 0,
                                             NULL, event),
                        "clEnqueueWriteBuffer");
}

static bool act_run(struct pattern_run *run, size_t a, int step)
{
    const struct act *act = &run->pattern->each[a];
    bool good;
    cl_mem swapped;
    cl_event event = NULL;
    cl_event *seen = sample_timeline_wanted() ? &event : NULL;
    switch (act->kind) {
    case ACT_LAUNCH:
        good = launch(run, act, run->kernels[a], seen);
        break;
    case ACT_READ:
    case ACT_WRITE:
        good = transfer(run, act, step, seen);
        break;
    case ACT_SWAP:
        swapped = run->mems[act->buffer];
        run->mems[act->buffer] = run->mems[act->other];
        run->mems[act->other] = swapped;
        return true;
    default:
        return sample_cl_ok(clFinish(run->cl.queue), "clFinish") &&
               (act->kind == ACT_WAIT || sample_timeline_stamp());
    }
    return good && (!seen || sample_timeline_add(event));
}

/* One step; its commands go to the timeline, or else nobody asks for their events. */
static bool acts_run(struct pattern_run *run, int step)
{
    for (size_t a = 0; a < PATTERN_ACTS && run->pattern->each[a].kind; a++)
        if (!act_run(run, a, step))
            return false;
    sample_timeline_step();
    return true;
}

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
         "make the buffers N times smaller (default 1)"},
        {"--timeline", SAMPLE_TEXT, &settings->timeline,
         "write to this file when each step ended"},
    };
    return sample_options_parse(
        argc, argv, "One way in which OpenCL programs use their buffers, by itself.",
        options, sizeof options / sizeof *options, help);
}

static const struct pattern *find_pattern(const char *name)
{
    for (size_t p = 0; p < PATTERNS; p++)
        if (name && strcmp(patterns[p].name, name) == 0)
            return &patterns[p];
    fprintf(stderr, "dl-patterns: --pattern%s%s: %s; --list prints the patterns\n",
            name ? " " : "", name ? name : "", name ? "unknown" : "missing");
    return NULL;
}

static void list_patterns(void)
{
    for (size_t p = 0; p < PATTERNS; p++)
        printf("%s %d %s\n", patterns[p].name, patterns[p].step_max, patterns[p].help);
}

/* The head of patterns.cl and one section; the caller frees it. */
static char *section_text(const char *section)
{
    const char *head_end = strstr(patterns_kernel_text, "//---- "), *from, *to;
    char mark[64], *text = NULL;
    snprintf(mark, sizeof mark, "//---- %s:", section);
    from = strstr(patterns_kernel_text, mark);
    if (!from) {
        fprintf(stderr, "dl-patterns: patterns.cl has no section %s\n", section);
        return NULL;
    }
    to = strstr(from + 1, "//---- ");
    if (asprintf(&text, "%.*s%.*s", (int)(head_end - patterns_kernel_text),
                 patterns_kernel_text, to ? (int)(to - from) : (int)strlen(from),
                 from) < 0)
        return NULL;
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
    for (size_t a = 0; a < PATTERN_ACTS && good; a++)
        if (run->pattern->each[a].kind == ACT_LAUNCH) {
            run->kernels[a] =
                clCreateKernel(run->cl.program, run->pattern->each[a].kernel, &error);
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
    if (!noise)
        goto out;
    for (size_t a = 0; a < PATTERN_ACTS; a++)
        run->stamps = run->stamps || run->pattern->each[a].kind == ACT_STAMP;
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
    for (size_t a = 0; a < PATTERN_ACTS; a++)
        if (run->kernels[a])
            clReleaseKernel(run->kernels[a]);
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
