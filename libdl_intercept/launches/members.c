/* SPDX-License-Identifier: MIT */
/* Which members of a launch's buffers lie beside their structs. */
#include "members.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/state/beside.h"
#include "libdl_intercept/state/residence.h"
#include "repeat.h"

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

static bool is_used(const struct dl_buffer_note *note, struct dl_leaf leaf)
{
    const uint64_t begin = leaf.offset_bytes, end = begin + leaf.width_bytes;
    bool used = !note->facts;

    for (size_t f = 0; note->facts && f < note->fact_count; f++) {
        const struct dl_access_fact *fact = &note->facts[f];

        used |= fact->offset < end &&
                begin < (uint64_t)fact->offset + (fact->bytes ? fact->bytes : 1);
    }
    return used;
}

/* What moves or uses that much of a struct does not say which of its members are hot. */
static bool is_most(uint64_t bytes, uint32_t struct_bytes)
{
    return bytes > (uint64_t)struct_bytes * 3 / 4;
}

/* The note without what moves most of a struct, as f[i] = g[i] does. */
static bool uses_apart(const struct dl_buffer_note *note, struct dl_leaf leaf)
{
    const uint64_t begin = leaf.offset_bytes, end = begin + leaf.width_bytes;
    bool used = false;

    for (size_t f = 0; note->facts && f < note->fact_count; f++) {
        const struct dl_access_fact *fact = &note->facts[f];

        used |= !is_most(fact->bytes, note->leaves.struct_bytes) && fact->offset < end &&
                begin < (uint64_t)fact->offset + fact->bytes;
    }
    return used;
}

static uint64_t bytes_apart(const struct dl_buffer_note *note)
{
    const struct dl_leaf_table *leaves = &note->leaves;
    uint64_t bytes = 0;

    for (uint32_t l = 0; l < leaves->leaf_count; l++)
        bytes += uses_apart(note, leaves->leaves[l]) ? leaves->leaves[l].width_bytes : 0;
    return bytes;
}

/* What the program's kernels use of such structs, all of them: a choice that hangs on one launch would have to be
 * made anew, and the members gathered anew, at the next. A kernel that sets up nearly all members, one by one, is
 * not asked; what the others use lies beside however much it is together. False: they don't say. */
static DL__WITH_LOCK bool pick_shared(const struct dl__rewrite *rewrite,
                                      const struct dl_leaf_table *leaves, bool *picked)
{
    bool any = false;

    for (size_t u = 0; u < rewrite->unit_count; u++) {
        const struct dl_notes *notes = rewrite->units[u]->notes;

        for (size_t k = 0; notes && k < notes->kernel_count; k++)
            for (size_t b = 0; b < notes->kernels[k].buffer_count; b++) {
                const struct dl_buffer_note *note = &notes->kernels[k].buffers[b];
                uint64_t bytes = 0;

                if (!note->width && dl_leaf_table_equal(&note->leaves, leaves))
                    bytes = bytes_apart(note);
                if (bytes == 0 || is_most(bytes, leaves->struct_bytes))
                    continue;
                any = true;
                for (uint32_t l = 0; l < leaves->leaf_count; l++)
                    picked[l] |= uses_apart(note, leaves->leaves[l]);
            }
    }
    return any;
}

/* What one kernel uses, where that is not most of the struct. */
static void pick_own(const struct dl_buffer_note *note,
                     const struct dl_leaf_table *leaves, bool *picked)
{
    uint64_t bytes = 0;

    for (uint32_t l = 0; l < leaves->leaf_count; l++) {
        picked[l] = is_used(note, leaves->leaves[l]);
        bytes += picked[l] ? leaves->leaves[l].width_bytes : 0;
    }
    if (is_most(bytes, leaves->struct_bytes))
        memset(picked, 0, leaves->leaf_count * sizeof *picked);
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

static DL__WITH_LOCK bool add_used(struct dl__kernel *kernel,
                                   const struct dl__queue *queue, struct dl__mem *mem,
                                   size_t b, uint32_t runs_max, struct dl_members *used)
{
    const struct dl_leaf_table *leaves = dl__kernel_leaves(kernel, b);
    bool *picked = calloc((size_t)leaves->leaf_count + 1, sizeof *picked), added;

    if (!picked)
        return false;
    if (dl__options_get()->policy_test) {
        pick_any(mem, queue, leaves, picked);
    } else if (!pick_shared(kernel->rewrite, leaves, picked)) {
        pick_own(&kernel->note->buffers[b], leaves, picked);
    }
    /* Where there is no room for more, they stay in their structs. */
    added = dl_members_add(used, leaves, picked, runs_max) != DL_ENOMEM;
    free(picked);
    return added;
}

static DL__WITH_LOCK bool add_there(struct dl__kernel *kernel, struct dl__mem *mem,
                                    size_t b, uint32_t runs_max, struct dl_members *there)
{
    const struct dl_leaf_table *leaves = dl__kernel_leaves(kernel, b);
    bool *picked, added;
    uint32_t before;

    if (!dl__mem_has_beside(mem) || !dl_leaf_table_equal(&mem->residence.leaves, leaves))
        return true;
    picked = calloc((size_t)leaves->leaf_count + 1, sizeof *picked);
    if (!picked)
        return false;
    for (uint32_t l = 0; l < leaves->leaf_count; l++)
        picked[l] = dl_members_find(&mem->residence.layout.members, leaves->struct_bytes,
                                    leaves->leaves[l], &before);
    added = dl_members_add(there, leaves, picked, runs_max) != DL_ENOMEM;
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

/* How many sizes of structs there are. */
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
    if (join(&there, &used, leaves, runs_max, &both) == DL_OK)
        return both;
    return there.run_count == 0 ? used : there;
}

/* What all arguments of the launch use, and what of them lies beside; where a launch like it was made before,
 * the first is known. */
static DL__WITH_LOCK bool add_buffers(struct dl__kernel *kernel,
                                      const struct dl__queue *queue,
                                      const struct dl__ndrange *range, uint32_t runs_max,
                                      struct sum *sum)
{
    struct dl__repeat *known = range->known;
    bool is_known = known && known->members_known && !dl__options_get()->policy_test,
         added = true;

    if (is_known)
        sum->used = known->members;
    for (size_t b = 0; b < kernel->note->buffer_count && added; b++) {
        struct dl__mem *mem = bound(kernel, range, b);

        if (mem && is_clear(kernel, b))
            added = (is_known || add_used(kernel, queue, mem, b, runs_max, &sum->used)) &&
                    add_there(kernel, mem, b, runs_max, &sum->there);
    }
    if (known && added) {
        known->members = sum->used;
        known->members_known = true;
    }
    return added;
}

bool dl__members_have_constant(const struct dl_kernel_note *note)
{
    for (size_t b = 0; b < note->buffer_count; b++)
        if (note->buffers[b].constant)
            return true;
    return false;
}

bool dl__members_choose(struct dl__kernel *kernel, struct dl__queue *queue,
                        const struct dl__ndrange *range, struct dl_layout *layout)
{
    const struct dl_kernel_note *note = kernel->note;
    struct sum sum = {0};
    uint32_t runs_max;

    layout->members.run_count = 0;
    if (dl__members_have_constant(note))
        return false;
    if (!dl__plan_widths(kernel, range))
        return false;
    /* The others need one each. More for all alike would have each kernel choose otherwise. */
    if (count_sizes(kernel) > DL_MEMBER_RUNS_MAX)
        return false;
    runs_max = DL_MEMBER_RUNS_MAX - (count_sizes(kernel) - 1);
    if (!add_buffers(kernel, queue, range, runs_max, &sum))
        return false;
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
