/* SPDX-License-Identifier: MIT */
/* Every OpenCL entry point DL wraps, a row each: DL_NAME(X) is
 * X(result, NAME, (parameters), (arguments)), and DL_HOOK_MAP(X) is all rows.
 *
 * A row makes the signature of the hook and its way to the driver (hooks.h), its place in
 * the layer's dispatch table and its exported symbol (both in entries.c), and what
 * watches it for a trace. An entry point that has no row goes to the driver untouched. */
#ifndef DL_HOOK_LIST_H
#define DL_HOOK_LIST_H

/* The end of each command. */
#define DL_WAIT_PARAMETERS cl_uint wait_count, const cl_event *wait, cl_event *event
#define DL_WAIT_ARGUMENTS wait_count, wait, event

/* ---- platforms and contexts ---- */

#define DL_clCreateContext(X)                                                            \
    X(cl_context, clCreateContext,                                                       \
      (const cl_context_properties *properties, cl_uint device_count,                    \
       const cl_device_id *devices,                                                      \
       void(CL_CALLBACK * notify)(const char *, const void *, size_t, void *),           \
       void *user, cl_int *err),                                                         \
      (properties, device_count, devices, notify, user, err))
#define DL_clCreateContextFromType(X)                                                    \
    X(cl_context, clCreateContextFromType,                                               \
      (const cl_context_properties *properties, cl_device_type type,                     \
       void(CL_CALLBACK * notify)(const char *, const void *, size_t, void *),           \
       void *user, cl_int *err),                                                         \
      (properties, type, notify, user, err))
#define DL_clRetainContext(X) X(cl_int, clRetainContext, (cl_context context), (context))
#define DL_clReleaseContext(X)                                                           \
    X(cl_int, clReleaseContext, (cl_context context), (context))
#define DL_clGetContextInfo(X)                                                           \
    X(cl_int, clGetContextInfo,                                                          \
      (cl_context handle, cl_context_info name, size_t bytes, void *value, size_t *ret), \
      (handle, name, bytes, value, ret))

/* ---- queues ---- */

#define DL_clCreateCommandQueue(X)                                                       \
    X(cl_command_queue, clCreateCommandQueue,                                            \
      (cl_context context, cl_device_id device, cl_command_queue_properties properties,  \
       cl_int * err),                                                                    \
      (context, device, properties, err))
#define DL_clCreateCommandQueueWithProperties(X)                                         \
    X(cl_command_queue, clCreateCommandQueueWithProperties,                              \
      (cl_context context, cl_device_id device, const cl_queue_properties *properties,   \
       cl_int *err),                                                                     \
      (context, device, properties, err))
#define DL_clRetainCommandQueue(X)                                                       \
    X(cl_int, clRetainCommandQueue, (cl_command_queue queue), (queue))
#define DL_clReleaseCommandQueue(X)                                                      \
    X(cl_int, clReleaseCommandQueue, (cl_command_queue queue), (queue))
#define DL_clGetCommandQueueInfo(X)                                                      \
    X(cl_int, clGetCommandQueueInfo,                                                     \
      (cl_command_queue handle, cl_command_queue_info name, size_t bytes, void *value,   \
       size_t *ret),                                                                     \
      (handle, name, bytes, value, ret))
#define DL_clSetCommandQueueProperty(X)                                                  \
    X(cl_int, clSetCommandQueueProperty,                                                 \
      (cl_command_queue handle, cl_command_queue_properties properties, cl_bool enable,  \
       cl_command_queue_properties * before),                                            \
      (handle, properties, enable, before))
#define DL_clGetEventInfo(X)                                                             \
    X(cl_int, clGetEventInfo,                                                            \
      (cl_event event, cl_event_info name, size_t bytes, void *value, size_t *ret),      \
      (event, name, bytes, value, ret))
#define DL_clGetEventProfilingInfo(X)                                                    \
    X(cl_int, clGetEventProfilingInfo,                                                   \
      (cl_event event, cl_profiling_info name, size_t bytes, void *value, size_t *ret),  \
      (event, name, bytes, value, ret))

/* ---- events, and what waits for the end of commands ---- */

#define DL_clCreateUserEvent(X)                                                          \
    X(cl_event, clCreateUserEvent, (cl_context context, cl_int * err), (context, err))
#define DL_clSetUserEventStatus(X)                                                       \
    X(cl_int, clSetUserEventStatus, (cl_event event, cl_int status), (event, status))
