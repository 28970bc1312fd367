/* SPDX-License-Identifier: MIT */
/* libclang: loaded, and run over a text. */

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotate/base/stack.h"
#include "annotate/tree/parse.h"

struct loaded {
    struct loaded *next;
    char *wanted; /* the path asked for; "" for the search */
    struct dl__clang clang;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct loaded *all;
static char refusal[256];

/* of one that is there and can't be loaded, under the lock; "":
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

/* ---- Parsing with libclang. ---- */

#define VERSIONS(X) X(14) X(15) X(16) X(17) X(18) X(19) X(21) X(22)

#define X(version)                                                                       \
    extern const char dl_opencl_c_base_##version[];                                      \
    extern const unsigned long dl_opencl_c_base_##version##_bytes;
VERSIONS(X)
#undef X

/* That of the version; of others, of the nearest one. Its text is static. */
static struct CXUnsavedFile clang_base_header(unsigned version)
{
    struct CXUnsavedFile file = {.Filename = DL__BASE_HEADER_FOLDER "/opencl-c-base.h"};

#define X(number)                                                                        \
    if (version >= (number) || number == 14) {                                           \
        file.Contents = dl_opencl_c_base_##number;                                       \
        file.Length = dl_opencl_c_base_##number##_bytes;                                 \
    }
    VERSIONS(X)
#undef X
    return file;
}

/* One run of libclang over a text, told what the device's compiler sees; and the
 * compiler's own macros, asked of it. */

void dl__clang_add_arguments(struct dl__arena *arena,
                             const struct dl__ast_options *options,
                             struct dl__clang_arguments *out)
{
    const char *std = options->cl_std ? options->cl_std : "CL1.2";
    const char *const fixed[] = {
        "-x", "cl", "-target", "spir64", "-U__SPIR__", "-U__SPIR64__", "-Xclang",
        "-fdeclare-opencl-builtins", "-Xclang", "-finclude-default-header",
        "-ferror-limit=0",
        /* One error is enough. What libclang does after it, guessing at
         * names and keeping what it did not understand, has crashed it. */
        "-fno-spell-checking", "-Xclang", "-fno-recovery-ast",
        /* A warning, as it was before clang 22 and is to the drivers. */
        "-Wno-error=incompatible-pointer-types",
        /* Not -isystem: CPATH of the environment would come first. */
        "-I", DL__BASE_HEADER_FOLDER};

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        DL__PUSH(arena, out, fixed[i]);
    DL__PUSH(arena, out, dl__arena_format(arena, "-cl-std=%s", std));
    for (size_t i = 0; i < options->device_macro_count; i++)
        DL__PUSH(arena, out, options->device_macros[i]);
    /* The device's own are macros above. Named here, they would have to agree with
     * features of OpenCL C 3.0 that nobody told. */
    if (options->device_extensions) {
        DL__PUSH(arena, out, "-Xclang");
        DL__PUSH(arena, out, "-cl-ext=-all");
    }
}

bool dl__clang_parse(struct dl__ast *ast, const struct dl__clang_arguments *arguments)
{
    struct CXUnsavedFile files[] = {
        {"dl_source.cl", ast->seen, (unsigned long)ast->bytes},
        clang_base_header(ast->clang->version)};

    ast->index = ast->clang->createIndex(0, 0);
    return ast->index &&
           !ast->clang->parseTranslationUnit2(
               ast->index, "dl_source.cl", arguments->items, (int)arguments->count, files,
               2, CXTranslationUnit_None, &ast->unit) &&
           ast->unit;
}

void dl__ast_free(struct dl__ast *ast)
{
    if (ast->unit)
        ast->clang->disposeTranslationUnit(ast->unit);
    if (ast->index)
        ast->clang->disposeIndex(ast->index);
    free(ast->stack.items);
    ast->unit = NULL;
    ast->index = NULL;
    ast->stack.items = NULL;
}

/* "120" for "CL1.2" or none. */
static const char *language_version(struct dl__arena *arena, const char *cl_std)
{
    unsigned major = 1, minor = 2;

    if (cl_std)
        sscanf(cl_std, "%*2c%u.%u", &major, &minor);
    return dl__arena_format(arena, "%u", major * 100 + minor * 10);
}

void dl__ast_tell_macros(struct dl__arena *arena,
                         const struct dl_annotate_options *options,
                         const struct dl__build_options *build,
                         struct dl__ast_options *out)
{
    static const char version[] = "-D__OPENCL_VERSION__=";
    const char *at = options->device_extensions ? options->device_extensions : "";
    struct dl__clang_arguments list = {0};
    bool has_version = false;

    for (size_t i = 0; i < options->device_macro_count; i++) {
        DL__PUSH(arena, &list, options->device_macros[i]);
        has_version |= !strncmp(options->device_macros[i], version, sizeof version - 1);
    }
    /* The driver's to define; without its word, the language version. */
    if (!has_version)
        DL__PUSH(arena, &list,
                 dl__arena_format(arena, "%s%s", version,
                                  language_version(arena, build->cl_std)));
    for (; *at; at += strspn(at, " ")) {
        size_t bytes = strcspn(at, " ");

        if (!strncmp(at, "cl_", 3))
            DL__PUSH(arena, &list, dl__arena_format(arena, "-D%.*s=1", (int)bytes, at));
        at += bytes;
    }
    for (size_t i = 0; i < build->flags.count; i++)
        DL__PUSH(arena, &list, build->flags.items[i]);
    out->device_macros = list.items;
    out->device_macro_count = list.count;
}

void dl__ast_compiler_macros(struct dl__arena *arena, const struct dl__clang *clang,
                             const struct dl__ast_options *options,
                             const char *const *names, size_t count, const char **values)
{
    struct dl__buf probe = {.arena = arena};
    struct dl__ast ast = {.arena = arena, .clang = clang};
    struct dl__clang_arguments arguments = {0};

    dl__buf_puts(&probe, "#define DL_TEXT_(...) #__VA_ARGS__\n"
                         "#define DL_TEXT(...) DL_TEXT_(__VA_ARGS__)\n");
    for (size_t i = 0; i < count; i++)
        dl__buf_printf(&probe,
                       "#ifdef %s\n#pragma message \"%zu=\" DL_TEXT(%s)\n#endif\n",
                       names[i], i, names[i]);
    dl__clang_add_arguments(arena, options, &arguments);
    ast.text = ast.seen = probe.items;
    ast.bytes = probe.count;
    if (dl__clang_parse(&ast, &arguments)) {
        unsigned diagnostics = clang->getNumDiagnostics(ast.unit);

        for (unsigned i = 0; i < diagnostics; i++) {
            CXDiagnostic d = clang->getDiagnostic(ast.unit, i);
            CXString text = clang->getDiagnosticSpelling(d);
            const char *line = clang->getCString(text);
            char *copy = line ? strdup(line) : NULL;

            clang->disposeString(text);
            clang->disposeDiagnostic(d);
            /* Kept in plain memory until the tree is gone: the arena may jump. */
            if (copy && strchr(copy, '=')) {
                char *equals = strchr(copy, '=');
                size_t index = strtoul(copy, NULL, 10);

                if (index < count && !values[index]) {
                    memmove(copy, equals + 1, strlen(equals));
                    values[index] = copy;
                    continue;
                }
            }
            free(copy);
        }
    }
    dl__ast_free(&ast);
    for (size_t i = 0; i < count; i++) {
        if (values[i]) {
            char *copy = (char *)(uintptr_t)values[i];

            values[i] = dl__arena_text(arena, copy, strlen(copy));
            free(copy);
        }
    }
}
