/* SPDX-License-Identifier: MIT */
/* Claim: objects, introspection and errors behave as without DL, also for programs whose
 * buffers live in tiles: objects released while in use, kernels made in every way, and
 * launches the driver rejects. */
#include "suite.h"
#include "world.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static struct world w;

/* ---- lifetimes ---- */

START_TEST(kernel_and_program_released_while_enqueued)
{
    cl_event user;
    cl_kernel kernel;
    cl_int err;

    world_begin(&w);
    world_step(&w);
    user = clCreateUserEvent(w.context, &err);
    must(err);
    kernel = clCreateKernel(w.program, "advance", &err);
    must(err);
    must(clRetainProgram(w.program));
    must(clReleaseProgram(w.program));
    world_launch(&w, w.queue, kernel, w.buffer, 1, &user, NULL);
    model_step(w.model, ITEMS);
    must(clReleaseKernel(kernel));
    must(clSetUserEventStatus(user, CL_COMPLETE));
    world_check(&w);
    must(clReleaseEvent(user));
    world_end(&w);
}
END_TEST

START_TEST(handles_are_reused)
{
    world_begin(&w);
    for (int round = 0; round < 50; round++) {
        cl_int err;
        cl_mem other;

        world_step(&w); /* tiled when it is released */
        must(clFinish(w.queue));
        must(clReleaseMemObject(w.buffer));
        other = clCreateBuffer(w.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                               BUFFER_BYTES, w.model, &err);
        must(err);
        w.buffer = other;
        world_check(&w);
        world_step(&w);
        world_check(&w);
    }
    world_end(&w);
}
END_TEST

static char called[8];
static atomic_size_t called_count;

/* In a thread of the driver's; one after the other. */
static void CL_CALLBACK destroyed(cl_mem mem, void *user)
{
    (void)mem;
    called[atomic_load(&called_count)] = *(const char *)user;
    atomic_fetch_add(&called_count, 1);
}

START_TEST(destructor_callbacks_last_first_and_after_the_commands)
{
    cl_event user;
    cl_int err;

    memset(called, 0, sizeof called);
    atomic_store(&called_count, 0);
    world_begin(&w);
    world_step(&w);
    must(clSetMemObjectDestructorCallback(w.buffer, destroyed, "a"));
    must(clSetMemObjectDestructorCallback(w.buffer, destroyed, "b"));
    must(clSetMemObjectDestructorCallback(w.buffer, destroyed, "c"));
    user = clCreateUserEvent(w.context, &err);
    must(err);
    world_launch(&w, w.queue, w.step, w.buffer, 1, &user, NULL);
    must(clReleaseMemObject(w.buffer));
    ck_assert_uint_eq(atomic_load(&called_count), 0);
    must(clSetUserEventStatus(user, CL_COMPLETE));
    must(clFinish(w.queue));
    must(clReleaseEvent(user));
    w.buffer = NULL;
    /* The other kernels know of it no more. */
    world_end(&w);
    SOON(atomic_load(&called_count), 3);
    ck_assert_str_eq(called, "cba");
}
END_TEST

