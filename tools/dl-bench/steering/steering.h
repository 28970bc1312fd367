/* SPDX-License-Identifier: MIT */
/* dl-bench steering: what its files share. */
#ifndef STEERING_H
#define STEERING_H

#include "tools/dl-bench/bench.h"
#include "tools/dl-bench/steering/find.h"

/* X(identifier, "flag", "VALUE", "default", "help") */
#define STEERING_OPTION_MAP(X)                                                           \
    X(device, "device", "SUBSTRING", "", "a part of the device's or platform's name")    \
    X(bytes, "bytes", "N", "",                                                           \
      "bytes of a buffer, a power of two up to 16G; default 4G, 256M on a CPU")          \
    X(groups, "groups", "N", "",                                                         \
      "work-groups of one work-item; default 32 a compute unit")                         \
    X(chains, "chains", "N", "1", "chases that each work-item has under way")            \
    X(ms, "ms", "N", "1", "about how long a launch takes")                               \
    X(reps, "reps", "N", "5", "timed runs; the median counts")                           \
    X(increments, "increments", "N", "256", "strides of 256 bytes and its multiples")    \
    X(csv, "csv", "FILE", "", "write every line as comma-separated values")              \
    X(table, "table", "FILE", "", "write the device's file with what was found")

struct steering_options {
#define X(name, flag, value, fallback, help) const char *name;
    STEERING_OPTION_MAP(X)
#undef X
};

struct steering_bench {
    struct device device;
    cl_program program;
    cl_kernel number, chase, saxpy_fill, saxpy, saxpy_check;
    cl_mem words, other, ends; /* two buffers, and where chases end */
    cl_uint *got;              /* what `ends` holds */
    uint64_t bytes;            /* of a buffer; a power of two */
    size_t groups, chains;
    int reps;
};

struct steering_result {
    bool good;       /* no call failed */
    cl_uint errors;  /* wrong elements */
    double seconds;  /* the median */
    uint64_t counts; /* transactions, or bytes that SAXPY has to move */
};

/* Opens the device, builds the kernels and makes the buffers. False after a message;
 * closed in any case by steering_close. */
bool steering_open(struct steering_bench *bench, const struct steering_options *options);
void steering_close(struct steering_bench *bench);

/* A[i] = i, before the first chase: SAXPY uses the same buffers. */
bool steering_number(struct steering_bench *bench);
/* Chases at a stride. `moves`: each step goes on to memory that was not read yet (while
 * there is some), else they stay where they are. */
struct steering_result steering_chase(struct steering_bench *bench, uint64_t stride_bytes,
                                      bool moves, cl_uint steps);
/* How many steps last so many seconds, at a stride of 256 bytes. */
cl_uint steering_steps(struct steering_bench *bench, bool moves, double seconds);
/* y[i * stride] = a * x[i * stride] + y[i * stride] */
struct steering_result steering_saxpy(struct steering_bench *bench, uint64_t stride,
                                      uint64_t stride_max);

#endif
