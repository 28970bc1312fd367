/* A syntax tree of the expanded text, copied out of libclang. */
#include "ast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lex.h"

size_t dl__text_skip(const char *text, size_t bytes, size_t at)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes, .offset = at};
    struct dl__token t;

    do
        t = dl__lex_next(&lexer);
    while (t.kind == DL__NEWLINE);
    return t.offset;
}

static char *take_string(struct dl__ast *ast, CXString string)
{
    const char *text = ast->clang->getCString(string);
    char *out = dl__arena_text(ast->arena, text ? text : "", text ? strlen(text) : 0);

    ast->clang->disposeString(string);
    return out;
}

/* SIZE_MAX when the place is not in the parsed text. */
enum { CONSTANT_SPACE = 3 }; /* libclang's number for it */

static size_t offset_of(const struct dl__ast *ast, CXSourceLocation location)
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

/* ---- children -------------------------------------------------------------------- */

static enum CXChildVisitResult push_child(CXCursor cursor, CXCursor parent,
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

static enum CXVisitorResult push_field(CXCursor cursor, CXClientData data)
{
    return push_child(cursor, cursor, data) == CXChildVisit_Break ? CXVisit_Break
                                                                  : CXVisit_Continue;
}

/* The children are stack items [first, count); the caller pops them. */
static size_t push_children(struct dl__ast *ast, CXCursor cursor)
{
    size_t first = ast->stack.count;

    ast->clang->visitChildren(cursor, push_child, ast);
    if (ast->stack.room == SIZE_MAX)
        dl__arena_fail(ast->arena, DL_ENOMEM);
    return first;
}

/* ---- types ----------------------------------------------------------------------- */

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
    char *spelling = take_string(ast, ast->clang->getTypeSpelling(type));
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

        field->name = take_string(ast, ast->clang->getCursorSpelling(cursor));
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

struct dl__type *dl__ast_type(struct dl__ast *ast, CXType written)
{
    const struct dl__clang *clang = ast->clang;
    struct dl__type *out = DL__NEW(ast->arena, struct dl__type);
    CXType type;
    long long bytes;

    out->kind = DL__T_OTHER;
    if (written.kind == CXType_Invalid)
        return out;
    type = clang->getCanonicalType(written);
    out->is_const = clang->isConstQualifiedType(type);
    out->is_volatile = clang->isVolatileQualifiedType(type);
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
        CXType pointee = clang->getPointeeType(written);

        if (pointee.kind == CXType_Invalid)
            pointee = clang->getPointeeType(type);
        out->kind = DL__T_POINTER;
        out->element = dl__ast_type(ast, pointee);
        out->address_space = clang->getAddressSpace(clang->getPointeeType(type));
    } else if (type.kind == CXType_ConstantArray) {
        CXType element = clang->getArrayElementType(written);

        if (element.kind == CXType_Invalid)
            element = clang->getArrayElementType(type);
        out->kind = DL__T_ARRAY;
        out->element = dl__ast_type(ast, element);
        out->count = (uint64_t)clang->getArraySize(type);
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
    return out;
}

/* ---- nodes ----------------------------------------------------------------------- */

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
    n->begin = offset_of(ast, clang->getRangeStart(extent));
    n->end = offset_of(ast, clang->getRangeEnd(extent));
    n->declared_at = SIZE_MAX;
    if (n->kind == DL__N_NAME || n->kind == DL__N_MEMBER || n->kind == DL__N_VARIABLE ||
        n->kind == DL__N_CALL)
        n->name = take_string(ast, clang->getCursorSpelling(cursor));
    if (n->kind == DL__N_VARIABLE)
        n->name_at = n->declared_at = offset_of(ast, clang->getCursorLocation(cursor));
    if (n->kind == DL__N_NAME) {
        CXCursor named = clang->getCursorReferenced(cursor);
        CXSourceLocation at = clang->getCursorLocation(named);

        if (clang->getCursorKind(named) == CXCursor_EnumConstantDecl) {
            n->is_constant = true;
            n->constant = clang->getEnumConstantDeclValue(named);
        }

        if (clang->Location_isFromMainFile(at))
            n->declared_at = offset_of(ast, at);
    }
    first = push_children(ast, cursor);
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

/* ---- functions ------------------------------------------------------------------- */

struct items {
    size_t *items;
    size_t count, room;
};

/* The starts of the top-level declarations: the first token after a `;` or `}` outside
 * braces. */
static void find_items(struct dl__ast *ast, struct items *out)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = ast->bytes};
    bool at_start = true, line_start = true;
    unsigned braces = 0, parens = 0;
    struct dl__token t;

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
        if (at_start && !braces)
            DL__PUSH(ast->arena, out, t.offset);
        at_start = false;
        braces += dl__token_is(&t, "{");
        parens += dl__token_is(&t, "(");
        if (dl__token_is(&t, "}") && braces)
            at_start = !--braces;
        if (dl__token_is(&t, ")") && parens)
            parens--;
        if (dl__token_is(&t, ";") && !braces && !parens)
            at_start = true;
    }
}

