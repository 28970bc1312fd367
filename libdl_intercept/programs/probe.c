/* SPDX-License-Identifier: MIT */
/* Asking a device's compiler. */
#include "probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/contexts.h"
#include "compile.h"

/* A condition of #if, as the device's compiler decides it under some build options. */
struct answer {
    struct answer *next;
    cl_device_id device;
    char *options;
    char *condition;
    bool holds;
};

/* What is kept with a context. */
struct answers {
    struct dl__kept kept;
    struct answer *first DL__UNDER_LOCK;
};

static DL__WITH_LOCK void end_answers(void *context, void *kept)
{
    struct answers *answers = kept;
    struct answer *a;

    (void)context;
    while ((a = answers->first)) {
        answers->first = a->next;
        free(a->options);
        free(a->condition);
        free(a);
    }
}

static const struct dl__keeper keeper = {.bytes = sizeof(struct answers),
                                         .end = end_answers};

static DL__WITH_LOCK const struct answer *find(const struct dl__probe *probe,
                                               const char *condition)
{
    const struct answers *answers = dl__kept_find(probe->context, &keeper);
    const struct answer *a = answers ? answers->first : NULL;

    while (a && !(a->device == probe->device && !strcmp(a->options, probe->options) &&
                  !strcmp(a->condition, condition)))
        a = a->next;
    return a;
}

/* A kernel for each condition that holds, and one to tell a device with none from a build
 * that brought nothing. */
static char *probe_text(const char *const *conditions, size_t count)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    for (size_t i = 0; i < count; i++)
        fprintf(out, "#if (%s)\n__kernel void dl_holds_%zu(void) {}\n#endif\n",
                conditions[i], i);
    fputs("__kernel void dl_probed(void) {}\n", out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static bool has_kernel(cl_program program, const char *name, bool *out)
{
    cl_int err;
    cl_kernel kernel = dl__next.clCreateKernel(program, name, &err);

    if (err == CL_SUCCESS)
        dl__next.clReleaseKernel(kernel);
    *out = err == CL_SUCCESS;
    return err == CL_SUCCESS || err == CL_INVALID_KERNEL_NAME;
}

/* */
static DL__WITH_LOCK bool ask(const struct dl__probe *probe,
                              const char *const *conditions, size_t count, bool *holds)
{
    char *text = probe_text(conditions, count);
    char *options = dl__options_quiet(probe->options, "");
    cl_uint before = dl__context_count_begin(probe->context);
    cl_program program = NULL;
    bool answered = false, probed = false;

    if (text && options)
        program = dl__program_from_text(probe->context->object.handle, text);
    if (program && dl__next.clBuildProgram(program, 1, &probe->device, options, NULL,
                                           NULL) == CL_SUCCESS)
        answered = has_kernel(program, "dl_probed", &probed) && probed;
    for (size_t i = 0; answered && i < count; i++) {
        char name[32];

        snprintf(name, sizeof name, "dl_holds_%zu", i);
        answered = has_kernel(program, name, &holds[i]);
    }
    if (program)
        dl__next.clReleaseProgram(program);
    dl__context_count_end(probe->context, before);
    free(options);
    free(text);
    return answered;
}

static DL__WITH_LOCK void keep(const struct dl__probe *probe, const char *condition,
                               bool holds)
{
    struct answers *answers = dl__kept_get(probe->context, &keeper);
    struct answer *a = answers ? calloc(1, sizeof *a) : NULL;

    if (!a)
        return;
    a->device = probe->device;
    a->options = strdup(probe->options);
    a->condition = strdup(condition);
    a->holds = holds;
    if (!a->options || !a->condition) {
        free(a->options);
        free(a->condition);
        free(a);
        return;
    }
    a->next = answers->first;
    answers->first = a;
}

bool dl__probe_ask(void *user, const char *const *conditions, size_t count, bool *holds)
{
    struct dl__probe *probe = user;
    bool known = true;

    dl__context_lock(probe->context);
    for (size_t i = 0; i < count; i++) {
        const struct answer *a = find(probe, conditions[i]);

        known = known && a;
        holds[i] = a && a->holds;
    }
    if (!known) {
        known = ask(probe, conditions, count, holds);
        for (size_t i = 0; known && i < count; i++) {
            if (!find(probe, conditions[i]))
                keep(probe, conditions[i], holds[i]);
            dl__log(DL__LOG_DEBUG, "on this device `%s` %s", conditions[i],
                    holds[i] ? "holds" : "does not hold");
        }
    }
    dl__context_unlock(probe->context);
    probe->unanswered = probe->unanswered || !known;
    return known;
}

bool dl__probe_recall(void *user, const char *const *conditions, size_t count,
                      bool *holds)
{
    struct dl__probe *probe = user;

    for (size_t i = 0; i < count; i++) {
        const struct answer *a = find(probe, conditions[i]);

        if (!a)
            return false;
        holds[i] = a->holds;
    }
    return true;
}
