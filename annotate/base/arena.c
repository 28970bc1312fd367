/* SPDX-License-Identifier: MIT */
/* Memory and text of one rewrite. */
#include "annotate/base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct dl__arena_block {
    struct dl__arena_block *next;
    size_t used_bytes;
    size_t room_bytes;
    max_align_t data[];
};

enum { BLOCK_BYTES = 64 * 1024, BYTES_MAX = 1024 << 20, TIME_MS_MAX = 10000 };

void dl__arena_fail(struct dl__arena *arena, enum dl_status why)
{
    const char *reason = arena->reason;

    if (arena->outer)
        arena = arena->outer;
    arena->reason = reason;
    arena->failure = why;
    longjmp(arena->fail, 1);
}

/* It may be otherwise another time. */
static void __attribute__((noreturn)) exhaust(struct dl__arena *arena, const char *reason)
{
    arena->reason = reason;
    dl__arena_fail(arena, DL_ELIMIT);
}

/* The thread's own time: a busy machine is not a reason to give up. */
static double milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void check_budget(struct dl__arena *arena)
{
    double now_ms = milliseconds();

    if (!arena->start_ms)
        arena->start_ms = now_ms;
    if (arena->held_bytes > BYTES_MAX)
        exhaust(arena, "it takes too much memory");
    if (now_ms - arena->start_ms > (arena->ms_max ? arena->ms_max : TIME_MS_MAX))
        exhaust(arena, "it takes too long");
}

void dl__arena_pause(struct dl__arena *arena)
{
    arena->paused_ms = milliseconds();
}

void dl__arena_resume(struct dl__arena *arena)
{
    arena->start_ms += milliseconds() - arena->paused_ms;
}

void *dl__arena_alloc(struct dl__arena *arena, size_t bytes)
{
    struct dl__arena_block *block = arena->blocks;
    void *out;

    if (bytes > SIZE_MAX / 2)
        dl__arena_fail(arena, DL_ENOMEM);
    if (!(++arena->allocations % 1024))
        check_budget(arena);
    bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (!block || block->room_bytes - block->used_bytes < bytes) {
        size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;

        arena->held_bytes += room;
        check_budget(arena);
        block = calloc(1, sizeof *block + room);
        if (!block)
            dl__arena_fail(arena, DL_ENOMEM);
        block->next = arena->blocks;
        block->room_bytes = room;
        arena->blocks = block;
    }
    out = (char *)block->data + block->used_bytes;
    block->used_bytes += bytes;
    return out;
}

char *dl__arena_text(struct dl__arena *arena, const char *text, size_t bytes)
{
    char *out = dl__arena_alloc(arena, bytes + 1);

    if (bytes)
        memcpy(out, text, bytes);
    return out;
}

char *dl__arena_format_list(struct dl__arena *arena, const char *format, va_list args)
{
    va_list again;
    int bytes;
    char *out;

    va_copy(again, args);
    bytes = vsnprintf(NULL, 0, format, args);
    out = dl__arena_alloc(arena, (size_t)bytes + 1);
    vsnprintf(out, (size_t)bytes + 1, format, again);
    va_end(again);
    return out;
}

char *dl__arena_format(struct dl__arena *arena, const char *format, ...)
{
    va_list args;
    char *out;

    va_start(args, format);
    out = dl__arena_format_list(arena, format, args);
    va_end(args);
    return out;
}

void dl__arena_free(struct dl__arena *arena)
{
    if (arena->inner)
        dl__arena_free(arena->inner);
    arena->inner = NULL;
    while (arena->blocks) {
        struct dl__arena_block *next = arena->blocks->next;

        free(arena->blocks);
        arena->blocks = next;
    }
}

void *dl__arena_grow(struct dl__arena *arena, void *items, size_t count, size_t *room,
                     size_t item_bytes)
{
    size_t more = *room ? *room * 2 : 16;
    void *out;

    if (more > SIZE_MAX / 4 / item_bytes)
        dl__arena_fail(arena, DL_ENOMEM);
    out = dl__arena_alloc(arena, more * item_bytes);
    if (count)
        memcpy(out, items, count * item_bytes);
    *room = more;
    return out;
}

void *dl__arena_grown(struct dl__arena *arena, void *items, size_t count,
                      size_t item_bytes)
{
    size_t room = count;

    return count & (count - 1) ? items
                               : dl__arena_grow(arena, items, count, &room, item_bytes);
}

void dl__buf_add(struct dl__buf *buf, const char *text, size_t bytes)
{
    if (buf->room - buf->count <= bytes || !buf->items) {
        size_t room = buf->room ? buf->room * 2 : 256;
        char *items;

        if (bytes > SIZE_MAX / 4 - buf->count)
            dl__arena_fail(buf->arena, DL_ENOMEM);
        if (room < buf->count + bytes + 1)
            room = buf->count + bytes + 1;
        items = dl__arena_alloc(buf->arena, room);
        if (buf->count)
            memcpy(items, buf->items, buf->count);
        buf->items = items;
        buf->room = room;
    }
    if (bytes)
        memcpy(buf->items + buf->count, text, bytes);
    buf->count += bytes;
    buf->items[buf->count] = '\0';
}

void dl__buf_printf(struct dl__buf *buf, const char *format, ...)
{
    char line[512];
    va_list args;
    int bytes;

    va_start(args, format);
    bytes = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if ((size_t)bytes < sizeof line) {
        dl__buf_add(buf, line, (size_t)bytes);
        return;
    }
    char *long_line = dl__arena_alloc(buf->arena, (size_t)bytes + 1);

    va_start(args, format);
    vsnprintf(long_line, (size_t)bytes + 1, format, args);
    va_end(args);
    dl__buf_add(buf, long_line, (size_t)bytes);
}
