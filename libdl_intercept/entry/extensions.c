/* SPDX-License-Identifier: MIT */
/* Functions that programs get by address: clGetExtensionFunctionAddress and
 * ...ForPlatform.
 *
 * A wrapped entry point asked for by name is answered with its hook. An extension
 * function that takes buffers or kernels past the hooks is answered with a thunk, which
 * tells the state (pin.h) and goes on to the driver's function. The rest is the driver's
 * business.
 *
 * The command-buffer functions have changed their parameters between versions of the
 * extension (a properties list was put third), and drivers of both kinds are about. So
 * thunks know no prototypes: they take 16 words, as many as the longest of these
 * functions has parameters, look for handles at the places where any version has them,
 * and pass all words on. That is sound where words are passed alike whatever their
 * number, and the caller cleans up: the 64-bit System V conventions. All parameters are
 * integers or pointers. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/hooks/hooks.h"
#include "libdl_intercept/hooks/pin.h"
#include "entries.h"

#define WORDS_MAX 16
#define WORDS                                                                            \
    uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5,  \
        uintptr_t a6, uintptr_t a7, uintptr_t a8, uintptr_t a9, uintptr_t a10,           \
        uintptr_t a11, uintptr_t a12, uintptr_t a13, uintptr_t a14, uintptr_t a15
#define PASS a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15

typedef uintptr_t (*words_fn)(WORDS);

enum effect {
    PIN_MEMS,       /* words first..last may be buffers */
    PIN_KERNEL,     /* word first is a kernel whose commands run later */
    PIN_EVERYTHING, /* commands are changed in ways that depend on the version */
    ORDER,          /* words 0 and 1: queues; word 2: a command buffer */
    FORGET_ARG,     /* words 0 and 1: kernel, argument index */
    ADOPT_PROGRAM,  /* word 0: context; the result is a program */
    ADOPT_QUEUE,    /* words 0 and 1: context, device; the result is a queue */
    ADOPT_COMMANDS  /* words 0 and 1: queues; the result is a command buffer */
};

static const struct wrapped {
    const char *name;
    enum effect effect;
    unsigned first, last;
} wrapped[] = {
    {"clCreateCommandBufferKHR", ADOPT_COMMANDS, 0, 0},
    {"clCommandCopyBufferKHR", PIN_MEMS, 2, 4},
    {"clCommandCopyBufferRectKHR", PIN_MEMS, 2, 4},
    {"clCommandCopyBufferToImageKHR", PIN_MEMS, 2, 4},
    {"clCommandCopyImageToBufferKHR", PIN_MEMS, 2, 4},
    {"clCommandFillBufferKHR", PIN_MEMS, 2, 3},
    {"clCommandNDRangeKernelKHR", PIN_KERNEL, 3, 3},
    {"clUpdateMutableCommandsKHR", PIN_EVERYTHING, 0, 0},
    {"clEnqueueCommandBufferKHR", ORDER, 0, 0},
    {"clEnqueueNDCountKernelINTEL", PIN_KERNEL, 1, 1},
    {"clEnqueueCopyBufferP2PAMD", PIN_MEMS, 1, 2},
    {"clSetKernelArgMemPointerINTEL", FORGET_ARG, 0, 0},
    {"clSetKernelArgDevicePointerEXT", FORGET_ARG, 0, 0},
    {"clCreateProgramWithILKHR", ADOPT_PROGRAM, 0, 0},
    {"clCreateCommandQueueWithPropertiesKHR", ADOPT_QUEUE, 0, 0},
};

/* A slot is one driver's version of one function; slots are taken and never given
 * back. */
#define SLOTS_MAX 64
static struct slot {
    const struct wrapped *what;
    words_fn real;
} slots[SLOTS_MAX];
static size_t slot_count;
static struct dl__mutex slots_lock = DL__MUTEX_INITIALIZER;

