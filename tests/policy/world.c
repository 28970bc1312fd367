/* A device in virtual time. */
#include "world.h"

#include <string.h>

double world_native(const struct world_kernel *kernel, double work)
{
    return kernel->fixed + kernel->slope * work;
}

void world_begin(struct world *world)
{
    static const unsigned char text[32];
    char name[2] = "a";

    for (unsigned k = 0; k < world->kernel_count; k++, name[0]++)
        world->kernels[k].known = dl__policy_kernel_get(&world->policy, text, name);
}

void world_end(struct world *world)
{
    for (unsigned b = 0; b < WORLD_BUFFERS; b++)
        dl__policy_buffer_end(&world->policy, &world->buffers[b]);
    dl__policy_free(&world->policy);
}

/* Tells the times that are due. */
static void tell(struct world *world)
{
    unsigned kept = 0;

    for (unsigned p = 0; p < world->pending_count; p++) {
        if (world->enqueue_seconds > 0 ? world->pending[p].end <= world->host
                                       : world->pending[p].due <= world->now)
            dl__policy_measured(&world->policy, &world->pending[p].ticket,
                                world->pending[p].seconds);
        else
            world->pending[kept++] = world->pending[p];
    }
    world->pending_count = kept;
}

static double move_seconds(const struct world *world,
                           const struct dl__policy_buffer *buffer,
                           enum dl__candidate_id c)
{
    return dl__estimate_move(&world->policy.rates, c, buffer->bytes) *
           world->move_ratio[c];
}

static void move_back(struct world *world, struct dl__policy_buffer *buffer,
                      bool by_launch)
{
    enum dl__candidate_id from = buffer->lies;
    double seconds = move_seconds(world, buffer, from);
    struct dl__move_charge charge =
        dl__policy_returned(&world->policy, buffer, by_launch);

    world->device += seconds;
    if (!world->moves_untold)
        dl__policy_move_measured(&world->policy, &charge, seconds);
}

static void move_to(struct world *world, struct dl__policy_buffer *buffer,
                    enum dl__candidate_id to)
{
    double seconds = move_seconds(world, buffer, to);
    bool first = dl__move_is_first(&world->policy, buffer, to);
    struct dl__move_charge charge;

    if (buffer->lies == to)
        return;
    if (buffer->lies != DL__NATIVE)
        move_back(world, buffer, true);
    if (to == DL__NATIVE)
        return;
    world->conversions++;
    if (first)
        seconds += world->policy.rates.first_us * 1e-6;
    world->device += seconds;
    charge = dl__policy_moved(&world->policy, buffer, to);
    if (!world->moves_untold)
        dl__policy_move_measured(&world->policy, &charge, seconds);
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
static bool choose_again(struct world *world, struct world_ask *own, bool *counted)
{
    struct dl__policy_ask *ask = &own->ask;
    bool there = world->shortly && own->made;

    for (size_t b = 0; there && b < ask->buffer_count; b++)
        there = ask->buffers[b]->lies == own->last;
    if (!there || !dl__policy_choose_again(&world->policy, ask, own->last != DL__NATIVE,
                                           &world->answer.sample, counted))
        return false;
    world->answer.candidate = own->last;
    world->answer.decided = false;
    return true;
}

enum dl__candidate_id world_launch(struct world *world, unsigned k, double work,
                                   unsigned long delay, bool lie, bool timed)
{
    struct world_kernel *kernel = &world->kernels[k];
    struct world_ask *own = find_ask(world, kernel, work);
    struct dl__policy_ask *ask = &own->ask;
    bool counted = false;
    double native = world_native(kernel, work), seconds, before = world->device, end;
    struct dl__policy_ticket ticket = {0};

    tell(world);
    ask->timed = timed;
    for (int c = 0; c < DL__CANDIDATES; c++)
        ask->ready[c] = !world->not_ready;
    if (!choose_again(world, own, &counted))
        dl__policy_choose(&world->policy, ask, &world->answer);
    own->last = world->answer.candidate;
    own->made = true;
    for (unsigned b = 0; b < kernel->buffer_count; b++)
        move_to(world, ask->buffers[b], world->answer.candidate);
    seconds = native * kernel->ratio[world->answer.candidate];
    if (world->answer.candidate != DL__NATIVE) {
        note_beyond(kernel, world->answer.candidate, ask->row, native, seconds);
        world->tiled++;
    }
    if (counted)
        world->counted++;
    else
        ticket = dl__policy_launched(&world->policy, ask, world->answer.candidate);
    world->device += seconds;
    end = give(world, world->device - before);
    world->native += native;
    world->now++;
    if (world->answer.sample && world->pending_count < WORLD_PENDING)
        world->pending[world->pending_count++] =
            (struct world_time){ticket, lie ? 0 : seconds, world->now + delay, end};
    return world->answer.candidate;
}

void world_look(struct world *world, unsigned b)
{
    struct dl__policy_buffer *buffer = &world->buffers[b];

    if (buffer->lies != DL__NATIVE)
        move_back(world, buffer, false);
    else
        dl__policy_touched(&world->policy, buffer);
}

void world_look_part(struct world *world, unsigned b, uint64_t bytes)
{
    struct dl__policy_buffer *buffer = &world->buffers[b];
    const struct dl_rates *rates = &world->policy.rates;
    bool first = world->policy.look_count == 0, timed;
    struct dl__move_charge charge;
    double empty, seconds;

    if (buffer->lies == DL__NATIVE) {
        dl__policy_touched_part(&world->policy, buffer, bytes);
        return;
    }
    if (!dl__policy_may_look(&world->policy, buffer, bytes, &timed)) {
        move_back(world, buffer, false);
        return;
    }
    empty = dl__estimate_look(rates, 0);
    seconds = empty * world->look_ratio[0] +
              (dl__estimate_look(rates, bytes) - empty) * world->look_ratio[1];
    if (first)
        seconds += rates->first_us * 1e-6;
    world->device += seconds;
    world->looks++;
    charge = dl__policy_looked(&world->policy, buffer, bytes);
    if (timed && !world->moves_untold)
        dl__policy_move_measured(&world->policy, &charge, seconds);
}

void world_overwrite(struct world *world, unsigned b)
{
    dl__policy_dropped(&world->policy, &world->buffers[b]);
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
           DL__PROMISED_SECONDS - beyond;
}
