/* The one chooser: which kernels carry out an elementary transposition on a device. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SUPER_ELEMENT_BYTES_MIN = 32, /* below, single elements are as good */
    COLUMNS_MAX = 1 << 14,        /* of a table of leaves in constant memory */
    CHUNK_ITEMS_MAX = 6,          /* vectors that a work-item keeps in registers */
    CHUNK_BATCH_MAX = 256,
    EACH_TILES = 16,          /* tiles that a work-item on a CPU transposes */
    EACH_BYTES_MAX = 32 << 10 /* of a tile on its stack */
};

enum {
    FORCE_NONE,
    FORCE_TILE,
    FORCE_CYCLE,
    FORCE_CUT,
    FORCE_EACH
}; /* the knob `family` */

/* ---- text
 * ------------------------------------------------------------------------------------ */

struct text {
    char *bytes;
    size_t count, capacity;
    bool failed;
};

__attribute__((format(printf, 2, 3))) static void text_add(struct text *text,
                                                           const char *format, ...)
{
    va_list args;
    int more;

    va_start(args, format);
    more = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (text->failed || more < 0)
        return;
    if (text->count + (size_t)more + 1 > text->capacity) {
        size_t capacity = (text->count + (size_t)more + 1) * 2;
        char *bytes = realloc(text->bytes, capacity);
        if (!bytes) {
            text->failed = true;
            return;
        }
        text->bytes = bytes;
        text->capacity = capacity;
    }
    va_start(args, format);
    vsnprintf(text->bytes + text->count, text->capacity - text->count, format, args);
    va_end(args);
    text->count += (size_t)more;
}

/* ---- the step in a kernel's terms
 * -------------------------------------------------------------- */

/* A step whose elements are a type of the kernels; every old column is `split` new ones.
 */
struct shape {
    uint64_t base_bytes, instances, rows, columns;
    uint64_t element_bytes; /* 1, 2, 4, 8 or 16 */
    uint64_t split;
    const struct dl_step *step;
};

static uint64_t power_of_two_part(uint64_t number, uint64_t most)
{
    uint64_t part = 1;

    while (part < most && number % (part * 2) == 0)
        part *= 2;
    return part;
}

static struct shape shape_of_step(const struct dl_step *step)
{
    uint64_t bytes = power_of_two_part(step->element_bytes, 16);
    uint64_t split = step->element_bytes / bytes;

    return (struct shape){step->base_bytes,
                          step->instances,
                          step->rows,
                          step->columns * split,
                          bytes,
                          split,
                          step};
}

/* The knobs of step.cl. `elements` is how far indices count. */
static void knobs_add_step(struct text *text, const struct shape *shape, uint64_t split,
                           uint64_t elements)
{
    const struct dl_step *step = shape->step;
    uint64_t columns = step->columns * split;

    text_add(text,
             "#define COLUMNS %lluu\n#define ELEMENT_BYTES %u\n#define INVERSE %d\n",
             (unsigned long long)columns, (unsigned)shape->element_bytes, step->inverse);
    if (elements >= UINT32_MAX)
        text_add(text, "#define INDEX_64\n");
    if (!step->leaf_columns) {
        text_add(text, "#define LEAF_COLUMNS %lluu\n", (unsigned long long)split);
        return;
    }
    if (columns < 64) {
        uint64_t starts = 0, first = 0;
        for (uint32_t leaf = 0; leaf < step->leaf_count; leaf++) {
            starts |= UINT64_C(1) << first;
            first += step->leaf_columns[leaf] * split;
        }
        starts |= UINT64_C(1) << first;
        if (columns < 32)
            text_add(text, "#define LEAF_STARTS 0x%llxu\n", (unsigned long long)starts);
        else
            text_add(text, "#define LEAF_STARTS 0x%llxUL\n#define LEAF_STARTS_64\n",
                     (unsigned long long)starts);
        return;
    }
    text_add(text, "#define LEAF_TABLE\n");
    for (int width = 0; width < 2; width++) {
        uint64_t first = 0;
        text_add(text, "__constant uint leaf_%s[] = {", width ? "width" : "first");
        for (uint32_t leaf = 0; leaf < step->leaf_count; leaf++) {
            uint64_t w = step->leaf_columns[leaf] * split;
            for (uint64_t c = 0; c < w; c++)
                text_add(text, "%llu,", (unsigned long long)(width ? w : first));
            first += w;
        }
        text_add(text, "};\n");
    }
}

