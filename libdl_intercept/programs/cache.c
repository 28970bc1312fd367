/* SPDX-License-Identifier: MIT */
/* The cache: what is as old as the process, and what is kept for the next run. */
#include "cache.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/reports/stats.h"
#include "options/options.h"

enum { MEMORY_BYTES_MAX = 64 << 20 };

struct entry {
    struct entry *next; /* older */
    size_t key_bytes, value_bytes;
    bool stays;
    unsigned char bytes[]; /* the key, then the value */
};

static struct dl__mutex lock = DL__MUTEX_INITIALIZER;
static atomic_uint version = 1; /* of what is kept */
static struct entry *newest DL__GUARDED_BY(lock);
static size_t total_bytes DL__GUARDED_BY(lock); /* of those that do not stay */

/* Where the entry hangs; at NULL: there is none. */
static struct entry **find(const struct dl__pack *key) DL__REQUIRES(lock)
{
    struct entry **at = &newest;

    while (*at && ((*at)->key_bytes != key->bytes ||
                   memcmp((*at)->bytes, key->data, key->bytes) != 0))
        at = &(*at)->next;
    return at;
}

static void drop(struct entry **at) DL__REQUIRES(lock)
{
    struct entry *entry = *at;

    *at = entry->next;
    if (!entry->stays)
        total_bytes -= entry->key_bytes + entry->value_bytes;
    free(entry);
}

bool dl__memory_get(const struct dl__pack *key, void **value, size_t *value_bytes)
{
    const struct entry *entry;
    void *copy = NULL;

    dl__mutex_lock(&lock);
    entry = *find(key);
    if (entry)
        copy = malloc(entry->value_bytes + 1);
    if (copy) {
        memcpy(copy, entry->bytes + entry->key_bytes, entry->value_bytes);
        *value = copy;
        *value_bytes = entry->value_bytes;
    }
    dl__mutex_unlock(&lock);
    return copy != NULL;
}

void dl__memory_drop(const struct dl__pack *key)
{
    struct entry **at;

    dl__mutex_lock(&lock);
    at = find(key);
    if (*at)
        drop(at);
    dl__mutex_unlock(&lock);
}

static void put(const struct dl__pack *key, const void *value, size_t value_bytes,
                bool stays)
{
    struct entry *made, **at, **oldest;

    if (key->bytes > MEMORY_BYTES_MAX || value_bytes > MEMORY_BYTES_MAX - key->bytes)
        return;
    made = malloc(sizeof *made + key->bytes + value_bytes);
    if (!made)
        return;
    made->key_bytes = key->bytes;
    made->value_bytes = value_bytes;
    made->stays = stays;
    memcpy(made->bytes, key->data, key->bytes);
    memcpy(made->bytes + key->bytes, value, value_bytes);
    dl__mutex_lock(&lock);
    at = find(key);
    if (*at)
        drop(at);
    made->next = newest;
    newest = made;
    atomic_fetch_add(&version, 1);
    if (!stays)
        total_bytes += key->bytes + value_bytes;
    while (total_bytes > MEMORY_BYTES_MAX) {
        oldest = NULL;
        for (at = &newest; *at; at = &(*at)->next)
            if (!(*at)->stays)
                oldest = at;
        drop(oldest);
    }
    dl__mutex_unlock(&lock);
}

void dl__memory_put(const struct dl__pack *key, const void *value, size_t value_bytes)
{
    put(key, value, value_bytes, false);
}

void dl__memory_stay(const struct dl__pack *key, const void *value, size_t value_bytes)
{
    put(key, value, value_bytes, true);
}

unsigned dl__memory_version(void)
{
    return atomic_load(&version);
}

/* ---- what is kept for the next run ---- */

enum { LIMIT_BYTES = 256 << 20 };

static struct dl__store store = {.directory = NULL, .limit_bytes = LIMIT_BYTES};
static void (*listener)(const struct dl__pack *key, const void *value,
                        size_t value_bytes);
static const unsigned char *build_id;
static size_t build_id_bytes;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- where it is ---- */

