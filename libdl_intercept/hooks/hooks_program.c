/* SPDX-License-Identifier: MIT */
/* Hooks of programs: sources are kept, and annotated when they are built; what binaries
 * were built from is kept, and found again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hooks.h"
#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/cache.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/programs/unit.h"
#include "libdl_intercept/reports/facts.h"
#include "libdl_intercept/state/contexts.h"
#include "pin.h"

/* ---- programs recognised by their binaries ----
 *
 * A program that takes its binaries, to load them instead of its source from its next run
 * on, would hide that source from DL. So the cache keeps for each binary that the program
 * is given the units that it was built from, with all that they include, and how they
 * were linked. A program loaded from such a binary is then transformed as if it had been
 * built from source. The binaries that the program is given, and gives to the driver, are
 * the driver's own bytes.
 *
 * An entry holds for the device and driver that it was built for, whose macros the text
 * may use; it does not depend on DL's version. The units are read again, since
 * annotations beside the program may have changed. For a program without annotations the
 * cache only knows that DL has seen it, and no driver is asked for that. */

/* Which binary: a hash of its bytes. Some drivers' are text, which may lose its final NUL
 * in a file: zeros at the end do not count. */
struct binary_name {
    unsigned char hash[DL__DIGEST_BYTES];
};

static struct binary_name binary_name(const void *binary, size_t bytes)
{
    const unsigned char *data = binary;
    struct binary_name name;

    while (bytes && data[bytes - 1] == 0)
        bytes--;
    dl__digest(&(struct dl__digest_part){data, bytes}, 1, name.hash);
    return name;
}

/* True when a unit concerns DL. */
static bool is_wanted(const struct dl__rewrite *from)
{
    bool wanted = false;

    for (size_t u = 0; u < from->unit_count; u++)
        wanted = wanted || from->units[u]->wanted;
    return wanted;
}

/* The same, or would if another layout were asked for. */
static bool is_annotated(const struct dl__rewrite *from)
{
    bool annotated = is_wanted(from);

    for (size_t u = 0; u < from->unit_count && !annotated; u++)
        annotated = dl_annotate_wanted(from->units[u]->text, strlen(from->units[u]->text),
                                       dl__options_get()->side);
    return annotated;
}

/* ---- entries of the cache ----
 *
 * One entry has what a binary was built from. Others, which are empty, say of a device
 * and its driver that they gave the binary for that: devices of different names may give
 * the same bytes. */

/* Of the binary; with a device: of that it gave the binary for this value. */
static bool begin_key(struct dl__pack *key, const struct binary_name *name,
                      cl_device_id device, const struct dl__pack *value)
{
    bool begun = dl__cache_key_begin_lasting(
        key, device ? "who gave a binary" : "what a binary was built from, and how",
        device);
    unsigned char hash[DL__DIGEST_BYTES];

    dl__pack_bytes(key, name->hash, sizeof name->hash);
    if (device) {
        dl__digest(&(struct dl__digest_part){value->data, value->bytes}, 1, hash);
        dl__pack_bytes(key, hash, sizeof hash);
    }
    return begun && !key->failed;
}

static void pack_from(struct dl__pack *value, const struct dl__rewrite *from)
{
    bool whole = true;

    for (size_t u = 0; u < from->unit_count; u++)
        whole = whole && dl__unit_files_known(from->units[u]);
    dl__pack_number(value, from->compiled);
    dl__pack_number(value, whole);
    dl__rewrite_pack(value, from, true);
}

/* There is room for the devices. */
static struct dl__rewrite *unpack_from(const struct dl__pack *value,
                                       const cl_device_id *devices, cl_uint count)
{
    struct dl__unpack fields = dl__unpack_of(value);
    bool compiled = dl__unpack_number(&fields), usable = dl__unpack_number(&fields);
    struct dl__rewrite *from = dl__rewrite_unpack(&fields, devices, count);

    if (!from)
        return NULL;
    for (size_t u = 0; u < from->unit_count; u++)
        usable = usable && dl__files_unchanged(&from->units[u]->files);
    from->compiled = compiled;
    from->usable = usable;
    from->device_count = 0;
    return from;
}

/* False: nothing is kept. The caller frees the value. */
static bool get(const struct dl__pack *key, struct dl__pack *value)
{
    void *data = NULL;
    bool there = dl__cache_get(key, &data, &value->bytes);

    *value = (struct dl__pack){.data = data, .bytes = there ? value->bytes : 0};
    return there;
}

