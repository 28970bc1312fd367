/* SPDX-License-Identifier: MIT */
/* Copies of the images that a launch may write. DL keeps no record of images: what is
 * known of one is what the driver says of it. */
#include <stdlib.h>
#include <string.h>

#include "copies.h"
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/contexts.h"

static const size_t origin[3] = {0, 0, 0};

static cl_mem handle_of(const struct dl__kernel *kernel, unsigned arg)
{
    return kernel->args[arg].bytes == sizeof(cl_mem) ? kernel->args[arg].value.mem : NULL;
}

static bool ask(cl_mem image, cl_image_info what, size_t bytes, void *out)
{
    return dl__next.clGetImageInfo(image, what, bytes, out, NULL) == CL_SUCCESS;
}

/* NULL, or why the image can't be copied. */
static const char *describe(cl_mem handle, struct dl__copied_image *out)
{
    static const char unknown[] = "an argument is an image that DL can't copy";
    cl_uint levels = 0, samples = 0;
    size_t pixel_bytes;
    cl_mem_object_type type;
    cl_image_desc *desc = &out->desc;

    if (dl__next.clGetMemObjectInfo(handle, CL_MEM_TYPE, sizeof type, &type, NULL) !=
            CL_SUCCESS ||
        type == CL_MEM_OBJECT_BUFFER || type == CL_MEM_OBJECT_PIPE)
        return unknown;
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return "an argument is an image of a buffer";
    desc->image_type = type;
    if (!ask(handle, CL_IMAGE_FORMAT, sizeof out->format, &out->format) ||
        !ask(handle, CL_IMAGE_ELEMENT_SIZE, sizeof pixel_bytes, &pixel_bytes) ||
        !ask(handle, CL_IMAGE_WIDTH, sizeof desc->image_width, &desc->image_width) ||
        !ask(handle, CL_IMAGE_HEIGHT, sizeof desc->image_height, &desc->image_height) ||
        !ask(handle, CL_IMAGE_DEPTH, sizeof desc->image_depth, &desc->image_depth) ||
        !ask(handle, CL_IMAGE_ARRAY_SIZE, sizeof desc->image_array_size,
             &desc->image_array_size) ||
        !ask(handle, CL_IMAGE_NUM_MIP_LEVELS, sizeof levels, &levels) ||
        !ask(handle, CL_IMAGE_NUM_SAMPLES, sizeof samples, &samples) || levels > 1 ||
        samples > 1 || pixel_bytes == 0 || pixel_bytes > sizeof out->ours)
        return unknown;
    out->region[0] = desc->image_width;
    out->region[1] = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? desc->image_array_size
                     : desc->image_height                ? desc->image_height
                                                         : 1;
    out->region[2] = type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? desc->image_array_size
                     : desc->image_depth                 ? desc->image_depth
                                                         : 1;
    out->pixel_bytes = pixel_bytes;
    out->copied.bytes = pixel_bytes * out->region[0] * out->region[1] * out->region[2];
    return NULL;
}

/* The image's copy; for COPIES, itself. NULL: it is not one of them. */
static DL__WITH_LOCK cl_mem images_stand_in(const struct dl__copies *copies,
                                            enum dl__copy which, cl_mem handle)
{
    for (size_t i = 0; handle && i < copies->image_count; i++)
        if (copies->images[i].itself == handle)
            return which == DL__COPIES ? handle : copies->images[i].copied.of[which];
    return NULL;
}

const char *dl__images_find(struct dl__copies *copies)
{
    const struct dl__kernel *kernel = copies->kernel;
    const bool *image_args = kernel->note->image_args;
    const char *why = NULL;

    for (unsigned i = 0; image_args && i < kernel->note->arg_count && !why; i++) {
        cl_mem handle = image_args[i] ? handle_of(kernel, i) : NULL;
        struct dl__copied_image *image;

        if (!image_args[i])
            continue;
        if (!handle)
            return "an argument is not set";
        if (images_stand_in(copies, DL__COPIES, handle))
            continue;
        if (!copies->images)
            copies->images = calloc(kernel->note->arg_count, sizeof *copies->images);
        if (!copies->images)
            return "there is no memory for copies";
        image = &copies->images[copies->image_count];
        image->itself = handle;
        image->copied.arg_index = i;
        image->copied.written = true;
        why = describe(handle, image);
        if (why)
            break;
        copies->image_count++;
        copies->bytes += image->copied.bytes;
        copies->written_bytes += image->copied.bytes;
    }
    return why;
}

cl_int dl__images_make(struct dl__copies *copies, bool again)
{
    struct dl__context *context = copies->queue->object.context;
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; i < copies->image_count; i++) {
        struct dl__copied_image *image = &copies->images[i];

        for (int which = 0; which < DL__COPIES && err == CL_SUCCESS; which++) {
            if ((which == DL__BEFORE && copies->once) || (which == DL__RAN && !again))
                continue;
            image->copied.of[which] =
                dl__next.clCreateImage(context->object.handle, CL_MEM_READ_WRITE,
                                       &image->format, &image->desc, NULL, &err);
            dl__context_count_copies(context, err == CL_SUCCESS, 0);
        }
    }
    return err;
}

