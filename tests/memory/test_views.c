/* SPDX-License-Identifier: MIT */
/* Claim: other views of a buffer that is in tiles, sub-buffers and images of it, see the
 * program's own layout. */
#include "suite.h"
#include "world.h"

static struct world w;

START_TEST(sub_buffer)
{
    const cl_buffer_region region = {1024, 512};
    unsigned char seen[512];
    const cl_int n = 512 / sizeof(struct item);
    const size_t global = 64;
    cl_mem sub;
    cl_int err;

    world_begin(&w);
    world_step(&w);
    sub = clCreateSubBuffer(w.buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                            &region, &err);
    must(err);
    must(clEnqueueReadBuffer(w.queue, sub, CL_TRUE, 0, 512, seen, 0, NULL, NULL));
    ck_assert_mem_eq(seen, w.model + 1024, 512);
    world_step(
        &w); /* the buffer has two names now: it must stay as the program wrote it */
    must(clEnqueueReadBuffer(w.queue, sub, CL_TRUE, 0, 512, seen, 0, NULL, NULL));
    ck_assert_mem_eq(seen, w.model + 1024, 512);
    must(clSetKernelArg(w.step, 0, sizeof sub, &sub));
    must(clSetKernelArg(w.step, 1, sizeof n, &n));
    must(clEnqueueNDRangeKernel(w.queue, w.step, 1, NULL, &global, NULL, 0, NULL, NULL));
    model_step(w.model + 1024, n);
    world_check(&w);
    must(clReleaseMemObject(sub));
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(sub_buffer_outlives_the_name_of_its_buffer)
{
    const cl_buffer_region region = {1024, 512};
    unsigned char seen[512];
    cl_mem sub;
    cl_int err;

    world_begin(&w);
    sub = clCreateSubBuffer(w.buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                            &region, &err);
    must(err);
    world_step(&w);
    must(clReleaseMemObject(w.buffer));
    w.buffer = NULL;
    must(clEnqueueReadBuffer(w.queue, sub, CL_TRUE, 0, 512, seen, 0, NULL, NULL));
    ck_assert_mem_eq(seen, w.model + 1024, 512);
    must(clReleaseMemObject(sub));
    world_end(&w);
}
END_TEST

START_TEST(image_of_buffer)
{
    const size_t origin[3] = {0, 0, 0}, region[3] = {16, 16, 1};
    unsigned char seen[16 * 16 * 4];
    cl_mem image;
    cl_int err;

    world_begin(&w);
    world_step(&w);
    image = world_image(&w, 16, 16, w.buffer, 64, &err);
    if (err == CL_SUCCESS) {
        must(clEnqueueReadImage(w.queue, image, CL_TRUE, origin, region, 0, 0, seen, 0,
                                NULL, NULL));
        ck_assert_mem_eq(seen, w.model, sizeof seen);
        world_step(&w);
        must(clEnqueueReadImage(w.queue, image, CL_TRUE, origin, region, 0, 0, seen, 0,
                                NULL, NULL));
        ck_assert_mem_eq(seen, w.model, sizeof seen);
        must(clReleaseMemObject(image));
    }
    world_check(&w);
    world_end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("views");

    SUITE_CASE(suite, sub_buffer);
    SUITE_CASE(suite, sub_buffer_outlives_the_name_of_its_buffer);
    SUITE_CASE(suite, image_of_buffer);
    return suite_run(suite);
}
