/* SPDX-License-Identifier: MIT */
/* What the files of dl-bench coalesced share: whole structs that a kernel loads and
 * stores, by plain access, by work-groups together, and in tiles (Catanzaro 2014, figures
 * 8 and 9 in kind). */
#ifndef DL_BENCH_COALESCED_H
#define DL_BENCH_COALESCED_H

#include <stdbool.h>

#include "annotate/annotate.h"
#include "marshal_kernels/marshal.h"
#include "tools/dl-bench/bench.h"

#define COALESCED_OPTION_MAP(X)                                                          \
    X(device, "device", "SUBSTRING", "", "a part of the device's name; else the first")  \
    X(bytes, "bytes", "N", "",                                                           \
      "bytes of a buffer; K, M and G are known; default 1G, 16M on a CPU")               \
    X(words, "words", "LIST", "2-16,24,32,48,64", "sizes of the struct, 4 bytes each")   \
    X(ops, "ops", "LIST", "copy,store,assign,update,gather,scatter,sum,members,lookup",  \
      "what the kernels do; members and lookup (random) read them one by one")           \
    X(ways, "ways", "LIST", "plain,vector,header,coalesced,asta",                        \
      "how they access the structs; vector: as written with members of 16 bytes, "       \
      "header: by include/dl_coalesced.clh")                                             \
    X(group, "group", "N", "128", "work-items in a group")                               \
    X(reps, "reps", "N", "5", "timed runs; the median counts")                           \
    X(defines, "defines", "TEXT", "",                                                    \
      "more build options for coalesced: knobs of annotate/coalesce/group.cl")           \
    X(csv, "csv", "FILE", "", "write every line as comma-separated values")

struct coalesced_options {
#define X(name, flag, value, fallback, help) const char *name;
    COALESCED_OPTION_MAP(X)
#undef X
};

enum coalesced_way { WAY_PLAIN, WAY_VECTOR, WAY_HEADER, WAY_COALESCED, WAY_ASTA, WAYS };

/* X(what it does, its name, bytes of the struct that move, words of other buffers that
 * do) */
#define COALESCED_OP_MAP(X)                                                              \
    X(COPY, "copy", 2, 0)                                                                \
    X(STORE, "store", 1, 0)                                                              \
    X(ASSIGN, "assign", 2, 0)                                                            \
    X(UPDATE, "update", 2, 0)                                                            \
    X(GATHER, "gather", 2, 1)                                                            \
    X(SCATTER, "scatter", 2, 1)                                                          \
    X(SUM, "sum", 1, 1)                                                                  \
    X(MEMBERS, "members", 1, 1)                                                          \
    X(LOOKUP, "lookup", 1, 2)

enum coalesced_op {
#define X(name, text, structs, words) OP_##name,
    COALESCED_OP_MAP(X)
#undef X
        OPS
};

extern const char *const coalesced_op_names[OPS];
extern const char *const coalesced_way_names[WAYS];

/* ---- kernels (texts.c) ---- */

/* The kernels of one size of struct. */
struct coalesced_texts {
    char *plain, *vector, *header,
        *rewritten; /* the last is NULL where it is not wanted */
    struct dl_notes *notes;
};

/* The text of all kernels, and what the transformer makes of it. False after a line on
 * standard error. */
bool coalesced_texts_make(unsigned words, bool rewrite, struct coalesced_texts *out);
void coalesced_texts_free(struct coalesced_texts *texts);
/* Built for one way; NULL after a line on standard error.
 *   group, defines  work-items in a group, and more options: of coalesced alone */
cl_program coalesced_build(const struct device *device,
                           const struct coalesced_texts *texts, enum coalesced_way way,
                           unsigned tile, size_t group, const char *defines);

/* ---- running (run.c) ---- */

/* What all measurements share. */
struct coalesced_bench {
    struct device device;
    struct dl_marshal *marshal;
    cl_program helpers; /* coalesced.cl */
    cl_kernel order, compare;
    cl_mem from, to, wanted, places;
    uint64_t bytes;
    size_t group;
    int reps;
};

struct coalesced_result {
    bool as_written; /* the kernel has no such text: it was not run */
    bool good;       /* it was run */
    cl_uint errors;
    double seconds;
};

/* False after a line on standard error. */
bool coalesced_bench_open(struct coalesced_bench *bench, const char *part,
                          const char *bytes);
void coalesced_bench_close(struct coalesced_bench *bench);
/* Bytes that a copy between the two buffers moves in a second: the better of a kernel and
 * a command. */
double coalesced_copy_speed(struct coalesced_bench *bench);
/* Fills the places with a random order of so many structs. */
bool coalesced_order(struct coalesced_bench *bench, cl_uint structs);
/* Runs an operation once on fresh inputs and then `reps` times for its time.
 *   want  the result is kept as the right one; else it is compared with that */
struct coalesced_result coalesced_run(struct coalesced_bench *bench, cl_program program,
                                      const struct coalesced_texts *texts,
                                      enum coalesced_op op, enum coalesced_way way,
                                      unsigned words, unsigned tile, bool want);

#endif
