/* SPDX-License-Identifier: MIT */
/* Claim: every wrong call of include/dl.h has its own error and changes nothing; buffers
 * that DL never converts keep their layout. */
#include "host_layout.h"
#include "suite.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

static struct world w;

#define REFUSED(wanted_error, ...)                                                       \
    do {                                                                                 \
        cl_buffer_layout_dl asked = {__VA_ARGS__}, before = asked;                       \
        ck_assert_int_eq(dl_buffer_set_host_layout(w.buffer, &asked, count, list),       \
                         wanted_error);                                                  \
        ck_assert_mem_eq(&asked, &before, sizeof asked);                                 \
        ck_assert_int_eq(dl_buffer_enqueue_marshal(w.queue, w.buffer, &asked, count,     \
                                                   list, 0, NULL, NULL),                 \
                         wanted_error);                                                  \
    } while (0)

START_TEST(wrong_values_are_refused)
{
    static const cl_field_dl overlapping[] = {{0, 4}, {2, 4}}, empty[] = {{0, 0}},
                             wide[] = {{0, 129}}, outside[] = {{22, 4}};
    const cl_field_dl *list = NULL;
    cl_buffer_layout_dl now;
    cl_uint count = 0;

    world_begin(&w);
    world_step(&w);
    if (under_dl()) {
        ck_assert_int_eq(dl_buffer_set_host_layout(w.buffer, NULL, 0, NULL),
                         CL_INVALID_VALUE);
        ck_assert_int_eq(
            dl_buffer_enqueue_marshal(w.queue, w.buffer, NULL, 0, NULL, 0, NULL, NULL),
            CL_INVALID_VALUE);
        REFUSED(CL_INVALID_VALUE, .kind = 4);
        REFUSED(CL_INVALID_VALUE, .kind = CL_LAYOUT_SOA_DL, .version = 1);
        REFUSED(CL_INVALID_VALUE, .kind = CL_LAYOUT_SOA_DL, .tile_structs = 8);
        REFUSED(CL_INVALID_VALUE, .kind = CL_LAYOUT_AOS_DL, .tile_structs = 8);
        count = 1;
        REFUSED(CL_INVALID_VALUE, .kind = CL_LAYOUT_SOA_DL, .struct_bytes = 24);
        count = 0;
        list = fields;
        REFUSED(CL_INVALID_VALUE, .kind = CL_LAYOUT_SOA_DL, .struct_bytes = 24);
        count = FIELDS;
        REFUSED(CL_INVALID_VALUE, .kind = CL_LAYOUT_SOA_DL);
        REFUSED(CL_INVALID_VALUE, .kind = CL_LAYOUT_SOA_DL, .struct_bytes = 23);
        REFUSED(CL_INVALID_VALUE, .kind = CL_LAYOUT_SOA_DL,
                .struct_bytes = BUFFER_BYTES + 1);
        count = 2;
        list = overlapping;
        REFUSED(CL_INVALID_VALUE, .kind = CL_LAYOUT_SOA_DL, .struct_bytes = 24);
        count = 1;
        list = empty;
        REFUSED(CL_INVALID_VALUE, .kind = CL_LAYOUT_SOA_DL, .struct_bytes = 24);
        list = wide;
        REFUSED(CL_INVALID_VALUE, .kind = CL_LAYOUT_SOA_DL, .struct_bytes = 200);
        list = outside;
        REFUSED(CL_INVALID_VALUE, .kind = CL_LAYOUT_SOA_DL, .struct_bytes = 24);
    }
    ck_assert_int_eq(dl_buffer_get_layout(w.buffer, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(dl_buffer_get_layout(NULL, &now), CL_INVALID_MEM_OBJECT);
    world_check(&w);
    world_end(&w);
}
END_TEST

static cl_mem made(cl_mem_flags flags)
{
    cl_int err;
    cl_mem buffer = clCreateBuffer(w.context, flags, BUFFER_BYTES, w.model, &err);

    must(err);
    return buffer;
}

/* Also after the call without DL: nothing but AoS is ever granted. */
static void never_converted(cl_mem buffer)
{
    cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_SOA_DL,
                                  .struct_bytes = sizeof(struct item)},
                        now;

    ck_assert_int_eq(dl_buffer_set_host_layout(buffer, &layout, FIELDS, fields),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(dl_buffer_enqueue_marshal(w.queue, buffer, &layout, FIELDS, fields,
                                               0, NULL, NULL),
                     CL_INVALID_OPERATION);
    must(dl_buffer_get_layout(buffer, &now));
    ck_assert_uint_eq(now.kind, CL_LAYOUT_AOS_DL);
    layout = (cl_buffer_layout_dl){.kind = CL_LAYOUT_AOS_DL};
    must(dl_buffer_set_host_layout(buffer, &layout, 0, NULL));
    must(dl_buffer_enqueue_marshal(w.queue, buffer, &layout, 0, NULL, 0, NULL, NULL));
}

START_TEST(buffers_that_are_never_converted)
{
    const cl_buffer_region region = {1024, 512};
    cl_mem read_only, of_host, sub, image;
    cl_int err;

    world_begin(&w);
    read_only = made(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR);
    of_host = made(CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR);
    image = world_image(&w, 8, 8, NULL, 0, &err);
    must(err);
    world_step(&w);
    sub = clCreateSubBuffer(w.buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                            &region, &err);
    must(err);
    never_converted(read_only);
    never_converted(of_host);
    never_converted(image);
    never_converted(sub);
    never_converted(w.buffer); /* now that it has a sub-buffer */
    must(clReleaseMemObject(sub));
    must(clFinish(w.queue));
    must(clReleaseMemObject(image));
    must(clReleaseMemObject(of_host));
    must(clReleaseMemObject(read_only));
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(wrong_objects_are_refused)
{
    cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_SOA_DL,
                                  .struct_bytes = sizeof(struct item)},
                        unknown = {.kind = CL_LAYOUT_SOA_DL};
    cl_command_queue foreign_queue;
    cl_context foreign;
    cl_event event, none = NULL;
    cl_mem fresh;
    cl_int err;

    world_begin(&w);
    fresh = made(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR);
    foreign = clCreateContext(NULL, 1, &w.device, NULL, NULL, &err);
    must(err);
    foreign_queue = clCreateCommandQueue(foreign, w.device, 0, &err);
    must(err);
    event = clCreateUserEvent(foreign, &err);
    must(err);
    world_step(&w);
    if (under_dl()) {
        ck_assert_int_eq(dl_buffer_set_host_layout(NULL, &layout, FIELDS, fields),
                         CL_INVALID_MEM_OBJECT);
        ck_assert_int_eq(dl_buffer_enqueue_marshal(w.queue, NULL, &layout, FIELDS, fields,
                                                   0, NULL, NULL),
                         CL_INVALID_MEM_OBJECT);
        ck_assert_int_eq(dl_buffer_enqueue_marshal(NULL, w.buffer, &layout, FIELDS,
                                                   fields, 0, NULL, NULL),
                         CL_INVALID_COMMAND_QUEUE);
        ck_assert_int_eq(dl_buffer_enqueue_marshal(foreign_queue, w.buffer, &layout,
                                                   FIELDS, fields, 0, NULL, NULL),
                         CL_INVALID_CONTEXT);
        ck_assert_int_eq(dl_buffer_enqueue_marshal(w.queue, w.buffer, &layout, FIELDS,
                                                   fields, 1, &event, NULL),
                         CL_INVALID_CONTEXT);
        ck_assert_int_eq(dl_buffer_enqueue_marshal(w.queue, w.buffer, &layout, FIELDS,
                                                   fields, 1, NULL, NULL),
                         CL_INVALID_EVENT_WAIT_LIST);
        ck_assert_int_eq(dl_buffer_enqueue_marshal(w.queue, w.buffer, &layout, FIELDS,
                                                   fields, 0, &event, NULL),
                         CL_INVALID_EVENT_WAIT_LIST);
        ck_assert_int_eq(dl_buffer_enqueue_marshal(w.queue, w.buffer, &layout, FIELDS,
                                                   fields, 1, &none, NULL),
                         CL_INVALID_EVENT_WAIT_LIST);
        /* No kernel has said what is in it. */
        ck_assert_int_eq(dl_buffer_set_host_layout(fresh, &unknown, 0, NULL),
                         CL_INVALID_OPERATION);
        must(dl_buffer_set_host_layout(fresh, &layout, FIELDS, fields));
    }
    must(clSetUserEventStatus(event, CL_COMPLETE));
    must(clReleaseEvent(event));
    must(clReleaseMemObject(fresh));
    must(clReleaseCommandQueue(foreign_queue));
    must(clReleaseContext(foreign));
    world_check(&w);
    world_end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host layout refusals");

    SUITE_CASE(suite, wrong_values_are_refused);
    SUITE_CASE(suite, buffers_that_are_never_converted);
    SUITE_CASE(suite, wrong_objects_are_refused);
    return suite_run(suite);
}
