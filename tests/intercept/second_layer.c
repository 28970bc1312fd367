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

    if (name != CL_LAYER_API_VERSION || (value && bytes < sizeof version))
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, &version, sizeof version);
    if (ret)
        *ret = sizeof version;
    return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *below,
                               cl_uint *count_ret, const cl_icd_dispatch **table_ret)
{
    const char *path = getenv("SECOND_LAYER_LOG");
    size_t own = sizeof table / sizeof(void *);

    memcpy(&table, below, (count < own ? count : own) * sizeof(void *));
    table.clCreateBuffer = create_buffer;
    table.clGetPlatformIDs = get_platforms;
    target = below;
    file = path ? fopen(path, "a") : NULL;
    if (file)
        setvbuf(file, NULL, _IOLBF, 0);
    *count_ret = (cl_uint)(count < own ? count : own);
    *table_ret = &table;
    return CL_SUCCESS;
}

/* Newer loaders look for these. */
cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count, const cl_icd_dispatch *below,
                                             cl_uint *count_ret,
                                             const cl_icd_dispatch **table_ret,
                                             const cl_ulong *properties);
cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count, const cl_icd_dispatch *below,
                                             cl_uint *count_ret,
                                             const cl_icd_dispatch **table_ret,
                                             const cl_ulong *properties)
{
    (void)properties;
    return clInitLayer(count, below, count_ret, table_ret);
}
