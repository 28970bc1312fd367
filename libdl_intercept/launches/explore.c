/* SPDX-License-Identifier: MIT */
/* Exploring on copies. */
#include "explore.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/order.h"
#include "libdl_intercept/trace/trace.h"
#include "libdl_intercept/reports/reasons.h"
#include "bind.h"
#include "coalesced.h"
#include "copies.h"
#include "counted.h"
#include "unset.h"

/* Commands of other queues on the buffers may wait for the program: with the lock held,
 * wait no longer than this. */
#define OTHERS_SECONDS 0.02

/* A driver that compiles in a launch does so before that begins, by its own times. Short
 * runs vary, and cost little: below FEW_BYTES each run is made twice, a part of a launch
 * RUNS_OF_PART times or for a millisecond; the shortest run counts. */
#define FEW_BYTES (8ull << 20)
enum { RUNS_OF_PART = 5, RUNS_OF_PART_MAX = 25 };
static const double part_seconds = 1e-3;

static unsigned runs_of(uint64_t bytes)
{
    return bytes < FEW_BYTES ? 2 : 1;
}

/* Keeps the shorter of two times; 0: not known. */
static void keep_time(double *seconds, double now)
{
    if (now > 0 && (*seconds <= 0 || now < *seconds))
        *seconds = now;
}

/* ---- what comes before ---- */

/* True when nothing uses the buffers any more, on whatever queue. */
static DL__WITH_LOCK bool are_idle(struct dl__copies *copies)
{
    double until = dl__clock_seconds() + OTHERS_SECONDS;
    struct dl__wait wait;
    bool idle;

    dl__wait_begin(&wait, 0, NULL);
    for (size_t i = 0; i < copies->count; i++)
        if (copies->list[i].mem)
            dl__mem_wait_for_users(copies->list[i].mem, &copies->own, &wait);
    idle = dl__wait_error(&wait) == CL_SUCCESS;
    for (cl_uint i = 0; idle && i < wait.count; i++)
        idle = dl__event_flush(wait.list[i], NULL) &&
               dl__event_ends_within(wait.list[i], until - dl__clock_seconds());
    dl__wait_end(&wait);
    return idle;
}

/* ---- before the launch ---- */

static DL__WITH_LOCK struct dl__copies *find(const struct dl__ndrange *range,
                                             const char **why)
{
    struct dl__kernel *kernel = range->kernel;

    *why = NULL;
    if (dl__callouts_run())
        *why = "a native kernel may hold back what uses its buffers";
    else if (!range->waited)
        *why = "what comes before it has not ended";
    else if (!kernel->note)
        *why = "it has no buffer that DL knows of";
    else if (dl__kernel_wants_soa(kernel))
        *why = "it reads discrete arrays, and nothing else";
    else if (!dl__plan_may_shadow(kernel, range->queue))
        *why = "nothing of it can be rewritten";
    return *why ? NULL : dl__copies_find(range, why);
}

/* True when one run on one copy is enough: of a single candidate that is not short, and
 * whose bytes, where they differ, nobody answers for. */
static DL__WITH_LOCK bool is_once(const struct dl__kernel *kernel, size_t count,
                                  uint64_t bytes)
{
    return count == 1 && kernel->note->detected && !kernel->note->tells &&
           !kernel->launched.twice && runs_of(bytes) == 1;
}

/* True when it is known what the program's launches take, and it is little. */
static bool is_short(double usual_seconds)
{
    return usual_seconds > 0 && usual_seconds < part_seconds;
}

/* ---- a part of a launch ----
 *
 * A slice is the launch's first work-groups, or rows of them, on the structs that these
 * access. Copies of the others are made, as far as addresses go, and never filled, but
 * for as many again, which stencils read. So a slice is for kernels that access structs
 * of the work-item's number, or near it, and for devices where most of what a copy takes
 * is the touching of fresh memory; what is only read, by other numbers, and what has no
 * structs, is copied whole. What reads beyond its slice gives other bytes than the whole
 * launch has, and what writes beyond it may change none in it: such a kernel is explored
 * whole. */

/* Of buffers longer than SLICED_BYTES one part in PARTS is explored, of at least
 * LEAST_ITEMS work-items, which are also what is compared. PoCL compiles a kernel again
 * for launches of fewer than 65536 work-items in a dimension. */
#define SLICED_BYTES (8ull << 20)
enum { PARTS = 64, LEAST_ITEMS = 1 << 16 };
/* A slice may read structs after its own: at most a fourth of their number. */
enum { BEHIND_PART = 4 };
/* Of numbers of groups, one of which has no divisor that the driver would rather choose;
 * the next prime is not far. */
enum { GROUPS_TRIED = 32 };
/* With several dimensions, the driver chooses the same groups for this number of rows as
 * for all, or for most numbers of them. */
enum { ROWS = 64 };

/* True where neighbours access neighbouring structs: of their own number, or about as far
 * from it for all. */
static bool follows_items(const struct dl_buffer_note *note)
{
    bool follows = note->facts && !note->arrays && note->extent_count == 0 &&
                   !dl__leaves_are_open(note) && note->native == DL_LAYOUT_AOS;

    for (size_t f = 0; f < note->fact_count && follows; f++)
        follows = note->facts[f].form == DL_ACCESS_LINEAR && note->facts[f].step == 1 &&
                  !note->facts[f].atomic;
    return follows;
}

