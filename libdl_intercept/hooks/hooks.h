/* SPDX-License-Identifier: MIT */
/* The hooks: DL's versions of the entry points in hook_list.h. A hook has the entry
 * point's signature and the driver's contract; it calls down through dl__next
 * (base/next.h). */
#ifndef DL_INTERCEPT_HOOKS_H
#define DL_INTERCEPT_HOOKS_H

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "hook_list.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/thread_cancel.h"
#include "libdl_intercept/programs/kernels.h"
#include "libdl_intercept/state/records.h"

#define X(result, name, parameters, arguments)                                           \
    result CL_API_CALL dl__hook_##name parameters;
DL_HOOK_MAP(X)
#undef X

/* The head of a hook; its parameters are named in the list. The program's thread is not
 * cancelled in it (base/thread_cancel.h). */
#define DL_HOOK(name) DL_##name(DL__HOOK)
#define DL__HOOK(result, name, parameters, arguments)                                    \
    static result CL_API_CALL hook_##name parameters;                                    \
    result CL_API_CALL dl__hook_##name parameters                                        \
    {                                                                                    \
        const int cancelling = dl__cancel_put_off();                                     \
        result returned = hook_##name arguments;                                         \
                                                                                         \
        dl__cancel_allow(cancelling);                                                    \
        return returned;                                                                 \
    }                                                                                    \
    static result CL_API_CALL hook_##name parameters

/* The same of those that see to that themselves: launches where they take the long way,
 * for they are called most, releases of events where there are user events, and clFinish
 * but for its wait, in which the program may want the thread to end. clSetKernelArg does
 * nothing of the kind. */
#define DL_HOOK_UNGUARDED(name) DL_##name(DL__HOOK_UNGUARDED)
#define DL__HOOK_UNGUARDED(result, name, parameters, arguments)                          \
    result CL_API_CALL dl__hook_##name parameters

/* In a hook: the driver's function, with the hook's parameters as they are now. */
#define DL_NEXT(name) DL_##name(DL__NEXT)
#define DL__NEXT(result, name, parameters, arguments) dl__next.name arguments

/* Hooks that count the program's references to an object that DL has a record of, and do
 * nothing else. */
#define DL_HOOK_RETAIN(name, handle, record_type)                                        \
    DL_HOOK(name)                                                                        \
    {                                                                                    \
        cl_int err = dl__next.name(handle);                                              \
                                                                                         \
        if (err == CL_SUCCESS)                                                           \
            dl__object_retain(&record_type, handle);                                     \
        return err;                                                                      \
    }
#define DL_HOOK_RELEASE(name, handle, record_type)                                       \
    DL_HOOK(name)                                                                        \
    {                                                                                    \
        dl__object_release(&record_type, handle);                                        \
        return dl__next.name(handle);                                                    \
    }

/* ---- functions through which one file of hooks calls another ---- */

/* True when the kernel of this program, for which there is no note, reads discrete
 * arrays. */
bool dl__demands_kernel(const struct dl__program *program,
                        const char *kernel) DL__WITH_LOCK;

/* The errors that a driver has for the wait list of a command. */
cl_int dl__waits_check(const struct dl__queue *queue, cl_uint count,
                       const cl_event *list);

/* Buffers that the host wants to see in another layout than AoS (hooks_layout.c). */

/* Has the buffer as its host wants it. */
cl_int dl__mem_to_host(struct dl__mem *mem, struct dl__queue *queue) DL__WITH_LOCK;
/* Prepares what dl__mem_written_by_host needs, before a command that overwrites the whole
 * buffer. */
cl_int dl__mem_prepare_host(struct dl__mem *mem, struct dl__queue *queue) DL__WITH_LOCK;
/* The host overwrote the whole buffer: it lies as the host wants it. */
void dl__mem_written_by_host(struct dl__mem *mem) DL__WITH_LOCK;

#endif
