/* SPDX-License-Identifier: MIT */
/* A program and its device, in virtual time. */
#include "world.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "free.h"
#include "libdl_intercept/programs/pack.h"

static const struct dl_rates rates = {.copy_mb = 100000,
                                      .sector_bytes = 32,
                                      .step_us = 10,
                                      .asta_part = 500,
                                      .da_part = 250};
static const unsigned char text[DL__TEXT_BYTES] = {1};

double world_move_seconds(enum dl__candidate_id candidate)
{
    return dl__estimate_move(&rates, candidate, WORLD_MB << 20);
}

void world_begin(struct world *world)
{
    world->policy = (struct dl__policy){.rates = rates, .ledger = &world->ledger};
    world->ledger = (struct dl__ledger){0};
    for (unsigned b = 0; b < WORLD_BUFFERS; b++)
        world->buffers[b] = (struct dl__policy_buffer){.bytes = WORLD_MB << 20};
    for (unsigned k = 0; k < WORLD_KERNELS; k++) {
        const char name[] = {(char)('a' + k), '\0'};

        world->kernels[k].kernel = dl__policy_kernel_get(&world->policy, text, name);
        memset(world->kernels[k].asks, 0, sizeof world->kernels[k].asks);
    }
    world->now = world->native = world->worst = world->moved = 0;
    world->conversions = world->decisions = world->explored = world->sampled = 0;
}

void world_end(struct world *world)
{
    for (unsigned b = 0; b < WORLD_BUFFERS; b++)
        dl__policy_buffer_end(&world->policy, &world->buffers[b]);
    policy_free(&world->policy);
}

void world_again(struct world *world)
{
    struct dl__pack said = {0};

    for (unsigned b = 0; world->releases && b < WORLD_BUFFERS; b++)
        dl__policy_buffer_end(&world->policy, &world->buffers[b]);
    dl__remember_write(&world->policy, text, &said);
    world_end(world);
    world_begin(world);
    dl__remember_read(&world->policy, text, said.data, said.bytes, false);
    dl__pack_free(&said);
}

static void describe(struct world *world, unsigned k, unsigned b)
{
    struct world_kernel *kernel = &world->kernels[k];
    struct dl__policy_ask *ask = &kernel->asks[b];
    size_t count = 0;

    if (ask->row)
        return;
    for (unsigned other = 0; other < WORLD_BUFFERS; other++)
        if (other == b || kernel->also >> other & 1)
            kernel->bound[b][count++] = &world->buffers[other];
    *ask = (struct dl__policy_ask){
        .kernel = kernel->kernel,
        .row = dl__policy_row_get(kernel->kernel, 1 << 20, 1 << 20, 0),
        .buffers = kernel->bound[b],
        .buffer_count = count,
        .work = 1 << 20,
        .timed = true,
        .explored_whole = kernel->whole,
        .explore_seconds = kernel->price > 0 ? kernel->price : 0.004,
        .copy_seconds = kernel->price > 0 ? kernel->price : 0.004};
    ask->estimate.native_seconds =
        kernel->seconds[DL__NATIVE] * (kernel->text > 0 ? kernel->text : 1);
    ask->estimate.of[DL__NATIVE].speedup = 1;
    ask->ready[DL__NATIVE] = true;
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        bool any = kernel->seconds[c] > 0;

        ask->estimate.of[c].verdict = any && !kernel->never ? DL__NEUTRAL : DL__NEVER;
        ask->estimate.of[c].speedup = 4;
        if (any && kernel->loss) {
            ask->estimate.of[c].verdict = DL__UNSURE;
            ask->estimate.of[c].speedup = 0.25;
        }
        ask->tile[c] = any ? 32 : 0;
        ask->ready[c] = any && !kernel->unbuilt;
        ask->explore_each[c] = ask->explore_seconds;
    }
}

static bool stands_in(const struct world *world, enum dl__candidate_id candidate)
{
    return world->any_shape[candidate] > 0 && world->now < world->built_at;
}

static double way_seconds(const struct world *world, enum dl__candidate_id candidate)
{
    double seconds = world->move_seconds[candidate] > 0 ? world->move_seconds[candidate]
                                                        : world_move_seconds(candidate);

    return stands_in(world, candidate) ? world->any_shape[candidate] * seconds : seconds;
}

static double copy_seconds(const struct world *world, enum dl__candidate_id candidate)
{
    return world->copy_seconds[candidate] > 0 ? world->copy_seconds[candidate]
                                              : way_seconds(world, candidate);
}

static void explore(struct world *world, struct world_kernel *kernel,
                    struct dl__policy_ask *ask, unsigned bits)
{
    struct dl__finding findings[DL__CANDIDATES];
    double cost = kernel->cost > 0 ? kernel->cost : 1;
    double spent = cost * ask->explore_seconds + kernel->seconds[DL__NATIVE], over;
    double buffers = (double)ask->buffer_count;
    size_t count = 0;

    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;

