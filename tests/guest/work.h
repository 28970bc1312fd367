/* SPDX-License-Identifier: MIT */
/* The OpenCL part of the programs here: a kernel on an array of structs, which DL converts. Made, run and
 * given back at each call.
 *   launches  of the kernel
 *   returns   a hash of the array; a process in which a call fails ends with 9 and says which */
#ifndef GUEST_WORK_H
#define GUEST_WORK_H

unsigned long guest_work(int launches);

#endif
