/* SPDX-License-Identifier: MIT */
/* libclang: loaded, run over a text, and the syntax tree copied out of it. */
#include "annotate/tree/ast.h"

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
#include "annotate/text/preprocess.h"

struct loaded {
    struct loaded *next;
    char *wanted; /* the path asked for; "" for the search */
    struct dl__clang clang;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct loaded *libraries;
static char refusal[256]; /* of one that is there and can't be loaded; "": none is */

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
    for (l = libraries; l && strcmp(l->wanted, wanted); l = l->next)
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
        l->next = libraries;
        libraries = l;
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
    for (struct loaded *l = libraries; l; l = l->next)
        if (!strcmp(l->wanted, wanted))
            path = l->clang.path;
    pthread_mutex_unlock(&lock);
    return path;
}

/* ---- Parsing with libclang. ---- */

/* An absolute path that is nowhere on disk. */
#define BASE_HEADER_FOLDER "/dl-headers-of-opencl-c"

#define VERSIONS(X) X(14) X(15) X(16) X(17) X(18) X(19) X(21) X(22)

#define X(version)                                                                       \
    extern const char dl_opencl_c_base_##version[];                                      \
    extern const unsigned long dl_opencl_c_base_##version##_bytes;
VERSIONS(X)
#undef X

/* That of the version; of others, of the nearest one. Its text is static. */
static struct CXUnsavedFile clang_base_header(unsigned version)
{
    struct CXUnsavedFile file = {.Filename = BASE_HEADER_FOLDER "/opencl-c-base.h"};

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

struct arguments {
    const char **items;
    size_t count, room;
};

static void add_arguments(struct dl__arena *arena, const struct dl__ast_options *options,
                          struct arguments *out)
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
        "-I", BASE_HEADER_FOLDER};

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

/* Parses ast->seen into ast->unit. False: libclang gave up. */
static bool parse(struct dl__ast *ast, const struct arguments *arguments)
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
    struct arguments list = {0};
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

/* ---- The tree. ---- */

/* A top-level declaration: it begins at the first token after a `;` or `}` outside
 * braces. */
struct dl__ast_item {
    size_t at, end;           /* end: 0 where the text breaks off */
    struct dl__token name;    /* of a function with a body */
    size_t body_at, body_end; /* its braces; 0: none */
    bool is_kernel, is_variable, is_reached;
};

struct dl__ast_items {
    struct dl__ast_item *items;
    size_t count, room;
};

/* The string in the arena; libclang's own goes. */
static char *ast_take_string(struct dl__ast *ast, CXString string)
{
    const char *text = ast->clang->getCString(string);
    char *out = dl__arena_text(ast->arena, text ? text : "", text ? strlen(text) : 0);

    ast->clang->disposeString(string);
    return out;
}

/* Where a function is declared for the first time; a builtin that the text declares anew
 * counts as the text's. */
static CXSourceLocation ast_declaration(const struct dl__ast *ast, CXCursor cursor)
{
    const struct dl__clang *clang = ast->clang;
    CXSourceLocation at = clang->getCursorLocation(cursor), first;

    if (clang->getCursorKind(cursor) != CXCursor_FunctionDecl)
        return at;
    first = clang->getCursorLocation(clang->getCanonicalCursor(cursor));
    return clang->Location_isFromMainFile(first) ? first : at;
}

/* SIZE_MAX when the place is not in the parsed text. */
static size_t ast_offset_of(const struct dl__ast *ast, CXSourceLocation location)
{
    unsigned offset;

    if (!ast->clang->Location_isFromMainFile(location)) {
        CXFile file;

        /* A token out of a compiler macro's body counts as standing at its invocation. */
        ast->clang->getFileLocation(location, &file, NULL, NULL, &offset);
        return offset < ast->bytes ? offset : SIZE_MAX;
    }
    ast->clang->getFileLocation(location, NULL, NULL, NULL, &offset);
    return offset;
}

static void read_extent(const struct dl__ast *ast, CXCursor cursor, size_t *begin,
                        size_t *end)
{
    CXSourceRange extent = ast->clang->getCursorExtent(cursor);

    *begin = ast_offset_of(ast, ast->clang->getRangeStart(extent));
    *end = ast_offset_of(ast, ast->clang->getRangeEnd(extent));
}

/* The last declaration that does not begin behind a byte, or the first; NULL: there are
 * none. */
