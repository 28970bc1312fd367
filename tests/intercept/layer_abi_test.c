/* SPDX-License-Identifier: MIT */
/* The layer's entry points, driven by hand as loaders of several ages drive them. Each
 * test is a process of its own, as libcheck runs them, since a library is a layer
 * once. */
#include <check.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_layer.h>

#include "libdl_intercept/hooks/hook_list.h"

#define OWN_ENTRIES (sizeof(cl_icd_dispatch) / sizeof(void *))
#define INDEX_OF(name) (offsetof(cl_icd_dispatch, name) / sizeof(void *))

typedef cl_int(CL_API_CALL *init_fn)(cl_uint, const cl_icd_dispatch *, cl_uint *,
                                     const cl_icd_dispatch **);
typedef cl_int(CL_API_CALL *init_with_properties_fn)(cl_uint, const cl_icd_dispatch *,
                                                     cl_uint *, const cl_icd_dispatch **,
                                                     const cl_ulong *);
typedef cl_int(CL_API_CALL *info_fn)(cl_layer_info, size_t, void *, size_t *);

static void *library;
static int targets[2048]; /* distinct addresses that stand for a loader's functions */
static void *table[2048];

static void *find(const char *name)
{
    void *function = dlsym(library, name);

    ck_assert_msg(function != NULL, "%s", name);
    return function;
}