/* Returns the note of the argument; NULL: it is nothing that DL converts. */
static DL__WITH_LOCK const struct dl_buffer_note *
note_of(const struct dl__kernel *kernel, unsigned arg, uint64_t *struct_bytes)
{
    const struct dl_kernel_note *note = kernel->note;

    for (size_t b = 0; b < note->buffer_count; b++)
        if (note->buffers[b].arg_index == arg) {
            *struct_bytes = dl__kernel_leaves(kernel, b)->struct_bytes;
            return &note->buffers[b];
        }
    return NULL;
}

/* Returns the bytes of a buffer, from its beginning, that this number of work-items
 * access; all bytes if it is only read, or has no structs. 0: that can't be told.
 *   compared  out, may be NULL: of those, that are the slice's; 0: nothing tells which
 */
static DL__WITH_LOCK uint64_t slice_bytes(const struct dl__kernel *kernel,
                                          struct dl__mem *const *mems,
                                          const struct dl__mem *mem, size_t items,
                                          uint64_t *compared)
{
    uint64_t struct_bytes = 0, bytes;
    bool written = false, follows = true, noted = false;

    for (unsigned i = 0; i < kernel->arg_count; i++) {
        const struct dl_buffer_note *note;
        uint64_t one = 0;

        if (mems[i] != mem)
            continue;
        note = note_of(kernel, i, &one);
        written |= dl__arg_is_written(kernel, i);
        noted |= note != NULL;
        follows = follows && note && follows_items(note) &&
                  (struct_bytes == 0 || one == struct_bytes);
        struct_bytes = one;
    }
    bytes = follows ? struct_bytes * items : 0;
    if (compared)
        *compared = bytes;
    if (!follows)
        return written && noted ? 0 : mem->bytes;
    if (bytes > mem->bytes)
        return 0;
    bytes += struct_bytes * (items / BEHIND_PART);
    return bytes <= mem->bytes ? bytes : mem->bytes / struct_bytes * struct_bytes;
}

/* Counts the bytes of the launch's buffers, or those that this number of its work-items
 * access, and those of them that the kernel may write. */
static DL__WITH_LOCK void count_bytes(const struct dl__ndrange *range, size_t items,
                                      double *bytes, double *written_bytes)
{
    struct dl__kernel *kernel = range->kernel;

    *bytes = *written_bytes = 0;
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        const struct dl__mem *root = dl__mem_root(range->mems[i]);
        bool seen = false, written = false;
        uint64_t used;

        for (unsigned other = 0; other < kernel->arg_count; other++) {
            if (dl__mem_root(range->mems[other]) != root)
                continue;
            seen |= other < i;
            written |= dl__arg_is_written(kernel, other);
        }
        if (!root || seen)
            continue;
        used = items ? slice_bytes(kernel, range->mems, root, items, NULL) : root->bytes;
        *bytes += (double)used;
        *written_bytes += written ? (double)used : 0;
    }
}

/* The host's first touch of memory takes as long as this number of copies of the same
 * size. */
enum { TOUCH_PASSES = 4 };

/* Returns the time that copies of this size take, before anything is tried on them. */
static DL__WITH_LOCK double copying(const struct dl__queue *queue, double bytes,
                                    double written_bytes, bool once, double pass_second,
                                    double step)
{
    /* To BEFORE, or once and for all to WORK. */
    double seconds = (once ? bytes : written_bytes) / pass_second + 3 * step;

    if (dl__copies_touch(queue))
        seconds += TOUCH_PASSES * (bytes + (once ? 0 : written_bytes)) / pass_second;
    return seconds;
}

/* True when all structs that it writes follow its items, by whole buffers. */
static DL__WITH_LOCK bool has_slices(const struct dl__kernel *kernel,
                                     struct dl__mem *const *mems)
{
    bool has = !kernel->note->image_args;

    for (unsigned i = 0; i < kernel->arg_count && has; i++)
        has = !mems[i] ||
              (!mems[i]->parent && slice_bytes(kernel, mems, mems[i], 1, NULL) > 0);
    return has;
}

static size_t largest_divisor(size_t number, size_t most)
{
    size_t divisor = most < number ? most : number;

    while (divisor > 1 && number % divisor != 0)
        divisor--;
    return divisor;
}

/* The group size that the text asks for, or else the largest that the driver can choose.
 */
static size_t driver_group(const struct dl__kernel *kernel, cl_device_id device,
                           size_t items)
{
    size_t asked[3] = {0}, group = 0;

    if (dl__next.clGetKernelWorkGroupInfo(kernel->object.handle, device,
                                          CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof asked,
                                          asked, NULL) != CL_SUCCESS ||
        dl__next.clGetKernelWorkGroupInfo(kernel->object.handle, device,
                                          CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group,
                                          NULL) != CL_SUCCESS)
        return 0;
    return asked[0] ? asked[0] : largest_divisor(items, group);
}

/* Returns a number of work-items in whole groups, at least as large as asked for. Where
 * the driver chooses the group's size, from the divisors of the items, it is a number for
 * which it chooses the same size as for all: another size would be compiled again, for
 * the slice alone. 0: there is none. */
static size_t whole_groups(cl_device_id device, const struct dl__ndrange *range,
                           size_t items)
{
    size_t group = range->local ? range->local[0]
                                : driver_group(range->kernel, device, range->global[0]);

    if (group == 0)
        return 0;
    items = (items + group - 1) / group * group;
    for (int i = 0; i < GROUPS_TRIED && !range->local; i++, items += group)
        if (driver_group(range->kernel, device, items) == group)
            return items;
    return range->local ? items : 0;
}

