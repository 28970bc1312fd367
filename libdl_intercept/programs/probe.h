/* SPDX-License-Identifier: MIT */
/* What a device's compiler takes to be so: the macros it defines, asked of it by building
 * a small program of DL's own. */
#ifndef DL_INTERCEPT_PROBE_H
#define DL_INTERCEPT_PROBE_H

#include "libdl_intercept/state/records.h"

/* Whom to ask. */
struct dl__probe {
    struct dl__context *context;
    cl_device_id device;
    const char *options; /* of the program's build */
    bool unanswered;     /* a question was not answered: another time it may be */
};

/* The `ask_device` of struct dl_annotate_options; `user` is a struct dl__probe. Each
 * question is asked once for a device and its options. Threads: takes the context's lock.
 */
bool dl__probe_ask(void *user, const char *const *conditions, size_t count, bool *holds);
/* The same of what was asked before; false for anything else. by the caller's thread. */
bool dl__probe_recall(void *user, const char *const *conditions, size_t count,
                      bool *holds) DL__WITH_LOCK;

#endif
