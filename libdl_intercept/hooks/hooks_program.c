/* SPDX-License-Identifier: MIT */
/* Hooks of programs: sources are kept, and annotated when they are built. */
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/recall.h"
#include "libdl_intercept/programs/unit.h"
#include "libdl_intercept/reports/facts.h"
#include "libdl_intercept/state/contexts.h"
#include "hooks.h"
#include "pin.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

struct dl__program *dl__program_record(cl_program handle, cl_context context,
                                       enum dl__origin origin)
{
    struct dl__program *program =
        handle ? dl__object_make(&dl__program_type, handle, dl__context_find(context))
               : NULL;

    if (program) {
        program->origin = origin;
        dl__facts_program(origin);
    }
    return program;
}

/* The strings as one, the way the driver joins them; lengths NULL or 0: up to the NUL.
 * The text ends with its first NUL: PoCL, Intel's runtime and NVIDIA's driver read no
 * further. */
static char *join_strings(cl_uint count, const char **strings, const size_t *lengths,
                          size_t *bytes)
{
    size_t total = 0, at = 0;
    char *text;

    for (cl_uint i = 0; i < count; i++)
        total += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    text = malloc(total + 1);
    for (cl_uint i = 0; text && i < count; i++) {
        size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);

        memcpy(text + at, strings[i], length);
        at += length;
    }
    if (text)
        text[total] = '\0';
    *bytes = text ? strlen(text) : 0;
    return text;
}

cl_program CL_API_CALL dl__hook_clCreateProgramWithSource(cl_context context,
                                                          cl_uint count,
                                                          const char **strings,
                                                          const size_t *lengths,
                                                          cl_int *err)
{
    cl_program handle =
        dl__next.clCreateProgramWithSource(context, count, strings, lengths, err);
    struct dl__program *program = dl__program_record(handle, context, DL__FROM_SOURCE);

    if (program)
        program->source = join_strings(count, strings, lengths, &program->source_bytes);
    return handle;
}

cl_program CL_API_CALL dl__hook_clCreateProgramWithBuiltInKernels(
    cl_context context, cl_uint device_count, const cl_device_id *devices,
    const char *names, cl_int *err)
{
    cl_program handle = dl__next.clCreateProgramWithBuiltInKernels(context, device_count,
                                                                   devices, names, err);

    dl__program_record(handle, context, DL__BUILT_IN);
    return handle;
}

cl_program CL_API_CALL dl__hook_clCreateProgramWithIL(cl_context context, const void *il,
                                                      size_t bytes, cl_int *err)
{
    cl_program handle = dl__next.clCreateProgramWithIL(context, il, bytes, err);

    dl__program_record(handle, context, DL__FROM_IL);
    return handle;
}

void dl__pin_adopt_program(cl_context context, cl_program program)
{
    dl__program_record(program, context, DL__FROM_IL);
}

cl_int CL_API_CALL dl__hook_clRetainProgram(cl_program program)
{
    cl_int err = dl__next.clRetainProgram(program);

    if (err == CL_SUCCESS)
        dl__object_retain(&dl__program_type, program);
    return err;
}

cl_int CL_API_CALL dl__hook_clReleaseProgram(cl_program program)
{
    dl__object_release(&dl__program_type, program);
    return dl__next.clReleaseProgram(program);
}

/* True when building `program` can concern DL at all; if not, nothing more is looked at.
 */
static bool may_concern(const struct dl__program *program, const char *build_options)
{
    struct dl_annotate_options how = {.build_options = build_options,
                                      .side = dl__options_get()->side,
                                      .detect = dl__options_get()->detect};

    if (program->source)
        dl__facts_text(program->source, program->source_bytes);
    return program->source &&
           dl__text_is_wanted(program->source, program->source_bytes, &how);
}

