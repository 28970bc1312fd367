/* SPDX-License-Identifier: MIT */
/* Parsing with libclang. */
#ifndef DL_ANNOTATE_PARSE_H
#define DL_ANNOTATE_PARSE_H

#include "annotate/text/lex.h"
#include "annotate/tree/ast.h"

/* An absolute path that is nowhere on disk. */
#define DL__BASE_HEADER_FOLDER "/dl-headers-of-opencl-c"

struct dl__clang_arguments {
    const char **items;
    size_t count, room;
};
/* Adds what libclang is told, so that it sees what the device's compiler sees. */
void dl__clang_add_arguments(struct dl__arena *arena,
                             const struct dl__ast_options *options,
                             struct dl__clang_arguments *out);
/* Parses ast->text into ast->unit. False: libclang gave up. */
bool dl__clang_parse(struct dl__ast *ast, const struct dl__clang_arguments *arguments);

#endif
