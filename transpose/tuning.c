/* SPDX-License-Identifier: MIT */
/* The names in a device's file of what transpositions want to know. */
#include "internal.h"

static const struct dl__number numbers[] = {
#define X(name, rule, help) DL__KNOB(struct dl__tuning, name, rule, help),
    DL_TRANSPOSE_KNOB_MAP(X)
#undef X
#define X(name, help) DL__NUMBER(struct dl__tuning, name, help),
        DL_TRANSPOSE_COST_MAP(X)
#undef X
};

const struct dl__number_table dl__tuning_table = {numbers,
                                                  sizeof numbers / sizeof *numbers};

struct dl__tuning dl__tuning_for(const struct dl_transpose *transpose, const char *family,
                                 uint64_t bytes)
{
    struct dl__tuning tuning = {0};

    dl__numbers_read(transpose->engine.file, family, bytes, &dl__tuning_table, &tuning);
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        double asked = dl__number_get(&numbers[n], &transpose->tuning);
        if (asked != 0)
            dl__number_set(&numbers[n], &tuning, asked);
    }
    return tuning;
}
