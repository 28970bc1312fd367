/* SPDX-License-Identifier: MIT */
/* libc's own dlsym. */
#ifndef DL_INTERCEPT_REAL_DLSYM_H
#define DL_INTERCEPT_REAL_DLSYM_H

typedef void *(*dl__dlsym_fn)(void *, const char *);

/* libc's own dlsym, not the one that this library exports. Call it with a handle that is
 * not RTLD_DEFAULT. */
void *dl__dlsym_real(void *handle, const char *name);
/* The function itself, to jump to; NULL: there is none. */
dl__dlsym_fn dl__dlsym_find(void);

#endif
