/* SPDX-License-Identifier: MIT */
/* Tiles that go through registers: their numbers, and their kernels. */
#include "internal.h"

#include <stdio.h>
#include <string.h>

static unsigned chosen(unsigned asked, unsigned known)
{
    return asked ? asked : known;
}

bool dl__tiling_choose(const struct dl_transpose *transpose, const char *family,
                       uint64_t element_bytes, uint64_t aligned, struct dl__tiling *out)
{
    const struct dl__tuning *asked = &transpose->tuning;
    bool is_out = strcmp(family, "out") == 0;
    char odd[16];

    if (element_bytes > 16 || (element_bytes & (element_bytes - 1)) != 0)
        return false;
    snprintf(odd, sizeof odd, "%s_odd", family);
    for (unsigned is_odd = 0; is_odd < 2; is_odd++) {
        struct dl__tuning known = {0};
        dl__numbers_read(transpose->engine.file, is_odd ? odd : family, element_bytes,
                         &dl__tuning_table, &known);
        *out =
            is_out
                ? (struct dl__tiling){chosen(asked->out_side, known.out_side),
                                      chosen(asked->out_vector, known.out_vector),
                                      chosen(asked->out_group, known.out_group),
                                      chosen(asked->out_width, known.out_width),
                                      chosen(asked->out_hint, known.out_hint),
                                      known}
                : (struct dl__tiling){chosen(asked->square_side, known.square_side),
                                      chosen(asked->square_vector, known.square_vector),
                                      chosen(asked->square_group, known.square_group),
                                      chosen(asked->square_width, known.square_width),
                                      chosen(asked->square_hint, known.square_hint),
                                      known};
        /* What no register or memory access is as wide as. */
        while (out->vector * element_bytes > 16)
            out->vector /= 2;
        if (aligned % (out->vector * element_bytes) == 0)
            break;
        out->vector = 1;
    }
    while (out->side * out->side * element_bytes + 64 >
           transpose->engine.limits.local_bytes)
        out->side /= 2;
    out->group = (unsigned)dl__group_items(transpose, out->group);
    while (out->group > out->side / out->vector * (out->side / out->vector))
        out->group /= 2;
    return out->side >= 4;
}

enum dl_status dl__tiling_kernel(struct dl_transpose *transpose,
                                 const struct dl__kernel_source *source,
                                 const struct dl__tiling *tiling, uint64_t element_bytes,
                                 bool conjugate, const char *name, cl_kernel *out,
                                 struct dl_transpose_error *error)
{
    char knobs[300];

    snprintf(knobs, sizeof knobs,
             "#define ELEMENT_BYTES %u\n#define VECTOR %u\n#define SIDE %uu\n#define "
             "GROUP %uu\n#define UNROLL %u\n#define L2_HINT %u\n#define CONJUGATE %d\n",
             (unsigned)element_bytes, tiling->vector, tiling->side, tiling->group,
             transpose->tuning.unroll > 1 ? 64u : 1u, tiling->hint > 1 ? tiling->hint : 0,
             conjugate);
    return dl__kernel_get(transpose, source, knobs, name, out, error);
}
