/* SPDX-License-Identifier: MIT */
/* What all hooks of commands on memory objects share: which buffers a command reads and
 * writes, what it waits for, and how it blocks. */
#ifndef DL_INTERCEPT_COMMAND_H
#define DL_INTERCEPT_COMMAND_H

#include "libdl_intercept/state/moves.h"

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
struct dl__command {
    const char *name;
    struct dl__queue *queue; /* NULL: passed on untouched */
    struct dl__wait wait;
    struct dl__mem *overwritten;
    /* what it means in the layout that the host wants; may be NULL */
    struct dl__mem *by_host;
    struct dl__mem *was_lost; /* what it overwrites whole; may be NULL */
    cl_event own; /* DL's, of a blocking command that the program wants no event of */
    /* it may never run (cancel.h): the driver gets it as the program wrote it */
    bool as_it_is;
    bool is_wrong; /* in itself: the driver refuses it, whatever it would overwrite */
    bool passing;  /* the driver blocks, without the lock */
    bool passed;   /* it is there */
    struct dl__seen stays;  /* the buffer, which stays as it lies meanwhile */
    struct dl_layout aside; /* how it lay, where it is overwritten as a whole */
    struct dl__mem *target; /* that it writes, for maps that are open; NULL: none */
    cl_event shown;         /* they show it then; NULL: nothing to wait for */
    uint64_t part_bytes;    /* that it looks at by parts where that can be; 0: none */
    enum { DL__WAITS_UNKNOWN, DL__WAITS_WELL, DL__WAITS_BADLY } waits;
    cl_int err;
};

void dl__command_begin(struct dl__command *command, const char *name,
                       cl_command_queue queue, cl_uint wait_count, const cl_event *wait)
    DL__ACQUIRES(dl__context_at_hand);
/* What DL knows of a handle that the command names; NULL: nothing, or the command does
 * not have to care. What the host has written there by open maps goes before the command.
 * Each handle is looked up once: the functions below take what this gives, NULL included.
 */
struct dl__mem *dl__command_find(const struct dl__command *command,
                                 cl_mem handle) DL__WITH_LOCK;
/* It is written: maps of it that are open show that (maps.h). */
void dl__command_shows(struct dl__command *command, struct dl__mem *mem) DL__WITH_LOCK;
/* The buffer behind it, if the command has to care. */
struct dl__mem *dl__command_mem(const struct dl__command *command, struct dl__mem *mem);
void dl__command_reads(struct dl__command *command, struct dl__mem *mem) DL__WITH_LOCK;
bool dl__mem_is_whole(const struct dl__mem *mem, size_t offset, size_t bytes);
/* If the command overwrites all of a buffer, its contents may be lost; but not if the
 * command may fail at its wait list, or commands before it may run after it. */
void dl__command_writes_whole(struct dl__command *command, struct dl__mem *mem,
                              size_t offset, size_t bytes) DL__WITH_LOCK;
void dl__command_writes(struct dl__command *command, struct dl__mem *mem) DL__WITH_LOCK;
/* What the host is forbidden to do, the driver says: the command is passed on. */
void dl__command_checks_host(struct dl__command *command, struct dl__mem *mem,
                             cl_mem_flags forbidden) DL__WITH_LOCK;
/* The command is the host's: it means the buffer in the layout that the host wants it in.
 * Before anything else is said of the buffer; dl__command_checks_host says it, too. */
void dl__command_is_by_host(struct dl__command *command,
                            struct dl__mem *mem) DL__WITH_LOCK;
/* True when the driver's function is to be called. */
bool dl__command_goes(struct dl__command *command) DL__WITH_LOCK;
/* Where the driver puts the event, and then what it is told of blocking. */
cl_event *dl__command_event(struct dl__command *command, cl_bool blocking,
                            cl_event *event) DL__WITH_LOCK;
cl_bool dl__command_blocking(const struct dl__command *command, cl_bool blocking);
cl_int dl__command_end(struct dl__command *command) DL__RELEASES(dl__context_at_hand);
/* Ends a command that may block; `event` as command_event gave it. */
cl_int dl__command_end_blocking(struct dl__command *command, cl_bool blocking,
                                const cl_event *event) DL__RELEASES(dl__context_at_hand);
/* True when the driver will not reject what the command waits for. The command has a
 * queue. */
bool dl__command_waits_well(struct dl__command *command);
/* True when the command may look at so many bytes of the buffer through a staging area:
 * it is in tiles, and the driver will not reject what the command waits for. */
bool dl__command_is_staged(struct dl__command *command, const struct dl__mem *mem,
                           uint64_t bytes) DL__WITH_LOCK;
/* Bytes of a rectangular command, or of a map, of which dl__command_is_staged is to be
 * asked; 0: it does not go through staging areas. */
uint64_t dl__command_region_bytes(const size_t *region);
uint64_t dl__command_part_bytes(uint64_t bytes);
/* Ends a command that went through a staging area: waits for `awaited`, where the
 * program's command blocks, and hands `done` to the program where it wants an event. */
cl_int dl__command_end_staged(struct dl__command *command, cl_event awaited,
                              cl_event done, cl_event *event)
    DL__RELEASES(dl__context_at_hand);

/* A command on neither of these objects (NULL: none) is passed on untouched. */
void dl__command_concerns(struct dl__command *command, struct dl__mem *one,
                          struct dl__mem *other) DL__WITH_LOCK;

#endif
