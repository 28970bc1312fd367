/* SPDX-License-Identifier: MIT */
/* Hooks of commands on memory objects: which buffers a command reads and writes, what it
 * waits for, and how it blocks. Buffers are brought back to the program's layout first,
 * unless the command overwrites them whole, copies their tiles as they lie, or goes
 * through a staging area. */

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/host/looks.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/order.h"
#include "libdl_intercept/trace/trace.h"
#include "hooks.h"

/* One command on its way through DL. In a context without annotations it does nothing.
 *
 * The context's lock is held from the beginning to the end, so the driver must not wait.
 * A command that blocks on a buffer in the program's layout, or overwrites one as a
 * whole, goes to the driver as it is, without the lock, and the buffer stays in that
 * layout until it is back: drivers are slower with large transfers that do not block (on
 * an H100 by a tenth to a third). What looks at tiles is enqueued without blocking, and
 * waited for when the lock is gone. A command that may fail at its wait list goes as it
 * is, too: only the driver knows how a command that blocks fails. One without a queue has
 * nothing that a lock would guard, and takes none, though clang takes it to. */
struct command {
    const char *name;
    struct dl__queue *queue; /* NULL: passed on untouched */
    struct dl__wait wait;
    struct dl__mem *overwritten;
    /* what it means in the layout that the host wants; may be NULL */
    struct dl__mem *by_host;
    struct dl__mem *was_lost; /* what it overwrites whole; may be NULL */
    bool as_they_lie; /* it copies all of a buffer into all of another, in any layout */
    cl_event own;     /* DL's, of a blocking command that the program wants no event of */
    cl_event *out;    /* where the driver puts the event; may be NULL */
    cl_event done;    /* of what went through a staging area; NULL: not wanted */
    /* it may never run (contexts.h): the driver gets it as the program wrote it */
    bool as_it_is;
    bool blocks;       /* the program's call */
    cl_bool *blocking; /* what the driver is told of that; NULL: it never blocks */
    bool is_wrong;     /* in itself: the driver refuses it, whatever it would overwrite */
    bool passing;      /* the driver blocks, without the lock */
    bool passed;       /* it is there */
    struct dl__seen stays;  /* the buffer, which stays as it lies meanwhile */
    struct dl_layout aside; /* how it lay, where it is overwritten as a whole */
    struct dl__mem *target; /* that it writes, for maps that are open; NULL: none */
    cl_event shown;         /* they show it then; NULL: nothing to wait for */
    uint64_t part_bytes;    /* that it looks at by parts where that can be; 0: none */
    struct dl__mem
        *timed; /* the buffer, as written, if that is timed; NULL: it has ended */
    bool is_timed;
    enum { WAITS_UNKNOWN, WAITS_WELL, WAITS_BADLY } waits;
    cl_int err;
};