static bool are_alike(const struct dl__pack *a, const struct dl__pack *b)
{
    return a->bytes == b->bytes && (!a->bytes || memcmp(a->data, b->data, a->bytes) == 0);
}

/* The last text that gave this binary counts. False: it is not kept beyond the process.
 */
static bool put(const struct dl__pack *key, const struct dl__pack *value)
{
    struct dl__pack before;
    bool there = get(key, &before), kept = there && are_alike(&before, value);

    if (!kept) {
        kept = dl__cache_put(key, value->data ? (void *)value->data : "", value->bytes);
        if (there || !kept)
            dl__memory_put(key, value->data ? (void *)value->data : "", value->bytes);
    }
    dl__pack_free(&before);
    return kept;
}

/* Keeps what the binary was built from, with its units as they are read by now, which
 * others must not be reading still. `device` is its own, NULL: of nothing that has
 * annotations. False: it is not kept beyond the process. */
static bool recall_keep(const struct dl__rewrite *from, cl_device_id device,
                        const struct binary_name *name)
{
    const struct dl__pack empty = {0};
    struct dl__pack key, value = {0};
    bool kept;

    pack_from(&value, from);
    kept = begin_key(&key, name, NULL, NULL) && !value.failed && put(&key, &value);
    dl__pack_free(&key);
    if (device) {
        kept = begin_key(&key, name, device, &value) && !value.failed &&
               put(&key, &empty) && kept;
        dl__pack_free(&key);
    }
    dl__pack_free(&value);
    return kept;
}

static bool is_of_device(const struct binary_name *name, cl_device_id device,
                         const struct dl__pack *value)
{
    struct dl__pack key, there = {0};
    bool is = begin_key(&key, name, device, value) && get(&key, &there);

    dl__pack_free(&there);
    dl__pack_free(&key);
    return is;
}

/* Returns what these binaries were built from, for those with the same sources as the
 * first known one. NULL: none is known. The caller frees it. Asks no driver unless
 * needed. */
static struct dl__rewrite *recall_find(cl_uint count, const cl_device_id *devices,
                                       const struct binary_name *names)
{
    struct dl__pack key, first = {0}, other = {0};
    struct dl__rewrite *from = NULL;

    for (cl_uint i = 0; i < count; i++) {
        bool good = begin_key(&key, &names[i], NULL, NULL) && get(&key, &other);

        if (good && !from && (from = unpack_from(&other, devices, count))) {
            first = other;
            other = (struct dl__pack){0};
        } else {
            good = good && from && are_alike(&first, &other);
        }
        if (good) {
            from->usable = from->usable && (!is_wanted(from) ||
                                            is_of_device(&names[i], devices[i], &first));
            from->devices[from->device_count++] = devices[i];
        }
        dl__pack_free(&other);
        dl__pack_free(&key);
    }
    dl__pack_free(&first);
    if (from)
        from->everywhere = from->device_count == count;
    return from;
}

/* ---- options of binaries ---- */

/* The next option from *at on, with its bytes; NULL: none is left. */
static const char *next_option(const char **at, size_t *bytes)
{
    const char *option = *at + strspn(*at, " \t\n\r");

    *bytes = strcspn(option, " \t\n\r");
    *at = option + *bytes;
    return *bytes ? option : NULL;
}

static bool has_option(const char *options, const char *option, size_t bytes)
{
    const char *at = options, *other;
    size_t other_bytes;

    while ((other = next_option(&at, &other_bytes)))
        if (other_bytes == bytes && memcmp(other, option, bytes) == 0)
            return true;
    return false;
}

/* True of an option that only the compiler uses, so that it means nothing once there is a
 * binary. */
