/* SPDX-License-Identifier: MIT */
/* Running commands, and the order in which things happen. */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

static struct fake_queue *queues;
static cl_ulong now;

void fake_event_destroy(struct fake_object *object)
{
    struct fake_event *event = (struct fake_event *)object;

    fake_drop(event->queue);
    fake_drop(event->context);
}

struct fake_command *fake_command_new(cl_command_type type, struct fake_queue *queue,
                                      void (*run)(struct fake_command *))
{
    struct fake_command *command = calloc(1, sizeof *command);
    struct fake_event *event = fake_new(FAKE_EVENT, sizeof *event, fake_event_destroy);

    if (!command)
        abort();
    event->base.refs = 0;
    event->base.holds = 1;
    event->queue = queue;
    event->profiled = queue->properties & CL_QUEUE_PROFILING_ENABLE;
    event->context = queue->context;
    event->type = type;
    event->status = CL_QUEUED;
    event->times[0] = ++now;
    fake_hold(queue);
    fake_hold(queue->context);
    command->event = event;
    command->run = run;
    return command;
}

void fake_command_hold(struct fake_command *command, void *object)
{
    if (!object)
        return;
    fake_hold(object);
    command->held[command->held_count++] = object;
}

cl_int fake_check_waits(struct fake_queue *queue, cl_uint count, const cl_event *list)
{
    if ((count == 0) != (list == NULL))
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < count; i++) {
        if (!fake_is(list[i], FAKE_EVENT))
            return CL_INVALID_EVENT_WAIT_LIST;
        if (((struct fake_event *)list[i])->context != queue->context)
            return CL_INVALID_CONTEXT;
    }
    return CL_SUCCESS;
}

void fake_event_end(struct fake_event *event, cl_int status)
{
    event->status = status;
    event->times[3] = ++now;
    for (struct fake_callback *c = event->callbacks; c; c = c->next)
        c->status = status;
    fake_callbacks_queue(&event->callbacks);
}

/* 1: may run; 0: not yet; negative: a command it waits for has failed. */
static int readiness(const struct fake_command *command)
{
    int ready = command->flushed;

    for (cl_uint i = 0; i < command->wait_count; i++) {
        cl_int status = command->waits[i]->status;
        if (status < 0)
            return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        if (status > 0)
            ready = 0;
    }
    return ready;
}

void fake_log_cancelled(const struct fake_event *failing)
{
    for (const struct fake_queue *queue = queues; queue; queue = queue->next) {
        for (const struct fake_command *c = queue->first; c; c = c->next) {
            bool waits = false, others = false;

            for (cl_uint i = 0; i < c->wait_count; i++) {
                waits |= c->waits[i] == failing;
                others |= c->waits[i] != failing && c->waits[i]->status > 0;
            }
            others |= c != queue->first &&
                      !(queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
            if (waits && others)
                fake_log("cancels event#%u, which waits for others, too",
                         c->event->base.id);
        }
    }
}

/* The place of the command to run next, NULL when there is none. */
static struct fake_command **pick(struct fake_queue *queue)
{
    struct fake_command **chosen = NULL;

    for (struct fake_command **at = &queue->first; *at; at = &(*at)->next) {
        bool is_first = at == &queue->first;
        if ((*at)->is_barrier && !is_first)
            break;
        if (readiness(*at) != 0 && (!chosen || fake_option("FAKE_DEFERRED", "1")))
            chosen = at;
        if ((*at)->is_barrier ||
            !(queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
            break;
    }
    return chosen;
}

static bool run_one(struct fake_queue *queue)
{
    struct fake_command **at = pick(queue), *command;
    struct fake_event *event;
    cl_int failure;
    int ready;

    if (!at)
        return false;
    command = *at;
    *at = command->next;
    if (!*at)
        queue->tail = at;
    event = command->event;
    ready = readiness(command);
    event->times[1] = event->times[2] = ++now;
    if (fake_option("FAKE_LOG_RUNS", "1"))
        fake_log("run event#%u", event->base.id);
    failure = ready > 0 ? fake_inject("run") : ready;
    if (failure == CL_SUCCESS)
        command->run(command);
    now += command->ticks;
    fake_event_end(event, failure == CL_SUCCESS ? CL_COMPLETE : failure);
    for (cl_uint i = 0; i < command->wait_count; i++)
        fake_drop(command->waits[i]);
    for (size_t i = 0; i < command->held_count; i++)
        fake_drop(command->held[i]);
    free(command->waits);
    free(command->args);
    free(command->native_args);
    free(command);
    fake_drop(event);
    return true;
}

void fake_pump(void)
{
    bool again;

    do {
        again = false;
        for (struct fake_queue *queue = queues; queue && !again; queue = queue->next) {
            again = run_one(queue);
            if (again)
                break; /* the queue itself may be gone */
        }
    } while (again);
}

void fake_queue_flush(struct fake_queue *queue)
{
    for (struct fake_command *command = queue->first; command; command = command->next) {
        command->flushed = true;
        if (command->event->status == CL_QUEUED)
            command->event->status = CL_SUBMITTED;
    }
    fake_pump();
}

void fake_queue_finish(struct fake_queue *queue)
{
    fake_hold(queue);
    fake_queue_flush(queue);
    while (queue->first) {
        fake_wait();
        fake_pump();
    }
    fake_drop(queue);
}

cl_int fake_command_submit(struct fake_queue *queue, struct fake_command *command,
                           bool blocking, cl_uint wait_count, const cl_event *waits,
                           cl_event *event)
{
    struct fake_event *own = command->event;
    cl_int status;

    command->wait_count = wait_count;
    command->waits = wait_count ? malloc(wait_count * sizeof *command->waits) : NULL;
    for (cl_uint i = 0; i < wait_count; i++) {
        command->waits[i] = (struct fake_event *)waits[i];
        fake_hold(command->waits[i]);
    }
    if (event) {
        own->base.refs = 1;
        *event = (cl_event)own;
    }
    fake_hold(own);
    *queue->tail = command;
    queue->tail = &command->next;
    if (blocking || !fake_option("FAKE_DEFERRED", "1"))
        fake_queue_flush(queue);
    while (blocking && own->status > 0) {
        fake_wait();
        fake_pump();
    }
    status = blocking && own->status < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
                                         : CL_SUCCESS;
    fake_drop(own);
    return status;
}

void fake_queue_add(struct fake_queue *queue)
{
    queue->next = queues;
    queues = queue;
}

void fake_queue_remove(struct fake_queue *queue)
{
    struct fake_queue **at = &queues;

    while (*at != queue)
        at = &(*at)->next;
    *at = queue->next;
}
