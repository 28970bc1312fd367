/* Shadow programs and kernels. */
#include "shadow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contexts.h"
#include "log.h"
#include "stats.h"

/* The devices that the units' text is right for stay, the first of them first. */
static void keep_alike_devices(cl_device_id *devices, cl_uint *count)
{
    char *extensions = *count > 1 ? dl__device_extensions(devices[0]) : NULL;
    cl_uint kept = *count ? 1 : 0;

    for (cl_uint i = 1; extensions && i < *count; i++) {
        char *other = devices[i] != devices[0] ? dl__device_extensions(devices[i]) : NULL;

        if (other && strcmp(other, extensions) == 0)
            devices[kept++] = devices[i];
        free(other);
    }
    *count = kept;
    free(extensions);
}

struct dl__rewrite *dl__rewrite_make(struct dl__unit *const *units, size_t count,
                                     bool linked, const char *link_options,
                                     const cl_device_id *devices, cl_uint device_count)
{
    struct dl__rewrite *rewrite = calloc(1, sizeof *rewrite);

    if (!rewrite)
        return NULL;
    rewrite->refs = 1;
    pthread_mutex_init(&rewrite->settling, NULL);
    rewrite->linked = linked;
    rewrite->link_options = strdup(link_options ? link_options : "");
    rewrite->units = calloc(count, sizeof *rewrite->units);
    rewrite->devices = calloc(device_count + 1, sizeof *rewrite->devices);
    for (size_t i = 0; rewrite->units && i < count; i++) {
        atomic_fetch_add(&units[i]->refs, 1);
        rewrite->units[rewrite->unit_count++] = units[i];
    }
    for (cl_uint i = 0; rewrite->devices && i < device_count; i++)
        rewrite->devices[rewrite->device_count++] = devices[i];
    if (!rewrite->link_options || !rewrite->units || !rewrite->devices) {
        dl__rewrite_release(rewrite);
        return NULL;
    }
    return rewrite;
}

/* Without the context's lock: the device is asked meanwhile. */
static void settle(struct dl__rewrite *rewrite, struct dl__context *context)
{
    cl_uint count = rewrite->device_count;
    bool annotated = false;

    for (size_t i = 0; i < rewrite->unit_count; i++) {
        struct dl__unit *unit = rewrite->units[i];

        if (count)
            dl__unit_annotate(unit, context, rewrite->devices[0]);
        annotated = annotated || (unit->notes && unit->notes->kernel_count > 0);
    }
    if (annotated) {
        keep_alike_devices(rewrite->devices, &count);
        dl__context_set_annotated(context);
    }
    dl__context_lock(context);
    rewrite->device_count = count;
    rewrite->annotated = annotated;
    rewrite->settled = true;
    dl__context_unlock(context);
}

void dl__program_settle(struct dl__program *program)
{
    struct dl__context *context = program ? program->object.context : NULL;
    struct dl__rewrite *rewrite;
    cl_uint before;

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
    pthread_mutex_lock(&rewrite->settling);
    if (!rewrite->settled)
        settle(rewrite, context);
    pthread_mutex_unlock(&rewrite->settling);
    dl__context_lock(context);
    if (program->rewrite == rewrite)
        atomic_store(&program->unsettled, false);
    before = dl__context_count_begin(context);
    dl__rewrite_release(rewrite);
    dl__context_count_end(context, before);
    dl__context_unlock(context);
}

bool dl__rewrite_is_for(const struct dl__rewrite *rewrite, cl_device_id device)
{
    for (cl_uint i = 0; i < rewrite->device_count; i++) {
        if (rewrite->devices[i] == device)
            return true;
    }
    return false;
}

void dl__rewrite_release(struct dl__rewrite *rewrite)
{
    struct dl__shadow *shadow;

    if (!rewrite || --rewrite->refs > 0)
        return;
    while ((shadow = rewrite->shadows)) {
        rewrite->shadows = shadow->next;
        if (shadow->program)
            dl__next.clReleaseProgram(shadow->program);
        for (size_t i = 0; i < shadow->left_out_count; i++)
            free(shadow->left_out[i]);
        free(shadow->left_out);
        free(shadow);
    }
    for (size_t i = 0; i < rewrite->unit_count; i++)
        dl__unit_release(rewrite->units[i]);
    free(rewrite->units);
    free(rewrite->link_options);
    free(rewrite->devices);
    pthread_mutex_destroy(&rewrite->settling);
    free(rewrite);
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

char *dl__options_quiet(const char *options, const char *more)
{
    size_t bytes = strlen(options) + strlen(more) + 2;
    char *text = malloc(bytes);
    char *error;

    if (!text)
        return NULL;
    snprintf(text, bytes, "%s %s", options, more);
    while ((error = strstr(text, "-Werror"))) {
        size_t length = strcspn(error, " \t\n");
        memset(error, ' ', length);
    }
    return text;
}

char *dl__shadow_options(const struct dl__unit *unit, struct dl__shadow_knobs knobs)
{
    char text[sizeof knobs.layout.text + 32];

    snprintf(text, sizeof text, "%s%s", knobs.layout.text,
             knobs.index_64 ? " -DDL_INDEX_64=1" : "");
    return dl__options_quiet(unit->options, text);
}

static void log_build_log(cl_program program, cl_device_id device)
{
    char text[1024] = "";
    size_t bytes = 0;
    char *whole;

    if (dl__log_threshold() < DL__LOG_DEBUG ||
        dl__next.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                       &bytes) != CL_SUCCESS)
        return;
    whole = calloc(1, bytes + 1);
    if (whole && dl__next.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG,
                                                bytes, whole, NULL) == CL_SUCCESS)
        snprintf(text, sizeof text, "%s", whole);
    free(whole);
    dl__log(DL__LOG_DEBUG, "build log of the rewritten program: %s", text);
}

