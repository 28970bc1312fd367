/* SPDX-License-Identifier: MIT */
/* Marshaling: converts a buffer between layouts in place, on the device, on a caller's
 * queue.
 *
 * OpenCL is reached only through the dispatch table handed in, never by name, so that
 * calls made here cannot be intercepted by DL itself. Only OpenCL 1.2 entries are
 * used. */
#ifndef DL_MARSHAL_H
#define DL_MARSHAL_H

#include <CL/cl.h>
#include <CL/cl_icd.h>

#include "dl_status.h"
#include "engine/binaries.h"
#include "layout/layout.h"

/* The marshaling kernels of one (context, device): programs built at need and kept. */
struct dl_marshal;

/*   cl      borrowed, must outlive the object
 *   out     the caller frees it with dl_marshal_free
 *   errors  DL_ENOLOCAL: the device has no local memory; DL_ECL; DL_ENOMEM
 *   threads every function is safe on one dl_marshal from several threads */
enum dl_status dl_marshal_make(const cl_icd_dispatch *cl, cl_context context,
                               cl_device_id device, struct dl_marshal **out);
void dl_marshal_free(struct dl_marshal *marshal);
/* Releases the events of finished commands, also those that the driver keeps. */
void dl_marshal_settle(struct dl_marshal *marshal);
/* How many workspaces it has. */
unsigned dl_marshal_workspaces(struct dl_marshal *marshal);
/* From now on programs are kept there, and looked for before they are built from source.
 * Borrowed. Not to be called while another thread prepares something. */
void dl_marshal_use_binaries(struct dl_marshal *marshal,
                             const struct dl__binaries *binaries);

/* Returns how many structs a tile may have so that its conversions are fast: `wanted`, or
 * a half, a quarter... of it if those do not fit local memory. 0: the structs are so
 * large that no tile is worth its conversion. */
uint32_t dl_marshal_tile(const struct dl_marshal *marshal,
                         const struct dl_leaf_table *leaves, uint32_t wanted);

/* A conversion of one buffer, ready to run any number of times. */
struct dl_conversion;

/* The remaining steps of a conversion that broke off. */
struct dl_rest;

/* Plans and builds the conversion of `structs` structs with these leaves from one layout
 * to another (either may be AoS; two tiled layouts go through AoS). Whatever
 * may fail for lack of a compiler or memory fails here, before data moves.
 *   out     owned by `marshal` (cached by its key), valid until dl_marshal_free
 *   errors  DL_EOVERFLOW: byte sizes overflow; DL_ENOTSUP: a struct of too many leaves;
 *           DL_EWORKSPACE; DL_ENOMEM; DL_ECL */
enum dl_status dl_marshal_prepare(struct dl_marshal *marshal,
                                  const struct dl_leaf_table *leaves, uint64_t structs,
                                  struct dl_layout from, struct dl_layout to,
                                  const struct dl_conversion **out);

/* The same without a compiler: from what is prepared, and from binaries that are kept
 * (dl_marshal_use_binaries). May wait for another thread that prepares something.
 *   may_stand_in  on a CPU a function of the host will do, and else kernels for any
 * shape, if those are kept; dl_marshal_prepare then gives the conversion of these, until
 *           it finds that all for the shape itself are kept. Until then parts are
 * prepared without a compiler, too, and of kernels for any shape, but not on a CPU errors
 * DL_ECL: a program must be built from source, or the driver fails; the others as
 * dl_marshal_prepare, which would fail in the same way */
enum dl_status dl_marshal_ask(struct dl_marshal *marshal,
                              const struct dl_leaf_table *leaves, uint64_t structs,
                              struct dl_layout from, struct dl_layout to,
                              bool may_stand_in);
/* Builds a program of these texts, so that it is kept for others. */
void dl_marshal_build(struct dl_marshal *marshal, size_t count, const char **texts);
/* Builds the kernels for any shape, so that they are kept.
 *   errors  DL_ENOMEM, DL_ECL */
enum dl_status dl_marshal_prepare_any(struct dl_marshal *marshal);

/* Device memory beside the buffer that running it takes, in bytes: 0 for most; about as
 * much as the buffer for small ones (the knob aside_bytes, 16 MB at most), and for those
 * that kernels for any shape convert (place_bytes: 64 MB at most, 256 MB on CPUs), where
 * that can be had. */
uint64_t dl_conversion_workspace_bytes(const struct dl_conversion *conversion);
/* True while the host or kernels for any shape make it, and its own, which are much
 * faster, are expected. */
bool dl_marshal_stands_in(struct dl_marshal *marshal,
                          const struct dl_conversion *conversion);
/* Bytes read plus bytes written in global memory, for statistics. */
uint64_t dl_conversion_traffic_bytes(const struct dl_conversion *conversion);

/* Enqueues a prepared conversion of `mem`, in place, structs starting at byte 0. In order
 * on `queue`, or chained by events on an out-of-order queue.
 *   wait    for the first step; with the queue's order, it must put this behind the last
 *         conversion of `mem`
 *   first   out, may be NULL: event of the first step (for profiling)
 *   done    out, may be NULL: event of the last step; the caller releases both
 *   rest    out; NULL, but after an error behind the first step that moves data: the
 *           steps that are left, owned by the caller. mem is in neither layout until they
 *           have run; *done is then the event of the last step enqueued
 *   errors  DL_EWORKSPACE, DL_ENOMEM, DL_ECL; mem is untouched where *rest is NULL. A
 *           step that the driver refuses is tried again before that */
