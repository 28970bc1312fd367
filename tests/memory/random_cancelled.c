/* SPDX-License-Identifier: MIT */
/* random_cancelled FIRST COUNT [FLAG]... | probe FLAG: programs by the dozen whose
 * commands wait for user events that end well or badly. A command whose wait list fails
 * does not run; what that leaves in every buffer, what each call gives and how each event
 * ends is the record, printed line by line. It must be the same natively and under DL
 * (cancelled_test.sh compares them).
 *
 * What OpenCL leaves open is kept out or left to the driver: two commands on one buffer
 * are ordered by a wait list, by an in-order queue or because the host has waited for the
 * first. What follows a cancelled command in an in-order queue is the driver's to run or
 * to cancel; it does the same each time, so the record still holds. Nothing that an
 * in-order queue was told hangs on two open user events of which one fails: the queue's
 * order would be gone. Nor do two of the events that a command waits for fail: PoCL 3.1
 * aborts then now and then, Intel's runtime always.
 *
 * Drivers that can't do all of that need flags; `probe FLAG` does what the flag keeps
 * out, so a driver that hangs, crashes or leaves it undone needs it.
 *
 *   no-late-waits     a command that waits for what has failed already never ends (PoCL):
 *                     it goes to the out-of-order queue and nobody waits for it. Nor is
 *                     anything migrated then: that waits for the buffer's last command,
 *                     which may have failed
 *   no-broken-queues  an out-of-order queue can't be used after a command on it was
 *                     cancelled (Intel's runtime): the next one is made
 *
 * Links to nothing of DL. */
#include "cancelled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool driver_ends_late_waits = true, driver_keeps_queues = true;

/* ---- how things end ---- */

static unsigned users_that(const struct sequence *s, bool fail, bool are_resolved)
{
    unsigned bits = 0;

    for (unsigned u = 0; u < s->user_count; u++) {
        if (s->users[u].fails == fail && s->users[u].resolved == are_resolved)
            bits |= 1u << u;
    }
    return bits;
}

static unsigned open_users(const struct sequence *s)
{
    return users_that(s, true, false) | users_that(s, false, false);
}

static unsigned failing_users(const struct sequence *s)
{
    return users_that(s, true, false) | users_that(s, true, true);
}

static bool is_held(const struct sequence *s, const struct command *command)
{
    return command->reach & open_users(s);
}

/* The host waits until it knows how the command, which nothing holds, has ended. Only
 * turns of this thread are counted, so a busy machine is no reason to give up. */
static void settle(struct sequence *s, struct command *command)
{
    unsigned number = (unsigned)(command - s->commands);
    cl_int status = CL_COMPLETE, waited;

    if (command->outcome != OUTSTANDING)
        return;
    if (command->reach & failing_users(s)) {
        for (int turn = 0; turn < 10000; turn++) {
            clGetEventInfo(command->event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                           sizeof status, &status, NULL);
            if (status <= CL_COMPLETE)
                break;
            usleep(1000);
        }
    }
    if (status > CL_COMPLETE) {
        say("command %u never ends", number);
        command->outcome = STUCK;
        return;
    }
    waited = clWaitForEvents(1, &command->event);
    say("command %u ends with %d, the wait gave %d", number, status, waited);
    command->outcome = status == CL_COMPLETE && waited == CL_SUCCESS ? DONE : FAILED;
}

static void flush_all(struct sequence *s)
{
    for (unsigned q = 0; q < QUEUES; q++)
        clFlush(s->queues[q]);
}

/* Of the commands that nothing holds, those in in-order queues or all. */
static void settle_all(struct sequence *s, bool loose_too)
{
    flush_all(s);
    for (unsigned c = 0; c < s->command_count; c++) {
        struct command *command = &s->commands[c];

        if (!is_held(s, command) && (loose_too || command->queue != LOOSE))
            settle(s, command);
    }
}

static void make_queue(struct sequence *s, unsigned q)
{
    cl_int err;

    s->queues[q] = clCreateCommandQueue(
        s->world->context, s->world->device,
        q == LOOSE ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &err);
    must(err);
}

/* A command on the out-of-order queue has failed. */
static void leave_loose_queue(struct sequence *s)
{
    if (!driver_keeps_queues)
        make_queue(s, LOOSE); /* the other may not even be released */
    s->barrier = 0;
}

