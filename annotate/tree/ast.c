/* SPDX-License-Identifier: MIT */
/* A syntax tree of the expanded text, copied out of libclang. */
#include "annotate/tree/ast_copy.h"

static void report_errors(struct dl__ast *ast,
                          void (*on_error)(void *user, size_t at, const char *text),
                          void *user)
{
    unsigned count = ast->clang->getNumDiagnostics(ast->unit);

    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic d = ast->clang->getDiagnostic(ast->unit, i);
        bool is_error = ast->clang->getDiagnosticSeverity(d) >= CXDiagnostic_Error;

        if (is_error) {
            CXString text = ast->clang->getDiagnosticSpelling(d);
            size_t at = dl__ast_offset_of(ast, ast->clang->getDiagnosticLocation(d));

            on_error(user, at, ast->clang->getCString(text));
            ast->clang->disposeString(text);
        }
        ast->clang->disposeDiagnostic(d);
        if (is_error)
            dl__arena_fail(ast->arena, DL_EPARSE);
    }
}

void dl__ast_parse(struct dl__ast *ast, struct dl__arena *arena,
                   const struct dl__clang *clang, const char *text, size_t bytes,
                   const struct dl__ast_options *options,
                   void (*on_error)(void *user, size_t at, const char *text), void *user)
{
    struct dl__clang_arguments arguments = {0};
    struct dl__ast_items items = {0};
    size_t first;

    ast->arena = arena;
    ast->clang = clang;
    ast->text = text;
    ast->bytes = bytes;
    dl__clang_add_arguments(arena, clang, options, &arguments);
    if (!dl__clang_parse(ast, &arguments)) {
        /* For want of memory, maybe. */
        on_error(user, SIZE_MAX, "libclang has failed");
        dl__arena_fail(arena, DL_ELIMIT);
    }
    report_errors(ast, on_error, user);
    dl__ast_find_items(ast, &items);
    first = dl__ast_push_children(ast, clang->getTranslationUnitCursor(ast->unit));
    for (size_t i = first, count = ast->stack.count; i < count; i++) {
        CXCursor cursor = ast->stack.items[i];

        if (clang->getCursorKind(cursor) == CXCursor_FunctionDecl &&
            clang->Location_isFromMainFile(clang->getCursorLocation(cursor)))
            dl__ast_add_function(ast, cursor, &items);
        if (clang->getCursorKind(cursor) == CXCursor_VarDecl && !ast->has_variable) {
            CXType type = clang->getCursorType(cursor);

            ast->has_variable = type.kind != CXType_Invalid &&
                                clang->getAddressSpace(type) != DL__CONSTANT;
            ast->variable_at = dl__ast_offset_of(ast, clang->getCursorLocation(cursor));
        }
    }
    ast->stack.count = first;
}
