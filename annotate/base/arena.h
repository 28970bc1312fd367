/* SPDX-License-Identifier: MIT */
/* Memory and text of one rewrite: everything lives in one arena and goes at once.
 *
 * Running out of memory, or meeting text too large to handle, leaves through `fail` by
 * longjmp, so that the passes need no error path of their own. Never allocate from an
 * arena inside a libclang callback: the jump must not cross C++ frames.
 *
 * An arena also bounds what a rewrite may take: memory, and time of its thread. All
 * passes allocate as they go, so that no text makes them run on. */
#ifndef DL_ANNOTATE_ARENA_H
#define DL_ANNOTATE_ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "dl_status.h"

struct dl__arena_block;

struct dl__arena {
    struct dl__arena_block *blocks;
    jmp_buf fail; /* set by the owner before the first allocation */
    enum dl_status failure;
    /* a clause, where there is more to say than the status; or NULL */
    const char *reason;
    size_t held_bytes;
    unsigned allocations;
    unsigned ms_max;  /* of the thread's own time; 0: as much as any text may take */
    double start_ms;  /* of the thread's own time; 0 before the first allocation */
    double paused_ms; /* when the work stopped being its own */
    struct dl__arena *outer, *inner; /* of dl__arena_within; or NULL */
};

void dl__arena_fail(struct dl__arena *arena, enum dl_status why)
    __attribute__((noreturn));
/* The thread's work between these is not the rewrite's own: its time does not count. */
void dl__arena_pause(struct dl__arena *arena);
void dl__arena_resume(struct dl__arena *arena);
/* Zeroed. Never NULL. */
void *dl__arena_alloc(struct dl__arena *arena, size_t bytes);
char *dl__arena_text(struct dl__arena *arena, const char *text, size_t bytes);
char *dl__arena_format(struct dl__arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *dl__arena_format_list(struct dl__arena *arena, const char *format, va_list args);
void dl__arena_free(struct dl__arena *arena);

#define DL__NEW(arena, type) ((type *)dl__arena_alloc((arena), sizeof(type)))

/* An arena for one pass, within the bounds of the other: where it fails, the other does.
 * The next one, and the other's end, free it. */
static inline struct dl__arena *dl__arena_within(struct dl__arena *arena)
{
    if (!arena->inner)
        arena->inner = DL__NEW(arena, struct dl__arena);
    dl__arena_free(arena->inner);
    *arena->inner = (struct dl__arena){.outer = arena,
                                       .held_bytes = arena->held_bytes,
                                       .ms_max = arena->ms_max,
                                       .start_ms = arena->start_ms};
    return arena->inner;
}

/* A growing array in an arena: DL__PUSH(arena, list, item) where list has items, count,
 * room. */
void *dl__arena_grow(struct dl__arena *arena, void *items, size_t count, size_t *room,
                     size_t item_bytes);
/* The same array, or a larger one, with room for one more; of an array that is always
 * grown so. */
void *dl__arena_grown(struct dl__arena *arena, void *items, size_t count,
                      size_t item_bytes);
#define DL__PUSH(arena, list, item)                                                      \
    do {                                                                                 \
        if ((list)->count == (list)->room)                                               \
            (list)->items = dl__arena_grow((arena), (list)->items, (list)->count,        \
                                           &(list)->room, sizeof *(list)->items);        \
        (list)->items[(list)->count++] = (item);                                         \
    } while (0)

/* A growing text, always NUL-terminated once something was added. */
struct dl__buf {
    struct dl__arena *arena;
    char *items;
    size_t count;
    size_t room;
};

void dl__buf_add(struct dl__buf *buf, const char *text, size_t bytes);

static inline void dl__buf_puts(struct dl__buf *buf, const char *text)
{
    dl__buf_add(buf, text, strlen(text));
}

void dl__buf_printf(struct dl__buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