static enum dl_status program_get(struct dl_marshal *marshal, enum dl_family family,
                                  struct text *text, struct dl__program **out)
{
    if (text->failed) {
        free(text->bytes);
        return DL_ENOMEM;
    }
    return dl__program_get(marshal, family, text->bytes, out);
}

/* ---- launches
 * ---------------------------------------------------------------------------------- */

static enum dl_status list_add(struct dl__launch_list *list, struct dl__launch launch)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity * 2 + 8;
        struct dl__launch *launches =
            realloc(list->launches, capacity * sizeof *launches);
        if (!launches)
            return DL_ENOMEM;
        list->launches = launches;
        list->capacity = capacity;
    }
    if (launch.global[1] == 0)
        launch.global[1] = launch.local[1] = 1;
    list->launches[list->count++] = launch;
    if (launch.workspace_bytes > list->workspace_bytes)
        list->workspace_bytes = launch.workspace_bytes;
    return DL_OK;
}

static uint64_t round_up(uint64_t number, uint64_t multiple)
{
    return (number + multiple - 1) / multiple * multiple;
}

/* The largest power of two of work-items that is no more than wanted, possible and
 * useful. */
static size_t group_items(const struct dl_marshal *marshal, uint64_t wanted,
                          uint64_t useful)
{
    size_t items = 1;

    while (items * 2 <= wanted && items * 2 <= marshal->limits.group_items &&
           items < useful)
        items *= 2;
    return items;
}

