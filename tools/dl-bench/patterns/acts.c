/* SPDX-License-Identifier: MIT */
/* The verbs of a pattern's steps. */
#include "patterns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading them ---- */

static bool is_buffer(const struct pattern_run *run, int number)
{
    return number >= 0 && number < (int)strlen(run->pattern->buffers);
}

static bool launch_parse(const struct pattern_run *run, const char *text, struct act *act)
{
    size_t items = run->count;
    if (sscanf(text, "launch %31s %7s %zu", act->kernel_name, act->arguments, &items) < 2)
        return false;
    for (const char *at = act->arguments; *at; at++)
        if (*at != 'n' && !is_buffer(run, *at - '0'))
            return false;
    act->kind = ACT_LAUNCH;
    act->length = items;
    return true;
}

static bool act_parse(const struct pattern_run *run, const char *text, struct act *act)
{
    char verb[16];
    int read;
    if (sscanf(text, "%15s", verb) != 1)
        return false;
    if (strcmp(verb, "launch") == 0)
        return launch_parse(run, text, act);
    if (strcmp(verb, "wait") == 0 || strcmp(verb, "stamp") == 0) {
        act->kind = *verb == 'w' ? ACT_WAIT : ACT_STAMP;
        return true;
    }
    if (strcmp(verb, "swap") == 0) {
        act->kind = ACT_SWAP;
        return sscanf(text, " swap %d %d", &act->buffer, &act->other) == 2 &&
               is_buffer(run, act->buffer) && is_buffer(run, act->other);
    }
    act->kind = strcmp(verb, "read") == 0 ? ACT_READ : ACT_WRITE;
    read = sscanf(text, " %*s %d %zu", &act->buffer, &act->length);
    if (read < 1 || !is_buffer(run, act->buffer) ||
        (act->kind == ACT_WRITE && strcmp(verb, "write") != 0))
        return false;
    if (read == 1 || act->length * sizeof(float) > run->bytes[act->buffer])
        act->length = run->bytes[act->buffer] / sizeof(float);
    return true;
}

bool acts_parse(struct pattern_run *run)
{
    char *text = strdup(run->pattern->each), *rest = text;
    bool good = text != NULL;
    for (char *part; good && (part = strsep(&rest, ";")) != NULL;) {
        part += strspn(part, " ");
        good = run->act_count < PATTERN_ACTS &&
               act_parse(run, part, &run->acts[run->act_count]);
        if (good)
            run->stamps = run->acts[run->act_count++].kind == ACT_STAMP || run->stamps;
        else
            fprintf(stderr, "dl-patterns: %s: can't do `%s`\n", run->pattern->name, part);
    }
    free(text);
    return good;
}

/* ---- doing them ---- */

static bool launch(struct pattern_run *run, const struct act *act, cl_event *event)
{
    const size_t group = PATTERN_GROUP;
    cl_int error = CL_SUCCESS, count = (cl_int)run->count;
    for (cl_uint i = 0; act->arguments[i] && error == CL_SUCCESS; i++) {
        char letter = act->arguments[i];
        error = letter == 'n' ? clSetKernelArg(act->kernel, i, sizeof count, &count)
                              : clSetKernelArg(act->kernel, i, sizeof *run->mems,
                                               &run->mems[letter - '0']);
    }
    if (!sample_cl_ok(error, "clSetKernelArg"))
        return false;
    return sample_cl_ok(clEnqueueNDRangeKernel(run->cl.queue, act->kernel, 1, NULL,
                                               &act->length, &group, 0, NULL, event),
                        "clEnqueueNDRangeKernel");
}

/* The host's numbers differ from step to step: they begin elsewhere in its noise. */
static bool transfer(struct pattern_run *run, const struct act *act, int step,
                     cl_event *event)
{
    size_t bytes = act->length * sizeof(float);
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

static bool act_run(struct pattern_run *run, const struct act *act, int step)
{
    bool good;
    cl_mem swapped;
    cl_event event = NULL;
    cl_event *seen = sample_timeline_wanted() ? &event : NULL;
    switch (act->kind) {
    case ACT_LAUNCH:
        good = launch(run, act, seen);
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

bool acts_run(struct pattern_run *run, int step)
{
    for (size_t a = 0; a < run->act_count; a++)
        if (!act_run(run, &run->acts[a], step))
            return false;
    sample_timeline_step();
    return true;
}
