/* SPDX-License-Identifier: MIT */
/* Devices in virtual time. */
#include "world.h"

#include <string.h>

double world_native(const struct world_kernel *kernel, double work)
{
    return kernel->fixed + kernel->slope * work;
}

static unsigned device_count(const struct world *world)
{
    return world->device_count ? world->device_count : 1;
}

/* Where what is done to a buffer beside launches is done, and counted. */
static struct dl__policy *policy_of(struct world *world, unsigned b)
{
    return &world->devices[world->used_on[b]];
}

void world_begin(struct world *world)
{
    static const unsigned char text[32];
    char name[2] = "a";

    for (unsigned k = 0; k < world->kernel_count; k++, name[0]++)
        world->kernels[k].known =
            dl__policy_kernel_get(&world->devices[world->kernels[k].device], text, name);
}

void world_end(struct world *world)
{
    for (unsigned b = 0; b < WORLD_BUFFERS; b++)
        dl__policy_buffer_end(policy_of(world, b), &world->buffers[b]);
    for (unsigned d = 0; d < device_count(world); d++)
        dl__policy_free(&world->devices[d]);
}

/* Tells the times that are due. */
static void tell(struct world *world)
{
    unsigned kept = 0;

    for (unsigned p = 0; p < world->pending_count; p++) {
        if (world->enqueue_seconds > 0 ? world->pending[p].end <= world->host
                                       : world->pending[p].due <= world->now)
            dl__policy_measured(world->pending[p].policy, &world->pending[p].ticket,
                                world->pending[p].seconds);
        else
            world->pending[kept++] = world->pending[p];
    }
    world->pending_count = kept;
}

static double move_seconds(struct world *world, unsigned b, enum dl__candidate_id c)
{
    return dl__estimate_move(&policy_of(world, b)->rates, c, world->buffers[b].bytes) *
           world->move_ratio[c];
}

static void move_back(struct world *world, unsigned b, bool by_launch)
{
    struct dl__policy *policy = policy_of(world, b);
    double seconds = move_seconds(world, b, world->buffers[b].lies);
    double charged = world->buffers[b].owed;
    struct dl__move_charge charge =
        dl__policy_returned(policy, &world->buffers[b], by_launch);

    world->device += seconds;
    if (!world->was_on[b][world->used_on[b]] && seconds > charged)
        world->strange += seconds - charged;
    if (!world->moves_untold)
        dl__policy_move_measured(policy, &charge, seconds);
}

/* Tiles are a device's own. */
static bool lies_so(const struct world *world, unsigned b, enum dl__candidate_id c)
{
    return world->buffers[b].lies == c &&
           (c != DL__ASTA || world->buffers[b].tile == world->tile[world->used_on[b]]);
}

/* On the device that uses it now. */
static void move_to(struct world *world, unsigned b, enum dl__candidate_id to)
{
    struct dl__policy *policy = policy_of(world, b);
    struct dl__policy_buffer *buffer = &world->buffers[b];
    double seconds = move_seconds(world, b, to);
    bool first;
    struct dl__move_charge charge;

    if (dl__candidate_get(to)->in_place)
        to = DL__NATIVE;
    if (lies_so(world, b, to))
        return;
    if (buffer->lies != DL__NATIVE)
        move_back(world, b, true);
    first = dl__move_is_first(policy, buffer, to);
    if (to == DL__NATIVE)
        return;
    world->conversions++;
    if (first)
        seconds += policy->rates.first_us * 1e-6;
    world->device += seconds;
    charge = dl__policy_moved(policy, buffer, to);
    buffer->tile = to == DL__ASTA ? world->tile[world->used_on[b]] : 0;
    if (!world->moves_untold)
        dl__policy_move_measured(policy, &charge, seconds);
}

static void note_beyond(struct world_kernel *kernel, enum dl__candidate_id c,
                        const struct dl__policy_row *row, double native, double seconds)
{
    double *beyond = &kernel->beyond[c][row->work_class];
    double over = seconds - native * kernel->estimate.of[c].factor;

    if (over > *beyond)
        *beyond = over;
}

static struct world_ask *find_ask(struct world *world, struct world_kernel *kernel,
                                  double work)
{
    struct world_ask *made;
    double native = world_native(kernel, work);

    for (unsigned i = 0; i < WORLD_ASKS && !world->anew; i++) {
        if (kernel->asks[i].work == work)
            return &kernel->asks[i];
    }
    made = &kernel->asks[kernel->ask_next++ % WORLD_ASKS];
    *made = (struct world_ask){.work = work,
                               .ask = {.kernel = kernel->known,
                                       .buffers = made->bound,
                                       .buffer_count = kernel->buffer_count,
                                       .estimate = kernel->estimate,
                                       .work = work}};
    for (unsigned b = 0; b < kernel->buffer_count; b++)
        made->bound[b] = &world->buffers[kernel->buffers[b]];
    made->ask.tile[DL__ASTA] = world->tile[kernel->device];
    made->ask.row = dl__policy_row_get(kernel->known, work, 1000);
    made->ask.estimate.native_seconds *= native;
    made->ask.estimate.least_seconds *= native;
    return made;
}

