/* The text of the accessors that reach a leaf, and of those that copy a struct. */
#include "annotate/accessors/accessor.h"

#include <string.h>

enum { UNROLL_MAX = 64 };

/* How a leaf is reached; the arguments follow, then `)`. */
const char *dl__accessor_at_macro_of(const char *space)
{
    return strcmp(space, "__global") ? "DL_AT_IN(__constant, " : "DL_AT(";
}

const char *dl__accessor_at_macro(const struct dl__accessor *a)
{
    return dl__accessor_at_macro_of(dl__space_name(a->space));
}

const char *dl__type_text(const char *name)
{
    static const char *const map[][2] = {{"uchar", "unsigned char"},
                                         {"ushort", "unsigned short"},
                                         {"uint", "unsigned int"},
                                         {"ulong", "unsigned long"}};

    for (size_t i = 0; i < sizeof map / sizeof *map; i++)
        if (!strcmp(name, map[i][0]))
            return map[i][1];
    return name;
}

/* Walks the steps: the constant part of the offset, and `+ k0 * stride` for each
 * index. */
uint32_t dl__accessor_steps(const struct dl__accessor *a, struct dl__buf *indices,
                            unsigned *index_count)
{
    uint32_t offset = 0;

    *index_count = 0;
    for (size_t i = 0; i < a->step_count; i++) {
        const struct dl__step *step = &a->steps[i];

        if (step->field)
            offset += step->field->offset_bytes;
        else
            dl__buf_printf(indices, " + dl_k%u * %u", (*index_count)++,
                           step->type->bytes);
    }
    return offset;
}

struct copy {
    struct dl__buf *out;
    const struct dl__accessor *a;
    bool packed;
    unsigned unions;     /* around the member */
    const char *indices; /* " + k0 * 4" */
    unsigned loops;
};

static uint64_t leaf_count(const struct dl__type *type)
{
    uint64_t count = 0;

    if (type->kind == DL__T_ARRAY)
        return type->count * leaf_count(type->element);
    if (type->kind != DL__T_STRUCT)
        return 1;
    for (size_t i = 0; i < type->identity->field_count; i++)
        count += leaf_count(type->identity->fields[i].type);
    return count;
}

static void print_copy(struct copy *c, const struct dl__type *type, const char *member,
                       uint32_t offset, const char *loop_offset)
{
    struct dl__arena *arena = c->out->arena;

    if (type->kind == DL__T_STRUCT) {
        const struct dl__struct *s = type->identity;

        c->unions += s->is_union;
        /* Of a union, one member stands for all. */
        for (size_t i = 0; i < (s->is_union ? 1 : s->field_count); i++) {
            const char *inner =
                s->fields[i].name[0]
                    ? dl__arena_format(arena, "%s.%s", member, s->fields[i].name)
                    : member;

            print_copy(c, s->fields[i].type, inner, offset + s->fields[i].offset_bytes,
                       loop_offset);
        }
        c->unions -= s->is_union;
    } else if (type->kind == DL__T_ARRAY) {
        uint32_t stride = type->element->bytes;

        if (leaf_count(type) <= UNROLL_MAX) {
            for (uint64_t k = 0; k < type->count; k++)
                print_copy(c, type->element,
                           dl__arena_format(arena, "%s[%u]", member, (unsigned)k),
                           offset + (uint32_t)k * stride, loop_offset);
        } else {
            unsigned loop = c->loops++;

            dl__buf_printf(c->out, "    for (int dl_l%u = 0; dl_l%u < %u; dl_l%u++) {\n",
                           loop, loop, (unsigned)type->count, loop);
            print_copy(
                c, type->element, dl__arena_format(arena, "%s[dl_l%u]", member, loop),
                offset,
                dl__arena_format(arena, "%s + dl_l%u * %u", loop_offset, loop, stride));
            dl__buf_puts(c->out, "    }\n");
        }
    } else {
        bool packed = c->packed && type->bytes > 1;
        const char *at = dl__arena_format(
            arena, "%s%s, dl_f, dl_i, %u, %u%s%s, %u)", dl__accessor_at_macro(c->a),
            packed ? "unsigned char" : dl__type_text(type->name), c->a->element->bytes,
            offset, c->indices, loop_offset, type->bytes);

        if (packed || c->unions)
            at = dl__arena_format(
                arena, "((%s %s(%s) *)%s)->dl_v", dl__space_name(c->a->space),
                packed ? "DL_PACKED" : "DL_ALIASED", dl__type_text(type->name), at);
        else
            at = dl__arena_format(arena, "*%s", at);
        if (c->a->kind == DL__LOAD)
            dl__buf_printf(c->out, "    %s = %s;\n", member, at);
        else
            dl__buf_printf(c->out, "    %s = %s;\n", at, member);
    }
}

void dl__accessor_print(struct dl__buf *out, const struct dl__accessor *a)
{
    struct dl__buf indices = {.arena = out->arena};
    struct copy copy = {.out = out, .a = a};
    const char *space = dl__space_name(a->space), *reached;
    unsigned index_count;
    uint32_t offset;

    if (a->kind >= DL__NEAR && a->kind <= DL__ROW_UINT) {
        dl__accessor_print_flat(out, a);
        return;
    }
    if (a->vector) {
        dl__accessor_print_vector(out, a);
        return;
    }
    dl__buf_puts(&indices, "");
    offset = dl__accessor_steps(a, &indices, &index_count);
    copy.indices = indices.items;
    copy.packed = dl__struct_is_packed(out->arena, a->element);
    copy.unions = dl__steps_cross_union(a->element, a->steps, a->step_count);
    reached = a->view ? a->view : dl__type_text(a->type->name);
    if (a->view)
        dl__buf_printf(out, "typedef %s(%s) %s;\n",
                       a->kind == DL__PACKED ? "DL_PACKED" : "DL_ALIASED",
                       dl__type_text(a->type->name), a->view);
    if (a->kind <= DL__ALIASED)
        dl__buf_printf(out, "static %s %s *%s(%s const %s *dl_f, dl_index dl_i", space,
                       reached, a->name, space, dl__type_text(a->element->name));
    else
        dl__buf_printf(out, "static %s %s(%s const %s *dl_f, dl_index dl_i",
                       a->type->name, a->name, space, a->element->name);
    for (unsigned k = 0; k < index_count; k++)
        dl__buf_printf(out, ", dl_index dl_k%u", k);
    dl__buf_puts(out, " DL_FORMALS");
    if (a->kind <= DL__ALIASED) {
        dl__buf_printf(out, ")\n{\n    return %s%s, dl_f, dl_i, %u, %u%s, %u);\n}\n",
                       dl__accessor_at_macro(a), reached, a->element->bytes, offset,
                       indices.items, a->type->bytes);
    } else if (a->kind == DL__LOAD) {
        dl__buf_printf(out, ")\n{\n    %s dl_s;\n", a->type->name);
        print_copy(&copy, a->type, "dl_s", offset, "");
        dl__buf_puts(out, "    return dl_s;\n}\n");
    } else {
        dl__buf_printf(out, ", %s dl_s)\n{\n", a->type->name);
        print_copy(&copy, a->type, "dl_s", offset, "");
        dl__buf_puts(out, "    return dl_s;\n}\n");
    }
}
