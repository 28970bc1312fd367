/* The accessors that copy a struct, leaf by leaf. */
#include "annotate/accessors/kinds.h"

enum { UNROLL_MAX = 64 };

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
            arena, "%s%s, dl_f, %s, %u, %u%s%s, %u)", dl__accessor_at_macro(c->a->space),
            packed ? "unsigned char" : dl__type_text(type->name),
            dl__accessor_index(c->a), c->a->element->bytes, offset, c->indices,
            loop_offset, type->bytes);

        if (packed || c->unions)
            at = dl__arena_format(
                arena, "((%s %s(%s) *)%s)->dl_v", dl__space_name(c->a->space),
                packed ? "DL_PACKED" : "DL_ALIASED", dl__type_text(type->name), at);
        else
            at = dl__arena_format(arena, "*%s", at);
        if (c->a->kind == &dl__load)
            dl__buf_printf(c->out, "    %s = %s;\n", member, at);
        else
            dl__buf_printf(c->out, "    %s = %s;\n", at, member);
    }
}

static void print(struct dl__buf *out, const struct dl__accessor *a)
{
    struct dl__buf indices = {.arena = out->arena};
    struct copy copy = {.out = out, .a = a};
    unsigned index_count;
    uint32_t offset;

    dl__buf_puts(&indices, "");
    offset = dl__accessor_steps(a, &indices, &index_count);
    copy.indices = indices.items;
    copy.packed = dl__struct_is_packed(out->arena, a->element);
    copy.unions = dl__steps_cross_union(a->element, a->from, a->steps, a->step_count);
    dl__buf_printf(out, "static %s %s(%s const %s *dl_f, %s", a->type->name, a->name,
                   dl__space_name(a->space), a->element->name, dl__accessor_place(a));
    dl__accessor_print_formals(out, index_count);
    if (a->kind == &dl__load)
        dl__buf_printf(out, ")\n{\n    %s dl_s;\n", a->type->name);
    else
        dl__buf_printf(out, ", %s dl_s)\n{\n", a->type->name);
    print_copy(&copy, a->type, "dl_s", offset, "");
    dl__buf_puts(out, "    return dl_s;\n}\n");
}

const struct dl__accessor_kind dl__load = {
    .ending = "_load", .copies = true, .print = print};
const struct dl__accessor_kind dl__store = {
    .ending = "_store", .copies = true, .print = print};