static bool is_of_the_text(const char *option, size_t bytes)
{
    static const char *const beginnings[] = {
        "-D", "-I", "-U", "-w", "-W", "-cl-std=", "-cl-kernel-arg-info", "-g"};

    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (bytes >= strlen(beginnings[i]) &&
            memcmp(option, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return option[0] != '-';
}

/* True when building the binary with these options can't give other results than it was
 * built with: none of them is left to the binary's compiler. */
static bool recalled_takes(const struct dl__rewrite *recalled, const char *options)
{
    const char *at = options ? options : "", *option;
    size_t bytes;

    while ((option = next_option(&at, &bytes))) {
        bool known =
            is_of_the_text(option, bytes) ||
            (recalled->linked && has_option(recalled->link_options, option, bytes));

        for (size_t u = 0; u < recalled->unit_count && !known; u++)
            known = has_option(recalled->units[u]->options, option, bytes);
        if (!known)
            return false;
    }
    return true;
}

/* ---- demands ----
 *
 * Kernels that read discrete arrays (SoA) in programs whose text DL does not have: loaded
 * from binaries or IL, or linked with such. They must not run on the program's
 * layout.
 *
 * DL keeps a list of their names for a program: from its notes when it is built from
 * source, or from its binaries when DL has seen them built, in this run or, through the
 * cache, in an earlier one. A side file names kernels of any program. A list is
 * "\nNAME\nNAME\n". */

static bool list_has(const char *list, const char *name, size_t bytes)
{
    for (const char *at = list ? list + 1 : ""; *at; at = strchr(at, '\n') + 1) {
        if (strncmp(at, name, bytes) == 0 && at[bytes] == '\n')
            return true;
    }
    return false;
}

static void add_name(char **list, const char *name, size_t bytes)
{
    size_t used = *list ? strlen(*list) : 0;
    char *more;

    if (bytes == 0 || list_has(*list, name, bytes))
        return;
    more = realloc(*list, used + bytes + 3);
    if (!more)
        return;
    if (used == 0)
        more[used++] = '\n';
    memcpy(more + used, name, bytes);
    memcpy(more + used + bytes, "\n", 2);
    *list = more;
}

static void demands_add(char **list, const char *more)
{
    while (more && more[0] && more[1]) {
        size_t bytes = strcspn(more + 1, "\n");

        add_name(list, more + 1, bytes);
        more += 1 + bytes;
    }
}

/* Lists are strings to be freed, NULL when empty; a list that can't grow, without memory,
 * stays as it is. Adds the names of `notes` or `list`; both may be NULL. */
static void demands_add_notes(char **list, const struct dl_notes *notes)
{
    for (size_t k = 0; notes && k < notes->kernel_count; k++) {
        const struct dl_kernel_note *kernel = &notes->kernels[k];
        bool demands = kernel->refused;

        for (size_t b = 0; b < kernel->buffer_count; b++)
            demands |= kernel->buffers[b].native == DL_LAYOUT_SOA;
        if (demands)
            add_name(list, kernel->name, strlen(kernel->name));
    }
}

/* The names in a text, as they are found without libclang. */
static void demands_add_text(char **list, const char *text, size_t bytes)
{
    struct dl_notes *notes = NULL;

    if (dl_annotate_refuse(text, bytes, dl__options_get()->side, &notes) == DL_OK) {
        demands_add_notes(list, notes);
        dl_notes_free(notes);
    }
}

/* ---- binaries' demands ---- */

/* Of the binary alone: whichever DL wrote the entry, it goes on being true. */
static bool begin_demands_key(struct dl__pack *key, const struct binary_name *name)
{
    dl__cache_key_begin_lasting(key, "discrete arrays in a binary", NULL);
    dl__pack_bytes(key, name->hash, sizeof name->hash);
    return !key->failed;
}

/* A program with these kernels, NULL: none, has this binary: remembered. */
static void demands_remember(const char *list, const struct binary_name *name)
{
    static atomic_bool said;
    struct dl__pack key;
    void *before = NULL;
    size_t bytes;

    if (!begin_demands_key(&key, name))
        goto out;
    if (list)
        dl__memory_stay(&key, list, strlen(list) + 1);
    else
        dl__memory_drop(&key);
    if (list && dl__cache_is_on())
        dl__cache_put(&key, list, strlen(list) + 1);
    else if (list && !atomic_exchange(&said, true))
        dl__log(
            DL__LOG_WARNING,
            "the program takes the binary of kernels that read discrete arrays (SoA); a "
            "later run that loads it would give them structs, since DL keeps no cache: "
            "name these kernels in a file for --annotations, or turn the cache on");
    /* Another text has given the same bytes. */
    else if (!list && dl__cache_get(&key, &before, &bytes) && bytes > 1)
        dl__cache_put(&key, "", 1);
    free(before);
out:
    dl__pack_free(&key);
}

/* Adds what is remembered of a binary. */
static void demands_add_binary(char **list, const struct binary_name *name)
{
    struct dl__pack key;
    size_t bytes = 0;
    char *text = NULL;
    void *value = NULL;

    if (begin_demands_key(&key, name) && dl__cache_get(&key, &value, &bytes)) {
        text = value;
        if (bytes > 2 && text[0] == '\n' && text[bytes - 2] == '\n' &&
            text[bytes - 1] == '\0')
            demands_add(list, text);
    }
    free(value);
    dl__pack_free(&key);
}

/* ---- kernels' demands ---- */

/* The transformer's own reading of the side file, asked about a text with this kernel
 * alone. */
static bool side_file_has(const char *kernel)
{
    const struct dl_side_file *side = dl__options_get()->side;
    char *list = NULL, *text = NULL;
    bool found;
    int bytes;

    if (!side || !dl_side_file_find(side, kernel))
        return false;
    bytes = asprintf(&text, "__kernel void %s()", kernel);
    if (bytes >= 0) {
        demands_add_text(&list, text, (size_t)bytes);
        free(text);
    }
    found = list != NULL;
    free(list);
    return found;
}

bool dl__demands_kernel(const struct dl__program *program, const char *kernel)
{
    return list_has(program->demands, kernel, strlen(kernel)) || side_file_has(kernel);
}

/* ---- loading ---- */

/* The record of a program that the driver has just made; NULL: none. */
static struct dl__program *program_record(cl_program handle, cl_context context,
                                          enum dl__origin origin)
{
    struct dl__program *program =
        dl__object_make(&dl__program_type, handle, dl__context_find(context));

    if (program) {
        program->origin = origin;
        dl__facts_program(origin);
    }
    return program;
}

/* The devices that a program is built for: those given, or the context's. NULL: not to be
 * had. The caller frees it. Annotations are read for the first one's compiler. */
static cl_device_id *built_devices(const struct dl__context *context, cl_uint count,
                                   const cl_device_id *devices, cl_uint *count_out)
{
    size_t bytes = count * sizeof *devices;
    cl_device_id *all;

    if (devices && !dl__context_has_devices(context, count, devices))
        return NULL;
    if (count && devices) {
        all = malloc(bytes);
        if (all)
            memcpy(all, devices, bytes);
    } else {
        all = dl__info_get(DL__OF_CONTEXT, context->object.handle, NULL,
                           CL_CONTEXT_DEVICES, &bytes);
    }
    *count_out = all ? (cl_uint)(bytes / sizeof *all) : 0;
    return all;
}

/* Puts what DL knows of these binaries into the record of the program made from them. */
static void recognise(struct dl__program *program, cl_uint count,
                      const cl_device_id *devices, const struct binary_name *names)
{
    struct dl__rewrite *recalled = recall_find(count, devices, names);

    /* For when the text can't be rewritten after all. */
    for (cl_uint i = 0; i < count; i++)
        demands_add_binary(&program->demands, &names[i]);
    if (!recalled)
        return;
    program->recalled = recalled;
    if (recalled->usable || !is_wanted(recalled))
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
            demands_add_text(&program->demands, unit->text, strlen(unit->text));
    }
}

DL_HOOK(clCreateProgramWithBinary)
{
    cl_program handle = DL_NEXT(clCreateProgramWithBinary);
    struct dl__program *program =
        dl__object_make(&dl__program_type, handle, dl__context_find(context));
    struct binary_name *names = program ? calloc(device_count, sizeof *names) : NULL;

    if (!program)
        return handle;
    program->origin = DL__FROM_BINARY;
    for (cl_uint i = 0; names && i < device_count; i++)
        names[i] = binary_name(binaries[i], binaries[i] ? lengths[i] : 0);
    if (names)
        recognise(program, device_count, devices, names);
    dl__facts_program(program->origin);
    free(names);
    return handle;
}

/* The devices of the list that the binaries are known of, which stay, in the order of the
 * list. */
static void keep_known(const struct dl__rewrite *recalled, cl_device_id *devices,
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

/* True when the program of the binary is rewritten. */
static bool is_rewritten(const struct dl__rewrite *recalled)
{
    return recalled->usable && !recalled->compiled && is_wanted(recalled);
}

/* It is built: says if it is not transformed because of the options. */
static void recalled_warn(const struct dl__program *program, const char *options)
{
    char *names;

    if (!is_rewritten(program->recalled) || recalled_takes(program->recalled, options))
        return;
    names = dl__info_get(DL__OF_PROGRAM, program->object.handle, NULL,
                         CL_PROGRAM_KERNEL_NAMES, NULL);
    for (char *at = names; at && (at = strchr(at, ';'));)
        *at = ',';
    dl__log(DL__LOG_WARNING,
            "the kernels of a program that is loaded from a binary run as written: %s; "
            "it is built with '%s', but the binary was not: build it with the same "
            "options",
            names ? names : "", options);
    free(names);
}

/* Returns the rewrite, not settled yet, of a program that is built from a binary that DL
 * knows; NULL: it does not concern DL. */
static struct dl__rewrite *recalled_rewrite(const struct dl__program *program,
                                            const char *options, cl_uint device_count,
                                            const cl_device_id *devices)
{
    const struct dl__rewrite *recalled = program->recalled;
    struct dl__rewrite *rewrite = NULL;
    cl_device_id *built;
    cl_uint count = 0;

    if (!is_rewritten(recalled) || !recalled_takes(recalled, options))
        return NULL;
    built = built_devices(program->object.context, device_count, devices, &count);
    if (built)
        keep_known(recalled, built, &count);
    if (count)
        rewrite =
            dl__rewrite_make(recalled->units, recalled->unit_count, recalled->linked,
                             recalled->link_options, built, count);
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
        demands_add_notes(&program->demands, rewrite->units[u]->notes);
    demands_add(&list, program->demands);
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
    else if (!compiled && program->built_with) {
        seen.whole = program->seen.whole;
        dl__pack_fields(&seen.list, program->seen.list.data, program->seen.list.bytes);
        options = seen.list.failed ? NULL : strdup(program->built_with);
    }
    dl__context_unlock(program->object.context);
    if (options)
        unit = dl__unit_make(program->source, options, NULL, 0);
    if (unit) {
        unit->seen = seen;
        seen = (struct dl__seen_files){.whole = false};
    }
    dl__pack_free(&seen.list);
    free(options);
    return unit;
}

/* Returns what the program is built from now. NULL: not known. The caller releases it. */
static struct dl__rewrite *built_from(struct dl__program *program)
{
    struct dl__rewrite *from, *before = program->recalled;
    struct dl__unit *unit = NULL;
    bool compiled;

    dl__context_lock(program->object.context);
    compiled = program->compiled;
    from = compiled ? NULL : program->rewrite;
    if (from)
        from->refs++;
    if (before && !(before->usable && recalled_takes(before, program->built_with)))
        before = NULL;
    dl__context_unlock(program->object.context);
    if (!from)
        unit = unit_of(program, compiled);
    if (unit && (from = dl__rewrite_make(&unit, 1, false, NULL, NULL, 0))) {
        from->compiled = compiled;
    } else if (!unit && !from && before) {
        dl__context_lock(program->object.context);
        before->refs++;
        dl__context_unlock(program->object.context);
        from = before;
    }
    dl__unit_release(unit);
    return from;
}

/* Returns the devices of a program with `count` binaries; NULL: they can't be queried.
 * The caller frees it. */
static cl_device_id *devices_of(const struct dl__program *program, cl_uint count)
{
    size_t bytes = 0;
    cl_device_id *devices = dl__info_get(DL__OF_PROGRAM, program->object.handle, NULL,
                                         CL_PROGRAM_DEVICES, &bytes);

    if (bytes == count * sizeof *devices)
        return devices;
    free(devices);
    return NULL;
}

static void release_rewrite(struct dl__context *context, struct dl__rewrite *rewrite)
{
    if (!rewrite)
        return;
    dl__context_lock(context);
    dl__rewrite_release(rewrite, context);
    dl__context_unlock(context);
}

/* Keeps what these binaries were built from. False: something that concerns DL is kept no
 * longer than the process.
 *   known  out: whether that is known */
static bool keep_all(struct dl__program *program, cl_uint count, const size_t *bytes,
                     const struct binary_name *names, bool *known)
{
    struct dl__rewrite *from = built_from(program);
    bool annotated = from && is_annotated(from), kept = true;
    cl_device_id *devices = annotated ? devices_of(program, count) : NULL;

    *known = from != NULL;
    /* It is known then what they include. */
    for (size_t u = 0; devices && u < from->unit_count; u++)
        if (!from->units[u]->can_wait || !dl__unit_files_known(from->units[u]))
            dl__unit_annotate(from->units[u], program->object.context, devices[0], true);
    for (cl_uint i = 0; from && i < count; i++)
        if (bytes[i] && (devices || !annotated))
            kept = recall_keep(from, devices ? devices[i] : NULL, &names[i]) && kept;
    kept = kept || !is_wanted(from);
    release_rewrite(program->object.context, from);
    free(devices);
    return kept;
}

/* Binaries are handed out, as far as they have bytes: they are recognised when they come
 * back. */
static void remember(struct dl__program *program, cl_uint count, const size_t *bytes,
                     unsigned char *const *binaries)
{
    struct binary_name *names = calloc(count + 1, sizeof *names);
    char *demands = settled_demands(program);
    bool known = false, kept = true;
    static atomic_bool said;

    for (cl_uint i = 0; names && i < count; i++)
        if (bytes[i])
            names[i] = binary_name(binaries[i], bytes[i]);
    if (names)
        kept = keep_all(program, count, bytes, names, &known);
    for (cl_uint i = 0; names && i < count; i++)
        if (bytes[i] && (demands || known))
            demands_remember(demands, &names[i]);
    if (!kept && !demands && !atomic_exchange(&said, true))
        dl__log(dl__cache_is_on() ? DL__LOG_WARNING : DL__LOG_REMARK,
                "the program takes the binary of annotated kernels, and DL %s: a later "
                "run that loads it runs them as written",
                dl__cache_is_on() ? "can't write into its cache" : "keeps no cache");
    free(demands);
    free(names);
}

/* ---- asking ---- */

/* It is built anew: its binaries have other sizes. */
static DL__WITH_LOCK void program_forget_bytes(struct dl__program *program)
{
    free(program->binary_bytes);
    program->binary_bytes = NULL;
    program->binary_count = 0;
}

/* How long the program's binaries are, as it has been told, or as the driver tells; NULL:
 * not to be had. The caller frees it. */
static size_t *binary_bytes(struct dl__program *program, cl_uint *count)
{
    size_t *bytes = NULL, room = 0;

    dl__context_lock(program->object.context);
    *count = program->binary_count;
    if (program->binary_bytes && (bytes = malloc(*count * sizeof *bytes)))
        memcpy(bytes, program->binary_bytes, *count * sizeof *bytes);
    dl__context_unlock(program->object.context);
    if (bytes)
        return bytes;
    bytes = dl__info_get(DL__OF_PROGRAM, program->object.handle, NULL,
                         CL_PROGRAM_BINARY_SIZES, &room);
    *count = (cl_uint)(room / sizeof *bytes);
    return bytes;
}

static void note_bytes(struct dl__program *program, const size_t *bytes, size_t room)
{
    size_t *copy = malloc(room + 1);

    if (!copy)
        return;
    memcpy(copy, bytes, room);
    dl__context_lock(program->object.context);
    program_forget_bytes(program);
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

DL_HOOK(clGetProgramInfo)
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

/* ---- making and building ---- */

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

DL_HOOK(clCreateProgramWithSource)
{
    cl_program handle = DL_NEXT(clCreateProgramWithSource);
    struct dl__program *program = program_record(handle, context, DL__FROM_SOURCE);

    if (program)
        program->source = join_strings(count, strings, lengths, &program->source_bytes);
    return handle;
}

DL_HOOK(clCreateProgramWithBuiltInKernels)
{
    cl_program handle = DL_NEXT(clCreateProgramWithBuiltInKernels);

    program_record(handle, context, DL__BUILT_IN);
    return handle;
}

DL_HOOK(clCreateProgramWithIL)
{
    cl_program handle = DL_NEXT(clCreateProgramWithIL);

    program_record(handle, context, DL__FROM_IL);
    return handle;
}

void dl__pin_adopt_program(cl_context context, cl_program program)
{
    program_record(program, context, DL__FROM_IL);
}

DL_HOOK_RETAIN(clRetainProgram, program, dl__program_type)
DL_HOOK_RELEASE(clReleaseProgram, program, dl__program_type)

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

/* The kernels of a text that must not run on the program's layout, for when the program
 * goes on as a binary: as they are found without libclang, and what its notes add once
 * they are read. */
static char *demands_of_text(const struct dl__program *program)
{
    char *list = NULL;

    demands_add_text(&list, program->source, program->source_bytes);
    return list;
}

/* Reads the files that its text includes: before the driver does. Threads: takes no lock.
 */
static void see_files(struct dl__unit *unit)
{
    dl__files_see(&unit->seen, unit->text, unit->options, unit->headers,
                  unit->header_count);
}

/* Returns the rewrite, not settled yet, of building `program` from source; NULL: it does
 * not concern DL. */
static struct dl__rewrite *rewrite_build(struct dl__program *program, const char *options,
                                         cl_uint device_count,
                                         const cl_device_id *devices)
{
    struct dl__rewrite *rewrite = NULL;
    struct dl__unit *unit = NULL;
    cl_uint count = 0;
    cl_device_id *built =
        built_devices(program->object.context, device_count, devices, &count);

    if (built)
        unit = dl__unit_make(program->source, options, NULL, 0);
    if (unit) {
        see_files(unit);
        rewrite = dl__rewrite_make(&unit, 1, false, NULL, built, count);
    }
    dl__unit_release(unit);
    free(built);
    return rewrite;
}

/* The state of one build of a program. */
struct build {
    struct dl__rewrite *rewrite;
    char *demands, *options; /* of one from source */
    struct dl__seen_files seen;
    bool compiled;
};

#define SWAP(a, b)                                                                       \
    do {                                                                                 \
        __typeof__(a) before = a;                                                        \
                                                                                         \
        a = b;                                                                           \
        b = before;                                                                      \
    } while (0)

static void swap_build(struct dl__program *program, struct build *build)
{
    dl__context_lock(program->object.context);
    SWAP(program->rewrite, build->rewrite);
    atomic_store(&program->unsettled, program->rewrite && !program->rewrite->settled);
    if (program->source)
        SWAP(program->demands, build->demands);
    SWAP(program->built_with, build->options);
    SWAP(program->compiled, build->compiled);
    SWAP(program->seen, build->seen);
    program_forget_bytes(program);
    dl__context_unlock(program->object.context);
}

static void release_build(struct dl__context *context, struct build *build)
{
    release_rewrite(context, build->rewrite);
    free(build->demands);
    free(build->options);
    dl__pack_free(&build->seen.list);
}

/* dl__unit_read_ahead of its units, before the driver builds them. */
static void rewrite_read_ahead(struct dl__rewrite *rewrite, struct dl__context *context,
                               bool wait)
{
    for (size_t u = 0; u < rewrite->unit_count && rewrite->device_count; u++)
        dl__unit_read_ahead(rewrite->units[u], context, rewrite->devices[0], wait);
}

/* The driver has refused a program's own text: its first log that says something goes
 * into the report. */
static void report_failure(const struct dl__program *program, cl_int err,
                           cl_uint device_count, const cl_device_id *devices)
{
    cl_uint count = 0;
    cl_device_id *built =
        dl__options_get()->counts
            ? built_devices(program->object.context, device_count, devices, &count)
            : NULL;
    char *log = NULL;

    for (cl_uint d = 0; d < count && (!log || !*log); d++) {
        free(log);
        log = dl__info_get(DL__OF_BUILD, program->object.handle, built[d],
                           CL_PROGRAM_BUILD_LOG, NULL);
    }
    if (built)
        dl__facts_build_failed(err, log ? log : "");
    free(log);
    free(built);
}

DL_HOOK(clBuildProgram)
{
    struct dl__program *program = dl__program_find(handle);
    struct build build = {.rewrite = NULL};
    cl_int err;

    if (!program)
        return DL_NEXT(clBuildProgram);
    /* Before the driver's build: with a callback, that may run before the driver returns
     * and create kernels, the first of which settles what this is. */
    if (may_concern(program, options)) {
        build.rewrite = rewrite_build(program, options, device_count, devices);
        build.demands = demands_of_text(program);
    } else if (program->recalled) {
        build.rewrite = recalled_rewrite(program, options, device_count, devices);
    }
    build.options = strdup(options ? options : "");
    if (program->source && !build.rewrite)
        dl__files_see(&build.seen, program->source, options, NULL, 0);
    if (build.rewrite)
        rewrite_read_ahead(build.rewrite, program->object.context, notify != NULL);
    swap_build(program, &build);
    err = DL_NEXT(clBuildProgram);
    if (err != CL_SUCCESS) {
        swap_build(program, &build);
        report_failure(program, err, device_count, devices);
    } else if (!notify) {
        dl__program_settle(program);
    }
    if (err == CL_SUCCESS && program->recalled)
        recalled_warn(program, options);
    release_build(program->object.context, &build);
    return err;
}

/* The unit of a program that is compiled with these headers; NULL: one of them is
 * unknown, or out of memory. */
static struct dl__unit *make_unit(const struct dl__program *program, const char *options,
                                  cl_uint header_count, const cl_program *headers,
                                  const char *const *header_names)
{
    struct dl_header *texts = calloc(header_count + 1, sizeof *texts);
    struct dl__unit *unit = NULL;
    bool whole = texts != NULL;

    for (cl_uint i = 0; whole && i < header_count; i++) {
        const struct dl__program *header = dl__program_find(headers[i]);

        texts[i] = (struct dl_header){header_names[i], header ? header->source : NULL};
        whole = texts[i].name && texts[i].text;
    }
    if (whole)
        unit = dl__unit_make(program->source, options, texts, header_count);
    if (unit)
        see_files(unit);
    free(texts);
    return unit;
}

/* Its callback may take the program's binary, for which the unit is read. */
static void read_before_compiling(struct dl__context *context, struct dl__unit *unit,
                                  cl_uint device_count, const cl_device_id *devices)
{
    cl_uint count = 0;
    cl_device_id *built = built_devices(context, device_count, devices, &count);

    if (count)
        dl__unit_read_ahead(unit, context, built[0], true);
    free(built);
}

DL_HOOK(clCompileProgram)
{
    struct dl__program *program = dl__program_find(handle);
    cl_int err;

    /* Every unit is kept, annotated or not: it may be linked with one that is. */
    if (program && program->source && (!header_count || (headers && header_names))) {
        struct dl__unit *unit = make_unit(program, options, header_count, headers,
                                          (const char *const *)header_names);
        char *demands = NULL;

        dl__facts_text(program->source, program->source_bytes);
        if (unit && unit->wanted)
            demands = demands_of_text(program);
        dl__context_lock(program->object.context);
        dl__unit_release(program->unit);
        program->unit = unit;
        program->compiled = true;
        program_forget_bytes(program);
        SWAP(program->demands, demands);
        dl__context_unlock(program->object.context);
        free(demands);
        if (notify && unit && unit->wanted)
            read_before_compiling(program->object.context, unit, device_count, devices);
    }
    err = DL_NEXT(clCompileProgram);
    if (program && err != CL_SUCCESS)
        report_failure(program, err, device_count, devices);
    return err;
}

/* The units and other facts that the inputs of a link contribute. */
struct link_inputs {
    struct dl__unit **units; /* the inputs' own */
    size_t count;
    bool whole;     /* these are all */
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

static void add_units(struct link_inputs *inputs, struct dl__unit *const *units,
                      size_t count)
{
    struct dl__unit **more =
        realloc(inputs->units, (inputs->count + count + 1) * sizeof *more);

    inputs->whole = inputs->whole && more;
    if (!more)
        return;
    inputs->units = more;
    for (size_t u = 0; u < count; u++) {
        inputs->annotated = inputs->annotated || units[u]->wanted;
        more[inputs->count++] = units[u];
    }
}

static DL__WITH_LOCK void collect_inputs(cl_uint count, const cl_program *programs,
                                         struct link_inputs *inputs)
{
    inputs->whole = true;
    for (cl_uint i = 0; i < count; i++) {
        const struct dl__program *input = dl__program_find(programs[i]);
        const struct dl__rewrite *from = input ? input->rewrite : NULL;

        if (input && !from && input->recalled && input->recalled->usable)
            from = input->recalled;
        if (input) {
            demands_add(&inputs->demands, input->demands);
            inputs->origin = origin_with(inputs->origin, input->origin);
        }
        if (input && input->unit)
            add_units(inputs, &input->unit, 1);
        else if (from)
            add_units(inputs, from->units, from->unit_count);
        else
            inputs->whole = false;
    }
}

/* Returns the rewrite of a linked program, NULL: none. */
static struct dl__rewrite *rewrite_link(const struct dl__context *context,
                                        const struct link_inputs *inputs,
                                        const char *options, cl_uint device_count,
                                        const cl_device_id *devices)
{
    struct dl__rewrite *rewrite = NULL;
    cl_device_id *built = NULL;
    cl_uint count = 0;

    if (!inputs->whole)
        return NULL;
    if (inputs->annotated)
        built = built_devices(context, device_count, devices, &count);
    if (built || !inputs->annotated)
        rewrite =
            dl__rewrite_make(inputs->units, inputs->count, true, options, built, count);
    free(built);
    return rewrite;
}

DL_HOOK(clLinkProgram)
{
    struct dl__context *context = dl__context_find(context_handle);
    struct dl__rewrite *rewrite = NULL;
    struct link_inputs inputs = {0};
    struct dl__program *program;
    cl_program handle;

    if (context && input_count && programs) {
        dl__context_lock(context);
        collect_inputs(input_count, programs, &inputs);
        rewrite = rewrite_link(context, &inputs, options, device_count, devices);
        dl__context_unlock(context);
        free(inputs.units);
        if (!inputs.whole && inputs.annotated)
            dl__log(DL__LOG_WARNING,
                    "annotated kernels are linked with a program that was not "
                    "compiled from source: they run as written");
    }
    if (rewrite)
        rewrite_read_ahead(rewrite, context, notify != NULL);
    handle = DL_NEXT(clLinkProgram);
    program = dl__object_make(&dl__program_type, handle, context);
    if (program) {
        dl__context_lock(context);
        program->origin = inputs.origin;
        SWAP(program->demands, inputs.demands);
        SWAP(program->rewrite, rewrite);
        atomic_store(&program->unsettled, program->rewrite && !program->rewrite->settled);
        dl__context_unlock(context);
        if (!notify)
            dl__program_settle(program);
    }
    free(inputs.demands);
    release_rewrite(context, rewrite);
    return handle;
}
