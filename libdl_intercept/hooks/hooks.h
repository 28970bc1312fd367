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

#define X(result, name, parameters, arguments)                                           \
    result CL_API_CALL dl__hook_##name parameters;
DL_HOOK_MAP(X)
#undef X

#endif
