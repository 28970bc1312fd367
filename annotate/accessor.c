/* The generated accessors: how rewritten code reaches a leaf. */
#include "accessor.h"

#include <string.h>

enum { LEAVES_MAX = 1 << 16, UNROLL_MAX = 64 };

const char *dl__struct_tag(struct dl__arena *arena, const struct dl__struct *s)
{
    const char *name = s->tag ? s->tag : s->name ? s->name : "anonymous";
    const char *space = strrchr(name, ' ');

    name = space ? space + 1 : name;
    return dl__arena_text(arena, name, strlen(name));
}

struct dl__struct *dl__flat_row(struct dl__arena *arena, const struct dl__type *element,
                                uint32_t width)
{
    struct dl__struct *row = DL__NEW(arena, struct dl__struct);
    struct dl__type *array = DL__NEW(arena, struct dl__type);

    array->kind = DL__T_ARRAY;
    array->count = width ? width : 1;
    array->bytes = (uint32_t)array->count * element->bytes;
    array->element = element;
    row->name = element->name;
    row->tag = width ? dl__arena_format(arena, "%s_%u", element->name, width)
                     : dl__arena_format(arena, "%s_row", element->name);
    row->flat_element = element;
    row->flat_width = width;
    row->bytes = array->bytes;
    row->fields = DL__NEW(arena, struct dl__field);
    row->fields->name = "";
    row->fields->type = array;
    row->field_count = 1;
    return row;
}

/* ---- leaves ---------------------------------------------------------------------- */

struct leaves {
    struct dl_leaf *items;
    size_t count, room;
    const char *reason;
};

static void add_struct(struct dl__arena *arena, const struct dl__struct *s, uint32_t base,
                       struct leaves *out);

static void add_type(struct dl__arena *arena, const struct dl__type *type, uint32_t base,
                     struct leaves *out)
{
    struct dl_leaf leaf = {base, type->bytes};

    if (out->reason)
        return;
    if (type->is_volatile) {
        out->reason = "the struct has a volatile member";
    } else if (out->count >= LEAVES_MAX) {
        out->reason = "the struct has too many members";
    } else if (type->kind == DL__T_STRUCT) {
        add_struct(arena, type->identity, base, out);
    } else if (type->kind == DL__T_ARRAY) {
        for (uint64_t i = 0; i < type->count && !out->reason; i++)
            add_type(arena, type->element, base + (uint32_t)i * type->element->bytes,
                     out);
    } else if (type->kind == DL__T_OTHER || !type->bytes ||
               type->bytes > DL_LEAF_BYTES_MAX) {
        out->reason =
            "the struct has a member that is no scalar, vector, array or struct";
    } else {
        DL__PUSH(arena, out, leaf);
    }
}

/* A union is no obstacle while its members lie on the same leaves. */
static void add_union(struct dl__arena *arena, const struct dl__struct *s, uint32_t base,
                      struct leaves *out)
{
    size_t start = out->count, count = 0;

    for (size_t i = 0; i < s->field_count && !out->reason; i++) {
        struct leaves member = {0};

        add_type(arena, s->fields[i].type, base + s->fields[i].offset_bytes, &member);
        out->reason = member.reason;
        for (size_t k = 0; k < member.count && !i; k++)
            DL__PUSH(arena, out, member.items[k]);
        count = i ? count : member.count;
        if (!out->reason &&
            (member.count != count ||
             memcmp(member.items, out->items + start, count * sizeof *member.items)))
            out->reason =
                "the struct holds a union whose members differ in size or number";
    }
}

static void add_struct(struct dl__arena *arena, const struct dl__struct *s, uint32_t base,
                       struct leaves *out)
{
    if (s->is_union) {
        add_union(arena, s, base, out);
        return;
    }
    if (s->has_bit_field)
        out->reason = "the struct holds a bit-field";
    for (size_t i = 0; i < s->field_count && !out->reason; i++)
        add_type(arena, s->fields[i].type, base + s->fields[i].offset_bytes, out);
}

