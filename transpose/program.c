/* Builds the kernel files and keeps what is built, by file and knobs. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

extern const char dl_shape_cl[], dl_c2r_index_cl[];
static const char dl_empty[] = "";
#define X(name, before, symbol) extern const char symbol[];
DL_TRANSPOSE_FILE_MAP(X)
#undef X

static const struct {
    const char *before, *text;
} files[] = {
#define X(name, before, symbol) {before, symbol},
    DL_TRANSPOSE_FILE_MAP(X)
#undef X
};

static void built_free(const cl_icd_dispatch *cl, struct dl__built *built)
{
    for (size_t k = 0; k < DL__KERNELS_MAX; k++)
        if (built->kernels[k].kernel)
            cl->clReleaseKernel(built->kernels[k].kernel);
    if (built->program)
        cl->clReleaseProgram(built->program);
    free(built->knobs);
    free(built);
}

void dl__built_free_all(struct dl_transpose *transpose)
{
    while (transpose->built) {
        struct dl__built *built = transpose->built;
        transpose->built = built->next;
        built_free(transpose->cl, built);
    }
}

static enum dl_status built_make(struct dl_transpose *transpose, enum dl__file file,
                                 const char *knobs, struct dl__built **out,
                                 struct dl_transpose_error *error)
{
    const cl_icd_dispatch *cl = transpose->cl;
    const char *texts[] = {knobs, dl_shape_cl, files[file].before, files[file].text};
    struct dl__built *built = calloc(1, sizeof *built);
    cl_int err = CL_SUCCESS;

    if (!built || !(built->knobs = strdup(knobs))) {
        free(built);
        return dl__fail(error, DL_ENOMEM, "out of host memory");
    }
    built->file = file;
    built->program =
        cl->clCreateProgramWithSource(transpose->context, 4, texts, NULL, &err);
    if (err == CL_SUCCESS)
        err = cl->clBuildProgram(built->program, 1, &transpose->device, "-cl-std=CL1.2",
                                 NULL, NULL);
    if (err != CL_SUCCESS) {
        built_free(cl, built);
        return dl__fail(error, dl__status_of_cl(err),
                        "the kernels can't be built for this device (OpenCL error %d)",
                        err);
    }
    built->next = transpose->built;
    transpose->built = built;
    *out = built;
    return DL_OK;
}

enum dl_status dl__kernel_get(struct dl_transpose *transpose, enum dl__file file,
                              const char *knobs, const char *name, cl_kernel *out,
                              struct dl_transpose_error *error)
{
    struct dl__built *built;
    cl_int err = CL_SUCCESS;
    enum dl_status st = DL_OK;
    size_t k = 0;

    pthread_mutex_lock(&transpose->lock);
    for (built = transpose->built; built; built = built->next)
        if (built->file == file && strcmp(built->knobs, knobs) == 0)
            break;
    if (!built)
        st = built_make(transpose, file, knobs, &built, error);
    if (st != DL_OK)
        goto out;
    while (built->kernels[k].kernel && strcmp(built->kernels[k].name, name) != 0)
        k++;
    if (!built->kernels[k].kernel) {
        built->kernels[k].kernel =
            transpose->cl->clCreateKernel(built->program, name, &err);
        built->kernels[k].name = name;
    }
    if (err != CL_SUCCESS) {
        built->kernels[k].kernel = NULL;
        st = dl__fail(error, dl__status_of_cl(err),
                      "kernel %s can't be made (OpenCL error %d)", name, err);
        goto out;
    }
    *out = built->kernels[k].kernel;
out:
    pthread_mutex_unlock(&transpose->lock);
    return st;
}
