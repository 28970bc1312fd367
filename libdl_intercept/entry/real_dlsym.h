/* SPDX-License-Identifier: MIT */
/* libc's own dlsym, past the one that this library exports. Here, so that the file which
 * sanitizers leave alone has it, too. */
#ifndef DL_INTERCEPT_REAL_DLSYM_H
#define DL_INTERCEPT_REAL_DLSYM_H

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

typedef void *(*dl__dlsym_fn)(void *, const char *);

/* The function itself, to jump to; NULL: there is none. */
static inline dl__dlsym_fn dl__dlsym_find(void)
{
    static _Atomic(dl__dlsym_fn) cached;
    /* Since glibc 2.34 all have the first one; before, each architecture its own. */
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17",
                                           "GLIBC_2.27", "GLIBC_2.0",   "GLIBC_2.4"};
    dl__dlsym_fn found = atomic_load_explicit(&cached, memory_order_acquire);

    for (size_t i = 0; !found && i < sizeof versions / sizeof *versions; i++) {
        void *symbol = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
        memcpy(&found, &symbol, sizeof found);
    }
    atomic_store_explicit(&cached, found, memory_order_release);
    return found;
}

/* Call it with a handle that is not RTLD_DEFAULT. */
static inline void *dl__dlsym_real(void *handle, const char *name)
{
    dl__dlsym_fn real = dl__dlsym_find();

    return real ? real(handle, name) : NULL;
}

#endif
