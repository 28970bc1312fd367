/* SPDX-License-Identifier: MIT */
/* Builds kernel files and keeps what is built, by file and knobs. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

static void program_free(const struct dl__engine *engine,
                         struct dl__engine_program *program)
{
    for (size_t k = 0; k < DL__KERNELS_MAX; k++)
        if (program->kernels[k].kernel)
            engine->ops->kernel_free(engine->device, program->kernels[k].kernel);
    if (program->program)
        engine->ops->program_free(engine->device, program->program);
    free(program->knobs);
    free(program);
}

void dl__programs_free(struct dl__engine *engine)
{
    while (engine->programs) {
        struct dl__engine_program *program = engine->programs;
        engine->programs = program->next;
        program_free(engine, program);
    }
}

static enum dl_status program_build(struct dl__engine *engine,
                                    const struct dl__kernel_source *source,
                                    const char *knobs, struct dl__engine_program **out,
                                    cl_int *err)
{
    struct dl__engine_program *program = calloc(1, sizeof *program);
    const char *texts[1 + sizeof source->texts / sizeof *source->texts] = {knobs};
    size_t count = 1;

    *err = CL_OUT_OF_HOST_MEMORY;
    if (!program || !(program->knobs = strdup(knobs))) {
        free(program);
        return DL_ENOMEM;
    }
    program->source = source;
    for (size_t t = 0; t < sizeof source->texts / sizeof *source->texts; t++)
        if (source->texts[t])
            texts[count++] = source->texts[t];
    *err = engine->ops->program_build(engine->device, count, texts, &program->program);
    if (*err != CL_SUCCESS) {
        program_free(engine, program);
        return dl__status_of_cl(*err);
    }
    program->next = engine->programs;
    engine->programs = program;
    *out = program;
    return DL_OK;
}

enum dl_status dl__engine_kernel(struct dl__engine *engine,
                                 const struct dl__kernel_source *source,
                                 const char *knobs, const char *name, cl_kernel *out,
                                 struct dl__build_failure *failure)
{
    struct dl__engine_program *program = engine->programs;
    cl_int err = CL_SUCCESS;
    enum dl_status st = DL_OK;
    size_t k = 0;

    while (program && (program->source != source || strcmp(program->knobs, knobs) != 0))
        program = program->next;
    if (!program)
        st = program_build(engine, source, knobs, &program, &err);
    if (st != DL_OK)
        goto out;
    while (k < DL__KERNELS_MAX && program->kernels[k].kernel &&
           strcmp(program->kernels[k].name, name) != 0)
        k++;
    if (k == DL__KERNELS_MAX) {
        err = CL_INVALID_KERNEL_NAME;
    } else if (!program->kernels[k].kernel) {
        program->kernels[k].name = name;
        err = engine->ops->kernel_make(engine->device, program->program, name,
                                       &program->kernels[k].kernel);
    }
    st = dl__status_of_cl(err);
    if (st == DL_OK)
        *out = program->kernels[k].kernel;
out:
    if (failure)
        *failure = (struct dl__build_failure){err, program != NULL};
    return st;
}

size_t dl__engine_group_items(const struct dl__engine *engine, cl_kernel kernel,
                              uint64_t wanted, uint64_t useful)
{
    size_t items = 1, most;

    while (items * 2 <= wanted && items * 2 <= engine->limits.group_items &&
           items < useful)
        items *= 2;
    most = engine->ops->kernel_items_max(engine->device, kernel);
    while (items > most && items > 1)
        items /= 2;
    return items;
}
