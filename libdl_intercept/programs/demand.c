/* SPDX-License-Identifier: MIT */
/* Names of kernels that read discrete arrays, and the binaries they are in.
 *
 * A list is "\nNAME\nNAME\n". */
#include "demand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "cache.h"

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
static bool begin_key(struct dl__pack *key, const struct dl__binary_name *name)
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

    if (begin_key(&key, name) && dl__cache_get(&key, &value, &bytes)) {
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
    if (begin_key(&key, name)) {
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
    if (begin_key(&key, name) && dl__cache_get(&key, &value, &value_bytes)) {
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