static struct dl__ast_item *item_at(const struct dl__ast_items *items, size_t at)
{
    size_t low = 0, high = items->count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (items->items[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return high ? &items->items[low] : NULL;
}

/* ---- children ---- */

/* A visitor that puts the cursor on the tree's stack. `data` is the tree. */
static enum CXChildVisitResult ast_push_child(CXCursor cursor, CXCursor parent,
                                              CXClientData data)
{
    struct dl__ast *ast = data;

    (void)parent;
    if (ast->stack.count == ast->stack.room) {
        size_t room = ast->stack.room ? ast->stack.room * 2 : 256;
        CXCursor *items = realloc(ast->stack.items, room * sizeof *items);

        if (!items) {
            ast->stack.room = SIZE_MAX;
            return CXChildVisit_Break;
        }
        ast->stack.items = items;
        ast->stack.room = room;
    }
    ast->stack.items[ast->stack.count++] = cursor;
    return CXChildVisit_Continue;
}

/* The children are stack items [first, count); the caller pops them. */
static size_t ast_push_children(struct dl__ast *ast, CXCursor cursor)
{
    size_t first = ast->stack.count;

    ast->clang->visitChildren(cursor, ast_push_child, ast);
    if (ast->stack.room == SIZE_MAX)
        dl__arena_fail(ast->arena, DL_ENOMEM);
    return first;
}

/* ---- What names of file scope stand for: constants, and types with their sizes. ---- */

static bool is_named(struct dl__ast *ast, CXCursor cursor, const char *name, size_t bytes)
{
    const char *own = ast_take_string(ast, ast->clang->getCursorSpelling(cursor));

    return strlen(own) == bytes && !memcmp(own, name, bytes);
}

/* An integer literal that a variable of 4 bytes or more is set to, with its sign. */
static bool find_initial(struct dl__ast *ast, CXCursor variable, int64_t *out)
{
    const struct dl__clang *clang = ast->clang;
    const struct dl__type *type = dl__ast_type(ast, clang->getCursorType(variable));
    bool negative, is_unsigned;
    uint64_t value;
    size_t at, end;

    read_extent(ast, variable, &at, &end);
    if (type->kind != DL__T_SCALAR || (type->scalar != 'i' && type->scalar != 'u') ||
        type->bytes < 4 || at >= end || end > ast->bytes ||
        !(type->is_const ||
          clang->getAddressSpace(clang->getCursorType(variable)) == DL__CONSTANT))
        return false;
    while (at < end && ast->text[at] != '=')
        at++;
    at += at < end;
    at = dl__text_skip(ast->text, ast->bytes, at);
    negative = at < end && ast->text[at] == '-';
    at = negative ? dl__text_skip(ast->text, ast->bytes, at + 1) : at;
    if (at >= end || !dl__integer_read(ast->text + at, end - at, &value, &is_unsigned) ||
        value > INT32_MAX || (negative && type->scalar == 'u'))
        return false;
    *out = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

bool dl__ast_constant_named(struct dl__ast *ast, const char *name, size_t bytes,
                            int64_t *out)
{
    const struct dl__clang *clang = ast->clang;
    size_t first = ast_push_children(ast, clang->getTranslationUnitCursor(ast->unit));
    bool found = false;

    for (size_t i = first, count = ast->stack.count; i < count && !found; i++) {
        CXCursor cursor = ast->stack.items[i];

        if (!clang->Location_isFromMainFile(clang->getCursorLocation(cursor)))
            continue;
        if (clang->getCursorKind(cursor) == CXCursor_VarDecl &&
            is_named(ast, cursor, name, bytes))
            found = find_initial(ast, cursor, out);
        if (clang->getCursorKind(cursor) != CXCursor_EnumDecl)
            continue;
        for (size_t k = ast_push_children(ast, cursor); k < ast->stack.count && !found;
             k++) {
            cursor = ast->stack.items[k];
            found = clang->getCursorKind(cursor) == CXCursor_EnumConstantDecl &&
                    is_named(ast, cursor, name, bytes);
            if (found)
                *out = clang->getEnumConstantDeclValue(cursor);
        }
        ast->stack.count = count;
    }
    ast->stack.count = first;
    return found;
}

/* float, uint4; 0: no such. */
static uint64_t builtin_bytes(const char *name, size_t bytes)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } map[] = {{"char", 1},  {"uchar", 1},  {"bool", 1},  {"short", 2}, {"ushort", 2},
               {"half", 2},  {"int", 4},    {"uint", 4},  {"float", 4}, {"long", 8},
               {"ulong", 8}, {"double", 8}, {"size_t", 8}};

    for (size_t i = 0; i < sizeof map / sizeof *map; i++) {
        size_t length = strlen(map[i].name);
        unsigned long lanes;

        if (bytes < length || memcmp(name, map[i].name, length))
            continue;
        if (bytes == length)
            return map[i].bytes;
        lanes = strtoul(name + length, NULL, 10);
        if (length + (lanes > 9 ? 2 : 1) == bytes &&
            (lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16))
            return (uint64_t)map[i].bytes * (lanes == 3 ? 4 : lanes);
    }
    return 0;
}

uint64_t dl__ast_bytes_of(struct dl__ast *ast, const char *name, size_t bytes,
                          bool is_tag)
{
    const struct dl__clang *clang = ast->clang;
    size_t first = ast_push_children(ast, clang->getTranslationUnitCursor(ast->unit));
    long long found = 0;

    for (size_t i = first; i < ast->stack.count && found <= 0; i++) {
        CXCursor cursor = ast->stack.items[i];
        enum CXCursorKind kind = clang->getCursorKind(cursor);
        CXType type = clang->getCursorType(cursor);

        if (clang->Location_isFromMainFile(clang->getCursorLocation(cursor)) &&
            (is_tag ? kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl
                    : kind == CXCursor_TypedefDecl) &&
            type.kind != CXType_Invalid && is_named(ast, cursor, name, bytes))
            found = clang->Type_getSizeOf(clang->getCanonicalType(type));
    }
    ast->stack.count = first;
    return found > 0 ? (uint64_t)found : is_tag ? 0 : builtin_bytes(name, bytes);
}

/* ---- Types, copied out of libclang. ---- */

enum { TYPE_DEPTH_MAX = 64 };

static enum CXVisitorResult push_field(CXCursor cursor, CXClientData data)
{
    return ast_push_child(cursor, cursor, data) == CXChildVisit_Break ? CXVisit_Break
                                                                      : CXVisit_Continue;
}

static bool scalar_of(enum CXTypeKind kind, const char **name, char *scalar)
{
    static const struct {
        enum CXTypeKind kind;
        const char *name;
        char scalar;
    } map[] = {{CXType_Bool, "bool", 'b'},       {CXType_Char_S, "char", 'i'},
               {CXType_Char_U, "char", 'i'},     {CXType_SChar, "char", 'i'},
               {CXType_UChar, "uchar", 'u'},     {CXType_Short, "short", 'i'},
               {CXType_UShort, "ushort", 'u'},   {CXType_Int, "int", 'i'},
               {CXType_UInt, "uint", 'u'},       {CXType_Long, "long", 'i'},
               {CXType_ULong, "ulong", 'u'},     {CXType_LongLong, "long", 'i'},
               {CXType_ULongLong, "ulong", 'u'}, {CXType_Half, "half", 'f'},
               {CXType_Float16, "half", 'f'},    {CXType_Float, "float", 'f'},
               {CXType_Double, "double", 'f'}};

    for (size_t i = 0; i < sizeof map / sizeof *map; i++) {
        if (map[i].kind == kind) {
            *name = map[i].name;
            *scalar = map[i].scalar;
            return true;
        }
    }
    return false;
}

/* The type as it was written, without qualifiers; NULL for one that has no name. */
static const char *written_name(struct dl__ast *ast, CXType type)
{
    static const char qualifiers[] =
        "const volatile restrict __global __local __constant __private __generic global";
    char *spelling = ast_take_string(ast, ast->clang->getTypeSpelling(type));
    struct dl__lexer lexer = {.text = spelling, .bytes = strlen(spelling)};
    struct dl__buf out = {.arena = ast->arena};
    struct dl__token t;

    if (strchr(spelling, '('))
        return NULL;
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (dl__is_in(qualifiers, t.text, t.bytes))
            continue;
        if (out.count)
            dl__buf_puts(&out, " ");
        dl__buf_add(&out, t.text, t.bytes);
    }
    return out.items;
}

