/* SPDX-License-Identifier: MIT */
/* Texts read, rewritten and compared, in the builder, which has the transformer (serve.h). */
#ifndef DL_INTERCEPT_TEXT_H
#define DL_INTERCEPT_TEXT_H

#include "reply.h"

/* What is said of the unit's own text: as it is kept, or read now. No device is opened, unless what it is can
 * only be asked of one. */
void dl__text_read(const struct dl__unit *unit, struct dl__reply *reply);
/* Tells the program that, and what the proof of it says, where the program waits for both. */
void dl__text_answer(struct dl__unit *unit);
/* The transformer's proof of an annotated unit, within so much of the thread's time for each text that it reads.
 *   lasts  out; false: another time it may be otherwise */
enum dl_status dl__text_compare(const struct dl__unit *unit, unsigned ms_max,
                                dl_remark_fn remark, dl_proof_fn proved, void *user,
                                bool *lasts);

#endif
