/* SPDX-License-Identifier: MIT */
/* The body of a function, copied out of libclang node by node. */
#include "annotate/tree/ast_copy.h"

#include <string.h>

#include "annotate/text/lex.h"

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

static bool is_declaration(enum CXCursorKind kind)
{
    return kind == CXCursor_VarDecl || kind == CXCursor_EnumConstantDecl ||
           kind == CXCursor_TypedefDecl;
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
    if (n->kind == DL__N_NAME || n->kind == DL__N_MEMBER || n->kind == DL__N_CALL ||
        is_declaration(cursor_kind))
        n->name = dl__ast_take_string(ast, clang->getCursorSpelling(cursor));
    if (is_declaration(cursor_kind))
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
