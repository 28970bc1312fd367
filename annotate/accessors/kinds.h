/* SPDX-License-Identifier: MIT */
/* The kinds of accessors. */
#ifndef DL_ANNOTATE_KINDS_H
#define DL_ANNOTATE_KINDS_H

#include "annotate/accessors/accessor.h"

/* ---- a scalar or vector in a struct ---- */

extern const struct dl__accessor_kind dl__address;
/* The same, of one that may not be aligned: in a packed struct of its own. */
extern const struct dl__accessor_kind dl__packed;
/* The same, of one that may be read as another type: in a union of its own. */
extern const struct dl__accessor_kind dl__aliased;

/* ---- a struct, leaf by leaf ---- */

extern const struct dl__accessor_kind dl__load, dl__store;

/* ---- an element that is a row, by its index ---- */

extern const struct dl__accessor_kind dl__any;

/* ---- an element of a flat buffer of rows; the call gives the width ---- */

/* By row and an offset that may leave the row, of any index. */
extern const struct dl__accessor_kind dl__row_wide;
/* By row and an offset that lies in the row, whose width is a constant. */
extern const struct dl__accessor_kind dl__row_inside;

/* Of one of these, in this order. */
struct dl__row_kinds {
    const struct dl__accessor_kind *plain, *wide, *wraps;
};

extern const struct dl__row_kinds dl__rows_kinds;

/* ---- the same of discrete arrays, whose rows are the arrays ---- */

extern const struct dl__accessor_kind dl__array;
extern const struct dl__row_kinds dl__arrays_kinds;

/* ---- vload of scalars, and vstore ---- */

extern const struct dl__accessor_kind dl__gather, dl__scatter;

/* ---- async_work_group_copy to local memory, and from it ---- */

extern const struct dl__accessor_kind dl__block_in, dl__block_out;

#endif