static struct dl__struct *find_struct(struct dl__ast *ast, CXCursor declaration)
{
    struct dl__struct *s = ast->structs;

    while (s && !ast->clang->equalCursors(s->declaration, declaration))
        s = s->next;
    return s;
}

static struct dl__struct *make_struct(struct dl__ast *ast, CXType canonical,
                                      CXType written)
{
    CXCursor declaration = ast->clang->getTypeDeclaration(canonical);
    struct dl__struct *s = find_struct(ast, declaration);
    size_t first = ast->stack.count;
    long long bytes;

    if (s)
        return s;
    s = DL__NEW(ast->arena, struct dl__struct);
    s->declaration = declaration;
    s->name = written_name(ast, written);
    s->is_union = ast->clang->getCursorKind(declaration) == CXCursor_UnionDecl;
    s->next = ast->structs;
    ast->structs = s;
    bytes = ast->clang->Type_getSizeOf(canonical);
    if (bytes <= 0 || bytes > UINT32_MAX)
        return s;
    s->bytes = (uint32_t)bytes;
    ast->clang->Type_visitFields(canonical, push_field, ast);
    if (ast->stack.room == SIZE_MAX)
        dl__arena_fail(ast->arena, DL_ENOMEM);
    s->fields =
        dl__arena_alloc(ast->arena, (ast->stack.count - first) * sizeof *s->fields);
    while (first + s->field_count < ast->stack.count) {
        CXCursor cursor = ast->stack.items[first + s->field_count];
        struct dl__field *field = &s->fields[s->field_count++];
        long long bits = ast->clang->Cursor_getOffsetOfField(cursor);

        field->name = ast_take_string(ast, ast->clang->getCursorSpelling(cursor));
        if (strchr(field->name, '('))
            field->name = ""; /* how newer versions spell an anonymous member */
        if (ast->clang->Cursor_isBitField(cursor) || bits < 0 || bits % 8)
            s->has_bit_field = true;
        field->offset_bytes = bits < 0 ? 0 : (uint32_t)(bits / 8);
        field->type = dl__ast_type(ast, ast->clang->getCursorType(cursor));
    }
    ast->stack.count = first;
    return s;
}

/* Of an array type, as it was written if that says. */
static CXType element_of(const struct dl__clang *clang, CXType written, CXType type)
{
    CXType element = clang->getArrayElementType(written);

    return element.kind == CXType_Invalid ? clang->getArrayElementType(type) : element;
}

static void make_pointer(struct dl__ast *ast, CXType type, CXType written,
                         struct dl__type *out)
{
    const struct dl__clang *clang = ast->clang;
    CXType pointee = clang->getPointeeType(written);

    if (pointee.kind == CXType_Invalid)
        pointee = clang->getPointeeType(type);
    out->kind = DL__T_POINTER;
    out->element = dl__ast_type(ast, pointee);
    out->is_shared = clang->getAddressSpace(type) == DL__LOCAL;
    out->address_space = clang->getAddressSpace(clang->getPointeeType(type));
}

struct dl__type *dl__ast_type(struct dl__ast *ast, CXType written)
{
    const struct dl__clang *clang = ast->clang;
    struct dl__type *out = DL__NEW(ast->arena, struct dl__type);
    CXType type;
    long long bytes;

    out->kind = DL__T_OTHER;
    if (written.kind == CXType_Invalid || ast->type_depth >= TYPE_DEPTH_MAX)
        return out;
    ast->type_depth++;
    type = clang->getCanonicalType(written);
    out->is_const = clang->isConstQualifiedType(type);
    out->is_volatile = clang->isVolatileQualifiedType(type);
    out->address_space = clang->getAddressSpace(type);
    out->is_void = type.kind == CXType_Void;
    if (scalar_of(type.kind, &out->name, &out->scalar)) {
        out->kind = DL__T_SCALAR;
    } else if (type.kind == CXType_Enum) {
        out->kind = DL__T_SCALAR;
        out->scalar = 'i';
        out->name = written_name(ast, written);
        if (!out->name)
            out->name = "int";
    } else if (type.kind == CXType_ExtVector || type.kind == CXType_Vector) {
        out->kind = DL__T_VECTOR;
        out->element = dl__ast_type(ast, clang->getElementType(type));
        out->count = (uint64_t)clang->getNumElements(type);
        out->name = dl__arena_format(ast->arena, "%s%u",
                                     out->element->name ? out->element->name : "?",
                                     (unsigned)out->count);
    } else if (type.kind == CXType_Pointer) {
        make_pointer(ast, type, written, out);
    } else if (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray) {
        out->kind = DL__T_ARRAY;
        out->element = dl__ast_type(ast, element_of(clang, written, type));
        out->count = type.kind == CXType_ConstantArray
                         ? (uint64_t)clang->getArraySize(type)
                         : 0; /* of a struct's last member, which has no length */
        out->is_const |= out->element->is_const;
        out->is_volatile |= out->element->is_volatile;
    } else if (type.kind == CXType_Record) {
        out->kind = DL__T_STRUCT;
        out->identity = make_struct(ast, type, written);
        out->name = out->identity->name;
        out->bytes = out->identity->bytes;
    }
    if (out->kind != DL__T_OTHER && out->kind != DL__T_STRUCT) {
        bytes = clang->Type_getSizeOf(type);
        out->bytes = bytes > 0 && bytes <= UINT32_MAX ? (uint32_t)bytes : 0;
    }
    ast->type_depth--;
    return out;
}

