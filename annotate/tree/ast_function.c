/* SPDX-License-Identifier: MIT */
/* The functions of a text: where their heads, parameters and bodies stand. */
#include "annotate/tree/ast_copy.h"

#include <string.h>

#include "annotate/text/lex.h"

static void read_head(struct dl__ast *ast, struct dl__function *f,
                      const struct dl__ast_items *items)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = ast->bytes};
    unsigned depth = 0;
    struct dl__token t;
    size_t low = 0, high = items->count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (items->items[middle].at <= f->name_at)
            low = middle;
        else
            high = middle;
    }
    f->item_at = items->count ? items->items[low].at : f->name_at;
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
    struct dl__lexer lexer = {.text = ast->text, .bytes = end, .offset = at};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (dl__token_is(&t, "__global") || dl__token_is(&t, "global"))
            return DL__GLOBAL;
        if (dl__token_is(&t, "__constant") || dl__token_is(&t, "constant"))
            return DL__CONSTANT;
    }
    return 0;
}

/* A parameter declared as an array is a pointer. */
static const struct dl__type *parameter_type(struct dl__ast *ast, CXType written,
                                             size_t at, size_t end)
{
    const struct dl__clang *clang = ast->clang;
    CXType type = clang->getCanonicalType(written);
    struct dl__type *out;
    CXType element;

    if (type.kind != CXType_ConstantArray && type.kind != CXType_IncompleteArray)
        return dl__ast_type(ast, written);
    element = clang->getArrayElementType(written);
    if (element.kind == CXType_Invalid)
        element = clang->getArrayElementType(type);
    out = DL__NEW(ast->arena, struct dl__type);
    out->kind = DL__T_POINTER;
    out->bytes = 8;
    out->element = dl__ast_type(ast, element);
    /* libclang hides the address space of such a parameter's elements. */
    out->address_space = address_space_written(ast, at, end);
    return out;
}

void dl__ast_add_function(struct dl__ast *ast, CXCursor cursor,
                          const struct dl__ast_items *items)
{
    const struct dl__clang *clang = ast->clang;
    struct dl__function f = {0};
    size_t first;

    f.name = dl__ast_take_string(ast, clang->getCursorSpelling(cursor));
    f.name_at = dl__ast_offset_of(ast, clang->getCursorLocation(cursor));
    f.declared_at = dl__ast_offset_of(ast, dl__ast_declaration(ast, cursor));
    f.result = dl__ast_type(ast, clang->getCursorResultType(cursor));
    read_head(ast, &f, items);
    first = dl__ast_push_children(ast, cursor);
    f.parameters =
        dl__arena_alloc(ast->arena, (ast->stack.count - first) * sizeof *f.parameters);
    for (size_t i = first, count = ast->stack.count; i < count; i++) {
        CXCursor child = ast->stack.items[i];
        enum CXCursorKind kind = clang->getCursorKind(child);
        CXSourceRange extent = clang->getCursorExtent(child);

        if (kind == CXCursor_ParmDecl) {
            struct dl__parameter *p = &f.parameters[f.parameter_count++];

            p->name = dl__ast_take_string(ast, clang->getCursorSpelling(child));
            p->name_at = dl__ast_offset_of(ast, clang->getCursorLocation(child));
            p->begin = dl__ast_offset_of(ast, clang->getRangeStart(extent));
            p->end = dl__ast_offset_of(ast, clang->getRangeEnd(extent));
            p->type = parameter_type(ast, clang->getCursorType(child), p->begin, p->end);
        } else if (kind == CXCursor_CompoundStmt) {
            f.is_defined = true;
            f.body_cursor = child;
            f.body_at = dl__ast_offset_of(ast, clang->getRangeStart(extent));
            f.body_end = dl__ast_offset_of(ast, clang->getRangeEnd(extent));
        }
    }
    ast->stack.count = first;
    DL__PUSH(ast->arena, &ast->functions, f);
}

struct dl__function *dl__ast_callee(struct dl__ast *ast, const struct dl__node *call)
{
    struct dl__function *found = NULL;

    for (size_t i = 0; i < ast->functions.count && call->declared_at != SIZE_MAX; i++) {
        struct dl__function *f = &ast->functions.items[i];

        if (f->declared_at == call->declared_at && (!found || f->is_defined))
            found = f;
    }
    return found;
}

bool dl__ast_declares(const struct dl__ast *ast, const char *name)
{
    for (size_t i = 0; i < ast->functions.count; i++)
        if (!strcmp(ast->functions.items[i].name, name))
            return true;
    return false;
}

struct dl__function *dl__ast_kernel_named(struct dl__ast *ast, const char *name)
{
    for (size_t i = 0; i < ast->functions.count; i++) {
        struct dl__function *f = &ast->functions.items[i];

        if (f->is_kernel && f->is_defined && !strcmp(f->name, name))
            return f;
    }
    return NULL;
}

bool dl__ast_is_overtaken(const struct dl__ast *ast, const char *name, size_t declared_at,
                          size_t from)
{
    for (size_t i = 0; i < ast->functions.count; i++) {
        const struct dl__function *f = &ast->functions.items[i];

        if (f->declared_at != declared_at && f->declared_at > from &&
            !strcmp(f->name, name))
            return true;
    }
    return false;
}

bool dl__ast_is_overloaded(const struct dl__ast *ast, const struct dl__node *call)
{
    for (size_t i = 0; i < ast->functions.count; i++)
        if (ast->functions.items[i].declared_at != call->declared_at &&
            !strcmp(ast->functions.items[i].name, call->name))
            return true;
    return false;
}
