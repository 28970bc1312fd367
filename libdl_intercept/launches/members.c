/* SPDX-License-Identifier: MIT */
/* Which members of a launch's buffers lie beside their structs. */
#include "members.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/options.h"
#include "libdl_intercept/state/beside.h"
#include "libdl_intercept/state/residence.h"

/* The buffer behind an argument that may have members beside it; NULL: none. */
static DL__WITH_LOCK struct dl__mem *bound(const struct dl__kernel *kernel,
                                           const struct dl__ndrange *range, size_t b)
{
    const struct dl_buffer_note *note = &kernel->note->buffers[b];

    return note->native == DL_LAYOUT_AOS && !note->arrays &&
                   note->arg_index < kernel->arg_count
               ? dl__mem_root(range->mems[note->arg_index])
               : NULL;
}

/* Leaves that the text says are used. */
static void pick_used(const struct dl_buffer_note *note,
                      const struct dl_leaf_table *leaves, bool *picked)
{
    for (uint32_t l = 0; l < leaves->leaf_count; l++) {
        const uint64_t begin = leaves->leaves[l].offset_bytes;
        const uint64_t end = begin + leaves->leaves[l].width_bytes;

        picked[l] |= !note->facts;
        for (size_t f = 0; note->facts && f < note->fact_count; f++) {
            const struct dl_access_fact *fact = &note->facts[f];

            picked[l] |= fact->offset < end &&
                         begin < (uint64_t)fact->offset + (fact->bytes ? fact->bytes : 1);
        }
    }
}

/* A number that hangs on all of these. */
static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u;

    return (x ^ x >> 29) * 0x94d049bb133111ebu;
}

/* What each of a few choices of leaves takes to build is built once. */
enum { TEST_CHOICES = 4 };

/* For tests: now and then any leaves, else those that lie there. */
static DL__WITH_LOCK void pick_any(const struct dl__mem *mem,
                                   const struct dl__queue *queue,
                                   const struct dl_leaf_table *leaves, bool *picked)
{
    uint64_t number = mix(dl__options_get()->policy_test, mem->id);

    number = mix(number, atomic_load(&queue->commands));
    if (number >> 60 & 1 && dl__mem_has_beside(mem))
        return;
    number = (number >> 32) % TEST_CHOICES;
    for (uint32_t l = 0; l < leaves->leaf_count; l++)
        picked[l] = mix(number, l) >> 40 & 1;
}

/* Of all arguments of the launch: what is used, and what lies there already. */
struct sum {
    struct dl_members used, there;
};

static DL__WITH_LOCK bool add_buffer(struct dl__kernel *kernel,
                                     const struct dl__queue *queue, struct dl__mem *mem,
                                     size_t b, uint32_t runs_max, struct sum *sum)
{
    const struct dl_leaf_table *leaves = dl__kernel_leaves(kernel, b);
    bool *picked = calloc((size_t)leaves->leaf_count + 1, sizeof *picked), any = false;
    uint32_t before;
    bool added;

    if (!picked)
        return false;
    if (dl__options_get()->policy_test)
        pick_any(mem, queue, leaves, picked);
    else
        pick_used(&kernel->note->buffers[b], leaves, picked);
    added = dl_members_add(&sum->used, leaves, picked, runs_max) == DL_OK;
    memset(picked, 0, leaves->leaf_count * sizeof *picked);
    for (uint32_t l = 0; l < leaves->leaf_count; l++) {
        picked[l] = dl__mem_has_beside(mem) &&
                    dl_leaf_table_equal(&mem->residence.leaves, leaves) &&
                    dl_members_find(&mem->residence.layout.members, leaves->struct_bytes,
                                    leaves->leaves[l], &before);
        any |= picked[l];
    }
    if (added && any)
        added = dl_members_add(&sum->there, leaves, picked, runs_max) == DL_OK;
    free(picked);
    return added;
}

/* True when both have leaves of their own for structs of one size: one choice is not for both. */
static DL__WITH_LOCK bool clash(const struct dl__kernel *kernel, size_t a, size_t b)
{
    const struct dl_leaf_table *x = dl__kernel_leaves(kernel, a),
                               *y = dl__kernel_leaves(kernel, b);

    return x->struct_bytes == y->struct_bytes && !dl_leaf_table_equal(x, y);
}

static DL__WITH_LOCK bool is_clear(const struct dl__kernel *kernel, size_t b)
{
    for (size_t other = 0; other < kernel->note->buffer_count; other++)
        if (kernel->note->buffers[other].native == DL_LAYOUT_AOS &&
            clash(kernel, b, other))
            return false;
    return true;
}