/* ---- The functions of a text: where their heads, parameters and bodies stand. ---- */

static void read_head(struct dl__ast *ast, struct dl__function *f,
                      const struct dl__ast_items *items)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = ast->bytes};
    unsigned depth = 0;
    const struct dl__ast_item *item = item_at(items, f->name_at);
    struct dl__token t;

    f->item_at = item ? item->at : f->name_at;
    lexer.offset = f->item_at;
    while ((t = dl__lex_next(&lexer)).kind != DL__END && t.offset < f->name_at) {
        f->is_kernel |= dl__is_kernel_word(&t);
        f->is_static |= dl__token_is(&t, "static");
    }
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (dl__token_is(&t, "(") && !depth++)
            f->open_at = t.offset;
        if (dl__token_is(&t, ")") && depth && !--depth) {
            f->close_at = t.offset;
            break;
        }
    }
}

static unsigned address_space_written(const struct dl__ast *ast, size_t at, size_t end)
{
    struct dl__lexer lexer = dl__lexer_at(ast->text, at, end);
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (dl__token_in(&t, "__global global"))
            return DL__GLOBAL;
        if (dl__token_in(&t, "__constant constant"))
            return DL__CONSTANT;
    }
    return 0;
}

/* A parameter declared as an array is a pointer. */
static const struct dl__type *parameter_type(struct dl__ast *ast, CXType written,
                                             size_t at, size_t end)
{
    CXType type = ast->clang->getCanonicalType(written);
    struct dl__type *out;

    if (type.kind != CXType_ConstantArray && type.kind != CXType_IncompleteArray)
        return dl__ast_type(ast, written);
    out = DL__NEW(ast->arena, struct dl__type);
    out->kind = DL__T_POINTER;
    out->bytes = 8;
    out->element = dl__ast_type(ast, element_of(ast->clang, written, type));
    /* libclang hides the address space of such a parameter's elements. */
    out->address_space = address_space_written(ast, at, end);
    return out;
}

static void ast_add_function(struct dl__ast *ast, CXCursor cursor,
                             const struct dl__ast_items *items)
{
    const struct dl__clang *clang = ast->clang;
    struct dl__function f = {0};
    size_t first;

    f.name = ast_take_string(ast, clang->getCursorSpelling(cursor));
    f.name_at = ast_offset_of(ast, clang->getCursorLocation(cursor));
    f.declared_at = ast_offset_of(ast, ast_declaration(ast, cursor));
    f.result = dl__ast_type(ast, clang->getCursorResultType(cursor));
    read_head(ast, &f, items);
    first = ast_push_children(ast, cursor);
    f.parameters =
        dl__arena_alloc(ast->arena, (ast->stack.count - first) * sizeof *f.parameters);
    for (size_t i = first, count = ast->stack.count; i < count; i++) {
        CXCursor child = ast->stack.items[i];
        enum CXCursorKind kind = clang->getCursorKind(child);

        if (kind == CXCursor_ParmDecl) {
            struct dl__parameter *p = &f.parameters[f.parameter_count++];

            p->name = ast_take_string(ast, clang->getCursorSpelling(child));
            p->name_at = ast_offset_of(ast, clang->getCursorLocation(child));
            read_extent(ast, child, &p->begin, &p->end);
            p->type = parameter_type(ast, clang->getCursorType(child), p->begin, p->end);
        } else if (kind == CXCursor_CompoundStmt) {
            f.is_defined = true;
            f.body_cursor = child;
            read_extent(ast, child, &f.body_at, &f.body_end);
        }
    }
    ast->stack.count = first;
    DL__PUSH(ast->arena, &ast->functions, f);
}

struct dl__function *dl__ast_callee(struct dl__ast *ast, const struct dl__node *call)
{
    struct dl__function *found = NULL, *all = ast->functions.items;
    size_t low = 0, high = ast->functions.count;

    /* In the order of the text: none before its first declaration. */
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (all[middle].name_at < call->declared_at)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < ast->functions.count && !(found && found->is_defined); i++)
        if (all[i].declared_at == call->declared_at && (!found || all[i].is_defined))
            found = &all[i];
    return found;
}

static int compare_named(const void *a, const void *b)
{
    const struct dl__function *f = *(struct dl__function *const *)a,
                              *g = *(struct dl__function *const *)b;
    int order = strcmp(f->name, g->name);

    return order ? order : f < g ? -1 : f > g;
}

static void name_functions(struct dl__ast *ast)
{
    size_t count = ast->functions.count;
    struct dl__function *last = NULL, *f;

    ast->named = dl__arena_alloc(ast->arena, (count + 1) * sizeof *ast->named);
    for (size_t i = 0; i < count; i++)
        ast->named[i] = &ast->functions.items[i];
    qsort(ast->named, count, sizeof *ast->named, compare_named);
    for (size_t i = 0; i < count; i++, last = f) {
        f = ast->named[i];
        if (last && !strcmp(last->name, f->name))
            last->next_named = f;
        else
            ast->named[ast->named_count++] = f;
    }
}

