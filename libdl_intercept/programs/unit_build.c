/* SPDX-License-Identifier: MIT */
/* The text of a unit, built by the driver. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/next.h"
#include "compile.h"
#include "unit.h"

char *dl__shadow_options(const struct dl__unit *unit,
                         const struct dl__shadow_knobs *knobs)
{
    char group[64] = "", *text = NULL, *options;

    if (knobs->group_items)
        snprintf(group, sizeof group, " -DDL_GROUP_ITEMS=%u", knobs->group_items);
    if (knobs->large_local)
        strcat(group, " -DDL_GROUP_WORDS=8192");
    if (asprintf(&text, "%s%s%s%s%s%s%s%s", knobs->layout.text,
                 knobs->index_64 ? " -DDL_INDEX_64=1" : "",
                 knobs->arrays ? " -DDL_ARRAYS=1" : "",
                 knobs->coalesced ? " -DDL_COALESCED=1" : "",
                 knobs->printing ? " -DDL_PRINTING=1" : "", group,
                 knobs->only ? " -DDL_ONLY=1 -DDL_WITH_" : "",
                 knobs->only ? knobs->only : "") < 0)
        return NULL;
    options = dl__options_quiet(unit->options, text);
    free(text);
    return options;
}

/* One unit, compiled for a link. */
static cl_program compile_unit(cl_context context, cl_device_id device,
                               const struct dl__unit *unit,
                               const struct dl__shadow_knobs *knobs)
{
    cl_program *headers = calloc(unit->header_count + 1, sizeof *headers);
    char *options = dl__shadow_options(unit, knobs);
    cl_program program = dl__program_from_text(context, unit->text);
    cl_int err = headers && options && program ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;

    for (size_t i = 0; err == CL_SUCCESS && i < unit->header_count; i++) {
        headers[i] = dl__program_from_text(context, unit->header_texts[i]);
        if (!headers[i])
            err = CL_OUT_OF_HOST_MEMORY;
    }
    if (err == CL_SUCCESS) {
        err = dl__next.clCompileProgram(
            program, 1, &device, options, (cl_uint)unit->header_count,
            unit->header_count ? headers : NULL,
            unit->header_count ? (const char **)unit->header_names : NULL, NULL, NULL);
        if (err != CL_SUCCESS)
            dl__program_log_build(program, device);
    }
    for (size_t i = 0; headers && i < unit->header_count; i++) {
        if (headers[i])
            dl__next.clReleaseProgram(headers[i]);
    }
    free(headers);
    free(options);
    if (err == CL_SUCCESS)
        return program;
    if (program)
        dl__next.clReleaseProgram(program);
    return NULL;
}

static cl_program build_unit(cl_context context, cl_device_id device,
                             const struct dl__unit *unit,
                             const struct dl__shadow_knobs *knobs)
{
    char *options = dl__shadow_options(unit, knobs);
    cl_program program = options ? dl__program_from_text(context, unit->text) : NULL;

    if (program &&
        dl__next.clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        dl__program_log_build(program, device);
        dl__next.clReleaseProgram(program);
        program = NULL;
    }
    free(options);
    return program;
}

cl_program dl__unit_build(cl_context context, cl_device_id device,
                          const struct dl__unit *unit,
                          const struct dl__shadow_knobs *knobs, bool linked)
{
    return linked ? compile_unit(context, device, unit, knobs)
                  : build_unit(context, device, unit, knobs);
}