#define DL_clRetainEvent(X) X(cl_int, clRetainEvent, (cl_event event), (event))
#define DL_clReleaseEvent(X) X(cl_int, clReleaseEvent, (cl_event event), (event))
#define DL_clSetEventCallback(X)                                                         \
    X(cl_int, clSetEventCallback,                                                        \
      (cl_event event, cl_int when,                                                      \
       void(CL_CALLBACK * notify)(cl_event, cl_int, void *), void *user),                \
      (event, when, notify, user))
#define DL_clFinish(X) X(cl_int, clFinish, (cl_command_queue queue), (queue))

/* ---- memory objects ---- */

#define DL_clCreateBuffer(X)                                                             \
    X(cl_mem, clCreateBuffer,                                                            \
      (cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *err),   \
      (context, flags, bytes, host, err))
#define DL_clCreateBufferWithProperties(X)                                               \
    X(cl_mem, clCreateBufferWithProperties,                                              \
      (cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,      \
       size_t bytes, void *host, cl_int *err),                                           \
      (context, properties, flags, bytes, host, err))
#define DL_clCreateSubBuffer(X)                                                          \
    X(cl_mem, clCreateSubBuffer,                                                         \
      (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *info,  \
       cl_int *err),                                                                     \
      (buffer, flags, type, info, err))
#define DL_clCreateImage(X)                                                              \
    X(cl_mem, clCreateImage,                                                             \
      (cl_context context, cl_mem_flags flags, const cl_image_format *format,            \
       const cl_image_desc *desc, void *host, cl_int *err),                              \
      (context, flags, format, desc, host, err))
#define DL_clCreateImageWithProperties(X)                                                \
    X(cl_mem, clCreateImageWithProperties,                                               \
      (cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,      \
       const cl_image_format *format, const cl_image_desc *desc, void *host,             \
       cl_int *err),                                                                     \
      (context, properties, flags, format, desc, host, err))
#define DL_clRetainMemObject(X) X(cl_int, clRetainMemObject, (cl_mem mem), (mem))
#define DL_clReleaseMemObject(X) X(cl_int, clReleaseMemObject, (cl_mem handle), (handle))
#define DL_clGetMemObjectInfo(X)                                                         \
    X(cl_int, clGetMemObjectInfo,                                                        \
      (cl_mem handle, cl_mem_info name, size_t bytes, void *value, size_t *ret),         \
      (handle, name, bytes, value, ret))

/* ---- programs ---- */

#define DL_clCreateProgramWithSource(X)                                                  \
    X(cl_program, clCreateProgramWithSource,                                             \
      (cl_context context, cl_uint count, const char **strings, const size_t *lengths,   \
       cl_int *err),                                                                     \
      (context, count, strings, lengths, err))
#define DL_clCreateProgramWithBinary(X)                                                  \
    X(cl_program, clCreateProgramWithBinary,                                             \
      (cl_context context, cl_uint device_count, const cl_device_id *devices,            \
       const size_t *lengths, const unsigned char **binaries, cl_int *binary_status,     \
       cl_int *err),                                                                     \
      (context, device_count, devices, lengths, binaries, binary_status, err))
#define DL_clCreateProgramWithBuiltInKernels(X)                                          \
    X(cl_program, clCreateProgramWithBuiltInKernels,                                     \
      (cl_context context, cl_uint device_count, const cl_device_id *devices,            \
       const char *names, cl_int *err),                                                  \
      (context, device_count, devices, names, err))
#define DL_clCreateProgramWithIL(X)                                                      \
    X(cl_program, clCreateProgramWithIL,                                                 \
      (cl_context context, const void *il, size_t bytes, cl_int *err),                   \
      (context, il, bytes, err))
#define DL_clRetainProgram(X) X(cl_int, clRetainProgram, (cl_program program), (program))
#define DL_clReleaseProgram(X)                                                           \
    X(cl_int, clReleaseProgram, (cl_program program), (program))
#define DL_clBuildProgram(X)                                                             \
    X(cl_int, clBuildProgram,                                                            \
      (cl_program handle, cl_uint device_count, const cl_device_id *devices,             \
       const char *options, void(CL_CALLBACK * notify)(cl_program, void *), void *user), \
      (handle, device_count, devices, options, notify, user))
