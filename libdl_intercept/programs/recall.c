/* SPDX-License-Identifier: MIT */
/* Programs recognised by their binaries. */
#include "recall.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "cache.h"
#include "unit.h"

enum { UNITS_MAX = 4096 };

struct dl__binary_name dl__binary_name(const void *binary, size_t bytes)
{
    const unsigned char *data = binary;
    struct dl__binary_name name;

    while (bytes && data[bytes - 1] == 0)
        bytes--;
    dl__digest(&(struct dl__digest_part){data, bytes}, 1, name.hash);
    return name;
}

/* ---- what a binary was built from ---- */

void dl__recalled_free(struct dl__recalled *recalled)
{
    if (!recalled)
        return;
    for (size_t u = 0; u < recalled->unit_count; u++)
        dl__unit_release(recalled->units[u]);
    free(recalled->units);
    free(recalled->link_options);
    free(recalled->devices);
    free(recalled);
}

struct dl__recalled *dl__recalled_make(enum dl__built_as as, const char *link_options,
                                       struct dl__unit *const *units, size_t count)
{
    struct dl__recalled *recalled = calloc(1, sizeof *recalled);

    if (!recalled)
        return NULL;
    recalled->as = as;
    recalled->link_options = strdup(link_options ? link_options : "");
    recalled->units = calloc(count + 1, sizeof *recalled->units);
    if (!recalled->link_options || !recalled->units) {
        dl__recalled_free(recalled);
        return NULL;
    }
    for (size_t u = 0; u < count; u++) {
        atomic_fetch_add(&units[u]->refs, 1);
        recalled->units[recalled->unit_count++] = units[u];
        recalled->wanted = recalled->wanted || units[u]->wanted;
        recalled->annotated = recalled->wanted || recalled->annotated ||
                              dl_annotate_wanted(units[u]->text, strlen(units[u]->text),
                                                 dl__options_get()->side);
    }
    return recalled;
}

/* ---- entries ---- */

static bool begin_key(struct dl__pack *key, const struct dl__binary_name *name)
{
    bool begun = dl__cache_key_begin_lasting(
        key, "what a binary was built from, and its files", NULL);

    dl__pack_bytes(key, name->hash, sizeof name->hash);
    return begun && !key->failed;
}

/* The device with its driver. */
static bool name_device(struct dl__pack *device_name, cl_device_id device)
{
    return dl__cache_key_begin_lasting(device_name, "device", device);
}

/* A list of devices grows by one, as a field. */
static bool add_device(struct dl__pack *list, cl_device_id device)
{
    struct dl__pack name;
    bool named = name_device(&name, device);

    dl__pack_bytes(list, name.data, name.bytes);
    dl__pack_free(&name);
    return named && !list->failed;
}

/* The devices' list is first, then the rest; the units are last, and follow each other to
 * the end. */
static void pack_rest(struct dl__pack *rest, const struct dl__recalled *recalled)
{
    bool whole = true;

    for (size_t u = 0; u < recalled->unit_count; u++)
        whole = whole && dl__unit_files_known(recalled->units[u]);

    dl__pack_number(rest, recalled->as);
    dl__pack_text(rest, recalled->link_options);
    dl__pack_number(rest, whole);
    dl__pack_number(rest, recalled->unit_count);
    for (size_t u = 0; u < recalled->unit_count; u++)
        dl__unit_pack(rest, recalled->units[u], true);
}

/* What an entry says behind its devices. */
static struct dl__recalled *unpack(struct dl__unpack fields)
{
    uint64_t as = dl__unpack_number(&fields);
    const char *link_options = dl__unpack_text(&fields);
    uint64_t usable = dl__unpack_number(&fields), count = dl__unpack_number(&fields);
    struct dl__recalled *recalled = NULL;
    struct dl__unit **units;
    uint64_t made = 0;

    if (fields.failed || as > DL__LINKED || count == 0 || count > UNITS_MAX)
        return NULL;
    units = calloc(count, sizeof *units);
    while (units && made < count && (units[made] = dl__unit_unpack(&fields)))
        made++;
    if (units && made == count && !fields.failed)
        recalled =
            dl__recalled_make((enum dl__built_as)as, link_options, units, (size_t)count);
    for (uint64_t u = 0; recalled && u < count; u++)
        usable = usable && dl__files_unchanged(&units[u]->files);
    if (recalled)
        recalled->usable = usable;
    for (uint64_t u = 0; u < made; u++)
        dl__unit_release(units[u]);
    free(units);
    return recalled;
}

