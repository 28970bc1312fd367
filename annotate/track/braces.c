/* SPDX-License-Identifier: MIT */
/* Structs in types, and values in braces. */
#include "annotate/track/braces.h"

#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/track/node.h"

enum { DEPTH_MAX = 16 };

/* ---- types ---- */

const struct dl__struct *dl__struct_in(const struct dl__type *type)
{
    while (type->kind == DL__T_POINTER || type->kind == DL__T_ARRAY)
        type = type->element;
    return type->kind == DL__T_STRUCT ? type->identity : NULL;
}

static bool holds(const struct dl__struct *type, const struct dl__struct *s,
                  unsigned depth)
{
    if (!type || depth > DEPTH_MAX)
        return false;
    if (type == s)
        return true;
    for (size_t i = 0; i < type->field_count; i++)
        if (holds(dl__struct_in(type->fields[i].type), s, depth + 1))
            return true;
    return false;
}

bool dl__struct_holds(const struct dl__struct *type, const struct dl__struct *s)
{
    return holds(type, s, 0);
}

bool dl__type_holds(const struct dl__type *type, const struct dl__struct *s)
{
    return holds(dl__struct_in(type), s, 0);
}

const struct dl__struct *dl__struct_of_member(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n->children[0]);

    type = type->kind == DL__T_POINTER ? type->element : type;
    return type->kind == DL__T_STRUCT ? type->identity : NULL;
}

/* ---- braces ---- */

bool dl__is_braces(const struct dl__unit *u, const struct dl__node *n)
{
    return n->kind == DL__N_OTHER && dl__text_at(u, n->begin) == '{';
}

/* `.name = `, from its point on. */
static bool find_designated(const struct dl__unit *u, const struct dl__struct *of,
                            const struct dl__node *n, size_t *number)
{
    struct dl__lexer lexer = {
        .text = u->tracker->ast->text, .bytes = n->end, .offset = n->begin + 1};
    struct dl__token name, t;

    do
        name = dl__lex_next(&lexer);
    while (name.kind == DL__NEWLINE);
    do
        t = dl__lex_next(&lexer);
    while (t.kind == DL__NEWLINE);
    for (*number = 0; *number < of->field_count; ++*number)
        if (name.kind == DL__NAME && dl__token_is(&name, of->fields[*number].name))
            return dl__token_is(&t, "=");
    return false;
}

bool dl__braces_item(struct dl__unit *u, struct dl__node *n, size_t i,
                     struct dl__braces_item *out)
{
    const struct dl__struct *of = dl__type_of(u, n)->identity;
    size_t next = 0;

    for (size_t k = 0; k <= i; k++) {
        struct dl__node *child = n->children[k];
        const struct dl__type *type;
        char first = dl__text_at(u, child->begin);

        if (first == '.' && child->child_count > 1) {
            if (!find_designated(u, of, child, &next))
                return false;
            child = child->children[child->child_count - 1];
        } else if (first == '[' ||
                   (child->kind == DL__N_IMPLICIT && child->child_count > 1)) {
            return false;
        }
        if (next >= of->field_count)
            return false;
        type = of->fields[next].type;
        if ((type->kind == DL__T_STRUCT || type->kind == DL__T_ARRAY) &&
            !dl__is_braces(u, dl__strip(child)) &&
            (type->kind == DL__T_ARRAY ||
             dl__type_of(u, child)->identity != type->identity))
            return false;
        *out = (struct dl__braces_item){next++, child};
    }
    return true;
}
