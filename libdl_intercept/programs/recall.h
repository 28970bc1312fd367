/* SPDX-License-Identifier: MIT */
/* Programs recognised by their binaries.
 *
 * A program that takes its binaries, to load them instead of its source from its next run
 * on, would hide that source from DL. So under each binary that it is given the cache has
 * what it was built from: the units, with all that they include, and how they were
 * linked. A program loaded from such a binary is then transformed as if it had been built
 * from source. What the program is given, and gives to the driver, are the driver's own
 * bytes.
 *
 * What is found is right for the device and driver that it was built for, whose macros
 * the text may ask for; it does not depend on DL's version. The units are read anew:
 * annotations beside the program may be others by now. Of a program without annotations
 * it is only known that DL has seen it, and no driver is asked for that. */
#ifndef DL_INTERCEPT_RECALL_H
#define DL_INTERCEPT_RECALL_H

#include "kernels.h"
#include "pack.h"

/* Which binary: a hash of its bytes. Some drivers' are text, which may lose its final NUL
 * in a file: zeros at the end do not count. */
struct dl__binary_name {
    unsigned char hash[DL__DIGEST_BYTES];
};
struct dl__binary_name dl__binary_name(const void *binary, size_t bytes);

enum dl__built_as { DL__COMPILED, DL__BUILT, DL__LINKED };

/* What a binary was built from. Does not change; its units are read at most (unit.h). */
struct dl__recalled {
    enum dl__built_as as;
    char *link_options;
    size_t unit_count;
    struct dl__unit **units; /* a reference each */
    /* of a found one: the devices that it is the program of, at most those of the search
     */
    cl_uint device_count;
    cl_device_id *devices;
    bool everywhere; /* these are all */
    bool usable;     /* the files that the units include are known, and unchanged */
    bool wanted;     /* a unit concerns DL */
    bool annotated;  /* or would, if another layout were asked for */
};

/* A new one, with its own references and copies; NULL: out of memory. */
struct dl__recalled *dl__recalled_make(enum dl__built_as as, const char *link_options,
                                       struct dl__unit *const *units, size_t count);
void dl__recalled_free(struct dl__recalled *recalled);

/* Keeps what the binary was built from, with its units as they are read by now, which
 * others must not be reading still. `device` is its own, NULL: of nothing that has
 * annotations. False: it is not kept beyond the process. */
bool dl__recall_keep(const struct dl__recalled *recalled, cl_device_id device,
                     const struct dl__binary_name *name);
/* What these binaries were built from, those of them that were built from the same as the
 * first that is known. NULL: none is known. The caller frees it. No driver is asked
 * unless it is wanted. */
struct dl__recalled *dl__recall_find(cl_uint count, const cl_device_id *devices,
                                     const struct dl__binary_name *names);
/* True when building the binary with these options can't give other results than it was
 * built with: none of them is left to the binary's compiler. */
bool dl__recalled_takes(const struct dl__recalled *recalled, const char *options);

/* Kernels that read discrete arrays (SoA) in programs whose text DL does not have: loaded
 * from binaries (recall.h) or IL, or linked with such. They must not run on the program's
 * layout.
 *
 * What is known of a program is a list of their names: from its notes when it is built
 * from source, from its binaries when DL has seen these built, in this run or, by the
 * cache, in an earlier one. A side file names kernels of any program. */

/* Lists are strings to be freed, NULL when empty; a list that can't grow, without memory,
 * stays as it is. Adds the names of `notes` or `list`; both may be NULL. */
void dl__demands_add_notes(char **list, const struct dl_notes *notes);
void dl__demands_add(char **list, const char *more);
/* The names in a text, as they are found without libclang. */
void dl__demands_add_text(char **list, const char *text, size_t bytes);

/* A program with these kernels, NULL: none, has this binary: remembered. */
void dl__demands_remember(const char *list, const struct dl__binary_name *name);
/* Adds what is remembered of a binary. */
void dl__demands_add_binary(char **list, const struct dl__binary_name *name);

/* True when the kernel of this program, for which there is no note, reads discrete
 * arrays. */
bool dl__demands_kernel(const struct dl__program *program,
                        const char *kernel) DL__WITH_LOCK;

#endif