struct dl_leaf *dl__struct_leaves(struct dl__arena *arena, const struct dl__struct *s,
                                  size_t *count, const char **reason)
{
    struct leaves out = {0};

    if (!s->bytes)
        out.reason = "the struct is empty or incomplete";
    else
        add_struct(arena, s, 0, &out);
    if (!out.reason && !out.count)
        out.reason = "the struct is empty or incomplete";
    if (out.reason) {
        *reason = out.reason;
        return NULL;
    }
    *count = out.count;
    return out.items;
}

bool dl__steps_cross_union(const struct dl__struct *element, const struct dl__step *steps,
                           size_t count)
{
    const struct dl__struct *in = element;

    for (size_t i = 0; i < count; i++) {
        const struct dl__type *type = steps[i].type;

        if (steps[i].field && in && in->is_union)
            return true;
        while (type->kind == DL__T_ARRAY)
            type = type->element;
        in = type->kind == DL__T_STRUCT ? type->identity : NULL;
    }
    return false;
}

bool dl__struct_is_packed(struct dl__arena *arena, const struct dl__struct *s)
{
    const char *reason;
    size_t count = 0;
    struct dl_leaf *leaves = dl__struct_leaves(arena, s, &count, &reason);

    for (size_t i = 0; leaves && i < count; i++)
        if (leaves[i].offset_bytes % leaves[i].width_bytes ||
            s->bytes % leaves[i].width_bytes)
            return true;
    return false;
}

/* ---- finding --------------------------------------------------------------------- */

const char *dl__space_name(unsigned space)
{
    return space == DL__CONSTANT ? "__constant" : "__global";
}

