/* Order among the commands and conversions of a buffer, across queues. */
#include "order.h"

#include <stdlib.h>

#include "contexts.h"

static uint64_t slot_bit(unsigned slot)
{
    return slot < DL__QUEUE_SLOTS ? UINT64_C(1) << slot : 0;
}

bool dl__queue_has_company(struct dl__queue *queue)
{
    return queue->out_of_order || queue->slot >= DL__QUEUE_SLOTS ||
           atomic_load(&queue->object.context->queue_count) > 1;
}

static struct dl__use *find_use(const struct dl__mem *mem, unsigned slot)
{
    for (struct dl__use *use = mem->uses; use; use = use->next) {
        if (use->slot == slot)
            return use;
    }
    return NULL;
}

void dl__mem_forget_uses(struct dl__mem *mem)
{
    struct dl__use *use;

    while ((use = mem->uses)) {
        mem->uses = use->next;
        dl__next.clReleaseEvent(use->last);
        free(use);
    }
    mem->users = 0;
}

/* The end of the queue's commands on the buffer is not known any more: all of the queue
 * will be waited for, until set_use. */
static void drop_use(struct dl__mem *mem, unsigned slot)
{
    for (struct dl__use **at = &mem->uses; *at; at = &(*at)->next) {
        struct dl__use *use = *at;

        if (use->slot != slot)
            continue;
        *at = use->next;
        dl__next.clReleaseEvent(use->last);
        free(use);
        return;
    }
}

void dl__mem_settle(struct dl__mem *mem)
{
    struct dl__use **at = &mem->uses, *use;

    while ((use = *at)) {
        if (!dl__event_is_done(use->last)) {
            at = &use->next;
            continue;
        }
        mem->users &= ~slot_bit(use->slot);
        *at = use->next;
        dl__next.clReleaseEvent(use->last);
        free(use);
    }
    if (mem->marshaled && dl__event_is_done(mem->marshaled)) {
        dl__next.clReleaseEvent(mem->marshaled);
        mem->marshaled = NULL;
        mem->marshaled_slot = DL__QUEUE_SLOTS;
    }
}

/* `event`, which it retains, is the end of the queue's commands on the buffer. */
static void set_use(struct dl__mem *mem, unsigned slot, cl_event event)
{
    struct dl__use *use;

    drop_use(mem, slot);
    use = calloc(1, sizeof *use);
    if (!use)
        return;
    dl__next.clRetainEvent(event);
    *use = (struct dl__use){.next = mem->uses, .slot = slot, .last = event};
    mem->uses = use;
}

void dl__mems_used(const struct dl__wait *command, struct dl__queue *queue)
{
    cl_event marker = NULL;

    if (command->mem_count == 0 || !dl__queue_has_company(queue) ||
        queue->slot >= DL__QUEUE_SLOTS ||
        dl__next.clEnqueueMarkerWithWaitList(queue->object.handle, 0, NULL, &marker) !=
            CL_SUCCESS)
        return;
    for (unsigned i = 0; i < command->mem_count; i++)
        set_use(command->mems[i], queue->slot, marker);
    dl__next.clReleaseEvent(marker);
}

/* Everything enqueued so far on the queue of a slot. */
static void wait_for_slot(struct dl__context *context, unsigned number,
                          struct dl__wait *wait)
{
    struct dl__queue_slot *slot = &context->slots[number];
    cl_event marker = NULL;

    if (slot->queue) {
        cl_command_queue handle = slot->queue->object.handle;
        if (dl__next.clEnqueueMarkerWithWaitList(handle, 0, NULL, &marker) !=
            CL_SUCCESS) {
            wait->failed = true;
            return;
        }
        /* Another queue is going to wait for it. */
        dl__next.clFlush(handle);
        dl__wait_add(wait, marker, true);
    } else {
        dl__wait_add(wait, slot->retired, false);
    }
}

static void settle_early(struct dl__mem *mem)
{
    if (mem->early)
        mem->users |= mem->object.context->early_queues;
    mem->early = false;
}

/* What a command on `queue` must wait for to come after the last conversion of `mem`. */
static void wait_for_conversion(struct dl__mem *mem, struct dl__queue *queue,
                                struct dl__wait *wait)
{
    struct dl__context *context = mem->object.context;
    cl_int status = CL_QUEUED;

    if (mem->marshaled_slot == queue->slot && !queue->out_of_order)
        return;
    if (mem->marshaled) {
        dl__next.clGetEventInfo(mem->marshaled, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                sizeof status, &status, NULL);
        if (status <= CL_COMPLETE) {
            dl__next.clReleaseEvent(mem->marshaled);
            mem->marshaled = NULL;
            mem->marshaled_slot = DL__QUEUE_SLOTS;
            return;
        }
        if (mem->marshaled_slot < DL__QUEUE_SLOTS && mem->marshaled_slot != queue->slot &&
            context->slots[mem->marshaled_slot].queue)
            dl__next.clFlush(context->slots[mem->marshaled_slot].queue->object.handle);
        dl__wait_add(wait, mem->marshaled, false);
    } else if (mem->marshaled_slot < DL__QUEUE_SLOTS) {
        wait_for_slot(context, mem->marshaled_slot, wait);
    }
}

void dl__mem_wait_for_users(struct dl__mem *mem, struct dl__queue *queue,
                            struct dl__wait *wait)
{
    struct dl__context *context = mem->object.context;

    settle_early(mem);
    wait_for_conversion(mem, queue, wait);
    for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
        const struct dl__use *use;

        if (!(mem->users & slot_bit(i)) || (i == queue->slot && !queue->out_of_order))
            continue;
        use = find_use(mem, i);
        if (!use) {
            wait_for_slot(context, i, wait);
            continue;
        }
        if (use->last == mem->marshaled)
            continue; /* wait_for_conversion has it */
        if (i != queue->slot && context->slots[i].queue)
            dl__next.clFlush(context->slots[i].queue->object.handle);
        dl__wait_add(wait, use->last, false);
    }
}

void dl__mem_use(struct dl__mem *mem, struct dl__queue *queue, struct dl__wait *command)
{
    mem = dl__mem_root(mem);
    if (!mem)
        return;
    if (!mem->is_used) {
        mem->is_used = true;
        mem->next_used = mem->object.context->used;
        mem->object.context->used = mem;
    }
    if (mem->lost)
        command->failed = true;
    settle_early(mem);
    wait_for_conversion(mem, queue, command);
    mem->users |= slot_bit(queue->slot);
    /* Nobody may take an earlier command's end for this one's: its own is noted only once
     * it is enqueued, and only where there is company. */
    drop_use(mem, queue->slot);
    if (command->mem_count < DL__WAIT_MEMS)
        command->mems[command->mem_count++] = mem;
}

void dl__mem_converted(struct dl__mem *mem, struct dl__queue *queue, cl_event done)
{
    if (mem->marshaled)
        dl__next.clReleaseEvent(mem->marshaled);
    mem->marshaled = done;
    mem->marshaled_slot = queue->slot;
    dl__mem_forget_uses(mem);
    mem->users = slot_bit(queue->slot);
    if (done && queue->slot < DL__QUEUE_SLOTS)
        set_use(mem, queue->slot, done);
}
