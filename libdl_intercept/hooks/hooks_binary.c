/* SPDX-License-Identifier: MIT */
/* Hooks of programs' binaries: what they were built from is kept, and found again. */
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/programs/cache.h"
#include "libdl_intercept/programs/recall.h"
#include "libdl_intercept/programs/unit.h"
#include "libdl_intercept/state/contexts.h"
#include "hooks.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

/* ---- loading ---- */

/* What DL knows of a program that was made from these binaries, into its record. */
static void recognise(struct dl__program *program, cl_uint count,
                      const cl_device_id *devices, const struct dl__binary_name *names)
{
    struct dl__recalled *recalled = dl__recall_find(count, devices, names);

    /* For when the text can't be rewritten after all. */
    for (cl_uint i = 0; i < count; i++)
        dl__demands_add_binary(&program->demands, &names[i]);
    if (!recalled)
        return;
    program->recalled = recalled;
    if (recalled->usable || !recalled->wanted)
        program->origin = DL__FROM_KNOWN_BINARY;
    else
        dl__log(DL__LOG_REMARK,
                "a program is loaded from a binary that was built from files which "
                "have changed since, or which DL did not read: its kernels run as "
                "written");
    for (size_t u = 0; u < recalled->unit_count; u++) {
        const struct dl__unit *unit = recalled->units[u];

        dl__facts_text(unit->text, strlen(unit->text));
        if (unit->wanted && recalled->usable)
            dl__demands_add_text(&program->demands, unit->text, strlen(unit->text));
    }
}

cl_program CL_API_CALL dl__hook_clCreateProgramWithBinary(
    cl_context context, cl_uint device_count, const cl_device_id *devices,
    const size_t *lengths, const unsigned char **binaries, cl_int *binary_status,
    cl_int *err)
{
    cl_program handle = dl__next.clCreateProgramWithBinary(
        context, device_count, devices, lengths, binaries, binary_status, err);
    struct dl__program *program =
        handle ? dl__object_make(&dl__program_type, handle, dl__context_find(context))
               : NULL;
    struct dl__binary_name *names = program ? calloc(device_count, sizeof *names) : NULL;

    if (!program)
        return handle;
    program->origin = DL__FROM_BINARY;
    for (cl_uint i = 0; names && i < device_count; i++)
        names[i] = dl__binary_name(binaries[i], binaries[i] ? lengths[i] : 0);
    if (names)
        recognise(program, device_count, devices, names);
    dl__facts_program(program->origin);
    free(names);
    return handle;
}

/* The devices of the list that the binaries are known of, which stay, in the order of the
 * list. */
static void keep_known(const struct dl__recalled *recalled, cl_device_id *devices,
                       cl_uint *count)
{
    cl_uint kept = 0;

    for (cl_uint i = 0; i < *count; i++)
        for (cl_uint k = 0; k < recalled->device_count; k++)
            if (devices[i] == recalled->devices[k]) {
                devices[kept++] = devices[i];
                break;
            }
    *count = kept;
}

static bool is_wanted(const struct dl__recalled *recalled)
{
    return recalled->usable && recalled->wanted && recalled->as != DL__COMPILED;
}

void dl__recalled_warn(const struct dl__program *program, const char *options)
{
    const cl_program handle = program->object.handle;
    size_t bytes = 0;
    char *names;

    if (!is_wanted(program->recalled) || dl__recalled_takes(program->recalled, options))
        return;
    if (dl__next.clGetProgramInfo(handle, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &bytes) !=
        CL_SUCCESS)
        bytes = 0;
    names = calloc(1, bytes + 1);
    if (names && bytes)
        dl__next.clGetProgramInfo(handle, CL_PROGRAM_KERNEL_NAMES, bytes, names, NULL);
    for (char *at = names; at && (at = strchr(at, ';'));)
        *at = ',';
    dl__log(DL__LOG_WARNING,
            "the kernels of a program that is loaded from a binary run as written: %s; "
            "it is built with '%s', but the binary was not: build it with the same "
            "options",
            names ? names : "", options);
    free(names);
}

struct dl__rewrite *dl__recalled_rewrite(const struct dl__program *program,
                                         const char *options, cl_uint device_count,
                                         const cl_device_id *devices)
{
    const struct dl__recalled *recalled = program->recalled;
    struct dl__rewrite *rewrite = NULL;
    cl_device_id *built;
    cl_uint count = 0;

    if (!is_wanted(recalled) || !dl__recalled_takes(recalled, options))
        return NULL;
    built = dl__built_devices(program->object.context->object.handle, device_count,
                              devices, &count);
    if (built)
        keep_known(recalled, built, &count);
    if (count)
        rewrite = dl__rewrite_make(recalled->units, recalled->unit_count,
                                   recalled->as == DL__LINKED, recalled->link_options,
                                   built, count);
    free(built);
    return rewrite;
}

