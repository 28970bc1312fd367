/* SPDX-License-Identifier: MIT */
/* DL's records of the program's OpenCL objects: by handle, counted.
 *
 * A record is made when the program's create call succeeded and ended before the
 * program's last release is forwarded; DL never retains an object of the program.
 * Reference counts here count the program's own retains and releases. An object that DL
 * has no record of (made by an entry point DL does not wrap) is forwarded untouched.
 *
 * The owner of a record describes it by a struct dl__type. Other rooms attach their data
 * to a record by a struct dl__keeper, which also says what happens when the record ends.
 */
#ifndef DL_INTERCEPT_OBJECTS_H
#define DL_INTERCEPT_OBJECTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

/* ---- the table from handles to records ----
 *
 * Look-ups take no lock and write no shared memory, because clSetKernelArg does one;
 * insertions and removals are serialised. Handles are driver pointers and are reused as
 * soon as they are released: remove a handle before the driver's release, insert it after
 * the driver's create. */
extern _Atomic uint64_t dl__handles_changes;

/* Rises with each insertion and removal: as long as it has not, each look-up gives what
 * it gave. */
static inline uint64_t dl__handles_version(void)
{
    return atomic_load_explicit(&dl__handles_changes, memory_order_acquire);
}

/* The record of a live handle, or NULL for one DL does not know. */
void *dl__handles_find(const void *handle);

/* ---- records ---- */

struct dl__context;
struct dl__object;
struct dl_layout;

/* A type of records. */
struct dl__type {
    size_t bytes;
    bool is_context;
    /* Frees what the record owns. Of a context: when it and all its objects are released.
     */
    void (*end)(void *record);
    struct dl__object *free_records; /* objects.c's */
};

/* All records begin with this. */
struct dl__object {
    struct dl__type *type;
    void *handle;
    atomic_uint refs;     /* the program's */
    atomic_uint holds;    /* of these, those of other records (dl__object_hold) */
    atomic_ullong serial; /* no other record's, ever; 0: it has ended */
    atomic_uint live;     /* of a context: the program's objects in it, and itself */
    struct dl__context *context; /* itself for a context */
    struct dl__object *held;     /* that this one needs; NULL: none */
    struct dl__kept *kept;       /* of other rooms */
    struct dl__object *next_free;
};

/* The record of a handle; NULL: it is unknown, or of another type. Here, for
 * clSetKernelArg does it each time. */
static inline void *dl__object_find(const struct dl__type *type, const void *handle)
{
    struct dl__object *object = dl__handles_find(handle);

    return object && object->type == type ? object : NULL;
}

/* Makes the record of a handle the driver just returned, with one reference, and counts
 * it in its context (NULL for contexts only). NULL: out of memory, the handle stays
 * unknown. */
void *dl__object_make(struct dl__type *type, void *handle, struct dl__context *context);
/* The program retained the handle. */
void dl__object_retain(const struct dl__type *type, void *handle);
/* One record needs another: a sub-buffer its buffer, a kernel its program, as in the
 * driver. Let go when `record` ends. */
void dl__object_hold(void *record, void *needed);
/* To be called before the program's release is forwarded. When it is the last: takes the
 * handle out of the table and ends the record; a context, when it and all its objects are
 * released. */
void dl__object_release(const struct dl__type *type, void *handle);
/* The same of a handle whose record is at hand. */
void dl__record_release(void *record);

/* A record seen before a call of the driver's in which the program may end it. */
struct dl__seen {
    void *record; /* NULL: none */
    unsigned long long serial;
};
/* `record` may be NULL. */
static inline struct dl__seen dl__record_see(void *record)
{
    struct dl__object *object = record;

    return (struct dl__seen){object, object ? atomic_load(&object->serial) : 0};
}

/* NULL: it has ended meanwhile. */
static inline void *dl__object_seen(const struct dl__seen *seen)
{
    struct dl__object *object = seen->record;

    return object && atomic_load(&object->serial) == seen->serial ? object : NULL;
}

/* ---- what other rooms keep with a record ---- */

/* Begins what is kept, which is made zeroed and freed with the record. */
struct dl__kept {
    const struct dl__keeper *keeper;
    struct dl__kept *next;
};

struct dl__move;

/* Who keeps something. NULL functions: nothing is to happen. All are called with
 * the context's lock held. */
struct dl__keeper {
    size_t bytes; /* of a struct that begins with struct dl__kept */
    /* The record ends: frees what the struct owns. */
    void (*end)(void *record, void *kept);
    /* Of contexts. Lets go of events and objects of DL's that nothing running needs. */
    void (*settle)(struct dl__context *context, void *kept);
    /* A look at a buffer that lies as the move has it would wait for kernels to be built.
     */
    void (*looks_unbuilt)(void *kept, const struct dl__move *move, cl_device_id device);
    /* True when a command of the slot's queue may still use it. */
    bool (*uses_slot)(const void *kept, unsigned slot);
    /* Of buffers. A conversion of it is enqueued; the events, borrowed, may be NULL:
     * where kernels for any shape stand in, so that their times count for nothing. */
    void (*converted)(void *record, void *kept, const struct dl_layout *to,
                      cl_event first, cl_event done);
    /* A command uses it in its layout. `part_bytes`: the bytes that the command looks at
     * by parts, or would if it were in tiles; 0: it would be brought back. */
    void (*touched)(void *record, void *kept, uint64_t part_bytes);
    /* A command is about to look at this number of bytes of its tiles by parts. False: it
     * is to be brought back instead. */
    bool (*may_look)(void *record, void *kept, uint64_t bytes);
    /* A command looks at this number of bytes of its tiles by parts, or would if it were
     * in tiles: its first and last command, borrowed. Without events it only says whether
     * the time of such a command is wanted. */
    bool (*looked)(void *record, void *kept, uint64_t bytes, cl_event first,
                   cl_event last);
    /* All of it was overwritten, so that its tiles, if it has any, are lost.
     * `as_written`: they would have been lost, too, if it had been converted. */
    void (*overwritten)(void *record, void *kept, bool as_written);
    /* The queue of a slot ends; `last`, borrowed, comes after all of its commands. */
    void (*retire_slot)(void *kept, unsigned slot, cl_event last);
};

/* Calls this function of every keeper of the object that has one. Among the arguments,
 * `kept` is the data that the keeper has attached. */
#define DL__TELL(object_, function, ...)                                                 \
    for (struct dl__kept *kept = (object_).kept; kept; kept = kept->next) {              \
        if (kept->keeper->function)                                                      \
            kept->keeper->function(__VA_ARGS__);                                         \
    }

/* Returns the data that the keeper has attached to the record; NULL: none. */
static inline void *dl__kept_find(const void *record, const struct dl__keeper *keeper)
{
    struct dl__kept *kept = ((const struct dl__object *)record)->kept;

    while (kept && kept->keeper != keeper)
        kept = kept->next;
    return kept;
}

/* The same, made where there is nothing yet; NULL: out of memory. */
void *dl__kept_get(void *record, const struct dl__keeper *keeper);
/* Ends all of it, for the record's own end. With the context's lock held. */
void dl__kept_end(void *record);

#endif
