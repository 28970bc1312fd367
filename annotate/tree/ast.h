/* SPDX-License-Identifier: MIT */
/* A syntax tree of the expanded text, copied out of libclang once so that nothing after
 * it depends on libclang's version. Offsets are into the expanded text. */
#ifndef DL_ANNOTATE_AST_H
#define DL_ANNOTATE_AST_H

#include <clang-c/Index.h>

#include "annotate/base/arena.h"
#include "annotate/notes.h"
#include "annotate/text/build_options.h"
#include "annotate/text/lex.h"
#include "dl_status.h"

#define DL__CLANG_MAP(X)                                                                 \
    X(toggleCrashRecovery)                                                               \
    X(createIndex)                                                                       \
    X(disposeIndex)                                                                      \
    X(parseTranslationUnit2)                                                             \
    X(disposeTranslationUnit)                                                            \
    X(getTranslationUnitCursor)                                                          \
    X(getNumDiagnostics)                                                                 \
    X(getDiagnostic)                                                                     \
    X(disposeDiagnostic)                                                                 \
    X(getDiagnosticSeverity)                                                             \
    X(getDiagnosticSpelling)                                                             \
    X(getDiagnosticLocation)                                                             \
    X(getCString)                                                                        \
    X(disposeString)                                                                     \
    X(getClangVersion)                                                                   \
    X(visitChildren)                                                                     \
    X(getCursorKind)                                                                     \
    X(getCursorSpelling)                                                                 \
    X(getCursorLocation)                                                                 \
    X(getCursorExtent)                                                                   \
    X(getCursorReferenced)                                                               \
    X(getCanonicalCursor)                                                                \
    X(getCursorType)                                                                     \
    X(getCursorResultType)                                                               \
    X(getRangeStart)                                                                     \
    X(getRangeEnd)                                                                       \
    X(getFileLocation)                                                                   \
    X(Location_isFromMainFile)                                                           \
    X(equalCursors)                                                                      \
    X(Cursor_isBitField)                                                                 \
    X(getCanonicalType)                                                                  \
    X(getPointeeType)                                                                    \
    X(getTypeSpelling)                                                                   \
    X(getTypeDeclaration)                                                                \
    X(getAddressSpace)                                                                   \
    X(isConstQualifiedType)                                                              \
    X(isVolatileQualifiedType)                                                           \
    X(Type_getSizeOf)                                                                    \
    X(Type_visitFields)                                                                  \
    X(Cursor_getOffsetOfField)                                                           \
    X(getArrayElementType)                                                               \
    X(getArraySize)                                                                      \
    X(getElementType)                                                                    \
    X(getNumElements)                                                                    \
    X(getEnumConstantDeclValue)                                                          \
    X(Cursor_Evaluate)                                                                   \
    X(EvalResult_getKind)                                                                \
    X(EvalResult_getAsLongLong)                                                          \
    X(EvalResult_dispose)

struct dl__clang {
#define X(name) __typeof__(&clang_##name) name;
    DL__CLANG_MAP(X)
#undef X
    char *path;       /* as loaded, for logs */
    unsigned version; /* 14..; 0 when unknown */
};

/* Loads `path`, or the newest of versions 22 to 14 when NULL; "none" finds none. Loaded
 * once a process and never unloaded; the table is shared.
 *   errors  DL_ENOLIB: *reason then points to a static clause; DL_ENOMEM
 *   threads safe */
enum dl_status dl__clang_load(const char *path, const struct dl__clang **out,
                              const char **reason);

/* Address spaces, by libclang's numbers. */
enum { DL__GLOBAL = 1, DL__LOCAL = 2, DL__CONSTANT = 3 };
/* Added to the space of a buffer whose accesses are volatile. */
enum { DL__VOLATILE = 16 };

enum dl__type_kind {
    DL__T_SCALAR,
    DL__T_VECTOR,
    DL__T_STRUCT, /* or union */
    DL__T_ARRAY,
    DL__T_POINTER,
    DL__T_OTHER
};

struct dl__field {
    const char *name;
    uint32_t offset_bytes;
    const struct dl__type *type;
};