#define DL_clCompileProgram(X)                                                           \
    X(cl_int, clCompileProgram,                                                          \
      (cl_program handle, cl_uint device_count, const cl_device_id *devices,             \
       const char *options, cl_uint header_count, const cl_program *headers,             \
       const char **header_names, void(CL_CALLBACK * notify)(cl_program, void *),        \
       void *user),                                                                      \
      (handle, device_count, devices, options, header_count, headers, header_names,      \
       notify, user))
#define DL_clLinkProgram(X)                                                              \
    X(cl_program, clLinkProgram,                                                         \
      (cl_context context_handle, cl_uint device_count, const cl_device_id *devices,     \
       const char *options, cl_uint input_count, const cl_program *programs,             \
       void(CL_CALLBACK * notify)(cl_program, void *), void *user, cl_int *err),         \
      (context_handle, device_count, devices, options, input_count, programs, notify,    \
       user, err))
#define DL_clGetProgramInfo(X)                                                           \
    X(cl_int, clGetProgramInfo,                                                          \
      (cl_program handle, cl_program_info name, size_t bytes, void *value, size_t *ret), \
      (handle, name, bytes, value, ret))

/* ---- kernels ---- */

#define DL_clCreateKernel(X)                                                             \
    X(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *err),    \
      (program, name, err))
#define DL_clCreateKernelsInProgram(X)                                                   \
    X(cl_int, clCreateKernelsInProgram,                                                  \
      (cl_program handle, cl_uint count, cl_kernel * kernels, cl_uint * count_ret),      \
      (handle, count, kernels, count_ret))
#define DL_clCloneKernel(X)                                                              \
    X(cl_kernel, clCloneKernel, (cl_kernel source_handle, cl_int * err),                 \
      (source_handle, err))
#define DL_clRetainKernel(X) X(cl_int, clRetainKernel, (cl_kernel kernel), (kernel))
#define DL_clReleaseKernel(X) X(cl_int, clReleaseKernel, (cl_kernel kernel), (kernel))
#define DL_clSetKernelArg(X)                                                             \
    X(cl_int, clSetKernelArg,                                                            \
      (cl_kernel handle, cl_uint index, size_t bytes, const void *value),                \
      (handle, index, bytes, value))
#define DL_clSetKernelArgSVMPointer(X)                                                   \
    X(cl_int, clSetKernelArgSVMPointer,                                                  \
      (cl_kernel handle, cl_uint index, const void *value), (handle, index, value))
#define DL_clSetKernelExecInfo(X)                                                        \
    X(cl_int, clSetKernelExecInfo,                                                       \
      (cl_kernel handle, cl_kernel_exec_info name, size_t bytes, const void *value),     \
      (handle, name, bytes, value))

/* ---- launches ---- */

