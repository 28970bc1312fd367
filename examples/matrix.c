/* SPDX-License-Identifier: MIT */
/* A matrix transposed where it lies, within a workspace of at most 1/16 of it. */
#include "opencl.h"

#include <dl_transpose.h>

enum { ROWS = 1000, COLS = 1600 };

int main(void)
{
    static float matrix[ROWS * COLS];
    struct opencl cl = opencl_open("");
    struct dl_transpose_problem problem = {.struct_bytes = sizeof problem,
                                           .rows = ROWS,
                                           .cols = COLS,
                                           .element_bytes = sizeof *matrix,
                                           .cap = DL_TRANSPOSE_CAP_6};
    struct dl_transpose_error error = {""};
    struct dl_transpose *library;
    struct dl_transpose_plan *plan;
    char text[900];
    cl_mem mem;

    for (int i = 0; i < ROWS * COLS; i++)
        matrix[i] = (float)i;
    mem = opencl_buffer(&cl, sizeof matrix, matrix);
    check(dl_transpose_make(NULL, cl.context, cl.device, &library, &error) == DL_OK,
          error.text);
    check(dl_transpose_plan_make(library, &problem, &plan, &error) == DL_OK, error.text);
    check(dl_transpose_plan_allocate(plan, &error) == DL_OK, error.text);
    dl_transpose_plan_explain(plan, text, sizeof text);
    puts(text);
    check(dl_transpose_enqueue(plan, cl.queue, mem, NULL, 0, NULL, NULL, NULL, &error) ==
              DL_OK,
          error.text);
    opencl_read(&cl, mem, sizeof matrix, matrix);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            check(matrix[j * ROWS + i] == (float)(i * COLS + j), "the check");
    printf("%d x %d became %d x %d\n", ROWS, COLS, COLS, ROWS);
    dl_transpose_plan_free(plan);
    dl_transpose_free(library);
    clReleaseMemObject(mem);
    opencl_close(&cl);
    return 0;
}