cl_program dl__program_from_text(cl_context context, const char *text)
{
    cl_int err;
    cl_program program =
        dl__next.clCreateProgramWithSource(context, 1, &text, NULL, &err);

    return err == CL_SUCCESS ? program : NULL;
}

/* One unit, compiled for a link. */
static cl_program compile_unit(cl_context context, cl_device_id device,
                               const struct dl__unit *unit, const char *text,
                               struct dl__shadow_knobs knobs)
{
    cl_program *headers = calloc(unit->header_count + 1, sizeof *headers);
    char *options = dl__shadow_options(unit, knobs);
    cl_program program = dl__program_from_text(context, text);
    cl_int err = headers && options && program ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;

    for (size_t i = 0; err == CL_SUCCESS && i < unit->header_count; i++) {
        headers[i] = dl__program_from_text(context, unit->header_texts[i]);
        if (!headers[i])
            err = CL_OUT_OF_HOST_MEMORY;
    }
    if (err == CL_SUCCESS) {
        err = dl__next.clCompileProgram(
            program, 1, &device, options, (cl_uint)unit->header_count,
            unit->header_count ? headers : NULL,
            unit->header_count ? (const char **)unit->header_names : NULL, NULL, NULL);
        if (err != CL_SUCCESS)
            log_build_log(program, device);
    }
    for (size_t i = 0; headers && i < unit->header_count; i++) {
        if (headers[i])
            dl__next.clReleaseProgram(headers[i]);
    }
    free(headers);
    free(options);
    if (err == CL_SUCCESS)
        return program;
    if (program)
        dl__next.clReleaseProgram(program);
    return NULL;
}

static cl_program build_unit(cl_context context, cl_device_id device,
                             const struct dl__unit *unit, const char *text,
                             struct dl__shadow_knobs knobs)
{
    char *options = dl__shadow_options(unit, knobs);
    cl_program program = options ? dl__program_from_text(context, text) : NULL;

    if (program &&
        dl__next.clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        log_build_log(program, device);
        dl__next.clReleaseProgram(program);
        program = NULL;
    }
    free(options);
    return program;
}

cl_program dl__unit_build(cl_context context, cl_device_id device,
                          const struct dl__unit *unit, const char *text,
                          struct dl__shadow_knobs knobs, bool linked)
{
    return linked ? compile_unit(context, device, unit, text, knobs)
                  : build_unit(context, device, unit, text, knobs);
}

/* The unit, without kernels that it does not build with. */
static cl_program build_what_builds(struct dl__context *context,
                                    struct dl__shadow *shadow,
                                    const struct dl__unit *unit, bool linked)
{
    cl_context handle = context->object.handle;
    cl_program program =
        dl__unit_build(handle, shadow->device, unit, unit->text, shadow->knobs, linked);
    char *text = program ? NULL : dl__unit_salvage(unit, context, shadow, linked);

    if (text)
        program =
            dl__unit_build(handle, shadow->device, unit, text, shadow->knobs, linked);
    free(text);
    return program;
}

static cl_program link_units(struct dl__context *context, struct dl__shadow *shadow,
                             const struct dl__rewrite *rewrite)
{
    cl_program *inputs = calloc(rewrite->unit_count, sizeof *inputs);
    cl_program program = NULL;
    bool compiled = inputs != NULL;
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; compiled && i < rewrite->unit_count; i++) {
        inputs[i] = build_what_builds(context, shadow, rewrite->units[i], true);
        compiled = inputs[i] != NULL;
    }
    if (compiled)
        program = dl__next.clLinkProgram(
            context->object.handle, 1, &shadow->device, rewrite->link_options,
            (cl_uint)rewrite->unit_count, inputs, NULL, NULL, &err);
    if (program && err != CL_SUCCESS) {
        log_build_log(program, shadow->device);
        dl__next.clReleaseProgram(program);
        program = NULL;
    }
    for (size_t i = 0; inputs && i < rewrite->unit_count; i++) {
        if (inputs[i])
            dl__next.clReleaseProgram(inputs[i]);
    }
    free(inputs);
    return program;
}

static cl_program make_shadow(struct dl__rewrite *rewrite, struct dl__context *context,
                              struct dl__shadow *shadow)
{
    struct dl__pack key;
    bool keyed = dl__shadow_key(rewrite, shadow->device, shadow->knobs, &key);
    cl_program program = NULL;

