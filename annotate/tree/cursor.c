/* SPDX-License-Identifier: MIT */
/* Questions to libclang about one cursor. */
#include "annotate/tree/ast_copy.h"

#include <stdlib.h>
#include <string.h>

char *dl__ast_take_string(struct dl__ast *ast, CXString string)
{
    const char *text = ast->clang->getCString(string);
    char *out = dl__arena_text(ast->arena, text ? text : "", text ? strlen(text) : 0);

    ast->clang->disposeString(string);
    return out;
}

CXSourceLocation dl__ast_declaration(const struct dl__ast *ast, CXCursor cursor)
{
    const struct dl__clang *clang = ast->clang;
    CXSourceLocation at = clang->getCursorLocation(cursor), first;

    if (clang->getCursorKind(cursor) != CXCursor_FunctionDecl)
        return at;
    first = clang->getCursorLocation(clang->getCanonicalCursor(cursor));
    return clang->Location_isFromMainFile(first) ? first : at;
}

/* SIZE_MAX when the place is not in the parsed text. */
size_t dl__ast_offset_of(const struct dl__ast *ast, CXSourceLocation location)
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

/* ---- children ---- */

enum CXChildVisitResult dl__ast_push_child(CXCursor cursor, CXCursor parent,
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
size_t dl__ast_push_children(struct dl__ast *ast, CXCursor cursor)
{
    size_t first = ast->stack.count;

    ast->clang->visitChildren(cursor, dl__ast_push_child, ast);
    if (ast->stack.room == SIZE_MAX)
        dl__arena_fail(ast->arena, DL_ENOMEM);
    return first;
}