struct dl__type {
    enum dl__type_kind kind;
    uint32_t bytes; /* 0 for DL__T_OTHER */
    /* as source text, without qualifiers; NULL when it can't be written */
    const char *name;
    char scalar; /* of a scalar: 'i' signed, 'u' unsigned, 'f' floating, 'b' bool */
    bool is_const, is_volatile;
    bool is_void;   /* of DL__T_OTHER */
    bool is_shared; /* of a pointer: it is in local memory itself */
    /* Of a pointer: what it points to. Of an array or vector: its elements. */
    const struct dl__type *element;
    uint64_t count;         /* of an array or vector */
    unsigned address_space; /* of what a pointer points to; of others, their own */
    /* Of a struct; `identity` tells two struct types apart, qualifiers left out. */
    const struct dl__struct *identity;
};

struct dl__struct {
    CXCursor declaration;
    const char *name; /* as dl__type.name */
    const char *tag;  /* for generated names; NULL: from `name` */
    uint32_t bytes;
    struct dl__field *fields;
    size_t field_count;
    bool is_union;
    bool has_bit_field;
    struct dl__struct *next;
};

enum dl__node_kind {
    DL__N_OTHER,
    DL__N_NAME,      /* a reference to a variable or function */
    DL__N_SUBSCRIPT, /* two children */
    DL__N_MEMBER,    /* one child; `.` or `->` by the child's type */
    DL__N_UNARY,     /* one child, prefix or postfix */
    DL__N_BINARY,    /* two children; `=` too */
    DL__N_COMPOUND,  /* `+=` and its like */
    DL__N_CONDITIONAL,
    DL__N_PAREN,
    DL__N_CAST,
    DL__N_IMPLICIT, /* one child: an implicit conversion, or one of libclang's unnamed */
    DL__N_CALL,     /* the callee, then the arguments */
    DL__N_SIZEOF,
    DL__N_DECL_STATEMENT,
    DL__N_VARIABLE, /* with its initialiser, if any, as last child */
    DL__N_RETURN,
    DL__N_VALUE_BLOCK, /* ({ ... }) */
    DL__N_STATEMENT,   /* a block, a label or a case: its children are statements */
    DL__N_BRANCH       /* if, while, do, for, switch */
};

struct dl__node {
    enum dl__node_kind kind;
    size_t begin, end;
    CXType type;
    const struct dl__type *known_type; /* NULL until dl__type_of */
    const char *name;   /* of a name, member, variable, callee, enumerator or typedef */
    size_t name_at;     /* of what is declared: where its name stands */
    size_t declared_at; /* of a name or call: where what it names is declared, a function
                         * for the first time; SIZE_MAX: not here */
    char op[4];         /* "" when it could not be read */
    bool postfix;
    bool is_constant; /* of a name: an enumerator; of a size: it is known */
    int64_t constant;
    struct dl__node *condition; /* of a branch; NULL when there is none */
    struct dl__node **children;
    size_t child_count;
    struct dl__node *parent;
    size_t number; /* of a name: among those of its body */
};

struct dl__parameter {
    const char *name; /* "" when it has none */
    size_t name_at, begin, end;
    const struct dl__type *type;
};

struct dl__function {
    const char *name;
    size_t name_at;
    size_t declared_at;       /* where its first declaration has its name */
    size_t item_at;           /* of the first token of its definition */
    size_t open_at, close_at; /* the parentheses of its parameter list */
    size_t body_at, body_end;
    bool is_kernel;
    bool is_defined;
    bool is_static;
    struct dl__parameter *parameters;
    size_t parameter_count;
    CXCursor body_cursor;
    struct dl__node *body; /* NULL until dl__ast_body */
    size_t name_count;     /* in it */
    const struct dl__type *result;
    bool is_searched, does_more, draws; /* see program/bind.c */
    bool is_traced;                     /* see track/place.h */
    uint64_t returned_parameters; /* that a returned pointer comes from, by bits; 0: not
                                     known */
    struct dl__function *next_named; /* behind it in the text */
};

/* A function or variable that libclang can't read. */
struct dl__unread {
    size_t begin, end, error_at;
    const char *error;  /* the first in it */
    const char *kernel; /* its name; NULL: it is no kernel */
    bool is_variable;
};

