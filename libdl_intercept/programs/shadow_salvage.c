/* SPDX-License-Identifier: MIT */
/* A rewritten text that libclang takes and the device's compiler does not: which of its kernels
 * are to blame, so that the others can do without them. */
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/records.h"
#include "shadow_salvage.h"

/* A build takes long: for more it is not worth it. */
enum { BUILDS_MAX = 64 };

struct salvage {
    const struct dl__unit *unit;
    struct dl__context *context;
    struct dl__shadow *shadow;
    bool linked;
    const struct dl_kernel_note **kernels; /* that are transformed */
    size_t count;
    const char **left_out; /* for one try */
    bool *bad;
    unsigned builds;
};

static bool is_transformed(const struct dl_kernel_note *kernel)
{
    for (size_t i = 0; i < kernel->buffer_count; i++)
        if (kernel->buffers[i].native == DL_LAYOUT_AOS)
            return true;
    return false;
}

/* The text with only the kernels [first, end), less the bad ones. */
static DL__WITH_LOCK char *text_with(struct salvage *s, size_t first, size_t end)
{
    size_t count = 0;

    for (size_t i = 0; i < s->count; i++)
        if (i < first || i >= end || s->bad[i])
            s->left_out[count++] = s->kernels[i]->name;
    return dl__unit_text_without(s->unit, s->context, s->shadow->device, s->left_out,
                                 count);
}

static DL__WITH_LOCK bool builds(struct salvage *s, size_t first, size_t end)
{
    char *text = s->builds++ < BUILDS_MAX ? text_with(s, first, end) : NULL;
    cl_program program =
        text ? dl__unit_build(s->context->object.handle, s->shadow->device, s->unit, text,
                              s->shadow->knobs, s->linked)
             : NULL;

    if (program)
        dl__next.clReleaseProgram(program);
    free(text);
    return program != NULL;
}

/* By halves: `known_bad` when they are known not to build. */
static DL__WITH_LOCK void find_bad(struct salvage *s, size_t first, size_t end,
                                   bool known_bad)
{
    size_t middle = first + (end - first) / 2;

    if (!known_bad && builds(s, first, end))
        return;
    if (end - first == 1) {
        s->bad[first] = true;
        return;
    }
    find_bad(s, first, middle, false);
    find_bad(s, middle, end, false);
}

static bool leave_out(struct dl__shadow *shadow, const char *kernel)
{
    char **more = realloc(shadow->left_out,
                          (shadow->left_out_count + 1) * sizeof *shadow->left_out);

    if (!more)
        return false;
    shadow->left_out = more;
    more[shadow->left_out_count] = strdup(kernel);
    shadow->left_out_count += more[shadow->left_out_count] != NULL;
    return shadow->left_out_count && more[shadow->left_out_count - 1];
}

/* The text without the bad ones, when something is left and builds. */
static DL__WITH_LOCK char *text_of_good(struct salvage *s)
{
    size_t bad = 0;
    bool kept = true;

    for (size_t i = 0; i < s->count; i++)
        bad += s->bad[i];
    if (bad == s->count || s->builds >= BUILDS_MAX)
        return NULL;
    for (size_t i = 0; i < s->count; i++) {
        if (!s->bad[i])
            continue;
        kept = leave_out(s->shadow, s->kernels[i]->name) && kept;
    }
    return kept ? text_with(s, 0, s->count) : NULL;
}

char *dl__unit_salvage(const struct dl__unit *unit, struct dl__context *context,
                       struct dl__shadow *shadow, bool linked)
{
    size_t most = unit->notes ? unit->notes->kernel_count : 0;
    struct salvage s = {
        .unit = unit, .context = context, .shadow = shadow, .linked = linked};
    char *text = NULL;

    s.kernels = calloc(most + 1, sizeof *s.kernels);
    s.left_out = calloc(most + 1, sizeof *s.left_out);
    s.bad = calloc(most + 1, sizeof *s.bad);
    for (size_t i = 0; s.kernels && i < most; i++)
        if (is_transformed(&unit->notes->kernels[i]))
            s.kernels[s.count++] = &unit->notes->kernels[i];
    if (s.kernels && s.left_out && s.bad && unit->source && s.count > 1) {
        find_bad(&s, 0, s.count, true);
        text = text_of_good(&s);
    }
    free(s.kernels);
    free(s.left_out);
    free(s.bad);
    return text;
}
