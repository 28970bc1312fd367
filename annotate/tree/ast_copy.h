/* SPDX-License-Identifier: MIT */
/* Between the files that copy libclang's tree (ast, ast_type, ast_function, parse). For
 * this room only. */
#ifndef DL_ANNOTATE_AST_COPY_H
#define DL_ANNOTATE_AST_COPY_H

#include "annotate/text/lex.h"
#include "annotate/tree/ast.h"

/* ---- cursor.c ---- */

/* The string in the arena; libclang's own goes. */
char *dl__ast_take_string(struct dl__ast *ast, CXString string);
/* Where a function is declared for the first time; a builtin that the text declares anew
 * counts as the text's. */
CXSourceLocation dl__ast_declaration(const struct dl__ast *ast, CXCursor cursor);
/* SIZE_MAX when the place is not in the parsed text. */
size_t dl__ast_offset_of(const struct dl__ast *ast, CXSourceLocation location);
/* A visitor that puts the cursor on the tree's stack. `data` is the tree. */
enum CXChildVisitResult dl__ast_push_child(CXCursor cursor, CXCursor parent,
                                           CXClientData data);
/* The children are stack items [first, count); the caller pops them. */
size_t dl__ast_push_children(struct dl__ast *ast, CXCursor cursor);

/* ---- items.c ---- */

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
void dl__ast_find_items(struct dl__ast *ast, struct dl__ast_items *out);
/* Takes what is in the braces of functions that no kernel reaches, by their names, out of
 * what libclang sees: they are as if they did nothing. */
void dl__ast_leave_out(struct dl__ast *ast, const struct dl__ast_items *items);

/* ---- ast_function.c ---- */

void dl__ast_add_function(struct dl__ast *ast, CXCursor cursor,
                          const struct dl__ast_items *items);

/* ---- base_header.c ---- */

/* An absolute path that is nowhere on disk. */
#define DL__BASE_HEADER_FOLDER "/dl-headers-of-opencl-c"
/* That of the version; of others, of the nearest one. Its text is static. */
struct CXUnsavedFile dl__clang_base_header(unsigned version);

/* ---- parse.c ---- */

struct dl__clang_arguments {
    const char **items;
    size_t count, room;
};
/* What libclang is told, so that it sees what the device's compiler sees. */
void dl__clang_add_arguments(struct dl__arena *arena,
                             const struct dl__ast_options *options,
                             struct dl__clang_arguments *out);
/* Parses ast->text into ast->unit. False: libclang gave up. */
bool dl__clang_parse(struct dl__ast *ast, const struct dl__clang_arguments *arguments);

#endif
