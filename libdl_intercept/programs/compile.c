/* SPDX-License-Identifier: MIT */
/* Programs of DL's own. */
#include "compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "marshal_kernels/marshal.h"

char *dl__device_extensions(cl_device_id device)
{
    size_t bytes = 0;
    char *text;

    if (dl__next.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &bytes) !=
        CL_SUCCESS)
        return NULL;
    text = calloc(1, bytes + 1);
    if (text && dl__next.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, bytes, text,
                                         NULL) != CL_SUCCESS) {
        free(text);
        return NULL;
    }
    return text;
}

bool dl__device_version(cl_device_id device, char *out, size_t bytes)
{
    char text[256] = "";
    unsigned major, minor;

    if (dl__next.clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof text - 1, text,
                                 NULL) != CL_SUCCESS ||
        sscanf(text, "OpenCL %u.%u", &major, &minor) != 2)
        return false;
    snprintf(out, bytes, "-D__OPENCL_VERSION__=%u", major * 100 + minor * 10);
    return true;
}

char *dl__options_quiet(const char *options, const char *more)
{
    static const char no_warnings[] = " -w";
    size_t bytes = strlen(options) + strlen(more) + sizeof no_warnings + 1;
    char *text = malloc(bytes);
    char *error;

    if (!text)
        return NULL;
    snprintf(text, bytes, "%s %s%s", options, more, no_warnings);
    for (error = text; (error = strstr(error, "-Werror")); error++)
        if (error == text || strchr(" \t\n", error[-1]))
            memset(error, ' ', strcspn(error, " \t\n"));
    return text;
}

cl_program dl__program_from_text(cl_context context, const char *text)
{
    cl_int err;
    cl_program program =
        dl__next.clCreateProgramWithSource(context, 1, &text, NULL, &err);

    return err == CL_SUCCESS ? program : NULL;
}

void dl__program_log_build(cl_program program, cl_device_id device)
{
    char text[1024] = "";
    size_t bytes = 0;
    char *whole;

    if (dl__log_threshold() < DL__LOG_DEBUG ||
        dl__next.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                       &bytes) != CL_SUCCESS)
        return;
    whole = calloc(1, bytes + 1);
    if (whole && dl__next.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG,
                                                bytes, whole, NULL) == CL_SUCCESS)
        snprintf(text, sizeof text, "%s", whole);
    free(whole);
    dl__log(DL__LOG_DEBUG, "build log of the rewritten program: %s", text);
}

bool dl__device_has_second_texts(cl_device_id device)
{
    const struct dl__options *options = dl__options_get();
    cl_device_type type = 0;
    char name[256] = "";
    struct dl_rates rates;

    if (options->coalesced || !options->layout_auto || options->policy_test)
        return options->coalesced || (options->layout_auto && options->policy_test);
    if (dl__next.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL) !=
            CL_SUCCESS ||
        !(type & CL_DEVICE_TYPE_GPU))
        return false;
    dl__next.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    dl_marshal_rates(name, false, &rates);
    return rates.group_part > 0;
}
