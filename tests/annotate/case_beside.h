/* SPDX-License-Identifier: MIT */
/* Cases run with some members of their structs in a second buffer (layout/members.h). */
#ifndef DL_TESTS_CASE_BESIDE_H
#define DL_TESTS_CASE_BESIDE_H

#include <CL/cl.h>

#include "case_args.h"

/* Sets the members of *layout: every other leaf of each struct whose leaves the text says. False: the text
 * does not build so, for it has a buffer in constant memory. */
bool members_of_case(const struct dl_kernel_note *note, const char *text,
                     struct dl_layout *layout);
/* True when some of the argument's members lie in a second buffer, or it is such that they might. */
bool has_beside(const struct arg *a, const struct dl_layout *layout);
/* The second buffer, with the members' bytes. In `mem`, the first, they become others. */
cl_mem beside_make(cl_context context, cl_command_queue queue, const struct arg *a,
                   const struct dl_members *members, cl_mem mem);
/* The hidden arguments, from `index` on. */
void beside_args_set(cl_kernel kernel, cl_uint index, const struct dl_kernel_note *note,
                     const struct arg *args, const cl_mem *beside);
/* Brings the members back into the structs in `bytes`, and releases the second buffer. */
void beside_read(cl_command_queue queue, const struct arg *a,
                 const struct dl_members *members, cl_mem beside, unsigned char *bytes);

#endif
