/* For programs that want to take part in DL: which layout a buffer is in, host code that
 * reads and writes a buffer in another layout than an array of structs, and conversions
 * at a time of the program's choice. Everything here may be left out: a program that
 * never includes this file runs under DL all the same, and one that does runs without DL
 * all the same.
 *
 *     #include <dl.h>
 *
 *     cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_SOA_DL};
 *     if (dl_buffer_set_host_layout(cells, &layout, 0, NULL) != CL_SUCCESS)
 *         layout = aos;   (no DL, or not this buffer: as the program has it)
 *     clEnqueueReadBuffer(queue, cells, CL_TRUE, 0, bytes, host, 0, NULL, NULL);
 *     for (size_t i = 0; i < count; i++)
 *         sum += *(float *)(host + dl_layout_byte(&layout, 4, sizeof(float), i));
 *
 * The functions of DL are called clGetBufferLayoutDL, clSetBufferHostLayoutDL and
 * clEnqueueMarshalBufferDL. Programs need not look for them: the dl_buffer_ functions
 * below do, and do what is right where there is no DL. They are found as weak symbols
 * when DL is preloaded (dl-run, LD_PRELOAD), and by
 * clGetExtensionFunctionAddressForPlatform always, also when DL is only an OpenCL layer.
 * Define DL_NO_WEAK_SYMBOLS for compilers and linkers without weak symbols.
 *
 * Buffers are ordinary OpenCL buffers of structs: `struct_bytes` each, without gaps. A
 * struct has fields, which are scalars or vectors; an array in a struct is as many fields
 * as it has elements.
 *
 * Errors are OpenCL's. A call that fails has changed nothing. Threads: all functions are
 * safe, as OpenCL's are. */
#ifndef DL_H
#define DL_H

#include <string.h>

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef cl_uint cl_layout_dl;

/* An array of structs: as the program has it without DL. */
#define CL_LAYOUT_AOS_DL 0
/* Tiles of tile_structs structs, each tile an array a field; the last may be shorter. */
#define CL_LAYOUT_ASTA_DL 1
/* An array a field of as many structs as tile_structs divides, then a short tile. */
#define CL_LAYOUT_DA_DL 2
/* An array a field, of all structs. */
#define CL_LAYOUT_SOA_DL 3

typedef struct cl_buffer_layout_dl {
    cl_layout_dl kind;
    cl_uint tile_structs;  /* 0 for AoS and SoA; given to DL, 0 lets it choose */
    cl_uint struct_bytes;  /* 0: no struct is known, and the layout is AoS */
    cl_uint reserved;      /* 0 */
    cl_ulong structs;      /* whole ones in the buffer; the bytes after them stay put */
    cl_ulong head_structs; /* those in whole tiles */
} cl_buffer_layout_dl;

typedef struct cl_field_dl {
    cl_uint offset_bytes, width_bytes; /* width 1 to 128 */
} cl_field_dl;

/* The layout that the buffer has when all commands enqueued so far are done. For a
 * sub-buffer and whatever else DL does not convert, AoS.
 *   layout  out
 *   errors  CL_INVALID_MEM_OBJECT; CL_INVALID_VALUE: layout is NULL */
typedef cl_int(CL_API_CALL *clGetBufferLayoutDL_fn)(cl_mem buffer,
                                                    cl_buffer_layout_dl *layout);

/* The host wants the buffer in a layout: from now on clEnqueueReadBuffer, WriteBuffer,
 * their Rect forms and clEnqueueMapBuffer mean the bytes of the buffer in that layout.
 * Where it lies so already nothing is converted; otherwise it is converted first, and
 * stays so until a kernel or another command wants it differently. A write of the whole
 * buffer converts nothing. All other commands, kernels without annotations among them,
 * mean an array of structs as ever.
 *   layout  in: kind; tile_structs, or 0 for DL's own; struct_bytes, needed with fields
 *           out: all of it, ready for dl_layout_byte
 *   fields  the struct's, in any order; borrowed for the call; padding may be left out.
 *           NULL with a field_count of 0: the struct of the kernel that DL last converted
 *           the buffer for
 *   errors  CL_INVALID_MEM_OBJECT
 *           CL_INVALID_VALUE: layout is NULL or its kind unknown; a field is empty, wider
 *           than 128 bytes, past the struct's end or overlaps another; the struct is
 *           larger than the buffer; fields and field_count disagree; tile_structs does
 *           not fit the kind
 *           CL_INVALID_OPERATION: DL does not convert this buffer (a sub-buffer, an
 *           image, one that is CL_MEM_READ_ONLY or CL_MEM_USE_HOST_PTR, shared with
 *           another API, or has a sub-buffer or a recorded command now); it is mapped; no
 *           struct of it is known; there is no DL. CL_LAYOUT_AOS_DL is refused only while
 *           the buffer is mapped in another layout
 *           CL_OUT_OF_HOST_MEMORY
 * A host command on the buffer gives CL_INVALID_OPERATION when the buffer can't be
 * converted any more, for the reasons above or because the queue's device can't; so does
 * every command that wants it in another layout while it is mapped. */
typedef cl_int(CL_API_CALL *clSetBufferHostLayoutDL_fn)(cl_mem buffer,
                                                        cl_buffer_layout_dl *layout,
                                                        cl_uint field_count,
                                                        const cl_field_dl *fields);

