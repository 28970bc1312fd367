/* SPDX-License-Identifier: MIT */
/* Devices as data: each file in devices/ describes a device, and rooms take numbers from
 * it by their names.
 *
 *     # a comment
 *     device NVIDIA H200             for devices with this in their names
 *     like gpu                       all other numbers are as in gpu.device
 *     tile_group=128,tile_items=3    numbers that hold everywhere
 *     chunk 640 tile_group=64        for the family `chunk` from 640 bytes on, up to its
 *                                    next line
 *
 * A device that no text names is like `gpu` or `cpu`. */
#ifndef DL_NUMBERS_H
#define DL_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One number of a struct: an `unsigned`, or a `double` when it is real. */
struct dl__number {
    const char *name;
    size_t offset;
    bool is_real;
    const char *help;
    unsigned least, most; /* the allowed range; most 0: any */
    bool is_power;        /* of two, or 0 if that is the least */
};

struct dl__number_table {
    const struct dl__number *numbers;
    size_t count;
};

/* A row for a field of that name. */
#define DL__NUMBER(type, field, help) DL__NUMBER_NAMED(type, field, #field, help)
#define DL__NUMBER_NAMED(type, field, name, help)                                        \
    {                                                                                    \
        name, offsetof(type, field),                                                     \
            _Generic(((type *)0)->field, double                                          \
                     : true, default                                                     \
                     : false),                                                           \
            help                                                                         \
    }

/* The same for a knob; `rule` is one of these two. */
#define DL__KNOB(type, field, rule, help)                                                \
    {                                                                                    \
#field, offsetof(type, field), false, help, DL__RULE rule                        \
    }
#define DL__WITHIN(least, most) (least, most, false)
#define DL__POWER(least, most) (least, most, true)
#define DL__RULE(least, most, is_power) least, most, is_power

const struct dl__number *dl__number_find(const struct dl__number_table *table,
                                         const char *name, size_t name_bytes);
double dl__number_get(const struct dl__number *number, const void *values);
void dl__number_set(const struct dl__number *number, void *values, double value);
bool dl__number_allows(const struct dl__number *number, double value);

/* ---- the texts ---- */

struct dl__device_file {
    const char *name; /* of the file, without its ending */
    const char *text;
};

/* The last one's name is NULL. */
extern const struct dl__device_file dl__device_files[];

const struct dl__device_file *dl__device_file_named(const char *name);
/* Never NULL. */
const struct dl__device_file *dl__device_file_find(const char *device_name, bool is_cpu);

/* Reads the numbers of a table.
 *   family  NULL: those that hold everywhere; else for this family at so many bytes
 *   values  the table's struct */
void dl__numbers_read(const struct dl__device_file *file, const char *family,
                      uint64_t bytes, const struct dl__number_table *table, void *values);
/* Lists the sizes from which a family's lines hold, of the file or, if it has none, of
 * the one that it is like; returns how many, at most `most`. */
size_t dl__numbers_sizes(const struct dl__device_file *file, const char *family,
                         uint64_t *bytes, size_t most);
/* Returns the first line that does not have this form, or has a number that no table has
 * or allows; 0: none. */
unsigned dl__device_file_check(const struct dl__device_file *file,
                               const struct dl__number_table *const *tables,
                               size_t count);
/* Writes a file's lines for families, also those of the files that it is like, except the
 * families in `but`, which ends with NULL. */
void dl__numbers_print_families(FILE *out, const struct dl__device_file *file,
                                const char *const *but);
void dl__numbers_print(FILE *out, const struct dl__number_table *table,
                       const void *values);

#endif