/* This library as it is loaded, which begins with its own header; the linker names it. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

/* Finds the build id that the linker has put into this library. */
static void find_build_id(void)
{
    const ElfW(Ehdr) *own = (const ElfW(Ehdr) *)__ehdr_start;
    const ElfW(Phdr) *parts = (const ElfW(Phdr) *)(__ehdr_start + own->e_phoff);

    for (size_t i = 0; i < own->e_phnum; i++) {
        const char *at = __ehdr_start + parts[i].p_vaddr, *end = at + parts[i].p_memsz;

        while (parts[i].p_type == PT_NOTE && (size_t)(end - at) > sizeof(ElfW(Nhdr))) {
            const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
            const char *name = at + sizeof *note;
            const char *value = name + ((note->n_namesz + 3u) & ~(size_t)3);

            at = value + ((note->n_descsz + 3u) & ~(size_t)3);
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
                memcmp(name, "GNU", 4) == 0) {
                build_id = (const unsigned char *)value;
                build_id_bytes = note->n_descsz;
            }
        }
    }
}

/* A directory that the user has a place in, so that a program run as another user (sudo)
 * does not leave one there that the user can't use. */
static bool is_own(const char *path)
{
    struct stat info;

    return path && *path == '/' && stat(path, &info) == 0 && info.st_uid == geteuid();
}

/* The caller keeps it; NULL: none. The folder that it is in by default is made, too.
 *   foreign  out, the user's folder that is not this user's own; "": none is named; NULL:
 *            that is not why */
static char *choose_directory(const char **foreign)
{
    const char *given = dl__options_get()->cache,
               *home = dl_environment_get("XDG_CACHE_HOME");
    const char *below = "";
    char *path = NULL;

    *foreign = NULL;
    if (given)
        return strcmp(given, "off") == 0 ? NULL : strdup(given);
    if (!home || *home != '/') {
        home = dl_environment_get("HOME");
        below = "/.cache";
        *foreign = is_own(home) ? NULL : home ? home : "";
    } else if (access(home, F_OK) == 0 && !is_own(home)) {
        *foreign = home;
    }
    if (*foreign || asprintf(&path, "%s%s/dl", home, below) < 0)
        return NULL;
    *strrchr(path, '/') = '\0';
    mkdir(path, 0700);
    path[strlen(path)] = '/';
    return path;
}

/* Says it, and keeps it for the statistics. */
__attribute__((format(printf, 1, 2))) static void keep_nothing(const char *format, ...)
{
    static char why[4352];
    va_list list;

    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    dl__log(DL__LOG_WARNING, "%s", why);
    atomic_store(&dl__stats_nothing_kept, why);
}

static void open_once(void)
{
    enum dl__store_result tried = DL__STORE_MISSING;
    const char *foreign = NULL;

    /* A program with more rights than its user must not read what the user could have
     * made. */
    if (!getauxval(AT_SECURE))
        find_build_id();
    if (build_id)
        store.directory = choose_directory(&foreign);
    if (store.directory)
        tried = dl__store_try(&store);
    if (foreign && !*foreign)
        keep_nothing("HOME is not set, so nothing is kept and each run starts from "
                     "scratch: set XDG_CACHE_HOME, or give --cache (DL_CACHE) a folder");
    else if (foreign)
        keep_nothing(
            "%s is not a folder of this user, so nothing is kept and each run "
            "starts from scratch: set XDG_CACHE_HOME, or give --cache (DL_CACHE) "
            "a folder",
            foreign);
    else if (tried == DL__STORE_FOREIGN)
        keep_nothing("%s: not used as a cache, since it belongs to another user or "
                     "others may write there, so each run starts from scratch: chmod "
                     "go-w, or give --cache (DL_CACHE) a folder of your own",
                     store.directory);
    else if (store.directory && tried == DL__STORE_MISSING)
        keep_nothing(
            "%s: can't be written (%s), so nothing is kept there and each run "
            "starts from scratch: give --cache (DL_CACHE) another folder, or off",
            store.directory, strerror(errno));
}

static void note_result(enum dl__store_result result)
{
    static atomic_bool said;

    if (result == DL__STORE_DAMAGED && !atomic_exchange(&said, true))
        dl__log(
            DL__LOG_REMARK,
            "%s: an entry of the cache is damaged or not DL's: it is ignored and rebuilt",
            store.directory);
}

bool dl__cache_get(const struct dl__pack *key, void **value, size_t *value_bytes)
{
    enum dl__store_result result;

    if (key->failed)
        return false;
    if (dl__memory_get(key, value, value_bytes))
        return true;
    if (!store.directory)
        return false;
    result = dl__store_get(&store, key, value, value_bytes);
    note_result(result);
    return result == DL__STORE_DONE;
}

void dl__cache_hold(const struct dl__pack *key, unsigned most_ms, bool (*stop)(void),
                    struct dl__hold *hold)
{
    hold->fd = -1;
    if (!key->failed && store.directory)
        dl__store_hold(&store, key, most_ms, stop, hold);
}

