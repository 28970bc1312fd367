/* SPDX-License-Identifier: MIT */
/* PTTWAC, with its flags in local or in global memory. */
#include "algorithm.h"

#include <stdlib.h>

extern const char dl_step_cl[], dl_cycle_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_cycle_cl}};

static enum dl_status kernel_get(const struct dl__steps *steps,
                                 const struct dl__text *text, const char *name,
                                 cl_kernel *out)
{
    if (text->failed)
        return DL_ENOMEM;
    return dl__engine_kernel(steps->engine, &source, text->bytes, name, out, NULL);
}

/* Flags in local memory mean a work-group an array: too few arrays leave the device idle.
 */
static bool is_local(const struct dl__steps *steps, const struct dl__shape *shape)
{
    const struct dl__device_limits *limits = &steps->engine->limits;
    uint64_t elements = shape->rows * shape->columns;

    return elements / 32 * 4 + 4 <= limits->local_bytes && elements < UINT32_MAX / 2 &&
           (shape->instances >= limits->compute_units || elements <= 4096);
}

static double cycle_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    if (dl__shape_is_slide(shape) || !dl__shape_columns_fit(shape, shape->split))
        return DL__CAN_NOT;
    if (steps->knobs.family == DL_FORCE_CYCLE)
        return 0;
    return is_local(steps, shape) ? 5 : 20;
}

/* Words of flags in local memory, whose form is added to the kernel's knobs; 0: as many
 * as the knobs want do not fit, and what is compared with others runs as it says or not
 * at all. */
static uint64_t flags_lay_out(const struct dl__steps *steps,
                              const struct dl__knobs *knobs, uint64_t elements,
                              bool in_local, struct dl__text *text)
{
    unsigned flags = knobs->cycle_flags;
    uint64_t words;
    bool is_compared = knobs->cycle_held == 0 && steps->knobs.family == DL_FORCE_CYCLE;

    /* Spread flags cost a quarter of a tile of local memory; pack them when that is too
     * much. */
    while (!is_compared && flags < 32 &&
           elements / flags * 4 + 4 > steps->engine->limits.local_bytes / 4)
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
    return in_local && words * 4 > steps->engine->limits.local_bytes ? 0 : words;
}

/* The kernel, and the largest group of at most so many work-items as the knobs want that
 * it can have: a driver may give one that says its group more than others (NVIDIA's 256).
 */
static enum dl_status local_kernel(const struct dl__steps *steps,
                                   const struct dl__shape *shape,
                                   const struct dl__knobs *knobs, struct dl__text *text,
                                   cl_kernel *out, size_t *items)
{
    const struct dl__engine *engine = steps->engine;
    uint64_t elements = shape->rows * shape->columns;
    size_t wanted = 1;
    cl_kernel said;
    enum dl_status st = kernel_get(steps, text, "dl_cycle_local", out);

    if (st != DL_OK)
        return st;
    *items = dl__engine_group_items(engine, *out, knobs->cycle_group, elements);
    while (wanted * 2 <= knobs->cycle_group && wanted * 2 <= engine->limits.group_items &&
           wanted < elements)
        wanted *= 2;
    /* With elements held, what the driver gives is what was measured to be fast. */
    if (*items == wanted || knobs->cycle_held)
        return DL_OK;
    dl__text_add(text, "#define GROUP %zu\n", wanted);
    st = kernel_get(steps, text, "dl_cycle_local", &said);
    if (st == DL_OK && engine->ops->kernel_items_max(engine->device, said) >= wanted) {
        *out = said;
        *items = wanted;
    }
    return DL_OK;
}

static enum dl_status local_plan(const struct dl__steps *steps,
                                 const struct dl__shape *shape,
                                 const struct dl__knobs *knobs, struct dl__text *text,
                                 uint64_t words, struct dl__run_list *list)
{
    size_t items;
    cl_kernel kernel;
    enum dl_status st = local_kernel(steps, shape, knobs, text, &kernel, &items);

    if (st != DL_OK)
        return st;
    struct dl__run run =
        dl__step_run("dl_cycle_local", kernel, shape->base_bytes, shape->rows);
    dl__run_add_local(&run, words * 4);
    run.local[0] = items;
    run.global[0] = (size_t)shape->instances * items;
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
    enum dl_status st = kernel_get(steps, text, "dl_cycle_global", &kernel);

    if (st == DL_OK)
        st = kernel_get(steps, text, "dl_cycle_clear", &clears);
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
    enum dl_status st = DL_ENOTSUP;

    if (words == 0)
        goto out;
    /* Tiles are of few lengths; a whole array's length is its own. */
    if (in_local && shape->instances > 1)
        dl__text_add(&text, "#define KNOWN_ROWS %lluu\n",
                     (unsigned long long)shape->rows);
    dl__knobs_add_step(&text, shape, shape->split, elements);
    st = in_local ? local_plan(steps, shape, &knobs, &text, words, list)
                  : global_plan(steps, shape, &text, words, list);
out:
    free(text.bytes);
    return st;
}

const struct dl__step_algorithm dl__step_cycle = {cycle_cost, false, cycle_plan};
