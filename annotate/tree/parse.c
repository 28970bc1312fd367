/* SPDX-License-Identifier: MIT */
/* Parsing with libclang. */
#include "annotate/tree/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
