/* SPDX-License-Identifier: MIT */
/* Hooks that make and unmake memory objects. */
#include "libdl_intercept/host/looks.h"
#include "libdl_intercept/launches/copies.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/state/contexts.h"
#include "hooks.h"

/* The record of a handle the driver just returned: AoS, and used by nobody. `parent`,
 * which is held: the buffer that it is made of; NULL: none. NULL: out of memory, the
 * handle stays unknown. */
static struct dl__mem *mem_make(cl_mem handle, struct dl__context *context,
                                enum dl__mem_kind kind, struct dl__mem *parent)
{
    struct dl__mem *mem = dl__object_make(&dl__mem_type, handle, context);

    if (!mem)
        return NULL;
    mem->kind = kind;
    mem->parent = parent;
    if (parent)
        dl__object_hold(mem, parent);
    dl__context_lock(context);
    mem->order.marshaled_slot = DL__QUEUE_SLOTS;
    mem->order.early = kind == DL__BUFFER && !dl__context_is_annotated(context);
    dl__context_unlock(context);
    return mem;
}

static cl_mem record_buffer(cl_mem handle, cl_context context_handle, cl_mem_flags flags,
                            size_t bytes, bool foreign)
{
    static atomic_uint ids;
    struct dl__mem *mem =
        mem_make(handle, dl__context_find(context_handle), DL__BUFFER, NULL);

    if (!mem)
        return handle;
    mem->bytes = bytes;
    mem->flags = flags;
    /* Properties name memory or devices of other owners. */
    mem->excluded = foreign;
    mem->id = atomic_fetch_add(&ids, 1) + 1;
    return handle;
}

/* True when an allocation of the program's has failed while DL had copies of its own,
 * which are gone now. */
static bool made_room(cl_context handle, cl_int err)
{
    struct dl__context *context;
    bool made = false;

    if (err != CL_MEM_OBJECT_ALLOCATION_FAILURE && err != CL_OUT_OF_RESOURCES &&
        err != CL_OUT_OF_HOST_MEMORY)
        return false;
    context = dl__context_find(handle);
    if (!context || !dl__context_is_annotated(context))
        return false;
    dl__context_lock(context);
    made = dl__copies_let_go(context);
    dl__context_unlock(context);
    return made;
}

/* In a hook: what the driver makes, which is asked again where DL makes room. */
#define MAKE(made, name)                                                                 \
    do {                                                                                 \
        cl_int own = CL_SUCCESS, *const err_ret = err;                                   \
                                                                                         \
        err = &own;                                                                      \
        do                                                                               \
            made = DL_NEXT(name);                                                        \
        while (made_room(context, own));                                                 \
        if (err_ret)                                                                     \
            *err_ret = own;                                                              \
    } while (0)

DL_HOOK(clCreateBuffer)
{
    cl_mem made;

    MAKE(made, clCreateBuffer);
    return record_buffer(made, context, flags, bytes, false);
}

DL_HOOK(clCreateBufferWithProperties)
{
    cl_mem made;

    MAKE(made, clCreateBufferWithProperties);
    return record_buffer(made, context, flags, bytes, properties && properties[0]);
}

/* A handle that is another view of `parent_handle`. */
static struct dl__mem *record_view(cl_mem handle, cl_mem parent_handle,
                                   enum dl__mem_kind kind)
{
    struct dl__mem *parent = dl__mem_root(dl__mem_find(parent_handle));

    return parent ? mem_make(handle, parent->object.context, kind, parent) : NULL;
}

/* Commands by a sub-buffer are commands on its buffer: nothing changes before there is
 * one. */
static void record_sub_buffer(cl_mem handle, cl_mem buffer, cl_mem_flags flags,
                              const cl_buffer_region *region)
{
    const cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    const cl_mem_flags host =
        CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    struct dl__mem *part = record_view(handle, buffer, DL__SUB_BUFFER);

    if (!part)
        return;
    part->origin_bytes = region->origin;
    part->bytes = region->size;
    part->flags = part->parent->flags;
    if (flags & access)
        part->flags = (part->flags & ~access) | (flags & access);
    if (flags & host)
        part->flags = (part->flags & ~host) | (flags & host);
    dl__context_lock(part->object.context);
    part->parent->residence.sub_buffers++;
    dl__context_unlock(part->object.context);
}

DL_HOOK(clCreateSubBuffer)
{
    cl_mem handle = DL_NEXT(clCreateSubBuffer);

    if (handle)
        record_sub_buffer(handle, buffer, flags, info);
    return handle;
}

/* Until the image is released the buffer stays as the program wrote it. */
static void record_image(cl_mem handle, const cl_image_desc *desc)
{
    struct dl__mem *image = NULL;

    if (handle && desc && desc->mem_object)
        image = record_view(handle, desc->mem_object, DL__BUFFER_IMAGE);
    if (!image)
        return;
    dl__context_lock(image->object.context);
    image->parent->residence.pins++;
    dl__mem_bring_back_now(image->parent, "clCreateImage");
    dl__context_unlock(image->object.context);
}

DL_HOOK(clCreateImage)
{
    cl_mem handle;

    MAKE(handle, clCreateImage);
    record_image(handle, desc);
    return handle;
}

DL_HOOK(clCreateImageWithProperties)
{
    cl_mem handle = DL_NEXT(clCreateImageWithProperties);

    record_image(handle, desc);
    return handle;
}

DL_HOOK_RETAIN(clRetainMemObject, mem, dl__mem_type)

/* The program lets go of a buffer that sub-buffers or images are made of: it lives on in
 * the driver, which need not know its name any more. DL does, to convert it: the
 * program's last reference is DL's from now on. */
static bool keep_name(struct dl__mem *mem)
{
    unsigned holds = mem ? atomic_load(&mem->object.holds) : 0;

    /* Unless this release is the program's last, and another record needs it. */
    if (!holds || mem->kind != DL__BUFFER || atomic_load(&mem->object.refs) != holds + 1)
        return false;
    /* Where DL leaves everything alone it must never come back to this one. */
    if (!dl__context_is_annotated(mem->object.context)) {
        mem->excluded = true;
        return false;
    }
    mem->nameless = true;
    return true;
}

DL_HOOK(clReleaseMemObject)
{
    struct dl__mem *mem = dl__mem_find(handle);
    cl_mem nameless =
        mem && mem->parent && mem->parent->nameless ? mem->parent->object.handle : NULL;
    bool kept = keep_name(mem);
    cl_int err;

    if (mem)
        dl__record_release(mem);
    err = kept ? CL_SUCCESS : dl__next.clReleaseMemObject(handle);
    if (nameless && !dl__mem_find(nameless))
        dl__next.clReleaseMemObject(nameless);
    return err;
}

DL_HOOK(clGetMemObjectInfo)
{
    cl_int err = DL_NEXT(clGetMemObjectInfo);
    struct dl__mem *mem;

    if (err != CL_SUCCESS || name != CL_MEM_MAP_COUNT || !value)
        return err;
    mem = dl__mem_find(handle);
    if (mem && dl__context_is_annotated(mem->object.context)) {
        dl__context_lock(mem->object.context);
        *(cl_uint *)value += dl__view_map_count(mem);
        dl__context_unlock(mem->object.context);
    }
    return err;
}
