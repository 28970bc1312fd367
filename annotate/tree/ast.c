/* A syntax tree of the expanded text, copied out of libclang. */
#include "annotate/tree/ast_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/text/lex.h"

size_t dl__text_skip(const char *text, size_t bytes, size_t at)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes, .offset = at};
    struct dl__token t;

    do
        t = dl__lex_next(&lexer);
    while (t.kind == DL__NEWLINE);
    return t.offset;
}

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

/* ---- nodes ---- */

static enum dl__node_kind kind_of(enum CXCursorKind kind)
{
    switch (kind) {
    case CXCursor_DeclRefExpr:
        return DL__N_NAME;
    case CXCursor_ArraySubscriptExpr:
        return DL__N_SUBSCRIPT;
    case CXCursor_MemberRefExpr:
        return DL__N_MEMBER;
    case CXCursor_UnaryOperator:
        return DL__N_UNARY;
    case CXCursor_BinaryOperator:
        return DL__N_BINARY;
    case CXCursor_CompoundAssignOperator:
        return DL__N_COMPOUND;
    case CXCursor_ConditionalOperator:
        return DL__N_CONDITIONAL;
    case CXCursor_ParenExpr:
        return DL__N_PAREN;
    case CXCursor_CStyleCastExpr:
        return DL__N_CAST;
    case CXCursor_UnexposedExpr:
        return DL__N_IMPLICIT;
    case CXCursor_CallExpr:
        return DL__N_CALL;
    case CXCursor_UnaryExpr:
        return DL__N_SIZEOF;
    case CXCursor_DeclStmt:
        return DL__N_DECL_STATEMENT;
    case CXCursor_VarDecl:
        return DL__N_VARIABLE;
    case CXCursor_StmtExpr:
        return DL__N_VALUE_BLOCK;
    case CXCursor_ReturnStmt:
        return DL__N_RETURN;
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_ForStmt:
    case CXCursor_SwitchStmt:
        return DL__N_BRANCH;
    case CXCursor_CompoundStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
        return DL__N_STATEMENT;
    default:
        return DL__N_OTHER;
    }
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
    do
        t = dl__lex_next(&lexer);
    while (t.kind == DL__NEWLINE);
    if (t.kind == DL__PUNCT && t.bytes < sizeof n->op && !dl__token_is(&t, ")"))
        memcpy(n->op, t.text, t.bytes);
}

/* libclang leaves out the absent parts of a `for`: the condition is what stands between
 * its semicolons. */
static struct dl__node *for_condition(const struct dl__ast *ast, const struct dl__node *n)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = ast->bytes, .offset = n->begin};
    size_t semicolons[2] = {0};
    unsigned depth = 0, found = 0;
    struct dl__token t;

    while (found < 2 && (t = dl__lex_next(&lexer)).kind != DL__END && t.offset < n->end) {
        depth += dl__token_is(&t, "(") || dl__token_is(&t, "{");
        depth -= dl__token_is(&t, ")") || dl__token_is(&t, "}");
        if (depth == 1 && dl__token_is(&t, ";"))
            semicolons[found++] = t.offset;
    }
    for (size_t i = 0; found == 2 && i < n->child_count; i++)
        if (n->children[i]->begin > semicolons[0] &&
            n->children[i]->begin < semicolons[1])
            return n->children[i];
    return NULL;
}

static struct dl__node *copy_node(struct dl__ast *ast, CXCursor cursor,
                                  struct dl__node *parent)
{
    const struct dl__clang *clang = ast->clang;
    CXSourceRange extent = clang->getCursorExtent(cursor);
    struct dl__node *n = DL__NEW(ast->arena, struct dl__node);
    enum CXCursorKind cursor_kind = clang->getCursorKind(cursor);
    size_t first;

    n->kind = kind_of(cursor_kind);
    n->parent = parent;
    n->type = clang->getCursorType(cursor);
    n->begin = dl__ast_offset_of(ast, clang->getRangeStart(extent));
    n->end = dl__ast_offset_of(ast, clang->getRangeEnd(extent));
    n->declared_at = SIZE_MAX;
    if (n->kind == DL__N_NAME || n->kind == DL__N_MEMBER || n->kind == DL__N_VARIABLE ||
        n->kind == DL__N_CALL)
        n->name = dl__ast_take_string(ast, clang->getCursorSpelling(cursor));
    if (n->kind == DL__N_VARIABLE)
        n->name_at = n->declared_at =
            dl__ast_offset_of(ast, clang->getCursorLocation(cursor));
    if (n->kind == DL__N_NAME || n->kind == DL__N_CALL) {
        CXCursor named = clang->getCursorReferenced(cursor);
        CXSourceLocation at;

        at = dl__ast_declaration(ast, named);

        if (clang->getCursorKind(named) == CXCursor_EnumConstantDecl) {
            n->is_constant = true;
            n->constant = clang->getEnumConstantDeclValue(named);
        }

        if (clang->Location_isFromMainFile(at))
            n->declared_at = dl__ast_offset_of(ast, at);
    }
    first = dl__ast_push_children(ast, cursor);
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
    if (!function->body)
        function->body = copy_node(ast, function->body_cursor, NULL);
    return function->body;
}

/* ---- parsing ---- */

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