void dl__images_free(struct dl__copies *copies)
{
    int released = 0;

    for (size_t i = 0; i < copies->image_count; i++)
        for (int which = 0; which < DL__COPIES; which++)
            if (copies->images[i].copied.of[which]) {
                dl__next.clReleaseMemObject(copies->images[i].copied.of[which]);
                released++;
            }
    dl__context_count_copies(copies->queue->object.context, -released, 0);
    free(copies->images);
}

static DL__WITH_LOCK cl_int copy(struct dl__queue *queue,
                                 const struct dl__copied_image *image, cl_mem from,
                                 cl_mem to)
{
    cl_event done = NULL;
    cl_int err = dl__next.clEnqueueCopyImage(queue->object.handle, from, to, origin,
                                             origin, image->region, 0, NULL, &done);

    if (err == CL_SUCCESS)
        err = dl__queue_wait_for(queue, done);
    if (done)
        dl__next.clReleaseEvent(done);
    return err;
}

cl_int dl__images_take(struct dl__copies *copies, enum dl__copy which)
{
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; i < copies->image_count && err == CL_SUCCESS; i++) {
        const struct dl__copied_image *image = &copies->images[i];

        if (image->copied.of[which])
            err = copy(copies->queue, image, image->itself, image->copied.of[which]);
    }
    return err;
}

cl_int dl__images_restore(struct dl__copies *copies, enum dl__copy which)
{
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; i < copies->image_count && err == CL_SUCCESS; i++) {
        const struct dl__copied_image *image = &copies->images[i];
        cl_mem before = image->copied.of[DL__BEFORE];

        if (image->copied.of[which])
            err = copy(&copies->own, image, before ? before : image->itself,
                       image->copied.of[which]);
    }
    return err;
}

cl_int dl__images_put(struct dl__copies *copies)
{
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; i < copies->image_count && err == CL_SUCCESS; i++)
        err = copy(copies->queue, &copies->images[i],
                   copies->images[i].copied.of[DL__RAN], copies->images[i].itself);
    return err;
}

cl_int dl__images_set(const struct dl__copies *copies, cl_kernel kernel,
                      struct dl__shadow_kernel *shadow, enum dl__copy which)
{
    cl_int err = CL_SUCCESS;

    for (unsigned i = 0;
         copies->image_count && i < copies->kernel->note->arg_count && err == CL_SUCCESS;
         i++) {
        cl_mem image = copies->range.mems[i]
                           ? NULL
                           : images_stand_in(copies, which, handle_of(copies->kernel, i));

        if (!image)
            continue;
        if (shadow)
            shadow->args[i] = (struct dl__shadow_arg){0};
        err = dl__next.clSetKernelArg(kernel, i, sizeof image, &image);
    }
    return err;
}

void dl__images_set_back(const struct dl__copies *copies)
{
    for (unsigned i = 0; copies->image_count && i < copies->kernel->note->arg_count;
         i++) {
        cl_mem handle = handle_of(copies->kernel, i);

        if (!copies->range.mems[i] && images_stand_in(copies, DL__COPIES, handle))
            dl__argument_back(copies->kernel, i, handle);
    }
}

static DL__WITH_LOCK bool read(const struct dl__copies *copies,
                               const struct dl__copied_image *image, cl_mem from,
                               unsigned char *to)
{
    return dl__next.clEnqueueReadImage(copies->own.object.handle, from, CL_TRUE, origin,
                                       image->region, 0, 0, to, 0, NULL,
                                       NULL) == CL_SUCCESS;
}

/* False: that can't be told. */
static DL__WITH_LOCK bool compare(const struct dl__copies *copies,
                                  struct dl__copied_image *image, cl_mem other,
                                  bool *differ)
{
    size_t bytes = image->copied.bytes, pixel_bytes = image->pixel_bytes, at = 0;
    unsigned char *ours = malloc(bytes + 1), *theirs = malloc(bytes + 1);
    bool known = ours && theirs &&
                 read(copies, image, image->copied.of[DL__WORK], ours) &&
                 read(copies, image, other, theirs);

    *differ = known && memcmp(ours, theirs, bytes) != 0;
    if (*differ) {
        while (memcmp(ours + at, theirs + at, pixel_bytes) == 0)
            at += pixel_bytes;
        image->pixel = at / pixel_bytes;
        memcpy(image->ours, ours + at, pixel_bytes);
        memcpy(image->theirs, theirs + at, pixel_bytes);
    }
    free(ours);
    free(theirs);
    return known;
}

bool dl__images_compare(struct dl__copies *copies, enum dl__copy other,
                        const struct dl__copied **found)
{
    bool known = true, differ = false;

    for (size_t i = 0; i < copies->image_count && known && !differ; i++) {
        struct dl__copied_image *image = &copies->images[i];

        known = compare(copies, image,
                        other == DL__ITSELF ? image->itself : image->copied.of[other],
                        &differ);
        if (differ)
            *found = &image->copied;
    }
    return known;
}
