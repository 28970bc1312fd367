/* SPDX-License-Identifier: MIT */
/* Binaries of built programs: read from a driver, given back to it, and kept where the
 * engine's user wants them, beyond a context and beyond the process. */
#ifndef DL_BINARIES_H
#define DL_BINARIES_H

#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stddef.h>

/* The source of each program of the engine begins with this, by which DL recognizes it in
 * a program that uses libdl_transpose under dl-run, and leaves it as it is. */
#define DL__OWN_TEXT "/* a program of DL's own */ "

/* A program as it is built: all texts, one after the other. */
struct dl__build {
    cl_device_id device;
    const char *options;
    size_t count;
    const char *const *texts;
};

/* A place for binaries. Functions are called from any thread, and must not build a
 * program. */
struct dl__binaries {
    /* Whether kernels are launched once before their program is kept for good: some
     * drivers compile them only then. */
    bool warm;
    /* Returns the kept binary of this build, which the caller frees, or NULL. */
    void *(*find)(const struct dl__build *build, size_t *bytes);
    void (*keep)(const struct dl__build *build, const void *binary, size_t bytes);
    /* Called if nothing is kept: may have the build made elsewhere, and waits for that.
     * False: it must not be made here. */
    bool (*make)(const struct dl__build *build);
    /* The build for which make was called has ended; called by the same thread. */
    void (*end)(const struct dl__build *build);
};

/* Returns a built program's binary for the device, which the caller frees, or NULL. */
void *dl__binary_of(const cl_icd_dispatch *cl, cl_program program, cl_device_id device,
                    size_t *bytes);
/* Builds a program from a binary; NULL: the driver refuses it, or would crash. */
cl_program dl__binary_build(const cl_icd_dispatch *cl, cl_context context,
                            cl_device_id device, const void *binary, size_t bytes,
                            const char *options);

/* True for a binary of PoCL in which a file is missing or cut off; false for those of all
 * other drivers. Of unknown versions of the format (6 to 9 are known; PoCL 3.1 has 9)
 * only the beginning is checked. */
bool dl__poclbin_is_broken(const void *binary, size_t bytes);

#endif
