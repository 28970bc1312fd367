/* SPDX-License-Identifier: MIT */
/* How calls come in: by the exported OpenCL symbols, which a preloaded library puts
 * before the loader's, or through the loader, which has the library as a layer.
 *
 * Each symbol is one load and one jump through a table: the loader's own functions when
 * the loader has us as a layer, since they lead to the hooks; the hooks themselves when
 * it knows no layers. */
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "entries.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <CL/cl_layer.h>

#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/hooks/hooks.h"
#include "libdl_intercept/hooks/pin.h"
#include "options/options.h"
#include "real_dlsym.h"

/* ---- the program's OpenCL loader, and its functions ----
 *
 * Where it is depends on how the program came to it, in this order: behind us in the
 * global scope (linked); among the caller's own libraries (a plug-in opened RTLD_LOCAL,
 * whose calls bind to us); where the program's own dlsym found it; open under its usual
 * name; open under any name (bundled and renamed); and only then not open at all. */

#define USUAL_NAME "libOpenCL.so.1"

/* Handles for dlsym, NULL until known. The settled one may be RTLD_NEXT. */
static _Atomic(void *) settled, noted;

static bool object_info(const void *address, Dl_info *info)
{
    return address && dladdr(address, info) && info->dli_fbase;
}

/* The start of the object that holds `address`, NULL when there is none: its identity. */
static const void *library_base(const void *address)
{
    Dl_info info;

    return object_info(address, &info) ? info.dli_fbase : NULL;
}

bool dl__library_is_own(const void *address)
{
    return library_base(address) == library_base(&settled);
}

struct range {
    uintptr_t address, start;
    size_t bytes; /* 0: no object holds the address */
};