static DL__ACQUIRES(dl__context_at_hand) void DL__UNCHECKED
    command_begin(struct command *command, const char *name, cl_command_queue queue,
                  cl_bool *blocking, DL_WAIT_PARAMETERS)
{
    *command = (struct command){.name = name,
                                .blocks = blocking && *blocking,
                                .blocking = blocking,
                                .out = event};
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

/* The buffer behind it, if the command has to care. */
static struct dl__mem *command_mem(const struct command *command, struct dl__mem *mem)
{
    mem = command->queue ? dl__mem_root(mem) : NULL;
    return mem && mem->object.context == command->queue->object.context ? mem : NULL;
}

/* Returns the record of a handle that the command names; NULL: there is none, or it does
 * not matter to the command. Bytes that the host has written there through open maps are
 * written back before the command. Each handle is looked up once: the functions below
 * take the result, NULL included. */
static DL__WITH_LOCK struct dl__mem *command_find(const struct command *command,
                                                  cl_mem handle)
{
    struct dl__mem *mem = command->queue ? dl__mem_find(handle) : NULL;

    if (mem && dl__views_exist(command->queue->object.context) &&
        command_mem(command, mem))
        dl__view_give(command_mem(command, mem), command->queue);
    return mem;
}

/* It is written: maps of it that are open show that (looks.h). */
static DL__WITH_LOCK void command_shows(struct command *command, struct dl__mem *mem)
{
    if (command->queue && dl__views_exist(command->queue->object.context))
        command->target = command_mem(command, mem);
}

/* The command uses a buffer that is in another layout, or may be put in one. */
static DL__WITH_LOCK void command_counts(const struct command *command,
                                         struct dl__mem *mem, enum dl__command_use use)
{
    if (dl__options_get()->counts && (dl__mem_is_tiled(mem) || dl__policy_has(mem)))
        dl__stats_command(command->name, mem->id, use);
}

static DL__WITH_LOCK void command_reads(struct command *command, struct dl__mem *mem)
{
    mem = command_mem(command, mem);
    if (!mem || command->err != CL_SUCCESS)
        return;
    mem->commands++;
    command_counts(command, mem,
                   command->part_bytes && command->part_bytes < mem->bytes
                       ? DL__USES_PART
                       : DL__USES_ALL);
    if (command->part_bytes && !command->is_timed && !command->as_they_lie &&
        !command->is_wrong && !dl__mem_is_tiled(mem)) {
        command->is_timed = dl__look_begin(mem, command->queue, command->part_bytes);
        command->timed = mem;
    }
    command->err = mem == command->by_host ? dl__mem_to_host(mem, command->queue)
                   : command->as_they_lie
                       ? dl__mem_bring_back_for_copy(mem, command->queue, command->name)
                       : dl__mem_bring_back_part(mem, command->queue, command->part_bytes,
                                                 command->name);
    dl__mem_use(mem, command->queue, &command->wait);
}

static bool mem_is_whole(const struct dl__mem *mem, size_t offset, size_t bytes)
{
    return mem && mem->kind == DL__BUFFER && offset == 0 && bytes == mem->bytes;
}

/* If the command overwrites all of a buffer, its contents may be lost; but not if the
 * command may fail at its wait list, or commands before it may run after it. */
static DL__WITH_LOCK void command_writes_whole(struct command *command,
                                               struct dl__mem *mem, size_t offset,
                                               size_t bytes)
{
    if (!command_mem(command, mem) || !mem_is_whole(mem, offset, bytes))
        return;
    if (command->wait.count > 0 || dl__queue_needs_events(command->queue) ||
        command->as_it_is) {
        dl__mem_give_up_rest(mem, command->queue);
        command->was_lost = mem->order.lost ? mem : NULL;
        mem->order.lost = false;
        return;
    }
    if (!command->as_they_lie)
        command_counts(command, mem, DL__OVERWRITES);
    mem->commands++;
    command->overwritten = mem;
    if (mem == command->by_host)
        command->err = dl__mem_prepare_host(mem, command->queue);
}

static DL__WITH_LOCK void command_writes(struct command *command, struct dl__mem *mem)
{
    mem = command_mem(command, mem);
    if (!mem || command->err != CL_SUCCESS || mem == command->overwritten)
        return;
    command_reads(command, mem);
    dl__mem_written(mem);
}

/* The command is the host's: it means the buffer in the layout that the host wants it in.
 * Before anything else is said of the buffer; command_checks_host says it, too. */
static DL__WITH_LOCK void command_is_by_host(struct command *command, struct dl__mem *mem)
{
    struct dl__mem *root = command_mem(command, mem);

    if (root && root == mem && root->residence.host_kind != DL_LAYOUT_AOS)
        command->by_host = root;
}

/* The command is passed on untouched. */
static DL__WITH_LOCK void DL__UNCHECKED command_lets_go(struct command *command)
{
    dl__context_unlock(command->queue->object.context);
    command->queue = NULL;
    command->as_it_is = false;
    command->by_host = NULL;
}

/* The driver refuses what the host must not do: the command is passed on. */
static DL__WITH_LOCK void command_checks_host(struct command *command,
                                              struct dl__mem *mem, cl_mem_flags forbidden)
{
    command_is_by_host(command, mem);
    if (command->queue && mem && mem->flags & (forbidden | CL_MEM_HOST_NO_ACCESS))
        command_lets_go(command);
}

/* The buffer of a command that blocks; NULL: DL knows of none. */
static struct dl__mem *only_mem(const struct command *command)
{
    return command->overwritten          ? command->overwritten
           : command->wait.mem_count > 0 ? command->wait.mems[0]
                                         : NULL;
}

/* True when the buffer can stay as it lies until the driver has done the command. */
static DL__WITH_LOCK bool can_stay(const struct command *command,
                                   const struct dl__mem *mem)
{
    return mem && mem != command->by_host && !mem->residence.rest && !mem->order.lost &&
           !command->is_wrong && (mem == command->overwritten || !dl__mem_is_tiled(mem));
}

/* True when the driver's function is to be called, with these in place of what the
 * program gave for them. */
static DL__WITH_LOCK bool DL__UNCHECKED command_goes(struct command *command,
                                                     cl_uint *wait_count,
                                                     const cl_event **wait,
                                                     cl_event **event)
{
    struct dl__context *context;

    if (command->blocks && command->queue) {
        command->passing = command->as_it_is || can_stay(command, only_mem(command));
        if (!command->out && !command->passing)
            command->out = &command->own;
    }
    if (command->is_timed && !command->out)
        command->out = &command->own;
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
    } else if (command->blocking && command->queue) {
        *command->blocking = CL_FALSE;
    }
    *wait_count = command->wait.count;
    *wait = command->wait.list;
    *event = command->out;
    return true;
}

