/* SPDX-License-Identifier: MIT */
/* The frame of the enqueue functions. */
#include "commands.h"

#include <stdarg.h>
#include <stdlib.h>

cl_int fake_check_queue(const char *function, cl_command_queue queue, cl_uint wait_count,
                        const cl_event *waits)
{
    cl_int status = fake_inject(function);

    if (status != CL_SUCCESS)
        return status;
    if (!fake_is(queue, FAKE_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    return fake_check_waits((struct fake_queue *)queue, wait_count, waits);
}

const char *fake_waits(cl_uint wait_count, const cl_event *event, cl_int status)
{
    static _Thread_local char text[64];

    snprintf(text, sizeof text, "w%u -> %s", wait_count,
             !event                 ? "-"
             : status == CL_SUCCESS ? NAME(*event)
                                    : "event");
    return text;
}

struct fake_entry fake_begin(const char *function, cl_command_queue queue,
                             cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    struct fake_entry entry = {.function = function,
                               .queue = (struct fake_queue *)queue,
                               .wait_count = wait_count,
                               .waits = waits,
                               .event = event};

    fake_enter();
    entry.status = fake_check_queue(function, queue, wait_count, waits);
    return entry;
}

struct fake_command *fake_make(struct fake_entry *entry, cl_command_type type,
                               void (*run)(struct fake_command *))
{
    entry->command = fake_command_new(type, entry->queue, run);
    return entry->command;
}

void fake_unmake(struct fake_entry *entry)
{
    fake_drop(entry->command->event);
    free(entry->command);
    entry->command = NULL;
}

cl_int fake_end(struct fake_entry *entry, bool blocking, const char *format, ...)
{
    char text[512] = "";
    va_list list;

    if (entry->command)
        entry->status =
            fake_command_submit(entry->queue, entry->command, blocking, entry->wait_count,
                                entry->waits, entry->event);
    if (format) {
        va_start(list, format);
        vsnprintf(text, sizeof text, format, list);
        va_end(list);
    }
    fake_log("%s(%s, %s%s%s) = %d", entry->function, NAME(entry->queue), text,
             format ? ", " : "",
             fake_waits(entry->wait_count, entry->event, entry->status), entry->status);
    fake_leave();
    return entry->status;
}