static size_t kernel_group_items(const struct dl_marshal *marshal,
                                 const struct dl__launch *launch, uint64_t wanted,
                                 uint64_t useful)
{
    size_t most = 0, items = group_items(marshal, wanted, useful);

    marshal->cl->clGetKernelWorkGroupInfo(launch->program->kernels[launch->entry],
                                          marshal->device, CL_KERNEL_WORK_GROUP_SIZE,
                                          sizeof most, &most, NULL);
    while (items > most && items > 1)
        items /= 2;
    return items;
}

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
                                 const struct shape *shape)
{
    const struct dl__knobs *knobs = &marshal->knobs;
    uint64_t tile = shape->rows * shape->columns * shape->element_bytes;
    uint64_t wanted = (uint64_t)knobs->tile_group * knobs->tile_items;
    size_t half = knobs->tile_group > 1 ? knobs->tile_group / 2 : 1;
    struct chunk best = {0, 0};
    double best_score = 0;

    for (uint64_t batch = 1; batch <= CHUNK_BATCH_MAX; batch++) {
        uint64_t vectors = batch * tile / 16;
        uint64_t local = batch * tile + (knobs->tile_pad ? batch * tile / 32 + 16 : 0);
        if (local > marshal->limits.local_bytes || (batch > 1 && vectors > wanted * 2))
            break;
        if (batch * tile % 16 != 0)
            continue;
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
static enum dl_status choose_any(struct dl_marshal *marshal, const struct shape *shape,
                                 uint64_t base_bytes, uint64_t instances,
                                 struct dl__launch_list *list)
{
    struct text text = {0};
    struct dl__launch launch = {
        .entry = DL_ENTRY_TILE_ANY, .base_bytes = base_bytes, .rows = shape->rows};
    uint64_t elements = shape->rows * shape->columns;
    enum dl_status st;

    knobs_add_step(&text, shape, shape->split, elements);
    st = program_get(marshal, DL_FAMILY_TILE, &text, &launch.program);
    if (st != DL_OK)
        return st;
    launch.local_bytes = elements * shape->element_bytes;
    launch.local[0] = kernel_group_items(marshal, &launch, 256, elements);
    launch.global[0] = (size_t)instances * launch.local[0];
    return list_add(list, launch);
}

/* Whole chunks, `chunk.batch` tiles each. */
static enum dl_status choose_chunks(struct dl_marshal *marshal, const struct shape *shape,
                                    struct chunk chunk, struct dl__launch_list *list)
{
    struct text text = {0};
    struct dl__launch launch = {.entry = DL_ENTRY_CHUNK, .base_bytes = shape->base_bytes};
    unsigned pad = shape->element_bytes >= 4 ? 1 : (unsigned)(4 / shape->element_bytes);
    enum dl_status st;

    text_add(&text, "#define ROWS %lluu\n#define BATCH %lluu\n#define GROUP %zuu\n",
             (unsigned long long)shape->rows, (unsigned long long)chunk.batch,
             chunk.group);
    text_add(&text, "#define PAD %u\n", marshal->knobs.tile_pad ? pad : 0);
    knobs_add_step(&text, shape, shape->split, shape->rows * shape->columns);
    st = program_get(marshal, DL_FAMILY_CHUNK, &text, &launch.program);
    if (st != DL_OK)
        return st;
    launch.rows = shape->instances / chunk.batch;
    launch.local[0] = chunk.group;
    launch.global[0] = launch.rows * chunk.group;
    return list_add(list, launch);
}

/* On a CPU: a work-item transposes EACH_TILES tiles. */
static enum dl_status choose_each(struct dl_marshal *marshal, const struct shape *shape,
                                  struct dl__launch_list *list)
{
    struct text text = {0};
    struct dl__launch launch = {.entry = DL_ENTRY_EACH,
                                .base_bytes = shape->base_bytes,
                                .rows = shape->instances};
    enum dl_status st;

    text_add(&text, "#define ROWS %lluu\n#define EACH %uu\n",
             (unsigned long long)shape->rows, EACH_TILES);
    knobs_add_step(&text, shape, shape->split, shape->rows * shape->columns);
    st = program_get(marshal, DL_FAMILY_EACH, &text, &launch.program);
    if (st != DL_OK)
        return st;
    launch.local[0] = 1;
    launch.global[0] = (shape->instances + EACH_TILES - 1) / EACH_TILES;
    return list_add(list, launch);
}

static enum dl_status choose_tile(struct dl_marshal *marshal, const struct shape *shape,
                                  struct dl__launch_list *list)
{
    uint64_t tile = shape->rows * shape->columns * shape->element_bytes;
    uint64_t rest = shape->instances;
    struct chunk chunk = chunk_choose(marshal, shape);
    enum dl_status st;

    if (marshal->limits.is_cpu || marshal->knobs.family == FORCE_EACH) {
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

static enum dl_status choose_cut(struct dl_marshal *marshal, struct shape *shape,
                                 struct dl__launch_list *list)
{
    const struct dl__knobs *knobs = &marshal->knobs;
    const struct dl_step *step = shape->step;
    uint64_t places = shape->rows * step->columns, vectors = shape->split, lanes,
             per_item;
    /* Short super-elements are many: fewer loads each leave room for more work-items. */
    unsigned ahead =
        step->element_bytes <= 128 ? (knobs->cut_ahead + 1) / 2 : knobs->cut_ahead;
    uint64_t cut = knobs->cut_places, blocks = (places + cut - 1) / cut, movers;
    struct text text = {0};
    struct dl__launch launch = {
        .entry = DL_ENTRY_CUT_SAVE, .base_bytes = shape->base_bytes, .rows = shape->rows};
    enum dl_status st;

    while (shape->element_bytes > knobs->cut_vector && shape->element_bytes > 1)
        shape->element_bytes /= 2;
    vectors = step->element_bytes / shape->element_bytes;
    per_item = knobs->cut_bytes > shape->element_bytes
                   ? knobs->cut_bytes / shape->element_bytes
                   : 1;
    if (per_item > vectors)
        per_item = vectors;
    lanes = (vectors + per_item - 1) / per_item;
    text_add(&text, "#define VECTORS %lluu\n#define PER_ITEM %lluu\n#define AHEAD %u\n",
             (unsigned long long)vectors, (unsigned long long)per_item, ahead);
    text_add(&text, "#define CUT %lluu\n#define SPAN %uu\n", (unsigned long long)cut,
             knobs->cut_span);
    /* Indices count super-elements. */
    knobs_add_step(&text, shape, 1, places + knobs->cut_span + cut * 2);
    st = program_get(marshal, DL_FAMILY_CUT, &text, &launch.program);
    if (st != DL_OK)
        return st;
    launch.global[1] = (size_t)shape->instances;
    launch.local[1] = 1;
    launch.workspace_bytes = shape->instances * blocks * step->element_bytes;
    launch.local[0] = kernel_group_items(marshal, &launch, 256, blocks * vectors);
    launch.global[0] = round_up(blocks * vectors, launch.local[0]);
    st = list_add(list, launch);
    if (st != DL_OK)
        return st;
    launch.searchers = (places + knobs->cut_span - 1) / knobs->cut_span;
    launch.entry = DL_ENTRY_CUT_MOVE;
    launch.local[0] =
        kernel_group_items(marshal, &launch, knobs->cut_group, blocks * lanes);
    movers = round_up(blocks * lanes, launch.local[0]) / launch.local[0];
    launch.global[0] = (movers + launch.searchers) * launch.local[0];
    return list_add(list, launch);
}

/* Flags in local memory mean a work-group an array: too few arrays leave the device idle.
 */
static bool cycle_is_local(const struct dl_marshal *marshal, const struct shape *shape)
{
    uint64_t elements = shape->rows * shape->columns;

    return elements / 32 * 4 + 4 <= marshal->limits.local_bytes &&
           elements < UINT32_MAX / 2 &&
           (shape->instances >= marshal->limits.compute_units || elements <= 4096);
}

static enum dl_status choose_cycle(struct dl_marshal *marshal, const struct shape *shape,
                                   struct dl__launch_list *list)
{
    uint64_t elements = shape->rows * shape->columns, words;
    struct text text = {0};
    struct dl__launch launch = {.base_bytes = shape->base_bytes, .rows = shape->rows};
    struct dl__launch clear = {.entry = DL_ENTRY_CYCLE_CLEAR};
    unsigned flags = marshal->knobs.cycle_flags;
    enum dl_status st;
    bool in_local = cycle_is_local(marshal, shape);

    /* Spread flags cost a quarter of a tile of local memory; pack them when that is too
     * much. */
    while (flags < 32 && elements / flags * 4 + 4 > marshal->limits.local_bytes / 4)
        flags *= 2;
    if (!in_local)
        flags = 32;
    words = elements / flags + 1;
    text_add(&text, "#define FLAGS_A_WORD %uu\n#define HELD %uu\n", flags,
             marshal->knobs.cycle_held);
    /* Tiles are of few lengths; a whole array's length is its own. */
    if (in_local && shape->instances > 1)
        text_add(&text, "#define KNOWN_ROWS %lluu\n", (unsigned long long)shape->rows);
    knobs_add_step(&text, shape, shape->split, elements);
    st = program_get(marshal, DL_FAMILY_CYCLE, &text, &launch.program);
    if (st != DL_OK)
        return st;
    if (in_local) {
        launch.entry = DL_ENTRY_CYCLE_LOCAL;
        launch.local_bytes = words * 4;
        launch.local[0] =
            kernel_group_items(marshal, &launch, marshal->knobs.cycle_group, elements);
        launch.global[0] = (size_t)shape->instances * launch.local[0];
        return list_add(list, launch);
    }
    launch.entry = DL_ENTRY_CYCLE_GLOBAL;
    launch.workspace_bytes = words * 4;
    launch.local[0] = kernel_group_items(marshal, &launch, 256, elements);
    launch.global[0] = (size_t)marshal->limits.compute_units * 8 * launch.local[0];
    clear.program = launch.program;
    clear.workspace_bytes = launch.workspace_bytes;
    clear.local[0] = kernel_group_items(marshal, &clear, 256, words);
    clear.global[0] = (size_t)marshal->limits.compute_units * 8 * clear.local[0];
    for (uint64_t i = 0; i < shape->instances && st == DL_OK; i++) {
        st = list_add(list, clear);
        if (st == DL_OK)
            st = list_add(list, launch);
        launch.base_bytes += elements * shape->element_bytes;
    }
    return st;
}

uint64_t dl__choose_tile_bytes(const struct dl_marshal *marshal)
{
    uint64_t local = marshal->limits.local_bytes, most = marshal->knobs.tile_bytes;

    return local < most ? local : most;
}

enum dl_status dl__choose_step(struct dl_marshal *marshal, const struct dl_step *step,
                               struct dl__launch_list *list)
{
    struct shape shape = shape_of_step(step);
    uint64_t bytes = step->rows * step->columns * step->element_bytes;
    bool is_super = step->element_bytes >= SUPER_ELEMENT_BYTES_MIN, fits;
    unsigned family;

    list->traffic_bytes += 2 * bytes * step->instances;
    if (step->columns > UINT32_MAX / shape.split ||
        (step->leaf_columns && step->columns > COLUMNS_MAX))
        return DL_ENOTSUP;
    fits = bytes <= dl__choose_tile_bytes(marshal);
    family = marshal->knobs.family;
    /* Fastest first; a forced family gives way where it can't run. */
    if (fits && family != FORCE_CYCLE && (family != FORCE_CUT || !is_super))
        return choose_tile(marshal, &shape, list);
    /* Cut cycles need neither flags nor a memory model, so that they are the last resort
     * too. */
    if (family != FORCE_CYCLE && (is_super || !cycle_is_local(marshal, &shape)))
        return choose_cut(marshal, &shape, list);
    return choose_cycle(marshal, &shape, list);
}
