/* SPDX-License-Identifier: MIT */
/* Inputs, the reference and one checked conversion, for the marshaling tests. */
#include "convert.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/random_numbers.h"

enum { SLACK_BYTES = 61 }; /* beyond the whole structs */

struct device device;
struct dl_marshal *marshal;

void marshal_as_gpu(void)
{
    marshal->engine.limits.is_cpu = false;
    marshal->engine.limits.local_bytes = 16 << 10;
    marshal->engine.limits.compute_units = 4;
    marshal->engine.limits.group_items = 256;
    DL__STEPS_SET(&marshal->steps, tile_group, 32);
    DL__STEPS_SET(&marshal->steps, cycle_group, 64);
    DL__STEPS_SET(&marshal->steps, cut_places, 8);
    DL__STEPS_SET(&marshal->steps, cut_span, 64);
    DL__STEPS_SET(&marshal->steps, cut_ahead, 3);
    DL__STEPS_SET(&marshal->steps, slide_group, 32);
    DL__STEPS_SET(&marshal->steps, slide_items, 1);
}

void marshal_close(void)
{
    dl_marshal_free(marshal);
    device_close(&device);
}

/* ---- inputs and the reference ---- */

unsigned char *random_bytes(size_t bytes, uint64_t seed)
{
    unsigned char *data = malloc(bytes + 8);
    uint64_t state = seed * 2654435761u + 88172645463325252u;

    ck_assert_ptr_nonnull(data);
    for (size_t b = 0; b < bytes; b++)
        data[b] = (unsigned char)(random_shift(&state) >> 32);
    return data;
}

/* A struct with leaves of these widths, one after the other; 0 ends. */
struct dl_leaf_table table_make(const unsigned *widths)
{
    struct dl_leaf fields[256];
    struct dl_leaf_table table;
    uint32_t offset = 0;
    size_t count = 0;

    for (; widths[count]; count++) {
        fields[count] = (struct dl_leaf){offset, widths[count]};
        offset += widths[count];
    }
    ck_assert_int_eq(dl_leaf_table_make(offset, fields, count, &table), DL_OK);
    return table;
}

struct dl_leaf_table table_make_equal(unsigned width, unsigned count)
{
    unsigned widths[256] = {0};

    for (unsigned i = 0; i < count; i++)
        widths[i] = width;
    return table_make(widths);
}

void reference_convert(const struct dl_leaf_table *table, uint64_t structs,
                       struct dl_layout from, struct dl_layout to,
                       const unsigned char *in, unsigned char *out)
{
    struct dl_tiling a, b;

    ck_assert_int_eq(dl_layout_tile(from, structs, &a), DL_OK);
    ck_assert_int_eq(dl_layout_tile(to, structs, &b), DL_OK);
    for (uint64_t i = 0; i < structs; i++)
        for (uint32_t l = 0; l < table->leaf_count; l++)
            memcpy(out +
                       dl_tiling_leaf_byte(&b, table->struct_bytes, table->leaves[l], i),
                   in + dl_tiling_leaf_byte(&a, table->struct_bytes, table->leaves[l], i),
                   table->leaves[l].width_bytes);
}

/* ---- one conversion, checked ---- */

static const char *describe(const struct dl_leaf_table *table, uint64_t structs,
                            struct dl_layout from, struct dl_layout to)
{
    static char text[200];

    snprintf(text, sizeof text, "%llu structs of %u bytes in %u leaves, %s %u -> %s %u",
             (unsigned long long)structs, table->struct_bytes, table->leaf_count,
             dl_layout_name(from.kind), from.tile_structs, dl_layout_name(to.kind),
             to.tile_structs);
    return text;
}

void check_on_queue(const struct dl_leaf_table *table, uint64_t structs,
                    struct dl_layout from, struct dl_layout to, cl_command_queue queue)
{
    size_t whole = (size_t)structs * table->struct_bytes, bytes = whole + SLACK_BYTES;
    unsigned char *in = random_bytes(bytes, structs + table->struct_bytes);
    unsigned char *want = malloc(bytes), *got = malloc(bytes);
    const struct dl_conversion *conversion;
    const char *what = describe(table, structs, from, to);
    struct dl_rest *rest;
    cl_event first, done;
    cl_int err;
    cl_mem mem = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, NULL, &err);
    enum dl_status st;

    ck_assert_int_eq(err, CL_SUCCESS);
    memcpy(want, in, bytes);
    reference_convert(table, structs, from, to, in, want);
    ck_assert_int_eq(
        clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, bytes, in, 0, NULL, NULL),
        CL_SUCCESS);
    st = dl_marshal_prepare(marshal, table, structs, from, to, &conversion);
    ck_assert_msg(st == DL_OK, "%s: prepare: %s", what, dl_status_name(st));
    ck_assert_msg(marshal->steps.knobs.cut_places < 32 ||
                      dl_conversion_workspace_bytes(conversion) <= whole / 32 + 4096 ||
                      whole <= marshal->steps.knobs.aside_bytes ||
                      from.kind == DL_LAYOUT_GRID || to.kind == DL_LAYOUT_GRID ||
                      ((marshal->engine.limits.is_cpu || conversion->stands_in) &&
                       whole <= marshal->steps.knobs.place_bytes),
                  "%s: workspace %llu", what,
                  (unsigned long long)dl_conversion_workspace_bytes(conversion));
    st = dl_marshal_enqueue(marshal, queue, conversion, mem, 0, NULL, &first, &done,
                            &rest);
    ck_assert_msg(st == DL_OK, "%s: enqueue: %s", what, dl_status_name(st));
    ck_assert_int_eq(
        clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, bytes, got, 1, &done, NULL),
        CL_SUCCESS);
    if (memcmp(want, got, bytes) != 0) {
        size_t b = 0;
        while (want[b] == got[b])
            b++;
        ck_abort_msg("%s: byte %zu of %zu differs", what, b, bytes);
    }
    clReleaseEvent(first);
    clReleaseEvent(done);
    clReleaseMemObject(mem);
    free(in);
    free(want);
    free(got);
}

void check_both_ways(const struct dl_leaf_table *table, uint64_t structs,
                     struct dl_layout layout)
{
    struct dl_layout aos = {DL_LAYOUT_AOS, 0};

    check_on_queue(table, structs, aos, layout, device.queue);
    check_on_queue(table, structs, layout, aos, device.queue);
}