static struct dl__function *first_named(const struct dl__ast *ast, const char *name,
                                        size_t bytes)
{
    size_t low = 0, high = ast->named_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *other = ast->named[middle]->name;
        int order = strncmp(other, name, bytes);

        if (!order && !other[bytes])
            return ast->named[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Adds all that have the name. */
static void add_reachable(struct dl__ast *ast, struct dl__reachable *out,
                          const struct dl__token *name)
{
    struct dl__function *f = first_named(ast, name->text, name->bytes);
    bool declared = f != NULL, defined = false;

    for (; f; f = f->next_named) {
        size_t known = 0;

        defined |= f->is_defined;
        while (known < out->count && out->items[known] != f)
            known++;
        if (f->is_defined && known == out->count)
            DL__PUSH(ast->arena, out, f);
    }
    out->lacks_one |= declared && !defined;
}

struct dl__reachable dl__ast_reachable(struct dl__ast *ast, struct dl__function *f)
{
    struct dl__reachable out = {0};

    DL__PUSH(ast->arena, &out, f);
    for (size_t i = 0; i < out.count; i++) {
        struct dl__lexer lexer = dl__ast_body_tokens(ast, out.items[i]);
        struct dl__token t;

        while ((t = dl__lex_next(&lexer)).kind != DL__END)
            if (t.kind == DL__NAME)
                add_reachable(ast, &out, &t);
    }
    return out;
}

struct dl__function *dl__ast_named(const struct dl__ast *ast, const char *name,
                                   const struct dl__function *before)
{
    return before ? before->next_named : first_named(ast, name, strlen(name));
}

/* ---- The body of a function, copied out of libclang node by node. ---- */

static enum dl__node_kind kind_of(enum CXCursorKind kind)
{
    static const unsigned char kinds[] = {
        [CXCursor_DeclRefExpr] = DL__N_NAME,
        [CXCursor_ArraySubscriptExpr] = DL__N_SUBSCRIPT,
        [CXCursor_MemberRefExpr] = DL__N_MEMBER,
        [CXCursor_UnaryOperator] = DL__N_UNARY,
        [CXCursor_BinaryOperator] = DL__N_BINARY,
        [CXCursor_CompoundAssignOperator] = DL__N_COMPOUND,
        [CXCursor_ConditionalOperator] = DL__N_CONDITIONAL,
        [CXCursor_ParenExpr] = DL__N_PAREN,
        [CXCursor_CStyleCastExpr] = DL__N_CAST,
        [CXCursor_UnexposedExpr] = DL__N_IMPLICIT,
        [CXCursor_CallExpr] = DL__N_CALL,
        [CXCursor_UnaryExpr] = DL__N_SIZEOF,
        [CXCursor_DeclStmt] = DL__N_DECL_STATEMENT,
        [CXCursor_VarDecl] = DL__N_VARIABLE,
        [CXCursor_StmtExpr] = DL__N_VALUE_BLOCK,
        [CXCursor_ReturnStmt] = DL__N_RETURN,
        [CXCursor_IfStmt] = DL__N_BRANCH,
        [CXCursor_WhileStmt] = DL__N_BRANCH,
        [CXCursor_DoStmt] = DL__N_BRANCH,
        [CXCursor_ForStmt] = DL__N_BRANCH,
        [CXCursor_SwitchStmt] = DL__N_BRANCH,
        [CXCursor_CompoundStmt] = DL__N_STATEMENT,
        [CXCursor_CaseStmt] = DL__N_STATEMENT,
        [CXCursor_DefaultStmt] = DL__N_STATEMENT,
        [CXCursor_LabelStmt] = DL__N_STATEMENT};

    return (size_t)kind < sizeof kinds ? (enum dl__node_kind)kinds[kind] : DL__N_OTHER;
}

static void read_operator(struct dl__ast *ast, struct dl__node *n)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = ast->bytes};
    struct dl__token t;

    if (!n->child_count)
        return;
    if (n->kind == DL__N_UNARY) {
        n->postfix = n->children[0]->begin == n->begin;
        lexer.offset = n->postfix ? n->children[0]->end : n->begin;
    } else {
        lexer.offset = n->children[0]->end;
    }
    t = dl__lex_over_lines(&lexer);
    if (t.kind == DL__PUNCT && t.bytes < sizeof n->op && !dl__token_is(&t, ")"))
        memcpy(n->op, t.text, t.bytes);
}

/* libclang leaves out the absent parts of a `for`: the condition is what stands between
 * its semicolons. */
static struct dl__node *for_condition(const struct dl__ast *ast, const struct dl__node *n)
{
    struct dl__lexer lexer = dl__lexer_at(ast->text, n->begin, ast->bytes);
    size_t semicolons[2] = {0};
    unsigned depth = 0, found = 0;
    struct dl__token t;

    while (found < 2 && (t = dl__lex_next(&lexer)).kind != DL__END && t.offset < n->end) {
        depth += dl__token_in(&t, "( {");
        depth -= dl__token_in(&t, ") }");
        if (depth == 1 && dl__token_is(&t, ";"))
            semicolons[found++] = t.offset;
    }
    for (size_t i = 0; found == 2 && i < n->child_count; i++)
        if (n->children[i]->begin > semicolons[0] &&
            n->children[i]->begin < semicolons[1])
            return n->children[i];
    return NULL;
}

static bool is_declaration(enum CXCursorKind kind)
{
    return kind == CXCursor_VarDecl || kind == CXCursor_EnumConstantDecl ||
           kind == CXCursor_TypedefDecl;
}

