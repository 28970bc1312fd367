/* SPDX-License-Identifier: MIT */
/* The object of one (context, device). */
#include <stdlib.h>

#include "library.h"

/* ---- the functions of whatever ICD loader this library is linked to ---- */

#define NAMES(X)                                                                         \
    X(clGetDeviceInfo)                                                                   \
    X(clCreateProgramWithSource)                                                         \
    X(clBuildProgram)                                                                    \
    X(clGetProgramBuildInfo)                                                             \
    X(clReleaseProgram)                                                                  \
    X(clCreateKernel)                                                                    \
    X(clReleaseKernel)                                                                   \
    X(clSetKernelArg)                                                                    \
    X(clGetKernelWorkGroupInfo)                                                          \
    X(clCreateBuffer)                                                                    \
    X(clReleaseMemObject)                                                                \
    X(clGetMemObjectInfo)                                                                \
    X(clGetCommandQueueInfo)                                                             \
    X(clRetainCommandQueue)                                                              \
    X(clReleaseCommandQueue)                                                             \
    X(clEnqueueNDRangeKernel)                                                            \
    X(clEnqueueMarkerWithWaitList)                                                       \
    X(clGetEventInfo)                                                                    \
    X(clRetainEvent)                                                                     \
    X(clReleaseEvent)

/* Python's is linked to none: there may be no loader but the one in pyopencl's package.
 */
#ifdef DL_WITHOUT_LOADER
#define WEAK(name) extern __typeof__(name) name __attribute__((weak));
NAMES(WEAK)
#endif

void dl__names_fill(cl_icd_dispatch *cl)
{
#define FILL(name) cl->name = name;
    NAMES(FILL)
}

/* ---- the object ---- */

int dl_transpose_version(void)
{
    return DL_VERSION_NUMBER;
}

enum dl_status dl_transpose_make(const cl_icd_dispatch *cl, cl_context context,
                                 cl_device_id device, struct dl_transpose **out,
                                 struct dl_transpose_error *error)
{
    struct dl_transpose *transpose;
    enum dl_status st;

    if (!context || !device || !out)
        return dl__fail(error, DL_EINVAL, "no %s is given",
                        !context  ? "context"
                        : !device ? "device"
                                  : "place for the result");
    transpose = calloc(1, sizeof *transpose);
    if (!transpose)
        return dl__fail(error, DL_ENOMEM, "out of host memory");
    if (!cl) {
        dl__names_fill(&transpose->own);
        cl = &transpose->own;
    }
    if (!cl->clGetDeviceInfo) {
        free(transpose);
        return dl__fail(error, DL_ENOLIB,
                        "this library is not linked to an OpenCL loader: give cl");
    }
    transpose->opencl =
        (struct dl__opencl){.cl = cl, .context = context, .device = device};
    st = dl__engine_open(&transpose->engine, &dl__opencl_ops, &transpose->opencl);
    if (st != DL_OK) {
        free(transpose);
        return dl__fail(error, st, "%s", dl_status_text(st));
    }
    dl__steps_open(&transpose->steps, &transpose->engine);
    dl__numbers_read(transpose->engine.file, NULL, 0, &dl__tuning_table,
                     &transpose->tuning);
    pthread_mutex_init(&transpose->matcopy_lock, NULL);
    *out = transpose;
    return DL_OK;
}

void dl_transpose_free(struct dl_transpose *transpose)
{
    if (!transpose)
        return;
    dl__matcopy_free(transpose);
    dl__engine_close(&transpose->engine);
    free(transpose);
}
