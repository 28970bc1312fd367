/* SPDX-License-Identifier: MIT */
/* Functions for programs that use DL's layouts themselves. They return which layout a
 * buffer is in, let host code read and write a buffer in another layout than an array of
 * structs, and convert a buffer at a time of the program's choice. No program needs this
 * file to run under DL, and a program that includes it also runs without DL.
 *
 *     #include <dl.h>
 *
 *     cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_SOA_DL,
 *                                   .struct_bytes = sizeof(cell)};
 *     const cl_field_dl fields[] = {{offsetof(cell, density), sizeof(float)},
 *                                   {offsetof(cell, speed), sizeof(float)},
 *                                   {offsetof(cell, heat), sizeof(float)},
 *                                   {offsetof(cell, dye), sizeof(float)}};
 *
 *     error = dl_buffer_set_host_layout(cells, &layout, 4, fields);
 *     if (error != CL_SUCCESS) (without DL, or it leaves the buffer as it is)
 *         layout = (cl_buffer_layout_dl){.kind = CL_LAYOUT_AOS_DL,
 *                                        .struct_bytes = sizeof(cell)};
 *     for (cl_int i = 0; i < count; i++)
 *         *(float *)(host + dl_layout_byte(&layout, offsetof(cell, density),
 *                                          sizeof(float), i)) = (float)(i % 7);
 *     check(clEnqueueWriteBuffer(queue, cells, CL_TRUE, 0, bytes, host, 0, NULL, NULL),
 *           "clEnqueueWriteBuffer");
 *
 * The functions of DL are clGetBufferLayoutDL, clSetBufferHostLayoutDL and
 * clEnqueueMarshalBufferDL. Programs call them through the dl_buffer_ functions below,
 * which also work without DL. Those find DL's functions as weak symbols when DL is
 * preloaded (dl-run, LD_PRELOAD), and by clGetExtensionFunctionAddressForPlatform in any
 * case, even when DL is only an OpenCL layer. Define DL_NO_WEAK_SYMBOLS for compilers and
 * linkers without weak symbols.
 *
 * Buffers are ordinary OpenCL buffers of structs of `struct_bytes`, without gaps. The
 * fields of a struct are scalars or vectors; each element of an array in a struct is a
 * field of its own.
 *
 * Errors are OpenCL's. A call that fails has changed nothing. Threads: all functions are
 * safe, as OpenCL's are. */
#ifndef DL_H
#define DL_H

#include <string.h>

#include <CL/cl.h>

#include "dl_version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef cl_uint cl_layout_dl;

/* An array of structs, which is the program's layout without DL. */
#define CL_LAYOUT_AOS_DL 0
/* Tiles of tile_structs structs, each with an array for each field; the last tile may be
 * shorter. */
#define CL_LAYOUT_ASTA_DL 1
/* An array for each field over the largest number of structs that tile_structs divides,
 * then a short tile. */
#define CL_LAYOUT_DA_DL 2
/* An array for each field, over all structs. */
#define CL_LAYOUT_SOA_DL 3

typedef struct cl_buffer_layout_dl {
    cl_layout_dl kind;
    cl_uint tile_structs;  /* 0 for AoS and SoA; as an input, 0 lets DL choose */
    cl_uint struct_bytes;  /* 0: no struct is known, and the layout is AoS */
    cl_uint version;       /* of this struct: 0 */
    cl_ulong structs;      /* whole structs in the buffer; bytes after them stay put */
    cl_ulong head_structs; /* the structs in whole tiles */
} cl_buffer_layout_dl;

typedef struct cl_field_dl {
    cl_uint offset_bytes, width_bytes; /* width 1 to 128 */
} cl_field_dl;

/* Returns the layout that the buffer has when all commands enqueued so far are done. It
 * is AoS for a sub-buffer and for any other buffer that DL does not convert.
 *   layout  out
 *   errors  CL_INVALID_MEM_OBJECT; CL_INVALID_VALUE: layout is NULL */
typedef cl_int(CL_API_CALL *clGetBufferLayoutDL_fn)(cl_mem buffer,
                                                    cl_buffer_layout_dl *layout);

