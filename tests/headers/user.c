/* SPDX-License-Identifier: MIT */
/* A program of somebody else's, in the language that C99, C++11 and C++17 share: both
 * headers, and names of its own that the libraries use inside. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dl.h>
#include <dl_transpose.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
int dl__fail(void);
int dl_marshal_make(void);
int dl_layout_name(void);
int dl_step_cl = 4;
#ifdef __cplusplus
}
#endif

int dl__fail(void)
{
    return 1;
}

int dl_marshal_make(void)
{
    return 2;
}

int dl_layout_name(void)
{
    return 3;
}

#define ROWS 401
#define COLS 307

static cl_int numbers[ROWS * COLS];

static int complain(const char *what, int number)
{
    printf("%s: %d\n", what, number);
    return 1;
}

/* 0: the matrix is its transpose. */
static int transpose(cl_context context, cl_device_id device, cl_command_queue queue,
                     cl_mem matrix)
{
    struct dl_transpose_problem problem = DL_TRANSPOSE_PROBLEM_INIT;
    struct dl_transpose_error error;
    struct dl_transpose_info info;
    struct dl_transpose *library;
    struct dl_transpose_plan *plan;
    enum dl_status status = dl_transpose_make(NULL, context, device, &library, &error);

    if (status != DL_OK)
        return complain(dl_status_name(status), 0);
    problem.rows = ROWS;
    problem.cols = COLS;
    problem.element_bytes = sizeof(cl_int);
    status = dl_transpose_plan_make(library, &problem, &plan, &error);
    if (status != DL_OK)
        return complain(error.text, 1);
    dl_transpose_plan_info(plan, &info);
    if (info.matrix_bytes != sizeof numbers || info.reserved[0] != 0)
        return complain("info", 2);
    if (dl_transpose_plan_allocate(plan, &error) != DL_OK ||
        dl_transpose_enqueue(plan, queue, matrix, NULL, 0, NULL, NULL, NULL, &error) !=
            DL_OK ||
        clFinish(queue) != CL_SUCCESS)
        return complain(error.text, 3);
    dl_transpose_plan_free(plan);
    dl_transpose_free(library);
    return 0;
}

static int look_at_layout(cl_mem matrix)
{
    cl_buffer_layout_dl layout;

    if (dl_buffer_get_layout(matrix, &layout) != CL_SUCCESS)
        return complain("dl_buffer_get_layout", 4);
    if (layout.kind != CL_LAYOUT_AOS_DL || layout.version != 0)
        return complain("kind", (int)layout.kind);
    layout.struct_bytes = 8;
    if (dl_layout_byte(&layout, 4, 4, 3) != 28)
        return complain("dl_layout_byte", 5);
    return 0;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_mem matrix;
    cl_int err;
    int i, j;

    if (dl__fail() + dl_marshal_make() + dl_layout_name() + dl_step_cl != 10)
        return complain("names of this program's", 6);
    if (dl_transpose_version() != DL_VERSION_NUMBER ||
        DL_VERSION_NUMBER < DL_VERSION_NUMBER_OF(0, 1, 0))
        return complain("version", dl_transpose_version());
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return complain("no OpenCL device", 77);
    for (i = 0; i < ROWS * COLS; i++)
        numbers[i] = i;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
    matrix = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                            sizeof numbers, numbers, &err);
    if (err != CL_SUCCESS || transpose(context, device, queue, matrix) != 0 ||
        look_at_layout(matrix) != 0)
        return 1;
    clEnqueueReadBuffer(queue, matrix, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL,
                        NULL);
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLS; j++)
            if (numbers[j * ROWS + i] != i * COLS + j)
                return complain("wrong at row", i);
    clReleaseMemObject(matrix);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    printf("transposed by %s\n", DL_VERSION_STRING);
    return 0;
}
