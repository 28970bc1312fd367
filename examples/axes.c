/* SPDX-License-Identifier: MIT */
/* A grid with axes z, y and x, x being the fastest, becomes one with axes x, y and z: out
 * of place, and in place back. */
#include "opencl.h"

#include <dl_transpose.h>

enum { Z = 60, Y = 30, X = 48 };

static void enqueue(struct dl_transpose *library, struct opencl *cl,
                    const struct dl_transpose_problem *problem, cl_mem from, cl_mem to)
{
    struct dl_transpose_error error = {""};
    struct dl_transpose_plan *plan;
    char text[900];
    enum dl_status st;

    check(dl_transpose_plan_make(library, problem, &plan, &error) == DL_OK, error.text);
    check(dl_transpose_plan_allocate(plan, &error) == DL_OK, error.text);
    dl_transpose_plan_explain(plan, text, sizeof text);
    puts(text);
    if (problem->place == DL_TRANSPOSE_OUT_OF_PLACE)
        st = dl_transpose_enqueue_out(plan, cl->queue, from, to, 0, NULL, NULL, &error);
    else
        st = dl_transpose_enqueue(plan, cl->queue, from, NULL, 0, NULL, NULL, NULL,
                                  &error);
    check(st == DL_OK, error.text);
    clFinish(cl->queue); /* the plan's workspace ends with it */
    dl_transpose_plan_free(plan);
}

int main(void)
{
    static double grid[Z * Y * X], turned[X * Y * Z];
    struct opencl cl = opencl_open("");
    struct dl_transpose_problem problem = {.struct_bytes = sizeof problem,
                                           .axis_count = 3,
                                           .extents = {Z, Y, X},
                                           .permutation = {2, 1, 0},
                                           .element_bytes = sizeof *grid,
                                           .place = DL_TRANSPOSE_OUT_OF_PLACE};
    struct dl_transpose_error error = {""};
    struct dl_transpose *library;
    cl_mem from, to;

    for (int i = 0; i < Z * Y * X; i++)
        grid[i] = i;
    from = opencl_buffer(&cl, sizeof grid, grid);
    to = opencl_buffer(&cl, sizeof turned, NULL);
    check(dl_transpose_make(NULL, cl.context, cl.device, &library, &error) == DL_OK,
          error.text);
    enqueue(library, &cl, &problem, from, to);
    opencl_read(&cl, to, sizeof turned, turned);
    for (int z = 0; z < Z; z++)
        for (int y = 0; y < Y; y++)
            for (int x = 0; x < X; x++)
                check(turned[(x * Y + y) * Z + z] == (z * Y + y) * X + x, "the check");
    /* Back, where it lies. */
    problem.place = DL_TRANSPOSE_IN_PLACE;
    problem.direction = DL_TRANSPOSE_INVERSE;
    enqueue(library, &cl, &problem, to, NULL);
    opencl_read(&cl, to, sizeof turned, turned);
    for (int i = 0; i < Z * Y * X; i++)
        check(turned[i] == i, "the check of the way back");
    printf("%d x %d x %d became %d x %d x %d, and that again\n", Z, Y, X, X, Y, Z);
    dl_transpose_free(library);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    opencl_close(&cl);
    return 0;
}
