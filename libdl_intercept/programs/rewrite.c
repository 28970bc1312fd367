/* SPDX-License-Identifier: MIT */
/* The rewrite that a build or link of a program makes. */
#include "rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/contexts.h"
#include "devices.h"
#include "shadow.h"

static char *extensions_of(cl_device_id device)
{
    return dl__info_get(DL__OF_DEVICE, device, NULL, CL_DEVICE_EXTENSIONS, NULL);
}

/* The devices that the units' text is right for stay, the first of them first. */
static void keep_alike_devices(cl_device_id *devices, cl_uint *count)
{
    char *extensions = *count > 1 ? extensions_of(devices[0]) : NULL;
    cl_uint kept = *count ? 1 : 0;

    for (cl_uint i = 1; extensions && i < *count; i++) {
        char *other = devices[i] != devices[0] ? extensions_of(devices[i]) : NULL;

        if (other && strcmp(other, extensions) == 0)
            devices[kept++] = devices[i];
        free(other);
    }
    *count = kept;
    free(extensions);
}

/* One that nobody else has. */
static void DL__UNCHECKED free_rewrite(struct dl__rewrite *rewrite)
{
    struct dl__checked *checked;
    struct dl__shadow *shadow;

    while ((checked = rewrite->checked)) {
        rewrite->checked = checked->next;
        free(checked);
    }
    while ((shadow = rewrite->shadows)) {
        rewrite->shadows = shadow->next;
        if (shadow->program)
            dl__next.clReleaseProgram(shadow->program);
        free(shadow);
    }
    for (size_t i = 0; i < rewrite->unit_count; i++)
        dl__unit_release(rewrite->units[i]);
    free(rewrite->units);
    free(rewrite->link_options);
    free(rewrite->devices);
    pthread_mutex_destroy(&rewrite->settling.posix);
    free(rewrite);
}

void dl__rewrite_release(struct dl__rewrite *rewrite, struct dl__context *context)
{
    cl_uint before;

    if (!rewrite || --rewrite->refs > 0)
        return;
    before = dl__context_count_begin(context);
    free_rewrite(rewrite);
    dl__context_count_end(context, before);
}

struct dl__rewrite *dl__rewrite_make(struct dl__unit *const *units, size_t count,
                                     bool linked, const char *link_options,
                                     const cl_device_id *devices, cl_uint device_count)
{
    struct dl__rewrite *rewrite = calloc(1, sizeof *rewrite);

    if (!rewrite)
        return NULL;
    *rewrite = (struct dl__rewrite){.refs = 1};
    pthread_mutex_init(&rewrite->settling.posix, NULL);
    rewrite->linked = linked;
    rewrite->link_options = strdup(link_options ? link_options : "");
    rewrite->units = calloc(count + 1, sizeof *rewrite->units);
    rewrite->devices = calloc(device_count + 1, sizeof *rewrite->devices);
    for (size_t i = 0; rewrite->units && i < count; i++) {
        atomic_fetch_add(&units[i]->refs, 1);
        rewrite->units[rewrite->unit_count++] = units[i];
    }
    for (cl_uint i = 0; rewrite->devices && i < device_count; i++)
        rewrite->devices[rewrite->device_count++] = devices[i];
    if (!rewrite->link_options || !rewrite->units || !rewrite->devices) {
        free_rewrite(rewrite);
        return NULL;
    }
    return rewrite;
}

void dl__rewrite_pack(struct dl__pack *pack, const struct dl__rewrite *rewrite,
                      bool files)
{
    dl__pack_number(pack, rewrite->linked);
    dl__pack_text(pack, rewrite->link_options);
    dl__pack_number(pack, rewrite->unit_count);
    for (size_t u = 0; u < rewrite->unit_count; u++)
        dl__unit_pack(pack, rewrite->units[u], files || !rewrite->units[u]->wanted);
}

struct dl__rewrite *dl__rewrite_unpack(struct dl__unpack *fields,
                                       const cl_device_id *devices, cl_uint device_count)
{
    enum { UNITS_MAX = 4096 };
    uint64_t linked = dl__unpack_number(fields), count, made = 0;
    const char *link_options = dl__unpack_text(fields);
    struct dl__rewrite *rewrite = NULL;
    struct dl__unit **units;

    count = dl__unpack_number(fields);
    if (fields->failed || count > UNITS_MAX)
        return NULL;
    units = calloc(count + 1, sizeof *units);
    while (units && made < count && (units[made] = dl__unit_unpack(fields)))
        made++;
    if (units && made == count)
        rewrite =
            dl__rewrite_make(units, count, linked, link_options, devices, device_count);
    for (uint64_t u = 0; u < made; u++)
        dl__unit_release(units[u]);
    free(units);
    return rewrite;
}

/* Without the context's lock: the device is asked meanwhile. False: it has to be waited
 * for. */
static bool settle(struct dl__rewrite *rewrite, struct dl__context *context)
{
    cl_uint count = rewrite->device_count;
    bool annotated = false, read = true;
    enum dl_status status = DL_OK;

    for (size_t i = 0; i < rewrite->unit_count && count; i++)
        read = dl__unit_annotate(rewrite->units[i], context, rewrite->devices[0],
                                 !rewrite->units[i]->can_wait) &&
               read;
    if (!read)
        return false;
    for (size_t i = 0; i < rewrite->unit_count; i++) {
        const struct dl_notes *notes = rewrite->units[i]->notes;

        annotated = annotated || (notes && notes->kernel_count > 0);
        if (status == DL_OK)
            status = rewrite->units[i]->read_status;
    }
    if (annotated) {
        keep_alike_devices(rewrite->devices, &count);
        dl__context_set_annotated(context);
    }
    dl__context_lock(context);
    rewrite->device_count = count;
    rewrite->annotated = annotated;
    rewrite->read_status = status;
    rewrite->settled = true;
    dl__context_unlock(context);
    return true;
}

