/* SPDX-License-Identifier: MIT */
/* Claim: what a device lacks is named by a status and leaves the data as it was; a device
 * of work-groups of one work-item converts all the same. The device's answers are made up
 * by a table of function pointers in front of the real one. */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "marshal_kernels/internal.h"
#include "tests/common/random_numbers.h"

enum { STRUCTS = 70001, STRUCT_BYTES = 16, BYTES = STRUCTS * STRUCT_BYTES };

static struct device device;
static struct dl_marshal *marshal;
static struct dl_leaf_table table;
static const struct dl_layout aos = {DL_LAYOUT_AOS, 0}, da = {DL_LAYOUT_DA, 32},
                              asta = {DL_LAYOUT_ASTA, 32}, soa = {DL_LAYOUT_SOA, 0};

/* ---- the made-up device ---- */

static bool has_no_local; /* no local memory */
static size_t items_max;  /* of a work-group; 0: as the device says */
static size_t understated_items,
    launched_items;                  /* as NVIDIA reports; 0: not. The largest */
static size_t kernel_items_max;      /* what a compiler makes of it; 0: likewise */
static cl_ulong alloc_max;           /* bytes of a buffer; 0: likewise */
static bool buffers_fail, use_fails; /* no memory at creation, or at the first use */

static cl_int CL_API_CALL device_info(cl_device_id id, cl_device_info what, size_t bytes,
                                      void *value, size_t *bytes_ret)
{
    cl_int err = clGetDeviceInfo(id, what, bytes, value, bytes_ret);

    if (what == CL_DEVICE_LOCAL_MEM_TYPE && has_no_local)
        *(cl_device_local_mem_type *)value = CL_NONE;
    if (what == CL_DEVICE_MAX_WORK_GROUP_SIZE && items_max)
        *(size_t *)value = items_max;
    if (what == CL_DEVICE_VENDOR_ID && understated_items)
        *(cl_uint *)value = 0x10de;
    if (what == CL_DEVICE_MAX_MEM_ALLOC_SIZE && alloc_max)
        *(cl_ulong *)value = alloc_max;
    return err;
}

static cl_int CL_API_CALL group_info(cl_kernel kernel, cl_device_id id,
                                     cl_kernel_work_group_info what, size_t bytes,
                                     void *value, size_t *bytes_ret)
{
    cl_int err = clGetKernelWorkGroupInfo(kernel, id, what, bytes, value, bytes_ret);
    size_t most = items_max && (!kernel_items_max || items_max < kernel_items_max)
                      ? items_max
                      : kernel_items_max;

    if (what == CL_KERNEL_WORK_GROUP_SIZE && understated_items)
        *(size_t *)value = understated_items;
    if (what == CL_KERNEL_WORK_GROUP_SIZE && most)
        *(size_t *)value = most;
    return err;
}

static cl_mem CL_API_CALL buffer(cl_context context, cl_mem_flags flags, size_t bytes,
                                 void *host, cl_int *err)
{
    if (!buffers_fail)
        return clCreateBuffer(context, flags, bytes, host, err);
    *err = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

static cl_int CL_API_CALL fill(cl_command_queue queue, cl_mem mem, const void *pattern,
                               size_t pattern_bytes, size_t offset, size_t bytes,
                               cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    if (use_fails)
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return clEnqueueFillBuffer(queue, mem, pattern, pattern_bytes, offset, bytes,
                               wait_count, wait, event);
}

/* As a driver does that refuses a work-group the compiler has said is too large. */
static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                                 const size_t *offset, const size_t *global,
                                 const size_t *local, cl_uint wait_count,
                                 const cl_event *wait, cl_event *event)
{
    size_t items = local ? local[0] * (dims > 1 ? local[1] : 1) : 1;

    launched_items = items > launched_items ? items : launched_items;
    if ((items_max && items > items_max) ||
        (kernel_items_max && items > kernel_items_max))
        return CL_INVALID_WORK_GROUP_SIZE;
    return clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local, wait_count,
                                  wait, event);
}

static void setup(void)
{
    static const struct dl_leaf fields[] = {{0, 4}, {4, 4}, {8, 8}};

    has_no_local = buffers_fail = use_fails = false;
    items_max = kernel_items_max = understated_items = launched_items = 0;
    alloc_max = 0;
    device_open(&device);
    device.cl.clGetDeviceInfo = device_info;
    device.cl.clGetKernelWorkGroupInfo = group_info;
    device.cl.clCreateBuffer = buffer;
    device.cl.clEnqueueFillBuffer = fill;
    device.cl.clEnqueueNDRangeKernel = launch;
    ck_assert_int_eq(dl_leaf_table_make(STRUCT_BYTES, fields, 3, &table), DL_OK);
    marshal = NULL;
}