static void resolve(struct sequence *s, unsigned u)
{
    struct user *user = &s->users[u];
    const cl_int codes[] = {-1, -5, -1000};
    const cl_int status = user->fails ? codes[u % 3] : CL_COMPLETE;
    bool is_loose = false;

    if (user->resolved)
        return;
    if (user->fails)
        settle_all(s, true); /* what runs must not meet what comes behind the cancelled */
    flush_all(s);
    user->resolved = true;
    say("user event %u ends with %d: %d", u, status,
        clSetUserEventStatus(user->event, status));
    if (!user->fails)
        return;
    for (unsigned c = 0; c < s->command_count; c++)
        is_loose |= s->commands[c].outcome == OUTSTANDING &&
                    s->commands[c].queue == LOOSE && (s->commands[c].reach >> u & 1);
    settle_all(s, pick(s, 2));
    if (is_loose)
        leave_loose_queue(s);
}

static void resolve_all(struct sequence *s)
{
    for (unsigned u = 0; u < s->user_count; u++)
        resolve(s, u);
}

/* All is done, and the host has seen it: the program starts afresh. */
static void finish_all(struct sequence *s)
{
    for (unsigned c = 0; c < s->command_count; c++) {
        if (s->commands[c].outcome == STUCK)
            return;
    }
    resolve_all(s);
    settle_all(s, true);
    for (unsigned q = 0; q < QUEUES; q++)
        say("queue %u is finished: %d", q, clFinish(s->queues[q]));
    must(clFinish(s->own));
    for (unsigned b = 0; b < BUFFERS; b++) {
        if (s->mapped[b] < 0 && pick(s, 2)) /* into tiles again */
            world_launch(s->world, s->own, s->world->step, s->buffers[b], 0, NULL, NULL);
    }
    must(clFinish(s->own));
}

/* ---- what the next command waits for ---- */

static void wait_for(struct sequence *s, cl_event event, unsigned reach)
{
    if (s->wait_count == WAITS)
        return;
    s->waits[s->wait_count++] = event;
    s->wait_failures += (reach & failing_users(s)) != 0;
    s->wait_is_late |= (reach & users_that(s, true, true)) != 0;
    s->wait_reach |= reach;
}

static bool conflicts(const struct command *command, struct wish wish)
{
    return (command->writes & (wish_reads(wish) | wish_writes(wish))) ||
           (command->reads & wish_writes(wish));
}

/* What the queue's own order makes a command hang on. */
static unsigned reach_of_queue(const struct sequence *s, unsigned queue, struct wish wish)
{
    bool all = queue != LOOSE || wish_is_barrier(wish) ||
               wish_is_marker(wish); /* some drivers' with a wait list, too */
    unsigned reach = queue == LOOSE ? s->barrier : 0;

    for (unsigned c = 0; all && c < s->command_count; c++) {
        if (s->commands[c].queue == queue && s->commands[c].outcome == OUTSTANDING)
            reach |= s->commands[c].reach;
    }
    return reach;
}

static void wait_for_conflicts(struct sequence *s, unsigned queue, struct wish wish)
{
    for (unsigned c = 0; c < s->command_count; c++) {
        struct command *command = &s->commands[c];

        if (command->outcome != OUTSTANDING || !conflicts(command, wish))
            continue;
        if (queue != LOOSE && command->queue == queue && pick(s, 4))
            continue;
        if ((command->reach & users_that(s, true, true)) && !driver_ends_late_waits)
            settle(s, command);
        else
            wait_for(s, command->event, command->reach);
    }
}

static void wait_for_user(struct sequence *s)
{
    unsigned open = open_users(s), u = s->user_count;
    cl_int err;

    for (unsigned i = 0; i < s->user_count; i++) {
        if ((open >> i & 1) && pick(s, 2))
            u = i;
    }
    if (u == USERS)
        return;
    if (u == s->user_count) {
        s->users[u].event = clCreateUserEvent(s->world->context, &err);
        must(err);
        s->users[u].fails = pick(s, 3) > 0;
        s->users[u].resolved = false;
        s->user_count++;
    }
    wait_for(s, s->users[u].event, 1u << u);
}

