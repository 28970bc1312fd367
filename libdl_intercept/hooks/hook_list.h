/* SPDX-License-Identifier: MIT */
/* Every OpenCL entry point DL wraps: X(result, name, (parameters), (arguments)).
 *
 * The list makes, for each name: the declaration of its hook dl__hook_NAME (hooks_*.c),
 * its place in the layer's dispatch table and its exported symbol (both in entries.c).
 * An entry point that is not in the list goes to the driver untouched. */
#ifndef DL_HOOK_LIST_H
#define DL_HOOK_LIST_H

/* Commands that may block, by an argument `blocking`, and others; images may be views of
 * buffers. */
#define DL_BLOCKING_COMMAND_MAP(X)                                                       \
    X(cl_int, clEnqueueReadBuffer,                                                       \
      (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset,              \
       size_t bytes, void *host, cl_uint wait_count, const cl_event *wait,               \
       cl_event *event),                                                                 \
      (queue, mem, blocking, offset, bytes, host, wait_count, wait, event))              \
    X(cl_int, clEnqueueWriteBuffer,                                                      \
      (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset,              \
       size_t bytes, const void *host, cl_uint wait_count, const cl_event *wait,         \
       cl_event *event),                                                                 \
      (queue, mem, blocking, offset, bytes, host, wait_count, wait, event))              \
    X(cl_int, clEnqueueReadBufferRect,                                                   \
      (cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *origin,       \
       const size_t *host_origin, const size_t *region, size_t row, size_t slice,        \
       size_t host_row, size_t host_slice, void *host, cl_uint wait_count,               \
       const cl_event *wait, cl_event *event),                                           \
      (queue, mem, blocking, origin, host_origin, region, row, slice, host_row,          \
       host_slice, host, wait_count, wait, event))                                       \
    X(cl_int, clEnqueueWriteBufferRect,                                                  \
      (cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *origin,       \
       const size_t *host_origin, const size_t *region, size_t row, size_t slice,        \
       size_t host_row, size_t host_slice, const void *host, cl_uint wait_count,         \
       const cl_event *wait, cl_event *event),                                           \
      (queue, mem, blocking, origin, host_origin, region, row, slice, host_row,          \
       host_slice, host, wait_count, wait, event))                                       \
    X(cl_int, clEnqueueReadImage,                                                        \
      (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,     \
       const size_t *region, size_t row, size_t slice, void *host, cl_uint wait_count,   \
       const cl_event *wait, cl_event *event),                                           \
      (queue, image, blocking, origin, region, row, slice, host, wait_count, wait,       \
       event))                                                                           \
    X(cl_int, clEnqueueWriteImage,                                                       \
      (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,     \
       const size_t *region, size_t row, size_t slice, const void *host,                 \
       cl_uint wait_count, const cl_event *wait, cl_event *event),                       \
      (queue, image, blocking, origin, region, row, slice, host, wait_count, wait,       \
       event))