/* In a hook whose command is `c`. */
#define COMMAND_GOES() command_goes(&c, &wait_count, &wait, &event)

/* The driver has done the command that blocked, or has refused it. Another thread may
 * have released the buffer meanwhile. */
static void DL__UNCHECKED end_passing(struct command *command)
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
        command->timed = NULL;
    } else if (command->overwritten && command->err != CL_SUCCESS) {
        dl__mem_set_back(mem, &command->aside, command->queue);
    }
    command->passed = false;
}

/* Ends a command: waits for it, where the program's command blocks, and hands the event
 * of one that went through a staging area to the program where it wants one. */
static cl_int DL__UNCHECKED command_end(struct command *command)
    DL__RELEASES(dl__context_at_hand)
{
    cl_int err;

    if (command->passed)
        end_passing(command);
    if (command->was_lost && command->err != CL_SUCCESS)
        command->was_lost->order.lost = true;
    if (command->queue && command->err == CL_SUCCESS)
        dl__mems_used(&command->wait, command->queue, NULL);
    if (command->overwritten && command->err == CL_SUCCESS) {
        if (command->overwritten == command->by_host)
            dl__mem_written_by_host(command->overwritten);
        else
            dl__mem_overwritten(command->overwritten, !command->as_they_lie);
    }
    if (command->is_timed) {
        cl_event event = command->err == CL_SUCCESS ? *command->out : NULL;

        dl__look_end(command->timed, command->queue, command->part_bytes, event, event);
    }
    if (command->queue && command->target && command->err == CL_SUCCESS)
        dl__view_renew(command->target, command->queue, true, &command->shown);
    if (command->queue)
        dl__context_unlock(command->queue->object.context);
    dl__view_wait(command->shown, command->wait.count, command->wait.list);
    dl__wait_end(&command->wait);
    err = command->err;
    if (command->blocks && err == CL_SUCCESS) {
        if (command->queue && !command->passing) {
            /* The program's call blocks until the command has ended. */
            dl__trace_wait_is_its_own();
            err = dl__event_wait(command->done ? command->done : *command->out);
        }
        if (err == CL_SUCCESS)
            dl__policy_waited();
    }
    if (command->done && command->out && command->err == CL_SUCCESS)
        *command->out = command->done;
    else if (command->done)
        dl__next.clReleaseEvent(command->done);
    if (command->own)
        dl__next.clReleaseEvent(command->own);
    dl__trace_call_end();
    return err;
}

/* True when the driver will not reject what the command waits for. The command has a
 * queue. */
static bool command_waits_well(struct command *command)
{
    /* The two ends of a copy must not get different answers. */
    if (command->waits == WAITS_UNKNOWN)
        command->waits = dl__waits_check(command->queue, command->wait.count,
                                         command->wait.list) == CL_SUCCESS
                             ? WAITS_WELL
                             : WAITS_BADLY;
    return command->waits == WAITS_WELL;
}

static uint64_t command_part_bytes(uint64_t bytes)
{
    return bytes <= dl__options_get()->staging_bytes ? bytes : 0;
}

/* Bytes of a rectangular command, or of a map, of which command_is_staged is to be
 * asked; 0: it does not go through staging areas. */