/* A wait for what has failed already, if there is such. */
static void wait_late(struct sequence *s)
{
    unsigned failed = users_that(s, true, true);

    resolve_all(s);
    settle_all(s, true);
    s->wait_count = s->wait_reach = s->wait_failures = 0;
    for (unsigned c = 0; c < s->command_count && s->wait_count == 0; c++) {
        if (s->commands[c].outcome == FAILED && pick(s, 3) == 0)
            wait_for(s, s->commands[c].event, s->commands[c].reach);
    }
    for (unsigned u = 0; u < s->user_count && s->wait_count == 0; u++) {
        if (failed >> u & 1)
            wait_for(s, s->users[u].event, 1u << u);
    }
}

static unsigned count_bits(unsigned bits)
{
    return (unsigned)__builtin_popcount(bits);
}

static void pick_waits(struct sequence *s, unsigned queue, struct wish wish)
{
    unsigned open, reach;

    s->wait_count = s->wait_reach = s->wait_failures = 0;
    s->wait_is_late = false;
    if (users_that(s, true, true) && pick(s, 8) == 0) {
        wait_late(s);
        return;
    }
    wait_for_conflicts(s, queue, wish);
    if (pick(s, 3) == 0)
        wait_for_user(s);
    reach = reach_of_queue(s, queue, wish);
    s->wait_failures += (reach & failing_users(s)) != 0;
    open = (s->wait_reach | reach) & open_users(s);
    if (((open & failing_users(s)) == 0 || count_bits(open) <= 1) &&
        s->wait_failures <= 1)
        return;
    resolve_all(s);
    settle_all(s, true);
    s->wait_count = s->wait_reach = s->wait_failures = 0;
    s->wait_is_late = false;
}

/* ---- sequences ---- */

/* What follows a barrier that fails on the out-of-order queue is the driver's own, and
 * what waits for all that came before waits for commands that never end, too. */
static bool may_order(const struct sequence *s, struct wish wish)
{
    bool is_stuck = false;

    for (unsigned c = 0; c < s->command_count; c++)
        is_stuck |= s->commands[c].outcome == STUCK;
    if ((wish_is_barrier(wish) || wish_is_marker(wish)) && is_stuck)
        return false;
    return !wish_is_barrier(wish) ||
           !((s->wait_reach | reach_of_queue(s, LOOSE, wish)) & failing_users(s));
}

static void run_command(struct sequence *s)
{
    struct command *command = &s->commands[s->command_count];
    unsigned queue = pick(s, QUEUES);
    struct wish wish = pick_wish(s);
    bool is_stuck;

    if (!wish_is_possible(s, wish))
        return;
    pick_waits(s, queue, wish);
    if (wish_is_migration(wish) && !driver_ends_late_waits && users_that(s, true, true))
        return;
    is_stuck = s->wait_is_late && !driver_ends_late_waits;
    if (is_stuck)
        queue = LOOSE;
    if (queue == LOOSE && !may_order(s, wish))
        return;
    memset(command, 0, sizeof *command);
    command->queue = queue;
    command->reads = wish_reads(wish);
    command->writes = wish_writes(wish);
    command->reach = s->wait_reach | reach_of_queue(s, queue, wish);
    if (enqueue_command(s, wish, command) != CL_SUCCESS)
        return;
    s->command_count++;
    if (pick(s, 2))
        clFlush(s->queues[queue]);
    if (wish_is_barrier(wish) && queue == LOOSE)
        s->barrier = command->reach;
    if (is_stuck) {
        command->outcome = STUCK;
        for (unsigned b = 0; b < BUFFERS; b++) {
            if (s->mapped[b] == (int)(command - s->commands))
                s->mapped[b] = -1;
        }
    }
    if (s->wait_is_late && queue == LOOSE)
        leave_loose_queue(s);
}

static void unmap_some(struct sequence *s, bool all)
{
    for (unsigned b = 0; b < BUFFERS; b++) {
        if (s->mapped[b] < 0 || (!all && pick(s, 2)))
            continue;
        if (is_held(s, &s->commands[s->mapped[b]]))
            continue;
        flush_all(s);
        settle(s, &s->commands[s->mapped[b]]);
        unmap(s, b);
    }
}