#define DL_COMMAND_MAP(X)                                                                \
    X(cl_int, clEnqueueCopyBuffer,                                                       \
      (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,               \
       size_t to_offset, size_t bytes, cl_uint wait_count, const cl_event *wait,         \
       cl_event *event),                                                                 \
      (queue, from, to, from_offset, to_offset, bytes, wait_count, wait, event))         \
    X(cl_int, clEnqueueCopyBufferRect,                                                   \
      (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,        \
       const size_t *to_origin, const size_t *region, size_t from_row,                   \
       size_t from_slice, size_t to_row, size_t to_slice, cl_uint wait_count,            \
       const cl_event *wait, cl_event *event),                                           \
      (queue, from, to, from_origin, to_origin, region, from_row, from_slice, to_row,    \
       to_slice, wait_count, wait, event))                                               \
    X(cl_int, clEnqueueFillBuffer,                                                       \
      (cl_command_queue queue, cl_mem mem, const void *pattern, size_t pattern_bytes,    \
       size_t offset, size_t bytes, cl_uint wait_count, const cl_event *wait,            \
       cl_event *event),                                                                 \
      (queue, mem, pattern, pattern_bytes, offset, bytes, wait_count, wait, event))      \
    X(cl_int, clEnqueueCopyBufferToImage,                                                \
      (cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,                    \
       const size_t *origin, const size_t *region, cl_uint wait_count,                   \
       const cl_event *wait, cl_event *event),                                           \
      (queue, from, to, offset, origin, region, wait_count, wait, event))                \
    X(cl_int, clEnqueueCopyImageToBuffer,                                                \
      (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *origin,             \
       const size_t *region, size_t offset, cl_uint wait_count, const cl_event *wait,    \
       cl_event *event),                                                                 \
      (queue, from, to, origin, region, offset, wait_count, wait, event))                \
    X(cl_int, clEnqueueUnmapMemObject,                                                   \
      (cl_command_queue queue, cl_mem mem, void *mapped, cl_uint wait_count,             \
       const cl_event *wait, cl_event *event),                                           \
      (queue, mem, mapped, wait_count, wait, event))                                     \
    X(cl_int, clEnqueueMigrateMemObjects,                                                \
      (cl_command_queue queue, cl_uint mem_count, const cl_mem *mems,                    \
       cl_mem_migration_flags flags, cl_uint wait_count, const cl_event *wait,           \
       cl_event *event),                                                                 \
      (queue, mem_count, mems, flags, wait_count, wait, event))                          \
    X(cl_int, clEnqueueCopyImage,                                                        \
      (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,        \
       const size_t *to_origin, const size_t *region, cl_uint wait_count,                \
       const cl_event *wait, cl_event *event),                                           \
      (queue, from, to, from_origin, to_origin, region, wait_count, wait, event))        \
    X(cl_int, clEnqueueFillImage,                                                        \
      (cl_command_queue queue, cl_mem image, const void *color, const size_t *origin,    \
       const size_t *region, cl_uint wait_count, const cl_event *wait, cl_event *event), \
      (queue, image, color, origin, region, wait_count, wait, event))                    \
    X(cl_int, clEnqueueNativeKernel,                                                     \
      (cl_command_queue queue, void(CL_CALLBACK * function)(void *), void *args,         \
       size_t args_bytes, cl_uint mem_count, const cl_mem *mems,                         \
       const void **mem_places, cl_uint wait_count, const cl_event *wait,                \
       cl_event *event),                                                                 \
      (queue, function, args, args_bytes, mem_count, mems, mem_places, wait_count, wait, \
       event))

/* Those that build a program from source. */
#define DL_BUILD_MAP(X)                                                                  \
    X(cl_int, clBuildProgram,                                                            \
      (cl_program program, cl_uint device_count, const cl_device_id *devices,            \
       const char *options, void(CL_CALLBACK * notify)(cl_program, void *), void *user), \
      (program, device_count, devices, options, notify, user))                           \
    X(cl_int, clCompileProgram,                                                          \
      (cl_program program, cl_uint device_count, const cl_device_id *devices,            \
       const char *options, cl_uint header_count, const cl_program *headers,             \
       const char **header_names, void(CL_CALLBACK * notify)(cl_program, void *),        \
       void *user),                                                                      \
      (program, device_count, devices, options, header_count, headers, header_names,     \
       notify, user))

