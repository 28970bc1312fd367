/* SPDX-License-Identifier: MIT */
/* 010! on chunks of whole tiles, with all lengths known when the kernel is built: for
 * GPUs. */
#include "algorithm.h"

#include <stdlib.h>

extern const char dl_step_cl[], dl_rest_cl[], dl_chunk_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_rest_cl, dl_chunk_cl}};

/* How a chunk of whole tiles is shared out; batch 0: it can't be. */
struct chunk {
    uint64_t batch; /* tiles */
    size_t group;
};

/* The part of the lanes that a chunk of so many vectors keeps busy, less a little for a
 * size far from the wanted one and for a single round, which leaves nothing in flight. */
static double chunk_score(uint64_t vectors, size_t group, uint64_t wanted)
{
    uint64_t items = (vectors + group - 1) / group;
    double busy = (double)vectors / (double)(items * group);
    double size = (double)vectors / (double)wanted;

    return busy - 0.02 * (size < 1 ? 1 / size : size) - (items == 1 ? 0.1 : 0);
}

/* The batch and the work-group, a multiple of tile_group / 2, with the best score. */
static struct chunk chunk_choose(const struct dl__steps *steps,
                                 const struct dl__shape *shape)
{
    uint64_t tile = shape->rows * shape->columns * shape->element_bytes;
    const struct dl__knobs tuned = dl__steps_knobs(steps, "chunk", tile), *knobs = &tuned;
    uint64_t wanted = (uint64_t)knobs->tile_group * knobs->tile_items;
    size_t half = knobs->tile_group > 1 ? knobs->tile_group / 2 : 1;
    uint64_t least = 1; /* tiles that are whole vectors */
    struct chunk best = {0, 0};
    double best_score = -1;

    while (least * tile % 16 != 0)
        least *= 2;

    for (uint64_t batch = least; batch <= knobs->chunk_batch_max; batch += least) {
        uint64_t vectors = batch * tile / 16;
        uint64_t local = batch * tile + (knobs->tile_pad ? batch * tile / 32 + 16 : 0);
        if (local > steps->engine->limits.local_bytes ||
            (batch > least && vectors > wanted * 2))
            break;
        for (size_t group = 2 * half; group <= steps->engine->limits.group_items;
             group += half) {
            double score;
            if (vectors > group * knobs->chunk_items_max)
                continue;
            /* Larger work-groups than need be wait longer at the barrier. */
            if (group > 4 * half && vectors <= (group - half) * knobs->chunk_items_max)
                break;
            score = chunk_score(vectors, group, wanted);
            if (score > best_score) {
                best = (struct chunk){batch, group};
                best_score = score;
            }
        }
    }
    return best;
}

/* Work-items by themselves are for CPUs, or for when they are asked for. */
static bool chunk_applies(const struct dl__steps *steps, const struct dl__shape *shape)
{
    struct chunk chunk;

    if (steps->engine->limits.is_cpu || steps->knobs.family == DL_FORCE_EACH ||
        !dl__shape_is_tile(steps, shape) || shape->base_bytes % 16 != 0)
        return false;
    chunk = chunk_choose(steps, shape);
    return chunk.batch > 0 && shape->instances >= chunk.batch;
}

static double chunk_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    (void)steps, (void)shape;
    return 1.05;
}

static enum dl_status chunk_plan(const struct dl__steps *steps,
                                 const struct dl__shape *shape, struct dl__run_list *list)
{
    const struct chunk chunk = chunk_choose(steps, shape);
    const struct dl__knobs knobs =
        dl__steps_knobs(steps, "chunk", dl__shape_bytes(shape));
    unsigned pad = shape->element_bytes >= 4 ? 1 : (unsigned)(4 / shape->element_bytes);
    struct dl__text text = {0};
    cl_kernel kernel;
    enum dl_status st;

    dl__text_add(&text, "#define ROWS %lluu\n#define BATCH %lluu\n#define GROUP %zuu\n",
                 (unsigned long long)shape->rows, (unsigned long long)chunk.batch,
                 chunk.group);
    dl__text_add(&text, "#define PAD %u\n#define MAP %u\n", knobs.tile_pad ? pad : 0,
                 knobs.tile_pad);
    dl__knobs_add_step(&text, shape, shape->split, shape->rows * shape->columns);
    st = dl__step_kernel(steps, &source, &text, "dl_chunk", &kernel);
    free(text.bytes);
    if (st != DL_OK)
        return st;
    if (steps->engine->ops->kernel_items_max(steps->engine->device, kernel) < chunk.group)
        /* The compiler finds that the device can't run so many work-items of it. */
        return dl__step_tiles_plan(steps, shape, 0, list);
    struct dl__run run =
        dl__chunks_run("dl_chunk", kernel, shape, chunk.batch, chunk.group);
    return dl__run_list_add(list, &run, 0);
}

const struct dl__step_algorithm dl__step_chunk = {"chunk", chunk_applies, chunk_cost,
                                                  true, chunk_plan};
