/* SPDX-License-Identifier: MIT */
/* Keeping threads alive in hooks. */
#define DL__GUARDED_ALL
#include "guarded.h"

#include "libdl_intercept/base/thread_cancel.h"

#define X(result, name, parameters, arguments)                                           \
    result CL_API_CALL dl__guarded_##name parameters                                     \
    {                                                                                    \
        const int cancelling = dl__cancel_put_off();                                     \
        result returned = dl__hook_##name arguments;                                     \
                                                                                         \
        dl__cancel_allow(cancelling);                                                    \
        return returned;                                                                 \
    }
DL_HOOK_MAP(X)
#undef X