/* Sets the layout in which the host sees the buffer: from now on clEnqueueReadBuffer,
 * WriteBuffer, their Rect forms and clEnqueueMapBuffer mean the bytes of the buffer in
 * that layout. If the buffer is not in that layout, it is converted first, and stays so
 * until a kernel or another command needs it differently: take the layout in which the
 * kernels run, which dl-run --stats names. A write of the whole buffer converts nothing
 * by itself. All other commands, including kernels without annotations, still mean
 * an array of structs.
 *   layout  in: kind; tile_structs, or 0 for DL's own; struct_bytes, needed with fields
 *           out: all of it, ready for dl_layout_byte
 *   fields  those of the struct, in any order; borrowed for the call; padding may be
 *           left out. NULL with a field_count of 0: the struct of the kernel for which DL
 *           last converted the buffer
 *   errors  CL_INVALID_MEM_OBJECT
 *           CL_INVALID_VALUE: layout is NULL, its kind or version unknown; fields without
 *           struct_bytes; a field is empty, wider than 128 bytes, past the struct's end
 *           or overlaps another; the struct is larger than the buffer; fields and
 *           field_count disagree; tile_structs does not fit the kind
 *           CL_INVALID_OPERATION: DL does not convert this buffer (a sub-buffer, an
 *           image, one that is CL_MEM_READ_ONLY or CL_MEM_USE_HOST_PTR, shared with
 *           another API, or has a sub-buffer or a recorded command now); it is mapped; no
 *           struct of it is known; there is no DL. CL_LAYOUT_AOS_DL is refused only while
 *           the buffer is mapped in another layout
 *           CL_OUT_OF_HOST_MEMORY
 * A host command on the buffer returns CL_INVALID_OPERATION when the buffer can't be
 * converted any more, for the reasons above or because the queue's device can't convert;
 * so does every command that needs it in another layout while it is mapped. */
typedef cl_int(CL_API_CALL *clSetBufferHostLayoutDL_fn)(cl_mem buffer,
                                                        cl_buffer_layout_dl *layout,
                                                        cl_uint field_count,
                                                        const cl_field_dl *fields);

/* Converts the buffer to the layout on the queue, now rather than when a command needs
 * it: before a loop that is timed, or while the device is idle. The layout that the host
 * sees does not change. The conversion comes after all commands on the buffer enqueued so
 * far and before all later ones, on any queue. The wait list delays only the event: if
 * the conversion waited and an event failed, the buffer would not be in the layout that
 * DL records.
 *   layout, fields  as above
 *   event   out, may be NULL: the event of a CL_COMMAND_MARKER that comes after the
 *           conversion and the wait list; the caller releases it
 *   errors  as above, and CL_INVALID_COMMAND_QUEUE; CL_INVALID_CONTEXT: the queue or an
 *           event is of another context than the buffer; CL_INVALID_EVENT_WAIT_LIST;
 *           CL_INVALID_OPERATION also where the queue's device can't convert;
 *           CL_OUT_OF_RESOURCES */
typedef cl_int(CL_API_CALL *clEnqueueMarshalBufferDL_fn)(
    cl_command_queue queue, cl_mem buffer, const cl_buffer_layout_dl *layout,
    cl_uint field_count, const cl_field_dl *fields, cl_uint wait_count,
    const cl_event *wait, cl_event *event);

#if defined(__GNUC__) && !defined(DL_NO_WEAK_SYMBOLS)
#define DL_WEAK_SYMBOLS 1
extern __attribute__((weak)) cl_int CL_API_CALL
clGetBufferLayoutDL(cl_mem buffer, cl_buffer_layout_dl *layout);
extern __attribute__((weak)) cl_int CL_API_CALL
clSetBufferHostLayoutDL(cl_mem buffer, cl_buffer_layout_dl *layout, cl_uint field_count,
                        const cl_field_dl *fields);
extern __attribute__((weak)) cl_int CL_API_CALL clEnqueueMarshalBufferDL(
    cl_command_queue queue, cl_mem buffer, const cl_buffer_layout_dl *layout,
    cl_uint field_count, const cl_field_dl *fields, cl_uint wait_count,
    const cl_event *wait, cl_event *event);
#endif

/* Returns the byte at which a field of struct dl_i starts, in a buffer or in host memory
 * in that layout. dl_i < structs; offset and width are those in cl_field_dl. */
static inline size_t dl_layout_byte(const cl_buffer_layout_dl *dl_layout,
                                    size_t dl_offset_bytes, size_t dl_width_bytes,
                                    size_t dl_i)
{
    size_t dl_first = 0, dl_count = (size_t)dl_layout->head_structs;

    if (dl_layout->kind == CL_LAYOUT_AOS_DL)
        return dl_i * dl_layout->struct_bytes + dl_offset_bytes;
    if (dl_i >= dl_layout->head_structs) {
        dl_first = (size_t)dl_layout->head_structs;
        dl_count = (size_t)dl_layout->structs - dl_first;
    } else if (dl_layout->kind == CL_LAYOUT_ASTA_DL) {
        dl_first = dl_i - dl_i % dl_layout->tile_structs;
        dl_count = dl_layout->tile_structs;
    }
    return dl_first * dl_layout->struct_bytes + dl_count * dl_offset_bytes +
           (dl_i - dl_first) * dl_width_bytes;
}

/* All names in the functions below begin with dl_, so that they shadow no variable of the
 * program.
 *
 * Returns the function of this name in the buffer's driver, or in a layer above it; NULL:
 * there is none.
 */
