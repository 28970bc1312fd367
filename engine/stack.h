/* SPDX-License-Identifier: MIT */
/* Stack for the driver's compiler: programs may launch on threads with a small stack, and
 * a driver that builds a program for DL needs a hundred times that of a launch. */
#ifndef DL_STACK_H
#define DL_STACK_H

/* Runs `work` here, or waits for it on a thread of its own if little stack is left. */
void dl__with_stack(void (*work)(void *), void *user);

#endif
