/* SPDX-License-Identifier: MIT */
/* Inputs, the reference and one checked conversion, for the marshaling tests. */
#ifndef DL_TEST_CONVERT_H
#define DL_TEST_CONVERT_H

#include "device.h"
#include "marshal_kernels/internal.h"

/* What the conversions run on; a test's fixture makes them. */
extern struct device device;
extern struct dl_marshal *marshal;

/* Gives `marshal` the kernels and limits of a small GPU, whatever the device is. */
void marshal_as_gpu(void);
/* Frees both. */
void marshal_close(void);

/* The caller frees them. */
unsigned char *random_bytes(size_t bytes, uint64_t seed);
/* A struct with leaves of these widths, one after the other; 0 ends. */
struct dl_leaf_table table_make(const unsigned *widths);
struct dl_leaf_table table_make_equal(unsigned width, unsigned count);
/* `out` gets what `in` is to become, by the formula of layout.h. */
void reference_convert(const struct dl_leaf_table *table, uint64_t structs,
                       struct dl_layout from, struct dl_layout to,
                       const unsigned char *in, unsigned char *out);
/* Converts random bytes on the device and compares every byte, those past the structs
 * too. */
void check_on_queue(const struct dl_leaf_table *table, uint64_t structs,
                    struct dl_layout from, struct dl_layout to, cl_command_queue queue);
/* From AoS to the layout, and back. */
void check_both_ways(const struct dl_leaf_table *table, uint64_t structs,
                     struct dl_layout layout);

#endif
