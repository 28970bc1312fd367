/* SPDX-License-Identifier: MIT */
/* dlsym, for programs that open a loader without layers and look its functions up by
 * name.
 *
 * Only a look-up of one of our exported names that ends in an OpenCL loader is answered
 * with our own symbol. Everything else must not notice us: libc's dlsym looks at its
 * return address to know whose RTLD_NEXT is meant, so it is reached by a jump, from a few
 * lines of assembly. Loaders ask their drivers for the same names: they get what they
 * asked for. */
#include "entries.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "real_dlsym.h"

#if defined(__x86_64__) && defined(__LP64__)

static void *answer(void *handle, const char *name)
{
    void *found = dl__dlsym_real(handle, name);

    if (!found || !dl__library_is_loader(found) || !dl__loader_note(found))
        return found;
    return dl__entry_find(name);
}

/* A loader looks up a layer's entry points: see other_layer in entries.c. */
static void *answer_loader(void *handle, const char *name)
{
    void *found = dl__dlsym_real(handle, name);

    /* We have them all, so what is not found is another's. */
    dl__layer_looked_up = found && dl__library_is_own(found) ? NULL : handle;
    return found;
}

/* Whether `name` is one of a layer's entry points. */
static bool layer_has_entry(const char *name)
{
    return strcmp(name, "clGetLayerInfo") == 0 || strcmp(name, "clInitLayer") == 0 ||
           strcmp(name, "clInitLayerWithProperties") == 0 ||
           strcmp(name, "clDeinitLayer") == 0;
}

/* Where dlsym(handle, name), called from `caller`, is to go on. */
__attribute__((used, visibility("hidden"))) dl__dlsym_fn
dl__dlsym_route(void *handle, const char *name, const void *caller);
dl__dlsym_fn dl__dlsym_route(void *handle, const char *name, const void *caller)
{
    if (!name || name[0] != 'c' || name[1] != 'l' || handle == RTLD_DEFAULT ||
        handle == RTLD_NEXT || dl__library_is_own(caller))
        return dl__dlsym_find();
    if (dl__library_is_loader(caller))
        return layer_has_entry(name) ? answer_loader : dl__dlsym_find();
    return dl__entry_find(name) ? answer : dl__dlsym_find();
}

/* On entry the stack is 8 off a multiple of 16; two pushes and 8 bytes align it for the
 * call. */
__asm__("    .text\n"
        "    .globl dlsym\n"
        "    .type dlsym, @function\n"
        "    .hidden dl__dlsym_route\n"
        "dlsym:\n"
        "    .cfi_startproc\n"
        "    endbr64\n"
        "    pushq %rdi\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    pushq %rsi\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    subq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    movq 24(%rsp), %rdx\n"
        "    call dl__dlsym_route\n"
        "    addq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rsi\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rdi\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    jmp *%rax\n"
        "    .cfi_endproc\n"
        "    .size dlsym, .-dlsym\n");

#endif

/* Programs that were built with AddressSanitizer, and are linked with its library.
 *
 * The runtime refuses to start when any library is loaded before it, lest one has taken a
 * function that it wants to watch. This library takes none of those but dlsym, which the
 * runtime does not watch. The runtime asks for its defaults by this name; the program's
 * own function, or ASAN_OPTIONS, comes before. */

__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "verify_asan_link_order=0";
}