static int look_for_range(struct dl_phdr_info *object, size_t bytes, void *user)
{
    struct range *range = user;
    uintptr_t start = UINTPTR_MAX, end = 0;

    (void)bytes;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        uintptr_t at = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        if (object->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        start = at < start ? at : start;
        at += object->dlpi_phdr[i].p_memsz;
        end = at > end ? at : end;
    }
    if (range->address < start || range->address >= end)
        return 0;
    range->start = start;
    range->bytes = end - start;
    return 1;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool name_is_loader(const char *path)
{
    const char *name = file_name(path);

    return strncmp(name, "libOpenCL.so", 12) == 0 || strncmp(name, "libOpenCL-", 10) == 0;
}

bool dl__library_is_loader(const void *address)
{
    Dl_info info;

    return object_info(address, &info) && info.dli_fname &&
           name_is_loader(info.dli_fname);
}

/* Opens what is open already. The count that this adds is never given back. */
static void *reopen(const char *path)
{
    return path && *path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

/* Returns the symbol `name` of `handle`; NULL if that is our own. */
static void *find_in(void *handle, const char *name)
{
    void *function = handle ? dl__dlsym_real(handle, name) : NULL;

    return function && !dl__library_is_own(function) ? function : NULL;
}

static bool has_loader(void *handle)
{
    return find_in(handle, "clGetPlatformIDs") != NULL;
}

/* The object that holds `address`, when its handle leads to that same object. */
static void *handle_of(const void *address)
{
    Dl_info info;
    void *handle = object_info(address, &info) ? reopen(info.dli_fname) : NULL;
    struct link_map *map;

    if (handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0) {
        Dl_info again;
        if (dladdr(map->l_ld, &again) && again.dli_fbase == info.dli_fbase)
            return handle;
    }
    return NULL;
}

bool dl__loader_note(const void *address)
{
    void *handle = handle_of(address), *none = NULL;

    if (!has_loader(handle))
        return false;
    atomic_compare_exchange_strong(&noted, &none, handle);
    return true;
}

static void *handle_of_caller(const void *caller)
{
    void *handle = dl__library_is_own(caller) ? NULL : handle_of(caller);

    return has_loader(handle) ? handle : NULL;
}

static int look_for_loader(struct dl_phdr_info *object, size_t bytes, void *user)
{
    (void)bytes;
    if (!name_is_loader(object->dlpi_name))
        return 0;
    *(const char **)user = object->dlpi_name;
    return 1;
}

static void *handle_of_any(void)
{
    const char *path = NULL;

    dl_iterate_phdr(look_for_loader, &path);
    return reopen(path);
}

static void *choose(const void *caller)
{
    void *handle;

    if (has_loader(RTLD_NEXT))
        return RTLD_NEXT;
    handle = handle_of_caller(caller);
    if (!handle)
        handle = atomic_load(&noted);
    if (!handle)
        handle = reopen(USUAL_NAME);
    if (!has_loader(handle))
        handle = handle_of_any();
    if (!has_loader(handle))
        handle = dlopen(USUAL_NAME, RTLD_LAZY | RTLD_LOCAL);
    return has_loader(handle) ? handle : NULL;
}

/* The function `name` of the program's loader, NULL when it has none. The first call
 * settles which library that is, for good; `caller` is an address in the code that wants
 * it.
 *   errors  NULL: no loader, or the loader lacks the function */
static void *loader_find(const void *caller, const char *name)
{
    void *handle = atomic_load(&settled), *none = NULL;

    if (!handle) {
        handle = choose(caller);
        if (handle && !atomic_compare_exchange_strong(&settled, &none, handle))
            handle = none;
    }
    return find_in(handle, name);
}

/* The function `name` as `caller` would reach it without this library: like
 * loader_find, but of the caller's own loader where it has one. */
static void *loader_find_for(const void *caller, const char *name)
{
    void *handle = atomic_load(&settled);

    /* Every caller binds to the symbols of the global scope. */
    if (handle != RTLD_NEXT && !has_loader(RTLD_NEXT)) {
        void *function = find_in(handle_of_caller(caller), name);
        if (function)
            return function;
    }
    return loader_find(caller, name);
}

/* ---- how the program was caught ---- */

/* How the exported symbols treat a call. */
enum route {
    ROUTE_UNDECIDED,
    ROUTE_LAYER,  /* the loader has us as a layer: pass the call to the loader */
    ROUTE_PRELOAD /* it has not: the hook does the work */
};

static atomic_bool announced;

/* Says once at debug level how the program was caught. */
static void route_announce(enum route how)
{
    if (!atomic_exchange(&announced, true))
        dl__log(DL__LOG_DEBUG, "caught as %s (%s)",
                how == ROUTE_LAYER ? "layer" : "preload", program_invocation_short_name);
}

/* ---- OPENCL_LAYERS: putting this library in, and leaving no trace of it ----
 *
 * Our entry is written DIRECTORY/./FILE, which no user writes: a child that inherits the
 * variable from a process that never came to use OpenCL can tell it from the user's own.
 *
 * environ is edited by hand. Some programs (bash) export a setenv of their own that can't
 * be called this early; and ocl-icd cuts the variable in place at each ':', so the
 * program's own string must not be what the loader sees. Strings that were in environ are
 * never freed: the loader walks the list while we take it out. */

#define VARIABLE "OPENCL_LAYERS="
#define VARIABLE_BYTES (sizeof VARIABLE - 1)

static _Atomic(char *) inserted;     /* our string in environ */
static char *volatile ever_inserted; /* the same for good: it is not freed, and no leak */
static char *original;               /* what it replaces; NULL: nothing */
static bool preloaded;

static size_t find_variable(void)
{
    size_t i = 0;

    while (environ && environ[i] && strncmp(environ[i], VARIABLE, VARIABLE_BYTES) != 0)
        i++;
    return i;
}

/* "/a/b.so" of this library, and its marked form "/a/./b.so"; each PATH_MAX + 2 bytes. */
static bool own_paths(char *plain, char *marked)
{
    Dl_info info;
    const char *slash;

    if (!dladdr(&inserted, &info) || !info.dli_fname || !realpath(info.dli_fname, plain))
        return false;
    slash = strrchr(plain, '/');
    snprintf(marked, PATH_MAX + 2, "%.*s/.%s", (int)(slash - plain), plain, slash);
    return true;
}

/* "OPENCL_LAYERS=" + first + separator + rest, or NULL. */
static char *compose(const char *first, const char *separator, const char *rest)
{
    char *string;

    return asprintf(&string, VARIABLE "%s%s%s", first, separator, rest) < 0 ? NULL
                                                                            : string;
}

/* `list` without a marked entry at its front, NULL when it has none at its front. */
static const char *after_mark(const char *list, const char *marked)
{
    size_t bytes = strlen(marked);

    if (strncmp(list, marked, bytes) != 0 || (list[bytes] && list[bytes] != ':'))
        return NULL;
    return list + bytes + (list[bytes] == ':');
}

static bool list_has(const char *list, const char *path)
{
    char element[PATH_MAX], resolved[PATH_MAX];

    while (*list) {
        size_t bytes = strcspn(list, ":");
        if (bytes && bytes < sizeof element) {
            memcpy(element, list, bytes);
            element[bytes] = 0;
            if (realpath(element, resolved) && strcmp(resolved, path) == 0)
                return true;
        }
        list += bytes + (list[bytes] == ':');
    }
    return false;
}

/* Objects that the program starts with come before libc in the linker's order; what it
 * opens later, such as a layer, comes after. */
static int look_for_own(struct dl_phdr_info *object, size_t bytes, void *user)
{
    (void)bytes;
    if (strncmp(file_name(object->dlpi_name), "libc.so.", 8) == 0)
        return 1;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        uintptr_t start = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        if (object->dlpi_phdr[i].p_type == PT_LOAD &&
            (uintptr_t)&inserted - start < object->dlpi_phdr[i].p_memsz) {
            *(bool *)user = true;
            return 1;
        }
    }
    return 0;
}

/* Puts `string` at place i of environ, NULL taking the place out. */
static void put_at(size_t i, char *string)
{
    if (string) {
        environ[i] = string;
        return;
    }
    do
        environ[i] = environ[i + 1];
    while (environ[i++]);
}

static void append(size_t count, char *string)
{
    char **grown = malloc((count + 2) * sizeof *grown);

    if (!grown)
        return;
    if (count)
        memcpy(grown, environ, count * sizeof *grown);
    grown[count] = string;
    grown[count + 1] = NULL;
    environ = grown;
}

/* Puts this library in front of OPENCL_LAYERS: loaders take the first as the one nearest
 * to the driver, so that the user's own layers see the program's calls as ever. */
static void environment_insert(void)
{
    char plain[PATH_MAX + 2], marked[PATH_MAX + 2];
    const char *list = NULL, *rest;
    char *string;
    size_t i;

    dl_iterate_phdr(look_for_own, &preloaded);
    if (!preloaded || getauxval(AT_SECURE) || !own_paths(plain, marked) ||
        strchr(plain, ':'))
        return;

    i = find_variable();
    if (environ && environ[i]) {
        original = environ[i];
        list = original + VARIABLE_BYTES;
        rest = after_mark(list, marked);
        if (rest) {
            original = *rest ? compose("", "", rest) : NULL;
            list = original ? original + VARIABLE_BYTES : NULL;
        } else if (list_has(list, plain)) {
            return;
        }
    }
    /* An empty element would make the loader take the program itself for a layer. */
    string = list && *list ? compose(marked, ":", list) : compose(marked, "", "");
    if (!string)
        return;
    if (environ && environ[i])
        put_at(i, string);
    else
        append(i, string);
    ever_inserted = string;
    atomic_store(&inserted, string);
}

/* In a process (or a namespace) that was not preloaded but found the mark of one that
 * was. */
static bool restore_inherited(void)
{
    char plain[PATH_MAX + 2], marked[PATH_MAX + 2];
    const char *list, *rest, *preload = NULL;
    size_t i = find_variable();

    if (!environ || !environ[i] || !own_paths(plain, marked))
        return true;
    list = environ[i] + VARIABLE_BYTES;
    rest = after_mark(list, marked);
    if (!rest)
        return true;
    put_at(i, *rest ? compose("", "", rest) : NULL);
    for (i = 0; environ[i]; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) == 0)
            preload = environ[i];
    return preload && strstr(preload, strrchr(plain, '/') + 1);
}

