/* SPDX-License-Identifier: MIT */
/* PTTWAC, with its flags in local or in global memory. */
#include "algorithm.h"

#include <stdlib.h>

extern const char dl_step_cl[], dl_cycle_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_cycle_cl}};

static bool cycle_applies(const struct dl__steps *steps, const struct dl__shape *shape)
{
    (void)steps;
    return !dl__shape_is_slide(shape) && dl__shape_columns_fit(shape, shape->split);
}

/* Flags in local memory mean a work-group an array: too few arrays leave the device idle. */
static bool is_local(const struct dl__steps *steps, const struct dl__shape *shape)
{
    const struct dl__device_limits *limits = &steps->engine->limits;
    uint64_t elements = shape->rows * shape->columns;

    return elements / 32 * 4 + 4 <= limits->local_bytes && elements < UINT32_MAX / 2 &&
           (shape->instances >= limits->compute_units || elements <= 4096);
}

static double cycle_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    if (steps->knobs.family == DL_FORCE_CYCLE)
        return 0;
    return is_local(steps, shape) ? 5 : 20;
}

/* Words of flags in local memory, whose form is added to the kernel's knobs. */
static uint64_t flags_lay_out(const struct dl__steps *steps,
                              const struct dl__knobs *knobs, uint64_t elements,
                              bool in_local, struct dl__text *text)
{
    unsigned flags = knobs->cycle_flags;
    uint64_t words;

    /* Spread flags cost a quarter of a tile of local memory; pack them when that is too
     * much. */
    while (flags < 32 && elements / flags * 4 + 4 > steps->engine->limits.local_bytes / 4)
        flags *= 2;
    if (!in_local)
        flags = 32;
    words = elements / flags + 1;
    if (in_local && knobs->cycle_remap)
        dl__text_add(text, "#define FLAG_WORDS %lluu\n", (unsigned long long)words);
    else if (in_local && knobs->cycle_pad) {
        dl__text_add(text, "#define FLAG_PAD\n");
        words += words / 32;
    }
    dl__text_add(text, "#define FLAGS_A_WORD %uu\n#define HELD %uu\n", flags,
                 knobs->cycle_held);
    return words;
}

static enum dl_status local_plan(const struct dl__steps *steps,
                                 const struct dl__shape *shape,
                                 const struct dl__knobs *knobs,
                                 const struct dl__text *text, uint64_t words,
                                 struct dl__run_list *list)
{
    cl_kernel kernel;
    enum dl_status st = dl__step_kernel(steps, &source, text, "dl_cycle_local", &kernel);

    if (st != DL_OK)
        return st;
    struct dl__run run =
        dl__step_run("dl_cycle_local", kernel, shape->base_bytes, shape->rows);
    dl__run_add_local(&run, words * 4);
    run.local[0] = dl__engine_group_items(steps->engine, kernel, knobs->cycle_group,
                                          shape->rows * shape->columns);
    run.global[0] = (size_t)shape->instances * run.local[0];
    return dl__run_list_add(list, &run, 0);
}

/* One array after the other. */
static enum dl_status global_plan(const struct dl__steps *steps,
                                  const struct dl__shape *shape,
                                  const struct dl__text *text, uint64_t words,
                                  struct dl__run_list *list)
{
    const uint64_t elements = shape->rows * shape->columns;
    const uint64_t never = 0; /* see dl_cycle_global */
    struct dl__run run, clear;
    cl_kernel kernel, clears;
    enum dl_status st = dl__step_kernel(steps, &source, text, "dl_cycle_global", &kernel);

    if (st == DL_OK)
        st = dl__step_kernel(steps, &source, text, "dl_cycle_clear", &clears);
    if (st != DL_OK)
        return st;
    run = dl__step_run("dl_cycle_global", kernel, shape->base_bytes, shape->rows);
    dl__run_add_workspace(&run);
    dl__run_add_ulong(&run, never);
    run.local[0] = dl__engine_group_items(steps->engine, kernel, 256, elements);
    run.global[0] = (size_t)steps->engine->limits.compute_units * 8 * run.local[0];
    clear = dl__clear_run(steps, "dl_cycle_clear", clears, words);
    for (uint64_t i = 0; i < shape->instances && st == DL_OK; i++) {
        st = dl__run_list_add(list, &clear, words * 4);
        if (st == DL_OK)
            st = dl__run_list_add(list, &run, words * 4);
        dl__run_shift(&run, elements * shape->element_bytes);
    }
    return st;
}

static enum dl_status cycle_plan(const struct dl__steps *steps,
                                 const struct dl__shape *shape, struct dl__run_list *list)
{
    const uint64_t elements = shape->rows * shape->columns;
    const struct dl__knobs knobs =
        dl__steps_knobs(steps, "cycle", elements * shape->element_bytes);
    const bool in_local = is_local(steps, shape);
    struct dl__text text = {0};
    uint64_t words = flags_lay_out(steps, &knobs, elements, in_local, &text);
    enum dl_status st;

    /* Tiles are of few lengths; a whole array's length is its own. */
    if (in_local && shape->instances > 1)
        dl__text_add(&text, "#define KNOWN_ROWS %lluu\n",
                     (unsigned long long)shape->rows);
    dl__knobs_add_step(&text, shape, shape->split, elements);
    st = in_local ? local_plan(steps, shape, &knobs, &text, words, list)
                  : global_plan(steps, shape, &text, words, list);
    free(text.bytes);
    return st;
}

const struct dl__step_algorithm dl__step_cycle = {"cycle", cycle_applies, cycle_cost,
                                                  false, cycle_plan};