static inline void *dl_find_function(cl_mem dl_buffer, const char *dl_name)
{
    cl_context dl_context = NULL;
    cl_device_id dl_devices[64];
    cl_platform_id dl_platform = NULL;

    if (clGetMemObjectInfo(dl_buffer, CL_MEM_CONTEXT, sizeof dl_context, &dl_context,
                           NULL) != CL_SUCCESS ||
        clGetContextInfo(dl_context, CL_CONTEXT_DEVICES, sizeof dl_devices, dl_devices,
                         NULL) != CL_SUCCESS ||
        clGetDeviceInfo(dl_devices[0], CL_DEVICE_PLATFORM, sizeof dl_platform,
                        &dl_platform, NULL) != CL_SUCCESS)
        return NULL;
    return clGetExtensionFunctionAddressForPlatform(dl_platform, dl_name);
}

/* Sets dl_variable, of type dl_name_fn, to the function; NULL: there is no DL. */
#ifdef DL_WEAK_SYMBOLS
#define DL_FIND_FUNCTION(dl_variable, dl_buffer, dl_name)                                \
    do {                                                                                 \
        dl_variable = dl_name;                                                           \
        if (!dl_variable) {                                                              \
            void *dl_found_by_address = dl_find_function(dl_buffer, #dl_name);           \
            memcpy(&dl_variable, &dl_found_by_address, sizeof dl_variable);              \
        }                                                                                \
    } while (0)
#else
#define DL_FIND_FUNCTION(dl_variable, dl_buffer, dl_name)                                \
    do {                                                                                 \
        void *dl_found_by_address = dl_find_function(dl_buffer, #dl_name);               \
        memcpy(&dl_variable, &dl_found_by_address, sizeof dl_variable);                  \
    } while (0)
#endif

/* Checks a handle if there is no DL to do so. */
static inline cl_int dl_check_buffer(cl_mem dl_buffer)
{
    cl_mem_object_type dl_type;

    return clGetMemObjectInfo(dl_buffer, CL_MEM_TYPE, sizeof dl_type, &dl_type, NULL);
}

/* Calls clGetBufferLayoutDL; without DL every buffer is AoS. */
static inline cl_int dl_buffer_get_layout(cl_mem dl_buffer,
                                          cl_buffer_layout_dl *dl_layout)
{
    clGetBufferLayoutDL_fn dl_get;
    cl_int dl_err;

    DL_FIND_FUNCTION(dl_get, dl_buffer, clGetBufferLayoutDL);
    if (dl_get)
        return dl_get(dl_buffer, dl_layout);
    dl_err = dl_check_buffer(dl_buffer);
    if (dl_err != CL_SUCCESS)
        return dl_err;
    if (!dl_layout)
        return CL_INVALID_VALUE;
    memset(dl_layout, 0, sizeof *dl_layout);
    return CL_SUCCESS;
}

/* Calls clSetBufferHostLayoutDL; without DL only CL_LAYOUT_AOS_DL succeeds, and all other
 * layouts give CL_INVALID_OPERATION. */
static inline cl_int dl_buffer_set_host_layout(cl_mem dl_buffer,
                                               cl_buffer_layout_dl *dl_layout,
                                               cl_uint dl_field_count,
                                               const cl_field_dl *dl_fields)
{
    clSetBufferHostLayoutDL_fn dl_set;
    cl_int dl_err;

    DL_FIND_FUNCTION(dl_set, dl_buffer, clSetBufferHostLayoutDL);
    if (dl_set)
        return dl_set(dl_buffer, dl_layout, dl_field_count, dl_fields);
    dl_err = dl_check_buffer(dl_buffer);
    if (dl_err != CL_SUCCESS)
        return dl_err;
    return dl_layout && dl_layout->kind == CL_LAYOUT_AOS_DL ? CL_SUCCESS
                                                            : CL_INVALID_OPERATION;
}

/* Calls clEnqueueMarshalBufferDL; without DL it enqueues a marker for CL_LAYOUT_AOS_DL,
 * and all other layouts give CL_INVALID_OPERATION. */
static inline cl_int
dl_buffer_enqueue_marshal(cl_command_queue dl_queue, cl_mem dl_buffer,
                          const cl_buffer_layout_dl *dl_layout, cl_uint dl_field_count,
                          const cl_field_dl *dl_fields, cl_uint dl_wait_count,
                          const cl_event *dl_wait, cl_event *dl_event)
{
    clEnqueueMarshalBufferDL_fn dl_marshal;
    cl_int dl_err;

    DL_FIND_FUNCTION(dl_marshal, dl_buffer, clEnqueueMarshalBufferDL);
    if (dl_marshal)
        return dl_marshal(dl_queue, dl_buffer, dl_layout, dl_field_count, dl_fields,
                          dl_wait_count, dl_wait, dl_event);
    dl_err = dl_check_buffer(dl_buffer);
    if (dl_err != CL_SUCCESS)
        return dl_err;
    if (!dl_layout || dl_layout->kind != CL_LAYOUT_AOS_DL)
        return CL_INVALID_OPERATION;
    return clEnqueueMarkerWithWaitList(dl_queue, dl_wait_count, dl_wait, dl_event);
}

#ifdef __cplusplus
}
#endif

#endif
