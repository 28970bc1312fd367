/* SPDX-License-Identifier: MIT */
/* Binaries that are kept, as the cache keeps them: `marshal` takes them, and `builder`
 * makes them. */
#ifndef DL_TEST_KEPT_H
#define DL_TEST_KEPT_H

#include "convert.h"

extern struct dl_marshal *builder;
extern size_t kept_count, kept_again; /* programs; and those that replaced one */

void setup_kept(void);
/* As marshal_as_gpu, for both. */
void kept_as_gpu(void);
void close_kept(void);

#endif
