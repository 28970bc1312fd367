/* Names of the program and of generated text that would meet. */
#ifndef DL_ANNOTATE_HYGIENE_H
#define DL_ANNOTATE_HYGIENE_H

#include "annotate/program/rewriter.h"
#include "annotate/text/lex.h"

/* False, remarked, when the program has a name or macro that is kept for generated text. */
bool dl__names_are_free(struct dl__rewriter *w);
/* False when a name that the unit's generated text needs is a macro of the program's: *name, where
 * there is one to be told, and the place in *at. */
bool dl__unit_is_hygienic(struct dl__rewriter *w, const struct dl__unit *unit,
                          struct dl__token *name, size_t *at);

#endif