static void say_buffers(struct sequence *s)
{
    static unsigned char seen[BUFFER_BYTES];

    for (unsigned b = 0; b < BUFFERS; b++) {
        memset(seen, 0xee, sizeof seen);
        must(clEnqueueReadBuffer(s->own, s->buffers[b], CL_TRUE, 0, BUFFER_BYTES, seen, 0,
                                 NULL, NULL));
        say_bytes("buffer", b, seen, BUFFER_BYTES);
    }
}

static void end_sequence(struct sequence *s)
{
    resolve_all(s);
    settle_all(s, true);
    unmap_some(s, true);
    say_buffers(s);
    for (unsigned b = 0; b < BUFFERS; b++)
        world_launch(s->world, s->own, s->world->step, s->buffers[b], 0, NULL, NULL);
    say_buffers(s);
    for (unsigned c = 0; c < s->command_count; c++) {
        struct command *command = &s->commands[c];
        cl_int status = CL_QUEUED;

        if (command->outcome == STUCK) {
            clGetEventInfo(command->event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                           sizeof status, &status, NULL);
            say("command %u %s", c, status == CL_COMPLETE ? "has run" : "has not run");
        }
        if (command->into_host)
            say_bytes("host memory of command", c, command->host, command->host_bytes);
    }
}

/* In a context of its own: what has gone before is no excuse for running as written. */
static void run_seed(unsigned seed)
{
    static struct world own_world;
    struct world *world = &own_world;
    static struct sequence s;
    static unsigned char bytes[BUFFER_BYTES];
    unsigned length;
    cl_int err;

    say("seed %u", seed);
    world_begin(world);
    memset(&s, 0, sizeof s);
    s.world = world;
    s.random = seed * 0x9E3779B97F4A7C15u + 1;
    for (unsigned i = 0; i < 4; i++)
        pick(&s, 2);
    for (unsigned q = 0; q < QUEUES; q++)
        make_queue(&s, q);
    s.own = world_queue(world, 0);
    for (unsigned b = 0; b < BUFFERS; b++) {
        s.mapped[b] = -1;
        for (size_t i = 0; i < BUFFER_BYTES; i++)
            bytes[i] = (unsigned char)pick(&s, 256);
        s.buffers[b] =
            clCreateBuffer(world->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                           BUFFER_BYTES, bytes, &err);
        must(err);
        if (pick(&s, 4)) /* in tiles from the start */
            world_launch(world, s.own, world->step, s.buffers[b], 0, NULL, NULL);
    }
    must(clFinish(s.own));
    length = 2 + pick(&s, COMMANDS - 2);
    for (unsigned i = 0; i < length; i++) {
        if (pick(&s, 4) == 0 && s.user_count > 0)
            resolve(&s, pick(&s, s.user_count));
        if (pick(&s, 3) == 0)
            unmap_some(&s, false);
        if (pick(&s, 5) == 0)
            finish_all(&s);
        run_command(&s);
    }
    end_sequence(&s);
    for (unsigned c = 0; c < s.command_count; c++) {
        clReleaseEvent(s.commands[c].event);
        if (s.commands[c].outcome != STUCK)
            free(s.commands[c].host);
    }
    for (unsigned u = 0; u < s.user_count; u++)
        clReleaseEvent(s.users[u].event);
    for (unsigned b = 0; b < BUFFERS; b++)
        clReleaseMemObject(s.buffers[b]);
    for (unsigned q = 0; q < LOOSE; q++)
        clReleaseCommandQueue(s.queues[q]);
    clReleaseCommandQueue(s.own);
    world_end(world);
    say("end of seed %u", seed);
}

int main(int argc, char **argv)
{
    unsigned first, count;

    if (argc < 3) {
        fputs("usage: random_cancelled FIRST COUNT [FLAG]... | probe FLAG\n", stderr);
        return 2;
    }
    for (int i = 3; i < argc; i++) {
        driver_ends_late_waits &= strcmp(argv[i], "no-late-waits") != 0;
        driver_keeps_queues &= strcmp(argv[i], "no-broken-queues") != 0;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    first = (unsigned)atoi(argv[1]);
    count = (unsigned)atoi(argv[2]);
    if (strcmp(argv[1], "probe") == 0)
        return probe(argv[2]);
    for (unsigned seed = first; seed < first + count; seed++)
        run_seed(seed);
    fflush(stdout);
    return 0;
}
