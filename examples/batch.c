/* SPDX-License-Identifier: MIT */
/* A thousand small matrices, one after the other in a buffer, transposed in place at
 * once. */
#include "opencl.h"

#include <dl_transpose.h>

enum { MATRICES = 1000, ROWS = 17, COLS = 40, ELEMENTS = ROWS * COLS };

int main(void)
{
    static int numbers[MATRICES * ELEMENTS];
    struct opencl cl = opencl_open("");
    struct dl_transpose_problem problem = {.struct_bytes = sizeof problem,
                                           .rows = ROWS,
                                           .cols = COLS,
                                           .element_bytes = sizeof *numbers,
                                           .batch = MATRICES};
    struct dl_transpose_error error = {""};
    struct dl_transpose_info info;
    struct dl_transpose *library;
    struct dl_transpose_plan *plan;
    cl_mem mem;

    for (int i = 0; i < MATRICES * ELEMENTS; i++)
        numbers[i] = i;
    mem = opencl_buffer(&cl, sizeof numbers, numbers);
    check(dl_transpose_make(NULL, cl.context, cl.device, &library, &error) == DL_OK,
          error.text);
    check(dl_transpose_plan_make(library, &problem, &plan, &error) == DL_OK, error.text);
    check(dl_transpose_plan_allocate(plan, &error) == DL_OK, error.text);
    dl_transpose_plan_info(plan, &info);
    check(dl_transpose_enqueue(plan, cl.queue, mem, NULL, 0, NULL, NULL, NULL, &error) ==
              DL_OK,
          error.text);
    opencl_read(&cl, mem, sizeof numbers, numbers);
    for (int m = 0; m < MATRICES; m++)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLS; j++)
                check(numbers[m * ELEMENTS + j * ROWS + i] == m * ELEMENTS + i * COLS + j,
                      "the check");
    printf("%d matrices of %d x %d by %s in %u launches\n", MATRICES, ROWS, COLS,
           dl_transpose_algorithm_name(info.algorithm), info.launches);
    dl_transpose_plan_free(plan);
    dl_transpose_free(library);
    clReleaseMemObject(mem);
    opencl_close(&cl);
    return 0;
}
