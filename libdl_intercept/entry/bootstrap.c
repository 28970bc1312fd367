/* SPDX-License-Identifier: MIT */
/* Starting up: the constructor, the functions below the hooks, and the one decision
 * whether the exported symbols do the work or leave it to the layer.
 *
 * No lock is held while the loader or a driver runs. Threads that arrive together all ask
 * the loader, which has a once of its own, and then reach the same decision. */
#include "bootstrap.h"

#include <stdatomic.h>
#include <string.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/hooks/pin.h"
#include "environment.h"
#include "layer.h"
#include "loader.h"
#include "options/environment.h"

#define ENTRY_COUNT (sizeof(cl_icd_dispatch) / sizeof(void *))

static _Atomic enum dl__route route = DL__ROUTE_UNDECIDED;
static atomic_bool loader_has_started;
/* A driver that calls OpenCL while the loader starts it must not start the loader
 * again. */
static _Thread_local bool starting;

/* The functions of dl__next by name, for loaders that hand us no table. D3D and DX9 are
 * not of this platform. */
static const struct {
    const char *name;
    size_t offset_bytes;
} next_names[] = {
#define X(name) {#name, offsetof(cl_icd_dispatch, name)},
#include "libdl_intercept/base/next_list.h"
#undef X
};

__attribute__((constructor)) static void start(void)
{
    dl__stderr_begin();
    dl_environment_keep();
    dl__environment_insert();
}

/* Looks everything up before dl__next_fill takes its lock: dlsym takes the linker's lock,
 * under which a library's constructor may be waiting for ours. */
static void fill_from_loader(const void *caller)
{
    cl_icd_dispatch table;

    memset(&table, 0, sizeof table);
    for (size_t i = 0; i < sizeof next_names / sizeof *next_names; i++) {
        void *function = dl__loader_find(caller, next_names[i].name);
        memcpy((char *)&table + next_names[i].offset_bytes, &function, sizeof function);
    }
    dl__next_fill(&table, ENTRY_COUNT);
    dl__pin_begin();
}

/* `through_layer` says that a call to the loader just came out at the layer. */
static enum dl__route settle(const void *caller, const void *real, bool through_layer)
{
    enum dl__route wanted = DL__ROUTE_LAYER, expected = DL__ROUTE_UNDECIDED;

    if (!through_layer && !dl__layer_is_in(real)) {
        wanted = DL__ROUTE_PRELOAD;
        fill_from_loader(caller);
    }
    if (!atomic_compare_exchange_strong(&route, &expected, wanted))
        return expected;
    dl__environment_restore();
    dl__route_announce(wanted);
    return wanted;
}

enum dl__route dl__route_decide(const void *caller)
{
    enum dl__route decided = atomic_load(&route);
    void *real;
    bool through_layer = false;

    if (decided != DL__ROUTE_UNDECIDED || starting)
        return decided;
    real = dl__loader_find(caller, "clGetPlatformIDs");
    if (!real)
        return DL__ROUTE_UNDECIDED;
    if (!dl__layer_is_in(real) && !atomic_load(&loader_has_started)) {
        cl_int(CL_API_CALL * platforms)(cl_uint, cl_platform_id *, cl_uint *);
        cl_uint count;

        memcpy(&platforms, &real, sizeof real);
        starting = true;
        dl__layer_passed = false;
        platforms(0, NULL, &count);
        through_layer = dl__layer_passed;
        starting = false;
    }
    return settle(caller, real, through_layer);
}

void dl__route_platforms_called(const void *caller, const void *real)
{
    if (atomic_load(&route) != DL__ROUTE_UNDECIDED || starting ||
        real != dl__loader_find(caller, "clGetPlatformIDs"))
        return;
    atomic_store(&loader_has_started, true);
    settle(caller, real, dl__layer_passed);
}
