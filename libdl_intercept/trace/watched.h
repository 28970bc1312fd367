/* SPDX-License-Identifier: MIT */
/* Commands that the trace watches: X(name, (parameters), (arguments), bytes that it
 * moves, or 0 where that is not known, whether the call may block). Those that return a
 * pointer come apart. */
#ifndef DL_INTERCEPT_TRACE_WATCHED_H
#define DL_INTERCEPT_TRACE_WATCHED_H

#define DL__WATCHED_MAP(X)                                                               \
    X(clEnqueueReadBuffer,                                                               \
      (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset,              \
       size_t bytes, void *host, cl_uint wait_count, const cl_event *wait,               \
       cl_event *event),                                                                 \
      (queue, mem, blocking, offset, bytes, host, wait_count, wait, event), bytes,       \
      blocking)                                                                          \
    X(clEnqueueWriteBuffer,                                                              \
      (cl_command_queue queue, cl_mem mem, cl_bool blocking, size_t offset,              \
       size_t bytes, const void *host, cl_uint wait_count, const cl_event *wait,         \
       cl_event *event),                                                                 \
      (queue, mem, blocking, offset, bytes, host, wait_count, wait, event), bytes,       \
      blocking)                                                                          \
    X(clEnqueueReadBufferRect,                                                           \
      (cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *origin,       \
       const size_t *host_origin, const size_t *region, size_t row, size_t slice,        \
       size_t host_row, size_t host_slice, void *host, cl_uint wait_count,               \
       const cl_event *wait, cl_event *event),                                           \
      (queue, mem, blocking, origin, host_origin, region, row, slice, host_row,          \
       host_slice, host, wait_count, wait, event),                                       \
      region_bytes(region), blocking)                                                    \
    X(clEnqueueWriteBufferRect,                                                          \
      (cl_command_queue queue, cl_mem mem, cl_bool blocking, const size_t *origin,       \
       const size_t *host_origin, const size_t *region, size_t row, size_t slice,        \
       size_t host_row, size_t host_slice, const void *host, cl_uint wait_count,         \
       const cl_event *wait, cl_event *event),                                           \
      (queue, mem, blocking, origin, host_origin, region, row, slice, host_row,          \
       host_slice, host, wait_count, wait, event),                                       \
      region_bytes(region), blocking)                                                    \
    X(clEnqueueCopyBuffer,                                                               \
      (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,               \
       size_t to_offset, size_t bytes, cl_uint wait_count, const cl_event *wait,         \
       cl_event *event),                                                                 \
      (queue, from, to, from_offset, to_offset, bytes, wait_count, wait, event), bytes,  \
      false)                                                                             \
    X(clEnqueueCopyBufferRect,                                                           \
      (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,        \
       const size_t *to_origin, const size_t *region, size_t from_row,                   \
       size_t from_slice, size_t to_row, size_t to_slice, cl_uint wait_count,            \
       const cl_event *wait, cl_event *event),                                           \
      (queue, from, to, from_origin, to_origin, region, from_row, from_slice, to_row,    \
       to_slice, wait_count, wait, event),                                               \
      region_bytes(region), false)                                                       \
    X(clEnqueueFillBuffer,                                                               \
      (cl_command_queue queue, cl_mem mem, const void *pattern, size_t pattern_bytes,    \
       size_t offset, size_t bytes, cl_uint wait_count, const cl_event *wait,            \
       cl_event *event),                                                                 \
      (queue, mem, pattern, pattern_bytes, offset, bytes, wait_count, wait, event),      \
      bytes, false)                                                                      \
    X(clEnqueueCopyBufferToImage,                                                        \
      (cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,                    \
       const size_t *origin, const size_t *region, cl_uint wait_count,                   \
       const cl_event *wait, cl_event *event),                                           \
      (queue, from, to, offset, origin, region, wait_count, wait, event), 0, false)      \
    X(clEnqueueCopyImageToBuffer,                                                        \
      (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *origin,             \
       const size_t *region, size_t offset, cl_uint wait_count, const cl_event *wait,    \
       cl_event *event),                                                                 \
      (queue, from, to, origin, region, offset, wait_count, wait, event), 0, false)      \
    X(clEnqueueReadImage,                                                                \
      (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,     \
       const size_t *region, size_t row, size_t slice, void *host, cl_uint wait_count,   \
       const cl_event *wait, cl_event *event),                                           \
      (queue, image, blocking, origin, region, row, slice, host, wait_count, wait,       \
       event),                                                                           \
      0, blocking)                                                                       \
    X(clEnqueueWriteImage,                                                               \
      (cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *origin,     \
       const size_t *region, size_t row, size_t slice, const void *host,                 \
       cl_uint wait_count, const cl_event *wait, cl_event *event),                       \
      (queue, image, blocking, origin, region, row, slice, host, wait_count, wait,       \
       event),                                                                           \
      0, blocking)                                                                       \
    X(clEnqueueCopyImage,                                                                \
      (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,        \
       const size_t *to_origin, const size_t *region, cl_uint wait_count,                \
       const cl_event *wait, cl_event *event),                                           \
      (queue, from, to, from_origin, to_origin, region, wait_count, wait, event), 0,     \
      false)                                                                             \
    X(clEnqueueFillImage,                                                                \
      (cl_command_queue queue, cl_mem image, const void *color, const size_t *origin,    \
       const size_t *region, cl_uint wait_count, const cl_event *wait, cl_event *event), \
      (queue, image, color, origin, region, wait_count, wait, event), 0, false)          \
    X(clEnqueueUnmapMemObject,                                                           \
      (cl_command_queue queue, cl_mem mem, void *mapped, cl_uint wait_count,             \
       const cl_event *wait, cl_event *event),                                           \
      (queue, mem, mapped, wait_count, wait, event), 0, false)                           \
    X(clEnqueueMigrateMemObjects,                                                        \
      (cl_command_queue queue, cl_uint mem_count, const cl_mem *mems,                    \
       cl_mem_migration_flags flags, cl_uint wait_count, const cl_event *wait,           \
       cl_event *event),                                                                 \
      (queue, mem_count, mems, flags, wait_count, wait, event), 0, false)                \
    X(clEnqueueNativeKernel,                                                             \
      (cl_command_queue queue, void(CL_CALLBACK * function)(void *), void *args,         \
       size_t args_bytes, cl_uint mem_count, const cl_mem *mems,                         \
       const void **mem_places, cl_uint wait_count, const cl_event *wait,                \
       cl_event *event),                                                                 \
      (queue, function, args, args_bytes, mem_count, mems, mem_places, wait_count, wait, \
       event),                                                                           \
      0, false)

/* Those that wait, or build: X(name, (parameters), (arguments)). */
#define DL__WAITING_MAP(X)                                                               \
    X(clWaitForEvents, (cl_uint count, const cl_event *list), (count, list))             \
    X(clFinish, (cl_command_queue queue), (queue))

#define DL__BUILDING_MAP(X)                                                              \
    X(clBuildProgram,                                                                    \
      (cl_program program, cl_uint device_count, const cl_device_id *devices,            \
       const char *options, void(CL_CALLBACK * notify)(cl_program, void *), void *user), \
      (program, device_count, devices, options, notify, user))                           \
    X(clCompileProgram,                                                                  \
      (cl_program program, cl_uint device_count, const cl_device_id *devices,            \
       const char *options, cl_uint header_count, const cl_program *headers,             \
       const char **header_names, void(CL_CALLBACK * notify)(cl_program, void *),        \
       void *user),                                                                      \
      (program, device_count, devices, options, header_count, headers, header_names,     \
       notify, user))

#endif