#define DL_HOOK_MAP(X)                                                                   \
    /* platforms and contexts */                                                         \
    X(cl_context, clCreateContext,                                                       \
      (const cl_context_properties *properties, cl_uint device_count,                    \
       const cl_device_id *devices,                                                      \
       void(CL_CALLBACK * notify)(const char *, const void *, size_t, void *),           \
       void *user, cl_int *err),                                                         \
      (properties, device_count, devices, notify, user, err))                            \
    X(cl_context, clCreateContextFromType,                                               \
      (const cl_context_properties *properties, cl_device_type type,                     \
       void(CL_CALLBACK * notify)(const char *, const void *, size_t, void *),           \
       void *user, cl_int *err),                                                         \
      (properties, type, notify, user, err))                                             \
    X(cl_int, clRetainContext, (cl_context context), (context))                          \
    X(cl_int, clReleaseContext, (cl_context context), (context))                         \
    X(cl_int, clGetContextInfo,                                                          \
      (cl_context context, cl_context_info name, size_t bytes, void *value,              \
       size_t *ret),                                                                     \
      (context, name, bytes, value, ret))                                                \
    /* queues */                                                                         \
    X(cl_command_queue, clCreateCommandQueue,                                            \
      (cl_context context, cl_device_id device, cl_command_queue_properties properties,  \
       cl_int * err),                                                                    \
      (context, device, properties, err))                                                \
    X(cl_command_queue, clCreateCommandQueueWithProperties,                              \
      (cl_context context, cl_device_id device, const cl_queue_properties *properties,   \
       cl_int *err),                                                                     \
      (context, device, properties, err))                                                \
    X(cl_int, clRetainCommandQueue, (cl_command_queue queue), (queue))                   \
    X(cl_int, clReleaseCommandQueue, (cl_command_queue queue), (queue))                  \
    X(cl_int, clGetCommandQueueInfo,                                                     \
      (cl_command_queue queue, cl_command_queue_info name, size_t bytes, void *value,    \
       size_t *ret),                                                                     \
      (queue, name, bytes, value, ret))                                                  \
    X(cl_int, clSetCommandQueueProperty,                                                 \
      (cl_command_queue queue, cl_command_queue_properties properties, cl_bool enable,   \
       cl_command_queue_properties * before),                                            \
      (queue, properties, enable, before))                                               \
    X(cl_int, clGetEventInfo,                                                            \
      (cl_event event, cl_event_info name, size_t bytes, void *value, size_t *ret),      \
      (event, name, bytes, value, ret))                                                  \
    X(cl_int, clGetEventProfilingInfo,                                                   \
      (cl_event event, cl_profiling_info name, size_t bytes, void *value, size_t *ret),  \
      (event, name, bytes, value, ret))                                                  \
    /* events, and what waits for the end of commands */                                 \
    X(cl_event, clCreateUserEvent, (cl_context context, cl_int * err), (context, err))   \
    X(cl_int, clSetUserEventStatus, (cl_event event, cl_int status), (event, status))    \
    X(cl_int, clRetainEvent, (cl_event event), (event))                                  \
    X(cl_int, clReleaseEvent, (cl_event event), (event))                                 \
    X(cl_int, clSetEventCallback,                                                        \
      (cl_event event, cl_int when,                                                      \
       void(CL_CALLBACK * notify)(cl_event, cl_int, void *), void *user),                \
      (event, when, notify, user))                                                       \
    X(cl_int, clFinish, (cl_command_queue queue), (queue))                               \
    /* memory objects */                                                                 \
    X(cl_mem, clCreateBuffer,                                                            \
      (cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *err),   \
      (context, flags, bytes, host, err))                                                \
    X(cl_mem, clCreateBufferWithProperties,                                              \
      (cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,      \
       size_t bytes, void *host, cl_int *err),                                           \
      (context, properties, flags, bytes, host, err))                                    \
    X(cl_mem, clCreateSubBuffer,                                                         \
      (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *info,  \
       cl_int *err),                                                                     \
      (buffer, flags, type, info, err))                                                  \
    X(cl_mem, clCreateImage,                                                             \
      (cl_context context, cl_mem_flags flags, const cl_image_format *format,            \
       const cl_image_desc *desc, void *host, cl_int *err),                              \
      (context, flags, format, desc, host, err))                                         \
    X(cl_mem, clCreateImageWithProperties,                                               \
      (cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,      \
       const cl_image_format *format, const cl_image_desc *desc, void *host,             \
       cl_int *err),                                                                     \
      (context, properties, flags, format, desc, host, err))                             \
    X(cl_int, clRetainMemObject, (cl_mem mem), (mem))                                    \
    X(cl_int, clReleaseMemObject, (cl_mem mem), (mem))                                   \
    X(cl_int, clGetMemObjectInfo,                                                        \
      (cl_mem mem, cl_mem_info name, size_t bytes, void *value, size_t *ret),            \
      (mem, name, bytes, value, ret))                                                    \
    /* programs */                                                                       \
    X(cl_program, clCreateProgramWithSource,                                             \
      (cl_context context, cl_uint count, const char **strings, const size_t *lengths,   \
       cl_int *err),                                                                     \
      (context, count, strings, lengths, err))                                           \
    X(cl_program, clCreateProgramWithBinary,                                             \
      (cl_context context, cl_uint device_count, const cl_device_id *devices,            \
       const size_t *lengths, const unsigned char **binaries, cl_int *binary_status,     \
       cl_int *err),                                                                     \
      (context, device_count, devices, lengths, binaries, binary_status, err))           \
    X(cl_program, clCreateProgramWithBuiltInKernels,                                     \
      (cl_context context, cl_uint device_count, const cl_device_id *devices,            \
       const char *names, cl_int *err),                                                  \
      (context, device_count, devices, names, err))                                      \
    X(cl_program, clCreateProgramWithIL,                                                 \
      (cl_context context, const void *il, size_t bytes, cl_int *err),                   \
      (context, il, bytes, err))                                                         \
    X(cl_int, clRetainProgram, (cl_program program), (program))                          \
    X(cl_int, clReleaseProgram, (cl_program program), (program))                         \
    DL_BUILD_MAP(X)                                                                      \
    X(cl_program, clLinkProgram,                                                         \
      (cl_context context, cl_uint device_count, const cl_device_id *devices,            \
       const char *options, cl_uint input_count, const cl_program *inputs,               \
       void(CL_CALLBACK * notify)(cl_program, void *), void *user, cl_int *err),         \
      (context, device_count, devices, options, input_count, inputs, notify, user, err)) \
    X(cl_int, clGetProgramInfo,                                                          \
      (cl_program program, cl_program_info name, size_t bytes, void *value,              \
       size_t *ret),                                                                     \
      (program, name, bytes, value, ret))                                                \
    /* kernels */                                                                        \
    X(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *err),    \
      (program, name, err))                                                              \
    X(cl_int, clCreateKernelsInProgram,                                                  \
      (cl_program program, cl_uint count, cl_kernel * kernels, cl_uint * count_ret),     \
      (program, count, kernels, count_ret))                                              \
    X(cl_kernel, clCloneKernel, (cl_kernel source, cl_int * err), (source, err))         \
    X(cl_int, clRetainKernel, (cl_kernel kernel), (kernel))                              \
    X(cl_int, clReleaseKernel, (cl_kernel kernel), (kernel))                             \
    X(cl_int, clSetKernelArg,                                                            \
      (cl_kernel kernel, cl_uint index, size_t bytes, const void *value),                \
      (kernel, index, bytes, value))                                                     \
    X(cl_int, clSetKernelArgSVMPointer,                                                  \
      (cl_kernel kernel, cl_uint index, const void *value), (kernel, index, value))      \
    X(cl_int, clSetKernelExecInfo,                                                       \
      (cl_kernel kernel, cl_kernel_exec_info name, size_t bytes, const void *value),     \
      (kernel, name, bytes, value))                                                      \
    /* launches */                                                                       \
    X(cl_int, clEnqueueNDRangeKernel,                                                    \
      (cl_command_queue queue, cl_kernel kernel, cl_uint work_dim, const size_t *offset, \
       const size_t *global, const size_t *local, cl_uint wait_count,                    \
       const cl_event *wait, cl_event *event),                                           \
      (queue, kernel, work_dim, offset, global, local, wait_count, wait, event))         \
    X(cl_int, clEnqueueTask,                                                             \
      (cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,                     \
       const cl_event *wait, cl_event *event),                                           \
      (queue, kernel, wait_count, wait, event))                                          \
    /* commands */                                                                       \
    DL_BLOCKING_COMMAND_MAP(X)                                                           \
    DL_COMMAND_MAP(X)                                                                    \
    X(void *, clEnqueueMapBuffer,                                                        \
      (cl_command_queue queue, cl_mem mem, cl_bool blocking, cl_map_flags flags,         \
       size_t offset, size_t bytes, cl_uint wait_count, const cl_event *wait,            \
       cl_event *event, cl_int *err),                                                    \
      (queue, mem, blocking, flags, offset, bytes, wait_count, wait, event, err))        \
    X(void *, clEnqueueMapImage,                                                         \
      (cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,       \
       const size_t *origin, const size_t *region, size_t *row, size_t *slice,           \
       cl_uint wait_count, const cl_event *wait, cl_event *event, cl_int *err),          \
      (queue, image, blocking, flags, origin, region, row, slice, wait_count, wait,      \
       event, err))                                                                      \
    /* ways to further entry points */                                                   \
    X(void *, clGetExtensionFunctionAddress, (const char *name), (name))                 \
    X(void *, clGetExtensionFunctionAddressForPlatform,                                  \
      (cl_platform_id platform, const char *name), (platform, name))

#endif
