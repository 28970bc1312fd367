/* Parts of tiled buffers: preparing and enqueuing the gather and scatter kernels. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP_ITEMS = 256, ITEMS_MAX = 1 << 20 };

struct dl_part {
    struct dl_part *next;
    struct dl_leaf_table leaves; /* these three are the key */
    uint64_t structs;
    struct dl_layout layout;
    struct dl_tiling tiling;
    uint32_t element_bytes;
    struct dl__program *program;
};

/* The knobs of step.cl for whole structs of these leaves. The caller frees them. */
static char *knobs_text(const struct dl_leaf_table *leaves, uint32_t element_bytes)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    fprintf(out,
            "#define COLUMNS %uu\n#define ELEMENT_BYTES %u\n#define INDEX_64\n"
            "#define LEAF_TABLE\n",
            leaves->struct_bytes / element_bytes, element_bytes);
    for (int width = 0; width < 2; width++) {
        fprintf(out, "__constant uint leaf_%s[] = {", width ? "width" : "first");
        for (uint32_t l = 0; l < leaves->leaf_count; l++) {
            uint32_t first = leaves->leaves[l].offset_bytes / element_bytes;
            uint32_t columns = leaves->leaves[l].width_bytes / element_bytes;

            for (uint32_t c = 0; c < columns; c++)
                fprintf(out, "%u,", width ? columns : first);
        }
        fputs("};\n", out);
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static struct dl_part *part_find(const struct dl_marshal *marshal,
                                 const struct dl_leaf_table *leaves, uint64_t structs,
                                 struct dl_layout layout)
{
    for (struct dl_part *part = marshal->parts; part; part = part->next)
        if (part->structs == structs && part->layout.kind == layout.kind &&
            part->layout.tile_structs == layout.tile_structs &&
            dl_leaf_table_equal(&part->leaves, leaves))
            return part;
    return NULL;
}

void dl__parts_free(struct dl_marshal *marshal)
{
    struct dl_part *part;

    while ((part = marshal->parts)) {
        marshal->parts = part->next;
        dl_leaf_table_free(&part->leaves);
        free(part);
    }
}

enum dl_status dl_marshal_part_prepare(struct dl_marshal *marshal,
                                       const struct dl_leaf_table *leaves,
                                       uint64_t structs, struct dl_layout layout,
                                       const struct dl_part **out)
{
    struct dl_part *part;
    enum dl_status st = DL_OK;
    char *knobs;

    pthread_mutex_lock(&marshal->lock);
    part = part_find(marshal, leaves, structs, layout);
    if (part)
        goto out;
    part = calloc(1, sizeof *part);
    st = part ? dl_leaf_table_copy(leaves, &part->leaves) : DL_ENOMEM;
    if (st == DL_OK)
        st = dl_layout_tile(layout, structs, &part->tiling);
    if (st == DL_OK) {
        uint32_t unit = dl_leaf_table_unit_bytes(leaves);

        part->structs = structs;
        part->layout = layout;
        for (part->element_bytes = 16; unit % part->element_bytes;
             part->element_bytes /= 2)
            continue;
        knobs = knobs_text(leaves, part->element_bytes);
        st = knobs ? dl__program_get(marshal, DL_FAMILY_PART, knobs, &part->program)
                   : DL_ENOMEM;
    }
    if (st == DL_OK) {
        part->next = marshal->parts;
        marshal->parts = part;
    } else if (part) {
        dl_leaf_table_free(&part->leaves);
        free(part);
    }
out:
    pthread_mutex_unlock(&marshal->lock);
    if (st == DL_OK)
        *out = part;
    return st;
}

enum dl_status dl_marshal_part_enqueue(struct dl_marshal *marshal, cl_command_queue queue,
                                       const struct dl_part *part, enum dl_part_way way,
                                       cl_mem tiled, uint64_t first, uint64_t count,
                                       cl_mem staging, cl_uint wait_count,
                                       const cl_event *wait, cl_event *done)
{
    const cl_icd_dispatch *cl = marshal->cl;
    cl_kernel kernel =
        part->program->kernels[way == DL_PART_GATHER ? DL_ENTRY_PART_GATHER
                                                     : DL_ENTRY_PART_SCATTER];
    uint64_t columns = part->leaves.struct_bytes / part->element_bytes;
    cl_ulong numbers[] = {part->tiling.tile_structs, part->tiling.head_structs,
                          part->tiling.tail_structs, first * columns, count * columns};
    uint64_t items = numbers[4] < ITEMS_MAX ? numbers[4] : ITEMS_MAX;
    size_t global = (size_t)(items + GROUP_ITEMS - 1) / GROUP_ITEMS * GROUP_ITEMS;
    cl_int err;

    if (count == 0 || first > part->structs || count > part->structs - first)
        return DL_EINVAL;
    pthread_mutex_lock(&marshal->lock);
    err = cl->clSetKernelArg(kernel, 0, sizeof tiled, &tiled);
    for (cl_uint n = 0; n < 5 && err == CL_SUCCESS; n++)
        err = cl->clSetKernelArg(kernel, 1 + n, sizeof numbers[n], &numbers[n]);
    if (err == CL_SUCCESS)
        err = cl->clSetKernelArg(kernel, 6, sizeof staging, &staging);
    if (err == CL_SUCCESS)
        err = cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL,
                                         wait_count, wait, done);
    pthread_mutex_unlock(&marshal->lock);
    return dl__status_of_cl(err);
}