/* Returns the rows of the last dimension that hold at least this number of work-items in
 * whole groups; 0: there are none. */
static size_t slice_rows(cl_device_id device, const struct dl__ndrange *range,
                         size_t items)
{
    unsigned last = range->work_dim - 1;
    size_t row_items = 1, rows, multiple;

    if (last == 0)
        return whole_groups(device, range, items);
    for (unsigned d = 0; d < last; d++)
        row_items *= range->global[d];
    rows = row_items ? (items + row_items - 1) / row_items : 0;
    multiple = range->local ? range->local[last] : ROWS;
    return (rows + multiple - 1) / multiple * multiple;
}

static bool has_whole_groups(const struct dl__ndrange *range)
{
    bool has = range->global != NULL;

    for (unsigned d = 0; d < range->work_dim && has; d++)
        has = range->global[d] > 0 && !(range->local && range->local[d] == 0) &&
              !(range->offset && range->offset[d]);
    return has;
}

/* Work-items of the launch's slice; 0: it is explored whole.
 *   global  out, may be NULL: as many a dimension */
static DL__WITH_LOCK size_t slice_items(const struct dl__ndrange *range, size_t *global)
{
    struct dl__kernel *kernel = range->kernel;
    const struct dl__device *device =
        dl__context_device(range->queue->object.context, range->queue->device);
    unsigned last = range->work_dim - 1;
    uint64_t bytes = 0;
    size_t items = 1, rows;

    for (unsigned i = 0; i < kernel->arg_count; i++)
        bytes += range->mems[i] ? range->mems[i]->bytes : 0;
    if (bytes < SLICED_BYTES || kernel->launched.whole ||
        dl__options_get()->policy_test || !device || !device->unified ||
        !has_whole_groups(range) || !has_slices(kernel, range->mems))
        return 0;
    for (unsigned d = 0; d <= last; d++)
        items *= range->global[d];
    rows = slice_rows(device->id, range,
                      items / PARTS > LEAST_ITEMS ? items / PARTS : LEAST_ITEMS);
    items = items / range->global[last] * rows;
    for (unsigned i = 0; i < kernel->arg_count; i++)
        if (range->mems[i] &&
            slice_bytes(kernel, range->mems, range->mems[i], items, NULL) == 0)
            return 0;
    for (unsigned d = 0; global && d <= last; d++)
        global[d] = d < last ? range->global[d] : rows;
    return rows <= range->global[last] / 4 ? items : 0;
}

/* The builder's launch, which computes with zeros, must not keep a core for long. */
static const double first_seconds = 0.3;

bool dl__explore_first(const struct dl__ndrange *range, struct dl__first_launch *out)
{
    double usual = dl__choice_native_seconds(range->choice, NULL), share = 1;
    unsigned last = range->work_dim - 1;
    bool wide = false, still = false;
    size_t rows;

    if (usual <= 0)
        usual = range->choice->ask->estimate.native_seconds;
    if (!has_whole_groups(range))
        return false;
    *out = (struct dl__first_launch){
        .kernel = range->kernel, .mems = range->mems, .work_dim = range->work_dim};
    for (unsigned d = 0; d <= last; d++) {
        out->global[d] = range->global[d];
        out->local[d] = range->local ? range->local[d] : 0;
        wide |= range->global[d] >= LEAST_ITEMS;
    }
    rows = slice_rows(range->queue->device, range, LEAST_ITEMS);
    if (rows > 0 && rows < range->global[last]) {
        out->global[last] = rows;
        for (unsigned d = 0; d <= last; d++)
            still |= out->global[d] >= LEAST_ITEMS;
        if (wide != still)
            out->global[last] = range->global[last];
    }
    share = (double)out->global[last] / (double)range->global[last];
    return usual * share <= first_seconds;
}

/* The program's own kernel takes as many times as long where it is not optimised. */
enum { SLOWER_TIMES = 8 };

void dl__explore_price(const struct dl__ndrange *range, const struct dl_rates *rates,
                       struct dl__policy_ask *ask)
{
    double guess = rates->copy_guess && !rates->is_cpu ? 2 : 1;
    double pass_second = rates->copy_mb * 1e6 / 2 / guess,
           step = guess * rates->step_us * 1e-6;
    double bytes, written_bytes, usual = 0;
    size_t items = slice_items(range, NULL);
    const struct dl__launched_on *on =
        dl__launched_on(range->kernel, range->queue->device);
    unsigned runs;
    bool once;

    ask->explored_whole = items == 0;
    if (pass_second <= 0)
        return;
    if (range->kernel->launched.twice)
        usual = dl__choice_native_seconds(range->choice, NULL);
    if (usual <= 0)
        usual = ask->estimate.native_seconds;
    count_bytes(range, 0, &bytes, &written_bytes);
    once = is_once(range->kernel, 1, (uint64_t)bytes);
    ask->copy_seconds =
        copying(range->queue, bytes, written_bytes, once, pass_second, step);
    once = once && !items;
    if (items)
        count_bytes(range, items, &bytes, &written_bytes);
    ask->explore_seconds =
        copying(range->queue, bytes, written_bytes, once, pass_second, step);
    runs = items ? RUNS_OF_PART : runs_of((uint64_t)bytes);
    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        const struct dl__candidate *candidate =
            dl__candidate_get((enum dl__candidate_id)i);
        unsigned part =
            candidate->in_place
                ? 0
                : *(const unsigned *)((const char *)rates + candidate->move_part);
        /* To WORK, there, and back what is written. */
        double moved =
            (once ? 0 : bytes) + (part ? (bytes + written_bytes) * 1000.0 / part : 0);

