/* SPDX-License-Identifier: MIT */
/* The records of programs and kernels: finding and ending them. */
#ifndef DL_INTERCEPT_PROGRAMS_H
#define DL_INTERCEPT_PROGRAMS_H

#include "kernels.h"

extern struct dl__type dl__program_type, dl__kernel_type;

static inline struct dl__program *dl__program_find(cl_program handle)
{
    return dl__object_find(&dl__program_type, handle);
}

/* Kernels whose texts are not read yet. */
extern atomic_uint dl__kernels_unread;

static inline bool dl__any_kernel_unread(void)
{
    return atomic_load_explicit(&dl__kernels_unread, memory_order_relaxed) != 0;
}

static inline struct dl__kernel *dl__kernel_find(cl_kernel handle)
{
    return dl__object_find(&dl__kernel_type, handle);
}

#endif
