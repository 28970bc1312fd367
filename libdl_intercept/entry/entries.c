/* SPDX-License-Identifier: MIT */
/* The exported OpenCL symbols, which a preloaded library puts before the loader's.
 *
 * Each is one load and one jump through a table: the loader's own functions when the
 * loader has us as a layer, since they lead to the hooks; the hooks themselves when it
 * knows no layers. */
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "entries.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "bootstrap.h"
#include "guarded.h"
#include "layer.h"
#include "loader.h"

#define EXPORT(name)                                                                     \
    extern __typeof__(name) name                                                         \
        __attribute__((alias("entry_" #name), visibility("default")))

struct entries {
#define X(result, name, parameters, arguments) result(CL_API_CALL *name) parameters;
    DL_HOOK_MAP(X)
#undef X
};

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

typedef void (*any_fn)(void);
#define MISSING(result, function)                                                        \
    (__typeof__(function))(_Generic((result)0, cl_int                                    \
                                    : (any_fn)missing_status, default                    \
                                    : (any_fn)missing_object))

static const struct entries missing = {
#define X(result, name, parameters, arguments)                                           \
    .name = MISSING(result, ((struct entries *)0)->name),
    DL_HOOK_MAP(X)
#undef X
};

static struct dl__mutex tables_lock = DL__MUTEX_INITIALIZER;
static struct entries direct, hooked;
static bool direct_is_filled DL__GUARDED_BY(tables_lock);
static bool hooked_is_filled DL__GUARDED_BY(tables_lock);
static _Atomic(const struct entries *) decided;

/* Under the hooks, a library that calls its own functions by name calls us: such a call
 * is not a program's, and goes back to it. It comes from there, or from ourselves when it
 * is a jump at the end of what a hook has called. Set before `decided`; empty when the
 * loader has us as a layer. */
static struct {
    uintptr_t start;
    size_t bytes;
} below[2];

/* Several threads may bring a table; the first one's stays. */
static const struct entries *keep(struct entries *table, bool *filled,
                                  const struct entries *from)
{
    dl__mutex_lock(&tables_lock);
    if (!*filled)
        *table = *from;
    *filled = true;
    dl__mutex_unlock(&tables_lock);
    return table;
}

static const struct entries *direct_entries(const void *caller)
{
    struct entries found = missing;
    bool any = false;

#define X(result, name, parameters, arguments)                                           \
    {                                                                                    \
        void *function = dl__loader_find(caller, #name);                                 \
        if (function) {                                                                  \
            memcpy(&found.name, &function, sizeof function);                             \
            any = true;                                                                  \
        }                                                                                \
    }
    DL_HOOK_MAP(X)
#undef X
    return any ? keep(&direct, &direct_is_filled, &found) : &missing;
}

static const struct entries *hooked_entries(void)
{
    struct entries found = missing;

#define X(result, name, parameters, arguments)                                           \
    if (dl__next.name)                                                                   \
        found.name = dl__guarded_##name;
    DL_HOOK_MAP(X)
#undef X
    return keep(&hooked, &hooked_is_filled, &found);
}

static void remember_below(const void *caller)
{
    const void *inside[2] = {dl__loader_find(caller, "clGetPlatformIDs"), &below};

    for (size_t i = 0; i < 2; i++) {
        uintptr_t start;
        size_t bytes;

        dl__library_range(inside[i], &start, &bytes);
        dl__mutex_lock(&tables_lock);
        if (!below[i].bytes) {
            below[i].start = start;
            below[i].bytes = bytes;
        }
        dl__mutex_unlock(&tables_lock);
    }
}

static const struct entries *decide(const void *caller)
{
    const struct entries *table;

    switch (dl__route_decide(caller)) {
    case DL__ROUTE_PRELOAD:
        table = hooked_entries();
        direct_entries(caller);
        remember_below(caller);
        break;
    case DL__ROUTE_LAYER:
        table = direct_entries(caller);
        break;
    default:
        /* No loader; or a driver calls while the loader starts it. */
        return direct_entries(caller);
    }
    atomic_store_explicit(&decided, table, memory_order_release);
    return table;
}

static inline const struct entries *entries_for(const void *caller)
{
    const struct entries *table = atomic_load_explicit(&decided, memory_order_acquire);

    if (!table)
        return decide(caller);
    if ((uintptr_t)caller - below[0].start < below[0].bytes ||
        (uintptr_t)caller - below[1].start < below[1].bytes)
        return &direct;
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
    void *real = dl__loader_find_for(caller, "clGetPlatformIDs");
    cl_int(CL_API_CALL * function)(cl_uint, cl_platform_id *, cl_uint *);
    cl_int status;

    if (!real) {
        missing_status();
        return CL_PLATFORM_NOT_FOUND_KHR;
    }
    memcpy(&function, &real, sizeof real);
    dl__layer_passed = false;
    status = function(count, platforms, count_ret);
    dl__route_platforms_called(caller, real);
    return status;
}
EXPORT(clGetPlatformIDs);

void *dl__entry_find(const char *name)
{
    static const struct {
        const char *name;
        any_fn function;
    } entries[] = {{"clGetPlatformIDs", (any_fn)entry_clGetPlatformIDs},
#define X(result, name, parameters, arguments) {#name, (any_fn)entry_##name},
                   DL_HOOK_MAP(X)
#undef X
    };
    void *function;

    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (strcmp(entries[i].name, name) == 0) {
            memcpy(&function, &entries[i].function, sizeof function);
            return function;
        }
    }
    return NULL;
}
