/* The forms of buffers. */
#include "annotate/forms/forms.h"

/* The first that an annotation asks for has the buffer. */
static const struct dl__form *const forms[] = {&dl__form_structs, &dl__form_flat,
                                               &dl__form_rows};

void dl__form_bind(struct dl__binding *binding, struct dl__root *root)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        root->form = forms[i];
        if (forms[i]->bind(binding, root))
            return;
    }
    binding->reason = "the annotation is not understood";
}
