/* SPDX-License-Identifier: MIT */
/* Kernels and their rows. */
#include <stdlib.h>
#include <string.h>

#include "core.h"

static unsigned class_of(double number)
{
    unsigned class = 0;

    for (; number >= 2 && class < 63; number /= 2)
        class ++;
    return class;
}

struct dl__policy_kernel *dl__policy_kernel_get(struct dl__policy *policy,
                                                const unsigned char *text,
                                                const char *name)
{
    struct dl__policy_kernel *kernel;

    for (kernel = policy->kernels; kernel; kernel = kernel->next) {
        if (memcmp(kernel->text, text, sizeof kernel->text) == 0 &&
            strcmp(kernel->name, name) == 0)
            return kernel;
    }
    kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return NULL;
    memcpy(kernel->text, text, sizeof kernel->text);
    kernel->name = strdup(name);
    if (!kernel->name) {
        free(kernel);
        return NULL;
    }
    kernel->next = policy->kernels;
    policy->kernels = kernel;
    return kernel;
}

struct dl__policy_row *dl__policy_row_get(struct dl__policy_kernel *kernel, double work,
                                          uint64_t structs)
{
    unsigned work_class = class_of(work), struct_class = class_of((double)structs);
    struct dl__policy_row *row;

    for (row = kernel->rows; row; row = row->next) {
        if (row->work_class == work_class && row->struct_class == struct_class)
            return row;
    }
    row = calloc(1, sizeof *row);
    if (!row)
        return NULL;
    row->work_class = work_class;
    row->struct_class = struct_class;
    row->next = kernel->rows;
    kernel->rows = row;
    return row;
}

void dl__policy_free(struct dl__policy *policy)
{
    struct dl__policy_kernel *kernel;
    struct dl__policy_row *row;

    while ((kernel = policy->kernels)) {
        while ((row = kernel->rows)) {
            kernel->rows = row->next;
            free(row);
        }
        policy->kernels = kernel->next;
        free(kernel->name);
        free(kernel);
    }
}
