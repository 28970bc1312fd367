/* SPDX-License-Identifier: MIT */
/* Claim: a program that says in which layout its host wants a buffer (include/dl.h)
 * reads, writes and maps it so, while kernels and all other commands see what they always
 * see; a conversion comes when the program asks for it. Without DL the program goes on
 * with arrays of structs. */
#include "host_layout.h"
#include "suite.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

static struct world w;

static const cl_buffer_layout_dl kinds[] = {
    {.kind = CL_LAYOUT_SOA_DL},
    {.kind = CL_LAYOUT_DA_DL},
    {.kind = CL_LAYOUT_DA_DL, .tile_structs = 16},
    {.kind = CL_LAYOUT_ASTA_DL},
    {.kind = CL_LAYOUT_ASTA_DL, .tile_structs = 13},
    {.kind = CL_LAYOUT_ASTA_DL, .tile_structs = 8},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Bytes between the program's layout and another, in either direction. */
static void arrange(const cl_buffer_layout_dl *layout, unsigned char *lying,
                    unsigned char *structs, bool to_structs)
{
    ck_assert_uint_eq(layout->structs, ITEMS);
    ck_assert_uint_eq(layout->struct_bytes, sizeof(struct item));
    for (size_t i = 0; i < ITEMS; i++) {
        for (size_t f = 0; f < FIELDS; f++) {
            size_t at =
                dl_layout_byte(layout, fields[f].offset_bytes, fields[f].width_bytes, i);
            unsigned char *field =
                structs + i * sizeof(struct item) + fields[f].offset_bytes;

            ck_assert_uint_le(at + fields[f].width_bytes, ITEMS * sizeof(struct item));
            memcpy(to_structs ? field : lying + at, to_structs ? lying + at : field,
                   fields[f].width_bytes);
        }
    }
    memcpy((to_structs ? structs : lying) + BUFFER_BYTES - SLACK_BYTES,
           (to_structs ? lying : structs) + BUFFER_BYTES - SLACK_BYTES, SLACK_BYTES);
}

/* The host's reads give the model in the layout. */
static void check_reads(const cl_buffer_layout_dl *layout)
{
    static unsigned char wanted[BUFFER_BYTES], seen[BUFFER_BYTES];
    const size_t origin[3] = {5, 2, 0}, host_origin[3] = {0, 0, 0},
                 region[3] = {11, 30, 1};
    cl_buffer_layout_dl now;

    arrange(layout, wanted, w.model, false);
    memset(seen, 0xee, sizeof seen);
    must(clEnqueueReadBuffer(w.queue, w.buffer, CL_TRUE, 0, BUFFER_BYTES, seen, 0, NULL,
                             NULL));
    ck_assert_mem_eq(seen, wanted, BUFFER_BYTES);
    must(dl_buffer_get_layout(w.buffer, &now));
    ck_assert_mem_eq(&now, layout, sizeof now);
    must(clEnqueueReadBuffer(w.queue, w.buffer, CL_TRUE, 33, 801, seen, 0, NULL, NULL));
    ck_assert_mem_eq(seen, wanted + 33, 801);
    must(clEnqueueReadBufferRect(w.queue, w.buffer, CL_TRUE, origin, host_origin, region,
                                 40, 0, 11, 0, seen, 0, NULL, NULL));
    for (size_t row = 0; row < 30; row++)
        ck_assert_mem_eq(seen + row * 11, wanted + (row + 2) * 40 + 5, 11);
}

START_TEST(reads_in_the_hosts_layout)
{
    cl_buffer_layout_dl aos = {.kind = CL_LAYOUT_AOS_DL};

    world_begin(&w);
    for (size_t k = 0; k < KINDS && under_dl(); k++) {
        cl_buffer_layout_dl layout = kinds[k];

        layout.struct_bytes = sizeof(struct item);
        must(dl_buffer_set_host_layout(w.buffer, &layout, FIELDS, fields));
        ck_assert_uint_eq(layout.kind, kinds[k].kind);
        if (kinds[k].tile_structs)
            ck_assert_uint_eq(layout.tile_structs, kinds[k].tile_structs);
        check_reads(&layout);
        world_step(&w);
        check_reads(&layout);
        world_plain(&w);
        check_reads(&layout);
        must(dl_buffer_set_host_layout(w.buffer, &aos, 0, NULL));
        world_check(&w);
        world_step(&w);
    }
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(writes_in_the_hosts_layout)
{
    static unsigned char lying[BUFFER_BYTES];
    cl_buffer_layout_dl aos = {.kind = CL_LAYOUT_AOS_DL};
    const size_t origin[3] = {5, 2, 0}, host_origin[3] = {0, 0, 0},
                 region[3] = {11, 30, 1};

    world_begin(&w);
    world_step(&w);
    for (size_t k = 0; k < KINDS && under_dl(); k++) {
        cl_buffer_layout_dl layout = kinds[k], now;

        layout.struct_bytes = sizeof(struct item);
        must(dl_buffer_set_host_layout(w.buffer, &layout, WITHOUT_PADDING, fields));
        for (size_t i = 0; i < BUFFER_BYTES; i++)
            lying[i] = (unsigned char)(i * 13 + k);
        must(clEnqueueWriteBuffer(w.queue, w.buffer, CL_TRUE, 0, BUFFER_BYTES, lying, 0,
                                  NULL, NULL));
        must(dl_buffer_get_layout(w.buffer, &now));
        ck_assert_mem_eq(&now, &layout, sizeof now);
        arrange(&layout, lying, w.model, true);
        world_plain(&w);
        check_reads(&layout);
        world_step(&w);
        arrange(&layout, lying, w.model, false);
        memset(lying + 33, 0x5a, 801);
        must(clEnqueueWriteBuffer(w.queue, w.buffer, CL_FALSE, 33, 801, lying + 33, 0,
                                  NULL, NULL));
        must(clFinish(w.queue));
        must(clEnqueueWriteBufferRect(w.queue, w.buffer, CL_TRUE, origin, host_origin,
                                      region, 40, 0, 11, 0, w.model, 0, NULL, NULL));
        for (size_t row = 0; row < 30; row++)
            memcpy(lying + (row + 2) * 40 + 5, w.model + row * 11, 11);
        arrange(&layout, lying, w.model, true);
        world_plain(&w);
        must(dl_buffer_set_host_layout(w.buffer, &aos, 0, NULL));
        world_check(&w);
    }
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(whole_write_beside_another_queue)
{
    static unsigned char lying[BUFFER_BYTES];
    cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_SOA_DL};
    cl_command_queue second;

    world_begin(&w);
    second = world_queue(&w, 0);
    world_step(&w);
    must(clFinish(w.queue));
    if (under_dl()) {
        layout.struct_bytes = sizeof(struct item);
        must(dl_buffer_set_host_layout(w.buffer, &layout, FIELDS, fields));
        for (size_t i = 0; i < BUFFER_BYTES; i++)
            lying[i] = (unsigned char)(i * 29);
        must(clEnqueueWriteBuffer(second, w.buffer, CL_TRUE, 0, BUFFER_BYTES, lying, 0,
                                  NULL, NULL));
        arrange(&layout, lying, w.model, true);
        world_step(&w);
        check_reads(&layout);
        must(dl_buffer_set_host_layout(w.buffer, &(cl_buffer_layout_dl){0}, 0, NULL));
    }
    world_check(&w);
    must(clReleaseCommandQueue(second));
    world_end(&w);
}
END_TEST

/* The struct is what the kernel's annotation says, the tile what DL chose. */
START_TEST(layout_of_the_kernel)
{
    cl_buffer_layout_dl now, layout = {.kind = CL_LAYOUT_ASTA_DL};

    world_begin(&w);
    must(dl_buffer_get_layout(w.buffer, &now));
    ck_assert_uint_eq(now.kind, CL_LAYOUT_AOS_DL);
    world_step(&w);
    must(dl_buffer_get_layout(w.buffer, &now));
    if (now.kind == CL_LAYOUT_ASTA_DL) {
        ck_assert_uint_eq(now.struct_bytes, sizeof(struct item));
        ck_assert_uint_eq(now.structs, ITEMS);
        ck_assert_uint_eq(now.head_structs, ITEMS - ITEMS % now.tile_structs);
        must(dl_buffer_set_host_layout(w.buffer, &layout, 0, NULL));
        ck_assert_mem_eq(&now, &layout, sizeof now);
        check_reads(&layout);
        must(dl_buffer_set_host_layout(w.buffer, &(cl_buffer_layout_dl){0}, 0, NULL));
    }
    world_check(&w);
    must(dl_buffer_get_layout(w.buffer, &now));
    world_plain(&w);
    must(dl_buffer_get_layout(w.buffer, &now));
    ck_assert_uint_eq(now.kind, CL_LAYOUT_AOS_DL);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(maps_in_the_hosts_layout)
{
    static unsigned char wanted[BUFFER_BYTES];
    cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_SOA_DL}, aos = {0};
    const size_t global = ITEMS;
    unsigned char *mapped, *part;
    cl_int err;

    world_begin(&w);
    world_step(&w);
    layout.struct_bytes = sizeof(struct item);
    if (under_dl()) {
        part = clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_READ, 33, 100, 0,
                                  NULL, NULL, &err);
        must(err);
        ck_assert_mem_eq(part, w.model + 33, 100);
        ck_assert_int_eq(dl_buffer_set_host_layout(w.buffer, &layout, FIELDS, fields),
                         CL_INVALID_OPERATION);
        must(clEnqueueUnmapMemObject(w.queue, w.buffer, part, 0, NULL, NULL));
        must(dl_buffer_set_host_layout(w.buffer, &layout, FIELDS, fields));
        mapped =
            clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                               BUFFER_BYTES, 0, NULL, NULL, &err);
        must(err);
        arrange(&layout, wanted, w.model, false);
        ck_assert_mem_eq(mapped, wanted, BUFFER_BYTES);
        part = clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_READ, 33, 100, 0,
                                  NULL, NULL, &err);
        must(err);
        ck_assert_mem_eq(part, wanted + 33, 100);
        must(clEnqueueUnmapMemObject(w.queue, w.buffer, part, 0, NULL, NULL));
        /* Nothing may change under the host's eyes. */
        ck_assert_int_eq(dl_buffer_set_host_layout(w.buffer, &aos, 0, NULL),
                         CL_INVALID_OPERATION);
        ck_assert_int_eq(
            dl_buffer_enqueue_marshal(w.queue, w.buffer, &aos, 0, NULL, 0, NULL, NULL),
            CL_INVALID_OPERATION);
        must(clSetKernelArg(w.plain, 0, sizeof w.buffer, &w.buffer));
        must(clSetKernelArg(w.plain, 1, sizeof(cl_int), &(cl_int){ITEMS}));
        ck_assert_int_eq(clEnqueueNDRangeKernel(w.queue, w.plain, 1, NULL, &global, NULL,
                                                0, NULL, NULL),
                         CL_INVALID_OPERATION);
        memset(mapped + 33, 0x21, 801);
        memset(wanted + 33, 0x21, 801);
        must(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 0, NULL, NULL));
        arrange(&layout, wanted, w.model, true);
        world_plain(&w);
        world_step(&w);
        /* To be overwritten, nothing is converted. */
        mapped =
            clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION,
                               0, BUFFER_BYTES, 0, NULL, NULL, &err);
        must(err);
        for (size_t i = 0; i < BUFFER_BYTES; i++)
            mapped[i] = wanted[i] = (unsigned char)(i * 3);
        must(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 0, NULL, NULL));
        arrange(&layout, wanted, w.model, true);
        check_reads(&layout);
        must(dl_buffer_set_host_layout(w.buffer, &aos, 0, NULL));
    }
    world_check(&w);
    world_end(&w);
}
END_TEST

