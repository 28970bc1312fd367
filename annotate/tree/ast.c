/* SPDX-License-Identifier: MIT */
/* A syntax tree of the expanded text, copied out of libclang. */
#include "annotate/tree/ast_copy.h"

#include <string.h>

#include "annotate/text/lex.h"

/* ---- functions and variables that libclang can't read ---- */

/* Drivers take what clang does not: their own built-in functions, qualifiers,
 * conversions. Such a function or variable is kept from it, and then the functions that
 * use it, which it can't read without. */
enum { ROUNDS_MAX = 12 };

/* The end of the function or variable that the item is, and its name if it is a kernel;
 * 0: it is none, or one that this transformer has written a part of, whose errors are its
 * own. */
static size_t item_end(const struct dl__ast *ast, size_t item, struct dl__unread *out)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = ast->bytes, .offset = item};
    struct dl__token t = dl__lex_next(&lexer), name = {0};
    bool behind_list = false, has_list = false, is_kernel = false;
    unsigned braces = 0, parens = 0;

    if (dl__token_is(&t, "typedef"))
        return 0;
    for (; t.kind != DL__END; t = dl__lex_next(&lexer)) {
        if (t.kind == DL__NEWLINE)
            continue;
        if (t.kind == DL__NAME && t.bytes > 3 &&
            (!memcmp(t.text, "dl_", 3) || !memcmp(t.text, "DL_", 3)))
            return 0;
        if (dl__token_is(&t, "{") && !braces && !behind_list && !out->is_variable)
            return 0;
        out->is_variable |= dl__token_is(&t, "=") && !braces && !parens;
        if (dl__token_is(&t, ";") && !braces) {
            out->is_variable |= !has_list;
            return out->is_variable ? lexer.offset : 0;
        }
        is_kernel |= !braces && dl__is_kernel_word(&t);
        parens += dl__token_is(&t, "(");
        parens -= dl__token_is(&t, ")") && parens;
        if (t.kind == DL__NAME && !braces && !parens)
            name = t;
        if (dl__token_is(&t, "(") && parens == 1 && !braces && is_kernel &&
            !out->kernel && name.bytes && !dl__token_is(&name, "__attribute__"))
            out->kernel = dl__arena_text(ast->arena, name.text, name.bytes);
        braces += dl__token_is(&t, "{");
        if (dl__token_is(&t, "}") && braces && !--braces && !out->is_variable)
            return lexer.offset;
        behind_list = dl__token_is(&t, ")");
        has_list |= behind_list;
    }
    return 0;
}

/* Takes the function or variable around an error out of what libclang sees. False: it is
 * in none. */
static bool take_out(struct dl__ast *ast, const struct dl__ast_items *items, size_t at,
                     const char *error)
{
    size_t number = 0, end;
    struct dl__unread unread = {.error_at = at};

    while (number + 1 < items->count && items->items[number + 1].at <= at)
        number++;
    if (!items->count || at == SIZE_MAX || items->items[number].at > at)
        return false;
    unread.begin = items->items[number].at;
    for (size_t i = 0; i < ast->unread.count; i++)
        if (ast->unread.items[i].begin == unread.begin)
            return true;
    end = item_end(ast, unread.begin, &unread);
    if (!end || at >= end)
        return false;
    unread.end = end;
    unread.error = dl__arena_text(ast->arena, error, strlen(error));
    DL__PUSH(ast->arena, &ast->unread, unread);
    for (size_t i = unread.begin; i < end; i++)
        if (ast->seen[i] != '\n')
            ast->seen[i] = ' ';
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
    bool any = false;

    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic d = ast->clang->getDiagnostic(ast->unit, i);
        bool is_error = ast->clang->getDiagnosticSeverity(d) >= CXDiagnostic_Error;

        if (is_error) {
            CXString text = ast->clang->getDiagnosticSpelling(d);
            const char *error = ast->clang->getCString(text);
            size_t at = dl__ast_offset_of(ast, ast->clang->getDiagnosticLocation(d));

            any = true;
            is_error = !may_take_out || !take_out(ast, items, at, error);
            if (is_error)
                on_error(user, at, error);
            ast->clang->disposeString(text);
        }
        ast->clang->disposeDiagnostic(d);
        if (is_error)
            dl__arena_fail(ast->arena, DL_EPARSE);
    }
    return any;
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
    dl__clang_add_arguments(arena, options, &arguments);
    ast->seen = dl__arena_text(arena, text, bytes);
    dl__ast_find_items(ast, &items);
    dl__ast_leave_out(ast, &items);
    for (unsigned round = 0;; round++) {
        if (!dl__clang_parse(ast, &arguments)) {
            /* For want of memory, maybe. */
            on_error(user, SIZE_MAX, "libclang has failed");
            dl__arena_fail(arena, DL_ELIMIT);
        }
        if (!has_errors(ast, &items, round < ROUNDS_MAX, on_error, user))
            break;
        dl__ast_free(ast);
    }
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
