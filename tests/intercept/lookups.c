/* SPDX-License-Identifier: MIT */
/* Linked around DL's hooks and its table of handles (-Wl,--wrap): counts how often each
 * call looks up each handle. At exit DL_LOOKUPS gets a line for each hook that was
 * called, "NAME CALLS", and one for each that has looked a handle up again, "NAME AGAIN".
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "libdl_intercept/hooks/hooks.h"

#include "libdl_intercept/state/objects.h"

enum { SEEN_MAX = 256 };

/* The handles that the calls on this thread have looked up; a call made by a callback
 * comes behind those of the call that it is in. */
static _Thread_local const void *seen[SEEN_MAX];
static _Thread_local unsigned seen_count, call_begin;
static _Thread_local bool again;

__typeof__(dl__handles_find) __real_dl__handles_find, __wrap_dl__handles_find;
void *__wrap_dl__handles_find(const void *handle)
{
    for (unsigned i = call_begin; handle && i < seen_count; i++)
        again = again || seen[i] == handle;
    if (handle && seen_count < SEEN_MAX)
        seen[seen_count++] = handle;
    return __real_dl__handles_find(handle);
}

#define X(result, name, parameters, arguments)                                           \
    static unsigned long calls_##name, again_##name;                                     \
    result CL_API_CALL __real_dl__hook_##name parameters;                                \
    result CL_API_CALL __wrap_dl__hook_##name parameters;                                \
    result CL_API_CALL __wrap_dl__hook_##name parameters                                 \
    {                                                                                    \
        unsigned outer_begin = call_begin;                                               \
        bool outer_again = again;                                                        \
        result out;                                                                      \
                                                                                         \
        call_begin = seen_count;                                                         \
        again = false;                                                                   \
        out = __real_dl__hook_##name arguments;                                          \
        __atomic_fetch_add(&calls_##name, 1, __ATOMIC_RELAXED);                          \
        __atomic_fetch_add(&again_##name, again, __ATOMIC_RELAXED);                      \
        seen_count = call_begin;                                                         \
        call_begin = outer_begin;                                                        \
        again = outer_again;                                                             \
        return out;                                                                      \
    }
DL_HOOK_MAP(X)
#undef X

__attribute__((destructor)) static void write_counts(void)
{
    const char *path = getenv("DL_LOOKUPS");
    FILE *file = path ? fopen(path, "a") : NULL;

    if (!file)
        return;
#define X(result, name, parameters, arguments)                                           \
    if (calls_##name)                                                                    \
        fprintf(file, "%s CALLS\n", #name);                                              \
    if (again_##name)                                                                    \
        fprintf(file, "%s AGAIN\n", #name);
    DL_HOOK_MAP(X)
#undef X
    fclose(file);
}
