/* SPDX-License-Identifier: MIT */
/* Commands on memory objects on their way through DL. */
#include "command.h"

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/host/host_layout.h"
#include "libdl_intercept/host/maps.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/state/at_host.h"
#include "libdl_intercept/state/buffers.h"
#include "libdl_intercept/state/cancel.h"
#include "libdl_intercept/state/queues.h"
#include "libdl_intercept/trace/trace.h"

void DL__UNCHECKED dl__command_begin(struct dl__command *command, const char *name,
                                     cl_command_queue queue, cl_uint wait_count,
                                     const cl_event *wait)
{
    *command = (struct dl__command){.name = name};
    dl__trace_call_begin(name);
    dl__wait_begin_on(&command->wait, queue, wait_count, wait);
    command->queue = dl__queue_find(queue);
    if (command->queue && dl__context_is_annotated(command->queue->object.context))
        dl__context_lock(command->queue->object.context);
    else
        command->queue = NULL;
    command->as_it_is =
        command->queue && dl__cancel_possible(command->queue->object.context);
}

struct dl__mem *dl__command_find(const struct dl__command *command, cl_mem handle)
{
    struct dl__mem *mem = command->queue ? dl__mem_find(handle) : NULL;

    if (mem && dl__views_exist(command->queue->object.context) &&
        dl__command_mem(command, mem))
        dl__view_give(dl__command_mem(command, mem), command->queue);
    return mem;
}

void dl__command_shows(struct dl__command *command, struct dl__mem *mem)
{
    if (command->queue && dl__views_exist(command->queue->object.context))
        command->target = dl__command_mem(command, mem);
}

struct dl__mem *dl__command_mem(const struct dl__command *command, struct dl__mem *mem)
{
    mem = command->queue ? dl__mem_root(mem) : NULL;
    return mem && mem->object.context == command->queue->object.context ? mem : NULL;
}

void dl__command_reads(struct dl__command *command, struct dl__mem *mem)
{
    mem = dl__command_mem(command, mem);
    if (!mem || command->err != CL_SUCCESS)
        return;
    command->err = mem == command->by_host
                       ? dl__mem_to_host(mem, command->queue)
                       : dl__mem_bring_back_part(mem, command->queue, command->part_bytes,
                                                 command->name);
    dl__mem_use(mem, command->queue, &command->wait);
}

bool dl__mem_is_whole(const struct dl__mem *mem, size_t offset, size_t bytes)
{
    return mem && mem->kind == DL__BUFFER && offset == 0 && bytes == mem->bytes;
}

void dl__command_writes_whole(struct dl__command *command, struct dl__mem *mem,
                              size_t offset, size_t bytes)
{
    if (!dl__command_mem(command, mem) || !dl__mem_is_whole(mem, offset, bytes))
        return;
    if (command->wait.count > 0 || dl__queue_needs_events(command->queue) ||
        command->as_it_is) {
        dl__mem_give_up_rest(mem, command->queue);
        command->was_lost = mem->order.lost ? mem : NULL;
        mem->order.lost = false;
        return;
    }
    command->overwritten = mem;
    if (mem == command->by_host)
        command->err = dl__mem_prepare_host(mem, command->queue);
}

void dl__command_writes(struct dl__command *command, struct dl__mem *mem)
{
    mem = dl__command_mem(command, mem);
    if (!mem || command->err != CL_SUCCESS || mem == command->overwritten)
        return;
    dl__command_reads(command, mem);
    dl__mem_written(mem);
}

void DL__UNCHECKED dl__command_checks_host(struct dl__command *command,
                                           struct dl__mem *mem, cl_mem_flags forbidden)
{
    dl__command_is_by_host(command, mem);
    if (!command->queue || !mem || !(mem->flags & (forbidden | CL_MEM_HOST_NO_ACCESS)))
        return;
    dl__context_unlock(command->queue->object.context);
    command->queue = NULL;
    command->as_it_is = false;
    command->by_host = NULL;
}

void dl__command_is_by_host(struct dl__command *command, struct dl__mem *mem)
{
    struct dl__mem *root = dl__command_mem(command, mem);

    if (root && root == mem && root->residence.host_wants)
        command->by_host = root;
}

/* The buffer of a command that blocks; NULL: DL knows of none. */
static struct dl__mem *only_mem(const struct dl__command *command)
{
    return command->overwritten          ? command->overwritten
           : command->wait.mem_count > 0 ? command->wait.mems[0]
                                         : NULL;
}

/* True when the buffer can stay as it lies until the driver has done the command. */
static DL__WITH_LOCK bool can_stay(const struct dl__command *command,
                                   const struct dl__mem *mem)
{
    return mem && mem != command->by_host && !mem->residence.rest && !mem->order.lost &&
           !command->is_wrong && (mem == command->overwritten || !dl__mem_is_tiled(mem));
}

bool DL__UNCHECKED dl__command_goes(struct dl__command *command)
{
    struct dl__context *context;

    if (command->err == CL_SUCCESS)
        command->err = dl__wait_error(&command->wait);
    if (command->err != CL_SUCCESS)
        return false;
    if (command->passing) {
        struct dl__mem *mem = only_mem(command);

        context = command->queue->object.context;
        command->stays = dl__record_see(mem);
        if (command->overwritten)
            command->aside = dl__mem_set_aside(mem);
        if (command->as_it_is)
            context->cancel.passing++;
        else
            mem->order.passing++;
        command->passed = true;
        dl__context_unlock(context);
    }
    return true;
}