/* The device is given work of so many seconds. */
static double give(struct world *world, double seconds)
{
    world->host += world->enqueue_seconds;
    world->done = (world->done > world->host ? world->done : world->host) + seconds;
    return world->done;
}

/* As launches do it (launches/again.h): nothing has moved since the last one. */
static bool choose_again(struct world *world, const struct world_kernel *kernel,
                         struct world_ask *own, bool *counted)
{
    struct dl__policy_ask *ask = &own->ask;
    bool there = world->shortly && own->made;

    for (size_t b = 0; there && b < ask->buffer_count; b++)
        there = lies_so(world, kernel->buffers[b], own->last);
    if (!there ||
        !dl__policy_choose_again(&world->devices[kernel->device], ask,
                                 own->last != DL__NATIVE, &world->answer.sample, counted))
        return false;
    world->answer.candidate = own->last;
    world->answer.decided = false;
    world->stood++;
    return true;
}

enum dl__candidate_id world_launch(struct world *world, unsigned k, double work,
                                   unsigned long delay, bool lie, bool timed)
{
    struct world_kernel *kernel = &world->kernels[k];
    struct world_ask *own = find_ask(world, kernel, work);
    struct dl__policy_ask *ask = &own->ask;
    struct dl__policy *policy = &world->devices[kernel->device];
    bool counted = false;
    double native = world_native(kernel, work), seconds, before = world->device, end;
    struct dl__policy_ticket ticket = {0};

    tell(world);
    ask->timed = timed;
    for (int c = 0; c < DL__CANDIDATES; c++)
        ask->ready[c] =
            c == DL__NATIVE || (!world->not_ready && (c == DL__GRID) == world->has_grids);
    ask->ready[DL__COALESCED] &=
        world->has_group && kernel->estimate.of[DL__COALESCED].verdict != DL__NEVER;
    for (unsigned b = 0; b < kernel->buffer_count; b++)
        world->used_on[kernel->buffers[b]] = kernel->device;
    if (!choose_again(world, kernel, own, &counted))
        dl__policy_choose(policy, ask, &world->answer);
    own->last = world->answer.candidate;
    own->made = true;
    for (unsigned b = 0; b < kernel->buffer_count; b++)
        move_to(world, kernel->buffers[b], world->answer.candidate);
    for (unsigned b = 0; b < kernel->buffer_count; b++)
        world->was_on[kernel->buffers[b]][kernel->device] = true;
    seconds = native * kernel->ratio[world->answer.candidate];
    if (world->answer.candidate != DL__NATIVE) {
        note_beyond(kernel, world->answer.candidate, ask->row, native, seconds);
        world->tiled++;
    }
    if (counted)
        world->counted++;
    else
        ticket = dl__policy_launched(policy, ask, world->answer.candidate);
    world->device += seconds;
    end = give(world, world->device - before);
    world->native += native;
    world->now++;
    if (world->answer.sample && world->pending_count < WORLD_PENDING)
        world->pending[world->pending_count++] =
            (struct world_time){policy, ticket,
                                lie            ? 0
                                : world->noise ? seconds + world->noise()
                                               : seconds,
                                world->now + delay, end};
    return world->answer.candidate;
}

void world_look(struct world *world, unsigned b)
{
    struct dl__policy_buffer *buffer = &world->buffers[b];

    if (buffer->lies != DL__NATIVE)
        move_back(world, b, false);
    else
        dl__policy_touched(policy_of(world, b), buffer);
}

void world_look_part(struct world *world, unsigned b, uint64_t bytes)
{
    struct dl__policy_buffer *buffer = &world->buffers[b];
    struct dl__policy *policy = policy_of(world, b);
    const struct dl_rates *rates = &policy->rates;
    bool first = policy->look_count == 0, timed;
    struct dl__move_charge charge;
    double empty, seconds;

    if (buffer->lies == DL__NATIVE) {
        dl__policy_touched_part(policy, buffer, bytes);
        return;
    }
    if (!dl__policy_may_look(policy, buffer, bytes, &timed)) {
        move_back(world, b, false);
        return;
    }
    empty = dl__estimate_look(rates, 0);
    seconds = empty * world->look_ratio[0] +
              (dl__estimate_look(rates, bytes) - empty) * world->look_ratio[1];
    if (first)
        seconds += rates->first_us * 1e-6;
    world->device += seconds;
    world->looks++;
    charge = dl__policy_looked(policy, buffer, bytes);
    if (timed && !world->moves_untold)
        dl__policy_move_measured(policy, &charge, seconds);
}

void world_overwrite(struct world *world, unsigned b)
{
    dl__policy_dropped(policy_of(world, b), &world->buffers[b]);
}

void world_other(struct world *world, double seconds)
{
    world->device += seconds;
    world->native += seconds;
}

double world_excess(const struct world *world)
{
    double beyond = 0;

    for (unsigned k = 0; k < world->kernel_count; k++)
        for (int c = 0; c < DL__CANDIDATES; c++)
            for (unsigned w = 0; w < WORLD_CLASSES; w++)
                beyond += world->kernels[k].beyond[c][w];
    return world->device - world->native - DL__PROMISED_PART * world->native -
           device_count(world) * DL__PROMISED_SECONDS - beyond - world->strange;
}