static void teardown(void)
{
    dl_marshal_free(marshal);
    dl_leaf_table_free(&table);
    device_close(&device);
}

/* A device that takes the kernels of GPUs. */
static void make(void)
{
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &marshal),
                     DL_OK);
    marshal->engine.limits.is_cpu = false;
    marshal->engine.limits.local_bytes = 16 << 10;
    DL__STEPS_SET(&marshal->steps, cut_span, 256);
}

/* ---- data ---- */

static unsigned char *bytes_make(void)
{
    unsigned char *bytes = malloc(BYTES);

    random_bytes_fill(bytes, BYTES, 12345);
    return bytes;
}

static cl_mem mem_make(unsigned char *bytes)
{
    cl_int err;
    cl_mem mem = clCreateBuffer(device.context, CL_MEM_COPY_HOST_PTR, BYTES, bytes, &err);

    ck_assert_int_eq(err, CL_SUCCESS);
    return mem;
}

/* The device's bytes are those of `layout`. */
static void check_bytes(cl_mem mem, const unsigned char *bytes, struct dl_layout layout)
{
    unsigned char *got = malloc(BYTES);
    struct dl_tiling tiling;

    ck_assert_int_eq(dl_layout_tile(layout, STRUCTS, &tiling), DL_OK);
    clEnqueueReadBuffer(device.queue, mem, CL_TRUE, 0, BYTES, got, 0, NULL, NULL);
    for (uint64_t i = 0; i < STRUCTS; i++)
        for (uint32_t l = 0; l < table.leaf_count; l++)
            if (memcmp(got +
                           dl_tiling_leaf_byte(&tiling, STRUCT_BYTES, table.leaves[l], i),
                       bytes + i * STRUCT_BYTES + table.leaves[l].offset_bytes,
                       table.leaves[l].width_bytes) != 0)
                ck_abort_msg("struct %" PRIu64 ", leaf %" PRIu32, i, l);
    free(got);
}

/* ---- tests ---- */

START_TEST(no_local_memory_is_named)
{
    has_no_local = true;
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &marshal),
                     DL_ENOLOCAL);
    ck_assert_ptr_null(marshal);
    ck_assert_ptr_nonnull(strstr(dl_status_text(DL_ENOLOCAL), "local memory"));
}
END_TEST

/* Work-groups of one work-item by the device, or small ones by the compiler alone. */
START_TEST(small_work_groups_convert)
{
    static const struct dl_layout layouts[] = {
        {DL_LAYOUT_ASTA, 32}, {DL_LAYOUT_DA, 32}, {DL_LAYOUT_DA, 33}, {DL_LAYOUT_SOA, 0}};
    static const size_t device_items[] = {1, 0, 0}, compiler_items[] = {0, 1, 24};
    unsigned char *bytes = bytes_make();
    const struct dl_conversion *there, *back;
    struct dl_rest *rest;

    items_max = device_items[_i];
    kernel_items_max = compiler_items[_i];
    make();
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        cl_mem mem = mem_make(bytes);
        ck_assert_int_eq(
            dl_marshal_prepare(marshal, &table, STRUCTS, aos, layouts[l], &there), DL_OK);
        ck_assert_int_eq(
            dl_marshal_prepare(marshal, &table, STRUCTS, layouts[l], aos, &back), DL_OK);
        ck_assert_int_eq(dl_marshal_enqueue(marshal, device.queue, there, mem, 0, NULL,
                                            NULL, NULL, &rest),
                         DL_OK);
        check_bytes(mem, bytes, layouts[l]);
        ck_assert_int_eq(dl_marshal_enqueue(marshal, device.queue, back, mem, 0, NULL,
                                            NULL, NULL, &rest),
                         DL_OK);
        check_bytes(mem, bytes, aos);
        clReleaseMemObject(mem);
    }
    free(bytes);
}
END_TEST

/* NVIDIA says the same small number of every kernel, also of one that is built for more.
 */
START_TEST(a_kernel_built_for_more_than_is_said_is_taken)
{
    unsigned char *bytes = bytes_make();
    const struct dl_conversion *there;
    cl_mem mem;
    struct dl_rest *rest;

    understated_items = 8;
    make();
    mem = mem_make(bytes);
    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, STRUCTS, aos, asta, &there),
                     DL_OK);
    ck_assert_int_eq(
        dl_marshal_enqueue(marshal, device.queue, there, mem, 0, NULL, NULL, NULL, &rest),
        DL_OK);
    check_bytes(mem, bytes, asta);
    ck_assert_uint_gt(launched_items, understated_items);
    clReleaseMemObject(mem);
    free(bytes);
}
END_TEST

