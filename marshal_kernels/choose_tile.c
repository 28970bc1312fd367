/* 010! on tiles that fit on the chip: chunks of whole tiles, single tiles of any length, and whole
 * tiles a work-item on CPUs. */
#include "choose.h"

enum {
    CHUNK_ITEMS_MAX = 6, /* vectors that a work-item keeps in registers */
    CHUNK_BATCH_MAX = 256,
    EACH_BYTES_MAX = 32 << 10 /* of a tile on its stack */
};

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
static struct chunk chunk_choose(const struct dl_marshal *marshal,
                                 const struct dl__shape *shape)
{
    uint64_t tile = shape->rows * shape->columns * shape->element_bytes;
    const struct dl__knobs tuned = dl__tuned_knobs(marshal, "chunk", tile),
                           *knobs = &tuned;
    uint64_t wanted = (uint64_t)knobs->tile_group * knobs->tile_items;
    size_t half = knobs->tile_group > 1 ? knobs->tile_group / 2 : 1;
    uint64_t least = 1; /* tiles that are whole vectors */
    struct chunk best = {0, 0};
    double best_score = -1;

    while (least * tile % 16 != 0)
        least *= 2;

    for (uint64_t batch = least; batch <= CHUNK_BATCH_MAX; batch += least) {
        uint64_t vectors = batch * tile / 16;
        uint64_t local = batch * tile + (knobs->tile_pad ? batch * tile / 32 + 16 : 0);
        if (local > marshal->limits.local_bytes ||
            (batch > least && vectors > wanted * 2))
            break;
        for (size_t group = 2 * half; group <= marshal->limits.group_items;
             group += half) {
            double score;
            if (vectors > group * CHUNK_ITEMS_MAX)
                continue;
            /* Larger work-groups than need be wait longer at the barrier. */
            if (group > 4 * half && vectors <= (group - half) * CHUNK_ITEMS_MAX)
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

/* Tiles by themselves, any length: `instances` of them from base_bytes on. */
static enum dl_status choose_any(struct dl_marshal *marshal,
                                 const struct dl__shape *shape, uint64_t base_bytes,
                                 uint64_t instances, struct dl__launch_list *list)
{
    struct dl__text text = {0};
    struct dl__launch launch = {
        .entry = DL_ENTRY_TILE_ANY, .base_bytes = base_bytes, .rows = shape->rows};
    uint64_t elements = shape->rows * shape->columns;
    enum dl_status st;

    dl__knobs_add_step(&text, shape, shape->split, elements);
    st = dl__choose_program(marshal, DL_FAMILY_TILE, &text, &launch.program);
    if (st != DL_OK)
        return st;
    launch.local_bytes = elements * shape->element_bytes;
    launch.local[0] = dl__kernel_group_items(marshal, &launch, 256, elements);
    launch.global[0] = (size_t)instances * launch.local[0];
    return dl__list_add(list, launch);
}

/* Whole chunks, `chunk.batch` tiles each. */
static enum dl_status choose_chunks(struct dl_marshal *marshal,
                                    const struct dl__shape *shape, struct chunk chunk,
                                    struct dl__launch_list *list)
{
    const struct dl__knobs knobs = dl__tuned_knobs(
        marshal, "chunk", shape->rows * shape->columns * shape->element_bytes);
    struct dl__text text = {0};
    struct dl__launch launch = {.entry = DL_ENTRY_CHUNK, .base_bytes = shape->base_bytes};
    unsigned pad = shape->element_bytes >= 4 ? 1 : (unsigned)(4 / shape->element_bytes);
    enum dl_status st;

    dl__text_add(&text, "#define ROWS %lluu\n#define BATCH %lluu\n#define GROUP %zuu\n",
                 (unsigned long long)shape->rows, (unsigned long long)chunk.batch,
                 chunk.group);
    dl__text_add(&text, "#define PAD %u\n#define MAP %u\n", knobs.tile_pad ? pad : 0,
                 knobs.tile_pad);
    dl__knobs_add_step(&text, shape, shape->split, shape->rows * shape->columns);
    st = dl__choose_program(marshal, DL_FAMILY_CHUNK, &text, &launch.program);
    if (st != DL_OK)
        return st;
    /* The compiler may find that the device can't run so many work-items of it. */
    if (dl__kernel_items_max(marshal, &launch) < chunk.group)
        return choose_any(marshal, shape, shape->base_bytes,
                          shape->instances - shape->instances % chunk.batch, list);
    launch.rows = shape->instances / chunk.batch;
    launch.local[0] = chunk.group;
    launch.global[0] = launch.rows * chunk.group;
    return dl__list_add(list, launch);
}

/* The struct as runs of equally wide leaves. */
static void knobs_add_runs(struct dl__text *text, const struct dl_step *step)
{
    uint32_t leaves = step->leaf_columns ? step->leaf_count : (uint32_t)step->columns;
    uint64_t offset = 0;

    dl__text_add(text, "#define RUN_MAP(X)");
    for (uint32_t leaf = 0, past; leaf < leaves; leaf = past) {
        uint64_t columns = step->leaf_columns ? step->leaf_columns[leaf] : 1;
        for (past = leaf + 1; past < leaves; past++)
            if ((step->leaf_columns ? step->leaf_columns[past] : 1) != columns)
                break;
        dl__text_add(text, " X(%lluu, %lluu, %uu)",
                     (unsigned long long)(columns * step->element_bytes),
                     (unsigned long long)offset, past - leaf);
        offset += columns * step->element_bytes * (past - leaf);
    }
    dl__text_add(text, "\n");
}

/* On a CPU: a work-item transposes EACH_TILES tiles. */
static enum dl_status choose_each(struct dl_marshal *marshal,
                                  const struct dl__shape *shape,
                                  struct dl__launch_list *list)
{
    unsigned each = dl__tuned_knobs(marshal, "each",
                                    shape->rows * shape->columns * shape->element_bytes)
                        .each_tiles;
    struct dl__text text = {0};
    struct dl__launch launch = {.entry = DL_ENTRY_EACH,
                                .base_bytes = shape->base_bytes,
                                .rows = shape->instances};
    enum dl_status st;

    dl__text_add(&text, "#define ROWS %lluu\n#define EACH %uu\n",
                 (unsigned long long)shape->rows, each);
    knobs_add_runs(&text, shape->step);
    dl__knobs_add_step(&text, shape, shape->split, shape->rows * shape->columns);
    st = dl__choose_program(marshal, DL_FAMILY_EACH, &text, &launch.program);
    if (st != DL_OK)
        return st;
    launch.local[0] = 1;
    launch.global[0] = (shape->instances + each - 1) / each;
    return dl__list_add(list, launch);
}

enum dl_status dl__choose_tile(struct dl_marshal *marshal, const struct dl__shape *shape,
                               struct dl__launch_list *list)
{
    uint64_t tile = shape->rows * shape->columns * shape->element_bytes;
    uint64_t rest = shape->instances;
    struct chunk chunk = chunk_choose(marshal, shape);
    enum dl_status st;

    if (marshal->limits.is_cpu || marshal->knobs.family == DL_FORCE_EACH) {
        if (shape->instances > 1 && tile <= EACH_BYTES_MAX)
            return choose_each(marshal, shape, list);
    } else if (chunk.batch > 0 && shape->instances >= chunk.batch &&
               shape->base_bytes % 16 == 0) {
        st = choose_chunks(marshal, shape, chunk, list);
        rest = shape->instances % chunk.batch;
        if (st != DL_OK || rest == 0)
            return st;
    }
    return choose_any(marshal, shape,
                      shape->base_bytes + (shape->instances - rest) * tile, rest, list);
}
