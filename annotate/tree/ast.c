/* SPDX-License-Identifier: MIT */
/* The syntax tree, copied out of libclang. */
#include "annotate/tree/ast.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/text/limits.h"
#include "annotate/tree/parse.h"

/* A top-level declaration: it begins at the first token after a `;` or `}` outside
 * braces. */
struct dl__ast_item {
    size_t at;
    struct dl__token name;    /* of a function with a body */
    size_t body_at, body_end; /* its braces; 0: none */
    bool is_kernel, is_reached;
};

struct dl__ast_items {
    struct dl__ast_item *items;
    size_t count, room;
};

/* The string in the arena; libclang's own goes. */
static char *ast_take_string(struct dl__ast *ast, CXString string)
{
    const char *text = ast->clang->getCString(string);
    char *out = dl__arena_text(ast->arena, text ? text : "", text ? strlen(text) : 0);

    ast->clang->disposeString(string);
    return out;
}

/* Where a function is declared for the first time; a builtin that the text declares anew
 * counts as the text's. */
static CXSourceLocation ast_declaration(const struct dl__ast *ast, CXCursor cursor)
{
    const struct dl__clang *clang = ast->clang;
    CXSourceLocation at = clang->getCursorLocation(cursor), first;

    if (clang->getCursorKind(cursor) != CXCursor_FunctionDecl)
        return at;
    first = clang->getCursorLocation(clang->getCanonicalCursor(cursor));
    return clang->Location_isFromMainFile(first) ? first : at;
}

/* SIZE_MAX when the place is not in the parsed text. */
static size_t ast_offset_of(const struct dl__ast *ast, CXSourceLocation location)
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

