/* SPDX-License-Identifier: MIT */
/* Claim: after a kernel has run on tiles, what runs without being rewritten sees the
 * program's own layout: kernels without annotation, tasks, native kernels, recorded
 * commands. */
#include "suite.h"
#include "world.h"

#include <CL/cl_ext.h>

static struct world w;

START_TEST(kernel_without_annotation)
{
    world_begin(&w);
    world_step(&w);
    world_plain(&w);
    world_step(&w);
    world_plain(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(task)
{
    const cl_int n = ITEMS;

    /* A task runs one work-item: struct 0. */
    world_begin(&w);
    world_step(&w);
    must(clSetKernelArg(w.plain, 0, sizeof w.buffer, &w.buffer));
    must(clSetKernelArg(w.plain, 1, sizeof n, &n));
    must(clEnqueueTask(w.queue, w.plain, 0, NULL, NULL));
    model_plain(w.model, 1);
    must(clSetKernelArg(w.step, 0, sizeof w.buffer, &w.buffer));
    must(clEnqueueTask(w.queue, w.step, 0, NULL, NULL));
    model_step(w.model, 1);
    world_check(&w);
    world_end(&w);
}
END_TEST

struct native_args {
    unsigned char *bytes;
};

static void CL_CALLBACK add_one(void *args)
{
    struct native_args *native = args;

    for (size_t i = 0; i < BUFFER_BYTES; i += 5)
        native->bytes[i]++;
}

START_TEST(native_kernel)
{
    struct native_args args = {NULL};
    const void *places[] = {&args.bytes};
    cl_device_exec_capabilities capabilities = 0;

    world_begin(&w);
    world_step(&w);
    must(clGetDeviceInfo(w.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof capabilities,
                         &capabilities, NULL));
    if (capabilities & CL_EXEC_NATIVE_KERNEL) {
        must(clEnqueueNativeKernel(w.queue, add_one, &args, sizeof args, 1, &w.buffer,
                                   places, 0, NULL, NULL));
        for (size_t i = 0; i < BUFFER_BYTES; i += 5)
            w.model[i]++;
    }
    world_check(&w);
    world_end(&w);
}
END_TEST

/* Version 0.9.5 of the extension put a properties list third. Headers know one version,
 * and the driver has perhaps another. */
union copy_fn {
    void *address;
    cl_int(CL_API_CALL *first)(cl_command_buffer_khr, cl_command_queue, cl_mem, cl_mem,
                               size_t, size_t, size_t, cl_uint, const void *, void *,
                               void *);
    cl_int(CL_API_CALL *later)(cl_command_buffer_khr, cl_command_queue, const void *,
                               cl_mem, cl_mem, size_t, size_t, size_t, cl_uint,
                               const void *, void *, void *);
};

static bool has_properties(void)
{
    static cl_name_version extensions[512];
    size_t bytes = 0;

    clGetDeviceInfo(w.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof extensions,
                    extensions, &bytes);
    for (size_t i = 0; i < bytes / sizeof *extensions; i++) {
        if (!strcmp(extensions[i].name, "cl_khr_command_buffer"))
            return extensions[i].version >= CL_MAKE_VERSION(0, 9, 5);
    }
    return false;
}

static cl_int record_copy(union copy_fn copy, cl_command_buffer_khr commands, cl_mem to)
{
    return has_properties() ? copy.later(commands, NULL, NULL, w.buffer, to, 0, 0,
                                         BUFFER_BYTES, 0, NULL, NULL, NULL)
                            : copy.first(commands, NULL, w.buffer, to, 0, 0, BUFFER_BYTES,
                                         0, NULL, NULL, NULL);
}

START_TEST(command_buffer)
{
    clCreateCommandBufferKHR_fn create;
    union copy_fn copy;
    clCommandNDRangeKernelKHR_fn launch;
    clFinalizeCommandBufferKHR_fn finalize;
    clEnqueueCommandBufferKHR_fn enqueue;
    clReleaseCommandBufferKHR_fn release;
    unsigned char bytes[BUFFER_BYTES], seen[BUFFER_BYTES];
    const size_t global = ITEMS;
    const cl_int n = ITEMS;
    cl_command_buffer_khr commands;
    cl_mem other;
    cl_int err;

#define ADDRESS(name)                                                                    \
    (name##_fn) clGetExtensionFunctionAddressForPlatform(w.platform, #name)
    world_begin(&w);
    create = ADDRESS(clCreateCommandBufferKHR);
    copy.address =
        clGetExtensionFunctionAddressForPlatform(w.platform, "clCommandCopyBufferKHR");
    launch = ADDRESS(clCommandNDRangeKernelKHR);
    finalize = ADDRESS(clFinalizeCommandBufferKHR);
    enqueue = ADDRESS(clEnqueueCommandBufferKHR);
    release = ADDRESS(clReleaseCommandBufferKHR);
    other = world_other(&w, bytes);
    world_step(&w);
    if (create && copy.address && launch && finalize && enqueue && release) {
        commands = create(1, &w.queue, NULL, &err);
        must(err);
        must(record_copy(copy, commands, other));
        must(clSetKernelArg(w.plain, 0, sizeof w.buffer, &w.buffer));
        must(clSetKernelArg(w.plain, 1, sizeof n, &n));
        must(launch(commands, NULL, NULL, w.plain, 1, NULL, &global, NULL, 0, NULL, NULL,
                    NULL));
        must(finalize(commands));
        world_step(&w); /* recorded commands will see the buffer: no tiles any more */
        must(enqueue(0, NULL, commands, 0, NULL, NULL));
        must(clFinish(w.queue));
        must(clEnqueueReadBuffer(w.queue, other, CL_TRUE, 0, BUFFER_BYTES, seen, 0, NULL,
                                 NULL));
        ck_assert_mem_eq(seen, w.model, BUFFER_BYTES);
        model_plain(w.model, ITEMS);
        must(release(commands));
    }
    world_check(&w);
    must(clReleaseMemObject(other));
    world_end(&w);
}
END_TEST

static void CL_CALLBACK release_slowly(cl_event event, cl_int status, void *mem)
{
    (void)event;
    (void)status;
    usleep(1000);
    clReleaseMemObject(mem);
}

START_TEST(callbacks_that_release_what_was_copied)
{
    cl_event copied;
    cl_mem copy;
    cl_int err;

    /* Each launch comes while the callback of the copy before it may be under way. */
    world_begin(&w);
    for (int i = 0; i < 20; i++) {
        copy = clCreateBuffer(w.context, CL_MEM_READ_WRITE, BUFFER_BYTES, NULL, &err);
        must(err);
        must(clEnqueueCopyBuffer(w.queue, w.buffer, copy, 0, 0, BUFFER_BYTES, 0, NULL,
                                 &copied));
        must(clSetEventCallback(copied, CL_COMPLETE, release_slowly, copy));
        must(clReleaseEvent(copied));
        world_step(&w);
    }
    must(clFinish(w.queue));
    world_check(&w);
    world_end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("launches");

    SUITE_CASE(suite, kernel_without_annotation);
    SUITE_CASE(suite, task);
    SUITE_CASE(suite, native_kernel);
    SUITE_CASE(suite, command_buffer);
    SUITE_CASE(suite, callbacks_that_release_what_was_copied);
    return suite_run(suite);
}
