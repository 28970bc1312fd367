/* SPDX-License-Identifier: MIT */
/* Between the files that copy libclang's tree (ast, ast_type, ast_function, parse). For this room
 * only. */
#ifndef DL_ANNOTATE_AST_COPY_H
#define DL_ANNOTATE_AST_COPY_H

#include "annotate/tree/ast.h"

/* ---- cursor.c ---- */

/* The string in the arena; libclang's own goes. */
char *dl__ast_take_string(struct dl__ast *ast, CXString string);
/* Where a function is declared for the first time; a builtin that the text declares anew counts
 * as the text's. */
CXSourceLocation dl__ast_declaration(const struct dl__ast *ast, CXCursor cursor);
/* SIZE_MAX when the place is not in the parsed text. */
size_t dl__ast_offset_of(const struct dl__ast *ast, CXSourceLocation location);
/* A visitor that puts the cursor on the tree's stack. `data` is the tree. */
enum CXChildVisitResult dl__ast_push_child(CXCursor cursor, CXCursor parent,
                                           CXClientData data);
/* The children are stack items [first, count); the caller pops them. */
size_t dl__ast_push_children(struct dl__ast *ast, CXCursor cursor);

/* ---- ast_function.c ---- */

/* The starts of the top-level declarations. */
struct dl__ast_items {
    size_t *items;
    size_t count, room;
};
void dl__ast_find_items(struct dl__ast *ast, struct dl__ast_items *out);
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