/* A visitor that puts the cursor on the tree's stack. `data` is the tree. */
static enum CXChildVisitResult ast_push_child(CXCursor cursor, CXCursor parent,
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
static size_t ast_push_children(struct dl__ast *ast, CXCursor cursor)
{
    size_t first = ast->stack.count;

    ast->clang->visitChildren(cursor, ast_push_child, ast);
    if (ast->stack.room == SIZE_MAX)
        dl__arena_fail(ast->arena, DL_ENOMEM);
    return first;
}

/* ---- What names of file scope stand for: constants, and types with their sizes. ---- */

static bool is_named(struct dl__ast *ast, CXCursor cursor, const char *name, size_t bytes)
{
    const char *own = ast_take_string(ast, ast->clang->getCursorSpelling(cursor));

    return strlen(own) == bytes && !memcmp(own, name, bytes);
}

/* An integer literal that a variable of 4 bytes or more is set to, with its sign. */
static bool find_initial(struct dl__ast *ast, CXCursor variable, int64_t *out)
{
    const struct dl__clang *clang = ast->clang;
    const struct dl__type *type = dl__ast_type(ast, clang->getCursorType(variable));
    CXSourceRange extent = clang->getCursorExtent(variable);
    size_t at = ast_offset_of(ast, clang->getRangeStart(extent));
    size_t end = ast_offset_of(ast, clang->getRangeEnd(extent));
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
    size_t first = ast_push_children(ast, clang->getTranslationUnitCursor(ast->unit));
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
        for (size_t k = ast_push_children(ast, cursor); k < ast->stack.count && !found;
             k++) {
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
    size_t first = ast_push_children(ast, clang->getTranslationUnitCursor(ast->unit));
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

/* ---- Types, copied out of libclang. ---- */

static enum CXVisitorResult push_field(CXCursor cursor, CXClientData data)
{
    return ast_push_child(cursor, cursor, data) == CXChildVisit_Break ? CXVisit_Break
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
    static const char qualifiers[] =
        "const volatile restrict __global __local __constant __private __generic global";
    char *spelling = ast_take_string(ast, ast->clang->getTypeSpelling(type));
    struct dl__lexer lexer = {.text = spelling, .bytes = strlen(spelling)};
    struct dl__buf out = {.arena = ast->arena};
    struct dl__token t;

    if (strchr(spelling, '('))
        return NULL;
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (dl__is_in(qualifiers, t.text, t.bytes))
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

        field->name = ast_take_string(ast, ast->clang->getCursorSpelling(cursor));
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

/* ---- The functions of a text: where their heads, parameters and bodies stand. ---- */

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
        if (dl__token_in(&t, "__global global"))
            return DL__GLOBAL;
        if (dl__token_in(&t, "__constant constant"))
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

static void ast_add_function(struct dl__ast *ast, CXCursor cursor,
                             const struct dl__ast_items *items)
{
    const struct dl__clang *clang = ast->clang;
    struct dl__function f = {0};
    size_t first;

    f.name = ast_take_string(ast, clang->getCursorSpelling(cursor));
    f.name_at = ast_offset_of(ast, clang->getCursorLocation(cursor));
    f.declared_at = ast_offset_of(ast, ast_declaration(ast, cursor));
    f.result = dl__ast_type(ast, clang->getCursorResultType(cursor));
    read_head(ast, &f, items);
    first = ast_push_children(ast, cursor);
    f.parameters =
        dl__arena_alloc(ast->arena, (ast->stack.count - first) * sizeof *f.parameters);
    for (size_t i = first, count = ast->stack.count; i < count; i++) {
        CXCursor child = ast->stack.items[i];
        enum CXCursorKind kind = clang->getCursorKind(child);
        CXSourceRange extent = clang->getCursorExtent(child);

        if (kind == CXCursor_ParmDecl) {
            struct dl__parameter *p = &f.parameters[f.parameter_count++];

            p->name = ast_take_string(ast, clang->getCursorSpelling(child));
            p->name_at = ast_offset_of(ast, clang->getCursorLocation(child));
            p->begin = ast_offset_of(ast, clang->getRangeStart(extent));
            p->end = ast_offset_of(ast, clang->getRangeEnd(extent));
            p->type = parameter_type(ast, clang->getCursorType(child), p->begin, p->end);
        } else if (kind == CXCursor_CompoundStmt) {
            f.is_defined = true;
            f.body_cursor = child;
            f.body_at = ast_offset_of(ast, clang->getRangeStart(extent));
            f.body_end = ast_offset_of(ast, clang->getRangeEnd(extent));
        }
    }
    ast->stack.count = first;
    DL__PUSH(ast->arena, &ast->functions, f);
}

struct dl__function *dl__ast_callee(struct dl__ast *ast, const struct dl__node *call)
{
    struct dl__function *found = NULL, *all = ast->functions.items;
    size_t low = 0, high = ast->functions.count;

    /* In the order of the text: none before its first declaration. */
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (all[middle].name_at < call->declared_at)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < ast->functions.count && !(found && found->is_defined); i++)
        if (all[i].declared_at == call->declared_at && (!found || all[i].is_defined))
            found = &all[i];
    return found;
}

/* Adds all that have the name. */
static void add_reachable(struct dl__ast *ast, struct dl__reachable *out,
                          const struct dl__token *name)
{
    bool declared = false, defined = false;

    for (size_t i = 0; i < ast->functions.count; i++) {
        struct dl__function *f = &ast->functions.items[i];
        size_t known = 0;

        if (*f->name != *name->text || !dl__token_is(name, f->name))
            continue;
        declared = true;
        defined |= f->is_defined;
        while (known < out->count && out->items[known] != f)
            known++;
        if (f->is_defined && known == out->count)
            DL__PUSH(ast->arena, out, f);
    }
    out->lacks_one |= declared && !defined;
}

struct dl__reachable dl__ast_reachable(struct dl__ast *ast, struct dl__function *f)
{
    struct dl__reachable out = {0};

    DL__PUSH(ast->arena, &out, f);
    for (size_t i = 0; i < out.count; i++) {
        struct dl__lexer lexer = dl__ast_body_tokens(ast, out.items[i]);
        struct dl__token t;

        while ((t = dl__lex_next(&lexer)).kind != DL__END)
            if (t.kind == DL__NAME)
                add_reachable(ast, &out, &t);
    }
    return out;
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

/* ---- The body of a function, copied out of libclang node by node. ---- */

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
    t = dl__lex_over_lines(&lexer);
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
        depth += dl__token_in(&t, "( {");
        depth -= dl__token_in(&t, ") }");
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

static void read_size(struct dl__ast *ast, CXCursor cursor, struct dl__node *n)
{
    const struct dl__clang *clang = ast->clang;
    CXEvalResult value = clang->Cursor_Evaluate(cursor);

    if (!value)
        return;
    n->is_constant = clang->EvalResult_getKind(value) == CXEval_Int;
    n->constant = n->is_constant ? clang->EvalResult_getAsLongLong(value) : 0;
    clang->EvalResult_dispose(value);
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
    n->number = n->kind == DL__N_NAME ? ast->name_count++ : 0;
    n->type = clang->getCursorType(cursor);
    n->begin = ast_offset_of(ast, clang->getRangeStart(extent));
    n->end = ast_offset_of(ast, clang->getRangeEnd(extent));
    n->declared_at = SIZE_MAX;
    if (n->kind == DL__N_NAME || n->kind == DL__N_MEMBER || n->kind == DL__N_CALL ||
        is_declaration(cursor_kind))
        n->name = ast_take_string(ast, clang->getCursorSpelling(cursor));
    if (is_declaration(cursor_kind))
        n->name_at = n->declared_at =
            ast_offset_of(ast, clang->getCursorLocation(cursor));
    if (n->kind == DL__N_NAME || n->kind == DL__N_CALL) {
        CXCursor named = clang->getCursorReferenced(cursor);
        CXSourceLocation at;

        at = ast_declaration(ast, named);

        if (clang->getCursorKind(named) == CXCursor_EnumConstantDecl) {
            n->is_constant = true;
            n->constant = clang->getEnumConstantDeclValue(named);
        }

        if (clang->Location_isFromMainFile(at))
            n->declared_at = ast_offset_of(ast, at);
    }
    if (n->kind == DL__N_SIZEOF)
        read_size(ast, cursor, n);
    first = ast_push_children(ast, cursor);
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
    if (!function->body) {
        ast->name_count = 0;
        function->body = copy_node(ast, function->body_cursor, NULL);
        function->name_count = ast->name_count;
    }
    return function->body;
}

/* The top-level declarations of a text, and which functions of it its kernels reach:
 * found by words alone, before libclang sees the text. Most of a large text is reached by
 * no kernel, and is not read. */

/* Of the declaration that is being read. */
struct head {
    struct dl__token name; /* the last before a list */
    bool is_kernel, is_value, is_behind_list;
};

static bool is_attribute(const struct dl__token *t)
{
    return dl__token_in(t, "__attribute__ __attribute __declspec");
}

/* A token outside of braces and lists, and the one before it. */
static void items_read_head(struct head *head, const struct dl__token *t,
                            const struct dl__token *before)
{
    head->is_kernel |= dl__is_kernel_word(t);
    head->is_value |= dl__token_in(t, "= typedef");
    if (dl__token_is(t, "(") && before->kind == DL__NAME && !is_attribute(before) &&
        !dl__is_kernel_word(before))
        head->name = *before;
    head->is_behind_list = dl__token_is(before, ")");
}

static void ast_find_items(struct dl__ast *ast, struct dl__ast_items *out)
{
    struct dl__lexer lexer = dl__lexer_of(&ast->tokens, 0, ast->bytes);
    struct dl__token t, before = {.text = ""};
    bool at_start = true, line_start = true;
    unsigned braces = 0, parens = 0;
    struct head head = {0};

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind == DL__NEWLINE) {
            line_start = true;
            continue;
        }
        if (line_start && dl__token_is(&t, "#")) {
            while (t.kind != DL__NEWLINE && t.kind != DL__END)
                t = dl__lex_next(&lexer);
            continue;
        }
        line_start = false;
        if (at_start && !braces) {
            struct dl__ast_item item = {.at = t.offset};

            DL__PUSH(ast->arena, out, item);
            memset(&head, 0, sizeof head);
        }
        at_start = false;
        if (!braces && !parens)
            items_read_head(&head, &t, &before);
        if (dl__token_is(&t, "{") && !braces++ && head.name.bytes && !head.is_value &&
            head.is_behind_list) {
            struct dl__ast_item *item = &out->items[out->count - 1];

            item->name = head.name;
            item->is_kernel = head.is_kernel;
            item->body_at = t.offset;
        }
        parens += dl__token_is(&t, "(");
        if (dl__token_is(&t, "}") && braces && !--braces) {
            out->items[out->count - 1].body_end = lexer.offset;
            at_start = true;
        }
        if (dl__token_is(&t, ")") && parens)
            parens--;
        if (dl__token_is(&t, ";") && !braces && !parens)
            at_start = true;
        before = t;
    }
}

/* ---- what kernels reach ---- */

static int compare_names(const struct dl__token *a, const struct dl__token *b)
{
    int order = memcmp(a->text, b->text, a->bytes < b->bytes ? a->bytes : b->bytes);

    return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static int by_name(const void *left, const void *right)
{
    const struct dl__ast_item *const *a = left, *const *b = right;

    return compare_names(&(*a)->name, &(*b)->name);
}

static int name_to_item(const void *name, const void *item)
{
    const struct dl__ast_item *const *i = item;

    return compare_names(name, &(*i)->name);
}

struct reaching {
    struct dl__ast *ast;
    struct dl__ast_item **named; /* functions with a body, by name */
    size_t named_count;
    struct {
        struct dl__ast_item **items;
        size_t count, room;
    } reached;
};

static void reach(struct reaching *r, struct dl__ast_item *item)
{
    if (!item->is_reached)
        DL__PUSH(r->ast->arena, &r->reached, item);
    item->is_reached = true;
}

static void reach_named(struct reaching *r, const struct dl__token *name)
{
    struct dl__ast_item **found = bsearch(name, r->named, r->named_count,
                                          sizeof(struct dl__ast_item *), name_to_item);
    size_t first = found ? (size_t)(found - r->named) : r->named_count;

    while (first && first < r->named_count &&
           !compare_names(&r->named[first - 1]->name, name))
        first--;
    for (size_t i = first; i < r->named_count && !compare_names(&r->named[i]->name, name);
         i++)
        reach(r, r->named[i]);
}

/* Text that this transformer has written is read in any case: an error in it is the
 * transformer's own. */
static bool is_read(const struct dl__ast_item *item)
{
    return item->is_kernel ||
           (item->name.bytes > 3 &&
            (!memcmp(item->name.text, "dl_", 3) || !memcmp(item->name.text, "DL_", 3)));
}

static void blank(char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (text[i] != '\n')
            text[i] = ' ';
}

/* Takes what is in the braces of functions that no kernel reaches, by their names, out of
 * what libclang sees: they are as if they did nothing. */
static void ast_leave_out(struct dl__ast *ast, const struct dl__ast_items *items)
{
    struct reaching r = {.ast = ast,
                         .named = dl__arena_alloc(
                             ast->arena, items->count * sizeof(struct dl__ast_item *))};

    for (size_t i = 0; i < items->count; i++)
        if (items->items[i].body_at)
            r.named[r.named_count++] = &items->items[i];
    qsort(r.named, r.named_count, sizeof(struct dl__ast_item *), by_name);
    for (size_t i = 0; i < r.named_count; i++)
        if (is_read(r.named[i]))
            reach(&r, r.named[i]);
    for (size_t i = 0; i < r.reached.count; i++) {
        struct dl__lexer lexer = dl__lexer_of(&ast->tokens, r.reached.items[i]->body_at,
                                              r.reached.items[i]->body_end);
        struct dl__token t;

        while ((t = dl__lex_next(&lexer)).kind != DL__END)
            if (t.kind == DL__NAME)
                reach_named(&r, &t);
    }
    for (size_t i = 0; i < r.named_count; i++)
        if (!r.named[i]->is_reached && r.named[i]->body_end)
            blank(ast->seen, r.named[i]->body_at + 1, r.named[i]->body_end - 1);
}

/* ---- A syntax tree of the expanded text, copied out of libclang. ---- */

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
    blank(ast->seen, unread.begin, end);
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
            size_t at = ast_offset_of(ast, ast->clang->getDiagnosticLocation(d));

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
    ast_find_items(ast, &items);
    ast_leave_out(ast, &items);
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
    first = ast_push_children(ast, clang->getTranslationUnitCursor(ast->unit));
    for (size_t i = first, count = ast->stack.count; i < count; i++) {
        CXCursor cursor = ast->stack.items[i];

        if (clang->getCursorKind(cursor) == CXCursor_FunctionDecl &&
            clang->Location_isFromMainFile(clang->getCursorLocation(cursor)))
            ast_add_function(ast, cursor, &items);
        if (clang->getCursorKind(cursor) == CXCursor_VarDecl && !ast->has_variable) {
            CXType type = clang->getCursorType(cursor);

            ast->has_variable = type.kind != CXType_Invalid &&
                                clang->getAddressSpace(type) != DL__CONSTANT;
            ast->variable_at = ast_offset_of(ast, clang->getCursorLocation(cursor));
        }
    }
    ast->stack.count = first;
}
