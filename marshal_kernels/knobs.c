/* SPDX-License-Identifier: MIT */
/* Knobs: what a device's file says, but for what somebody has set by hand. */
#include "steps.h"

static const struct dl__number numbers[] = {
#define X(name, rule, help) DL__KNOB(struct dl__knobs, name, rule, help),
    DL_KNOB_MAP(X)
#undef X
};

const struct dl__number_table dl__knob_table = {numbers,
                                                sizeof numbers / sizeof *numbers};

_Static_assert(sizeof numbers / sizeof *numbers <= 64, "a bit for each in dl__steps.set");

void dl__steps_open(struct dl__steps *steps, struct dl__engine *engine)
{
    *steps = (struct dl__steps){.engine = engine};
    dl__numbers_read(engine->file, NULL, 0, &dl__knob_table, &steps->knobs);
    dl__plan_limits_read(engine->file, &steps->limits);
}

bool dl__steps_set(struct dl__steps *steps, const char *name, size_t name_bytes,
                   unsigned value)
{
    const struct dl__number *number = dl__number_find(&dl__knob_table, name, name_bytes);

    if (!number)
        return false;
    dl__number_set(number, &steps->knobs, value);
    steps->set |= UINT64_C(1) << (number - numbers);
    return true;
}

struct dl__knobs dl__steps_knobs(const struct dl__steps *steps, const char *family,
                                 uint64_t bytes)
{
    struct dl__knobs knobs = steps->knobs;

    dl__numbers_read(steps->engine->file, family, bytes, &dl__knob_table, &knobs);
    for (size_t n = 0; n < dl__knob_table.count; n++)
        if (steps->set >> n & 1)
            dl__number_set(&numbers[n], &knobs,
                           dl__number_get(&numbers[n], &steps->knobs));
    return knobs;
}