enum dl_status dl_marshal_enqueue(struct dl_marshal *marshal, cl_command_queue queue,
                                  const struct dl_conversion *conversion, cl_mem mem,
                                  cl_uint wait_count, const cl_event *wait,
                                  cl_event *first, cl_event *done, struct dl_rest **rest);

/* Enqueues the remaining steps, behind those enqueued before, and takes `rest` over.
 *   wait    must put it behind those steps if `queue` does not
 *   done, left, errors  as dl_marshal_enqueue's */
enum dl_status dl_marshal_resume(struct dl_marshal *marshal, cl_command_queue queue,
                                 struct dl_rest *rest, cl_uint wait_count,
                                 const cl_event *wait, cl_event *done,
                                 struct dl_rest **left);
/* For a buffer whose contents nobody needs any more. */
void dl_rest_free(struct dl_rest *rest);

/* ---- parts of a tiled buffer ---- */

/* Access to any bytes of a buffer that lies in a layout, which stays as it is. */
struct dl_part;

/* Bytes as the program sees them: `depth` slices of `height` rows of `width_bytes` each.
 * `row_bytes` and `slice_bytes`, from one's beginning to the next one's, matter where
 * there are several. */
struct dl_part_box {
    uint64_t first_byte, width_bytes;
    uint64_t height, row_bytes;
    uint64_t depth, slice_bytes;
};

enum dl_part_way {
    DL_PART_GATHER, /* tiled buffer -> staging, AoS */
    DL_PART_SCATTER /* staging, AoS -> tiled buffer */
};

/* Prepares access to boxes that begin, and are as wide and as far apart, as `box` is.
 *   bytes   of the whole buffer; bytes beyond its last whole struct are copied as they
 *           are
 *   kept_only  without a compiler, as dl_marshal_ask
 *   out     owned by `marshal` (cached by its key), valid until dl_marshal_free
 *   errors  as dl_marshal_prepare; DL_EINVAL: an empty box, or one past the end */
enum dl_status dl_marshal_part_prepare(struct dl_marshal *marshal,
                                       const struct dl_leaf_table *leaves, uint64_t bytes,
                                       struct dl_layout layout,
                                       const struct dl_part_box *box, bool kept_only,
                                       const struct dl_part **out);

/* Enqueues one copy of the box between `tiled` and the beginning of `staging`, where its
 * rows lie one after the other. Other bytes than the box's are not written, on neither
 * side.
 *   done    out, may be NULL; the caller releases it
 *   errors  DL_EINVAL: an empty box, one past the end, or one of odd bytes that `part`
 *           was not prepared for; DL_ENOMEM, DL_ECL: nothing enqueued */
enum dl_status dl_marshal_part_enqueue(struct dl_marshal *marshal, cl_command_queue queue,
                                       const struct dl_part *part, enum dl_part_way way,
                                       cl_mem tiled, const struct dl_part_box *box,
                                       cl_mem staging, cl_uint wait_count,
                                       const cl_event *wait, cl_event *done);

/* ---- two buffers ---- */

/* The size that the second of two compared buffers must have.
 *   struct_bytes  of what they hold, for dl_marshal_differences; 0: it is not called */
uint64_t dl_marshal_compare_bytes(uint64_t bytes, uint32_t struct_bytes);
/* Builds the program for that, or finds it. `struct_bytes` as above. */
enum dl_status dl_marshal_compare_prepare(struct dl_marshal *marshal,
                                          uint32_t struct_bytes);
/* Compares the first `bytes` of two buffers on the device. Blocks until that is done, and
 * on a queue in order all commands before it.
 *   other   bytes behind these are overwritten, up to dl_marshal_compare_bytes
 *   errors  DL_ENOMEM, DL_ECL: not known */
enum dl_status dl_marshal_compare(struct dl_marshal *marshal, cl_command_queue queue,
                                  cl_mem mem, cl_mem other, uint64_t bytes, bool *differ);
/* The same, in more detail: at which bytes of the structs, of which the first begins at
 * byte 0, any two differ.
 *   differ  out: 1 or 0 for each of a struct's bytes */
enum dl_status dl_marshal_differences(struct dl_marshal *marshal, cl_command_queue queue,
                                      cl_mem mem, cl_mem other, uint64_t bytes,
                                      uint32_t struct_bytes, unsigned char *differ);

/* ---- speeds of a device ---- */

enum { DL_STRUCT_RATES_MAX = 16 };

/* Speeds that are expected before anything is measured, from the device's file or that of
 * similar devices; some in thousandths of a copy's speed. */
struct dl_rates {
    bool is_cpu;
    unsigned copy_mb;            /* MB a second that a copy reads and writes */
    unsigned copy_guess;         /* 1: nobody has measured that on the device */
    unsigned sector_bytes;       /* that memory is fetched by */
    unsigned step_us;            /* microseconds of a short launch */
    unsigned first_us;           /* that the first launch of a kernel takes longer */
    unsigned asta_part, da_part; /* conversions */
    /* Whole structs that a work-group loads and stores together, of neighbours and of
     * any; 0: not measured. */
    unsigned group_part, group_gather_part;
    /* For derived layouts (layout/derive.h): the memory, and what a compute unit runs at
     * once. */
    unsigned burst_bytes, steering_bits, resident_items, resident_groups;
    /* Structs of so many bytes and more, used where they lie, member by member. */
    size_t struct_count;
    struct dl_struct_rate {
        uint64_t bytes;
        unsigned plain_part;
    } structs[DL_STRUCT_RATES_MAX];
};

void dl_marshal_rates(const char *device_name, bool is_cpu, struct dl_rates *out);

#endif
