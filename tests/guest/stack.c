/* SPDX-License-Identifier: MIT */
/* Linked around DL's hooks, the driver's functions and dl__with_stack (-Wl,--wrap): how
 * much stack each hook takes. What is below a hook is painted before it runs; how deep
 * the paint is gone is looked at when it is over and before each call of the driver's,
 * after which what that has used is painted anew: the driver's stack is the program's own
 * business. At exit STACK_LOG gets a line for each hook, "NAME BYTES". */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/stack.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/hooks/hooks.h"

enum { PAINTED_BYTES = 64 << 10, GAP_BYTES = 512 };
#define PAINT UINT64_C(0xb5b5b5b5b5b5b5b5)

/* Where the stack of the innermost hook on this thread begins, NULL outside of hooks and
 * where they have a stack of their own, and the most that it has used. */
static _Thread_local unsigned char *top;
static _Thread_local size_t used_bytes;

/* Below a gap, in which its own variables are; calls nothing. */
static __attribute__((noinline)) void paint(void)
{
    volatile uint64_t *here = __builtin_frame_address(0), *lowest;

    if (!top)
        return;
    lowest = (volatile uint64_t *)(top - PAINTED_BYTES);
    for (here -= GAP_BYTES / sizeof *here; here >= lowest; here--)
        *here = PAINT;
}

static __attribute__((noinline)) void look(void)
{
    volatile uint64_t *lowest = (volatile uint64_t *)(top - PAINTED_BYTES);
    size_t bytes;

    if (!top)
        return;
    while (*lowest == PAINT)
        lowest++;
    bytes = (size_t)(top - (unsigned char *)lowest);
    if (bytes > used_bytes)
        used_bytes = bytes;
}

#define X(result, name, parameters, arguments)                                           \
    static size_t bytes_##name;                                                          \
    result CL_API_CALL __real_dl__hook_##name parameters;                                \
    result CL_API_CALL __wrap_dl__hook_##name parameters;                                \
    result CL_API_CALL __wrap_dl__hook_##name parameters                                 \
    {                                                                                    \
        unsigned char *outer_top = top;                                                  \
        size_t outer_bytes = used_bytes;                                                 \
        result out;                                                                      \
                                                                                         \
        top = __builtin_frame_address(0);                                                \
        used_bytes = 0;                                                                  \
        paint();                                                                         \
        out = __real_dl__hook_##name arguments;                                          \
        look();                                                                          \
        if (used_bytes > __atomic_load_n(&bytes_##name, __ATOMIC_RELAXED))               \
            __atomic_store_n(&bytes_##name, used_bytes, __ATOMIC_RELAXED);               \
        top = outer_top;                                                                 \
        used_bytes = outer_bytes;                                                        \
        return out;                                                                      \
    }
DL_HOOK_MAP(X)
#undef X

/* Where little is left of a thread's stack the work has one of its own. */
__typeof__(dl__with_stack) __real_dl__with_stack, __wrap_dl__with_stack;
void __wrap_dl__with_stack(void (*work)(void *), void *user)
{
    unsigned char *outer_top = top;

    look();
    top = NULL;
    __real_dl__with_stack(work, user);
    top = outer_top;
    paint();
}

/* The driver's functions know no prototypes here: they are passed 16 words, more than the
 * longest has parameters, as in entry/extensions.c. */
#define WORDS                                                                            \
    uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5,  \
        uintptr_t a6, uintptr_t a7, uintptr_t a8, uintptr_t a9, uintptr_t a10,           \
        uintptr_t a11, uintptr_t a12, uintptr_t a13, uintptr_t a14, uintptr_t a15
#define PASS a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15
typedef uintptr_t (*words_fn)(WORDS);

static words_fn driver[256];

/* Numbers are octal: 000 to 377. */
#define EIGHT(X, k) X(k##0) X(k##1) X(k##2) X(k##3) X(k##4) X(k##5) X(k##6) X(k##7)
#define SIXTY_FOUR(X, k)                                                                 \
    EIGHT(X, k##0)                                                                       \
    EIGHT(X, k##1)                                                                       \
    EIGHT(X, k##2)                                                                       \
    EIGHT(X, k##3) EIGHT(X, k##4) EIGHT(X, k##5) EIGHT(X, k##6) EIGHT(X, k##7)
#define ALL(X) SIXTY_FOUR(X, 0) SIXTY_FOUR(X, 1) SIXTY_FOUR(X, 2) SIXTY_FOUR(X, 3)
#define THUNK(k)                                                                         \
    static uintptr_t thunk_##k(WORDS)                                                    \
    {                                                                                    \
        uintptr_t out;                                                                   \
                                                                                         \
        look();                                                                          \
        out = driver[0##k](PASS);                                                        \
        paint();                                                                         \
        return out;                                                                      \
    }
ALL(THUNK)
#define ADDRESS(k) thunk_##k,
static const words_fn thunks[] = {ALL(ADDRESS)};

__typeof__(dl__next_fill) __real_dl__next_fill, __wrap_dl__next_fill;
void __wrap_dl__next_fill(const cl_icd_dispatch *table, cl_uint count)
{
    words_fn watched[sizeof driver / sizeof *driver] = {NULL};
    cl_icd_dispatch all;

    if (count > sizeof all / sizeof(void *))
        count = sizeof all / sizeof(void *);
    memcpy(driver, table, count * sizeof(void *));
    for (cl_uint i = 0; i < count; i++)
        watched[i] = driver[i] ? thunks[i] : NULL;
    memcpy(&all, watched, sizeof all);
    __real_dl__next_fill(&all, count);
}

__attribute__((destructor)) static void write_depths(void)
{
    const char *path = getenv("STACK_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;

    if (!file)
        return;
#define X(result, name, parameters, arguments)                                           \
    if (bytes_##name)                                                                    \
        fprintf(file, "%s %zu\n", #name, bytes_##name);
    DL_HOOK_MAP(X)
#undef X
    fclose(file);
}