/* False: the call must fail. */
static bool before(const struct wrapped *what, const uintptr_t *words)
{
    switch (what->effect) {
    case PIN_MEMS:
        for (unsigned i = what->first; i <= what->last; i++)
            dl__pin_mem((cl_mem)words[i]);
        break;
    case PIN_KERNEL:
        return dl__pin_kernel_args((cl_kernel)words[what->first]);
    case PIN_EVERYTHING:
        dl__pin_everything();
        break;
    case ORDER:
        dl__pin_order((cl_uint)words[0], (const cl_command_queue *)words[1],
                      (const void *)words[2]);
        break;
    case FORGET_ARG:
        dl__pin_forget_arg((cl_kernel)words[0], (cl_uint)words[1]);
        break;
    default:
        break;
    }
    return true;
}

static void after(const struct wrapped *what, const uintptr_t *words, uintptr_t result)
{
    if (what->effect == ADOPT_PROGRAM && result)
        dl__pin_adopt_program((cl_context)words[0], (cl_program)result);
    else if (what->effect == ADOPT_QUEUE && result)
        dl__pin_adopt_queue((cl_context)words[0], (cl_device_id)words[1],
                            (const cl_queue_properties *)words[2],
                            (cl_command_queue)result);
    else if (what->effect == ADOPT_COMMANDS && result)
        dl__pin_adopt_commands((cl_uint)words[0], (const cl_command_queue *)words[1],
                               (void *)result);
}

static uintptr_t pass(const struct slot *slot, WORDS)
{
    const uintptr_t words[WORDS_MAX] = {PASS};
    uintptr_t result;

    if (!before(slot->what, words))
        return (uintptr_t)(intptr_t)CL_OUT_OF_RESOURCES;
    result = slot->real(PASS);
    after(slot->what, words, result);
    return result;
}

#define THUNK(k)                                                                         \
    static uintptr_t thunk_##k(WORDS)                                                    \
    {                                                                                    \
        return pass(&slots[0##k], PASS);                                                 \
    }
/* Numbers are octal: 00 to 77. */
#define EIGHT(X, k) X(k##0) X(k##1) X(k##2) X(k##3) X(k##4) X(k##5) X(k##6) X(k##7)
#define ALL(X)                                                                           \
    EIGHT(X, 0)                                                                          \
    EIGHT(X, 1) EIGHT(X, 2) EIGHT(X, 3) EIGHT(X, 4) EIGHT(X, 5) EIGHT(X, 6) EIGHT(X, 7)
ALL(THUNK)
#define ADDRESS(k) thunk_##k,
static const words_fn thunks[SLOTS_MAX] = {ALL(ADDRESS)};

static void *address_of(words_fn function)
{
    void *address;

    memcpy(&address, &function, sizeof address);
    return address;
}

static void *thunk_for(const struct wrapped *what, void *real)
{
    size_t i;

    dl__mutex_lock(&slots_lock);
    for (i = 0; i < slot_count; i++)
        if (slots[i].what == what && address_of(slots[i].real) == real)
            break;
    if (i == slot_count && i < SLOTS_MAX) {
        slots[i].what = what;
        memcpy(&slots[i].real, &real, sizeof real);
        slot_count++;
    }
    dl__mutex_unlock(&slots_lock);
    if (i < SLOTS_MAX)
        return address_of(thunks[i]);
    /* Handing out the driver's own would let commands run on a layout they don't know. */
    dl__log(DL__LOG_ERROR, "%s: too many drivers have it; it is withheld", what->name);
    return NULL;
}

/* Returns the function that the program gets for `name` in place of `real`. */
static void *choose(const char *name, void *real)
{
    void *hook;

    if (!name || !real || dl__library_is_own(real))
        return real;
    hook = dl__hook_find(name);
    if (hook)
        return hook;
    for (size_t i = 0; i < sizeof wrapped / sizeof *wrapped; i++)
        if (strcmp(wrapped[i].name, name) == 0)
            return thunk_for(&wrapped[i], real);
    return real;
}

DL_HOOK(clGetExtensionFunctionAddress)
{
    void *own = dl__pin_find_function(name);

    return own ? own : choose(name, dl__next.clGetExtensionFunctionAddress(name));
}

DL_HOOK(clGetExtensionFunctionAddressForPlatform)
{
    void *own = platform ? dl__pin_find_function(name) : NULL;

    return own ? own : choose(name, DL_NEXT(clGetExtensionFunctionAddressForPlatform));
}
