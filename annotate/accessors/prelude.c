/* SPDX-License-Identifier: MIT */
/* What all accessors and rewritten kernels rest on: prelude.cl, with layout/formula.h in it. Every name
 * in them is a keyword of OpenCL C, a type that the language has, or begins with dl_ or DL_, the
 * ends of formulas' names apart: see hygiene.c. */
#include "annotate/accessors/prelude.h"

extern const char dl_prelude_cl[];

const char *dl__prelude(void)
{
    return dl_prelude_cl;
}