static void open_library(void)
{
    library = dlopen(DL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    for (size_t i = 0; i < 2048; i++)
        table[i] = &targets[i];
}

static cl_int init(cl_uint count, const void *target, cl_uint *count_ret,
                   void *const **ret)
{
    void *function = find("clInitLayer");
    init_fn call;
    /* As a loader does: the call is not the last thing here, so the caller is this
     * program. */
    volatile cl_int status;

    memcpy(&call, &function, sizeof call);
    status = call(count, target, count_ret, (const cl_icd_dispatch **)(void *)ret);
    return status;
}

static const struct {
    const char *name;
    size_t index;
} wrapped[] = {{"clGetPlatformIDs", INDEX_OF(clGetPlatformIDs)},
#define X(result, name, parameters, arguments) {#name, INDEX_OF(name)},
               DL_HOOK_MAP(X)
#undef X
};
#define WRAPPED (sizeof wrapped / sizeof *wrapped)

static int is_wrapped(size_t index)
{
    for (size_t i = 0; i < WRAPPED; i++)
        if (wrapped[i].index == index)
            return 1;
    return 0;
}

static const char *file_of(const void *address)
{
    Dl_info info;

    return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
}

/* The layer's table: ours where we wrap and the target has something, else the
 * target's. */
static void check_table(void *const *layer, cl_uint layer_count, cl_uint count)
{
    ck_assert_uint_eq(layer_count, count);
    for (size_t i = 0; i < count; i++) {
        if (table[i] && is_wrapped(i))
            ck_assert_msg(strstr(file_of(layer[i]), "libdl_intercept.so") != NULL,
                          "entry %zu", i);
        else
            ck_assert_msg(layer[i] == table[i], "entry %zu", i);
    }
}

/* ocl-icd 2.3.1 has 149 entries, current loaders 150, loaders to come more; a loader of
 * before OpenCL 2 has fewer than we wrap, and one entry is the least. */
static const cl_uint lengths[] = {1, 60, 149, 150, 151, 400};

START_TEST(table_has_the_loaders_length)
{
    cl_uint count_ret = 0;
    void *const *layer = NULL;

    ck_assert_int_eq(init(lengths[_i], table, &count_ret, &layer), CL_SUCCESS);
    check_table(layer, count_ret, lengths[_i]);
}
END_TEST

START_TEST(missing_target_entries_stay_missing)
{
    cl_uint count_ret = 0;
    void *const *layer = NULL;

    for (size_t i = 0; i < 150; i += (size_t)_i + 2)
        table[i] = NULL;
    table[INDEX_OF(clCreateBuffer)] = NULL;
    ck_assert_int_eq(init(150, table, &count_ret, &layer), CL_SUCCESS);
    check_table(layer, count_ret, 150);
    ck_assert_ptr_null(layer[INDEX_OF(clCreateBuffer)]);
}
END_TEST

START_TEST(bad_arguments_are_refused_and_nothing_written)
{
    cl_uint count_ret = 77;
    void *const *layer = (void *const *)&targets;

    ck_assert_int_eq(init(150, NULL, &count_ret, &layer), CL_INVALID_VALUE);
    ck_assert_int_eq(init(150, table, NULL, &layer), CL_INVALID_VALUE);
    ck_assert_int_eq(init(150, table, &count_ret, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(init(0, table, &count_ret, &layer), CL_INVALID_VALUE);
    ck_assert_int_eq(init(100000, table, &count_ret, &layer), CL_INVALID_VALUE);
    ck_assert_uint_eq(count_ret, 77);
    ck_assert_ptr_eq(layer, (void *const *)&targets);
    ck_assert_int_eq(init(150, table, &count_ret, &layer), CL_SUCCESS);
}
END_TEST

START_TEST(one_loader_gets_the_layer_once)
{
    cl_uint count_ret = 0;
    void *const *layer = NULL;

    ck_assert_int_eq(init(150, table, &count_ret, &layer), CL_SUCCESS);
    ck_assert_int_eq(init(150, table, &count_ret, &layer), CL_INVALID_OPERATION);
}
END_TEST

START_TEST(newer_loaders_pass_properties)
{
    static const cl_ulong none[] = {0}, some[] = {0x4242, 1, 0};
    static const cl_ulong *const lists[] = {NULL, none, some};
    void *function = find("clInitLayerWithProperties");
    init_with_properties_fn call;
    cl_uint count_ret = 0;
    const cl_icd_dispatch *layer = NULL;
    volatile cl_int status;

    memcpy(&call, &function, sizeof call);
    status =
        call(150, (const cl_icd_dispatch *)(void *)table, &count_ret, &layer, lists[_i]);
    ck_assert_int_eq(status, CL_SUCCESS);
    check_table((void *const *)(const void *)layer, count_ret, 150);
    function = find("clDeinitLayer");
    cl_int(CL_API_CALL * deinit)(void);
    memcpy(&deinit, &function, sizeof deinit);
    status = deinit();
    ck_assert_int_eq(status, CL_SUCCESS);
}
END_TEST

START_TEST(info_gives_version_and_name)
{
    void *function = find("clGetLayerInfo");
    cl_layer_api_version version = 0;
    char name[128] = "";
    size_t bytes = 0;
    info_fn info;

    memcpy(&info, &function, sizeof info);
    ck_assert_int_eq(info(CL_LAYER_API_VERSION, sizeof version, &version, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(version, CL_LAYER_API_VERSION_100);
    ck_assert_uint_eq(bytes, sizeof version);
    ck_assert_int_eq(info(CL_LAYER_API_VERSION, sizeof version - 1, &version, &bytes),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(info(CL_LAYER_NAME, 0, NULL, &bytes), CL_SUCCESS);
    ck_assert_int_eq(info(CL_LAYER_NAME, bytes, name, NULL), CL_SUCCESS);
    ck_assert_uint_eq(strlen(name) + 1, bytes);
    ck_assert_int_eq(info(0, 0, NULL, NULL), CL_INVALID_VALUE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layer_abi");
    TCase *tcase = tcase_create("entry points");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(tcase, open_library, NULL);
    tcase_add_loop_test(tcase, table_has_the_loaders_length, 0,
                        (int)(sizeof lengths / sizeof *lengths));
    tcase_add_loop_test(tcase, missing_target_entries_stay_missing, 0, 3);
    tcase_add_test(tcase, bad_arguments_are_refused_and_nothing_written);
    tcase_add_test(tcase, one_loader_gets_the_layer_once);
    tcase_add_loop_test(tcase, newer_loaders_pass_properties, 0, 3);
    tcase_add_test(tcase, info_gives_version_and_name);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
