/* SPDX-License-Identifier: MIT */
/* Texts read and rewritten, in the builder, which has the transformer (serve.h). */
#ifndef DL_INTERCEPT_TEXT_H
#define DL_INTERCEPT_TEXT_H

#include "reply.h"

/* What is said of the unit's own text: as it is kept, or read now. No device is opened,
 * unless what it is can only be asked of one. */
void dl__text_read(const struct dl__unit *unit, struct dl__reply *reply);
/* Tells the program that. */
void dl__text_answer(struct dl__unit *unit);

#endif
