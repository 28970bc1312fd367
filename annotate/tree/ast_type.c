/* SPDX-License-Identifier: MIT */
/* Types, copied out of libclang. */
#include "annotate/tree/ast_copy.h"

#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/text/limits.h"

static enum CXVisitorResult push_field(CXCursor cursor, CXClientData data)
{
    return dl__ast_push_child(cursor, cursor, data) == CXChildVisit_Break
               ? CXVisit_Break
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
    static const char *const qualifiers[] = {"const",     "volatile",  "restrict",
                                             "__global",  "__local",   "__constant",
                                             "__private", "__generic", "global"};
    char *spelling = dl__ast_take_string(ast, ast->clang->getTypeSpelling(type));
    struct dl__lexer lexer = {.text = spelling, .bytes = strlen(spelling)};
    struct dl__buf out = {.arena = ast->arena};
    struct dl__token t;

    if (strchr(spelling, '('))
        return NULL;
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        bool skip = false;

        for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++)
            skip |= dl__token_is(&t, qualifiers[i]);
        if (skip)
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

        field->name = dl__ast_take_string(ast, ast->clang->getCursorSpelling(cursor));
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

static void make_pointer(struct dl__ast *ast, CXType type, CXType written,
                         struct dl__type *out)
{
    const struct dl__clang *clang = ast->clang;
    CXType pointee = clang->getPointeeType(written);

    if (pointee.kind == CXType_Invalid)
        pointee = clang->getPointeeType(type);
    out->kind = DL__T_POINTER;
    out->element = dl__ast_type(ast, pointee);
    out->address_space = clang->getAddressSpace(clang->getPointeeType(type));
}

struct dl__type *dl__ast_type(struct dl__ast *ast, CXType written)
{
    const struct dl__clang *clang = ast->clang;
    struct dl__type *out = DL__NEW(ast->arena, struct dl__type);
    CXType type;
    long long bytes;

    out->kind = DL__T_OTHER;
    if (written.kind == CXType_Invalid || ast->type_depth >= DL__TYPE_DEPTH_MAX)
        return out;
    ast->type_depth++;
    type = clang->getCanonicalType(written);
    out->is_const = clang->isConstQualifiedType(type);
    out->is_volatile = clang->isVolatileQualifiedType(type);
    out->address_space = clang->getAddressSpace(type);
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
        CXType element = clang->getArrayElementType(written);

        if (element.kind == CXType_Invalid)
            element = clang->getArrayElementType(type);
        out->kind = DL__T_ARRAY;
        out->element = dl__ast_type(ast, element);
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