#define DL_clEnqueueNDRangeKernel(X)                                                     \
    X(cl_int, clEnqueueNDRangeKernel,                                                    \
      (cl_command_queue queue, cl_kernel kernel, cl_uint work_dim, const size_t *offset, \
       const size_t *global, const size_t *local, DL_WAIT_PARAMETERS),                   \
      (queue, kernel, work_dim, offset, global, local, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueTask(X)                                                              \
    X(cl_int, clEnqueueTask,                                                             \
      (cl_command_queue queue, cl_kernel kernel, DL_WAIT_PARAMETERS),                    \
      (queue, kernel, DL_WAIT_ARGUMENTS))

/* ---- commands ---- */

#define DL_clEnqueueReadBuffer(X)                                                        \
    X(cl_int, clEnqueueReadBuffer,                                                       \
      (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset,              \
       size_t bytes, void *host, DL_WAIT_PARAMETERS),                                    \
      (queue, mem, blocking, offset, bytes, host, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueWriteBuffer(X)                                                       \
    X(cl_int, clEnqueueWriteBuffer,                                                      \
      (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset,              \
       size_t bytes, const void *host, DL_WAIT_PARAMETERS),                              \
      (queue, mem, blocking, offset, bytes, host, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueReadBufferRect(X)                                                    \
    X(cl_int, clEnqueueReadBufferRect,                                                   \
      (cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *origin,       \
       const size_t *host_origin, const size_t *region, size_t row, size_t slice,        \
       size_t host_row, size_t host_slice, void *host, DL_WAIT_PARAMETERS),              \
      (queue, mem, blocking, origin, host_origin, region, row, slice, host_row,          \
       host_slice, host, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueWriteBufferRect(X)                                                   \
    X(cl_int, clEnqueueWriteBufferRect,                                                  \
      (cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *origin,       \
       const size_t *host_origin, const size_t *region, size_t row, size_t slice,        \
       size_t host_row, size_t host_slice, const void *host, DL_WAIT_PARAMETERS),        \
      (queue, mem, blocking, origin, host_origin, region, row, slice, host_row,          \
       host_slice, host, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueReadImage(X)                                                         \
    X(cl_int, clEnqueueReadImage,                                                        \
      (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,     \
       const size_t *region, size_t row, size_t slice, void *host, DL_WAIT_PARAMETERS),  \
      (queue, image, blocking, origin, region, row, slice, host, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueWriteImage(X)                                                        \
    X(cl_int, clEnqueueWriteImage,                                                       \
      (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,     \
       const size_t *region, size_t row, size_t slice, const void *host,                 \
       DL_WAIT_PARAMETERS),                                                              \
      (queue, image, blocking, origin, region, row, slice, host, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueCopyBuffer(X)                                                        \
    X(cl_int, clEnqueueCopyBuffer,                                                       \
      (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,               \
       size_t to_offset, size_t bytes, DL_WAIT_PARAMETERS),                              \
      (queue, from, to, from_offset, to_offset, bytes, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueCopyBufferRect(X)                                                    \
    X(cl_int, clEnqueueCopyBufferRect,                                                   \
      (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,        \
       const size_t *to_origin, const size_t *region, size_t from_row,                   \
       size_t from_slice, size_t to_row, size_t to_slice, DL_WAIT_PARAMETERS),           \
      (queue, from, to, from_origin, to_origin, region, from_row, from_slice, to_row,    \
       to_slice, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueFillBuffer(X)                                                        \
    X(cl_int, clEnqueueFillBuffer,                                                       \
      (cl_command_queue queue, cl_mem mem, const void *pattern, size_t pattern_bytes,    \
       size_t offset, size_t bytes, DL_WAIT_PARAMETERS),                                 \
      (queue, mem, pattern, pattern_bytes, offset, bytes, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueCopyBufferToImage(X)                                                 \
    X(cl_int, clEnqueueCopyBufferToImage,                                                \
      (cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,                    \
       const size_t *origin, const size_t *region, DL_WAIT_PARAMETERS),                  \
      (queue, from, to, offset, origin, region, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueCopyImageToBuffer(X)                                                 \
    X(cl_int, clEnqueueCopyImageToBuffer,                                                \
      (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *origin,             \
       const size_t *region, size_t offset, DL_WAIT_PARAMETERS),                         \
      (queue, from, to, origin, region, offset, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueUnmapMemObject(X)                                                    \
    X(cl_int, clEnqueueUnmapMemObject,                                                   \
      (cl_command_queue queue, cl_mem handle, void *mapped, DL_WAIT_PARAMETERS),         \
      (queue, handle, mapped, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueMigrateMemObjects(X)                                                 \
    X(cl_int, clEnqueueMigrateMemObjects,                                                \
      (cl_command_queue queue, cl_uint mem_count, const cl_mem *mems,                    \
       cl_mem_migration_flags flags, DL_WAIT_PARAMETERS),                                \
      (queue, mem_count, mems, flags, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueCopyImage(X)                                                         \
    X(cl_int, clEnqueueCopyImage,                                                        \
      (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,        \
       const size_t *to_origin, const size_t *region, DL_WAIT_PARAMETERS),               \
      (queue, from, to, from_origin, to_origin, region, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueFillImage(X)                                                         \
    X(cl_int, clEnqueueFillImage,                                                        \
      (cl_command_queue queue, cl_mem image, const void *color, const size_t *origin,    \
       const size_t *region, DL_WAIT_PARAMETERS),                                        \
      (queue, image, color, origin, region, DL_WAIT_ARGUMENTS))
#define DL_clEnqueueNativeKernel(X)                                                      \
    X(cl_int, clEnqueueNativeKernel,                                                     \
      (cl_command_queue queue, void(CL_CALLBACK * function)(void *), void *args,         \
       size_t args_bytes, cl_uint mem_count, const cl_mem *mems,                         \
       const void **mem_places, DL_WAIT_PARAMETERS),                                     \
      (queue, function, args, args_bytes, mem_count, mems, mem_places,                   \
       DL_WAIT_ARGUMENTS))
#define DL_clEnqueueMapBuffer(X)                                                         \
    X(void *, clEnqueueMapBuffer,                                                        \
      (cl_command_queue queue, cl_mem handle, cl_bool blocking, cl_map_flags flags,      \
       size_t offset, size_t bytes, DL_WAIT_PARAMETERS, cl_int * err),                   \
      (queue, handle, blocking, flags, offset, bytes, DL_WAIT_ARGUMENTS, err))
#define DL_clEnqueueMapImage(X)                                                          \
    X(void *, clEnqueueMapImage,                                                         \
      (cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,       \
       const size_t *origin, const size_t *region, size_t *row, size_t *slice,           \
       DL_WAIT_PARAMETERS, cl_int *err),                                                 \
      (queue, image, blocking, flags, origin, region, row, slice, DL_WAIT_ARGUMENTS,     \
       err))

/* ---- ways to further entry points ---- */

#define DL_clGetExtensionFunctionAddress(X)                                              \
    X(void *, clGetExtensionFunctionAddress, (const char *name), (name))
#define DL_clGetExtensionFunctionAddressForPlatform(X)                                   \
    X(void *, clGetExtensionFunctionAddressForPlatform,                                  \
      (cl_platform_id platform, const char *name), (platform, name))

/* ---- the list ---- */

#define DL_ROWS(X, a, b, c) DL_##a(X) DL_##b(X) DL_##c(X)
#define DL_none(X)

/* Commands. */
#define DL_COMMAND_MAP(X)                                                                \
    DL_ROWS(X, clEnqueueNDRangeKernel, clEnqueueTask, clEnqueueNativeKernel)             \
    DL_ROWS(X, clEnqueueReadBuffer, clEnqueueWriteBuffer, clEnqueueReadBufferRect)       \
    DL_ROWS(X, clEnqueueWriteBufferRect, clEnqueueCopyBuffer, clEnqueueCopyBufferRect)   \
    DL_ROWS(X, clEnqueueFillBuffer, clEnqueueCopyBufferToImage, clEnqueueReadImage)      \
    DL_ROWS(X, clEnqueueCopyImageToBuffer, clEnqueueWriteImage, clEnqueueCopyImage)      \
    DL_ROWS(X, clEnqueueFillImage, clEnqueueMapBuffer, clEnqueueMapImage)                \
    DL_ROWS(X, clEnqueueUnmapMemObject, clEnqueueMigrateMemObjects, none)
/* Those that build a program from source. */
#define DL_BUILD_MAP(X) DL_ROWS(X, clBuildProgram, clCompileProgram, none)
/* All of them. */
#define DL_HOOK_MAP(X)                                                                   \
    DL_ROWS(X, clCreateContext, clCreateContextFromType, clRetainContext)                \
    DL_ROWS(X, clReleaseContext, clGetContextInfo, clCreateCommandQueue)                 \
    DL_ROWS(X, clCreateCommandQueueWithProperties, clRetainCommandQueue,                 \
            clReleaseCommandQueue)                                                       \
    DL_ROWS(X, clGetCommandQueueInfo, clSetCommandQueueProperty, clGetEventInfo)         \
    DL_ROWS(X, clGetEventProfilingInfo, clCreateUserEvent, clSetUserEventStatus)         \
    DL_ROWS(X, clRetainEvent, clReleaseEvent, clSetEventCallback)                        \
    DL_ROWS(X, clFinish, clCreateBuffer, clCreateBufferWithProperties)                   \
    DL_ROWS(X, clCreateSubBuffer, clCreateImage, clCreateImageWithProperties)            \
    DL_ROWS(X, clRetainMemObject, clReleaseMemObject, clGetMemObjectInfo)                \
    DL_ROWS(X, clCreateProgramWithSource, clCreateProgramWithBinary,                     \
            clCreateProgramWithBuiltInKernels)                                           \
    DL_ROWS(X, clCreateProgramWithIL, clRetainProgram, clReleaseProgram)                 \
    DL_ROWS(X, clLinkProgram, clGetProgramInfo, clCreateKernel)                          \
    DL_ROWS(X, clCreateKernelsInProgram, clCloneKernel, clRetainKernel)                  \
    DL_ROWS(X, clReleaseKernel, clSetKernelArg, clSetKernelArgSVMPointer)                \
    DL_ROWS(X, clSetKernelExecInfo, clGetExtensionFunctionAddress,                       \
            clGetExtensionFunctionAddressForPlatform)                                    \
    DL_BUILD_MAP(X)                                                                      \
    DL_COMMAND_MAP(X)

#endif
