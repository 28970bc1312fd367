/* SPDX-License-Identifier: MIT */
/* The source transformer: OpenCL C with `//DL:` comments in, rewritten OpenCL C out: the
 * same kernels with every access to an annotated buffer through a generated accessor, and
 * comment lines that carry the tables. It needs libclang, and runs in dl-builder and
 * dl-annotate, never in a program's process. What it makes is read by notes.h.
 *
 * Threads: all functions are safe on distinct objects. */
#ifndef DL_ANNOTATE_H
#define DL_ANNOTATE_H

#include "annotate/notes.h"

/* Rewrites `text`, as far as its first NUL. Annotations that can't be honoured are
 * remarked (file, line, reason) and that kernel is left as it was; the text is then still
 * valid.
 *   out     NUL-terminated, the caller frees it with free()
 *   errors  DL_ENOLIB: no usable libclang. DL_EPARSE: the text does not parse (remarked).
 *           DL_EREFUSED: no kernel was transformed (each remarked). DL_ELIMIT: it takes
 *           more time or memory than it may (remarked), which may be otherwise another
 *           time. DL_ENOMEM */
enum dl_status dl_annotate_rewrite(const char *text, size_t text_bytes,
                                   const struct dl_annotate_options *options,
                                   dl_remark_fn remark, void *user, char **out);

/* The path of the libclang that dl_annotate_rewrite has loaded with this option; NULL:
 * none. Lives as long as the process. */
const char *dl_annotate_libclang(const char *libclang);

/* Parses a rewritten text as it will be built, for AoS, tiles and one tile, and reads its
 * tables. What is wrong is remarked.
 *   errors  DL_EPARSE: it would not build, or its tables are damaged; DL_ENOLIB;
 *           DL_ENOMEM */
enum dl_status dl_annotate_check(const char *text, size_t text_bytes,
                                 const struct dl_annotate_options *options,
                                 dl_remark_fn remark, void *user);

/* Told of each kernel how many accesses to its buffers it has, its helpers' too, and how
 * many of them were shown to be the program's. */
typedef void (*dl_proof_fn)(void *user, const char *kernel, size_t accesses,
                            size_t proved);

/* Shows of each access of a rewritten text that it is the program's: from the two texts
 * and the tables alone, by the layout formula over any indices. What can't be shown is
 * remarked, with the place in the program's text and the reason.
 *   options  as for the rewrite
 *   errors   DL_EREFUSED: not all was shown; those of dl_annotate_check */
enum dl_status dl_annotate_prove(const char *text, size_t text_bytes,
                                 const char *rewritten, size_t rewritten_bytes,
                                 const struct dl_annotate_options *options,
                                 dl_remark_fn remark, dl_proof_fn proved, void *user);

#endif
