/* SPDX-License-Identifier: MIT */
/* The hooks as programs reach them, dl__guarded_NAME: a thread is not cancelled in one
 * (base/thread_cancel.h). */
#ifndef DL_INTERCEPT_GUARDED_H
#define DL_INTERCEPT_GUARDED_H

#include "libdl_intercept/hooks/hooks.h"

#define X(result, name, parameters, arguments)                                           \
    result CL_API_CALL dl__guarded_##name parameters;
DL_HOOK_MAP(X)
#undef X

/* These see to that themselves: launches where they take the long way, for they are
 * called most, and clFinish but for its wait, in which the program may want the thread to
 * end. clSetKernelArg does nothing of the kind. */
#ifndef DL__GUARDED_ALL
#define dl__guarded_clEnqueueNDRangeKernel dl__hook_clEnqueueNDRangeKernel
#define dl__guarded_clSetKernelArg dl__hook_clSetKernelArg
#define dl__guarded_clFinish dl__hook_clFinish
#endif

#endif
