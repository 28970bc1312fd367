/* SPDX-License-Identifier: MIT */
/* Every function that extensions.c hands out a thunk for: all 16 words reach the driver's
 * function and its result comes back, and the state is told of the handles among them.
 * The drivers at hand have a few of these functions only, so the driver here is made up:
 * a layer's target whose clGetExtensionFunctionAddressForPlatform has whatever it is
 * asked for. The state is the one that writes down what it is told (hooks_counting.c).
 * Each test is a process of its own. */
#include <check.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CL/cl.h>
#include <CL/cl_icd.h>

enum { WORDS = 16, ENTRIES = sizeof(cl_icd_dispatch) / sizeof(void *) };

#define FORMALS                                                                          \
    uintptr_t w0, uintptr_t w1, uintptr_t w2, uintptr_t w3, uintptr_t w4, uintptr_t w5,  \
        uintptr_t w6, uintptr_t w7, uintptr_t w8, uintptr_t w9, uintptr_t w10,           \
        uintptr_t w11, uintptr_t w12, uintptr_t w13, uintptr_t w14, uintptr_t w15
#define ARGUMENTS(w)                                                                     \
    w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12],     \
        w[13], w[14], w[15]

typedef uintptr_t (*words_fn)(FORMALS);

static uintptr_t seen[WORDS];
static const uintptr_t result = 0x777000;

static uintptr_t driver_function(FORMALS)
{
    const uintptr_t words[WORDS] = {w0, w1, w2,  w3,  w4,  w5,  w6,  w7,
                                    w8, w9, w10, w11, w12, w13, w14, w15};

    memcpy(seen, words, sizeof seen);
    return result;
}

static void *CL_API_CALL driver_address(cl_platform_id platform, const char *name)
{
    words_fn function = driver_function;
    void *address;

    (void)platform;
    (void)name;
    memcpy(&address, &function, sizeof address);
    return address;
}

/* Words are 0x100 and up, but where a list is expected. `told` is what the state hears;
 * %p stands for the list. */
static const struct {
    const char *name, *told;
} thunks[] = {
    {"clCreateCommandBufferKHR", "adopt commands 1 0x101 0x777000\n"},
    {"clCommandCopyBufferKHR", "pin mem 0x102\npin mem 0x103\npin mem 0x104\n"},
    {"clCommandCopyBufferRectKHR", "pin mem 0x102\npin mem 0x103\npin mem 0x104\n"},
    {"clCommandCopyBufferToImageKHR", "pin mem 0x102\npin mem 0x103\npin mem 0x104\n"},
    {"clCommandCopyImageToBufferKHR", "pin mem 0x102\npin mem 0x103\npin mem 0x104\n"},
    {"clCommandFillBufferKHR", "pin mem 0x102\npin mem 0x103\n"},
    {"clCommandNDRangeKernelKHR", "pin kernel 0x103\n"},
    {"clUpdateMutableCommandsKHR", "pin everything\n"},
    {"clEnqueueCommandBufferKHR", "order 1 0x101 0x102\n"},
    {"clEnqueueNDCountKernelINTEL", "pin kernel 0x101\n"},
    {"clEnqueueCopyBufferP2PAMD", "pin mem 0x101\npin mem 0x102\n"},
    {"clSetKernelArgMemPointerINTEL", "forget 0x100 257\n"},
    {"clSetKernelArgDevicePointerEXT", "forget 0x100 257\n"},
    {"clCreateProgramWithILKHR", "adopt program 0x100 0x777000\n"},
    {"clCreateCommandQueueWithPropertiesKHR", "adopt queue 0x100 0x101 0x777000\n"},
    /* None of DL's business. */
    {"clCommandBarrierWithWaitListKHR", ""},
    {"clNoSuchEXT", ""},
};

/* The function that a program gets by this name. */
static words_fn get(const char *name)
{
    static void *table[ENTRIES];
    static const cl_icd_dispatch *hooked;
    cl_int (*init)(cl_uint, const cl_icd_dispatch *, cl_uint *, const cl_icd_dispatch **);
    cl_icd_dispatch target;
    void *library, *address;
    words_fn function;
    cl_uint count;
    volatile cl_int status;

    if (!hooked) {
        memcpy(&target, table, sizeof target);
        target.clGetExtensionFunctionAddressForPlatform = driver_address;
        const char *other = getenv("DL_COUNTING");

        library = dlopen(other ? other : DL_COUNTING, RTLD_NOW | RTLD_LOCAL);
        ck_assert_msg(library != NULL, "%s", dlerror());
        address = dlsym(library, "clInitLayer");
        memcpy(&init, &address, sizeof init);
        status = init(ENTRIES, &target, &count, &hooked);
        ck_assert_int_eq(status, CL_SUCCESS);
    }
    address = hooked->clGetExtensionFunctionAddressForPlatform(NULL, name);
    memcpy(&function, &address, sizeof function);
    return function;
}

START_TEST(thunk_tells_and_passes_on)
{
    const char *name = thunks[_i].name;
    uintptr_t words[WORDS], list[1] = {0x101};
    char told[256] = "", path[] = "/tmp/dl-thunks-XXXXXX";
    int file = mkstemp(path), before = dup(2);
    words_fn function = get(name);
    ssize_t bytes;

    ck_assert(file >= 0 && before >= 0);
    for (size_t i = 0; i < WORDS; i++)
        words[i] = 0x100 + i;
    if (strcmp(name, "clEnqueueCommandBufferKHR") == 0 ||
        strcmp(name, "clCreateCommandBufferKHR") == 0) {
        words[0] = 1;
        words[1] = (uintptr_t)list;
    }
    dup2(file, 2);
    ck_assert_uint_eq(function(ARGUMENTS(words)), result);
    dup2(before, 2);
    bytes = pread(file, told, sizeof told - 1, 0);
    unlink(path);
    ck_assert(bytes >= 0);
    ck_assert_str_eq(told, thunks[_i].told);
    ck_assert_mem_eq(seen, words, sizeof words);
    ck_assert_msg((function == driver_function) == (*thunks[_i].told == '\0'),
                  "%s: the driver's own function is handed out, or hidden", name);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("thunks");
    TCase *tcase = tcase_create("thunks");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(tcase, thunk_tells_and_passes_on, 0,
                        (int)(sizeof thunks / sizeof *thunks));
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