static bool same(const struct dl__accessor *a, enum dl__accessor_kind kind,
                 unsigned space, const struct dl__struct *element,
                 const struct dl__step *steps, size_t count)
{
    if (a->kind != kind || a->space != space || a->element != element ||
        a->step_count != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (a->steps[i].field != steps[i].field)
            return false;
    return true;
}

static bool same_form(const struct dl__vector_form *a, const struct dl__vector_form *b)
{
    return a == b || (a && b && !strcmp(a->builtin, b->builtin) &&
                      !strcmp(a->view, b->view) && !strcmp(a->value, b->value));
}

static const char *make_name(struct dl__accessors *all, enum dl__accessor_kind kind,
                             unsigned space, const struct dl__struct *element,
                             const struct dl__step *steps, size_t count,
                             const char *builtin)
{
    struct dl__buf name = {.arena = all->arena};
    unsigned number = 1;
    size_t bytes;

    dl__buf_printf(&name, "dl_%s", dl__struct_tag(all->arena, element));
    for (size_t i = 0; i < count; i++)
        if (steps[i].field && steps[i].field->name[0])
            dl__buf_printf(&name, "_%s", steps[i].field->name);
    static const char *const endings[] = {
        [DL__ADDRESS] = "",       [DL__PACKED] = "",
        [DL__NEAR] = "_near",     [DL__NEAR_REVERSED] = "_from",
        [DL__ANY] = "_any",       [DL__ROW] = "",
        [DL__ROW_WIDE] = "_wide", [DL__ROW_UINT] = "_uint",
        [DL__LOAD] = "_load",     [DL__STORE] = "_store"};

    if (kind == DL__GATHER || kind == DL__SCATTER)
        dl__buf_printf(&name, "_%s", builtin);
    else
        dl__buf_puts(&name, endings[kind]);
    if (space == DL__CONSTANT)
        dl__buf_puts(&name, "_constant");
    bytes = name.count;
    for (const struct dl__accessor *a = all->first; a; a = a->next) {
        if (!strcmp(a->name, name.items)) {
            name.count = bytes;
            dl__buf_printf(&name, "_%u", ++number);
            a = all->first;
        }
    }
    return name.items;
}

/* Every struct that a load or store assigns whole must have leaves only; arrays of
 * structs in it are copied member by member, so only the outermost type needs a name. */
struct dl__accessor *dl__accessor_get(struct dl__accessors *all,
                                      enum dl__accessor_kind kind, unsigned space,
                                      const struct dl__struct *element,
                                      const struct dl__step *steps, size_t step_count,
                                      const struct dl__type *type)
{
    return dl__accessor_get_vector(all, kind, space, element, steps, step_count, type,
                                   NULL);
}

struct dl__accessor *
dl__accessor_get_vector(struct dl__accessors *all, enum dl__accessor_kind kind,
                        unsigned space, const struct dl__struct *element,
                        const struct dl__step *steps, size_t step_count,
                        const struct dl__type *type, const struct dl__vector_form *form)
{
    struct dl__accessor *a = all->first;
    struct dl__step *copy;

    while (a && !(same(a, kind, space, element, steps, step_count) &&
                  same_form(a->vector, form)))
        a = a->next;
    if (a)
        return a;
    if (!type->name ||
        (kind < DL__LOAD ? type->kind != DL__T_SCALAR && type->kind != DL__T_VECTOR
                         : type->kind != DL__T_STRUCT))
        return NULL;
    a = DL__NEW(all->arena, struct dl__accessor);
    copy = dl__arena_alloc(all->arena, (step_count + 1) * sizeof *copy);
    if (step_count)
        memcpy(copy, steps, step_count * sizeof *copy);
    a->kind = kind;
    a->space = space;
    a->element = element;
    a->steps = copy;
    a->step_count = step_count;
    a->type = type;
    if (form) {
        struct dl__vector_form *kept = DL__NEW(all->arena, struct dl__vector_form);

        *kept = *form;
        a->vector = kept;
    }
    a->name = make_name(all, kind, space, element, steps, step_count,
                        form ? form->builtin : "");
    if (!all->tail)
        all->tail = &all->first;
    *all->tail = a;
    all->tail = &a->next;
    return a;
}

/* ---- text ------------------------------------------------------------------------ */

void dl__accessor_print_prelude(struct dl__buf *out)
{
    dl__buf_puts(
        out,
        "/* Generated by dl-annotate. DL_TILE: 1 the program's own layout, > 1 tiles of "
        "so many\n"
        " * structs, 0 one tile. DL_INDEX_64: for buffers of 2^32 bytes and more. */\n"
        "#ifndef DL_PRELUDE\n"
        "#define DL_PRELUDE\n"
        "#ifndef DL_TILE\n"
        "#define DL_TILE 1\n"
        "#endif\n"
        "#if DL_TILE == 1\n"
        "typedef long dl_index;\n"
        "typedef long dl_signed;\n"
        "#define DL_FORMALS\n"
        "#define DL_PARTS(parts, whole) (whole)\n"
        "#define DL_PARAMS(f)\n"
        "#define DL_ARGS(f)\n"
        "#define DL_PASS\n"
        "#define DL_BYTE(i, bytes, offset, width) ((i) * (bytes) + (offset))\n"
        "#else\n"
        "#ifdef DL_INDEX_64\n"
        "typedef ulong dl_index;\n"
        "typedef long dl_signed;\n"
        "#define DL_PARTS(parts, whole) (whole)\n"
        "#else\n"
        "typedef uint dl_index;\n"
        "typedef int dl_signed;\n"
        "#define DL_PARTS(parts, whole) (parts)\n"
        "#endif\n"
        "#define DL_FORMALS , dl_index dl_head, dl_index dl_tail\n"
        "#define DL_PARAMS(f) , dl_index dl_head_##f, dl_index dl_tail_##f\n"
        "#define DL_ARGS(f) , dl_head_##f, dl_tail_##f\n"
        "#define DL_PASS , dl_head, dl_tail\n"
        "#define DL_BYTE(i, bytes, offset, width) \\\n"
        "    dl_byte(i, bytes, offset, width, dl_head, dl_tail)\n"
        "static dl_index dl_byte(dl_index dl_i, dl_index dl_bytes, dl_index dl_offset,\n"
        "                        dl_index dl_width, dl_index dl_head, dl_index dl_tail)\n"
        "{\n"
        "#if DL_TILE == 0\n"
        "    dl_index dl_tile = dl_i < dl_head ? dl_head : dl_tail;\n"
        "    dl_index dl_row = dl_i < dl_head ? dl_i : dl_i - dl_head;\n"
        "#else\n"
        "    dl_index dl_tile = dl_i < dl_head ? DL_TILE : dl_tail;\n"
        "    dl_index dl_row = dl_i % DL_TILE;\n"
        "#endif\n"
        "    return (dl_i - dl_row) * dl_bytes + dl_tile * dl_offset + dl_row * "
        "dl_width;\n"
        "}\n"
        "/* The same for rows whose width comes with them: what lies behind the last is\n"
        " * where it was. */\n"
        "static dl_index dl_row_byte(dl_index dl_i, dl_index dl_bytes, dl_index "
        "dl_offset,\n"
        "                            dl_index dl_width, dl_index dl_head, dl_index "
        "dl_tail)\n"
        "{\n"
        "    dl_index dl_end = dl_head + dl_tail;\n"
        "#if DL_TILE == 0\n"
        "    dl_index dl_tile = dl_i < dl_head ? dl_head : dl_i < dl_end ? dl_tail : 1;\n"
        "    dl_index dl_row = dl_i < dl_head ? dl_i : dl_i < dl_end ? dl_i - dl_head : "
        "0;\n"
        "#else\n"
        "    dl_index dl_tile = dl_i < dl_head ? DL_TILE : dl_i < dl_end ? dl_tail : 1;\n"
        "    dl_index dl_row = dl_i < dl_end ? dl_i % DL_TILE : 0;\n"
        "#endif\n"
        "    return (dl_i - dl_row) * dl_bytes + dl_tile * dl_offset + dl_row * "
        "dl_width;\n"
        "}\n"
        "#endif\n"
        "#define DL_AT(type, f, i, bytes, offset, width) \\\n"
        "    DL_AT_IN(__global, type, f, i, bytes, offset, width)\n"
        "#define DL_AT_IN(space, type, f, i, bytes, offset, width) \\\n"
        "    ((space type *)((space uchar *)(f) + DL_BYTE(i, bytes, offset, width)))\n"
        "#define DL_PACKED(type) struct __attribute__((packed)) { type dl_v; }\n"
        "#define DL_ALIASED(type) union { type dl_v; uchar dl_bytes[sizeof(type)]; }\n"
        "#endif\n");
}

/* How a leaf is reached; the arguments follow, then `)`. */
const char *dl__accessor_at_macro(const struct dl__accessor *a)
{
    return a->space == DL__CONSTANT ? "DL_AT_IN(__constant, " : "DL_AT(";
}

/* Walks the steps: the constant part of the offset, and `+ k0 * stride` for each index.
 */
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

            dl__buf_printf(c->out, "    for (uint dl_l%u = 0; dl_l%u < %u; dl_l%u++) {\n",
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
            packed ? "uchar" : type->name, c->a->element->bytes, offset, c->indices,
            loop_offset, type->bytes);

        if (packed || c->unions)
            at = dl__arena_format(arena, "((%s %s(%s) *)%s)->dl_v",
                                  dl__space_name(c->a->space),
                                  packed ? "DL_PACKED" : "DL_ALIASED", type->name, at);
        else
            at = dl__arena_format(arena, "*%s", at);
        if (c->a->kind == DL__LOAD)
            dl__buf_printf(c->out, "    %s = %s;\n", member, at);
        else
            dl__buf_printf(c->out, "    %s = %s;\n", at, member);
    }
}

