/* dl-bench tune --table: the best variant of each size as lines that the chooser reads
 * (marshal_kernels/tuning.c). */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

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

/* The variant whose worst case of this key is best; the first unless another gains a hundredth. */
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

bool table_write(const char *path, const struct device *device,
                 const struct options *options, const struct case_list *list,
                 const double *shares, size_t variants)
{
    bool is_cpu = (device->type & CL_DEVICE_TYPE_CPU) != 0;
    FILE *out = fopen(path, "a");
    uint64_t after = 0;
    char last[256] = "", family[16] = "";

    if (!out) {
        perror(path);
        return false;
    }
    if (ftell(out) == 0)
        fprintf(out, "# Written by dl-bench tune --table: driver %s\ndevice %s\n",
                device->driver, device->name);
    /* By rising size; a line only where the best changes. */
    for (;;) {
        uint64_t least = UINT64_MAX;
        for (size_t c = 0; c < list->count; c++) {
            uint64_t own;
            const char *name = case_key(&list->cases[c], is_cpu, &own);
            if (own >= after && own < least) {
                least = own;
                snprintf(family, sizeof family, "%s", name);
            }
        }
        if (least == UINT64_MAX)
            break;
        after = least + 1;
        struct dl__knobs knobs = {0};
        char label[256];
        knobs_parse(options->knobs,
                    variant_best(list, shares, variants, is_cpu, family, least), &knobs,
                    label, sizeof label);
        for (char *at = label; *at; at++)
            *at = *at == ' ' ? ',' : *at;
        if (strcmp(label, last) != 0)
            fprintf(out, "%s %llu %s\n", family, *last ? (unsigned long long)least : 0ULL,
                    label);
        snprintf(last, sizeof last, "%s", label);
    }
    return fclose(out) == 0;
}
