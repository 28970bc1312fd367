/* SPDX-License-Identifier: MIT */
/* What names of file scope stand for: constants, and types with their sizes. */
#include <stdlib.h>
#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/text/number.h"
#include "annotate/tree/ast_copy.h"

static bool is_named(struct dl__ast *ast, CXCursor cursor, const char *name, size_t bytes)
{
    const char *own = dl__ast_take_string(ast, ast->clang->getCursorSpelling(cursor));

    return strlen(own) == bytes && !memcmp(own, name, bytes);
}

/* An integer literal that a variable of 4 bytes or more is set to, with its sign. */
static bool find_initial(struct dl__ast *ast, CXCursor variable, int64_t *out)
{
    const struct dl__clang *clang = ast->clang;
    const struct dl__type *type = dl__ast_type(ast, clang->getCursorType(variable));
    CXSourceRange extent = clang->getCursorExtent(variable);
    size_t at = dl__ast_offset_of(ast, clang->getRangeStart(extent));
    size_t end = dl__ast_offset_of(ast, clang->getRangeEnd(extent));
    bool negative, is_unsigned;
    uint64_t value;

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
    size_t first = dl__ast_push_children(ast, clang->getTranslationUnitCursor(ast->unit));
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
        for (size_t k = dl__ast_push_children(ast, cursor);
             k < ast->stack.count && !found; k++) {
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
    size_t first = dl__ast_push_children(ast, clang->getTranslationUnitCursor(ast->unit));
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