/* Puts OPENCL_LAYERS back as it was.
 *   returns  false: the entry came from a parent process that was preloaded, and this
 * process is not, so nobody asked for DL here */
static bool environment_restore(void)
{
    char *ours = atomic_exchange(&inserted, NULL);

    if (!preloaded)
        return restore_inherited();
    if (!ours)
        return true;
    for (size_t i = 0; environ && environ[i]; i++) {
        if (environ[i] == ours) {
            put_at(i, original);
            break;
        }
    }
    return true;
}

/* ---- the library as an OpenCL layer: what a loader that knows layers calls ----
 *
 * A layer gives the loader a table of functions; we give a copy of the target's table
 * with the hooks in the places of hook_list.h, as long as the loader's own. Loaders
 * differ in that length: what we don't know stays the target's, what the loader doesn't
 * know is left out. */

#define VISIBLE __attribute__((visibility("default")))

/* A process rarely has two loaders and hardly ever three. */
#define LOADERS_MAX 4
/* Current loaders have 150 entries; far more than that is not a table. */
#define ENTRIES_MAX 1024

#define INDEX_OF(name) (offsetof(cl_icd_dispatch, name) / sizeof(void *))

#define ENTRY_COUNT (sizeof(cl_icd_dispatch) / sizeof(void *))

