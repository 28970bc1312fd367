/* SPDX-License-Identifier: MIT */
/* From annotations, or without them, to kernels, buffers and dimensions. */
#ifndef DL_ANNOTATE_BIND_H
#define DL_ANNOTATE_BIND_H

#include "annotate/annotations/annotation.h"
#include "annotate/program/rewriter.h"

/* The kernel of w->kernels that is this function, and its buffer of a name; NULL: none.
 */
static inline struct dl__kernel *dl__kernel_with(struct dl__rewriter *w,
                                                 const struct dl__function *f)
{
    for (size_t i = 0; i < w->kernels.count; i++)
        if (w->kernels.items[i].function == f)
            return &w->kernels.items[i];
    return NULL;
}

static inline const struct dl__buffer *dl__buffer_named(const struct dl__kernel *k,
                                                        const char *name)
{
    for (size_t i = 0; i < k->buffers.count; i++)
        if (!strcmp(k->buffers.items[i].name, name))
            return &k->buffers.items[i];
    return NULL;
}

/* Finds the kernel of each annotation, fills w->kernels. */
void dl__bind_comments(struct dl__rewriter *w);
void dl__bind_side_file(struct dl__rewriter *w);
/* Reads a kernel's annotations into k->buffers; what can't be honoured is remarked.
 * False: none can, or not all of those for discrete arrays. */
bool dl__read_annotations(struct dl__rewriter *w, struct dl__kernel *k);
/* True when one of a kernel's annotations is for discrete arrays, sound or not, unless
 * the kernel takes them all for structs. */
bool dl__wants_soa(const struct dl__kernel *k);

/* Buffers of kernels without annotation, found in the text. Whether a layout pays is for
 * others to say; here is only what could be given one: pointers to structs, which would
 * otherwise want `//DL: AoS: f[]` above their kernel, and flat buffers whose every index
 * is a row times one width, by a constant or an argument, plus a place in the row. */

/* Adds the kernels that no annotation names and that have such buffers, with these bound.
 */
void dl__detect(struct dl__rewriter *w);

/* Why a buffer that nobody annotated is left: the reason, or, where all that the kernel
 * does with it is `f->member`, that no layout gains. */
const char *dl__left_since(struct dl__rewriter *w, struct dl__function *f,
                           const char *buffer, const char *reason);

/* Effects of a kernel other than on its buffers: its prints, and the kernels that it
 * starts on a queue of the device, occur once more each time that it is run. */

/* True when the function, or one that it names, prints or starts kernels, or may, since
 * another text has it. From then on f->draws is set where one uses what an atomic
 * function returns: which work-item draws which slot may differ from run to run. */
bool dl__does_more_than_write(struct dl__rewriter *w, struct dl__function *f);

/* Functions that print, or call such. */
struct dl__printing {
    struct dl__function **items;
    size_t count, room;
};

/* True when all that the function does more is to print; into `out` come those of the
 * functions that it reaches which print, itself among them, in the order of the text. */
bool dl__only_prints(struct dl__rewriter *w, struct dl__function *f,
                     struct dl__printing *out);

#endif
