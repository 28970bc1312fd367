/* SPDX-License-Identifier: MIT */
/* The forms of buffers. */
#ifndef DL_ANNOTATE_FORMS_H
#define DL_ANNOTATE_FORMS_H

#include "annotate/track/form.h"

/* Gives the root the form that its annotation asks for, with its element and shape; or
 * the binding its reason why not. */
void dl__form_bind(struct dl__binding *binding, struct dl__root *root);

#endif
