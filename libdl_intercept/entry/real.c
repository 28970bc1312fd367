/* SPDX-License-Identifier: MIT */
/* Finding the program's OpenCL loader, and its functions.
 *
 * Where it is depends on how the program came to it, in this order: behind us in the
 * global scope (linked); among the caller's own libraries (a plug-in opened RTLD_LOCAL,
 * whose calls bind to us); where the program's own dlsym found it; open under its usual
 * name; open under any name (bundled and renamed); and only then not open at all. */
#include "loader.h"
#include "real_dlsym.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#define USUAL_NAME "libOpenCL.so.1"

/* Handles for dlsym, NULL until known. The settled one may be RTLD_NEXT. */
static _Atomic(void *) settled, noted;

static bool object_info(const void *address, Dl_info *info)
{
    return address && dladdr(address, info) && info->dli_fbase;
}

const void *dl__library_base(const void *address)
{
    Dl_info info;

    return object_info(address, &info) ? info.dli_fbase : NULL;
}

bool dl__library_is_own(const void *address)
{
    return dl__library_base(address) == dl__library_base(&settled);
}

struct range {
    uintptr_t address, start, end;
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
    range->end = end;
    return 1;
}

void dl__library_range(const void *address, uintptr_t *start, size_t *bytes)
{
    struct range range = {(uintptr_t)address, 0, 0};

    dl_iterate_phdr(look_for_range, &range);
    *start = range.start;
    *bytes = range.end - range.start;
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

/* What `handle` has under `name`, unless that is our own symbol. */
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

void *dl__library_find(const void *address, const char *name)
{
    return dl__library_is_own(address) ? NULL : find_in(handle_of(address), name);
}

bool dl__library_pin(const void *address)
{
    return handle_of(address) != NULL;
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

void *dl__loader_find(const void *caller, const char *name)
{
    void *handle = atomic_load(&settled), *none = NULL;

    if (!handle) {
        handle = choose(caller);
        if (handle && !atomic_compare_exchange_strong(&settled, &none, handle))
            handle = none;
    }
    return find_in(handle, name);
}

void *dl__loader_find_for(const void *caller, const char *name)
{
    void *handle = atomic_load(&settled);

    /* What is in the global scope is what every caller binds to. */
    if (handle != RTLD_NEXT && !has_loader(RTLD_NEXT)) {
        void *function = find_in(handle_of_caller(caller), name);
        if (function)
            return function;
    }
    return dl__loader_find(caller, name);
}