        ask->explore_each[i] =
            runs * (moved / pass_second + 4 * step) + written_bytes / pass_second;
        if (!on || !on->first || !on->first[i].compiled)
            ask->explore_each[i] += guess * rates->first_us * 1e-6;
        if (!range->kernel->launched.twice)
            continue;
        ask->explore_each[i] += SLOWER_TIMES * usual + 2 * written_bytes / pass_second;
        if (!on || !on->first || !on->first[DL__NATIVE].compiled)
            ask->explore_each[i] += guess * rates->first_us * 1e-6;
    }
}

/* ---- conversions of copies ---- */

/*   stands_in  out: the host or kernels for any shape make some of them */
static DL__WITH_LOCK bool prepare_moves(struct dl__copies *copies, struct dl__plan *plan,
                                        bool *stands_in)
{
    static const struct dl_layout aos = {.kind = DL_LAYOUT_AOS};
    struct dl__context *context = copies->queue->object.context;
    cl_uint before = dl__context_count_begin(context);
    enum dl_status status = DL_OK;

    for (size_t b = 0; b < copies->kernel->note->buffer_count && status == DL_OK; b++) {
        struct dl__move *move = &plan->bindings[b].move;

        if (!dl__binding_is_moved(&plan->bindings[b]))
            continue;
        status = dl_marshal_prepare(copies->marshal, move->leaves, move->structs, aos,
                                    move->layout, &move->there);
        if (status == DL_OK)
            status = dl_marshal_prepare(copies->marshal, move->leaves, move->structs,
                                        move->layout, aos, &move->back);
        if (status == DL_OK)
            *stands_in |= dl_marshal_stands_in(copies->marshal, move->there) ||
                          dl_marshal_stands_in(copies->marshal, move->back);
        if (status == DL_OK && move->layout.kind == DL_LAYOUT_GRID &&
            context->copies_bytes + dl_conversion_workspace_bytes(move->there) >
                dl__copies_cap_bytes(copies->device))
            status = DL_ENOMEM;
    }
    dl__context_count_end(context, before);
    return status == DL_OK;
}

/* Converts WORK, there or back; nothing is learnt of the whole from a slice. What the
 * kernel does not write need not come back: that takes as long as there.
 *   seconds  of those that are converted, and would be of the buffers themselves; 0: not
 *            known */
static DL__WITH_LOCK cl_int convert(struct dl__copies *copies,
                                    const struct dl__plan *plan, bool there, bool again,
                                    double *seconds)
{
    cl_int err = CL_SUCCESS;
    double sum = 0;

    if (copies->items)
        return dl__slice_convert(copies, plan, there, again);
    for (size_t b = 0; b < copies->kernel->note->buffer_count && err == CL_SUCCESS; b++) {
        const struct dl__binding *binding = &plan->bindings[b];
        bool anew = binding->mem && dl__mem_is_copied(binding->mem);
        struct dl__copied *copied;
        double now;

        if (!dl__binding_moves(plan->bindings, b))
            continue;
        copied = dl__copies_of(copies, binding->mem);
        if (!there && !copied->written) {
            sum += anew ? 0 : copied->there_seconds;
            continue;
        }
        err = dl__copies_convert(copies, there ? binding->move.there : binding->move.back,
                                 copied->of[DL__WORK], &now);
        if (there)
            copied->there_seconds = now;
        /* A converted copy is made anew for each write of the program's, and is never
         * converted back. */
        if (there || !anew)
            sum += now;
        if (there && anew)
            sum += copied->copy_seconds;
    }
    keep_time(seconds, sum);
    return err;
}

/* ---- the rewritten kernel ---- */

static const char cant_convert[] = "its buffers can't be converted";

/* Finds what the candidate needs to run on WORK, before anything is copied for it; in
 * place, a plan has no bindings. False: out->why. */
static DL__WITH_LOCK bool plan_one(struct dl__copies *copies, struct dl__plan *plan,
                                   struct dl__explored *out)
{
    struct dl__kernel *kernel = copies->kernel;
    enum dl__candidate_id id = out->candidate;
    const char **why = &out->why;
    struct dl_layout layout = {0};

    *why = "it has no such form";
    dl__choice_layout(id, kernel, &copies->range, copies->device, &layout);
    if (layout.tile_structs == 0)
        return false;
    if (dl__candidate_get(id)->in_place) {
        plan->shadow = dl__coalesced_kernel(&copies->range, why);
        return plan->shadow != NULL;
    }
    plan->bindings = calloc(kernel->note->buffer_count, sizeof *plan->bindings);
    if (!plan->bindings) {
        *why = "there is no memory";
        return false;
    }
    *why = cant_convert;
    if (dl__plan_prepare(&copies->range, &layout, plan))
        return true;
    if (plan->building)
        *why = dl__why_text(DL__WHY_BUILDING);
    else if (plan->reason)
        *why = plan->reason;
    out->unbound = !plan->building;
    return false;
}

/* False: none of the candidates can run. */
static DL__WITH_LOCK bool plan_all(struct dl__copies *copies, struct dl__plan *plans,
                                   struct dl__explored *list, size_t count)
{
    bool any = false;