/* How many sizes of structs there are: the runs are shared out. */
static DL__WITH_LOCK uint32_t count_sizes(const struct dl__kernel *kernel)
{
    uint32_t sizes = 0;

    for (size_t b = 0; b < kernel->note->buffer_count; b++) {
        bool first = true;

        for (size_t before = 0; before < b; before++)
            first &= dl__kernel_leaves(kernel, before)->struct_bytes !=
                     dl__kernel_leaves(kernel, b)->struct_bytes;
        sizes += first;
    }
    return sizes;
}

static bool covers(const struct dl_members *members, const struct dl_leaf_table *leaves,
                   const struct dl_members *wanted)
{
    uint32_t ignored;

    for (uint32_t l = 0; l < leaves->leaf_count; l++)
        if (dl_members_find(wanted, leaves->struct_bytes, leaves->leaves[l], &ignored) &&
            !dl_members_find(members, leaves->struct_bytes, leaves->leaves[l], &ignored))
            return false;
    return true;
}

static bool is_half(const struct dl_members *members, uint32_t struct_bytes)
{
    uint32_t bytes = dl_members_bytes(members, struct_bytes);

    return bytes > 0 && bytes <= struct_bytes / 2;
}

/* Leaves that both say, in *out. */
static enum dl_status join(const struct dl_members *a, const struct dl_members *b,
                           const struct dl_leaf_table *leaves, uint32_t runs_max,
                           struct dl_members *out)
{
    struct dl_members joined = dl_members_of(a, leaves->struct_bytes);
    bool *picked = calloc((size_t)leaves->leaf_count + 1, sizeof *picked);
    enum dl_status st = DL_ENOMEM;
    uint32_t ignored;

    if (!picked)
        return st;
    for (uint32_t l = 0; l < leaves->leaf_count; l++)
        picked[l] = dl_members_find(b, leaves->struct_bytes, leaves->leaves[l], &ignored);
    st = dl_members_add(&joined, leaves, picked, runs_max);
    free(picked);
    if (st == DL_OK)
        *out = joined;
    return st;
}

/* What structs of one size are to have beside them. What is there stays: where two kernels that want
 * others take turns, neither costs the other a conversion. */
static struct dl_members settle(const struct sum *sum, const struct dl_leaf_table *leaves,
                                uint32_t runs_max)
{
    const uint32_t struct_bytes = leaves->struct_bytes;
    struct dl_members there = dl_members_of(&sum->there, struct_bytes);
    struct dl_members used = dl_members_of(&sum->used, struct_bytes), both = {0};

    if (dl__options_get()->policy_test)
        return used.run_count ? used : there;
    if (there.run_count > 0 && covers(&there, leaves, &used))
        return there;
    if (join(&there, &used, leaves, runs_max, &both) == DL_OK &&
        is_half(&both, struct_bytes))
        return both;
    return there.run_count == 0 && is_half(&used, struct_bytes) ? used : there;
}

bool dl__members_choose(struct dl__kernel *kernel, struct dl__queue *queue,
                        const struct dl__ndrange *range, struct dl_layout *layout)
{
    const struct dl_kernel_note *note = kernel->note;
    struct sum sum = {0};
    uint32_t runs_max;

    layout->members.run_count = 0;
    if (!dl__plan_widths(kernel, range))
        return false;
    runs_max = DL_MEMBER_RUNS_MAX / count_sizes(kernel);
    for (size_t b = 0; b < note->buffer_count; b++) {
        struct dl__mem *mem = bound(kernel, range, b);

        if (mem && is_clear(kernel, b) &&
            !add_buffer(kernel, queue, mem, b, runs_max, &sum))
            return false;
    }
    for (size_t b = 0; b < note->buffer_count; b++) {
        const struct dl_leaf_table *leaves = dl__kernel_leaves(kernel, b);
        struct dl_members all = layout->members, own;

        if (!bound(kernel, range, b) || !is_clear(kernel, b) ||
            dl_members_bytes(&all, leaves->struct_bytes) > 0)
            continue;
        own = settle(&sum, leaves, runs_max);
        for (uint32_t r = 0; r < own.run_count && all.run_count < DL_MEMBER_RUNS_MAX; r++)
            all.runs[all.run_count++] = own.runs[r];
        layout->members = all;
    }
    return layout->members.run_count > 0;
}

struct dl_layout dl__members_wanted(const struct dl__kernel *kernel, size_t buffer,
                                    const struct dl_layout *layout)
{
    struct dl_layout own = {.kind = DL_LAYOUT_AOS};
    struct dl_members members =
        dl_members_of(&layout->members, dl__kernel_leaves(kernel, buffer)->struct_bytes);

    if (kernel->note->buffers[buffer].arrays || members.run_count == 0)
        return own;
    own.kind = DL_LAYOUT_MEMBERS;
    own.members = members;
    return own;
}

void dl__members_written(const struct dl__plan *plan, size_t count)
{
    for (size_t b = 0; b < count; b++)
        if (dl__binding_is_moved(&plan->bindings[b]) && plan->bindings[b].note->written)
            dl__beside_written(plan->bindings[b].mem);
}