    if (keyed)
        program = dl__shadow_load(rewrite, context->object.handle, shadow->device,
                                  shadow->knobs, &key);
    dl__stats_shadow(program != NULL);
    if (!program) {
        program = rewrite->linked
                      ? link_units(context, shadow, rewrite)
                      : build_what_builds(context, shadow, rewrite->units[0], false);
        /* What was left out may be the driver's failure, of today. */
        if (program && keyed && !shadow->left_out_count)
            dl__shadow_keep(rewrite, shadow->device, program, &key);
    }
    dl__pack_free(&key);
    return program;
}

/* The shadow program with these knobs, built at first need; program NULL: it can't be. */
static struct dl__shadow *shadow_get(struct dl__rewrite *rewrite,
                                     struct dl__context *context, cl_device_id device,
                                     struct dl__shadow_knobs knobs)
{
    struct dl__shadow *shadow;
    cl_uint before;

    for (shadow = rewrite->shadows; shadow; shadow = shadow->next) {
        if (shadow->device == device &&
            !strcmp(shadow->knobs.layout.text, knobs.layout.text) &&
            shadow->knobs.index_64 == knobs.index_64)
            return shadow;
    }
    shadow = calloc(1, sizeof *shadow);
    if (!shadow)
        return NULL;
    shadow->knobs = knobs;
    shadow->device = device;
    before = dl__context_count_begin(context);
    shadow->program = make_shadow(rewrite, context, shadow);
    dl__context_count_end(context, before);
    shadow->next = rewrite->shadows;
    rewrite->shadows = shadow;
    return shadow;
}

/* Gives `to` every argument that the program has set since `to` last had it. */
static cl_int copy_args(struct dl__kernel *kernel, struct dl__shadow_kernel *to)
{
    for (unsigned i = 0; i < kernel->arg_count && i < kernel->note->arg_count; i++) {
        const struct dl__arg *arg = &kernel->args[i];
        const void *value = arg->value.small;
        cl_int err;

        if (arg->serial == 0 || to->serials[i] == arg->serial)
            continue;
        if (arg->svm) {
            err = dl__next.clSetKernelArgSVMPointer(to->handle, i, arg->value.pointer);
        } else {
            if (arg->null)
                value = NULL;
            else if (arg->bytes > sizeof arg->value.small)
                value = arg->value.large;
            err = dl__next.clSetKernelArg(to->handle, i, arg->bytes, value);
        }
        if (err != CL_SUCCESS)
            return err;
        to->serials[i] = arg->serial;
    }
    return CL_SUCCESS;
}

static struct dl__shadow_kernel *make_shadow_kernel(struct dl__kernel *kernel,
                                                    struct dl__shadow *shadow)
{
    struct dl__context *context = kernel->object.context;
    struct dl__shadow_kernel *made = calloc(1, sizeof *made);
    cl_int err = CL_OUT_OF_HOST_MEMORY;
    cl_uint before;

    if (!made)
        return NULL;
    made->serials = calloc(kernel->note->arg_count + 1, sizeof *made->serials);
    if (made->serials) {
        before = dl__context_count_begin(context);
        made->handle = dl__next.clCreateKernel(shadow->program, kernel->name, &err);
        dl__context_count_end(context, before);
    }
    if (err != CL_SUCCESS) {
        free(made->serials);
        free(made);
        return NULL;
    }
    made->shadow = shadow;
    made->next = kernel->shadows;
    kernel->shadows = made;
    return made;
}

struct dl__shadow_kernel *dl__shadow_kernel_get(struct dl__kernel *kernel,
                                                struct dl__queue *queue,
                                                struct dl__shadow_knobs knobs,
                                                const char **reason)
{
    struct dl__shadow *shadow =
        shadow_get(kernel->rewrite, kernel->object.context, queue->device, knobs);
    struct dl__shadow_kernel *found;

    if (!shadow || !shadow->program) {
        *reason =
            "the rewritten program does not build (DL_LOG=debug shows the build log)";
        return NULL;
    }
    for (size_t i = 0; i < shadow->left_out_count; i++) {
        if (strcmp(shadow->left_out[i], kernel->name) == 0) {
            *reason = "its rewritten text does not build (DL_LOG=debug shows the build "
                      "log)";
            return NULL;
        }
    }
    for (found = kernel->shadows; found; found = found->next) {
        if (found->shadow == shadow)
            break;
    }
    if (!found)
        found = make_shadow_kernel(kernel, shadow);
    if (!found) {
        *reason = "the rewritten kernel can't be created";
        return NULL;
    }
    if (copy_args(kernel, found) != CL_SUCCESS) {
        *reason = "the rewritten kernel does not take the program's arguments";
        return NULL;
    }
    return found;
}

void dl__shadow_kernels_free(struct dl__kernel *kernel)
{
    struct dl__shadow_kernel *shadow;

    while ((shadow = kernel->shadows)) {
        kernel->shadows = shadow->next;
        dl__next.clReleaseKernel(shadow->handle);
        free(shadow->serials);
        free(shadow);
    }
}
