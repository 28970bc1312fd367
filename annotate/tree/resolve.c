/* SPDX-License-Identifier: MIT */
/* Dimensions made of the names and constants of a text. */
#include "annotate/tree/resolve.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/dimension.h"
#include "annotate/text/lex.h"

static bool is_parameter(const struct dl__function *kernel, const struct dl__token *name)
{
    for (size_t i = 0; i < kernel->parameter_count; i++)
        if (dl__token_is(name, kernel->parameters[i].name))
            return true;
    return false;
}

/* `global_size` of `get_global_size`; NULL: another name. */
static const char *launch_size(struct dl__arena *arena, const struct dl__token *name)
{
    return dl__token_in(name, "get_global_size get_global_offset get_local_size "
                              "get_num_groups")
               ? dl__arena_text(arena, name->text + 4, name->bytes - 4)
               : NULL;
}

/* The operand of sizeof, which the lexer stands behind: `(type)` or `(struct tag)`. */
static uint64_t read_sizeof(struct dl__lexer *lexer, struct dl__ast *ast)
{
    struct dl__token t = dl__lex_next(lexer), close;
    bool opened = dl__token_is(&t, "("), is_tag;
    uint64_t bytes;

    t = dl__lex_next(lexer);
    is_tag = dl__token_in(&t, "struct union");
    if (is_tag)
        t = dl__lex_next(lexer);
    close = dl__lex_next(lexer);
    /* Where a number has no sign, it is as wide. */
    if ((dl__token_in(&t, "unsigned signed")) && close.kind == DL__NAME) {
        t = close;
        close = dl__lex_next(lexer);
    }
    bytes = dl__token_in(&t, "unsigned signed") ? 4
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
        } else if (is_name && launch_size(arena, &t)) {
            dl__buf_puts(&out, launch_size(arena, &t));
        } else if (is_name && dl__ast_constant_named(ast, t.text, t.bytes, &value)) {
            dl__buf_printf(&out, value < 0 ? "(%" PRId64 ")" : "%" PRId64, value);
        } else {
            dl__buf_add(&out, t.text, t.bytes);
        }
    }
    return out.items;
}

/* ---- A user's dimension in the tables' form. ---- */

struct resolver {
    struct dl__arena *arena;
    const struct dl__function *kernel;
    struct dl__lexer lexer;
    struct dl__buf out;
    const char *reason;
};

static bool is_function(const struct dl__token *name)
{
    return dl__is_in("global_size global_offset local_size num_groups min max",
                     name->text, name->bytes);
}

/* In a kernel it is what it is for the host: no launch changes it. */
static bool is_global_size(const struct dl__token *name)
{
    return dl__token_in(name, "global_size get_global_size");
}

static struct dl__token peek(const struct resolver *r)
{
    struct dl__lexer ahead = r->lexer;

    return dl__lex_next(&ahead);
}

const struct dl__field *dl__find_field(const struct dl__struct *s, const char *name,
                                       size_t bytes, uint32_t *offset)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl__field *f = &s->fields[i];
        const struct dl__field *inner = NULL;
        uint32_t inner_offset = 0;

        if (strlen(f->name) == bytes && !memcmp(f->name, name, bytes)) {
            *offset += f->offset_bytes;
            return f;
        }
        if (!f->name[0] && f->type->kind == DL__T_STRUCT)
            inner = dl__find_field(f->type->identity, name, bytes, &inner_offset);
        if (inner) {
            *offset += f->offset_bytes + inner_offset;
            return inner;
        }
    }
    return NULL;
}

int dl__component_of(const char *name, size_t bytes)
{
    static const char digits[] = "0123456789abcdef";
    const char *at;

    if (bytes == 1 && (at = strchr("xyzw", *name)) != NULL)
        return *at == 'w' ? 3 : *at - 'x';
    if (bytes == 2 && (*name == 's' || *name == 'S') &&
        (at = strchr(digits, name[1] | 32)) != NULL && *at)
        return (int)(at - digits);
    return -1;
}

/* Follows one `.name`; NULL when there is none. */
static const struct dl__type *follow(const struct dl__type *type,
                                     const struct dl__token *name, uint32_t *offset)
{
    if (type->kind == DL__T_STRUCT) {
        const struct dl__field *f =
            dl__find_field(type->identity, name->text, name->bytes, offset);

        return f ? f->type : NULL;
    }
    if (type->kind == DL__T_VECTOR) {
        int component = dl__component_of(name->text, name->bytes);

        if (component < 0 || (uint64_t)component >= type->count)
            return NULL;
        *offset += (uint32_t)component * type->element->bytes;
        return type->element;
    }
    return NULL;
}