cl_bool dl__command_blocking(const struct dl__command *command, cl_bool blocking)
{
    return command->queue && !command->passing ? CL_FALSE : blocking;
}

cl_event *dl__command_event(struct dl__command *command, cl_bool blocking,
                            cl_event *event)
{
    if (!blocking || !command->queue)
        return event;
    command->passing = command->as_it_is || can_stay(command, only_mem(command));
    return event || command->passing ? event : &command->own;
}

/* The driver has done the command that blocked, or has refused it. Another thread may
 * have released the buffer meanwhile. */
static void DL__UNCHECKED end_passing(struct dl__command *command)
{
    struct dl__context *context = command->queue->object.context;
    struct dl__mem *mem;

    dl__context_lock(context);
    mem = dl__object_seen(&command->stays);
    if (command->as_it_is)
        context->cancel.passing--;
    else if (mem)
        mem->order.passing--;
    if (!mem) {
        command->wait.mem_count = 0;
        command->overwritten = command->was_lost = command->target = NULL;
    } else if (command->overwritten && command->err != CL_SUCCESS) {
        dl__mem_set_back(mem, &command->aside, command->queue);
    }
    command->passed = false;
}

/* What comes before a wait, where there is one. */
static cl_int DL__UNCHECKED end_command(struct dl__command *command)
    DL__RELEASES(dl__context_at_hand)
{
    if (command->passed)
        end_passing(command);
    if (command->was_lost && command->err != CL_SUCCESS)
        command->was_lost->order.lost = true;
    if (command->queue && command->err == CL_SUCCESS)
        dl__mems_used(&command->wait, command->queue);
    if (command->overwritten && command->err == CL_SUCCESS)
        (command->overwritten == command->by_host
             ? dl__mem_written_by_host
             : dl__mem_overwritten)(command->overwritten);
    if (command->queue && command->target && command->err == CL_SUCCESS)
        dl__view_renew(command->target, command->queue, true, &command->shown);
    if (command->queue)
        dl__context_unlock(command->queue->object.context);
    dl__view_wait(command->shown, command->wait.count, command->wait.list);
    dl__wait_end(&command->wait);
    return command->err;
}

cl_int dl__command_end(struct dl__command *command)
{
    cl_int err = end_command(command);

    dl__trace_call_end();
    return err;
}

/* The program's call blocks until the command has ended. */
static cl_int wait_for(cl_event event)
{
    dl__trace_wait_is_its_own();
    return dl__event_wait(event);
}

cl_int dl__command_end_blocking(struct dl__command *command, cl_bool blocking,
                                const cl_event *event)
{
    bool waits = blocking && command->queue && !command->passing;
    cl_int err = end_command(command);

    if (waits && err == CL_SUCCESS)
        err = wait_for(*event);
    if (command->own)
        dl__next.clReleaseEvent(command->own);
    if (blocking && err == CL_SUCCESS)
        dl__policy_waited();
    dl__trace_call_end();
    return err;
}

static bool waits_well(const struct dl__command *command)
{
    if ((command->wait.count > 0) != (command->wait.list != NULL))
        return false;
    for (cl_uint i = 0; i < command->wait.count; i++) {
        cl_context context = NULL;

        if (!command->wait.list[i] ||
            dl__next.clGetEventInfo(command->wait.list[i], CL_EVENT_CONTEXT,
                                    sizeof context, &context, NULL) != CL_SUCCESS ||
            context != command->queue->object.context->object.handle)
            return false;
    }
    return true;
}

bool dl__command_waits_well(struct dl__command *command)
{
    /* The two ends of a copy must not get different answers. */
    if (command->waits == DL__WAITS_UNKNOWN)
        command->waits = waits_well(command) ? DL__WAITS_WELL : DL__WAITS_BADLY;
    return command->waits == DL__WAITS_WELL;
}

uint64_t dl__command_part_bytes(uint64_t bytes)
{
    return bytes <= dl__options_get()->staging_bytes ? bytes : 0;
}

uint64_t dl__command_region_bytes(const size_t *region)
{
    uint64_t bytes;

    if (!region || __builtin_mul_overflow(region[0], region[1], &bytes) ||
        __builtin_mul_overflow(bytes, region[2], &bytes))
        return 0;
    return dl__command_part_bytes(bytes);
}

bool dl__command_is_staged(struct dl__command *command, const struct dl__mem *mem,
                           uint64_t bytes)
{
    if (!command->queue || !mem || mem->kind != DL__BUFFER || mem == command->by_host ||
        command->as_it_is || mem->object.context != command->queue->object.context)
        return false;
    command->part_bytes = dl__options_get()->staging_bytes ? bytes : 0;
    if (dl__device_lacks_linker(mem->residence.device))
        return false;
    return dl__mem_lies_in_tiles(mem) && dl__command_waits_well(command);
}

cl_int dl__command_end_staged(struct dl__command *command, cl_event awaited,
                              cl_event done, cl_event *event)
{
    cl_int err = end_command(command);

    if (err == CL_SUCCESS && awaited) {
        err = wait_for(awaited);
        dl__policy_waited();
    }
    if (done && event && command->err == CL_SUCCESS)
        *event = done;
    else if (done)
        dl__next.clReleaseEvent(done);
    dl__trace_call_end();
    return err;
}

void DL__UNCHECKED dl__command_concerns(struct dl__command *command, struct dl__mem *one,
                                        struct dl__mem *other)
{
    if (!command->queue || dl__command_mem(command, one) ||
        dl__command_mem(command, other))
        return;
    dl__context_unlock(command->queue->object.context);
    command->queue = NULL;
    command->as_it_is = false;
}
