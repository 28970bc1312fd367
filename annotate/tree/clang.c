/* SPDX-License-Identifier: MIT */
/* libclang, loaded at run time and kept. */
#include "annotate/tree/clang.h"

#include <ctype.h>
#include <dlfcn.h>
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

static void *open_library(const char *path)
{
    struct stat info;

    /* The loader would wait for the other end of a pipe. */
    if (strchr(path, '/') && stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *open_newest(void)
{
    static const char *const forms[] = {"libclang-%u.so.1",
                                        "libclang-%u.so.%u",
                                        "libclang.so.%u",
                                        "libclang-%u.so",
                                        "/usr/lib/llvm-%u/lib/libclang.so.1",
                                        "/usr/lib/llvm%u/lib/libclang.so"};

    for (unsigned version = 19; version >= 14; version--) {
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

/* opencl-c-base.h stands in the compiler's own include directory, which libclang does not
 * search for a spir64 target. Where that is differs by distribution. */
static char *find_include_dir(const char *library, unsigned version, const char *full)
{
    static const char *const forms[] = {"%s/clang/%s/include",
                                        "%s/../lib/clang/%s/include",
                                        "/usr/lib/llvm-%u/lib/clang/%s/include",
                                        "/usr/lib/llvm%u/lib/clang/%s/include",
                                        "/usr/lib/clang/%s/include",
                                        "/usr/lib64/clang/%s/include"};
    char major[16], dir[4096], out[4096 + 64], probe[4096 + 96];
    char *slash;

    snprintf(major, sizeof major, "%u", version);
    if (!realpath(library, dir))
        snprintf(dir, sizeof dir, "%s", library);
    slash = strrchr(dir, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        for (int short_name = 0; short_name < 2; short_name++) {
            const char *name = short_name ? major : full;

/* The forms are the literals above. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            if (i < 2)
                snprintf(out, sizeof out, forms[i], dir, name);
            else if (i < 4)
                snprintf(out, sizeof out, forms[i], version, name);
            else
                snprintf(out, sizeof out, forms[i], name);
#pragma GCC diagnostic pop
            snprintf(probe, sizeof probe, "%s/opencl-c-base.h", out);
            if (!access(probe, R_OK))
                return strdup(out);
        }
    }
    return NULL;
}

static enum dl_status fill(void *handle, struct dl__clang *clang, const char **reason)
{
    char full[32] = "";
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
    if (digits) {
        size_t n = strspn(digits + 8, "0123456789.");

        snprintf(full, sizeof full, "%.*s", (int)n, digits + 8);
        clang->version = (unsigned)strtoul(full, NULL, 10);
    }
    clang->disposeString(text);
    if (!dladdr(*(void **)&clang->createIndex, &info) || !info.dli_fname)
        info.dli_fname = "";
    clang->path = strdup(info.dli_fname);
    clang->include_dir = find_include_dir(info.dli_fname, clang->version, full);
    if (!clang->include_dir) {
        *reason =
            "libclang's opencl-c-base.h is not found (package libclang-common-N-dev)";
        return DL_ENOLIB;
    }
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
    handle = *wanted ? open_library(wanted) : open_newest();
    if (!handle) {
        *reason = *wanted ? "the named libclang can't be loaded"
                          : "no libclang of versions 14 to 19 is installed";
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
        free(l->clang.include_dir);
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