    for (size_t i = 0; i < count; i++) {
        plans[i] = (struct dl__plan){.on_copies = true, .by_host = copies->items > 0};
        if (plan_one(copies, &plans[i], &list[i]))
            any = true;
        else
            plans[i].shadow = NULL;
    }
    return any;
}

/* Runs a text on WORK as it has left it, for its time: caches hold that, where they hold
 * it for any text. Of a part, where other processes hold cores up, the shortest counts;
 * of launches that take microseconds some drivers tell a time that is none: of a whole
 * launch the median counts. 0: it is not known. */
static DL__WITH_LOCK double time_of(struct dl__copies *copies,
                                    struct dl__shadow_kernel *shadow)
{
    double times[RUNS_OF_PART_MAX], now = 0, begun = dl__clock_seconds();
    unsigned count = 0;

    /* By the host's clock: a driver may take 0.2 ms to tell what has taken 8 us. */
    for (unsigned r = 1; r < RUNS_OF_PART || (r < RUNS_OF_PART_MAX &&
                                              dl__clock_seconds() - begun < part_seconds);
         r++) {
        unsigned at = count;

        if (dl__copies_run(copies, shadow, DL__WORK, &now) != CL_SUCCESS || now <= 0)
            continue;
        for (; at > 0 && times[at - 1] > now; at--)
            times[at] = times[at - 1];
        times[at] = now;
        count++;
    }
    return count == 0 ? 0 : times[copies->items ? 0 : (count - 1) / 2];
}

/* All that is known of the program's own kernel. */
struct native {
    double seconds; /* 0: not known */
    double usual;   /* what its launches take in the program; 0: not known */
    bool is_judged; /* it has run twice */
    bool is_racy;   /* and has given something else the second time, in `differs` */
    const struct dl__copied *differs;
};

/* A launch that is explored finds in the device's caches what the copying has left there;
 * the program's launches may find their own buffers. Short ones are timed again on WORK
 * with nothing in between. These times count unless what the program's launches take is
 * nearer to the others. */
static DL__WITH_LOCK void time_again(struct dl__copies *copies,
                                     const struct dl__plan *plan,
                                     const struct native *native,
                                     struct dl__explored *out)
{
    double cold = native->seconds, warm, rewritten;

    if (copies->once || !is_short(native->usual) ||
        dl__copies_restore(copies, DL__WORK) != CL_SUCCESS)
        return;
    warm = time_of(copies, NULL);
    if (warm <= 0 || native->usual - warm > cold - native->usual ||
        dl__copies_restore(copies, DL__WORK) != CL_SUCCESS ||
        (plan->bindings &&
         convert(copies, plan, true, false, &out->there_seconds) != CL_SUCCESS))
        return;
    rewritten = time_of(copies, plan->shadow);
    if (rewritten > 0) {
        out->native_seconds = warm;
        out->seconds = rewritten;
    }
}

/* Runs the candidate on what the buffers held before, with the conversions. What is not
 * run often is run once more where it has lost: others may have kept the device busy, and
 * the loss is kept for the next runs. */
static DL__WITH_LOCK cl_int try(struct dl__copies *copies, const struct dl__plan *plan,
                                const struct native *native, struct dl__explored *out)
{
    bool moved = plan->bindings != NULL, again = !copies->items && !copies->once;
    unsigned runs = copies->items ? 1 : runs_of(copies->bytes);
    cl_int err = CL_SUCCESS;
    double seconds;

    if (moved && plan->knobs.layout.text[0])
        err = dl__hidden_args_set(copies->kernel, plan);
    for (unsigned r = 0; r < runs && err == CL_SUCCESS; r++) {
        /* It holds that already where it is used once. */
        if (!copies->once)
            err = dl__copies_restore(copies, DL__WORK);
        if (err == CL_SUCCESS && moved)
            err = convert(copies, plan, true, false, &out->there_seconds);
        if (err == CL_SUCCESS)
            err = dl__copies_run(copies, plan->shadow, DL__WORK, &seconds);
        if (err == CL_SUCCESS)
            keep_time(&out->seconds, seconds);
        if (err == CL_SUCCESS && moved)
            err = convert(copies, plan, false, false, &out->back_seconds);
        if (again && r + 1 == runs && native->seconds > 0 &&
            out->seconds > native->seconds) {
            again = false;
            runs++;
        }
    }
    return err;
}

/* Runs the program's own kernel once more; what differs in gaps only is unset. False:
 * that can't be. */
static DL__WITH_LOCK bool judge(struct dl__copies *copies, struct native *native)
{
    const struct dl__copied *found = NULL;
    double seconds = 0;

    if (copies->kernel->note->draws) {
        native->is_judged = native->is_racy = true;
        return true;
    }
    if (dl__copies_restore(copies, DL__WORK) != CL_SUCCESS ||
        dl__copies_run(copies, NULL, DL__WORK, &seconds) != CL_SUCCESS ||
        !dl__copies_compare(copies, DL__ITSELF, &found))
        return false;
    keep_time(&native->seconds, seconds);
    native->is_judged = true;
    native->differs = found;
    native->is_racy = found && !dl__unset_learn(copies);
    return true;
}

/* True when the program's own kernel, which has just run on WORK, has left it as it was:
 * then it says nothing of a rewritten one. */