/* Of what type the driver's markers are that wait for an event; not all drivers say
 * CL_COMMAND_MARKER. */
static cl_command_type type_of_markers(void)
{
    cl_command_type type = 0;
    cl_event events[2];
    cl_int err;

    events[0] = clCreateUserEvent(w.context, &err);
    must(err);
    must(clEnqueueMarkerWithWaitList(w.queue, 1, &events[0], &events[1]));
    must(clGetEventInfo(events[1], CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    must(clSetUserEventStatus(events[0], CL_COMPLETE));
    must(clFinish(w.queue));
    must(clReleaseEvent(events[0]));
    must(clReleaseEvent(events[1]));
    if (world_is_cpu(&w))
        ck_assert_uint_eq(type, CL_COMMAND_MARKER);
    return type;
}

START_TEST(conversion_when_asked_for)
{
    cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_DA_DL, .tile_structs = 16}, aos = {0},
                        now;
    cl_command_type type = 0, markers;
    cl_event user, event;
    cl_int err;

    world_begin(&w);
    markers = type_of_markers();
    layout.struct_bytes = sizeof(struct item);
    must(dl_buffer_enqueue_marshal(w.queue, w.buffer, &aos, 0, NULL, 0, NULL, NULL));
    user = clCreateUserEvent(w.context, &err);
    must(err);
    err = dl_buffer_enqueue_marshal(w.queue, w.buffer, &layout, FIELDS, fields, 1, &user,
                                    &event);
    ck_assert_int_eq(err, under_dl() ? CL_SUCCESS : CL_INVALID_OPERATION);
    if (under_dl()) {
        must(dl_buffer_get_layout(w.buffer, &now));
        ck_assert_uint_eq(now.kind, CL_LAYOUT_DA_DL);
        ck_assert_uint_eq(now.head_structs, 64);
        must(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        ck_assert_uint_eq(type, markers);
    }
    must(clSetUserEventStatus(user, CL_COMPLETE));
    must(clReleaseEvent(user));
    if (under_dl()) {
        must(clWaitForEvents(1, &event));
        must(clReleaseEvent(event));
    }
    world_check(&w); /* for the host it is as it was */
    must(dl_buffer_enqueue_marshal(w.queue, w.buffer, &aos, 0, NULL, 0, NULL, &event));
    must(clWaitForEvents(1, &event));
    must(clReleaseEvent(event));
    must(dl_buffer_get_layout(w.buffer, &now));
    ck_assert_uint_eq(now.kind, CL_LAYOUT_AOS_DL);
    world_check(&w);
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(out_of_order_conversions)
{
    cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_SOA_DL}, aos = {0};
    cl_event event;

    world_begin_with(&w, CL_MEM_READ_WRITE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    layout.struct_bytes = sizeof(struct item);
    for (int round = 0; round < 5 && under_dl(); round++) {
        must(dl_buffer_enqueue_marshal(w.queue, w.buffer, &layout, FIELDS, fields, 0,
                                       NULL, NULL));
        must(
            dl_buffer_enqueue_marshal(w.queue, w.buffer, &aos, 0, NULL, 0, NULL, &event));
        must(clWaitForEvents(1, &event));
        must(clReleaseEvent(event));
        world_check(&w);
        world_launch(&w, w.queue, w.step, w.buffer, 0, NULL, &event);
        model_step(w.model, ITEMS);
        must(clWaitForEvents(1, &event));
        must(clReleaseEvent(event));
    }
    world_launch(&w, w.queue, w.step, w.buffer, 0, NULL, &event);
    model_step(w.model, ITEMS);
    must(clWaitForEvents(1, &event));
    must(clReleaseEvent(event));
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(sub_buffer_of_a_buffer_that_the_host_wants_otherwise)
{
    const cl_buffer_region region = {1024, 512};
    cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_SOA_DL,
                                  .struct_bytes = sizeof(struct item)};
    unsigned char seen[512];
    cl_mem sub;
    cl_int err;

    world_begin(&w);
    world_step(&w);
    if (under_dl()) {
        must(dl_buffer_set_host_layout(w.buffer, &layout, FIELDS, fields));
        sub = clCreateSubBuffer(w.buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                &region, &err);
        must(err);
        must(clEnqueueReadBuffer(w.queue, sub, CL_TRUE, 0, 512, seen, 0, NULL, NULL));
        ck_assert_mem_eq(seen, w.model + 1024, 512);
        ck_assert_int_eq(
            clEnqueueReadBuffer(w.queue, w.buffer, CL_TRUE, 0, 512, seen, 0, NULL, NULL),
            CL_INVALID_OPERATION);
        must(clReleaseMemObject(sub));
        check_reads(&layout);
        must(dl_buffer_set_host_layout(w.buffer, &(cl_buffer_layout_dl){0}, 0, NULL));
    }
    world_check(&w);
    world_end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host layout");

    SUITE_CASE(suite, reads_in_the_hosts_layout);
    SUITE_CASE(suite, writes_in_the_hosts_layout);
    SUITE_CASE(suite, whole_write_beside_another_queue);
    SUITE_CASE(suite, layout_of_the_kernel);
    SUITE_CASE(suite, maps_in_the_hosts_layout);
    SUITE_CASE(suite, conversion_when_asked_for);
    SUITE_CASE(suite, out_of_order_conversions);
    SUITE_CASE(suite, sub_buffer_of_a_buffer_that_the_host_wants_otherwise);
    return suite_run(suite);
}
