/* What every chooser needs: a step in a kernel's terms, a kernel's knobs as text, and the list of
 * launches. */
#include "choose.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- text ---- */

void dl__text_add(struct dl__text *text, const char *format, ...)
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

/* ---- the step ---- */

static uint64_t power_of_two_part(uint64_t number, uint64_t most)
{
    uint64_t part = 1;

    while (part < most && number % (part * 2) == 0)
        part *= 2;
    return part;
}

struct dl__shape dl__shape_of_step(const struct dl_step *step)
{
    /* Both must be whole elements: what is moved, and where it begins. */
    uint64_t bytes = power_of_two_part(step->element_bytes | step->base_bytes, 16);
    uint64_t split = step->element_bytes / bytes;

    return (struct dl__shape){step->base_bytes,
                              step->instances,
                              step->rows,
                              step->columns * split,
                              bytes,
                              split,
                              step};
}

void dl__knobs_add_step(struct dl__text *text, const struct dl__shape *shape,
                        uint64_t split, uint64_t elements)
{
    const struct dl_step *step = shape->step;
    uint64_t columns = step->columns * split;

    dl__text_add(
        text, "#define COLUMNS %lluu\n#define ELEMENT_BYTES %u\n#define INVERSE %d\n",
        (unsigned long long)columns, (unsigned)shape->element_bytes, step->inverse);
    if (elements >= UINT32_MAX)
        dl__text_add(text, "#define INDEX_64\n");
    if (!step->leaf_columns) {
        dl__text_add(text, "#define LEAF_COLUMNS %lluu\n", (unsigned long long)split);
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
            dl__text_add(text, "#define LEAF_STARTS 0x%llxu\n",
                         (unsigned long long)starts);
        else
            dl__text_add(text, "#define LEAF_STARTS 0x%llxUL\n#define LEAF_STARTS_64\n",
                         (unsigned long long)starts);
        return;
    }
    dl__text_add(text, "#define LEAF_TABLE\n");
    for (int width = 0; width < 2; width++) {
        uint64_t first = 0;
        dl__text_add(text, "__constant uint leaf_%s[] = {", width ? "width" : "first");
        for (uint32_t leaf = 0; leaf < step->leaf_count; leaf++) {
            uint64_t w = step->leaf_columns[leaf] * split;
            for (uint64_t c = 0; c < w; c++)
                dl__text_add(text, "%llu,", (unsigned long long)(width ? w : first));
            first += w;
        }
        dl__text_add(text, "};\n");
    }
}

enum dl_status dl__choose_program(struct dl_marshal *marshal, enum dl_family family,
                                  struct dl__text *text, struct dl__program **out)
{
    if (text->failed) {
        free(text->bytes);
        return DL_ENOMEM;
    }
    return dl__program_get(marshal, family, text->bytes, out);
}

/* ---- launches ---- */

enum dl_status dl__list_add(struct dl__launch_list *list, struct dl__launch launch)
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

size_t dl__kernel_items_max(const struct dl_marshal *marshal,
                            const struct dl__launch *launch)
{
    cl_kernel kernel = launch->program->kernels[launch->entry];
    size_t most = 1, built[3] = {0};

    marshal->cl->clGetKernelWorkGroupInfo(
        kernel, marshal->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    if (marshal->limits.understates_groups)
        marshal->cl->clGetKernelWorkGroupInfo(kernel, marshal->device,
                                              CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                              sizeof built, built, NULL);
    return built[0] > most ? built[0] : most;
}

size_t dl__kernel_group_items(const struct dl_marshal *marshal,
                              const struct dl__launch *launch, uint64_t wanted,
                              uint64_t useful)
{
    size_t items = group_items(marshal, wanted, useful);
    size_t most = dl__kernel_items_max(marshal, launch);

    while (items > most && items > 1)
        items /= 2;
    return items;
}