static void read_size(struct dl__ast *ast, CXCursor cursor, struct dl__node *n)
{
    const struct dl__clang *clang = ast->clang;
    CXEvalResult value = clang->Cursor_Evaluate(cursor);

    if (!value)
        return;
    n->is_constant = clang->EvalResult_getKind(value) == CXEval_Int;
    n->constant = n->is_constant ? clang->EvalResult_getAsLongLong(value) : 0;
    clang->EvalResult_dispose(value);
}

static struct dl__node *copy_node(struct dl__ast *ast, CXCursor cursor,
                                  struct dl__node *parent)
{
    const struct dl__clang *clang = ast->clang;
    struct dl__node *n = DL__NEW(ast->arena, struct dl__node);
    enum CXCursorKind cursor_kind = clang->getCursorKind(cursor);
    size_t first;

    n->kind = kind_of(cursor_kind);
    n->parent = parent;
    n->number = n->kind == DL__N_NAME ? ast->name_count++ : 0;
    n->type = clang->getCursorType(cursor);
    read_extent(ast, cursor, &n->begin, &n->end);
    n->declared_at = SIZE_MAX;
    if (n->kind == DL__N_NAME || n->kind == DL__N_MEMBER || n->kind == DL__N_CALL ||
        is_declaration(cursor_kind))
        n->name = ast_take_string(ast, clang->getCursorSpelling(cursor));
    if (is_declaration(cursor_kind))
        n->name_at = n->declared_at =
            ast_offset_of(ast, clang->getCursorLocation(cursor));
    if (n->kind == DL__N_NAME || n->kind == DL__N_CALL) {
        CXCursor named = clang->getCursorReferenced(cursor);
        CXSourceLocation at = ast_declaration(ast, named);

        n->is_constant = clang->getCursorKind(named) == CXCursor_EnumConstantDecl;
        if (n->is_constant)
            n->constant = clang->getEnumConstantDeclValue(named);
        if (clang->Location_isFromMainFile(at))
            n->declared_at = ast_offset_of(ast, at);
    }
    if (n->kind == DL__N_SIZEOF)
        read_size(ast, cursor, n);
    first = ast_push_children(ast, cursor);
    n->children =
        dl__arena_alloc(ast->arena, (ast->stack.count - first) * sizeof *n->children);
    for (size_t i = first, count = ast->stack.count; i < count; i++) {
        CXCursor child = ast->stack.items[i];
        enum CXCursorKind kind = clang->getCursorKind(child);

        if (kind == CXCursor_TypeRef ||
            (kind >= CXCursor_FirstAttr && kind <= CXCursor_LastAttr))
            continue;
        n->children[n->child_count++] = copy_node(ast, child, n);
    }
    ast->stack.count = first;
    if (n->kind == DL__N_UNARY || n->kind == DL__N_BINARY || n->kind == DL__N_COMPOUND)
        read_operator(ast, n);
    if (cursor_kind == CXCursor_ForStmt)
        n->condition = for_condition(ast, n);
    else if (n->kind == DL__N_BRANCH && n->child_count)
        n->condition =
            n->children[cursor_kind == CXCursor_DoStmt ? n->child_count - 1 : 0];
    return n;
}

struct dl__node *dl__ast_body(struct dl__ast *ast, struct dl__function *function)
{
    if (!function->body) {
        ast->name_count = 0;
        function->body = copy_node(ast, function->body_cursor, NULL);
        function->name_count = ast->name_count;
    }
    return function->body;
}

/* The top-level declarations of a text, and which functions of it its kernels reach:
 * found by words alone, before libclang sees the text. Most of a large text is reached by
 * no kernel, and is not read. */

/* Of the declaration that is being read. */
struct head {
    struct dl__token name; /* the last before a list */
    bool is_kernel, is_typedef, is_value, has_list, is_behind_list;
};

static bool is_attribute(const struct dl__token *t)
{
    return dl__token_in(t, "__attribute__ __attribute __declspec");
}

/* A token outside of braces and lists, and the one before it. */
static void items_read_head(struct head *head, const struct dl__token *t,
                            const struct dl__token *before)
{
    head->is_kernel |= dl__is_kernel_word(t);
    head->is_typedef |= dl__token_is(t, "typedef");
    head->is_value |= dl__token_is(t, "=");
    if (dl__token_is(t, "(") && before->kind == DL__NAME && !is_attribute(before) &&
        !dl__is_kernel_word(before))
        head->name = *before;
    head->is_behind_list = dl__token_is(before, ")");
}

static void ast_find_items(struct dl__ast *ast, struct dl__ast_items *out)
{
    struct dl__lexer lexer = dl__lexer_of(&ast->tokens, 0, ast->bytes);
    struct dl__token t, before = {.text = ""};
    bool at_start = true, line_start = true;
    unsigned braces = 0, parens = 0;
    struct head head = {0};
    struct dl__ast_item *item = NULL;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind == DL__NEWLINE) {
            line_start = true;
            continue;
        }
        if (line_start && dl__token_is(&t, "#")) {
            while (t.kind != DL__NEWLINE && t.kind != DL__END)
                t = dl__lex_next(&lexer);
            continue;
        }
        line_start = false;
        if (at_start && !braces) {
            DL__PUSH(ast->arena, out, (struct dl__ast_item){.at = t.offset});
            item = &out->items[out->count - 1];
            head = (struct head){.is_kernel = false};
        }
        at_start = false;
        if (!braces && !parens)
            items_read_head(&head, &t, &before);
        if (dl__token_is(&t, "{") && !braces++ && head.name.bytes && !head.is_value &&
            !head.is_typedef && head.is_behind_list) {
            item->name = head.name;
            item->is_kernel = head.is_kernel;
            item->body_at = t.offset;
        }
        parens += dl__token_is(&t, "(");
        if (dl__token_is(&t, "}") && braces && !--braces) {
            item->body_end = lexer.offset;
            at_start = true;
        }
        head.has_list |= dl__token_is(&t, ")");
        if (dl__token_is(&t, ")") && parens)
            parens--;
        at_start |= dl__token_is(&t, ";") && !braces && !parens;
        if (at_start) {
            item->end = lexer.offset;
            item->is_variable =
                !head.is_typedef &&
                (head.is_value || (dl__token_is(&t, ";") && !head.has_list));
        }
        before = t;
    }
}

