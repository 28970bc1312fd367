/* Shadow programs and kernels. */
#include "shadow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contexts.h"
#include "log.h"
#include "stats.h"

/* The devices that the units' text is right for. */
static bool set_devices(struct dl__rewrite *rewrite, cl_device_id device,
                        const cl_device_id *devices, cl_uint count)
{
    char *extensions = count > 1 ? dl__device_extensions(device) : NULL;

    rewrite->devices = calloc(count + 1, sizeof *rewrite->devices);
    if (rewrite->devices)
        rewrite->devices[rewrite->device_count++] = device;
    for (cl_uint i = 0; rewrite->devices && extensions && i < count; i++) {
        char *other = devices[i] != device ? dl__device_extensions(devices[i]) : NULL;

        if (other && strcmp(other, extensions) == 0)
            rewrite->devices[rewrite->device_count++] = devices[i];
        free(other);
    }
    free(extensions);
    return rewrite->devices != NULL;
}

struct dl__rewrite *dl__rewrite_make(struct dl__unit *const *units, size_t count,
                                     bool linked, const char *link_options,
                                     cl_device_id device, const cl_device_id *devices,
                                     cl_uint device_count)
{
    struct dl__rewrite *rewrite = calloc(1, sizeof *rewrite);

    if (!rewrite)
        return NULL;
    rewrite->refs = 1;
    rewrite->linked = linked;
    rewrite->link_options = strdup(link_options ? link_options : "");
    rewrite->units = calloc(count, sizeof *rewrite->units);
    for (size_t i = 0; rewrite->units && i < count; i++) {
        atomic_fetch_add(&units[i]->refs, 1);
        rewrite->units[rewrite->unit_count++] = units[i];
        rewrite->annotated =
            rewrite->annotated || (units[i]->notes && units[i]->notes->kernel_count > 0);
    }
    if (!rewrite->link_options || !rewrite->units ||
        (rewrite->annotated && !set_devices(rewrite, device, devices, device_count))) {
        dl__rewrite_release(rewrite);
        return NULL;
    }
    return rewrite;
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
        free(shadow);
    }
    for (size_t i = 0; i < rewrite->unit_count; i++)
        dl__unit_release(rewrite->units[i]);
    free(rewrite->units);
    free(rewrite->link_options);
    free(rewrite->devices);
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
    char text[64];

    snprintf(text, sizeof text, "-DDL_TILE=%u%s", knobs.tile,
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
                               const struct dl__unit *unit, struct dl__shadow_knobs knobs)
{
    cl_program *headers = calloc(unit->header_count + 1, sizeof *headers);
    char *options = dl__shadow_options(unit, knobs);
    cl_program program = dl__program_from_text(context, unit->text);
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

static cl_program link_units(cl_context context, cl_device_id device,
                             const struct dl__rewrite *rewrite,
                             struct dl__shadow_knobs knobs)
{
    cl_program *inputs = calloc(rewrite->unit_count, sizeof *inputs);
    cl_program program = NULL;
    bool compiled = inputs != NULL;
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; compiled && i < rewrite->unit_count; i++) {
        inputs[i] = compile_unit(context, device, rewrite->units[i], knobs);
        compiled = inputs[i] != NULL;
    }
    if (compiled)
        program = dl__next.clLinkProgram(context, 1, &device, rewrite->link_options,
                                         (cl_uint)rewrite->unit_count, inputs, NULL, NULL,
                                         &err);
    if (program && err != CL_SUCCESS) {
        log_build_log(program, device);
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

static cl_program build_unit(cl_context context, cl_device_id device,
                             const struct dl__unit *unit, struct dl__shadow_knobs knobs)
{
    char *options = dl__shadow_options(unit, knobs);
    cl_program program = options ? dl__program_from_text(context, unit->text) : NULL;

    if (program &&
        dl__next.clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        log_build_log(program, device);
        dl__next.clReleaseProgram(program);
        program = NULL;
    }
    free(options);
    return program;
}

static cl_program make_shadow(struct dl__rewrite *rewrite, cl_context context,
                              cl_device_id device, struct dl__shadow_knobs knobs)
{
    struct dl__pack key;
    bool keyed = dl__shadow_key(rewrite, device, knobs, &key);
    cl_program program = NULL;

    if (keyed)
        program = dl__shadow_load(rewrite, context, device, knobs, &key);
    dl__stats_shadow(program != NULL);
    if (!program) {
        program = rewrite->linked
                      ? link_units(context, device, rewrite, knobs)
                      : build_unit(context, device, rewrite->units[0], knobs);
        if (program && keyed)
            dl__shadow_keep(rewrite, device, program, &key);
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
        if (shadow->device == device && shadow->knobs.tile == knobs.tile &&
            shadow->knobs.index_64 == knobs.index_64)
            return shadow;
    }
    shadow = calloc(1, sizeof *shadow);
    if (!shadow)
        return NULL;
    shadow->knobs = knobs;
    shadow->device = device;
    before = dl__context_count_begin(context);
    shadow->program = make_shadow(rewrite, context->object.handle, device, knobs);
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
