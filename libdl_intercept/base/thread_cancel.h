/* SPDX-License-Identifier: MIT */
/* A thread that the program cancels ends at the next function of the C library that waits
 * or touches a file. Drivers rarely call one inside a call that does not wait; DL does,
 * with its locks held and its work half done. So a thread that is cancelled comes out of
 * a hook first. */
#ifndef DL_INTERCEPT_THREAD_CANCEL_H
#define DL_INTERCEPT_THREAD_CANCEL_H

#include <pthread.h>

/* returns what dl__cancel_allow wants */
static inline int dl__cancel_put_off(void)
{
    int before;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static inline void dl__cancel_allow(int before)
{
    pthread_setcancelstate(before, NULL);
}

#endif
