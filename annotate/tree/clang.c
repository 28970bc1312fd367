/* SPDX-License-Identifier: MIT */
/* libclang, loaded at run time and kept. */
#include "annotate/tree/clang.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "annotate/base/stack.h"

struct loaded {
    struct loaded *next;
    char *wanted; /* the path asked for; "" for the search */
    struct dl__clang clang;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct loaded *all;
static char refusal[256]; /* of one that is there and can't be loaded, under the lock; "":
                             none is */

static void *open_library(const char *path)
{
    struct stat info;
    const char *error;
    void *handle;

    /* The loader would wait for the other end of a pipe. */
    if (strchr(path, '/') && stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return NULL;
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    error = handle ? NULL : dlerror();
    if (error && !*refusal && !strstr(error, "No such file"))
        snprintf(refusal, sizeof refusal, "libclang can't be loaded: %s", error);
    return handle;
}

static void *open_newest(void)
{
    static const char *const forms[] = {"libclang-%u.so.1",
                                        "libclang-%u.so.%u",
                                        "libclang.so.%u",
                                        "libclang-%u.so",
                                        "/usr/lib/llvm-%u/lib/libclang.so.1",
                                        "/usr/lib/llvm%u/lib/libclang.so"};

    for (unsigned version = 22; version >= 14; version--) {
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            char path[64];
            void *handle;

/* The forms are the literals above. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(path, sizeof path, forms[i], version, version);
#pragma GCC diagnostic pop
            handle = open_library(path);
            if (handle)
                return handle;
        }
    }
    return NULL;
}

/* That of PyPI's package libclang, beside which pip has put this program:
 * PREFIX/bin/dl-annotate or PREFIX/lib/dl/dl-builder, and
 * PREFIX/lib/python3.N/site-packages or, by pip's --target, PREFIX. */
static void *open_of_pip(void)
{
    char program[PATH_MAX] = "", pattern[PATH_MAX + 96];
    void *handle = NULL;
    glob_t found;
    char *slash;

    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        return NULL;
    slash = strrchr(program, '/');
    snprintf(pattern, sizeof pattern,
             "%.*s/{..,../..}/{lib*/python3*/*-packages/,}clang/native/libclang.so",
             (int)(slash - program), program);
    if (glob(pattern, GLOB_BRACE, NULL, &found) != 0)
        return NULL;
    for (size_t i = 0; i < found.gl_pathc && !handle; i++)
        handle = open_library(found.gl_pathv[i]);
    globfree(&found);
    return handle;
}

static enum dl_status fill(void *handle, struct dl__clang *clang, const char **reason)
{
    const char *digits;
    Dl_info info;
    CXString text;

#define X(name)                                                                          \
    *(void **)&clang->name = dlsym(handle, "clang_" #name);                              \
    if (!clang->name) {                                                                  \
        *reason = "the libclang found is too old";                                       \
        return DL_ENOLIB;                                                                \
    }
    DL__CLANG_MAP(X)
#undef X
    /* Else createIndex takes over the process's SIGSEGV handler. */
    clang->toggleCrashRecovery(0);
    text = clang->getClangVersion();
    digits = clang->getCString(text);
    digits = digits ? strstr(digits, "version ") : NULL;
    if (digits)
        clang->version = (unsigned)strtoul(digits + 8, NULL, 10);
    clang->disposeString(text);
    if (!dladdr(*(void **)&clang->createIndex, &info) || !info.dli_fname)
        info.dli_fname = "";
    clang->path = strdup(info.dli_fname);
    return clang->path ? DL_OK : DL_ENOMEM;
}

enum dl_status dl__clang_load(const char *path, const struct dl__clang **out,
                              const char **reason)
{
    const char *wanted = path ? path : "";
    struct loaded *l;
    enum dl_status st = DL_ENOMEM;
    void *handle;

    if (!strcmp(wanted, "none")) {
        *reason = "libclang is switched off";
        return DL_ENOLIB;
    }
    /* It parses on a thread, and ends the process where none can be started. */
    if (!dl__thread_can_start()) {
        *reason =
            "libclang needs a thread, and no more can be started: raise the limits of "
            "processes or memory (ulimit -u, ulimit -v)";
        return DL_ENOLIB;
    }
    pthread_mutex_lock(&lock);
    for (l = all; l && strcmp(l->wanted, wanted); l = l->next)
        ;
    if (l) {
        st = DL_OK;
        goto out;
    }
    l = calloc(1, sizeof *l);
    if (!l || !(l->wanted = strdup(wanted)))
        goto out;
    *refusal = '\0';
    handle = *wanted ? open_library(wanted) : open_newest();
    if (!*wanted && !handle)
        handle = open_of_pip();
    if (!handle) {
        *reason = *wanted    ? "the named libclang can't be loaded"
                  : *refusal ? refusal
                             : "no libclang of versions 14 to 22 is installed";
        st = DL_ENOLIB;
        goto out;
    }
    /* The library stays loaded even when it is of no use: unloading LLVM is not safe. */
    st = fill(handle, &l->clang, reason);
    if (st == DL_OK) {
        l->next = all;
        all = l;
    }
out:
    if (st == DL_OK) {
        *out = &l->clang;
    } else if (l) {
        free(l->clang.path);
        free(l->wanted);
        free(l);
    }
    pthread_mutex_unlock(&lock);
    return st;
}

const char *dl_annotate_libclang(const char *libclang)
{
    const char *wanted = libclang ? libclang : "", *path = NULL;

    pthread_mutex_lock(&lock);
    for (struct loaded *l = all; l; l = l->next)
        if (!strcmp(l->wanted, wanted))
            path = l->clang.path;
    pthread_mutex_unlock(&lock);
    return path;
}