static uint64_t command_region_bytes(const size_t *region)
{
    uint64_t bytes;

    if (!region || __builtin_mul_overflow(region[0], region[1], &bytes) ||
        __builtin_mul_overflow(bytes, region[2], &bytes))
        return 0;
    return command_part_bytes(bytes);
}

/* True when the command may look at this number of bytes of the buffer through a staging
 * area: it is in tiles, and the driver will not reject what the command waits for. */
static DL__WITH_LOCK bool command_is_staged(struct command *command,
                                            const struct dl__mem *mem, uint64_t bytes)
{
    if (!command->queue || !mem || mem->kind != DL__BUFFER || mem == command->by_host ||
        command->as_it_is || mem->object.context != command->queue->object.context)
        return false;
    command->part_bytes = dl__options_get()->staging_bytes ? bytes : 0;
    if (dl__device_lacks_linker(mem->residence.device))
        return false;
    return dl__mem_lies_in_tiles(mem) && command_waits_well(command);
}

/* Where what goes through a staging area puts its event, if anybody wants it. */
static cl_event *command_done(struct command *command)
{
    return command->out || command->blocks ? &command->done : NULL;
}

/* The objects that a command copies from and to; the maps of the latter show it. */
static DL__WITH_LOCK struct dl__mem *command_find_ends(struct command *command,
                                                       cl_mem from, cl_mem to,
                                                       struct dl__mem **source)
{
    struct dl__mem *target;

    *source = command_find(command, from);
    target = from == to ? *source : command_find(command, to);
    command_shows(command, target);
    return target;
}

/* A command on neither of these objects (NULL: none) is passed on untouched. */
static DL__WITH_LOCK void command_concerns(struct command *command, struct dl__mem *one,
                                           struct dl__mem *other)
{
    if (command->queue && !command_mem(command, one) && !command_mem(command, other))
        command_lets_go(command);
}

/* ---- transfers ---- */

/* Returns the record of the buffer that the host reads or writes. */
static DL__WITH_LOCK struct dl__mem *command_find_for_host(struct command *command,
                                                           cl_mem handle, bool writes)
{
    struct dl__mem *mem = command_find(command, handle);

    if (writes)
        command_shows(command, mem);
    command_checks_host(command, mem,
                        writes ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY);
    return mem;
}

DL_HOOK(clEnqueueReadBuffer)
{
    struct command c;
    struct dl__mem *record;

    command_begin(&c, "clEnqueueReadBuffer", queue, &blocking, DL_WAIT_ARGUMENTS);
    record = command_find_for_host(&c, mem, false);
    if (command_is_staged(&c, record, bytes) &&
        dl__staged_transfer(command_mem(&c, record), c.queue, &c.wait, false, offset,
                            bytes, host, command_done(&c)))
        return command_end(&c);
    command_reads(&c, record);
    if (COMMAND_GOES())
        c.err = DL_NEXT(clEnqueueReadBuffer);
    return command_end(&c);
}

DL_HOOK(clEnqueueWriteBuffer)
{
    struct command c;
    struct dl__mem *record;

    command_begin(&c, "clEnqueueWriteBuffer", queue, &blocking, DL_WAIT_ARGUMENTS);
    record = command_find_for_host(&c, mem, true);
    command_writes_whole(&c, record, offset, bytes);
    c.is_wrong = !host;
    if (!c.overwritten && command_is_staged(&c, record, bytes) &&
        dl__staged_transfer(command_mem(&c, record), c.queue, &c.wait, true, offset,
                            bytes, (void *)host, command_done(&c)))
        return command_end(&c);
    command_writes(&c, record);
    if (COMMAND_GOES())
        c.err = DL_NEXT(clEnqueueWriteBuffer);
    return command_end(&c);
}

