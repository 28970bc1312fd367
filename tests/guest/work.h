/* SPDX-License-Identifier: MIT */
/* The OpenCL part of the programs here: a kernel on an array of structs, which DL
 * converts. A process in which a call fails ends with 9, after a line that says which.
 * GUEST_KERNEL in the environment: `annotated`, or `soa`, a kernel that reads discrete
 * arrays as it is. */
#ifndef GUEST_WORK_H
#define GUEST_WORK_H

/* All of it, made, run and given back; returns a hash of the array. */
unsigned long guest_work(int launches);

/* The same in parts, one at a time. */
void guest_begin(void);
void guest_launch(int launches);
void guest_wait(void);
/* With a local size of {0}, of which drivers make what they like; returns the error. */
int guest_launch_empty_groups(void);
/* Calls with handles that the program should not have used, and prints what comes of
 * them. */
void guest_mistakes(void);
/* Fills a part of the array, and maps another to write there. */
void guest_touch(void);
unsigned long guest_end(void);
/* The same of a map, which is looked at when the array has been released without an
 * unmap. */
unsigned long guest_end_mapped(void);

#endif