static void resolve_name(struct resolver *r, const struct dl__token *name)
{
    const char *text = dl__arena_text(r->arena, name->text, name->bytes);
    const struct dl__type *type;
    struct dl__token after;
    uint32_t offset = 0;
    size_t p = 0;

    while (p < r->kernel->parameter_count && strcmp(text, r->kernel->parameters[p].name))
        p++;
    if (p == r->kernel->parameter_count) {
        r->reason = dl__arena_format(r->arena,
                                     "the dimension uses '%s', which is neither an "
                                     "argument of '%s' nor a macro",
                                     text, r->kernel->name);
        return;
    }
    type = r->kernel->parameters[p].type;
    while (after = peek(r), dl__token_is(&after, ".") || (dl__token_is(&after, "[") &&
                                                          type->kind == DL__T_ARRAY)) {
        struct dl__token by;
        unsigned long k;

        dl__lex_next(&r->lexer);
        by = dl__lex_next(&r->lexer);
        if (dl__token_is(&after, ".")) {
            type = follow(type, &by, &offset);
            if (!type) {
                r->reason = dl__arena_format(r->arena, "'%s' has no member '%.*s'", text,
                                             (int)by.bytes, by.text);
                return;
            }
            continue;
        }
        k = by.kind == DL__NUMBER ? strtoul(by.text, NULL, 0) : type->count;
        after = dl__lex_next(&r->lexer);
        if (k >= type->count || !dl__token_is(&after, "]")) {
            r->reason = dl__arena_format(r->arena,
                                         "an array in '%s' needs a literal index", text);
            return;
        }
        offset += (uint32_t)k * type->element->bytes;
        type = type->element;
    }
    if (type->kind != DL__T_SCALAR || type->scalar == 'f')
        r->reason = dl__arena_format(
            r->arena, "the dimension uses '%s', which is not an integer", text);
    else
        dl__buf_printf(&r->out, "arg(%zu, %c%u, %u)", p, type->scalar == 'i' ? 'i' : 'u',
                       type->bytes, offset);
}

const char *dl__resolve_dimension(struct dl__arena *arena,
                                  const struct dl__function *kernel, const char *text,
                                  const char **reason)
{
    struct resolver r = {.arena = arena,
                         .kernel = kernel,
                         .lexer = {.text = text, .bytes = strlen(text)},
                         .out = {.arena = arena}};
    struct dl__token t;

    dl__buf_puts(&r.out, "");
    while (!r.reason && (t = dl__lex_next(&r.lexer)).kind != DL__END) {
        struct dl__token after = peek(&r);

        if (t.spaced && r.out.count)
            dl__buf_puts(&r.out, " ");
        if (t.kind == DL__NAME && !(is_function(&t) && dl__token_is(&after, "(")))
            resolve_name(&r, &t);
        else
            dl__buf_add(&r.out, t.text, t.bytes);
    }
    if (r.reason) {
        *reason = r.reason;
        return NULL;
    }
    return dl__dimension_parse(arena, r.out.items, r.out.count, reason) ? r.out.items
                                                                        : NULL;
}

const char *dl__resolve_value(struct dl__arena *arena, const char *text)
{
    struct resolver r = {.lexer = {.text = text, .bytes = strlen(text)},
                         .out = {.arena = arena}};
    struct dl__token t;

    dl__buf_puts(&r.out, "");
    while ((t = dl__lex_next(&r.lexer)).kind != DL__END) {
        struct dl__token after = peek(&r);
        bool calls = dl__token_is(&after, "(");

        if (t.spaced && r.out.count)
            dl__buf_puts(&r.out, " ");
        if (calls && is_global_size(&t)) {
            dl__buf_puts(&r.out, "(long)get_global_size(");
            dl__lex_next(&r.lexer);
            t = dl__lex_next(&r.lexer);
            dl__buf_add(&r.out, t.text, t.bytes);
        } else if (calls && dl__token_in(&t, "min max")) {
            /* Not the builtins: an argument may be called so. */
            dl__buf_puts(&r.out, dl__token_is(&t, "min") ? "DL_MIN" : "DL_MAX");
        } else if (calls && is_function(&t)) {
            return NULL;
        } else {
            bool is_name = t.kind == DL__NAME;

            dl__buf_puts(&r.out, is_name || t.kind == DL__NUMBER ? "(long)" : "");
            dl__buf_add(&r.out, t.text, t.bytes);
            /* Members and elements go with their name. */
            while (is_name && dl__token_in(&after, ". [")) {
                for (int i = dl__token_is(&after, "[") ? 3 : 2; i; i--) {
                    t = dl__lex_next(&r.lexer);
                    dl__buf_add(&r.out, t.text, t.bytes);
                }
                after = peek(&r);
            }
        }
    }
    return r.out.items;
}
