/* SPDX-License-Identifier: MIT */
/* What a plan of conversions may count on, from the device's file. */
#include "steps.h"

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

const struct dl__number_table dl__plan_limit_table = {limits,
                                                      sizeof limits / sizeof *limits};
const struct dl__number_table dl__plan_super_table = {supers,
                                                      sizeof supers / sizeof *supers};

void dl__plan_limits_read(const struct dl__device_file *file, struct dl_plan_limits *out)
{
    uint64_t sizes[DL_PLAN_SUPERS_MAX];

    *out = (struct dl_plan_limits){0};
    dl__numbers_read(file, NULL, 0, &dl__plan_limit_table, out);
    out->super_count = dl__numbers_sizes(file, "super", sizes, DL_PLAN_SUPERS_MAX);
    for (size_t s = 0; s < out->super_count; s++) {
        out->supers[s].bytes = sizes[s];
        dl__numbers_read(file, "super", sizes[s], &dl__plan_super_table, &out->supers[s]);
    }
}

void dl__steps_plan_limits(const struct dl__steps *steps, struct dl_plan_limits *out)
{
    *out = steps->limits;
    out->tile_bytes = dl__steps_tile_bytes(steps);
    out->aside_bytes = steps->knobs.aside_bytes;
}