typedef void (*any_fn)(void);

/* The exported symbols, at the end of this file. */
#define X(result, name, parameters, arguments)                                           \
    static result CL_API_CALL entry_##name parameters;
DL_HOOK_MAP(X)
#undef X

/* Nobody below has the function: whoever calls it has not asked first. The arguments stay
 * where the calling convention put them. */
static cl_int CL_API_CALL missing_status(void)
{
    dl__log(DL__LOG_ERROR, "an OpenCL function was called that the OpenCL library lacks");
    return CL_INVALID_OPERATION;
}

static void *CL_API_CALL missing_object(void)
{
    missing_status();
    return NULL;
}

static const struct row {
    const char *name;
    size_t index; /* in a dispatch table */
    any_fn hook, entry, missing;
} rows[] = {
#define X(result, name, parameters, arguments)                                           \
    {#name, INDEX_OF(name), (any_fn)dl__hook_##name, (any_fn)entry_##name,               \
     _Generic((result)0, cl_int                                                          \
              : (any_fn)missing_status, default                                          \
              : (any_fn)missing_object)},
    DL_HOOK_MAP(X)
#undef X
};

static bool next_has(const struct row *row)
{
    void *function;

    memcpy(&function, (const char *)&dl__next + row->index * sizeof function,
           sizeof function);
    return function != NULL;
}

static const struct row *find_row(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

void *dl__hook_find(const char *name)
{
    const struct row *row = find_row(name);
    void *hook = NULL;

    if (row && next_has(row))
        memcpy(&hook, &row->hook, sizeof hook);
    return hook;
}

/* Not in older headers. */
typedef cl_ulong layer_property;

typedef cl_int(CL_API_CALL *platforms_fn)(cl_uint, cl_platform_id *, cl_uint *);

/* Whether this thread's latest call of a loader's clGetPlatformIDs came through the
 * layer, and forgetting it. */
static _Thread_local bool layer_passed;
_Thread_local void *dl__layer_looked_up;

/* The loaders that have taken us, each with the clGetPlatformIDs below us. `base` is set
 * last; `platforms` once dl__next is filled, for what it returns leads to the hooks. The
 * table is the loader's; leak checkers that can't see into it find it here. */
static struct {
    _Atomic(const void *) base;
    _Atomic(platforms_fn) platforms;
    void **volatile table;
} loaders[LOADERS_MAX];
static atomic_uint loader_count;

/* Each loader needs a function of its own here, for two loaders may know different
 * drivers. */
#define PLATFORMS(k)                                                                     \
    static cl_int CL_API_CALL platforms_##k(cl_uint count, cl_platform_id *ids,          \
                                            cl_uint *ret)                                \
    {                                                                                    \
        layer_passed = true;                                                             \
        return atomic_load_explicit(&loaders[k].platforms,                               \
                                    memory_order_acquire)(count, ids, ret);              \
    }
