/* SPDX-License-Identifier: MIT */
/* What a user's dimension has besides arguments: constants, sizes of types, and the
 * launch's sizes by the names that kernels know them by. */
#include <inttypes.h>
#include <string.h>

#include "annotate/tree/resolve.h"
#include "annotate/text/lex.h"

static bool is_parameter(const struct dl__function *kernel, const struct dl__token *name)
{
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (dl__token_is(name, kernel->parameters[i].name))
            return true;
    return false;
}

/* `global_size` of `get_global_size`; NULL: another name. */
static const char *launch_size(const struct dl__token *name)
{
    static const char *const names[] = {"get_global_size", "get_global_offset",
                                        "get_local_size", "get_num_groups"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (dl__token_is(name, names[i]))
            return names[i] + strlen("get_");
    return NULL;
}

/* The operand of sizeof, which the lexer stands behind: `(type)` or `(struct tag)`. */
static uint64_t read_sizeof(struct dl__lexer *lexer, struct dl__ast *ast)
{
    struct dl__token t = dl__lex_next(lexer), close;
    bool opened = dl__token_is(&t, "("), is_tag;
    uint64_t bytes;

    t = dl__lex_next(lexer);
    is_tag = dl__token_is(&t, "struct") || dl__token_is(&t, "union");
    if (is_tag)
        t = dl__lex_next(lexer);
    close = dl__lex_next(lexer);
    /* Where a number has no sign, it is as wide. */
    if ((dl__token_is(&t, "unsigned") || dl__token_is(&t, "signed")) &&
        close.kind == DL__NAME) {
        t = close;
        close = dl__lex_next(lexer);
    }
    bytes = dl__token_is(&t, "unsigned") || dl__token_is(&t, "signed") ? 4
            : t.kind == DL__NAME ? dl__ast_bytes_of(ast, t.text, t.bytes, is_tag)
                                 : 0;
    return opened && dl__token_is(&close, ")") ? bytes : 0;
}

const char *dl__resolve_constants(struct dl__arena *arena, struct dl__ast *ast,
                                  const struct dl__function *kernel, const char *text,
                                  const char **reason)
{
    struct dl__lexer lexer = {.text = text, .bytes = strlen(text)};
    struct dl__buf out = {.arena = arena};
    bool is_member = false;
    struct dl__token t;

    dl__buf_puts(&out, "");
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        bool is_name = t.kind == DL__NAME && !is_member && !is_parameter(kernel, &t);
        int64_t value;

        is_member = dl__token_is(&t, ".");
        if (t.spaced && out.count)
            dl__buf_puts(&out, " ");
        if (is_name && dl__token_is(&t, "sizeof")) {
            uint64_t bytes = read_sizeof(&lexer, ast);

            if (!bytes) {
                *reason = "the dimension takes the size of something other than a type "
                          "of this text";
                return NULL;
            }
            dl__buf_printf(&out, "%" PRIu64, bytes);
        } else if (is_name && launch_size(&t)) {
            dl__buf_puts(&out, launch_size(&t));
        } else if (is_name && dl__ast_constant_named(ast, t.text, t.bytes, &value)) {
            dl__buf_printf(&out, value < 0 ? "(%" PRId64 ")" : "%" PRId64, value);
        } else {
            dl__buf_add(&out, t.text, t.bytes);
        }
    }
    return out.items;
}