START_TEST(retained_objects_live_on)
{
    world_begin(&w);
    must(clRetainMemObject(w.buffer));
    must(clRetainKernel(w.step));
    must(clRetainCommandQueue(w.queue));
    must(clRetainContext(w.context));
    world_step(&w);
    must(clReleaseMemObject(w.buffer));
    must(clReleaseKernel(w.step));
    must(clReleaseCommandQueue(w.queue));
    must(clReleaseContext(w.context));
    world_plain(&w);
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(objects_outlive_the_name_of_their_context)
{
    world_begin(&w);
    must(clReleaseContext(w.context));
    world_step(&w);
    world_plain(&w);
    world_step(&w);
    world_check(&w);
    must(clRetainContext(
        w.context)); /* the queue keeps it: world_end's release is matched */
    world_end(&w);
}
END_TEST

START_TEST(context_taken_from_its_queue)
{
    cl_context taken = NULL;
    cl_int err;

    /* Its objects keep the context, and lead to it: what is made in it then is as before.
     */
    world_begin(&w);
    must(clReleaseContext(w.context));
    must(clGetCommandQueueInfo(w.queue, CL_QUEUE_CONTEXT, sizeof taken, &taken, NULL));
    ck_assert_ptr_eq(taken, w.context);
    must(clRetainContext(taken));
    must(clReleaseMemObject(w.buffer));
    w.buffer = clCreateBuffer(taken, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              BUFFER_BYTES, w.model, &err);
    must(err);
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

/* ---- kernels and programs ---- */

START_TEST(arguments_set_once)
{
    const size_t global = ITEMS;
    const cl_int n = ITEMS;

    world_begin(&w);
    must(clSetKernelArg(w.step, 0, sizeof w.buffer, &w.buffer));
    must(clSetKernelArg(w.step, 1, sizeof n, &n));
    for (int round = 0; round < 100; round++) {
        must(clEnqueueNDRangeKernel(w.queue, w.step, 1, NULL, &global, NULL, 0, NULL,
                                    NULL));
        model_step(w.model, ITEMS);
    }
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(one_buffer_in_two_arguments_and_two_buffers_swapped)
{
    static unsigned char other_model[BUFFER_BYTES];
    const size_t global = ITEMS;
    const cl_int n = ITEMS;
    cl_mem other;
    cl_int err;

    world_begin(&w);
    memcpy(other_model, w.model, BUFFER_BYTES);
    other = clCreateBuffer(w.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                           BUFFER_BYTES, other_model, &err);
    must(err);
    must(clSetKernelArg(w.shift, 2, sizeof n, &n));
    for (int round = 0; round < 6; round++) {
        bool same = round % 3 == 2;
        cl_mem to = round & 1 ? w.buffer : other,
               from = same || !(round & 1) ? w.buffer : other;

        must(clSetKernelArg(w.shift, 0, sizeof to, &to));
        must(clSetKernelArg(w.shift, 1, sizeof from, &from));
        must(clEnqueueNDRangeKernel(w.queue, w.shift, 1, NULL, &global, NULL, 0, NULL,
                                    NULL));
        model_shift(to == other ? other_model : w.model,
                    from == other ? other_model : w.model, ITEMS);
    }
    world_check(&w);
    must(clReleaseMemObject(w.buffer));
    w.buffer = other;
    memcpy(w.model, other_model, BUFFER_BYTES);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(cloned_kernel_has_its_arguments)
{
    const size_t global = ITEMS;
    const cl_int n = ITEMS;
    cl_kernel clone;
    cl_int err;

    world_begin(&w);
    must(clSetKernelArg(w.step, 0, sizeof w.buffer, &w.buffer));
    must(clSetKernelArg(w.step, 1, sizeof n, &n));
    clone = clCloneKernel(w.step, &err);
    if (err == CL_SUCCESS) {
        must(clEnqueueNDRangeKernel(w.queue, clone, 1, NULL, &global, NULL, 0, NULL,
                                    NULL));
        model_step(w.model, ITEMS);
        must(clReleaseKernel(clone));
    }
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(kernels_made_all_at_once)
{
    cl_kernel kernels[8];
    cl_uint count = 0;
    char name[64];

    world_begin(&w);
    must(clCreateKernelsInProgram(w.program, 8, kernels, &count));
    ck_assert_uint_eq(count, 4);
    for (cl_uint i = 0; i < count; i++) {
        must(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name,
                             NULL));
        if (strcmp(name, "advance") == 0) {
            world_launch(&w, w.queue, kernels[i], w.buffer, 0, NULL, NULL);
            model_step(w.model, ITEMS);
        }
        must(clReleaseKernel(kernels[i]));
    }
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(compiled_and_linked_with_headers)
{
    const char
        *header_text =
            "typedef struct { int a; float b; uchar c[4]; short e; double d; } item;\n",
        *names[] = {"item.h"},
        *unit_text = "#include \"item.h\"\n"
                     "int triple(int i);\n"
                     "//DL: AoS: f[n]\n"
                     "__kernel void linked(__global item *f, int n)\n"
                     "{ int i = get_global_id(0); if (i < n) f[i].a += triple(i); }\n",
        *other_text = "int triple(int i);\nint triple(int i) { return 3 * i; }\n";
    cl_program header, units[2], linked;
    cl_kernel kernel;
    cl_int err;

    world_begin(&w);
    header = clCreateProgramWithSource(w.context, 1, &header_text, NULL, &err);
    must(err);
    units[0] = clCreateProgramWithSource(w.context, 1, &unit_text, NULL, &err);
    must(err);
    units[1] = clCreateProgramWithSource(w.context, 1, &other_text, NULL, &err);
    must(err);
    must(clCompileProgram(units[0], 1, &w.device, NULL, 1, &header, names, NULL, NULL));
    must(clCompileProgram(units[1], 1, &w.device, NULL, 0, NULL, NULL, NULL, NULL));
    linked = clLinkProgram(w.context, 1, &w.device, NULL, 2, units, NULL, NULL, &err);
    must(err);
    kernel = clCreateKernel(linked, "linked", &err);
    must(err);
    must(clReleaseProgram(header));
    must(clReleaseProgram(units[0]));
    must(clReleaseProgram(units[1]));
    world_launch(&w, w.queue, kernel, w.buffer, 0, NULL, NULL);
    for (int i = 0; i < ITEMS; i++) {
        cl_uint a;

        memcpy(&a, w.model + (size_t)i * sizeof(struct item), sizeof a);
        a += 3u * (cl_uint)i;
        memcpy(w.model + (size_t)i * sizeof(struct item), &a, sizeof a);
    }
    world_check(&w);
    must(clReleaseKernel(kernel));
    must(clReleaseProgram(linked));
    world_end(&w);
}
END_TEST

/* ---- introspection ---- */

static cl_uint kernel_references(void)
{
    cl_uint count = 0;

    must(clGetKernelInfo(w.step, CL_KERNEL_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

/* A driver's threads let go of events when they like, also while DL counts what an object
 * of its own adds to the context: one world out of three has to agree. */
START_TEST(context_references_are_the_programs)
{
    bool equal = false;

    for (int attempt = 0; attempt < 3 && !equal; attempt++) {
        cl_uint before;

        world_begin(&w);
        must(clFinish(w.queue));
        before = world_context_references(&w);
        world_step(&w);
        world_check(&w);
        world_step(&w);
        world_check(&w);
        equal = world_soon_has_references(&w, before);
        world_end(&w);
    }
    ck_assert(equal);
}
END_TEST

START_TEST(introspection_tells_of_the_program_alone)
{
    cl_uint arguments = 0;
    static char source[8192];
    char name[64];
    size_t bytes = 0;
    cl_program program = NULL;

    world_begin(&w);
    world_step(&w);
    world_check(&w);
    must(clGetKernelInfo(w.step, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL));
    ck_assert_uint_eq(arguments, 2);
    must(clGetKernelInfo(w.step, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    ck_assert_str_eq(name, "advance");
    must(clGetKernelInfo(w.step, CL_KERNEL_PROGRAM, sizeof program, &program, NULL));
    ck_assert_ptr_eq(program, w.program);
    SOON(kernel_references(), 1);
    must(clGetProgramInfo(w.program, CL_PROGRAM_SOURCE, sizeof source, source, NULL));
    ck_assert_str_eq(source, world_source);
    must(clGetMemObjectInfo(w.buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    ck_assert_uint_eq(bytes, BUFFER_BYTES);
    SOON(world_buffer_references(&w), 1);
    world_end(&w);
}
END_TEST

START_TEST(the_events_are_of_the_programs_command)
{
    cl_command_type type = 0;
    cl_command_queue queue = NULL;
    cl_event event;
    cl_ulong start = 0, end = 0;

    world_begin_with(&w, CL_MEM_READ_WRITE, CL_QUEUE_PROFILING_ENABLE);
    world_launch(&w, w.queue, w.step, w.buffer, 0, NULL, &event);
    model_step(w.model, ITEMS);
    must(clWaitForEvents(1, &event));
    must(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    ck_assert_uint_eq(type, CL_COMMAND_NDRANGE_KERNEL);
    must(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
    ck_assert_ptr_eq(queue, w.queue);
    must(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start,
                                 NULL));
    must(
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    ck_assert(end >= start);
    must(clReleaseEvent(event));
    world_check(&w);
    world_end(&w);
}
END_TEST

/* ---- errors ---- */

START_TEST(rejected_launches_are_rejected_as_ever)
{
    const size_t global = ITEMS, huge = (size_t)1 << 40, local = 7;
    const cl_int n = ITEMS;
    cl_kernel fresh;
    cl_int err;

    world_begin(&w);
    fresh = clCreateKernel(w.program, "advance", &err);
    must(err);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(w.queue, fresh, 1, NULL, &global, NULL, 0, NULL, NULL),
        CL_INVALID_KERNEL_ARGS);
    must(clReleaseKernel(fresh));
    world_step(&w);
    must(clSetKernelArg(w.step, 0, sizeof w.buffer, &w.buffer));
    must(clSetKernelArg(w.step, 1, sizeof n, &n));
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(w.queue, w.step, 0, NULL, &global, NULL, 0, NULL, NULL),
        CL_INVALID_WORK_DIMENSION);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(w.queue, w.step, 4, NULL, &global, NULL, 0, NULL, NULL),
        CL_INVALID_WORK_DIMENSION);
    ck_assert_int_ne(
        clEnqueueNDRangeKernel(w.queue, w.step, 1, NULL, &global, &huge, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_ne(clSetKernelArg(w.step, 7, sizeof n, &n), CL_SUCCESS);
    world_check(&w);
    must(
        clEnqueueNDRangeKernel(w.queue, w.step, 1, NULL, &global, &local, 0, NULL, NULL));
    model_step(w.model, ITEMS);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(dimension_of_zero_or_too_many)
{
    const size_t global = ITEMS;
    cl_int n = 0;

    world_begin(&w);
    world_step(&w);
    must(clSetKernelArg(w.step, 0, sizeof w.buffer, &w.buffer));
    must(clSetKernelArg(w.step, 1, sizeof n, &n));
    must(clEnqueueNDRangeKernel(w.queue, w.step, 1, NULL, &global, NULL, 0, NULL, NULL));
    world_check(&w);
    n = -3;
    must(clSetKernelArg(w.step, 1, sizeof n, &n));
    must(clEnqueueNDRangeKernel(w.queue, w.step, 1, NULL, &global, NULL, 0, NULL, NULL));
    n = 1 << 30;
    must(clSetKernelArg(w.step, 1, sizeof n, &n));
    must(clEnqueueNDRangeKernel(w.queue, w.step, 1, NULL, &global, NULL, 0, NULL, NULL));
    model_step(w.model, ITEMS);
    world_check(&w);
    world_end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("objects");

    SUITE_CASE(suite, kernel_and_program_released_while_enqueued);
    SUITE_CASE(suite, handles_are_reused);
    SUITE_CASE(suite, destructor_callbacks_last_first_and_after_the_commands);
    SUITE_CASE(suite, retained_objects_live_on);
    SUITE_CASE(suite, objects_outlive_the_name_of_their_context);
    SUITE_CASE(suite, context_taken_from_its_queue);
    SUITE_CASE(suite, arguments_set_once);
    SUITE_CASE(suite, one_buffer_in_two_arguments_and_two_buffers_swapped);
    SUITE_CASE(suite, cloned_kernel_has_its_arguments);
    SUITE_CASE(suite, kernels_made_all_at_once);
    SUITE_CASE(suite, compiled_and_linked_with_headers);
    SUITE_CASE(suite, context_references_are_the_programs);
    SUITE_CASE(suite, introspection_tells_of_the_program_alone);
    SUITE_CASE(suite, the_events_are_of_the_programs_command);
    SUITE_CASE(suite, rejected_launches_are_rejected_as_ever);
    SUITE_CASE(suite, dimension_of_zero_or_too_many);
    return suite_run(suite);
}
