/* SPDX-License-Identifier: MIT */
/* What a kernel's launches will most likely want, asked of the builder before the first
 * of them. */
#include <stdlib.h>

#include "choose.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/ask.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/programs/serve.h"
#include "libdl_intercept/state/contexts.h"
#include "arrays.h"
#include "bind.h"
#include "device_layout.h"

/* A size like many: what is expected of a text hangs little on it. */
enum { STRUCTS_EXPECTED = 1 << 20 };

/* What the text says of its launches. False: they have to be seen first. */
static DL__WITH_LOCK bool expect(const struct dl__kernel *kernel,
                                 const struct dl_rates *rates, struct dl__estimate *out)
{
    struct dl__estimated_buffer *buffers =
        calloc(kernel->note->buffer_count, sizeof *buffers);
    bool known = buffers != NULL;

    for (size_t b = 0; known && b < kernel->note->buffer_count; b++) {
        known = !dl__leaves_are_open(&kernel->note->buffers[b]);
        if (known)
            buffers[b] = dl__estimated_buffer(kernel, b, STRUCTS_EXPECTED);
    }
    if (known)
        dl__estimate_launch(rates, buffers, kernel->note->buffer_count, STRUCTS_EXPECTED,
                            out);
    free(buffers);
    return known;
}

static DL__WITH_LOCK void ask_ahead(struct dl__kernel *kernel, struct dl__device *device,
                                    enum dl__candidate_id candidate, bool loads)
{
    struct dl__shadow_knobs knobs = {0}, telling = {.printing = true};
    struct dl_layout layout;

    dl__choice_layout(candidate, kernel, NULL, NULL, device, &layout);
    if (layout.tile_structs == 0)
        return;
    dl_layout_knobs(&layout, &knobs.layout);
    knobs.arrays = layout.kind == DL_LAYOUT_SOA;
    /* What an earlier run gained by is loaded before launches pile up, for which some
     * drivers make loading wait. */
    if (loads && !dl__transformer_get())
        dl__shadow_ask(kernel->rewrite, kernel->object.context, kernel->note, device->id,
                       &knobs);
    else
        dl__shadow_ask_ahead(kernel->rewrite, kernel->object.context, kernel->note,
                             device, &knobs);
    if (kernel->note->tells)
        dl__shadow_ask_ahead(kernel->rewrite, kernel->object.context, kernel->note,
                             device, &telling);
}

/* True when another object of the kernel has asked: programs may make one for each
 * launch. Of more than 64 kernels two may be taken for one; their launches ask, too. */
static DL__WITH_LOCK bool was_expected(uint64_t *expected, uint64_t number)
{
    uint64_t bit = UINT64_C(1) << number % 64;
    bool was = *expected & bit;

    *expected |= bit;
    return was;
}

/* Of several devices the launches will say which. */
static DL__WITH_LOCK bool is_expecting(const struct dl__rewrite *rewrite)
{
    return dl__policy_is_on() && !dl__options_get()->policy_test && rewrite &&
           rewrite->device_count == 1;
}

void dl__choice_expect_unread(struct dl__kernel *kernel)
{
    struct dl__rewrite *rewrite = kernel->rewrite;
    uint64_t number = 0;

    for (const char *at = kernel->name; at && *at; at++)
        number = 31 * number + (unsigned char)*at;
    if (kernel->name && is_expecting(rewrite) &&
        !was_expected(&rewrite->expected_unread, number))
        dl__expect_ask(rewrite, rewrite->devices[0], kernel->name);
}

static DL__UNCHECKED void expect_in_builder(struct dl__kernel *kernel)
{
    dl__choice_expect(kernel);
}

__attribute__((constructor)) static void begin(void)
{
    dl__jobs_expect_by(expect_in_builder);
}

void dl__choice_expect(struct dl__kernel *kernel)
{
    struct dl__rewrite *rewrite = kernel->rewrite;
    struct dl__estimate estimate;
    struct dl__device *device;
    struct dl__policy *policy;
    enum dl__candidate_id best;

    if (!is_expecting(rewrite) || dl__kernel_wants_soa(kernel) ||
        was_expected(&rewrite->expected, (uintptr_t)kernel->note / sizeof *kernel->note))
        return;
    device = dl__context_device(kernel->object.context, rewrite->devices[0]);
    policy =
        device ? dl__policy_of(device->id, !(device->type & CL_DEVICE_TYPE_GPU)) : NULL;
    if (!policy || !expect(kernel, &policy->rates, &estimate))
        return;
    best = dl__policy_best(dl__choice_kernel(kernel, device->id, policy));
    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        if (estimate.of[i].verdict == DL__CLEAR || i == (int)best)
            ask_ahead(kernel, device, (enum dl__candidate_id)i, i == (int)best);
    }
}
