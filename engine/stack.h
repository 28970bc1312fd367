/* SPDX-License-Identifier: MIT */
/* Stack for the driver's compiler. Programs launch on threads with little of it, where a
 * launch of theirs needs next to nothing and a driver that builds or loads a program for
 * DL needs a hundred times that. */
#ifndef DL_STACK_H
#define DL_STACK_H

/* Runs `work`: here, or on a thread of its own, which is waited for, where little stack
 * is left here. */
void dl__with_stack(void (*work)(void *), void *user);

#endif