cl_device_id *dl__built_devices(cl_context context, cl_uint count,
                                const cl_device_id *devices, cl_uint *count_out)
{
    cl_device_id *all;
    size_t bytes = 0;

    if (count && devices) {
        bytes = count * sizeof *devices;
    } else if (dl__next.clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes) !=
                   CL_SUCCESS ||
               bytes < sizeof *all) {
        return NULL;
    }
    all = malloc(bytes);
    if (!all)
        return NULL;
    if (count && devices) {
        memcpy(all, devices, bytes);
    } else if (dl__next.clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, all, NULL) !=
               CL_SUCCESS) {
        free(all);
        return NULL;
    }
    *count_out = (cl_uint)(bytes / sizeof *all);
    return all;
}

/* Takes over `rewrite`, NULL: none. Returns the one before, which the caller releases. */
static struct dl__rewrite *swap_rewrite(struct dl__program *program,
                                        struct dl__rewrite *rewrite)
{
    struct dl__context *context = program->object.context;
    struct dl__rewrite *before;

    dl__context_lock(context);
    before = program->rewrite;
    program->rewrite = rewrite;
    atomic_store(&program->unsettled, rewrite && !rewrite->settled);
    dl__context_unlock(context);
    return before;
}

static void release_rewrite(struct dl__context *context, struct dl__rewrite *rewrite)
{
    cl_uint before;

    if (!rewrite)
        return;
    dl__context_lock(context);
    before = dl__context_count_begin(context);
    dl__rewrite_release(rewrite);
    dl__context_count_end(context, before);
    dl__context_unlock(context);
}

/* Takes over `list`, what is known of a program that is built anew. Returns the one
 * before, the caller's to free. */
static char *swap_demands(struct dl__program *program, char *list)
{
    char *before;

    dl__context_lock(program->object.context);
    before = program->demands;
    program->demands = list;
    dl__context_unlock(program->object.context);
    return before;
}

/* The kernels of a text that must not run on the program's layout, for when the program
 * goes on as a binary: as they are found without libclang, and what its notes add once
 * they are read. */
static char *demands_of_text(const struct dl__program *program)
{
    char *list = NULL;

    dl__demands_add_text(&list, program->source, program->source_bytes);
    return list;
}

/* What building `program` may make of it, not settled yet; NULL: nothing that concerns
 * DL. */
static struct dl__rewrite *rewrite_build(struct dl__program *program, const char *options,
                                         cl_uint device_count,
                                         const cl_device_id *devices)
{
    cl_context context = program->object.context->object.handle;
    struct dl__rewrite *rewrite = NULL;
    struct dl__unit *unit = NULL;
    cl_uint count = 0;
    cl_device_id *built = dl__built_devices(context, device_count, devices, &count);

    if (built)
        unit = dl__unit_make(program, options, 0, NULL, NULL);
    if (unit) {
        dl__unit_see_files(unit);
        rewrite = dl__rewrite_make(&unit, 1, false, NULL, built, count);
    }
    dl__unit_release(unit);
    free(built);
    return rewrite;
}

/* What a build makes of a program. */
struct build {
    struct dl__rewrite *rewrite;
    char *demands, *options; /* of one from source */
    struct dl__seen_files seen;
    bool compiled;
};

static void swap_build(struct dl__program *program, struct build *build)
{
    struct dl__seen_files seen;
    char *options;
    bool compiled;

    build->rewrite = swap_rewrite(program, build->rewrite);
    if (program->source)
        build->demands = swap_demands(program, build->demands);
    dl__context_lock(program->object.context);
    options = program->built_with;
    compiled = program->compiled;
    program->built_with = build->options;
    program->compiled = build->compiled;
    seen = program->seen;
    program->seen = build->seen;
    build->seen = seen;
    build->options = options;
    build->compiled = compiled;
    dl__program_forget_bytes(program);
    dl__context_unlock(program->object.context);
}

static void release_build(struct dl__context *context, struct build *build)
{
    release_rewrite(context, build->rewrite);
    free(build->demands);
    free(build->options);
    dl__pack_free(&build->seen.list);
}

