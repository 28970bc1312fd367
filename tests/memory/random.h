/* SPDX-License-Identifier: MIT */
/* Random host programs (random_program.c): a sequence of commands on a few buffers, and
 * the model of each buffer on the host. */
#ifndef RANDOM_H
#define RANDOM_H

#include "world.h"

#include <stdint.h>

enum { BUFFERS = 3, QUEUES = 3, COMMANDS = 40, MAPS = 4 };

/* A region that the host has mapped. */
struct mapping {
    unsigned char *at;
    size_t offset, bytes;
    bool writes;
};

struct held_buffer {
    cl_mem mem;
    cl_mem_flags flags;
    cl_mem sub;              /* NULL: none */
    cl_buffer_region region; /* of `sub` */
    unsigned char *host;     /* the memory of a USE_HOST_PTR buffer; owned */
    struct mapping maps[MAPS];
    unsigned map_count;
    unsigned char model[BUFFER_BYTES];
};

/* One logical thread of commands: each comes after the one before, by the queue or by its
 * event. */
struct sequence {
    struct world *world;
    cl_uint origin_bytes; /* what sub-buffers begin at multiples of */
    uint64_t random;
    unsigned seed, number;
    bool maps_share, on_cpu; /* world_maps_share, world_is_cpu */
    bool open; /* maps stay open while commands use their buffers, and the host looks and
                  writes on */
    cl_command_queue queues[QUEUES]; /* the last is out of order */
    unsigned queue;                  /* of the next command */
    cl_event last; /* of the command before; NULL: none, or waited for */
    unsigned last_queue;
    struct held_buffer buffers[BUFFERS];
    cl_kernel step, plain, shift, total;
    char history[COMMANDS * 40];
    bool failed;
};

unsigned pick(struct sequence *s, unsigned below);
/* A range of a buffer, all of it now and then. */
void pick_range(struct sequence *s, size_t *offset, size_t *bytes);
void pick_bytes(struct sequence *s, unsigned char *bytes, size_t count);
void report(struct sequence *s, const char *what, cl_int err);
/* What the next command waits for. */
cl_uint wait_for_last(struct sequence *s, const cl_event **list);
/* The command gave `event`. */
void follow(struct sequence *s, cl_int err, cl_event event, const char *what);
void compare(struct sequence *s, const unsigned char *seen, const unsigned char *model,
             size_t bytes, const char *what);

/* ---- random_transfers.c: what moves bytes; the buffers are not mapped, or are only read
 * and mapped for reading */
void command_read(struct sequence *s, struct held_buffer *buffer);
void command_write(struct sequence *s, struct held_buffer *buffer);
void command_read_rect(struct sequence *s, struct held_buffer *buffer);
void command_write_rect(struct sequence *s, struct held_buffer *buffer);
void command_copy(struct sequence *s, struct held_buffer *from, struct held_buffer *to);
void command_copy_rect(struct sequence *s, struct held_buffer *from,
                       struct held_buffer *to);
void command_fill(struct sequence *s, struct held_buffer *buffer);
void command_image(struct sequence *s, struct held_buffer *from, struct held_buffer *to);
void command_migrate(struct sequence *s, struct held_buffer *buffer, bool discard);

/* ---- random_sub_buffers.c: `sub` and `region` of a buffer that has none, or has one */
void make_sub_buffer(struct sequence *s, struct held_buffer *buffer);
void drop_sub_buffer(struct held_buffer *buffer);
void read_sub_buffer(struct sequence *s, struct held_buffer *buffer);

/* ---- random_maps.c */
bool is_mapped(const struct held_buffer *buffer);
/* Device commands may not even read it. */
bool is_mapped_for_writing(const struct held_buffer *buffer);
/* Maps a region more, or unmaps one. */
void command_map(struct sequence *s, struct held_buffer *buffer);
/* The host writes by some of the open maps; where none is open, it does nothing. */
void write_open_maps(struct sequence *s, struct held_buffer *buffer);
/* Every open map shows what the buffer holds. */
void compare_open_maps(struct sequence *s, const struct held_buffer *buffer);
void command_unmap_all(struct sequence *s, struct held_buffer *buffer);

#endif