PLATFORMS(0)
PLATFORMS(1)
PLATFORMS(2)
PLATFORMS(3)
static const platforms_fn platforms_entries[LOADERS_MAX] = {platforms_0, platforms_1,
                                                            platforms_2, platforms_3};

/* Whether the loader that holds `address` has taken us as a layer. */
static bool layer_is_in(const void *address)
{
    const void *base = library_base(address);

    for (size_t i = 0; base && i < LOADERS_MAX; i++)
        if (atomic_load(&loaders[i].base) == base)
            return true;
    return false;
}

static void put(void **table, cl_uint count, size_t index, const void *hook)
{
    if (index < count && table[index])
        memcpy(&table[index], hook, sizeof table[index]);
}

/* The hooks of what the driver has. */
static void put_hooks(void **table, cl_uint count)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (next_has(&rows[i]))
            put(table, count, rows[i].index, &rows[i].hook);
}

static cl_int init_layer(const void *caller, cl_uint count, const cl_icd_dispatch *target,
                         cl_uint *count_ret, const cl_icd_dispatch **table_ret)
{
    const size_t entry_bytes = sizeof(void *);
    platforms_fn platforms;
    size_t loader;
    void **volatile table;

    if (!target || !count_ret || !table_ret || count == 0 || count > ENTRIES_MAX)
        return CL_INVALID_VALUE;
    /* A list with an empty element offers us a second time, as the program itself. */
    if (layer_is_in(caller)) {
        dl__log(DL__LOG_DEBUG, "this loader has the layer already");
        return CL_INVALID_OPERATION;
    }
    if (!environment_restore()) {
        dl__log(DL__LOG_DEBUG,
                "a leftover of another process in OPENCL_LAYERS; staying out");
        return CL_INVALID_OPERATION;
    }
    table = malloc(count * entry_bytes); /* the loader's from now on */
    if (!table)
        return CL_OUT_OF_HOST_MEMORY;
    loader = atomic_fetch_add(&loader_count, 1);
    if (loader >= LOADERS_MAX) {
        dl__log(DL__LOG_WARNING,
                "too many OpenCL loaders in one process; one stays native");
        free(table);
        return CL_OUT_OF_RESOURCES;
    }

    memcpy(table, target, count * entry_bytes);
    dl__next_fill(target, count);
    dl__pin_begin();
    memcpy(&platforms, &table[INDEX_OF(clGetPlatformIDs)], entry_bytes);
    loaders[loader].table = table;
    atomic_store(&loaders[loader].platforms, platforms);
    put(table, count, INDEX_OF(clGetPlatformIDs), &platforms_entries[loader]);
    put_hooks(table, count);
    atomic_store(&loaders[loader].base, library_base(caller));
    /* The hooks call into this loader for good: a program that closes and reopens it must
     * get the same one, with us in it. A handle keeps it loaded for good. */
    handle_of(caller);
    route_announce(ROUTE_LAYER);
    *count_ret = count;
    *table_ret = (const cl_icd_dispatch *)table;
    return CL_SUCCESS;
}

static cl_int give(const void *from, size_t from_bytes, size_t bytes, void *value,
                   size_t *ret)
{
    if (value && bytes < from_bytes)
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, from, from_bytes);
    if (ret)
        *ret = from_bytes;
    return CL_SUCCESS;
}