void dl__cache_listen(void (*listen)(const struct dl__pack *key, const void *value,
                                     size_t value_bytes))
{
    listener = listen;
}

void dl__cache_tell(const struct dl__pack *key, const void *value, size_t value_bytes)
{
    if (!key->failed && listener)
        listener(key, value, value_bytes);
}

bool dl__cache_keep(const struct dl__pack *key, const void *value, size_t value_bytes)
{
    enum dl__store_result result = DL__STORE_MISSING;

    if (!key->failed && store.directory) {
        result = dl__store_put(&store, key, value, value_bytes);
        note_result(result);
    }
    return result == DL__STORE_DONE;
}

/* ---- keys ---- */

/* A driver that is short of something for a moment is asked once more. Of the device
 * where there is no platform. */
static cl_int ask(cl_device_id device, cl_platform_id platform, cl_uint info,
                  size_t bytes, void *value)
{
    cl_int err = CL_SUCCESS;

    for (int tries = 0; tries < 2; tries++) {
        err = platform ? dl__next.clGetPlatformInfo(platform, info, bytes, value, NULL)
                       : dl__next.clGetDeviceInfo(device, info, bytes, value, NULL);
        if (err == CL_SUCCESS || err == CL_INVALID_VALUE)
            break;
    }
    return err;
}

/* A string that the driver does not have is part of the name, too; one that it could not
 * return now makes no name. */
static void pack_info(struct dl__pack *key, cl_device_id device, cl_platform_id platform,
                      cl_uint info)
{
    enum { TEXT_BYTES = 16 << 10 };
    char *text = malloc(TEXT_BYTES);
    cl_int err =
        text ? ask(device, platform, info, TEXT_BYTES, text) : CL_OUT_OF_HOST_MEMORY;

    key->failed = key->failed || (err != CL_SUCCESS && err != CL_INVALID_VALUE);
    dl__pack_text(key, err == CL_SUCCESS ? text : NULL);
    free(text);
}

static void pack_device(struct dl__pack *key, cl_device_id device)
{
    static const cl_device_info device_infos[] = {
        CL_DEVICE_NAME,       CL_DEVICE_VENDOR,  CL_DEVICE_VERSION,
        CL_DRIVER_VERSION,    CL_DEVICE_PROFILE, CL_DEVICE_OPENCL_C_VERSION,
        CL_DEVICE_EXTENSIONS,
    };
    static const cl_platform_info platform_infos[] = {
        CL_PLATFORM_NAME, CL_PLATFORM_VENDOR, CL_PLATFORM_VERSION};
    cl_platform_id platform = NULL;
    cl_uint bits = 0;

    for (size_t i = 0; i < sizeof device_infos / sizeof *device_infos; i++)
        pack_info(key, device, NULL, device_infos[i]);
    if (ask(device, NULL, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits) != CL_SUCCESS ||
        ask(device, NULL, CL_DEVICE_PLATFORM, sizeof platform, &platform) != CL_SUCCESS)
        key->failed = true;
    dl__pack_number(key, bits);
    for (size_t i = 0; !key->failed && i < 3; i++)
        pack_info(key, NULL, platform, platform_infos[i]);
}

bool dl__cache_is_on(void)
{
    pthread_once(&once, open_once);
    return store.directory != NULL;
}

static void begin_own(struct dl__pack *key, const char *kind)
{
    pthread_once(&once, open_once);
    memset(key, 0, sizeof *key);
    dl__pack_text(key, kind);
    dl__pack_text(key, DL_VERSION);
    dl__pack_bytes(key, build_id, build_id_bytes);
}

bool dl__cache_key_begin(struct dl__pack *key, const char *kind, cl_device_id device)
{
    begin_own(key, kind);
    if (!device)
        return false;
    pack_device(key, device);
    return !key->failed;
}

bool dl__cache_name_device(struct dl__pack *name, cl_device_id device)
{
    memset(name, 0, sizeof *name);
    pack_device(name, device);
    return !name->failed;
}

bool dl__cache_key_begin_named(struct dl__pack *key, const char *kind,
                               const struct dl__pack *name)
{
    begin_own(key, kind);
    dl__pack_fields(key, name->data, name->bytes);
    return !key->failed;
}

bool dl__cache_key_begin_lasting(struct dl__pack *key, const char *kind,
                                 cl_device_id device)
{
    pthread_once(&once, open_once);
    memset(key, 0, sizeof *key);
    dl__pack_text(key, kind);
    if (device)
        pack_device(key, device);
    return !key->failed;
}
