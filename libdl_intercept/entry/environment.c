/* SPDX-License-Identifier: MIT */
/* OPENCL_LAYERS, with this library in it; and saying how the program was caught. */
#include "environment.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "libdl_intercept/base/log.h"

static atomic_bool announced;

void dl__route_announce(enum dl__route how)
{
    if (!atomic_exchange(&announced, true))
        dl__log(DL__LOG_DEBUG, "caught as %s (%s)",
                how == DL__ROUTE_LAYER ? "layer" : "preload",
                program_invocation_short_name);
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
    size_t bytes = VARIABLE_BYTES + strlen(first) + strlen(separator) + strlen(rest) + 1;
    char *string = malloc(bytes);

    if (string)
        snprintf(string, bytes, "%s%s%s%s", VARIABLE, first, separator, rest);
    return string;
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
    const char *slash = strrchr(object->dlpi_name, '/');
    const char *name = slash ? slash + 1 : object->dlpi_name;

    (void)bytes;
    if (strncmp(name, "libc.so.", 8) == 0)
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

void dl__environment_insert(void)
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

bool dl__environment_restore(void)
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
