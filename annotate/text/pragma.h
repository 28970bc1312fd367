/* SPDX-License-Identifier: MIT */
/* The pragmas of program scope in front of a byte of the expanded text. */
#ifndef DL_ANNOTATE_PRAGMA_H
#define DL_ANNOTATE_PRAGMA_H

#include "annotate/text/preprocess.h"

struct dl__pragma_list *dl__pragma_list_make(struct dl__arena *arena);

struct dl__pragmas {
    const char *fp_contract; /* "DEFAULT" where none says otherwise */
    size_t others;           /* that may have an effect, too */
};

struct dl__pragmas dl__pragmas_at(const struct dl__expanded *expanded, size_t at);
/* The last mention of FP_CONTRACT before a byte, in whatever it stands; false: none. */
bool dl__fp_contract_before(const struct dl__expanded *expanded, size_t before,
                            size_t *at);

#endif
