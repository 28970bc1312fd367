/* SPDX-License-Identifier: MIT */
/* --advise: collects what it says of the program's kernels, and writes it when the
 * process ends, a file for --annotations with the grounds of each line in comments. Every
 * function is a no-op unless it was asked for. Threads: safe. */
#ifndef DL_INTERCEPT_ADVICE_H
#define DL_INTERCEPT_ADVICE_H

#include <stddef.h>

#include "annotate/notes.h"

enum { DL__ADVISED_MEMBERS_MAX = 64 };

/* One buffer of a launch: bytes of all its work-items. */
struct dl__advised_buffer {
    const char *annotation; /* "f[][20]"; of arrays "f[n][] to ASTA" */
    bool arrays;            /* discrete arrays of the program's own */
    uint32_t struct_bytes;
    double native, apart; /* fetched where the structs lie; with each member apart */
    size_t member_count;
    struct dl__advised_member {
        uint32_t offset, bytes; /* of the struct; UINT32_MAX bytes: anywhere in it */
        double used, fetched;   /* where the structs lie */
    } members[DL__ADVISED_MEMBERS_MAX];
};

/* The program has a kernel: there is something to say in the end, if only that nothing
 * was found. */
void dl__advice_begin(void);
/* A launch of the kernel of this name, with the speed that the layout which is fast on
 * the device is expected to have, as a multiple of its own. The same buffers at each of
 * its launches; `layout` lives as long as the process. */
void dl__advice_launch(const char *kernel, double speedup, const char *layout,
                       const struct dl__advised_buffer *buffers, size_t count);
/* A launch of a kernel that is annotated already. */
void dl__advice_annotated(const char *kernel);
/* Something that was said of a text. */
void dl__advice_remark(const struct dl_remark *remark);
/* The process ends: writes what there is, once. */
void dl__advice_end(void);

#endif
