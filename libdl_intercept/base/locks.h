/* SPDX-License-Identifier: MIT */
/* Locks, and what clang checks of them (-Wthread-safety; other compilers see nothing of
 * it).
 *
 * The order of locks: whoever has one takes only locks of later lines.
 *
 *   1  settling of a rewrite (programs/rewrite.c)
 *   2  annotating of a unit (programs/unit.c)
 *   3  the list of all contexts (state/contexts.c)
 *   4  a context's own, DL__WITH_LOCK; recursive, because a driver may call the program
 *      back
 *   5  the builder's board (programs/builder.c)
 *   6  file-scope locks, under which nothing else is taken: of handles, records,
 *      statistics, the driver's functions, and of what hooks and entry points remember
 *
 * No lock is held while a blocking command waits. 2 and 4 are held while the device's
 * compiler is asked, 4 while commands are enqueued. */
#ifndef DL_INTERCEPT_LOCKS_H
#define DL_INTERCEPT_LOCKS_H

#include <pthread.h>

#ifdef __clang__
#define DL__ATTRIBUTE(x) __attribute__((x))
#else
#define DL__ATTRIBUTE(x)
#endif

/* Of a struct; fields and variables; functions. */
#define DL__CAPABILITY(name) DL__ATTRIBUTE(capability(name))
#define DL__GUARDED_BY(lock) DL__ATTRIBUTE(guarded_by(lock))
#define DL__REQUIRES(lock) DL__ATTRIBUTE(requires_capability(lock))
#define DL__ACQUIRES(lock) DL__ATTRIBUTE(acquire_capability(lock))
#define DL__RELEASES(lock) DL__ATTRIBUTE(release_capability(lock))
#define DL__ACQUIRED_BEFORE(lock) DL__ATTRIBUTE(acquired_before(lock))
/* Its body is not checked; a comment says why it is right. */
#define DL__UNCHECKED DL__ATTRIBUTE(no_thread_safety_analysis)

struct DL__CAPABILITY("mutex") dl__mutex {
    pthread_mutex_t posix;
};
#define DL__MUTEX_INITIALIZER                                                            \
    {                                                                                    \
        PTHREAD_MUTEX_INITIALIZER                                                        \
    }

static inline void dl__mutex_lock(struct dl__mutex *mutex) DL__ACQUIRES(*mutex);
static inline void dl__mutex_unlock(struct dl__mutex *mutex) DL__RELEASES(*mutex);

static inline void DL__UNCHECKED dl__mutex_lock(struct dl__mutex *mutex)
{
    pthread_mutex_lock(&mutex->posix);
}

static inline void DL__UNCHECKED dl__mutex_unlock(struct dl__mutex *mutex)
{
    pthread_mutex_unlock(&mutex->posix);
}

/* "The lock of the context at hand": in C, a field's attribute can't name a lock beside
 * it, and an object's lock is its context's. So clang checks that a context's lock is
 * held, not whose. There is no such variable. */
extern struct DL__CAPABILITY("lock of the context") dl__context_capability {
    char unused;
} dl__context_at_hand;

/* A function that wants it held; a field that it guards. */
#define DL__WITH_LOCK DL__REQUIRES(dl__context_at_hand)
#define DL__UNDER_LOCK DL__GUARDED_BY(dl__context_at_hand)

#endif
