/* SPDX-License-Identifier: MIT */
/* The forms of buffers. */
#include "annotate/forms/forms.h"

/* X(form): all of them; the first that an annotation asks for has the buffer. A new form
 * is its file and its line here. */
#define FORM_MAP(X)                                                                      \
    X(dl__form_arrays)                                                                   \
    X(dl__form_structs)                                                                  \
    X(dl__form_flat)                                                                     \
    X(dl__form_rows)

#define X(form) extern const struct dl__form form;
FORM_MAP(X)
#undef X

static const struct dl__form *const forms[] = {
#define X(form) &form,
    FORM_MAP(X)
#undef X
};

void dl__form_bind(struct dl__binding *binding, struct dl__root *root)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        root->form = forms[i];
        if (forms[i]->bind(binding, root))
            return;
    }
    binding->reason = "the annotation is not understood";
}
