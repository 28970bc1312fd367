/* SPDX-License-Identifier: MIT */
/* A loader without layers, like the one in CUDA's toolkit: libOpenCL.so.1 that opens the
 * driver FAKE_DRIVER by name, looks its entry point up with dlsym, and passes every call
 * on through the driver's table.
 *
 * Functions pass 16 words on without knowing their prototypes; see extensions.c of
 * libdl_intercept for why that is sound. */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_icd.h>

#define WORDS                                                                            \
    uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5,  \
        uintptr_t a6, uintptr_t a7, uintptr_t a8, uintptr_t a9, uintptr_t a10,           \
        uintptr_t a11, uintptr_t a12, uintptr_t a13, uintptr_t a14, uintptr_t a15
#define PASS a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15

typedef uintptr_t (*words_fn)(WORDS);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const words_fn *table;

static void *symbol(void *driver, const char *name)
{
    void *function = dlsym(driver, name);
    Dl_info info;

    /* What every loader relies on: a name looked up in the driver is the driver's. */
    if (!function || !dladdr(function, &info) || !strstr(info.dli_fname, "fake")) {
        fprintf(stderr, "layerless loader: dlsym(driver, %s) is not the driver's\n",
                name);
        abort();
    }
    return function;
}

static void load(void)
{
    void *driver = dlopen(getenv("FAKE_DRIVER"), RTLD_NOW | RTLD_LOCAL);
    void *function;
    void *(*extension)(const char *);
    cl_int (*platforms)(cl_uint, cl_platform_id *, cl_uint *);
    cl_platform_id platform;

    if (!driver) {
        fprintf(stderr, "layerless loader: %s\n", dlerror());
        abort();
    }
    symbol(driver, "clGetPlatformInfo");
    function = symbol(driver, "clGetExtensionFunctionAddress");
    memcpy(&extension, &function, sizeof function);
    function = extension("clIcdGetPlatformIDsKHR");
    memcpy(&platforms, &function, sizeof function);
    platforms(1, &platform, NULL);
    table = *(const words_fn *const *)platform;
}

/* Every function of the table by its name, but for the extensions' own. */
#define X(name)                                                                          \
    __attribute__((visibility("default")))                                               \
    uintptr_t forward_##name(WORDS) __asm__(#name);                                      \
    uintptr_t forward_##name(WORDS)                                                      \
    {                                                                                    \
        words_fn function;                                                               \
        pthread_once(&once, load);                                                       \
        function = table[offsetof(cl_icd_dispatch, name) / sizeof(void *)];              \
        return function ? function(PASS) : 0;                                            \
    }
#include "tests/fake_driver/loader_list.h"
#undef X
