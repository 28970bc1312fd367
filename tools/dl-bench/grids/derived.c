/* SPDX-License-Identifier: MIT */
/* dl-bench grids: the samples, and layouts for them. */
#include "tools/dl-bench/grids/grids.h"

#include <string.h>

#include "layout/grid.h"
#include "marshal_kernels/rates.h"

const struct grids_sample grids_samples[] = {
    {"lbm", "lbm_step", "flat", {"src", "dst"}, 20, 0},
    {"heat", "heat_step", "", {"now", "next"}, 1, 1},
    {"cfd", "cfd_sweep", "", {"pressure", "divergence"}, 1, 1},
};
const size_t grids_sample_count = sizeof grids_samples / sizeof *grids_samples;

/* Of a number of at least 1. */
static unsigned log2_of(uint64_t number)
{
    unsigned bits = 0;

    while (number >>= 1)
        bits++;
    return bits;
}

bool grids_device_find(const char *part, struct grids_device *out)
{
    struct device device;
    struct dl_rates rates;
    cl_uint units = 1;
    uint64_t groups;

    if (!device_open(&device, part))
        return false;
    clGetDeviceInfo(device.id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    dl_marshal_rates(device.name, (device.type & CL_DEVICE_TYPE_CPU) != 0, &rates);
    groups = rates.resident_items / 128;
    if (groups > rates.resident_groups)
        groups = rates.resident_groups;
    out->memory.burst_bits = rates.burst_bytes > 4 ? log2_of(rates.burst_bytes / 4) : 0;
    out->memory.steering_bits = rates.steering_bits;
    out->resident_groups = (groups ? groups : 1) * (units ? units : 1);
    device_close(&device);
    return true;
}

struct grids_device grids_tesla(void)
{
    return (struct grids_device){{4, 8}, 32};
}

/* As the samples choose it. */
static uint64_t group_length(uint64_t length)
{
    uint64_t best = 32;

    for (uint64_t group = 64; group <= 128; group *= 2)
        if ((length + group - 1) / group * group <= (length + best - 1) / best * best)
            best = group;
    return best;
}

bool grids_derive(const struct grids_sample *sample, const int *size,
                  const struct grids_device *device, char *text, size_t room)
{
    static const struct dl_grid_names names = {{"z", "y", "x", "k"}};
    const uint64_t x = (uint64_t)size[0], y = (uint64_t)size[1], z = (uint64_t)size[2];
    const uint64_t sides = 2 * sample->border, group = group_length(x - sides);
    const struct dl_grid grid = {sample->cell_floats > 1 ? 4 : 3,
                                 {z, y, x, sample->cell_floats}};
    const struct dl_grid_access access = {.coefficients = {{[DL_GRID_GLOBAL + 2] = 1},
                                                           {[DL_GRID_GLOBAL + 1] = 1},
                                                           {[DL_GRID_GLOBAL] = 1}}};
    const struct dl_grid_launch launch = {
        {group, 1, 1},
        {(x - sides + group - 1) / group, y - sides, z - sides},
        device->resident_groups};
    struct dl_grid_derivation derived;

    if (dl_grid_derive(&grid, &access, &launch, &device->memory, &derived) != DL_OK)
        return false;
    dl_grid_layout_print(&derived.layout, &names, text, room);
    return true;
}

bool grids_annotate(const char *path, const struct grids_sample *sample,
                    const char *layout)
{
    FILE *out = fopen(path, "w");

    if (!out) {
        perror(path);
        return false;
    }
    for (int b = 0; b < 2; b++) {
        fprintf(out, "%s: grid: %s[nz][ny][nx]", sample->kernel, sample->buffers[b]);
        if (sample->cell_floats > 1)
            fprintf(out, "[%u]", sample->cell_floats);
        fprintf(out, layout ? " as %s\n" : "\n", layout);
    }
    return fclose(out) == 0;
}
