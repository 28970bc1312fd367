/* SPDX-License-Identifier: MIT */
/* Random programs whose commands are cancelled (random_cancelled.c): what a sequence
 * holds. */
#ifndef CANCELLED_H
#define CANCELLED_H

#include "world.h"

#include <stdint.h>

enum {
    BUFFERS = 3,
    QUEUES = 3,
    LOOSE = QUEUES - 1,
    COMMANDS = 18,
    USERS = 8,
    WAITS = 24
};

enum outcome { OUTSTANDING, DONE, FAILED, STUCK };

/* A user event, from its creation on. */
struct user {
    cl_event event;
    bool fails, resolved;
};

struct command {
    cl_event event;
    unsigned queue;
    unsigned reads, writes; /* bits of buffers */
    unsigned reach;         /* bits of user events that it hangs on, of those set too */
    enum outcome outcome;   /* as far as the host has looked */
    unsigned char *host;    /* the memory that it reads into or writes from; owned */
    size_t host_bytes;
    bool into_host;     /* `host` is what it reads into */
    unsigned char *map; /* what a map gave, from its end to its unmap */
    size_t map_bytes;
    cl_map_flags map_flags;
};

/* One program: a few buffers, two queues in order and one (LOOSE) out of order. */
struct sequence {
    struct world *world;
    uint64_t random;
    cl_command_queue queues[QUEUES];
    cl_command_queue own; /* in order, and nothing on it is ever held back */
    unsigned barrier;     /* what a barrier on LOOSE hangs on; bits of user events */
    cl_mem buffers[BUFFERS];
    int mapped[BUFFERS]; /* the command that maps it, or -1 */
    struct user users[USERS];
    unsigned user_count;
    struct command commands[COMMANDS * 2];
    unsigned command_count;
    cl_event waits[WAITS]; /* of the next command */
    unsigned wait_count, wait_reach, wait_failures;
    bool wait_is_late; /* one of them has failed already */
};

/* What the driver can do without DL, as the script has found out. */
extern bool driver_ends_late_waits; /* a command that waits for what has failed, fails */
extern bool driver_keeps_queues;    /* an out-of-order queue outlives one that failed */

unsigned pick(struct sequence *s, unsigned below);
/* A line of the record: what this program must say natively and under DL alike. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_bytes(const char *what, unsigned which, const unsigned char *bytes,
               size_t count);

/* ---- cancelled_commands.c: enqueues one, which waits for s->waits */

/* What the next command is, and which buffers it has to do with. */
struct wish {
    unsigned kind, first, second;
};
bool wish_is_barrier(struct wish wish);
bool wish_is_marker(struct wish wish);
bool wish_is_migration(struct wish wish);
struct wish pick_wish(struct sequence *s);
unsigned wish_reads(struct wish wish);
unsigned wish_writes(struct wish wish);
/* False: it may not be enqueued now, for one of its buffers is mapped. */
bool wish_is_possible(const struct sequence *s, struct wish wish);
cl_int enqueue_command(struct sequence *s, struct wish wish, struct command *command);
/* Looks at a map that has come about, writes through it, and unmaps. */
void unmap(struct sequence *s, unsigned buffer);

/* ---- cancelled_probes.c: does what the flag keeps out; 0 if the driver could. */
int probe(const char *flag);

#endif