struct dl__ast {
    struct dl__arena *arena;
    const struct dl__clang *clang;
    CXIndex index;
    CXTranslationUnit unit;
    const char *text;
    size_t bytes;
    const struct dl__ast_options *options;
    struct dl__tokens tokens; /* of the text */
    char
        *seen; /* the text, without what no kernel reaches and what libclang can't read */
    struct {
        struct dl__unread *items;
        size_t count, room;
    } unread; /* what it can't, and functions that use that: none of `functions` */
    struct {
        struct dl__function *items;
        size_t count, room;
    } functions;                 /* definitions and declarations in this text, in order */
    struct dl__function **named; /* the first of each name, by their names */
    size_t named_count;
    struct dl__struct *structs;
    unsigned type_depth; /* of the type being copied */
    size_t name_count;   /* in the body being copied */
    bool has_variable;   /* of program scope, that kernels can change */
    size_t variable_at;
    struct { /* where calls may leave children when an allocation fails */
        CXCursor *items;
        size_t count, room;
    } stack;
};

/* Tells the parse what the device's compiler sees. */
struct dl__ast_options {
    const char *cl_std;               /* NULL: CL1.2 */
    const char *device_extensions;    /* NULL: all */
    const char *const *device_macros; /* "-DNAME=VALUE", and options that define some */
    size_t device_macro_count;
    bool is_check;  /* only errors are asked for: there is no tree then */
    bool own_alone; /* without what is in functions that hold no name of the
                       transformer's: they have been read before */
    bool has_own;   /* the transformer has written some of the text */
    const struct dl__macros
        *theirs; /* as a set: names like its own that are not; or NULL */
};

/* Adds to `out` what the device's compiler defines besides what libclang does: the
 * device's own macros, its extensions, the version of OpenCL, and the program's options.
 */
void dl__ast_tell_macros(struct dl__arena *arena,
                         const struct dl_annotate_options *options,
                         const struct dl__build_options *build,
                         struct dl__ast_options *out);

/* Parses `text`. The ast must be zeroed but for the text's tokens, and is to be freed on
 * any outcome. Leaves through the arena (DL_EPARSE) when the text has errors elsewhere
 * than in functions and variables; `on_error` then was called once. */
void dl__ast_parse(struct dl__ast *ast, struct dl__arena *arena,
                   const struct dl__clang *clang, const char *text, size_t bytes,
                   const struct dl__ast_options *options,
                   void (*on_error)(void *user, size_t at, const char *text), void *user);
void dl__ast_free(struct dl__ast *ast);

static inline struct dl__lexer dl__ast_body_tokens(const struct dl__ast *ast,
                                                   const struct dl__function *function)
{
    return dl__lexer_of(&ast->tokens, function->body_at, function->body_end);
}

/* The function's body, copied at the first call. */
struct dl__node *dl__ast_body(struct dl__ast *ast, struct dl__function *function);
struct dl__type *dl__ast_type(struct dl__ast *ast, CXType type);
/* The function that a call names, by its declaration, since several may have one name:
 * its definition where there is one. NULL when it is not a function of this text. */
struct dl__function *dl__ast_callee(struct dl__ast *ast, const struct dl__node *call);
/* The functions that one may call, itself the first, each once: by their names, too many
 * rather than too few. */
struct dl__reachable {
    struct dl__function **items;
    size_t count, room;
    bool lacks_one; /* one has no body in this text */
};

struct dl__reachable dl__ast_reachable(struct dl__ast *ast, struct dl__function *f);
/* The next function of this name behind another; NULL for `before`: the first. NULL:
 * there is none. */
struct dl__function *dl__ast_named(const struct dl__ast *ast, const char *name,
                                   const struct dl__function *before);
/* The kernel of this name that has a body; NULL: none. */
static inline struct dl__function *dl__ast_kernel_named(const struct dl__ast *ast,
                                                        const char *name)
{
    struct dl__function *f = NULL;

    while ((f = dl__ast_named(ast, name, f)) != NULL && !(f->is_kernel && f->is_defined))
        ;
    return f;
}

/* The value of an enumerator or constant of file scope; false: there is none, or its
 * value is not a literal. */
bool dl__ast_constant_named(struct dl__ast *ast, const char *name, size_t bytes,
                            int64_t *out);
/* The size of a type by its name or, with is_tag, its tag; 0: there is none. */
uint64_t dl__ast_bytes_of(struct dl__ast *ast, const char *name, size_t bytes,
                          bool is_tag);

/* The values of the compiler's macros, as in struct dl__preprocess_input. The ast, zeroed
 * before and after, is to be freed if this leaves through the arena. */
void dl__ast_compiler_macros(struct dl__ast *ast, struct dl__arena *arena,
                             const struct dl__clang *clang,
                             const struct dl__ast_options *options,
                             const char *const *names, size_t count, const char **values);

#endif