/* ---- handing out ---- */

/* All that is known of the program by now; the caller frees it. */
static char *settled_demands(struct dl__program *program)
{
    const struct dl__rewrite *rewrite;
    char *list = NULL;

    dl__context_lock(program->object.context);
    rewrite = program->rewrite;
    for (size_t u = 0; rewrite && rewrite->settled && u < rewrite->unit_count; u++)
        dl__demands_add_notes(&program->demands, rewrite->units[u]->notes);
    dl__demands_add(&list, program->demands);
    dl__context_unlock(program->object.context);
    return list;
}

/* The unit of a program that is compiled, for a link, or that is built and has no
 * annotations; NULL: none. The caller releases it. */
static struct dl__unit *unit_of(struct dl__program *program, bool compiled)
{
    struct dl__unit *unit = NULL;
    struct dl__seen_files seen = {.whole = false};
    char *options = NULL;

    dl__context_lock(program->object.context);
    if (compiled && (unit = program->unit))
        atomic_fetch_add(&unit->refs, 1);
    else if (!compiled && program->built_with &&
             dl__seen_files_copy(&seen, &program->seen))
        options = strdup(program->built_with);
    dl__context_unlock(program->object.context);
    if (options)
        unit = dl__unit_make(program, options, 0, NULL, NULL);
    if (unit) {
        unit->seen = seen;
        seen = (struct dl__seen_files){.whole = false};
    }
    dl__pack_free(&seen.list);
    free(options);
    return unit;
}

/* What the program is built from now. NULL: not known. The caller frees it. */
static struct dl__recalled *built_from(struct dl__program *program)
{
    const struct dl__recalled *before = program->recalled;
    struct dl__recalled *recalled = NULL;
    struct dl__unit *unit = NULL;
    bool compiled, same;

    dl__context_lock(program->object.context);
    compiled = program->compiled;
    same = before && before->usable && dl__recalled_takes(before, program->built_with);
    if (!compiled && program->rewrite)
        recalled =
            dl__recalled_make(program->rewrite->linked ? DL__LINKED : DL__BUILT,
                              program->rewrite->link_options, program->rewrite->units,
                              program->rewrite->unit_count);
    dl__context_unlock(program->object.context);
    if (!recalled)
        unit = unit_of(program, compiled);
    if (unit)
        recalled = dl__recalled_make(compiled ? DL__COMPILED : DL__BUILT, NULL, &unit, 1);
    else if (!recalled && same)
        recalled = dl__recalled_make(before->as, before->link_options, before->units,
                                     before->unit_count);
    dl__unit_release(unit);
    return recalled;
}

/* The devices of a program with so many binaries; NULL: not to be had. The caller frees
 * it. */
static cl_device_id *devices_of(const struct dl__program *program, cl_uint count)
{
    const size_t bytes = count * sizeof(cl_device_id);
    cl_device_id *devices = malloc(bytes);
    size_t given = 0;

    if (devices &&
        dl__next.clGetProgramInfo(program->object.handle, CL_PROGRAM_DEVICES, bytes,
                                  devices, &given) == CL_SUCCESS &&
        given == bytes)
        return devices;
    free(devices);
    return NULL;
}

/* How keeping went. */
struct keeping {
    bool known; /* what the program was built from */
    bool fails; /* something that concerns DL is kept no longer than the process */
};

static struct keeping keep_all(struct dl__program *program, cl_uint count,
                               const size_t *bytes, const struct dl__binary_name *names)
{
    struct dl__recalled *recalled = built_from(program);
    cl_device_id *devices = NULL;
    struct keeping keeping = {.known = recalled != NULL};
    bool kept = true;

    if (recalled && recalled->annotated)
        devices = devices_of(program, count);
    /* It is known then what they include. */
    for (size_t u = 0; devices && u < recalled->unit_count; u++)
        if (!recalled->units[u]->can_wait || !dl__unit_files_known(recalled->units[u]))
            dl__unit_annotate(recalled->units[u], program->object.context, devices[0],
                              true);
    for (cl_uint i = 0; recalled && i < count; i++)
        if (bytes[i] && (devices || !recalled->annotated))
            kept =
                dl__recall_keep(recalled, devices ? devices[i] : NULL, &names[i]) && kept;
    keeping.fails = !kept && recalled->wanted;
    dl__recalled_free(recalled);
    free(devices);
    return keeping;
}

