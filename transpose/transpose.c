/* The object of one (context, device). */
#include "internal.h"

#include <stdlib.h>

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
    transpose->cl = cl;
    transpose->context = context;
    transpose->device = device;
    st = dl_marshal_make(cl, context, device, &transpose->marshal);
    if (st == DL_OK && pthread_mutex_init(&transpose->lock, NULL) != 0)
        st = DL_ENOMEM;
    if (st != DL_OK) {
        dl_marshal_free(transpose->marshal);
        free(transpose);
        return dl__fail(error, st, "%s",
                        st == DL_ENOTSUP ? "the device has no local memory"
                                         : dl_status_text(st));
    }
    transpose->limits = transpose->marshal->limits;
    transpose->tuning = (struct dl__tuning){
#define X(name, gpu, cpu, help) .name = transpose->limits.is_cpu ? (cpu) : (gpu),
        DL_TRANSPOSE_KNOB_MAP(X)
#undef X
    };
    *out = transpose;
    return DL_OK;
}

void dl_transpose_free(struct dl_transpose *transpose)
{
    if (!transpose)
        return;
    dl__built_free_all(transpose);
    dl_marshal_free(transpose->marshal);
    pthread_mutex_destroy(&transpose->lock);
    free(transpose);
}
