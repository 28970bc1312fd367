/* SPDX-License-Identifier: MIT */
/* Kernels and their rows. */
#include <stdlib.h>
#include <string.h>

#include "core.h"

/* One launch in so many is timed, and fewer once that many have been made. */
enum {
    OFTEN_EVERY = 16,
    RARELY = 256,
    RARELY_EVERY = 64,
    SELDOM = 4096,
    SELDOM_EVERY = 256
};

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

bool dl__row_is_remembered(const struct dl__policy_row *row)
{
    bool other = false;

    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        other = other || row->remembered[c].work > 0;
    return other && row->remembered[DL__NATIVE].work > 0;
}

/* ---- which launches are timed ---- */

unsigned dl__sampled_every(unsigned long launches)
{
    return launches < RARELY   ? OFTEN_EVERY
           : launches < SELDOM ? RARELY_EVERY
                               : SELDOM_EVERY;
}

bool dl__is_sampled(const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    struct dl__policy_row *row = ask->row;
    unsigned long before = row->launches[c];
    unsigned every = dl__sampled_every(before);
    bool sampled =
        ask->timed &&
        (before < 3 || row->doubted[c] || before / every != row->sampled[c] / every ||
         (row->samples[c].count < 2 && !row->doubted[c] &&
          ((before < 64 && !dl__samples_known(&row->samples[c])) ||
           dl__is_on_trial(ask, c))));

    if (sampled)
        row->sampled[c] = before;
    return sampled;
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