/* Both hooks of rectangles. `writes` is a constant, `uses` what is said of the buffer. */
#define RECT_HOOK(name, writes, uses)                                                    \
    DL_HOOK(name)                                                                        \
    {                                                                                    \
        const struct dl__rect rect = {origin, row, slice},                               \
                              host_rect = {host_origin, host_row, host_slice};           \
        struct command c;                                                                \
        struct dl__mem *record;                                                          \
                                                                                         \
        command_begin(&c, #name, queue, &blocking, DL_WAIT_ARGUMENTS);                   \
        record = command_find_for_host(&c, mem, writes);                                 \
        if (command_is_staged(&c, record, command_region_bytes(region)) &&               \
            dl__staged_rect(command_mem(&c, record), c.queue, &c.wait, writes, region,   \
                            rect, host_rect, (void *)host, command_done(&c)))            \
            return command_end(&c);                                                      \
        uses(&c, record);                                                                \
        if (COMMAND_GOES())                                                              \
            c.err = DL_NEXT(name);                                                       \
        return command_end(&c);                                                          \
    }
RECT_HOOK(clEnqueueReadBufferRect, false, command_reads)
RECT_HOOK(clEnqueueWriteBufferRect, true, command_writes)

/* ---- the rest ---- */

DL_HOOK(clEnqueueMigrateMemObjects)
{
    struct command c;

    command_begin(&c, "clEnqueueMigrateMemObjects", queue, NULL, DL_WAIT_ARGUMENTS);
    /* Where the bytes are is not what they mean: tiles migrate as well as structs. */
    for (cl_uint i = 0; c.queue && mems && i < mem_count; i++) {
        struct dl__mem *record = command_find(&c, mems[i]);

        if (c.as_it_is)
            command_reads(&c, record);
        else
            dl__mem_use(command_mem(&c, record), c.queue, &c.wait);
    }
    if (COMMAND_GOES())
        c.err = DL_NEXT(clEnqueueMigrateMemObjects);
    return command_end(&c);
}

DL_HOOK(clEnqueueNativeKernel)
{
    struct command c;

    command_begin(&c, "clEnqueueNativeKernel", queue, NULL, DL_WAIT_ARGUMENTS);
    for (cl_uint i = 0; mems && i < mem_count; i++)
        command_writes(&c, command_find(&c, mems[i]));
    if (c.queue && !event)
        c.out = &c.own;
    if (COMMAND_GOES()) {
        c.err = DL_NEXT(clEnqueueNativeKernel);
        if (c.queue && c.err == CL_SUCCESS)
            dl__callout_begin(*event);
        for (cl_uint i = 0; mems && c.queue && c.err == CL_SUCCESS && i < mem_count; i++)
            dl__view_renew(command_mem(&c, dl__mem_find(mems[i])), c.queue, false,
                           &c.shown);
    }
    return command_end(&c);
}

/* ---- copies and fills on the device ---- */

/* True when a copy of all of `from`, byte by byte as it lies, may become the contents of
 * `to`, in whatever layout. */
static DL__WITH_LOCK bool mem_may_copy_tiles(const struct dl__mem *from,
                                             const struct dl__mem *to)
{
    return from != to && from->bytes == to->bytes &&
           from->object.context == to->object.context && !to->object.context->pinned &&
           !dl__mem_refusal(to) && !dl__mem_is_copied(to);
}

/* True when a copy is of all of one buffer into all of another, and goes as they lie. */
static DL__WITH_LOCK bool command_copies_whole(const struct command *command,
                                               struct dl__mem *from, struct dl__mem *to,
                                               size_t from_offset, size_t to_offset,
                                               size_t bytes)
{
    return from && to && !command->as_it_is && command_mem(command, from) == from &&
           mem_is_whole(from, from_offset, bytes) && mem_is_whole(to, to_offset, bytes) &&
           mem_may_copy_tiles(from, to);
}

/* One side of a copy that may go through tiles; `mem` is what DL knows of the handle. */
static DL__WITH_LOCK struct dl__end copy_end(struct command *command, cl_mem handle,
                                             struct dl__mem *mem, uint64_t bytes)
{
    struct dl__end end = {.handle = handle, .mem = command_mem(command, mem)};

    end.tiled = command_is_staged(command, mem, bytes) && end.mem != command->overwritten;
    return end;
}

/* True when this end of a copy is a sub-buffer of what lies in tiles, which can't go
 * through a staging area: they are brought back. */
static DL__WITH_LOCK bool is_part_of_tiles(const struct command *command,
                                           struct dl__mem *mem)
{
    const struct dl__mem *root = command_mem(command, mem);

    return root && root != mem && dl__mem_lies_in_tiles(root);
}

/* Of any memory object; one that the driver does not know has no bytes. */
static bool is_inside(cl_mem handle, size_t offset, size_t bytes)
{
    size_t all = 0;

    dl__next.clGetMemObjectInfo(handle, CL_MEM_SIZE, sizeof all, &all, NULL);
    return bytes > 0 && offset <= all && bytes <= all - offset;
}

/* True when the copy of `bytes` has gone through a staging area; its ends have their
 * offsets. */
static DL__WITH_LOCK bool command_copies_staged(struct command *command,
                                                const struct dl__end *source,
                                                const struct dl__end *target,
                                                size_t bytes)
{
    if ((!source->tiled && !target->tiled) ||
        !is_inside(source->handle, source->offset, bytes) ||
        !is_inside(target->handle, target->offset, bytes))
        return false;
    /* An overlap is for the driver to reject. */
    if (source->handle == target->handle && source->offset < target->offset + bytes &&
        target->offset < source->offset + bytes)
        return false;
    if (!dl__staged_copy(command->queue, &command->wait, source, target, NULL, bytes,
                         command_done(command)))
        return false;
    if (!target->tiled)
        dl__mem_written(target->mem);
    return true;
}

/* The copy of a whole buffer in tiles, as they lie. */
static DL__WITH_LOCK void copy_tiles(struct command *command, struct dl__mem *from,
                                     struct dl__mem *to)
{
    struct dl_leaf_table leaves = {0};
    const cl_event *wait;
    cl_uint wait_count;
    cl_event *event;

    dl__mem_use(from, command->queue, &command->wait);
    dl__mem_use(to, command->queue, &command->wait);
    if (dl_leaf_table_copy(&from->residence.leaves, &leaves) != DL_OK)
        command->err = CL_OUT_OF_HOST_MEMORY;
    if (command_goes(command, &wait_count, &wait, &event))
        command->err = dl__next.clEnqueueCopyBuffer(
            command->queue->object.handle, from->object.handle, to->object.handle, 0, 0,
            from->bytes, wait_count, wait, event);
    if (command->err == CL_SUCCESS)
        dl__mem_copied_tiles(from, to, &leaves);
    else
        dl_leaf_table_free(&leaves);
}

DL_HOOK(clEnqueueCopyBuffer)
{
    struct command c;
    struct dl__mem *source, *target;

    command_begin(&c, "clEnqueueCopyBuffer", queue, NULL, DL_WAIT_ARGUMENTS);
    target = command_find_ends(&c, from, to, &source);
    c.as_they_lie =
        command_copies_whole(&c, source, target, from_offset, to_offset, bytes);
    if (c.as_they_lie && dl__mem_lies_in_tiles(source)) {
        copy_tiles(&c, source, target);
        return command_end(&c);
    }
    if (from != to)
        command_writes_whole(&c, target, to_offset, bytes);
    if (c.queue && !is_part_of_tiles(&c, source) && !is_part_of_tiles(&c, target)) {
        struct dl__end begin = copy_end(&c, from, source, bytes),
                       end = copy_end(&c, to, target, bytes);

        begin.offset = from_offset;
        end.offset = to_offset;
        if (command_copies_staged(&c, &begin, &end, bytes))
            return command_end(&c);
    }
    command_reads(&c, source);
    command_writes(&c, target);
    if (COMMAND_GOES())
        c.err = DL_NEXT(clEnqueueCopyBuffer);
    return command_end(&c);
}

DL_HOOK(clEnqueueCopyBufferRect)
{
    struct command c;
    struct dl__mem *source, *target;

    command_begin(&c, "clEnqueueCopyBufferRect", queue, NULL, DL_WAIT_ARGUMENTS);
    target = command_find_ends(&c, from, to, &source);
    /* Within one buffer the rectangles may overlap, which is for the driver to see. */
    if (c.queue && from != to && !is_part_of_tiles(&c, source) &&
        !is_part_of_tiles(&c, target)) {
        uint64_t part = command_region_bytes(region);
        struct dl__end begin = copy_end(&c, from, source, part),
                       end = copy_end(&c, to, target, part);

        begin.rect = (struct dl__rect){from_origin, from_row, from_slice};
        end.rect = (struct dl__rect){to_origin, to_row, to_slice};
        if ((begin.tiled || end.tiled) && region &&
            dl__staged_copy(c.queue, &c.wait, &begin, &end, region, 0,
                            command_done(&c))) {
            if (!end.tiled)
                dl__mem_written(end.mem);
            return command_end(&c);
        }
    }
    command_reads(&c, source);
    command_writes(&c, target);
    if (COMMAND_GOES())
        c.err = DL_NEXT(clEnqueueCopyBufferRect);
    return command_end(&c);
}

DL_HOOK(clEnqueueFillBuffer)
{
    struct command c;
    struct dl__mem *record;

    command_begin(&c, "clEnqueueFillBuffer", queue, NULL, DL_WAIT_ARGUMENTS);
    record = command_find(&c, mem);
    command_shows(&c, record);
    command_writes_whole(&c, record, offset, bytes);
    if (!c.overwritten && command_is_staged(&c, record, bytes) &&
        dl__staged_fill(command_mem(&c, record), c.queue, &c.wait, pattern, pattern_bytes,
                        offset, bytes, command_done(&c)))
        return command_end(&c);
    command_writes(&c, record);
    if (COMMAND_GOES())
        c.err = DL_NEXT(clEnqueueFillBuffer);
    return command_end(&c);
}

/* ---- images ----
 *
 * Commands on them concern DL where the image is another view of a buffer: they come
 * after the conversion that brought it back. */

/* `from` is read and `to` written; NULL: the command does no such thing. */
#define IMAGE_HOOK(name, blocking, from, to)                                             \
    DL_HOOK(name)                                                                        \
    {                                                                                    \
        struct command c;                                                                \
        struct dl__mem *source, *target;                                                 \
                                                                                         \
        command_begin(&c, #name, queue, blocking, DL_WAIT_ARGUMENTS);                    \
        target = command_find_ends(&c, from, to, &source);                               \
        command_concerns(&c, source, target);                                            \
        command_reads(&c, source);                                                       \
        command_writes(&c, target);                                                      \
        if (COMMAND_GOES())                                                              \
            c.err = DL_NEXT(name);                                                       \
        return command_end(&c);                                                          \
    }
IMAGE_HOOK(clEnqueueReadImage, &blocking, image, NULL)
IMAGE_HOOK(clEnqueueWriteImage, &blocking, NULL, image)
IMAGE_HOOK(clEnqueueCopyBufferToImage, NULL, from, to)
IMAGE_HOOK(clEnqueueCopyImageToBuffer, NULL, from, to)
IMAGE_HOOK(clEnqueueCopyImage, NULL, from, to)
IMAGE_HOOK(clEnqueueFillImage, NULL, NULL, image)

DL_HOOK(clEnqueueMapImage)
{
    cl_int *const err_ret = err;
    struct command c;
    struct dl__mem *record;
    void *mapped = NULL;

    command_begin(&c, "clEnqueueMapImage", queue, &blocking, DL_WAIT_ARGUMENTS);
    record = command_find(&c, image);
    command_concerns(&c, record, NULL);
    command_writes(&c, record);
    err = &c.err;
    if (COMMAND_GOES())
        mapped = DL_NEXT(clEnqueueMapImage);
    c.err = command_end(&c);
    if (err_ret)
        *err_ret = c.err;
    return c.err == CL_SUCCESS ? mapped : NULL;
}

/* ---- maps and unmaps ----
 *
 * Tiled buffers are mapped through a view of them (looks.h), or
 * brought back and mapped by the driver; one that the driver has mapped stays in the
 * program's layout. */

/* Maps count in every context: one may outlive the building of an annotated program. */
static struct dl__mem *mapped_mem(struct dl__mem *mem)
{
    return mem && mem->kind != DL__BUFFER_IMAGE ? dl__mem_root(mem) : NULL;
}

/* The buffer that the command may map through a view. NULL: none. */
static struct dl__mem *viewed_mem(const struct command *command, struct dl__mem *mem)
{
    return command->queue && mem && mem->kind == DL__BUFFER &&
                   mem->object.context == command->queue->object.context
               ? mem
               : NULL;
}

/* A map through a view, once the driver has its commands. */
struct view_map {
    struct dl__mem *mem;
    const struct dl__map *map; /* NULL: it failed */
    void *mapped;
};

/* True when the buffer is mapped through its view, with the result in command->err. */
static DL__WITH_LOCK bool map_view(struct command *command, struct dl__mem *record,
                                   cl_map_flags flags, size_t offset, size_t bytes,
                                   struct view_map *view)
{
    struct dl__mem *mem = viewed_mem(command, record);

    *view = (struct view_map){.mem = mem};
    if (!mem || mem == command->by_host || command->as_it_is ||
        !command_waits_well(command))
        return false;
    /* A buffer that is lost as a whole needs no view, unless open maps have one. */
    if (command->overwritten && dl__view_map_count(mem) == 0)
        return false;
    /* The bytes that the host writes are scattered at the unmap. */
    command->part_bytes =
        command_part_bytes(bytes) *
        (flags == (CL_MAP_READ | CL_MAP_WRITE) || flags == CL_MAP_WRITE ? 2 : 1);
    if (!dl__view_map(mem, command->queue, &command->wait, flags, offset, bytes,
                      command_done(command), &view->mapped, &view->map, &command->err))
        return false;
    command->overwritten = NULL;
    return true;
}

static void end_map_view(struct command *command, const struct view_map *view)
    DL__RELEASES(dl__context_at_hand);
static void end_map_view(struct command *command, const struct view_map *view)
{
    struct dl__context *context = view->mem->object.context;

    command->err = command_end(command);
    if (!view->map || command->err == CL_SUCCESS)
        return;
    dl__context_lock(context);
    dl__view_map_fails(view->mem, view->map);
    dl__context_unlock(context);
}

/* A call that blocked has come back without the lock. */
static void DL__UNCHECKED count_host_map(const struct command *command)
{
    struct dl__context *context = command->queue->object.context;

    if (command->passed)
        dl__context_lock(context);
    command->by_host->residence.host_maps++;
    if (command->passed)
        dl__context_unlock(context);
}

DL_HOOK(clEnqueueMapBuffer)
{
    struct dl__mem *record = dl__mem_find(handle), *mem = mapped_mem(record);
    cl_int *const err_ret = err;
    struct view_map view;
    struct command c;
    void *mapped = NULL;
    bool made;

    command_begin(&c, "clEnqueueMapBuffer", queue, &blocking, DL_WAIT_ARGUMENTS);
    command_is_by_host(&c, record);
    if (flags & CL_MAP_WRITE_INVALIDATE_REGION)
        command_writes_whole(&c, record, offset, bytes);
    c.is_wrong = (flags & CL_MAP_WRITE_INVALIDATE_REGION) &&
                 flags != CL_MAP_WRITE_INVALIDATE_REGION;
    if (map_view(&c, record, flags, offset, bytes, &view)) {
        end_map_view(&c, &view);
        mapped = view.mapped;
        goto out;
    }
    if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
        command_writes(&c, record);
    else
        command_reads(&c, record);
    err = &c.err;
    if (COMMAND_GOES())
        mapped = DL_NEXT(clEnqueueMapBuffer);
    made = mem && c.err == CL_SUCCESS;
    if (made)
        atomic_fetch_add(&mem->maps, 1);
    if (c.by_host && c.err == CL_SUCCESS)
        count_host_map(&c);
    c.err = command_end(&c);
    /* An event that it waited for has failed: it is not mapped. */
    if (made && c.err != CL_SUCCESS) {
        atomic_fetch_sub(&mem->maps, 1);
        dl__context_lock(mem->object.context);
        if (c.by_host)
            mem->residence.host_maps--;
        dl__context_unlock(mem->object.context);
    }
out:
    if (err_ret)
        *err_ret = c.err;
    return c.err == CL_SUCCESS ? mapped : NULL;
}

DL_HOOK(clEnqueueUnmapMemObject)
{
    struct dl__mem *record = dl__mem_find(handle), *mem = mapped_mem(record), *viewed;
    struct command c;

    command_begin(&c, "clEnqueueUnmapMemObject", queue, NULL, DL_WAIT_ARGUMENTS);
    viewed = viewed_mem(&c, record);
    if (viewed && dl__view_unmap(viewed, c.queue, &c.wait, command_waits_well(&c), mapped,
                                 command_done(&c), &c.err))
        return command_end(&c);
    if (c.queue)
        dl__mem_use(command_mem(&c, record), c.queue, &c.wait);
    if (COMMAND_GOES())
        c.err = DL_NEXT(clEnqueueUnmapMemObject);
    if (mem && c.err == CL_SUCCESS && atomic_load(&mem->maps) > 0)
        atomic_fetch_sub(&mem->maps, 1);
    if (c.queue && mem && c.err == CL_SUCCESS && mem->residence.host_maps > 0)
        mem->residence.host_maps--;
    return command_end(&c);
}