/* The accessor of a flat buffer whose width is an argument. An element that is not in its
 * row, which the compiler can often tell from the loop around it, is looked up by its
 * index. An int's parts are themselves where the offset lies in the row, since nothing of
 * it overflows; others could have wrapped, and not be a row's. */
static void print_row(struct dl__buf *out, const struct dl__accessor *a)
{
    const char *type = a->element->name, *space = dl__space_name(a->space);
    bool wraps = a->kind == DL__ROW_UINT;
    unsigned bytes = a->type->bytes;

    dl__buf_printf(
        out,
        "static %s %s *%s(%s const %s *dl_f, dl_index dl_i, dl_index dl_e, "
        "dl_index dl_w DL_FORMALS)\n{\n"
        "#if DL_TILE == 1\n"
        "    return (%s %s *)dl_f + %s(dl_i * dl_w + dl_e);\n"
        "#else\n"
        "    if (%sdl_e >= dl_w%s) {\n"
        "        dl_e = %s(dl_i * dl_w + dl_e);\n"
        "        dl_i = dl_e / dl_w;\n"
        "        dl_e -= dl_i * dl_w;\n"
        "    }\n"
        "    return (%s %s *)((%s uchar *)dl_f +\n"
        "        dl_row_byte(dl_i, dl_w * %u, dl_e * %u, %u, dl_head, dl_tail));\n"
        "#endif\n}\n",
        space, type, a->name, space, type, space, type, wraps ? "(uint)" : "",
        a->kind == DL__ROW ? "" : "dl_i >= dl_head + dl_tail || ",
        wraps ? " || dl_i * dl_w + dl_e > 0xffffffffu" : "", wraps ? "(uint)" : "", space,
        type, space, bytes, bytes, bytes);
}

