/* SPDX-License-Identifier: MIT */
/* libclang, loaded at run time and kept: a table of its functions, never linked. */
#ifndef DL_ANNOTATE_CLANG_H
#define DL_ANNOTATE_CLANG_H

#include <clang-c/Index.h>

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
    X(isCursorDefinition)                                                                \
    X(equalCursors)                                                                      \
    X(Cursor_isNull)                                                                     \
    X(Cursor_isBitField)                                                                 \
    X(Cursor_isAnonymous)                                                                \
    X(getCanonicalType)                                                                  \
    X(getPointeeType)                                                                    \
    X(getTypeSpelling)                                                                   \
    X(getTypeDeclaration)                                                                \
    X(getAddressSpace)                                                                   \
    X(isConstQualifiedType)                                                              \
    X(isVolatileQualifiedType)                                                           \
    X(Type_getSizeOf)                                                                    \
    X(Type_getAlignOf)                                                                   \
    X(Type_visitFields)                                                                  \
    X(Cursor_getOffsetOfField)                                                           \
    X(getArrayElementType)                                                               \
    X(getArraySize)                                                                      \
    X(getElementType)                                                                    \
    X(getNumElements)                                                                    \
    X(getEnumConstantDeclValue)

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

#endif