cl_int CL_API_CALL dl__hook_clBuildProgram(cl_program handle, cl_uint device_count,
                                           const cl_device_id *devices,
                                           const char *options,
                                           void(CL_CALLBACK *notify)(cl_program, void *),
                                           void *user)
{
    struct dl__program *program = dl__program_find(handle);
    struct build build = {.rewrite = NULL};
    cl_int err;

    if (!program)
        return dl__next.clBuildProgram(handle, device_count, devices, options, notify,
                                       user);
    /* Before the driver's build: with a callback, that may run before the driver returns
     * and create kernels, the first of which settles what this is. */
    if (may_concern(program, options)) {
        build.rewrite = rewrite_build(program, options, device_count, devices);
        build.demands = demands_of_text(program);
    } else if (program->recalled) {
        build.rewrite = dl__recalled_rewrite(program, options, device_count, devices);
    }
    build.options = strdup(options ? options : "");
    if (program->source && !build.rewrite)
        dl__files_see(&build.seen, program->source, options, NULL, 0);
    if (build.rewrite)
        dl__rewrite_read_ahead(build.rewrite, program->object.context, notify != NULL);
    swap_build(program, &build);
    err = dl__next.clBuildProgram(handle, device_count, devices, options, notify, user);
    if (err != CL_SUCCESS)
        swap_build(program, &build);
    else if (!notify)
        dl__program_settle(program);
    if (err == CL_SUCCESS && program->recalled)
        dl__recalled_warn(program, options);
    release_build(program->object.context, &build);
    return err;
}

/* The unit of a program that is compiled with these headers; NULL: one of them is
 * unknown, or out of memory. */
static struct dl__unit *make_unit(const struct dl__program *program, const char *options,
                                  cl_uint header_count, const cl_program *headers,
                                  const char *const *header_names)
{
    const struct dl__program **records = calloc(header_count + 1, sizeof *records);
    struct dl__unit *unit = NULL;

    for (cl_uint i = 0; records && i < header_count; i++)
        records[i] = dl__program_find(headers[i]);
    if (records)
        unit = dl__unit_make(program, options, header_count, records, header_names);
    if (unit)
        dl__unit_see_files(unit);
    free(records);
    return unit;
}

/* Its callback may take the program's binary, for which the unit is read. */
static void read_before_compiling(struct dl__context *context, struct dl__unit *unit,
                                  cl_uint device_count, const cl_device_id *devices)
{
    cl_uint count = 0;
    cl_device_id *built =
        dl__built_devices(context->object.handle, device_count, devices, &count);

    if (count)
        dl__unit_read_ahead(unit, context, built[0], true);
    free(built);
}

cl_int CL_API_CALL dl__hook_clCompileProgram(
    cl_program handle, cl_uint device_count, const cl_device_id *devices,
    const char *options, cl_uint header_count, const cl_program *headers,
    const char **header_names, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    struct dl__program *program = dl__program_find(handle);

    /* Every unit is kept, annotated or not: it may be linked with one that is. */
    if (program && program->source && (!header_count || (headers && header_names))) {
        struct dl__unit *unit = make_unit(program, options, header_count, headers,
                                          (const char *const *)header_names);

        dl__facts_text(program->source, program->source_bytes);
        dl__context_lock(program->object.context);
        dl__unit_release(program->unit);
        program->unit = unit;
        program->compiled = true;
        dl__program_forget_bytes(program);
        dl__context_unlock(program->object.context);
        free(swap_demands(program,
                          unit && unit->wanted ? demands_of_text(program) : NULL));
        if (notify && unit && unit->wanted)
            read_before_compiling(program->object.context, unit, device_count, devices);
    }
    return dl__next.clCompileProgram(handle, device_count, devices, options, header_count,
                                     headers, header_names, notify, user);
}

/* What the inputs of a link bring into it. */
struct link_inputs {
    struct dl__unit *
        *units; /* each with a reference; NULL: one of the inputs is unknown */
    size_t count;
    bool annotated; /* a known unit has annotations */
    char *demands;  /* kernels that read discrete arrays, of all inputs; NULL: none */
    enum dl__origin origin; /* of what is linked */
};

static enum dl__origin origin_with(enum dl__origin origin, enum dl__origin input)
{
    if (input == DL__FROM_SOURCE || origin == DL__FROM_BINARY)
        return origin;
    return input == DL__FROM_KNOWN_BINARY ? input : DL__FROM_BINARY;
}

