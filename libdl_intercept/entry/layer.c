/* SPDX-License-Identifier: MIT */
/* The library as an OpenCL layer: what a loader that knows layers calls.
 *
 * A layer gives the loader a table of functions; we give a copy of the target's table
 * with the hooks in the places of hook_list.h, as long as the loader's own. Loaders
 * differ in that length: what we don't know stays the target's, what the loader doesn't
 * know is left out. */
#include "layer.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_layer.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/hooks/pin.h"
#include "entries.h"
#include "guarded.h"
#include "loader.h"
#include "real_dlsym.h"

#define EXPORT __attribute__((visibility("default")))

/* A process rarely has two loaders and hardly ever three. */
#define LOADERS_MAX 4
/* Current loaders have 150 entries; far more than that is not a table. */
#define ENTRIES_MAX 1024

#define INDEX_OF(name) (offsetof(cl_icd_dispatch, name) / sizeof(void *))

/* Not in older headers. */
typedef cl_ulong layer_property;

typedef cl_int(CL_API_CALL *platforms_fn)(cl_uint, cl_platform_id *, cl_uint *);

_Thread_local bool dl__layer_passed;
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
        dl__layer_passed = true;                                                         \
        return atomic_load_explicit(&loaders[k].platforms,                               \
                                    memory_order_acquire)(count, ids, ret);              \
    }
PLATFORMS(0)
PLATFORMS(1)
PLATFORMS(2)
PLATFORMS(3)
static const platforms_fn platforms_entries[LOADERS_MAX] = {platforms_0, platforms_1,
                                                            platforms_2, platforms_3};

bool dl__layer_is_in(const void *address)
{
    const void *base = dl__library_base(address);

    for (size_t i = 0; base && i < LOADERS_MAX; i++)
        if (atomic_load(&loaders[i].base) == base)
            return true;
    return false;
}

static void put(void **table, cl_uint count, size_t index, const void *hook, size_t bytes)
{
    if (index < count && table[index])
        memcpy(&table[index], hook, bytes);
}

static void put_hooks(void **table, cl_uint count, size_t loader)
{
    put(table, count, INDEX_OF(clGetPlatformIDs), &platforms_entries[loader],
        sizeof(void *));
#define X(result, name, parameters, arguments)                                           \
    if (dl__next.name) {                                                                 \
        result(CL_API_CALL *const hook) parameters = dl__guarded_##name;                 \
        put(table, count, INDEX_OF(name), &hook, sizeof hook);                           \
    }
    DL_HOOK_MAP(X)
#undef X
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
    if (dl__layer_is_in(caller)) {
        dl__log(DL__LOG_DEBUG, "this loader has the layer already");
        return CL_INVALID_OPERATION;
    }
    if (!dl__environment_restore()) {
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
    put_hooks(table, count, loader);
    atomic_store(&loaders[loader].base, dl__library_base(caller));
    /* The hooks call into this loader for good: a program that closes and reopens it must
     * get the same one, with us in it. */
    dl__library_pin(caller);
    dl__route_announce(DL__ROUTE_LAYER);
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
 * just looked up. returns  the function that was meant; NULL: ours */
static void *other_layer(const void *caller, const char *name)
{
    void *function = NULL;

    if (!dl__library_is_loader(caller))
        return dl__library_find(caller, name);
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

EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t bytes, void *value,
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

EXPORT cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *target,
                                      cl_uint *count_ret,
                                      const cl_icd_dispatch **table_ret)
{
    PASS_TO_OTHER(clInitLayer, (count, target, count_ret, table_ret));
    return init_layer(__builtin_return_address(0), count, target, count_ret, table_ret);
}

/* What loaders since 2025 look for first. The properties are a list of (name, value)
 * ended by 0; no name is defined that a layer must obey, so an unknown one does not keep
 * us out. */
EXPORT cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count,
                                                    const cl_icd_dispatch *target,
                                                    cl_uint *count_ret,
                                                    const cl_icd_dispatch **table_ret,
                                                    const layer_property *properties);
EXPORT cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count,
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
EXPORT cl_int CL_API_CALL clDeinitLayer(void);
EXPORT cl_int CL_API_CALL clDeinitLayer(void)
{
    PASS_TO_OTHER(clDeinitLayer, ());
    dl__pin_end();
    return CL_SUCCESS;
}