/* Preloaded, our entry points come before those of the user's layers: a layer that calls
 * one of its own by name, as some do to share code, arrives here. `caller` is then that
 * layer; or the loader when the layer's call was a jump, and then the layer is the one
 * just looked up. Returns the function that was meant; NULL: ours. */
static void *other_layer(const void *caller, const char *name)
{
    void *function = NULL;

    if (!dl__library_is_loader(caller))
        return dl__library_is_own(caller) ? NULL : find_in(handle_of(caller), name);
    if (dl__layer_looked_up)
        function = dl__dlsym_real(dl__layer_looked_up, name);
    return function && !dl__library_is_own(function) ? function : NULL;
}

/* In an entry point: goes to `name` of another layer when that was meant. */
#define PASS_TO_OTHER(name, arguments)                                                   \
    do {                                                                                 \
        void *other = other_layer(__builtin_return_address(0), #name);                   \
        __typeof__(name) *function;                                                      \
        if (other) {                                                                     \
            memcpy(&function, &other, sizeof other);                                     \
            return function arguments;                                                   \
        }                                                                                \
    } while (0)

VISIBLE cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t bytes, void *value,
                                          size_t *ret)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char title[] = "DL, data layout transformation";

    PASS_TO_OTHER(clGetLayerInfo, (name, bytes, value, ret));
    switch (name) {
    case CL_LAYER_API_VERSION:
        return give(&version, sizeof version, bytes, value, ret);
    case CL_LAYER_NAME:
        return give(title, sizeof title, bytes, value, ret);
    default:
        return CL_INVALID_VALUE;
    }
}

VISIBLE cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target,
                                       cl_uint *count_ret,
                                       const cl_icd_dispatch **table_ret)
{
    PASS_TO_OTHER(clInitLayer, (count, target, count_ret, table_ret));
    return init_layer(__builtin_return_address(0), count, target, count_ret, table_ret);
}

/* Loaders since 2025 look for this function first. The properties are a list of (name,
 * value) ended by 0; no name is defined that a layer must obey, so an unknown one does
 * not keep us out. */
VISIBLE cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count,
                                                     const cl_icd_dispatch *target,
                                                     cl_uint *count_ret,
                                                     const cl_icd_dispatch **table_ret,
                                                     const layer_property *properties);
VISIBLE cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count,
                                                     const cl_icd_dispatch *target,
                                                     cl_uint *count_ret,
                                                     const cl_icd_dispatch **table_ret,
                                                     const layer_property *properties)
{
    PASS_TO_OTHER(clInitLayerWithProperties,
                  (count, target, count_ret, table_ret, properties));
    return init_layer(__builtin_return_address(0), count, target, count_ret, table_ret);
}

/* The loader ends, at the process's exit, and the drivers go next. */
VISIBLE cl_int CL_API_CALL clDeinitLayer(void);
VISIBLE cl_int CL_API_CALL clDeinitLayer(void)
{
    PASS_TO_OTHER(clDeinitLayer, ());
    dl__pin_end();
    return CL_SUCCESS;
}

/* ---- whether the exported symbols do the work or leave it to the layer ----
 *
 * The one decision, the constructor, and the functions below the hooks. No lock is held
 * while the loader or a driver runs. Threads that arrive together all ask the loader,
 * which has a once of its own, and then reach the same decision. */

static _Atomic enum route route = ROUTE_UNDECIDED;
static atomic_bool loader_has_started;
/* A driver that calls OpenCL while the loader starts it must not start the loader
 * again. */
static _Thread_local bool starting;