static DL__WITH_LOCK bool changed_nothing(struct dl__copies *copies)
{
    const struct dl__copied *found = NULL;

    return !dl__copies_compare(copies, DL__BEFORE, &found) || !found;
}

static const char still_whole[] =
    "a part of it does not tell: it is still to be explored whole";
static const char still_unchanged[] =
    "a part of it has changed nothing: it is still to be explored";

static const char still_gaps[] =
    "another build of its own text, which tells whether bytes of padding count, is still "
    "to be made";

/* All that was found of its launches is found again, including their price. */
static DL__WITH_LOCK void explore_whole(struct dl__kernel *kernel)
{
    kernel->launched.whole = true;
    kernel->launched.rows_made++;
}

static DL__WITH_LOCK void explore_one(struct dl__copies *copies, struct dl__plan *plan,
                                      struct dl__explored *out, struct native *native)
{
    const struct dl__copied *found = NULL, *gaps;
    cl_int err;

    out->why = cant_convert;
    if (plan->bindings && !plan->by_host && !prepare_moves(copies, plan, &out->stands_in))
        return;
    err = try(copies, plan, native, out);
    out->why = "its rewritten kernel can't be run on copies";
    if (err != CL_SUCCESS || !dl__copies_compare(copies, DL__ITSELF, &found))
        return;
    gaps = dl__unset_only(copies);
    if (found && !native->is_judged && (copies->kernel->note->draws || !copies->once) &&
        !judge(copies, native))
        return;
    if (gaps) {
        out->gaps = true;
        out->argument = gaps->arg_index;
    }
    if (dl__unset_wants(copies, native->is_racy ? native->differs : found)) {
        out->why = still_gaps;
    } else if (native->is_racy) {
        out->verdict = DL__UNJUDGED;
        out->why = dl__why_text(DL__WHY_UNREPEATABLE);
    } else if (found && copies->items) {
        explore_whole(copies->kernel);
        out->why = still_whole;
    } else if (found && !gaps) {
        out->verdict = DL__DIFFERS;
        out->argument = found->arg_index;
        out->why = "it gives other bytes than its own text";
    } else if (gaps &&
               (out->verdict = dl__unset_judge(copies, DL__ITSELF)) != DL__EQUAL) {
        out->why = out->verdict == DL__DIFFERS
                       ? "it gives other bytes than its own text, in padding"
                       : still_gaps;
    } else {
        out->verdict = DL__EQUAL;
        out->why = NULL;
        if (copies->items &&
            (!plan->bindings || convert(copies, plan, true, true, NULL) == CL_SUCCESS))
            keep_time(&out->seconds, time_of(copies, plan->shadow));
        else if (!copies->items)
            time_again(copies, plan, native, out);
    }
}

static void set_all(struct dl__explored *list, size_t count, const char *why)
{
    for (size_t i = 0; i < count; i++)
        list[i] = (struct dl__explored){.candidate = list[i].candidate,
                                        .speedup = list[i].speedup,
                                        .verdict = DL__NOT_EXPLORED,
                                        .why = why};
}

static void say(const struct dl__kernel *kernel, const struct dl__explored *one)
{
    dl__log(DL__LOG_DEBUG,
            "kernel '%s' explored: %s %s%s; %.6g ms as written, %.6g ms, there %.6g "
            "ms, back %.6g ms%s",
            kernel->name, dl__candidate_get(one->candidate)->name,
            one->verdict == DL__EQUAL      ? "gives the same bytes"
            : one->verdict == DL__UNJUDGED ? "can't be judged"
            : one->verdict == DL__DIFFERS  ? "differs"
                                           : "is not explored: ",
            one->verdict == DL__NOT_EXPLORED && one->why ? one->why : "",
            1e3 * one->native_seconds, 1e3 * one->seconds, 1e3 * one->there_seconds,
            1e3 * one->back_seconds, one->stands_in ? " by what stands in" : "");
}

/* The slice of the program's own kernel has run on WORK: that is what others are compared
 * with where nothing tells which bytes are the slice's. */
static DL__WITH_LOCK cl_int copies_keep_ran(struct dl__copies *copies)
{
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; i < copies->count && err == CL_SUCCESS; i++) {
        struct dl__copied *copied = &copies->list[i];

        if (copied->plain)
            err = dl__next.clEnqueueCopyBuffer(copies->own.object.handle,
                                               copied->of[DL__WORK], copied->of[DL__RAN],
                                               0, 0, copied->bytes, 0, NULL, NULL);
    }
    if (err == CL_SUCCESS)
        err = dl__next.clFinish(copies->own.object.handle);
    copies->ran = err == CL_SUCCESS;
    return err;
}

/* The launch has run, on the buffers, which held what the copies do.
 *   whole         the launch
 *   seconds       that it took; 0: not known
 *   wall_seconds  until its end was seen */
