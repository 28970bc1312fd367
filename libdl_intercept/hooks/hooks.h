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
#include "libdl_intercept/state/objects.h"

#define X(result, name, parameters, arguments)                                           \
    result CL_API_CALL dl__hook_##name parameters;
DL_HOOK_MAP(X)
#undef X

/* Hooks that count the program's references to an object that DL has a record of, and do
 * nothing else. */
#define DL_HOOK_RETAIN(name, handle_type, record_type)                                   \
    cl_int CL_API_CALL dl__hook_##name(handle_type handle)                               \
    {                                                                                    \
        cl_int err = dl__next.name(handle);                                              \
                                                                                         \
        if (err == CL_SUCCESS)                                                           \
            dl__object_retain(&record_type, handle);                                     \
        return err;                                                                      \
    }
#define DL_HOOK_RELEASE(name, handle_type, record_type)                                  \
    cl_int CL_API_CALL dl__hook_##name(handle_type handle)                               \
    {                                                                                    \
        dl__object_release(&record_type, handle);                                        \
        return dl__next.name(handle);                                                    \
    }

#endif