static void read_head(struct dl__ast *ast, struct dl__function *f,
                      const struct items *items)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = ast->bytes};
    unsigned depth = 0;
    struct dl__token t;
    size_t low = 0, high = items->count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (items->items[middle] <= f->name_at)
            low = middle;
        else
            high = middle;
    }
    f->item_at = items->count ? items->items[low] : f->name_at;
    lexer.offset = f->item_at;
    while ((t = dl__lex_next(&lexer)).kind != DL__END && t.offset < f->name_at) {
        f->is_kernel |= dl__token_is(&t, "__kernel") || dl__token_is(&t, "kernel");
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

    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (dl__token_is(&t, "__global") || dl__token_is(&t, "global"))
            return 1;
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

static void add_function(struct dl__ast *ast, CXCursor cursor, const struct items *items)
{
    const struct dl__clang *clang = ast->clang;
    struct dl__function f = {0};
    size_t first;

    f.name = take_string(ast, clang->getCursorSpelling(cursor));
    f.name_at = offset_of(ast, clang->getCursorLocation(cursor));
    read_head(ast, &f, items);
    first = push_children(ast, cursor);
    f.parameters =
        dl__arena_alloc(ast->arena, (ast->stack.count - first) * sizeof *f.parameters);
    for (size_t i = first, count = ast->stack.count; i < count; i++) {
        CXCursor child = ast->stack.items[i];
        enum CXCursorKind kind = clang->getCursorKind(child);
        CXSourceRange extent = clang->getCursorExtent(child);

        if (kind == CXCursor_ParmDecl) {
            struct dl__parameter *p = &f.parameters[f.parameter_count++];

            p->name = take_string(ast, clang->getCursorSpelling(child));
            p->name_at = offset_of(ast, clang->getCursorLocation(child));
            p->begin = offset_of(ast, clang->getRangeStart(extent));
            p->end = offset_of(ast, clang->getRangeEnd(extent));
            p->type = parameter_type(ast, clang->getCursorType(child), p->begin, p->end);
        } else if (kind == CXCursor_CompoundStmt) {
            f.is_defined = true;
            f.body_cursor = child;
            f.body_at = offset_of(ast, clang->getRangeStart(extent));
            f.body_end = offset_of(ast, clang->getRangeEnd(extent));
        }
    }
    ast->stack.count = first;
    DL__PUSH(ast->arena, &ast->functions, f);
}

struct dl__function *dl__ast_function_named(struct dl__ast *ast, const char *name)
{
    struct dl__function *found = NULL;

    for (size_t i = 0; i < ast->functions.count; i++) {
        struct dl__function *f = &ast->functions.items[i];

        if (!strcmp(f->name, name) && (!found || f->is_defined))
            found = f;
    }
    return found;
}

/* ---- parsing --------------------------------------------------------------------- */

struct arguments {
    const char **items;
    size_t count, room;
};

static void add_arguments(struct dl__arena *arena, const struct dl__clang *clang,
                          const struct dl__ast_options *options, struct arguments *out)
{
    const char *std = options->cl_std ? options->cl_std : "CL1.2";
    const char *const fixed[] = {"-x",
                                 "cl",
                                 "-target",
                                 "spir64",
                                 "-U__SPIR__",
                                 "-U__SPIR64__",
                                 "-Xclang",
                                 "-fdeclare-opencl-builtins",
                                 "-Xclang",
                                 "-finclude-default-header",
                                 "-ferror-limit=0",
                                 "-isystem",
                                 clang->include_dir};

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        DL__PUSH(arena, out, fixed[i]);
    DL__PUSH(arena, out, dl__arena_format(arena, "-cl-std=%s", std));
    for (size_t i = 0; i < options->device_macro_count; i++)
        DL__PUSH(arena, out, options->device_macros[i]);
    if (options->device_extensions) {
        struct dl__buf buf = {.arena = arena};
        const char *at = options->device_extensions;

        dl__buf_puts(&buf, "-cl-ext=-all");
        while (*at) {
            size_t n = strcspn(at, " ");

            /* OpenCL C 3.0's features are off unless named; these two pairs must agree.
             */
            if (n) {
                dl__buf_puts(&buf, ",+");
                dl__buf_add(&buf, at, n);
                if (n == 11 && !memcmp(at, "cl_khr_fp64", n))
                    dl__buf_puts(&buf, ",+__opencl_c_fp64");
                if (n == 21 && !memcmp(at, "cl_khr_3d_image_writes", n))
                    dl__buf_puts(&buf, ",+__opencl_c_3d_image_writes");
            }
            at += n;
            at += *at == ' ';
        }
        DL__PUSH(arena, out, "-Xclang");
        DL__PUSH(arena, out, buf.items);
    }
}

static bool parse(struct dl__ast *ast, const struct arguments *arguments)
{
    struct CXUnsavedFile file = {"dl_source.cl", ast->text, (unsigned long)ast->bytes};

    ast->index = ast->clang->createIndex(0, 0);
    return ast->index &&
           !ast->clang->parseTranslationUnit2(
               ast->index, "dl_source.cl", arguments->items, (int)arguments->count, &file,
               1, CXTranslationUnit_None, &ast->unit) &&
           ast->unit;
}

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
            size_t at = offset_of(ast, ast->clang->getDiagnosticLocation(d));

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
    struct arguments arguments = {0};
    struct items items = {0};
    size_t first;

    ast->arena = arena;
    ast->clang = clang;
    ast->text = text;
    ast->bytes = bytes;
    add_arguments(arena, clang, options, &arguments);
    if (!parse(ast, &arguments)) {
        on_error(user, SIZE_MAX, "libclang can't parse the program");
        dl__arena_fail(arena, DL_EPARSE);
    }
    report_errors(ast, on_error, user);
    find_items(ast, &items);
    first = push_children(ast, clang->getTranslationUnitCursor(ast->unit));
    for (size_t i = first, count = ast->stack.count; i < count; i++) {
        CXCursor cursor = ast->stack.items[i];

        if (clang->getCursorKind(cursor) == CXCursor_FunctionDecl &&
            clang->Location_isFromMainFile(clang->getCursorLocation(cursor)))
            add_function(ast, cursor, &items);
        if (clang->getCursorKind(cursor) == CXCursor_VarDecl && !ast->has_variable) {
            CXType type = clang->getCursorType(cursor);

            ast->has_variable = type.kind != CXType_Invalid &&
                                clang->getAddressSpace(type) != CONSTANT_SPACE;
            ast->variable_at = offset_of(ast, clang->getCursorLocation(cursor));
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

/* ---- the compiler's macros ------------------------------------------------------- */

static bool names_extension(const char *extensions, const char *name)
{
    size_t bytes = strlen(name);

    for (const char *at = extensions; at && (at = strstr(at, name)) != NULL; at += bytes)
        if ((at == extensions || at[-1] == ' ') && (!at[bytes] || at[bytes] == ' '))
            return true;
    return false;
}

/* "120" for "CL1.2" or none. */
static const char *language_version(struct dl__arena *arena, const char *cl_std)
{
    unsigned major = 1, minor = 2;

    if (cl_std)
        sscanf(cl_std, "%*2c%u.%u", &major, &minor);
    return dl__arena_format(arena, "%u", major * 100 + minor * 10);
}

void dl__ast_compiler_macros(struct dl__arena *arena, const struct dl__clang *clang,
                             const struct dl__ast_options *options,
                             const char *const *names, size_t count, const char **values)
{
    struct dl__buf probe = {.arena = arena};
    struct dl__ast ast = {.arena = arena, .clang = clang};
    struct arguments arguments = {0};

    dl__buf_puts(&probe, "#define DL_TEXT_(...) #__VA_ARGS__\n"
                         "#define DL_TEXT(...) DL_TEXT_(__VA_ARGS__)\n");
    for (size_t i = 0; i < count; i++)
        dl__buf_printf(&probe,
                       "#ifdef %s\n#pragma message \"%zu=\" DL_TEXT(%s)\n#endif\n",
                       names[i], i, names[i]);
    add_arguments(arena, clang, options, &arguments);
    ast.text = probe.items;
    ast.bytes = probe.count;
    if (parse(&ast, &arguments)) {
        unsigned diagnostics = clang->getNumDiagnostics(ast.unit);

        for (unsigned i = 0; i < diagnostics; i++) {
            CXDiagnostic d = clang->getDiagnostic(ast.unit, i);
            CXString text = clang->getDiagnosticSpelling(d);
            const char *line = clang->getCString(text);
            char *copy = line ? strdup(line) : NULL;

            clang->disposeString(text);
            clang->disposeDiagnostic(d);
            /* Kept in plain memory until the tree is gone: the arena may jump. */
            if (copy && strchr(copy, '=')) {
                char *equals = strchr(copy, '=');
                size_t index = strtoul(copy, NULL, 10);

                if (index < count && !values[index]) {
                    memmove(copy, equals + 1, strlen(equals));
                    values[index] = copy;
                    continue;
                }
            }
            free(copy);
        }
    }
    dl__ast_free(&ast);
    for (size_t i = 0; i < count; i++) {
        if (values[i]) {
            char *copy = (char *)(uintptr_t)values[i];

            values[i] = dl__arena_text(arena, copy, strlen(copy));
            free(copy);
        } else if (names_extension(options->device_extensions, names[i])) {
            values[i] = "1";
        } else if (!strcmp(names[i], "__OPENCL_VERSION__")) {
            /* The driver's to define; without its word, the language version. */
            values[i] = language_version(arena, options->cl_std);
        }
    }
}