static DL__WITH_LOCK void explore_all(struct dl__copies *copies,
                                      const struct dl__ndrange *whole,
                                      struct dl__plan *plans, struct dl__explored *list,
                                      size_t count, double seconds, double wall_seconds)
{
    struct native native = {.seconds = copies->items ? 0 : seconds,
                            .usual = dl__choice_native_seconds(whole->choice, NULL)};
    double launch = seconds > 0 ? seconds : wall_seconds, parts = 1;
    unsigned last = whole->work_dim - 1;
    const char *why = NULL;

    if (copies->items)
        parts = (double)whole->global[last] / (double)copies->global[last];

    if (copies->kernel->note->tells)
        why = dl__copies_restore(copies, DL__WORK) == CL_SUCCESS
                  ? dl__copies_tell(copies)
                  : "its buffers can't be copied";
    if (why) {
        set_all(list, count, why);
        for (size_t i = 0; i < count && why == dl__prints; i++)
            list[i].verdict = DL__UNJUDGED;
        return;
    }
    if (!copies->once && (native.seconds <= 0 || runs_of(copies->bytes) > 1) &&
        !judge(copies, &native)) {
        set_all(list, count, "its own kernel can't be run on copies");
        return;
    }
    if (native.is_racy && dl__unset_wants(copies, native.differs)) {
        set_all(list, count, still_gaps);
        return;
    }
    if (copies->items && (native.is_racy || changed_nothing(copies))) {
        if (native.is_racy)
            explore_whole(copies->kernel);
        set_all(list, count, native.is_racy ? still_whole : still_unchanged);
        return;
    }
    if (copies->items && copies_keep_ran(copies) != CL_SUCCESS) {
        set_all(list, count, "its buffers can't be copied");
        return;
    }
    if (copies->items)
        keep_time(&native.seconds, time_of(copies, NULL));
    for (size_t i = 0; i < count; i++) {
        /* Who annotates a kernel answers for it: its times decide. */
        if (!plans[i].shadow)
            continue;
        if (!native.is_racy || !copies->kernel->note->detected) {
            explore_one(copies, &plans[i], &list[i], &native);
        } else {
            list[i].verdict = DL__UNJUDGED;
            list[i].why = dl__why_text(DL__WHY_UNREPEATABLE);
        }
        if (list[i].native_seconds <= 0)
            list[i].native_seconds = native.seconds;
        if (copies->items) {
            list[i].seconds = dl__estimate_of_part(native.seconds, list[i].seconds, parts,
                                                   launch, list[i].speedup);
            list[i].native_seconds = launch;
        }
        say(copies->kernel, &list[i]);
    }
}

/* Before they are made: they are for the launch's slice only. WORK is as long as the
 * buffer, the others hold what its work-items access, as far as the text knows that. */
static DL__WITH_LOCK void copies_slice(struct dl__copies *copies)
{
    copies->items = slice_items(&copies->range, copies->global);
    if (!copies->items)
        return;
    copies->bytes = copies->written_bytes = 0;
    for (size_t i = 0; i < copies->count; i++) {
        struct dl__copied *copied = &copies->list[i];

        copied->bytes = slice_bytes(copies->kernel, copies->range.mems, copied->mem,
                                    copies->items, &copied->compared);
        copied->plain = copied->written && copied->compared == 0;
        if (copied->plain)
            copied->compared = copied->bytes;
        copies->bytes += copied->bytes;
        copies->written_bytes += copied->written ? copied->bytes : 0;
    }
    copies->range.global = copies->global;
}

/* Copies of what the buffers hold before the launch. NULL: why not.
 *   theirs  out: seconds that the launch would have taken otherwise */
static DL__WITH_LOCK struct dl__copies *begin(const struct dl__ndrange *range,
                                              struct dl__copies *copies, size_t count,
                                              double *theirs, const char **why)
{
    double usual = dl__choice_native_seconds(range->choice, NULL);

    *why = NULL;
    dl__unset_begin(copies, true);
    /* How long the program's own kernel takes must be known for that. */
    copies->once = !copies->items && usual > 0 && !is_short(usual) &&
                   is_once(range->kernel, count, copies->bytes);
    copies->sees_gaps = copies->sees_gaps && !copies->once;
    if (dl__copies_make(copies, false, why) && !are_idle(copies))
        *why = "commands on its buffers don't end by themselves";
    for (size_t i = 0; i < copies->count && !*why; i++)
        if (copies->list[i].mem && dl__mem_bring_back(copies->list[i].mem, range->queue,
                                                      "exploring") != CL_SUCCESS)
            *why = "a buffer can't be brought back";
    if (!*why)
        *theirs = dl__copies_arrive(copies);
    if (!*why &&
        dl__copies_take(copies, copies->once ? DL__WORK : DL__BEFORE) != CL_SUCCESS)
        *why = "its buffers can't be copied";
    if (!*why)
        return copies;
    dl__copies_free(copies);
    return NULL;
}

static void free_plans(struct dl__plan *plans, size_t count)
{
    for (size_t i = 0; plans && i < count; i++)
        free(plans[i].bindings);
    free(plans);
}