/* Converts the buffer to the layout on the queue, now rather than when a command needs
 * it: before a loop that is timed, or while the device waits. What the host sees does not
 * change. The conversion comes after all commands on the buffer enqueued so far and
 * before those that come later, on any queue. The wait list delays the event alone: were
 * it to fail, the buffer would lie otherwise than DL knows.
 *   layout, fields  as above
 *   event   out, may be NULL: of a CL_COMMAND_MARKER that comes after the conversion and
 *           the wait list; the caller releases it
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

/* The byte at which a field of struct `i` starts, in a buffer or in host memory in that
 * layout. i < structs; the field as in cl_field_dl. */
static inline size_t dl_layout_byte(const cl_buffer_layout_dl *layout,
                                    size_t offset_bytes, size_t width_bytes, size_t i)
{
    size_t first = 0, count = (size_t)layout->head_structs;

    if (layout->kind == CL_LAYOUT_AOS_DL)
        return i * layout->struct_bytes + offset_bytes;
    if (i >= layout->head_structs) {
        first = (size_t)layout->head_structs;
        count = (size_t)layout->structs - first;
    } else if (layout->kind == CL_LAYOUT_ASTA_DL) {
        first = i - i % layout->tile_structs;
        count = layout->tile_structs;
    }
    return first * layout->struct_bytes + count * offset_bytes +
           (i - first) * width_bytes;
}

/* What the driver of the buffer, or a layer above it, has under this name; NULL: nothing.
 * */
static inline void *dl_find_function(cl_mem buffer, const char *name)
{
    cl_context context = NULL;
    cl_device_id devices[64];
    cl_platform_id platform = NULL;

    if (clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof context, &context, NULL) !=
            CL_SUCCESS ||
        clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, NULL) !=
            CL_SUCCESS ||
        clGetDeviceInfo(devices[0], CL_DEVICE_PLATFORM, sizeof platform, &platform,
                        NULL) != CL_SUCCESS)
        return NULL;
    return clGetExtensionFunctionAddressForPlatform(platform, name);
}

/* Puts the function into `name`, a variable of type name_fn; NULL: there is no DL. */
#ifdef DL_WEAK_SYMBOLS
#define DL_FIND_FUNCTION(variable, buffer, name)                                         \
    do {                                                                                 \
        variable = name;                                                                 \
        if (!variable) {                                                                 \
            void *found_by_address = dl_find_function(buffer, #name);                    \
            memcpy(&variable, &found_by_address, sizeof variable);                       \
        }                                                                                \
    } while (0)
#else
#define DL_FIND_FUNCTION(variable, buffer, name)                                         \
    do {                                                                                 \
        void *found_by_address = dl_find_function(buffer, #name);                        \
        memcpy(&variable, &found_by_address, sizeof variable);                           \
    } while (0)
#endif

/* What is wrong with a handle, where there is no DL to say so. */
static inline cl_int dl_check_buffer(cl_mem buffer)
{
    cl_mem_object_type type;

    return clGetMemObjectInfo(buffer, CL_MEM_TYPE, sizeof type, &type, NULL);
}

/* clGetBufferLayoutDL; without DL every buffer is AoS. */
static inline cl_int dl_buffer_get_layout(cl_mem buffer, cl_buffer_layout_dl *layout)
{
    clGetBufferLayoutDL_fn get;
    cl_int err;

    DL_FIND_FUNCTION(get, buffer, clGetBufferLayoutDL);
    if (get)
        return get(buffer, layout);
    err = dl_check_buffer(buffer);
    if (err != CL_SUCCESS)
        return err;
    if (!layout)
        return CL_INVALID_VALUE;
    memset(layout, 0, sizeof *layout);
    return CL_SUCCESS;
}

/* clSetBufferHostLayoutDL; without DL CL_LAYOUT_AOS_DL is what the host has, and
 * everything else CL_INVALID_OPERATION. */
static inline cl_int dl_buffer_set_host_layout(cl_mem buffer, cl_buffer_layout_dl *layout,
                                               cl_uint field_count,
                                               const cl_field_dl *fields)
{
    clSetBufferHostLayoutDL_fn set;
    cl_int err;

    DL_FIND_FUNCTION(set, buffer, clSetBufferHostLayoutDL);
    if (set)
        return set(buffer, layout, field_count, fields);
    err = dl_check_buffer(buffer);
    if (err != CL_SUCCESS)
        return err;
    return layout && layout->kind == CL_LAYOUT_AOS_DL ? CL_SUCCESS : CL_INVALID_OPERATION;
}

/* clEnqueueMarshalBufferDL; without DL a marker for CL_LAYOUT_AOS_DL, and
 * CL_INVALID_OPERATION for everything else. */
static inline cl_int dl_buffer_enqueue_marshal(cl_command_queue queue, cl_mem buffer,
                                               const cl_buffer_layout_dl *layout,
                                               cl_uint field_count,
                                               const cl_field_dl *fields,
                                               cl_uint wait_count, const cl_event *wait,
                                               cl_event *event)
{
    clEnqueueMarshalBufferDL_fn marshal;
    cl_int err;

    DL_FIND_FUNCTION(marshal, buffer, clEnqueueMarshalBufferDL);
    if (marshal)
        return marshal(queue, buffer, layout, field_count, fields, wait_count, wait,
                       event);
    err = dl_check_buffer(buffer);
    if (err != CL_SUCCESS)
        return err;
    if (!layout || layout->kind != CL_LAYOUT_AOS_DL)
        return CL_INVALID_OPERATION;
    return clEnqueueMarkerWithWaitList(queue, wait_count, wait, event);
}

#ifdef __cplusplus
}
#endif

#endif