/* An entry: the devices that gave these bytes, and the rest. */
struct found {
    void *value;
    const unsigned char *devices;
    size_t devices_bytes;
    struct dl__unpack rest;
};

/* False: nothing is kept. The caller frees the value. */
static bool get(const struct dl__binary_name *name, struct found *found)
{
    struct dl__pack key;
    bool good;

    memset(found, 0, sizeof *found);
    good =
        begin_key(&key, name) && dl__cache_get(&key, &found->value, &found->rest.bytes);
    dl__pack_free(&key);
    found->rest.data = found->value;
    if (good)
        found->devices = dl__unpack_bytes(&found->rest, &found->devices_bytes);
    return good && !found->rest.failed;
}

static bool is_of_device(const struct found *found, cl_device_id device)
{
    struct dl__unpack list = {.data = found->devices, .bytes = found->devices_bytes};
    struct dl__pack own;
    bool named = name_device(&own, device), same = false;

    while (named && !same && list.at < list.bytes && !list.failed) {
        size_t bytes;
        const unsigned char *name = dl__unpack_bytes(&list, &bytes);

        same = name && bytes == own.bytes && memcmp(own.data, name, bytes) == 0;
    }
    dl__pack_free(&own);
    return same;
}

static bool are_alike(const struct dl__unpack *a, const struct dl__unpack *b)
{
    return a->bytes - a->at == b->bytes - b->at &&
           memcmp(a->data + a->at, b->data + b->at, a->bytes - a->at) == 0;
}

/* Drivers that were updated leave their names. */
enum { DEVICES_BYTES_MAX = 1 << 16 };

/* What is kept from now on, where `before` was; false: it is there already. Devices of
 * different names may give the same bytes. */
static bool make_value(struct dl__pack *value, const struct dl__recalled *recalled,
                       cl_device_id device, const struct found *before)
{
    struct dl__pack rest = {0}, devices = {0};
    bool alike, there;

    pack_rest(&rest, recalled);
    alike = before && are_alike(&before->rest, &(struct dl__unpack){.data = rest.data,
                                                                    .bytes = rest.bytes});
    there = alike && (!device || is_of_device(before, device)) && !rest.failed;
    if (alike && before->devices_bytes < DEVICES_BYTES_MAX)
        dl__pack_fields(&devices, before->devices, before->devices_bytes);
    value->failed = rest.failed || (!there && device && !add_device(&devices, device));
    dl__pack_bytes(value, devices.data, devices.bytes);
    dl__pack_fields(value, rest.data, rest.bytes);
    dl__pack_free(&devices);
    dl__pack_free(&rest);
    return !there;
}

bool dl__recall_keep(const struct dl__recalled *recalled, cl_device_id device,
                     const struct dl__binary_name *name)
{
    struct dl__pack key, value = {0};
    struct found before;
    bool known, kept = false;

    if (!begin_key(&key, name))
        goto out;
    known = get(name, &before);
    if (!make_value(&value, recalled, device, known ? &before : NULL)) {
        kept = true;
    } else if (!value.failed) {
        /* The last text that gave this binary counts. */
        kept = dl__cache_put(&key, value.data, value.bytes);
        if (before.value || !kept)
            dl__memory_put(&key, value.data, value.bytes);
    }
    free(before.value);
out:
    dl__pack_free(&value);
    dl__pack_free(&key);
    return kept;
}

struct dl__recalled *dl__recall_find(cl_uint count, const cl_device_id *devices,
                                     const struct dl__binary_name *names)
{
    struct dl__recalled *recalled = NULL;
    struct found first = {.value = NULL}, other;

    for (cl_uint i = 0; i < count; i++) {
        bool good = get(&names[i], &other);

        if (good && !recalled && (recalled = unpack(other.rest))) {
            recalled->devices = calloc(count, sizeof *recalled->devices);
            first = other;
            other.value = NULL;
        } else {
            good = good && recalled && are_alike(&first.rest, &other.rest);
        }
        if (good && recalled && recalled->devices) {
            recalled->usable = recalled->usable &&
                               (!recalled->wanted ||
                                is_of_device(other.value ? &other : &first, devices[i]));
            recalled->devices[recalled->device_count++] = devices[i];
        }
        free(other.value);
    }
    free(first.value);
    if (recalled)
        recalled->everywhere = recalled->device_count == count;
    return recalled;
}

/* ---- options ---- */

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

/* What a compiler has done with when there is a binary. */
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

