/* Builds the kernel families and keeps what is built. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char dl_step_cl[];
#define X(name, symbol) extern const char symbol[];
DL_FAMILY_MAP(X)
#undef X

static const char *family_source(enum dl_family family)
{
    switch (family) {
#define X(name, symbol)                                                                  \
    case DL_FAMILY_##name:                                                               \
        return symbol;
        DL_FAMILY_MAP(X)
#undef X
    default:
        return "";
    }
}

static const struct {
    enum dl_family family;
    const char *name;
} entries[] = {
#define X(name, family, kernel) {DL_FAMILY_##family, kernel},
    DL_ENTRY_MAP(X)
#undef X
};

enum dl_status dl__status_of_cl(cl_int err)
{
    switch (err) {
    case CL_SUCCESS:
        return DL_OK;
    case CL_OUT_OF_HOST_MEMORY:
    case CL_OUT_OF_RESOURCES:
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_INVALID_BUFFER_SIZE:
        return DL_ENOMEM;
    default:
        return DL_ECL;
    }
}

void dl__program_free(const cl_icd_dispatch *cl, struct dl__program *program)
{
    for (size_t e = 0; e < DL_ENTRY_COUNT; e++)
        if (program->kernels[e])
            cl->clReleaseKernel(program->kernels[e]);
    if (program->program)
        cl->clReleaseProgram(program->program);
    free(program->knobs);
    free(program);
}

enum dl_status dl__program_get(struct dl_marshal *marshal, enum dl_family family,
                               char *knobs, struct dl__program **out)
{
    const cl_icd_dispatch *cl = marshal->cl;
    const char *texts[3] = {knobs, dl_step_cl, family_source(family)};
    struct dl__program *program;
    cl_int err = CL_SUCCESS;

    for (program = marshal->programs; program; program = program->next) {
        if (program->family == family && strcmp(program->knobs, knobs) == 0) {
            free(knobs);
            *out = program;
            return DL_OK;
        }
    }
    program = calloc(1, sizeof *program);
    if (!program) {
        free(knobs);
        return DL_ENOMEM;
    }
    program->family = family;
    program->knobs = knobs;
    program->program =
        cl->clCreateProgramWithSource(marshal->context, 3, texts, NULL, &err);
    if (err == CL_SUCCESS)
        err = cl->clBuildProgram(program->program, 1, &marshal->device, "-cl-std=CL1.2",
                                 NULL, NULL);
    for (size_t e = 0; e < DL_ENTRY_COUNT && err == CL_SUCCESS; e++)
        if (entries[e].family == family)
            program->kernels[e] =
                cl->clCreateKernel(program->program, entries[e].name, &err);
    if (err != CL_SUCCESS) {
        dl__program_free(cl, program);
        return dl__status_of_cl(err);
    }
    program->next = marshal->programs;
    marshal->programs = program;
    *out = program;
    return DL_OK;
}