/* ---- what kernels reach ---- */

static int compare_names(const struct dl__token *a, const struct dl__token *b)
{
    int order = memcmp(a->text, b->text, a->bytes < b->bytes ? a->bytes : b->bytes);

    return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static int by_name(const void *left, const void *right)
{
    const struct dl__ast_item *const *a = left, *const *b = right;

    return compare_names(&(*a)->name, &(*b)->name);
}

static int name_to_item(const void *name, const void *item)
{
    const struct dl__ast_item *const *i = item;

    return compare_names(name, &(*i)->name);
}

struct reaching {
    struct dl__ast *ast;
    struct dl__ast_item **named; /* functions with a body, by name */
    size_t named_count;
    struct {
        struct dl__ast_item **items;
        size_t count, room;
    } reached;
};

static void reach(struct reaching *r, struct dl__ast_item *item)
{
    if (!item->is_reached)
        DL__PUSH(r->ast->arena, &r->reached, item);
    item->is_reached = true;
}

static void reach_named(struct reaching *r, const struct dl__token *name)
{
    struct dl__ast_item **found = bsearch(name, r->named, r->named_count,
                                          sizeof(struct dl__ast_item *), name_to_item);
    size_t first = found ? (size_t)(found - r->named) : r->named_count;

    while (first && first < r->named_count &&
           !compare_names(&r->named[first - 1]->name, name))
        first--;
    for (size_t i = first; i < r->named_count && !compare_names(&r->named[i]->name, name);
         i++)
        reach(r, r->named[i]);
}

/* Names of text that this transformer has written. */
static bool is_own_name(const struct dl__ast *ast, const struct dl__token *t)
{
    return ast->options->has_own && t->kind == DL__NAME &&
           dl__is_reserved(t->text, t->bytes) &&
           !(ast->options->theirs &&
             dl__macro_find(ast->options->theirs, t->text, t->bytes));
}

static bool has_own_name(const struct dl__ast *ast, size_t at, size_t end)
{
    struct dl__lexer lexer = dl__lexer_of(&ast->tokens, at, end);
    struct dl__token t = {.kind = DL__NEWLINE};

    while (t.kind != DL__END && !is_own_name(ast, &t))
        t = dl__lex_next(&lexer);
    return t.kind != DL__END;
}

static void blank(char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (text[i] != '\n')
            text[i] = ' ';
}

/* Takes what is in the braces of functions that no kernel reaches, by their names, out of
 * what libclang sees: they are as if they did nothing. */
static void ast_leave_out(struct dl__ast *ast, const struct dl__ast_items *items,
                          bool own_alone)
{
    struct reaching r = {.ast = ast,
                         .named = dl__arena_alloc(
                             ast->arena, items->count * sizeof(struct dl__ast_item *))};

    for (size_t i = 0; i < items->count; i++)
        if (items->items[i].body_at)
            r.named[r.named_count++] = &items->items[i];
    qsort(r.named, r.named_count, sizeof(struct dl__ast_item *), by_name);
    for (size_t i = 0; i < r.named_count; i++) {
        struct dl__ast_item *item = r.named[i];

        /* The transformer's own text is read in any case: an error in it is its own. */
        if (is_own_name(ast, &item->name) || (item->is_kernel && !own_alone) ||
            (own_alone && has_own_name(ast, item->at, item->body_end)))
            reach(&r, item);
    }
    for (size_t i = 0; i < r.reached.count && !own_alone; i++) {
        struct dl__lexer lexer = dl__lexer_of(&ast->tokens, r.reached.items[i]->body_at,
                                              r.reached.items[i]->body_end);
        struct dl__token t;

        while ((t = dl__lex_next(&lexer)).kind != DL__END)
            if (t.kind == DL__NAME)
                reach_named(&r, &t);
    }
    for (size_t i = 0; i < r.named_count; i++)
        if (!r.named[i]->is_reached && r.named[i]->body_end)
            blank(ast->seen, r.named[i]->body_at + 1, r.named[i]->body_end - 1);
}

/* ---- A syntax tree of the expanded text, copied out of libclang. ---- */

/* ---- functions and variables that libclang can't read ---- */

/* Drivers take what clang does not: their own built-in functions, qualifiers,
 * conversions. Such a function or variable is kept from it, and then the functions that
 * use it, which it can't read without. */
enum { ROUNDS_MAX = 12 };

/* True of a function or variable that this transformer has written no part of. */
static bool can_go(const struct dl__ast *ast, const struct dl__ast_item *item)
{
    return (item->body_at || item->is_variable) &&
           !has_own_name(ast, item->at, item->end);
}

/* Takes the function or variable around an error out of what libclang sees. False: it is
 * in none. */
static bool take_out(struct dl__ast *ast, const struct dl__ast_items *items, size_t at,
                     const char *error)
{
    const struct dl__ast_item *item = item_at(items, at);
    struct dl__unread unread = {.error_at = at};

    if (!item || at < item->at || at >= item->end || !can_go(ast, item))
        return false;
    for (size_t i = 0; i < ast->unread.count; i++)
        if (ast->unread.items[i].begin == item->at)
            return true;
    unread.begin = item->at;
    unread.end = item->end;
    unread.is_variable = item->is_variable;
    unread.error = error;
    if (item->is_kernel && item->body_at)
        unread.kernel = dl__arena_text(ast->arena, item->name.text, item->name.bytes);
    DL__PUSH(ast->arena, &ast->unread, unread);
    blank(ast->seen, unread.begin, unread.end);
    return true;
}

/* True when the text has errors, all in what was taken out now. Leaves through the arena
 * where one is elsewhere. */
static bool has_errors(struct dl__ast *ast, const struct dl__ast_items *items,
                       bool may_take_out,
                       void (*on_error)(void *user, size_t at, const char *text),
                       void *user)
{
    unsigned count = ast->clang->getNumDiagnostics(ast->unit);
    const char *error;
    bool any = false;

    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic d = ast->clang->getDiagnostic(ast->unit, i);
        bool is_error = ast->clang->getDiagnosticSeverity(d) >= CXDiagnostic_Error;
        size_t at = ast_offset_of(ast, ast->clang->getDiagnosticLocation(d));
        CXString text = ast->clang->getDiagnosticSpelling(d);

        ast->clang->disposeDiagnostic(d);
        any |= is_error;
        if (!is_error) {
            ast->clang->disposeString(text);
            continue;
        }
        error = ast_take_string(ast, text);
        if (may_take_out && take_out(ast, items, at, error))
            continue;
        on_error(user, at, error);
        dl__arena_fail(ast->arena, DL_EPARSE);
    }
    return any;
}

