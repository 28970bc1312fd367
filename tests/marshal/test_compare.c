/* SPDX-License-Identifier: MIT */
/* Claim: two buffers of any size are told apart by any one byte, and what lies behind
 * them tells nothing; at which bytes of their structs they differ is told for all of
 * these. */
#include <check.h>
#include <stdlib.h>

#include "device.h"
#include "marshal_kernels/marshal.h"
#include "tests/common/random_numbers.h"

static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 1021, 4096, 4099, (5 << 20) + 3};

enum { STRUCT_MAX = 1000 };
static const uint32_t structs[] = {1, 12, 80, STRUCT_MAX};

/* Exactly this byte of their structs differs, or with `at` of SIZE_MAX none. */
static void check_where(struct device *device, struct dl_marshal *marshal, cl_mem a,
                        cl_mem b, size_t bytes, size_t at)
{
    unsigned char differ[STRUCT_MAX];

    for (size_t s = 0; s < sizeof structs / sizeof *structs; s++) {
        ck_assert_int_eq(dl_marshal_differences(marshal, device->queue, a, b, bytes,
                                                structs[s], differ),
                         DL_OK);
        for (uint32_t i = 0; i < structs[s]; i++)
            ck_assert_msg(differ[i] == (at != SIZE_MAX && i == at % structs[s]),
                          "byte %zu of %zu, at %u of %u: %u", at, bytes, i, structs[s],
                          differ[i]);
    }
}

static bool are_different(struct device *device, struct dl_marshal *marshal, cl_mem a,
                          cl_mem b, size_t bytes)
{
    bool differ = false;

    ck_assert_int_eq(dl_marshal_compare(marshal, device->queue, a, b, bytes, &differ),
                     DL_OK);
    return differ;
}

START_TEST(one_byte_tells_two_buffers_apart)
{
    size_t bytes = sizes[_i], room = (size_t)dl_marshal_compare_bytes(bytes, STRUCT_MAX);
    unsigned char *data = malloc(room), other;
    const size_t places[] = {0, bytes / 2, bytes - 1};
    struct dl_marshal *marshal;
    struct device device;
    cl_mem a, b;
    cl_int err;

    device_open(&device);
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &marshal),
                     DL_OK);
    random_bytes_fill(data, room, (uint32_t)bytes);
    a = clCreateBuffer(device.context, CL_MEM_COPY_HOST_PTR, bytes, data, &err);
    ck_assert_int_eq(err, CL_SUCCESS);
    b = clCreateBuffer(device.context, CL_MEM_COPY_HOST_PTR, room, data, &err);
    ck_assert_int_eq(err, CL_SUCCESS);
    ck_assert(!are_different(&device, marshal, a, b, bytes));
    check_where(&device, marshal, a, b, bytes, SIZE_MAX);
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        other = data[places[p]] ^ 1;
        clEnqueueWriteBuffer(device.queue, b, CL_TRUE, places[p], 1, &other, 0, NULL,
                             NULL);
        ck_assert_msg(are_different(&device, marshal, a, b, bytes), "byte %zu of %zu",
                      places[p], bytes);
        check_where(&device, marshal, a, b, bytes, places[p]);
        clEnqueueWriteBuffer(device.queue, b, CL_TRUE, places[p], 1, &data[places[p]], 0,
                             NULL, NULL);
        ck_assert(!are_different(&device, marshal, a, b, bytes));
    }
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    dl_marshal_free(marshal);
    device_close(&device);
    free(data);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compare");
    TCase *tcase = tcase_create("buffers");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_loop_test(tcase, one_byte_tells_two_buffers_apart, 0,
                        sizeof sizes / sizeof *sizes);
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