/* The functions that DL calls and does not hook, for loaders that hand us no table. */
static const struct {
    const char *name;
    size_t index;
} called[] = {
#define CALLED(name) #name, INDEX_OF(name)
    {CALLED(clGetPlatformIDs)},
    {CALLED(clGetPlatformInfo)},
    {CALLED(clGetDeviceIDs)},
    {CALLED(clGetDeviceInfo)},
    {CALLED(clGetImageInfo)},
    {CALLED(clGetProgramBuildInfo)},
    {CALLED(clGetKernelInfo)},
    {CALLED(clGetKernelWorkGroupInfo)},
    {CALLED(clFlush)},
    {CALLED(clWaitForEvents)},
    {CALLED(clEnqueueWaitForEvents)},
    {CALLED(clEnqueueMarkerWithWaitList)},
    {CALLED(clEnqueueBarrierWithWaitList)},
#undef CALLED
};

__attribute__((constructor)) static void start(void)
{
    dl__stderr_begin();
    dl_environment_keep();
    environment_insert();
}

/* Looks everything up before dl__next_fill takes its lock: dlsym takes the linker's lock,
 * under which a library's constructor may be waiting for ours. */
static void fill_from_loader(const void *caller)
{
    void *found[ENTRY_COUNT] = {NULL};
    cl_icd_dispatch table;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        found[rows[i].index] = loader_find(caller, rows[i].name);
    for (size_t i = 0; i < sizeof called / sizeof *called; i++)
        found[called[i].index] = loader_find(caller, called[i].name);
    memcpy(&table, found, sizeof table);
    dl__next_fill(&table, ENTRY_COUNT);
    dl__pin_begin();
}

/* `through_layer` says that a call to the loader just came out at the layer. */
static enum route settle(const void *caller, const void *real, bool through_layer)
{
    enum route wanted = ROUTE_LAYER, expected = ROUTE_UNDECIDED;

    if (!through_layer && !layer_is_in(real)) {
        wanted = ROUTE_PRELOAD;
        fill_from_loader(caller);
    }
    if (!atomic_compare_exchange_strong(&route, &expected, wanted))
        return expected;
    environment_restore();
    route_announce(wanted);
    return wanted;
}

/* Decides once and for all. `caller` as for loader_find. Asks the loader for its
 * platforms when nothing did yet, since that is what makes loaders take their layers. */
static enum route route_decide(const void *caller)
{
    enum route decided = atomic_load(&route);
    void *real;
    bool through_layer = false;

    if (decided != ROUTE_UNDECIDED || starting)
        return decided;
    real = loader_find(caller, "clGetPlatformIDs");
    if (!real)
        return ROUTE_UNDECIDED;
    if (!layer_is_in(real) && !atomic_load(&loader_has_started)) {
        platforms_fn platforms;
        cl_uint count;

        memcpy(&platforms, &real, sizeof real);
        starting = true;
        layer_passed = false;
        platforms(0, NULL, &count);
        through_layer = layer_passed;
        starting = false;
    }
    return settle(caller, real, through_layer);
}

/* The program's own clGetPlatformIDs has come back from the function `real` of a loader;
 * before it went there the exported symbol cleared layer_passed. */
static void route_platforms_called(const void *caller, const void *real)
{
    if (atomic_load(&route) != ROUTE_UNDECIDED || starting ||
        real != loader_find(caller, "clGetPlatformIDs"))
        return;
    atomic_store(&loader_has_started, true);
    settle(caller, real, layer_passed);
}

/* ---- the symbols ---- */