bool dl__recalled_takes(const struct dl__recalled *recalled, const char *options)
{
    const char *at = options ? options : "", *option;
    size_t bytes;

    while ((option = next_option(&at, &bytes))) {
        bool known = is_of_the_text(option, bytes) ||
                     (recalled->as == DL__LINKED &&
                      has_option(recalled->link_options, option, bytes));

        for (size_t u = 0; u < recalled->unit_count && !known; u++)
            known = has_option(recalled->units[u]->options, option, bytes);
        if (!known)
            return false;
    }
    return true;
}

/* Names of kernels that read discrete arrays, and the binaries they are in.
 *
 * A list is "\nNAME\nNAME\n". */

struct known {
    struct dl__binary_name name;
    char *list;
    struct known *next;
};

static struct dl__mutex lock = DL__MUTEX_INITIALIZER;
static struct known *known DL__GUARDED_BY(lock);

/* ---- lists ---- */

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

void dl__demands_add(char **list, const char *more)
{
    while (more && more[0] && more[1]) {
        size_t bytes = strcspn(more + 1, "\n");

        add_name(list, more + 1, bytes);
        more += 1 + bytes;
    }
}

void dl__demands_add_notes(char **list, const struct dl_notes *notes)
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

void dl__demands_add_text(char **list, const char *text, size_t bytes)
{
    struct dl_notes *notes = NULL;

    if (dl_annotate_refuse(text, bytes, dl__options_get()->side, &notes) == DL_OK) {
        dl__demands_add_notes(list, notes);
        dl_notes_free(notes);
    }
}

/* ---- binaries ---- */

/* Of the binary alone: whichever DL wrote the entry, it goes on being true. */
static bool begin_demands_key(struct dl__pack *key, const struct dl__binary_name *name)
{
    if (!dl__cache_key_begin_any(key, "discrete arrays in a binary"))
        return false;
    dl__pack_bytes(key, name->hash, sizeof name->hash);
    return true;
}

static void remember_here(const char *list, const struct dl__binary_name *name)
{
    struct known *entry;

    dl__mutex_lock(&lock);
    for (entry = known; entry; entry = entry->next) {
        if (memcmp(&entry->name, name, sizeof *name) == 0)
            break;
    }
    if (!entry && list && (entry = calloc(1, sizeof *entry))) {
        entry->name = *name;
        entry->next = known;
        known = entry;
    }
    if (entry) {
        free(entry->list);
        entry->list = NULL;
        dl__demands_add(&entry->list, list);
    }
    dl__mutex_unlock(&lock);
}

/* What is kept of the binary is of another text than the last that gave it. */
static void forget_kept(const struct dl__binary_name *name)
{
    struct dl__pack key;
    size_t bytes;
    void *value;

    if (begin_demands_key(&key, name) && dl__cache_get(&key, &value, &bytes)) {
        if (bytes > 1)
            dl__cache_put(&key, "", 1);
        free(value);
    }
    dl__pack_free(&key);
}

void dl__demands_remember(const char *list, const struct dl__binary_name *name)
{
    static atomic_bool said;
    struct dl__pack key;

    remember_here(list, name);
    if (!list) {
        forget_kept(name);
        return;
    }
    if (begin_demands_key(&key, name)) {
        dl__cache_put(&key, list, strlen(list) + 1);
    } else if (!atomic_exchange(&said, true)) {
        dl__log(
            DL__LOG_WARNING,
            "the program takes the binary of kernels that read discrete arrays (SoA); a "
            "later run that loads it would give them structs, since DL keeps no cache: "
            "name these kernels in a file for --annotations, or turn the cache on");
    }
    dl__pack_free(&key);
}

void dl__demands_add_binary(char **list, const struct dl__binary_name *name)
{
    struct dl__pack key;
    size_t value_bytes = 0;
    void *value = NULL;
    char *text;

    dl__mutex_lock(&lock);
    for (struct known *entry = known; entry; entry = entry->next) {
        if (memcmp(&entry->name, name, sizeof *name) == 0)
            dl__demands_add(list, entry->list);
    }
    dl__mutex_unlock(&lock);
    if (begin_demands_key(&key, name) && dl__cache_get(&key, &value, &value_bytes)) {
        text = value;
        if (value_bytes > 2 && text[0] == '\n' && text[value_bytes - 2] == '\n' &&
            text[value_bytes - 1] == '\0')
            dl__demands_add(list, text);
        free(value);
    }
    dl__pack_free(&key);
}

/* ---- kernels ---- */

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
        dl__demands_add_text(&list, text, (size_t)bytes);
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
