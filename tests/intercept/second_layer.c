/* SPDX-License-Identifier: MIT */
/* A user's own layer: writes the wrapped calls it sees to SECOND_LAYER_LOG. Built as two
 * libraries, whose NAME tells their lines apart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_layer.h>

static cl_icd_dispatch table;
static const cl_icd_dispatch *target;
static FILE *file;

static void note(const char *what)
{
    if (file)
        fprintf(file, "%s %s\n", NAME, what);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags,
                                        size_t bytes, void *host, cl_int *err)
{
    note("clCreateBuffer");
    return target->clCreateBuffer(context, flags, bytes, host, err);
}

static cl_int CL_API_CALL get_platforms(cl_uint count, cl_platform_id *platforms,
                                        cl_uint *ret)
{
    note("clGetPlatformIDs");
    return target->clGetPlatformIDs(count, platforms, ret);
}

cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t bytes, void *value,
                                  size_t *ret)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *from = name == CL_LAYER_API_VERSION ? (const void *)&version : NAME;
    size_t from_bytes = name == CL_LAYER_API_VERSION ? sizeof version : sizeof NAME;

    if ((name != CL_LAYER_API_VERSION && name != CL_LAYER_NAME) ||
        (value && bytes < from_bytes))
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, from, from_bytes);
    if (ret)
        *ret = from_bytes;
    return CL_SUCCESS;
}

/* Calls its own entry point by name, as layers may: the answer must be its own. */
static cl_int check_name(void)
{
    char name[64] = "";
    cl_int status = clGetLayerInfo(CL_LAYER_NAME, sizeof name, name, NULL);

    if (status == CL_SUCCESS && strcmp(name, NAME) == 0)
        return CL_SUCCESS;
    note(name);
    return CL_INVALID_VALUE;
}

/* Newer loaders look for this one. */
cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count, const cl_icd_dispatch *below,
                                             cl_uint *count_ret,
                                             const cl_icd_dispatch **table_ret,
                                             const cl_ulong *properties);
cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count, const cl_icd_dispatch *below,
                                             cl_uint *count_ret,
                                             const cl_icd_dispatch **table_ret,
                                             const cl_ulong *properties)
{
    const char *path = getenv("SECOND_LAYER_LOG");
    size_t own = sizeof table / sizeof(void *);

    (void)properties;
    file = path ? fopen(path, "a") : NULL;
    if (file)
        setvbuf(file, NULL, _IOLBF, 0);
    if (check_name() != CL_SUCCESS)
        return CL_INVALID_VALUE;
    memcpy(&table, below, (count < own ? count : own) * sizeof(void *));
    table.clCreateBuffer = create_buffer;
    table.clGetPlatformIDs = get_platforms;
    target = below;
    *count_ret = (cl_uint)(count < own ? count : own);
    *table_ret = &table;
    return CL_SUCCESS;
}

/* And older ones for this; a call like this last one may be a mere jump. */
cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *below,
                               cl_uint *count_ret, const cl_icd_dispatch **table_ret)
{
    return clInitLayerWithProperties(count, below, count_ret, table_ret, NULL);
}