/* True of a variable that holds the same in each program that is built from the text, and
 * no address: a constant number, vector or sampler. */
static bool is_same_anywhere(const struct dl__clang *clang, CXType type)
{
    type = clang->getCanonicalType(type);
    return clang->isConstQualifiedType(type) &&
           ((type.kind >= CXType_FirstBuiltin && type.kind <= CXType_LastBuiltin) ||
            type.kind == CXType_Vector || type.kind == CXType_ExtVector ||
            type.kind == CXType_OCLSampler);
}

/* True when the text has the variable's name in another place, too. */
static bool is_used(struct dl__ast *ast, CXCursor variable)
{
    const char *name = ast_take_string(ast, ast->clang->getCursorSpelling(variable));
    struct dl__lexer lexer = {.text = ast->text, .bytes = ast->bytes};
    struct dl__token t;
    unsigned count = 0;

    while (count < 2 && (t = dl__lex_over_lines(&lexer)).kind != DL__END)
        count += dl__token_is(&t, name);
    return count > 1;
}

void dl__ast_parse(struct dl__ast *ast, struct dl__arena *arena,
                   const struct dl__clang *clang, const char *text, size_t bytes,
                   const struct dl__ast_options *options,
                   void (*on_error)(void *user, size_t at, const char *text), void *user)
{
    struct arguments arguments = {0};
    struct dl__ast_items items = {0};
    size_t first;

    ast->arena = arena;
    ast->clang = clang;
    ast->text = text;
    ast->bytes = bytes;
    ast->options = options;
    add_arguments(arena, options, &arguments);
    DL__PUSH(arena, &arguments, "-w");
    ast->seen = dl__arena_text(arena, text, bytes);
    ast_find_items(ast, &items);
    ast_leave_out(ast, &items, options->own_alone);
    for (unsigned round = 0;; round++) {
        if (!parse(ast, &arguments)) {
            /* For want of memory, maybe. */
            on_error(user, SIZE_MAX, "libclang has failed");
            dl__arena_fail(arena, DL_ELIMIT);
        }
        if (!has_errors(ast, &items, round < ROUNDS_MAX, on_error, user))
            break;
        dl__ast_free(ast);
    }
    if (options->is_check)
        return;
    first = ast_push_children(ast, clang->getTranslationUnitCursor(ast->unit));
    for (size_t i = first, count = ast->stack.count; i < count; i++) {
        CXCursor cursor = ast->stack.items[i];

        if (clang->getCursorKind(cursor) == CXCursor_FunctionDecl &&
            clang->Location_isFromMainFile(clang->getCursorLocation(cursor)))
            ast_add_function(ast, cursor, &items);
        if (clang->getCursorKind(cursor) == CXCursor_VarDecl && !ast->has_variable) {
            CXType type = clang->getCursorType(cursor);

            ast->has_variable = type.kind != CXType_Invalid &&
                                clang->getAddressSpace(type) != DL__CONSTANT &&
                                !is_same_anywhere(clang, type) && is_used(ast, cursor);
            ast->variable_at = ast_offset_of(ast, clang->getCursorLocation(cursor));
        }
    }
    ast->stack.count = first;
    name_functions(ast);
}

void dl__ast_compiler_macros(struct dl__ast *ast, struct dl__arena *arena,
                             const struct dl__clang *clang,
                             const struct dl__ast_options *options,
                             const char *const *names, size_t count, const char **values)
{
    struct dl__buf probe = {.arena = arena};
    struct arguments arguments = {0};
    unsigned diagnostics;

    dl__buf_puts(&probe, "#define DL_TEXT_(...) #__VA_ARGS__\n"
                         "#define DL_TEXT(...) DL_TEXT_(__VA_ARGS__)\n");
    for (size_t i = 0; i < count; i++)
        dl__buf_printf(&probe,
                       "#ifdef %s\n#pragma message \"%zu=\" DL_TEXT(%s)\n#endif\n",
                       names[i], i, names[i]);
    add_arguments(arena, options, &arguments);
    ast->arena = arena;
    ast->clang = clang;
    ast->seen = probe.items;
    ast->bytes = probe.count;
    diagnostics = parse(ast, &arguments) ? clang->getNumDiagnostics(ast->unit) : 0;
    for (unsigned i = 0; i < diagnostics; i++) {
        CXDiagnostic d = clang->getDiagnostic(ast->unit, i);
        char *line = ast_take_string(ast, clang->getDiagnosticSpelling(d));
        char *equals = strchr(line, '=');
        size_t index = strtoul(line, NULL, 10);

        clang->disposeDiagnostic(d);
        if (equals && index < count && !values[index])
            values[index] = equals + 1;
    }
    dl__ast_free(ast);
}