bool dl__rewrite_settle(struct dl__rewrite *rewrite, struct dl__context *context)
{
    bool settled;

    dl__mutex_lock(&rewrite->settling);
    dl__context_lock(context);
    settled = rewrite->settled;
    dl__context_unlock(context);
    if (!settled)
        settled = settle(rewrite, context);
    dl__mutex_unlock(&rewrite->settling);
    return settled;
}

void dl__program_settle(struct dl__program *program)
{
    struct dl__context *context = program ? program->object.context : NULL;
    struct dl__rewrite *rewrite;
    bool settled;

    if (!context || !atomic_load(&program->unsettled))
        return;
    dl__context_lock(context);
    rewrite = program->rewrite;
    if (rewrite && !rewrite->settled)
        rewrite->refs++;
    else
        rewrite = NULL;
    dl__context_unlock(context);
    if (!rewrite)
        return;
    settled = dl__rewrite_settle(rewrite, context);
    dl__context_lock(context);
    if (settled && program->rewrite == rewrite)
        atomic_store(&program->unsettled, false);
    dl__rewrite_release(rewrite, context);
    dl__context_unlock(context);
}

/* PoCL builds for a context's whole devices where the program names none, also in a
 * context of sub-devices. */
bool dl__rewrite_is_for(const struct dl__rewrite *rewrite, cl_device_id device)
{
    while (device) {
        cl_device_id parent = NULL; /* of a sub-device */

        for (cl_uint i = 0; i < rewrite->device_count; i++)
            if (rewrite->devices[i] == device)
                return true;
        dl__next.clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent,
                                 NULL);
        device = parent;
    }
    return false;
}

const struct dl_kernel_note *dl__rewrite_find(const struct dl__rewrite *rewrite,
                                              const char *kernel)
{
    for (size_t i = 0; rewrite && i < rewrite->unit_count; i++) {
        const struct dl_kernel_note *note =
            rewrite->units[i]->notes ? dl_notes_find(rewrite->units[i]->notes, kernel)
                                     : NULL;
        if (note)
            return note;
    }
    return NULL;
}

static struct dl__digest_part with_its_end(const char *text)
{
    text = text ? text : "";
    return (struct dl__digest_part){text, strlen(text) + 1};
}

void dl__rewrite_hash(struct dl__rewrite *rewrite, unsigned char out[DL__DIGEST_BYTES])
{
    for (size_t u = 0; u < rewrite->unit_count && !rewrite->hashed; u++) {
        const struct dl__digest_part parts[] = {{rewrite->hash, sizeof rewrite->hash},
                                                with_its_end(rewrite->units[u]->text),
                                                with_its_end(rewrite->units[u]->options)};

        dl__digest(parts, 3, rewrite->hash);
    }
    rewrite->hashed = true;
    memcpy(out, rewrite->hash, DL__DIGEST_BYTES);
}

/* ---- the end of programs and kernels ---- */

atomic_uint dl__kernels_unread;

static void end_program(void *record)
{
    struct dl__program *program = record;
    struct dl__context *context = program->object.context;

    dl__context_lock(context);
    dl__rewrite_release(program->rewrite, context);
    dl__unit_release(program->unit);
    dl__rewrite_release(program->recalled, context);
    free(program->demands);
    free(program->built_with);
    dl__pack_free(&program->seen.list);
    free(program->binary_bytes);
    dl__context_unlock(context);
    free(program->source);
}

static DL__WITH_LOCK void shadow_kernels_free(struct dl__kernel *kernel)
{
    struct dl__shadow_kernel *shadow;

    while ((shadow = kernel->shadows)) {
        kernel->shadows = shadow->next;
        dl__next.clReleaseKernel(shadow->handle);
        free(shadow->args);
        free(shadow->hidden);
        free(shadow);
    }
}

static void end_kernel(void *record)
{
    struct dl__kernel *kernel = record;
    struct dl__context *context = kernel->object.context;
    struct dl_leaf_table *rows;
    cl_uint before;

    dl__context_lock(context);
    rows = kernel->launched.rows;
    before = dl__context_count_begin(context);
    for (size_t b = 0; rows && b < kernel->note->buffer_count; b++)
        dl_leaf_table_free(&rows[b]);
    free(rows);
    dl__kept_end(kernel);
    for (struct dl__launched_on *on = kernel->launched.on, *next; on; on = next) {
        next = on->next;
        free(on->first);
        free(on);
    }
    if (atomic_load(&kernel->unread))
        atomic_fetch_sub(&dl__kernels_unread, 1);
    shadow_kernels_free(kernel);
    dl__context_count_end(context, before);
    dl__rewrite_release(kernel->rewrite, context);
    dl__context_unlock(context);
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        if (kernel->args[i].bytes > sizeof kernel->args[i].value.small &&
            !kernel->args[i].null)
            free(kernel->args[i].value.large);
    }
    free(kernel->args);
    free(kernel->name);
}

struct dl__type dl__program_type = {.bytes = sizeof(struct dl__program),
                                    .end = end_program};
struct dl__type dl__kernel_type = {.bytes = sizeof(struct dl__kernel), .end = end_kernel};
