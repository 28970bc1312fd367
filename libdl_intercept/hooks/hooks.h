/* The hooks: DL's versions of the entry points in hook_list.h, and the functions below them.
 *
 * A hook has the entry point's signature and the driver's contract; it calls down through
 * dl__next. bootstrap.c fills dl__next exactly once, before any hook can run, from the loader's
 * target dispatch (as a layer) or from the real library's symbols (as a preload under a loader
 * without layers). An entry of dl__next is NULL when the loader below does not have it; the hook
 * of such an entry is never called. */
#ifndef DL_INTERCEPT_HOOKS_H
#define DL_INTERCEPT_HOOKS_H

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include "hook_list.h"

#define X(result, name, parameters, arguments)                                           \
    result CL_API_CALL dl__hook_##name parameters;
DL_HOOK_MAP(X)
#undef X

extern cl_icd_dispatch dl__next;

#endif
