/* SPDX-License-Identifier: MIT */
/* Binaries of built programs: got from a driver, given back to it, and kept in a place
 * that whoever uses the engine may have for them, beyond a context and beyond the
 * process. */
#ifndef DL_BINARIES_H
#define DL_BINARIES_H

#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stddef.h>

/* The source of each program of the engine's begins with this: in a program that uses
 * libdl_transpose under dl-run, DL knows it by that, and leaves it as it is. */
#define DL__OWN_TEXT "/* a program of DL's own */ "

/* A program as it is built: all texts, one after the other. */
struct dl__build {
    cl_device_id device;
    const char *options;
    size_t count;
    const char *const *texts;
};

/* Such a place. All are called from any thread, and must not build a program. */
struct dl__binaries {
    /* Whether kernels are launched once before their program is kept for good, by a
     * driver that compiles them then: others find in the binary what that has added. */
    bool warm;
    /* Returns the binary that is kept of this build, which the caller frees; NULL: none.
     */
    void *(*find)(const struct dl__build *build, size_t *bytes);
    void (*keep)(const struct dl__build *build, const void *binary, size_t bytes);
    /* Nothing is kept, and the build is wanted now: has it made elsewhere, where that can
     * be, which is waited for. False: it must not be made here. */
    bool (*make)(const struct dl__build *build);
    /* The build that make was asked for is over, however it ended. By the same thread. */
    void (*end)(const struct dl__build *build);
};

/* The binary that a built program has for the device, which the caller frees; NULL: none
 * to be had. */
void *dl__binary_of(const cl_icd_dispatch *cl, cl_program program, cl_device_id device,
                    size_t *bytes);
/* A program built from a binary; NULL: the driver does not take it, or would not live
 * through it. */
cl_program dl__binary_build(const cl_icd_dispatch *cl, cl_context context,
                            cl_device_id device, const void *binary, size_t bytes,
                            const char *options);

/* True for a binary of PoCL's in which a file is missing or cut off; false for all other
 * drivers'. Of versions of the format that are not known (6 to 9 are; PoCL 3.1 has 9)
 * only the beginning is looked at. */
bool dl__poclbin_is_broken(const void *binary, size_t bytes);

#endif
