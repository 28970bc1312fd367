/* SPDX-License-Identifier: MIT */
/* Rewriting by rows and a rest, whatever a row is: of forms whose shape is a struct
 * dl__width. */
#ifndef DL_ANNOTATE_ROWS_H
#define DL_ANNOTATE_ROWS_H

#include "annotate/track/form.h"

/* All of them, in a form. */
#define DL__ROWS_EDITS                                                                   \
    .edit_value = rows_edit_value, .edit_address = rows_edit_address,                    \
    .edit_within = rows_edit_within, .edit_base = rows_edit_base,                        \
    .edit_index = rows_edit_index, .edit_argument = rows_edit_argument,                  \
    .edit_change = rows_edit_change, .edit_variable = rows_edit_variable,                \
    .parameters = rows_parameters, .base = rows_base, .entry = rows_entry,               \
    .shape_parameters = rows_shape_parameters

/* Gives the root the form that its annotation asks for, with its element and shape; or
 * the binding its reason why not. */
void dl__form_bind(struct dl__binding *binding, struct dl__root *root);

#endif
