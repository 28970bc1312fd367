/* SPDX-License-Identifier: MIT */
/* The device's file (engine/devices): by dl-bench tune --table with the best variant of
 * each size, by dl-bench steering --table with what its memory is like. */
#include <stdlib.h>
#include <string.h>

#include "marshal_kernels/rates.h"
#include "transpose.h"

/* The family and size that a case is a case of. */
static const char *case_key(const struct bench_case *bench, bool is_cpu, uint64_t *bytes)
{
    uint64_t tile =
        bench->from.tile_structs ? bench->from.tile_structs : bench->to.tile_structs;

    *bytes = tile * bench->table.struct_bytes;
    if (strcmp(bench->group, "super") == 0) {
        *bytes = tile * bench->table.leaves[0].width_bytes;
        return "cut";
    }
    if (strcmp(bench->group, "cycle") == 0)
        return "cycle";
    return is_cpu ? "each" : "chunk";
}

/* The variant whose worst case of this key is best; the first unless another gains a
 * hundredth. */
static size_t variant_best(const struct case_list *list, const double *shares,
                           size_t variants, bool is_cpu, const char *family,
                           uint64_t bytes)
{
    double best_share = 0;
    size_t best = 0;

    for (size_t v = 0; v < variants; v++) {
        double least = 1e9;
        for (size_t c = 0; c < list->count; c++) {
            uint64_t own;
            if (strcmp(case_key(&list->cases[c], is_cpu, &own), family) == 0 &&
                own == bytes && shares[v * list->count + c] < least)
                least = shares[v * list->count + c];
        }
        if (least > best_share * (v > 0 ? 1.01 : 1)) {
            best_share = least;
            best = v;
        }
    }
    return best;
}

/* Lines for the sizes of the cases, by rising size; a line only where the best changes.
 */
static void family_print(FILE *out, const struct options *options,
                         const struct case_list *list, const double *shares,
                         size_t variants, bool is_cpu, const char *family)
{
    char last[256] = "";

    for (uint64_t after = 0;;) {
        uint64_t size = UINT64_MAX;
        char label[256];
        for (size_t c = 0; c < list->count; c++) {
            uint64_t own;
            if (strcmp(case_key(&list->cases[c], is_cpu, &own), family) == 0 &&
                own >= after && own < size)
                size = own;
        }
        if (size == UINT64_MAX)
            return;
        after = size + 1;
        knobs_parse(options->knobs,
                    variant_best(list, shares, variants, is_cpu, family, size),
                    knob_set_nowhere, NULL, ',', label, sizeof label);
        if (strcmp(label, last) != 0)
            fprintf(out, "%s %llu %s\n", family, *last ? (unsigned long long)size : 0ULL,
                    label);
        snprintf(last, sizeof last, "%s", label);
    }
}

static void memory_set(struct dl_rates *rates, const struct dl_rates *memory)
{
    rates->burst_bytes = memory->burst_bytes;
    rates->steering_bits = memory->steering_bits;
}

/* What holds everywhere, of all rooms; of the memory as `memory` has it, NULL: as it was.
 */
static void numbers_print(FILE *out, const struct dl__device_file *file,
                          const struct dl_rates *memory)
{
    const struct {
        const char *what;
        const struct dl__number_table *table;
        size_t bytes;
    } rooms[] = {
        {"marshaling", &dl__knob_table, sizeof(struct dl__knobs)},
        {"plans", &dl__plan_limit_table, sizeof(struct dl_plan_limits)},
        {"transposition", &dl__tuning_table, sizeof(struct dl__tuning)},
        {"what is expected before it is measured", &dl__rate_table,
         sizeof(struct dl_rates)},
    };

    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
        void *values = calloc(1, rooms[r].bytes);
        fprintf(out, "\n# %s\n", rooms[r].what);
        if (values) {
            dl__numbers_read(file, NULL, 0, rooms[r].table, values);
            if (memory && rooms[r].table == &dl__rate_table)
                memory_set(values, memory);
            dl__numbers_print(out, rooms[r].table, values);
        }
        free(values);
    }
}

bool table_write(const char *path, const struct device *device,
                 const struct options *options, const struct case_list *list,
                 const double *shares, size_t variants)
{
    bool is_cpu = (device->type & CL_DEVICE_TYPE_CPU) != 0;
    const struct dl__device_file *file = dl__device_file_find(device->name, is_cpu);
    const char *tuned[5] = {NULL}; /* the families of the cases, a NULL behind them */
    FILE *out = fopen(path, "w");

    if (!out) {
        perror(path);
        return false;
    }
    fprintf(out,
            "# Written by dl-bench tune --table: --cases %s --knobs %s, driver %s\n"
            "device %s\n",
            options->cases, options->knobs, device->driver, device->name);
    numbers_print(out, file, NULL);
    fprintf(out, "\n# sizes\n");
    for (size_t c = 0, f; c < list->count; c++) {
        uint64_t any;
        const char *family = case_key(&list->cases[c], is_cpu, &any);
        for (f = 0; tuned[f] && strcmp(tuned[f], family) != 0;)
            f++;
        tuned[f] = family;
    }
    dl__numbers_print_families(out, file, tuned);
    for (size_t f = 0; tuned[f]; f++)
        family_print(out, options, list, shares, variants, is_cpu, tuned[f]);
    return fclose(out) == 0;
}

bool table_write_memory(const char *path, const struct device *device,
                        unsigned burst_bytes, unsigned steering_bits)
{
    const struct dl_rates memory = {.burst_bytes = burst_bytes,
                                    .steering_bits = steering_bits};
    const char *none[] = {NULL};
    const struct dl__device_file *file =
        dl__device_file_find(device->name, (device->type & CL_DEVICE_TYPE_CPU) != 0);
    FILE *out = fopen(path, "w");

    if (!out) {
        perror(path);
        return false;
    }
    fprintf(out, "# Written by dl-bench steering --table, driver %s\ndevice %s\n",
            device->driver, device->name);
    numbers_print(out, file, &memory);
    fprintf(out, "\n# sizes\n");
    dl__numbers_print_families(out, file, none);
    return fclose(out) == 0;
}