/* A workspace larger than any buffer, or none to be had when the conversion is prepared.
 */
START_TEST(no_workspace_is_named_before_anything_moves)
{
    const struct dl_conversion *conversion = NULL;

    alloc_max = _i == 0 ? 1000 : 0;
    make();
    buffers_fail = _i == 1;
    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, STRUCTS, aos, da, &conversion),
                     DL_EWORKSPACE);
    ck_assert_ptr_null(conversion);
    /* What needs none is prepared all the same. */
    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, STRUCTS, aos, asta, &conversion),
                     DL_OK);
}
END_TEST

/* Two conversions at once on two queues need two workspaces, and there is memory for
 * one: at the second's creation, or only when a command uses it, after its first step
 * would have moved data. */
START_TEST(no_second_workspace_leaves_the_data)
{
    unsigned char *bytes = bytes_make();
    cl_mem mems[2] = {mem_make(bytes), mem_make(bytes)};
    const struct dl_conversion *conversion;
    cl_int err;
    cl_event gate = clCreateUserEvent(device.context, &err), done;
    cl_command_queue other = device_queue_make(&device, 0);
    struct dl_rest *rest;

    make();
    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, STRUCTS, aos, da, &conversion),
                     DL_OK);
    ck_assert_int_eq(dl_marshal_enqueue(marshal, device.queue, conversion, mems[0], 1,
                                        &gate, NULL, &done, &rest),
                     DL_OK);
    buffers_fail = _i == 0;
    use_fails = _i == 1;
    ck_assert_int_eq(dl_marshal_enqueue(marshal, other, conversion, mems[1], 0, NULL,
                                        NULL, NULL, &rest),
                     DL_EWORKSPACE);
    ck_assert_ptr_null(rest);
    clSetUserEventStatus(gate, CL_COMPLETE);
    clWaitForEvents(1, &done);
    check_bytes(mems[0], bytes, da);
    check_bytes(mems[1], bytes, aos);
    /* Memory is there again. */
    buffers_fail = use_fails = false;
    ck_assert_int_eq(dl_marshal_enqueue(marshal, other, conversion, mems[1], 0, NULL,
                                        NULL, NULL, &rest),
                     DL_OK);
    clFinish(other);
    check_bytes(mems[1], bytes, da);
    clReleaseCommandQueue(other);
    clReleaseEvent(gate);
    clReleaseEvent(done);
    clReleaseMemObject(mems[0]);
    clReleaseMemObject(mems[1]);
    free(bytes);
}
END_TEST

START_TEST(sizes_that_overflow_are_named)
{
    static const uint64_t structs[] = {UINT64_MAX, UINT64_MAX / 2, INT64_MAX / 16 + 1};
    const struct dl_conversion *conversion = NULL;

    make();
    for (size_t n = 0; n < 3; n++) {
        ck_assert_int_eq(
            dl_marshal_prepare(marshal, &table, structs[n], aos, asta, &conversion),
            DL_EOVERFLOW);
        ck_assert_int_eq(
            dl_marshal_prepare(marshal, &table, structs[n], soa, aos, &conversion),
            DL_EOVERFLOW);
    }
    ck_assert_ptr_null(conversion);
}
END_TEST

/* A struct of more units than a table in constant memory holds. */
START_TEST(too_many_columns_are_named)
{
    struct dl_leaf fields[3] = {{0, 1}, {1, 2}, {3, 1}};
    const struct dl_conversion *conversion = NULL;
    struct dl_leaf_table large;

    ck_assert_int_eq(dl_leaf_table_make(8001, fields, 3, &large), DL_OK);
    make();
    ck_assert_int_eq(dl_marshal_prepare(marshal, &large, 1000, aos, asta, &conversion),
                     DL_ENOTSUP);
    ck_assert_ptr_null(conversion);
    dl_leaf_table_free(&large);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("refusals");
    TCase *tcase = tcase_create("refusals");
    SRunner *runner;
    int failed;

    device_open(&device); /* skips when there is none */
    device_close(&device);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 0);
    tcase_add_test(tcase, no_local_memory_is_named);
    tcase_add_loop_test(tcase, small_work_groups_convert, 0, 3);
    tcase_add_test(tcase, a_kernel_built_for_more_than_is_said_is_taken);
    tcase_add_loop_test(tcase, no_workspace_is_named_before_anything_moves, 0, 2);
    tcase_add_loop_test(tcase, no_second_workspace_leaves_the_data, 0, 2);
    tcase_add_test(tcase, sizes_that_overflow_are_named);
    tcase_add_test(tcase, too_many_columns_are_named);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
