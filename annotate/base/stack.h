/* A stack of known size. */
#ifndef DL_ANNOTATE_STACK_H
#define DL_ANNOTATE_STACK_H

/* Calls `work` on a stack that is large enough for what the limits of a text let pass (text/limits.h),
 * and waits for it. */
void dl__on_large_stack(void (*work)(void *), void *user);

#endif
