/* SPDX-License-Identifier: MIT */
/* What is known of a device's speed before anything is measured, from its file. */
#include "rates.h"

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

const struct dl__number_table dl__rate_table = {rates, sizeof rates / sizeof *rates};
const struct dl__number_table dl__struct_rate_table = {structs,
                                                       sizeof structs / sizeof *structs};

void dl_marshal_rates(const char *device_name, bool is_cpu, struct dl_rates *out)
{
    const struct dl__device_file *file = dl__device_file_find(device_name, is_cpu);
    uint64_t sizes[DL_STRUCT_RATES_MAX];

    *out = (struct dl_rates){.is_cpu = is_cpu};
    dl__numbers_read(file, NULL, 0, &dl__rate_table, out);
    out->struct_count = dl__numbers_sizes(file, "struct", sizes, DL_STRUCT_RATES_MAX);
    for (size_t s = 0; s < out->struct_count; s++) {
        out->structs[s].bytes = sizes[s];
        dl__numbers_read(file, "struct", sizes[s], &dl__struct_rate_table,
                         &out->structs[s]);
    }
}