/* Binaries are handed out, as far as they have bytes: they are recognised when they come
 * back. */
static void remember(struct dl__program *program, cl_uint count, const size_t *bytes,
                     unsigned char *const *binaries)
{
    struct dl__binary_name *names = calloc(count + 1, sizeof *names);
    char *demands = settled_demands(program);
    struct keeping keeping = {.known = false};
    static atomic_bool said;

    for (cl_uint i = 0; names && i < count; i++)
        if (bytes[i])
            names[i] = dl__binary_name(binaries[i], bytes[i]);
    if (names)
        keeping = keep_all(program, count, bytes, names);
    for (cl_uint i = 0; names && i < count; i++)
        if (bytes[i] && (demands || keeping.known))
            dl__demands_remember(demands, &names[i]);
    if (keeping.fails && !demands && !atomic_exchange(&said, true))
        dl__log(dl__cache_is_on() ? DL__LOG_WARNING : DL__LOG_REMARK,
                "the program takes the binary of annotated kernels, and DL %s: a later "
                "run that loads it runs them as written",
                dl__cache_is_on() ? "can't write into its cache" : "keeps no cache");
    free(demands);
    free(names);
}

/* ---- asking ---- */

void dl__program_forget_bytes(struct dl__program *program)
{
    free(program->binary_bytes);
    program->binary_bytes = NULL;
    program->binary_count = 0;
}

/* How long the program's binaries are, as it has been told, or as the driver tells; NULL:
 * not to be had. The caller frees it. */
static size_t *binary_bytes(struct dl__program *program, cl_uint *count)
{
    cl_program handle = program->object.handle;
    size_t *bytes = NULL, room = 0;

    dl__context_lock(program->object.context);
    *count = program->binary_count;
    if (program->binary_bytes && (bytes = malloc(*count * sizeof *bytes)))
        memcpy(bytes, program->binary_bytes, *count * sizeof *bytes);
    dl__context_unlock(program->object.context);
    if (bytes || dl__next.clGetProgramInfo(handle, CL_PROGRAM_BINARY_SIZES, 0, NULL,
                                           &room) != CL_SUCCESS)
        return bytes;
    *count = (cl_uint)(room / sizeof *bytes);
    bytes = malloc(room + 1);
    if (bytes && dl__next.clGetProgramInfo(handle, CL_PROGRAM_BINARY_SIZES, room, bytes,
                                           NULL) == CL_SUCCESS)
        return bytes;
    free(bytes);
    return NULL;
}

static void note_bytes(struct dl__program *program, const size_t *bytes, size_t room)
{
    size_t *copy = malloc(room + 1);

    if (!copy)
        return;
    memcpy(copy, bytes, room);
    dl__context_lock(program->object.context);
    dl__program_forget_bytes(program);
    program->binary_bytes = copy;
    program->binary_count = (cl_uint)(room / sizeof *copy);
    dl__context_unlock(program->object.context);
}

static void note_binaries(struct dl__program *program, unsigned char *const *binaries,
                          size_t room)
{
    cl_uint count;
    size_t *bytes = binary_bytes(program, &count);

    bool any = false;

    for (cl_uint i = 0; bytes && i < count && count * sizeof *binaries <= room; i++) {
        if (!binaries[i])
            bytes[i] = 0;
        any = any || bytes[i];
    }
    if (any) {
        dl__program_settle(program);
        remember(program, count, bytes, binaries);
    }
    free(bytes);
}

cl_int CL_API_CALL dl__hook_clGetProgramInfo(cl_program handle, cl_program_info name,
                                             size_t bytes, void *value, size_t *ret)
{
    size_t given = 0;
    cl_int err =
        dl__next.clGetProgramInfo(handle, name, bytes, value, ret ? ret : &given);
    struct dl__program *program;

    if (err != CL_SUCCESS || !value ||
        (name != CL_PROGRAM_BINARIES && name != CL_PROGRAM_BINARY_SIZES))
        return err;
    program = dl__program_find(handle);
    if (program && name == CL_PROGRAM_BINARIES)
        note_binaries(program, value, bytes);
    else if (program)
        note_bytes(program, value, ret ? *ret : given);
    return CL_SUCCESS;
}