bool dl__explore_launch(cl_kernel handle, const struct dl__ndrange *range,
                        struct dl__explored *list, size_t count, double *spent_seconds,
                        cl_int *launched_err)
{
    struct dl__queue *queue = range->queue;
    double begun = dl__clock_seconds(), theirs = 0, launched, ended;
    struct dl__ndrange native = *range;
    struct dl__choice choice = {0};
    const char *why;
    struct dl__copies *copies = find(range, &why);
    struct dl__plan *plans = NULL; /* too large for a thread's stack */
    cl_event own = NULL;
    bool sliced;
    cl_int err;

    set_all(list, count, why);
    if (copies) {
        copies->range.choice = &choice;
        copies_slice(copies);
        plans = calloc(count, sizeof *plans);
        if (!plans || !plan_all(copies, plans, list, count)) {
            dl__copies_free(copies);
            copies = NULL;
            why = plans ? list[0].why : "there is no memory";
        }
    }
    if (!copies) {
        dl__log(DL__LOG_DEBUG, "kernel '%s' is not explored: %s", range->kernel->name,
                why);
        free_plans(plans, count);
        return false;
    }
    dl__trace_own_begin();
    copies = begin(range, copies, count, &theirs, &why);
    dl__trace_own_end();
    if (!copies)
        set_all(list, count, why);
    sliced = copies && copies->items;
    if (copies && !native.event)
        native.event = &own;
    launched = dl__clock_seconds();
    if (copies)
        dl__queue_time_begin(queue);
    err = dl__launch_on_aos(handle, &native, false);
    if (copies)
        dl__queue_time_end(queue);
    if (copies &&
        (err != CL_SUCCESS || dl__queue_wait_for(queue, *native.event) != CL_SUCCESS)) {
        set_all(list, count, "its own launch has not ended well");
        dl__copies_free(copies);
        copies = NULL;
    }
    ended = dl__clock_seconds();
    dl__trace_own_begin();
    if (copies)
        explore_all(copies, range, plans, list, count,
                    dl__event_seconds(*native.event, *native.event), ended - launched);
    dl__copies_free(copies);
    free_plans(plans, count);
    dl__trace_own_end();
    if (own)
        dl__next.clReleaseEvent(own);
    *spent_seconds = dl__clock_seconds() - ended + launched - begun - theirs;
    dl__log(DL__LOG_DEBUG, "kernel '%s': exploring %stook %.6g ms%s%s",
            range->kernel->name, sliced ? "a part " : "", 1e3 * *spent_seconds,
            why ? "; " : "", why ? why : "");
    *launched_err = err;
    return true;
}

/* ---- as the policy has asked for it ---- */

static size_t list_of(unsigned bits, struct dl__explored *list)
{
    size_t count = 0;

    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        if (bits >> c & 1)
            list[count++] = (struct dl__explored){.candidate = (enum dl__candidate_id)c,
                                                  .verdict = DL__NOT_EXPLORED};
    return count;
}

/* The program's author should know of a difference; the author of an annotation answers
 * for a kernel that can't be judged. */
static DL__WITH_LOCK void conclude(struct dl__kernel *kernel,
                                   const struct dl__explored *explored,
                                   struct dl__finding *out)
{
    *out = (struct dl__finding){.candidate = explored->candidate,
                                .native_seconds = explored->native_seconds,
                                .seconds = explored->seconds,
                                .there_seconds = explored->there_seconds,
                                .back_seconds = explored->back_seconds,
                                .stands_in = explored->stands_in,
                                .why = explored->verdict == DL__DIFFERS ? NULL
                                                                        : explored->why};
    switch (explored->verdict) {
    case DL__EQUAL:
        out->state = DL__MAY_RUN;
        out->differs = explored->gaps ? explored->argument + 1 : 0;
        break;
    case DL__DIFFERS:
        out->state = DL__AS_WRITTEN;
        out->differs = explored->argument + 1;
        dl__log(DL__LOG_REMARK,
                "kernel '%s', argument %u: on copies in %s it gives other bytes than its "
                "own text%s: it runs as written there",
                kernel->name, explored->argument,
                dl__candidate_get(explored->candidate)->name,
                explored->gaps
                    ? ", though only where the structs have no member, and two "
                      "builds of that agree there"
                    : "");
        break;
    case DL__UNJUDGED:
        out->state = kernel->note->detected ? DL__AS_WRITTEN : DL__MAY_RUN;
        if (kernel->note->detected)
            dl__log(DL__LOG_REMARK,
                    "kernel '%s': %s, so that it can't be compared in %s: it runs as "
                    "written there",
                    kernel->name, explored->why,
                    dl__candidate_get(explored->candidate)->name);
        break;
    case DL__NOT_EXPLORED:
        /* A reason with a place in the text has been said with it. */
        if (explored->unbound && explored->why != cant_convert &&
            explored->why != kernel->launched.remarked) {
            kernel->launched.remarked = explored->why;
            dl__log(DL__LOG_REMARK, "kernel '%s' can't run in %s: %s", kernel->name,
                    dl__candidate_get(explored->candidate)->name, explored->why);
        }
        out->soon = explored->why && strstr(explored->why, "still ");
        out->unchanged = explored->why == still_unchanged;
        out->unbound = explored->unbound;
        break;
    }
}

bool dl__explore_asked(cl_kernel handle, const struct dl__ndrange *range, cl_int *err)
{
    struct dl__explored list[DL__CANDIDATES];
    struct dl__finding findings[DL__CANDIDATES];
    size_t count = list_of(range->choice->answer.explore, list);
    const struct dl__estimate *estimate = &range->choice->ask->estimate;
    double spent = 0;
    bool can;

    for (size_t i = 0; i < count; i++)
        if (estimate->of[list[i].candidate].verdict != DL__UNSURE)
            list[i].speedup = estimate->of[list[i].candidate].speedup;
    can = dl__explore_launch(handle, range, list, count, &spent, err);
    for (size_t i = 0; i < count; i++)
        conclude(range->kernel, &list[i], &findings[i]);
    dl__choice_explored(range->choice, findings, count, spent);
    if (!range->kernel->launched.whole &&
        dl__policy_wants_whole(range->choice->ask->kernel))
        explore_whole(range->kernel);
    dl__stats_add(DL__STATS_EXPLORED, spent > 0);
    dl__stats_waited(DL__STATS_EXPLORED_MS, spent);
    return can;
}