static bool add_units(struct link_inputs *inputs, struct dl__unit *const *units,
                      size_t count)
{
    struct dl__unit **more =
        realloc(inputs->units, (inputs->count + count + 1) * sizeof *more);

    if (!more)
        return false;
    inputs->units = more;
    for (size_t u = 0; u < count; u++) {
        atomic_fetch_add(&units[u]->refs, 1);
        inputs->annotated = inputs->annotated || units[u]->wanted;
        more[inputs->count++] = units[u];
    }
    return true;
}

static void drop_units(struct link_inputs *inputs)
{
    for (size_t u = 0; u < inputs->count; u++)
        dl__unit_release(inputs->units[u]);
    free(inputs->units);
    inputs->units = NULL;
    inputs->count = 0;
}

static DL__WITH_LOCK void collect_inputs(cl_uint count, const cl_program *programs,
                                         struct link_inputs *inputs)
{
    bool whole = true;

    for (cl_uint i = 0; i < count; i++) {
        const struct dl__program *input = dl__program_find(programs[i]);

        if (input) {
            dl__demands_add(&inputs->demands, input->demands);
            inputs->origin = origin_with(inputs->origin, input->origin);
        }
        if (input && input->unit)
            whole = add_units(inputs, &input->unit, 1) && whole;
        else if (input && input->rewrite)
            whole =
                add_units(inputs, input->rewrite->units, input->rewrite->unit_count) &&
                whole;
        else if (input && input->recalled && input->recalled->usable)
            whole =
                add_units(inputs, input->recalled->units, input->recalled->unit_count) &&
                whole;
        else
            whole = false;
    }
    if (!whole)
        drop_units(inputs);
}

/* What a link makes of its units. */
static struct dl__rewrite *rewrite_link(cl_context context, struct dl__unit *const *units,
                                        size_t unit_count, bool annotated,
                                        const char *options, cl_uint device_count,
                                        const cl_device_id *devices)
{
    struct dl__rewrite *rewrite = NULL;
    cl_device_id *built = NULL;
    cl_uint count = 0;

    if (annotated)
        built = dl__built_devices(context, device_count, devices, &count);
    if (built || !annotated)
        rewrite = dl__rewrite_make(units, unit_count, true, options, built, count);
    free(built);
    return rewrite;
}

cl_program CL_API_CALL dl__hook_clLinkProgram(
    cl_context context_handle, cl_uint device_count, const cl_device_id *devices,
    const char *options, cl_uint input_count, const cl_program *programs,
    void(CL_CALLBACK *notify)(cl_program, void *), void *user, cl_int *err)
{
    struct dl__context *context = dl__context_find(context_handle);
    struct dl__rewrite *rewrite = NULL;
    struct link_inputs inputs = {0};
    struct dl__program *program;
    cl_program handle;

    if (context && input_count && programs) {
        dl__context_lock(context);
        collect_inputs(input_count, programs, &inputs);
        dl__context_unlock(context);
        if (!inputs.units && inputs.annotated)
            dl__log(DL__LOG_WARNING,
                    "annotated kernels are linked with a program that was not "
                    "compiled from source: they run as written");
    }
    if (inputs.units)
        rewrite = rewrite_link(context_handle, inputs.units, inputs.count,
                               inputs.annotated, options, device_count, devices);
    if (rewrite)
        dl__rewrite_read_ahead(rewrite, context, notify != NULL);
    handle = dl__next.clLinkProgram(context_handle, device_count, devices, options,
                                    input_count, programs, notify, user, err);
    program = handle ? dl__object_make(&dl__program_type, handle, context) : NULL;
    if (program) {
        program->origin = inputs.origin;
        inputs.demands = swap_demands(program, inputs.demands);
    }
    free(inputs.demands);
    if (program && rewrite) {
        release_rewrite(context, swap_rewrite(program, rewrite));
        if (!notify)
            dl__program_settle(program);
    } else if (rewrite) {
        release_rewrite(context, rewrite);
    }
    drop_units(&inputs);
    return handle;
}
