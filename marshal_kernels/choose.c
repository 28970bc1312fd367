/* The one chooser: which kernels carry out an elementary transposition on a device. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TILE_BYTES_MAX = 48 << 10,
    CUT_PLACES = 64,   /* a saved copy for so many super-elements: 1/64 of the buffer */
    CUT_SPAN = 1024,   /* places a work-group searches for cycles without a cut */
    CUT_STRETCHES = 4, /* that a work-item moves, one after the other */
    SUPER_ELEMENT_BYTES_MIN = 32, /* below, single elements are as good */
    COLUMNS_MAX = 1 << 14         /* of a table of leaves in constant memory */
};

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

static enum dl_status choose_tile(struct dl_marshal *marshal, const struct shape *shape,
                                  struct dl__launch_list *list)
{
    struct text text = {0};
    struct dl__launch launch = {
        .entry = DL_ENTRY_TILE_ANY, .base_bytes = shape->base_bytes, .rows = shape->rows};
    uint64_t elements = shape->rows * shape->columns;
    enum dl_status st;

    knobs_add_step(&text, shape, shape->split, elements);
    st = program_get(marshal, DL_FAMILY_TILE, &text, &launch.program);
    if (st != DL_OK)
        return st;
    launch.local_bytes = elements * shape->element_bytes;
    launch.local[0] = kernel_group_items(marshal, &launch, 256, elements);
    launch.global[0] = (size_t)shape->instances * launch.local[0];
    return list_add(list, launch);
}

static enum dl_status choose_cut(struct dl_marshal *marshal, const struct shape *shape,
                                 struct dl__launch_list *list)
{
    const struct dl_step *step = shape->step;
    uint64_t places = shape->rows * step->columns, vectors = shape->split;
    uint64_t blocks = (places + CUT_PLACES - 1) / CUT_PLACES;
    struct text text = {0};
    struct dl__launch launch = {
        .entry = DL_ENTRY_CUT_SAVE, .base_bytes = shape->base_bytes, .rows = shape->rows};
    enum dl_status st;

    text_add(&text, "#define VECTORS %lluu\n#define CUT %du\n#define SPAN %du\n",
             (unsigned long long)vectors, CUT_PLACES, CUT_SPAN);
    /* Indices count super-elements. */
    knobs_add_step(&text, shape, 1, places + (uint64_t)CUT_PLACES * 2);
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
    launch.entry = DL_ENTRY_CUT_MOVE;
    launch.local[0] = kernel_group_items(marshal, &launch, 128, blocks * vectors);
    launch.global[0] =
        round_up((blocks + CUT_STRETCHES - 1) / CUT_STRETCHES * vectors, launch.local[0]);
    st = list_add(list, launch);
    if (st != DL_OK)
        return st;
    launch.entry = DL_ENTRY_CUT_SHORT;
    launch.workspace_bytes = 0;
    launch.local[0] = kernel_group_items(marshal, &launch, 128, places);
    launch.global[0] = (places + CUT_SPAN - 1) / CUT_SPAN * launch.local[0];
    return list_add(list, launch);
}

static enum dl_status choose_cycle(struct dl_marshal *marshal, const struct shape *shape,
                                   struct dl__launch_list *list)
{
    uint64_t elements = shape->rows * shape->columns, words = elements / 32 + 1;
    struct text text = {0};
    struct dl__launch launch = {.base_bytes = shape->base_bytes, .rows = shape->rows};
    struct dl__launch clear = {.entry = DL_ENTRY_CYCLE_CLEAR};
    enum dl_status st;

    knobs_add_step(&text, shape, shape->split, elements);
    st = program_get(marshal, DL_FAMILY_CYCLE, &text, &launch.program);
    if (st != DL_OK)
        return st;
    if (words * 4 <= marshal->limits.local_bytes && elements < UINT32_MAX / 2) {
        launch.entry = DL_ENTRY_CYCLE_LOCAL;
        launch.local_bytes = words * 4;
        launch.local[0] = kernel_group_items(marshal, &launch, 256, elements);
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
    clear.global[0] = launch.global[0];
    for (uint64_t i = 0; i < shape->instances && st == DL_OK; i++) {
        st = list_add(list, clear);
        if (st == DL_OK)
            st = list_add(list, launch);
        launch.base_bytes += elements * shape->element_bytes;
    }
    return st;
}

uint64_t dl__choose_tile_bytes(const struct dl__device_limits *limits)
{
    /* More than this leaves a multiprocessor too few work-groups, and a CPU core no
     * cache. */
    return limits->local_bytes < TILE_BYTES_MAX ? limits->local_bytes : TILE_BYTES_MAX;
}

enum dl_status dl__choose_step(struct dl_marshal *marshal, const struct dl_step *step,
                               struct dl__launch_list *list)
{
    struct shape shape = shape_of_step(step);
    uint64_t bytes = step->rows * step->columns * step->element_bytes;

    list->traffic_bytes += 2 * bytes * step->instances;
    if (step->columns > UINT32_MAX / shape.split ||
        (step->leaf_columns && step->columns > COLUMNS_MAX))
        return DL_ENOTSUP;
    if (bytes <= dl__choose_tile_bytes(&marshal->limits))
        return choose_tile(marshal, &shape, list);
    if (step->element_bytes >= SUPER_ELEMENT_BYTES_MIN)
        return choose_cut(marshal, &shape, list);
    return choose_cycle(marshal, &shape, list);
}