        if (!(bits >> i & 1))
            continue;
        spent += cost * ask->explore_each[c] + kernel->seconds[c];
        findings[count++] = (struct dl__finding){
            .candidate = c,
            .state = kernel->still     ? DL__UNTRIED
                     : kernel->differs ? DL__AS_WRITTEN
                                       : DL__MAY_RUN,
            .soon = kernel->still,
            .unchanged = kernel->still,
            .native_seconds = kernel->untold ? 0 : kernel->seconds[DL__NATIVE],
            .seconds = kernel->seconds[c],
            .there_seconds = copy_seconds(world, c) * buffers,
            .back_seconds = copy_seconds(world, c) * buffers,
            .stands_in = stands_in(world, c)};
    }
    world->explored++;
    world->now += spent;
    dl__policy_explored(&world->policy, ask, findings, count, spent);
    over =
        world->ledger.spent - (DL__PROMISED_PART * world->native + DL__PROMISED_SECONDS);
    if (over > world->worst)
        world->worst = over;
}

static void move_one(struct world *world, struct dl__policy_buffer *buffer,
                     enum dl__candidate_id to, bool by_launch)
{
    enum dl__candidate_id way = to == DL__NATIVE ? buffer->lies : to;
    struct dl__policy_ticket ticket;
    double seconds = way_seconds(world, way);
    bool told = !stands_in(world, way);

    if (buffer->lies == to)
        return;
    ticket = dl__policy_moved(&world->policy, buffer, to, by_launch);
    world->now += seconds;
    world->moved += seconds;
    world->conversions++;
    if (told)
        dl__policy_measured(&world->policy, &ticket, seconds);
}

/* All that the launch binds. */
static void move(struct world *world, const struct dl__policy_ask *ask,
                 enum dl__candidate_id to)
{
    for (size_t b = 0; b < ask->buffer_count; b++)
        move_one(world, ask->buffers[b], to, true);
}

/* What is not asked for can't run. */
static void ask_whether_ready(struct world *world, const struct world_kernel *kernel,
                              struct dl__policy_ask *ask)
{
    unsigned later, wanted = dl__policy_asks_for(&world->policy, ask, &later);

    ask->explorable = 0;
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        bool any = kernel->seconds[c] > 0 && !kernel->unread;

        ask->ready[c] = any && !kernel->unbuilt && (wanted | later) >> c & 1;
        ask->explorable |= (unsigned char)(any << c);
    }
}

void world_launch(struct world *world, unsigned k, unsigned b)
{
    struct world_kernel *kernel = &world->kernels[k];
    struct dl__policy_ask *ask = &kernel->asks[b];
    struct dl__policy_answer answer;
    struct dl__policy_ticket ticket;
    enum dl__candidate_id c;
    double seconds;

    describe(world, k, b);
    world->native += kernel->seconds[DL__NATIVE];
    if (dl__policy_again(&world->policy, ask)) {
        c = ask->candidate;
        if (world->buffers[b].lies != (dl__candidate_get(c)->in_place ? DL__NATIVE : c))
            ck_abort_msg(
                "a launch was not decided, though its buffer lies in another layout");
        world->now += kernel->real[c] > 0 ? kernel->real[c] : kernel->seconds[c];
        return;
    }
    ask_whether_ready(world, kernel, ask);
    dl__policy_choose(&world->policy, ask, world->now, &answer);
    world->decisions += answer.reason != NULL;
    if (answer.reason)
        dl__say_decision(ask, &answer, world->said, sizeof world->said);
    if (answer.reason && getenv("DL_PRINT"))
        printf("%.4f: %s\n", world->now, world->said);
    world->held = answer.hold;
    world->expected = answer.seconds;
    c = answer.candidate;
    if (answer.explore) {
        move(world, ask, DL__NATIVE);
        explore(world, kernel, ask, answer.explore);
        c = DL__NATIVE;
    }
    move(world, ask, dl__candidate_get(c)->in_place ? DL__NATIVE : c);
    seconds = kernel->real[c] > 0 ? kernel->real[c] : kernel->seconds[c];
    world->now += seconds;
    ticket = dl__policy_launched(ask, c);
    world->sampled += answer.sample;
    if (answer.sample && !(c == DL__NATIVE && kernel->untold))
        dl__policy_measured(&world->policy, &ticket, seconds);
}

void world_touch(struct world *world, unsigned b)
{
    struct dl__policy_buffer *buffer = &world->buffers[b];

    if (buffer->lies == DL__NATIVE || buffer->lies == buffer->host)
        dl__policy_touched(&world->policy, buffer, 0);
    else
        move_one(world, buffer, DL__NATIVE, false);
}

void world_look(struct world *world, unsigned b, uint64_t bytes)
{
    struct dl__policy_buffer *buffer = &world->buffers[b];
    struct dl__policy_ticket ticket;
    double seconds;

    world->native += world->look_seconds[DL__NATIVE];
    if (!dl__policy_may_look(&world->policy, buffer, bytes))
        move_one(world, buffer, DL__NATIVE, false);
    else
        dl__policy_touched(&world->policy, buffer, bytes);
    seconds = world->look_seconds[buffer->lies];
    world->now += seconds;
    if (!dl__policy_times_look(&world->policy, buffer, bytes))
        return;
    ticket = dl__policy_looked(&world->policy, buffer, bytes);
    dl__policy_measured(&world->policy, &ticket, seconds);
}

void world_overwrite(struct world *world, unsigned b)
{
    dl__policy_dropped(&world->policy, &world->buffers[b], true);
}