#define EXPORT(name)                                                                     \
    extern __typeof__(name) name                                                         \
        __attribute__((alias("entry_" #name), visibility("default")))

static struct dl__mutex tables_lock = DL__MUTEX_INITIALIZER;
/* For calls that go to the loader, to the hooks, and nowhere. */
static struct table {
    cl_icd_dispatch entries;
    bool is_filled;
} direct DL__GUARDED_BY(tables_lock), hooked DL__GUARDED_BY(tables_lock),
    nowhere DL__GUARDED_BY(tables_lock);
static _Atomic(const cl_icd_dispatch *) decided;

/* Under the hooks, a library that calls its own functions by name calls us: such a call
 * is not a program's, and goes back to it. It comes from there, or from ourselves when it
 * is a jump at the end of what a hook has called. Set before `decided`; empty when the
 * loader has us as a layer. */
static struct range below[2];

/* Several threads may bring a table; the first one's stays. */
static const cl_icd_dispatch *keep(struct table *table, void *const *entries)
{
    dl__mutex_lock(&tables_lock);
    if (!table->is_filled)
        memcpy(&table->entries, entries, sizeof table->entries);
    table->is_filled = true;
    dl__mutex_unlock(&tables_lock);
    return &table->entries;
}

static const cl_icd_dispatch *direct_entries(const void *caller)
{
    void *found[ENTRY_COUNT] = {NULL};
    bool any = false;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void **to = &found[rows[i].index];

        *to = loader_find(caller, rows[i].name);
        any = any || *to;
        if (!*to)
            memcpy(to, &rows[i].missing, sizeof *to);
    }
    return keep(any ? &direct : &nowhere, found);
}

static const cl_icd_dispatch *hooked_entries(void)
{
    void *found[ENTRY_COUNT] = {NULL};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        memcpy(&found[rows[i].index], &rows[i].missing, sizeof *found);
    put_hooks(found, ENTRY_COUNT);
    return keep(&hooked, found);
}

static void remember_below(const void *caller)
{
    const void *inside[2] = {loader_find(caller, "clGetPlatformIDs"), &below};

    for (size_t i = 0; i < 2; i++) {
        struct range range = {.address = (uintptr_t)inside[i]};

        dl_iterate_phdr(look_for_range, &range);
        dl__mutex_lock(&tables_lock);
        if (!below[i].bytes)
            below[i] = range;
        dl__mutex_unlock(&tables_lock);
    }
}

static const cl_icd_dispatch *decide(const void *caller)
{
    const cl_icd_dispatch *table;

    switch (route_decide(caller)) {
    case ROUTE_PRELOAD:
        table = hooked_entries();
        direct_entries(caller);
        remember_below(caller);
        break;
    case ROUTE_LAYER:
        table = direct_entries(caller);
        break;
    default:
        /* No loader; or a driver calls while the loader starts it. */
        return direct_entries(caller);
    }
    atomic_store_explicit(&decided, table, memory_order_release);
    return table;
}

static inline const cl_icd_dispatch *entries_for(const void *caller)
{
    const cl_icd_dispatch *table = atomic_load_explicit(&decided, memory_order_acquire);

    if (!table)
        return decide(caller);
    if ((uintptr_t)caller - below[0].start < below[0].bytes ||
        (uintptr_t)caller - below[1].start < below[1].bytes)
        return &direct.entries;
    return table;
}

#define X(result, name, parameters, arguments)                                           \
    static result CL_API_CALL entry_##name parameters                                    \
    {                                                                                    \
        return entries_for(__builtin_return_address(0))->name arguments;                 \
    }                                                                                    \
    EXPORT(name);
DL_HOOK_MAP(X)
#undef X

/* Not hooked, but it is what makes a loader look for layers. */
static cl_int CL_API_CALL entry_clGetPlatformIDs(cl_uint count, cl_platform_id *platforms,
                                                 cl_uint *count_ret)
{
    const void *caller = __builtin_return_address(0);
    void *real = loader_find_for(caller, "clGetPlatformIDs");
    platforms_fn function;
    cl_int status;

    if (!real) {
        missing_status();
        return CL_PLATFORM_NOT_FOUND_KHR;
    }
    memcpy(&function, &real, sizeof real);
    layer_passed = false;
    status = function(count, platforms, count_ret);
    route_platforms_called(caller, real);
    return status;
}
EXPORT(clGetPlatformIDs);

void *dl__entry_find(const char *name)
{
    const struct row *row = find_row(name);
    any_fn function = row ? row->entry : NULL;
    void *entry;

    if (strcmp(name, "clGetPlatformIDs") == 0)
        function = (any_fn)entry_clGetPlatformIDs;
    memcpy(&entry, &function, sizeof entry);
    return entry;
}
