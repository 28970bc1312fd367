/* SPDX-License-Identifier: MIT */
/* Numbers of a device's file: of marshaling kernels, plans of conversions and speeds. */

#include "internal.h"

/* ---- limits and times of plans of conversions ---- */

static const struct dl__number limits[] = {
#define ROW(field, help)                                                                 \
    DL__NUMBER_NAMED(struct dl_plan_limits, field, "plan_" #field, help)
    ROW(line_bytes, "of a cache"),
    ROW(tile_structs_max, "structs of a tile on the way"),
    ROW(slide_bytes_max, "super-elements before a slide are no longer"),
    ROW(slide_tiles_min, "tiles that make a slide's strips short"),
    ROW(chunk_time, "010! on chunks of tiles"),
    ROW(tile_time, "010! on single tiles"),
    ROW(beyond_time, "010! on tiles beyond local memory"),
    ROW(slide_time, "a slide"),
#undef ROW
};

static const struct dl__number supers[] = {
#define ROW(field, help)                                                                 \
    DL__NUMBER_NAMED(struct dl_super_time, field, "plan_" #field, help)
    ROW(lines_time, "100! on whole lines"),
    ROW(others_time, "100! on others"),
#undef ROW
};

/* ---- knobs: those of the file, unless they were set by hand ---- */

static const struct dl__number numbers[] = {
#define X(name, rule, help) DL__KNOB(struct dl__knobs, name, rule, help),
    DL_KNOB_MAP(X)
#undef X
};

_Static_assert(sizeof numbers / sizeof *numbers <= 64, "a bit for each in dl__steps.set");

/* ---- speeds before anything is measured ---- */

static const struct dl__number rates[] = {
#define ROW(field, help) DL__NUMBER_NAMED(struct dl_rates, field, "rate_" #field, help)
    ROW(copy_mb, "MB a second that a copy reads and writes"),
    ROW(copy_guess, "1: nobody has measured that on the device"),
    ROW(sector_bytes, "that memory is fetched by"),
    ROW(step_us, "microseconds of a short launch"),
    ROW(first_us, "microseconds that the first launch of a kernel takes longer"),
    ROW(asta_part, "a conversion to tiles, in thousandths of a copy's speed"),
    ROW(da_part, "a conversion to discrete arrays, likewise"),
    ROW(group_part, "structs that a work-group loads and stores together, likewise; 0: "
                    "not measured"),
    ROW(group_gather_part, "the same of structs at any places"),
#undef ROW
#define ROW(field, help) DL__NUMBER_NAMED(struct dl_rates, field, "memory_" #field, help)
    ROW(burst_bytes, "bytes that a request for some of them brings"),
    ROW(steering_bits, "address bits above those of a burst that spread requests; 0: "
                       "addresses are hashed"),
    ROW(resident_items, "work-items that a compute unit runs at once"),
    ROW(resident_groups, "work-groups that it runs at once, at most"),
#undef ROW
};

static const struct dl__number structs[] = {
    DL__NUMBER_NAMED(struct dl_struct_rate, plain_part, "rate_plain_part",
                     "structs read and written member by member, likewise"),
};

#define TABLE(rows)                                                                      \
    {                                                                                    \
        rows, sizeof(rows) / sizeof *(rows)                                              \
    }
const struct dl__marshal_numbers dl__marshal_numbers = {.knobs = TABLE(numbers),
                                                        .limits = TABLE(limits),
                                                        .supers = TABLE(supers),
                                                        .rates = TABLE(rates),
                                                        .struct_rates = TABLE(structs)};
#undef TABLE

/* ---- reading them ---- */

static void limits_read(const struct dl__device_file *file, struct dl_plan_limits *out)
{
    uint64_t sizes[DL_PLAN_SUPERS_MAX];

    *out = (struct dl_plan_limits){0};
    dl__numbers_read(file, NULL, 0, &dl__marshal_numbers.limits, out);
    out->super_count = dl__numbers_sizes(file, "super", sizes, DL_PLAN_SUPERS_MAX);
    for (size_t s = 0; s < out->super_count; s++) {
        out->supers[s].bytes = sizes[s];
        dl__numbers_read(file, "super", sizes[s], &dl__marshal_numbers.supers,
                         &out->supers[s]);
    }
}

void dl__steps_open(struct dl__steps *steps, struct dl__engine *engine)
{
    *steps = (struct dl__steps){.engine = engine};
    dl__numbers_read(engine->file, NULL, 0, &dl__marshal_numbers.knobs, &steps->knobs);
    limits_read(engine->file, &steps->limits);
}

bool dl__steps_set(struct dl__steps *steps, const char *name, size_t name_bytes,
                   unsigned value)
{
    const struct dl__number *number =
        dl__number_find(&dl__marshal_numbers.knobs, name, name_bytes);

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

    dl__numbers_read(steps->engine->file, family, bytes, &dl__marshal_numbers.knobs,
                     &knobs);
    for (size_t n = 0; n < dl__marshal_numbers.knobs.count; n++)
        if (steps->set >> n & 1)
            dl__number_set(&numbers[n], &knobs,
                           dl__number_get(&numbers[n], &steps->knobs));
    return knobs;
}

void dl_marshal_rates(const char *device_name, bool is_cpu, struct dl_rates *out)
{
    const struct dl__device_file *file = dl__device_file_find(device_name, is_cpu);
    uint64_t sizes[DL_STRUCT_RATES_MAX];

    *out = (struct dl_rates){.is_cpu = is_cpu};
    dl__numbers_read(file, NULL, 0, &dl__marshal_numbers.rates, out);
    out->struct_count = dl__numbers_sizes(file, "struct", sizes, DL_STRUCT_RATES_MAX);
    for (size_t s = 0; s < out->struct_count; s++) {
        out->structs[s].bytes = sizes[s];
        dl__numbers_read(file, "struct", sizes[s], &dl__marshal_numbers.struct_rates,
                         &out->structs[s]);
    }
}
