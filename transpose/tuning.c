/* SPDX-License-Identifier: MIT */
/* The names in a device's file of what transpositions want to know. */
#include "tuning.h"

static const struct dl__number numbers[] = {
#define X(name, help) DL__NUMBER(struct dl__tuning, name, help),
    DL_TRANSPOSE_KNOB_MAP(X) DL_TRANSPOSE_COST_MAP(X)
#undef X
};

const struct dl__number_table dl__tuning_table = {numbers,
                                                  sizeof numbers / sizeof *numbers};