/* Accessors of flat buffers that find the row themselves. */
static void print_flat(struct dl__buf *out, const struct dl__accessor *a)
{
    const char *type = a->element->name;
    unsigned bytes = a->element->bytes, width = a->element->flat_width;
    unsigned element = a->type->bytes;
    const char *space = dl__space_name(a->space);

    dl__buf_printf(out, "static %s %s *%s(%s const %s *dl_f, ", space, type, a->name,
                   space, type);
    if (a->kind == DL__ANY) {
        dl__buf_printf(out,
                       "dl_index dl_e DL_FORMALS)\n{\n"
                       "    return %s%s, dl_f, dl_e / %u, %u, dl_e %% %u * %u, %u);\n}\n",
                       dl__accessor_at_macro(a), type, width, bytes, width, element,
                       element);
        return;
    }
    dl__buf_puts(out, a->kind == DL__NEAR
                          ? "dl_index dl_i, dl_signed dl_e DL_FORMALS)\n"
                          : "dl_signed dl_e, dl_index dl_i DL_FORMALS)\n");
    dl__buf_printf(
        out,
        "{\n    dl_signed dl_r = dl_e >= 0 ? dl_e / %u : -((%u - dl_e) / %u);\n\n"
        "    return %s%s, dl_f, dl_i + dl_r, %u, (dl_e - dl_r * %u) * %u, %u);\n"
        "}\n",
        width, width - 1, width, dl__accessor_at_macro(a), type, bytes, width, element,
        element);
}

void dl__accessor_print(struct dl__buf *out, const struct dl__accessor *a)
{
    struct dl__buf indices = {.arena = out->arena};
    struct copy copy = {.out = out, .a = a};
    const char *space = dl__space_name(a->space);
    unsigned index_count;
    uint32_t offset;

    if (a->kind == DL__ROW || a->kind == DL__ROW_WIDE || a->kind == DL__ROW_UINT) {
        print_row(out, a);
        return;
    }
    if (a->kind == DL__NEAR || a->kind == DL__NEAR_REVERSED || a->kind == DL__ANY) {
        print_flat(out, a);
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
    if (a->kind <= DL__PACKED)
        dl__buf_printf(out, "static %s %s *%s(%s const %s *dl_f, dl_index dl_i", space,
                       a->kind == DL__PACKED ? "uchar" : a->type->name, a->name, space,
                       a->element->name);
    else
        dl__buf_printf(out, "static %s %s(%s const %s *dl_f, dl_index dl_i",
                       a->type->name, a->name, space, a->element->name);
    for (unsigned k = 0; k < index_count; k++)
        dl__buf_printf(out, ", dl_index dl_k%u", k);
    dl__buf_puts(out, " DL_FORMALS");
    if (a->kind <= DL__PACKED) {
        dl__buf_printf(out, ")\n{\n    return %s%s, dl_f, dl_i, %u, %u%s, %u);\n}\n",
                       dl__accessor_at_macro(a),
                       a->kind == DL__PACKED ? "uchar" : a->type->name, a->element->bytes,
                       offset, indices.items, a->type->bytes);
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
